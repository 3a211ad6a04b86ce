package stage

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// Reading speed, at which text that was held goes on: 300 words a minute, as a
// practised reader takes English prose (Brysbaert 2019 gives 238 to 260 for most).
const (
	easyStep  = 200 * time.Millisecond
	easyWords = 1 // words in each step
)

// hold keeps the text on the screen where it is while everything goes on
// arriving behind it. It stays on from turn to turn until it is let go.
type hold struct {
	on      bool
	easy    bool // text is let through at reading speed
	ticking bool
	held    held
}

// easyMsg lets more of the held text through.
type easyMsg struct{ stage *Stage }

// holding is the set of commands of the pause.
func holding() keys.Set[*Stage] {
	return keys.Set[*Stage]{Title: "Pause of the text", Scope: anywhere, Text: true, Commands: []command{
		act("stage.hold", "hold the text of replies and verdict where it is; again: go on, with all of it at once", (*Stage).toggleHold, "alt+p").If((*Stage).canHold).Hinted("pause"),
		act("stage.hold.step", "a sentence more of what is held, or a plan, or a card", (*Stage).stepHold, "alt+m").If((*Stage).holds).Hinted("a sentence"),
		act("stage.hold.easy", "go on at reading speed", (*Stage).easeHold, "alt+l").If((*Stage).holds).Hinted("reading speed"),
	}}
}

// canHold reports whether the text can be held; a recording has a pause of its
// own.
func (s *Stage) canHold() bool { return !s.watched }

func (s *Stage) holds() bool { return s.hold.on }

// hear takes an event that has arrived, or keeps it back.
func (s *Stage) hear(ev arena.Event, now time.Time) []tea.Cmd {
	h := &s.hold
	if !h.on || !h.held.keep(ev, s.inFull) {
		return s.take(s.play.apply(ev, now))
	}
	if side, ok := sideOf(ev); ok {
		s.stale(sidePart(side))
	}
	s.stale(barPart)
	return nil
}

// inFull reports whether the text of a reply that has ended is on the screen.
func (s *Stage) inFull(e arena.ReplyEnded) bool {
	t, _ := s.play.find(e.Turn)
	if t == nil || e.Side != arena.A && e.Side != arena.B {
		return true
	}
	k := t.columns[e.Side].swipe(e.Reply.Swipe)
	return k == nil || len(k.reply.Segments) > 0
}

// toggleHold holds the text, or lets all of it go on.
func (s *Stage) toggleHold() tea.Cmd {
	if s.hold.on && !s.hold.easy {
		return s.letGo()
	}
	armed := !s.hold.on && !s.waiting()
	s.hold.on, s.hold.easy = true, false
	s.stale(allParts)
	if armed {
		return notice("the text will be held as it comes: "+s.bound("stage.hold.step").Shown()+" lets a sentence through, "+s.bound("stage.hold").Shown()+" all of it", false)
	}
	return nil
}

// letGo ends the pause: what waits is shown at once.
func (s *Stage) letGo() tea.Cmd {
	s.hold.on, s.hold.easy = false, false
	return s.catchUp()
}

// catchUp shows all that waits. The pause stays on for what is still to come.
func (s *Stage) catchUp() tea.Cmd {
	s.stale(allParts)
	return s.apply(s.hold.held.all())
}

// apply carries events that were kept back over to the screen.
func (s *Stage) apply(events []arena.Event) tea.Cmd {
	var cmds []tea.Cmd
	now := s.o.Now()
	for _, ev := range events {
		cmds = append(cmds, s.take(s.play.apply(ev, now))...)
	}
	return tea.Batch(append(cmds, s.tick())...)
}

// stepHold lets a piece through: of the side in focus, else of both.
func (s *Stage) stepHold() tea.Cmd {
	s.hold.easy = false
	sides := [2]bool{true, true}
	if s.focus == onA || s.focus == onB {
		sides = [2]bool{s.focus == onA, s.focus == onB}
	}
	s.stale(allParts)
	return s.apply(s.hold.held.step(sides))
}

// easeHold lets the text go on at reading speed.
func (s *Stage) easeHold() tea.Cmd {
	s.hold.easy = true
	s.stale(allParts)
	return s.easyTick()
}

func (s *Stage) easyTick() tea.Cmd {
	if s.hold.ticking || !s.hold.easy {
		return nil
	}
	s.hold.ticking = true
	return s.later(easyStep, easyMsg{s})
}

// easier lets a few words of each side through, the verdict once nothing else
// waits. When all has been read and nothing more is written the pause is over.
func (s *Stage) easier() tea.Cmd {
	h := &s.hold
	h.ticking = false
	if !h.easy {
		return nil
	}
	var out []arena.Event
	for _, side := range []arena.Side{arena.A, arena.B} {
		out = append(out, h.held.letWords(side, easyWords)...)
	}
	if len(out) == 0 && len(h.held.queue) > 0 {
		out = h.held.step([2]bool{})
	}
	cmd := s.apply(out)
	if len(h.held.queue) == 0 && !s.waiting() {
		return tea.Batch(cmd, s.letGo())
	}
	return tea.Batch(cmd, s.easyTick())
}

// whole makes a command that is about replies or verdicts wait for nothing: what
// is held is shown first, so that nobody votes on text that was never seen, or
// asks again for a reply that is complete.
func whole(c command) command {
	do := c.Do
	c.Do = func(s *Stage) tea.Cmd {
		if len(s.hold.held.queue) == 0 {
			return do(s)
		}
		return tea.Batch(s.catchUp(), do(s))
	}
	return c
}

// heldStatus is what a side's border says while its text is held; "" while it is
// not, or has nothing that could be held; in few cells it is shorter.
func (s *Stage) heldStatus(side arena.Side, room int) string {
	h := &s.hold
	n := h.held.waits(side)
	k := s.play.last()
	switch {
	case !h.on, n == 0 && (k == nil || k.columns[side].latest() == nil || !k.columns[side].latest().live):
		return ""
	case n == 0:
		return s.look.Paint(look.Warn, s.holdWord())
	}
	text := s.look.Paint(look.Warn, s.holdWord()) + s.look.Paint(look.Dim, fmt.Sprintf(" %s %s", s.look.Glyphs.Dot, counted(n)))
	if more := s.look.Paint(look.Dim, " waiting"); look.Width(text)+look.Width(more) <= room {
		text += more
	}
	return text
}

func (s *Stage) holdWord() string {
	if s.hold.easy {
		return "at reading speed"
	}
	return "paused"
}

// heldVerdict is what the bar says while the verdict is held, "" while it is not.
func (s *Stage) heldVerdict() string {
	h := &s.hold
	if !h.on {
		return ""
	}
	switch n := h.held.cards(); {
	case n == 0 && (s.play.last() == nil || !s.play.last().judging):
		return ""
	case n == 0:
		return s.holdWord()
	case n == 1:
		return s.holdWord() + " " + s.look.Glyphs.Dot + " 1 step waiting"
	default:
		return fmt.Sprintf("%s %s %d steps waiting", s.holdWord(), s.look.Glyphs.Dot, n)
	}
}
