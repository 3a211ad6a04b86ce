package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// contextRow is a battle, or many alike, with what stood beside it.
type contextRow struct {
	a, b     int32
	y        float64 // A's share of the point
	weight   float64
	square   float64   // Σ of the squared weights
	features []float64 // A's side against B's; the mean of a row of many
	// scatter is the mean product of the deviations from features, the upper half
	// by rows; nil is none.
	scatter []float64
}

// context is Bradley–Terry with features: the logarithm of the odds is
// θ_a − θ_b + f·β (arena-rank's contextual model; FastChat's style control). It
// is fitted by Newton's method over all rows.
type context struct {
	rows           []contextRow
	groups         []*group // the contestants, with the ties added to each
	k, f           int
	battles        float64
	abilitiesRidge float64 // ½·ridge·‖θ‖², FastChat alone
	featuresRidge  float64 // ½·ridge·‖β‖²
}

// fit returns abilities, of mean 0 in each group, and coefficients.
func (c *context) fit() (theta, beta []float64, converged bool) {
	n := c.k + c.f
	x, try := make([]float64, n), make([]float64, n)
	loss := c.loss(x)
	for range newtonSteps {
		h, y := c.slopes(x, c.abilitiesRidge, c.featuresRidge)
		factor := firm(h)
		var step mat.VecDense
		if factor == nil || !solved(factor, &step, y) {
			return x[:c.k], x[c.k:], false
		}
		scale := 1.0
		for range 40 {
			for i := range try {
				try[i] = x[i] + scale*step.AtVec(i)
			}
			next := c.loss(try)
			if next <= loss+1e-12*math.Abs(loss) {
				loss = next
				break
			}
			scale /= 2
		}
		copy(x, try)
		moved := scale * largest(step.RawVector().Data) / (1 + largest(x))
		if scale == 1 && moved < closeEnough || moved < closeEnough*closeEnough {
			converged = true
			break
		}
	}
	for _, g := range c.groups {
		centreOf(x, g.members)
	}
	return x[:c.k], x[c.k:], converged
}

func centreOf(x []float64, members []int32) {
	mean := 0.0
	for _, m := range members {
		mean += x[m] / float64(len(members))
	}
	for _, m := range members {
		x[m] -= mean
	}
}

func (c *context) logit(r *contextRow, x []float64) float64 {
	d := x[r.a] - x[r.b]
	for i, v := range r.features {
		d += v * x[c.k+i]
	}
	return d
}

// priors calls do with the ties that were added to keep abilities finite.
func (c *context) priors(do func(*contextRow)) {
	for _, g := range c.groups {
		for i, n := range g.prior {
			if n > 0 {
				do(&contextRow{a: g.members[g.pairs[i].a], b: g.members[g.pairs[i].b], y: 0.5, weight: n})
			}
		}
	}
}

func (c *context) loss(x []float64) (sum float64) {
	one := func(r *contextRow) {
		d := c.logit(r, x)
		sum += r.weight * (softplus(d) - r.y*d)
		if r.scatter != nil {
			// The second term of the series about the row's mean.
			q := sigmoid(d)
			spread, _ := r.within(x[c.k:], nil)
			sum += r.weight / 2 * q * (1 - q) * spread
		}
	}
	for i := range c.rows {
		one(&c.rows[i])
	}
	c.priors(one)
	for i, v := range x {
		sum += c.ridge(i) / 2 * v * v
	}
	return sum
}

func (c *context) ridge(i int) float64 {
	if i < c.k {
		return c.abilitiesRidge
	}
	return c.featuresRidge
}

// slopes returns the negative second derivatives of the likelihood, with a
// multiple of ones for each group of contestants (see group.matrix), and its
// gradient.
func (c *context) slopes(x []float64, abilitiesRidge, featuresRidge float64) (*mat.SymDense, *mat.VecDense) {
	n := c.k + c.f
	h, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	raw, up := h.RawSymmetric().Data, y.RawVector().Data
	space := make([]float64, c.f)
	one := func(r *contextRow) {
		q := sigmoid(c.logit(r, x))
		e, w := r.weight*(r.y-q), max(r.weight*q*(1-q), r.weight*1e-15)
		c.spreadOut(raw, r, w)
		if r.scatter != nil {
			spread, by := r.within(x[c.k:], space)
			e -= w / 2 * (1 - 2*q) * spread
			for i, v := range by {
				up[c.k+i] -= w * v
			}
		}
		up[r.a] += e
		up[r.b] -= e
		for i, v := range r.features {
			up[c.k+i] += e * v
		}
	}
	for i := range c.rows {
		one(&c.rows[i])
	}
	c.priors(one)
	for i := range n {
		ridge := abilitiesRidge
		if i >= c.k {
			ridge = featuresRidge
		}
		raw[i*n+i] += ridge
		up[i] -= c.ridge(i) * x[i]
	}
	for _, g := range c.groups {
		trace := 0.0
		for _, m := range g.members {
			trace += raw[int(m)*n+int(m)]
		}
		flat := trace / float64(len(g.members)*len(g.members))
		if len(g.members) == 1 {
			flat = 1
		}
		for i, a := range g.members {
			for _, b := range g.members[i:] {
				raw[int(a)*n+int(b)] += flat
			}
		}
	}
	return h, y
}

// spreadOut adds w·xxᵀ to the upper half of a matrix, x = (e_a − e_b, f).
func (c *context) spreadOut(raw []float64, r *contextRow, w float64) {
	n := c.k + c.f
	a, b := int(r.a), int(r.b)
	raw[a*n+a] += w
	raw[b*n+b] += w
	raw[min(a, b)*n+max(a, b)] -= w
	for i, v := range r.features {
		raw[a*n+c.k+i] += w * v
		raw[b*n+c.k+i] -= w * v
		for j := i; j < len(r.features); j++ {
			raw[(c.k+i)*n+c.k+j] += w * v * r.features[j]
		}
	}
	if r.scatter == nil {
		return
	}
	at := 0
	for i := range c.f {
		for j := i; j < c.f; j++ {
			raw[(c.k+i)*n+c.k+j] += w * r.scatter[at]
			at++
		}
	}
}

// within returns βᵀSβ of the row's scatter S and, where there is space for it,
// Sβ.
func (r *contextRow) within(beta, space []float64) (spread float64, by []float64) {
	clear(space)
	at := 0
	for i := range beta {
		for j := i; j < len(beta); j++ {
			v := r.scatter[at]
			at++
			if i == j {
				spread += v * beta[i] * beta[i]
			} else {
				spread += 2 * v * beta[i] * beta[j]
			}
			if space != nil {
				space[i] += v * beta[j]
				if i != j {
					space[j] += v * beta[i]
				}
			}
		}
	}
	return spread, space
}

// spread returns the standard errors of abilities and coefficients from the
// sandwich variance H⁻¹GH⁻¹, whose H has the ridges on its diagonal; nil where H
// cannot be inverted. A ridge in the loss leaves the scores a sum, of which off
// times the outer product is taken from G: one by their number makes G a
// variance about the mean, arena-rank takes one by its square.
func (c *context) spread(theta, beta []float64, abilitiesRidge, featuresRidge, off float64) []float64 {
	n := c.k + c.f
	x := append(append(make([]float64, 0, n), theta...), beta...)
	h, _ := c.slopes(x, abilitiesRidge, featuresRidge)
	factor := firm(h)
	if factor == nil {
		return nil
	}
	var inverse mat.SymDense
	_ = factor.InverseTo(&inverse)
	g, sum := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	up := sum.RawVector().Data
	for i := range c.rows {
		r := &c.rows[i]
		e := r.y - sigmoid(c.logit(r, x))
		c.spreadOut(g.RawSymmetric().Data, r, r.square*e*e)
		up[r.a] += r.weight * e
		up[r.b] -= r.weight * e
		for j, v := range r.features {
			up[c.k+j] += r.weight * e * v
		}
	}
	g.SymRankOne(g, -off, sum)
	var left mat.Dense
	left.Mul(&inverse, g)
	sd := make([]float64, n)
	for i := range sd {
		v := 0.0
		for j := range n {
			v += left.At(i, j) * inverse.At(j, i)
		}
		sd[i] = math.Sqrt(min(max(v, 0), 1e6))
	}
	return sd
}

// Effect is what a feature is worth.
type Effect struct {
	Name string `json:"name"`
	// Points is the worth of one standard deviation of the feature, or of
	// standing on side A, in Elo points; Low and High are its interval.
	Points float64 `json:"points"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	// Coefficient is the same in natural logarithms of odds.
	Coefficient float64 `json:"coefficient"`
}

func effect(name string, beta, sd, z float64) Effect {
	return Effect{Name: name, Points: points * beta, Low: points * (beta - z*sd), High: points * (beta + z*sd), Coefficient: beta}
}
