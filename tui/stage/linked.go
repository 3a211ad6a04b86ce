package stage

import (
	tea "charm.land/bubbletea/v2"

	"herarena/arena"
)

// Both sides tell the same turns in as many rows as each needs. Scrolled together
// they stay at the same turn, not at the same row: what is compared stands side
// by side. While a reply is written each scrolls alone, so that one can be read
// back while the other is followed.

// linked reports whether a side goes along with the other now.
func (s *Stage) linked() bool { return !s.o.Reading.Apart && !s.replying() && s.compare == nil }

// toggleLinked scrolls both sides together from now on, or each alone.
func (s *Stage) toggleLinked() tea.Cmd {
	s.o.Reading.Apart = !s.o.Reading.Apart
	text := "both sides scroll together"
	if s.o.Reading.Apart {
		text = "each side scrolls alone"
	} else {
		s.goAlong(s.sideAt())
	}
	return tea.Batch(s.remember(), notice(text, false))
}

// scroll moves a side by rows, and the other with it.
func (s *Stage) scroll(side arena.Side, by int) {
	s.panes[side].ScrollBy(by)
	s.stale(sidePart(side))
	s.goAlong(side)
}

// goAlong brings the other side to the turn at the top of this one, as far into it
// as it has rows.
func (s *Stage) goAlong(side arena.Side) {
	if !s.linked() {
		return
	}
	from, to := s.panes[side], s.panes[side.Other()]
	s.stale(sidePart(side.Other()))
	id, row, ok := from.BlockAt(0)
	switch {
	case from.Following():
		to.Bottom()
	case ok:
		to.ShowLine(id, row)
	}
}

// toEnd goes to the end of a side, and to the newest turn with its newest replies
// and its verdict: votes and what else is about them hold again.
func (s *Stage) toEnd(side arena.Side) {
	s.panes[side].Bottom()
	if !s.o.Reading.Apart { // they went back together, or may have
		s.panes[side.Other()].Bottom()
		s.stale(sidePart(side.Other()))
	}
	if n := len(s.play.turns); n > 0 {
		s.turnTo(n - 1 - s.judged)
	}
	s.stale(sidePart(side))
}
