package plain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"herarena/arena"
)

// director is a duel that can be directed beyond its lines and votes; arena.Duel
// is one.
type director interface {
	ID() string
	History(turn int) []arena.PastTurn
	Direct(note string) error
	Continue(ctx context.Context, side arena.Side) error
	Impersonate(ctx context.Context, contestant int) (string, error)
	Auto(ctx context.Context, contestant, turns int) error
	PauseAuto(paused bool)
	StepAuto()
	StopAuto()
	Unvote() error
	SetSampling(contestant int, s arena.Sampling)
	SamplingOf(contestant int) arena.Sampling
	Reveal()
}

var _ director = (*arena.Duel)(nil)

var (
	errUndirected = errors.New("this duel can only be played, not directed")
	errWriting    = errors.New("a reply is still being written: wait for it, or /stop")
)

func (s *session) directed() (director, error) {
	if d, ok := s.duel.(director); ok {
		return d, nil
	}
	return nil, errUndirected
}

// directing are the commands beyond playing a line and voting on it.
func directing() []command {
	return []command{
		{"unvote", "", "take the vote on the last turn back", (*session).unvote},
		{"note", "[text]", "give both a director's note that goes with your next line; without a text take it back", (*session).note},
		{"continue", "[a or b]", "go on with the last reply where it was cut off", (*session).goOn},
		{"write", "[a or b]", "let that side's model write your next line; /send says it", (*session).write},
		{"send", "", "say the line that a model wrote for you", (*session).send},
		{"auto", "number [a or b]", "let that side's model play you for so many turns; /stop or a line of yours ends it", (*session).runAuto},
		{"pause", "", "hold the model that plays you before its next line", (*session).pause},
		{"resume", "", "let it play on", (*session).resume},
		{"step", "", "let it play one turn, then hold it", (*session).step},
		{"sampling", "[a or b] [name value]", "hear or change how a model is sampled from its next reply on: /sampling a temperature 0.7; the value default takes a change back", (*session).sampling},
		{"branch", "[turn]", "go on from the end of a turn in a duel of its own; this one is kept", (*session).branch},
		{"edit", "[turn] text", "say another line in that turn, the last if none is named, in a duel of its own", (*session).edit},
		{"rewrite", "[turn] text", "go on from that turn with another reply than was given, in a duel of its own", (*session).rewrite},
		{"again", "[turn] [critic] [both, one or close] [hide] [equal]", "have a turn judged again: by another critic (a name or URL#model), in both orders, one, or the second when the first is close, with thoughts hidden, with lengths made equal", (*session).again},
		{"who", "[turn]", "hear who is who, as far as it may be told", (*session).who},
		{"reveal", "", "tell who is who in a blind duel; votes from then on do not count", (*session).reveal},
		{"find", "words", "find where something was said, done or thought", (*session).find},
		{"export", "[md or html]", "write the duel to a file", (*session).export},
	}
}

// tellDirected takes in the events of directing, and says what they mean.
func (s *session) tellDirected(ev arena.Event) {
	if stale := func(epoch int) bool { return s.book.stale(epoch) }; ev == nil || stale(epochOf(ev)) {
		return
	}
	if _, auto := ev.(arena.AutoChanged); !auto {
		delete(s.owed, owesChange)
	}
	switch e := ev.(type) {
	case arena.Directed:
		if e.Note == "" {
			s.out.line("There is no director's note.")
			return
		}
		if e.Note == s.noted { // told with the branch it was given in
			s.noted = ""
			return
		}
		s.out.linef("The director's note for your next line: %s", one(e.Note))
	case arena.Unvoted:
		if t := s.book.find(e.Turn); t != nil {
			t.vote = nil
			s.out.linef("Your vote on turn %d is taken back.", e.Turn)
		}
	case arena.Revealed:
		s.bill.revealed = true
		s.out.line("Who is who is told from now on, and votes do not count. " + s.bill.introduceAll(s.book.last()))
	case arena.AutoChanged:
		s.autoChanged(e)
	}
}

func epochOf(ev arena.Event) int {
	switch e := ev.(type) {
	case arena.Directed:
		return e.Epoch
	case arena.Unvoted:
		return e.Epoch
	case arena.Revealed:
		return e.Epoch
	case arena.AutoChanged:
		return e.Epoch
	}
	return 0
}

// owe waits for the event that tells of a change, unless it was refused.
func (s *session) owe(err error) error {
	if err == nil {
		s.owed[owesChange] = true
	}
	return err
}

func (s *session) unvote([]string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	return s.owe(d.Unvote())
}

func (s *session) note([]string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	return s.owe(d.Direct(s.rest))
}

// goOn goes on with a reply that was cut off: the named one, else the only one
// that was.
func (s *session) goOn(args []string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	t := s.book.last()
	if t == nil {
		return arena.ErrNoTurn
	}
	var sides []arena.Side
	if len(args) > 0 {
		side, err := sideOf(args[0])
		if err != nil {
			return err
		}
		sides = []arena.Side{side}
	} else {
		for _, side := range []arena.Side{arena.A, arena.B} {
			if k := t.latest(side); k != nil && !k.live && (!k.reply.Complete || k.reply.Truncated || k.reply.Finish == arena.FinishLength) {
				sides = append(sides, side)
			}
		}
	}
	switch len(sides) {
	case 0:
		return arena.ErrWhole
	case 2:
		return errors.New("both replies were cut off: say which, a or b")
	}
	if err := d.Continue(s.ctx, sides[0]); err != nil {
		return err
	}
	s.owed[owesReply] = true
	s.out.linef("%s goes on where it was cut off; the reply is read out whole.", sides[0])
	return nil
}

// contestantOn is the contestant that is meant by a side. Where the sides are
// shuffled that would tell who is who, so there a is the first and b the second.
func (s *session) contestantOn(args []string) (int, error) {
	if len(args) == 0 {
		return 0, nil
	}
	side, err := sideOf(args[0])
	return int(side), err
}

func (s *session) write(args []string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	by, err := s.contestantOn(args)
	switch {
	case err != nil:
		return err
	case s.ghost != nil:
		return errors.New("a model is already writing your line: /stop ends it")
	case s.replying():
		return errWriting
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.ghost, s.draft = cancel, ""
	s.out.line("A model writes your next line.")
	go func() {
		defer cancel()
		line, err := d.Impersonate(ctx, by)
		s.afterwards(func() { s.ghosted(line, err) })
	}()
	return nil
}

// ghosted reads out a line that a model has written for the person, or says why
// there is none.
func (s *session) ghosted(line string, err error) {
	s.ghost = nil
	var f *arena.Fault
	switch {
	case errors.As(err, &f) && f.Kind == arena.Cancelled, errors.Is(err, context.Canceled):
		s.out.line("Stopped; there is no line.")
	case errors.As(err, &f):
		s.complain("There is no line: %s", full(f.Message)+" "+full(f.Hint))
	case err != nil:
		s.complain("There is no line: %s", full(err.Error()))
	default:
		s.draft = strings.TrimSpace(line)
		s.out.linef("A line for you: %s", one(s.draft))
		s.out.line("/send says it; whatever else you type is said instead.")
	}
}

func (s *session) send([]string) error {
	if s.draft == "" {
		return errors.New("no model has written a line for you: /write asks for one")
	}
	line := s.draft
	s.draft = ""
	s.play(line, false)
	return nil
}

// mostTurns bounds how long a model plays the person.
const mostTurns = 1000

func (s *session) runAuto(args []string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	n, rest := 0, args
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0])
		rest = args[1:]
	}
	if n < 1 || n > mostTurns {
		return fmt.Errorf("say for how many turns, 1 to %d: /auto 3", mostTurns)
	}
	by, err := s.contestantOn(rest)
	switch {
	case err != nil:
		return err
	case s.replying():
		return errWriting
	}
	if err := d.Auto(s.ctx, by, n); err != nil {
		return err
	}
	s.owed[owesTurn] = true
	return nil
}

// autoChanged says who plays the person, and that nobody does any more.
func (s *session) autoChanged(e arena.AutoChanged) {
	was := s.auto
	s.auto = e
	switch {
	case e.Why != "":
		delete(s.owed, owesTurn)
		s.auto = arena.AutoChanged{}
		if s.leaving {
			return
		}
		s.out.linef("You play again: %s", full(e.Why))
	case e.By != was.By:
		s.out.linef("%s plays you for %s. /pause holds it, /stop ends it.", one(e.By), count(e.Left, "turn"))
	case e.Paused && !was.Paused:
		delete(s.owed, owesTurn)
		s.out.linef("Paused, %s to come. /step plays one, /resume all of them.", count(e.Left, "turn"))
	case !e.Paused && was.Paused:
		s.out.linef("It plays on, %s to come.", count(e.Left, "turn"))
	}
}

// autoPlaying reports whether a model plays the person, or is about to.
func (s *session) autoPlaying() bool { return s.auto.By != "" }

func (s *session) pause([]string) error { return s.onAuto(func(d director) { d.PauseAuto(true) }) }

func (s *session) resume([]string) error {
	return s.onAuto(func(d director) { s.owed[owesTurn] = true; d.PauseAuto(false) })
}

func (s *session) step([]string) error {
	return s.onAuto(func(d director) { s.owed[owesTurn] = s.auto.Paused; d.StepAuto() })
}

func (s *session) onAuto(do func(director)) error {
	d, err := s.directed()
	switch {
	case err != nil:
		return err
	case !s.autoPlaying():
		return errors.New("no model plays you: /auto 3 lets one play three turns")
	}
	do(d)
	return nil
}

// replying reports whether a reply of the last turn is being written.
func (s *session) replying() bool {
	t := s.book.last()
	if t == nil {
		return false
	}
	for side := range t.takes {
		if k := t.latest(arena.Side(side)); k == nil || k.live {
			return true
		}
	}
	return false
}

// who says who stands where, as far as it may be told.
func (s *session) who(args []string) error {
	if len(args) == 0 && !s.bill.blind {
		s.out.line(s.bill.introduce())
		return nil
	}
	turns := s.book.turns
	if len(args) > 0 {
		at, err := s.spot(args[:1])
		if err != nil {
			return err
		}
		turns = []*turn{at.turn}
	}
	if len(turns) == 0 {
		s.out.line(s.bill.introduce())
	}
	hidden := 0
	for _, t := range turns {
		if s.bill.hidden(t) {
			hidden++
			continue
		}
		s.out.linef("In turn %d, A is %s and B is %s.", t.number, s.bill.name(t, arena.A), s.bill.name(t, arena.B))
	}
	if hidden > 0 {
		s.out.linef("Of %s nothing is told before your vote; /reveal tells all.", count(hidden, "turn"))
	}
	return nil
}

func (s *session) reveal([]string) error {
	d, err := s.directed()
	switch {
	case err != nil:
		return err
	case !s.bill.blind:
		return errors.New("this duel is not blind: /who tells who is who")
	case s.bill.revealed:
		return errors.New("who is who is told already: /who")
	}
	d.Reveal()
	return s.owe(nil)
}
