package plain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"herarena/arena"
)

// A branch is a duel of its own, which takes the place of the one it came from.
// That one is closed and stays in the ledger as it is.

// branchPoint reads the turn a branch is about from the words of a command, and
// returns what follows it.
func (s *session) branchPoint() (number int, rest string, err error) {
	last := len(s.past()) + len(s.book.turns)
	if last == 0 {
		return 0, "", arena.ErrNoTurn
	}
	word, rest, _ := strings.Cut(s.rest, " ")
	n, err := strconv.Atoi(word)
	if err != nil {
		return last, s.rest, nil
	}
	if n < 1 || n > last {
		return 0, "", fmt.Errorf("there is no turn %d, the last is %d", n, last)
	}
	return n, strings.TrimSpace(rest), nil
}

func (s *session) branch([]string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	n, rest, err := s.branchPoint()
	switch {
	case err != nil:
		return err
	case rest != "":
		return errors.New("say a turn's number alone; /edit changes a line, /rewrite a reply")
	}
	return s.swap(d, n, d.History(n), "", "")
}

func (s *session) edit([]string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	n, line, err := s.branchPoint()
	switch {
	case err != nil:
		return err
	case line == "":
		return errors.New("say what is to be said in place of your line: /edit 2 Good morning")
	}
	note := ""
	if all := d.History(n); len(all) == n {
		note = all[n-1].Note
	}
	return s.swap(d, n-1, d.History(n-1), line, note)
}

func (s *session) rewrite([]string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	n, text, err := s.branchPoint()
	switch {
	case err != nil:
		return err
	case text == "":
		return errors.New("say the reply that is to stand in its place: /rewrite 2 *bows* Good evening")
	}
	past := d.History(n)
	last := &past[len(past)-1]
	scene := &s.played.Scene
	others := []string{scene.User.Name}
	for _, c := range scene.Others {
		others = append(others, c.Name)
	}
	segments := arena.ParseLine(text, scene.Seen(last.Speaker).Character.Name, others)
	if len(arena.Visible(segments, arena.ViewOther, arena.Sight{})) == 0 {
		return errors.New("nothing is said or done in this reply")
	}
	last.Reply, last.Edited = segments, true
	return s.swap(d, n, past, "", "")
}

// swap puts a duel that goes on from a turn in the place of this one, and says a
// line in it at once where there is one.
func (s *session) swap(from director, turn int, past []arena.PastTurn, line, note string) error {
	if s.busy() {
		return errors.New("this turn is not done yet: wait for it, or /stop")
	}
	cast := s.played
	cast.Origin, cast.Past = arena.Origin{DuelID: from.ID(), Turn: turn}, past
	duel, err := s.o.StartDuel(s.ctx, cast)
	if err != nil {
		return fmt.Errorf("the branch could not be opened: %w", err)
	}
	if to, ok := duel.(director); ok {
		for i := range s.resampled {
			if s.resampled[i] {
				to.SetSampling(i, from.SamplingOf(i))
			}
		}
		if note != "" {
			if err := to.Direct(note); err != nil {
				return errors.Join(err, duel.Close())
			}
			s.noted = note
		}
	}
	if err := s.duel.Close(); err != nil {
		s.complain("The former duel was left, but %s", full(err.Error()))
	}
	epoch := s.book.epoch
	s.duel, s.played, s.book = duel, cast, book{epoch: epoch}
	s.bill.revealed = false
	s.floor, s.hearing, s.wanted, s.queue = nil, nil, nil, nil
	s.auto, s.draft = arena.AutoChanged{}, ""
	clear(s.owed)
	clear(s.told)
	s.book.load(duel.Turns(), time.Now())
	where := fmt.Sprintf("goes on from the end of turn %d", turn)
	if turn == 0 {
		where = "begins at the beginning"
	}
	s.out.linef("A branch, a duel of its own, %s. The duel it came from is kept: herarena log show %s", where, from.ID())
	if len(past) > 0 {
		s.recall(len(past), &past[len(past)-1])
	}
	if note != "" {
		s.out.linef("The director's note goes with the line: %s", one(note))
	}
	if line != "" {
		s.play(line, true)
	}
	return nil
}
