package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

// refused opens what cannot be opened and checks the kind, that the sentence
// names the place, and that a file there is as it was.
func refused(t *testing.T, path string, kind Kind, names string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	l, err := Open(context.Background(), path)
	if err == nil {
		_ = l.Close()
		t.Fatalf("%s was opened", path)
	}
	if !IsKind(err, kind) {
		t.Errorf("want kind %s, got %v", kind, err)
	}
	if !strings.Contains(err.Error(), names) {
		t.Errorf("the error does not name %s: %v", names, err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file has changed")
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		must(t, os.WriteFile(p, []byte(text), 0o600))
		return p
	}
	text := write("notes.txt", "Dear diary,\n")
	refused(t, text, Foreign, text)
	short := write("short", "SQLite")
	refused(t, short, Foreign, short)
	broken := write("broken.db", "SQLite format 3\x00"+strings.Repeat("rubbish ", 600))
	refused(t, broken, Foreign, broken)
	refused(t, dir, NotAFile, dir)
	refused(t, filepath.Join(text, "sub", "ledger.db"), NotAFile, text)
}

func TestADatabaseOfAnotherProgramIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "photos.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec("CREATE TABLE duels (id INTEGER); INSERT INTO duels VALUES (1)")
	must(t, err, db.Close())
	refused(t, path, Foreign, path)
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("it was put into WAL mode")
	}
}

func TestANewerLedgerIsLeftAlone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l, err := Open(context.Background(), place)
		must(t, err, l.RecordDuel(aDuel("kept")), l.Close())
		execute(t, place, "INSERT INTO "+versionTable+" (version_id, is_applied) VALUES (999, TRUE)")
		if !IsServer(place) {
			refused(t, place, Newer, "999")
		} else if _, err := Open(context.Background(), place); !IsKind(err, Newer) || !strings.Contains(err.Error(), "update the program") {
			t.Error(err)
		}
		var duels int
		must(t, other(t, place).QueryRow("SELECT count(*) FROM duels").Scan(&duels))
		if duels != 1 {
			t.Errorf("%d duels left", duels)
		}
	})
}

func TestALockedLedgerSaysSo(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l := open(t, place)
		conn, err := other(t, place).Conn(context.Background())
		must(t, err)
		defer func() { _ = conn.Close() }()
		lock := []string{"BEGIN IMMEDIATE"}
		if IsServer(place) {
			lock = []string{"BEGIN", "LOCK TABLE turns IN EXCLUSIVE MODE"}
		}
		for _, s := range lock {
			_, err = conn.ExecContext(context.Background(), s)
			must(t, err)
		}
		start := time.Now()
		if err := l.RecordTurn(aTurn("d", 1)); !IsKind(err, Locked) || !strings.Contains(err.Error(), "close it or wait") {
			t.Error(err)
		}
		if d := time.Since(start); d < patience/2 || d > 2*patience {
			t.Errorf("gave up after %v", d)
		}
		if _, err := l.Duels(context.Background(), Filter{}); err != nil {
			t.Errorf("it cannot even be read: %v", err)
		}
		_, err = conn.ExecContext(context.Background(), "ROLLBACK")
		must(t, err, l.RecordTurn(aTurn("d", 1)))
	})
}

func TestACancelledOpenEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if l, err := Open(ctx, filepath.Join(t.TempDir(), "ledger.db")); err == nil {
		_ = l.Close()
		t.Error("opened")
	}
}

func TestClosedAndGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(context.Background(), path)
	must(t, err)
	must(t, os.Rename(path, path+".away"))
	if err := l.RecordTurn(aTurn("d", 1)); !IsKind(err, Gone) {
		t.Error(err)
	}
	must(t, os.Rename(path+".away", path), l.RecordTurn(aTurn("d", 1)), l.Close(), l.Close())
	if err := l.RecordTurn(aTurn("d", 2)); !IsKind(err, Closed) {
		t.Error(err)
	}
	if _, err := l.Battles(context.Background(), BattleFilter{}); !IsKind(err, Closed) {
		t.Error(err)
	}
	if leftover, _ := filepath.Glob(path + "-*"); len(leftover) > 0 {
		t.Errorf("left behind: %v", leftover)
	}
}

func TestOnlyTheOwnerCanRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such permissions")
	}
	l := fresh(t)
	must(t, l.RecordTurn(aTurn("d", 1)))
	for _, p := range []string{l.Path(), l.Path() + "-wal", filepath.Dir(l.Path())} {
		info, err := os.Stat(p)
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", p, info.Mode())
		}
	}
}

func TestRecoveryLeavesTheLivingAlone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		path := on.place(t)
		first := open(t, path)
		must(t, first.RecordDuel(aDuel("d1")), first.RecordTurn(aTurn("d1", 1)))
		half := aReply("d1-t1", 0, 0)
		half.Complete, half.Finish = false, ""
		must(t, first.RecordReply(half, false))

		second := open(t, path)
		stateOf := func(l *Ledger) (State, *arena.Reply) {
			full, err := l.Duel(ctx, "d1")
			must(t, err)
			return full.Turns[0].States[half.ID], full.Turns[0].Swipes[0][0]
		}
		if s, _ := stateOf(second); s != Streaming || second.Recovered() != 0 {
			t.Errorf("state %s, recovered %d", s, second.Recovered())
		}

		// Silent for too long: taken for dead, but its next call brings it back.
		_, err := first.writer.Exec("UPDATE writers SET seen = seen - 11000")
		must(t, err)
		if n, err := second.Recover(ctx); n != 1 || err != nil {
			t.Errorf("recovered %d, %v", n, err)
		}
		s, reply := stateOf(second)
		if s != CutOff || reply.Raw != half.Raw || reply.Fault == nil || reply.Fault.Kind != arena.CutOff {
			t.Errorf("%s %+v", s, reply)
		}
		if ok, why := reply.Validity(); ok || why != string(arena.CutOff) {
			t.Errorf("valid %v, %s", ok, why)
		}
		must(t, first.RecordReply(half, false))
		if s, reply := stateOf(second); s != Streaming || reply.Fault != nil {
			t.Errorf("%s %+v", s, reply.Fault)
		}
		// Alive again, though another program had struck it off the list.
		if n, err := second.Recover(ctx); n != 0 || err != nil {
			t.Errorf("recovered %d, %v", n, err)
		}

		// Gone from this machine: dead at once.
		_, err = first.writer.Exec("UPDATE writers SET pid = 0")
		must(t, err)
		if n, err := second.Recover(ctx); n != 1 || err != nil {
			t.Errorf("recovered %d, %v", n, err)
		}
		final := aReply("d1-t1", 0, 0)
		must(t, first.RecordReply(final, true))
		if s, reply := stateOf(second); s != Done || reply.Fault != nil {
			t.Errorf("%s %+v", s, reply.Fault)
		}
	})
}

func TestCloseCutsOffWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		path := on.place(t)
		l, err := Open(context.Background(), path)
		must(t, err, l.RecordDuel(aDuel("d1")), l.RecordTurn(aTurn("d1", 1)), l.RecordReply(aReply("d1-t1", 0, 0), false), l.Close())
		l = open(t, path)
		full, err := l.Duel(context.Background(), "d1")
		must(t, err)
		if s := full.Turns[0].States["d1-t1-c0-s0"]; s != CutOff || l.Recovered() != 0 {
			t.Errorf("%s, %d", s, l.Recovered())
		}
		var n int
		must(t, l.reader.QueryRow("SELECT count(*) FROM writers").Scan(&n))
		if n != 0 {
			t.Errorf("%d writers left", n)
		}
	})
}

func TestTheHeartBeatsWhileAReplyIsUnderWay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordReply(aReply("t", 0, 0), false))
		_, err := l.writer.Exec("UPDATE writers SET seen = 0")
		must(t, err)
		var seen int64
		for deadline := time.Now().Add(3 * beatEvery); seen == 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			must(t, l.reader.QueryRow("SELECT seen FROM writers").Scan(&seen))
		}
		if seen == 0 {
			t.Error("no beat")
		}
	})
}
