package rating

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFragility(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	tally := tallied(battles, Options{})
	b := tally.agg.alone(len(tally.index.names), false)
	f := b.fragility(tally.index.names, b.solve(Options{}))
	// A published greedy search finds 6 on this set; a smaller proof is better.
	if f == nil || f.Battles < 1 || f.Battles > 6 {
		t.Fatalf("%+v", f)
	}
	t.Logf("%+v", *f)
	warned(t, NewBoard(battles, Options{}).Warnings, fmt.Sprintf("rests on %d battles", f.Battles))
	// Two contestants can be counted by hand: 60 to 55 needs 6 wins less.
	f = NewBoard(slices.Concat(times(60, "a", "b", Win), times(55, "b", "a", Win)), Options{}).Fragility
	if f == nil || f.Leader != "a" || f.Rival != "b" || f.Battles != 6 {
		t.Errorf("%+v, want 6", f)
	}
	// One who won everything cannot be thrown from the place by fewer votes than
	// the search may take, and groups that never met have no first place.
	for _, none := range [][]Battle{nil, times(5, "a", "b", Win), slices.Concat(times(3, "a", "b", Win), times(2, "b", "a", Win), times(3, "c", "d", Win), times(2, "d", "c", Win))} {
		if f := NewBoard(none, Options{}).Fragility; f != nil {
			t.Errorf("%+v", f)
		}
	}
}

func TestFragilityOfTheRealVotes(t *testing.T) {
	t.Parallel()
	index, agg, _ := realVotes(t)
	b := agg.alone(len(index.names), false)
	f := b.fragility(index.names, b.solve(Options{}))
	if f == nil || f.Battles < 1 || f.Share > 0.0005 {
		t.Fatalf("%+v", f)
	}
	t.Logf("%+v", *f)
	if f.Leader != "chatgpt-4o-latest" {
		t.Errorf("%s leads", f.Leader)
	}
}

// What is said of a first place must be so: without the rival's lost battles
// against the leader, as many as fragility names at most, the order turns.
func TestFragilityIsProved(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		var battles []Battle
		for range 300 {
			x, y := random.IntN(5), random.IntN(5)
			if x != y {
				battles = append(battles, Battle{A: string(rune('a' + x)), B: string(rune('a' + y)), Outcome: Win + Outcome(random.IntN(3))})
			}
		}
		board := NewBoard(battles, Options{})
		f := board.Fragility
		if f == nil {
			t.Fatal("no answer")
		}
		// Dropping the leader's wins over the rival one by one is a plain way to
		// turn the order; the search must not need more.
		plain, left := 0, slices.Clone(battles)
		for plain < len(battles) {
			at := slices.IndexFunc(left, func(b Battle) bool {
				return b.A == f.Leader && b.Outcome == Win && b.B == f.Rival || b.B == f.Leader && b.Outcome == Loss && b.A == f.Rival
			})
			if at < 0 {
				plain = len(battles)
				break
			}
			left = slices.Delete(left, at, at+1)
			plain++
			if r := byName(NewBoard(left, Options{Brief: true})); r[f.Rival].BT > r[f.Leader].BT {
				break
			}
		}
		if f.Battles > plain {
			t.Errorf("%+v, but %d of the leader's wins over the rival are enough", *f, plain)
		}
	}
}
