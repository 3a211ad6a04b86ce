package stage

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// unveil shows who is who in a blind duel, when asked twice.
func (s *Stage) unveil() tea.Cmd {
	d, ok := s.directed()
	switch {
	case !ok:
		return nil
	case !s.o.Blind:
		return notice("this duel is not blind: the names stand over both sides", false)
	case s.bill.revealed:
		return notice("the names are shown already", false)
	case !s.unveiling:
		s.unveiling = true
		return notice(s.bound("stage.reveal").Shown()+" again shows who is who; votes after that are kept and do not count", false)
	}
	s.unveiling = false
	return s.call("", func(context.Context) error { d.Reveal(); return nil })
}

// showNames shows the names everywhere they were hidden.
func (s *Stage) showNames() {
	s.bill.revealed = true
	for side := range s.blocks {
		for _, b := range s.blocks[side] {
			b.touch()
		}
		for _, b := range s.past[side] {
			b.hush(false)
			s.panes[side].Upsert(b)
		}
		for _, b := range s.blocks[side] {
			s.panes[side].Upsert(b)
		}
	}
	s.stale(allParts)
}

func (s *Stage) stopAuto() tea.Cmd {
	return onAuto(func(_ *Stage, d Directed) { d.StopAuto() })(s)
}
