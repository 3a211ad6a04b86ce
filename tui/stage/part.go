package stage

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// part is one segment as shown. Text comes in raw and is cleaned as it grows.
type part struct {
	layer layers.Layer
	raw   string
	clean strings.Builder
	guard guard.Stream
	prose *prose.Prose // speech only; it cleans what it is given, and guard what is counted
	words wordCount
	live  bool

	wrapped prose.Wrapped // of clean, where it is shown as text
	hung    []string      // its rows as drawn
	said    []string      // the rows of prose, and as drawn
	drawn   []string

	shown []string
	width int
	size  int
	state panelState
	last  bool
	made  bool
	cells [][]prose.Cell // of shown, nil until asked for
	align prose.Alignment
}

func newPart(s layers.Segment, live bool, l *look.Look) *part {
	p := &part{layer: s.Layer, live: true}
	if s.Layer == layers.Speech {
		p.prose = prose.New(l)
	}
	p.take(s.Text)
	p.raw = s.Text
	p.settle(live)
	return p
}

// grow takes a segment that continues what the part has; false asks for a new
// part.
func (p *part) grow(s layers.Segment, live bool) bool {
	switch {
	case s.Layer != p.layer || len(s.Text) < len(p.raw) || s.Text[:len(p.raw)] != p.raw:
		return false
	case !p.live:
		return len(s.Text) == len(p.raw) && !live
	}
	p.take(s.Text[len(p.raw):])
	p.raw = s.Text // not what p.raw was and the rest: that would copy it for each token
	p.settle(live)
	return true
}

func (p *part) settle(live bool) {
	if p.live && !live {
		if p.prose != nil {
			p.prose.Finish()
			p.words.count(p.guard.Flush())
		} else {
			p.keep(p.guard.Flush())
		}
	}
	p.live = live
}

// take adds raw text.
func (p *part) take(raw string) {
	if p.prose != nil {
		p.prose.Append(raw)
		p.words.count(p.guard.Clean(raw))
		return
	}
	p.keep(p.guard.Clean(raw))
}

func (p *part) keep(clean string) {
	p.clean.WriteString(clean)
	p.words.count(clean)
}

// rows returns the part at a width, from cache while nothing of it has changed.
func (p *part) rows(b *block, i, width int) []string {
	return p.rowsIn(b.look, width, b.state(i, p.layer))
}

func (p *part) rowsIn(l *look.Look, width int, state panelState) []string {
	if p.made && p.width == width && p.size == len(p.raw) && p.state == state && p.last == p.live {
		return p.shown
	}
	if p.state != state {
		p.hung, p.said, p.drawn = nil, nil, nil // they are in the colours of the old one
	}
	p.made, p.width, p.size, p.state, p.last = true, width, len(p.raw), state, p.live
	p.shown = p.draw(l, width)
	p.cells = nil
	return p.shown
}

// roles are the layers' styles.
var roles = [layerCount]look.Role{look.System, look.Native, look.Think, look.Act, look.Speech}

func (p *part) draw(l *look.Look, width int) []string {
	if p.state == panelHidden {
		return nil
	}
	role := roles[min(int(p.layer), layerCount-1)]
	if p.state == panelDimmed {
		role = look.Dim
	}
	switch {
	case p.layer == layers.System || p.layer == layers.Native:
		return p.folded(l, role, width)
	case p.state == panelCollapsed:
		return []string{p.collapsed(l, role, width)}
	case p.layer == layers.Think:
		rule := " " + l.Glyphs.Think + " " // hang paints it
		return p.hang(l, role, rule, rule, width)
	case p.layer == layers.Act:
		return p.hang(l, role, " "+l.Glyphs.Act+" ", "   ", width)
	}
	return p.speak(l, p.prose.Rows(max(width-2, 1)))
}

// collapsed is the one row that stands for a layer.
func (p *part) collapsed(l *look.Look, role look.Role, width int) string {
	mark := l.Paint(look.Dim, l.Glyphs.Folded)
	switch p.layer {
	case layers.Think:
		mark = l.Paint(role, l.Glyphs.Think)
	case layers.Act:
		mark = l.Paint(role, l.Glyphs.Act)
	}
	return l.Truncate(" "+mark+" "+l.Paint(role, layerWords[p.layer])+"  "+l.Paint(look.Dim, counted(p.words.words)), width)
}

// text is the part's text, cleaned.
func (p *part) text() string {
	if p.prose != nil {
		return p.prose.Text()
	}
	return p.clean.String()
}

// aligned tells where the cells of the rows come from in the text.
func (p *part) aligned() [][]prose.Cell {
	if p.cells != nil || len(p.shown) == 0 {
		return p.cells
	}
	rows, skip := p.shown, 3
	switch {
	case p.state == panelCollapsed:
		p.cells = make([][]prose.Cell, len(rows))
		return p.cells
	case p.layer == layers.Speech:
		skip = 1
	case p.layer == layers.System || p.layer == layers.Native:
		p.cells = append([][]prose.Cell{nil}, p.align.Rows(p.text(), rows[1:], skip)...)
		return p.cells
	}
	p.cells = p.align.Rows(p.text(), rows, skip)
	return p.cells
}

// speak indents rows of prose. Those that stood there before are kept: of a long
// reply only the last ones are new.
func (p *part) speak(l *look.Look, rows []string) []string {
	same := 0
	for same < min(len(rows), len(p.said)) && rows[same] == p.said[same] {
		same++
	}
	p.said = append(p.said[:same], rows[same:]...)
	p.drawn = p.drawn[:same]
	for _, row := range rows[same:] {
		if p.state == panelDimmed {
			row = l.Paint(look.Dim, ansi.Strip(row))
		}
		p.drawn = append(p.drawn, " "+row)
	}
	return p.drawn
}

// hang draws the text as hang does, and only the rows that are new. Lead and
// indent are plain; they are of one run with the text, which a terminal is told
// in half the bytes.
func (p *part) hang(l *look.Look, role look.Role, lead, indent string, width int) []string {
	room := max(width-look.Width(lead)-1, 1)
	rows, same := p.wrapped.Rows(strings.TrimSpace(p.clean.String()), room)
	p.hung = p.hung[:min(same, len(p.hung))]
	for i := len(p.hung); i < len(rows); i++ {
		row := strings.TrimRight(rows[i], " ")
		if i == 0 {
			row = lead + row
		} else {
			row = indent + strings.TrimLeft(row, " ")
		}
		p.hung = append(p.hung, l.Paint(role, row))
	}
	return p.hung
}

// folded is a plan or native reasoning: one row, and while it is being written
// a second with its newest words; or the whole of it.
func (p *part) folded(l *look.Look, role look.Role, width int) []string {
	mark, open := l.Glyphs.Folded, p.state.open()
	if open {
		mark = l.Glyphs.Open
	}
	head := l.Truncate(" "+l.Paint(look.Dim, mark)+" "+l.Paint(role, layerWords[p.layer])+"  "+l.Paint(look.Dim, counted(p.words.words)), width)
	switch {
	case open:
		return append([]string{head}, p.hang(l, role, "   ", "   ", width)...)
	case p.live:
		return []string{head, "   " + l.Paint(role, tail(l, p.clean.String(), width-4))}
	}
	return []string{head}
}

func counted(words int) string {
	if words == 1 {
		return "1 word"
	}
	return fmt.Sprintf("%d words", words)
}

// tail returns the end of a text that is being written, as one row of at most w
// cells.
func tail(l *look.Look, s string, w int) string {
	if w <= 0 {
		return ""
	}
	if over := len(s) - 8*w; over > 0 {
		s = strings.ToValidUTF8(s[over:], "")
	}
	s = strings.Join(strings.Fields(s), " ")
	if n := look.Width(s); n > w {
		s = ansi.TruncateLeft(s, n-w+1, "")
		s = l.Glyphs.More + s
	}
	return l.Truncate(s, w)
}
