package stage

import (
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/pane"
	"herarena/tui/prose"
)

// What rows show besides segments.
const (
	said = -1 // the person's line; in the opening, the scenario
	none = -2 // nobody's text
	// scenic is what the surroundings do before a turn; it is read before the line.
	scenic = -3
)

// hits says by row which segment it shows.
type hits []int

// at returns the segment a row shows, and which of the segment's rows that is.
func (h hits) at(row int) (segment, line int) {
	if row < 0 || row >= len(h) {
		return none, 0
	}
	segment = h[row]
	for row > 0 && h[row-1] == segment {
		row--
		line++
	}
	return segment, line
}

// first returns the first row of a segment, -1 where it has none.
func (h hits) first(segment int) int {
	for i, hit := range h {
		if hit == segment {
			return i
		}
	}
	return -1
}

// readable is a block whose rows know the text they show. Segments are counted
// from said.
type readable interface {
	pane.Block
	// rowsBy returns what each row shows, as last drawn.
	rowsBy() hits
	// count is how many segments there are.
	count() int
	// words is a segment's text, cleaned; it needs nothing to be drawn.
	words(segment int) string
	// cells tell for each row of a segment where its text comes from, as last
	// drawn; nothing where it is folded.
	cells(segment int) [][]prose.Cell
	// unfold opens a segment that is folded or hidden, or folds it again; it
	// reports whether that changed anything.
	unfold(segment int, open bool) bool
}

var (
	_ readable = (*block)(nil)
	_ readable = (*opening)(nil)
	_ readable = (*scenery)(nil)
)

func (b *block) rowsBy() hits { return b.hits }

func (b *block) count() int {
	if t := b.turn.columns[b.side].shown(); t != nil {
		return len(t.reply.Segments)
	}
	return 0
}

func (b *block) words(segment int) string {
	t := b.turn.columns[b.side].shown()
	switch {
	case segment == said:
		_, text := b.turn.spoken()
		return guard.Text(text)
	case t == nil || segment < 0 || segment >= len(t.reply.Segments):
		return ""
	case t == b.shown && segment < len(b.parts):
		return b.parts[segment].text()
	}
	return guard.Text(t.reply.Segments[segment].Text)
}

func (b *block) cells(segment int) [][]prose.Cell {
	if segment == said {
		if b.headCells == nil {
			b.headCells = prose.Align(b.words(said), b.head, 3)
		}
		return b.headCells
	}
	if segment < 0 || segment >= len(b.parts) {
		return nil
	}
	return b.parts[segment].aligned()
}

func (b *block) unfold(segment int, open bool) bool {
	if segment < 0 || segment >= b.count() || b.turn.columns[b.side].shown() != b.shown {
		return false
	}
	if b.state(segment, b.shown.reply.Segments[segment].Layer).open() == open {
		return false
	}
	b.flipped[segment] = !b.flipped[segment]
	b.touch()
	return true
}

func (o *opening) rowsBy() hits { return o.hits }

func (o *opening) count() int { return len(o.parts) }

func (o *opening) words(segment int) string {
	switch {
	case segment == said:
		return guard.Text(o.scene.Scenario)
	case segment < 0 || segment >= len(o.parts):
		return ""
	}
	return o.parts[segment].text()
}

func (o *opening) cells(segment int) [][]prose.Cell {
	if segment == said {
		if o.about == nil && o.hits.first(said) >= 0 {
			o.about = prose.Align(guard.Text(o.scene.Scenario), o.rows[:o.rowsOf(said)], 1)
		}
		return o.about
	}
	if segment < 0 || segment >= len(o.parts) {
		return nil
	}
	return o.parts[segment].aligned()
}

func (o *opening) rowsOf(segment int) int {
	n := 0
	for _, hit := range o.hits {
		if hit == segment {
			n++
		}
	}
	return n
}

func (o *opening) unfold(segment int, open bool) bool {
	switch {
	case segment == said:
		return o.setFolded(!open)
	case segment < 0 || segment >= len(o.parts) || o.state(segment).open() == open:
		return false
	}
	o.flipped[segment] = !o.flipped[segment]
	o.touch()
	return true
}

// block returns a turn's block on a side: from 0 on those of the duel, below that
// those of its past and, at the beginning, the opening; nil if there is none.
func (s *Stage) block(side arena.Side, turn int) readable {
	switch {
	case turn == s.beginning():
		return s.opening[side]
	case turn < s.beginning() || turn >= len(s.blocks[side]):
		return nil
	case turn < 0:
		return s.past[side][turn+s.pastTurns()]
	}
	return s.blocks[side][turn]
}

// standing is the block in which a text of a turn stands: that of the turn, save for
// what the surroundings did before it.
func (s *Stage) standing(side arena.Side, turn, segment int) readable {
	if s.compare != nil {
		return comparedSide{s.compare.page, side}
	}
	if segment == scenic && turn >= 0 {
		if b := s.sceneryBefore(turn); b != nil {
			return b
		}
		return nil
	}
	return s.block(side, turn)
}

// readIn is the pane in which a side's text is read.
func (s *Stage) readIn(side arena.Side) *pane.Pane {
	if s.compare != nil {
		return s.compare.pane
	}
	return s.panes[side]
}

// turnOf returns the index of the turn of a block's name; ok is false for a
// name that is not of the side.
func (s *Stage) turnOf(side arena.Side, id string) (turn int, ok bool) {
	if id == s.opening[side].ID() {
		return s.beginning(), true
	}
	if strings.HasPrefix(id, "scenery ") {
		return 0, false
	}
	// Turns are numbered in their order, nearly always without gaps.
	guess := 0
	for i := len("turn "); i < len(id); i++ {
		guess = guess*10 + int(id[i]-'0')
	}
	if n := guess - 1; strings.HasPrefix(id, "past ") {
		return n - s.pastTurns(), n >= 0 && n < s.pastTurns()
	}
	first := 1
	if len(s.blocks[side]) > 0 {
		first = s.blocks[side][0].turn.number
	}
	if n := guess - first; n >= 0 && n < len(s.blocks[side]) && s.blocks[side][n].ID() == id {
		return n, true
	}
	for i := len(s.blocks[side]) - 1; i >= 0; i-- {
		if s.blocks[side][i].ID() == id {
			return i, true
		}
	}
	return 0, false
}

// textAt finds the text that a row of a side's window shows.
func (s *Stage) textAt(side arena.Side, y int) (turn, segment int, cells []prose.Cell, ok bool) {
	if s.compare != nil {
		return s.compare.textAt(side, y)
	}
	id, row, found := s.panes[side].BlockAt(y)
	if !found {
		return 0, 0, nil, false
	}
	b := readable(nil)
	if turn, found = s.sceneryTurn(id); found {
		b = s.standing(side, turn, scenic)
	} else if turn, found = s.turnOf(side, id); found {
		b = s.block(side, turn)
	}
	if b == nil {
		return 0, 0, nil, false
	}
	segment, line := b.rowsBy().at(row)
	if segment == none {
		return 0, 0, nil, false
	}
	all := b.cells(segment)
	if line >= len(all) || len(all[line]) == 0 {
		return 0, 0, nil, false
	}
	return turn, segment, all[line], true
}

// showText scrolls a side so that a place of a text is seen.
func (s *Stage) showText(side arena.Side, turn, segment, from int) {
	b := s.standing(side, turn, segment)
	w, _ := s.panes[side].Size()
	if b == nil || w == 0 {
		return
	}
	b.Rows(w)
	row := max(b.rowsBy().first(segment), 0)
	for i, cells := range b.cells(segment) {
		for _, c := range cells {
			if c.From >= 0 && c.From <= from && from < c.To {
				s.panes[side].Upsert(b)
				s.panes[side].Reveal(b.ID(), row+i)
				return
			}
		}
	}
	s.panes[side].Upsert(b)
	s.panes[side].Reveal(b.ID(), row)
}
