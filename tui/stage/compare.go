package stage

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/pane"
	"herarena/tui/prose"
)

// compare is the view that sets both replies of a turn against each other,
// layer by layer, and marks the words in which they differ.
type compare struct {
	turn int // index
	pane *pane.Pane
	page *comparison
	top  bool // it is to be shown from its top
}

// openCompare compares the replies of the turn that is read, or goes back.
func (s *Stage) openCompare() {
	if s.compare != nil {
		s.closeCompare()
		return
	}
	at := max(s.readAt(), 0)
	if at >= len(s.play.turns) {
		return
	}
	s.dropSelection()
	s.endSearch(false)
	s.compare = &compare{turn: -1, pane: pane.New()}
	s.compareTurn(at)
	s.setFocus(onA + focus(s.side))
	s.stale(allParts)
}

// compareTurn turns the view to another turn.
func (s *Stage) compareTurn(i int) {
	s.dropSelection()
	c := s.compare
	c.turn = i
	c.page = &comparison{turn: s.play.turns[i], look: s.look}
	c.pane.SetBlocks([]pane.Block{c.page})
	c.top = true
	s.stale(allParts)
}

func (s *Stage) closeCompare() {
	if s.compare != nil {
		s.dropSelection()
		s.compare = nil
		s.stale(allParts)
	}
}

// copyCompared copies what is selected, else asks what to copy.
func (s *Stage) copyCompared() tea.Cmd {
	if s.selection.on {
		return s.copySelected()
	}
	return s.openCopy()
}

// scrollCompare moves the view by rows; it reports whether it is there.
func (s *Stage) scrollCompare(by int) bool {
	if s.compare == nil {
		return false
	}
	s.compare.pane.ScrollBy(by)
	s.stale(aPart)
	return true
}

// drawCompare draws the view in the place of both sides.
func (s *Stage) drawCompare() []string {
	c, a := s.compare, s.layout.sides[arena.A]
	c.page.look = s.look
	c.pane.SetSize(max(a.w-2, 0), max(a.h-2, 0))
	if c.top {
		c.pane.Top()
		c.top = false
	}
	rows := c.pane.View()
	if s.selection.on {
		rows = s.stained(s.selection.side, rows)
	}
	title := s.look.Paint(look.Title, "Compare") + s.look.Paint(look.Dim, fmt.Sprintf("  turn %d of %d", s.play.turns[c.turn].number, len(s.play.turns)))
	var who []string
	for _, side := range []arena.Side{arena.A, arena.B} {
		name, known := s.bill.name(c.page.turn, side)
		if !known {
			name = s.look.Paint(look.Dim, "hidden")
		}
		who = append(who, s.look.Paint(sideRole(side), side.String())+" "+name)
	}
	right := strings.Join(who, "   ")
	if above, below := c.pane.Extent(); above+below > 0 {
		right += s.look.Paint(look.Dim, fmt.Sprintf("   %s%d %s%d", s.look.Glyphs.Up, above, s.look.Glyphs.Down, below))
	}
	return s.look.Box(title, right, rows, a.w, a.h, s.focus == onA || s.focus == onB)
}

func sideRole(side arena.Side) look.Role {
	if side == arena.B {
		return look.SideB
	}
	return look.SideA
}

// besideFrom is the width from which both texts of a layer stand beside each
// other.
const besideFrom = columnsFrom - 2

// comparison is the comparison of one turn as a block.
type comparison struct {
	turn *turn
	look *look.Look

	rows  []string
	told  []comparedRow // by row, as long as rows
	texts [2][]string   // of each side by layer, as compared
	made  struct {
		look  *look.Look
		width int
		size  [2]int
		takes [2]*take
		live  bool
	}
	version uint64
}

// ID names the block.
func (c *comparison) ID() string { return "comparison" }

// Version moves with the texts and the look.
func (c *comparison) Version() uint64 {
	size, takes, live := c.now()
	if m := &c.made; m.size != size || m.takes != takes || m.live != live || m.look != c.look {
		m.size, m.takes, m.live, m.look, m.width = size, takes, live, c.look, 0
		c.version++
	}
	return c.version
}

// now is what the comparison is made of.
func (c *comparison) now() (size [2]int, takes [2]*take, live bool) {
	for side := range takes {
		t := c.turn.columns[side].shown()
		if t == nil {
			continue
		}
		takes[side] = t
		live = live || t.live
		for _, seg := range t.reply.Segments {
			size[side] += len(seg.Text)
		}
	}
	return size, takes, live
}

// Rows draws the comparison.
func (c *comparison) Rows(width int) []string {
	c.Version()
	if c.made.width == width && width > 0 {
		return c.rows
	}
	c.made.width = width
	l := c.look
	c.texts = [2][]string{}
	c.told = c.told[:0]
	c.rows = append(c.rows[:0], hang(l, look.Title, " "+l.Paint(look.Accent, l.Glyphs.Prompt)+" ", "   ", guard.Text(c.turn.line), width)...)
	if c.made.live {
		c.rows = append(c.rows, l.Truncate(" "+l.Paint(look.Dim, "what differs is marked once both are written"), width))
	}
	for _, layer := range []layers.Layer{layers.System, layers.Native, layers.Think, layers.Act, layers.Speech} {
		a, b := layerText(c.made.takes[0], layer), layerText(c.made.takes[1], layer)
		if a != "" || b != "" {
			c.rows = append(c.rows, "")
			c.told = append(c.told, make([]comparedRow, len(c.rows)+1-len(c.told))...) // and the heading
			c.rows = append(c.rows, c.layer(layerWords[layer], a, b, width)...)
		}
	}
	if len(c.rows) > 0 && c.made.size == [2]int{} {
		c.rows = append(c.rows, "", l.Truncate(" "+l.Paint(look.Dim, "nothing to compare yet"), width))
	}
	c.told = append(c.told, make([]comparedRow, len(c.rows)-len(c.told))...)
	return c.rows
}

// layer draws one layer of both sides under a rule that says how they compare.
func (c *comparison) layer(name, a, b string, width int) []string {
	l := c.look
	texts := [2]string{a, b}
	words := [2][]word{wordsOf(a), wordsOf(b)}
	var only [2][]bool
	note := ""
	switch {
	case a == "":
		note = "B alone"
	case b == "":
		note = "A alone"
	case c.made.live:
	default:
		only[0], only[1] = differ(words[0], words[1])
		note = alike(words, only)
	}
	rows := []string{c.heading(name, note, width)}
	besides := width >= besideFrom
	room := width - 5
	if besides {
		room = (width-3)/2 - 2
	}
	var drawn [2][]string
	for side := range drawn {
		drawn[side] = c.text(texts[side], words[side], only[side], sideRole(arena.Side(side)), max(room, 1))
	}
	c.tell(texts, drawn, width)
	if !besides {
		for side := range drawn {
			for i, row := range drawn[side] {
				lead := "     "
				if i == 0 {
					lead = "  " + l.Paint(sideRole(arena.Side(side)), arena.Side(side).String()) + "  "
				}
				rows = append(rows, lead+row)
			}
		}
		return rows
	}
	bar := l.Paint(look.Border, "│")
	if l.ASCII {
		bar = l.Paint(look.Border, "|")
	}
	left := (width - 3) / 2
	for i := range max(len(drawn[0]), len(drawn[1])) {
		var cells [2]string
		for side := range cells {
			if i < len(drawn[side]) {
				cells[side] = pane.Isolated(" " + drawn[side][i])
			}
		}
		rows = append(rows, l.Pad(cells[0], left)+" "+bar+" "+cells[1])
	}
	return rows
}

// comparedRow is what a row shows of each side's texts.
type comparedRow [2]struct {
	layer int // index into texts
	cells []prose.Cell
}

// tell notes where the rows of a layer come from.
func (c *comparison) tell(texts [2]string, drawn [2][]string, width int) {
	besides := width >= besideFrom
	indent := [2]int{1, (width-3)/2 + 4} // as layer sets them
	if !besides {
		indent = [2]int{5, 5}
	}
	layer, first, most := len(c.texts[0]), len(c.told), 0
	for side, text := range texts {
		flat := strings.ReplaceAll(text, "\t", " ")
		c.texts[side] = append(c.texts[side], flat)
		at := first
		if !besides {
			at += most
			most += len(drawn[side])
		} else {
			most = max(most, len(drawn[side]))
		}
		c.told = append(c.told, make([]comparedRow, first+most-len(c.told))...)
		if text == "" {
			continue // "none" is nobody's text
		}
		for i, cells := range prose.Align(flat, drawn[side], 0) {
			for k := range cells {
				cells[k].Col += indent[side]
			}
			c.told[at+i][side].layer, c.told[at+i][side].cells = layer, cells
		}
	}
}

// comparedSide reads one side of a comparison as the stage reads its texts.
type comparedSide struct {
	*comparison
	side arena.Side
}

func (c comparedSide) rowsBy() hits {
	out := make(hits, len(c.told))
	for i := range c.told {
		if out[i] = none; len(c.told[i][c.side].cells) > 0 {
			out[i] = c.told[i][c.side].layer
		}
	}
	return out
}

func (c comparedSide) count() int { return len(c.texts[c.side]) }

func (c comparedSide) words(segment int) string {
	if segment < 0 || segment >= c.count() {
		return ""
	}
	return c.texts[c.side][segment]
}

func (c comparedSide) cells(segment int) [][]prose.Cell {
	var out [][]prose.Cell
	for i := range c.told {
		if of := &c.told[i][c.side]; len(of.cells) > 0 && of.layer == segment {
			out = append(out, of.cells)
		}
	}
	return out
}

func (c comparedSide) unfold(int, bool) bool { return false }

var _ readable = comparedSide{}

// sideAt is the side whose text is meant at a cell of the view.
func (c *compare) sideAt(x, y int) arena.Side {
	if w, _ := c.pane.Size(); w >= besideFrom {
		if x > (w-3)/2 {
			return arena.B
		}
		return arena.A
	}
	if _, row, ok := c.pane.BlockAt(y); ok && row < len(c.page.told) && len(c.page.told[row][arena.B].cells) > 0 {
		return arena.B
	}
	return arena.A
}

// textAt is what a row of the view shows of a side's text.
func (c *compare) textAt(side arena.Side, y int) (turn, segment int, cells []prose.Cell, ok bool) {
	_, row, ok := c.pane.BlockAt(y)
	if !ok || row >= len(c.page.told) || len(c.page.told[row][side].cells) == 0 {
		return 0, 0, nil, false
	}
	of := &c.page.told[row][side]
	return c.turn, of.layer, of.cells, true
}

// alike says how much two texts share.
func alike(words [2][]word, only [2][]bool) string {
	differs, all := 0, len(words[0])+len(words[1])
	for side := range only {
		for _, o := range only[side] {
			if o {
				differs++
			}
		}
	}
	switch {
	case all == 0 || differs == 0:
		return "the same"
	case differs == all:
		return "nothing in common"
	}
	return fmt.Sprintf("%d %% in common", max(min(100*(all-differs)/all, 99), 1))
}

// heading is the rule above a layer.
func (c *comparison) heading(name, note string, width int) string {
	l := c.look
	text := l.Paint(look.Border, l.Glyphs.Rule) + " " + l.Paint(look.Title, name)
	if note != "" {
		text += l.Paint(look.Dim, "  "+note)
	}
	text += " "
	return l.Pad(text+l.Paint(look.Border, strings.Repeat(l.Glyphs.Rule, max(width-look.Width(text), 0))), width)
}

// text wraps a text and sets off the words that the other side lacks.
func (c *comparison) text(text string, words []word, only []bool, role look.Role, room int) []string {
	l := c.look
	if text == "" {
		return []string{l.Paint(look.Dim, "none")}
	}
	flat := strings.ReplaceAll(text, "\t", " ")
	rows := prose.Wrap(flat, room)
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	if len(only) == 0 {
		return rows
	}
	reaches := differing(words, only, role)
	if len(reaches) == 0 {
		return rows
	}
	for i, cells := range prose.Align(flat, rows, 0) {
		// Rows go forward through the text: what lies before this one is done with.
		for len(reaches) > 0 && len(cells) > 0 && reaches[0].to <= cells[0].From {
			reaches = reaches[1:]
		}
		// What both have steps back, so that weight and colour are the others'.
		rows[i] = stain(l, l.Paint(look.Dim, rows[i]), stretches(cells, reaches[:min(len(reaches), len(cells))]))
	}
	return rows
}

// differing joins the words that differ to runs, blanks between them included.
func differing(words []word, only []bool, role look.Role) []reach {
	var out []reach
	for i, w := range words {
		switch {
		case !only[i]:
		case i > 0 && only[i-1]:
			out[len(out)-1].to = w.to
		default:
			out = append(out, reach{w.from, w.to, role})
		}
	}
	return out
}
