package stage

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	var secrets []string
	for _, c := range b.contestants {
		secrets = append(secrets, c.Endpoint, c.Model, c.Name)
		secrets = append(secrets, hosts(c.Endpoint)...)
		if _, name, ok := strings.Cut(c.Model, "/"); ok { // owner/model, told without its owner
			secrets = append(secrets, name)
		}
	}
	// The longest first: of an address nothing must be left that tells of it.
	slices.SortStableFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, secret := range secrets {
		if len(secret) > 1 {
			message = hide(message, secret)
		}
	}
	return message
}

// hosts are what of an address a message may tell alone: the host with its port,
// and the host.
func hosts(endpoint string) []string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Host, u.Hostname()}
}

// hide puts "the model" in the place of a secret wherever it stands as a word of
// its own, in any case: a host is told in lower case though it was written
// otherwise, and a model called "a" is not every a.
func hide(message, secret string) string {
	var b strings.Builder
	for at := 0; at < len(message); {
		end := at + len(secret)
		if end <= len(message) && strings.EqualFold(message[at:end], secret) && !wordly(message[:at], message[end:], secret) {
			b.WriteString("the model")
			at = end
			continue
		}
		b.WriteByte(message[at])
		at++
	}
	return b.String()
}

// wordly reports whether a secret between two texts is part of a longer word.
func wordly(before, after, secret string) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	first, _ := utf8.DecodeRuneInString(secret)
	end, _ := utf8.DecodeLastRuneInString(secret)
	return before != "" && letter(last) && letter(first) || after != "" && letter(next) && letter(end)
}
