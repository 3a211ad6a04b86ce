package again

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// The screen is a header, five settings, the rulings and the hints.
const (
	headRows = 1
	formRows = 5
	hintRows = 1
)

// beside is the width from which the rulings stand beside each other: each has
// then the room for the whole heading of a card.
const beside = 120

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
	room := s.h - headRows - formRows - hintRows
	if s.edit != nil {
		rows = append(rows, s.editorBox(room)...)
	} else {
		rows = append(rows, s.rulings(room)...)
	}
	return strings.Join(append(rows, l.Pad(s.hints(), s.w)), "\n")
}

func (s *Screen) form() []string {
	l := s.look
	line := func(key, name, value string) string {
		return l.Truncate("   "+l.Pad(l.Paint(look.Key, key), 3)+"  "+l.Pad(name, 10)+guard.Line(value), s.w)
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
		line(key("again.critic")+" "+key("again.critic.type"), "critic", s.o.CriticLabel(s.ask.Critic)),
		line(key("again.orders"), "orders", orders),
		line(key("again.thoughts"), "thoughts", yes(s.ask.HideThoughts, "kept from the critic", "shown to the critic")),
		line(key("again.equalise"), "lengths", yes(s.ask.Equalise, "the longer reply is cut to the shorter", "as they are")),
		line(key("again.words.a")+" "+key("again.words.b"), "words", s.words()),
	}
}

// words say which words are changed.
func (s *Screen) words() string {
	var what []string
	for side, w := range s.ask.Words {
		if w.Old != "" {
			what = append(what, fmt.Sprintf("%s: %q became %q", arena.Side(side), w.Old, w.New))
		}
	}
	switch {
	case s.told != "":
		return s.told
	case len(what) > 0:
		return strings.Join(what, "; ")
	case s.o.Candidates == nil:
		return "cannot be changed here"
	}
	return "as they were said"
}

func (s *Screen) sizeEditor() {
	s.edit.area.SetWidth(max(s.w-2, 4))
	s.edit.area.SetHeight(max(s.h-headRows-formRows-hintRows-3, 1))
}

// editorBox is where something is written, in h rows.
func (s *Screen) editorBox(h int) []string {
	l, e := s.look, s.edit
	s.sizeEditor()
	title, note := "A critic by its name or as URL#model", "a key, where one is needed, is taken from HERARENA_API_KEY"
	if !e.critic {
		title, note = "What "+e.side.String()+" said, as the critic gets it", "the change is kept with the ruling"
	}
	rows := strings.Split(e.area.View(), "\n")
	rows = rows[:min(len(rows), max(h-3, 0))]
	if e.fault != "" {
		rows = append([]string{" " + l.Paint(look.Bad, l.Glyphs.Cut) + " " + e.fault}, rows...)
	} else {
		rows = append(rows, " "+l.Paint(look.Dim, note))
	}
	return l.Box(l.Paint(look.Title, title), "", rows, s.w, h, true)
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
	names := []string{"again.leave", "again.judge", "again.side", "again.critic", "again.words.a", "again.words.b", "again.orders", "again.thoughts", "again.equalise"}
	help := look.Hint{Key: "?", Word: "help"}
	if s.edit != nil {
		names = []string{"again.edit.take", "again.edit.leave", "again.edit.newline", "again.edit.restore"}
		if s.edit.critic {
			names = names[:2]
		}
		help.Key = "F1"
	}
	for _, name := range names {
		b := s.keys.Get(name)
		hints = append(hints, look.Hint{Name: name, Key: b.ShownIn(s.look.ASCII), Word: b.Hint})
	}
	hints = append(hints, help)
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
	if s.edit != nil {
		return
	}
	commands := []string{"again.critic", "again.orders", "again.thoughts", "again.equalise", "again.words.a"}
	if x >= s.w/2 {
		commands[4] = "again.words.b"
	}
	if i := y - headRows; i >= 0 && i < len(commands) {
		s.Do(commands[i])
		return
	}
	s.focus = s.side(x, y)
}
