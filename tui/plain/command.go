package plain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"herarena/arena"
)

// command is a line that begins with a slash.
type command struct {
	name string
	args string // what may follow, for the help
	does string // for the help
	run  func(s *session, args []string) error
}

// commands is the table of all commands; help reads it out in this order.
func commands() []command {
	all := []command{
		{"a", "", "side A is better", vote(arena.ChoseA)},
		{"b", "", "side B is better", vote(arena.ChoseB)},
		{"tie", "", "both are equally good", vote(arena.Tie)},
		{"bad", "", "both are bad", vote(arena.BothBad)},
		{"regen", "[a or b]", "another reply, of one side or of both", (*session).regen},
		{"judge", "", "ask the critic again", (*session).rejudge},
		{"stop", "[a or b]", "stop what is being written; what has come is kept", (*session).stop},
		{"canon", "vote, critic, a or b", "who chooses the reply that both remember", (*session).canon},
	}
	all = append(all, directing()...)
	all = append(all, acting()...)
	return append(all, []command{
		{"show", "[turn] [a or b] [thoughts, acts, speech, plan or reasoning] [reply number]", "read a turn out again, or a part of it: /show 3 a thoughts; /show a reply 1 is an earlier reply", (*session).show},
		{"plan", "[turn] [a or b]", "read out what was planned and reasoned", (*session).plans},
		{"cards", "[turn]", "read the verdict out in full", (*session).cards},
		{"history", "", "read out what both remember so far", (*session).history},
		{"board", "[source]", "read the ratings out", (*session).board},
		{"stream", "on or off", "read replies out word by word as they come", (*session).streaming},
		{"help", "[command]", "read these commands out, or one of them", (*session).help},
		{"quit", "", "leave; the duel is kept", (*session).quit},
	}...)
}

// form is how a command is typed.
func (c *command) form() string {
	if c.args == "" {
		return "/" + c.name
	}
	return "/" + c.name + " " + c.args
}

// take carries out one line of input.
func (s *session) take(e entry) {
	s.asked = false
	switch {
	case e.err != nil:
		s.complain("The input cannot be read: %s", full(e.err.Error()))
	case e.long:
		s.complain("A line longer than %d kB was left out.", maxLine>>10)
	case e.text == "":
		s.asked = true
	case strings.HasPrefix(e.text, "//"): // a line of the scene that begins with a slash
		s.play(e.text[1:], false)
	case strings.HasPrefix(e.text, "/"):
		s.command(e.text[1:])
	default:
		s.play(e.text, false)
	}
}

func (s *session) command(line string) {
	fields := strings.Fields(line)
	name := ""
	if len(fields) > 0 {
		name = strings.ToLower(fields[0])
		s.rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), fields[0]))
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if err := c.run(s, fields[1:]); err != nil {
			s.complain("%s", full("/"+name+": "+err.Error()))
		}
		return
	}
	s.complain("%s", unknown(name))
}

// play says a line in the scene, or keeps it until the turn in progress is
// done. echoed lines are read back.
func (s *session) play(line string, queued bool) {
	if !queued && s.busy() {
		s.queue = append(s.queue, line)
		s.out.line("Kept until this turn is done. /stop ends it sooner.")
		return
	}
	// The line may answer the end of the last turn: a new one gets a new patience.
	s.waits = 0
	if err := s.said(s.duel.Say(s.ctx, line), line, queued); err != nil {
		s.complain("That could not be said: %s", full(err.Error()))
	}
}

// said notes that a line has been said, unless it was refused, and reads it back.
func (s *session) said(err error, line string, queued bool) error {
	if err != nil {
		return err
	}
	s.asked = false
	s.owed[owesTurn], s.owed[owesReply] = true, true
	n := len(s.past()) + len(s.book.turns) + 1
	s.announced, s.draft = n, ""
	if s.o.Person && !queued {
		s.out.linef("Turn %d.", n)
	} else {
		s.out.linef("Turn %d. You say: %s", n, one(line))
	}
	return nil
}

func vote(c arena.Choice) func(*session, []string) error {
	return func(s *session, _ []string) error {
		if err := s.duel.Vote(s.ctx, c); err != nil {
			return err
		}
		s.owed[owesVote] = true
		return nil
	}
}

func (s *session) regen(args []string) error {
	at, err := s.spot(args)
	if err != nil {
		return err
	}
	if at.turn != s.book.last() {
		return errors.New("only the last turn can be asked again")
	}
	if err := s.duel.Regenerate(s.ctx, at.named...); err != nil {
		return err
	}
	s.owed[owesReply] = true
	s.out.line("Another reply is asked for.")
	return nil
}

func (s *session) rejudge([]string) error {
	if err := s.duel.Rejudge(s.ctx); err != nil {
		return err
	}
	if t := s.book.last(); t != nil {
		t.ruling, t.skipped = nil, ""
	}
	return nil
}

func (s *session) stop(args []string) error {
	running := s.duel.Running()
	switch {
	case len(args) == 0:
		if s.ghost != nil {
			s.ghost()
			running = true
		}
		if s.stopErrand != nil && s.errands > 0 {
			s.stopErrand()
			running = true
		}
		if d, err := s.directed(); err == nil && s.autoPlaying() {
			d.StopAuto()
			running = true
		}
		s.duel.Cancel()
	default:
		side, err := sideOf(args[0])
		if err != nil {
			return err
		}
		s.duel.CancelSide(side)
	}
	if !running {
		s.out.line("Nothing is running.")
	}
	return nil
}

func (s *session) canon(args []string) error {
	if len(args) == 0 {
		s.out.linef("Canon: %s.", canonWords(s.played.Canon))
		return nil
	}
	p := arena.CanonPolicy(strings.ToLower(args[0]))
	switch p {
	case arena.CanonVote, arena.CanonCritic, arena.CanonA, arena.CanonB:
	case arena.CanonParallel:
		return errors.New("parallel histories are for a duel from its start: herarena --plain --canon parallel")
	default:
		return fmt.Errorf("%q is unknown (vote, critic, a or b)", one(args[0]))
	}
	if s.played.Canon == arena.CanonParallel {
		return errors.New("in this duel each side keeps its own history; start another for a shared one")
	}
	s.played.Canon = p
	s.duel.SetCanon(p)
	s.out.linef("Canon from now on: %s.", canonWords(p))
	return nil
}

func (s *session) streaming(args []string) error {
	switch {
	case len(args) == 0:
	case args[0] == "on":
		s.stream = true
	case args[0] == "off":
		s.stream = false
	default:
		return fmt.Errorf("%q is unknown (on or off)", one(args[0]))
	}
	if s.stream {
		s.out.line("Replies are read out word by word.")
	} else {
		s.out.line("Replies are read out part by part, each once it is whole.")
	}
	return nil
}

func (s *session) help(args []string) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == strings.ToLower(strings.TrimPrefix(args[0], "/")) {
				s.out.line(c.form() + ": " + c.does + ".")
				return nil
			}
		}
		s.complain("%s", unknown(strings.ToLower(strings.TrimPrefix(args[0], "/"))))
		return nil
	}
	s.out.line("Text is said in the scene. The commands are:")
	for _, c := range commands() {
		s.out.line(c.form() + ": " + c.does + ".")
	}
	s.out.line("Two slashes say a line that begins with one. Ctrl C stops what is written; twice leaves.")
	return nil
}

func (s *session) quit([]string) error {
	s.leaving = true
	return nil
}

// spot is a turn, and the sides of it that are meant.
type spot struct {
	turn  *turn
	sides []arena.Side // those meant: the named ones, else both
	named []arena.Side // those named
}

// spot reads a turn's number and a side, in any order; the last turn and both
// sides where they are missing.
func (s *session) spot(args []string) (spot, error) {
	at := spot{turn: s.book.last(), sides: []arena.Side{arena.A, arena.B}}
	if at.turn == nil {
		return at, arena.ErrNoTurn
	}
	for _, arg := range args {
		n, err := strconv.Atoi(arg)
		if err == nil {
			if at.turn = s.book.find(n); at.turn == nil {
				return at, fmt.Errorf("there is no turn %d yet, the last is %d", n, s.book.last().number)
			}
			continue
		}
		side, err := sideOf(arg)
		if err != nil {
			return at, err
		}
		at.named = append(at.named, side)
	}
	if len(at.named) > 0 {
		at.sides = at.named
	}
	return at, nil
}

func sideOf(word string) (arena.Side, error) {
	switch strings.ToLower(word) {
	case "a":
		return arena.A, nil
	case "b":
		return arena.B, nil
	}
	return arena.A, fmt.Errorf("%q is neither a turn nor a side (a or b)", one(word))
}
