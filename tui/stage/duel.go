// Package stage is the screen of a duel: both columns with their panels, the
// verdict as it is written, the vote and the composer.
//
// Its life: New, then Init once the screen is shown, then Update for each
// message, and Close when it is left. Events of the duel come from a goroutine
// that Init starts and Close ends; they wait in a mailbox and wake the screen at
// most once per frame. What happened is kept in a play (a pure reducer over
// events), what is shown of it in blocks that cache their rows.
package stage

import (
	"context"

	"herarena/arena"
)

// Duel is what the stage needs of a duel; arena.Duel is one.
type Duel interface {
	Events() <-chan arena.Event
	Say(ctx context.Context, line string) error
	Vote(ctx context.Context, c arena.Choice) error
	Regenerate(ctx context.Context, sides ...arena.Side) error
	Rejudge(ctx context.Context) error
	Cancel()
	CancelSide(side arena.Side)
	SetCanon(p arena.CanonPolicy)
	Turns() []arena.Turn
	Running() bool
	Close() error
}

// merge lays a newer event over an older one where both may become one: edits
// of one reply are put in a row, a newer snapshot replaces an older. All else
// stays apart.
func merge(older, newer arena.Event) (arena.Event, bool) {
	switch n := newer.(type) {
	case arena.ReplyDelta:
		o, ok := older.(arena.ReplyDelta)
		if !ok || o.Epoch != n.Epoch || o.Turn != n.Turn || o.Side != n.Side || o.Swipe != n.Swipe {
			return nil, false
		}
		// The older slice may be shared with the engine: grow a copy of it.
		o.Edits = append(o.Edits[:len(o.Edits):len(o.Edits)], n.Edits...)
		o.Tokens = n.Tokens
		return o, true
	case arena.VerdictUpdated:
		o, ok := older.(arena.VerdictUpdated)
		if !ok || o.Epoch != n.Epoch || o.Turn != n.Turn || o.Order != n.Order {
			return nil, false
		}
		return n, true
	}
	return nil, false
}
