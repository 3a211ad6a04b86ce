package rating

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spread returns the standard error of each member's ability, in θ, from the
// sandwich variance.
//
// The ridge ε is arena-rank's 1e-5 of all battles, but never more than a tenth
// of the smallest entry on H's diagonal: on a board of a million battles the
// plain form would give a newcomer of five an interval of a few points.
//
// Two cases have no residuals for a sandwich to measure: a member whose
// battles all ended alike, and one outside the group's main class, whose
// rating rests on an added tie. There the larger of the sandwich and the
// inverse of H holds, and silent is set.
//
// Each vector of less is taken from the second moment as its outer product: the
// means of a composite's parts.
func (g *group) spread(theta []float64, less ...[]float64) (sd []float64, silent []bool) {
	k := len(g.members)
	sd, silent = make([]float64, k), g.uniform()
	if k < 2 {
		return sd, silent
	}
	gradient, curve := make([]float64, k), make([]float64, len(g.pairs))
	g.slope(theta, gradient, curve)
	residual := make([]float64, len(g.pairs))
	for i, p := range g.pairs {
		q := sigmoid(theta[p.a] - theta[p.b])
		residual[i] = p.square[wonByA]*(1-q)*(1-q) + p.square[wonByB]*q*q + p.square[shared]*(0.5-q)*(0.5-q)
	}
	diagonal := g.diagonal(curve)
	least := math.Inf(1)
	for _, d := range diagonal {
		least = min(least, d)
	}
	ridge := min(g.epsilon, 0.1*least)
	main, some := g.mainClass(), false
	for i := range sd {
		silent[i] = silent[i] || g.class[i] != main
		some = some || silent[i]
	}
	var sandwich, inverse []float64
	if k > denseVariance {
		sandwich, inverse = g.localVariance(diagonal, residual)
	} else {
		sandwich, inverse = g.variance(curve, residual, ridge, some, less)
	}
	for i := range sd {
		v := sandwich[i]
		if silent[i] || math.IsNaN(v) {
			v = max(v, inverse[i])
		}
		sd[i] = math.Sqrt(min(max(v, 0), 1e6))
	}
	return sd, silent
}

// variance returns the diagonals of H⁻¹GH⁻¹ and, where silent members need it,
// of H's inverse on the vectors of mean 0.
func (g *group) variance(curve, residual []float64, ridge float64, silent bool, less [][]float64) (sandwich, inverse []float64) {
	k := len(g.members)
	sandwich, inverse = make([]float64, k), make([]float64, k)
	factor := g.factor(curve, ridge)
	if factor == nil {
		return g.localVariance(g.diagonal(curve), residual)
	}
	var h mat.SymDense
	// A warning of a bad condition comes with a result.
	_ = factor.InverseTo(&h)
	column := make([]float64, k)
	for i := range k {
		for j := range k {
			column[j] = h.At(i, j)
		}
		sum := 0.0
		for n := range g.pairs {
			p := &g.pairs[n]
			d := column[p.a] - column[p.b]
			sum += residual[n] * d * d
		}
		for _, v := range less {
			d := floats.Dot(column, v)
			sum -= d * d
		}
		sandwich[i] = sum
	}
	if !silent {
		return sandwich, inverse
	}
	plain := g.factor(curve, 0)
	if plain == nil {
		_, inverse = g.localVariance(g.diagonal(curve), residual)
		return sandwich, inverse
	}
	var pseudo mat.SymDense
	_ = plain.InverseTo(&pseudo)
	trace := 0.0
	for _, w := range curve {
		trace += 2 * w
	}
	for i := range k {
		// factor added trace/k² times the matrix of ones, whose own inverse
		// on the constant vectors is taken off again.
		inverse[i] = pseudo.At(i, i) - 1/trace
	}
	return sandwich, inverse
}

// localVariance takes each member's opponents as fixed, for groups too large
// for a matrix; it is somewhat too small.
func (g *group) localVariance(diagonal, residual []float64) (sandwich, inverse []float64) {
	sandwich, inverse = make([]float64, len(diagonal)), make([]float64, len(diagonal))
	for i, p := range g.pairs {
		sandwich[p.a] += residual[i]
		sandwich[p.b] += residual[i]
	}
	for i, d := range diagonal {
		sandwich[i] /= d * d
		inverse[i] = 1 / d
	}
	return sandwich, inverse
}

// uniform tells which members' battles all ended alike.
func (g *group) uniform() []bool {
	const won, lost, tied = 1, 2, 4
	ends := make([]uint8, len(g.members))
	for _, p := range g.pairs {
		if p.square[wonByA] > 0 {
			ends[p.a] |= won
			ends[p.b] |= lost
		}
		if p.square[wonByB] > 0 {
			ends[p.a] |= lost
			ends[p.b] |= won
		}
		if p.square[shared] > 0 {
			ends[p.a] |= tied
			ends[p.b] |= tied
		}
	}
	alike := make([]bool, len(ends))
	for i, e := range ends {
		alike[i] = e == won || e == lost || e == tied
	}
	return alike
}
