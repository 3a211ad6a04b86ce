package ledger

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/rating"
)

func TestWhatSourcesSaidOfTheSameTurns(t *testing.T) {
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		ctx := context.Background()
		for n := range 4 {
			d := aDuel(fmt.Sprintf("d%d", n))
			turn := aTurn(d.ID, 1)
			vote := aBattle(turn.ID, "v"+turn.ID, arena.SourceVote, arena.ChoseA)
			vote.Weight = 1
			one, other := aBattle(turn.ID, "x"+turn.ID, arena.CriticSource("house"), arena.ChoseA), aBattle(turn.ID, "y"+turn.ID, arena.CriticSource("house"), arena.ChoseB)
			must(t, l.RecordDuel(d), l.RecordTurn(turn), l.RecordRuling(aRuling(turn.ID, "g"+turn.ID)), l.RecordBattles([]arena.Battle{vote, one, other}))
		}
		var got [][]rating.Answer
		must(t, l.Answers(ctx, BattleFilter{}, func(a []rating.Answer) { got = append(got, append([]rating.Answer(nil), a...)) }))
		want := []rating.Answer{{Source: "critic:house", Share: [4]float64{0.5, 0.5}}, {Source: "vote", Share: [4]float64{1}}}
		if len(got) != 4 || cmp.Diff(want, got[0]) != "" {
			t.Errorf("%+v", got)
		}
		n := 0
		must(t, l.Shown(ctx, BattleFilter{Without: "d0"}, func(source string, said [2]rating.Outcome, asked [2]bool) {
			n++
			if source != "critic:house" || said != [2]rating.Outcome{rating.Win, rating.Loss} || asked != [2]bool{true, true} {
				t.Errorf("%s said %v, asked %v", source, said, asked)
			}
		}))
		if n != 3 {
			t.Errorf("%d rulings", n)
		}
		scenes, characters, languages, err := l.Facets(ctx, arena.SourceVote)
		must(t, err)
		if len(scenes) != 1 || scenes[0].Battles != 4 || len(characters) != 1 || len(languages) != 1 {
			t.Errorf("%v %v %v", scenes, characters, languages)
		}
		b, err := l.Rated(ctx, BattleFilter{Source: arena.SourceVote, Character: characters[0].Value, Without: "d1"})
		must(t, err)
		if len(b) != 3 {
			t.Errorf("%d battles", len(b))
		}
	})
}
