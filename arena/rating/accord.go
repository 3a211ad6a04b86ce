package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Answer is what one source said of one pair of replies, as the share of its
// say that went to each outcome: a critic whose two orders disagree gives half
// to each.
type Answer struct {
	Source string
	// Share holds, by Outcome−1, what went to Win, Loss, Tie and BothBad; it sums
	// to 1.
	Share [4]float64
}

// Sole is the answer of a source that said one thing.
func Sole(source string, o Outcome) Answer {
	a := Answer{Source: source}
	if o >= Win && o <= BothBad {
		a.Share[o-1] = 1
	}
	return a
}

// Halves is the answer of a critic from its two orders.
func Halves(source string, one, other Outcome) Answer {
	a := Answer{Source: source}
	for _, o := range []Outcome{one, other} {
		if o >= Win && o <= BothBad {
			a.Share[o-1] += 0.5
		}
	}
	return a
}

// FlipRule is how an answer counts whose orders disagree.
type FlipRule string

// The rules. The zero value is FlipsHalved.
const (
	FlipsHalved FlipRule = "halves" // half a say for each order
	FlipsTied   FlipRule = "tie"    // no preference was shown
	FlipsOut    FlipRule = "out"    // no answer
)

// ParseFlipRule reads a word; an unknown one is an error that lists the known
// ones.
func ParseFlipRule(word string) (FlipRule, error) {
	switch r := FlipRule(word); r {
	case "":
		return FlipsHalved, nil
	case FlipsHalved, FlipsTied, FlipsOut:
		return r, nil
	}
	return "", fmt.Errorf("%q is no way to count flips; choose halves, tie or out", word)
}

// settle returns the answer under the rule, in three ends (A, B, no
// preference); both bad is no preference between the two. false: no answer.
func (r FlipRule) settle(a Answer) (p [3]float64, ok bool) {
	sum, most := 0.0, 0.0
	for _, v := range a.Share {
		if !(v >= 0) || math.IsInf(v, 0) {
			return p, false
		}
		sum += v
	}
	if sum == 0 {
		return p, false
	}
	p = [3]float64{a.Share[0] / sum, a.Share[1] / sum, (a.Share[2] + a.Share[3]) / sum}
	for _, v := range p {
		most = max(most, v)
	}
	if most < 1-1e-9 {
		switch r {
		case FlipsOut:
			return p, false
		case FlipsTied:
			return [3]float64{0, 0, 1}, true
		}
	}
	return p, true
}

// Measure is how far two sources agree.
type Measure struct {
	N float64 `json:"n"` // pairs of replies, by weight
	// Raw is the share of them on which both said the same; its interval is
	// Wilson's. Chance is what two sources with these habits would reach blindly.
	Raw    float64 `json:"raw"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Chance float64 `json:"chance"`
	// Kappa is Cohen's (raw−chance)/(1−chance) with the interval of Fleiss, Cohen
	// and Everitt (1969, Psychological Bulletin 72); nil where either source said
	// the same every time, for then it is 0 whatever the other said.
	Kappa     *float64 `json:"kappa"`
	KappaLow  *float64 `json:"kappa_low"`
	KappaHigh *float64 `json:"kappa_high"`
	// AC1 is Gwet's (2008), which holds where nearly all answers are alike.
	AC1 *float64 `json:"ac1"`
}

// Agreement is how two sources judged the same pairs of replies.
type Agreement struct {
	A string `json:"a"`
	B string `json:"b"`
	// Matrix counts by A's answer (row) and B's (column): side A, side B, no
	// preference.
	Matrix [3][3]float64 `json:"matrix"`
	// All takes no preference as an answer like the others; Decisive only the
	// pairs on which both preferred a side.
	All      Measure `json:"all"`
	Decisive Measure `json:"decisive"`
}

// mostJudges bounds the sources that an Accord compares, two by two.
const mostJudges = 64

// Accord compares sources that judged the same pairs of replies. Its memory
// depends on the number of sources, not of pairs. Make it with NewAccord.
type Accord struct {
	flips  FlipRule
	names  *numbering
	counts map[[2]int32]*[3][3]float64
	beyond bool
}

// NewAccord makes an empty one.
func NewAccord(flips FlipRule) *Accord {
	if flips == "" {
		flips = FlipsHalved
	}
	return &Accord{flips: flips, names: newNumbering(), counts: make(map[[2]int32]*[3][3]float64)}
}

// Add takes what all sources said of one pair of replies, each source once.
func (c *Accord) Add(answers []Answer) {
	for i := range answers {
		p, ok := c.flips.settle(answers[i])
		if !ok {
			continue
		}
		for j := i + 1; j < len(answers); j++ {
			q, ok := c.flips.settle(answers[j])
			if !ok || answers[i].Source == answers[j].Source {
				continue
			}
			c.count(answers[i].Source, answers[j].Source, p, q)
		}
	}
}

func (c *Accord) count(x, y string, p, q [3]float64) {
	if cmp.Compare(rank(x), rank(y)) > 0 || rank(x) == rank(y) && x > y {
		x, y, p, q = y, x, q, p
	}
	for _, name := range []string{x, y} {
		if _, known := c.names.of[name]; !known && len(c.names.names) >= mostJudges {
			c.beyond = true
			return
		}
	}
	key := [2]int32{c.names.number(x), c.names.number(y)}
	m := c.counts[key]
	if m == nil {
		m = new([3][3]float64)
		c.counts[key] = m
	}
	for i := range p {
		for j := range q {
			m[i][j] += p[i] * q[j]
		}
	}
}

// rank puts persons before critics.
func rank(source string) int {
	if strings.HasSuffix(source, "vote") || source == "winner" {
		return 0
	}
	return 1
}

// Table returns the agreement of each two sources that judged a pair both:
// persons first, then by the number of pairs. level is the share of the
// intervals, 0 stands for 0.95. The note tells where sources were left out.
func (c *Accord) Table(level float64) (table []Agreement, note string) {
	table = []Agreement{}
	z := Options{Level: level}.quantile()
	for key, m := range c.counts {
		table = append(table, agreement(c.names.names[key[0]], c.names.names[key[1]], *m, z))
	}
	slices.SortFunc(table, func(x, y Agreement) int {
		return cmp.Or(cmp.Compare(rank(x.A), rank(y.A)), -cmp.Compare(x.All.N, y.All.N), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	if c.beyond {
		note = fmt.Sprintf("More than %d sources: the agreement of those that came later is not shown.", mostJudges)
	}
	return table, note
}

func agreement(a, b string, m [3][3]float64, z float64) Agreement {
	x := Agreement{A: a, B: b, Matrix: m}
	all, decisive := make([][]float64, 3), make([][]float64, 2)
	for i := range all {
		all[i] = m[i][:]
	}
	for i := range decisive {
		decisive[i] = m[i][:2]
	}
	x.All, x.Decisive = measure(all, z), measure(decisive, z)
	return x
}

// measure computes the measures of agreement of a square table of counts.
func measure(m [][]float64, z float64) Measure {
	q := len(m)
	var r Measure
	row, column := make([]float64, q), make([]float64, q)
	hits := 0.0
	for i := range q {
		for j := range q {
			r.N += m[i][j]
			row[i] += m[i][j]
			column[j] += m[i][j]
		}
		hits += m[i][i]
	}
	r.Low, r.High = 0, 1
	if !(r.N > 0) {
		return r
	}
	r.Raw = hits / r.N
	r.Low, r.High = wilson(hits, r.N, z)
	gwet := 0.0
	for i := range q {
		row[i] /= r.N
		column[i] /= r.N
		r.Chance += row[i] * column[i]
		mean := (row[i] + column[i]) / 2
		gwet += mean * (1 - mean) / float64(q-1)
	}
	ac1 := (r.Raw - gwet) / (1 - gwet)
	r.AC1 = &ac1
	if slices.Max(row) > 1-1e-12 || slices.Max(column) > 1-1e-12 {
		return r
	}
	kappa := (r.Raw - r.Chance) / (1 - r.Chance)
	half := z * math.Sqrt(max(kappaVariance(m, row, column, &r), 0))
	low, high := max(kappa-half, -1), min(kappa+half, 1)
	r.Kappa, r.KappaLow, r.KappaHigh = &kappa, &low, &high
	return r
}

// kappaVariance is the large-sample variance of Cohen's kappa (Fleiss, Cohen and
// Everitt 1969, equation 13).
func kappaVariance(m [][]float64, row, column []float64, r *Measure) float64 {
	po, pe := r.Raw, r.Chance
	same, other := 0.0, 0.0
	for i := range m {
		for j := range m {
			p := m[i][j] / r.N
			if i == j {
				d := (1 - pe) - (column[i]+row[i])*(1-po)
				same += p * d * d
				continue
			}
			d := column[i] + row[j]
			other += p * d * d
		}
	}
	last := po*pe - 2*pe + po
	return (same + (1-po)*(1-po)*other - last*last) / (r.N * math.Pow(1-pe, 4))
}
