package board

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/rating"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// duo is two contestants and how their battles ended, seen from the first.
type duo struct {
	a, b                 string
	won, lost, tied, bad float64
	meetings             []Meeting
}

// duos puts the meetings of each two contestants together, the most first.
func duos(meetings []Meeting) []duo {
	at := make(map[[2]string]int)
	var list []duo
	for _, m := range meetings {
		a, b := min(m.A, m.B), max(m.A, m.B)
		i, ok := at[[2]string{a, b}]
		if !ok {
			i = len(list)
			at[[2]string{a, b}] = i
			list = append(list, duo{a: a, b: b})
		}
		d, w := &list[i], 1.0
		if m.Flip {
			w = 0.5
		}
		switch {
		case m.Outcome == rating.Tie:
			d.tied += w
		case m.Outcome == rating.BothBad:
			d.bad += w
		case (m.Outcome == rating.Win) == (m.A == a):
			d.won += w
		default:
			d.lost += w
		}
		d.meetings = append(d.meetings, m)
	}
	slices.SortStableFunc(list, func(x, y duo) int {
		return cmp.Or(-cmp.Compare(len(x.meetings), len(y.meetings)), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return list
}

// pairRows are the pairs, or the battles of the pair that is open.
func (s *Screen) pairRows(v *View, h int) []string {
	l := s.look
	if len(v.Meetings) == 0 {
		return s.say(look.Dim, "nobody has met anybody")
	}
	if s.pair != nil {
		return s.meetingRows(v, h)
	}
	list := duos(v.Meetings)
	name := 8
	for _, d := range list {
		name = max(name, look.Width(guard.Line(d.a)), look.Width(guard.Line(d.b)))
	}
	name = min(name, max((s.w-36)/2, 8))
	head := l.Paint(look.Dim, "   "+l.Pad("who", name)+"  "+l.Pad("against", name)+"     won   lost   tied    bad")
	var rows []string
	for _, d := range list {
		rows = append(rows, l.Pad(guard.Line(d.a), name)+"  "+l.Pad(guard.Line(d.b), name)+
			fmt.Sprintf("  %6s %6s %6s %6s", half(d.won), half(d.lost), half(d.tied), half(d.bad)))
	}
	return append([]string{head}, s.chosenRows(rows, h-1)...)
}

// chosenRows draws rows of which one is chosen, and keeps that one in sight.
func (s *Screen) chosenRows(rows []string, h int) []string {
	s.row = max(min(s.row, len(rows)-1), 0)
	if s.row < s.top {
		s.top = s.row
	}
	if h > 0 && s.row >= s.top+h {
		s.top = s.row - h + 1
	}
	s.top = max(min(s.top, len(rows)-h), 0)
	var out []string
	for i := s.top; i < min(s.top+max(h, 0), len(rows)); i++ {
		if i == s.row {
			out = append(out, " "+s.look.Paint(look.Key, s.look.Glyphs.Prompt)+" "+s.look.Paint(look.Selected, s.look.Truncate(rows[i], max(s.w-4, 1))))
			continue
		}
		out = append(out, "   "+rows[i])
	}
	return out
}

func (s *Screen) meetingRows(v *View, h int) []string {
	l := s.look
	list := s.open(v)
	head := []string{
		"   " + l.Paint(look.Title, l.Truncate(guard.Line(s.pair[0])+" against "+guard.Line(s.pair[1]), max(s.w-6, 1))),
		"   " + l.Paint(look.Dim, fmt.Sprintf("%d battles, the newest first; enter reads the turn", len(list))),
	}
	var rows []string
	for _, m := range list {
		how := "tie"
		switch m.Outcome {
		case rating.Win:
			how = guard.Line(m.A) + " (A)"
		case rating.Loss:
			how = guard.Line(m.B) + " (B)"
		case rating.BothBad:
			how = "both bad"
		}
		if m.Flip {
			how += " in one order"
		}
		when := "          "
		if !m.At.IsZero() {
			when = m.At.Local().Format("2006-01-02")
		}
		rows = append(rows, fmt.Sprintf("%s  turn %-3d %s  %s", when, m.Turn, l.Pad(how, 24), guard.Line(m.Scene)))
	}
	return append(head, s.chosenRows(rows, h-2)...)
}

// open returns the battles of the pair that is open.
func (s *Screen) open(v *View) []Meeting {
	for _, d := range duos(v.Meetings) {
		if s.pair != nil && d.a == s.pair[0] && d.b == s.pair[1] {
			return d.meetings
		}
	}
	return nil
}

// enter opens what is chosen.
func (s *Screen) enter() tea.Cmd {
	v := s.shown()
	if v == nil {
		return nil
	}
	switch s.page {
	case ratingsPage:
		s.turnTo(pairsPage)
	case pairsPage:
		if s.pair == nil {
			if list := duos(v.Meetings); s.row < len(list) {
				s.pair = &[2]string{list[s.row].a, list[s.row].b}
				s.row, s.top = 0, 0
			}
			return nil
		}
		if list := s.open(v); s.row < len(list) && list[s.row].DuelID != "" {
			m := list[s.row]
			return func() tea.Msg { return OpenDuel{m.DuelID, m.Turn} }
		}
	case nextPage:
		return s.draw()
	}
	return nil
}

// back closes what is open, or leaves.
func (s *Screen) back() tea.Cmd {
	if s.pair != nil {
		s.pair, s.row, s.top = nil, 0, 0
		return nil
	}
	return func() tea.Msg { return Leave{} }
}

type drawnMsg struct {
	screen *Screen
	drawn  Drawn
	err    error
}

// draw takes a pair by its probability, which is kept.
func (s *Screen) draw() tea.Cmd {
	v := s.shown()
	if s.o.Draw == nil || v == nil || len(v.Next.Pairs) == 0 {
		return nil
	}
	next, source := v.Next, s.sources[s.at]
	return func() tea.Msg {
		drawn, err := s.o.Draw(s.ctx, source, next)
		return drawnMsg{s, drawn, err}
	}
}

// pairShown tells whether play has a pair to start from.
func (s *Screen) pairShown() bool {
	a, _ := s.pairAt()
	return a != ""
}

// pairAt is the pair that was drawn, on the page that shows it, or the one chosen
// or open among the pairs; empty for none.
func (s *Screen) pairAt() (a, b string) {
	v := s.shown()
	switch {
	case v == nil:
	case s.page == nextPage:
		return s.drawn.A, s.drawn.B
	case s.page == pairsPage && s.pair != nil:
		return s.pair[0], s.pair[1]
	case s.page == pairsPage:
		if list := duos(v.Meetings); s.row < len(list) {
			return list[s.row].a, list[s.row].b
		}
	}
	return "", ""
}

// play asks for the casting with the pair chosen; where nobody was drawn yet, it
// draws.
func (s *Screen) play() tea.Cmd {
	a, b := s.pairAt()
	if a == "" {
		if s.page == nextPage {
			return s.draw()
		}
		return nil
	}
	return func() tea.Msg { return Seat{a, b} }
}
