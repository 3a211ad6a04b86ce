package formats

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/characters"
)

var noon = time.UnixMilli(1772366400500)

func open(t testing.TB) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// take imports a file into a ledger.
func take(t testing.TB, l *ledger.Ledger, format string, data []byte) (Report, ledger.ImportReport) {
	t.Helper()
	var lines bytes.Buffer
	report, err := Import(t.Context(), format, bytes.NewReader(data), &lines, ImportOptions{File: "file", Now: noon})
	if err != nil {
		t.Fatalf("import as %s: %v", format, err)
	}
	got, err := l.Import(t.Context(), &lines)
	if err != nil {
		t.Fatalf("the ledger refuses what %s gave: %v", format, err)
	}
	return report, got
}

// give exports all duels of a ledger, oldest first.
func give(t testing.TB, l *ledger.Ledger, format string, o ExportOptions) (string, Report) {
	t.Helper()
	all, err := l.Duels(context.Background(), ledger.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var duels []*ledger.DuelFull
	for i := len(all) - 1; i >= 0; i-- {
		d, err := l.Duel(context.Background(), all[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		duels = append(duels, d)
	}
	return write(t, duels, format, o)
}

func write(t testing.TB, duels []*ledger.DuelFull, format string, o ExportOptions) (string, Report) {
	t.Helper()
	f, err := Find(format)
	if err != nil {
		t.Fatal(err)
	}
	if o.Now.IsZero() {
		o.Now = noon
	}
	var out bytes.Buffer
	w, err := NewWriter(&out, f, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range duels {
		if err := w.Add(d); err != nil {
			t.Fatalf("export as %s: %v", format, err)
		}
	}
	report, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), report
}

// docs decodes JSON Lines or one array.
func docs(t testing.TB, text []byte) []any {
	t.Helper()
	var out []any
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("not JSON: %v\n%.600s", err, text)
		}
		out = append(out, v)
	}
	if len(out) == 1 {
		if list, ok := out[0].([]any); ok {
			return list
		}
	}
	return out
}

func same(t testing.TB, what string, want, got []byte) {
	t.Helper()
	if diff := cmp.Diff(docs(t, want), docs(t, got)); diff != "" {
		t.Errorf("%s differs (-file +export):\n%s", what, diff)
	}
}

func reply(turn string, contestant, swipe int, raw string) *arena.Reply {
	p := layers.Parse(raw, layers.Options{})
	return &arena.Reply{
		ID: turn + "-" + arena.Side(contestant).String() + string(rune('0'+swipe)), TurnID: turn, Contestant: contestant, Swipe: swipe,
		Raw: raw, Segments: p.Segments, Dialect: p.Dialect, Finish: arena.FinishStop, Complete: true, Started: noon,
		FirstByte: 120 * time.Millisecond, Total: time.Second, Usage: &arena.Usage{PromptTokens: 100, CompletionTokens: 7, TotalTokens: 107},
	}
}

// ball is a duel that was played: two turns, one voted and judged, one a flip,
// with plans, thoughts, swipes and a fault that names the endpoint.
func ball(blind bool) *ledger.DuelFull {
	scene := characters.Scene{
		ID: "ball", Title: "The ball", Scenario: "A ball at Meryton.", Opening: "Good evening, sir.",
		Character: characters.Character{Name: "Elizabeth", Profile: "A lady of wit."}, User: characters.Character{Name: "Mr Darcy"},
	}
	raw, _ := json.Marshal(scene)
	d := &ledger.DuelFull{}
	d.ID, d.SceneID, d.SceneTitle, d.SceneJSON, d.Character, d.User, d.Language = "01duelball", "ball", "The ball", string(raw), "Elizabeth", "Mr Darcy", "en"
	d.Critic, d.Canon, d.Blind, d.Seed, d.Started = "house", arena.CanonVote, blind, 5, noon
	d.Contestants = [2]arena.Contestant{
		{Name: "secret-lead", Model: "org/secret-lead-32b", Endpoint: "http://gpu.secret:8000/v1", Dialect: layers.HER},
		{Name: "secret-plain", Model: "org/secret-plain", Endpoint: "http://other.secret/v1", Dialect: layers.Plain},
	}
	one := ledger.FullTurn{States: map[string]ledger.State{}}
	one.ID, one.DuelID, one.Number, one.Line, one.Seats, one.Canon, one.Started = "01turn1", d.ID, 1, "Will you dance? My key is sk-abcdefghijklmnop1234.", [2]int{1, 0}, 0, noon
	one.Swipes[0] = []*arena.Reply{
		reply("01turn1", 0, 0, "<system_thinking>CANARYPLAN</system_thinking><role_thinking>CANARYTHOUGHT</role_thinking><role_action>bows</role_action>Gladly."),
	}
	one.Swipes[1] = []*arena.Reply{reply("01turn1", 1, 0, "No, sir."), reply("01turn1", 1, 1, "I think not, sir.")}
	one.Swipes[1][0].Fault = &arena.Fault{Kind: arena.CutOff, Message: "secret-plain at http://other.secret/v1 hung up", Hint: "try other.secret again"}
	two := ledger.FullTurn{States: map[string]ledger.State{}}
	two.ID, two.DuelID, two.Number, two.Line, two.Note, two.Seats, two.Canon, two.Started = "01turn2", d.ID, 2, "As you wish.", "It rains.", [2]int{0, 1}, 0, noon
	two.Swipes[0] = []*arena.Reply{reply("01turn2", 0, 0, "<system_thinking>CANARYPLAN</system_thinking>Let us go in.")}
	two.Swipes[1] = []*arena.Reply{reply("01turn2", 1, 0, "It rains, sir.")}
	// Contestant 1 stood on side A in turn 1: the vote for B is for contestant 0.
	one.Votes = []arena.Vote{{ID: "01vote1", TurnID: one.ID, Choice: arena.ChoseB, Voter: "ann@example.org", At: noon, Counted: true}}
	verdict := func(better arena.Choice) arena.Verdict {
		return arena.Verdict{
			Status: arena.VerdictOK, Better: better, Phase: arena.PhaseDone, Raw: "…", Overall: "overall", Summary: "summary", Tally: arena.Tally{First: 1},
			Principles:  []arena.Principle{{Name: "Wit", Dimension: "Character fidelity", Polarity: "positive", Level: "sentence", Definition: "She is witty.", Reason: "It tells."}},
			Comparisons: []arena.Comparison{{Name: "Wit", First: "yes", Second: "no", Reason: "a clear lead", Winner: better, Degree: "clear"}},
		}
	}
	one.Rulings = []arena.Ruling{{
		ID: "01rule1", TurnID: one.ID, Critic: "house", Verdicts: [2]arena.Verdict{verdict(arena.Second), verdict(arena.First)},
		Agreement: arena.Agree, Winner: arena.ChoseB, At: noon, Counted: true, ReplyA: one.Swipes[1][1].ID, ReplyB: one.Swipes[0][0].ID,
	}}
	two.Rulings = []arena.Ruling{{
		ID: "01rule2", TurnID: two.ID, Critic: "house", Verdicts: [2]arena.Verdict{verdict(arena.First), verdict(arena.First)},
		Agreement: arena.Flip, At: noon, Counted: true, ReplyA: two.Swipes[0][0].ID, ReplyB: two.Swipes[1][0].ID,
	}}
	d.Turns = []ledger.FullTurn{one, two}
	for i := range d.Turns {
		t := &d.Turns[i]
		t.Ruling = &t.Rulings[0]
		if len(t.Votes) > 0 {
			t.Vote = &t.Votes[0]
		}
		for _, swipes := range t.Swipes {
			for _, r := range swipes {
				t.States[r.ID] = ledger.Done
			}
		}
	}
	battle := func(id, turn string, n int, source arena.Source, a, b string, c arena.Choice, w float64, flip bool, judge string) arena.Battle {
		return arena.Battle{ID: id, DuelID: d.ID, TurnID: turn, Turn: n, SceneID: "ball", Source: source, A: a, B: b, Outcome: c, Weight: w, Flip: flip, Counted: true, At: noon, Judge: judge, Language: "en"}
	}
	lead, plain := d.Contestants[0].Name, d.Contestants[1].Name
	d.Battles = []arena.Battle{
		battle("01b1", "01turn1", 1, arena.SourceVote, plain, lead, arena.ChoseB, 1, false, "ann@example.org"),
		battle("01b2", "01turn1", 1, "critic:house", plain, lead, arena.ChoseB, 1, false, "house"),
		battle("01b3", "01turn2", 2, "critic:house", lead, plain, arena.ChoseA, 0.5, true, "house"),
		battle("01b4", "01turn2", 2, "critic:house", lead, plain, arena.ChoseB, 0.5, true, "house"),
	}
	return d
}
