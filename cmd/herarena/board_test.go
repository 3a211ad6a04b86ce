package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/tui/look"
)

// battlesFile writes a table with all that boards can use.
func battlesFile(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("model_a,model_b,winner,language,turn,character,scene,dimension,len_a,len_b,bold_a,bold_b,weight\n")
	winners := []string{"model_a", "model_b", "model_a", "tie", "tie (bothbad)", "model_a", "model_b"}
	names := []string{"x", "y", "<b>z</b>"}
	for i := range 120 {
		fmt.Fprintf(&b, "%s,%s,%s,%s,%d,c%d,s%d,d%d,%d,%d,%d,%d,1\n", names[i%3], names[(i+1)%3], winners[i%7],
			[]string{"en", "zh"}[i%2], 1+i%4, i%2, i%3, i%2, 10+i%13, 10+i%7, i%3, i%2)
	}
	file := filepath.Join(t.TempDir(), "battles.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestBoardOfEveryKind(t *testing.T) {
	file := battlesFile(t)
	for name, c := range map[string]struct {
		args  []string
		has   []string // keys of the document
		holds []string // of the printed board
	}{
		"plain":      {nil, []string{"model", "intervals", "side"}, []string{"not bad", "standing on side A", "! Battles count by the weight given in the file."}},
		"davidson":   {[]string{"--model", "davidson"}, []string{"ties"}, []string{"Davidson", "Ties: nu"}},
		"rao-kupper": {[]string{"--model", "rao-kupper", "--bootstrap", "20"}, []string{"ties"}, []string{"Rao-Kupper", "Ties: eta"}},
		"style":      {[]string{"--style"}, []string{"style"}, []string{"Style, held equal: one standard deviation more length", "more bold"}},
		"matrix":     {[]string{"--matrix"}, []string{"matrix"}, []string{"wins of the row"}},
		"reweighted": {[]string{"--reweighted"}, nil, nil},
		"dimension":  {[]string{"--by", "dimension"}, []string{"slices"}, []string{"dimension: d0", "dimension: d1"}},
		"character":  {[]string{"--by", "character"}, []string{"slices"}, []string{"character: c1"}},
		"scene":      {[]string{"--by", "scene"}, []string{"slices"}, []string{"scene: s2"}},
		"language":   {[]string{"--by", "language"}, []string{"slices"}, []string{"language: zh   60 battles"}},
		"turn":       {[]string{"--by", "turn"}, []string{"slices"}, []string{"turn: 4   30 battles"}},
		"last":       {[]string{"--last", "50"}, nil, []string{"50 battles"}},
	} {
		args := append([]string{"board", "--from", file}, c.args...)
		doc := document(t, call(t, "", append(args, "--json")...))
		keys(t, doc, append([]string{"battles", "warnings", "ratings"}, c.has...)...)
		row := doc["ratings"].([]any)[0].(map[string]any)
		keys(t, row, "contestant", "elo", "bt", "low", "high", "rank", "battles", "wins", "losses", "ties", "both_bad", "quality", "quality_low", "quality_high", "win_rate")
		r := call(t, "", args...)
		if r.code != exitOK || r.err != "" {
			t.Errorf("%s: %+v", name, r)
		}
		for _, text := range c.holds {
			if !strings.Contains(r.out, text) {
				t.Errorf("%s: %q is not in\n%s", name, text, r.out)
			}
		}
	}
}

func TestBoardRefusesWhatDoesNotGoTogether(t *testing.T) {
	home(t)
	file := battlesFile(t)
	for _, args := range [][]string{
		{"--model", "rk"},
		{"--by", "month"},
		{"--last", "-1"},
		{"--style", "--model", "davidson"},
		{"--style", "--bootstrap", "10"},
		{"--composite", "vote=1", "--source", "vote"},
		{"--composite", "vote"},
		{"--composite", "vote=0"},
		{"--composite", "vote=NaN"},
		{"--composite", "vote=1,vote=2"},
		{"--composite", "vote=1,rehearsal/vote=1"},
	} {
		if r := call(t, "", append([]string{"board"}, args...)...); r.code != exitUsage || r.err == "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := call(t, "", "board", "--from", file, "--composite", "vote=1"); r.code != exitUsage {
		t.Errorf("%+v", r)
	}
	bare := filepath.Join(t.TempDir(), "bare.csv")
	if err := os.WriteFile(bare, []byte("model_a,model_b,winner\nx,y,tie\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][]string{{"--style", "len_a"}, {"--by", "language"}} {
		args := []string{"board", "--from", bare, c[0]}
		if c[0] == "--by" {
			args = append(args, c[1])
		}
		if r := call(t, "", args...); r.code != exitFailure || !strings.Contains(r.err, c[1]) {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestBoardPageIsWholeAndHarmless(t *testing.T) {
	page := filepath.Join(t.TempDir(), "board.html")
	r := call(t, "", "board", "--from", battlesFile(t), "--matrix", "--by", "language", "--html", page)
	if r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"prefers-color-scheme:dark", "&lt;b&gt;z&lt;/b&gt;", "<svg", "language: zh", "class=\"matrix\"", "class=\"note\"", "95 % intervals (sandwich)"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, never := range []string{"<b>z</b>", "http://", "https://", "<script", "ZgotmplZ", "NaN"} {
		if strings.Contains(string(text), never) {
			t.Errorf("%q is on the page", never)
		}
	}
}

// A ledger with votes, a critic's verdicts and replies.
func TestBoardsOfTheLedger(t *testing.T) {
	home(t)
	const lines = "Good evening, Miss Bennet.\n/a\nWill you dance the next?\n/b\nThe room is warm.\n/a\n"
	if r := call(t, lines, "--plain", "--scene", "ball", "--pace", "-1"); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	const vote, critic = "rehearsal/vote", "rehearsal/critic:house"
	mixed := document(t, call(t, "", "board", "--composite", vote+"=1,"+critic+"=0.5", "--json"))
	parts, ok := mixed["parts"].([]any)
	if !ok || len(parts) != 2 || len(mixed["ratings"].([]any)) != 2 {
		t.Errorf("%v", mixed)
	}
	if r := call(t, "", "board", "--composite", vote+"=1,rehearsal/critic:nobody=1"); r.code != exitFailure || !strings.Contains(r.err, "nobody") {
		t.Errorf("%+v", r)
	}
	if r := call(t, "", "board", "--composite", "vote=2,critic:her-rm=0.5"); r.code != exitFailure || !strings.Contains(r.err, "only those of rehearsals: --composite ") ||
		!strings.Contains(r.err, "rehearsal/vote=2") || !strings.Contains(r.err, "rehearsal/critic:house=1") {
		t.Errorf("%+v", r)
	}
	if r := call(t, "", "board", "--source", "vote"); r.code != exitFailure || !strings.Contains(r.err, "--source rehearsal/vote") {
		t.Errorf("%+v", r)
	}
	style := call(t, "", "board", "--source", vote, "--style")
	if style.code != exitOK || !strings.Contains(style.out, "tyle") {
		t.Errorf("%+v", style)
	}
	for by, want := range map[string]string{"character": "character: ", "language": "language: ", "scene": "scene: ball", "turn": "turn: 2"} {
		if r := call(t, "", "board", "--source", vote, "--by", by); r.code != exitOK || !strings.Contains(r.out, want) {
			t.Errorf("--by %s: %+v", by, r)
		}
	}
	if r := call(t, "", "board", "--source", vote, "--by", "dimension"); r.code != exitUsage || !strings.Contains(r.err, "votes name no dimension") {
		t.Errorf("%+v", r)
	}
	if r := call(t, "model_a,model_b,winner\nx,y,model_a\n", "log", "import", "-", "--format", "csv"); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	for source, never := range map[string]string{"vote": "rehearsal/", vote: "  vote: "} {
		if r := call(t, "", "board", "--source", source, "--agreement"); r.code != exitOK || strings.Contains(r.out, never) || !strings.Contains(r.out, "  "+source+": side A won") {
			t.Errorf("rehearsals and models side by side: %+v", r)
		}
	}
	r := call(t, "", "board", "--source", critic, "--by", "dimension")
	if r.code != exitOK || !strings.Contains(r.out, "dimension: ") {
		t.Errorf("%+v", r)
	}
}

// The dimension of a battle whose duel is gone is not known; the rest counts.
func TestBattlesWithoutADuelStillCount(t *testing.T) {
	ctx := context.Background()
	l, err := ledger.Open(ctx, filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.RecordBattles([]arena.Battle{
		{ID: "1", DuelID: "gone", TurnID: "t", Source: "vote", A: "x", B: "y", Outcome: arena.ChoseA, Weight: 1, Counted: true, At: time.Now()},
	}))
	for _, by := range []rating.By{rating.ByCharacter, rating.ByDimension} {
		g := newGathering(&boardFlags{}, by, rating.Options{})
		must(g.fromLedger(ctx, l, ledger.BattleFilter{Source: "vote"}))
		if b := g.board(); b.Battles != 1 || len(b.Slices) != 0 {
			t.Errorf("%s: %+v", by, b)
		}
	}
}

// A file whose rows name sources has a board for each of them.
func TestSourcesOfAFileShareNoBoard(t *testing.T) {
	home(t)
	file := filepath.Join(t.TempDir(), "mixed.csv")
	rows := "model_a,model_b,winner,source\n" + strings.Repeat("x,y,model_a,vote\ny,x,model_a,vote\n", 3) + strings.Repeat("x,y,model_b,critic:z\n", 4)
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		source, code, holds string
	}{
		{"", "0", "vote   6 battles"},
		{"", "0", "The file holds several sources, which share no board: vote (6), critic:z (4). This is vote; --source chooses another."},
		{"critic:z", "0", "critic:z   4 battles"},
		{"critic:q", "1", `no battles of source "critic:q" (it has: vote (6), critic:z (4))`},
	} {
		args := []string{"board", "--from", file}
		if c.source != "" {
			args = append(args, "--source", c.source)
		}
		r := call(t, "", args...)
		if fmt.Sprint(r.code) != c.code || !strings.Contains(r.out+r.err, c.holds) {
			t.Errorf("%q: %+v", c.source, r)
		}
	}
	if doc := document(t, call(t, "", "board", "--from", file, "--json")); doc["source"] != "vote" || doc["battles"] != 6.0 {
		t.Errorf("%v", doc)
	}
	if r := call(t, "", "board", "--from", battlesFile(t), "--source", "vote"); r.code != exitUsage || !strings.Contains(r.err, "does not say whose judgements") {
		t.Errorf("%+v", r)
	}
}

// Filters that leave nothing say what there is, and nothing asks for a duel that
// was played long ago.
func TestFiltersThatLeaveNothing(t *testing.T) {
	home(t)
	if r := call(t, "Good evening.\n/a\n", "--plain", "--scene", "ball", "--pace", "-1"); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	r := call(t, "", "board", "--scene", "nowhere", "--language", "xx", "--source", "rehearsal/vote")
	for _, want := range []string{"rehearsal/vote   0 battles", "--scene nowhere --language xx", "scenes: ball", "languages: en"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in %+v", want, r)
		}
	}
	if strings.Contains(r.out, "Play a duel") {
		t.Errorf("%+v", r)
	}
	if r := call(t, "", "board", "--source", "rehearsal/critic:house", "--daily-cap", "2"); r.code != exitUsage || !strings.Contains(r.err, "is no voter") {
		t.Errorf("%+v", r)
	}
	one := call(t, "", "board", "--source", "rehearsal/vote", "--history", "--md")
	for _, want := range []string{"\n1 battle. ", "always stood on the same sides", "| | after 1 |", "Win rate: mean over the opponents"} {
		if !strings.Contains(one.out, want) {
			t.Errorf("%q is not in\n%s", want, one.out)
		}
	}
}

// Columns stay in line behind names of wide characters.
func TestWideNamesStayInLine(t *testing.T) {
	home(t)
	file := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(file, []byte("model_a,model_b,winner\n北辰-角色-7b,latin,model_a\nlatin,北辰-角色-7b,model_a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(call(t, "", "board", "--from", file).out, "\n")[2:5]
	for _, row := range rows {
		if look.Width(row) != look.Width(rows[0]) {
			t.Errorf("%d columns instead of %d: %q", look.Width(row), look.Width(rows[0]), row)
		}
	}
}
