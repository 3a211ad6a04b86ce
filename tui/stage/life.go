package stage

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The stage's life: the goroutine that carries events to the mailbox, the calls
// on the duel, the clocks, and their end.

// Init starts the goroutine that carries events to the mailbox and returns the
// commands that wait for it.
func (s *Stage) Init() tea.Cmd {
	if s.done != nil {
		return nil
	}
	s.done = make(chan struct{})
	events, done := s.o.Duel.Events(), s.done
	go func() {
		defer close(done)
		for ev := range events {
			s.box.Put(ev)
		}
	}()
	var said tea.Cmd
	if s.o.Say && !s.writer.empty() {
		said = s.send()
	}
	return tea.Batch(s.listen(), s.askBoard(), s.tick(), said)
}

// Finish ends auto-play and waits until what is being written is done, or ctx ends. It may be
// called from any goroutine while the stage is no longer shown.
func (s *Stage) Finish(ctx context.Context) {
	if d, ok := s.directed(); ok {
		d.StopAuto()
	}
	if d, ok := s.o.Duel.(interface{ Wait(context.Context) error }); ok {
		_ = d.Wait(ctx) // however it ends, the stage is closed next
	}
}

// Close ends the duel and waits for the goroutine of Init. The stage must not be
// used afterwards. It may be called from any goroutine, and twice.
func (s *Stage) Close() error {
	s.cancel()
	err := s.o.Duel.Close()
	s.box.Close()
	if s.done != nil {
		<-s.done
	}
	return err
}

// listen waits for the mailbox without a tick.
func (s *Stage) listen() tea.Cmd {
	if s.byHand {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-s.wake:
			return wakeMsg{s}
		case <-s.ctx.Done():
			return nil
		}
	}
}

// call runs a call on the duel in order, off the loop of the screen: a ledger
// on a slow disk must not hold up the keys.
func (s *Stage) call(line string, f func(ctx context.Context) error) tea.Cmd {
	before, after := s.before, make(chan struct{})
	s.before = after
	return func() tea.Msg {
		defer close(after)
		if before != nil {
			select {
			case <-before:
			case <-s.ctx.Done():
				return nil
			}
		}
		return calledMsg{s, f(s.ctx), line}
	}
}

// tick starts the clock of one second while something is waited for.
func (s *Stage) tick() tea.Cmd {
	if s.ticking || !s.waiting() {
		return nil
	}
	s.ticking = true
	return s.later(time.Second, tickMsg{s})
}

// later sends a message after a time, if the stage is still there; a stage that is
// driven by hand has no time of its own.
func (s *Stage) later(d time.Duration, msg tea.Msg) tea.Cmd {
	if s.byHand {
		return nil
	}
	return func() tea.Msg { // not tea.Tick, which would outlive the stage
		wait := time.NewTimer(d)
		defer wait.Stop()
		select {
		case <-wait.C:
			return msg
		case <-s.ctx.Done():
			return nil
		}
	}
}

// waiting reports whether a clock on the screen runs.
func (s *Stage) waiting() bool {
	for i := len(s.play.turns) - 1; i >= 0 && i >= len(s.play.turns)-2; i-- {
		if t := s.play.turns[i]; t.live() || t.judging {
			return true
		}
	}
	return false
}

// Running reports whether a reply or a verdict is being written.
func (s *Stage) Running() bool { return s.scripted() || s.waiting() || s.o.Duel.Running() }

// Stop stops what is being written; what of it had arrived is shown.
func (s *Stage) Stop() tea.Cmd {
	s.stopGhost()
	return tea.Batch(s.letGo(), s.call("", func(context.Context) error {
		s.o.Duel.Cancel()
		return nil
	}))
}

// called shows an error of the duel and gives an untaken line back.
func (s *Stage) called(m calledMsg) tea.Cmd {
	if m.stage != s || m.err == nil || s.ctx.Err() != nil {
		return nil
	}
	if m.line != "" && s.writer.empty() {
		s.writer.put(m.line)
		s.stale(composerPart)
	}
	return notice(s.bill.veil(s.play.last(), m.err.Error()), true)
}
