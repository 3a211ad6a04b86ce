package rating

import (
	"math"
	"slices"
)

// window is how many of the first battles a Tally keeps one by one, to tell how
// far the online rating depends on their order.
const window = 1 << 16

// Tally takes battles one by one and keeps only what boards need of them: the
// counts of each pair and outcome, and the online ratings. Its memory depends
// on the number of pairs that met, not on the number of battles; of style it
// keeps a bounded number of rows (see styleRows). Make it with NewTally. A Tally
// serves one goroutine.
type Tally struct {
	o     Options
	index *numbering
	agg   *aggregate
	elo   []float64
	slope float64
	first []indexedBattle // at most window of them
	left  map[string]int  // battles left out, by reason
	last  *ring           // nil where all battles count
	style *styleRows      // nil where it is not asked for
	track track           // nil where no other rating is asked for
	cap   *capper         // nil where a voter's day has no limit
	theta []float64       // abilities of the last fit, to begin the next one at
	model Model           // of that fit
	tie   float64         // its parameter of ties, of the largest group
}

// NewTally makes an empty tally. Of the options it heeds Elo, Last, Style, System
// and DailyCap; Board takes the others.
func NewTally(o Options) *Tally {
	o.Elo = o.Elo.withDefaults()
	t := &Tally{o: o, index: newNumbering(), agg: newAggregate(), slope: o.Elo.slope()}
	if o.Last > 0 {
		t.last = &ring{most: o.Last}
	}
	if o.Style {
		t.style = newStyleRows(boardStyle.more)
	}
	t.track = newTrack(o.System)
	if o.DailyCap > 0 {
		t.cap = newCapper(o.DailyCap, o.Zone)
	}
	return t
}

// Add counts a battle. One that cannot be rated is left out, and the board says
// so.
func (t *Tally) Add(b Battle) {
	if why := b.fault(); why != "" {
		t.leave(why)
		return
	}
	if w, _ := b.weight(); t.cap != nil && !t.cap.pass(b.About, w) {
		return
	}
	if t.last != nil {
		t.last.add(b)
		return
	}
	t.count(b)
}

func (t *Tally) leave(why string) {
	if t.left == nil {
		t.left = make(map[string]int)
	}
	t.left[why]++
}

func (t *Tally) count(b Battle) {
	w, _ := b.weight()
	x := indexedBattle{weight: w, a: t.index.number(b.A), b: t.index.number(b.B), outcome: b.Outcome}
	if len(t.index.names) >= mostContestants {
		t.leave("more contestants than a board can hold")
		return
	}
	for len(t.elo) < len(t.index.names) {
		t.elo = append(t.elo, t.o.Elo.Start)
	}
	step(t.elo, &x, t.o.Elo.K, t.slope)
	t.agg.add(x)
	if len(t.first) < window {
		t.first = append(t.first, x)
	}
	if t.style != nil {
		t.style.add(x, b.About)
	}
	if t.track != nil {
		voter := ""
		if b.About != nil {
			voter = b.About.Voter
		}
		t.track.add(x, voter)
	}
}

// backwards returns the online ratings with the battles taken the other way
// round. Of the battles beyond the window, which come first then, it takes the
// forward ratings as the result: what the window holds outweighs them.
func (t *Tally) backwards() []float64 {
	ratings := slices.Clone(t.elo)
	if t.agg.count <= window {
		for i := range ratings {
			ratings[i] = t.o.Elo.Start
		}
	}
	for _, b := range slices.Backward(t.first) {
		step(ratings, &b, t.o.Elo.K, t.slope)
	}
	return ratings
}

// solve fits what was counted.
func (t *Tally) solve(o Options) (*blend, *solution) {
	b := t.agg.alone(len(t.index.names), o.Reweighted)
	b.start, b.startModel, b.startTie, b.pull = t.theta, t.model, t.tie, o.Ridge
	s := b.solve(o)
	t.theta, t.model, t.tie = s.theta, o.Model, 0
	if len(s.ties) > 0 {
		t.tie = s.ties[0]
	}
	return b, s
}

// settle counts what a window of the last battles held back.
func (t *Tally) settle() *Tally {
	if t.last == nil {
		return t
	}
	o := t.o
	o.Last, o.DailyCap = 0, 0
	s := NewTally(o)
	s.left, s.cap = t.left, t.cap
	t.last.each(s.count)
	return s
}

// ring keeps the last battles given to it.
type ring struct {
	most    int
	battles []Battle
	next    int
}

func (r *ring) add(b Battle) {
	if b.About != nil {
		about := *b.About
		b.About = &about
	}
	if len(r.battles) < r.most {
		r.battles = append(r.battles, b)
		return
	}
	r.battles[r.next] = b
	r.next = (r.next + 1) % r.most
}

func (r *ring) each(do func(Battle)) {
	for i := range r.battles {
		do(r.battles[(r.next+i)%len(r.battles)])
	}
}

// rows counts each contestant's battles by their ends.
func (g *aggregate) rows(contestants int) []Row {
	rows := make([]Row, contestants)
	for i := range g.cells {
		c := &g.cells[i]
		x, y, w := &rows[c.a], &rows[c.b], c.sum
		x.Battles += w
		y.Battles += w
		switch c.outcome {
		case Win:
			x.Wins += w
			y.Losses += w
		case Loss:
			x.Losses += w
			y.Wins += w
		case Tie:
			x.Ties += w
			y.Ties += w
		case BothBad:
			x.BothBad += w
			y.BothBad += w
		}
	}
	return rows
}

// wilson returns Wilson's score interval of a share (Wilson 1927, JASA 22), which
// stays within 0 and 1 and has a width at 0 of n.
func wilson(hits, n, z float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, zz := hits/n, z*z
	centre := (p + zz/(2*n)) / (1 + zz/n)
	half := z / (1 + zz/n) * math.Sqrt(p*(1-p)/n+zz/(4*n*n))
	return max(centre-half, 0), min(centre+half, 1)
}
