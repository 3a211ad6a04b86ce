package stage

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/guard"
)

// accord counts on how many turns the person and the critic chose the same, of
// those on which both chose. Flips and "both bad" are no choice between the two
// and do not count.
func (s *Stage) accord() (same, of int) {
	for _, t := range s.play.turns {
		if t.vote == nil || t.ruling == nil || t.ruling.Winner == arena.NoChoice || t.vote.Choice == arena.BothBad {
			continue
		}
		of++
		if t.vote.Choice == t.ruling.Winner {
			same++
		}
	}
	return same, of
}

// accordText is "you and HER-RM agree on 5 of 7", "" before there are two.
func (s *Stage) accordText() string {
	same, of := s.accord()
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("you and %s agree on %d of %d", s.criticName(), same, of)
}

func (s *Stage) criticName() string {
	if name := guard.Line(s.o.CriticLabel); name != "" {
		return name
	}
	return "the critic"
}

// differs is a kind sentence for a vote that the critic does not share: what in
// the critic's own principles speaks for the person's choice. "" where there is
// nothing to say.
func (s *Stage) differs(t *turn) string {
	if t == nil || t.judging || t.vote == nil || t.ruling == nil || t.ruling.Winner == t.vote.Choice {
		return ""
	}
	r, choice, who := t.ruling, t.vote.Choice, s.criticName()
	switch {
	case r.Agreement == arena.NoVerdict || r.Agreement == "":
		return ""
	case choice == arena.BothBad:
		return fmt.Sprintf("You found neither good enough. %s only says which is better, so that both opinions stand.", who)
	case r.Agreement == arena.Flip:
		return fmt.Sprintf("%s could not make up its mind here; your vote is the clearer word.", who) + s.support(choice)
	}
	return fmt.Sprintf("You chose %s, %s %s. Both opinions are kept.", inWords(choice), who, leaned(r.Winner)) + s.support(choice)
}

func inWords(c arena.Choice) string {
	switch c {
	case arena.ChoseA:
		return "A"
	case arena.ChoseB:
		return "B"
	}
	return "a tie"
}

func leaned(c arena.Choice) string {
	if c == arena.Tie {
		return "saw a tie"
	}
	return "leans to " + inWords(c)
}

// supporting is how many principles a sentence names.
const supporting = 3

// support names the principles that speak for a choice, in either order.
func (s *Stage) support(choice arena.Choice) string {
	var names []string
	more := 0
	for _, c := range s.cards.Cards() {
		degree, speaks := speaksFor(c, choice)
		switch {
		case !speaks:
		case len(names) == supporting:
			more++
		default:
			name := sentence(c.Principle.Name)
			if degree != "" {
				name += " (" + sentence(degree) + ")"
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		if choice == arena.Tie {
			return " No principle of this verdict is even, so you weighed them otherwise."
		}
		return fmt.Sprintf(" None of its principles speaks for %s, so you saw something that it did not look for.", inWords(choice))
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if choice == arena.Tie {
		return " Even, as you see it: " + text + "."
	}
	return fmt.Sprintf(" For %s speak: %s.", inWords(choice), text)
}

// speaksFor reports whether any order gives a card to a choice, and how strongly.
func speaksFor(c card.Card, choice arena.Choice) (degree string, ok bool) {
	for _, o := range c.Opinions {
		if o.Winner == choice {
			return o.Degree, true
		}
	}
	return "", false
}

// flipWords says what a flip means.
func (s *Stage) flipWords(t *turn) string {
	if t == nil || t.ruling == nil || t.judging || t.ruling.Agreement != arena.Flip {
		return ""
	}
	text := "The orders disagree: no winner. It counts as two half battles, one for each answer."
	if !t.ruling.Counted {
		text = "The orders disagree: no winner."
	}
	return s.look.Glyphs.Flip + " " + text
}
