package tui

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/tui/archive"
	"herarena/tui/clip"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// toast is a short message over the screen.
type toast struct {
	id   int
	text string
	copy string // what is copied of it where that is not all, e.g. a path
	bad  bool

	place       area // of the last frame
	width, high int  // of the window it was placed in; 0 before the first frame
}

type toastDone struct{ id int }

// noticesKept is how many messages can be read again.
const noticesKept = 50

// say shows a short message; a bad one stays longer, a long one too.
func (m *Model) say(text string, bad bool) tea.Cmd { return m.show(toast{text: text, bad: bad}) }

// written says where an export is.
func (m *Model) written(w archive.Written) tea.Cmd {
	text := "written to " + w.Path
	if key := m.keys.Get("app.notices").Shown(); key != "" {
		text += "  (" + key + " copies the path)"
	}
	return m.show(toast{text: text, copy: w.Path})
}

func (m *Model) show(t toast) tea.Cmd {
	t.id, t.text = m.toast.id+1, guard.Line(t.text)
	m.toast = t
	m.notices = append(m.notices, t)
	if n := len(m.notices) - noticesKept; n > 0 {
		m.notices = m.notices[n:]
	}
	stay := toastTime + min(time.Duration(len(t.text)/40)*time.Second, 2*toastTime)
	if t.bad {
		stay *= 2
	}
	return func() tea.Msg {
		wait := time.NewTimer(stay)
		defer wait.Stop()
		select {
		case <-wait.C:
			return toastDone{t.id}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// openNotices lists the last messages in full, the newest first; the chosen one,
// or the path it is about, is copied.
func (m *Model) openNotices() tea.Cmd {
	if len(m.notices) == 0 {
		return m.say("nothing has been said yet", false)
	}
	f := newFinder(m.look, "Notices")
	f.verb, f.missing = "copies", "no notice holds that"
	for i := len(m.notices) - 1; i >= 0; i-- {
		n := m.notices[i]
		f.items = append(f.items, item{text: n.text, possible: true, do: func() tea.Cmd { return m.copyNotice(n) }})
	}
	f.seek("")
	m.over = f
	return nil
}

// copyNotice copies the path a message is about, else the message, to the
// terminal's clipboard and to the system's where a tool is there.
func (m *Model) copyNotice(n toast) tea.Cmd {
	text, what := n.copy, "the path"
	if text == "" {
		text, what = n.text, "the notice"
	}
	give := m.o.Clipboard
	if give == nil {
		give = clip.Here().Copy
	}
	return tea.Batch(tea.SetClipboard(text), func() tea.Msg {
		by, err := give(m.ctx, text)
		return copied{what, by, err}
	})
}

// copied is what came of giving text to the system's clipboard.
type copied struct {
	what, by string
	err      error
}

func (m *Model) tellCopied(c copied) tea.Cmd {
	text := c.what + " sent to the terminal's clipboard"
	switch {
	case c.err == nil:
		text = c.what + " copied with " + c.by
	case !errors.Is(c.err, clip.ErrNone) && !errors.Is(c.err, context.Canceled):
		text += "; " + c.err.Error()
	}
	m.toast = toast{id: m.toast.id, text: ""}
	cmd := m.say(text, false)
	m.notices = m.notices[:len(m.notices)-1] // nobody needs to read that again
	return cmd
}

// layToast writes the message over the frame: where it covers least, never what
// a key acts upon, and whole if there is room for all of its rows.
func (m *Model) layToast(rows []string) {
	role := look.Role(look.Selected)
	if m.toast.bad {
		role = look.Badge
	}
	t := &m.toast
	most := max(len(rows)/2, 1)
	if t.width == m.w && t.high == m.h {
		most = t.place.h // it does not grow while it is read
	}
	for {
		box, x := m.toastBox(most)
		w := m.w - 1 - x
		if t.width != m.w || t.high != m.h || m.cover(rows, x, t.place.y, w, len(box)) >= acted {
			t.place = area{x, m.least(rows, x, w, len(box)), w, len(box)}
			t.width, t.high = m.w, m.h
		}
		if most = len(box) - 1; most < 1 || m.cover(rows, x, t.place.y, w, len(box)) < acted {
			for i, row := range box {
				box[i] = m.look.Paint(role, " "+m.look.Pad(row, w-2)+" ")
			}
			look.Lay(rows, box, x, t.place.y, m.w)
			return
		}
		t.width = 0
	}
}

// toastBox is the message in at most so many rows, and the column they begin at.
// One that takes more ends with where to read it whole.
func (m *Model) toastBox(most int) (rows []string, x int) {
	width := min(m.w-6, 96)
	rows = prose.Wrap(m.toast.text, width)
	if len(rows) > most {
		rest := m.look.Glyphs.More
		if key := m.keys.Get("app.notices").Shown(); key != "" {
			rest += " " + key + " shows it whole"
		}
		if most > 1 {
			rows = append(rows[:most-1:most-1], m.look.Truncate(rest, width))
		} else {
			rows = []string{m.look.Truncate(rows[0], max(width-look.Width(rest), 1)) + m.look.Truncate(rest, width-1)}
		}
	}
	wide := 0
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
		wide = max(wide, look.Width(rows[i]))
	}
	return rows, max(m.w-wide-3, 0)
}

// acted is the cost of covering a row that a key acts upon.
const acted = 1 << 16

// least is the row at which a box covers least, the lower the better; the last
// row has the keys and stays free.
func (m *Model) least(rows []string, x, w, h int) int {
	best, cost := 0, 1<<30
	for y := max(len(rows)-1-h, 0); y >= 0; y-- {
		if c := 2*m.cover(rows, x, y, w, h) + len(rows) - y; c < cost {
			best, cost = y, c
		}
	}
	return best
}

// cover is what a box at a place would hide: letters count one, and rows with
// what is chosen, the cursor or a line being written count acted.
func (m *Model) cover(rows []string, x, y, w, h int) int {
	chosen, _, _ := strings.Cut(m.look.Paint(look.Selected, "x"), "x")
	_, cursor, writing := m.top().Cursor()
	cost := 0
	for i := y; i < y+h && i < len(rows); i++ {
		plain := ansi.Strip(rows[i])
		lead := strings.TrimLeft(plain, " │|")
		if writing && i == cursor || chosen != "" && strings.Contains(rows[i], chosen) || strings.HasPrefix(lead, m.look.Glyphs.Prompt+" ") {
			cost += acted
		}
		for _, r := range ansi.Cut(plain, x, x+w) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				cost++
			}
		}
	}
	return cost
}
