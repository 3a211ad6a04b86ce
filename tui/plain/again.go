package plain

import (
	"context"
	"errors"
	"strings"

	"herarena/arena"
	"herarena/tui/again"
	"herarena/tui/card"
)

// again has a turn judged again, and reads the new ruling beside the old one.
func (s *session) again(args []string) error {
	d, err := s.directed()
	switch {
	case err != nil:
		return err
	case s.o.Again == nil:
		return errors.New("turns cannot be judged again here")
	case s.busy():
		return errors.New("this turn is not done yet: wait for it, or /stop")
	}
	ask := again.Ask{Orders: arena.OrdersAlways}
	var turns []string
	for _, arg := range args {
		switch word := strings.ToLower(arg); {
		case strings.Trim(word, "0123456789") == "":
			turns = append(turns, arg)
		case word == "both":
			ask.Orders = arena.OrdersAlways
		case word == "one":
			ask.Orders = arena.OrdersNever
		case word == "close":
			ask.Orders = arena.OrdersClose
		case word == "hide":
			ask.HideThoughts = true
		case word == "equal":
			ask.Equalise = true
		case ask.Critic != "":
			return errors.New("name one critic: " + one(ask.Critic) + " or " + one(arg))
		default:
			ask.Critic = arg
		}
	}
	at, err := s.spot(turns)
	if err != nil {
		return err
	}
	id, number := d.ID(), at.turn.number
	ctx, cancel := context.WithCancel(s.ctx)
	s.stopErrand = cancel
	s.errands++
	s.out.linef("Turn %d is judged again.", number)
	go func() {
		defer cancel()
		var r arena.Ruling
		o, err := s.o.Again(ctx, id, number)
		if err == nil {
			if ask.Critic == "" && len(o.Critics) > 0 {
				ask.Critic = o.Critics[0]
			}
			r, err = o.Judge(ctx, ask, func(arena.Order, arena.Verdict) {})
		}
		s.afterwards(func() {
			s.errands--
			if err != nil {
				s.complain("Turn %d is not judged again: %s", number, full(err.Error()))
				return
			}
			s.judgedAgain(number, o.Before, &r)
		})
	}()
	return nil
}

// judgedAgain reads out what was ruled again on a turn.
func (s *session) judgedAgain(number int, before, r *arena.Ruling) {
	n := 0
	for _, c := range card.Merge(r.Verdicts) {
		if n++; c.Opinions[0].Given || c.Opinions[1].Given {
			s.out.line(cardLine(n, c))
		}
	}
	was := "nobody"
	if before != nil {
		was = one(before.Critic) + ": " + outcome(before)
	}
	s.out.linef("Turn %d again, %s: %s. Before, %s. The new ruling is kept and counts for no board.", number, one(r.Critic), outcome(r), was)
	if r.Agreement == arena.NoVerdict {
		s.complain("There is no verdict: %s", full(whyNone(r)))
	}
}

// outcome is a ruling in a few words.
func outcome(r *arena.Ruling) string {
	switch r.Agreement {
	case arena.NoVerdict:
		return "no verdict"
	case arena.Flip:
		return "a flip, the orders disagree"
	case arena.Agree:
		return better(r.Winner) + ", both orders agree"
	case arena.OneOrder:
		return better(r.Winner) + ", one order asked"
	}
	return better(r.Winner) + ", one order gave no verdict"
}
