package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// amElo fits P(A) = σ(θ_k·(R_a − R_b)) over all votes of all voters k, jointly
// in R and θ, with a normal prior of mean 1 and variance 1 on each θ that keeps
// voters of few votes near the rest. A voter whose θ is near 0 or below votes
// without regard to who is better. Its memory depends on the pairs that each
// voter judged.
type amElo struct {
	voters *numbering
	at     map[amKey]int
	cells  []amCell
	r      []float64 // abilities, natural logarithm of odds
	theta  []float64 // by voter
	stale  bool
	failed bool
	skip   int
	most   int32
}

type amKey struct{ voter, a, b int32 }

type amCell struct {
	amKey
	n, s float64 // weight of the battles, and of it what went to a
}

func newAmElo() *amElo { return &amElo{voters: newNumbering(), at: make(map[amKey]int)} }

func (t *amElo) add(b indexedBattle, voter string) {
	t.most = max(t.most, b.a, b.b)
	if voter == "" {
		t.skip++
		return
	}
	t.stale = true
	k := amKey{t.voters.number(voter), min(b.a, b.b), max(b.a, b.b)}
	s := b.outcome.score()
	if b.a > b.b {
		s = 1 - s
	}
	i, ok := t.at[k]
	if !ok {
		i = len(t.cells)
		t.at[k] = i
		t.cells = append(t.cells, amCell{amKey: k})
	}
	t.cells[i].n += b.weight
	t.cells[i].s += b.weight * s
}

func (t *amElo) rating(i int32) (r, deviation float64) {
	t.fit()
	if int(i) >= len(t.r) {
		return mean, 0
	}
	return mean + points*t.r[i], 0
}

const (
	amRounds = 2000
	// amFar is from where on an ability of am-elo, which has no prior on them, is
	// taken for one without a finite maximum: odds of 3000 to 1.
	amFar = 8
)

// beyond counts the abilities without a finite maximum.
func (t *amElo) beyond() (n int) {
	for _, r := range t.r {
		if math.Abs(r) > amFar {
			n++
		}
	}
	return n
}

// fit alternates between abilities and voters, each step exact, until neither
// moves.
func (t *amElo) fit() {
	if !t.stale {
		return
	}
	t.stale, t.failed = false, true
	k := int(t.most) + 1
	if k > denseFit {
		t.r = make([]float64, k)
		return
	}
	t.r = make([]float64, k)
	t.theta = make([]float64, len(t.voters.names))
	for i := range t.theta {
		t.theta[i] = 1
	}
	for range amRounds {
		moved := t.abilities(k)
		moved = max(moved, t.abide())
		if math.IsNaN(moved) {
			return
		}
		if moved < 1e-12 {
			t.failed = false
			return
		}
	}
}

// abilities takes one Newton step of R and returns how far it went.
func (t *amElo) abilities(k int) float64 {
	h, y := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	raw, up := h.RawSymmetric().Data, y.RawVector().Data
	trace := 0.0
	for i := range t.cells {
		c := &t.cells[i]
		th := t.theta[c.voter]
		q := sigmoid(th * (t.r[c.a] - t.r[c.b]))
		e, w := th*(c.s-c.n*q), th*th*c.n*q*(1-q)
		up[c.a] += e
		up[c.b] -= e
		raw[int(c.a)*k+int(c.a)] += w
		raw[int(c.b)*k+int(c.b)] += w
		raw[int(c.a)*k+int(c.b)] -= w
		trace += 2 * w
	}
	flat := trace / float64(k*k)
	for i := range k {
		for j := i; j < k; j++ {
			raw[i*k+j] += flat
		}
		// Holds those who won or lost everything.
		raw[i*k+i] += 1e-9 * (1 + trace/float64(k))
	}
	factor := firm(h)
	var step mat.VecDense
	if factor == nil || !solved(factor, &step, y) {
		return math.NaN()
	}
	moved := largest(step.RawVector().Data)
	scale := min(1, 2/max(moved, 1e-300))
	for i := range t.r {
		t.r[i] = min(max(t.r[i]+scale*step.AtVec(i), -30), 30)
	}
	centre(t.r)
	return moved * scale
}

// abide takes one Newton step of each θ, which are independent of each other.
func (t *amElo) abide() float64 {
	gradient, curve := make([]float64, len(t.theta)), make([]float64, len(t.theta))
	for i := range t.theta {
		gradient[i], curve[i] = 1-t.theta[i], 1
	}
	for i := range t.cells {
		c := &t.cells[i]
		d := t.r[c.a] - t.r[c.b]
		q := sigmoid(t.theta[c.voter] * d)
		gradient[c.voter] += d * (c.s - c.n*q)
		curve[c.voter] += d * d * c.n * q * (1 - q)
	}
	moved := 0.0
	for i := range t.theta {
		s := gradient[i] / curve[i]
		t.theta[i] += s
		moved = max(moved, math.Abs(s))
	}
	return moved
}

func (t *amElo) notes() []string {
	t.fit()
	var notes []string
	if t.skip > 0 {
		notes = append(notes, fmt.Sprintf("%s without a voter left out of am-elo.", amount(float64(t.skip), "battle")))
	}
	if t.failed && len(t.cells) > 0 {
		notes = append(notes, "The fit of am-elo did not settle; its ratings are approximate.")
	}
	if n := t.beyond(); n > 0 {
		notes = append(notes, fmt.Sprintf("am-elo holds nobody who won or lost nearly everything: more than %.0f points from the mean (%s) say far above or far below, not how far.",
			points*amFar, amount(float64(n), "contestant")))
	}
	type voter struct {
		name  string
		theta float64
	}
	var odd []voter
	for i, name := range t.voters.names {
		if i < len(t.theta) && t.theta[i] < 0.1 {
			odd = append(odd, voter{name, t.theta[i]})
		}
	}
	if len(odd) > 0 {
		slices.SortFunc(odd, func(x, y voter) int { return cmp.Or(cmp.Compare(x.theta, y.theta), cmp.Compare(x.name, y.name)) })
		var names []string
		for _, v := range odd {
			names = append(names, fmt.Sprintf("%s (%.2f)", v.name, v.theta))
		}
		notes = append(notes, fmt.Sprintf("By am-elo these voters hardly follow who is better (1 is usual, 0 not at all): %s.", some(names, listed)))
	}
	return notes
}
