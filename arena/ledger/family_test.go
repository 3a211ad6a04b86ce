package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
)

// branch is a duel that came from another.
func branch(id, from string, turn, minutes int) arena.DuelRecord {
	d := aDuel(id)
	d.Origin = arena.Origin{DuelID: from, Turn: turn}
	d.Started = noon.Add(time.Duration(minutes) * time.Minute)
	for n := range turn {
		d.Past = append(d.Past, arena.PastTurn{Line: fmt.Sprint("past ", n+1)})
	}
	return d
}

func ids(kin []Kin) string {
	var out []string
	for _, k := range kin {
		out = append(out, k.ID)
	}
	return strings.Join(out, " ")
}

func TestAFamilyIsFoundFromEachOfItsMembers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		for _, d := range []arena.DuelRecord{
			aDuel("root"), aDuel("stranger"), branch("late", "root", 1, 9), branch("early", "root", 2, 3), branch("grandchild", "early", 2, 5),
			branch("orphan", "gone", 1, 1), branch("sister", "gone", 1, 2),
			branch("ring1", "ring2", 1, 1), branch("ring2", "ring1", 1, 2), branch("self", "self", 0, 0),
		} {
			must(t, l.RecordDuel(d))
		}
		for id, want := range map[string]string{
			"root": "root early grandchild late", "grandchild": "root early grandchild late", "late": "root early grandchild late",
			"stranger": "stranger", "orphan": "orphan sister", "ring1": "ring1 ring2", "self": "self", "unknown": "",
		} {
			kin, err := l.Family(context.Background(), id)
			must(t, err)
			if got := ids(kin); got != want {
				t.Errorf("family of %s: %q, want %q", id, got, want)
			}
		}
	})
}

func TestAFamilyTellsWhatCameOfItsTurns(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordDuel(branch("child", "root", 2, 1)))
		for n := 3; n <= 5; n++ {
			turn := aTurn("child", n)
			turn.Canon, turn.Auto, turn.Note = 0, map[int]string{4: "her-rl"}[n], map[int]string{5: "Rain."}[n]
			must(t, l.RecordTurn(turn))
		}
		old, now := aVote("child-t3", "v1", arena.ChoseA), aVote("child-t3", "v2", arena.Tie)
		now.At = noon.Add(time.Second)
		gone := aVote("child-t4", "v3", arena.ChoseB)
		gone.Why = takenBack
		ruling := aRuling("child-t4", "r1")
		ruling.Agreement, ruling.Winner = arena.Agree, arena.ChoseB
		must(t, l.RecordReply(aReply("child-t4", 0, 0), true), l.RecordReply(aReply("child-t4", 1, 0), true))
		must(t, l.RecordVote(old), l.RecordVote(now), l.RecordVote(gone), l.RecordRuling(ruling))
		kin, err := l.Family(context.Background(), "child")
		must(t, err)
		want := []KinTurn{
			{Number: 3, Line: "Good evening.", Seats: [2]int{1, 0}, Vote: arena.Tie},
			{Number: 4, Line: "Good evening.", Auto: "her-rl", Seats: [2]int{1, 0}, Ruling: arena.ChoseB},
			{Number: 5, Line: "Good evening.", Note: "Rain.", Seats: [2]int{1, 0}},
		}
		if len(kin) != 1 || len(kin[0].Past) != 2 || kin[0].Origin.Turn != 2 || kin[0].Contestants != [2]string{"her-rl", "base"} {
			t.Fatalf("family: %+v", kin)
		}
		if d := cmp.Diff(want, kin[0].Turns); d != "" {
			t.Error(d)
		}
	})
}

func TestAKeptDuelIsThePastOfAnother(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordDuel(branch("child", "root", 1, 1)))
		decided, open, silent := aTurn("child", 2), aTurn("child", 3), aTurn("child", 4)
		decided.Canon, decided.Note = 0, "Rain."
		for _, turn := range []arena.Turn{decided, open, silent} {
			must(t, l.RecordTurn(turn))
		}
		first, second := aReply(decided.ID, 0, 0), aReply(decided.ID, 0, 1)
		second.Segments = []layers.Segment{{Layer: layers.Speech, Text: "Again."}}
		must(t, l.RecordReply(first, true), l.RecordReply(second, true), l.RecordReply(aReply(decided.ID, 1, 0), true))
		must(t, l.RecordReply(aReply(open.ID, 1, 0), true))
		full, err := l.Duel(context.Background(), "child")
		must(t, err)
		want := []arena.PastTurn{
			{Line: "past 1"},
			{Line: "Good evening.", Note: "Rain.", By: "her-rl", Dialect: second.Dialect, Reply: second.Segments},
			{Line: "Good evening.", By: "base", Dialect: layers.HER, Reply: aReply("", 0, 0).Segments},
			{Line: "Good evening."},
		}
		for turn, n := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 3, 4: 4, 99: 4} {
			if d := cmp.Diff(want[:n], full.History(turn)); d != "" && (n > 0 || len(full.History(turn)) > 0) {
				t.Errorf("up to %d: %s", turn, d)
			}
		}
	})
}
