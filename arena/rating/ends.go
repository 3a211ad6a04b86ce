package rating

import "math"

// slopes are the first and second derivatives of a loss by d and t.
type slopes struct{ d, t, dd, dt, tt float64 }

// ends gives the likelihood of the three ends of a battle at one inner parameter,
// with what depends on that alone worked out once.
type ends struct {
	m                        Model
	t                        float64
	tie                      float64 // e^t
	gap, logGap, curve, rise float64 // of RaoKupper
}

func (m Model) ends(t float64) ends {
	e := ends{m: m, t: t}
	e.tie = math.Exp(min(t, 300))
	if m == Davidson {
		return e
	}
	// ln(e^2t − 1) = 2t + ln(1 − e^−2t)
	e.gap = -math.Expm1(-2 * t)
	e.logGap, e.rise = 2*t+math.Log(e.gap), 2/e.gap
	e.curve = 4 * math.Exp(-2*t) / (e.gap * e.gap)
	return e
}

// loss returns −ln of the likelihood of a pair's battles at the difference d,
// with its derivatives and what scores are made of. It is convex in (d, t).
func (e *ends) loss(d, won, lost, tied float64) (loss float64, s slopes, c [3]float64) {
	n := won + lost + tied
	if e.m == Davidson {
		pa, pb, pt, logZ := e.chances(d)
		loss = n*logZ - (won-lost)*d/2 - tied*e.t
		return loss, e.three(pa, pb, pt, won, lost, tied), [3]float64{pa, pb, pt}
	}
	if e.t <= 0 {
		return math.Inf(1), s, c
	}
	wa, wb := won+tied, lost+tied
	qa, la := sigmoidAndLog(e.t - d)
	qb, lb := sigmoidAndLog(e.t + d)
	return wa*la + wb*lb - tied*e.logGap, e.threshold(qa, qb, wa, wb, tied), [3]float64{qa, qb}
}

// powers sets what quick takes the ratios of: e^(θ/2) for Davidson and e^θ for
// RaoKupper. false: some would be too large.
func (e *ends) powers(theta, into []float64) bool {
	by := 1.0
	if e.m == Davidson {
		by = 0.5
	}
	if math.Abs(e.t) > 100 || e.m != Davidson && e.t <= 0 {
		return false
	}
	for i, v := range theta {
		if math.Abs(v) > 100 {
			return false
		}
		into[i] = math.Exp(by * v)
	}
	return true
}

// quick is loss without the loss itself, from the ratio of two powers: a pair
// then costs no exponential.
func (e *ends) quick(ratio, won, lost, tied float64) (slopes, [3]float64) {
	if e.m != Davidson {
		up := ratio * e.tie
		qa, qb := e.tie/(e.tie+ratio), up/(1+up)
		return e.threshold(qa, qb, won+tied, lost+tied, tied), [3]float64{qa, qb}
	}
	under := 1 / ratio
	whole := 1 / (ratio + under + e.tie)
	pa, pb, pt := ratio*whole, under*whole, e.tie*whole
	return e.three(pa, pb, pt, won, lost, tied), [3]float64{pa, pb, pt}
}

// three are the derivatives of Davidson's loss.
func (e *ends) three(pa, pb, pt, won, lost, tied float64) slopes {
	n := won + lost + tied
	return slopes{
		d: n*(pa-pb)/2 - (won-lost)/2, t: n*pt - tied,
		dd: n * ((pa + pb) - (pa-pb)*(pa-pb)) / 4, dt: -n * (pa - pb) / 2 * pt, tt: n * pt * (1 - pt),
	}
}

// threshold are the derivatives of RaoKupper's loss.
func (e *ends) threshold(qa, qb, wa, wb, tied float64) slopes {
	ca, cb := wa*qa*(1-qa), wb*qb*(1-qb)
	return slopes{
		d: -wa*qa + wb*qb, t: wa*qa + wb*qb - tied*e.rise,
		dd: ca + cb, dt: cb - ca, tt: ca + cb + tied*e.curve,
	}
}

// chances returns Davidson's chances of the three ends and ln of their sum.
func (e *ends) chances(d float64) (pa, pb, pt, logZ float64) {
	if math.Abs(d) < 400 && math.Abs(e.t) < 200 {
		ea := math.Exp(d / 2)
		z := ea + 1/ea + e.tie
		return ea / z, 1 / ea / z, e.tie / z, math.Log(z)
	}
	top := max(math.Abs(d)/2, e.t)
	ea, eb, et := math.Exp(d/2-top), math.Exp(-d/2-top), math.Exp(e.t-top)
	z := ea + eb + et
	return ea / z, eb / z, et / z, top + math.Log(z)
}

// sigmoidAndLog returns σ(x) and ln(1+eˣ).
func sigmoidAndLog(x float64) (s, plus float64) {
	e := math.Exp(-math.Abs(x))
	s = 1 / (1 + e)
	if x < 0 {
		s = e * s
	}
	return s, max(x, 0) + math.Log1p(e)
}

// scores are the derivatives of the loss of one battle by d and t, for each of
// the three ends, at the chances that loss returned.
func (e *ends) scores(c [3]float64) [3][2]float64 {
	if e.m == Davidson {
		lean := (c[0] - c[1]) / 2
		return [3][2]float64{wonByA: {lean - 0.5, c[2]}, wonByB: {lean + 0.5, c[2]}, shared: {lean, c[2] - 1}}
	}
	return [3][2]float64{wonByA: {-c[0], c[0]}, wonByB: {c[1], c[1]}, shared: {c[1] - c[0], c[0] + c[1] - e.rise}}
}
