package stage

import (
	"testing"

	"pgregory.net/rapid"

	"herarena/arena"
)

func TestModesFollowTheSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w, h int
		zoom bool
		want mode
	}{
		{200, 60, false, columns},
		{100, 24, false, columns},
		{99, 24, false, stacked},
		{80, 24, false, stacked},
		{80, 21, false, single},
		{71, 40, false, single},
		{60, 20, false, single},
		{200, 60, true, single},
	} {
		if got := arrange(want{w: c.w, h: c.h, zoom: c.zoom, composer: 1}).mode; got != c.want {
			t.Errorf("%dx%d zoom %v: mode %d, want %d", c.w, c.h, c.zoom, got, c.want)
		}
	}
}

func TestEveryRowIsGivenOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := want{
			w: rapid.IntRange(1, 300).Draw(t, "w"), h: rapid.IntRange(4, 100).Draw(t, "h"),
			zoom: rapid.Bool().Draw(t, "zoom"), side: arena.Side(rapid.IntRange(0, 1).Draw(t, "side")),
			cards: rapid.IntRange(0, 200).Draw(t, "cards"), judge: rapid.Bool().Draw(t, "judge"),
			composer: rapid.IntRange(1, 9).Draw(t, "composer"),
		}
		l := arrange(n)
		uses := make([]int, n.h)
		mark := func(what string, y, h int) {
			for i := y; i < y+h; i++ {
				if i < 0 || i >= n.h {
					t.Fatalf("%s stands outside: row %d of %d", what, i, n.h)
				}
				uses[i]++
			}
		}
		mark("header", 0, 1)
		mark("side A", l.sides[0].y, l.sides[0].h)
		if l.mode != columns {
			mark("side B", l.sides[1].y, l.sides[1].h)
		}
		mark("bar", l.bar, 1)
		mark("cards", l.cards.y, l.cards.h)
		mark("composer", l.composer.y, l.composer.h)
		for y, n := range uses {
			if n != 1 {
				t.Fatalf("row %d is used %d times: %+v", y, n, l)
			}
		}
		if l.mode == columns && l.sides[0].w+l.sides[1].w != n.w {
			t.Fatalf("columns take %d and %d of %d", l.sides[0].w, l.sides[1].w, n.w)
		}
	})
}

func TestCardsNeverTakeTheSides(t *testing.T) {
	t.Parallel()
	l := arrange(want{w: 80, h: 24, cards: 50, judge: true, composer: 1})
	for s, a := range l.sides {
		if a.h < leastPane {
			t.Errorf("side %d keeps %d rows, want at least %d", s, a.h, leastPane)
		}
	}
	if l.cards.h < 8 {
		t.Errorf("the verdict has the focus and gets %d rows", l.cards.h)
	}
}
