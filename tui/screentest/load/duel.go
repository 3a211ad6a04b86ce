package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/stage"
)

// Duel is a duel that follows a Script: it begins with the past turns and, once
// Start is called, streams both replies at the plan's rate. Close ends its
// goroutines. What a person may ask of a duel is refused: nobody plays here.
type Duel struct {
	script Script
	events chan arena.Event
	quit   chan struct{}
	done   chan struct{} // closed when both sides have streamed all
	wg     sync.WaitGroup
	once   sync.Once

	mu      sync.Mutex
	started bool
	opened  int // turns opened by streaming
}

// NewDuel makes the duel of a script.
func NewDuel(s Script) *Duel {
	return &Duel{script: s, events: make(chan arena.Event, 256), quit: make(chan struct{}), done: make(chan struct{})}
}

// Start begins to stream. It returns a channel that is closed when every token
// was handed to the screen.
func (d *Duel) Start() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return d.done
	}
	d.started = true
	var sides sync.WaitGroup
	for _, side := range []arena.Side{arena.A, arena.B} {
		sides.Add(1)
		d.wg.Go(func() {
			defer sides.Done()
			d.stream(side)
		})
	}
	d.wg.Go(func() {
		sides.Wait()
		close(d.done)
	})
	return d.done
}

// stream sends the replies of a side. Both sides are at the same reply at
// nearly the same time; the one that comes first opens the turn.
func (d *Duel) stream(side arena.Side) {
	reply := d.script.Plan.Reply
	d.script.Plan.pace(d.quit, func(n int) {
		turn := d.script.Plan.Turns + n/reply + 1
		if n%reply == 0 {
			d.open(n/reply + 1)
			d.Emit(arena.ReplyStarted{Turn: turn, Side: side, Reply: arena.Reply{Contestant: int(side)}})
		}
		t := d.script.Token(side, n)
		edit := layers.Edit{Index: t.Segment, Layer: t.Layer, Text: t.Text}
		d.Emit(arena.ReplyDelta{Turn: turn, Side: side, Edits: []layers.Edit{edit}, Tokens: n%reply + 1})
		if n%reply == reply-1 {
			d.Emit(arena.ReplyEnded{Turn: turn, Side: side, Reply: ended(side, d.script.whole(side, n+1-reply), reply)})
		}
	})
}

// open opens the n-th streamed turn unless the other side has done so.
func (d *Duel) open(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened >= n {
		return
	}
	d.opened = n
	d.Emit(arena.TurnStarted{Turn: d.turn(d.script.Plan.Turns + n)})
}

func (d *Duel) turn(n int) arena.Turn {
	return arena.Turn{ID: fmt.Sprint("turn-", n), Number: n, Line: d.script.Line(n), Seats: [2]int{0, 1}, Canon: -1}
}

func ended(side arena.Side, text []layers.Segment, tokens int) arena.Reply {
	return arena.Reply{
		Contestant: int(side), Segments: text, Complete: true, Finish: arena.FinishStop,
		Usage: &arena.Usage{CompletionTokens: tokens}, FirstByte: 400 * time.Millisecond, Total: 3 * time.Second,
	}
}

// Emit sends an event as the engine would; it blocks until it is taken or the
// duel is closed.
func (d *Duel) Emit(e arena.Event) {
	select {
	case d.events <- e:
	case <-d.quit:
	}
}

// Events returns the channel of events, closed by Close.
func (d *Duel) Events() <-chan arena.Event { return d.events }

// Turns returns the past turns.
func (d *Duel) Turns() []arena.Turn {
	turns := make([]arena.Turn, d.script.Plan.Turns)
	for i := range turns {
		turns[i] = d.turn(i + 1)
		for _, side := range []arena.Side{arena.A, arena.B} {
			r := ended(side, d.script.Past(i+1, side), pastReply)
			turns[i].Swipes[side] = []*arena.Reply{&r}
		}
	}
	return turns
}

// Close ends the streams and closes the channel of events.
func (d *Duel) Close() error {
	d.once.Do(func() {
		close(d.quit)
		d.wg.Wait()
		close(d.events)
	})
	return nil
}

var errAlone = errors.New("this duel follows a script: it takes no orders")

// Say refuses.
func (d *Duel) Say(context.Context, string) error { return errAlone }

// Vote refuses.
func (d *Duel) Vote(context.Context, arena.Choice) error { return errAlone }

// Regenerate refuses.
func (d *Duel) Regenerate(context.Context, ...arena.Side) error { return errAlone }

// Rejudge refuses.
func (d *Duel) Rejudge(context.Context) error { return errAlone }

// Cancel does nothing.
func (d *Duel) Cancel() {}

// CancelSide does nothing.
func (d *Duel) CancelSide(arena.Side) {}

// SetCanon does nothing.
func (d *Duel) SetCanon(arena.CanonPolicy) {}

// Running reports false: the stage tells by its events what is being written.
func (d *Duel) Running() bool { return false }

var _ stage.Duel = (*Duel)(nil)

// Scene is what the script is played in.
func Scene() characters.Scene {
	return characters.Scene{
		ID: "load", Title: "A long evening", Language: "en",
		Character: characters.Character{Name: "Ines Vale"}, User: characters.Character{Name: "Captain Roe"},
		Opening: "The office is closed. Whatever it is, it can wait for the tide.",
	}
}

// Contestants are two contestants without endpoints.
func Contestants() []arena.Contestant {
	return []arena.Contestant{{Name: "her-rl", Model: "her-32b"}, {Name: "plain-8b", Model: "plain-8b"}}
}
