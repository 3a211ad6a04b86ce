package stage

import (
	tea "charm.land/bubbletea/v2"

	"herarena/arena"
)

// Branch asks for another duel that begins where From says: what lay before is
// its past, and this duel stays as it is. Whoever gets it starts the duel and
// puts its stage in the place of this one.
type Branch struct {
	Stage *Stage // who asks
	From  arena.Origin
	// Past is the history up to there; nil where it is to be taken from the
	// ledger.
	Past []arena.PastTurn
	// Line is put into the composer, and with Say played at once.
	Line string
	Say  bool
	// Note is the director's note that goes with Line.
	Note string
	// Contestants and Critic, by its name on boards, are set where they change.
	Contestants *[2]arena.Contestant
	Critic      *string
}

// branch sends a branch on its way. While a reply is being written there is
// none: it would be lost.
func (s *Stage) branch(b Branch) tea.Cmd {
	d, ok := s.directed()
	if !ok {
		return nil
	}
	if s.replying() {
		return s.wait()
	}
	b.Stage = s
	if b.Past == nil && b.From.DuelID == d.ID() {
		b.Past = d.History(b.From.Turn)
	}
	return func() tea.Msg { return b }
}

// replying reports whether a reply of the last turn is being written.
func (s *Stage) replying() bool {
	t := s.play.last()
	return t != nil && t.live()
}

// wait says why there is no branch yet.
func (s *Stage) wait() tea.Cmd {
	return notice("a reply is still being written: wait for it, or stop it with esc", false)
}

// branchHere opens a branch after the turn that is looked at.
func (s *Stage) branchHere() tea.Cmd {
	d, ok := s.directed()
	t := s.looked()
	if !ok || t == nil {
		return notice("there is no turn to branch from yet", false)
	}
	return s.branch(Branch{From: arena.Origin{DuelID: d.ID(), Turn: t.number}})
}

// end is where a branch begins that goes on from everything so far.
func (s *Stage) end(d Directed) arena.Origin {
	return arena.Origin{DuelID: d.ID(), Turn: len(d.Past()) + len(s.play.turns)}
}

// Resample takes over the sampling that was changed in play on the stage a branch
// came from, for those contestants who still play. Call it before Init.
func (s *Stage) Resample(from *Stage) {
	old, ok := from.directed()
	d, is := s.directed()
	if !ok || !is {
		return
	}
	for i := range from.changed {
		if !from.changed[i] {
			continue
		}
		for j := range s.o.Contestants { // a branch may have seated them otherwise
			if s.o.Contestants[j].Name == from.o.Contestants[i].Name && !s.changed[j] {
				d.SetSampling(j, copied(old.SamplingOf(i)))
				s.changed[j] = true
				break
			}
		}
	}
	s.stale(allParts)
}
