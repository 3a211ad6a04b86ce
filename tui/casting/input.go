package casting

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
	"herarena/tui/look"
)

// press takes a key.
func (c *Casting) press(k tea.KeyPressMsg) tea.Cmd {
	if c.typing && c.pressFilter(keys.Name(k)) {
		return nil
	}
	cmd, _ := c.keys.Press(c, k, scope)
	return cmd
}

// pageful is a page of the list.
func (c *Casting) pageful() int { return max(c.at.list.h-1, 1) }

// cycle chooses the next value of the field, around at the end.
func (c *Casting) cycle() {
	at := c.matches()
	if len(at) == 0 {
		return
	}
	now := index(len(at), func(i int) bool { return at[i] == c.chosen[c.focus] })
	c.choose(at[(now+1)%len(at)])
}

func (c *Casting) swap() { c.chosen[aField], c.chosen[bField] = c.chosen[bField], c.chosen[aField] }

// choose takes an option of the field in focus; its description begins anew.
func (c *Casting) choose(i int) {
	if c.chosen[c.focus] != i {
		c.chosen[c.focus], c.aboutTop = i, 0
	}
	c.fresh = false
}

// long reports whether the description is longer than its place.
func (c *Casting) long() bool { return c.aboutTop > 0 || c.aboutRest > 0 }

// reading is how far one key scrolls the description.
func (c *Casting) reading() int { return max(c.at.about.h/2, 1) }

// read scrolls the description.
func (c *Casting) read(by int) {
	c.aboutTop, c.fresh = min(max(c.aboutTop+by, 0), c.aboutTop+c.aboutRest), false
}

// pressFilter takes a key for the filter; false leaves it to the screen.
func (c *Casting) pressFilter(key string) bool {
	switch key {
	case "enter", "tab":
		c.typing = false
		return key == "enter"
	case "esc":
		c.typing = false
		c.seek("")
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(c.filter)
		c.seek(c.filter[:len(c.filter)-size])
	case "space":
		c.seek(c.filter + " ")
	default:
		if utf8.RuneCountInString(key) != 1 {
			return false
		}
		c.seek(c.filter + key)
	}
	return true
}

// seek filters the list; the choice moves to a row that is shown.
func (c *Casting) seek(filter string) {
	c.filter, c.top, c.fresh = filter, 0, false
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

func (c *Casting) turnTo(f field) {
	if f != c.focus {
		c.aboutTop = 0
	}
	c.focus, c.filter, c.typing, c.top, c.fresh = f, "", false, 0, false
}

// move chooses another row among those the filter lets through.
func (c *Casting) move(by int) {
	at := c.matches()
	if len(at) == 0 {
		return
	}
	now := max(index(len(at), func(i int) bool { return at[i] == c.chosen[c.focus] }), 0)
	c.choose(at[min(max(now+by, 0), len(at)-1)])
}

func (c *Casting) click(m tea.MouseClickMsg) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	switch {
	case c.at.fields.holds(m.X, m.Y):
		if f := field(m.Y - c.at.fields.y); f < fields {
			if f == c.focus && (f == canonField || f == blindField) {
				c.cycle()
			}
			c.turnTo(f)
		}
	case c.at.list.holds(m.X, m.Y):
		at := c.matches()
		if row := c.top + m.Y - c.at.list.y; row < len(at) {
			c.choose(at[row])
		}
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
