package rating

// part is one source of battles in a blend and how much each of its weights
// counts.
type part struct {
	cells []cell // whose pairs are the blend's
	scale float64
	total float64 // weight of its battles, before scaling
}

// blend is what ratings are fitted to: the battles of one source, or of several
// with a weight each.
type blend struct {
	contestants int
	pairs       []pair
	parts       []part
	ridge       float64 // see group.ridge, of a composite
	pull        float64 // the same where it is asked for
	reweighted  bool
	// start holds the abilities of an earlier fit, by contestant; later ones
	// have none.
	start      []float64
	startModel Model
	startTie   float64
}

// leastReweighted is the number of battles below which a pair is not weighted
// up any further (arena-rank, min_pair_count).
const leastReweighted = 50

// alone is the blend of one source.
func (g *aggregate) alone(contestants int, reweighted bool) *blend {
	b := &blend{
		contestants: contestants,
		pairs:       append([]pair(nil), g.pairs...),
		parts:       []part{{cells: g.cells, scale: 1, total: g.total}},
		reweighted:  reweighted,
	}
	b.reweigh(b.pairs)
	return b
}

// reweigh gives each pair the weight 1/max(battles, 50), which undoes that some
// pairs were made to meet more often than others (arena-rank's inverse
// propensity weights).
func (b *blend) reweigh(pairs []pair) {
	if !b.reweighted {
		return
	}
	for i := range pairs {
		pairs[i] = pairs[i].scaled(1 / max(pairs[i].count, leastReweighted))
	}
}

// fold sums cells, by part, into pairs that have their places already.
func (b *blend) fold(cells [][]cell, pairs []pair) {
	for i := range pairs {
		pairs[i].count, pairs[i].sum, pairs[i].square = 0, [3]float64{}, [3]float64{}
	}
	for i := range b.parts {
		scale := b.parts[i].scale
		for n := range cells[i] {
			c := &cells[i][n]
			p := &pairs[c.pair]
			p.count += c.count
			p.sum[c.kind] += scale * c.sum
			p.square[c.kind] += scale * scale * c.square
		}
	}
	b.reweigh(pairs)
}

// split finds the groups of pairs and tells each what the blend asks for.
func (b *blend) split(pairs []pair) []*group {
	groups := split(b.contestants, pairs)
	for _, g := range groups {
		if b.start != nil {
			g.start, g.startModel = make([]float64, len(g.members)), b.startModel
			g.startTie = b.startTie
			for i, m := range g.members {
				if int(m) < len(b.start) {
					g.start[i] = b.start[m]
				}
			}
		}
		switch {
		case b.ridge > 0:
			g.ridge, g.epsilon = b.ridge, b.ridge
		case b.reweighted:
			// The weights add up to about 1 a pair.
			g.epsilon = 1e-5
		}
		if b.pull > 0 {
			// A ridge alone keeps every maximum finite.
			g.ridge, g.epsilon = g.ridge+b.pull, g.ridge+b.pull
			g.pulled = true
			clear(g.prior)
		}
	}
	return groups
}
