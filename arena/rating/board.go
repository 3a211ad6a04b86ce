package rating

import (
	"fmt"
	"math"
	"slices"
)

// Row is a contestant's line on a board. Ratings are in Elo points; battles are
// counted by weight, so that a flipped verdict is half a win and half a loss.
type Row struct {
	Contestant string  `json:"contestant"`
	Elo        float64 `json:"elo"` // online, in the order of the battles
	BT         float64 `json:"bt"`  // fitted
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// Rank is 1 + the number of those wholly above; RankTo the last place that those
	// wholly below leave open.
	Rank    int     `json:"rank"`
	RankTo  int     `json:"rank_to"`
	Battles float64 `json:"battles"`
	Wins    float64 `json:"wins"`
	Losses  float64 `json:"losses"`
	Ties    float64 `json:"ties"`
	BothBad float64 `json:"both_bad"`
	// Quality is the share of battles that were not called bad on both sides: a
	// rating says who is better, this says whether that is any good. Its
	// interval is Wilson's.
	Quality     float64 `json:"quality"`
	QualityLow  float64 `json:"quality_low"`
	QualityHigh float64 `json:"quality_high"`
	// Rating is by Board.System, with its deviation where the system has one; nil
	// without a system.
	Rating    *float64 `json:"rating,omitempty"`
	Deviation *float64 `json:"deviation,omitempty"`
	// WinRate is the mean share of wins over the opponents, ties left out; nil
	// where there were none but ties.
	WinRate *float64 `json:"win_rate"`
}

// Board is a table of ratings with what it cannot say.
type Board struct {
	// Source is what the battles are from, where it is known.
	Source string `json:"source,omitempty"`
	// Battles is the number of battles rated, by weight, rounded.
	Battles  int      `json:"battles"`
	Warnings []string `json:"warnings"`
	// Ratings are sorted by BT, best first.
	Ratings []Row `json:"ratings"`

	Model     Model         `json:"model,omitempty"`     // of the fit, where there is one
	Intervals string        `json:"intervals,omitempty"` // what they were made by
	Level     float64       `json:"level,omitempty"`     // of the intervals
	Ties      *TieParameter `json:"ties,omitempty"`
	System    System        `json:"system,omitempty"` // of Row.Rating
	Ridge     float64       `json:"ridge,omitempty"`  // of the fit
	// Side is the advantage of standing on side A.
	Side *Effect `json:"side,omitempty"`
	// SideNote says why there is no Side where the battles cannot tell it.
	SideNote string `json:"side_note,omitempty"`
	// Style holds what each feature of style is worth, where it was held equal.
	Style     []Effect   `json:"style,omitempty"`
	Fragility *Fragility `json:"fragility,omitempty"`
	Matrix    *Matrix    `json:"matrix,omitempty"`
	// Parts names the sources of a composite.
	Parts []PartShare `json:"parts,omitempty"`
	// Agreement, Positions, History and Next are there where they are asked for.
	Agreement []Agreement `json:"agreement,omitempty"`
	Positions []Position  `json:"positions,omitempty"`
	History   *History    `json:"history,omitempty"`
	Next      *Next       `json:"next,omitempty"`
	// Slices are boards of the battles' parts.
	Slices []Slice `json:"slices,omitempty"`
}

// PartShare is what a source brings to a composite.
type PartShare struct {
	Name    string  `json:"name"`
	Weight  float64 `json:"weight"`
	Battles int     `json:"battles"`
}

// NewBoard rates the battles in both ways. The lists of the board are never
// nil.
func NewBoard(battles []Battle, o Options) Board { return tallied(battles, o).Board(o) }

// Board rates what the tally holds. The cost depends on the number of pairs, not
// of battles, unless Style is asked for.
func (t *Tally) Board(o Options) Board {
	t = t.settle()
	b, s := t.solve(o)
	return t.board(b, s, o)
}

func (t *Tally) board(blend *blend, s *solution, o Options) Board {
	names := t.index.names
	var notes []string
	b := Board{}
	if o.Style && t.agg.count > 0 {
		rows := t.style
		if rows == nil {
			rows = newStyleRows(boardStyle.more) // the tally was made without
		}
		var why string
		if b.Style, why = rows.restyle(s); why != "" {
			notes = append(notes, why)
		} else {
			notes = rows.notes(o)
		}
	}
	b.fill(names, t.agg, t.elo, s, o)
	b.Warnings = append(b.Warnings, warnings(names, t.agg, s, t.left)...)
	b.Warnings = append(b.Warnings, notes...)
	b.beside(t)
	if t.cap != nil {
		b.Warnings = append(b.Warnings, t.cap.notes()...)
	}
	if w := orderWarning(names, t.agg.count, t.elo, t.backwards()); w != "" {
		b.Warnings = append(b.Warnings, w)
	}
	if o.Brief || t.agg.count == 0 {
		return b
	}
	b.Side, b.SideNote = sideEffect(blend, s, o.quantile())
	if b.Style == nil {
		b.Fragility = blend.fragility(names, s)
	}
	if w := fragilityWarning(b.Fragility); w != "" {
		b.Warnings = append(b.Warnings, w)
	}
	return b
}

// beside sets the ratings of another system.
func (b *Board) beside(t *Tally) {
	if t.track == nil || t.agg.count == 0 {
		return
	}
	b.System = t.o.System
	for i := range b.Ratings {
		r, deviation := t.track.rating(t.index.of[b.Ratings[i].Contestant])
		b.Ratings[i].Rating = &r
		if deviation > 0 {
			b.Ratings[i].Deviation = &deviation
		}
	}
	b.Warnings = append(b.Warnings, t.track.notes()...)
}

func (r *styleRows) notes(o Options) (notes []string) {
	if r.missing > 0 {
		notes = append(notes, fmt.Sprintf("%s without style left out of the ratings.", amount(r.missing, "battle")))
	}
	if o.Bootstrap > 0 || o.Reweighted || o.Model.hasTies() {
		notes = append(notes, "With style held equal the ratings are Bradley–Terry with sandwich intervals; other choices are not heeded.")
	}
	return notes
}

// fill sets the rows and what goes with every fit.
func (b *Board) fill(names []string, agg *aggregate, elo []float64, s *solution, o Options) {
	f := s.fitted(names)
	counts := agg.rows(len(names))
	rates := agg.winRates(len(names))
	place := make(map[string]int32, len(names))
	for i, name := range names {
		place[name] = int32(i)
	}
	b.Battles = int(math.Round(agg.total))
	b.Warnings = []string{}
	b.Ratings = make([]Row, 0, len(f.Estimates))
	order := make([]int32, 0, len(f.Estimates))
	for _, e := range f.Estimates {
		i := place[e.Contestant]
		order = append(order, i)
		row := counts[i]
		row.Contestant, row.Elo, row.BT = e.Contestant, elo[i], e.Rating
		row.Low, row.High, row.Rank = e.Low, e.High, e.Rank
		row.Quality = 1
		if row.Battles > 0 {
			row.Quality = 1 - row.BothBad/row.Battles
		}
		row.QualityLow, row.QualityHigh = wilson(row.Battles-row.BothBad, row.Battles, s.z)
		row.WinRate = rates[i]
		b.Ratings = append(b.Ratings, row)
	}
	b.lastRanks()
	if len(names) == 0 {
		return
	}
	b.Model, b.Level, b.Ties = o.Model, o.level(), f.Ties
	if b.Style == nil && !o.Model.hasTies() {
		b.Ridge = o.Ridge
	}
	if b.Model == "" || b.Style != nil {
		b.Model, b.Ties = BradleyTerry, nil
	}
	b.Intervals = "sandwich"
	switch {
	case b.Style != nil:
		b.Intervals = "sandwich, style held equal"
	case o.Bootstrap > 0:
		b.Intervals = fmt.Sprintf("bootstrap of %d", o.Bootstrap)
	}
	if o.Reweighted && b.Style == nil {
		b.Intervals += ", pairs reweighted"
	}
	if o.Matrix && len(names) <= mostSquare {
		b.Matrix = agg.matrix(names, order)
	}
}

// lastRanks sets how far down each contestant may stand.
func (b *Board) lastRanks() {
	highs := make([]float64, len(b.Ratings))
	for i := range b.Ratings {
		highs[i] = b.Ratings[i].High
	}
	slices.Sort(highs)
	for i := range b.Ratings {
		below, _ := slices.BinarySearch(highs, b.Ratings[i].Low)
		b.Ratings[i].RankTo = max(len(highs)-below, b.Ratings[i].Rank)
	}
}

func blendElo(names *numbering, parts []Part, o Options) []float64 {
	sum, weight := make([]float64, len(names.names)), make([]float64, len(names.names))
	for _, p := range parts {
		for i, name := range p.Tally.index.names {
			if at, ok := names.of[name]; ok {
				sum[at] += p.Weight * p.Tally.elo[i]
				weight[at] += p.Weight
			}
		}
	}
	start := o.Elo.withDefaults().Start
	for i := range sum {
		if weight[i] > 0 {
			sum[i] /= weight[i]
		} else {
			sum[i] = start
		}
	}
	return sum
}
