package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStyleWithoutAnythingToHoldEqual(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(30, "a", "b", Win), times(20, "b", "a", Win))
	warned(t, NewBoard(battles, Options{Style: true}).Warnings, "Style is not held equal", "no battle has")
	warned(t, tallied(battles, Options{}).Board(Options{Style: true}).Warnings, "Style is not held equal")
	same := &About{Styled: true, Style: [2]Style{{Length: 5}, {Length: 5}}}
	for i := range battles {
		battles[i].About = same
	}
	warned(t, NewBoard(battles, Options{Style: true}).Warnings, "both replies were alike")
	for i := range battles {
		battles[i].About = &About{Styled: true, Style: [2]Style{{Length: math.NaN()}, {Length: math.Inf(1), Bold: -1}}}
	}
	b := NewBoard(battles, Options{Style: true})
	warned(t, b.Warnings, "no battle has")
	finite(t, b)
	// Length alone decides: the coefficient must stay finite.
	for i := range battles {
		s := [2]Style{{Length: 10}, {Length: 1}}
		if battles[i].Outcome == Loss {
			s[0], s[1] = s[1], s[0]
		}
		battles[i].About = &About{Styled: true, Style: s}
	}
	b = NewBoard(battles, Options{Style: true})
	finite(t, b)
	for _, e := range b.Style {
		if math.IsNaN(e.Points) || math.IsInf(e.High, 0) {
			t.Errorf("%+v", e)
		}
	}
}

func TestTieModelsOnHostileShapes(t *testing.T) {
	t.Parallel()
	for name, battles := range map[string][]Battle{
		"nothing":              nil,
		"one tie":              times(1, "a", "b", Tie),
		"only ties":            slices.Concat(times(9, "a", "b", Tie), times(9, "b", "c", BothBad)),
		"no ties":              slices.Concat(times(9, "a", "b", Win), times(5, "b", "a", Win)),
		"won or tied":          slices.Concat(times(5, "a", "b", Win), times(5, "a", "b", Tie)),
		"tied to a chain":      slices.Concat(times(5, "a", "b", Win), times(5, "b", "c", Win), times(5, "a", "c", Tie)),
		"one tie in a million": append(slices.Concat([]Battle{{A: "a", B: "b", Outcome: Win, Weight: 1e6}}, []Battle{{A: "b", B: "a", Outcome: Win, Weight: 1e6}}), times(1, "a", "b", Tie)...),
		"groups":               slices.Concat(times(3, "a", "b", Win), times(2, "a", "b", Tie), times(3, "c", "d", Tie), times(1, "e", "f", Win)),
	} {
		for _, m := range models {
			board := NewBoard(battles, Options{Model: m, Bootstrap: 5})
			finite(t, board)
			if board.Ties != nil && (math.IsNaN(board.Ties.Value+board.Ties.Low+board.Ties.High) || board.Ties.TieChance < 0 || board.Ties.TieChance > 1) {
				t.Errorf("%+v", board.Ties)
			}
			if t.Failed() {
				t.Fatal(name, m)
			}
		}
	}
}

func TestAnyBattlesGiveAFiniteBoardOfAnyKind(t *testing.T) {
	t.Parallel()
	battle := rapid.Custom(func(t *rapid.T) Battle {
		name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		style := func(label string) Style {
			return Style{Length: float64(rapid.IntRange(0, 3).Draw(t, label)), Bold: float64(rapid.IntRange(0, 1).Draw(t, label))}
		}
		return Battle{
			A: name.Draw(t, "A"), B: name.Draw(t, "B"), Outcome: Outcome(rapid.IntRange(1, 4).Draw(t, "outcome")),
			Weight: rapid.SampledFrom([]float64{0, 0.5, 1, 1e6, 1e-6}).Draw(t, "weight"),
			About:  &About{Language: rapid.SampledFrom([]string{"", "en", "zh"}).Draw(t, "language"), Styled: true, Style: [2]Style{style("x"), style("y")}},
		}
	})
	rapid.Check(t, func(r *rapid.T) {
		o := Options{
			Model: rapid.SampledFrom(models).Draw(r, "model"), Bootstrap: rapid.IntRange(0, 3).Draw(r, "bootstrap"),
			Reweighted: rapid.Bool().Draw(r, "reweighted"), Style: rapid.Bool().Draw(r, "style"), Matrix: true,
			Last: rapid.IntRange(0, 10).Draw(r, "last"),
		}
		s := NewSlicer(ByLanguage, o)
		other := NewTally(o)
		for i, b := range rapid.SliceOfN(battle, 0, 25).Draw(r, "battles") {
			s.Add(b)
			if i%2 == 0 {
				other.Add(b)
			}
		}
		board := s.Board(o)
		finite(r, board)
		for _, part := range board.Slices {
			finite(r, part.Board)
		}
		mixed := Composite([]Part{{Name: "one", Weight: 1, Tally: s.Tally}, {Name: "two", Weight: 0.5, Tally: other}}, o)
		finite(r, mixed)
		if o.Last == 0 && len(mixed.Ratings) != len(board.Ratings) {
			r.Fatalf("%d contestants became %d", len(board.Ratings), len(mixed.Ratings))
		}
	})
}

func TestManyWeightsStayFewCells(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var battles []Battle
	for range 5000 {
		battles = append(battles, Battle{A: "a", B: "b", Outcome: Win + Outcome(random.IntN(2)), Weight: math.Exp(4 * random.NormFloat64())})
	}
	tally := tallied(battles, Options{})
	if n := len(tally.agg.cells); n > 2*45 {
		t.Errorf("%d cells", n)
	}
	plain, boot := tally.Fit(Options{}), tally.Fit(Options{Bootstrap: 300})
	if r := (boot.Estimates[0].High - boot.Estimates[0].Low) / (plain.Estimates[0].High - plain.Estimates[0].Low); r < 0.8 || r > 1.25 {
		t.Errorf("the bootstrap is %.2f as wide as the sandwich", r)
	}
}

func TestBinomialHasItsMoments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 2))
	for _, c := range []struct{ n, p float64 }{{1, 0.3}, {10, 0.5}, {30, 0.9}, {1000, 0.001}, {1000, 0.4}, {50, 0.21}, {1e6, 0.9999}, {1e6, 0.02}} {
		const rounds = 20_000
		sum, square := 0.0, 0.0
		for range rounds {
			k := binomial(c.n, c.p, random)
			if k < 0 || k > c.n || k != math.Trunc(k) {
				t.Fatalf("binomial(%g, %g) gave %g", c.n, c.p, k)
			}
			sum += k
			square += (k - c.n*c.p) * (k - c.n*c.p)
		}
		v := c.n * c.p * (1 - c.p)
		if d := sum/rounds - c.n*c.p; math.Abs(d) > 5*math.Sqrt(v/rounds) {
			t.Errorf("binomial(%g, %g): the mean is off by %g", c.n, c.p, d)
		}
		if r := square / rounds / v; math.Abs(r-1) > 0.06 {
			t.Errorf("binomial(%g, %g): %g of the variance", c.n, c.p, r)
		}
	}
	// The whole distribution at a mean that is drawn by rejection.
	const n, p, rounds = 40, 0.35, 200_000
	var seen [n + 1]float64
	for range rounds {
		seen[int(binomial(n, p, random))]++
	}
	chi, f := 0.0, math.Pow(1-p, n)
	for k := 0.0; k <= n; k++ {
		if e := f * rounds; e > 10 {
			chi += (seen[int(k)] - e) * (seen[int(k)] - e) / e
		}
		f *= p / (1 - p) * (n - k) / (k + 1)
	}
	if chi > 60 { // some 25 degrees of freedom
		t.Errorf("χ² = %g", chi)
	}
	if binomial(5, 0, random) != 0 || binomial(5, 1, random) != 5 || binomial(0, 0.5, random) != 0 {
		t.Error("the ends are wrong")
	}
}
