package stage

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/look"
)

// readAt is the index of the turn that is read: where the side at hand stands
// back from its end the one at its top, before 0 one of the past or the opening;
// else the one whose verdict is shown.
func (s *Stage) readAt() int {
	if s.compare != nil {
		return s.compare.turn
	}
	side := s.sideAt()
	if p := s.panes[side]; !p.Following() {
		if id, row, ok := p.BlockAt(0); ok {
			if turn, ok := s.turnOf(side, id); ok {
				// A turn of which the last rows alone are left is past.
				if turn+1 < len(s.blocks[side]) && len(s.block(side, turn).rowsBy())-row <= 2 {
					turn++
				}
				return turn
			}
		}
	}
	if s.back < 0 { // at the end, and it is seen from there
		if _, seen := s.panes[side].LineOf(s.block(side, s.back).ID(), 0); seen {
			return s.back
		}
		s.back = 0
	}
	return min(s.judged, len(s.play.turns)-1)
}

// readTurn is the turn that is read, the first at the opening; nil before there
// is one.
func (s *Stage) readTurn() *turn {
	i := max(s.readAt(), -s.pastTurns())
	switch {
	case i < 0:
		return s.past[arena.A][i+s.pastTurns()].turn
	case i < len(s.play.turns):
		return s.play.turns[i]
	}
	return nil
}

// jump goes to the turn after the one that is read, or before it. Back from the
// middle of a turn it goes to its beginning.
func (s *Stage) jump(by int) {
	at := s.readAt()
	if side := s.sideAt(); s.compare == nil && by < 0 && at > s.beginning() && !s.panes[side].Following() {
		if id, row, ok := s.panes[side].BlockAt(0); ok && row > 1 && id == s.block(side, at).ID() {
			at++
		}
	}
	s.jumpTo(at + by)
}

// jumpTo goes to a turn on both sides, its verdict with it; before the first it
// goes to the beginning, behind the last to the end. Turns of the past come
// before 0; nothing in them was judged here, so the verdict stays.
func (s *Stage) jumpTo(i int) {
	n := len(s.play.turns)
	if n+s.pastTurns() == 0 {
		return
	}
	i = max(min(i, n-1), -s.pastTurns())
	if s.compare != nil {
		i = max(i, 0)
		s.compareTurn(i)
	}
	if s.back = min(i, 0); i >= 0 {
		s.judged = i
		s.cards.Reset()
		s.showVerdict()
	}
	for side, p := range s.panes {
		p.Show(s.block(arena.Side(side), i).ID())
	}
	s.stale(allParts)
}

// openTurns opens the list of turns.
func (s *Stage) openTurns() tea.Cmd {
	before := s.pastTurns()
	if len(s.play.turns)+before == 0 {
		return notice("no turns yet: write a line first", false)
	}
	m := &menu{title: fmt.Sprintf("Turns (%d)", before+len(s.play.turns)), foot: "enter goes there   esc shuts", filter: true}
	listed := make([]*turn, 0, before+len(s.play.turns))
	for _, b := range s.past[arena.A] {
		listed = append(listed, b.turn)
	}
	for i, t := range append(listed, s.play.turns...) {
		m.items = append(m.items, menuItem{
			key: fmt.Sprint(t.number), text: t.headline(), possible: true,
			note: func() string { return s.turnNote(t) },
			do: func() tea.Cmd {
				s.jumpTo(i - before)
				return nil
			},
		})
	}
	cmd := s.open(m)
	m.choose(max(s.readAt()+before, 0))
	return cmd
}

// headline is a turn in a row: the line, or who went on without one.
func (t *turn) headline() string {
	if strings.TrimSpace(t.line) == "" && t.speaker != "" {
		return sentence(t.speaker) + " goes on"
	}
	return sentence(t.line)
}

// turnNote is what came of a turn, in a word or two.
func (s *Stage) turnNote(t *turn) string {
	l := s.look
	side := func(c arena.Choice) string {
		switch c {
		case arena.ChoseA:
			return l.Paint(look.SideA, "A")
		case arena.ChoseB:
			return l.Paint(look.SideB, "B")
		case arena.BothBad:
			return "both bad"
		}
		return "tie"
	}
	note := ""
	switch r := t.ruling; {
	case t.before != nil:
		return l.Paint(look.Dim, "history")
	case t.live():
		return l.Paint(look.Dim, "being written")
	case t.judging:
		note = l.Paint(look.Dim, "judging")
	case r == nil && t.skipped != "":
		note = l.Paint(look.Warn, "not judged")
	case r == nil:
	case r.Agreement == arena.Flip:
		note = l.Paint(look.Warn, l.Glyphs.Flip+" flip")
	case r.Winner == arena.NoChoice:
		note = l.Paint(look.Dim, "no verdict")
	default:
		note = l.Paint(look.Dim, "critic ") + side(r.Winner)
	}
	if t.vote != nil {
		note += l.Paint(look.Dim, "  you ") + side(t.vote.Choice)
	}
	return note
}

// unread marks how far a side had been written when its end was last seen.
type unread struct {
	turns, takes, segments, size int
}

func (s *Stage) written(side arena.Side) unread {
	u := unread{turns: len(s.play.turns)}
	if t := s.play.last(); t != nil {
		c := &t.columns[side]
		u.takes = len(c.takes)
		if last := c.latest(); last != nil {
			u.segments = len(last.reply.Segments)
			for _, seg := range last.reply.Segments {
				u.size += len(seg.Text)
			}
		}
	}
	return u
}

// below is the mark of a side that is read back: how many rows lie below, and
// whether any of it is new. "" at the end.
func (s *Stage) below(side arena.Side) string {
	n := s.panes[side].NewBelow()
	if n == 0 {
		s.read[side] = s.written(side)
		return ""
	}
	text := fmt.Sprintf(" %s %d ", s.look.Glyphs.Down, n)
	if s.read[side] != s.written(side) {
		text = fmt.Sprintf(" %s %d, new ", s.look.Glyphs.Down, n)
	}
	return s.look.Paint(look.Badge, text)
}
