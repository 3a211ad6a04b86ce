package rating

import (
	"math"
	"strings"
	"testing"
)

// same repeats a battle.
func same(n int, a, b string, o Outcome) (battles []Battle) {
	for range n {
		battles = append(battles, Battle{A: a, B: b, Outcome: o})
	}
	return battles
}

func joined(lists ...[]Battle) (all []Battle) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// What a side is worth is told only where the battles can tell it.
func TestSideIsToldWhereItCanBe(t *testing.T) {
	for name, c := range map[string]struct {
		battles []Battle
		note    string // "" where there is an effect
	}{
		"one won everything, always on A": {same(5, "x", "y", Win), "always stood on the same sides"},
		"even, always on the same sides":  {joined(same(1, "x", "y", Win), same(1, "x", "y", Loss), same(1, "x", "y", Tie)), "always stood on the same sides"},
		"one tie":                         {same(1, "x", "y", Tie), "always stood on the same sides"},
		"a ring of fixed sides in pairs":  {joined(same(9, "x", "y", Win), same(9, "z", "y", Loss), same(9, "x", "w", Loss)), "always stood on the same sides"},
		"side A always won":               {joined(same(6, "x", "y", Win), same(6, "y", "x", Win)), "Side A won every decided battle (12)"},
		"side B always won":               {joined(same(6, "x", "y", Loss), same(7, "y", "x", Loss)), "Side B won every decided battle (13)"},
		"nothing decided":                 {joined(same(6, "x", "y", Tie), same(6, "y", "x", BothBad)), "no battle was decided"},
		"places changed":                  {joined(same(6, "x", "y", Win), same(4, "y", "x", Win), same(3, "y", "x", Loss)), ""},
		"three who all met":               {joined(same(6, "x", "y", Win), same(4, "y", "z", Loss), same(3, "x", "z", Win)), ""},
	} {
		b := NewBoard(c.battles, Options{})
		if (b.Side == nil) != (c.note != "") || !strings.Contains(b.SideNote, c.note) || b.Side != nil && b.SideNote != "" {
			t.Errorf("%s: side %+v, note %q", name, b.Side, b.SideNote)
		}
	}
}

// A fit of few battles that leaves next to nothing over is no proof.
func TestSideOfFewBattlesIsWide(t *testing.T) {
	b := NewBoard(joined(same(3, "x", "y", Win), same(1, "y", "x", Win), same(1, "y", "x", Loss)), Options{})
	if b.Side == nil || b.Side.Low > -100 || b.Side.High < 300 {
		t.Errorf("%+v", b.Side)
	}
	// 400 even battles of two that change places: γ has the error 2/√400.
	even := joined(same(100, "x", "y", Win), same(100, "x", "y", Loss), same(100, "y", "x", Win), same(100, "y", "x", Loss))
	b = NewBoard(even, Options{})
	want := 1.959964 * points * 2 / 20
	if b.Side == nil || math.Abs(b.Side.High-want) > 0.5 || math.Abs(b.Side.Points) > 1e-9 {
		t.Errorf("%+v, want ±%.1f", b.Side, want)
	}
	if b.Fragility != nil {
		t.Errorf("nobody leads alone: %+v", b.Fragility)
	}
}

// Cohen's kappa is 0 by definition where a source always says the same.
func TestNoKappaOfASourceThatNeverChanges(t *testing.T) {
	c := NewAccord("")
	for _, o := range []Outcome{Win, Loss, Tie} {
		c.Add([]Answer{Sole("vote", o), Sole("critic:x", Win)})
	}
	table, _ := c.Table(0)
	if m := table[0].All; m.Kappa != nil || m.KappaLow != nil || m.AC1 == nil || m.N != 3 {
		t.Errorf("%+v", m)
	}
	c.Add([]Answer{Sole("vote", Loss), Sole("critic:x", Loss)})
	table, _ = c.Table(0)
	if m := table[0].All; m.Kappa == nil {
		t.Errorf("%+v", m)
	}
}

// Few battles never make two equal, many can.
func TestLevelIsNotEqual(t *testing.T) {
	for n, want := range map[int]string{1: "level so far, and may be", 2000: "call them equal"} {
		tally := NewTally(Options{})
		for _, b := range joined(same(n, "x", "y", Win), same(n, "y", "x", Win)) {
			tally.Add(b)
		}
		next, err := tally.NextPairs(Options{})
		if err != nil || !strings.Contains(next.Reason, want) {
			t.Errorf("%d: %q, %v", n, next.Reason, err)
		}
	}
}

func TestAmEloNamesWhatHasNoBound(t *testing.T) {
	tally := NewTally(Options{System: AmElo})
	for range 5 {
		tally.Add(Battle{A: "x", B: "y", Outcome: Win, About: &About{Voter: "v"}})
	}
	warned(t, tally.Board(Options{System: AmElo}).Warnings, "say far above or far below, not how far")
}

// The quick way of the tie models gives what the plain way gives.
func TestQuickSlopesAreTheSlopes(t *testing.T) {
	for _, m := range []Model{Davidson, RaoKupper} {
		for _, at := range []float64{0.05, 0.7, 3} {
			e := m.ends(at)
			for _, theta := range [][]float64{{0, 0}, {1.5, -0.5}, {-20, 20}, {40, 0}} {
				powers := make([]float64, 2)
				if !e.powers(theta, powers) {
					t.Fatalf("%s: %v is not too large", m, theta)
				}
				_, want, chances := e.loss(theta[0]-theta[1], 3, 2, 1.5)
				got, c := e.quick(powers[0]/powers[1], 3, 2, 1.5)
				for i, x := range [][2]float64{
					{got.d, want.d},
					{got.t, want.t},
					{got.dd, want.dd},
					{got.dt, want.dt},
					{got.tt, want.tt},
					{c[0], chances[0]},
					{c[1], chances[1]},
					{c[2], chances[2]},
				} {
					if math.Abs(x[0]-x[1]) > 1e-12*(1+math.Abs(x[1])) {
						t.Errorf("%s at %g, %v: value %d is %g, want %g", m, at, theta, i, x[0], x[1])
					}
				}
			}
			if e.powers([]float64{300, 0}, make([]float64, 2)) {
				t.Errorf("%s: 300 is too large for a power", m)
			}
		}
	}
}
