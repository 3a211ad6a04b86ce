package stage

import (
	"fmt"
	"strings"
	"unicode"

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
	prose *prose.Prose // speech only; it cleans what it is given
	words int
	inner bool // within a word
	live  bool

	wrapped prose.Wrapped // of clean, where it is shown as text
	hung    []string      // its rows as drawn
	said    []string      // the rows of prose, and as drawn
	drawn   []string

	shown []string
	width int
	size  int
	open  bool
	last  bool
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
		return
	}
	p.keep(p.guard.Clean(raw))
}

func (p *part) keep(clean string) {
	p.clean.WriteString(clean)
	p.count(clean)
}

// count counts words; scripts written without spaces count by character.
func (p *part) count(s string) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			p.words++
			p.inner = false
		case unicode.IsSpace(r):
			p.inner = false
		case !p.inner && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			p.words++
			p.inner = true
		}
	}
}

// rows returns the part at a width, from cache while nothing of it has changed.
func (p *part) rows(b *block, i, width int) []string {
	open := b.isOpen(i, p.layer)
	if p.shown != nil && p.width == width && p.size == len(p.raw) && p.open == open && p.last == p.live {
		return p.shown
	}
	p.width, p.size, p.open, p.last = width, len(p.raw), open, p.live
	p.shown = p.draw(b.look, width, open)
	return p.shown
}

func (p *part) draw(l *look.Look, width int, open bool) []string {
	switch p.layer {
	case layers.System:
		return p.folded(l, look.System, "plan", width, open)
	case layers.Native:
		return p.folded(l, look.Native, "reasoning", width, open)
	case layers.Think:
		rule := " " + l.Paint(look.Think, l.Glyphs.Think) + " "
		if !open {
			return []string{l.Truncate(rule+l.Paint(look.Think, "thought")+"  "+l.Paint(look.Dim, counted(p.words)), width)}
		}
		return p.hang(l, look.Think, rule, rule, width)
	case layers.Act:
		return p.hang(l, look.Act, " "+l.Paint(look.Act, l.Glyphs.Act)+" ", "   ", width)
	}
	return p.speak(p.prose.Rows(max(width-2, 1)))
}

// speak indents rows of prose. Those that stood there before are kept: of a long
// reply only the last ones are new.
func (p *part) speak(rows []string) []string {
	same := 0
	for same < min(len(rows), len(p.said)) && rows[same] == p.said[same] {
		same++
	}
	p.said = append(p.said[:same], rows[same:]...)
	p.drawn = p.drawn[:same]
	for _, row := range rows[same:] {
		p.drawn = append(p.drawn, " "+row)
	}
	return p.drawn
}

// hang draws the text as hang does, and only the rows that are new.
func (p *part) hang(l *look.Look, role look.Role, lead, indent string, width int) []string {
	room := max(width-look.Width(lead)-1, 1)
	rows, same := p.wrapped.Rows(strings.TrimSpace(p.clean.String()), room)
	p.hung = p.hung[:min(same, len(p.hung))]
	for i := len(p.hung); i < len(rows); i++ {
		p.hung = append(p.hung, hanging(l, role, lead, indent, rows[i], i))
	}
	return p.hung
}

// folded is a plan or native reasoning: one row, and while it is being written
// a second with its newest words; or the whole of it.
func (p *part) folded(l *look.Look, role look.Role, word string, width int, open bool) []string {
	mark := l.Glyphs.Folded
	if open {
		mark = l.Glyphs.Open
	}
	head := l.Truncate(" "+l.Paint(look.Dim, mark)+" "+l.Paint(role, word)+"  "+l.Paint(look.Dim, counted(p.words)), width)
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
