package stage

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// press takes a key: what the focus means by it first, then what holds anywhere
// on stage; what is left is text.
func (s *Stage) press(k tea.KeyPressMsg) tea.Cmd {
	if keys.Name(k) == "alt+esc" {
		return s.twice()
	}
	switch {
	case s.sheet != nil:
		return s.pressSheet(k)
	case s.menu != nil:
		return s.onMenu(k)
	case s.search != nil && s.search.writing:
		return s.onSearch(k)
	}
	if !s.bound("stage.back").Is(k) {
		s.leaving = false
	}
	if !s.bound("stage.reveal").Is(k) {
		s.unveiling = false
	}
	if s.focus == onComposer {
		s.stale(composerPart)
	}
	early := s.tooEarly(k)
	if cmd, taken := s.keys.Press(s, k, s.scopes()...); taken {
		return cmd
	}
	if s.focus != onComposer || s.scripted() {
		return nil
	}
	cmd := s.writer.update(k)
	if early != "" {
		// The digit may begin a line, so it is written; but whoever meant a
		// vote must learn why none was cast.
		return tea.Batch(cmd, notice(early, false))
	}
	return cmd
}

// twice takes two presses of esc that came as one: terminals send esc as one byte,
// and two in one read are read as alt and esc. Where something is stopped by the
// first the second is let be: it was hit twice to be sure.
func (s *Stage) twice() tea.Cmd {
	esc := tea.KeyPressMsg{Code: tea.KeyEscape}
	if s.Running() || s.ghost != nil || s.play.playing() {
		return s.press(esc)
	}
	return tea.Batch(s.press(esc), s.press(esc))
}

// tooEarly says what to press instead of the key of a vote while a reply is
// still being written, "" for any other key.
func (s *Stage) tooEarly(k tea.KeyPressMsg) string {
	t := s.play.last()
	if s.focus != onComposer || s.writer.area.Value() != "" || t == nil || !t.live() {
		return ""
	}
	for _, c := range []string{"a", "b", "tie", "bad"} {
		if now := s.bound("stage.vote.now." + c); s.bound("stage.vote."+c).Is(k) && len(now.Keys) > 0 {
			return "a reply is still being written: " + now.Shown() + " votes at once"
		}
	}
	return ""
}

// sideAt is the side that keys are about: the one in focus, else the one shown.
func (s *Stage) sideAt() arena.Side {
	switch s.focus {
	case onA:
		return arena.A
	case onB:
		return arena.B
	}
	return s.side
}

// turnSide shows the other side where one is shown alone.
func (s *Stage) turnSide() {
	s.side = s.side.Other()
	if s.focus == onA || s.focus == onB {
		s.focus = onA + focus(s.side)
	}
	s.stale(allParts)
}

// setFocus moves the keys to another part. Where one side is alone it is the one
// in focus that is shown.
func (s *Stage) setFocus(f focus) {
	if f == s.focus {
		return
	}
	s.focus = f
	switch f {
	case onA:
		s.side = arena.A
	case onB:
		s.side = arena.B
	}
	s.stale(allParts)
}

func (s *Stage) toggleZoom() {
	s.zoom = !s.zoom
	s.stale(allParts)
}

// page scrolls the part in focus; from the composer whatever side is shown.
func (s *Stage) page(direction int) {
	if s.focus == onVerdict {
		s.pressCards(map[bool]string{true: "pgup", false: "pgdown"}[direction < 0])
		return
	}
	if s.compare != nil {
		s.scrollCompare(direction * max(s.layout.sides[arena.A].h-3, 1))
		return
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		if s.focus == onA+focus(side.Other()) || s.layout.sides[side].h == 0 {
			continue
		}
		if direction < 0 {
			s.panes[side].PageUp()
		} else {
			s.panes[side].PageDown()
		}
		s.stale(sidePart(side))
		if s.linked() {
			s.goAlong(side)
			return
		}
	}
}

// escape stops what the focus is about; with nothing to stop it goes back step
// by step, and leaves the scene when pressed twice.
func (s *Stage) escape() tea.Cmd {
	last := s.play.last()
	switch {
	case s.selection.on:
		s.dropSelection()
		return nil
	case s.search != nil:
		s.endSearch(false)
		return nil
	case s.compare != nil && s.focus != onVerdict:
		s.closeCompare()
		return nil
	}
	if s.focus == onA || s.focus == onB {
		side := arena.Side(s.focus - onA)
		if last != nil {
			if t := last.columns[side].latest(); t != nil && t.live {
				return tea.Batch(s.letGo(), s.call("", func(context.Context) error { s.o.Duel.CancelSide(side); return nil }))
			}
		}
		s.setFocus(onComposer)
		return nil
	}
	switch {
	case s.focus == onVerdict && s.verdict.panel != cardsPanel:
		return s.show(cardsPanel)
	case s.focus == onVerdict:
		s.setFocus(onComposer)
	case s.ghost != nil:
		s.stopGhost()
	case s.play.playing():
		return s.stopAuto()
	case s.job != nil:
		s.endJob()
	case s.waiting(), s.play.next.choosing:
		return s.Stop()
	case s.zoom:
		s.toggleZoom()
	case !s.leaving && (last != nil || !s.writer.empty()):
		s.leaving = true
		return notice("esc again leaves the scene; it is kept in the ledger", false)
	default:
		return func() tea.Msg { return Leave{} }
	}
	return nil
}

func (s *Stage) newline() {
	before := s.writer.area.Value()
	s.writer.area.InsertRune('\n')
	s.writer.edits.note(before, s.writer.area.Value(), tea.KeyPressMsg{})
}

func (s *Stage) hasHint() bool {
	return s.writer.area.Value() == "" && s.writer.hint != "" && s.job == nil || len(s.completions()) > 0
}

func (s *Stage) takeHint() {
	if s.writer.area.Value() != "" {
		s.complete()
		return
	}
	s.writer.change(s.writer.hint)
}

func (s *Stage) browse(by int) { s.writer.browse(by) }

// digitVotes reports whether a key of text is a vote now.
func (s *Stage) digitVotes() bool {
	return s.writer.area.Value() == "" && s.job == nil && s.mayVote()
}

// send plays the line that was written.
func (s *Stage) send() tea.Cmd {
	switch {
	case s.scripted():
		return nil
	case s.job != nil:
		return s.finishJob()
	case s.writer.empty() && s.mayGoOn():
		return s.sceneOn()
	case s.writer.empty():
		return nil
	}
	if t := s.play.last(); t != nil && t.live() {
		return notice("a reply is still being written: esc stops it", false)
	}
	line := s.writer.take()
	if d, ok := s.ensemble(); ok {
		if name, rest, to := s.addressee(line); to && rest != "" {
			return s.sayTo(d, rest, name)
		}
	}
	if n := len(s.play.turns); n > 0 {
		s.turnTo(n - 1 - s.judged) // the line goes on from there, and ends looking back
	}
	for _, p := range s.panes {
		p.Bottom()
	}
	s.stale(allParts)
	return s.call(line, func(ctx context.Context) error { return s.o.Duel.Say(ctx, line) })
}

// mayVote reports whether a digit alone is a vote.
func (s *Stage) mayVote() bool {
	t := s.play.last()
	return t != nil && t.settled()
}

// vote casts a vote on the newest pair of replies, if that is looked at.
func (s *Stage) vote(c arena.Choice) tea.Cmd {
	if s.play.last() == nil {
		return notice("nothing to vote on yet: write a line first", false)
	}
	if why := s.aside("the vote goes to"); why != "" {
		return notice(why, false)
	}
	return s.call("", func(ctx context.Context) error { return s.o.Duel.Vote(ctx, c) })
}

// again asks for another reply of some sides.
func (s *Stage) again(sides ...arena.Side) tea.Cmd {
	if s.play.last() == nil {
		return notice("nothing to ask again yet: write a line first", false)
	}
	if why := s.aside("another reply is written for"); why != "" {
		return notice(why, false)
	}
	if len(sides) == 2 {
		sides = nil // both, which the duel takes as one
	}
	return s.call("", func(ctx context.Context) error { return s.o.Duel.Regenerate(ctx, sides...) })
}

// nextCanon goes through the policies that may change within a duel.
func (s *Stage) nextCanon() tea.Cmd {
	order := []arena.CanonPolicy{arena.CanonVote, arena.CanonCritic, arena.CanonA, arena.CanonB}
	next := order[0]
	for i, p := range order {
		if p == s.o.Canon {
			next = order[(i+1)%len(order)]
		}
	}
	if s.o.Canon == arena.CanonParallel {
		return notice("in this duel each side keeps its own history; start another for a shared one", false)
	}
	s.o.Canon = next
	s.stale(headerPart)
	return s.call("", func(context.Context) error { s.o.Duel.SetCanon(next); return nil })
}

// turnTo shows the verdict of an earlier or a later turn.
func (s *Stage) turnTo(by int) {
	s.back = 0
	if next := s.judged + by; by != 0 && next >= 0 && next < len(s.play.turns) {
		s.judged = next
		s.cards.Reset()
		s.showVerdict()
		s.stale(aPart | bPart) // their borders are about the turn looked at
	}
}

// click takes the mouse: it moves the focus, folds layers and opens cards.
func (s *Stage) click(m tea.MouseClickMsg) tea.Cmd {
	if s.menu != nil {
		return s.clickMenu(m)
	}
	if m.Button != tea.MouseLeft {
		return nil
	}
	l := &s.layout
	switch {
	case m.Y == l.bar:
		s.setFocus(onVerdict)
	case l.cards.holds(m.X, m.Y):
		s.setFocus(onVerdict)
		return s.clickVerdict(m.X-l.cards.x, m.Y-l.cards.y)
	case l.composer.holds(m.X, m.Y):
		if name := s.hintUnder(m.X, m.Y); name != "" {
			return func() tea.Msg { return keys.Run{Name: name} }
		}
		s.setFocus(onComposer)
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		if !l.sides[side].holds(m.X, m.Y) {
			continue
		}
		s.setFocus(onA + focus(side))
		if x, y := l.origin(side); m.Y >= y {
			s.clickSide(side, m.X-x, m.Y-y)
		} else if s.compare == nil && !s.panes[side].Following() && m.X > l.sides[side].x+l.sides[side].w/2 {
			s.toEnd(side) // on the mark that says how much lies below
		} else if l.mode == single {
			s.setFocus(onA + focus(side.Other())) // the border names both: it is the switch
		}
		return nil
	}
	return nil
}

// hintUnder names the command of the hint at a cell, "" for none. Hints stand in
// the last row, while nothing is written there.
func (s *Stage) hintUnder(x, y int) string {
	if c := s.layout.composer; y != c.y+c.h-1 || s.writer.area.Value() != "" || s.scripted() || s.job != nil {
		return ""
	}
	return look.HintAt(s.hinted, x)
}

// clickSide folds what a heading stands for; on text it begins a selection.
func (s *Stage) clickSide(side arena.Side, x, y int) {
	if s.compare != nil {
		s.grab(s.compare.sideAt(x, y), x, y)
		return
	}
	if id, row, ok := s.panes[side].BlockAt(y); ok {
		if i, ok := s.turnOf(side, id); ok && s.clickBlock(side, i, row, x) {
			s.dropSelection()
			s.stale(sidePart(side))
			return
		}
	}
	s.grab(side, x, y)
}

// clickBlock folds what stands in a row of a turn, and reports whether there was
// something to fold.
func (s *Stage) clickBlock(side arena.Side, turn, row, x int) bool {
	b, ok := s.block(side, turn).(interface{ click(row, x int) bool })
	return ok && b.click(row, x)
}

const wheelRows = 3

func (s *Stage) wheel(m tea.MouseWheelMsg) {
	by := wheelRows
	switch m.Button {
	case tea.MouseWheelUp:
		by = -wheelRows
	case tea.MouseWheelDown:
	default:
		return
	}
	if s.layout.cards.holds(m.X, m.Y) {
		s.scrollVerdict(by)
		return
	}
	for side := range s.panes {
		if s.layout.sides[side].holds(m.X, m.Y) && !s.scrollCompare(by) {
			s.scroll(arena.Side(side), by)
		}
	}
}
