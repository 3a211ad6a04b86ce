package stage

import (
	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// hints are the bindings that matter in this moment, the weightiest first.
func (s *Stage) hints() []keys.Binding {
	bound := func(names ...string) []keys.Binding {
		var out []keys.Binding
		for _, name := range names {
			out = append(out, s.bound(name))
		}
		return append(out, keys.Binding{Name: "app.help", Keys: []string{"?"}, Does: "help", Hint: "help"})
	}
	switch {
	case s.job != nil && s.focus == onComposer:
		return nil // the row above has them
	case s.selection.on:
		return append([]keys.Binding{s.bound("stage.copy"), s.bound("stage.back").Hinted("let go")}, bound()...)
	case s.hold.on && s.canHold() && (s.waiting() || s.focus == onA || s.focus == onB):
		return append([]keys.Binding{s.bound("stage.hold").Hinted("go on"), s.bound("stage.hold.step"), s.bound("stage.hold.easy")}, bound("stage.back", "stage.focus.next")...)
	case s.compare != nil && s.focus != onVerdict && s.focus != onComposer:
		return bound("stage.compare.close", "stage.compare.next", "stage.copy.menu", "stage.focus.next")
	case (s.focus == onA || s.focus == onB) && !s.newest():
		return append(s.asideHints(), bound("stage.fold.plan", "stage.fold.thoughts", "stage.search.empty", "stage.compare.side", "stage.copy", "stage.side.zoom", "stage.focus.next")...)
	case s.focus == onA || s.focus == onB:
		return bound("stage.fold.plan", "stage.fold.thoughts", "stage.search.empty", "stage.compare.side", "stage.copy", "stage.side.zoom", "stage.regenerate.side", "stage.focus.next")
	case s.focus == onVerdict:
		turn := s.bound("stage.verdict.older").Hinted("turn").As("[ ]")
		if older, newer := s.bound("stage.verdict.older"), s.bound("stage.verdict.newer"); older.Shown() != "[" || newer.Shown() != "]" {
			turn = turn.As(older.Shown() + " " + newer.Shown())
		}
		if !s.newest() { // the critic is asked again about the newest pair alone
			return append(append(s.cardHints(), turn), bound("stage.focus.next")...)
		}
		return append(append(s.cardHints(), turn), bound("stage.rejudge", "stage.focus.next")...)
	case s.play.last() != nil && s.play.last().live():
		return bound("stage.back", "stage.hold", "stage.focus.next")
	case !s.newest():
		return append(s.asideHints(), bound("stage.focus.next", "stage.board")...)
	case s.mayVote() && !s.comparable() && s.canDirect() && (s.play.last().broken(arena.A) || s.play.last().broken(arena.B)):
		return bound("stage.continue", "stage.regenerate.both", "stage.focus.next", "stage.board")
	case s.mayVote() && !s.comparable():
		return bound("stage.regenerate.both", "stage.focus.next", "stage.board")
	case s.mayVote():
		return bound("stage.vote.a", "stage.vote.b", "stage.vote.tie", "stage.vote.bad", "stage.focus.next")
	}
	if s.writer.hint != "" {
		return bound("stage.suggest", "stage.focus.next", "stage.board")
	}
	return bound("stage.focus.next", "stage.board")
}

// asideHints lead back to the newest replies, from a side or from the composer.
func (s *Stage) asideHints() []keys.Binding {
	onSide := s.focus != onComposer
	switch older := s.lookedAt() < len(s.play.turns)-1; {
	case older && onSide:
		return []keys.Binding{s.bound("stage.turn.last").Hinted("newest turn")}
	case older:
		return []keys.Binding{s.bound("stage.turns").Hinted("turns")}
	case onSide:
		return []keys.Binding{s.bound("stage.swipe.later").Hinted("newer reply")}
	}
	return nil
}

// comparable reports whether both latest replies can be compared; where they
// cannot, asking again is the next step.
func (s *Stage) comparable() bool {
	for i := range s.play.last().columns {
		if ok, _ := s.play.last().columns[i].latest().reply.Validity(); !ok {
			return false
		}
	}
	return true
}

// hintLine writes bindings as "key word", as many as fit.
func hintLine(l *look.Look, bindings []keys.Binding, room int) string {
	text, _ := hintSpots(l, bindings, room)
	return text
}

// hintSpots is hintLine, and where each hint stands in it.
func hintSpots(l *look.Look, bindings []keys.Binding, room int) (text string, spots []look.HintSpot) {
	used := 0
	for _, b := range bindings {
		if len(b.Keys) == 0 {
			continue
		}
		next := l.Paint(look.Key, b.ShownIn(l.ASCII)) + l.Paint(look.Dim, " "+b.Hint)
		if text != "" {
			next = "  " + next
		}
		size := look.Width(next)
		if used+size > room {
			break
		}
		spots = append(spots, look.HintSpot{Name: b.Name, From: used, To: used + size})
		text, used = text+next, used+size
	}
	return text, spots
}
