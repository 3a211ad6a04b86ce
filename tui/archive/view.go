package archive

import (
	"fmt"
	"strings"

	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// wide is the width from which a duel is shown beside the list, tall the height
// from which it is shown below.
const (
	wide = 110
	tall = 24
)

type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

// places are where things stood in the last frame, for the mouse.
type places struct {
	search, list, about area
	cursor              int // column behind what is typed
	chips               []chipPlace
	aboutTop            int // first row of the description shown
}

type chipPlace struct {
	chip chip
	area area
}

// Cursor is the cell behind what is typed.
func (s *Screen) Cursor() (x, y int, ok bool) {
	if !s.typing || s.w <= 0 {
		return 0, 0, false
	}
	return min(s.places.cursor, s.w-1), 1, true
}

// View returns the screen; while nothing has changed it is the very same string.
func (s *Screen) View() string {
	if s.fresh || s.w <= 0 || s.h <= 0 {
		return s.frame
	}
	rows := append([]string{s.header(), s.searchRow()}, s.chipRows()...)
	room := s.h - len(rows) - 1
	if s.w >= wide {
		rows = append(rows, s.beside(len(rows), room)...)
	} else {
		rows = append(rows, s.below(len(rows), room)...)
	}
	rows = append(rows[:s.h-1], s.hints())
	for i := range rows {
		rows[i] = s.look.Pad(rows[i], s.w)
	}
	s.frame, s.fresh = strings.Join(rows, "\n"), true
	return s.frame
}

func (s *Screen) header() string {
	l := s.look
	left := " " + l.Paint(look.Title, "HER Arena") + "   past duels"
	right := l.Paint(look.Dim, guard.Line(s.o.Note)) + " "
	return left + strings.Repeat(" ", max(s.w-look.Width(left)-look.Width(right), 1)) + right
}

// searchRow is what is typed, or what can be.
func (s *Screen) searchRow() string {
	l := s.look
	role := look.Role(look.Dim)
	if s.typing {
		role = look.Accent
	}
	left := " " + l.Paint(role, l.Glyphs.Prompt) + " "
	right := ""
	switch {
	case s.query.fault != "":
		right = l.Paint(look.Warn, s.query.fault)
	case s.pending > 0:
		right = l.Paint(look.Dim, "searching what was said"+l.Glyphs.More)
	}
	room := max(s.w-3-look.Width(right)-3, 1)
	text := guard.Line(s.text)
	if strings.HasSuffix(s.text, " ") {
		text += " "
	}
	if over := look.Width(text) - room; over > 0 { // the end is what is being typed
		text = l.Glyphs.More + cutLeft(text, over+1)
	}
	s.places.search, s.places.cursor = area{0, 1, s.w, 1}, 3+look.Width(text)
	shown := text
	switch {
	case s.text == "" && s.typing:
		shown = l.Paint(look.Dim, l.Truncate("words, or "+terms, room))
	case s.text == "":
		shown = l.Paint(look.Dim, l.Truncate(s.keys.Get("archive.search").ShownIn(l.ASCII)+" searches scenes, names, lines and replies", room))
	}
	row := left + shown
	return row + strings.Repeat(" ", max(s.w-look.Width(row)-look.Width(right)-1, 0)) + right
}

// cutLeft drops at least n cells from the beginning of a plain text.
func cutLeft(s string, n int) string {
	for i := range s {
		if look.Width(s[:i]) >= n {
			return s[i:]
		}
	}
	return ""
}

// chipRows are the filters and the order, in as many rows as they take.
func (s *Screen) chipRows() []string {
	l := s.look
	s.places.chips = s.places.chips[:0]
	var rows []string
	text, used := " ", 1
	for c := range chips {
		command := "archive.filter." + chipNames[c]
		if c == orderChip {
			command = "archive.order"
		}
		value := l.Truncate(guard.Line(s.filter.value(c)), max(s.w/3, 10))
		role := look.Role(look.Dim)
		if s.filter.at[c] > 0 {
			role = look.Selected
			value = " " + value + " "
		}
		item := l.Paint(look.Key, s.keys.Get(command).ShownIn(l.ASCII)) + " " + chipNames[c] + " " + l.Paint(role, value)
		w := look.Width(item)
		if used > 1 && used+w > s.w {
			rows = append(rows, strings.TrimRight(text, " "))
			text, used = " ", 1
		}
		s.places.chips = append(s.places.chips, chipPlace{c, area{used, 2 + len(rows), w, 1}})
		text += item + "   "
		used += w + 3
	}
	return append(rows, strings.TrimRight(text, " "))
}

// count says how many duels are shown, of how many, and what the letters behind
// them mean, in w cells.
func (s *Screen) count(w int) string {
	total, unplayed := len(s.rows), s.unplayed
	if s.filter.at[playedChip] > 0 {
		unplayed = 0
	}
	text := fmt.Sprint(total - unplayed)
	if len(s.shown) != total-unplayed {
		text = fmt.Sprintf("%d of %d", len(s.shown), total-unplayed)
	}
	add := func(more string) {
		if look.Width(text)+look.Width(more) <= w {
			text += more
		}
	}
	if s.reading && total > 0 {
		text += ", more is read" + s.look.Glyphs.More
	}
	if unplayed > 0 {
		add(fmt.Sprintf(" and %d unplayed (%s)", unplayed, s.keys.Get("archive.filter.played").ShownIn(s.look.ASCII)))
	}
	if s.lettered {
		more := text
		if text = "r rehearsal, b blind   " + text; look.Width(text) > w {
			text = more
		}
	}
	return text
}

// beside draws the list and, right of it, the duel it stands on.
func (s *Screen) beside(y, h int) []string {
	l := s.look
	left := min(max(s.w*11/20, timed+2), 120)
	right := s.w - left
	s.places.list = area{1, y + 1, left - 2, h - 2}
	rows := s.listRows(left-2, h-2)
	list := l.Box(l.Paint(look.Title, "Duels"), l.Paint(look.Dim, s.count(left-14)), rows, left, h, !s.typing)
	s.places.about = area{left + 1, y + 1, right - 2, h - 2}
	about := l.Box(l.Paint(look.Title, s.aboutTitle()), "", s.aboutRows(right-2, h-2), right, h, false)
	rows = make([]string, h)
	for i := range rows {
		rows[i] = list[i] + about[i]
	}
	return rows
}

// below draws the list under a rule and, where there is room, the duel it stands
// on below.
func (s *Screen) below(y, h int) []string {
	list, about := h-1, 0
	if s.h >= tall {
		about = (h - 2) * 2 / 5
		list = h - 2 - about
	}
	s.places.list, s.places.about = area{0, y + 1, s.w, list}, area{}
	duels := s.listRows(s.w, list)
	rows := append([]string{s.rule(s.look.Paint(look.Title, "Duels"), s.count(s.w-16))}, duels...)
	for len(rows) < list+1 {
		rows = append(rows, "")
	}
	if about > 0 {
		rows = append(rows, s.rule(s.look.Paint(look.Title, s.aboutTitle()), ""))
		s.places.about = area{0, y + list + 2, s.w, about}
		rows = append(rows, s.aboutRows(s.w, about)...)
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows
}

func (s *Screen) rule(title, right string) string {
	l := s.look
	if right != "" {
		right = " " + l.Paint(look.Dim, right) + " "
	}
	title = l.Truncate(title, max(s.w-look.Width(right)-6, 1))
	line := func(n int) string { return l.Paint(look.Border, strings.Repeat(l.Glyphs.Rule, max(n, 0))) }
	return line(2) + " " + title + " " + line(s.w-look.Width(title)-look.Width(right)-4) + right
}

func (s *Screen) hints() string {
	l := s.look
	names := []string{"archive.leave", "archive.read", "archive.search", "archive.replay", "archive.continue", "archive.export.html", "archive.filter.contestant", "archive.order", "archive.clear"}
	if s.typing {
		names = []string{"archive.search.done", "archive.search.leave"}
	}
	help := keys.New("", "?").Hinted("help")
	if s.typing {
		help = keys.New("", "f1").As("F1").Hinted("help")
	}
	last := "   " + l.Paint(look.Key, help.Shown()) + l.Paint(look.Dim, " "+help.Hint)
	text := ""
	for _, name := range names {
		b := s.keys.Get(name)
		next := text + "   " + l.Paint(look.Key, b.ShownIn(l.ASCII)) + l.Paint(look.Dim, " "+b.Hint)
		if look.Width(next)+look.Width(last) > s.w {
			break
		}
		text = next
	}
	return text + last
}
