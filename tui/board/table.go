package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/rating"
	"herarena/tui/guard"
	"herarena/tui/look"
)

const (
	wide  = 96  // from here on wins and losses have columns
	wider = 132 // and Elo, and how seldom both were bad
)

// table draws the rows that fit into h, with a scale under the intervals.
func (s *Screen) table(rows []rating.Row, h int) []string {
	l := s.look
	name := 10
	for _, r := range rows {
		name = max(name, look.Width(guard.Line(r.Contestant)))
	}
	record := s.w >= wide
	const rank = 8
	fixed := rank + 2 + 2 + 8 + 9 + 2 // ranks, gap, rating, ±, gap
	if record {
		fixed += 38
	}
	if s.w >= wider {
		fixed += 24
	}
	name = min(name, max(s.w-fixed-15, 10), 40)
	chart := max(s.w-fixed-name-4, 0)
	low, high := span(rows)

	rows = s.order(rows)
	head := "   "
	column := func(key, name string, w int, right bool) {
		shown := name
		if columns[s.sorted].key == key {
			shown += l.Glyphs.Down
		}
		at := look.Width(head)
		if right {
			shown = strings.Repeat(" ", max(w-look.Width(shown), 0)) + shown
		}
		shown = l.Pad(shown, w)
		s.heads = append(s.heads, look.HintSpot{Name: key, From: at, To: at + w})
		if columns[s.sorted].key == key {
			head += l.Paint(look.Key, shown)
		} else {
			head += l.Paint(look.Dim, shown)
		}
	}
	column("rank", "#", rank, false)
	column("name", "contestant", name, false)
	head += "  "
	column("rating", "rating", 7, true)
	head += l.Paint(look.Dim, fmt.Sprintf("%9s", plusMinus(l))) + "  "
	if record {
		if s.w >= wider {
			column("elo", "Elo", 8, true)
		}
		column("battles", "battles", 8, true)
		column("won", "won", 7, true)
		column("lost", "lost", 7, true)
		column("tied", "tied", 7, true)
		column("bad", "both bad", 9, true)
		if s.w >= wider {
			column("good", "not bad", 16, true)
		}
	}
	out := []string{head + "  " + l.Paint(look.Dim, scale(low, high, chart))}
	space := max(h-1, 0)
	s.top = max(min(s.top, len(rows)-space), 0)
	for _, r := range rows[s.top:min(s.top+space, len(rows))] {
		text := "   " + l.Paint(look.Dim, l.Pad(ranks(l, r), rank)) + l.Pad(guard.Line(r.Contestant), name) +
			"  " + l.Paint(look.Accent, fmt.Sprintf("%7.0f", r.BT)) + l.Paint(look.Dim, l.Pad(fmt.Sprintf("%9s", margin(l, r)), 9)) + "  "
		if s.w >= wider {
			text += fmt.Sprintf("%8.0f", r.Elo)
		}
		if record {
			text += fmt.Sprintf("%8s%7s%7s%7s%9s", half(r.Battles), half(r.Wins), half(r.Losses), half(r.Ties), half(r.BothBad))
		}
		if s.w >= wider {
			text += fmt.Sprintf("%16s", fmt.Sprintf("%.0f %% (%.0f-%.0f)", 100*r.Quality, 100*r.QualityLow, 100*r.QualityHigh))
		}
		out = append(out, text+"  "+interval(l, r, low, high, chart))
	}
	return out
}

// columns are what the table can be sorted by.
var columns = []struct {
	key  string
	less func(a, b rating.Row) int
}{
	{"rank", func(a, b rating.Row) int { return 0 }},
	{"name", func(a, b rating.Row) int { return strings.Compare(a.Contestant, b.Contestant) }},
	{"rating", func(a, b rating.Row) int { return cmp.Compare(b.BT, a.BT) }},
	{"battles", func(a, b rating.Row) int { return cmp.Compare(b.Battles, a.Battles) }},
	{"won", func(a, b rating.Row) int { return cmp.Compare(b.Wins, a.Wins) }},
	{"lost", func(a, b rating.Row) int { return cmp.Compare(b.Losses, a.Losses) }},
	{"tied", func(a, b rating.Row) int { return cmp.Compare(b.Ties, a.Ties) }},
	{"bad", func(a, b rating.Row) int { return cmp.Compare(b.BothBad, a.BothBad) }},
	{"elo", func(a, b rating.Row) int { return cmp.Compare(b.Elo, a.Elo) }},
	{"good", func(a, b rating.Row) int { return cmp.Compare(b.Quality, a.Quality) }},
}

// order returns the rows as they are sorted; equals keep the order of rating.
func (s *Screen) order(rows []rating.Row) []rating.Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, columns[s.sorted].less)
	return rows
}

func (s *Screen) sortNext() tea.Cmd {
	n := len(columns) // those that are shown
	switch {
	case s.w < wide:
		n = 3
	case s.w < wider:
		n = 8
	}
	s.sorted, s.top = (s.sorted+1)%n, 0
	return nil
}

func (s *Screen) sortBy(key string) {
	for i, c := range columns {
		if c.key == key {
			s.sorted, s.top, s.fresh = i, 0, false
		}
	}
}

// ranks are the places that the interval leaves open.
func ranks(l *look.Look, r rating.Row) string {
	if r.RankTo <= r.Rank {
		return fmt.Sprint(r.Rank)
	}
	dash := "–"
	if l.ASCII {
		dash = "-"
	}
	return fmt.Sprintf("%d%s%d", r.Rank, dash, r.RankTo)
}

// margin is half the interval, or nothing where there is none.
func margin(l *look.Look, r rating.Row) string {
	if d := (r.High - r.Low) / 2; d > 0 && !math.IsInf(d, 0) && !math.IsNaN(d) {
		return fmt.Sprintf("%s%.0f", plusMinus(l), d)
	}
	return ""
}

func plusMinus(l *look.Look) string {
	if l.ASCII {
		return "+-"
	}
	return "±"
}

// half writes a count that may have a half, from a flipped verdict.
func half(n float64) string {
	if n == math.Trunc(n) {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

// span is the range of all intervals, never empty, never endless.
func span(rows []rating.Row) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, v := range []float64{r.Low, r.High, r.BT} {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				continue
			}
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low > high {
		low, high = 1000, 1000
	}
	if high-low < 1 {
		low, high = low-50, high+50
	}
	return low, high
}

// scale writes the ends of the range above the intervals.
func scale(low, high float64, w int) string {
	left, right := fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f", high)
	if w < len(left)+len(right)+2 {
		return ""
	}
	return left + strings.Repeat(" ", w-len(left)-len(right)) + right
}

// interval draws a row's interval as a line with its rating as a block.
func interval(l *look.Look, r rating.Row, low, high float64, w int) string {
	if w < 8 || math.IsNaN(r.BT) || math.IsInf(r.BT, 0) {
		return ""
	}
	cell := func(v float64) int {
		if math.IsNaN(v) {
			v = r.BT
		}
		v = math.Min(math.Max(v, low), high)
		return min(int((v-low)/(high-low)*float64(w-1)+0.5), w-1)
	}
	from, at, to := cell(r.Low), cell(r.BT), cell(r.High)
	from, to = min(from, at), max(to, at)
	line := l.Glyphs.Rule
	if !l.ASCII {
		line = "━"
	}
	block := l.Glyphs.Bar[len(l.Glyphs.Bar)-1]
	return l.Paint(look.Border, strings.Repeat(l.Glyphs.Dot, from)) +
		l.Paint(look.Accent, strings.Repeat(line, at-from)+block+strings.Repeat(line, to-at)) +
		l.Paint(look.Border, strings.Repeat(l.Glyphs.Dot, w-1-to))
}
