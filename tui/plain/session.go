package plain

import (
	"context"
	"fmt"
	"os"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
	"herarena/tui/casting"
)

// session is a run: the one owner of all that is known and of the output.
type session struct {
	o     Options
	ctx   context.Context
	out   *voice
	lines chan entry

	duel    Duel
	played  casting.Cast
	bill    billing
	book    book
	opening []layers.Segment // the opening, as it was read out

	floor   []*reading // replies being read out; the first has the floor
	hearing *hearing   // the verdict being read out
	stream  bool       // replies are read out word by word
	owed    map[string]bool
	wanted  []string // sources whose standing is still to be read out
	asking  bool     // one of them is being fetched
	boards  chan standing
	queue   []string // lines that wait for the turn to end
	told    map[int]bool

	rest       string // of the command being carried out, as typed
	announced  int    // number of the last turn that has been announced
	noted      string // a note that was given in a branch, and told already
	draft      string // a line that a model wrote for the person
	ghost      context.CancelFunc
	auto       arena.AutoChanged // who plays the person
	resampled  [2]bool           // contestants whose sampling was changed
	errands    int               // what is being fetched or judged beside the play
	stopErrand context.CancelFunc
	later      chan func() // what is to be done once an errand is over

	ended   bool // no more input
	leaving bool
	armed   bool      // ctrl+c was the last thing heard
	asked   bool      // the person has been told that it is their turn
	stillAt time.Time // since when a duel that does nothing owes something
	quietAt time.Time // when something was last said
	quietN  int       // what had been said by then
	waits   int       // words said on what is going on, since quietAt

	troubled string // the last fault beside the play; the same again is only counted
	troubles int

	wrong int // lines of a script that could not be carried out, replies that failed
	first string
}

// What events still owe after a call.
const (
	owesTurn  = "turn"
	owesReply = "reply"
	owesVote  = "vote"
	// owesChange is a note, a vote taken back, or names shown.
	owesChange = "change"
	// owesNext is who goes on.
	owesNext = "next"
)

// standing is a board that has been read.
type standing struct {
	source string
	board  rating.Board
	err    error
}

// wrongs notes what went wrong in a script; the first is told at the end.
func (s *session) wrongs(format string, args ...any) {
	if s.wrong++; s.wrong == 1 {
		s.first = fmt.Sprintf(format, args...)
	}
}

// complain says why a line could not be carried out.
func (s *session) complain(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.out.line(text)
	if !s.o.Person {
		s.wrongs("%s", text)
	}
}

// loop plays until the person leaves, the input has ended and all is done, or
// the output breaks.
func (s *session) loop() error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	s.quietAt = time.Now()
	for {
		events := s.duel.Events() // of a branch, once there is one
		s.advance()
		s.askBoard()
		idle := s.idle()
		if idle && !s.leaving && len(s.queue) > 0 {
			line := s.queue[0]
			s.queue = s.queue[1:]
			s.play(line, true)
			continue
		}
		if s.out.err != nil || s.leaving || idle && s.ended {
			return nil
		}
		if idle && s.o.Person && !s.asked {
			s.asked = true
			s.yourTurn()
		}
		var lines chan entry
		if !s.ended && (s.o.Person || idle) {
			lines = s.lines
		}
		timer.Reset(s.wake(idle))
		select {
		case ev, ok := <-events:
			if !ok {
				return nil
			}
			s.hear(ev)
			s.drain(events)
		case e, ok := <-lines:
			if !ok {
				s.ended = true
				continue
			}
			s.armed = false
			s.take(e)
		case b := <-s.boards:
			s.stand(b)
		case f := <-s.later:
			f()
		case sig := <-s.o.Interrupts:
			if err := s.interrupt(sig); err != nil {
				return err
			}
		case <-timer.C:
			s.tick(idle)
		case <-s.ctx.Done():
			s.out.end()
			return context.Canceled
		}
	}
}

// afterwards has something done by the session once an errand is over.
func (s *session) afterwards(f func()) {
	select {
	case s.later <- f:
	case <-s.ctx.Done():
	}
}

// drain hears what else has come, so that a burst is read out once.
func (s *session) drain(events <-chan arena.Event) {
	for range 256 {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			s.hear(ev)
		default:
			return
		}
	}
}

// interrupt takes ctrl+c: it stops what runs, and leaves when nothing runs after
// it, at the second, and in a script as soon as what ran has stopped.
func (s *session) interrupt(sig os.Signal) error {
	if sig != os.Interrupt || s.armed {
		s.out.end()
		return context.Canceled
	}
	s.armed = true
	running := s.duel.Running()
	s.duel.Cancel()
	if !s.o.Person {
		s.out.line("Interrupted.")
		return context.Canceled
	}
	switch {
	case len(s.queue) > 0:
		s.out.linef("Stopped, and %s taken back. Ctrl C again leaves.", count(len(s.queue), "waiting line"))
		s.queue = nil
	case running:
		s.out.line("Stopped. Ctrl C again leaves.")
	default:
		s.out.line("Nothing is running. Ctrl C again leaves.")
	}
	return nil
}

// idle reports whether all has been said that the lines so far have set going.
func (s *session) idle() bool {
	if s.busy() {
		s.stillAt = time.Time{}
		return false
	}
	return true
}

// busy reports whether something is still to be heard or read out.
func (s *session) busy() bool { return s.errands > 0 || s.asking || s.pending() || len(s.wanted) > 0 }

// pending is busy but for standings, which come last.
func (s *session) pending() bool {
	if len(s.owed) > 0 || len(s.floor) > 0 || s.ghost != nil || s.autoPlaying() && !s.auto.Paused {
		return true
	}
	t := s.book.last()
	if t == nil {
		return false
	}
	if !t.settled() || t.judging || s.played.Critic.Critic != nil && t.ruling == nil && t.skipped == "" {
		return true
	}
	// The engine decides canon before it tells; what it will tell is awaited.
	all := s.duel.Turns()
	return len(all) == len(s.book.turns) && len(all) > 0 && all[len(all)-1].Canon != t.canon
}

// wake is how long to sleep at most.
func (s *session) wake(idle bool) time.Duration {
	if idle {
		return time.Hour
	}
	now := time.Now()
	next := s.quietAt.Add(s.patience()).Sub(now)
	if !s.duel.Running() {
		if s.stillAt.IsZero() {
			s.stillAt = now
		}
		next = min(next, s.stillAt.Add(forsaken).Sub(now))
	} else {
		s.stillAt = time.Time{}
	}
	return max(next, time.Millisecond)
}

// patience is the silence after which the next word on progress is said.
func (s *session) patience() time.Duration {
	return min(patience<<min(s.waits, 8), maxPatience)
}

// tick says what is going on after a long silence, and stops waiting for what a
// duel that does nothing any more still owes.
func (s *session) tick(idle bool) {
	if idle {
		return
	}
	now := time.Now()
	if !s.stillAt.IsZero() && !now.Before(s.stillAt.Add(forsaken)) && !s.duel.Running() {
		s.forsake()
		return
	}
	if now.Before(s.quietAt.Add(s.patience())) {
		return
	}
	if text := s.doing(now); text != "" {
		s.out.line(text)
		s.quietN = s.out.said
	}
	s.waits++
	s.quietAt = now
}

func (s *session) forsake() {
	delete(s.owed, owesTurn)
	delete(s.owed, owesReply)
	delete(s.owed, owesVote)
	delete(s.owed, owesChange)
	delete(s.owed, owesNext)
	s.stillAt = time.Time{}
	t := s.book.last()
	if t == nil {
		return
	}
	for side := range t.takes {
		if k := t.latest(arena.Side(side)); k != nil && k.live {
			k.live, k.touched = false, 0
		}
	}
	t.judging = false
	if t.ruling == nil && t.skipped == "" {
		t.skipped = "nothing was heard of the critic"
	}
	if all := s.duel.Turns(); len(all) == len(s.book.turns) {
		t.canon = all[len(all)-1].Canon
	}
}

// doing is a sentence on what is going on.
func (s *session) doing(now time.Time) string {
	t := s.book.last()
	switch {
	case t == nil:
		return ""
	case t.judging:
		return fmt.Sprintf("The critic is still %s, %s.", weighing(t.verdicts[0]), seconds(now.Sub(t.asked)))
	}
	text := ""
	for side := range t.takes {
		k := t.latest(arena.Side(side))
		switch {
		case k == nil:
		case k.live && len(k.reply.Segments) == 0:
			text += fmt.Sprintf("%s has not begun yet, %s. ", arena.Side(side), seconds(now.Sub(k.sent)))
		case k.live:
			text += fmt.Sprintf("%s is still writing, %s. ", arena.Side(side), seconds(now.Sub(k.sent)))
		case len(s.floor) > 0 && s.floor[0].take != k:
			text += fmt.Sprintf("%s is done, /show %s reads it now. ", arena.Side(side), letter(arena.Side(side)))
		}
	}
	return text
}

// weighing says what a critic is at.
func weighing(v arena.Verdict) string {
	switch n := len(v.Comparisons); {
	case n > 0 && v.Phase == arena.PhaseComparing:
		return fmt.Sprintf("weighing principle %d", n)
	case v.Phase == arena.PhaseThinking:
		return "thinking"
	case v.Phase == arena.PhasePrinciples:
		return fmt.Sprintf("naming principles, %d so far", len(v.Principles))
	case n > 0 || v.Phase == arena.PhaseDeciding || v.Phase == arena.PhaseDone:
		return "deciding"
	}
	return "reading"
}

func seconds(d time.Duration) string { return count(max(int(d.Seconds()), 0), "second") }

// advance reads out what can be read.
func (s *session) advance() {
	for len(s.floor) > 0 && s.floor[0].catchUp(s, s.stream) {
		s.floor = s.floor[1:]
	}
	if len(s.floor) == 0 {
		s.hearing.catchUp(s)
	}
	if s.out.said != s.quietN {
		s.quietN, s.quietAt, s.waits = s.out.said, time.Now(), 0
	}
}

// yourTurn tells the person that all is done.
func (s *session) yourTurn() {
	t := s.book.last()
	switch {
	case t == nil:
		s.out.line("Your turn.")
	case t.vote != nil:
		s.out.line("Your turn. Type a line to go on.")
	default:
		s.out.line("Your turn. Vote with /a, /b, /tie or /bad, or type a line to go on.")
	}
}
