package rating

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// sideRidge keeps the advantage of a side finite while it is fitted: it moves the
// estimate of a hundred battles by a 25,000th.
const sideRidge = 1e-3

// sideEffect returns γ, the advantage of standing on side A: the logarithm of
// the odds is θ_a − θ_b + γ. It needs no more than the cells, which know the
// sides. Where the battles cannot tell γ, why says so and there is no effect;
// both are empty where there are too many contestants or nothing to tell from.
func sideEffect(b *blend, s *solution, z float64) (e *Effect, why string) {
	k := len(s.theta)
	if k < 2 || k > denseFit {
		return nil, ""
	}
	c := &context{groups: s.groups, k: k, f: 1, abilitiesRidge: b.ridge + b.pull, featuresRidge: sideRidge}
	one := []float64{1}
	for _, p := range b.parts {
		for _, x := range p.cells {
			c.rows = append(c.rows, contextRow{
				a: x.a, b: x.b, y: x.outcome.score(), weight: p.scale * x.sum, square: p.scale * p.scale * x.square, features: one,
			})
		}
	}
	if len(c.rows) == 0 {
		return nil, ""
	}
	if c.fixedSides() {
		return nil, "What standing on side A is worth cannot be told: who met whom always stood on the same sides. Let them change places."
	}
	won, lost := b.bySide()
	switch {
	case won+lost == 0:
		return nil, "What standing on side A is worth cannot be told: no battle was decided."
	case lost == 0:
		return nil, fmt.Sprintf("Side A won every decided battle (%s): what that is worth in points cannot be told.", digits(won))
	case won == 0:
		return nil, fmt.Sprintf("Side B won every decided battle (%s): what that is worth in points cannot be told.", digits(lost))
	}
	theta, beta, converged := c.fit()
	if !converged {
		return nil, ""
	}
	sd := c.spread(theta, beta, c.abilitiesRidge, sideRidge, 0)
	if sd == nil {
		return nil, ""
	}
	x := effect("side A", beta[0], c.sideError(sd[k], theta, beta, won+lost), z)
	return &x, ""
}

// bySide is the weight of the battles that side A won, and that it lost.
func (b *blend) bySide() (won, lost float64) {
	for _, p := range b.parts {
		for i := range p.cells {
			switch x := &p.cells[i]; x.outcome {
			case Win:
				won += x.sum
			case Loss:
				lost += x.sum
			}
		}
	}
	return won, lost
}

// fixedSides tells whether abilities alone can say all that a side could: there
// are h with h_a − h_b = 1 for every two that met, a on side A, as where each pair
// always stood on the same sides. Such battles cannot tell γ from abilities.
func (c *context) fixedSides() bool {
	type edge struct {
		to   int32
		step float64
	}
	next := make([][]edge, c.k)
	for i := range c.rows {
		r := &c.rows[i]
		next[r.a] = append(next[r.a], edge{r.b, -1})
		next[r.b] = append(next[r.b], edge{r.a, 1})
	}
	h := make([]float64, c.k)
	seen := make([]bool, c.k)
	for start := range int32(c.k) {
		if seen[start] {
			continue
		}
		seen[start] = true
		for queue := []int32{start}; len(queue) > 0; {
			at := queue[0]
			queue = queue[1:]
			for _, e := range next[at] {
				switch {
				case !seen[e.to]:
					seen[e.to], h[e.to] = true, h[at]+e.step
					queue = append(queue, e.to)
				case h[e.to] != h[at]+e.step:
					return false
				}
			}
		}
	}
	return true
}

// sideError is the standard error of γ: the sandwich's, but where few battles
// were decided, or what is left over is next to nothing, no less than the one
// that the model itself expects. A sandwich measures what is left over, and a fit
// that leaves nothing over is no proof.
func (c *context) sideError(sandwich float64, theta, beta []float64, decided float64) float64 {
	x := append(append(make([]float64, 0, c.k+c.f), theta...), beta...)
	h, _ := c.slopes(x, c.abilitiesRidge, c.featuresRidge)
	factor := firm(h)
	if factor == nil {
		return sandwich
	}
	axis, column := mat.NewVecDense(c.k+c.f, nil), new(mat.VecDense)
	axis.SetVec(c.k, 1)
	if !solved(factor, column, axis) {
		return sandwich
	}
	expected := math.Sqrt(min(max(column.AtVec(c.k), 0), 1e6))
	if decided < fewBattles || sandwich < expected/2 {
		return max(sandwich, expected)
	}
	return sandwich
}
