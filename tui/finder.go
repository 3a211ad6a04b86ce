package tui

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// finder is a list over the screen that is searched by typing: the palette, the
// help and the choice of a theme. It knows nothing of what its items do.
type finder struct {
	look     *look.Look
	title    string
	items    []item
	grouped  bool // items stay in their order, under the titles of their groups
	keysLeft bool
	leave    func() // when nothing was chosen
	verb     string // what enter does; "" is "runs"
	missing  string // said where nothing matches; "" speaks of names

	query string
	shown []int // indices of the items that match, the best first
	at    int   // index into shown
	top   int   // first line shown; -1 asks for the chosen item to be seen
	last  int   // first line of the last view

	box   area
	first int   // row of the first line within the box
	lines []int // index into shown by line shown, -1 for a heading
}

// item is one row of a finder.
type item struct {
	group, key, text, note string
	find                   string // what is searched, besides text
	possible               bool
	preview                func()
	do                     func() tea.Cmd
}

type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

func newFinder(l *look.Look, title string) *finder { return &finder{look: l, title: title} }

// seek searches; the choice goes to the best match.
func (f *finder) seek(query string) {
	f.query, f.at, f.top = query, 0, 0
	f.shown = f.shown[:0]
	var found ranked
	for i, it := range f.items {
		if score, ok := match(query, it.text, it.find); ok {
			found = append(found, hit{i, score})
		}
	}
	if query != "" && !f.grouped {
		found.sort()
	}
	for _, h := range found {
		f.shown = append(f.shown, h.at)
	}
}

// press takes a key. done says that the finder is to be shut, and chosen is then
// to be run.
func (f *finder) press(k tea.KeyPressMsg) (chosen func() tea.Cmd, done bool) {
	switch name := keys.Name(k); name {
	case "esc", "f1", "ctrl+g":
		f.quit()
		return nil, true
	case "?":
		if f.query == "" {
			f.quit()
			return nil, true
		}
		f.seek(f.query + name)
	case "enter":
		return f.choose()
	case "up", "shift+tab", "ctrl+p":
		f.move(-1)
	case "down", "tab", "ctrl+n":
		f.move(1)
	case "pgup", "alt+v":
		f.move(-max(len(f.lines)-1, 1))
	case "pgdown", "ctrl+v":
		f.move(max(len(f.lines)-1, 1))
	case "home":
		f.move(-len(f.shown))
	case "end":
		f.move(len(f.shown))
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(f.query)
		f.write(f.query[:len(f.query)-size])
	case "ctrl+u", "ctrl+w":
		f.write("")
	case "space":
		f.write(f.query + " ")
	default:
		if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
			f.write(f.query + k.Text)
		}
	}
	return nil, false
}

// queryLimit bounds what is searched, in bytes: nobody searches for more.
const queryLimit = 200

// paste takes text into what is searched, as far as there is room.
func (f *finder) paste(text string) {
	text = guard.Line(text[:min(len(text), 4*queryLimit)])
	f.write(f.query + strings.ToValidUTF8(text[:min(len(text), queryLimit-len(f.query))], ""))
}

// write changes what is searched and shows what the choice then stands on.
func (f *finder) write(query string) {
	if len(query) > queryLimit {
		return
	}
	f.seek(query)
	f.preview()
}

func (f *finder) preview() {
	if f.at < len(f.shown) {
		if p := f.items[f.shown[f.at]].preview; p != nil {
			p()
		}
	}
}

func (f *finder) quit() {
	if f.leave != nil {
		f.leave()
	}
}

func (f *finder) move(by int) {
	if len(f.shown) == 0 {
		return
	}
	f.at, f.top = min(max(f.at+by, 0), len(f.shown)-1), -1
	f.preview()
}

// choose takes what the choice stands on; what is not possible stays.
func (f *finder) choose() (chosen func() tea.Cmd, done bool) {
	if f.at >= len(f.shown) {
		return nil, false
	}
	it := f.items[f.shown[f.at]]
	if it.do == nil || !it.possible {
		return nil, false
	}
	return it.do, true
}

// click chooses the row under the mouse; outside of the box it shuts the finder.
func (f *finder) click(m tea.MouseClickMsg) (chosen func() tea.Cmd, done bool) {
	if !f.box.holds(m.X, m.Y) {
		f.quit()
		return nil, true
	}
	line := m.Y - f.box.y - f.first
	if m.Button != tea.MouseLeft || line < 0 || line >= len(f.lines) || f.lines[line] < 0 {
		return nil, false
	}
	f.at = f.lines[line]
	return f.choose()
}

func (f *finder) wheel(m tea.MouseWheelMsg) {
	switch m.Button {
	case tea.MouseWheelUp:
		f.move(-1)
	case tea.MouseWheelDown:
		f.move(1)
	}
}

// view draws the finder within a window of w times h cells.
func (f *finder) view(w, h int) []string {
	l := f.look
	width := min(w-4, 88)
	all, owner := f.draw(width - 2)
	space := min(max(len(all), 1), h-6) // border, what is searched, a rule
	f.scroll(owner, space)
	rows := []string{f.head(width - 2), l.Paint(look.Border, strings.Repeat(l.Glyphs.Rule, width-2))}
	end := min(f.top+space, len(all))
	rows = append(rows, all[f.top:end]...)
	if len(all) == 0 {
		rows = append(rows, "   "+l.Paint(look.Dim, cmp.Or(f.missing, "nothing is called that")))
	}
	f.lines = append(f.lines[:0], owner[f.top:end]...)
	right := l.Paint(look.Dim, strings.TrimSpace(arrow(l.Glyphs.Up, f.top)+"  "+arrow(l.Glyphs.Down, len(all)-end)))
	box := l.Box(l.Paint(look.Title, f.title), right, rows, width, len(rows)+2, true)
	f.first = 3
	f.box = area{max((w-width)/2, 0), max((h-len(box))/3, 0), width, len(box)}
	return box
}

// head is the row of what is searched.
func (f *finder) head(w int) string {
	l := f.look
	left := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " " + f.query
	if f.query == "" {
		left += l.Paint(look.Dim, "type to search")
	}
	right := l.Paint(look.Key, "enter") + l.Paint(look.Dim, " "+cmp.Or(f.verb, "runs")+"   ") + l.Paint(look.Key, "esc") + l.Paint(look.Dim, " shuts ")
	free := w - look.Width(left) - look.Width(right)
	if free < 1 {
		return left
	}
	return left + strings.Repeat(" ", free) + right
}

// cursor is the cell behind what is searched.
func (f *finder) cursor() (x, y int) {
	return min(f.box.x+4+look.Width(f.query), f.box.x+f.box.w-2), f.box.y + 1
}

// scroll keeps the window on the lines, and the chosen item in it when asked.
func (f *finder) scroll(owner []int, space int) {
	if f.top < 0 {
		from, to := 0, 0
		for i, o := range owner {
			if o == f.at {
				if to == 0 {
					from = i
				}
				to = i + 1
			}
		}
		was := max(min(f.last, len(owner)-space), 0)
		if from > 0 && owner[from-1] < 0 {
			from-- // its heading with it
		}
		f.top = min(max(was, to-space), from)
	}
	f.top = max(min(f.top, len(owner)-space), 0)
	f.last = f.top
}

func arrow(glyph string, n int) string {
	if n <= 0 {
		return ""
	}
	return glyph + " " + strconv.Itoa(n)
}

// draw makes all lines at a width, and says to which item each belongs.
func (f *finder) draw(w int) (lines []string, owner []int) {
	l := f.look
	label := 0
	for _, it := range f.items {
		label = max(label, look.Width(it.key))
	}
	label = min(label, w*2/5)
	group := ""
	for i, at := range f.shown {
		it := f.items[at]
		if it.group != group && (f.grouped || f.query == "") {
			if group = it.group; len(lines) > 0 {
				lines, owner = append(lines, ""), append(owner, -1)
			}
			lines, owner = append(lines, " "+l.Paint(look.Title, group)), append(owner, -1)
		}
		for _, row := range f.rows(it, w, label, i == f.at) {
			lines, owner = append(lines, row), append(owner, i)
		}
	}
	return lines, owner
}

// rows draws one item: a mark where the choice stands, keys, words, and a note.
// The chosen one is a bar over the whole width, in one colour: not every colour
// can be read on it.
func (f *finder) rows(it item, w, label int, chosen bool) []string {
	l := f.look
	mark, role, noted, keyed := "  ", look.Role(look.Text), look.Role(look.Dim), look.Role(look.Key)
	if !it.possible {
		role, keyed = look.Dim, look.Dim
	}
	if chosen {
		mark = l.Glyphs.Folded + " "
	}
	paint := func(r look.Role, s string) string {
		if chosen {
			return s
		}
		return l.Paint(r, s)
	}
	key := l.Truncate(it.key, label)
	room := w - label - 6
	var rows []string
	for i, text := range prose.Wrap(it.text, max(room, 8)) {
		lead, k := mark, key
		if i > 0 {
			lead, k = "  ", ""
		}
		row := lead
		if f.keysLeft {
			row += paint(keyed, l.Pad(k, label)) + "  " + paint(role, text)
		} else {
			row += paint(role, text)
			if free := room - look.Width(text) - 2; i == 0 && it.note != "" && free > 12 {
				row += "  " + paint(noted, l.Truncate(it.note, free))
			}
			row += strings.Repeat(" ", max(w-2-look.Width(row)-look.Width(k)-1, 1)) + paint(keyed, k)
		}
		row = l.Pad(row, w-2)
		if chosen {
			row = l.Paint(look.Selected, row)
		}
		rows = append(rows, " "+row)
	}
	return rows
}
