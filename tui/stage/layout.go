package stage

import "herarena/arena"

// mode is how the two columns share the screen.
type mode int

const (
	columns  mode = iota // beside each other, in boxes
	stacked              // below each other, under a rule each
	single               // one side alone, with a switch
	compared             // both replies of a turn against each other, in one box
)

// Sizes at which the screen changes its form, in cells.
const (
	columnsFrom = 100 // narrower stacks the columns
	stackedFrom = 72  // narrower shows one side
	stackedRows = 22  // shorter shows one side
	leastPane   = 4   // rows of a side, its rule included, that no verdict takes away
)

// want is what the layout is asked for.
type want struct {
	w, h     int
	zoom     bool
	compare  bool
	side     arena.Side // shown when one side is alone
	cards    int        // rows that the principle cards would like
	spare    int        // rows that both replies leave to the verdict
	judge    bool       // the verdict has the focus and may take more room
	composer int        // rows of the composer
}

// area is a run of whole rows, or of a column's cells within them.
type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h
}

// layout is where everything stands. Header, bar, cards and composer are full
// rows; both sides lie between header and bar. A side of no rows is not shown.
type layout struct {
	mode     mode
	sides    [2]area
	bar      int // row of the verdict bar
	cards    area
	composer area
}

// arrange divides the screen. It always accounts for every row exactly once,
// and gives way in this order: cards, composer, sides.
func arrange(n want) layout {
	l := layout{mode: n.mode()}
	composer, room := n.rows()
	least := leastPane
	if l.mode == stacked {
		least *= 2
	}
	share := room / 3
	switch {
	case n.judge:
		share = readShare(room)
	case l.mode == stacked:
		share = room / 4
	}
	cards := max(min(n.cards, max(share, n.spare), room-least), 0)
	l.place(n, room-cards)
	top := 1 + room - cards
	l.bar = top
	l.cards = area{0, top + 1, n.w, cards}
	l.composer = area{0, n.h - composer, n.w, composer}
	return l
}

// mode is how the columns share a screen of that size.
func (n *want) mode() mode {
	switch {
	case n.compare:
		return compared
	case n.zoom || n.w < stackedFrom || n.w < columnsFrom && n.h < stackedRows:
		return single
	case n.w < columnsFrom:
		return stacked
	}
	return columns
}

// rows are those of the composer, and those that sides and cards share.
func (n *want) rows() (composer, room int) {
	composer = max(min(n.composer, n.h/4), 1)
	return composer, max(n.h-2-composer, 0) // header and bar
}

// readShare is what of a room the verdict may take while it is read.
func readShare(room int) int { return room * 3 / 5 }

// read is how many rows the verdict has for reading: none unless it is read and
// there is room beside both columns.
func (n *want) read() int {
	if !n.judge || n.mode() != columns {
		return 0
	}
	_, room := n.rows()
	return min(readShare(room), room-leastPane)
}

// place gives both sides their share of h rows below the header.
func (l *layout) place(n want, h int) {
	switch l.mode {
	case columns:
		left := n.w / 2
		l.sides = [2]area{{0, 1, left, h}, {left, 1, n.w - left, h}}
	case stacked:
		upper := (h + 1) / 2
		l.sides = [2]area{{0, 1, n.w, upper}, {0, 1 + upper, n.w, h - upper}}
	case compared:
		l.sides[arena.A] = area{0, 1, n.w, h}
	case single:
		l.sides[n.side] = area{0, 1, n.w, h}
	}
}

// boxed reports whether sides stand in boxes, and not under a rule.
func (l *layout) boxed() bool { return l.mode == columns || l.mode == compared }

// inner is the size of the transcript within a side.
func (l *layout) inner(s arena.Side) (w, h int) {
	a := l.sides[s]
	if l.boxed() {
		return max(a.w-2, 0), max(a.h-2, 0)
	}
	return a.w, max(a.h-1, 0)
}

// origin is the cell of a side's transcript at its upper left.
func (l *layout) origin(s arena.Side) (x, y int) {
	a := l.sides[s]
	if l.boxed() {
		return a.x + 1, a.y + 1
	}
	return a.x, a.y + 1
}
