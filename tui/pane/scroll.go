package pane

// ScrollBy moves the window by n rows, up when n is negative. Reaching the end
// going down takes up following again; any move up leaves it, unless the whole
// transcript is in the window anyway.
func (p *Pane) ScrollBy(n int) {
	if n == 0 || !p.usable() {
		return
	}
	p.layout()
	if n > 0 {
		if p.follow {
			return
		}
		p.moveTo(p.down(p.top, n))
		return
	}
	p.moveTo(p.up(p.top, -n))
}

// PageUp moves up by the window less one row, which stays for orientation.
func (p *Pane) PageUp() { p.ScrollBy(-max(p.h-1, 1)) }

// PageDown moves down by the window less one row.
func (p *Pane) PageDown() { p.ScrollBy(max(p.h-1, 1)) }

// Top goes to the beginning.
func (p *Pane) Top() {
	if p.usable() {
		p.moveTo(place{})
	}
}

// Bottom goes to the end and follows it.
func (p *Pane) Bottom() {
	if !p.follow {
		p.follow, p.fresh = true, false
	}
}

// Following reports whether the window keeps to the end.
func (p *Pane) Following() bool { return p.follow }

// usable reports whether there is anything to scroll.
func (p *Pane) usable() bool { return p.w > 0 && p.h > 0 && len(p.blocks) > 0 }

// moveTo puts a place at the top of the window, as near as the end allows.
func (p *Pane) moveTo(at place) {
	p.follow, p.fresh = false, false
	p.anchor = anchor{entry: p.blocks[at.block], line: at.line, width: p.w, text: -1}
	p.layout()
	if p.atEnd {
		p.follow = true
		return
	}
	// The end may have held the window back: the place is where it stands now.
	p.anchor = anchor{entry: p.blocks[p.top.block], line: p.top.line, width: p.w, text: -1}
}

// NewBelow returns how many rows lie below the window while reading back, zero
// while following. Blocks between that were never drawn at this width count
// with an estimate.
func (p *Pane) NewBelow() int {
	if p.follow || !p.usable() {
		return 0
	}
	_, below := p.Extent()
	return below
}

// Extent returns the rows above and below the window, for a scroll bar; blocks
// never drawn at this width count with an estimate.
func (p *Pane) Extent() (above, below int) {
	if !p.usable() {
		return 0, 0
	}
	p.layout()
	p.measure()
	above = p.index.before(p.top.block) + p.top.line
	end := p.top
	if n := len(p.seen); n > 0 {
		end = place{p.seen[n-1].block, p.seen[n-1].to}
	}
	return above, max(p.index.sum-p.index.before(end.block)-end.line, 0)
}

// Height returns the rows of the whole transcript; blocks never drawn at this
// width count with an estimate.
func (p *Pane) Height() int {
	if !p.usable() {
		return 0
	}
	p.layout() // before anything is drawn: it knows by what was drawn what has changed
	p.measure()
	return p.index.sum
}

// measure draws the blocks that were announced as changed, and those at the end
// that changed unannounced.
func (p *Pane) measure() {
	for _, e := range p.owed {
		e.owed = false
		if p.has(e) {
			p.draw(e.at)
		}
	}
	p.owed = p.owed[:0]
	for i := max(len(p.blocks)-watched, 0); i < len(p.blocks); i++ {
		p.draw(i)
	}
}

// BlockAt returns the block and its line at row y of the window, for clicks.
func (p *Pane) BlockAt(y int) (id string, line int, ok bool) {
	p.layout()
	for _, s := range p.seen {
		if y >= s.y && y < s.y+s.to-s.from {
			return p.blocks[s.block].block.ID(), s.from + y - s.y, true
		}
	}
	return "", 0, false
}

// EnsureVisible scrolls as little as it takes to show a block whole, or from
// its first row if it is taller than the window. An unknown ID is ignored.
func (p *Pane) EnsureVisible(id string) {
	e := p.byID[id]
	if e == nil || !p.usable() {
		return
	}
	p.layout()
	height := len(p.draw(e.at))
	for _, s := range p.seen {
		if s.block == e.at && s.from == 0 && (s.to == height || height > p.h) {
			return
		}
	}
	at := place{e.at, 0}
	if above := e.at < p.top.block || e.at == p.top.block && p.top.line > 0; !above && height < p.h {
		at = p.up(place{e.at, height}, p.h)
	}
	p.moveTo(at)
}
