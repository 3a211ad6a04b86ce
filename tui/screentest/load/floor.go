package load

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
)

// Floor is the bare program: two plain columns with a border each, the words
// wrapped at the same widths and in the same places as the stage has them,
// without colours, Markdown, folds, search, scrolling or state.
type Floor struct {
	script Script
	box    *floorBox
	rows   [2]column
	typed  []rune
	frame  string
	stale  bool
}

// floorWake says that the mailbox has something.
type floorWake struct{}

// floorToken is a token of a side; opens is the line of a turn it begins.
type floorToken struct {
	side  arena.Side
	token Token
	opens string
}

// NewFloor makes the program with the past turns of a script in it.
func NewFloor(s Script) *Floor {
	f := &Floor{script: s, box: &floorBox{}, stale: true}
	for side := range f.rows {
		for n := 1; n <= s.Plan.Turns; n++ {
			f.rows[side].open(s.Line(n))
			for i, part := range s.Past(n, arena.Side(side)) {
				f.rows[side].add(i, part.Layer, part.Text)
			}
		}
	}
	return f
}

// Attach says where wake-ups go: the Send of the program that runs the floor.
func (f *Floor) Attach(send func(tea.Msg)) { f.box.send = send }

// Start streams both replies; the channel is closed when every token was put.
func (f *Floor) Start() <-chan struct{} {
	var sides sync.WaitGroup
	for _, side := range []arena.Side{arena.A, arena.B} {
		sides.Go(func() {
			f.script.Plan.pace(nil, func(n int) {
				t := floorToken{side: side, token: f.script.Token(side, n)}
				if n%f.script.Plan.Reply == 0 {
					t.opens = f.script.Line(f.script.Plan.Turns + n/f.script.Plan.Reply + 1)
				}
				f.box.put(t)
			})
		})
	}
	done := make(chan struct{})
	go func() {
		sides.Wait()
		close(done)
	}()
	return done
}

// Init asks for the background, as any program does.
func (f *Floor) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update takes keys and what is in the mailbox.
func (f *Floor) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case floorWake:
		for _, t := range f.box.drain() {
			c := &f.rows[t.side]
			if t.opens != "" {
				c.open(t.opens)
			}
			c.add(t.token.Segment, t.token.Layer, t.token.Text)
		}
		f.stale = true
	case tea.KeyPressMsg:
		switch {
		case m.String() == "ctrl+q":
			return f, tea.Quit
		case m.String() == "ctrl+u":
			f.typed = f.typed[:0]
		default:
			f.typed = append(f.typed, []rune(m.Text)...)
		}
		f.stale = true
	}
	return f, nil
}

const (
	floorInner = Width/2 - 2
	floorRows  = Height - 5 // header, bar, composer and both borders
)

// View joins cached rows.
func (f *Floor) View() tea.View {
	v := tea.View{AltScreen: true, MouseMode: tea.MouseModeCellMotion, WindowTitle: "HER Arena floor"}
	if f.stale {
		f.frame, f.stale = f.draw(), false
	}
	v.Content = f.frame
	v.Cursor = tea.NewCursor(min(3+len(f.typed), Width-1), Height-1)
	return v
}

func (f *Floor) draw() string {
	var b strings.Builder
	b.Grow(Width * Height * 2)
	b.WriteString(" HER Arena   the floor\n")
	rule := strings.Repeat("─", floorInner)
	b.WriteString("╭" + rule + "╮╭" + rule + "╮\n")
	left, right := f.rows[0].last(floorRows), f.rows[1].last(floorRows)
	for i := range floorRows {
		b.WriteString("│")
		b.WriteString(left[i])
		b.WriteString("││")
		b.WriteString(right[i])
		b.WriteString("│\n")
	}
	b.WriteString("╰" + rule + "╯╰" + rule + "╯\n listens\n › ")
	b.WriteString(string(f.typed[max(len(f.typed)-Width+8, 0):]))
	return b.String()
}

// column holds the rows of a side. All but the last are full and never touched
// again; all are padded.
type column struct {
	rows    []string
	text    string // of the last row
	cells   int
	segment int
	rest    string // indent of further rows
}

func (c *column) open(line string) {
	c.begin("")
	c.begin(" › " + line)
	c.segment = -1
}

// add adds text to a segment; a segment of another number begins a row.
func (c *column) add(segment int, layer layers.Layer, text string) {
	if segment != c.segment {
		c.segment = segment
		switch layer {
		case layers.Think:
			c.rest = " ╎ "
			c.begin(" ╎ ")
		case layers.Act:
			c.rest = "   "
			c.begin(" ⟡ ")
		default:
			c.rest = " "
			c.begin(" ")
		}
	}
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\n\n"); ok {
			c.begin("")
			c.begin(c.rest)
			text = rest
			continue
		}
		n := strings.IndexByte(text[1:], ' ') + 1
		if n == 0 {
			n = len(text)
		}
		c.word(text[:n])
		text = text[n:]
	}
}

// word adds a word, with the space before it if it has one.
func (c *column) word(w string) {
	cells := utf8.RuneCountInString(w)
	if c.cells+cells > floorInner-1 {
		c.begin(c.rest)
		w = strings.TrimPrefix(w, " ")
		cells = len(w)
	}
	c.text += w
	c.cells += cells
	c.rows[len(c.rows)-1] = c.text + strings.Repeat(" ", floorInner-c.cells)
}

func (c *column) begin(text string) {
	c.text, c.cells = text, utf8.RuneCountInString(text)
	c.rows = append(c.rows, text+strings.Repeat(" ", max(floorInner-c.cells, 0)))
}

// last returns the last n rows.
func (c *column) last(n int) []string {
	if missing := n - len(c.rows); missing > 0 {
		blank := strings.Repeat(" ", floorInner)
		rows := append([]string(nil), c.rows...)
		for range missing {
			rows = append(rows, blank)
		}
		return rows
	}
	return c.rows[len(c.rows)-n:]
}

// floorBox is the mailbox: at most one wake-up per 33 ms.
type floorBox struct {
	send func(tea.Msg)

	mu    sync.Mutex
	items []floorToken
	due   bool
	last  time.Time
}

func (b *floorBox) put(t floorToken) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, t)
	if b.due {
		return
	}
	b.due = true
	time.AfterFunc(max(33*time.Millisecond-time.Since(b.last), 0), func() {
		b.mu.Lock()
		b.last = time.Now()
		b.mu.Unlock()
		b.send(floorWake{})
	})
}

func (b *floorBox) drain() []floorToken {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.items
	b.items, b.due = nil, false
	return out
}

var _ tea.Model = (*Floor)(nil)
