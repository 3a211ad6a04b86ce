package rating

import (
	"fmt"
	"math"

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
	theta, converged = g.fit()
	if tied(g) == 0 {
		return theta, t, converged
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
		decided.pairs[i].square[shared] = 0
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

// slopes are the first and second derivatives of a loss by d and t.
type slopes struct{ d, t, dd, dt, tt float64 }

// loss returns −ln of the likelihood of a pair's battles at the difference d and
// the inner parameter t, with its derivatives. It is convex in (d, t).
func (m Model) loss(d, t, won, lost, tied float64) (loss float64, s slopes) {
	n := won + lost + tied
	if m == Davidson {
		top := max(math.Abs(d)/2, t)
		ea, eb, et := math.Exp(d/2-top), math.Exp(-d/2-top), math.Exp(t-top)
		z := ea + eb + et
		pa, pb, pt := ea/z, eb/z, et/z
		loss = n*(top+math.Log(z)) - (won-lost)*d/2 - tied*t
		return loss, slopes{
			d: n*(pa-pb)/2 - (won-lost)/2, t: n*pt - tied,
			dd: n * ((pa + pb) - (pa-pb)*(pa-pb)) / 4, dt: -n * (pa - pb) / 2 * pt, tt: n * pt * (1 - pt),
		}
	}
	if t <= 0 {
		return math.Inf(1), s
	}
	u, v := d-t, -d-t
	wa, wb := won+tied, lost+tied
	qa, qb := sigmoid(-u), sigmoid(-v)
	ca, cb := wa*qa*(1-qa), wb*qb*(1-qb)
	// ln(e^2t − 1) = 2t + ln(1 − e^−2t)
	gap := -math.Expm1(-2 * t)
	loss = wa*softplus(-u) + wb*softplus(-v) - tied*(2*t+math.Log(gap))
	return loss, slopes{
		d: -wa*qa + wb*qb, t: wa*qa + wb*qb - 2*tied/gap,
		dd: ca + cb, dt: cb - ca, tt: ca + cb + 4*tied*math.Exp(-2*t)/(gap*gap),
	}
}

// scores are the derivatives of the loss of one battle by d and t, for each of
// the three ends.
func (m Model) scores(d, t float64) (s [3][2]float64) {
	for kind := range s {
		var one [3]float64
		one[kind] = 1
		_, by := m.loss(d, t, one[wonByA], one[wonByB], one[shared])
		s[kind] = [2]float64{by.d, by.t}
	}
	return s
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
	total := func(theta []float64, t float64) (sum float64) {
		for i := range g.pairs {
			won, lost, tied := g.sums(i)
			loss, _ := m.loss(theta[g.pairs[i].a]-theta[g.pairs[i].b], t, won, lost, tied)
			sum += loss
		}
		return sum
	}
	loss := total(theta, *t)
	try := make([]float64, k)
	gradient := mat.NewVecDense(k+1, nil)
	var step mat.VecDense
	for range newtonSteps {
		factor, _ := m.curvature(g, theta, *t, 0, gradient)
		if factor == nil || !solved(factor, &step, gradient) {
			return false
		}
		scale := 1.0
		for range 40 {
			for i := range try {
				try[i] = theta[i] - scale*step.AtVec(i)
			}
			next := total(try, *t-scale*step.AtVec(k))
			if next <= loss+1e-12*math.Abs(loss) {
				loss = next
				break
			}
			scale /= 2
		}
		copy(theta, try)
		centre(theta)
		*t -= scale * step.AtVec(k)
		moved := scale * largest(step.RawVector().Data) / (1 + largest(theta))
		if scale == 1 && moved < closeEnough || moved < closeEnough*closeEnough {
			return true
		}
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

// curvature fills the gradient of the loss and decomposes its second
// derivatives, with epsilon on the diagonal of the abilities or, where that is
// 0, a multiple of the matrix of ones (see group.matrix). trace is Σ of the
// abilities' diagonal.
func (m Model) curvature(g *group, theta []float64, t, epsilon float64, gradient *mat.VecDense) (factor *mat.Cholesky, trace float64) {
	k := len(theta)
	n := k + 1
	h := mat.NewSymDense(n, nil)
	raw := h.RawSymmetric().Data
	gradient.Zero()
	down := gradient.RawVector().Data
	for i := range g.pairs {
		p := &g.pairs[i]
		a, b := int(p.a), int(p.b)
		won, lost, tied := g.sums(i)
		_, s := m.loss(theta[a]-theta[b], t, won, lost, tied)
		down[a] += s.d
		down[b] -= s.d
		down[k] += s.t
		s.dd = max(s.dd, (won+lost+tied)*1e-15)
		raw[a*n+a] += s.dd
		raw[b*n+b] += s.dd
		raw[a*n+b] -= s.dd
		raw[a*n+k] += s.dt
		raw[b*n+k] -= s.dt
		raw[k*n+k] += s.tt
		trace += 2 * s.dd
	}
	if epsilon == 0 {
		flat := trace / float64(k*k)
		for i := range k {
			for j := i; j < k; j++ {
				raw[i*n+j] += flat
			}
		}
	}
	for i := range k {
		raw[i*n+i] += epsilon
	}
	raw[k*n+k] = max(raw[k*n+k], 1e-12)
	return firm(h), trace
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
	least := math.Inf(1)
	diagonal := make([]float64, k)
	scores := make([][3][2]float64, len(g.pairs))
	for i := range g.pairs {
		p := &g.pairs[i]
		won, lost, tied := g.sums(i)
		d := theta[p.a] - theta[p.b]
		scores[i] = m.scores(d, t)
		_, s := m.loss(d, t, won, lost, tied)
		diagonal[p.a] += s.dd
		diagonal[p.b] += s.dd
	}
	for _, d := range diagonal {
		least = min(least, d)
	}
	gradient := mat.NewVecDense(k+1, nil)
	factor, _ := m.curvature(g, theta, t, min(g.epsilon, 0.1*least), gradient)
	plain, trace := m.curvature(g, theta, t, 0, gradient)
	if factor == nil || plain == nil {
		sd, silent = g.spread(theta)
		return sd, 0, silent
	}
	var h, pseudo mat.SymDense
	_ = factor.InverseTo(&h)
	_ = plain.InverseTo(&pseudo)
	column := make([]float64, k+1)
	variance := func(i int) (sum float64) {
		for j := range column {
			column[j] = h.At(i, j)
		}
		c := column[k]
		for n := range g.pairs {
			p := &g.pairs[n]
			d := column[p.a] - column[p.b]
			for kind := range scores[n] {
				x := d*scores[n][kind][0] + c*scores[n][kind][1]
				sum += p.square[kind] * x * x
			}
		}
		return sum
	}
	sd, silent = make([]float64, k), g.uniform()
	main := g.mainClass()
	for i := range sd {
		silent[i] = silent[i] || g.class[i] != main
		v := variance(i)
		if silent[i] || math.IsNaN(v) {
			v = max(v, pseudo.At(i, i)-1/trace)
		}
		sd[i] = math.Sqrt(min(max(v, 0), 1e6))
	}
	return sd, math.Sqrt(min(max(variance(k), 0), 1e4)), silent
}
