package stage

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/prose"
)

// spot is a character of a side's transcript; at the end of a text from and to
// are the same.
type spot struct {
	turn, segment int
	from, to      int
}

func (a spot) before(b spot) bool {
	switch {
	case a.turn != b.turn:
		return a.turn < b.turn
	case a.segment != b.segment:
		return a.segment < b.segment
	}
	return a.from < b.from
}

// grain is what a selection grows by.
type grain uint8

const (
	byLetter grain = iota
	byWord
	byParagraph
)

// selection is text of one side chosen with the mouse. It is kept as places in
// the text, so that it stays where it is while rows move and are wrapped anew.
type selection struct {
	side        arena.Side
	first, last spot // as pressed and as dragged to, each widened to the grain
	origin      spot // widened where the button was pressed
	originEnd   spot
	grain       grain
	on          bool // something is selected
	dragging    bool

	clicks  int
	clicked time.Time
	x, y    int
	out     int // rows by which the mouse is above or below the side
	ticking bool
}

const (
	clickAgain = 400 * time.Millisecond // between the clicks of a double click
	dragStep   = 50 * time.Millisecond  // between rows while the mouse is held outside
)

// dragMsg scrolls on while the mouse is held above or below a side.
type dragMsg struct{ stage *Stage }

// shownOn reports whether something is selected on a side.
func (x *selection) shownOn(side arena.Side) bool { return x.on && x.side == side }

// within returns what of a text is selected.
func (x *selection) within(side arena.Side, turn, segment int) (from, to int, ok bool) {
	begin, end := spot{turn: turn, segment: segment}, spot{turn: turn, segment: segment, from: 1 << 62}
	if !x.shownOn(side) || end.before(x.first) || x.last.before(begin) {
		return 0, 0, false
	}
	to = end.from
	if x.first.turn == turn && x.first.segment == segment {
		from = x.first.from
	}
	if x.last.turn == turn && x.last.segment == segment {
		to = x.last.to
	}
	return from, to, true
}

// spotAt finds the character of a side under a cell of its window. Beside the
// text it is the nearest on the row, on rows without text that of the nearest
// row with some.
func (s *Stage) spotAt(side arena.Side, x, y int) (spot, bool) {
	_, h := s.readIn(side).Size()
	y = max(min(y, h-1), 0)
	for d := range h {
		for _, at := range [2]int{y - d, y + d} {
			if at < 0 || at >= h {
				continue
			}
			if turn, segment, cells, ok := s.textAt(side, at); ok {
				col := x
				switch { // a row above is left at its end, one below entered at its beginning
				case at < y:
					col = 1 << 30
				case at > y:
					col = -1
				}
				if from, to, ok := nearest(cells, col); ok {
					return spot{turn, segment, from, to}, true
				}
			}
		}
	}
	return spot{}, false
}

// nearest finds the character at a column of a row; behind the last one it is
// the place behind it.
func nearest(cells []prose.Cell, col int) (from, to int, ok bool) {
	for _, c := range cells {
		if c.From < 0 {
			continue
		}
		from, to, ok = c.From, c.To, true
		if col < c.Col+c.Width {
			return from, to, true
		}
	}
	return to, to, ok
}

// widen grows a place to the grain.
func (s *Stage) widen(side arena.Side, at spot, g grain) (first, last spot) {
	b := s.standing(side, at.turn, at.segment)
	if b == nil || g == byLetter {
		return at, at
	}
	text := b.words(at.segment)
	if at.from > len(text) {
		return at, at
	}
	from, to := wordAt(text, at.from)
	if g == byParagraph {
		from = strings.LastIndexByte(text[:at.from], '\n') + 1
		to = len(text)
		if i := strings.IndexByte(text[at.from:], '\n'); i >= 0 {
			to = at.from + i
		}
	}
	first, last = at, at
	first.from, first.to, last.from, last.to = from, from, from, to
	return first, last
}

// wordAt returns the word around a byte of a text; between words, what stands
// there.
func wordAt(text string, at int) (from, to int) {
	inner := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == 0x200d
	}
	here, size := utf8.DecodeRuneInString(text[at:])
	if !inner(here) {
		return at, at + size
	}
	from, to = at, at
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:from])
		if !inner(r) {
			break
		}
		from -= n
	}
	for to < len(text) {
		r, n := utf8.DecodeRuneInString(text[to:])
		if !inner(r) {
			break
		}
		to += n
	}
	return from, to
}

// grab begins a selection where the button was pressed: a second press takes the
// word, a third the paragraph.
func (s *Stage) grab(side arena.Side, x, y int) {
	sel := &s.selection
	again := sel.clicks > 0 && sel.side == side && sel.x == x && sel.y == y && s.o.Now().Sub(sel.clicked) <= clickAgain
	clicks := 1
	if again {
		clicks = sel.clicks%3 + 1
	}
	s.dropSelection()
	*sel = selection{side: side, clicks: clicks, clicked: s.o.Now(), x: x, y: y, grain: grain(clicks - 1), ticking: sel.ticking}
	at, ok := s.spotAt(side, x, y)
	if !ok {
		return
	}
	sel.dragging = true
	sel.origin, sel.originEnd = s.widen(side, at, sel.grain)
	sel.first, sel.last = sel.origin, sel.originEnd
	sel.on = sel.grain != byLetter && sel.last.to > sel.first.from
	s.stale(sidePart(side))
}

// dropSelection forgets what is selected.
func (s *Stage) dropSelection() {
	if s.selection.on {
		s.stale(sidePart(s.selection.side) | composerPart)
	}
	s.selection.on, s.selection.dragging = false, false
}

// drag takes the mouse while the button is held.
func (s *Stage) drag(m tea.MouseMotionMsg) tea.Cmd {
	sel := &s.selection
	if !sel.dragging || m.Button != tea.MouseLeft {
		return nil
	}
	shown := sel.side
	if s.compare != nil {
		shown = arena.A // the view stands in its place
	}
	ox, oy := s.layout.origin(shown)
	_, h := s.readIn(sel.side).Size()
	x, y := m.X-ox, m.Y-oy
	if x == sel.x && y == sel.y && !sel.on {
		return nil
	}
	sel.x, sel.y, sel.out = x, y, 0
	switch {
	case y < 0:
		sel.out = y
	case y >= h:
		sel.out = y - h + 1
	}
	s.stretch()
	return s.keepDragging()
}

// stretch draws the selection to where the mouse is.
func (s *Stage) stretch() {
	sel := &s.selection
	at, ok := s.spotAt(sel.side, sel.x, sel.y)
	if !ok {
		return
	}
	first, last := s.widen(sel.side, at, sel.grain)
	sel.first, sel.last = sel.origin, sel.originEnd
	if first.before(sel.first) {
		sel.first = first
	}
	if sel.last.before(last) {
		sel.last = last
	}
	sel.on = true
	s.stale(sidePart(sel.side) | composerPart)
}

// keepDragging scrolls on while the mouse is held outside of the side.
func (s *Stage) keepDragging() tea.Cmd {
	sel := &s.selection
	if sel.out == 0 || sel.ticking {
		return nil
	}
	sel.ticking = true
	return s.later(dragStep, dragMsg{s})
}

func (s *Stage) onDrag() tea.Cmd {
	sel := &s.selection
	sel.ticking = false
	if !sel.dragging || sel.out == 0 {
		return nil
	}
	s.readIn(sel.side).ScrollBy(max(min(sel.out, 5), -5))
	s.stretch()
	return s.keepDragging()
}

// release ends the dragging.
func (s *Stage) release(m tea.MouseReleaseMsg) tea.Cmd {
	sel := &s.selection
	if !sel.dragging {
		return nil
	}
	sel.dragging, sel.out = false, 0
	s.stale(composerPart)
	if sel.on && s.o.Reading.CopySelected {
		return s.copySelected()
	}
	return nil
}

// selected is what is selected, as it reads: without gutters and the breaks of
// wrapping.
func (s *Stage) selected() string {
	sel := &s.selection
	if !sel.on {
		return ""
	}
	w, _ := s.readIn(sel.side).Size()
	var turns []string
	for turn := sel.first.turn; turn <= sel.last.turn; turn++ {
		var texts []string
		take := func(b readable, segment int) {
			from, to, ok := sel.within(sel.side, turn, segment)
			if !ok || b == nil || w == 0 {
				return
			}
			b.Rows(w)
			if text := prose.Shown(b.words(segment), b.cells(segment), from, to); text != "" {
				texts = append(texts, text)
			}
		}
		if s.compare == nil {
			take(s.standing(sel.side, turn, scenic), scenic)
		}
		if b := s.standing(sel.side, turn, said); b != nil {
			for segment := said; segment < b.count(); segment++ {
				take(b, segment)
			}
		}
		if len(texts) > 0 {
			turns = append(turns, strings.Join(texts, "\n"))
		}
	}
	return strings.Join(turns, "\n\n")
}
