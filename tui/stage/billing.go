package stage

import (
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
)

// billing knows who plays, and what of it the person may know yet: where the
// seats are blind, a turn's names are told once it has been voted on, or when
// the person wants them shown.
type billing struct {
	contestants [2]arena.Contestant
	blind       bool
	revealed    bool   // the names have been shown on purpose
	goOn        string // the key that goes on with a broken reply, "" for none
}

// name returns who stands on a side in a turn, cleaned for the screen; known is
// false while that is hidden. A nil turn stands for the turn to come.
func (b *billing) name(t *turn, side arena.Side) (name string, known bool) {
	if b.blind && !b.revealed && (t == nil || !t.named) {
		return "", false
	}
	seat := int(side)
	if t != nil {
		seat = t.seats[side]
	}
	if seat < 0 || seat >= len(b.contestants) {
		return "", false
	}
	return guard.Line(b.contestants[seat].Name), true
}

// veil takes the contestants' names, models and addresses out of a message
// while the seats of its turn are hidden.
func (b *billing) veil(t *turn, message string) string {
	if _, known := b.name(t, arena.A); known {
		return message
	}
	for _, c := range b.contestants {
		for _, secret := range []string{c.Endpoint, c.Model, c.Name} {
			if len(secret) > 1 {
				message = strings.ReplaceAll(message, secret, "the model")
			}
		}
	}
	return message
}
