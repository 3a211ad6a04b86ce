package replay

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/replay"
	"herarena/tui/card"
	"herarena/tui/guard"
)

// Tell prints a duel line by line, in the order in which it happened; with paced
// at the pace at which it did. Replies and verdicts are told when they are done.
func Tell(ctx context.Context, out io.Writer, o Options, paced bool) error {
	speed := o.Speed
	if speed <= 0 {
		speed = 1
	}
	rec := &o.Duel.DuelRecord
	t := &teller{out: out, rec: rec, o: o, seats: map[int][2]int{}}
	scene := replay.Scene(rec)
	t.user, t.character = orElse(guard.Line(scene.User.Name), "You"), orElse(guard.Line(scene.Character.Name), "The character")
	t.say("%s. %s is played by %s and %s.", orElse(guard.Line(scene.Title), "A duel"), t.character, t.contestant(0), t.contestant(1))
	for _, p := range rec.Past {
		t.say("%s: %s", t.user, oneLine(p.Line))
		t.segments(t.character, p.Reply)
	}
	var at time.Duration
	for _, m := range replay.Timeline(o.Duel, replay.Options{MaxPause: o.MaxPause}) {
		if wait := m.At - at; paced && wait > 0 {
			timer := time.NewTimer(time.Duration(float64(wait) / speed))
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
			}
		}
		at = m.At
		if err := ctx.Err(); err != nil {
			return err
		}
		t.event(m.Event)
		if t.err != nil {
			return fmt.Errorf("the replay cannot be printed: %w", t.err)
		}
	}
	return t.err
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func oneLine(text string) string { return strings.Join(strings.Fields(guard.Text(text)), " ") }

type teller struct {
	out             io.Writer
	rec             *arena.DuelRecord
	o               Options
	user, character string
	seats           map[int][2]int
	err             error
}

func (t *teller) say(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.out, format+"\n", args...)
	}
}

func (t *teller) contestant(seat int) string {
	return orElse(guard.Line(t.rec.Contestants[seat].Name), "somebody unnamed")
}

// critic names a critic.
func (t *teller) critic(name string) string {
	if t.o.CriticLabel != nil {
		name = t.o.CriticLabel(name)
	}
	return orElse(guard.Line(name), "The critic")
}

// who is a side and, unless it is blind, who stands there.
func (t *teller) who(turn int, side arena.Side) string {
	if t.rec.Blind {
		return side.String()
	}
	return side.String() + ", " + t.contestant(t.seats[turn][side])
}

func (t *teller) event(e arena.Event) {
	switch e := e.(type) {
	case arena.TurnStarted:
		t.seats[e.Turn.Number] = e.Turn.Seats
		t.say("\nTurn %d.", e.Turn.Number)
		if e.Turn.Note != "" {
			t.say("Director's note: %s", oneLine(e.Turn.Note))
		}
		t.say("%s: %s", t.user, oneLine(e.Turn.Line))
	case arena.ReplyStarted:
		if e.Reply.Swipe > 0 {
			t.say("%s is asked again.", t.who(e.Turn, e.Side))
		}
	case arena.ReplyEnded:
		t.segments(t.who(e.Turn, e.Side), e.Reply.Segments)
		if ok, why := e.Reply.Validity(); !ok {
			t.say("%s: the reply does not count: %s.", t.who(e.Turn, e.Side), guard.Line(strings.ReplaceAll(why, "_", " ")))
		}
	case arena.RulingSkipped:
		t.say("Nothing is judged: %s.", guard.Line(strings.ReplaceAll(e.Why, "_", " ")))
	case arena.RulingEnded:
		t.ruling(&e.Ruling)
	case arena.Voted:
		t.say("Vote: %s.", answer(e.Vote.Choice))
		if seats := t.seats[e.Turn]; t.rec.Blind {
			t.say("A was %s, B was %s.", t.contestant(seats[0]), t.contestant(seats[1]))
		}
	case arena.Unvoted:
		t.say("The vote is taken back.")
	case arena.CanonChosen:
		t.say("Canon: %s.", e.Side)
	}
}

var verbs = map[layers.Layer]string{
	layers.System: "plans", layers.Native: "reasons", layers.Think: "thinks", layers.Act: "acts", layers.Speech: "says",
}

func (t *teller) segments(who string, all []layers.Segment) {
	for _, s := range all {
		if verb, ok := verbs[s.Layer]; ok && strings.TrimSpace(s.Text) != "" {
			t.say("%s %s: %s", who, verb, oneLine(s.Text))
		}
	}
}

func (t *teller) ruling(r *arena.Ruling) {
	critic := t.critic(r.Critic)
	switch r.Agreement {
	case arena.Agree:
		t.say("%s: %s, both orders agree.", critic, answer(r.Winner))
	case arena.Flip:
		t.say("%s: a flip, the orders disagree.", critic)
	case arena.OneOrder:
		t.say("%s: %s, one order was asked.", critic, answer(r.Winner))
	case arena.OneFailed:
		t.say("%s: %s, one order gave no verdict.", critic, answer(r.Winner))
	default:
		t.say("%s: no verdict.", critic)
	}
	for _, c := range card.Merge(r.Verdicts) {
		winner, split := c.Winner()
		goes := answer(winner)
		if split {
			goes = "split between the orders"
		}
		if degree := guard.Line(c.Degree()); degree != "" && (winner == arena.ChoseA || winner == arena.ChoseB) {
			goes += ", " + degree
		}
		t.say("  %s: %s.", guard.Line(c.Principle.Name), goes)
	}
}

func answer(c arena.Choice) string {
	switch c {
	case arena.ChoseA:
		return "A is better"
	case arena.ChoseB:
		return "B is better"
	case arena.Tie:
		return "a tie"
	case arena.BothBad:
		return "both are bad"
	}
	return "no answer"
}
