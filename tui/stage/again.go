package stage

import tea "charm.land/bubbletea/v2"

// JudgeAgain asks for a turn of this duel to be judged again on a screen of its
// own: by another critic, in other orders, with changed candidates.
type JudgeAgain struct {
	DuelID string
	Turn   int
}

// judgeAgain asks for the turn looked at.
func (s *Stage) judgeAgain() tea.Cmd {
	d, ok := s.o.Duel.(interface{ ID() string })
	t := s.looked()
	if !ok || t == nil {
		return nil
	}
	return func() tea.Msg { return JudgeAgain{DuelID: d.ID(), Turn: t.number} }
}
