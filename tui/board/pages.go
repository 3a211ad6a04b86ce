package board

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/rating"
	"herarena/tui/chart"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// page is one of the board's pages.
type page int

const (
	ratingsPage page = iota
	winsPage
	historyPage
	pairsPage
	criticsPage
	nextPage
	pages
)

// names are what the pages are called, long and short.
func (p page) names() (long, short string) {
	switch p {
	case winsPage:
		return "wins", "wins"
	case historyPage:
		return "over time", "time"
	case pairsPage:
		return "head to head", "pairs"
	case criticsPage:
		return "critics", "critics"
	case nextPage:
		return "who next", "next"
	}
	return "ratings", "ratings"
}

// turnTo shows another page.
func (s *Screen) turnTo(p page) tea.Cmd {
	s.page, s.top, s.row, s.pair = (p+pages)%pages, 0, 0, nil
	return nil
}

// pageRow names the pages, the one shown always among them.
func (s *Screen) pageRow() string {
	l := s.look
	text := " "
	s.marks = s.marks[:0]
	for p := range pages {
		long, short := p.names()
		name := fmt.Sprintf("%d %s", p+1, long)
		if s.w < 78 {
			name = fmt.Sprintf("%d %s", p+1, short)
		}
		from := look.Width(text)
		role := look.Dim
		if p == s.page {
			role = look.Key
		}
		text += " " + l.Paint(role, name) + " "
		s.marks = append(s.marks, tab{from, look.Width(text), int(p)})
	}
	return text
}

// rows draws the page shown into h rows.
func (s *Screen) rows(v *View, h int) []string {
	switch s.page {
	case winsPage:
		return s.heat(v.Board.Matrix, h)
	case historyPage:
		return s.course(v, h)
	case pairsPage:
		return s.pairRows(v, h)
	case criticsPage:
		return s.scrolled(s.criticRows(v), h)
	case nextPage:
		return s.nextRows(v, h)
	}
	return s.table(v.Board.Ratings, h)
}

// scrolled returns the part of rows that fits.
func (s *Screen) scrolled(rows []string, h int) []string {
	s.top = max(min(s.top, len(rows)-h), 0)
	return rows[s.top:min(s.top+max(h, 0), len(rows))]
}

// say is a sentence, wrapped.
func (s *Screen) say(role look.Role, text string) (rows []string) {
	for _, row := range prose.Wrap(guard.Line(text), max(s.w-6, 1)) {
		rows = append(rows, "   "+s.look.Paint(role, row))
	}
	return rows
}

// heat draws the wins of the row against the column, the more the fuller the
// cell is drawn; the number is there for those who see no shades.
func (s *Screen) heat(m *rating.Matrix, h int) []string {
	if m == nil || len(m.Contestants) == 0 {
		return s.say(look.Dim, "nobody has met anybody")
	}
	l, k := s.look, len(m.Contestants)
	name := 8
	for _, c := range m.Contestants {
		name = max(name, look.Width(guard.Line(c)))
	}
	name = min(name, max(s.w/4, 10))
	const cell = 5
	fit := max((s.w-name-9)/cell, 1)
	s.left = max(min(s.left, k-fit), 0)
	shown := min(fit, k-s.left)
	head := "   " + strings.Repeat(" ", name+4)
	for j := s.left; j < s.left+shown; j++ {
		head += fmt.Sprintf("%*d", cell, j+1)
	}
	rows := []string{"   " + l.Paint(look.Dim, "wins of the row against the column in per cent, ties left out"), l.Paint(look.Dim, head)}
	for i, c := range m.Contestants {
		row := "   " + l.Paint(look.Dim, fmt.Sprintf("%3d ", i+1)) + l.Pad(guard.Line(c), name)
		for j := s.left; j < s.left+shown; j++ {
			row += s.heatCell(m.Share[i][j], i == j)
		}
		rows = append(rows, row)
	}
	out := append(rows[:2:2], s.scrolled(rows[2:], h-3)...)
	if shown < k {
		out = append(out, "   "+l.Paint(look.Dim, fmt.Sprintf("columns %d to %d of %d: < and > move", s.left+1, s.left+shown, k)))
	}
	return out
}

func (s *Screen) heatCell(share *float64, self bool) string {
	l := s.look
	if share == nil || self {
		return l.Paint(look.Border, "    "+l.Glyphs.Dot)
	}
	role := look.Text
	switch v := *share; {
	case v >= 0.65:
		role = look.Good
	case v <= 0.35:
		role = look.Bad
	case v > 0.55 || v < 0.45:
		role = look.Warn
	}
	eighth := l.Glyphs.Spark[min(int(*share*float64(len(l.Glyphs.Spark))), len(l.Glyphs.Spark)-1)]
	return " " + l.Paint(role, eighth+fmt.Sprintf("%3.0f", 100**share))
}

// course draws each contestant's rating over the battles.
func (s *Screen) course(v *View, h int) []string {
	l, c := s.look, v.History
	if len(c.Moments) < 2 {
		return s.say(look.Dim, "ratings over time need two battles")
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range c.Moments {
		for _, r := range m.Ratings {
			if r != nil {
				low, high = min(low, r.BT), max(high, r.BT)
			}
		}
	}
	place := make(map[string]int)
	name := 8
	for i, who := range c.Contestants {
		place[who] = i
		name = max(name, look.Width(guard.Line(who)))
	}
	name = min(name, max(s.w/4, 10))
	room := max(min(s.w-name-26, 2*len(c.Moments)), 4)
	first, last := c.Moments[0], c.Moments[len(c.Moments)-1]
	span := fmt.Sprintf("from %d to %d battles", first.Battles, last.Battles)
	if !first.At.IsZero() && !last.At.IsZero() {
		span += fmt.Sprintf(", %s to %s", first.At.Local().Format("2006-01-02"), last.At.Local().Format("2006-01-02"))
	}
	head := []string{"   " + l.Paint(look.Dim, l.Truncate(fmt.Sprintf("rating %s, drawn between %.0f and %.0f", span, low, high), max(s.w-6, 1)))}
	var rows []string
	for _, r := range v.Board.Ratings {
		i, ok := place[r.Contestant]
		if !ok {
			continue
		}
		values, was := make([]float64, 0, room), math.NaN()
		for n := range room {
			m := c.Moments[n*(len(c.Moments)-1)/max(room-1, 1)]
			if m.Ratings[i] == nil {
				values = append(values, math.NaN())
				continue
			}
			if math.IsNaN(was) {
				was = m.Ratings[i].BT
			}
			values = append(values, (m.Ratings[i].BT-low)/max(high-low, 1))
		}
		text := "   " + l.Pad(guard.Line(r.Contestant), name) + " " + l.Paint(look.Dim, fmt.Sprintf("%6.0f ", was)) +
			chart.Spark(l, look.Accent, values, room) + fmt.Sprintf(" %6.0f", r.BT) + l.Paint(look.Dim, fmt.Sprintf(" %+.0f", r.BT-was))
		rows = append(rows, text)
	}
	return append(head, s.scrolled(rows, h-1)...)
}

// criticRows tell how the source shown follows places, and how far sources agree.
func (s *Screen) criticRows(v *View) []string {
	l := s.look
	var rows []string
	source := s.sources[s.at]
	title := func(text string) { rows = append(rows, "   "+l.Paint(look.Title, text)) }
	title("places: how often a side or the place shown first won, whoever stood there")
	found := false
	for _, p := range v.Positions {
		if source != "vote" && source != "rehearsal/vote" && p.Source != source {
			continue
		}
		found = true
		for _, line := range PositionLines(p) {
			rows = append(rows, s.say(look.Text, line)...)
		}
	}
	if !found {
		rows = append(rows, s.say(look.Dim, "nothing known of this source yet")...)
	}
	if line := SideLine(v.Board); line != "" {
		rows = append(rows, s.say(look.Text, line)...)
	}
	rows = append(rows, "")
	title("agreement on the same two replies")
	found = false
	for _, a := range v.Agreements {
		if a.A != source && a.B != source {
			continue
		}
		found = true
		for _, line := range AgreementLines(a) {
			rows = append(rows, s.say(look.Text, line)...)
		}
	}
	if !found {
		rows = append(rows, s.say(look.Dim, "no turn was judged by this source and another one")...)
	}
	return rows
}

// nextRows suggest who should meet.
func (s *Screen) nextRows(v *View, h int) []string {
	l := s.look
	if v.NextNote != "" {
		return s.say(look.Dim, v.NextNote)
	}
	role := look.Text
	if v.Next.Settled {
		role = look.Good
	}
	rows := s.say(role, v.Next.Reason)
	if s.drawn.Text != "" {
		rows = append(rows, s.say(look.Accent, s.drawn.Text)...)
	}
	rows = append(rows, "")
	name := 8
	for _, p := range v.Next.Pairs {
		name = max(name, look.Width(guard.Line(p.A)), look.Width(guard.Line(p.B)))
	}
	name = min(name, max((s.w-40)/2, 8))
	rows = append(rows, l.Paint(look.Dim, "   "+l.Pad("who", name)+"  "+l.Pad("against", name)+"   met   narrows   drawn with"))
	var list []string
	for _, p := range v.Next.Pairs {
		list = append(list, "   "+l.Pad(guard.Line(p.A), name)+"  "+l.Pad(guard.Line(p.B), name)+
			fmt.Sprintf("%6s %9s %9.1f %%", half(p.Battles), fmt.Sprintf("%.2f", p.Shrink), 100*p.Probability))
	}
	return append(rows, s.scrolled(list, h-len(rows))...)
}
