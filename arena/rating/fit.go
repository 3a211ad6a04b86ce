package rating

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Options say how battles are rated. The zero value fits once and gives 95 %
// intervals from the sandwich variance.
type Options struct {
	// Bootstrap is the number of resamples the intervals come from; 0 takes
	// them from the sandwich variance.
	Bootstrap int
	// Seed makes the resamples repeatable.
	Seed uint64
	// Level is the share of the interval, between 0 and 1; 0 stands for 0.95.
	Level float64
	// Elo holds the constants of the online rating beside the fitted one.
	Elo EloOptions
}

func (o Options) level() float64 {
	if o.Level > 0 && o.Level < 1 {
		return o.Level
	}
	return 0.95
}

// points is one unit of θ in Elo points: a factor of ten in the odds is 400.
const points = 400 / math.Ln10

// mean is the mean rating of each group.
const mean = 1000

// Estimate is a contestant's Bradley–Terry rating with its interval, in Elo
// points.
type Estimate struct {
	Contestant string
	Rating     float64
	Low, High  float64
	// Rank is 1 + the number of contestants whose interval lies wholly above
	// this one.
	Rank int
}

// Fitted is the result of a fit.
type Fitted struct {
	// Estimates are sorted by rating, best first; equals by name.
	Estimates []Estimate
	// Warnings are sentences on what the ratings cannot say.
	Warnings []string
}

// Fit returns the Bradley–Terry ratings of the battles: the maximum of the
// likelihood on the scale of 400·log10, each group of linked contestants with
// mean 1000. Both kinds of tie count as half a win for either side.
//
// A group in which someone took all points or none from all the rest has no
// finite maximum; there, one tie is added between the classes that met (see
// addPrior), and a warning names them.
//
// Intervals are Var = H⁻¹GH⁻¹ with H = Σ w·p(1−p)·(e_a−e_b)(e_a−e_b)ᵀ + εI and
// G = Σ w²(y−p)²·(e_a−e_b)(e_a−e_b)ᵀ, in the unweighted form of arena-rank, or
// quantiles of the bootstrap where Options ask for it.
func Fit(battles []Battle, o Options) Fitted {
	index, indexed, left := number(battles)
	return fitAll(index.names, indexed, left, o)
}

func fitAll(names []string, battles []indexedBattle, left map[string]int, o Options) Fitted {
	rows := aggregate(battles)
	groups := split(len(names), pairUp(rows))
	theta := make([]float64, len(names))
	low, high := make([]float64, len(names)), make([]float64, len(names))
	silent := make([]bool, len(names))
	var loose []int32
	z := distuv.UnitNormal.Quantile(0.5 + o.level()/2)
	for _, g := range groups {
		fitted, converged := g.fit()
		if !converged {
			loose = append(loose, g.members...)
		}
		spread, mute := g.spread(fitted)
		for i, m := range g.members {
			theta[m], silent[m] = fitted[i], mute[i]
			low[m], high[m] = fitted[i]-z*spread[i], fitted[i]+z*spread[i]
		}
	}
	if o.Bootstrap > 0 {
		bootLow, bootHigh := resample(rows, theta, o)
		for i := range names {
			if silent[i] {
				// Resampling cannot show what no battle has shown either.
				bootLow[i], bootHigh[i] = min(low[i], bootLow[i]), max(high[i], bootHigh[i])
			}
		}
		low, high = bootLow, bootHigh
	}
	f := Fitted{Estimates: make([]Estimate, len(names))}
	for i, name := range names {
		f.Estimates[i] = Estimate{
			Contestant: name,
			Rating:     mean + points*theta[i],
			Low:        mean + points*low[i],
			High:       mean + points*high[i],
		}
	}
	sortAndRank(f.Estimates)
	f.Warnings = warnings(names, battles, groups, left, loose)
	return f
}

func sortAndRank(e []Estimate) {
	slices.SortFunc(e, func(x, y Estimate) int {
		switch {
		case x.Rating > y.Rating:
			return -1
		case x.Rating < y.Rating:
			return 1
		case x.Contestant < y.Contestant:
			return -1
		}
		return 1
	})
	lows := make([]float64, len(e))
	for i := range e {
		lows[i] = e[i].Low
	}
	slices.Sort(lows)
	for i := range e {
		// The number of lows above this high.
		n, _ := slices.BinarySearchFunc(lows, e[i].High, func(low, high float64) int {
			if low > high {
				return 1
			}
			return -1
		})
		e[i].Rank = 1 + len(lows) - n
	}
}
