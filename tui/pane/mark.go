package pane

// Mark is a place in a pane to come back to. It is good as long as its block is.
type Mark struct {
	follow bool
	anchor anchor
}

// Mark returns the place of the window.
func (p *Pane) Mark() Mark {
	if p.usable() {
		p.layout()
	}
	p.settle()
	return Mark{p.follow, p.anchor}
}

// AtEnd reports whether the window followed its end.
func (m Mark) AtEnd() bool { return m.follow }

// Return goes back to a place. If its block is gone the window stays.
func (p *Pane) Return(m Mark) {
	if !m.follow && (m.anchor.entry == nil || !p.has(m.anchor.entry)) {
		return
	}
	p.follow, p.anchor, p.fresh, p.held = m.follow, m.anchor, false, false
}

// Show puts a block's first row at the top of the window, as near as the end
// allows. An unknown ID is ignored.
func (p *Pane) Show(id string) {
	if e := p.byID[id]; e != nil && p.usable() {
		p.moveTo(place{e.at, 0})
	}
}

// ShowLine puts a line of a block at the top of the window, its last one where it
// has fewer, as near as the end allows. An unknown ID is ignored.
func (p *Pane) ShowLine(id string, line int) {
	if e := p.byID[id]; e != nil && p.usable() {
		p.moveTo(place{e.at, max(min(line, len(p.draw(e.at))-1), 0)})
	}
}

// Reveal scrolls as little as it takes to show a line of a block, with a few
// rows around it where there is room. An unknown ID is ignored.
func (p *Pane) Reveal(id string, line int) {
	e := p.byID[id]
	if e == nil || !p.usable() {
		return
	}
	p.layout()
	rows := len(p.draw(e.at))
	line = max(min(line, rows-1), 0)
	room := min(p.h/4, 3)
	for _, s := range p.seen {
		y := s.y + line - s.from
		if s.block == e.at && line >= s.from && line < s.to && y >= min(room, line) && y < p.h-room {
			return
		}
	}
	at := place{e.at, line}
	if e.at > p.top.block || e.at == p.top.block && line > p.top.line {
		p.moveTo(p.up(at, p.h-1-room))
		return
	}
	p.moveTo(p.up(at, room))
}

// LineOf returns the row of the window at which a line of a block stands; ok is
// false while it is out of the window.
func (p *Pane) LineOf(id string, line int) (y int, ok bool) {
	p.layout()
	for _, s := range p.seen {
		if p.blocks[s.block].block.ID() == id && line >= s.from && line < s.to {
			return s.y + line - s.from, true
		}
	}
	return 0, false
}

// Size returns the window in cells.
func (p *Pane) Size() (w, h int) { return p.w, p.h }
