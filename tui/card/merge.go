// Package card shows the principles of a verdict as cards that fill while the
// critic writes: a row each, and opened, what was said of both sides.
//
// Both orders of a case are laid side by side, in sides instead of shown
// positions, so that a principle on which the orders disagree is seen as such.
package card

import (
	"regexp"
	"strings"
	"unicode"

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

// Lean is how far the card leans, from -3 (A, significant) to +3 (B,
// significant), the mean of the orders that answered.
func (c Card) Lean() float64 {
	sum, n := 0.0, 0
	for _, o := range c.Opinions {
		if o.Winner == arena.NoChoice {
			continue
		}
		n++
		switch o.Winner {
		case arena.ChoseA:
			sum -= float64(strength(o.Degree))
		case arena.ChoseB:
			sum += float64(strength(o.Degree))
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
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
// the first verdict, then what only the second names.
func Merge(verdicts [2]arena.Verdict) []Card {
	var cards []Card
	at := map[string]int{}
	find := func(key, name string) *Card {
		i, ok := at[key]
		if !ok {
			i = len(cards)
			at[key] = i
			cards = append(cards, Card{Key: key, Principle: arena.Principle{Name: name}})
		}
		return &cards[i]
	}
	for i := range verdicts {
		order, v := arena.Order(i), &verdicts[i]
		named := numberer()
		for _, p := range v.Principles {
			key := named(p.Name)
			if key == "" {
				continue
			}
			c := find(key, p.Name)
			c.Principle = fuller(c.Principle, p)
		}
		compared := numberer()
		for _, cmp := range v.Comparisons {
			key := compared(cmp.Name)
			if key == "" {
				continue
			}
			find(key, cmp.Name).Opinions[order] = opinion(order, cmp)
		}
	}
	return cards
}

// candidate matches how critics name the shown positions in prose.
var candidate = regexp.MustCompile(`(?i)\b(?:cand(?:idate)?|response candidate|response)[_ ]?([12])\b`)

// inSides writes A and B where a critic's prose speaks of the positions it was
// shown, so that both orders read alike.
func inSides(order arena.Order, prose string) string {
	return candidate.ReplaceAllStringFunc(prose, func(name string) string {
		position := arena.First
		if strings.HasSuffix(name, "2") {
			position = arena.Second
		}
		if order.Side(position) == arena.ChoseA {
			return "A"
		}
		return "B"
	})
}

func opinion(order arena.Order, c arena.Comparison) Opinion {
	o := Opinion{
		Given: true, A: inSides(order, c.First), B: inSides(order, c.Second), Reason: inSides(order, c.Reason),
		Winner: order.Side(c.Winner), Degree: c.Degree,
	}
	if order == arena.BFirst {
		o.A, o.B = o.B, o.A
	}
	switch o.Winner {
	case arena.ChoseA, arena.ChoseB, arena.Tie:
	default:
		o.Winner = arena.NoChoice
	}
	return o
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

// numberer returns a function that gives each name its key: the second use of a
// name is another key, so that no comparison hides an earlier one.
func numberer() func(string) string {
	uses := map[string]int{}
	return func(name string) string {
		key := fold(name)
		if key == "" {
			return ""
		}
		uses[key]++
		if n := uses[key]; n > 1 {
			key += "#" + strings.Repeat("i", n-1)
		}
		return key
	}
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
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
