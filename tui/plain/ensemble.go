package plain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/characters"
)

// troupe is a duel whose contestants may play several characters; arena.Duel is
// one.
type troupe interface {
	GoOn(ctx context.Context) error
	GoOnAs(ctx context.Context, name string) error
	SayTo(ctx context.Context, line, name string) error
	Next() string
}

var _ troupe = (*arena.Duel)(nil)

// acting are the commands of scenes in which several are played.
func acting() []command {
	return []command{
		{"go", "[name]", "let the scene go on without you, as that character where one is named", (*session).letGo},
		{"to", "name line", "say a line that this character is to answer", (*session).sayTo},
		{"next", "", "hear who is likely to go on", (*session).likely},
	}
}

func (s *session) troupe() (troupe, error) {
	if d, ok := s.duel.(troupe); ok {
		return d, nil
	}
	return nil, errUndirected
}

// letGo lets the scene go on.
func (s *session) letGo([]string) error {
	d, err := s.troupe()
	switch {
	case err != nil:
		return err
	case s.busy():
		return errWriting
	case s.rest == "":
		err = d.GoOn(s.ctx)
	default:
		err = d.GoOnAs(s.ctx, s.rest)
	}
	if err == nil {
		s.owed[owesNext], s.waits = true, 0
	}
	return err
}

// sayTo says a line to a character, whose name may have several words.
func (s *session) sayTo([]string) error {
	d, err := s.troupe()
	if err != nil {
		return err
	}
	to, line := "", ""
	for _, name := range s.played.Scene.Speakers() {
		if len(name) < len(to) || len(s.rest) < len(name) || !strings.EqualFold(s.rest[:len(name)], name) {
			continue
		}
		if rest := s.rest[len(name):]; rest == "" || strings.ContainsAny(rest[:1], " \t,:") {
			to, line = name, strings.TrimLeft(rest, " \t,:")
		}
	}
	switch {
	case to == "":
		return fmt.Errorf("name who is to answer: %s", one(strings.Join(s.played.Scene.Speakers(), ", ")))
	case line == "":
		return errors.New("say what you say to " + one(to))
	case s.busy():
		return errWriting
	}
	s.waits = 0
	return s.said(d.SayTo(s.ctx, line, to), line, false)
}

// likely says who would go on.
func (s *session) likely([]string) error {
	d, err := s.troupe()
	if err != nil {
		return err
	}
	name := d.Next()
	if name == s.played.Scene.User.Name {
		s.out.linef("It is likely to be your turn, as %s.", one(name))
		return nil
	}
	s.out.linef("%s is likely to go on.", one(name))
	return nil
}

// tellTroupe takes in the events of a scene of several, and says what they mean.
func (s *session) tellTroupe(ev arena.Event) {
	switch e := ev.(type) {
	case arena.NextAsked:
		if !s.book.stale(e.Epoch) {
			s.out.line("It is being decided who goes on.")
		}
	case arena.SceneryEnded:
		switch {
		case s.book.stale(e.Epoch):
		case e.Fault != nil:
			s.out.line("The surroundings are silent: " + full(e.Fault.Error()))
		default:
			s.out.linef("%s: %s", characters.EnvironmentName, one(e.Text))
		}
	case arena.NextChosen:
		if s.book.stale(e.Epoch) {
			return
		}
		delete(s.owed, owesNext)
		if e.Why != "" && e.By != arena.NextByNobody {
			s.out.line("Note: " + full(e.Why))
		}
		if e.Person || e.Over {
			s.asked = false
			s.out.line(full(one(e.String())))
			return
		}
		s.owed[owesTurn], s.owed[owesReply] = true, true
	}
}

// begun says of a turn of a scene of several who has it.
func (s *session) begun(t arena.Turn) {
	switch name := one(t.Speaker); {
	case t.Line == "":
		s.announced = max(s.announced, t.Number)
		s.out.linef("Turn %d. %s goes on.", t.Number, or(name, one(s.played.Scene.Character.Name)))
	case name != "":
		s.out.linef("%s answers.", name)
	}
}

// speaker is who answers in a turn, for the ear.
func (s *session) speaker(name string) string {
	return or(one(name), or(one(s.played.Scene.Character.Name), "The character"))
}

// opposite names whom the contestants play.
func opposite(scene characters.Scene) string {
	return one(strings.Join(scene.Speakers(), ", "))
}
