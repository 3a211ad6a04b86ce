// Package prose turns Markdown into rows for a pane, also while it is written.
//
// A reply is cut into parts at blank lines where Markdown allows it. A part
// that is complete is rendered once per width and kept; the open part at the
// end is wrapped as it grows, row by row, with emphasis drawn at once. So the
// cost of a token depends on the row it lands in and not on the length of the
// reply. Line feeds are kept as line breaks: in speech they are meant.
package prose

import (
	"strings"

	"herarena/tui/guard"
	"herarena/tui/look"
)

// Prose is one text. It belongs to one goroutine. What is appended passes
// guard.Stream, what Glamour writes passes guard.Exit.
type Prose struct {
	layout *layout

	entrance guard.Stream
	raw      []byte          // as given, when Set is used
	text     strings.Builder // as cleaned; its String costs nothing
	finished bool
	version  uint64

	split splitter
	parts []string // complete parts
	open  int      // where the open part begins in text
	read  int      // up to where lines were given to the splitter

	width    int
	rendered int      // parts in rows
	rows     []string // of the parts, then of the open part
	fixed    int      // rows of the parts
	tail     tail
	drawn    uint64 // version the rows belong to
}

// New makes an empty text in a look.
func New(l *look.Look) *Prose {
	return &Prose{layout: newLayout(l), version: 1}
}

// Append adds what came. A text that was finished goes on.
func (p *Prose) Append(delta string) {
	if delta == "" {
		return
	}
	p.reopen()
	p.raw = append(p.raw, delta...)
	p.take(p.entrance.Clean(delta))
}

// Set makes text the whole text. If it begins with what was there only the rest
// counts as new; otherwise everything is begun anew.
func (p *Prose) Set(text string) {
	if len(text) >= len(p.raw) && text[:len(p.raw)] == string(p.raw) {
		p.Append(text[len(p.raw):])
		return
	}
	*p = Prose{layout: p.layout, version: p.version + 1, width: p.width}
	p.Append(text)
}

// Finish tells that the text is complete: its last part is rendered, too.
func (p *Prose) Finish() {
	if p.finished {
		return
	}
	p.take(p.entrance.Flush())
	p.finished = true
	p.version++
	p.parts = append(p.parts, p.text.String()[p.open:])
}

// reopen undoes Finish, so that a sequence or character it cut short is whole
// again.
func (p *Prose) reopen() {
	if !p.finished {
		return
	}
	*p = Prose{layout: p.layout, raw: p.raw, version: p.version, width: p.width}
	p.take(p.entrance.Clean(string(p.raw)))
}

// Text returns the text as shown, without styles, for copying and searching.
func (p *Prose) Text() string { return p.text.String() }

// Version changes with every change of the text.
func (p *Prose) Version() uint64 { return p.version }

// Finished reports whether Finish was called.
func (p *Prose) Finished() bool { return p.finished }

// take adds cleaned text and cuts complete parts off.
func (p *Prose) take(clean string) {
	if clean == "" {
		return
	}
	p.text.WriteString(clean)
	p.version++
	if strings.IndexByte(clean, '\n') < 0 {
		return
	}
	text := p.text.String()
	for {
		n := strings.IndexByte(text[p.read:], '\n')
		if n < 0 {
			return
		}
		line, next := text[p.read:p.read+n], p.read+n+1
		switch p.split.line(line) {
		case cutsOff:
			p.close(p.read)
		case closes:
			p.close(next)
			p.split.restart()
		}
		p.read = next
	}
}

// close makes what stands before end a complete part.
func (p *Prose) close(end int) {
	p.parts = append(p.parts, p.text.String()[p.open:end])
	p.open = end
}

// Rows returns the text as rows of at most width cells. The slice is the
// Prose's own and good until the next call; the strings stay good.
func (p *Prose) Rows(width int) []string {
	width = max(width, 1)
	if width == p.width && p.drawn == p.version {
		return p.rows
	}
	if width != p.width {
		p.width, p.rendered = width, 0
		p.tail.reset()
	}
	p.drawn = p.version
	if p.rendered == 0 {
		p.fixed = 0
	}
	p.rows = p.rows[:p.fixed]
	for ; p.rendered < len(p.parts); p.rendered++ {
		p.join(p.layout.draw(p.parts[p.rendered], p.width, 0))
		p.fixed = len(p.rows)
	}
	if !p.finished {
		p.join(p.tail.draw(p.text.String(), p.open, p.width, p.layout))
	}
	return p.rows
}

// join adds the rows of a part, with a blank row between parts.
func (p *Prose) join(rows []string) {
	if len(rows) == 0 {
		return
	}
	if len(p.rows) > 0 {
		p.rows = append(p.rows, "")
	}
	p.rows = append(p.rows, rows...)
}
