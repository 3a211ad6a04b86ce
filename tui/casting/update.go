package casting

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
)

// settle is how long after the first frame the library is opened.
const settle = 120 * time.Millisecond

type openShelf struct{}

// Init has the library opened once the first frame stands.
func (c *Casting) Init() tea.Cmd {
	if c.o.Shelf == nil {
		return nil
	}
	return tea.Tick(settle, func(time.Time) tea.Msg { return openShelf{} })
}

// Update takes a message in.
func (c *Casting) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		c.fresh = false
		cmd = c.press(m)
	case tea.PasteMsg:
		c.paste(m.Content)
	case tea.MouseClickMsg:
		c.fresh = false
		m.X, m.Y = m.X-c.page.x, m.Y-c.page.y
		cmd = c.click(m)
	case tea.MouseWheelMsg:
		m.X, m.Y = m.X-c.page.x, m.Y-c.page.y
		c.wheel(m)
	case Offer:
		c.add(m)
	case Ready:
		c.busy, c.draw = false, draw()
		c.restage()
	default:
		cmd = c.hear(msg)
	}
	return c.answer(cmd)
}

// hear takes what was asked for in the background.
func (c *Casting) hear(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case openShelf:
		c.opened = true
		c.find()
		c.refresh()
	case progressed:
		c.progressed()
	case refreshed:
		c.refreshed(m)
	case changed:
		c.find()
		c.await()
	case found:
		return c.found(m)
	case staged:
		c.onStage(m)
	case imported:
		return c.imported(m)
	case favoured:
		if m.err != nil {
			c.tell(m.err.Error(), true)
		}
		c.find()
	default:
		if c.art.hear(msg, c.ask) {
			c.fresh = false
		}
	}
	return nil
}

// ask has a command run once the message at hand is dealt with.
func (c *Casting) ask(cmd tea.Cmd) {
	if cmd != nil {
		c.later = append(c.later, cmd)
	}
}

// answer is the command that a message leads to, with all that was asked for on
// the way.
func (c *Casting) answer(cmd tea.Cmd) tea.Cmd {
	c.attend()
	later := c.later
	c.later = nil
	if len(later) == 0 {
		return cmd
	}
	return tea.Batch(append(later, cmd)...)
}

// attend asks for what is wanted and not there.
func (c *Casting) attend() {
	if c.o.Shelf == nil || !c.opened {
		return
	}
	c.attendStage()
	w, h := c.place()
	c.art.attend(c.ctx, c.o.Shelf, c.entry, w, h, c.ask)
}

// draw draws a seed: never 0, which stands for none.
func draw() int64 { return 1 + rand.Int64N(1<<31-1) }

// setSeed chooses a seed.
func (c *Casting) setSeed(seed int64) {
	text := strconv.FormatInt(seed, 10)
	c.lists[seedField] = append(c.lists[seedField][:1:1], option{title: text, meta: "yours"})
	c.chosen[seedField] = 1
	c.fresh = false
}

// seed is the one in force.
func (c *Casting) seed() int64 {
	if c.chosen[seedField] == 1 {
		if n, err := strconv.ParseInt(c.lists[seedField][1].title, 10, 64); err == nil {
			return n
		}
	}
	return c.draw
}

// paste takes pasted text: files dropped on the terminal wherever the focus is,
// else text for what is being typed.
func (c *Casting) paste(text string) {
	c.fresh = false
	files := paths(text)
	switch {
	case len(files) > 0 && c.o.Shelf != nil:
		c.importing(files)
	case c.typing:
		c.seek(c.text() + guard.Line(text))
	case len(files) > 0:
		c.tell("there is no library here that would take a card", true)
	case strings.TrimSpace(text) != "":
		c.tell("what was pasted is no path of a file; / searches", true)
	}
}
