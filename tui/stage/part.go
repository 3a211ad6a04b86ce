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

// take adds raw text; p.raw grows with it.
func (p *part) take(raw string) {
	p.raw += raw
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
		return hang(l, look.Think, rule, rule, p.clean.String(), width)
	case layers.Act:
		return hang(l, look.Act, " "+l.Paint(look.Act, l.Glyphs.Act)+" ", "   ", p.clean.String(), width)
	}
	rows := p.prose.Rows(max(width-2, 1))
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = " " + row
	}
	return out
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
		return append([]string{head}, hang(l, role, "   ", "   ", p.clean.String(), width)...)
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
