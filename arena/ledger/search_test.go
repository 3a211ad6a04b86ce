package ledger

import (
	"bytes"
	"context"
	"sort"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// searchable is a ledger of three duels with known words in them.
func searchable(t *testing.T, on ground) *Ledger {
	t.Helper()
	l := on.fresh(t)
	for i, words := range []struct{ line, note, raw, reasoning string }{
		{line: "Is the Harbour open?", raw: "<role_thinking>A 100% spy.</role_thinking> No."},
		{line: "Good evening.", note: "be kinder", raw: "The harbour is shut."},
		{line: "ÉCOUTE", raw: "Übermut tut selten gut.", reasoning: "under_score"},
	} {
		id := []string{"one", "two", "three"}[i]
		must(t, l.RecordDuel(aDuel(id)))
		for k := 1; k <= 2; k++ {
			turn := aTurn(id, k)
			if k == 2 {
				turn.Line, turn.Note = words.line, words.note
			}
			must(t, l.RecordTurn(turn))
			r := aReply(turn.ID, 0, 0)
			r.Raw, r.Reasoning = "nothing", ""
			if k == 2 {
				r.Raw, r.Reasoning = words.raw, words.reasoning
			}
			must(t, l.RecordReply(r, true))
		}
	}
	return l
}

func TestSearchFindsLinesNotesAndReplies(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := searchable(t, on)
		for _, c := range []struct{ text, want string }{
			{"harbour", "one two"},
			{"HARBOUR", "one two"},
			{"  harbour is ", "two"},
			{"kinder", "two"},
			{"spy", "one"},
			{"100%", "one"},
			{"r_score", "three"},
			{"r score", ""},
			{"0% s", "one"},
			{"übermut", "three"},
			{"ÜBERMUT", "three"},
			{"écoute", "three"},
			{"", ""},
			{" ", ""},
			{`\`, ""},
			{"%", "one"},
			{"'; DROP TABLE duels; --", ""},
			{"\x00", ""},
			{strings.Repeat("x", 10_000), ""},
		} {
			hits, err := l.Search(context.Background(), c.text)
			if err != nil {
				t.Errorf("%.20q: %v", c.text, err)
				continue
			}
			var ids []string
			for _, h := range hits {
				ids = append(ids, h.DuelID)
				if h.Turn != 2 {
					t.Errorf("%q: turn %d of %s", c.text, h.Turn, h.DuelID)
				}
			}
			sort.Strings(ids)
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("%.20q is found in %q, want %q", c.text, got, c.want)
			}
		}
	})
}

func TestSearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := searchable(t, on)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := l.Search(ctx, "harbour"); err == nil {
			t.Error("a search without time found something")
		}
	})
}

func TestAVoteTakenBackIsNoVote(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := searchable(t, on)
		v := aVote("one-t2", "v1", arena.ChoseA)
		must(t, l.RecordVote(v))
		count := func() int {
			t.Helper()
			duels, err := l.Duels(context.Background(), Filter{})
			must(t, err)
			n := 0
			for _, d := range duels {
				n += d.Votes
			}
			return n
		}
		if n := count(); n != 1 {
			t.Fatalf("%d votes, want 1", n)
		}
		v.Counted, v.Why = false, takenBack
		must(t, l.RecordVote(v))
		d, err := l.Duel(context.Background(), "one")
		must(t, err)
		if n := count(); n != 0 || d.Turns[1].Vote != nil || len(d.Turns[1].Votes) != 1 {
			t.Errorf("%d votes, the turn's is %+v of %d", n, d.Turns[1].Vote, len(d.Turns[1].Votes))
		}
		again := aVote("one-t2", "v2", arena.ChoseB)
		again.At = noon.Add(time.Hour)
		must(t, l.RecordVote(again))
		if d, err = l.Duel(context.Background(), "one"); err != nil || d.Turns[1].Vote == nil || d.Turns[1].Vote.ID != "v2" || count() != 1 {
			t.Errorf("after another vote: %v, %+v", err, d.Turns[1].Vote)
		}
	})
}

func TestExportOfSomeDuelsImportsAgain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := searchable(t, on)
		var out bytes.Buffer
		must(t, l.ExportDuels(context.Background(), &out, "tw", "one"))
		if strings.Contains(out.String(), "three") || !strings.Contains(out.String(), "kinder") {
			t.Errorf("the export holds\n%s", out.String())
		}
		other := on.fresh(t)
		report, err := other.Import(context.Background(), &out)
		must(t, err)
		if report.Duels.Added != 2 || report.Turns.Added != 4 {
			t.Errorf("taken in: %+v", report)
		}
		d, err := other.Duel(context.Background(), "two")
		must(t, err)
		if r := d.Turns[1].Last(0); r == nil || r.Segments[1].Layer != layers.Speech {
			t.Errorf("the reply came as %+v", r)
		}
		if err := l.ExportDuels(context.Background(), &out, "four"); err == nil || !strings.Contains(err.Error(), "four") {
			t.Errorf("an unknown duel: %v", err)
		}
	})
}
