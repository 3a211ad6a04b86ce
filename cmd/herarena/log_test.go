package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/archive"
)

// rehearse plays two duels of the rehearsal, the second blind and without a
// vote, and returns their ids.
func rehearse(t *testing.T) (first, blind string) {
	t.Helper()
	home(t)
	for _, r := range []result{
		call(t, "Good evening, Miss Bennet.\n/a\nWill you dance the next?\n/b\n", "--plain", "--scene", "ball", "--pace", "-1"),
		call(t, "Nobody must know.\n", "--plain", "--scene", "ball", "--pace", "-1", "--blind"),
	} {
		if r.code != exitOK {
			t.Fatalf("the rehearsal ended with %d: %s", r.code, r.err)
		}
	}
	var ids []string
	for line := range strings.Lines(call(t, "", "log", "list", "--json").out) {
		var d duelLine
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	if len(ids) != 2 {
		t.Fatalf("the ledger holds %q", ids)
	}
	return ids[1], ids[0]
}

func TestLogReplay(t *testing.T) {
	id, _ := rehearse(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "duel.cast")
	r := call(t, "", "log", "replay", id, "--cast", path, "--width", "100", "--height", "30", "--speed", "8")
	if r.code != exitOK || r.out != path+"\n" || r.err != "" {
		t.Fatalf("%+v", r)
	}
	cast, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(cast), "\n"), "\n")
	var head map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head["version"] != 2.0 || head["width"] != 100.0 {
		t.Errorf("header %q: %v", lines[0], err)
	}
	for _, line := range lines[1:] {
		var event [3]any
		if err := json.Unmarshal([]byte(line), &event); err != nil || event[1] != "o" {
			t.Fatalf("event %.100q: %v", line, err)
		}
	}
	if again := call(t, "", "log", "replay", id, "--cast", "-", "--width", "100", "--height", "30", "--speed", "8"); again.out != string(cast) {
		t.Error("the second recording differs")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("files left beside the recording: %v %v", left, err)
	}
	t.Setenv("NO_COLOR", "1")
	if plain := call(t, "", "log", "replay", id, "--cast", "-"); strings.Contains(plain.out, "38;2;") {
		t.Error("NO_COLOR is not heeded")
	}
	told := call(t, "", "log", "replay", id[:len(id)-1], "--plain")
	for _, want := range []string{"Turn 2.", "Mr Darcy: Will you dance the next?", "A, rehearsal/lead says: ", "Vote: B is better."} {
		if told.code != exitOK || !strings.Contains(told.out, want) {
			t.Errorf("told line by line there is no %q: %s%s", want, told.out, told.err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{id}, exitFailure, "needs a terminal"},
		{[]string{"zzz"}, exitFailure, "zzz"},
		{[]string{id, "--speed", "0"}, exitUsage, "--speed 0"},
		{[]string{id, "--speed", "NaN"}, exitUsage, "--speed NaN"},
		{[]string{id, "--max-pause", "-1s"}, exitUsage, "--max-pause"},
		{[]string{id, "--cast", "-", "--width", "10"}, exitUsage, "60x20"},
		{[]string{id, "--cast", "-", "--plain"}, exitUsage, "choose one"},
		{[]string{id, "--cast", filepath.Join(dir, "no", "such", "folder.cast")}, exitFailure, "cannot be written"},
		{nil, exitUsage, "the form is"},
	} {
		if r := call(t, "", append([]string{"log", "replay"}, c.args...)...); r.code != c.code || !strings.Contains(r.err, c.says) || r.out != "" {
			t.Errorf("replay %q: %+v, want exit %d and %q", c.args, r, c.code, c.says)
		}
	}
}

func TestLogExportFormats(t *testing.T) {
	id, blind := rehearse(t)
	dir := t.TempDir()
	html := filepath.Join(dir, "duel.html")
	if r := call(t, "", "log", "export", "--format", "html", "--duel", id, "--out", html); r.code != exitOK || r.out != html+"\n" {
		t.Fatalf("%+v", r)
	}
	page, err := os.ReadFile(html)
	if err != nil || !bytes.Contains(page, []byte("<!doctype html>")) || !bytes.Contains(page, []byte("Will you dance the next?")) || bytes.Contains(page, []byte("Nobody must know.")) {
		t.Errorf("the page: %v\n%.400s", err, page)
	}
	if r := call(t, "", "log", "export", html); r.code != exitFailure || !strings.Contains(r.err, "stays as it is") {
		t.Errorf("over a file: %+v", r)
	}
	md := call(t, "", "log", "export", "--format", "md")
	if md.code != exitOK || !strings.Contains(md.out, "Nobody must know.") || !strings.Contains(md.out, "A · rehearsal/") || !strings.Contains(md.out, "### A\n") {
		t.Errorf("as Markdown: %+v", md)
	}
	out := filepath.Join(dir, "revealed.md")
	r := call(t, "", "log", "export", "--format", "md", "--duel", blind, "--reveal", "--out", out)
	if _, err := os.Stat(out); r.code != exitFailure || !strings.Contains(r.err, "stays blind") || err == nil {
		t.Errorf("a duel that waits for a vote is revealed: %+v, file %v", r, err)
	}
	lines := call(t, "", "log", "export", "--duel", id[:len(id)-1])
	if lines.code != exitOK || !strings.Contains(lines.out, id) || strings.Contains(lines.out, blind) {
		t.Errorf("one duel as JSON Lines: %.300s %s", lines.out, lines.err)
	}
	home(t)
	if r := call(t, lines.out, "log", "import"); r.code != exitOK || !strings.Contains(r.out, "duels    1 new") {
		t.Errorf("taken in: %+v", r)
	}
	for _, args := range [][]string{{"--format", "pdf"}, {"--visible"}, {"a", "--out", "b"}} {
		if r := call(t, "", append([]string{"log", "export"}, args...)...); r.code != exitUsage {
			t.Errorf("export %q: %+v", args, r)
		}
	}
}

func TestLogListIsChosen(t *testing.T) {
	id, blind := rehearse(t)
	for _, c := range []struct {
		args       []string
		has, lacks string
	}{
		{nil, id, "nothing"},
		{[]string{"--search", "DANCE the next"}, id, blind},
		{[]string{"--search", "nobody must"}, blind, id},
		{[]string{"--contestant", "rehearsal/lead", "--limit", "1"}, blind, id},
		{[]string{"--scene", "ball", "--critic", "house", "--search", "nobody"}, blind, id},
	} {
		r := call(t, "", append([]string{"log", "list"}, c.args...)...)
		if r.code != exitOK || !strings.Contains(r.out, c.has) || strings.Contains(r.out, c.lacks) {
			t.Errorf("list %q: %+v", c.args, r)
		}
	}
	if r := call(t, "", "log", "list", "--search", "never said"); r.code != exitOK || r.out != "" {
		t.Errorf("%+v", r)
	}
}

// openTheatre is a theatre on the ledger of the test's home.
func openTheatre(t *testing.T) *theatre {
	t.Helper()
	a := &app{in: strings.NewReader(""), out: &bytes.Buffer{}, errw: &bytes.Buffer{}, pace: -1}
	cfg, err := a.config()
	if err != nil {
		t.Fatal(err)
	}
	r, done, err := a.openRoster(cfg, roster.Options{Rehearse: true, Pace: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	l, err := ledger.Open(context.Background(), a.ledgerPath(cfg))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &theatre{app: a, cfg: cfg, roster: r, ledger: l}
}

func TestAPastDuelIsGoneOnWith(t *testing.T) {
	id, _ := rehearse(t)
	th := openTheatre(t)
	ctx := context.Background()
	for turn, want := range map[int]int{0: 2, 1: 1, 2: 2} {
		cast, err := th.goOn(ctx, archive.Continue{DuelID: id, Turn: turn})
		if err != nil {
			t.Fatal(err)
		}
		if len(cast.Past) != want || cast.Origin != (arena.Origin{DuelID: id, Turn: want}) || cast.Past[0].Line != "Good evening, Miss Bennet." || cast.Past[0].By != "rehearsal/lead" {
			t.Errorf("from turn %d: %d turns, %+v", turn, len(cast.Past), cast.Origin)
		}
	}
	cast, err := th.goOn(ctx, archive.Continue{DuelID: id})
	if err != nil {
		t.Fatal(err)
	}
	d, err := th.startDuel(ctx, cast)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	duels, err := th.ledger.Duels(ctx, ledger.Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := th.ledger.Duel(ctx, duels[0].ID)
	if err != nil || kept.Origin.DuelID != id || len(kept.Past) != 2 {
		t.Errorf("the new duel is kept with %+v and %d turns: %v", kept.Origin, len(kept.Past), err)
	}
	if _, err := th.goOn(ctx, archive.Continue{DuelID: "zzz"}); err == nil {
		t.Error("a duel that is not there is gone on with")
	}
}

func TestOnlyContestantsOfThisMachineComeBackByThemselves(t *testing.T) {
	home(t)
	th := openTheatre(t)
	for _, c := range []struct {
		endpoint string
		comes    bool
	}{
		{"http://127.0.0.1:8000/v1", true},
		{"http://localhost:8000/v1", true},
		{"http://[::1]:8000/v1", true},
		{"http://10.0.0.1:8000/v1", false},
		{"https://evil.test/v1", false},
		{"http://127.0.0.1.evil.test/v1", false},
		{"http://127.0.0.1@evil.test/v1", false},
		{"", false},
		{"::", false},
	} {
		got, err := th.again(arena.Contestant{Name: "gone", Model: "m", Endpoint: c.endpoint})
		if (err == nil) != c.comes {
			t.Errorf("%q: %v", c.endpoint, err)
		}
		if c.comes && (got.Name != "gone" || got.Player == nil) || !c.comes && !strings.Contains(err.Error(), "gone is not here any more") {
			t.Errorf("%q: %+v %v", c.endpoint, got, err)
		}
	}
}

func TestExportsHereTakeAFreeName(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	d := &ledger.DuelFull{DuelRecord: arena.DuelRecord{ID: "0123456789", SceneTitle: "../The Ball"}}
	for _, want := range []string{"the-ball-23456789.html", "the-ball-23456789-2.html", "the-ball-23456789-3.html"} {
		got, err := exportHere(context.Background(), d, "html")
		if want = filepath.Join(here, want); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if _, err := os.Stat(got); err != nil {
			t.Error(err)
		}
	}
}

// A list that chooses nothing, and an export taken for a table, say so.
func TestNothingListedIsSaid(t *testing.T) {
	rehearse(t)
	if r := call(t, "", "log", "list", "--search", "zeppelin"); r.code != exitOK || r.out != "" || !strings.Contains(r.err, "no duel matches") {
		t.Errorf("%+v", r)
	}
	file := filepath.Join(t.TempDir(), "ledger.jsonl")
	if r := call(t, "", "log", "export", file); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	if r := call(t, "", "board", "--from", file); r.code != exitFailure || !strings.Contains(r.err, "herarena log import") {
		t.Errorf("%+v", r)
	}
}

// Duels of which only battles came in are not called left before their first line.
func TestImportedBattlesAreNotCalledUnplayed(t *testing.T) {
	home(t)
	file := filepath.Join(t.TempDir(), "battles.csv")
	if err := os.WriteFile(file, []byte("model_a,model_b,winner\nx,y,model_a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := call(t, "", "log", "import", file); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	r := call(t, "", "log", "list")
	if r.code != exitOK || !strings.Contains(r.err, "1 duel not listed, which came in as battles without what was said") || strings.Contains(r.err, "first line") {
		t.Errorf("%+v", r)
	}
}
