package plain

import (
	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
)

// rememberer is a duel that knows what lies before its first turn.
type rememberer interface{ Past() []arena.PastTurn }

// recalled is how many turns of the past are read out as a duel begins.
const recalled = 2

// past are the turns before the duel's first.
func (s *session) past() []arena.PastTurn {
	if d, ok := s.duel.(rememberer); ok {
		return d.Past()
	}
	return nil
}

// lookBack says that there is a past, and how it ended.
func (s *session) lookBack() {
	past := s.past()
	if len(past) == 0 {
		return
	}
	s.out.linef("The duel goes on from %s of before, which both sides remember and nobody judges; /history reads all out. It ended so:", count(len(past), "turn"))
	from := max(0, len(past)-recalled)
	for i := range past[from:] {
		s.recall(from+i+1, &past[from+i])
	}
}

// recall reads a turn of the past out as both sides have it.
func (s *session) recall(number int, t *arena.PastTurn) {
	name := s.speaker(t.Speaker)
	if t.Scenery != "" {
		s.out.linef("Before, turn %d. %s: %s", number, characters.EnvironmentName, one(t.Scenery))
	}
	if t.Note != "" {
		s.out.linef("Before, turn %d. Director: %s", number, one(t.Note))
	}
	if t.Line != "" {
		s.out.linef("Before, turn %d. Said: %s", number, one(t.Line))
	}
	for _, seg := range t.Reply {
		if seg.Layer == layers.Act || seg.Layer == layers.Speech {
			s.out.linef("Before, turn %d. %s %s: %s", number, name, verb(seg.Layer), one(seg.Text))
		}
	}
}
