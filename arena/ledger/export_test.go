package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

// filled returns a ledger with two duels, a reply under way, and a battle that
// belongs to no duel.
func filled(t testing.TB, on ground) *Ledger {
	t.Helper()
	l := on.fresh(t)
	for i, id := range []string{"d1", "d2"} {
		duel := aDuel(id)
		duel.Started = noon.Add(time.Duration(i) * time.Hour)
		duel.Contestants[0].Endpoint = "https://me:sk-secret@host/v1?key=sk-secret"
		must(t, l.RecordDuel(duel))
		for n := 1; n <= 2; n++ {
			turn := aTurn(id, n)
			ruling, vote := aRuling(turn.ID, turn.ID+"-g"), aVote(turn.ID, turn.ID+"-v", arena.Tie)
			must(t, l.RecordTurn(turn), l.RecordReply(aReply(turn.ID, 0, 0), true), l.RecordReply(aReply(turn.ID, 1, 0), n == 1),
				l.RecordRuling(ruling), l.RecordVote(vote), l.RecordBattles([]arena.Battle{
					aBattle(turn.ID, turn.ID+"-f1", arena.CriticSource("house"), arena.ChoseA),
					aBattle(turn.ID, turn.ID+"-f2", arena.CriticSource("house"), arena.ChoseB),
				}))
		}
	}
	must(t, l.RecordBattles([]arena.Battle{aBattle("elsewhere-t1", "lone", arena.SourceVote, arena.BothBad)}))
	return l
}

func exported(t testing.TB, l *Ledger) string {
	t.Helper()
	var out bytes.Buffer
	must(t, l.Export(context.Background(), &out))
	return out.String()
}

// body is an export without the header, which holds the time.
func body(export string) string {
	_, rest, _ := strings.Cut(export, "\n")
	return rest
}

func TestAnExportComesBackWhole(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		from, to := filled(t, on), on.fresh(t)
		text := exported(t, from)
		if strings.Contains(text, "sk-secret") {
			t.Error("the export holds a key")
		}
		report, err := to.Import(ctx, strings.NewReader(text))
		must(t, err)
		want := ImportReport{
			Lines: 2 + 4 + 8 + 4 + 4 + 9, Duels: Counts{Added: 2}, Turns: Counts{Added: 4}, Replies: Counts{Added: 8},
			Rulings: Counts{Added: 4}, Votes: Counts{Added: 4}, Battles: Counts{Added: 9},
		}
		if d := cmp.Diff(want, report); d != "" {
			t.Error(d)
		}
		cut := strings.ReplaceAll(body(text), `"state":"streaming"`, `"state":"cut_off"`)
		if d := cmp.Diff(cut, body(exported(t, to))); d != "" {
			t.Error(d)
		}

		report, err = to.Import(ctx, strings.NewReader(text))
		must(t, err)
		if report.Duels.Added+report.Turns.Added+report.Replies.Added+report.Rulings.Added+report.Votes.Added+report.Battles.Added != 0 || report.Battles.Known != 9 {
			t.Errorf("the second import added: %+v", report)
		}
		if d := cmp.Diff(cut, body(exported(t, to))); d != "" {
			t.Error("the second import changed the ledger:", d)
		}
	})
}

func TestImportCompletesRepliesAndKeepsNewerBattles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		from, to := filled(t, on), on.fresh(t)
		_, err := to.Import(ctx, strings.NewReader(exported(t, from)))
		must(t, err)
		// The reply under way ended after the export; the vote changed here.
		must(t, from.RecordReply(aReply("d1-t2", 1, 0), true))
		must(t, to.RecordBattles([]arena.Battle{aBattle("d1-t1", "newer", arena.CriticSource("house"), arena.Tie)}))
		report, err := to.Import(ctx, strings.NewReader(exported(t, from)))
		must(t, err)
		if report.Replies.Added != 1 {
			t.Errorf("%+v", report)
		}
		full, err := to.Duel(ctx, "d1")
		must(t, err)
		if s := full.Turns[1].States["d1-t2-c1-s0"]; s != Done {
			t.Error(s)
		}
		battles, err := to.Battles(ctx, BattleFilter{TurnID: "d1-t1"})
		must(t, err)
		if len(battles) != 1 || battles[0].ID != "newer" {
			t.Errorf("%+v", battles)
		}
	})
}

func TestABadLineIsNamedAndNothingImported(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		good := exported(t, filled(t, on))
		lines := strings.SplitAfter(good, "\n")
		to := on.fresh(t)
		with := func(at int, line string) string {
			return strings.Join(lines[:at], "") + line + "\n" + strings.Join(lines[at:], "")
		}
		for name, c := range map[string]struct {
			text string
			line int
		}{
			"empty":             {"", 1},
			"blank":             {"\n\n", 1},
			"other JSON":        {`{"model_a":"x"}` + "\n", 1},
			"not JSON":          {"hello\n", 1},
			"array":             {"[1,2]\n", 1},
			"newer version":     {`{"type":"header","format":"herarena-ledger","version":2}`, 1},
			"no version":        {`{"type":"header","format":"herarena-ledger"}`, 1},
			"cut line":          {with(5, `{"type":"turn","turn":{"id":"x"`), 6},
			"unknown type":      {with(3, `{"type":"dance","duel":{"id":"x"}}`), 4},
			"no row":            {with(3, `{"type":"vote"}`), 4},
			"wrong row":         {with(3, `{"type":"vote","duel":{"id":"x"}}`), 4},
			"no id":             {with(3, `{"type":"vote","vote":{"choice":"a"}}`), 4},
			"wrong kind":        {with(3, `{"type":"vote","vote":{"id":7}}`), 4},
			"null":              {with(3, `null`), 4},
			"unknown layer":     {with(3, `{"type":"reply","reply":{"id":"x","segments":[{"layer":"sing","text":""}]}}`), 4},
			"second header":     {good + good, len(lines)},
			"line far too long": {lines[0] + `{"type":"vote","vote":{"id":"` + strings.Repeat("x", longestLine) + `"}}`, 2},
		} {
			report, err := to.Import(ctx, strings.NewReader(c.text))
			var bad *ImportError
			if !errors.As(err, &bad) || bad.Line != c.line || !strings.Contains(err.Error(), fmt.Sprintf("line %d:", c.line)) {
				t.Errorf("%s: want line %d, got %v", name, c.line, err)
			}
			if report != (ImportReport{}) {
				t.Errorf("%s: %+v", name, report)
			}
		}
		if got := strings.Count(exported(t, to), "\n"); got != 1 {
			t.Errorf("%d lines in the ledger", got)
		}
		// A byte order mark, blank lines and a missing last line end are no fault.
		_, err := to.Import(ctx, strings.NewReader("\xef\xbb\xbf"+strings.TrimSuffix(strings.ReplaceAll(good, "\n", "\r\n\n"), "\r\n\n")))
		must(t, err)
	})
}

type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func (f *failing) Read([]byte) (int, error) { return 0, errors.New("unplugged") }

func TestFailingReadersAndWriters(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := filled(t, on)
		for _, after := range []int{0, 5000} {
			if err := l.Export(context.Background(), &failing{after}); err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Error(err)
			}
		}
		if _, err := l.Import(context.Background(), &failing{}); err == nil || !strings.Contains(err.Error(), "unplugged") {
			t.Error(err)
		}
		must(t, l.RecordTurn(aTurn("d1", 3)))
	})
}

func FuzzImport(f *testing.F) {
	for _, line := range strings.Split(strings.TrimSpace(exported(f, filled(f, grounds()[0]))), "\n") {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"type":"turn","turn":{"id":"t","duel_id":"d","seat_a":9,"seat_b":-1,"number":-5}}`))
	f.Add([]byte(`{"type":"reply","reply":{"id":"r","turn_id":"t","contestant":9,"swipe":-1,"segments":null}}`))
	f.Add([]byte(`{"type":"duel","duel":{"id":"d","contestants":[{"seat":7},{"seat":0},{"seat":0}]}}`))
	f.Add([]byte(`{"type":"ruling","ruling":{"id":"g","turn_id":"t","verdicts":[{"order":5},{"order":-1}]}}`))
	l := fresh(f)
	header := `{"type":"header","format":"herarena-ledger","version":1}` + "\n" +
		`{"type":"duel","duel":{"id":"d"}}` + "\n" + `{"type":"turn","turn":{"id":"t","duel_id":"d"}}` + "\n"
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, table := range []string{"duels", "contestants", "turns", "replies", "rulings", "verdicts", "votes", "battles"} {
			_, err := l.writer.Exec("DELETE FROM " + table)
			must(t, err)
		}
		_, err := l.Import(context.Background(), strings.NewReader(header+string(line)))
		var bad *ImportError
		if errors.As(err, &bad) {
			return
		}
		must(t, err)
		_, err = l.Duel(context.Background(), "d")
		must(t, err)
		again, text := fresh(t), exported(t, l)
		_, err = again.Import(context.Background(), strings.NewReader(text))
		must(t, err)
		if d := cmp.Diff(body(text), body(exported(t, again))); d != "" {
			t.Error(d)
		}
		if r := verified(t, again); r.Total > 0 {
			t.Errorf("%+v", r)
		}
	})
}
