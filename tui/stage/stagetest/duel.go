// Package stagetest drives the stage without models: a duel that follows a
// script and emits the very events that the engine would.
package stagetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// Take is how one side replies in a scripted turn.
type Take struct {
	Segments []layers.Segment
	Finish   string       // "" is FinishStop
	Fault    *arena.Fault // ends the reply with this fault after its segments
}

// Turn is one scripted turn. Verdicts are by order; a nil Better in both leaves
// a ruling without verdict. Skip, when set, stands in for the ruling.
type Turn struct {
	Takes    [2]Take
	Verdicts [2]arena.Verdict
	Skip     string
}

// Duel is a scripted duel. It is driven from one goroutine of its own per turn,
// which Close ends and waits for. The script is repeated when it has run out.
type Duel struct {
	// Step is the pause between two pieces of text or of a verdict.
	Step time.Duration
	// Critic is the name in the rulings.
	Critic string
	// Blind swaps the seats in every second turn.
	Blind bool
	// Before are the turns before the first.
	Before []arena.PastTurn
	// Line is what Impersonate writes.
	Line string

	script []Turn
	events chan arena.Event
	quit   chan struct{}
	wg     sync.WaitGroup

	mu      sync.Mutex
	turns   []arena.Turn
	note    string        // goes with the next line
	told    chan struct{} // closed when the last note has been told
	calls   []string
	stop    context.CancelFunc
	sides   [2]context.CancelFunc
	running int
	closed  bool

	sampling [2]arena.Sampling
}

// New returns a duel that follows the script.
func New(script ...Turn) *Duel {
	return &Duel{script: script, Critic: "house", events: make(chan arena.Event, 256), quit: make(chan struct{})}
}

// Calls returns what was asked of the duel so far, a line each.
func (d *Duel) Calls() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.calls...)
}

// Emit sends events as the engine would; it blocks until they are taken or the
// duel is closed.
func (d *Duel) Emit(events ...arena.Event) {
	for _, e := range events {
		select {
		case d.events <- e:
		case <-d.quit:
			return
		}
	}
}

// Events returns the channel of events, closed by Close.
func (d *Duel) Events() <-chan arena.Event { return d.events }

func (d *Duel) called(format string, args ...any) {
	d.calls = append(d.calls, fmt.Sprintf(format, args...))
}

// Say opens a turn and plays its script.
func (d *Duel) Say(_ context.Context, line string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("say %s", line)
	if d.running > 0 {
		return errors.New("a reply is still being written: wait for it or stop it first")
	}
	n := d.last() + 1
	t := arena.Turn{ID: fmt.Sprintf("turn-%d", n), Number: n, Line: line, Note: d.note, Seats: [2]int{0, 1}, Canon: -1}
	d.note = ""
	if d.Blind && n%2 == 0 {
		t.Seats = [2]int{1, 0}
	}
	d.turns = append(d.turns, t)
	d.play(n, []arena.Side{arena.A, arena.B}, arena.TurnStarted{Turn: t})
	return nil
}

// Regenerate plays the last turn's script again for the sides.
func (d *Duel) Regenerate(_ context.Context, sides ...arena.Side) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("regenerate %v", sides)
	if len(d.turns) == 0 {
		return errors.New("nothing has been said yet: write a line first")
	}
	if len(sides) == 0 {
		sides = []arena.Side{arena.A, arena.B}
	}
	d.play(d.last(), sides)
	return nil
}

// last is the number of the newest turn. Callers hold d.mu.
func (d *Duel) last() int { return len(d.Before) + len(d.turns) }

// play starts the goroutine of a turn. Callers hold d.mu.
func (d *Duel) play(n int, sides []arena.Side, first ...arena.Event) {
	t := &d.turns[n-1-len(d.Before)]
	script := d.script[(n-1)%len(d.script)]
	ctx, cancel := context.WithCancel(context.Background())
	d.stop = cancel
	d.running++
	replies := map[arena.Side]*arena.Reply{}
	var sideCtx [2]context.Context
	for _, s := range sides {
		seat := t.Seats[s]
		r := &arena.Reply{
			ID: fmt.Sprintf("reply-%d-%s-%d", n, s, len(t.Swipes[seat])), TurnID: t.ID,
			Contestant: seat, Swipe: len(t.Swipes[seat]),
		}
		t.Swipes[seat] = append(t.Swipes[seat], r)
		copied := *r
		replies[s] = &copied
		sideCtx[s], d.sides[s] = context.WithCancel(ctx)
	}
	d.wg.Go(func() {
		defer cancel()
		d.Emit(first...)
		for _, s := range sides {
			d.Emit(arena.ReplyStarted{Turn: n, Side: s, Reply: *replies[s]})
		}
		var speaking sync.WaitGroup
		for _, s := range sides {
			speaking.Go(func() { d.speak(sideCtx[s], n, s, *replies[s], script.Takes[s]) })
		}
		speaking.Wait()
		d.mu.Lock()
		d.running--
		d.mu.Unlock()
		d.rule(ctx, n, script)
	})
}

func (d *Duel) pause(ctx context.Context) bool {
	if d.Step <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d.Step):
		return true
	}
}

func (d *Duel) speak(ctx context.Context, n int, side arena.Side, r arena.Reply, take Take) {
	tokens := 0
	var sent []layers.Segment
	for i, seg := range take.Segments {
		for _, word := range strings.SplitAfter(seg.Text, " ") {
			if !d.pause(ctx) {
				r.Segments, r.Fault = sent, &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}
				d.Emit(arena.ReplyEnded{Turn: n, Side: side, Reply: r})
				return
			}
			tokens++
			edit := layers.Edit{Index: i, Layer: seg.Layer, Text: word}
			sent = layers.Apply(sent, edit)
			d.Emit(arena.ReplyDelta{Turn: n, Side: side, Swipe: r.Swipe, Edits: []layers.Edit{edit}, Tokens: tokens})
		}
	}
	r.Segments, r.Finish, r.Complete, r.Fault = take.Segments, take.Finish, take.Fault == nil, take.Fault
	if r.Finish == "" && r.Fault == nil {
		r.Finish = arena.FinishStop
	}
	r.Truncated = r.Finish == arena.FinishLength
	r.Usage = &arena.Usage{CompletionTokens: tokens}
	r.FirstByte, r.Total = 400*time.Millisecond, 2*time.Second
	d.Emit(arena.ReplyEnded{Turn: n, Side: side, Reply: r})
}

// rule writes both verdicts side by side, a comparison at a time.
func (d *Duel) rule(ctx context.Context, n int, script Turn) {
	if ctx.Err() != nil {
		return
	}
	if script.Skip != "" {
		d.Emit(arena.RulingSkipped{Turn: n, Why: script.Skip})
		return
	}
	d.Emit(arena.RulingStarted{Turn: n, Critic: d.Critic})
	most := max(len(script.Verdicts[0].Comparisons), len(script.Verdicts[1].Comparisons))
	for done := 0; done <= most; done++ {
		for o, v := range script.Verdicts {
			if !d.pause(ctx) {
				return
			}
			v.Status, v.Better, v.Phase = arena.VerdictPending, arena.NoChoice, arena.PhaseComparing
			if done == 0 {
				v.Phase = arena.PhasePrinciples
			}
			v.Comparisons = v.Comparisons[:min(done, len(v.Comparisons))]
			d.Emit(arena.VerdictUpdated{Turn: n, Order: arena.Order(o), Verdict: v})
		}
	}
	r := Sum(script.Verdicts)
	r.Critic = d.Critic
	d.Emit(arena.RulingEnded{Turn: n, Ruling: r})
	side := arena.A
	if r.Winner == arena.ChoseB {
		side = arena.B
	}
	d.Emit(arena.CanonChosen{Turn: n, Side: side, By: arena.CanonCritic})
}

// Sum makes the ruling of two verdicts, as the engine would.
func Sum(verdicts [2]arena.Verdict) arena.Ruling {
	r := arena.Ruling{Verdicts: verdicts, Total: 2100 * time.Millisecond, Counted: true}
	first, second := arena.AFirst.Side(verdicts[0].Better), arena.BFirst.Side(verdicts[1].Better)
	switch {
	case first == arena.NoChoice && second == arena.NoChoice:
		r.Agreement, r.Counted, r.Why = arena.NoVerdict, false, "no verdict"
	case first == arena.NoChoice || second == arena.NoChoice:
		r.Agreement = arena.OneFailed
		r.Winner = first + second
	case first == second:
		r.Agreement, r.Winner = arena.Agree, first
	default:
		r.Agreement = arena.Flip
	}
	return r
}

// Vote confirms a vote and makes the chosen reply canon.
func (d *Duel) Vote(_ context.Context, c arena.Choice) error {
	d.mu.Lock()
	n := d.last()
	d.called("vote %s", c)
	d.mu.Unlock()
	if n == 0 {
		return errors.New("nothing has been said yet: write a line first")
	}
	d.wg.Go(func() {
		d.Emit(arena.Voted{Turn: n, Vote: arena.Vote{Choice: c, Counted: true}})
		switch c {
		case arena.ChoseA:
			d.Emit(arena.CanonChosen{Turn: n, Side: arena.A, By: arena.CanonVote})
		case arena.ChoseB:
			d.Emit(arena.CanonChosen{Turn: n, Side: arena.B, By: arena.CanonVote})
		}
	})
	return nil
}

// Rejudge plays the last turn's ruling again.
func (d *Duel) Rejudge(context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("rejudge")
	n := d.last()
	if len(d.turns) == 0 {
		return errors.New("nothing has been said yet: write a line first")
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.stop = cancel
	d.wg.Go(func() {
		defer cancel()
		d.rule(ctx, n, d.script[(n-1)%len(d.script)])
	})
	return nil
}

// Cancel stops what is being written.
func (d *Duel) Cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("cancel")
	if d.stop != nil {
		d.stop()
	}
}

// CancelSide stops one side.
func (d *Duel) CancelSide(side arena.Side) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("cancel %s", side)
	if stop := d.sides[side]; stop != nil {
		stop()
	}
}

// SetCanon only notes the policy.
func (d *Duel) SetCanon(p arena.CanonPolicy) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("canon %s", p)
}

// Turns returns no turns: what is shown comes from the events.
func (d *Duel) Turns() []arena.Turn { return nil }

// Running reports whether a reply is being written.
func (d *Duel) Running() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running > 0
}

// Close stops all goroutines and closes the channel of events.
func (d *Duel) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	if d.stop != nil {
		d.stop()
	}
	close(d.quit)
	d.mu.Unlock()
	d.wg.Wait()
	close(d.events)
	return nil
}
