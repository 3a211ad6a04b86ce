package casting

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// mostText is the most characters of what is typed here.
const mostText = 200

// press takes a key.
func (c *Casting) press(k tea.KeyPressMsg) tea.Cmd {
	if c.typing && c.pressFilter(keys.Name(k)) {
		return nil
	}
	if c.offer != "" && c.bad {
		c.tell("", false) // a fault was read by whoever goes on
	}
	cmd, ran := c.keys.Press(c, k, scope)
	if !ran && c.focus == sceneField && c.entry.ID != "" && slices.Contains(c.keys.Get("casting.favourite").Keys, keys.Name(k)) {
		c.tell(c.unfavoured(), true)
	}
	return cmd
}

// pageful is a page of the list.
func (c *Casting) pageful() int { return max(c.at.list.h-1, 1) }

// count is how many rows the list in focus has.
func (c *Casting) count() int {
	if c.focus == sceneField {
		return c.browse.rows()
	}
	return len(c.matches())
}

// cycle chooses the next value of the field, around at the end.
func (c *Casting) cycle() {
	n := c.count()
	if n == 0 {
		return
	}
	now := c.now()
	if now == n-1 {
		c.move(-n)
		return
	}
	c.move(1)
}

// now is the row of the list that is chosen, -1 where it is not shown.
func (c *Casting) now() int {
	if c.focus == sceneField {
		return c.browse.now(&c.entry)
	}
	at := c.matches()
	return index(len(at), func(i int) bool { return at[i] == c.chosen[c.focus] })
}

func (c *Casting) swap() { c.chosen[aField], c.chosen[bField] = c.chosen[bField], c.chosen[aField] }

// choose takes an option of the field in focus; its description begins anew.
func (c *Casting) choose(i int) {
	c.fresh = false
	if i >= len(c.lists[c.focus]) {
		return
	}
	if c.chosen[c.focus] != i {
		c.chosen[c.focus], c.aboutTop = i, 0
	}
	switch c.focus {
	case roleField:
		c.play.Role = ""
		if st := c.staged(); i > 0 {
			c.play.Role = c.lists[roleField][i].title
			if st != nil && i < len(st.Roles) {
				c.play.Role = st.Roles[i]
			}
		}
		c.restage()
	case greetingField:
		c.play.Greeting = i
		c.restage()
	case seedField:
		c.restage()
	case recentField:
		c.apply(c.o.Recent[i])
	}
}

// chooseRow takes a row of the list in focus.
func (c *Casting) chooseRow(row int) {
	if c.focus == sceneField {
		if row < c.browse.rows() {
			c.take(*c.browse.row(row))
		}
		return
	}
	if at := c.matches(); row < len(at) {
		c.choose(at[row])
	}
}

// long reports whether the description is longer than its place.
func (c *Casting) long() bool { return c.aboutTop > 0 || c.aboutRest > 0 }

// reading is how far one key scrolls the description.
func (c *Casting) reading() int { return max(c.at.about.h/2, 1) }

// read scrolls the description.
func (c *Casting) read(by int) {
	c.aboutTop, c.fresh = min(max(c.aboutTop+by, 0), c.aboutTop+c.aboutRest), false
}

// writes reports whether what is typed is the value of the field itself.
func (c *Casting) writes() bool {
	switch c.focus {
	case seedField:
		return true
	case roleField:
		st := c.staged()
		return st != nil && st.AnyRole
	}
	return false
}

// text is what has been typed.
func (c *Casting) text() string {
	if c.focus == sceneField {
		return c.browse.query
	}
	return c.filter
}

// pressFilter takes a key for the filter; false leaves it to the screen.
func (c *Casting) pressFilter(key string) bool {
	switch key {
	case "enter", "tab":
		c.typing = false
		c.written()
		return key == "enter"
	case "esc":
		c.typing = false
		c.seek("")
	case "backspace":
		text := c.text()
		_, size := utf8.DecodeLastRuneInString(text)
		c.seek(text[:len(text)-size])
	case "space":
		c.seek(c.text() + " ")
	default:
		if utf8.RuneCountInString(key) != 1 {
			return false
		}
		c.seek(c.text() + key)
	}
	return true
}

// seek filters the list; the choice moves to a row that is shown. Where the value
// itself is written it only keeps it.
func (c *Casting) seek(text string) {
	if utf8.RuneCountInString(text) > mostText {
		return
	}
	if c.focus == sceneField {
		c.search(text)
		return
	}
	c.filter, c.top, c.fresh = text, 0, false
	if c.writes() || c.focus == recentField {
		return
	}
	at := c.matches()
	for _, i := range at {
		if i == c.chosen[c.focus] {
			return
		}
	}
	if len(at) > 0 {
		c.choose(at[0])
	}
}

// written takes what was typed as the field's value.
func (c *Casting) written() {
	text := strings.TrimSpace(c.filter)
	if !c.writes() {
		return
	}
	c.filter, c.fresh = "", false
	switch {
	case text == "":
	case c.focus == seedField:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n == 0 {
			c.tell("a seed is a whole number other than 0; "+strconv.Quote(text)+" is none", true)
			return
		}
		c.setSeed(n)
		c.restage()
	default:
		if name := guard.Line(strings.NewReplacer(":", "", "：", "").Replace(text)); name != "" {
			c.play.Role = name
			c.restage()
			c.lists[roleField] = append(c.lists[roleField], option{name, "yours"})
			c.chosen[roleField] = len(c.lists[roleField]) - 1
			c.roles()
		}
	}
}

// turn goes to another field, past those that have nothing to choose.
func (c *Casting) turn(by field) {
	f := c.focus
	if f == recentField {
		f = sceneField - by
		if by < 0 {
			f = fields
		}
	}
	for {
		f = (f + by + fields) % fields
		if f == roleField && len(c.lists[f]) < 2 || f == greetingField && len(c.lists[f]) < 2 {
			if f != roleField || !c.anyRole() {
				continue
			}
		}
		break
	}
	c.turnTo(f)
}

// anyRole reports whether the person may have any name.
func (c *Casting) anyRole() bool {
	st := c.staged()
	return st != nil && st.AnyRole
}

func (c *Casting) turnTo(f field) {
	if f != c.focus {
		c.aboutTop = 0
	}
	if c.browse.query != "" {
		c.search("")
		c.browse.follow = false
	}
	c.focus, c.filter, c.typing, c.top, c.fresh = f, "", false, 0, false
}

// move chooses another row among those the filter lets through.
func (c *Casting) move(by int) {
	if n := c.count(); n > 0 {
		c.chooseRow(min(max(max(c.now(), 0)+by, 0), n-1))
	}
}

// filtered reports whether some of the list is hidden.
func (c *Casting) filtered() bool { return c.text() != "" }

// back takes one thing back: the filter, else the list of recent casts.
func (c *Casting) back() {
	if c.filtered() {
		c.seek("")
		return
	}
	c.leaveRecent()
}

func (c *Casting) click(m tea.MouseClickMsg) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	for _, s := range c.at.fields {
		if s.holds(m.X, m.Y) {
			if s.f == c.focus && (s.f == canonField || s.f == blindField) {
				c.cycle()
			}
			c.turnTo(s.f)
			return nil
		}
	}
	switch {
	case c.at.list.holds(m.X, m.Y):
		c.chooseRow(c.top + m.Y - c.at.list.y)
	case m.Y == c.h-1:
		if name := look.HintAt(c.at.hints, m.X); name != "" {
			return func() tea.Msg { return keys.Run{Name: name} }
		}
	}
	return nil
}

// wheel turns the list, or the description where the mouse is over it.
func (c *Casting) wheel(m tea.MouseWheelMsg) {
	by := 1
	switch m.Button {
	case tea.MouseWheelUp:
		by = -1
	case tea.MouseWheelDown:
	default:
		return
	}
	if c.long() && c.at.about.holds(m.X, m.Y) {
		c.read(3 * by)
		return
	}
	c.move(by)
}
