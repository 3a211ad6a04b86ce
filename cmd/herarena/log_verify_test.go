package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
)

// keptVotes makes a ledger of votes by a voter who always chooses side A, and
// by one who does not.
func keptVotes(t *testing.T) string {
	t.Helper()
	home(t)
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := ledger.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	err = l.RecordDuel(arena.DuelRecord{ID: "d", SceneID: "s", Blind: true, Started: at})
	for n := range 40 {
		turn, a, b, choice := fmt.Sprint("t", n), "her-rl", "base", arena.ChoseA
		if n%2 == 1 {
			a, b = b, a
		}
		voter := "left\x1b[31m"
		if n >= 20 {
			voter = "fair"
			choice = []arena.Choice{arena.ChoseA, arena.ChoseB, arena.Tie}[n%3]
		}
		battle := arena.Battle{ID: turn + "b", DuelID: "d", TurnID: turn, Turn: n + 1, Source: arena.SourceVote, A: a, B: b, Outcome: choice, Weight: 1, Counted: true, At: at, Judge: voter}
		if err == nil {
			err = l.RecordVote(arena.Vote{ID: turn + "v", TurnID: turn, Choice: choice, Voter: voter, At: at, Counted: true})
		}
		if err == nil {
			err = l.RecordBattles([]arena.Battle{battle})
		}
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func verify(t *testing.T, path string, args ...string) (verifyOutput, result) {
	t.Helper()
	r := call(t, "", append([]string{"--ledger", path, "log", "verify", "--json"}, args...)...)
	var out verifyOutput
	if err := json.Unmarshal([]byte(r.out), &out); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	return out, r
}

func TestLogVerify(t *testing.T) {
	path := keptVotes(t)
	out, r := verify(t, path)
	if r.code != exitOK || !out.OK || out.Battles != 40 || out.Votes != 40 || out.Links != 81 || out.Began == nil || out.Habits != nil || out.Findings == nil {
		t.Fatalf("%+v", r)
	}
	head := fmt.Sprintf("%d:%s", out.Head.Seq, out.Head.Hash)
	plain := call(t, "", "--ledger", path, "log", "verify", "--head", head)
	for _, want := range []string{"40 battles and 40 votes are as they were kept.", "The chain begins ", "81 links, 0 of them since replaced.", "head " + head} {
		if plain.code != exitOK || plain.err != "" || !strings.Contains(plain.out, want) {
			t.Errorf("no %q in %+v", want, plain)
		}
	}
	if r := call(t, "", "--ledger", path, "log", "verify", "--head", "81:xyz"); r.code != exitUsage || !strings.Contains(r.err, "no head of a chain") {
		t.Errorf("%+v", r)
	}
	if out, r := verify(t, path, "--head", "80:"+out.Head.Hash); r.code != exitFailure || out.OK || out.Findings[0].Kind != ledger.OtherHead {
		t.Errorf("%+v", r)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE battles SET outcome = 'b' WHERE id = 't3b'; DELETE FROM votes WHERE id = 't7v'"); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	out, r = verify(t, path)
	if r.code != exitFailure || r.err != "" || out.OK || out.Found != 2 || out.Findings[0].ID != "t3b" || out.Findings[1].ID != "t7v" {
		t.Errorf("%+v", r)
	}
	plain = call(t, "", "--ledger", path, "log", "verify")
	for _, want := range []string{`changed   the battle t3b of base against her-rl in turn 4 of duel d`, `outcome was "a" and is "b"`, "removed   the vote t7v of left", "2 findings in 40 battles and 39 votes"} {
		if plain.code != exitFailure || plain.err != "" || !strings.Contains(plain.out, want) {
			t.Errorf("no %q in %+v", want, plain)
		}
	}
}

func TestLogVerifyTellsHabits(t *testing.T) {
	path := keptVotes(t)
	out, r := verify(t, path, "--habits")
	if r.code != exitOK || out.Habits == nil || len(out.Habits.Findings) != 1 {
		t.Fatalf("%+v", r)
	}
	f := out.Habits.Findings[0]
	if f.Habit != "side" || f.Subject != "A" || f.Hits != 20 || f.Votes != 20 || f.EValue < 1000 || !f.Firm {
		t.Errorf("%+v", f)
	}
	plain := call(t, "", "--ledger", path, "log", "verify", "--habits")
	for _, want := range []string{"chose side A in 20 of 20 decided votes", "40 votes of 2 voters", "nothing was changed or left out"} {
		if plain.code != exitOK || !strings.Contains(plain.out, want) {
			t.Errorf("no %q in %+v", want, plain)
		}
	}
	if strings.Contains(plain.out, "\x1b") {
		t.Errorf("a name reaches the terminal: %q", plain.out)
	}
}

func TestLogBackupAndBack(t *testing.T) {
	path := keptVotes(t)
	dir := t.TempDir()
	backup := filepath.Join(dir, "backup.db")
	r := call(t, "", "--ledger", path, "log", "backup", backup)
	if r.code != exitOK || r.out != backup+"\n" || !strings.Contains(r.err, "a whole ledger") {
		t.Fatalf("%+v", r)
	}
	before, _ := os.ReadFile(backup)
	if r := call(t, "", "--ledger", path, "log", "backup", backup); r.code != exitFailure || !strings.Contains(r.err, "stays as it is") {
		t.Errorf("over a file: %+v", r)
	}
	if after, _ := os.ReadFile(backup); string(after) != string(before) {
		t.Error("the first backup was changed")
	}
	if r := call(t, "", "--ledger", path, "log", "backup", filepath.Join(dir, "no", "where.db")); r.code != exitFailure || !strings.Contains(r.err, "cannot be written") {
		t.Errorf("%+v", r)
	}
	other := filepath.Join(dir, "other.db")
	if r := call(t, "", "--ledger", other, "log", "import", backup); r.code != exitOK || !strings.Contains(r.out, "battles  40 new, 0 here already") {
		t.Errorf("%+v", r)
	}
	if after, _ := os.ReadFile(backup); string(after) != string(before) {
		t.Error("importing changed the backup")
	}
	for _, at := range []string{other, backup} {
		if out, r := verify(t, at); !out.OK || out.Battles != 40 {
			t.Errorf("%s: %+v", at, r)
		}
	}
	export := filepath.Join(dir, "export.jsonl")
	if r := call(t, "", "--ledger", other, "log", "export", export); r.code != exitOK {
		t.Errorf("%+v", r)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-wal")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLogOnPostgreSQL(t *testing.T) {
	place := os.Getenv("HERARENA_TEST_PG")
	if place == "" {
		t.Skip("HERARENA_TEST_PG is not set: name a PostgreSQL database to run this test on it")
	}
	home(t)
	r := call(t, "", "--ledger", "postgres://me:s3cret@127.0.0.1:1/nowhere", "log", "list")
	if r.code != exitFailure || !strings.Contains(r.err, "does not answer") || strings.Contains(r.err, "s3cret") {
		t.Errorf("%+v", r)
	}
	// The schema of the user's own is a ledger from now on; only reading follows.
	if r := call(t, "", "--ledger", place, "log", "verify", "--json"); r.code != exitOK || !strings.Contains(r.out, `"ok":true`) {
		t.Errorf("%+v", r)
	}
	backup := filepath.Join(t.TempDir(), "backup.jsonl")
	if r := call(t, "", "--ledger", place, "log", "backup", backup); r.code != exitOK || !strings.Contains(r.err, "pg_dump") {
		t.Errorf("%+v", r)
	}
}
