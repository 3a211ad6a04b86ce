package archive

import (
	"fmt"
	"strings"

	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// listRows are the duels that fit into h rows of w cells, the chosen one among
// them, or why there are none.
func (s *Screen) listRows(w, h int) []string {
	s.lettered = false
	if text, role := s.nothing(); text != "" {
		var rows []string
		rows = append(rows, "")
		for _, row := range prose.Wrap(text, max(w-4, 1)) {
			rows = append(rows, "  "+s.look.Paint(role, row))
		}
		return rows[:min(len(rows), max(h, 0))]
	}
	if h <= 0 {
		return nil
	}
	s.top = max(min(s.top, len(s.shown)-h), 0)
	s.top = min(s.top, s.at)
	s.top = max(s.top, s.at-h+1)
	rows := make([]string, 0, h)
	for i := s.top; i < min(s.top+h, len(s.shown)); i++ {
		r := &s.rows[s.shown[i]]
		s.lettered = s.lettered || w < spelled && (r.Rehearsal || r.Blind)
		rows = append(rows, s.listRow(r, w, i == s.at))
	}
	return rows
}

// nothing says why the list is empty, "" where it is not.
func (s *Screen) nothing() (string, look.Role) {
	switch {
	case s.fault != "":
		return "the ledger could not be read: " + guard.Line(s.fault), look.Bad
	case len(s.rows) == 0 && s.reading:
		return "reading the ledger" + s.look.Glyphs.More, look.Dim
	case len(s.rows) == 0:
		return "no duels yet: whatever you play is kept here", look.Dim
	case len(s.shown) == 0 && s.pending > 0:
		return "searching what was said" + s.look.Glyphs.More, look.Dim
	case len(s.shown) == 0 && s.unplayed == len(s.rows) && s.text == "":
		return "no duel in which anything was said; " + s.keys.Get("archive.filter.played").ShownIn(s.look.ASCII) + " shows those left before the first line", look.Dim
	case len(s.shown) == 0:
		return "no duel is like that; " + s.keys.Get("archive.clear").ShownIn(s.look.ASCII) + " shows all again", look.Dim
	}
	return "", 0
}

// timed is the width from which a row says the time of day and the votes.
const timed = 76

// listRow is one duel: when, where, who, how much.
func (s *Screen) listRow(r *row, w int, chosen bool) string {
	l := s.look
	when := r.Started.In(s.o.Now().Location()).Format("2006-01-02")
	if r.Started.IsZero() {
		when = "some day  "
	}
	if w >= timed && !r.Started.IsZero() {
		when = r.Started.In(s.o.Now().Location()).Format("2006-01-02 15:04")
	}
	marks := fmt.Sprintf("%8s", plural(r.Turns, "turn"))
	if w >= 72 {
		marks = fmt.Sprintf("%8s %7s", plural(r.Turns, "turn"), plural(r.Votes, "vote"))
	}
	if w >= 84 {
		marks = fmt.Sprintf("%9s %8s", plural(r.Turns, "turn"), plural(r.Votes, "vote"))
	}
	kind := kind(r, w)
	critic := ""
	if w >= 96 {
		critic = l.Pad(guard.Line(s.critic(r.Critic)), 14) + "  "
	}
	room := w - look.Width(when) - look.Width(marks) - look.Width(critic) - look.Width(kind) - 8
	scene := max(room*9/20, 4)
	if w >= timed && w < 84 {
		scene = room * 2 / 5 // both names matter more than the end of a title
	}
	names := max(room-scene-2, 4)
	mark := "  "
	if chosen {
		mark = l.Glyphs.Prompt + " "
	}
	text := mark + when + "  " + l.Pad(guard.Line(r.SceneTitle), scene) + "  " + l.Pad(s.versus(r, names), names) + "  " + critic + marks + " " + kind
	text = l.Pad(text, w)
	if chosen {
		return l.Paint(look.Selected, text)
	}
	return text
}

// spelled is the width from which kinds are words.
const spelled = 125

// kind marks blind duels and rehearsals: in words where there is room.
func kind(r *row, w int) string {
	words, pad := [2]string{"r", "b"}, 2
	if w >= spelled {
		words, pad = [2]string{"rehearsal", "blind"}, 16
	}
	text := ""
	if r.Rehearsal {
		text = words[0]
	}
	if r.Blind {
		if text != "" && pad > 2 {
			text += ", "
		}
		text += words[1]
	}
	return look.Pad(text, pad)
}

// versus names both contestants in w cells, each with its fair share.
func (s *Screen) versus(r *row, w int) string {
	between := " – "
	if s.look.ASCII {
		between = " - "
	}
	a, b := guard.Line(r.Contestants[0]), guard.Line(r.Contestants[1])
	room := max(w-look.Width(between), 2)
	wa, wb := look.Width(a), look.Width(b)
	if i := strings.LastIndexByte(a, '/') + 1; wa+wb > room && i > 0 && strings.HasPrefix(b, a[:i]) {
		a, b = a[i:], b[i:] // what tells them apart
		wa, wb = look.Width(a), look.Width(b)
	}
	if wa+wb > room {
		half := room / 2
		switch {
		case wa <= half:
			wb = room - wa
		case wb <= room-half:
			wa = room - wb
		default:
			wa, wb = half, room-half
		}
		a, b = s.look.Truncate(a, wa), s.look.Truncate(b, wb)
	}
	return a + between + b
}

func (s *Screen) critic(name string) string {
	if name == "" {
		return "no critic"
	}
	if s.o.CriticLabel != nil {
		return s.o.CriticLabel(name)
	}
	return name
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (s *Screen) aboutTitle() string {
	if s.explaining() {
		return "How to search"
	}
	r := s.chosen()
	if r == nil {
		return "Duel"
	}
	if title := guard.Line(r.SceneTitle); title != "" {
		return title
	}
	return "Duel"
}

// aboutRows describe the chosen duel in h rows of w cells.
func (s *Screen) aboutRows(w, h int) []string {
	r := s.chosen()
	if h <= 0 || r == nil && !s.explaining() {
		return nil
	}
	var all []string
	if s.explaining() {
		all = s.searchHelp(w - 2)
	} else {
		all = s.about(r, w-2)
	}
	s.places.aboutTop = max(min(s.places.aboutTop, len(all)-h), 0)
	rows := all[s.places.aboutTop:min(s.places.aboutTop+h, len(all))]
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return rows
}

// explaining reports whether the description makes room for how to search: as
// long as nothing is typed.
func (s *Screen) explaining() bool { return s.typing && s.text == "" }

// searchHelp explains what can be typed into the search, and the filters.
func (s *Screen) searchHelp(w int) []string {
	l := s.look
	var rows []string
	for _, e := range [][2]string{
		{`tide berth`, "all words must be found: in scenes, names, critics, lines or replies"},
		{`"last berth"`, "words in quotes stand together"},
		{"with:qwen", "one of the contestants is called so; scene: and critic: likewise"},
		{"voted:yes", "you voted in it; rehearsal:yes or no likewise"},
		{"since:2026-03", "begun in March 2026 or later; until: is the last day"},
	} {
		rows = append(rows, wrapped(l, look.Text, l.Paint(look.Key, l.Pad(e[0], 14))+" ", e[1], w)...)
	}
	filters := []string{}
	for c := contestantChip; c < orderChip; c++ {
		filters = append(filters, s.keys.Get("archive.filter."+chipNames[c]).ShownIn(l.ASCII)+" "+chipNames[c])
	}
	rows = append(rows, "")
	return append(rows, wrapped(l, look.Dim, "", "In the list keys turn filters on: "+strings.Join(filters, ", ")+". Filters and the search hold together.", w)...)
}

// wrapped is text in a role, wrapped.
func wrapped(l *look.Look, role look.Role, lead, text string, w int) []string {
	rows := prose.Wrap(strings.ReplaceAll(text, "\t", " "), max(w-look.Width(lead), 1))
	for i, row := range rows {
		in := strings.Repeat(" ", look.Width(lead))
		if i == 0 {
			in = lead
		}
		rows[i] = in + l.Paint(role, strings.TrimRight(row, " "))
	}
	return rows
}
