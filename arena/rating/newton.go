package rating

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
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
	// A full step of this size (natural logarithm of the odds) leaves an error
	// of its square, which is beyond what a float holds.
	closeEnough = 1e-8
	// A step below this cannot overshoot: the curvature p(1−p) of no pair changes
	// by more than a quarter on the way.
	surely = 0.1
	// A gradient of this share of all weights is what rounding leaves of it.
	level = 5e-13
)

// solver holds the space that the steps of a fit need, so that a thousand fits
// of one size can share it.
type solver struct {
	k                   int
	h                   []float64 // k×k by rows, upper half
	gradient, step, try []float64
	curve               []float64
	weight              float64 // of all battles
}

func newSolver(k, pairs int) *solver {
	s := &solver{k: k, gradient: make([]float64, k), step: make([]float64, k), try: make([]float64, k), curve: make([]float64, pairs)}
	if k <= denseFit {
		s.h = make([]float64, k*k)
	}
	return s
}

// fit returns the abilities of the group's members as natural logarithms of
// odds with mean 0: the maximum of Σ s·ln σ(d) + (n−s)·ln σ(−d) − ½·ridge·‖θ‖²,
// d = θ_a − θ_b, found by Newton's method with halved steps. converged is false
// where the steps ran out, which only hostile data bring about.
func (g *group) fit() (theta []float64, converged bool) {
	theta = make([]float64, len(g.members))
	copy(theta, g.start)
	return theta, g.improve(theta, newSolver(len(g.members), len(g.pairs)))
}

// improve is fit from abilities that are near already.
func (g *group) improve(theta []float64, w *solver) (converged bool) {
	if len(g.members) < 2 {
		clear(theta)
		return true
	}
	loss := math.NaN() // worked out once it is asked for
	w.weight = 0
	for i := range g.pairs {
		w.weight += g.pairs[i].total()
	}
	for n := range newtonSteps {
		g.slope(theta, w.gradient, w.curve)
		if n > 0 && g.ridge == 0 && largest(w.gradient) <= level*w.weight {
			return true
		}
		if !g.solve(w) {
			return false
		}
		scale := 1.0
		small := largest(w.step) < surely
		if !small && math.IsNaN(loss) {
			loss = g.loss(theta)
		}
		for range 40 {
			for i := range w.try {
				w.try[i] = theta[i] + scale*w.step[i]
			}
			if small {
				loss = math.NaN()
				break
			}
			next := g.loss(w.try)
			// Near the end the loss no longer tells two points apart.
			if next <= loss+1e-12*math.Abs(loss) {
				loss = next
				break
			}
			scale /= 2
		}
		copy(theta, w.try)
		centre(theta)
		moved := scale * largest(w.step) / (1 + largest(theta))
		if scale == 1 && moved < closeEnough || moved < closeEnough*closeEnough {
			return true
		}
	}
	return false
}

// loss is the negative logarithm of the likelihood.
func (g *group) loss(theta []float64) float64 {
	sum := 0.0
	for i := range g.pairs {
		p := &g.pairs[i]
		d := theta[p.a] - theta[p.b]
		n, s := p.total()+g.prior[i], p.score()+g.prior[i]/2
		// softplus(−d) = softplus(d) − d
		sum += n*softplus(d) - s*d
	}
	if g.ridge > 0 {
		for _, v := range theta {
			sum += g.ridge / 2 * v * v
		}
	}
	return sum
}

// slope fills the gradient of the likelihood by member and its curvature
// n·p·(1−p) by pair.
func (g *group) slope(theta, gradient, curve []float64) {
	clear(gradient)
	for i := range g.pairs {
		p := &g.pairs[i]
		q := sigmoid(theta[p.a] - theta[p.b])
		n, s := p.total()+g.prior[i], p.score()+g.prior[i]/2
		gradient[p.a] += s - n*q
		gradient[p.b] -= s - n*q
		// A floor keeps the matrix regular where a pair is decided beyond
		// what a float can hold.
		curve[i] = max(n*q*(1-q), n*1e-15)
	}
	if g.ridge > 0 {
		for i, v := range theta {
			gradient[i] -= g.ridge * v
		}
	}
}

// solve fills w.step with the x of mean 0 for which (H + ridge·I)x is the
// gradient, where H is the Laplacian of the pairs with w's curvatures.
func (g *group) solve(w *solver) bool {
	if w.k > denseFit {
		g.solveSparse(w)
		return true
	}
	k := w.k
	symmetric := blas64.Symmetric{N: k, Stride: k, Data: w.h, Uplo: blas.Upper}
	for lift := 0.0; ; {
		trace := g.matrix(w, lift)
		factor, ok := lapack64.Potrf(symmetric)
		if ok {
			copy(w.step, w.gradient)
			lapack64.Potrs(factor, blas64.General{Rows: k, Cols: 1, Stride: 1, Data: w.step})
			for _, v := range w.step {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return false
				}
			}
			return true
		}
		if !(lift <= trace) {
			return false
		}
		lift = max(10*lift, trace/float64(k)*1e-14)
	}
}

// matrix fills H + (ridge+lift)·I and a multiple of the matrix of ones, which
// leaves solutions of mean 0 as they are and makes H regular.
func (g *group) matrix(w *solver, lift float64) (trace float64) {
	k := w.k
	for _, c := range w.curve {
		trace += 2 * c
	}
	flat := trace / float64(k*k)
	for i := range w.h {
		w.h[i] = flat
	}
	for i := range g.pairs {
		p, c := &g.pairs[i], w.curve[i]
		a, b := int(p.a), int(p.b)
		w.h[a*k+a] += c
		w.h[b*k+b] += c
		w.h[a*k+b] -= c
	}
	for i := range k {
		w.h[i*k+i] += g.ridge + lift
	}
	return trace
}

// factor decomposes H + ridge·I. Without a ridge it adds a multiple of the
// matrix of ones, as matrix does. nil if the matrix is not positive definite in
// floating point.
func (g *group) factor(curve []float64, ridge float64) *mat.Cholesky {
	k := len(g.members)
	h := mat.NewSymDense(k, nil)
	raw := h.RawSymmetric().Data
	trace := 0.0
	for i := range g.pairs {
		a, b, w := int(g.pairs[i].a), int(g.pairs[i].b), curve[i]
		raw[a*k+a] += w
		raw[b*k+b] += w
		raw[a*k+b] -= w
		trace += 2 * w
	}
	if ridge == 0 {
		flat := trace / float64(k*k)
		for i := range k {
			for j := i; j < k; j++ {
				raw[i*k+j] += flat
			}
		}
	}
	var factor mat.Cholesky
	added := 0.0
	for lift := ridge; ; lift = max(10*lift, trace/float64(k)*1e-14) {
		for i := range k {
			raw[i*k+i] += lift - added
		}
		added = lift
		if factor.Factorize(h) {
			return &factor
		}
		if !(lift <= trace) {
			return nil
		}
	}
}

// solveSparse is solve by conjugate gradients with the diagonal as
// preconditioner, for groups too large for a matrix. Well-mixed groups need some
// twenty rounds; a long chain would need as many as it has links, so the rounds
// are limited to keep a whole fit within seconds.
func (g *group) solveSparse(w *solver) {
	k := w.k
	diagonal := g.diagonal(w.curve)
	x, r := w.step, append([]float64(nil), w.gradient...)
	clear(x)
	z, hp := make([]float64, k), make([]float64, k)
	precondition := func() (rz float64) {
		for i := range z {
			z[i] = r[i] / (diagonal[i] + g.ridge)
			rz += r[i] * z[i]
		}
		return rz
	}
	rounds := min(max(3_000_000/len(g.pairs), 20), 1000)
	rz := precondition()
	p := append([]float64(nil), z...)
	for stop, n := rz*1e-24, 0; rz > stop && n < rounds; n++ {
		for i := range hp {
			hp[i] = g.ridge * p[i]
		}
		php := 0.0
		for i, q := range g.pairs {
			f := w.curve[i] * (p[q.a] - p[q.b])
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
