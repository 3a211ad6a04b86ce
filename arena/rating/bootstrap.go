package rating

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// resample returns the interval of each ability over o.Bootstrap resamples of
// the battles. Each resample draws as many battles as there are, by kind, from a
// generator seeded by its own number, so that the result depends on o.Seed
// alone and not on the number of processors.
func (b *blend) resample(whole *solution, o Options) (low, high []float64) {
	replicates := make([][]float64, o.Bootstrap)
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), o.Bootstrap) {
		wg.Go(func() {
			w := b.newResampler(whole, o.Model)
			for r := range next {
				w.draw(rand.New(rand.NewPCG(o.Seed, uint64(r))))
				replicates[r] = w.refit()
			}
		})
	}
	for r := range replicates {
		next <- r
	}
	close(next)
	wg.Wait()

	low, high = make([]float64, b.contestants), make([]float64, b.contestants)
	values := make([]float64, 0, len(replicates))
	tail := (1 - o.level()) / 2
	for i := range low {
		values = values[:0]
		for _, r := range replicates {
			if !math.IsNaN(r[i]) {
				values = append(values, r[i])
			}
		}
		if len(values) == 0 {
			values = append(values, whole.theta[i])
		}
		slices.Sort(values)
		low[i], high[i] = quantile(values, tail), quantile(values, 1-tail)
	}
	return low, high
}

// resampler draws and fits resamples, one after the other, in space of its own.
type resampler struct {
	b      *blend
	whole  *solution
	model  Model
	cells  [][]cell
	pairs  []pair
	solver *solver
	same   *group // all contestants as one class, nil where they are not
	reach  *reach
}

func (b *blend) newResampler(whole *solution, model Model) *resampler {
	w := &resampler{b: b, whole: whole, model: model, pairs: slices.Clone(b.pairs)}
	for _, p := range b.parts {
		w.cells = append(w.cells, slices.Clone(p.cells))
	}
	if len(whole.groups) == 1 && whole.groups[0].classes == 1 && b.contestants <= denseFit {
		g := *whole.groups[0]
		g.pairs = w.pairs // positions and numbers are the same where all are members
		w.same = &g
		w.solver = newSolver(b.contestants, len(w.pairs))
		w.reach = newReach(b.contestants)
	}
	return w
}

// draw fills the pairs with one multinomial sample, kind by kind from the
// binomial distribution of what is left. Where the battles of a kind weigh
// differently, their sum is drawn from the normal distribution of its mean and
// variance.
func (w *resampler) draw(random *rand.Rand) {
	for i, p := range w.b.parts {
		left := 0.0
		for n := range p.cells {
			left += p.cells[n].count
		}
		share := left
		for n := range p.cells {
			from, to := &p.cells[n], &w.cells[i][n]
			hits := left
			if from.count < share {
				hits = binomial(left, from.count/share, random)
			}
			to.count = hits
			mean, square := from.sum/from.count, from.square/from.count
			to.sum, to.square = hits*mean, hits*square
			if spread := square - mean*mean; spread > 1e-9*square && hits > 0 {
				to.sum = max(to.sum+math.Sqrt(hits*spread)*random.NormFloat64(), to.sum/2)
			}
			left -= hits
			share -= from.count
		}
	}
	w.b.fold(w.cells, w.pairs)
}

// refit returns the abilities of a resample, NaN for contestants that it does
// not hold. A group keeps the mean that its members have in the whole, so that a
// resample which falls apart does not shift anyone.
func (w *resampler) refit() []float64 {
	abilities := make([]float64, w.b.contestants)
	if w.same != nil && w.reach.all(w.pairs, !w.model.hasTies()) {
		copy(abilities, w.whole.theta)
		w.model.improve(w.same, abilities, w.whole.ties[0], w.solver)
		return abilities
	}
	met := make([]pair, 0, len(w.pairs))
	for _, p := range w.pairs {
		if p.total() > 0 {
			met = append(met, p)
		}
	}
	for _, g := range w.b.split(met) {
		if len(g.pairs) == 0 {
			abilities[g.members[0]] = math.NaN()
			continue
		}
		fitted, _, _ := w.model.fit(g)
		mean := 0.0
		for _, m := range g.members {
			mean += w.whole.theta[m] / float64(len(g.members))
		}
		for i, m := range g.members {
			abilities[m] = fitted[i] + mean
		}
	}
	return abilities
}

// reach tells whether points went round among all contestants, with a bit for
// each two of them.
type reach struct {
	k, words   int
	took, gave []uint64
	seen       []uint64
	stack      []int32
}

func newReach(k int) *reach {
	words := (k + 63) / 64
	return &reach{k: k, words: words, took: make([]uint64, k*words), gave: make([]uint64, k*words), seen: make([]uint64, words)}
}

// all tells whether each contestant can be reached from each other one along
// points taken: whether the pairs have a finite maximum (see group.class).
// Ties are ways both ways only where they are asked for.
func (r *reach) all(pairs []pair, ties bool) bool {
	clear(r.took)
	clear(r.gave)
	edge := func(from, to int32) {
		r.took[int(from)*r.words+int(to)/64] |= 1 << (to % 64)
		r.gave[int(to)*r.words+int(from)/64] |= 1 << (from % 64)
	}
	for i := range pairs {
		p := &pairs[i]
		if p.sum[wonByA] > 0 || ties && p.sum[shared] > 0 {
			edge(p.a, p.b)
		}
		if p.sum[wonByB] > 0 || ties && p.sum[shared] > 0 {
			edge(p.b, p.a)
		}
	}
	return r.from(r.took) == r.k && r.from(r.gave) == r.k
}

// from counts what can be reached from the first contestant.
func (r *reach) from(edges []uint64) int {
	clear(r.seen)
	r.seen[0] = 1
	r.stack = append(r.stack[:0], 0)
	n := 0
	for len(r.stack) > 0 {
		at := int(r.stack[len(r.stack)-1])
		r.stack = r.stack[:len(r.stack)-1]
		n++
		for i := range r.words {
			fresh := edges[at*r.words+i] &^ r.seen[i]
			r.seen[i] |= fresh
			for ; fresh != 0; fresh &= fresh - 1 {
				r.stack = append(r.stack, int32(64*i+bits.TrailingZeros64(fresh)))
			}
		}
	}
	return n
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
