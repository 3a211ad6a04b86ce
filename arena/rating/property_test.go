package rating

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var models = []Model{BradleyTerry, Davidson, RaoKupper}

func TestRelabellingChangesNamesAlone(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "200")
	renamed := slices.Clone(battles)
	for i := range renamed {
		renamed[i].A, renamed[i].B = "z"+renamed[i].A, "z"+renamed[i].B
	}
	for _, m := range models {
		o := Options{Model: m, Bootstrap: 20, Seed: 3}
		x, y := Fit(battles, o), Fit(renamed, o)
		for i := range x.Estimates {
			want := x.Estimates[i]
			want.Contestant = "z" + want.Contestant
			if d := cmp.Diff(want, y.Estimates[i]); d != "" {
				t.Errorf("%s: %s", m, d)
			}
		}
	}
}

func TestFourTimesTheBattlesHalveTheIntervals(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	for _, m := range models {
		x, y := Fit(battles, Options{Model: m}), Fit(slices.Repeat(battles, 4), Options{Model: m})
		for i, e := range x.Estimates {
			f := y.Estimates[i]
			// The ridge in the sandwich is a constant share of the battles.
			if r := (e.High - e.Low) / (f.High - f.Low); math.Abs(e.Rating-f.Rating) > 1e-6 || math.Abs(r-2) > 1e-6 {
				t.Errorf("%s: %s moves by %g, its interval by a factor of %g", m, e.Contestant, f.Rating-e.Rating, r)
			}
		}
	}
}

// mirrored turns every win into a loss.
func mirrored(battles []Battle) []Battle {
	m := slices.Clone(battles)
	for i := range m {
		switch m[i].Outcome {
		case Win:
			m[i].Outcome = Loss
		case Loss:
			m[i].Outcome = Win
		}
	}
	return m
}

func TestMirroredOutcomesMirrorTheRatings(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	for _, m := range models {
		x, y := values(Fit(battles, Options{Model: m}), rated), values(Fit(mirrored(battles), Options{Model: m}), rated)
		for name := range x {
			if math.Abs(x[name]+y[name]-2000) > 1e-6 {
				t.Errorf("%s: %s is %f and %f", m, name, x[name], y[name])
			}
		}
	}
	one, two := NewBoard(battles, Options{}).Side, NewBoard(mirrored(battles), Options{}).Side
	if math.Abs(one.Points+two.Points) > 1e-6 {
		t.Errorf("the sides are worth %f and %f", one.Points, two.Points)
	}
	// Swapping the sides of every battle mirrors the side alone.
	swapped := mirrored(battles)
	for i := range swapped {
		swapped[i].A, swapped[i].B = swapped[i].B, swapped[i].A
	}
	x, y := NewBoard(battles, Options{}), NewBoard(swapped, Options{})
	for name, r := range byName(x) {
		if math.Abs(r.BT-byName(y)[name].BT) > 1e-6 {
			t.Errorf("%s moves with the sides", name)
		}
	}
	if math.Abs(x.Side.Points+y.Side.Points) > 1e-6 {
		t.Errorf("the sides are worth %f and %f", x.Side.Points, y.Side.Points)
	}
}

// The generator of the 10k set gives side A 0.08 in the logarithm of odds (13.9
// points without ties) and weighs length by 0.6 a unit.
func TestSideAndStyleArePlanted(t *testing.T) {
	t.Parallel()
	tally := styledTally(t, "10k", 0)
	b := tally.Board(Options{Style: true})
	if b.Side == nil || b.Side.Low > 13.9 || b.Side.High < 13.9*0.7 || b.Side.Low <= 0 {
		t.Errorf("%+v", b.Side)
	}
	if len(b.Style) != 4 || b.Style[0].Name != "length" || b.Style[0].Low <= 0 || b.Intervals != "sandwich, style held equal" {
		t.Errorf("%+v", b.Style)
	}
	finite(t, b)
	// The plain ratings lean on length; with it held equal they must differ.
	plain := byName(tally.Board(Options{}))
	moved := 0.0
	for name, r := range byName(b) {
		moved = max(moved, math.Abs(r.BT-plain[name].BT))
	}
	if moved < 2 {
		t.Errorf("style moves nobody by more than %g", moved)
	}
}

func TestCompositeWeighsItsParts(t *testing.T) {
	t.Parallel()
	votes := slices.Concat(times(60, "a", "b", Win), times(40, "b", "a", Win))
	critic := slices.Concat(times(300, "a", "b", Win), times(700, "b", "a", Win))
	rate := func(weight float64) float64 {
		b := Composite([]Part{{Name: "vote", Weight: 1, Tally: tallied(votes, Options{})}, {Name: "critic", Weight: weight, Tally: tallied(critic, Options{})}}, Options{})
		if b.Battles != 1100 || len(b.Parts) != 2 || b.Parts[1].Battles != 1000 {
			t.Errorf("%+v", b)
		}
		return byName(b)["a"].BT
	}
	// Each part is one voice, however many battles it holds: equal weights leave
	// a share of (0.6 + 0.3)/2.
	if got, want := rate(1), mean+points/2*math.Log(0.45/0.55); math.Abs(got-want) > 0.01 {
		t.Errorf("%f, want %f", got, want)
	}
	if x, y := rate(0.1), rate(10); x < 1000 || y > 1000 || x < y {
		t.Errorf("%f, %f", x, y)
	}
	b := Composite([]Part{{Name: "vote", Weight: 1, Tally: tallied(votes, Options{})}, {Name: "critic", Weight: 1, Tally: NewTally(Options{})}}, Options{Bootstrap: 50})
	warned(t, b.Warnings, "critic has no battles")
	if got, want := byName(b)["a"].BT, byName(NewBoard(votes, Options{}))["a"].BT; math.Abs(got-want) > 0.01 {
		t.Errorf("%f, want %f", got, want)
	}
	finite(t, Composite(nil, Options{}))
}

func TestLastBattlesAlone(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(50, "a", "b", Loss), times(9, "a", "b", Win), times(1, "b", "a", Win))
	if d := cmp.Diff(NewBoard(battles[50:], Options{}), NewBoard(battles, Options{Last: 10})); d != "" {
		t.Error(d)
	}
	if b := NewBoard(battles, Options{Last: 1000}); b.Battles != 60 {
		t.Errorf("%d battles", b.Battles)
	}
}

func TestQualityHasWilsonsInterval(t *testing.T) {
	t.Parallel()
	// Wilson's interval of 8 of 10, from the published formula: 0.4902, 0.9433.
	b := NewBoard(slices.Concat(times(8, "a", "b", Win), times(2, "a", "b", BothBad)), Options{})
	r := byName(b)["a"]
	if math.Abs(r.Quality-0.8) > 1e-12 || math.Abs(r.QualityLow-0.4902) > 1e-4 || math.Abs(r.QualityHigh-0.9433) > 1e-4 {
		t.Errorf("%+v", r)
	}
}
