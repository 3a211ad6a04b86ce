package rating

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// Options say how battles are rated. The zero value fits Bradley–Terry once and
// gives 95 % intervals from the sandwich variance.
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
	// Model is how ties are taken; "" is BradleyTerry.
	Model Model
	// Reweighted gives each pair of contestants the same say, however often it
	// met, down to 50 battles (arena-rank's inverse propensity weights).
	Reweighted bool
	// Style rates with the style of the replies held equal; battles need
	// About.Style for it.
	Style bool
	// Matrix adds who won how often against whom.
	Matrix bool
	// System is a rating of another kind to show beside the fitted one.
	System System
	// Ridge pulls abilities towards the mean by ½·Ridge·θ² each, in natural
	// logarithms of odds (scikit-learn's logistic regression with C = 1/Ridge); 0
	// does not. Models of ties do not heed it.
	Ridge float64
	// DailyCap counts only so many first battles of a voter on a day of Zone (nil
	// is UTC); 0 counts all. Battles need About.Voter and About.At for it.
	DailyCap int
	Zone     *time.Location
	// Last rates only so many of the last battles; 0 rates all.
	Last int
	// Brief leaves out what a board tells beside the ratings: the advantage of
	// side A and how few votes would change the first place.
	Brief bool
}

func (o Options) level() float64 {
	if o.Level > 0 && o.Level < 1 {
		return o.Level
	}
	return 0.95
}

// quantile is how many standard errors an interval reaches to either side.
func (o Options) quantile() float64 { return distuv.UnitNormal.Quantile(0.5 + o.level()/2) }

// points is one unit of θ in Elo points: a factor of ten in the odds is 400.
const points = 400 / math.Ln10

// mean is the mean rating of each group.
const mean = 1000

// Estimate is a contestant's fitted rating with its interval, in Elo points.
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
	// Ties is the parameter of the tie model, nil for BradleyTerry.
	Ties *TieParameter
	// Warnings are sentences on what the ratings cannot say.
	Warnings []string
}

// Fit returns the ratings of the battles: the maximum of the likelihood on the
// scale of 400·log10, each group of linked contestants with mean 1000. Under
// BradleyTerry both kinds of tie count as half a win for either side.
//
// A group in which someone took all points or none from all the rest has no
// finite maximum; there, one tie is added between the classes that met (see
// addPrior), and a warning names them.
//
// Intervals are Var = H⁻¹GH⁻¹ with H = Σ w·p(1−p)·(e_a−e_b)(e_a−e_b)ᵀ + εI and
// G = Σ w²(y−p)²·(e_a−e_b)(e_a−e_b)ᵀ, in the form of arena-rank, or quantiles
// of the bootstrap where Options ask for it.
func Fit(battles []Battle, o Options) Fitted { return tallied(battles, o).Fit(o) }

// Fit rates what the tally holds; see the function Fit. The cost does not depend
// on the number of battles.
func (t *Tally) Fit(o Options) Fitted {
	t = t.settle()
	_, s := t.solve(o)
	f := s.fitted(t.index.names)
	f.Warnings = warnings(t.index.names, t.agg, s, t.left)
	return f
}

func tallied(battles []Battle, o Options) *Tally {
	t := NewTally(o)
	for i := range battles {
		t.Add(battles[i])
	}
	return t.settle()
}

// solution is a fitted blend: abilities in θ by contestant.
type solution struct {
	theta, low, high []float64
	silent           []bool // see group.spread
	groups           []*group
	ties             []float64 // parameter of the tie model by group
	tieSD            []float64
	loose            []int32 // whose fit did not settle
	model            Model
	z                float64
}

// solve fits the blend, with intervals.
func (b *blend) solve(o Options) *solution {
	n := b.contestants
	s := &solution{
		theta: make([]float64, n), low: make([]float64, n), high: make([]float64, n),
		silent: make([]bool, n), groups: b.split(b.pairs), model: o.Model, z: o.quantile(),
	}
	for _, g := range s.groups {
		fitted, tie, converged := o.Model.fit(g)
		if !converged {
			s.loose = append(s.loose, g.members...)
		}
		var spread []float64
		var mute []bool
		tieSD := 0.0
		if o.Model.hasTies() {
			spread, tieSD, mute = o.Model.spread(g, fitted, tie)
		} else {
			spread, mute = g.spread(fitted, b.means(g, fitted)...)
		}
		s.ties, s.tieSD = append(s.ties, tie), append(s.tieSD, tieSD)
		for i, m := range g.members {
			s.theta[m], s.silent[m] = fitted[i], mute[i]
			s.low[m], s.high[m] = fitted[i]-s.z*spread[i], fitted[i]+s.z*spread[i]
		}
	}
	if o.Bootstrap > 0 && n > 0 {
		low, high := b.resample(s, o)
		for i := range low {
			if s.silent[i] {
				// Resampling cannot show what no battle has shown either.
				low[i], high[i] = min(s.low[i], low[i]), max(s.high[i], high[i])
			}
		}
		s.low, s.high = low, high
	}
	return s
}

// fitted turns abilities into ratings.
func (s *solution) fitted(names []string) Fitted {
	f := Fitted{Estimates: make([]Estimate, len(names))}
	for i, name := range names {
		f.Estimates[i] = Estimate{
			Contestant: name,
			Rating:     mean + points*s.theta[i],
			Low:        mean + points*s.low[i],
			High:       mean + points*s.high[i],
		}
	}
	sortAndRank(f.Estimates)
	if s.model.hasTies() && len(s.groups) > 0 {
		f.Ties = s.model.parameter(s.ties[0], s.tieSD[0], s.z)
	}
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
