package ledger

import (
	"time"

	"herarena/arena"
)

const rulingColumns = "id, turn_id, critic, agreement, winner, reply_a, reply_b, counted, why, given, total, orders, rerun"

type rulingRow struct {
	ID        string       `json:"id"`
	TurnID    string       `json:"turn_id"`
	Critic    string       `json:"critic"`
	Agreement string       `json:"agreement"`
	Winner    string       `json:"winner"`
	ReplyA    string       `json:"reply_a"`
	ReplyB    string       `json:"reply_b"`
	Counted   bool         `json:"counted"`
	Why       string       `json:"why"`
	Given     int64        `json:"at"`
	Total     int64        `json:"total_ns"`
	Orders    string       `json:"orders,omitempty"`
	Rerun     string       `json:"rerun,omitempty"`
	Verdicts  []verdictRow `json:"verdicts"`
}

func (r *rulingRow) fields() []any {
	return []any{
		&r.ID, &r.TurnID, &r.Critic, &r.Agreement, &r.Winner, &r.ReplyA, &r.ReplyB, &r.Counted, &r.Why,
		&r.Given, &r.Total, &r.Orders, &r.Rerun,
	}
}

const verdictColumns = "ruling_id, shown, status, better, principles, comparisons, overall, summary, tally, " +
	"tally_disagrees, raw, reasoning, prompt_hash, model, token_use, fault, first_byte, total, label"

type verdictRow struct {
	RulingID       string             `json:"-"`
	Shown          int                `json:"order"`
	Status         string             `json:"status"`
	Better         string             `json:"better_response"`
	Principles     []arena.Principle  `json:"principles"`
	Comparisons    []arena.Comparison `json:"comparisons"`
	Overall        string             `json:"overall_analysis"`
	Summary        string             `json:"principle_summary"`
	Tally          arena.Tally        `json:"tally"`
	TallyDisagrees bool               `json:"tally_disagrees"`
	Raw            string             `json:"raw"`
	Reasoning      string             `json:"reasoning"`
	PromptHash     string             `json:"prompt_hash"`
	Model          string             `json:"model"`
	Usage          *arena.Usage       `json:"usage"`
	Fault          *arena.Fault       `json:"fault"`
	FirstByte      int64              `json:"first_byte_ns"`
	Total          int64              `json:"total_ns"`
	Label          *arena.LabelOdds   `json:"label,omitempty"`
}

func (r *verdictRow) fields() []any {
	return []any{
		&r.RulingID, &r.Shown, &r.Status, &r.Better, asJSON(&r.Principles), asJSON(&r.Comparisons), &r.Overall,
		&r.Summary, asJSON(&r.Tally), &r.TallyDisagrees, &r.Raw, &r.Reasoning, &r.PromptHash, &r.Model,
		asJSON(&r.Usage), asJSON(&r.Fault), &r.FirstByte, &r.Total, asJSON(&r.Label),
	}
}

func newRulingRow(g arena.Ruling) rulingRow {
	r := rulingRow{
		ID: g.ID, TurnID: g.TurnID, Critic: g.Critic, Agreement: string(g.Agreement), Winner: string(g.Winner),
		ReplyA: g.ReplyA, ReplyB: g.ReplyB, Counted: g.Counted, Why: g.Why, Given: toMillis(g.At), Total: int64(g.Total),
		Orders: string(g.Orders), Rerun: g.Rerun,
	}
	for order, v := range g.Verdicts {
		r.Verdicts = append(r.Verdicts, verdictRow{
			RulingID: g.ID, Shown: order, Status: string(v.Status), Better: string(v.Better), Principles: v.Principles,
			Comparisons: v.Comparisons, Overall: v.Overall, Summary: v.Summary, Tally: v.Tally,
			TallyDisagrees: v.TallyDisagrees, Raw: v.Raw, Reasoning: v.Reasoning, PromptHash: v.PromptHash, Model: v.Model,
			Usage: v.Usage, Fault: v.Fault, FirstByte: int64(v.FirstByte), Total: int64(v.Total), Label: v.Label,
		})
	}
	return r
}

func (r *rulingRow) ruling() arena.Ruling {
	g := arena.Ruling{
		ID: r.ID, TurnID: r.TurnID, Critic: r.Critic, Agreement: arena.Agreement(r.Agreement),
		Winner: arena.Choice(r.Winner), ReplyA: r.ReplyA, ReplyB: r.ReplyB, Counted: r.Counted, Why: r.Why,
		At: fromMillis(r.Given), Total: time.Duration(r.Total), Orders: arena.OrderPolicy(r.Orders), Rerun: r.Rerun,
	}
	for _, v := range r.Verdicts {
		if v.Shown != int(arena.AFirst) && v.Shown != int(arena.BFirst) {
			continue
		}
		g.Verdicts[v.Shown] = arena.Verdict{
			Status: arena.VerdictStatus(v.Status), Better: arena.Choice(v.Better), Principles: v.Principles,
			Comparisons: v.Comparisons, Overall: v.Overall, Summary: v.Summary, Tally: v.Tally,
			TallyDisagrees: v.TallyDisagrees, Phase: arena.PhaseDone, Raw: v.Raw, Reasoning: v.Reasoning,
			PromptHash: v.PromptHash, Model: v.Model, Usage: v.Usage, Fault: v.Fault,
			FirstByte: time.Duration(v.FirstByte), Total: time.Duration(v.Total), Label: v.Label,
		}
	}
	return g
}
