package ledger

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/arena"
)

// keepUntil keeps votes with their battles until one fails, and returns the ids
// of those that were acknowledged and the error.
func keepUntil(t *testing.T, l *Ledger, name string, most int) ([]string, error) {
	t.Helper()
	var kept []string
	for n := range most {
		turn := fmt.Sprintf("%s-t%d", name, n)
		v := aVote(turn, turn+"-v", arena.ChoseA)
		v.Why = strings.Repeat("a long reason ", 40)
		if err := l.RecordVote(v); err != nil {
			return kept, err
		}
		if err := l.RecordBattles([]arena.Battle{aBattle(turn, turn+"-b", arena.SourceVote, arena.ChoseA)}); err != nil {
			return append(kept, v.ID), err
		}
		kept = append(kept, v.ID, turn+"-b")
	}
	return kept, nil
}

// holdsAll checks that all that was acknowledged is there, and nothing is
// damaged.
func holdsAll(t *testing.T, l *Ledger, kept []string) {
	t.Helper()
	have := make(map[string]bool)
	for _, table := range []string{"votes", "battles"} {
		ids, err := collect(context.Background(), l.reader, "SELECT id FROM "+table, nil,
			func(s *string) []any { return []any{s} }, func(s *string) string { return *s })
		must(t, err)
		for _, id := range ids {
			have[id] = true
		}
	}
	for _, id := range kept {
		if !have[id] {
			t.Errorf("%s was acknowledged and is not there", id)
		}
	}
	if len(have) != len(kept) {
		t.Errorf("%d rows for %d acknowledged", len(have), len(kept))
	}
	if r := verified(t, l); r.Total > 0 {
		t.Errorf("the chain is broken: %+v", r.Findings)
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l := open(t, place)
		kept, err := keepUntil(t, l, "before", 5)
		must(t, err)
		fill, free := "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000" // no fewer than there are
		if IsServer(place) {
			// What the server says where a table cannot grow.
			fill = `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
				CREATE TRIGGER full_disk BEFORE INSERT ON links FOR EACH ROW EXECUTE FUNCTION full_disk()`
			free = "DROP TRIGGER full_disk ON links"
		}
		_, err = l.writer.Exec(fill)
		must(t, err)
		more, err := keepUntil(t, l, "full", 200)
		if !IsKind(err, Full) || !strings.Contains(err.Error(), "is full; free some space") || !strings.Contains(err.Error(), l.Path()) {
			t.Errorf("want %s, got %v", Full, err)
		}
		kept = append(kept, more...)
		holdsAll(t, l, kept)
		_, err = l.writer.Exec(free)
		must(t, err)
		more, err = keepUntil(t, l, "after", 5)
		must(t, err)
		holdsAll(t, open(t, place), append(kept, more...))
	})
}

// A user who may read and not write can look, and is told what is missing.
func TestAUserWhoMayOnlyRead(t *testing.T) {
	t.Parallel()
	place := schema(t)
	l := open(t, place)
	must(t, l.RecordDuel(aDuel("d1")))
	reader := "reader_" + strings.ToLower(rand.Text())
	u, err := url.Parse(place)
	must(t, err)
	name := u.Query().Get("search_path")
	empty := schema(t)
	e, err := url.Parse(empty)
	must(t, err)
	execute(t, place, "CREATE ROLE "+reader+" LOGIN PASSWORD 's3cret-word'", "GRANT USAGE ON SCHEMA "+name+" TO "+reader, "GRANT SELECT ON ALL TABLES IN SCHEMA "+name+" TO "+reader,
		"GRANT USAGE ON SCHEMA "+e.Query().Get("search_path")+" TO "+reader)
	t.Cleanup(func() { execute(t, place, "DROP OWNED BY "+reader, "DROP ROLE "+reader) })
	as := func(to *url.URL) string {
		c := *to
		c.User = url.UserPassword(reader, "s3cret-word")
		return c.String()
	}
	looking, err := Open(context.Background(), as(u))
	must(t, err)
	defer func() { _ = looking.Close() }()
	if full, err := looking.Duel(context.Background(), "d1"); err != nil || full.ID != "d1" {
		t.Errorf("%v", err)
	}
	if r := verified(t, looking); r.Total != 0 {
		t.Errorf("%+v", r)
	}
	errs := []error{looking.RecordVote(aVote("t", "v", arena.Tie)), looking.RecordTurn(aTurn("d1", 1))}
	_, err = Open(context.Background(), as(e))
	for _, err := range append(errs, err) {
		if !IsKind(err, ReadOnly) || !strings.Contains(err.Error(), "may not write to the ledger") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v", err)
		}
	}
}

func TestABackupIsTheWholeLedger(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		l := filled(t, on)
		path := filepath.Join(t.TempDir(), "backup 100%.db")
		// Others write meanwhile.
		stop := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			var err error
			for n := 0; err == nil; n++ {
				select {
				case <-stop:
					done <- nil
					return
				default:
					err = l.RecordVote(aVote("d1-t1", fmt.Sprint("w", n), arena.Tie))
				}
			}
			done <- err
		}()
		whole, err := l.Backup(ctx, path)
		close(stop)
		must(t, <-done, err)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 || whole != IsFile(path) {
			t.Errorf("%v, %v, whole %v", info, err, whole)
		}
		before, err := os.ReadFile(path)
		must(t, err)
		if strings.Contains(string(before), "sk-secret") {
			t.Error("the backup holds a key")
		}
		if _, err := l.Backup(ctx, path); !IsKind(err, NotAFile) || !strings.Contains(err.Error(), "stays as it is") {
			t.Error(err)
		}
		back := on.fresh(t)
		var report ImportReport
		if whole {
			report, err = back.ImportFile(ctx, path)
		} else {
			in, oerr := os.Open(path)
			must(t, oerr)
			report, err = back.Import(ctx, in)
			must(t, in.Close())
		}
		must(t, err)
		if report.Duels.Added != 2 || report.Turns.Added != 4 || report.Replies.Added != 8 || report.Rulings.Added != 4 || report.Votes.Added < 4 || report.Battles.Added != 9 {
			t.Errorf("%+v", report)
		}
		if r := verified(t, back); r.Total != 0 {
			t.Errorf("%+v", r)
		}
		after, err := os.ReadFile(path)
		must(t, err)
		if string(after) != string(before) {
			t.Error("taking it in changed the backup")
		}
		if whole {
			if r := verified(t, open(t, path)); r.Total != 0 || r.Head.Seq < 14 {
				t.Errorf("the copy is no whole ledger: %+v", r)
			}
		}
	})
}

func TestWhatIsNoBackupIsNotTakenIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "ledger.db"))
	broken, alien := filepath.Join(dir, "broken.db"), filepath.Join(dir, "alien.db")
	must(t, os.WriteFile(broken, []byte(fileHead+strings.Repeat("rubbish ", 600)), 0o600))
	execute(t, alien, "CREATE TABLE photos (id INTEGER)")
	for path, kind := range map[string]Kind{broken: Foreign, alien: Foreign} {
		before, err := os.ReadFile(path)
		must(t, err)
		if _, err := l.ImportFile(context.Background(), path); !IsKind(err, kind) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "herarena-import") {
			t.Errorf("%s: %v", path, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", path)
		}
	}
	if _, err := l.ImportFile(context.Background(), filepath.Join(dir, "nothing")); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Error(err)
	}
	if IsFile(filepath.Join(dir, "nothing")) || IsFile(dir) {
		t.Error("taken for a ledger")
	}
}

// What SQLite says of damage comes in one line, with what to do.
func TestDamageIsToldInOneLine(t *testing.T) {
	got := faultOf("*** in database main ***\nMultiple uses for byte 3647 of page 5\nPage 9 is never used")
	if got != "Multiple uses for byte 3647 of page 5 Page 9 is never used" {
		t.Errorf("%q", got)
	}
}
