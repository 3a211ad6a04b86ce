// Package stage is the screen of a duel: both columns with their panels, the
// verdict as it is written, the vote and the composer.
//
// Its life: New, then Init once the screen is shown, then Update for each
// message, and Close when it is left. Events of the duel come from a goroutine
// that Init starts and Close ends; they wait in a mailbox and wake the screen at
// most once per frame. What happened is kept in a play (a pure reducer over
// events), what is shown of it in blocks that cache their rows.
//
// A branch is a duel of its own: where a person changes what lies behind, the
// stage asks for another one with a Branch, and this one stays as it is.
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

// Directed is a duel that can be directed beyond its lines and votes; arena.Duel
// is one. On the stage of another, of a recording for instance, the commands for
// it are not possible.
type Directed interface {
	ID() string
	Past() []arena.PastTurn
	History(turn int) []arena.PastTurn
	Direct(note string) error
	Continue(ctx context.Context, side arena.Side) error
	Impersonate(ctx context.Context, contestant int) (string, error)
	Auto(ctx context.Context, contestant, turns int) error
	PauseAuto(paused bool)
	StepAuto()
	StopAuto()
	SetSampling(contestant int, s arena.Sampling)
	SamplingOf(contestant int) arena.Sampling
	Reveal()
}

var (
	_ Duel     = (*arena.Duel)(nil)
	_ Directed = (*arena.Duel)(nil)
)

// directed returns the duel as one that can be directed.
func (s *Stage) directed() (Directed, bool) {
	d, ok := s.o.Duel.(Directed)
	return d, ok
}

func (s *Stage) canDirect() bool {
	_, ok := s.directed()
	return ok
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
	case arena.LineDelta:
		o, ok := older.(arena.LineDelta)
		return n, ok && o.Epoch == n.Epoch
	case arena.SceneryDelta:
		o, ok := older.(arena.SceneryDelta)
		return n, ok && o.Epoch == n.Epoch
	}
	return nil, false
}
