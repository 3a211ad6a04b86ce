// Package card shows the principles of a verdict as cards that fill while the
// critic writes: a row each, and opened, what was said of both sides.
//
// Both orders of a case are laid side by side, in sides instead of shown
// positions, so that a principle on which the orders disagree is seen as such.
// What a critic quotes from a reply is found there again, so that a quote can
// be followed to its place.
package card

import (
	"strings"

	"herarena/arena"
)

// Opinion is what one order says under one principle, in sides.
type Opinion struct {
	Given  bool   // the comparison has begun
	A, B   string // what is said of each side
	Reason string
	Winner arena.Choice // ChoseA, ChoseB, Tie; NoChoice while unknown
	Degree string       // slight, clear, significant or ""
}

// Card is one principle and the opinions of both orders on it.
type Card struct {
	// Key identifies the principle across snapshots and orders: its name folded
	// to letters and digits, numbered where a verdict uses a name twice.
	Key       string
	Principle arena.Principle
	Opinions  [2]Opinion // by arena.Order
	// Names are what each order calls the principle, "" where it does not name
	// it. They differ where one is another's alias.
	Names [2]string

	slot  [2]int // place among what each order names, from 1; 0 is none
	alias string // what names of the same meaning share
}

// Winner is the side that the card goes to: what the orders agree on, or what
// the only order that answered says. On disagreement split is true.
func (c Card) Winner() (choice arena.Choice, split bool) {
	first, second := c.Opinions[0].Winner, c.Opinions[1].Winner
	switch {
	case first == second, second == arena.NoChoice:
		return first, false
	case first == arena.NoChoice:
		return second, false
	}
	return arena.NoChoice, true
}

// Degree is the word for how strongly the card's winner leads; where the orders
// use different words, the weaker one.
func (c Card) Degree() string {
	best := ""
	for _, o := range c.Opinions {
		if o.Degree != "" && (best == "" || strength(o.Degree) < strength(best)) {
			best = o.Degree
		}
	}
	return best
}

// Lean is how far the opinion leans, from -3 (A, significant) to +3 (B,
// significant).
func (o Opinion) Lean() float64 {
	switch o.Winner {
	case arena.ChoseA:
		return -float64(strength(o.Degree))
	case arena.ChoseB:
		return float64(strength(o.Degree))
	}
	return 0
}

// Lean is how far the card leans, from -3 to +3: the mean of the orders that
// answered.
func (c Card) Lean() float64 {
	sum, n := 0.0, 0
	for _, o := range c.Opinions {
		if o.Winner != arena.NoChoice {
			n++
			sum += o.Lean()
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// written is the share of an opinion that has been written, in thirds: what is
// said of each side, and the reason.
func (o Opinion) written() float64 {
	n := 0.0
	for _, text := range []string{o.A, o.B, o.Reason} {
		if text != "" {
			n++
		}
	}
	return n / 3
}

// Undecided reports whether no order has named a winner.
func (c Card) Undecided() bool {
	return c.Opinions[0].Winner == arena.NoChoice && c.Opinions[1].Winner == arena.NoChoice
}

// strength is the rank of a degree's word; an unknown word counts as slight.
func strength(degree string) int {
	switch strings.ToLower(strings.TrimSpace(degree)) {
	case "significant", "significantly", "strong", "large", "much":
		return 3
	case "clear", "clearly", "moderate", "medium":
		return 2
	}
	return 1
}

// Merge lays the verdicts of both orders into one list of cards: the order of
// the first verdict, then what only the second names. Principles match by name,
// else by alias. The name at the end of a growing verdict makes no card before
// something of the principle follows it.
func Merge(verdicts [2]arena.Verdict) []Card {
	var m merger
	return m.merge(&verdicts)
}

// merge is Merge with what is remembered of earlier snapshots.
func (m *merger) merge(verdicts *[2]arena.Verdict) []Card {
	first := m.entries(arena.AFirst, &verdicts[arena.AFirst])
	second := m.entries(arena.BFirst, &verdicts[arena.BFirst])
	pairs := pair(first, second)
	cards := make([]Card, 0, len(first)+len(second))
	taken := make([]bool, len(second))
	for i := range first {
		c := Card{Key: first[i].key, alias: first[i].alias, slot: [2]int{i + 1, 0}}
		c.add(arena.AFirst, &first[i])
		if at := pairs[i]; at >= 0 {
			taken[at], c.slot[arena.BFirst] = true, at+1
			c.add(arena.BFirst, &second[at])
		}
		cards = append(cards, c)
	}
	for i := range second {
		if !taken[i] {
			c := Card{Key: second[i].key, alias: second[i].alias, slot: [2]int{0, i + 1}}
			c.add(arena.BFirst, &second[i])
			cards = append(cards, c)
		}
	}
	return distinct(cards)
}

// add takes over what one order says.
func (c *Card) add(order arena.Order, e *entry) {
	c.Principle = fuller(c.Principle, e.principle)
	c.Opinions[order], c.Names[order] = e.opinion, e.principle.Name
}

// distinct gives a card of the second order another key where an alias match
// has left its own to a card of the first.
func distinct(cards []Card) []Card {
	used := make(map[string]bool, len(cards))
	for i := range cards {
		for used[cards[i].Key] {
			cards[i].Key += "#b"
		}
		used[cards[i].Key] = true
	}
	return cards
}

// fuller keeps what is known of a principle and fills in what is not.
func fuller(have, more arena.Principle) arena.Principle {
	fill := func(to *string, from string) {
		if *to == "" {
			*to = from
		}
	}
	fill(&have.Name, more.Name)
	fill(&have.Dimension, more.Dimension)
	fill(&have.Polarity, more.Polarity)
	fill(&have.Level, more.Level)
	// Snapshots grow, and the first order may still be writing.
	if len(more.Definition) > len(have.Definition) {
		have.Definition = more.Definition
	}
	fill(&have.Reason, more.Reason)
	return have
}

// Score counts cards by whom they go to.
type Score struct{ A, B, Tie, Split int }

// Score counts the list's cards; undecided ones count for none.
func (l *List) Score() Score {
	var s Score
	for _, c := range l.cards {
		switch w, split := c.Winner(); {
		case split:
			s.Split++
		case w == arena.ChoseA:
			s.A++
		case w == arena.ChoseB:
			s.B++
		case w == arena.Tie:
			s.Tie++
		}
	}
	return s
}
