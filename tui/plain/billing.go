package plain

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"herarena/arena"
)

// billing knows who plays, and what of it may be told yet: where the seats are
// blind, a turn's names are told once both replies are done and it has been
// voted on.
type billing struct {
	contestants [2]arena.Contestant
	blind       bool
	revealed    bool // by the person, before the votes
}

// hidden reports whether a turn's names may not be told. A nil turn stands for
// the turn to come.
func (b *billing) hidden(t *turn) bool {
	return b.blind && !b.revealed && (t == nil || t.vote == nil || !t.settled())
}

// name is who stands on a side in a turn, "" while that is hidden.
func (b *billing) name(t *turn, side arena.Side) string {
	seat := int(side)
	if t != nil {
		seat = t.seats[side]
	}
	if b.hidden(t) || seat < 0 || seat >= len(b.contestants) {
		return ""
	}
	return one(b.contestants[seat].Name)
}

// who begins a sentence about a side: "A, her-rl," or, while that is hidden, "A".
func (b *billing) who(t *turn, side arena.Side) string {
	as := ""
	if t != nil && t.speaker != "" {
		as = " as " + one(t.speaker) + ","
	}
	if name := b.name(t, side); name != "" {
		return side.String() + ", " + name + "," + as
	}
	if as != "" {
		return side.String() + "," + as
	}
	return side.String()
}

// introduce says who plays.
func (b *billing) introduce() string {
	if b.blind {
		return "Blind: the sides are shuffled each turn, and who is who is told once you have voted."
	}
	text := ""
	for i, c := range b.contestants {
		text += arena.Side(i).String() + " is " + one(c.Name)
		if model := one(c.Model); model != "" && model != one(c.Name) {
			text += ", model " + model
		}
		text += ". "
	}
	return text
}

// introduceAll says who stands where in a turn, or who plays before the first.
func (b *billing) introduceAll(t *turn) string {
	if t == nil {
		return "The contestants are " + one(b.contestants[0].Name) + " and " + one(b.contestants[1].Name) + "."
	}
	return "In turn " + itoa(t.number) + ", A is " + b.name(t, arena.A) + " and B is " + b.name(t, arena.B) + "."
}

func itoa(n int) string { return strconv.Itoa(n) }

// veil takes the contestants' names, models and addresses out of a message
// while the seats of its turn are hidden.
func (b *billing) veil(t *turn, message string) string {
	if !b.hidden(t) {
		return message
	}
	var secrets []string
	for _, c := range b.contestants {
		secrets = append(secrets, c.Endpoint, c.Model, c.Name)
		if u, err := url.Parse(c.Endpoint); err == nil {
			secrets = append(secrets, u.Host, u.Hostname())
		}
	}
	// The longest first, or what is left of an address would still tell.
	slices.SortFunc(secrets, func(x, y string) int { return len(y) - len(x) })
	for _, secret := range secrets {
		if len(secret) > 1 {
			message = strings.ReplaceAll(message, secret, "the model")
		}
	}
	return message
}
