package rating

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Position tells how far a source's answers follow the place in which replies
// were shown and not the replies.
type Position struct {
	Source string `json:"source"`
	// Side is how often the reply on side A was preferred, among the battles in
	// which either was.
	Side Share `json:"side_a"`
	// First is the same for the reply shown first to a critic; nil where the order
	// is not known or is always the side's own.
	First *Share `json:"shown_first,omitempty"`
	// Orders tells what became of answers asked in both orders; nil where there
	// are none.
	Orders *Orders `json:"both_orders,omitempty"`
}

// Share is a count of hits with what it says of even odds.
type Share struct {
	N    float64 `json:"n"` // by weight
	Hits float64 `json:"hits"`
	Rate float64 `json:"rate"` // 0.5 where there is nothing
	Low  float64 `json:"low"`  // Wilson's interval
	High float64 `json:"high"`
	// P is the chance of a share at least as far from one half where the place has
	// no say: the two-sided binomial test.
	P float64 `json:"p"`
}

// Orders counts the answers to one pair of replies in both orders. Flips are
// pairs whose two answers differ. Of these, primacy counts those that favour the
// place shown first and recency the second; in the tied ones one order had no
// preference.
type Orders struct {
	N           float64 `json:"n"`
	Consistent  float64 `json:"consistent"` // same answer in both orders
	Consistency Share   `json:"consistency"`
	Flips       float64 `json:"flips"`
	Primacy     float64 `json:"primacy_flips"`
	Recency     float64 `json:"recency_flips"`
	PrimacyTie  float64 `json:"primacy_tie_flips"`
	RecencyTie  float64 `json:"recency_tie_flips"`
	// Fairness is (recency − primacy)/n, tied flips included: −1 always the first,
	// 1 always the second, 0 even (Shi et al. 2024, arXiv 2406.07791).
	Fairness float64 `json:"preference_fairness"`
	// Failed counts pairs of which an order could not be read.
	Failed int `json:"extraction_failures"`
	// Matrix counts by the answer with A first (row) and B first (column): side A,
	// side B, no preference.
	Matrix [3][3]float64 `json:"matrix"`
}

// Places gathers positions of sources. Its memory depends on the number of
// sources. Make it with NewPlaces.
type Places struct {
	of    map[string]*place
	names []string
}

type place struct {
	side, first [2]float64 // hits, n
	orders      Orders
	ordered     bool
}

// NewPlaces makes an empty one.
func NewPlaces() *Places { return &Places{of: make(map[string]*place)} }

func (p *Places) at(source string) *place {
	x := p.of[source]
	if x == nil {
		if len(p.names) >= mostJudges {
			return new(place) // counted nowhere
		}
		x = new(place)
		p.of[source] = x
		p.names = append(p.names, source)
	}
	return x
}

// Add counts a battle of a source by the side that won.
func (p *Places) Add(source string, o Outcome, weight float64) {
	if !(weight > 0) || math.IsInf(weight, 0) {
		return
	}
	x := p.at(source)
	switch o {
	case Win:
		x.side[0] += weight
		x.side[1] += weight
	case Loss:
		x.side[1] += weight
	}
}

// AddOrders counts a critic's answers to one pair of replies, in identities: with
// A shown first and with B shown first. 0 stands for an answer that could not be
// read.
func (p *Places) AddOrders(source string, aFirst, bFirst Outcome) {
	x := p.at(source)
	x.ordered = true
	x.shown(aFirst == Win, aFirst == Loss)
	x.shown(bFirst == Loss, bFirst == Win)
	if aFirst == 0 || bFirst == 0 {
		x.orders.Failed++
		return
	}
	x.orders.add(end(aFirst), end(bFirst))
}

// AddOrder counts a critic's only answer to a pair of replies.
func (p *Places) AddOrder(source string, o Outcome, aFirst bool) {
	x := p.at(source)
	if aFirst {
		x.shown(o == Win, o == Loss)
	} else {
		x.shown(o == Loss, o == Win)
	}
}

func (x *place) shown(first, second bool) {
	if first {
		x.first[0]++
	}
	if first || second {
		x.first[1]++
	}
}

// end is the place of an outcome in a matrix of three ends.
func end(o Outcome) int {
	switch o {
	case Win:
		return 0
	case Loss:
		return 1
	}
	return 2
}

func (o *Orders) add(ab, ba int) {
	o.N++
	o.Matrix[ab][ba]++
	switch {
	case ab == ba:
		o.Consistent++
		return
	case ab == 0 && ba == 1:
		o.Primacy++
	case ab == 1 && ba == 0:
		o.Recency++
	case ab == 0 || ba == 1:
		o.PrimacyTie++
	default:
		o.RecencyTie++
	}
	o.Flips++
}

// Table returns the positions of all sources, persons first, then by name.
func (p *Places) Table(level float64) []Position {
	z := Options{Level: level}.quantile()
	table := []Position{}
	for _, name := range p.names {
		x := p.of[name]
		q := Position{Source: name, Side: newShare(x.side[0], x.side[1], z)}
		if x.first[1] > 0 {
			first := newShare(x.first[0], x.first[1], z)
			q.First = &first
		}
		if x.ordered {
			o := x.orders
			o.Consistency = newShare(o.Consistent, o.N, z)
			o.Consistency.P = 1 // one half means nothing here
			if o.N > 0 {
				o.Fairness = (o.Recency + o.RecencyTie - o.Primacy - o.PrimacyTie) / o.N
			}
			q.Orders = &o
		}
		table = append(table, q)
	}
	slices.SortFunc(table, func(x, y Position) int {
		return cmp.Or(cmp.Compare(rank(x.Source), rank(y.Source)), cmp.Compare(x.Source, y.Source))
	})
	return table
}

func newShare(hits, n, z float64) Share {
	s := Share{N: n, Hits: hits, Rate: 0.5, P: 1}
	s.Low, s.High = wilson(hits, n, z)
	if n > 0 {
		s.Rate = hits / n
		s.P = evenOdds(hits, n)
	}
	return s
}

// evenOdds is the two-sided binomial test against one half, by the incomplete
// beta function, so that halves of battles do as well.
func evenOdds(hits, n float64) float64 {
	most := max(hits, n-hits)
	if most <= n/2 {
		return 1
	}
	// P(X ≥ k) = I_½(k, n−k+1)
	return min(2*mathext.RegIncBeta(most, n-most+1, 0.5), 1)
}
