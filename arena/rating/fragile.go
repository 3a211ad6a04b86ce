package rating

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Fragility is how few battles carry the first place.
type Fragility struct {
	Leader string `json:"leader"`
	Rival  string `json:"rival"`
	// Battles is the number of battles without which the rival would lead. It
	// was found by search and proved by a fit without them, so fewer may do.
	Battles int     `json:"battles"`
	Share   float64 `json:"share"` // of all battles
}

// Few tells whether so few battles carry the first place that a board warns.
func (f *Fragility) Few() bool { return f.Battles <= 10 || f.Share <= fragileShare }

const (
	// fragileShare is the share of battles below which a first place is called
	// carried by few.
	fragileShare = 0.05

	rivals       = 3  // how many of those behind the leader are tried
	fragileSteps = 12 // refits on the way to a first flip
)

// fragility looks for the fewest battles whose absence would change the first
// place of a group: by the influence of each kind of battle on the leader's
// distance, −cᵀH⁻¹s with s the score of one battle (the method of Broderick,
// Giordano and Meager 2020, arXiv 2011.14999), greedily, with exact refits. nil
// where there is no such place.
func (b *blend) fragility(names []string, s *solution) *Fragility {
	if len(s.groups) == 0 || b.contestants > denseFit || len(b.parts) == 0 || b.reweighted || s.model.hasTies() {
		return nil
	}
	g := s.groups[0]
	if len(g.members) < 2 || g.classes > 1 || len(s.groups) > 1 && len(s.groups[1].members) > 1 {
		return nil
	}
	total := 0.0
	for _, p := range b.parts {
		for i := range p.cells {
			total += p.cells[i].count
		}
	}
	order := slices.Clone(g.members)
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(-cmp.Compare(s.theta[x], s.theta[y]), cmp.Compare(names[x], names[y]))
	})
	if s.theta[order[0]]-s.theta[order[1]] < 1e-9 {
		return nil // they share it
	}
	var least *Fragility
	for _, rival := range order[1:min(1+rivals, len(order))] {
		h := &hunt{b: b, g: g, base: s.theta, leader: order[0], rival: rival, most: math.Floor(total / 2)}
		if least != nil {
			h.most = float64(least.Battles - 1)
		}
		if k, ok := h.fewest(); ok {
			least = &Fragility{Leader: names[order[0]], Rival: names[rival], Battles: int(k), Share: k / total}
		}
	}
	return least
}

// hunt looks for battles that keep a rival behind a leader.
type hunt struct {
	b             *blend
	g             *group
	base          []float64
	leader, rival int32
	most          float64  // battles that may be taken
	cells         [][]cell // by part
	pairs         []pair
	theta         []float64
	solver        *solver
}

// take is how many battles of a cell to leave out.
type take struct {
	part, cell int
	count      float64
}

// fewest returns the number of battles whose absence puts the rival first.
func (h *hunt) fewest() (k float64, found bool) {
	for _, p := range h.b.parts {
		h.cells = append(h.cells, slices.Clone(p.cells))
	}
	h.pairs = slices.Clone(h.b.pairs)
	h.theta = make([]float64, len(h.g.members))
	for i, m := range h.g.members {
		h.theta[i] = h.base[m]
	}
	h.solver = newSolver(len(h.g.members), len(h.pairs))
	for range fragileSteps {
		takes, n := h.plan(h.most - k)
		if n == 0 {
			return 0, false
		}
		before := make([][]cell, len(h.cells))
		for i := range before {
			before[i] = slices.Clone(h.cells[i])
		}
		if h.without(before, takes, n) {
			low, high := 0.0, n // flips at high, not at low
			for high-low > 1 {
				mid := math.Floor((low + high) / 2)
				if h.without(before, takes, mid) {
					high = mid
				} else {
					low = mid
				}
			}
			return k + high, true
		}
		k += n
	}
	return 0, false
}

// without refits with the first n battles of the takes left out and tells
// whether the rival leads.
func (h *hunt) without(before [][]cell, takes []take, n float64) bool {
	for i := range before {
		copy(h.cells[i], before[i])
	}
	for _, t := range takes {
		c := &h.cells[t.part][t.cell]
		out := min(t.count, n)
		share := 1 - out/c.count
		c.count, c.sum, c.square = c.count-out, c.sum*share, c.square*share
		if n -= out; n <= 0 {
			break
		}
	}
	h.b.fold(h.cells, h.pairs)
	at := func(m int32) int { i, _ := slices.BinarySearch(h.g.members, m); return i }
	g := h.refitted()
	// Equality is no lead, and rounding none either.
	return g != nil && h.theta[at(h.rival)] > h.theta[at(h.leader)]+1e-9
}

// refitted fits the pairs as they are; nil where the members have fallen apart.
func (h *hunt) refitted() *group {
	met := make([]pair, 0, len(h.pairs))
	for _, p := range h.pairs {
		if p.total() > 0 {
			met = append(met, p)
		}
	}
	g := h.b.split(met)[0]
	if len(g.members) != len(h.g.members) || g.classes > 1 {
		return nil
	}
	if !g.improve(h.theta, newSolver(len(g.members), len(g.pairs))) {
		return nil
	}
	return g
}

// plan returns the battles to leave out by the influences at the present fit,
// as many as should close the distance, but no more than most.
func (h *hunt) plan(most float64) (takes []take, n float64) {
	g := h.refitted()
	if g == nil || most < 1 {
		return nil, 0
	}
	pull, gap := h.pulls(g)
	if pull == nil {
		return nil, 0
	}
	type kind struct {
		part, cell int
		gain       float64
	}
	var kinds []kind
	for n := range h.cells {
		for i := range h.cells[n] {
			if c := &h.cells[n][i]; c.count >= 1 {
				if v := pull(c) * h.b.parts[n].scale * c.sum / c.count; v > 0 {
					kinds = append(kinds, kind{n, i, v})
				}
			}
		}
	}
	slices.SortStableFunc(kinds, func(x, y kind) int { return -cmp.Compare(x.gain, y.gain) })
	for _, k := range kinds {
		c := &h.cells[k.part][k.cell]
		// One more than predicted, as the last step must lead past equality.
		count := min(math.Floor(c.count), most-n, math.Floor(max(gap, 0)/k.gain)+1)
		if count < 1 {
			break
		}
		takes = append(takes, take{k.part, k.cell, count})
		n += count
		if gap -= count * k.gain; gap < 0 {
			break
		}
	}
	return takes, n
}

// pulls returns how much a battle of weight 1 holds the leader before the rival,
// by cell, and the distance between the two.
func (h *hunt) pulls(g *group) (pull func(*cell) float64, gap float64) {
	k := len(g.members)
	place := make(map[int32]int, k)
	for i, m := range g.members {
		place[m] = i
	}
	l, r := place[h.leader], place[h.rival]
	w := newSolver(k, len(g.pairs))
	g.slope(h.theta, w.gradient, w.curve)
	factor := g.factor(w.curve, g.ridge)
	if factor == nil {
		return nil, 0
	}
	c := mat.NewVecDense(k, nil)
	c.SetVec(l, 1)
	c.SetVec(r, -1)
	var x mat.VecDense
	if !solved(factor, &x, c) {
		return nil, 0
	}
	theta := h.theta
	return func(c *cell) float64 {
		a, okA := place[c.a]
		b, okB := place[c.b]
		if !okA || !okB {
			return 0
		}
		return (c.outcome.score() - sigmoid(theta[a]-theta[b])) * (x.AtVec(a) - x.AtVec(b))
	}, theta[l] - theta[r]
}
