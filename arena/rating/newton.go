package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Matrices serve groups up to these sizes; a fit factors one at each step, the
// intervals two in all. 15,000 contestants would need gigabytes.
const (
	denseFit      = 400
	denseVariance = 1500
)

const (
	newtonSteps = 100
	closeEnough = 1e-11 // of the last step, natural logarithm of the odds
)

// fit returns the abilities of the group's members as natural logarithms of
// odds with mean 0: the maximum of Σ s·ln σ(d) + (n−s)·ln σ(−d), d = θ_a − θ_b,
// found by Newton's method with halved steps. converged is false where the
// steps ran out, which only hostile data bring about.
func (g *group) fit() (theta []float64, converged bool) {
	k := len(g.members)
	theta = make([]float64, k)
	if k < 2 {
		return theta, true
	}
	loss := g.loss(theta)
	gradient, curve := make([]float64, k), make([]float64, len(g.pairs))
	try := make([]float64, k)
	for range newtonSteps {
		g.slope(theta, gradient, curve)
		step := g.solve(curve, gradient)
		if step == nil {
			return theta, false
		}
		scale := 1.0
		for range 40 {
			for i := range try {
				try[i] = theta[i] + scale*step[i]
			}
			next := g.loss(try)
			// Near the end the loss no longer tells two points apart.
			if next <= loss+1e-12*math.Abs(loss) {
				loss = next
				break
			}
			scale /= 2
		}
		theta, try = try, theta
		centre(theta)
		if scale*largest(step) < closeEnough*(1+largest(theta)) {
			return theta, true
		}
	}
	return theta, false
}

// loss is the negative logarithm of the likelihood.
func (g *group) loss(theta []float64) float64 {
	sum := 0.0
	for i, p := range g.pairs {
		d := theta[p.a] - theta[p.b]
		n, s := p.total+g.prior[i], p.score+g.prior[i]/2
		sum += s*softplus(-d) + (n-s)*softplus(d)
	}
	return sum
}

// slope fills the gradient of the likelihood by member and its curvature
// n·p·(1−p) by pair.
func (g *group) slope(theta, gradient, curve []float64) {
	clear(gradient)
	for i, p := range g.pairs {
		q := sigmoid(theta[p.a] - theta[p.b])
		n, s := p.total+g.prior[i], p.score+g.prior[i]/2
		gradient[p.a] += s - n*q
		gradient[p.b] -= s - n*q
		// A floor keeps the matrix regular where a pair is decided beyond
		// what a float can hold.
		curve[i] = max(n*q*(1-q), n*1e-15)
	}
}

// solve returns the x of mean 0 with Hx = y, where H is the Laplacian of the
// pairs with the given curvatures; nil if it cannot be found.
func (g *group) solve(curve, y []float64) []float64 {
	if len(g.members) > denseFit {
		return g.solveSparse(curve, y)
	}
	factor := g.factor(curve, 0)
	if factor == nil {
		return nil
	}
	x := mat.NewVecDense(len(y), nil)
	// A condition warning still comes with the best solution there is.
	_ = factor.SolveVecTo(x, mat.NewVecDense(len(y), y))
	for _, v := range x.RawVector().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	return x.RawVector().Data
}

// factor decomposes H + ridge·I. Without a ridge it adds a multiple of the
// matrix of ones, which leaves solutions of mean 0 as they are and makes H
// regular. nil if the matrix is not positive definite in floating point.
func (g *group) factor(curve []float64, ridge float64) *mat.Cholesky {
	k := len(g.members)
	h := mat.NewSymDense(k, nil)
	trace := 0.0
	for i, p := range g.pairs {
		a, b, w := int(p.a), int(p.b), curve[i]
		h.SetSym(a, a, h.At(a, a)+w)
		h.SetSym(b, b, h.At(b, b)+w)
		h.SetSym(a, b, h.At(a, b)-w)
		trace += 2 * w
	}
	flat := 0.0
	if ridge == 0 {
		flat = trace / float64(k*k)
	}
	var factor mat.Cholesky
	for lift := ridge; ; lift = max(10*lift, trace/float64(k)*1e-14) {
		m := mat.NewSymDense(k, nil)
		for i := range k {
			for j := i; j < k; j++ {
				m.SetSym(i, j, h.At(i, j)+flat)
			}
			m.SetSym(i, i, m.At(i, i)+lift)
		}
		if factor.Factorize(m) {
			return &factor
		}
		if lift > trace {
			return nil
		}
	}
}

// solveSparse is solve by conjugate gradients with the diagonal as
// preconditioner, for groups too large for a matrix. Well-mixed groups need some
// twenty rounds; a long chain would need as many as it has links, so the rounds
// are limited to keep a whole fit within seconds.
func (g *group) solveSparse(curve, y []float64) []float64 {
	k := len(y)
	diagonal := g.diagonal(curve)
	x, r := make([]float64, k), append([]float64(nil), y...)
	z, hp := make([]float64, k), make([]float64, k)
	precondition := func() (rz float64) {
		for i := range z {
			z[i] = r[i] / diagonal[i]
			rz += r[i] * z[i]
		}
		return rz
	}
	rounds := min(max(3_000_000/len(g.pairs), 20), 1000)
	rz := precondition()
	p := append([]float64(nil), z...)
	for stop, n := rz*1e-24, 0; rz > stop && n < rounds; n++ {
		clear(hp)
		php := 0.0
		for i, q := range g.pairs {
			f := curve[i] * (p[q.a] - p[q.b])
			hp[q.a] += f
			hp[q.b] -= f
		}
		for i := range p {
			php += p[i] * hp[i]
		}
		if php <= 0 || math.IsNaN(php) {
			break
		}
		for i := range x {
			x[i] += rz / php * p[i]
			r[i] -= rz / php * hp[i]
		}
		last := rz
		rz = precondition()
		for i := range p {
			p[i] = z[i] + rz/last*p[i]
		}
	}
	centre(x)
	return x
}

// diagonal returns the diagonal of H.
func (g *group) diagonal(curve []float64) []float64 {
	d := make([]float64, len(g.members))
	for i, p := range g.pairs {
		d[p.a] += curve[i]
		d[p.b] += curve[i]
	}
	return d
}

func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// softplus is ln(1+eˣ).
func softplus(x float64) float64 {
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

func centre(x []float64) {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for i := range x {
		x[i] -= mean
	}
}

func largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}
