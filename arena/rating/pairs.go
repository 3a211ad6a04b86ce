package rating

import "math"

// numbering numbers contestants in the order in which they first appear.
type numbering struct {
	names []string
	of    map[string]int32
}

func newNumbering() *numbering { return &numbering{of: make(map[string]int32)} }

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

// cell is a kind of battle and how often it happened: the unit of the bootstrap
// and of all that asks who stood on which side. Weights within a factor of two
// share a cell, so that their number stays bounded whatever weights a file
// holds.
type cell struct {
	a, b        int32
	outcome     Outcome
	kind        uint8   // place in pair.sum
	pair        int32   // of its contestants
	count       float64 // battles
	sum, square float64 // of their weights
}

// pair sums all battles of two contestants, a < b.
type pair struct {
	a, b   int32
	count  float64    // battles
	sum    [3]float64 // weight of a's wins, of b's wins and of ties
	square [3]float64 // Σw² of the same: what the variance of the score is made of
}

const (
	wonByA = iota
	wonByB
	shared
)

func (p *pair) total() float64 { return p.sum[wonByA] + p.sum[wonByB] + p.sum[shared] }

// score is the weight that went to a, ties as half.
func (p *pair) score() float64 { return p.sum[wonByA] + p.sum[shared]/2 }

// scaled returns the pair with every weight multiplied.
func (p pair) scaled(by float64) pair {
	for k := range p.sum {
		p.sum[k] *= by
		p.square[k] *= by * by
	}
	return p
}

// aggregate is what fits need of any number of battles. Its size depends on the
// number of pairs that met.
type aggregate struct {
	cells  []cell
	pairs  []pair
	cellAt map[uint64]int32
	pairAt map[uint64]int32
	total  float64 // weight of all battles
	count  float64 // battles
}

func newAggregate() *aggregate {
	return &aggregate{cellAt: make(map[uint64]int32), pairAt: make(map[uint64]int32)}
}

// most is how many contestants the keys of an aggregate can tell apart.
const mostContestants = 1 << 24

// add counts a battle that has no fault.
func (g *aggregate) add(b indexedBattle) { g.addMany(b, 1, b.weight, b.weight*b.weight) }

// addMany counts battles alike, whose weights are near that of b, by their number
// and the sums of their weights and of the squares.
func (g *aggregate) addMany(b indexedBattle, count, sum, square float64) {
	class := uint64(32)
	if b.weight != 1 {
		class = uint64(32 + math.Ilogb(b.weight))
	}
	key := uint64(b.a)<<40 | uint64(b.b)<<16 | uint64(b.outcome)<<8 | class
	at, ok := g.cellAt[key]
	if !ok {
		at = g.newCell(b)
		g.cellAt[key] = at
	}
	c := &g.cells[at]
	c.count += count
	c.sum += sum
	c.square += square
	p := &g.pairs[c.pair]
	p.count += count
	p.sum[c.kind] += sum
	p.square[c.kind] += square
	g.total += sum
	g.count += count
}

func (g *aggregate) newCell(b indexedBattle) int32 {
	low, high := min(b.a, b.b), max(b.a, b.b)
	key := uint64(low)<<32 | uint64(high)
	at, ok := g.pairAt[key]
	if !ok {
		at = int32(len(g.pairs))
		g.pairAt[key] = at
		g.pairs = append(g.pairs, pair{a: low, b: high})
	}
	g.cells = append(g.cells, cell{a: b.a, b: b.b, outcome: b.outcome, kind: kindOf(b.a, b.b, b.outcome), pair: at})
	return int32(len(g.cells) - 1)
}

// kindOf returns the place in pair.sum of a battle between a and b.
func kindOf(a, b int32, o Outcome) uint8 {
	switch {
	case o == Win && a < b, o == Loss && a > b:
		return wonByA
	case o == Win, o == Loss:
		return wonByB
	}
	return shared
}

// fold sums cells into pairs that have their places already.
func fold(cells []cell, pairs []pair) {
	for i := range pairs {
		pairs[i].count, pairs[i].sum, pairs[i].square = 0, [3]float64{}, [3]float64{}
	}
	for i := range cells {
		c := &cells[i]
		p := &pairs[c.pair]
		p.count += c.count
		p.sum[c.kind] += c.sum
		p.square[c.kind] += c.square
	}
}
