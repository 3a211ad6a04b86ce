package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena"
)

// hardRow is a judgment of Arena-Hard-Auto. In the first game the baseline is
// shown as A, in the second the model, as its show_result.py reads them.
type hardRow struct {
	UID      string      `json:"uid"`
	Category string      `json:"category"`
	Judge    string      `json:"judge"`
	Model    string      `json:"model"`
	Baseline string      `json:"baseline"`
	Games    [2]hardGame `json:"games"`
}

type hardGame struct {
	Score    *string           `json:"score"`
	Judgment hardText          `json:"judgment"`
	Prompt   []json.RawMessage `json:"prompt"`
}

type hardText struct {
	Answer string `json:"answer"`
}

func arenaHard() Format {
	return Format{
		Name: "arena-hard", Title: "Arena-Hard-Auto's judgments", Holds: "a critic's verdicts in both orders",
		LostOut:    "votes make no row; the conversation, principles; a win is > and never >>",
		LostIn:     "the judge's prompts, and other fields of a game; a strong win (>>) counts as a win",
		Extensions: []string{".jsonl"},
		codec: codec{
			layout: asLines, marks: []string{"uid", "judge", "model", "baseline", "games"}, read: readHard, write: writeHard,
		},
	}
}

// Scores in words of the shown positions.
var hardScores = map[string]arena.Choice{
	"A>B": arena.First, "A>>B": arena.First, "B<A": arena.First, "B<<A": arena.First,
	"B>A": arena.Second, "B>>A": arena.Second, "A<B": arena.Second, "A<<B": arena.Second,
	"A=B": arena.Tie, "B=A": arena.Tie,
}

func readHard(im *importer, r *row) error {
	var in struct {
		UID      loose  `json:"uid"`
		Judge    string `json:"judge"`
		Model    string `json:"model"`
		Baseline string `json:"baseline"`
		Games    []*struct {
			Score    *string         `json:"score"`
			Judgment json.RawMessage `json:"judgment"`
		} `json:"games"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	names, err := im.names([2]string{"model", "baseline"}, [2]string{in.Model, in.Baseline})
	if err != nil {
		return err
	}
	critic, err := im.name("judge", in.Judge)
	if err != nil {
		return err
	}
	if len(in.Games) != 2 {
		return r.fault("games", "want two games, found %d", len(in.Games))
	}
	var verdicts [2]arena.Verdict
	scores := [2]string{}
	for i, g := range in.Games {
		order := [2]arena.Order{arena.BFirst, arena.AFirst}[i]
		v := arena.Verdict{Status: arena.VerdictFailed, Phase: arena.PhaseDone}
		if g != nil {
			var text struct {
				Answer string `json:"answer"`
			}
			if json.Unmarshal(g.Judgment, &text) != nil {
				_ = json.Unmarshal(g.Judgment, &text.Answer)
			}
			v.Raw = text.Answer
			if g.Score != nil {
				better, ok := hardScores[strings.TrimSpace(*g.Score)]
				if !ok {
					return r.fault(fmt.Sprintf("games[%d].score", i), "%q is no score (want A>B, A>>B, A=B, B>A or B>>A)", clip(*g.Score))
				}
				v.Better, v.Status, scores[i] = better, arena.VerdictOnly, strings.TrimSpace(*g.Score)
			}
		}
		verdicts[order] = v
	}
	d := im.newDraft(im.rowID(string(in.UID)), names, im.o.Now)
	d.mark.Rest = r.rest("judge", "model", "baseline", "games")
	if d.mark.Rest == nil {
		d.mark.Rest = map[string]json.RawMessage{}
	}
	if d.mark.Rest["scores"], err = marshal(scores); err != nil {
		return err
	}
	d.ruling(critic, verdicts, arena.OrdersAlways)
	return im.add(d)
}

func writeHard(_ *exporter, p *pair) ([]any, string) {
	if p.ruling == nil {
		return nil, whyVote
	}
	out := hardRow{UID: p.battles[0].TurnID, Category: "role_play", Judge: p.ruling.Critic, Model: p.names[0], Baseline: p.names[1]}
	rest := p.rest("arena-hard")
	var was [2]string
	_ = json.Unmarshal(rest["scores"], &was)
	for i := range out.Games {
		v := &p.ruling.Verdicts[[2]arena.Order{arena.BFirst, arena.AFirst}[i]]
		g := &out.Games[i]
		g.Prompt, g.Judgment.Answer = []json.RawMessage{}, v.Raw
		word := map[arena.Choice]string{arena.First: "A>B", arena.Second: "B>A", arena.Tie: "A=B"}[v.Better]
		if hardScores[was[i]] == v.Better && was[i] != "" {
			word = was[i] // as strong as it was
		}
		if word != "" {
			g.Score = &word
		}
	}
	return []any{kept{out, without(rest, "scores")}}, ""
}

// benchRow is a pair judgment of MT-bench. Winners name models, whatever the
// order they were shown in.
type benchRow struct {
	QuestionID string      `json:"question_id"`
	Model1     string      `json:"model_1"`
	Model2     string      `json:"model_2"`
	G1         string      `json:"g1_winner"`
	G2         string      `json:"g2_winner"`
	Judge      [2]string   `json:"judge"`
	Prompt1    string      `json:"g1_user_prompt"`
	Judgment1  string      `json:"g1_judgment"`
	Prompt2    string      `json:"g2_user_prompt"`
	Judgment2  string      `json:"g2_judgment"`
	Turn       int         `json:"turn"`
	Tstamp     json.Number `json:"tstamp"`
}

func mtBench() Format {
	return Format{
		Name: "mtbench", Title: "MT-bench's pair judgments", Holds: "a critic's verdicts in both orders",
		LostOut: "votes make no row; the conversation, principles, the prompts", LostIn: "nothing",
		Extensions: []string{".jsonl"},
		codec: codec{
			layout: asLines, marks: []string{"model_1", "model_2", "g1_winner", "g2_winner"}, read: readBench, write: writeBench,
		},
	}
}

func readBench(im *importer, r *row) error {
	var in struct {
		Model1    string          `json:"model_1"`
		Model2    string          `json:"model_2"`
		G1        string          `json:"g1_winner"`
		G2        string          `json:"g2_winner"`
		Judge     json.RawMessage `json:"judge"`
		Judgment1 loose           `json:"g1_judgment"`
		Judgment2 loose           `json:"g2_judgment"`
		Turn      loose           `json:"turn"`
		Tstamp    loose           `json:"tstamp"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	names, err := im.names([2]string{"model_1", "model_2"}, [2]string{in.Model1, in.Model2})
	if err != nil {
		return err
	}
	var who []string
	if json.Unmarshal(in.Judge, &who) != nil {
		var one string
		_ = json.Unmarshal(in.Judge, &one)
		who = []string{one}
	}
	critic := ""
	if len(who) > 0 {
		critic = who[0]
	}
	if critic, err = im.name("judge", critic); err != nil {
		return err
	}
	var verdicts [2]arena.Verdict
	for order, g := range []struct{ field, winner, text string }{
		{"g1_winner", in.G1, string(in.Judgment1)}, {"g2_winner", in.G2, string(in.Judgment2)},
	} {
		v := arena.Verdict{Status: arena.VerdictOnly, Phase: arena.PhaseDone, Raw: g.text}
		switch g.winner {
		case "model_1":
			v.Better = [2]arena.Choice{arena.First, arena.Second}[order]
		case "model_2":
			v.Better = [2]arena.Choice{arena.Second, arena.First}[order]
		case "tie":
			v.Better = arena.Tie
		case "error":
			v.Status = arena.VerdictFailed
		default:
			return r.fault(g.field, "%q is no winner (want model_1, model_2, tie or error)", clip(g.winner))
		}
		verdicts[order] = v
	}
	d := im.newDraft(im.rowID(""), names, im.when(in.Tstamp.number()))
	d.mark.Rest = r.rest("model_1", "model_2", "g1_winner", "g2_winner", "g1_judgment", "g2_judgment", "tstamp")
	d.ruling(critic, verdicts, arena.OrdersAlways)
	return im.add(d)
}

func writeBench(_ *exporter, p *pair) ([]any, string) {
	if p.ruling == nil {
		return nil, whyVote
	}
	word := func(o arena.Order) string {
		switch o.Side(p.ruling.Verdicts[o].Better) {
		case arena.ChoseA:
			return "model_1"
		case arena.ChoseB:
			return "model_2"
		case arena.Tie:
			return "tie"
		}
		return "error"
	}
	out := benchRow{
		QuestionID: p.battles[0].TurnID, Model1: p.names[0], Model2: p.names[1], G1: word(arena.AFirst), G2: word(arena.BFirst),
		Judge: [2]string{p.ruling.Critic, "herarena"}, Judgment1: p.ruling.Verdicts[0].Raw, Judgment2: p.ruling.Verdicts[1].Raw,
		Turn: max(p.number, 1), Tstamp: seconds(millis(p.when)),
	}
	return []any{kept{out, p.rest("mtbench")}}, ""
}
