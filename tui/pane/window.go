package pane

import (
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// place is a position: a line of a block.
type place struct{ block, line int }

// span is a run of rows of one block on screen, beginning at row y.
type span struct{ block, from, to, y int }

// anchor is the reader's place while not following: the line at the top of the
// window, at the width at which it was chosen. text is how much visible text
// of the block stands before it, which finds the line again at another width;
// -1 until needed.
type anchor struct {
	entry *entry
	line  int
	width int
	text  int
}

// View returns the window: exactly the height's number of rows, each at most
// the width in cells. While nothing changed it is the very same slice.
func (p *Pane) View() []string {
	p.layout()
	return p.view
}

// layout brings the window up to date.
func (p *Pane) layout() {
	if p.fresh {
		if !p.moved() {
			return
		}
		p.settle()
	}
	p.fresh, p.sized, p.held = true, false, false
	p.seen, p.top, p.atEnd = p.seen[:0], place{}, true
	view := make([]string, 0, p.h)
	if p.w > 0 && p.h > 0 && len(p.blocks) > 0 {
		p.top = p.find()
		view = p.fill(view)
	}
	p.view = view[:p.h]
}

// settle makes the place that is shown the anchor, before the transcript
// changes. It differs while the end holds the window back, as after the window
// grew; growing text must not pull it down again then.
func (p *Pane) settle() {
	if p.held && !p.sized && !p.follow {
		p.anchor = anchor{entry: p.blocks[p.top.block], line: p.top.line, width: p.w, text: -1}
	}
	p.held = false
}

// moved reports whether a block that matters to the window has a new version.
func (p *Pane) moved() bool {
	for _, s := range p.seen {
		if !p.blocks[s.block].current(p.w) {
			return true
		}
	}
	if p.atEnd && p.w > 0 && p.h > 0 {
		for i := max(len(p.blocks)-watched, 0); i < len(p.blocks); i++ {
			if e := p.blocks[i]; e.known && e.width == p.w && !e.current(p.w) {
				return true
			}
		}
	}
	return false
}

// find returns the place at the top of the window.
func (p *Pane) find() place {
	end := place{len(p.blocks) - 1, len(p.draw(len(p.blocks) - 1))}
	if p.follow || p.anchor.entry == nil {
		return p.up(end, p.h)
	}
	top := place{p.anchor.entry.at, p.resolve()}
	if missing := p.h - p.below(top, p.h); missing > 0 {
		p.held = true
		return p.up(top, missing)
	}
	return top
}

// fill writes the rows from the top of the window on and notes the spans.
func (p *Pane) fill(view []string) []string {
	at := p.top
	for at.block < len(p.blocks) && len(view) < p.h {
		rows := p.draw(at.block)
		to := min(len(rows), at.line+p.h-len(view))
		if at.line < to {
			p.seen = append(p.seen, span{at.block, at.line, to, len(view)})
			view = append(view, rows[at.line:to]...)
		}
		if to < len(rows) {
			p.atEnd = false
			return view
		}
		at = place{at.block + 1, 0}
	}
	p.atEnd = true
	for ; at.block < len(p.blocks); at.block++ {
		// Blocks without rows may stand behind the last row on screen. One
		// that was never drawn counts as having some.
		if p.index.values[at.block] > 0 {
			p.atEnd = false
			break
		}
	}
	return view
}

// up returns the place n rows before at, or the beginning.
func (p *Pane) up(at place, n int) place {
	for at.line < n {
		n -= at.line
		if at.block == 0 {
			return place{}
		}
		at.block--
		at.line = len(p.draw(at.block))
	}
	return place{at.block, at.line - n}
}

// down returns the place n rows behind at, or the end.
func (p *Pane) down(at place, n int) place {
	for {
		rows := len(p.draw(at.block))
		if at.line+n < rows {
			return place{at.block, at.line + n}
		}
		if at.block == len(p.blocks)-1 {
			return place{at.block, rows}
		}
		n -= max(rows-at.line, 0)
		at = place{at.block + 1, 0}
	}
}

// below counts the rows from at on, up to limit.
func (p *Pane) below(at place, limit int) int {
	n := -at.line
	for i := at.block; i < len(p.blocks) && n < limit; i++ {
		n += len(p.draw(i))
	}
	return max(min(n, limit), 0)
}

// resolve returns the anchor's line at the present width.
func (p *Pane) resolve() int {
	a := &p.anchor
	rows := p.draw(a.entry.at)
	if a.width == p.w || a.text < 0 {
		return max(min(a.line, len(rows)-1), 0)
	}
	seen := 0
	for i, row := range rows {
		if seen += inked(row); seen > a.text {
			return i
		}
	}
	return max(len(rows)-1, 0)
}

// keepText notes how much text stands before the anchor, before the width
// changes.
func (p *Pane) keepText() {
	a := &p.anchor
	if p.follow || a.entry == nil || a.width != p.w || p.w <= 0 {
		return
	}
	// The rows as last shown: the block may have grown since, but only behind.
	a.text = 0
	for _, row := range a.entry.rows[:min(a.line, len(a.entry.rows))] {
		a.text += inked(row)
	}
}

// inked counts the characters of a row that draw something.
func inked(row string) int {
	n := 0
	for _, r := range ansi.Strip(row) {
		if !unicode.IsSpace(r) && r != 0x200e {
			n++
		}
	}
	return n
}
