package plain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/card"
)

// show reads a turn out again: replies, vote and ruling.
func (s *session) show(args []string) error {
	what, args, err := parting(args)
	if err != nil {
		return err
	}
	at, err := s.spot(args)
	if err != nil {
		return err
	}
	t := at.turn
	if what.some() {
		for _, side := range at.sides {
			if err := s.part(t, side, what); err != nil {
				return err
			}
		}
		return nil
	}
	if len(at.named) == 0 {
		s.opened(t)
	}
	for _, side := range at.sides {
		s.reply(t, side)
	}
	if len(at.named) > 0 {
		return nil
	}
	s.outcome(t)
	return nil
}

// opened says how a turn began.
func (s *session) opened(t *turn) {
	if t.scenery != "" {
		s.out.linef("%s: %s", characters.EnvironmentName, one(t.scenery))
	}
	if t.line == "" && (t.speaker != "" || t.scenery != "") {
		s.out.linef("Turn %d. %s goes on.", t.number, s.speaker(t.speaker))
		return
	}
	s.out.linef("Turn %d. You say: %s", t.number, one(t.line))
}

// parts of a turn that are to be read out: some layers, an earlier reply.
type portion struct {
	layers []layers.Layer
	reply  int // its number from 1 on, 0 for the newest
}

func (p *portion) some() bool { return len(p.layers) > 0 || p.reply > 0 }

// layerNames are the words by which layers are asked for.
var layerNames = map[string]layers.Layer{
	"plan": layers.System, "plans": layers.System, "reasoning": layers.Native,
	"thoughts": layers.Think, "thought": layers.Think, "thinks": layers.Think,
	"acts": layers.Act, "actions": layers.Act, "does": layers.Act, "speech": layers.Speech, "says": layers.Speech,
}

// parting takes the words for parts of a turn out of a command's.
func parting(args []string) (what portion, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		word := strings.ToLower(args[i])
		if layer, ok := layerNames[word]; ok {
			what.layers = append(what.layers, layer)
			continue
		}
		if word != "reply" {
			rest = append(rest, args[i])
			continue
		}
		if i++; i < len(args) {
			what.reply, _ = strconv.Atoi(args[i])
		}
		if what.reply < 1 {
			return what, nil, errors.New("say which reply, from 1 on: /show a reply 1")
		}
	}
	return what, rest, nil
}

// part reads a part of a side's reply out.
func (s *session) part(t *turn, side arena.Side, what portion) error {
	k := t.latest(side)
	if what.reply > len(t.takes[side]) {
		return fmt.Errorf("%s has %s in turn %d", side, count(len(t.takes[side]), "reply"), t.number)
	}
	if what.reply > 0 {
		k = t.takes[side][what.reply-1]
	}
	found := false
	if k != nil {
		for _, seg := range k.reply.Segments {
			if one(seg.Text) != "" && (len(what.layers) == 0 || slices.Contains(what.layers, seg.Layer)) {
				found = true
				s.out.linef("%s %s: %s", s.bill.who(t, side), verb(seg.Layer), one(seg.Text))
			}
		}
	}
	if !found {
		s.out.linef("%s has nothing of that in turn %d.", s.bill.who(t, side), t.number)
	}
	return nil
}

// reply reads the newest reply of a side out, as far as it has come.
func (s *session) reply(t *turn, side arena.Side) {
	k := t.latest(side)
	if k == nil {
		s.out.linef("%s has no reply.", s.bill.who(t, side))
		return
	}
	if n := len(t.takes[side]); n > 1 {
		s.out.linef("%s has replied %d times; this is the last, /show %d %s reply 1 reads the first.", s.bill.who(t, side), n, t.number, letter(side))
	}
	for _, seg := range k.reply.Segments {
		s.say(t, side, seg)
	}
	if k.live {
		s.out.linef("%s is still writing.", s.bill.who(t, side))
		return
	}
	if ok, why := k.reply.Validity(); !ok && why != "" {
		s.out.linef("%s's reply is not valid: %s", side, full(why))
	}
}

// outcome reads out what came of a turn.
func (s *session) outcome(t *turn) {
	switch {
	case t.ruling != nil && t.ruling.Winner != arena.NoChoice:
		s.out.linef("Ruling: %s. %s", better(t.ruling.Winner), score(t))
	case t.ruling != nil && t.ruling.Agreement == arena.Flip:
		s.out.linef("Ruling: a flip. %s", score(t))
	case t.ruling != nil:
		s.out.line("No verdict.")
	case t.skipped != "":
		s.out.line("Not judged: " + s.bill.veil(t, full(t.skipped)))
	}
	if t.vote != nil {
		s.out.linef("Your vote: %s.", choice(t.vote.Choice))
	}
	if side, ok := t.canonSide(); ok {
		s.out.linef("Canon: %s.", side)
	}
}

// plans reads out what was planned and reasoned.
func (s *session) plans(args []string) error {
	at, err := s.spot(args)
	if err != nil {
		return err
	}
	for _, side := range at.sides {
		found := false
		if k := at.turn.latest(side); k != nil {
			for _, seg := range k.reply.Segments {
				if planned(seg.Layer) && one(seg.Text) != "" {
					found = true
					s.out.linef("%s %s: %s", s.bill.who(at.turn, side), verb(seg.Layer), one(seg.Text))
				}
			}
		}
		if !found {
			s.out.linef("%s planned nothing in turn %d.", s.bill.who(at.turn, side), at.turn.number)
		}
	}
	return nil
}

// cards reads a verdict out in full: what each principle looks for and what is
// said of both sides, in both orders where they differ.
func (s *session) cards(args []string) error {
	at, err := s.spot(args)
	if err != nil {
		return err
	}
	all := card.Merge(at.turn.verdicts)
	if len(all) == 0 {
		return fmt.Errorf("turn %d has no principles to read", at.turn.number)
	}
	for i, c := range all {
		s.card(i+1, c)
	}
	if at.turn.ruling != nil {
		s.outcome(at.turn)
	}
	return nil
}

func (s *session) card(n int, c card.Card) {
	p := c.Principle
	s.out.linef("Principle %d, %s: %s.", n, or(one(p.Name), "unnamed"), cardWinner(c))
	looks := ""
	switch strings.ToLower(p.Polarity) {
	case "positive":
		looks = "It looks for a merit"
	case "negative":
		looks = "It looks for a flaw"
	}
	if level := one(clip(p.Level)); looks != "" && level != "" {
		looks += ", at the level of the " + level
	}
	s.out.line(strings.TrimSpace(full(looks) + " " + full(clip(p.Definition))))
	first, second := c.Opinions[0], c.Opinions[1]
	_, split := c.Winner()
	if !first.Given {
		first, second, split = second, card.Opinion{}, false
	}
	s.opinion("", first)
	if split && second.Given {
		s.opinion("Asked the other way round: ", second)
	}
}

func (s *session) opinion(lead string, o card.Opinion) {
	for _, part := range parts(o) {
		s.out.line(lead + part)
	}
}

// history reads out what both remember: the lines and the canon replies.
func (s *session) history([]string) error {
	past := s.past()
	if s.book.last() == nil && len(past) == 0 {
		return arena.ErrNoTurn
	}
	for i := range past {
		s.recall(i+1, &past[i])
	}
	for _, t := range s.book.turns {
		name := s.speaker(t.speaker)
		s.opened(t)
		side, ok := t.canonSide()
		switch {
		case s.played.Canon == arena.CanonParallel:
			s.out.linef("Each side remembers its own reply; /show %d reads both.", t.number)
			continue
		case !ok:
			s.out.linef("No reply is chosen yet; /show %d reads both.", t.number)
			continue
		}
		if k := t.latest(side); k != nil {
			s.out.linef("The reply of %s was chosen.", side)
			for _, seg := range k.reply.Segments {
				if seg.Layer.Visible() {
					s.out.linef("%s %s: %s", name, verb(seg.Layer), one(seg.Text))
				}
			}
		}
	}
	return nil
}

// board reads a whole table out, a line for each contestant.
func (s *session) board(args []string) error {
	t := s.book.last()
	switch {
	case s.o.Board == nil:
		return errors.New("there is no board here")
	case t != nil && s.bill.hidden(t):
		return errors.New("the board would tell who is who: vote first")
	}
	source := string(s.source())
	if len(args) > 0 {
		source = args[0]
	}
	if err := s.known(source, len(args) > 0); err != nil {
		return err
	}
	b, err := s.o.Board(s.ctx, source)
	if err != nil {
		return err
	}
	if len(b.Ratings) == 0 {
		s.out.linef("The board %s is empty.", one(source))
		return nil
	}
	s.out.linef("Board %s, %s.", one(source), count(b.Battles, "battle"))
	for _, row := range b.Ratings {
		s.out.linef("Rank %d: %s, %g won, %g lost, %g tied, %g both bad.", row.Rank, rated(row), row.Wins, row.Losses, row.Ties, row.BothBad)
	}
	for _, w := range b.Warnings {
		s.out.line("Note: " + full(w))
	}
	return nil
}

// known refuses a source that no battle came from, and says which there are.
func (s *session) known(source string, named bool) error {
	if !named || s.o.Sources == nil {
		return nil
	}
	all, err := s.o.Sources(s.ctx)
	if err != nil {
		return err
	}
	for _, have := range all {
		if have == source {
			return nil
		}
	}
	if len(all) == 0 {
		return errors.New("no battle has been fought yet")
	}
	return fmt.Errorf("there is no board %q (%s)", one(source), one(strings.Join(all, ", ")))
}
