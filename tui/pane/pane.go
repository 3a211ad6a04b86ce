// Package pane is a transcript that costs what is seen, not what was said.
//
// A Pane holds blocks (a reply's layer, a person's line, a notice) and shows a
// window on their rows. Only blocks in the window are asked for rows; heights
// are remembered in an index so that positions are known without drawing. The
// reader's place is kept as a block and a line in it: text that arrives never
// moves what is being read, and at the bottom the pane follows.
package pane

// Block is one piece of a transcript.
type Block interface {
	// ID names the block within the pane; it never changes.
	ID() string
	// Version changes whenever the rows may have changed.
	Version() uint64
	// Rows returns the block's rows, each at most width cells. It should
	// cache: the pane asks for the rows of visible blocks after each change.
	Rows(width int) []string
}

// watched is how many blocks at the end are asked for their version although
// they may be out of sight: that is where streams grow.
const watched = 8

// Pane is the transcript. The zero value is not ready, use New. It belongs to
// one goroutine, that of Update and View.
type Pane struct {
	w, h   int
	blocks []*entry
	byID   map[string]*entry
	index  heights
	owed   []*entry // out of sight and changed: to be measured when asked

	follow bool
	anchor anchor

	// The last layout and what it was made of.
	view  []string
	seen  []span
	top   place
	held  bool // the end held the window back from its anchor
	sized bool // the size changed since
	atEnd bool // the window shows the last row
	fresh bool // the layout matches blocks, size and anchor, unless a version moved
}

// New makes an empty pane that follows its end.
func New() *Pane {
	return &Pane{byID: map[string]*entry{}, follow: true}
}

// SetSize sets the window in cells. Reading back, the text at the top of the
// window stays there, and going back to a former width restores the view.
func (p *Pane) SetSize(w, h int) {
	w, h = max(w, 0), max(h, 0)
	if w == p.w && h == p.h {
		return
	}
	if w != p.w {
		p.keepText()
		p.w = w
		p.reindex()
	}
	p.h = h
	p.fresh, p.sized = false, true
}

// SetBlocks replaces the transcript; of blocks with the same ID the first one
// stays. The place is kept if its block, or one near it, is still there.
func (p *Pane) SetBlocks(blocks []Block) {
	p.settle()
	old, known := p.blocks, p.byID
	p.blocks = make([]*entry, 0, len(blocks))
	p.byID = make(map[string]*entry, len(blocks))
	p.owed = p.owed[:0]
	for _, b := range blocks {
		id := b.ID()
		if _, double := p.byID[id]; double {
			continue
		}
		e := known[id]
		if e == nil {
			e = &entry{}
		}
		e.block, e.stale, e.owed, e.at = b, true, false, len(p.blocks)
		p.byID[id] = e
		p.blocks = append(p.blocks, e)
	}
	p.reindex()
	p.reanchor(old)
	p.fresh = false
}

// reanchor moves the anchor to the nearest block of the old order that is still
// there.
func (p *Pane) reanchor(old []*entry) {
	lost := p.anchor.entry
	if lost == nil || p.has(lost) {
		return
	}
	at := lost.at
	p.anchor = anchor{}
	for _, e := range old[min(at, len(old)):] {
		if p.has(e) {
			p.anchor = anchor{entry: e, width: p.w, text: -1}
			return
		}
	}
	for i := min(at, len(old)) - 1; i >= 0; i-- {
		if p.has(old[i]) {
			p.anchor = anchor{entry: old[i], width: p.w, text: -1}
			return
		}
	}
}

// has reports whether an entry is in the transcript.
func (p *Pane) has(e *entry) bool { return e.at < len(p.blocks) && p.blocks[e.at] == e }

// Upsert adds a block at the end, or replaces the one of the same ID in its
// place. Call it as well to announce that a block out of sight has changed;
// visible ones, and the last few, are looked at anyway.
func (p *Pane) Upsert(b Block) {
	p.settle()
	e := p.byID[b.ID()]
	if e == nil {
		e = &entry{at: len(p.blocks)}
		p.byID[b.ID()] = e
		p.blocks = append(p.blocks, e)
		p.index.push(p.index.guess())
	}
	e.block, e.stale = b, true
	if !e.owed {
		e.owed = true
		p.owed = append(p.owed, e)
	}
	p.fresh = false
}

// Remove takes a block out; an unknown ID is ignored.
func (p *Pane) Remove(id string) {
	e := p.byID[id]
	if e == nil {
		return
	}
	p.settle()
	old := append([]*entry(nil), p.blocks...)
	delete(p.byID, id)
	p.blocks = append(p.blocks[:e.at], p.blocks[e.at+1:]...)
	for i := e.at + 1; i < len(old); i++ {
		old[i].at--
	}
	p.reindex()
	if p.anchor.entry == e {
		rest := append(append([]*entry(nil), old[:e.at]...), old[e.at+1:]...)
		p.reanchor(rest)
	}
	p.fresh = false
}

// Len returns how many blocks there are.
func (p *Pane) Len() int { return len(p.blocks) }

// reindex builds the height index for the present width.
func (p *Pane) reindex() {
	p.index.reset()
	for _, e := range p.blocks {
		p.index.push(e.heightAt(p.w, p.index.guess))
	}
}

// draw returns the rows of a block at the present width and notes its height.
func (p *Pane) draw(i int) []string {
	rows := p.blocks[i].draw(p.w)
	p.index.set(i, len(rows))
	return rows
}
