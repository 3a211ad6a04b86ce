package stage

import (
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/look"
)

// markTime is how long a place that was jumped to stays marked.
const markTime = 4 * time.Second

// marked is a place in a reply that is marked for a while.
type marked struct {
	block *block
	side  arena.Side
	part  int // segment
	from  int // letters of the segment before it
	to    int // letters of the segment up to its end
	until time.Time
}

// unmarkMsg ends a mark.
type unmarkMsg struct {
	stage *Stage
	mark  *marked
}

// follow jumps to the place that a quote stands at in the reply that was judged.
func (s *Stage) follow(e card.Evidence) tea.Cmd {
	return s.reveal(s.judged, e.Side, e.Segment, e.Offset, len(e.Text))
}

// reveal turns a side to a place in a reply of the i-th turn: bytes of a
// segment's text. A folded segment is opened, the side shown where it is alone,
// and the place marked for a while.
func (s *Stage) reveal(i int, side arena.Side, segment, offset, size int) tea.Cmd {
	if i < 0 || i >= len(s.play.turns) || i >= len(s.blocks[side]) {
		return nil
	}
	t, b := s.play.turns[i], s.blocks[side][i]
	if t.showJudged() {
		s.redraw(i) // both sides: they tell of the pair
		s.showVerdict()
	}
	tk := t.columns[side].shown()
	if tk == nil || segment < 0 || segment >= len(tk.reply.Segments) {
		return nil
	}
	s.closeCompare()
	if s.layout.mode == single && s.side != side {
		s.side = side
		s.stale(allParts)
	}
	if s.w > 0 && s.h > 0 {
		s.arrange() // the place is looked for at the size it will have
	}
	seg := tk.reply.Segments[segment]
	b.Rows(s.paneWidth(side)) // makes the parts of what is shown
	b.unfold(segment, true)
	b.touch()
	offset = max(min(offset, len(seg.Text)), 0)
	m := &marked{block: b, side: side, part: segment, from: letters(seg.Text[:offset]), until: s.o.Now().Add(markTime)}
	m.to = m.from + letters(seg.Text[offset:min(offset+max(size, 0), len(seg.Text))])
	s.mark = m
	s.panes[side].Upsert(b)
	s.panes[side].Reveal(b.ID(), m.line(s.paneWidth(side)))
	s.stale(sidePart(side) | cardsPart)
	return s.unmarkLater(m)
}

// unmarkLater takes a mark away when its time is over.
func (s *Stage) unmarkLater(m *marked) tea.Cmd {
	return s.later(markTime, unmarkMsg{s, m})
}

// unmark ends a mark, unless another has taken its place.
func (s *Stage) unmark(m *marked) {
	if s.mark == m && m != nil {
		s.mark = nil
		s.stale(sidePart(m.side))
	}
}

// showJudged turns both sides to the replies that the verdict shown is about, so
// that they stay a pair; it reports whether others were shown.
func (t *turn) showJudged() bool {
	seen, turned := t.asSeen(), false
	for side := range t.columns {
		c := &t.columns[side]
		if i := seen.judgedTake(arena.Side(side)); i >= 0 && i != c.at {
			c.at, turned = i, true
		}
	}
	return turned
}

// judgedTake is the index of the reply that the critic weighed: the one shown
// where the ruling does not say which, -1 before the first reply. The turn is as
// seen.
func (t *turn) judgedTake(side arena.Side) int {
	c := &t.columns[side]
	if t.ruling != nil {
		id := t.ruling.ReplyA
		if side == arena.B {
			id = t.ruling.ReplyB
		}
		for i, tk := range c.takes {
			if id != "" && tk.reply.ID == id {
				return i
			}
		}
	}
	if c.at >= len(c.takes) {
		return -1
	}
	return c.at
}

// line is the row of the mark's block on which the mark begins.
func (m *marked) line(width int) int {
	rows := m.block.Rows(width)
	seen, last := 0, 0
	for i, row := range rows {
		if i >= len(m.block.hits) || m.block.hits[i] != m.part {
			continue
		}
		last = i
		if seen += letters(ansi.Strip(row)); seen > m.from {
			return i
		}
	}
	return last
}

// lit returns a side's rows with the marked place standing out.
func (s *Stage) lit(side arena.Side, rows []string) []string {
	m := s.mark
	if m == nil || m.side != side {
		return rows
	}
	if s.o.Now().After(m.until) {
		s.mark = nil
		return rows
	}
	width := s.paneWidth(side)
	all := m.block.Rows(width)
	out := append([]string(nil), rows...)
	seen := 0
	for i, row := range all {
		if i >= len(m.block.hits) || m.block.hits[i] != m.part {
			continue
		}
		plain := ansi.Strip(row)
		n := letters(plain)
		if from, to := m.from-seen, m.to-seen; to > 0 && from < n {
			if y, ok := s.panes[side].LineOf(m.block.ID(), i); ok && y < len(out) {
				out[y] = light(s.look, row, plain, max(from, 0), min(to, n))
			}
		}
		seen += n
	}
	return out
}

// light paints letters from to to of a row as chosen; the rest keeps its colours.
func light(l *look.Look, row, plain string, from, to int) string {
	left, right, n := -1, 0, 0
	for i, r := range plain {
		if !letter(r) {
			continue
		}
		if n == from && left < 0 {
			left = i
		}
		if n++; n == to {
			right = i + len(string(r))
			break
		}
	}
	if left < 0 || right <= left {
		return row
	}
	x0, x1 := look.Width(plain[:left]), look.Width(plain[:right])
	return ansi.Cut(row, 0, x0) + l.Paint(look.Selected, plain[left:right]) + ansi.Cut(row, x1, max(look.Width(plain), x1))
}

// letters counts letters and digits: what neither wrapping nor Markdown changes.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if letter(r) {
			n++
		}
	}
	return n
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (s *Stage) paneWidth(side arena.Side) int {
	w, _ := s.panes[side].Size()
	return w
}
