package stage

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"herarena/arena"
	"herarena/tui/chart"
	"herarena/tui/look"
)

// chance is an estimate of how often a contestant is the better one, with its
// 95 % interval.
type chance struct {
	at, low, high float64
	n             float64 // outcomes behind it, by weight
}

// estimate is the chance after outcomes of weight n, of which won went to the
// contestant; a tie is half a win.
//
// It is the mean of the posterior under Jeffreys' prior, Beta(1/2, 1/2):
// (won + 1/2) / (n + 1), with the 2.5 % and 97.5 % quantiles of
// Beta(won + 1/2, n - won + 1/2) as its interval. Source: L. Brown, T. Cai,
// A. DasGupta, "Interval estimation for a binomial proportion", Statistical
// Science 16 (2001), section 4.3; without their changes at the ends, which are
// for whole successes only. Turns of one scene are not independent, so that the
// true uncertainty is larger still: with few turns this says little, and the
// interval shows it.
func estimate(won, n float64) chance {
	won, n = max(won, 0), max(n, 0)
	won = min(won, n)
	d := distuv.Beta{Alpha: won + 0.5, Beta: n - won + 0.5}
	return chance{at: (won + 0.5) / (n + 1), low: d.Quantile(0.025), high: d.Quantile(0.975), n: n}
}

// odds are the estimates over the turns for the contestant of the first seat:
// one line from the critic's verdicts, one from the person's votes. An entry is
// nil where the turn brought nothing new.
type odds struct {
	turns  []int // numbers
	critic []*chance
	votes  []*chance
	hidden int // turns left out because their seats are not known yet
}

// won is how much of an outcome goes to the contestant of seat 0, and the weight
// of the outcome. Both bad says nothing of who is better.
func (t *turn) won(c arena.Choice, weight float64) (won, n float64) {
	side := arena.A
	if t.seats[arena.B] == 0 {
		side = arena.B
	}
	switch {
	case c == arena.Tie:
		return weight / 2, weight
	case c == arena.ChoseA && side == arena.A, c == arena.ChoseB && side == arena.B:
		return weight, weight
	case c == arena.ChoseA, c == arena.ChoseB:
		return 0, weight
	}
	return 0, 0
}

// reckon makes the odds of all turns whose seats the person may know. Verdicts
// count as on a board: a flip as two halves, an order alone as one half.
func (s *Stage) reckon() odds {
	var o odds
	var won, n [2]float64
	for _, t := range s.play.turns {
		if _, known := s.bill.name(t, arena.A); !known {
			if t.ruling != nil {
				o.hidden++
			}
			continue
		}
		var grown [2]bool
		if t.ruling != nil {
			for _, w := range t.ruling.Outcomes() {
				a, b := t.won(w.Choice, w.Weight)
				won[0], n[0], grown[0] = won[0]+a, n[0]+b, true
			}
		}
		if t.vote != nil {
			a, b := t.won(t.vote.Choice, 1)
			won[1], n[1], grown[1] = won[1]+a, n[1]+b, b > 0
		}
		var now [2]*chance
		for i := range now {
			if grown[i] {
				c := estimate(won[i], n[i])
				now[i] = &c
			}
		}
		o.turns = append(o.turns, t.number)
		o.critic, o.votes = append(o.critic, now[0]), append(o.votes, now[1])
	}
	return o
}

// last is the newest estimate of a line, nil before the first.
func last(line []*chance) *chance {
	for i := len(line) - 1; i >= 0; i-- {
		if line[i] != nil {
			return line[i]
		}
	}
	return nil
}

func values(line []*chance) []chart.Value {
	out := make([]chart.Value, len(line))
	for i, c := range line {
		out[i] = chart.Value{At: math.NaN(), Low: math.NaN(), High: math.NaN()}
		if c != nil {
			out[i] = chart.Value{At: c.at, Low: c.low, High: c.high}
		}
	}
	return out
}

// whose is whose chance the line is: A's, or the contestant's where sides change.
func (s *Stage) whose() string {
	if !s.o.Blind {
		return s.look.Paint(look.SideA, "A")
	}
	for _, t := range s.play.turns {
		for _, side := range []arena.Side{arena.A, arena.B} {
			if name, known := s.bill.name(t, side); known && t.seats[side] == 0 {
				return s.look.Paint(look.Title, name)
			}
		}
	}
	return "the first seat"
}

// percent writes a chance with its interval: "64 % (31–90)".
func percent(l *look.Look, c *chance) string {
	dash := "–"
	if l.ASCII {
		dash = "-"
	}
	return fmt.Sprintf("%.0f %% (%.0f%s%.0f)", 100*c.at, 100*c.low, dash, 100*c.high)
}

// oddsRows draws the chance over the turns: what it is, the chart, and what it
// stands on.
func (s *Stage) oddsRows(w, h int) []string {
	l, o := s.look, s.odds()
	dim := func(text string) string { return l.Paint(look.Dim, text) }
	rows := []string{l.Pad(" "+s.oddsTitle(o), w)}
	if last(o.critic) == nil && last(o.votes) == nil {
		word := "no verdict and no vote yet: the chance begins at one half"
		if o.hidden > 0 {
			word = "hidden: it would tell who sits where. It shows once you have voted"
		}
		return append(rows, l.Pad("   "+dim(word), w))
	}
	labels := make([]string, len(o.turns))
	for i, n := range o.turns {
		labels[i] = strconv.Itoa(n)
	}
	if room := h - 2; room >= 4 {
		rows = append(rows, chart.Line(l, []chart.Series{
			{Role: look.Dim, Mark: chart.Ring(l), Values: values(o.votes)},
			{Role: look.Accent, Mark: chart.Point(l), Values: values(o.critic), Band: true},
		}, labels, w, room)...)
	} else if c := last(o.critic); c != nil {
		rows = append(rows, l.Pad("   "+dim("0 % ")+chart.Interval(l, look.Accent, c.low, c.at, c.high, min(w-14, 60))+dim(" 100 %"), w))
	}
	return append(rows, l.Pad(" "+s.oddsFoot(o), w))
}

func (s *Stage) oddsTitle(o odds) string {
	l := s.look
	parts := []string{l.Paint(look.Title, "Chance that ") + s.whose() + l.Paint(look.Title, " is better")}
	if c := last(o.critic); c != nil {
		parts = append(parts, l.Paint(look.Accent, chart.Point(l))+" critic "+percent(l, c))
	}
	if c := last(o.votes); c != nil {
		parts = append(parts, l.Paint(look.Dim, chart.Ring(l))+" you "+percent(l, c))
	}
	return strings.Join(parts, "   ")
}

// oddsFoot says how far the numbers carry.
func (s *Stage) oddsFoot(o odds) string {
	text := "95 % intervals; a flip counts half for each"
	c := last(o.critic)
	if c == nil {
		c = last(o.votes)
	}
	switch {
	case c.n < 5:
		text = fmt.Sprintf("after %s this says little yet; %s", outcomes(c.n), text)
	case c.low <= 0.5 && c.high >= 0.5:
		text = "the interval holds one half: neither is ahead for sure; " + text
	}
	if o.hidden > 0 {
		text += fmt.Sprintf("; %d hidden until you vote", o.hidden)
	}
	return s.look.Paint(look.Dim, text)
}

func outcomes(n float64) string {
	if n == 1 {
		return "1 outcome"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " outcomes"
}

// oddsBrief is the chance for the bar: a sparkline and the number.
func (s *Stage) oddsBrief() string {
	l, o := s.look, s.odds()
	c := last(o.critic)
	if c == nil || len(o.turns) < 2 {
		return ""
	}
	var line []float64
	for _, v := range o.critic {
		if v != nil {
			line = append(line, v.at)
		}
	}
	n := min(len(line), 12)
	return l.Paint(look.Dim, "over the turns ") + s.whose() + " " + chart.Spark(l, look.Accent, line, n) + " " + percent(l, c)
}

// odds are reckoned anew only when a ruling or a vote has changed, or when the
// names have been shown.
func (s *Stage) odds() odds {
	if s.verdict.oddsOf == nil || s.verdict.revealed != s.bill.revealed {
		o := s.reckon()
		s.verdict.oddsOf, s.verdict.revealed = &o, s.bill.revealed
	}
	return *s.verdict.oddsOf
}
