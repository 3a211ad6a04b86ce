package rating

import (
	"math"
	"time"
)

// Moment is a board as it stood.
type Moment struct {
	At      time.Time `json:"at"` // of the last battle, zero where it is not known
	Battles int       `json:"battles"`
	// Ratings are by the place in History.Contestants; nil for who had not met
	// anybody yet.
	Ratings []*Estimated `json:"ratings"`
}

// Estimated is a rating with its interval.
type Estimated struct {
	BT   float64 `json:"bt"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// History is how ratings came about: the fit of the first battles, of more, and
// in the end of all.
type History struct {
	Contestants []string `json:"contestants"`
	Moments     []Moment `json:"moments"`
}

// Historian keeps the boards of a growing tally. It doubles the distance of its
// moments whenever there are too many of them, so that neither their number nor
// the time depends much on the battles. Make it with NewHistorian.
type Historian struct {
	t       *Tally
	o       Options
	most    int
	every   int // battles between two moments
	since   int
	at      time.Time
	moments []Moment
}

// NewHistorian makes one of at most so many moments (at least 4).
func NewHistorian(most int, o Options) *Historian {
	o.Last, o.Bootstrap, o.Style, o.System, o.Matrix, o.Brief = 0, 0, false, "", false, true
	return &Historian{t: NewTally(o), o: o, most: max(most, 4), every: 1}
}

// Add takes the next battle in the order of time.
func (h *Historian) Add(b Battle) {
	before := h.t.agg.count
	h.t.Add(b)
	if h.t.agg.count == before {
		return
	}
	if b.About != nil && !b.About.At.IsZero() {
		h.at = b.About.At
	}
	if h.since++; h.since >= h.every {
		h.keep()
	}
}

func (h *Historian) keep() {
	h.since = 0
	if len(h.moments) >= h.most {
		kept := h.moments[:0]
		for i := 1; i < len(h.moments); i += 2 {
			kept = append(kept, h.moments[i])
		}
		h.moments = kept
		h.every *= 2
	}
	h.moments = append(h.moments, h.moment())
}

func (h *Historian) moment() Moment {
	_, s := h.t.solve(h.o)
	m := Moment{At: h.at, Battles: int(math.Round(h.t.agg.total)), Ratings: make([]*Estimated, len(s.theta))}
	for i := range s.theta {
		m.Ratings[i] = &Estimated{BT: mean + points*s.theta[i], Low: mean + points*s.low[i], High: mean + points*s.high[i]}
	}
	return m
}

// History returns the moments so far, the present one last.
func (h *Historian) History() History {
	out := History{Contestants: append([]string{}, h.t.index.names...), Moments: append([]Moment{}, h.moments...)}
	if h.since > 0 {
		out.Moments = append(out.Moments, h.moment())
	}
	for i := range out.Moments {
		for len(out.Moments[i].Ratings) < len(out.Contestants) {
			out.Moments[i].Ratings = append(out.Moments[i].Ratings, nil)
		}
	}
	return out
}
