package replay

import (
	"context"
	"errors"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/tui/look"
	"herarena/tui/stage"
)

// errRecorded is the answer to everything that would change a recorded duel.
var errRecorded = errors.New("this is a recording: continue the duel to play on")

// recorded is a duel that is over, as a stage shows it.
type recorded struct {
	duel   *ledger.DuelFull
	turns  []arena.Turn
	events chan arena.Event
}

var _ stage.Duel = (*recorded)(nil)

func newRecorded(d *ledger.DuelFull, turns []arena.Turn) *recorded {
	r := &recorded{duel: d, turns: turns, events: make(chan arena.Event)}
	close(r.events)
	return r
}

func (r *recorded) Events() <-chan arena.Event                      { return r.events }
func (r *recorded) Turns() []arena.Turn                             { return r.turns }
func (r *recorded) Past() []arena.PastTurn                          { return r.duel.Past }
func (r *recorded) Running() bool                                   { return false }
func (r *recorded) Close() error                                    { return nil }
func (r *recorded) Cancel()                                         {}
func (r *recorded) CancelSide(arena.Side)                           {}
func (r *recorded) SetCanon(arena.CanonPolicy)                      {}
func (r *recorded) Say(context.Context, string) error               { return errRecorded }
func (r *recorded) Vote(context.Context, arena.Choice) error        { return errRecorded }
func (r *recorded) Regenerate(context.Context, ...arena.Side) error { return errRecorded }
func (r *recorded) Rejudge(context.Context) error                   { return errRecorded }

// newStage makes the stage of a recorded duel with the given turns already
// played. It must not be given to Init.
func newStage(d *ledger.DuelFull, turns []arena.Turn, o Options, now func() time.Time) *stage.Stage {
	rec := &d.DuelRecord
	label := rec.Critic
	if o.CriticLabel != nil {
		label = o.CriticLabel(label)
	}
	contestants := rec.Contestants
	for i := range contestants {
		if contestants[i].Name == "" {
			contestants[i].Name = "unknown"
		}
	}
	canon := rec.Canon
	if canon == "" {
		canon = arena.CanonVote
	}
	s := stage.New(stage.Options{
		Duel: newRecorded(d, turns), Scene: replay.Scene(rec), Contestants: contestants, Critic: rec.Critic, CriticLabel: label,
		Canon: canon, Blind: rec.Blind, Note: note(rec, o.Word), Look: o.Look, Keys: o.Keys, Now: now, Origin: rec.Origin, Reading: o.Reading,
	})
	s.BeginWatching()
	return s
}

// note says in the header what is shown, and of what kind the duel was. Where
// there is little room only what stands before the colon is left of it.
func note(rec *arena.DuelRecord, word string) string {
	when := ""
	if !rec.Started.IsZero() {
		when = rec.Started.Format("2006-01-02 15:04")
	}
	switch {
	case rec.Rehearsal:
		return strings.TrimSuffix("rehearsal: "+word+" "+when, " ")
	case when != "":
		return word + ": " + when
	}
	return word
}

// Still is the stage of a duel at its end, for reading. Keys go to it through
// Watch, and it is never given to Init.
func Still(d *ledger.DuelFull, o Options) *stage.Stage {
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	end := d.Started
	return newStage(d, replay.Turns(d), o, func() time.Time { return end })
}
