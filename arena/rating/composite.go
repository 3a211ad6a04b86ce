package rating

import (
	"fmt"
	"math"
	"slices"
)

// Part is a source of battles in a composite and how much it counts.
type Part struct {
	Name   string
	Weight float64 // above 0; only the ratios matter
	Tally  *Tally
	// Slicer, where set, stands for Tally and gives the composite of each part of
	// the battles as well.
	Slicer *Slicer
}

// Composite rates the battles of several sources at once, each with its weight
// (see compose). It is Bradley–Terry; of the options it heeds Bootstrap, Seed,
// Level, Matrix and Brief. Elo is the mean of the sources' online ratings by the
// same weights.
func Composite(parts []Part, o Options) Board {
	o.Model, o.Reweighted, o.Style, o.System, o.Ridge = BradleyTerry, false, false, "", 0
	parts = slices.Clone(parts)
	var sliced []*Slicer
	for i := range parts {
		if s := parts[i].Slicer; s != nil {
			sliced = append(sliced, s)
			parts[i].Tally = s.Tally
		}
	}
	b := mixedBoard(parts, o)
	if len(sliced) > 0 && len(sliced) == len(parts) && sliced[0].by != "" {
		b.Slices = mixedSlices(parts, sliced[0].by, o)
		for _, s := range sliced {
			b.Warnings = append(b.Warnings, s.notes()...)
		}
	}
	return b
}

func mixedBoard(parts []Part, o Options) Board {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Tally = parts[i].Tally.settle()
	}
	names, all, mixed := compose(parts)
	s := mixed.solve(o)
	b := Board{}
	b.fill(names.names, all, blendElo(names, parts, o), s, o)
	left := make(map[string]int)
	for _, p := range parts {
		b.Parts = append(b.Parts, PartShare{p.Name, p.Weight, int(math.Round(p.Tally.agg.total))})
		for why, n := range p.Tally.left {
			left[why] += n
		}
	}
	b.Warnings = append(b.Warnings, warnings(names.names, all, s, left)...)
	for _, p := range parts {
		if p.Tally.agg.count == 0 {
			b.Warnings = append(b.Warnings, fmt.Sprintf("The source %s has no battles; the others stand alone.", p.Name))
		}
		if p.Tally.cap != nil {
			b.Warnings = append(b.Warnings, p.Tally.cap.notes()...)
		}
	}
	if o.Brief || all.count == 0 {
		return b
	}
	b.Side, b.SideNote = sideEffect(mixed, s, o.quantile())
	if b.Fragility = mixed.fragility(names.names, s); b.Fragility != nil {
		if w := fragilityWarning(b.Fragility); w != "" {
			b.Warnings = append(b.Warnings, w)
		}
	}
	return b
}

// mixedSlices rates each value that any of the parts knows.
func mixedSlices(parts []Part, by By, o Options) []Slice {
	values := make(map[string]bool)
	for _, p := range parts {
		for value := range p.Slicer.parts {
			values[value] = true
		}
	}
	var out []Slice
	for value := range values {
		mixed := make([]Part, len(parts))
		for i, p := range parts {
			t := p.Slicer.parts[value]
			if t == nil {
				t = NewTally(o)
			}
			mixed[i] = Part{Name: p.Name, Weight: p.Weight, Tally: t}
		}
		out = append(out, Slice{By: string(by), Value: value, Board: mixedBoard(mixed, o)})
	}
	sortSlices(out, by)
	return out
}

// pull is the weight of ½·‖θ‖² in arena-rank's composite.
const pull = 1e-5

// compose joins the parts under one numbering: Σ_k λ_k·L_k/N_k + ½·1e-5·‖θ‖²,
// the composite loss of arena-rank, in which each part has its weight however
// many battles it holds. All is multiplied by Σ_k N_k/Σ_k λ_k, which leaves the
// maximum where it is and keeps weights near 1 a battle.
func compose(parts []Part) (names *numbering, all *aggregate, b *blend) {
	names, all = newNumbering(), newAggregate()
	type key struct{ a, b int32 }
	at := make(map[key]int32)
	b = &blend{}
	lambda := 0.0
	for _, p := range parts {
		all.total += p.Tally.agg.total
		all.count += p.Tally.agg.count
		if p.Tally.agg.total > 0 {
			lambda += p.Weight
		}
	}
	for _, p := range parts {
		agg := p.Tally.agg
		if agg.total == 0 {
			continue
		}
		joined := part{total: agg.total, scale: p.Weight / agg.total * all.total / lambda}
		for _, c := range agg.cells {
			c.a, c.b = names.number(p.Tally.index.names[c.a]), names.number(p.Tally.index.names[c.b])
			c.kind = kindOf(c.a, c.b, c.outcome)
			k := key{min(c.a, c.b), max(c.a, c.b)}
			if _, ok := at[k]; !ok {
				at[k] = int32(len(b.pairs))
				b.pairs = append(b.pairs, pair{a: k.a, b: k.b})
			}
			c.pair = at[k]
			joined.cells = append(joined.cells, c)
			all.cells = append(all.cells, c)
		}
		b.parts = append(b.parts, joined)
	}
	b.contestants = len(names.names)
	if lambda > 0 {
		b.ridge = pull * all.total / lambda
	}
	cells := make([][]cell, len(b.parts))
	for i := range b.parts {
		cells[i] = b.parts[i].cells
	}
	b.fold(cells, b.pairs)
	all.pairs = append([]pair(nil), b.pairs...)
	fold(all.cells, all.pairs)
	return names, all, b
}

// means returns, for each part of a composite, the vector whose outer product
// its second moment holds too much: the sum of its scores over √N. In a part
// alone that sum is 0 at the maximum.
func (b *blend) means(g *group, theta []float64) [][]float64 {
	if b.ridge == 0 {
		return nil
	}
	position := make(map[int32]int, len(g.members))
	for i, m := range g.members {
		position[m] = i
	}
	var less [][]float64
	for _, p := range b.parts {
		v := make([]float64, len(theta))
		for _, c := range p.cells {
			a, ok := position[c.a]
			if !ok {
				continue
			}
			z := position[c.b]
			s := p.scale * c.sum * (c.outcome.score() - sigmoid(theta[a]-theta[z])) / math.Sqrt(p.total)
			v[a] += s
			v[z] -= s
		}
		less = append(less, v)
	}
	return less
}
