package plain

import (
	"context"
	"sync"
	"sync/atomic"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/stage/stagetest"
)

// exact is a scripted duel that knows, as the engine does, which reply is canon
// before it tells.
type exact struct {
	*stagetest.Duel
	events chan arena.Event
	mu     sync.Mutex
	turns  []arena.Turn
	closed atomic.Bool
}

func newExact(d *stagetest.Duel) *exact {
	x := &exact{Duel: d, events: make(chan arena.Event, 1<<14)}
	go func() {
		defer close(x.events)
		for ev := range d.Events() {
			x.note(ev)
			x.events <- ev
		}
	}()
	return x
}

// note keeps what the duel will tell next of canon.
func (x *exact) note(ev arena.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, begins := ev.(arena.TurnStarted); !begins && len(x.turns) == 0 {
		return // the duel was closed before the turn was told
	}
	choose := func(c arena.Choice) {
		t := &x.turns[len(x.turns)-1]
		switch c {
		case arena.ChoseA:
			t.Canon = t.Seats[arena.A]
		case arena.ChoseB:
			t.Canon = t.Seats[arena.B]
		}
	}
	switch e := ev.(type) {
	case arena.TurnStarted:
		x.turns = append(x.turns, e.Turn)
	case arena.ReplyStarted:
		x.turns[len(x.turns)-1].Canon = -1
	case arena.RulingEnded:
		if choose(arena.ChoseA); e.Ruling.Winner == arena.ChoseB {
			choose(arena.ChoseB)
		}
	case arena.Voted:
		choose(e.Vote.Choice)
	}
}

func (x *exact) Close() error {
	x.closed.Store(true)
	return x.Duel.Close()
}

func (x *exact) Events() <-chan arena.Event { return x.events }

func (x *exact) Turns() []arena.Turn {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]arena.Turn(nil), x.turns...)
}

// manual is a duel whose events the test sends by hand.
type manual struct {
	events chan arena.Event
	said   chan string
	once   sync.Once
	quit   chan struct{}
	mu     sync.Mutex
	runs   bool
}

func newManual() *manual {
	return &manual{events: make(chan arena.Event), said: make(chan string, 8), quit: make(chan struct{})}
}

func (d *manual) emit(events ...arena.Event) {
	for _, ev := range events {
		select {
		case d.events <- ev:
		case <-d.quit:
			return
		}
	}
}

func (d *manual) running(runs bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs = runs
}

// turn plays a turn once a line has been said: A replies as given, B says no.
func (d *manual) turn(a arena.Reply, stop bool) {
	line := <-d.said
	b := arena.Reply{Segments: []layers.Segment{{Layer: layers.Speech, Text: "No."}}, Complete: true}
	d.running(true)
	d.emit(
		arena.TurnStarted{Turn: arena.Turn{Number: 1, Line: line, Seats: [2]int{0, 1}, Canon: -1}},
		arena.ReplyStarted{Turn: 1, Side: arena.A}, arena.ReplyStarted{Turn: 1, Side: arena.B},
		arena.ReplyEnded{Turn: 1, Side: arena.B, Reply: b}, arena.ReplyEnded{Turn: 1, Side: arena.A, Reply: a},
	)
	if stop {
		d.running(false)
	}
}

// delta sends edits of A's reply.
func (d *manual) delta(edits ...layers.Edit) {
	d.emit(arena.ReplyDelta{Turn: 1, Side: arena.A, Edits: edits})
}

func (d *manual) Events() <-chan arena.Event                      { return d.events }
func (d *manual) Say(_ context.Context, line string) error        { d.said <- line; return nil }
func (d *manual) Vote(context.Context, arena.Choice) error        { return nil }
func (d *manual) Regenerate(context.Context, ...arena.Side) error { return nil }
func (d *manual) Rejudge(context.Context) error                   { return nil }
func (d *manual) Cancel()                                         {}
func (d *manual) CancelSide(arena.Side)                           {}
func (d *manual) SetCanon(arena.CanonPolicy)                      {}
func (d *manual) Turns() []arena.Turn                             { return nil }

func (d *manual) Running() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs
}

func (d *manual) Close() error {
	d.once.Do(func() { close(d.quit) })
	return nil
}
