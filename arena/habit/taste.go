package habit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"herarena/arena"
)

// spread is the deviation, in log-odds, that contestants' strengths have before
// there are votes: 200 points of Elo.
const spread = 200 * math.Ln10 / 400

// taste is what voters think of the contestants: Davidson's model ("On Extending
// the Bradley-Terry Model to Accommodate Ties", 1970), in which the chances of A,
// B and neither are as exp(d/2) : exp(−d/2) : exp(η), where d is the difference
// of their strengths.
type taste struct {
	strength  []float64
	eta       float64
	deviation []float64 // of each strength
}

// pair counts the votes on two contestants, i before j.
type pair struct{ i, j int }

type tally struct{ first, second, neither float64 }

type counts map[pair]*tally

// add counts votes with a sign: −1 takes them out again.
func (c counts) add(votes []Vote, index map[string]int, sign float64) {
	for _, v := range votes {
		p := pair{index[v.A], index[v.B]}
		first := v.Outcome == arena.ChoseA
		if p.i > p.j {
			p = pair{p.j, p.i}
			first = v.Outcome == arena.ChoseB
		}
		t := c[p]
		if t == nil {
			t = new(tally)
			c[p] = t
		}
		switch {
		case v.Outcome == arena.Tie || v.Outcome == arena.BothBad:
			t.neither += sign
		case first:
			t.first += sign
		default:
			t.second += sign
		}
	}
}

// chances returns those of the first, the second and neither.
func (s *taste) chances(i, j int) (first, second, neither float64) {
	d := s.strength[i] - s.strength[j]
	a, b, n := math.Exp(d/2), math.Exp(-d/2), math.Exp(s.eta)
	sum := a + b + n
	return a / sum, b / sum, n / sum
}

// fit moves the taste to the one that explains the counts best, by at most so
// many steps of Newton's method.
func (s *taste) fit(c counts, steps int) {
	m := len(s.strength)
	h, g := mat.NewSymDense(m+1, nil), mat.NewVecDense(m+1, nil)
	var chol mat.Cholesky
	for range steps {
		s.slopes(c, h, g)
		if !chol.Factorize(h) {
			return
		}
		step := mat.NewVecDense(m+1, nil)
		if chol.SolveVecTo(step, g) != nil {
			return
		}
		largest := 0.0
		for k := range m + 1 {
			largest = max(largest, math.Abs(step.AtVec(k)))
		}
		part := 1.0
		if largest > 2 { // far off, the curve is no guide
			part = 2 / largest
		}
		for k := range m {
			s.strength[k] += part * step.AtVec(k)
		}
		s.eta += part * step.AtVec(m)
		if largest < 1e-6 {
			break
		}
	}
	s.slopes(c, h, g)
	if !chol.Factorize(h) {
		return
	}
	var inverse mat.SymDense
	if chol.InverseTo(&inverse) != nil {
		return
	}
	for k := range m {
		s.deviation[k] = math.Sqrt(inverse.At(k, k))
	}
}

// slopes fills in the curvature and the slope of the log-likelihood, with
// the strengths and η drawn to 0 by a normal distribution.
func (s *taste) slopes(c counts, h *mat.SymDense, g *mat.VecDense) {
	m := len(s.strength)
	h.Zero()
	g.Zero()
	for k := range m {
		h.SetSym(k, k, 1/(spread*spread))
		g.SetVec(k, -s.strength[k]/(spread*spread))
	}
	h.SetSym(m, m, 1)
	g.SetVec(m, -s.eta)
	for p, t := range c {
		n := t.first + t.second + t.neither
		a, b, tie := s.chances(p.i, p.j)
		slope := (t.first-t.second)/2 - n*(a-b)/2
		curve := n * ((a+b)/4 - (a-b)*(a-b)/4)
		cross := -n * tie * (a - b) / 2
		g.SetVec(p.i, g.AtVec(p.i)+slope)
		g.SetVec(p.j, g.AtVec(p.j)-slope)
		g.SetVec(m, g.AtVec(m)+t.neither-n*tie)
		h.SetSym(p.i, p.i, h.At(p.i, p.i)+curve)
		h.SetSym(p.j, p.j, h.At(p.j, p.j)+curve)
		h.SetSym(p.i, p.j, h.At(p.i, p.j)-curve)
		h.SetSym(p.i, m, h.At(p.i, m)+cross)
		h.SetSym(p.j, m, h.At(p.j, m)-cross)
		h.SetSym(m, m, h.At(m, m)+n*tie*(1-tie))
	}
}
