package stage

import (
	"fmt"

	"herarena/arena"
)

// A duel votes, judges and asks again on its newest turn, and there on the newest
// pair of replies. While something older is looked at the stage sends none of it:
// it would change what is out of sight.

// lookedAt is the index of the turn that is looked at: an older one where the
// comparison or the verdict is about it; -1 before the first.
func (s *Stage) lookedAt() int {
	if s.compare != nil && s.compare.turn < len(s.play.turns)-1 {
		return s.compare.turn
	}
	return s.judged
}

// newest reports whether the newest pair of replies is looked at, or nothing is
// there yet.
func (s *Stage) newest() bool {
	t := s.play.last()
	return t == nil || s.lookedAt() == len(s.play.turns)-1 && t.latest()
}

// aside says what is looked at instead of the newest pair of replies, what a key
// is about (such as "the vote goes to"), and the way there. "" where the newest
// pair is looked at.
func (s *Stage) aside(about string) string {
	if s.newest() {
		return ""
	}
	t, at := s.play.last(), s.lookedAt()
	if at >= 0 && at < len(s.play.turns)-1 {
		return fmt.Sprintf("you are looking at turn %d; %s turn %d: %s", s.play.turns[at].number, about, t.number, s.wayToTurn(len(s.play.turns)-1-at))
	}
	var shown, newest [2]string
	for side := range t.columns {
		c := &t.columns[side]
		name := arena.Side(side).String() + " "
		shown[side] = name + counter(s.look, c.at, len(c.takes))
		newest[side] = name + counter(s.look, len(c.takes)-1, len(c.takes))
	}
	return fmt.Sprintf("you are looking at %s and %s; %s %s and %s: %s", shown[0], shown[1], about, newest[0], newest[1], s.wayToPair(t))
}

// wayToTurn says which key goes to the newest turn, which lies some turns ahead.
func (s *Stage) wayToTurn(ahead int) string {
	onSide := s.focus == onA || s.focus == onB
	switch {
	case s.compare != nil:
		return s.way("stage.compare.next", " in the comparison", onSide, ahead)
	case s.focus == onVerdict:
		return s.way("stage.verdict.newer", "", true, ahead)
	case ahead > 1:
		return s.way("stage.turn.last", " on a side", onSide, 1)
	}
	return s.way("stage.turn.next", " on a side", onSide, 1)
}

// wayToPair says which key goes to the newest replies of a turn: on the side in
// focus where that shows an older one.
func (s *Stage) wayToPair(t *turn) string {
	side := s.sideAt()
	if c := &t.columns[side]; c.at >= len(c.takes)-1 {
		side = side.Other()
	}
	c := &t.columns[side]
	here := s.compare == nil && s.focus == onA+focus(side)
	return s.way("stage.swipe.later", " on side "+side.String(), here, len(c.takes)-1-c.at)
}

// way says that a key leads to what is some steps ahead; place is where the key
// holds, left out where that is here.
func (s *Stage) way(command, place string, here bool, ahead int) string {
	b := s.bound(command)
	key := b.ShownIn(s.look.ASCII)
	if len(b.Keys) == 0 {
		key, here = fmt.Sprintf("the command %q", b.Does), true // from the palette it holds anywhere
	}
	if here {
		place = ""
	}
	if ahead > 1 {
		return key + place + " goes on to it"
	}
	return key + place + " goes there"
}
