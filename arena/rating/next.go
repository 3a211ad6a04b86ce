package rating

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Meeting is two contestants that could meet next.
type Meeting struct {
	A string `json:"a"`
	B string `json:"b"`
	// Shrink is by how many Elo points one battle is expected to narrow all
	// intervals together.
	Shrink float64 `json:"shrink"`
	// Probability is the chance that Draw takes this pair. It is never 0, so that
	// battles that came about so can be weighted by its inverse.
	Probability float64 `json:"probability"`
	Battles     float64 `json:"battles"` // of the two so far
}

// Next says who should meet next and whether more battles still matter.
type Next struct {
	// Pairs are all pairs, the most telling first.
	Pairs []Meeting `json:"pairs"`
	// Drawn is the pair that was drawn, where one was.
	Drawn *Meeting `json:"drawn,omitempty"`
	// Settled is set where more battles no longer matter; Reason is a sentence on
	// why, or on what is still open.
	Settled bool   `json:"settled"`
	Reason  string `json:"reason"`
	// Open counts the neighbours in rank whose order is not beyond chance.
	Open int `json:"open"`
	// More is how many battles of the first two would put the first place beyond
	// chance, if their distance is what it seems; 0 where it is, -1 where no
	// number of battles that a person will see could.
	More int `json:"more"`
}

const (
	// beforeAny is the standard deviation of abilities before any battle, in
	// natural logarithms of odds (some 350 points): it lets contestants take part
	// who have not met anybody.
	beforeAny = 2.0
	// evenly is the share of the drawing that goes to all pairs alike.
	evenly = 0.1
	// enough is how little one more battle may narrow the intervals, in points
	// over all contestants, for it to be called without use.
	enough = 0.02
	// evenWithin is how far apart two may be, in points, and still be called equal: a
	// win rate of 52 %. A wider interval of their distance leaves that open.
	evenWithin = 15.0
	mostMore   = 100_000
)

// NextPairs weighs each pair of the tally's contestants, and of others who have
// not met anybody yet. A battle of a and b with the expected curvature w = p(1−p)
// takes w(H⁻¹u)ᵢ²/(1+w·uᵀH⁻¹u) from the variance of each contestant i, u = e_a −
// e_b (Sherman and Morrison), H with a prior of 350 points. The error says why
// there is nothing to choose from.
func (t *Tally) NextPairs(o Options, others ...string) (Next, error) {
	t = t.settle()
	names := slices.Clone(t.index.names)
	for _, name := range others {
		if !slices.Contains(names, name) && name != "" {
			names = append(names, name)
		}
	}
	k := len(names)
	switch {
	case k < 2:
		return Next{}, fmt.Errorf("two contestants are needed to choose a pair from; there are %d", k)
	case k > denseFit:
		return Next{}, fmt.Errorf("pairs of more than %d contestants are not weighed; there are %d", denseFit, k)
	}
	theta := make([]float64, k)
	_, s := t.solve(Options{Ridge: o.Ridge})
	copy(theta, s.theta)
	inverse := t.certainty(theta)
	if inverse == nil {
		return Next{}, fmt.Errorf("the intervals of these battles cannot be worked out")
	}
	n := Next{Pairs: make([]Meeting, 0, k*(k-1)/2)}
	met := make(map[[2]int32]float64)
	for _, p := range t.agg.pairs {
		met[[2]int32{p.a, p.b}] = p.count
	}
	z, total := o.quantile(), 0.0
	sd := make([]float64, k)
	for i := range sd {
		sd[i] = math.Sqrt(inverse.At(i, i))
	}
	for a := range k {
		for b := a + 1; b < k; b++ {
			m := Meeting{A: names[a], B: names[b], Battles: met[[2]int32{int32(a), int32(b)}]}
			m.Shrink = 2 * z * points * shrink(inverse, sd, theta, a, b)
			total += m.Shrink
			n.Pairs = append(n.Pairs, m)
		}
	}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		p.Probability = 1 / float64(len(n.Pairs))
		if total > 0 {
			p.Probability = evenly*p.Probability + (1-evenly)*p.Shrink/total
		}
	}
	slices.SortFunc(n.Pairs, func(x, y Meeting) int {
		return cmp.Or(-cmp.Compare(x.Shrink, y.Shrink), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	few := k - len(t.index.names)
	for _, r := range t.agg.rows(len(t.index.names)) {
		if r.Battles < fewBattles {
			few++
		}
	}
	n.judge(names, theta, inverse, z, few)
	return n, nil
}

// certainty is H's inverse over all contestants.
func (t *Tally) certainty(theta []float64) *mat.SymDense {
	k := len(theta)
	h := mat.NewSymDense(k, nil)
	raw := h.RawSymmetric().Data
	for i := range k {
		raw[i*k+i] = 1 / (beforeAny * beforeAny)
	}
	for _, p := range t.agg.pairs {
		q := sigmoid(theta[p.a] - theta[p.b])
		w := p.total() * q * (1 - q)
		a, b := int(p.a), int(p.b)
		raw[a*k+a] += w
		raw[b*k+b] += w
		raw[min(a, b)*k+max(a, b)] -= w
	}
	factor := firm(h)
	if factor == nil {
		return nil
	}
	var inverse mat.SymDense
	_ = factor.InverseTo(&inverse)
	return &inverse
}

// shrink is how much less the standard errors add up to after a battle.
func shrink(inverse *mat.SymDense, sd, theta []float64, a, b int) (sum float64) {
	q := sigmoid(theta[a] - theta[b])
	w := q * (1 - q)
	d := inverse.At(a, a) + inverse.At(b, b) - 2*inverse.At(a, b)
	for i := range sd {
		c := inverse.At(i, a) - inverse.At(i, b)
		left := sd[i]*sd[i] - w*c*c/(1+w*d)
		sum += sd[i] - math.Sqrt(max(left, 0))
	}
	return sum
}

// judge says whether more battles matter, where few contestants have hardly any.
func (n *Next) judge(names []string, theta []float64, inverse *mat.SymDense, z float64, few int) {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(-cmp.Compare(theta[x], theta[y]), cmp.Compare(names[x], names[y]))
	})
	wide := 0.0 // the half width of the first two's distance
	for i := range order[1:] {
		x, y := order[i], order[i+1]
		gap := theta[x] - theta[y]
		v := inverse.At(x, x) + inverse.At(y, y) - 2*inverse.At(x, y)
		if gap > z*math.Sqrt(v) {
			continue
		}
		n.Open++
		if i > 0 {
			continue
		}
		wide = points * z * math.Sqrt(v)
		// Each battle of the two adds p(1−p) to 1/v.
		q := sigmoid(gap)
		n.More = -1
		if more := (z*z/(gap*gap) - 1/v) / (q * (1 - q)); more < mostMore {
			n.More = int(math.Ceil(max(more, 1)))
		}
	}
	best := n.Pairs[0]
	first, second := names[order[0]], names[order[1]]
	switch {
	case n.Open == 0 && few > 0:
		n.Reason = fmt.Sprintf("Each is further from the next in rank than chance would put them, but %s fewer than %d battles: more of them still matter.",
			amount(float64(few), "contestant")+map[bool]string{true: " has", false: " have"}[few == 1], fewBattles)
	case n.Open == 0:
		n.Settled = true
		n.Reason = "Each is further from the next in rank than chance would put them: more battles no longer matter to the order."
	case n.More < 0 && wide <= evenWithin:
		n.Reason = fmt.Sprintf("%s and %s are too close for their order to be told by any number of battles you will see; call them equal.", first, second)
	case best.Shrink < enough:
		n.Settled = true
		n.Reason = fmt.Sprintf("One more battle narrows all intervals together by less than %g points: more of them no longer matter.", enough)
	case n.More > 0:
		n.Reason = fmt.Sprintf("%s. If %s is ahead of %s by as much as it seems, some %s of the two would put the first place beyond chance.",
			n.open("The order"), first, second, amount(float64(n.More), "battle"))
	case n.More < 0:
		n.Reason = fmt.Sprintf("%s and %s are level so far, and may be %.0f points apart either way: more battles of the two will tell.", first, second, wide)
	default:
		n.Reason = "The first place is beyond chance; " + n.open("further down the order") + "."
	}
}

// open says how many neighbours in rank could stand the other way round.
func (n *Next) open(order string) string {
	return fmt.Sprintf("%s of %s is open", order, amount(float64(n.Open), "pair")+" of neighbours in rank")
}

// Draw takes a pair by the probabilities. Both sides are as likely for either.
func (n *Next) Draw(random *rand.Rand) (m Meeting, ok bool) {
	if len(n.Pairs) == 0 {
		return m, false
	}
	x := random.Float64()
	m = n.Pairs[len(n.Pairs)-1]
	for _, p := range n.Pairs {
		if x -= p.Probability; x < 0 {
			m = p
			break
		}
	}
	if random.IntN(2) == 1 {
		m.A, m.B = m.B, m.A
	}
	return m, true
}
