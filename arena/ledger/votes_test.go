package ledger

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/habit"
	"herarena/arena/layers"
)

func TestVotesComeWithWhatTheirVoterSaw(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		blind, open := aDuel("blind"), aDuel("open")
		open.Blind = false
		must(t, l.RecordDuel(blind), l.RecordDuel(open))
		play := func(duel string, n int, source arena.Source, voter string, counted bool) string {
			turn := aTurn(duel, n)
			for c := range 2 {
				r := aReply(turn.ID, c, 0)
				r.Segments = []layers.Segment{{Layer: layers.System, Text: "a long plan"}, {Layer: layers.Speech, Text: "Good evening, sir."}}
				r.FirstByte, r.Total = time.Duration(c+1)*time.Second, time.Duration(4+c)*time.Second
				must(t, l.RecordReply(r, true))
			}
			v, b := aVote(turn.ID, turn.ID+"-v", arena.ChoseA), aBattle(turn.ID, turn.ID+"-b", source, arena.ChoseA)
			v.Voter, v.Dwell, b.Judge, b.Counted, b.At = voter, 2*time.Second, voter, counted, noon.Add(time.Duration(n)*time.Second)
			must(t, l.RecordTurn(turn), l.RecordVote(v), l.RecordBattles([]arena.Battle{b}))
			return turn.ID
		}
		play("blind", 1, arena.SourceVote, "me", true)
		play("open", 2, "rehearsal/vote", "you", true)
		play("blind", 3, arena.SourceVote, "me", false)
		play("blind", 4, arena.CriticSource("house"), "house", true)
		again := play("blind", 5, arena.SourceVote, "me", true)
		must(t, l.RecordReply(aReply(again, 1, 1), true))
		got, err := l.Voted(context.Background())
		must(t, err)
		base := habit.Vote{Voter: "me", A: "base", B: "her-rl", Outcome: arena.ChoseA, Drawn: true, Seen: 6 * time.Second, Words: 6}
		yours, unknown := base, base
		yours.Voter, yours.Drawn = "you", false
		unknown.Seen, unknown.Words = 0, 0
		if d := cmp.Diff([]habit.Vote{base, yours, unknown}, got); d != "" {
			t.Error(d)
		}
	})
}

func TestWordsOfEveryWriting(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"": 0, "one two  three": 3, "達西先生來了": 4, "Mr 達西先生 bows": 2 + 8.0/3, "...": 1} {
		if got := words(text); fmt.Sprintf("%.6f", got) != fmt.Sprintf("%.6f", want) {
			t.Errorf("%q has %g words, want %g", text, got, want)
		}
	}
}
