package formats

import (
	"strconv"
	"strings"
	"time"

	"herarena/arena"
)

// tableRow is a battle in a table. The names of the columns are those of
// FastChat where it has them, so that its tools and herarena board read it.
type tableRow struct {
	ID       string `json:"id"`
	ModelA   string `json:"model_a"`
	ModelB   string `json:"model_b"`
	Winner   string `json:"winner"`
	Weight   string `json:"weight"`
	Flip     bool   `json:"flip"`
	Source   string `json:"source"`
	Judge    string `json:"judge"`
	Counted  bool   `json:"counted"`
	Why      string `json:"why"`
	DuelID   string `json:"duel_id"`
	TurnID   string `json:"turn_id"`
	Turn     int    `json:"turn"`
	SceneID  string `json:"scene_id"`
	Language string `json:"language"`
	Anony    bool   `json:"anony"`
	Tstamp   string `json:"tstamp"`
}

func csvBattles() Format {
	return Format{
		Name: "csv", Title: "a table of battles", Holds: "a battle; a flip is two rows of half weight",
		LostOut: "what was said; principles", LostIn: "other columns than these; a battle's duel and scene, if it is not in the ledger already",
		Extensions: []string{".csv"},
		codec: codec{
			layout: asTable, marks: []string{"model_a", "model_b", "winner"}, read: readTable, write: writeTable,
			blank: func() any { return &tableRow{} },
		},
	}
}

func readTable(im *importer, r *row) error {
	var in struct {
		ID       loose  `json:"id"`
		Question loose  `json:"question_id"`
		A        string `json:"model_a"`
		B        string `json:"model_b"`
		Winner   string `json:"winner"`
		Weight   loose  `json:"weight"`
		Flip     loose  `json:"flip"`
		Source   string `json:"source"`
		Judge    loose  `json:"judge"`
		Counted  *loose `json:"counted"`
		Why      string `json:"why"`
		DuelID   loose  `json:"duel_id"`
		TurnID   loose  `json:"turn_id"`
		Turn     loose  `json:"turn"`
		Language string `json:"language"`
		Tstamp   loose  `json:"tstamp"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	names, err := im.names([2]string{"model_a", "model_b"}, [2]string{in.A, in.B})
	if err != nil {
		return err
	}
	outcome, err := im.choice("winner", in.Winner)
	if err != nil {
		return err
	}
	weight := 1.0
	if in.Weight != "" {
		if weight, err = strconv.ParseFloat(strings.TrimSpace(string(in.Weight)), 64); err != nil || !(weight > 0 && weight <= 1) {
			return r.fault("weight", "%q is no weight (want more than 0 and at most 1)", clip(string(in.Weight)))
		}
	}
	b := arena.Battle{
		ID: im.rowID(string(in.ID + in.Question)), TurnID: string(in.TurnID), Turn: int(max(1, min(in.Turn.number(), 1e6))),
		Source: im.source(arena.SourceVote), A: names[0], B: names[1], Outcome: outcome, Weight: weight, Flip: in.Flip.yes(),
		Counted: in.Counted == nil || *in.Counted == "" || in.Counted.yes(), Why: in.Why, At: tableTime(im, string(in.Tstamp)),
		Judge: string(in.Judge), Language: tag(in.Language),
	}
	if in.Source != "" && im.o.Source == "" {
		b.Source = arena.Source(in.Source)
	}
	if in.ID != "" && in.DuelID != "" && in.TurnID != "" {
		// A ledger's own: taken in again where it came from it is known, and not
		// doubled. Other tables number their rows, each from 0.
		b.ID = string(in.ID)
	}
	if b.Counted && names[0] == names[1] {
		b.Counted, b.Why = false, "the same contestant stands on both sides"
	}
	for _, f := range [][2]string{{"id", b.ID}, {"turn_id", b.TurnID}, {"source", string(b.Source)}, {"judge", b.Judge}, {"why", b.Why}} {
		if len(f[1]) > maxName {
			return r.fault(f[0], "the text is longer than %d bytes", maxName)
		}
	}
	return im.battle(b)
}

// tableTime reads seconds since 1970, as logs have them, or a date.
func tableTime(im *importer, text string) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return im.when(loose(text).number())
}

func writeTable(_ *exporter, p *pair) ([]any, string) {
	out := make([]any, len(p.battles))
	for i, b := range p.battles {
		out[i] = tableRow{
			ID: b.ID, ModelA: b.A, ModelB: b.B, Winner: winner(b.Outcome, winBad), Weight: strconv.FormatFloat(b.Weight, 'g', -1, 64),
			Flip: b.Flip, Source: string(b.Source), Judge: b.Judge, Counted: b.Counted, Why: b.Why, DuelID: b.DuelID, TurnID: b.TurnID,
			Turn: b.Turn, SceneID: b.SceneID, Language: b.Language, Anony: !p.named(), Tstamp: string(seconds(millis(b.At))),
		}
	}
	return out, ""
}
