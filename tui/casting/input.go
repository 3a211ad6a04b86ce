package casting

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
)

var (
	keyStart  = keys.New("start the duel", "enter").Hinted("start")
	keyNext   = keys.New("next field", "tab", "right").As("tab →").Hinted("field")
	keyBefore = keys.New("field before", "shift+tab", "left").As("shift+tab ←")
	keyUp     = keys.New("choose the one above", "up", "k").As("↑ k")
	keyDown   = keys.New("choose the one below", "down", "j").As("↓ j").Hinted("choose")
	keyFirst  = keys.New("the first", "home", "g").As("g")
	keyLast   = keys.New("the last", "end", "G").As("G")
	keyFilter = keys.New("filter the list by typing; esc shows all again", "/").Hinted("filter")
	keySwap   = keys.New("swap A and B", "x").Hinted("swap")
	keyBoard  = keys.New("the board", "b", "ctrl+b").As("b").Hinted("board")
	keyLeave  = keys.New("leave the program", "q").Hinted("quit")
)

// Keys returns the screen's bindings.
func (c *Casting) Keys() []keys.Group { return Groups() }

// Groups are the screen's bindings as the help and the README show them.
func Groups() []keys.Group {
	return []keys.Group{{Title: "Casting", Bindings: []keys.Binding{
		keyStart, keyNext, keyBefore, keyUp, keyDown, keyFirst, keyLast, keyFilter, keySwap, keyBoard, keyLeave,
	}}}
}

// press takes a key by name.
func (c *Casting) press(key string) tea.Cmd {
	if c.typing && c.pressFilter(key) {
		return nil
	}
	switch key {
	case "enter":
		return c.Start()
	case "tab", "right":
		c.turnTo((c.focus + 1) % fields)
	case "shift+tab", "left":
		c.turnTo((c.focus + fields - 1) % fields)
	case "up", "k":
		c.move(-1)
	case "down", "j":
		c.move(1)
	case "pgup":
		c.move(-max(c.at.list.h-1, 1))
	case "pgdown":
		c.move(max(c.at.list.h-1, 1))
	case "home", "g":
		c.move(-len(c.lists[c.focus]))
	case "end", "G":
		c.move(len(c.lists[c.focus]))
	case "/":
		c.typing = true
	case "esc":
		c.seek("")
	case "x":
		c.chosen[aField], c.chosen[bField] = c.chosen[bField], c.chosen[aField]
	case "b", "ctrl+b":
		return func() tea.Msg { return OpenBoard{} }
	case "q":
		return func() tea.Msg { return Quit{} }
	}
	return nil
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
		c.chosen[c.focus] = at[0]
	}
}

func (c *Casting) turnTo(f field) {
	c.focus, c.filter, c.typing, c.top, c.fresh = f, "", false, 0, false
}

// move chooses another row among those the filter lets through.
func (c *Casting) move(by int) {
	at := c.matches()
	if len(at) == 0 {
		return
	}
	now := max(index(len(at), func(i int) bool { return at[i] == c.chosen[c.focus] }), 0)
	c.chosen[c.focus] = at[min(max(now+by, 0), len(at)-1)]
	c.fresh = false
}

func (c *Casting) click(m tea.MouseClickMsg) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	switch {
	case c.at.fields.holds(m.X, m.Y):
		if f := field(m.Y - c.at.fields.y); f < fields {
			if f == c.focus && (f == canonField || f == blindField) {
				c.chosen[f] = (c.chosen[f] + 1) % len(c.lists[f])
			}
			c.turnTo(f)
		}
	case c.at.list.holds(m.X, m.Y):
		at := c.matches()
		if row := c.top + m.Y - c.at.list.y; row < len(at) {
			c.chosen[c.focus] = at[row]
		}
	case c.at.start.holds(m.X, m.Y):
		return c.Start()
	}
	return nil
}
