package rating

import (
	"cmp"
	"slices"
)

// numbering numbers contestants in the order in which they first appear.
type numbering struct {
	names []string
	of    map[string]int32
}

func (n *numbering) number(name string) int32 {
	if i, ok := n.of[name]; ok {
		return i
	}
	i := int32(len(n.names))
	n.of[name] = i
	n.names = append(n.names, name)
	return i
}

type indexedBattle struct {
	weight  float64
	a, b    int32
	outcome Outcome
}

// number replaces names by numbers and leaves out battles that cannot be
// rated, which it counts by reason.
func number(battles []Battle) (*numbering, []indexedBattle, map[string]int) {
	index := &numbering{of: make(map[string]int32)}
	var left map[string]int
	indexed := make([]indexedBattle, 0, len(battles))
	for _, b := range battles {
		if why := b.fault(); why != "" {
			if left == nil {
				left = make(map[string]int)
			}
			left[why]++
			continue
		}
		w, _ := b.weight()
		indexed = append(indexed, indexedBattle{weight: w, a: index.number(b.A), b: index.number(b.B), outcome: b.Outcome})
	}
	return index, indexed, left
}

// row is a kind of battle and how often it happened: the unit of the fit and
// of the bootstrap.
type row struct {
	a, b    int32
	outcome Outcome
	weight  float64 // of each battle
	count   float64 // battles
}

type rowKey struct {
	a, b    int32
	outcome Outcome
	weight  float64
}

// aggregate collapses battles to rows, sorted so that the same input gives the
// same result to the last bit.
func aggregate(battles []indexedBattle) []row {
	counts := make(map[rowKey]float64)
	for _, b := range battles {
		counts[rowKey{b.a, b.b, b.outcome, b.weight}]++
	}
	rows := make([]row, 0, len(counts))
	for k, n := range counts {
		rows = append(rows, row{k.a, k.b, k.outcome, k.weight, n})
	}
	slices.SortFunc(rows, func(x, y row) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b),
			cmp.Compare(x.outcome, y.outcome), cmp.Compare(x.weight, y.weight))
	})
	return rows
}

// pair sums all battles of two contestants, a < b.
type pair struct {
	a, b  int32
	total float64 // weight of all battles
	score float64 // weight that went to a, ties as half
	// square is Σw² of a's wins, of b's wins and of ties: what the variance of
	// the score is made of.
	square [3]float64
}

const (
	wonByA = iota
	wonByB
	shared
)

// pairUp sums rows by unordered pair, sorted by (a, b).
func pairUp(rows []row) []pair {
	at := make(map[[2]int32]int, len(rows)/2+1)
	var pairs []pair
	for _, r := range rows {
		if r.count <= 0 {
			continue
		}
		a, b, s := r.a, r.b, r.outcome.score()
		if a > b {
			a, b, s = b, a, 1-s
		}
		i, ok := at[[2]int32{a, b}]
		if !ok {
			i = len(pairs)
			at[[2]int32{a, b}] = i
			pairs = append(pairs, pair{a: a, b: b})
		}
		p := &pairs[i]
		p.total += r.weight * r.count
		p.score += r.weight * r.count * s
		kind := shared
		if s == 1 {
			kind = wonByA
		} else if s == 0 {
			kind = wonByB
		}
		p.square[kind] += r.weight * r.weight * r.count
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return pairs
}
