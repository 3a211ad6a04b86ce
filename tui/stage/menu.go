package stage

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
	"herarena/tui/look"
)

// menu is a short list over the stage that has all keys while it is there. With
// filter set, letters search; else they are the keys of items.
type menu struct {
	title, foot string
	items       []menuItem
	filter      bool

	query string
	shown []int
	ready bool
	at    int // index into shown
	top   int

	box  menuBox
	rows []int // index into shown by row of the list
}

type menuBox struct{ x, y, w, h int }

// menuItem is one row of a menu.
type menuItem struct {
	key, text string
	note      func() string // behind the text; may hold colours
	possible  bool
	stays     bool // the menu stays open
	do        func() tea.Cmd
	turn      func(by int) tea.Cmd // with left and right; nil for none
}

// open puts a menu over the stage.
func (s *Stage) open(m *menu) tea.Cmd {
	first := m.at // what the menu's maker marks
	m.seek("")
	m.at = max(min(first, len(m.shown)-1), 0)
	s.menu = m
	s.stale(composerPart)
	return nil
}

// closeMenu takes the menu away.
func (s *Stage) closeMenu() {
	s.menu = nil
	s.stale(composerPart)
}

func (m *menu) seek(query string) {
	m.query, m.at, m.top, m.ready = query, 0, 0, true
	m.shown = m.shown[:0]
	words := strings.Fields(strings.ToLower(query))
	for i, it := range m.items {
		text := strings.ToLower(it.key + " " + it.text)
		if query != "" && it.note != nil {
			text += " " + strings.ToLower(it.note())
		}
		found := true
		for _, w := range words {
			found = found && strings.Contains(text, w)
		}
		if found {
			m.shown = append(m.shown, i)
		}
	}
}

// choose puts the mark on an item.
func (m *menu) choose(item int) {
	for i, at := range m.shown {
		if at == item {
			m.at = i
		}
	}
}

// onMenu gives a key to the menu.
func (s *Stage) onMenu(k tea.KeyPressMsg) tea.Cmd {
	m := s.menu
	s.stale(composerPart)
	switch name := keys.Name(k); name {
	case "esc":
		s.closeMenu()
	case "enter":
		return s.pick(m.at)
	case "up", "shift+tab", "ctrl+p":
		m.move(-1)
	case "down", "tab", "ctrl+n":
		m.move(1)
	case "pgup":
		m.move(-max(m.box.h-4, 1))
	case "pgdown":
		m.move(max(m.box.h-4, 1))
	case "home":
		m.move(-len(m.shown))
	case "end":
		m.move(len(m.shown))
	case "left", "right":
		return s.turnItem(name)
	case "space":
		if !m.filter {
			return s.pick(m.at)
		}
		m.seek(m.query + " ")
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.query)
		m.seek(m.query[:len(m.query)-size])
	default:
		if k.Text == "" || k.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
			return nil
		}
		if m.filter {
			if len(m.query) < 100 {
				m.seek(m.query + k.Text)
			}
			return nil
		}
		return s.byKey(name)
	}
	return nil
}

func (s *Stage) turnItem(name string) tea.Cmd {
	m := s.menu
	if m.at >= len(m.shown) || m.items[m.shown[m.at]].turn == nil {
		return nil
	}
	by := 1
	if name == "left" {
		by = -1
	}
	return m.items[m.shown[m.at]].turn(by)
}

func (s *Stage) byKey(name string) tea.Cmd {
	m := s.menu
	for i, at := range m.shown {
		if m.items[at].key == name {
			m.at = i
			return s.pick(i)
		}
	}
	switch name {
	case "k":
		m.move(-1)
	case "j":
		m.move(1)
	case "q":
		s.closeMenu()
	}
	return nil
}

// pick carries an item out.
func (s *Stage) pick(at int) tea.Cmd {
	m := s.menu
	if at < 0 || at >= len(m.shown) {
		return nil
	}
	it := m.items[m.shown[at]]
	if !it.possible || it.do == nil {
		return nil
	}
	if !it.stays {
		s.closeMenu()
	}
	return it.do()
}

func (m *menu) move(by int) {
	if len(m.shown) > 0 {
		m.at = min(max(m.at+by, 0), len(m.shown)-1)
	}
}

// clickMenu takes the mouse; outside of the box it shuts the menu.
func (s *Stage) clickMenu(c tea.MouseClickMsg) tea.Cmd {
	m, b := s.menu, s.menu.box
	s.stale(composerPart)
	if c.X < b.x || c.X >= b.x+b.w || c.Y < b.y || c.Y >= b.y+b.h {
		s.closeMenu()
		return nil
	}
	if row := c.Y - b.y - 1 - m.lead(); row >= 0 && row < len(m.rows) {
		m.at = m.rows[row]
		return s.pick(m.at)
	}
	return nil
}

// lead is how many rows stand above the list.
func (m *menu) lead() int {
	if m.filter {
		return 2
	}
	return 0
}

// lay draws the menu over the rows of a frame.
func (m *menu) lay(l *look.Look, rows []string, w, h int) {
	width, label := look.Width(m.foot)+6, 0
	for _, it := range m.items {
		label = max(label, look.Width(it.key))
	}
	words := 0
	for _, it := range m.items {
		if it.note != nil && !m.filter {
			words = max(words, look.Width(it.text))
		}
	}
	for _, it := range m.items {
		n := label + look.Width(it.text) + 8
		if it.note != nil {
			n = label + max(words, look.Width(it.text)) + 10 + look.Width(it.note())
		}
		width = max(width, n)
	}
	width = min(max(width, look.Width(m.title)+8), w-2)
	space := max(min(len(m.items), h-4-m.lead()), 1)
	m.top = min(max(m.top, m.at-space+1), m.at)
	var body []string
	if m.filter {
		query := l.Paint(look.Dim, "type to search")
		if m.query != "" {
			query = m.query
		}
		body = append(body, " "+l.Paint(look.Accent, l.Glyphs.Prompt)+" "+query, l.Paint(look.Border, strings.Repeat(l.Glyphs.Rule, width-2)))
	}
	m.rows = m.rows[:0]
	for i := m.top; i < len(m.shown) && i < m.top+space; i++ {
		m.rows = append(m.rows, i)
		body = append(body, m.row(l, m.items[m.shown[i]], width-2, label, words, i == m.at))
	}
	if len(m.shown) == 0 {
		body = append(body, "   "+l.Paint(look.Dim, "nothing is called that"))
	}
	for len(body) < space+m.lead() {
		body = append(body, "")
	}
	box := l.Box(l.Paint(look.Title, m.title), "", body, width, len(body)+2, true)
	if foot := l.Truncate(m.foot, width-6); foot != "" {
		look.Lay(box, []string{l.Paint(look.Dim, " "+foot+" ")}, 2, len(box)-1, width)
	}
	m.box = menuBox{max((w-width)/2, 0), max((h-len(box))/3, 0), width, len(box)}
	look.Lay(rows, box, m.box.x, m.box.y, w)
}

func (m *menu) row(l *look.Look, it menuItem, w, label, words int, chosen bool) string {
	mark, role := "  ", look.Role(look.Text)
	if chosen {
		mark = l.Paint(look.Accent, l.Glyphs.Folded) + " "
	}
	if !it.possible {
		role = look.Dim
	}
	note := ""
	if it.note != nil {
		note = it.note()
	}
	lead := " " + mark + l.Pad(l.Paint(look.Key, it.key), label) + " "
	room := w - look.Width(lead) - look.Width(note) - 2
	text := l.Paint(role, l.Truncate(it.text, max(room, 8)))
	if chosen && note == "" {
		text = l.Paint(look.Selected, " "+l.Truncate(it.text, max(room, 8))+" ")
	} else {
		text = " " + text + " "
	}
	if note == "" {
		return l.Truncate(lead+text, w)
	}
	gap := max(words+2-look.Width(text), 0)
	if m.filter {
		gap = max(w-look.Width(lead)-look.Width(text)-look.Width(note)-1, 0)
	}
	return l.Truncate(lead+text+strings.Repeat(" ", gap)+note, w)
}
