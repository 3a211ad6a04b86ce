package rating

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// resample returns the interval of each ability over o.Bootstrap resamples of
// the battles. Each resample draws as many battles as there are, by row, from a
// generator seeded by its own number, so that the result depends on o.Seed
// alone and not on the number of processors.
func resample(rows []row, theta []float64, o Options) (low, high []float64) {
	replicates := make([][]float64, o.Bootstrap)
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), o.Bootstrap) {
		wg.Go(func() {
			drawn := slices.Clone(rows)
			for r := range next {
				draw(rows, drawn, rand.NewPCG(o.Seed, uint64(r)))
				replicates[r] = refit(drawn, theta)
			}
		})
	}
	for r := range replicates {
		next <- r
	}
	close(next)
	wg.Wait()

	low, high = make([]float64, len(theta)), make([]float64, len(theta))
	values := make([]float64, 0, len(replicates))
	tail := (1 - o.level()) / 2
	for i := range theta {
		values = values[:0]
		for _, r := range replicates {
			if !math.IsNaN(r[i]) {
				values = append(values, r[i])
			}
		}
		if len(values) == 0 {
			values = append(values, theta[i])
		}
		slices.Sort(values)
		low[i], high[i] = quantile(values, tail), quantile(values, 1-tail)
	}
	return low, high
}

// draw fills the counts of one multinomial sample, row by row from the
// binomial distribution of what is left.
func draw(rows, drawn []row, source rand.Source) {
	left, share := 0.0, 0.0
	for _, r := range rows {
		left += r.count
	}
	share = left
	for i, r := range rows {
		n := left
		if r.count < share {
			n = distuv.Binomial{N: left, P: r.count / share, Src: source}.Rand()
		}
		if left == 0 {
			n = 0
		}
		drawn[i].count = n
		left -= n
		share -= r.count
	}
}

// refit returns the abilities of a resample, NaN for contestants that it does
// not hold. A group keeps the mean that its members have in theta, so that a
// resample which falls apart does not shift anyone.
func refit(rows []row, theta []float64) []float64 {
	abilities := make([]float64, len(theta))
	for _, g := range split(len(theta), pairUp(rows)) {
		if len(g.pairs) == 0 {
			abilities[g.members[0]] = math.NaN()
			continue
		}
		fitted, _ := g.fit()
		mean := 0.0
		for _, m := range g.members {
			mean += theta[m] / float64(len(g.members))
		}
		for i, m := range g.members {
			abilities[m] = fitted[i] + mean
		}
	}
	return abilities
}

// quantile interpolates linearly between the order statistics, as NumPy and
// pandas do by default.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
