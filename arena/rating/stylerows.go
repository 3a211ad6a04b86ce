package rating

import (
	"math"
	"slices"
)

// mostStyleRows bounds the rows that hold the style of battles, and those that
// wait to be joined to them.
const mostStyleRows = 1 << 16

// styleRows keeps the style of battles in rows of contestants, outcome and the
// differences of style. Up to mostStyleRows each battle is a row of its own.
// Beyond that, battles whose differences fall into one box of a grid share a
// row, which keeps their number, their mean and the products of their
// deviations from it, so that a fit is exact up to the third order in what a box
// leaves open; where that is still too many, the boxes are doubled. So memory
// does not grow with the number of battles.
type styleRows struct {
	more    float64 // see styleForm
	most    int
	rows    []styleRow
	grid    float64 // edge of a box, 0 while rows are battles
	missing float64 // battles without
}

// products are the upper half of a square of features, by rows.
const products = styles * (styles + 1) / 2

// styleRow is a battle, or many alike.
type styleRow struct {
	a, b        int32
	outcome     Outcome
	count       float64
	sum, square float64 // of the weights
	mean        [styles]float64
	scatter     *[products]float64 // Σ w·(f−mean)(f−mean)ᵀ, nil is 0
}

func newStyleRows(more float64) *styleRows { return &styleRows{more: more, most: mostStyleRows} }

func (r *styleRows) add(b indexedBattle, about *About) {
	if about == nil || !about.Styled {
		r.missing++
		return
	}
	x, y := about.Style[0].values(), about.Style[1].values()
	s := styleRow{a: b.a, b: b.b, outcome: b.outcome, count: 1, sum: b.weight, square: b.weight * b.weight}
	for j := range styles {
		if !(x[j] >= 0 && x[j] < 1<<30 && y[j] >= 0 && y[j] < 1<<30) {
			r.missing++
			return
		}
		if d := x[j] + y[j] + r.more; d > 0 {
			s.mean[j] = (x[j] - y[j]) / d
		}
	}
	if len(r.rows) >= 2*r.most {
		r.join()
	}
	r.rows = append(r.rows, s)
}

// box names what shares a row.
type box struct {
	a, b    int32
	outcome Outcome
	class   int8 // of the weight, by powers of two
	at      [styles]int16
}

// join makes few rows of many.
func (r *styleRows) join() {
	if r.grid == 0 {
		r.grid = 1.0 / 64
	}
	for {
		places := make(map[box]int, r.most)
		kept := r.rows[:0]
		for i := range r.rows {
			s := r.rows[i]
			k := box{a: s.a, b: s.b, outcome: s.outcome, class: int8(min(max(math.Ilogb(s.sum/s.count), -100), 100))}
			for j, v := range s.mean {
				k.at[j] = int16(math.Floor(v / r.grid))
			}
			if at, ok := places[k]; ok {
				kept[at].take(&s)
				continue
			}
			places[k] = len(kept)
			kept = append(kept, s)
		}
		r.rows = kept
		// Beyond 4 a box holds all there is: each difference lies within ±1.
		if len(r.rows) <= r.most || r.grid > 4 {
			// Where even pairs are more than that, they bound the rows.
			r.most = max(r.most, len(r.rows))
			return
		}
		r.grid *= 2
	}
}

// take joins another row to this one (Chan, Golub and LeVeque 1983).
func (s *styleRow) take(o *styleRow) {
	if s.scatter == nil {
		s.scatter = new([products]float64)
	}
	total := s.sum + o.sum
	var d [styles]float64
	for j := range d {
		d[j] = o.mean[j] - s.mean[j]
	}
	n := 0
	for i := range styles {
		for j := i; j < styles; j++ {
			if o.scatter != nil {
				s.scatter[n] += o.scatter[n]
			}
			s.scatter[n] += s.sum * o.sum / total * d[i] * d[j]
			n++
		}
	}
	for j := range d {
		s.mean[j] += o.sum / total * d[j]
	}
	s.count, s.sum, s.square = s.count+o.count, total, s.square+o.square
}

// productAt is where the product of two features lies in a scatter.
func productAt(i, j int) int { return i*styles - i*(i-1)/2 + j - i }

// moments returns the battles, and mean and standard deviation of each feature.
func (r *styleRows) moments() (n float64, mean, sd [styles]float64) {
	for i := range r.rows {
		s := &r.rows[i]
		n += s.count
		for j, v := range s.mean {
			mean[j] += s.count * v
		}
	}
	for j := range mean {
		mean[j] /= max(n, 1)
	}
	for i := range r.rows {
		s := &r.rows[i]
		for j, v := range s.mean {
			sd[j] += s.count * (v - mean[j]) * (v - mean[j])
			if s.scatter != nil {
				sd[j] += s.scatter[productAt(j, j)] * s.count / s.sum
			}
		}
	}
	for j := range sd {
		sd[j] = math.Sqrt(sd[j] / max(n, 1))
	}
	return n, mean, sd
}

// control makes the fit of the battles with their style held equal, with those
// features that vary at all, as z-scores.
func (r *styleRows) control(groups []*group, k int, pairCounts map[[2]int32]float64, f styleForm) (c *context, names []string) {
	n, mean, sd := r.moments()
	var used []int
	for j := range styles {
		if sd[j] > 1e-9 {
			used = append(used, j)
			names = append(names, styleNames[j])
		}
	}
	c = &context{
		groups: groups, k: k, f: len(names), battles: n, abilitiesRidge: f.abilitiesRidge, featuresRidge: f.featuresRidge,
		rows: make([]contextRow, 0, len(r.rows)),
	}
	flat := make([]float64, 0, len(r.rows)*len(used))
	total := 0.0
	for i := range r.rows {
		s := &r.rows[i]
		scale := 1.0
		if f.reweighted {
			scale = 1 / max(pairCounts[[2]int32{min(s.a, s.b), max(s.a, s.b)}], leastReweighted)
		}
		total += scale * s.sum
		for _, j := range used {
			flat = append(flat, (s.mean[j]-mean[j])/sd[j])
		}
		row := contextRow{
			a: s.a, b: s.b, y: s.outcome.score(), weight: scale * s.sum, square: scale * scale * s.square,
			features: flat[len(flat)-len(used):],
		}
		if s.scatter != nil {
			for x, i := range used {
				for _, j := range used[x:] {
					row.scatter = append(row.scatter, s.scatter[productAt(i, j)]/s.sum/sd[i]/sd[j])
				}
			}
		}
		c.rows = append(c.rows, row)
	}
	if f.reweighted && total > 0 {
		scale := n / total
		for i := range c.rows {
			c.rows[i].weight *= scale
			c.rows[i].square *= scale * scale
		}
	}
	if f.meanLoss {
		c.featuresRidge *= n
	}
	return c, names
}

// counts returns the battles of each pair.
func (r *styleRows) counts() map[[2]int32]float64 {
	n := make(map[[2]int32]float64)
	for i := range r.rows {
		s := &r.rows[i]
		n[[2]int32{min(s.a, s.b), max(s.a, s.b)}] += s.count
	}
	return n
}

// restyle replaces the solution by one with style held equal and returns what
// each feature is worth; warning says why it could not.
func (r *styleRows) restyle(s *solution) (effects []Effect, warning string) {
	k := len(s.theta)
	switch {
	case len(r.rows) == 0:
		return nil, "Style is not held equal: no battle has the length, action, thought or Markdown of both replies."
	case k > denseVariance:
		return nil, "Style is not held equal: there are more than 1500 contestants, too many for the matrix of the fit."
	}
	part := newAggregate()
	for i := range r.rows {
		x := &r.rows[i]
		part.addMany(indexedBattle{a: x.a, b: x.b, outcome: x.outcome, weight: x.sum / x.count}, x.count, x.sum, x.square)
	}
	b := part.alone(k, false)
	groups := b.split(b.pairs)
	c, names := r.control(groups, k, nil, boardStyle)
	if len(names) == 0 {
		return nil, "Style is not held equal: both replies were alike in all of it."
	}
	theta, beta, converged := c.fit()
	sd := c.spread(theta, beta, 0, c.featuresRidge, 1/c.battles)
	if !converged || sd == nil {
		return nil, "Style is not held equal: the fit did not settle."
	}
	s.groups, s.theta = groups, slices.Clone(theta)
	for i := range theta {
		half := s.z * sd[i]
		if s.silent[i] {
			// What no battle has shown without style, none has shown with it.
			half = max(half, (s.high[i]-s.low[i])/2)
		}
		s.low[i], s.high[i] = theta[i]-half, theta[i]+half
	}
	for i, name := range names {
		effects = append(effects, effect(name, beta[i], sd[k+i], s.z))
	}
	return effects, ""
}
