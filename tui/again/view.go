package again

import (
	"strings"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// The screen is a header, four settings, the rulings and the hints.
const (
	headRows = 1
	formRows = 4
	hintRows = 1
)

// beside is the width from which the rulings stand beside each other: each has
// then the room for the whole heading of a card.
const beside = 122

// wide reports whether the rulings stand beside each other.
func (s *Screen) wide() bool { return s.w >= beside }

// View returns the frame.
func (s *Screen) View() string {
	l := s.look
	title := " " + l.Paint(look.Title, "HER Arena") + "   judging again   " + l.Paint(look.Dim, guard.Line(s.o.Title))
	rows := []string{l.Pad(title, s.w)}
	for _, f := range s.form() {
		rows = append(rows, l.Pad(f, s.w))
	}
	rows = append(rows, s.rulings(s.h-headRows-formRows-hintRows)...)
	return strings.Join(append(rows, l.Pad(s.hints(), s.w)), "\n")
}

func (s *Screen) form() []string {
	l := s.look
	line := func(key, name, value string) string {
		return "   " + l.Paint(look.Key, key) + "  " + l.Pad(name, 12) + guard.Line(value)
	}
	orders := map[arena.OrderPolicy]string{
		arena.OrdersAlways: "both", arena.OrdersNever: "one alone", arena.OrdersClose: "the second when the first is close",
	}[s.ask.Orders]
	yes := func(b bool, is, not string) string {
		if b {
			return is
		}
		return not
	}
	key := func(name string) string { return s.keys.Get(name).ShownIn(l.ASCII) }
	return []string{
		line(key("again.critic"), "critic", s.o.CriticLabel(s.ask.Critic)),
		line(key("again.orders"), "orders", orders),
		line(key("again.thoughts"), "thoughts", yes(s.ask.HideThoughts, "kept from the critic", "shown to the critic")),
		line(key("again.equalise"), "lengths", yes(s.ask.Equalise, "the longer reply is cut to the shorter", "as they are")),
	}
}

// rulings are the two boxes, in h rows.
func (s *Screen) rulings(h int) []string {
	if s.wide() {
		left := s.w / 2
		a, b := s.box(0, left, h), s.box(1, s.w-left, h)
		for i := range a {
			a[i] += b[i]
		}
		return a
	}
	top := h / 2
	return append(s.box(0, s.w, top), s.box(1, s.w, h-top)...)
}

// box is one ruling: what it came to, each order, and its cards.
func (s *Screen) box(i, w, h int) []string {
	l := s.look
	r, title := s.ruled(i)
	inner := w - 2
	var rows []string
	switch {
	case i == 1 && s.Running():
		rows = append(rows, card.Orders(l, s.live, true, 0, inner)...)
	case i == 1 && s.fault != "":
		rows = append(rows, " "+l.Paint(look.Bad, l.Glyphs.Cut)+" "+s.fault)
	case i == 1 && s.now == nil:
		rows = append(rows, " "+l.Paint(look.Dim, s.keys.Get("again.judge").ShownIn(l.ASCII)+" judges the turn again"))
	}
	if r != nil {
		rows = append(rows, s.orders(r, inner)...)
	}
	rows = append(rows, s.lists[i].View(inner, max(0, h-2-len(rows)), s.focus == i)...)
	return l.Box(guard.Line(title), outcome(r), rows, w, h, s.focus == i)
}

// orders say what each order came to, under its name. One that was not asked has
// no row.
func (s *Screen) orders(r *arena.Ruling, w int) []string {
	l := s.look
	if r.Verdicts[0].Status != "" && r.Verdicts[1].Status != "" {
		return card.Orders(l, r.Verdicts, false, 0, w)
	}
	var rows []string
	for i := range r.Verdicts {
		if o, v := arena.Order(i), &r.Verdicts[i]; v.Status != "" {
			rows = append(rows, l.Truncate(" "+l.Paint(look.Title, o.String())+"  "+card.Result(l, o, v), w))
		}
	}
	return rows
}

func (s *Screen) hints() string {
	var hints []look.Hint
	for _, name := range []string{"again.judge", "again.critic", "again.orders", "again.thoughts", "again.equalise", "again.side", "again.leave"} {
		b := s.keys.Get(name)
		hints = append(hints, look.Hint{Name: name, Key: b.ShownIn(s.look.ASCII), Word: b.Hint})
	}
	hints = append(hints, look.Hint{Key: "?", Word: "help"})
	text, _ := s.look.Hints(hints, 3, s.w-3)
	return "   " + text
}

// side is the ruling under a cell.
func (s *Screen) side(x, y int) int {
	if s.wide() {
		return min(1, x/max(1, s.w/2))
	}
	if y < headRows+formRows+(s.h-headRows-formRows-hintRows)/2 {
		return 0
	}
	return 1
}

// click takes a click on a setting, a card or a hint.
func (s *Screen) click(x, y int) {
	commands := []string{"again.critic", "again.orders", "again.thoughts", "again.equalise"}
	if i := y - headRows; i >= 0 && i < len(commands) {
		s.Do(commands[i])
		return
	}
	s.focus = s.side(x, y)
}
