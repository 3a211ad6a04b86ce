package rating

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Model is how a fit takes ties.
type Model string

// The models. The zero value is BradleyTerry.
const (
	// BradleyTerry takes a tie as half a win for either side.
	BradleyTerry Model = "bt"
	// Davidson gives P(A):P(B):P(tie) = e^(d/2):e^(−d/2):ν (Davidson 1970,
	// JASA 65).
	Davidson Model = "davidson"
	// RaoKupper gives P(A) = σ(d−η), P(B) = σ(−d−η) and the rest to the tie: a
	// difference below a threshold is not seen (Rao and Kupper 1967, JASA 62).
	RaoKupper Model = "rao-kupper"
)

// ParseModel reads the word of a model; an unknown word is an error that lists
// the known ones. The empty word is BradleyTerry.
func ParseModel(word string) (Model, error) {
	switch m := Model(word); m {
	case "", BradleyTerry:
		return BradleyTerry, nil
	case Davidson, RaoKupper:
		return m, nil
	}
	return "", fmt.Errorf("%q is no model of ties; choose bt, davidson or rao-kupper", word)
}

// TieParameter is what a tie model says about ties.
type TieParameter struct {
	// Name is "nu" of Davidson, whose ties have the odds ν:2 between equals, or
	// "eta" of RaoKupper, the threshold in natural logarithms of odds.
	Name      string  `json:"name"`
	Value     float64 `json:"value"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	TieChance float64 `json:"tie_chance"` // between equals, 0 to 1
}

func (m Model) hasTies() bool { return m == Davidson || m == RaoKupper }

// parameter tells the inner parameter t of a group, which is ln ν or η.
func (m Model) parameter(t, sd, z float64) *TieParameter {
	if m == Davidson {
		nu := math.Exp(t)
		return &TieParameter{Name: "nu", Value: nu, Low: math.Exp(t - z*sd), High: math.Exp(min(t+z*sd, 300)), TieChance: nu / (2 + nu)}
	}
	chance := 0.0
	if t > 0 {
		chance = 1 - 2*sigmoid(-t)
	}
	return &TieParameter{Name: "eta", Value: t, Low: max(t-z*sd, 0), High: t + z*sd, TieChance: chance}
}

// without is the inner parameter where nothing was tied.
func (m Model) without() float64 {
	if m == Davidson {
		return math.Inf(-1)
	}
	return 0
}

// fit returns the abilities of the group's members with mean 0 and the inner
// parameter of the tie model. Groups too large for a matrix get Bradley–Terry
// and converged false.
func (m Model) fit(g *group) (theta []float64, t float64, converged bool) {
	if !m.hasTies() {
		theta, converged = g.fit()
		return theta, 0, converged
	}
	t = m.without()
	if len(g.members) < 2 {
		return make([]float64, len(g.members)), t, true
	}
	if len(g.members) > denseVariance {
		theta, _ = g.fit()
		return theta, t, false
	}
	g.needDecisions()
	some := tied(g) > 0
	if some && g.start != nil && g.startModel == m && g.startTie > m.without() {
		theta, t = append([]float64(nil), g.start...), g.startTie
		if m.climb(g, theta, &t) {
			return theta, t, true
		}
	}
	theta, converged = g.fit()
	if !some {
		return theta, m.without(), converged
	}
	t = math.Log(0.7)
	if m == RaoKupper {
		t = 0.5
	}
	return theta, t, m.climb(g, theta, &t)
}

// improve is fit from parameters that are near already, for groups that are one
// class.
func (m Model) improve(g *group, theta []float64, t float64, w *solver) {
	if m.hasTies() && tied(g) > 0 && t > m.without() {
		m.climb(g, theta, &t)
		return
	}
	g.improve(theta, w)
}

func tied(g *group) (weight float64) {
	for i := range g.pairs {
		weight += g.pairs[i].sum[shared]
	}
	return weight
}

// needDecisions adds one battle, half won and half lost, spread over the pairs
// of a group in which wins alone never went round: there ties could be made
// ever more likely and the abilities moved apart without end.
func (g *group) needDecisions() {
	decided := &group{members: g.members, pairs: append([]pair(nil), g.pairs...)}
	total := 0.0
	for i := range decided.pairs {
		total += g.pairs[i].total()
		decided.pairs[i].square[shared], decided.pairs[i].sum[shared] = 0, 0
		if g.prior[i] > 0 {
			return
		}
	}
	if decided.classify(); decided.classes < len(g.members) {
		return
	}
	for i := range g.pairs {
		g.prior[i] = g.pairs[i].total() / total
	}
}

// sums returns the weights of a pair's ends with what the fit adds.
func (g *group) sums(i int) (won, lost, tied float64) {
	p := &g.pairs[i]
	return p.sum[wonByA] + g.prior[i]/2, p.sum[wonByB] + g.prior[i]/2, p.sum[shared]
}

// climb moves theta and t to the maximum of the likelihood by Newton's method
// with halved steps.
func (m Model) climb(g *group, theta []float64, t *float64) (converged bool) {
	k := len(theta)
	g.top = nil
	now, next := newTieSlopes(k), newTieSlopes(k)
	now.slopesOnly = true
	now.fill(m, g, theta, *t)
	try := make([]float64, k)
	for range newtonSteps {
		step := now.solve()
		if step == nil {
			return false
		}
		scale := 1.0
		small := largest(step) < surely && math.Abs(step[k]) < surely*math.Abs(*t)
		if !small && now.slopesOnly {
			now.slopesOnly = false
			now.fill(m, g, theta, *t)
		}
		next.slopesOnly = small
		for range 40 {
			for i := range try {
				try[i] = theta[i] - scale*step[i]
			}
			next.fill(m, g, try, *t-scale*step[k])
			if small || next.loss <= now.loss+1e-12*math.Abs(now.loss) {
				break
			}
			scale /= 2
		}
		copy(theta, try)
		centre(theta)
		*t -= scale * step[k]
		moved := scale * largest(step) / (1 + largest(theta))
		if scale == 1 && moved < closeEnough || moved < closeEnough*closeEnough || largest(next.down) <= level*next.weight {
			g.top = next
			return true
		}
		now, next = next, now
	}
	return false
}

// solved solves for x and tells whether it is finite.
func solved(factor *mat.Cholesky, x *mat.VecDense, y *mat.VecDense) bool {
	// A condition warning still comes with the best solution there is.
	_ = factor.SolveVecTo(x, y)
	for _, v := range x.RawVector().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// tieSlopes holds the loss of a group at one point with its first and second
// derivatives by abilities and inner parameter.
type tieSlopes struct {
	n        int
	loss     float64
	h, down  []float64 // upper half by rows; the gradient
	trace    float64   // Σ of the abilities' diagonal
	chances  [][3]float64
	diagonal []float64 // of the abilities, before anything is added
	flat     float64   // what lift added to all abilities
	weight   float64   // of all battles
	// slopesOnly leaves the loss out, which small steps do not need.
	slopesOnly bool
	powers     []float64 // see ends.powers
}

func newTieSlopes(k int) *tieSlopes {
	return &tieSlopes{n: k + 1, h: make([]float64, (k+1)*(k+1)), down: make([]float64, k+1), diagonal: make([]float64, k)}
}

// fill works out all at a point, with a multiple of the matrix of ones on the
// abilities (see group.matrix).
func (x *tieSlopes) fill(m Model, g *group, theta []float64, t float64) {
	n, k := x.n, x.n-1
	clear(x.h)
	clear(x.down)
	x.loss, x.trace, x.weight = 0, 0, 0
	if x.chances == nil {
		x.chances = make([][3]float64, len(g.pairs))
	}
	e := m.ends(t)
	if x.slopesOnly && x.powers == nil {
		x.powers = make([]float64, k)
	}
	quick := x.slopesOnly && e.powers(theta, x.powers)
	for i := range g.pairs {
		p := &g.pairs[i]
		a, b := int(p.a), int(p.b)
		won, lost, tied := g.sums(i)
		var s slopes
		if quick {
			s, x.chances[i] = e.quick(x.powers[a]/x.powers[b], won, lost, tied)
		} else {
			var loss float64
			loss, s, x.chances[i] = e.loss(theta[a]-theta[b], won, lost, tied)
			x.loss += loss
		}
		x.weight += won + lost + tied
		x.down[a] += s.d
		x.down[b] -= s.d
		x.down[k] += s.t
		s.dd = max(s.dd, (won+lost+tied)*1e-15)
		x.h[a*n+a] += s.dd
		x.h[b*n+b] += s.dd
		x.h[a*n+b] -= s.dd
		x.h[a*n+k] += s.dt
		x.h[b*n+k] -= s.dt
		x.h[k*n+k] += s.tt
		x.trace += 2 * s.dd
	}
	for i := range k {
		x.diagonal[i] = x.h[i*n+i]
	}
	x.flat = x.trace / float64(k*k)
	x.level(x.flat)
	x.h[k*n+k] = max(x.h[k*n+k], 1e-12)
}

// level adds the same to each two abilities.
func (x *tieSlopes) level(by float64) {
	n, k := x.n, x.n-1
	for i := range k {
		row := x.h[i*n : i*n+k]
		for j := i; j < k; j++ {
			row[j] += by
		}
	}
}

// solve returns H⁻¹ times the gradient, nil where there is none; it leaves H
// decomposed.
func (x *tieSlopes) solve() []float64 {
	keep := append([]float64(nil), x.h...)
	factor, ok := lapack64.Potrf(blas64.Symmetric{N: x.n, Stride: x.n, Data: x.h, Uplo: blas.Upper})
	if !ok {
		lifted := firm(mat.NewSymDense(x.n, keep))
		var step mat.VecDense
		if lifted == nil || !solved(lifted, &step, mat.NewVecDense(x.n, x.down)) {
			return nil
		}
		return step.RawVector().Data
	}
	step := append([]float64(nil), x.down...)
	lapack64.Potrs(factor, blas64.General{Rows: x.n, Cols: 1, Stride: 1, Data: step})
	for _, v := range step {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	return step
}

// firm decomposes a matrix, lifted on its diagonal as far as it needs; nil where
// nothing helps.
func firm(h *mat.SymDense) *mat.Cholesky {
	n := h.SymmetricDim()
	most := 0.0
	for i := range n {
		most = max(most, h.At(i, i))
	}
	var factor mat.Cholesky
	for lift := most * 1e-14; lift <= most && most > 0; lift *= 10 {
		if factor.Factorize(h) {
			return &factor
		}
		for i := range n {
			h.SetSym(i, i, h.At(i, i)+lift)
		}
	}
	return nil
}

// spread returns the standard errors of abilities and of t from the sandwich
// variance over (θ, t), with group.spread's ridge and its rule for the silent.
func (m Model) spread(g *group, theta []float64, t float64) (sd []float64, tieSD float64, silent []bool) {
	k := len(theta)
	if k < 2 || k > denseVariance || t <= m.without() {
		sd, silent = g.spread(theta)
		return sd, 0, silent
	}
	x := g.top
	if x == nil {
		x = newTieSlopes(k)
		x.fill(m, g, theta, t)
	}
	least := slices.Min(x.diagonal)
	moments := m.moments(g, x, t)
	silent, some := g.uniform(), false
	main := g.mainClass()
	for i := range silent {
		silent[i] = silent[i] || g.class[i] != main
		some = some || silent[i]
	}
	x.level(-x.flat)
	for i := range k {
		x.h[i*x.n+i] = x.diagonal[i] + min(g.epsilon, 0.1*least)
	}
	factor := firm(mat.NewSymDense(k+1, x.h))
	if factor == nil {
		sd, silent = g.spread(theta)
		return sd, 0, silent
	}
	var h mat.SymDense
	_ = factor.InverseTo(&h)
	variance := sandwiched(&h, g.pairs, moments)
	inverse := m.inverse(g, theta, t, some)
	sd = make([]float64, k)
	for i := range sd {
		v := variance[i]
		if silent[i] || math.IsNaN(v) {
			v = max(v, inverse(i))
		}
		sd[i] = math.Sqrt(min(max(v, 0), 1e6))
	}
	return sd, math.Sqrt(min(max(variance[k], 0), 1e4)), silent
}

// moments is Σ w²·sᵢsⱼ of the three ends' scores by d and t, by pair, the mixed
// one twice.
func (m Model) moments(g *group, x *tieSlopes, t float64) [][3]float64 {
	squares, e := make([][3]float64, len(g.pairs)), m.ends(t)
	for i := range g.pairs {
		q := &squares[i]
		for kind, s := range e.scores(x.chances[i]) {
			w := g.pairs[i].square[kind]
			q[0] += w * s[0] * s[0]
			q[1] += 2 * w * s[0] * s[1]
			q[2] += w * s[1] * s[1]
		}
	}
	return squares
}

// sandwiched is the diagonal of HGH, G = Σ of the pairs' moments. Differences of
// H's rows are taken before anything is summed: H holds a large multiple of ones,
// which would cost digits. H is symmetric, so that rows do for columns.
func sandwiched(h *mat.SymDense, pairs []pair, moments [][3]float64) []float64 {
	n := h.SymmetricDim()
	raw, full := h.RawSymmetric(), make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			v := raw.Data[i*raw.Stride+j]
			full[i*n+j], full[j*n+i] = v, v
		}
	}
	diagonal, last := make([]float64, n), full[(n-1)*n:]
	whole := 0.0
	for i := range pairs {
		q := &moments[i]
		whole += q[2]
		a := full[int(pairs[i].a)*n:][:n]
		b := full[int(pairs[i].b)*n:][:n]
		for j, c := range last[:n] {
			d := a[j] - b[j]
			diagonal[j] += d * (d*q[0] + c*q[1])
		}
	}
	for j, c := range last {
		diagonal[j] += c * c * whole
	}
	return diagonal
}

// inverse returns the diagonal of H's inverse on the abilities, which is worked
// out only where it is needed.
func (m Model) inverse(g *group, theta []float64, t float64, needed bool) func(int) float64 {
	none := func(int) float64 { return 0 }
	if !needed {
		return none
	}
	x := newTieSlopes(len(theta))
	x.fill(m, g, theta, t)
	plain := firm(mat.NewSymDense(x.n, x.h))
	if plain == nil {
		return none
	}
	var pseudo mat.SymDense
	_ = plain.InverseTo(&pseudo)
	return func(i int) float64 { return pseudo.At(i, i) - 1/x.trace }
}
