package formats

import (
	"io"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
)

// The ledger's own form: a header, then one row a line under the name of its
// type, as ledger.Export writes and ledger.Import reads them.
const (
	ownFormat  = "herarena-ledger"
	ownVersion = 1
)

type ownLine struct {
	Type     string     `json:"type"`
	Format   string     `json:"format,omitempty"`
	Version  int        `json:"version,omitempty"`
	Exported int64      `json:"exported,omitempty"` // unix milliseconds
	Duel     *ownDuel   `json:"duel,omitempty"`
	Turn     *ownTurn   `json:"turn,omitempty"`
	Reply    *ownReply  `json:"reply,omitempty"`
	Ruling   *ownRuling `json:"ruling,omitempty"`
	Vote     *ownVote   `json:"vote,omitempty"`
	Battle   *ownBattle `json:"battle,omitempty"`
}

type ownDuel struct {
	ID          string           `json:"id"`
	SceneID     string           `json:"scene_id"`
	SceneTitle  string           `json:"scene_title"`
	Scene       string           `json:"scene"`
	Character   string           `json:"character"`
	User        string           `json:"user"`
	Language    string           `json:"language"`
	Critic      string           `json:"critic"`
	Canon       string           `json:"canon"`
	Blind       bool             `json:"blind"`
	Rehearsal   bool             `json:"rehearsal"`
	Seed        int64            `json:"seed"`
	Started     int64            `json:"started"`
	Origin      *arena.Origin    `json:"origin,omitempty"`
	Past        []arena.PastTurn `json:"past,omitempty"`
	Contestants [2]ownContestant `json:"contestants"`
}

type ownContestant struct {
	Seat       int            `json:"seat"`
	Name       string         `json:"name"`
	Model      string         `json:"model"`
	Endpoint   string         `json:"endpoint"`
	Dialect    string         `json:"dialect"`
	Prefill    string         `json:"prefill"`
	Sampling   arena.Sampling `json:"sampling"`
	KeepSystem bool           `json:"keep_system"`
	Rehearsal  bool           `json:"rehearsal"`
}

type ownTurn struct {
	ID      string `json:"id"`
	DuelID  string `json:"duel_id"`
	Number  int    `json:"number"`
	Line    string `json:"line"`
	SeatA   int    `json:"seat_a"`
	SeatB   int    `json:"seat_b"`
	Canon   int    `json:"canon"`
	Started int64  `json:"started"`
	Note    string `json:"note,omitempty"`
	Auto    string `json:"auto,omitempty"`
	Speaker string `json:"speaker,omitempty"`
	Scenery string `json:"scenery,omitempty"`
}

type ownReply struct {
	ID         string           `json:"id"`
	TurnID     string           `json:"turn_id"`
	Contestant int              `json:"contestant"`
	Swipe      int              `json:"swipe"`
	State      string           `json:"state"`
	Raw        string           `json:"raw"`
	Reasoning  string           `json:"reasoning"`
	Segments   []layers.Segment `json:"segments"`
	Dialect    string           `json:"dialect"`
	Truncated  bool             `json:"truncated"`
	SpokeFor   []string         `json:"spoke_for"`
	Finish     string           `json:"finish"`
	Complete   bool             `json:"complete"`
	Damaged    int              `json:"damaged"`
	Usage      *arena.Usage     `json:"usage"`
	Fault      *arena.Fault     `json:"fault"`
	Started    int64            `json:"started"`
	FirstByte  int64            `json:"first_byte_ns"`
	Total      int64            `json:"total_ns"`
	Notes      []string         `json:"notes,omitempty"`
	Prefill    string           `json:"prefill,omitempty"`
	Sampling   *arena.Sampling  `json:"sampling,omitempty"`
}

type ownRuling struct {
	ID        string        `json:"id"`
	TurnID    string        `json:"turn_id"`
	Critic    string        `json:"critic"`
	Agreement string        `json:"agreement"`
	Winner    string        `json:"winner"`
	ReplyA    string        `json:"reply_a"`
	ReplyB    string        `json:"reply_b"`
	Counted   bool          `json:"counted"`
	Why       string        `json:"why"`
	Given     int64         `json:"at"`
	Total     int64         `json:"total_ns"`
	Orders    string        `json:"orders,omitempty"`
	Rerun     string        `json:"rerun,omitempty"`
	Verdicts  [2]ownVerdict `json:"verdicts"`
}

type ownVerdict struct {
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

type ownVote struct {
	ID      string `json:"id"`
	TurnID  string `json:"turn_id"`
	Choice  string `json:"choice"`
	Voter   string `json:"voter"`
	Dwell   int64  `json:"dwell_ns"`
	Counted bool   `json:"counted"`
	Why     string `json:"why"`
	Given   int64  `json:"at"`
}

type ownBattle struct {
	ID       string  `json:"id"`
	DuelID   string  `json:"duel_id"`
	TurnID   string  `json:"turn_id"`
	Turn     int     `json:"turn"`
	SceneID  string  `json:"scene_id"`
	Source   string  `json:"source"`
	A        string  `json:"a"`
	B        string  `json:"b"`
	Outcome  string  `json:"outcome"`
	Weight   float64 `json:"weight"`
	Flip     bool    `json:"flip"`
	Counted  bool    `json:"counted"`
	Why      string  `json:"why"`
	Judge    string  `json:"judge"`
	Language string  `json:"language"`
	Given    int64   `json:"at"`
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func ownHeader(now time.Time) ownLine {
	return ownLine{Type: "header", Format: ownFormat, Version: ownVersion, Exported: millis(now)}
}

// ownLines returns the lines of a duel in the order in which the ledger has them.
func ownLines(d *ledger.DuelFull) []ownLine {
	out := []ownLine{{Type: "duel", Duel: newOwnDuel(&d.DuelRecord)}}
	for i := range d.Turns {
		out = append(out, ownLine{Type: "turn", Turn: newOwnTurn(&d.Turns[i].Turn)})
	}
	for i := range d.Turns {
		t := &d.Turns[i]
		for _, swipes := range t.Swipes {
			for _, r := range swipes {
				out = append(out, ownLine{Type: "reply", Reply: newOwnReply(r, t.States[r.ID])})
			}
		}
	}
	for i := range d.Turns {
		for _, list := range [][]arena.Ruling{d.Turns[i].Rulings, d.Turns[i].Reruns} {
			for j := range list {
				out = append(out, ownLine{Type: "ruling", Ruling: newOwnRuling(&list[j])})
			}
		}
	}
	for i := range d.Turns {
		for _, v := range d.Turns[i].Votes {
			out = append(out, ownLine{Type: "vote", Vote: &ownVote{
				ID: v.ID, TurnID: v.TurnID, Choice: string(v.Choice), Voter: v.Voter, Dwell: int64(v.Dwell),
				Counted: v.Counted, Why: v.Why, Given: millis(v.At),
			}})
		}
	}
	for _, b := range d.Battles {
		out = append(out, ownBattleLine(b))
	}
	return out
}

func ownBattleLine(b arena.Battle) ownLine {
	return ownLine{Type: "battle", Battle: &ownBattle{
		ID: b.ID, DuelID: b.DuelID, TurnID: b.TurnID, Turn: b.Turn, SceneID: b.SceneID, Source: string(b.Source),
		A: b.A, B: b.B, Outcome: string(b.Outcome), Weight: b.Weight, Flip: b.Flip, Counted: b.Counted, Why: b.Why,
		Judge: b.Judge, Language: b.Language, Given: millis(b.At),
	}}
}

func newOwnDuel(d *arena.DuelRecord) *ownDuel {
	r := &ownDuel{
		ID: d.ID, SceneID: d.SceneID, SceneTitle: d.SceneTitle, Scene: d.SceneJSON, Character: d.Character,
		User: d.User, Language: d.Language, Critic: d.Critic, Canon: string(d.Canon), Blind: d.Blind,
		Rehearsal: d.Rehearsal, Seed: d.Seed, Started: millis(d.Started), Past: d.Past,
	}
	if d.Origin != (arena.Origin{}) {
		r.Origin = &d.Origin
	}
	for seat, c := range d.Contestants {
		r.Contestants[seat] = ownContestant{
			Seat: seat, Name: c.Name, Model: c.Model, Endpoint: c.Endpoint, Dialect: string(c.Dialect),
			Prefill: c.Prefill, Sampling: c.Sampling, KeepSystem: c.KeepSystem, Rehearsal: c.Rehearsal,
		}
	}
	return r
}

func newOwnTurn(t *arena.Turn) *ownTurn {
	return &ownTurn{
		ID: t.ID, DuelID: t.DuelID, Number: t.Number, Line: t.Line, SeatA: t.Seats[0], SeatB: t.Seats[1],
		Canon: t.Canon, Started: millis(t.Started), Note: t.Note, Auto: t.Auto, Speaker: t.Speaker, Scenery: t.Scenery,
	}
}

func newOwnReply(p *arena.Reply, state ledger.State) *ownReply {
	if state == "" {
		state = ledger.Done
	}
	return &ownReply{
		ID: p.ID, TurnID: p.TurnID, Contestant: p.Contestant, Swipe: p.Swipe, State: string(state), Raw: p.Raw,
		Reasoning: p.Reasoning, Segments: p.Segments, Dialect: string(p.Dialect), Truncated: p.Truncated,
		SpokeFor: p.SpokeFor, Finish: p.Finish, Complete: p.Complete, Damaged: p.Damaged, Usage: p.Usage, Fault: p.Fault,
		Started: millis(p.Started), FirstByte: int64(p.FirstByte), Total: int64(p.Total), Notes: p.Notes,
		Prefill: p.Prefill, Sampling: p.Sampling,
	}
}

func newOwnRuling(g *arena.Ruling) *ownRuling {
	r := &ownRuling{
		ID: g.ID, TurnID: g.TurnID, Critic: g.Critic, Agreement: string(g.Agreement), Winner: string(g.Winner),
		ReplyA: g.ReplyA, ReplyB: g.ReplyB, Counted: g.Counted, Why: g.Why, Given: millis(g.At), Total: int64(g.Total),
		Orders: string(g.Orders), Rerun: g.Rerun,
	}
	for order, v := range g.Verdicts {
		r.Verdicts[order] = ownVerdict{
			Shown: order, Status: string(v.Status), Better: string(v.Better), Principles: v.Principles,
			Comparisons: v.Comparisons, Overall: v.Overall, Summary: v.Summary, Tally: v.Tally,
			TallyDisagrees: v.TallyDisagrees, Raw: v.Raw, Reasoning: v.Reasoning, PromptHash: v.PromptHash,
			Model: v.Model, Usage: v.Usage, Fault: v.Fault, FirstByte: int64(v.FirstByte), Total: int64(v.Total), Label: v.Label,
		}
	}
	return r
}

// own is the ledger's own format. Reading it passes the file on as it is.
func own() Format {
	return Format{
		Name: Own, Title: "HER Arena", Holds: "all of the ledger, one row of it a line",
		Extensions: []string{".jsonl"},
		codec: codec{
			layout: asDuels, marks: []string{"type", "format", "version"},
			open: func(im *importer, s *source) error {
				s.meter.free = true // the ledger has limits of its own
				_, err := io.Copy(im.to, s.buf)
				return err
			},
			duel: func(ex *exporter, e *export) ([]any, string) {
				var out []any
				if ex.report.Duels == 1 {
					out = append(out, ownHeader(ex.o.Now))
				}
				for _, l := range ownLines(e.d) {
					out = append(out, l)
				}
				return out, ""
			},
		},
	}
}
