// Package plain plays a duel line by line, for screen readers, logs and scripts:
// output is only ever appended, in whole lines of plain words, with no colour,
// no cursor movement, no spinner and no box.
//
// Run is the whole of it. It casts the duel (by numbered questions where a
// person sits at a terminal), then takes lines: text is said in the scene, a
// slash begins a command. One goroutine owns all state; another reads input and
// ends with it.
//
// Both sides write at once, but only one can be heard at a time: side A has the
// floor until its reply is whole, then side B. So the order of the lines does
// not depend on which model is quicker, and a script gives the same transcript
// each time. Each line begins with who speaks and how ("A, her-rl, thinks:");
// line breaks within a reply become spaces, so no model can write a line that
// looks like the program's own.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
	"herarena/characters"
	"herarena/tui/again"
	"herarena/tui/casting"
	"herarena/tui/page"
)

// Duel is what the plain mode needs of a duel; arena.Duel is one.
type Duel interface {
	Events() <-chan arena.Event
	Say(ctx context.Context, line string) error
	Vote(ctx context.Context, c arena.Choice) error
	Regenerate(ctx context.Context, sides ...arena.Side) error
	Rejudge(ctx context.Context) error
	Cancel()
	CancelSide(side arena.Side)
	SetCanon(p arena.CanonPolicy)
	Turns() []arena.Turn
	Running() bool
	Close() error
}

var _ Duel = (*arena.Duel)(nil)

// Given says what the person has chosen already, so that it is not asked.
type Given struct{ Scene, A, B, Critic, Canon, Blind bool }

// Options are what a run is made of.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Person says that a person types at a terminal: what is missing of the cast
	// is asked for, and commands act while replies are written. Without it the
	// input is a script: each line waits for what the one before has set going.
	Person bool
	// Interrupts brings ctrl+c (os.Interrupt); any other signal leaves at once.
	// May be nil.
	Interrupts <-chan os.Signal

	Scenes      []characters.Scene
	Contestants []arena.Contestant
	Critics     []casting.CriticChoice
	Preset      casting.Preset
	Given       Given
	// Note is said at the start where it is not empty.
	Note string
	// NoteOn says of a cast what is scripted in it; nil says nothing.
	NoteOn func(casting.Cast) string
	// Offers brings what was found on this machine; it is waited for shortly
	// before contestants are asked for. May be nil.
	Offers <-chan casting.Offer
	// StartDuel makes the duel of a cast; Run closes it.
	StartDuel func(context.Context, casting.Cast) (Duel, error)
	// Board returns the ratings of a source; nil says no standings.
	Board func(ctx context.Context, source string) (rating.Board, error)
	// Again puts together a turn of the ledger that is to be judged again; nil:
	// none can be.
	Again func(ctx context.Context, duelID string, turn int) (again.Options, error)
	// Export writes a duel of the ledger as a document and returns its path; nil:
	// it cannot.
	Export func(ctx context.Context, duelID string, f page.Format) (path string, err error)
	// Sources lists the sources of boards; may be nil.
	Sources func(ctx context.Context) ([]string, error)
}

// Times of the plain mode.
const (
	// patience is the silence after which a word is said on what is going on;
	// each further one waits twice as long, up to maxPatience.
	patience    = 12 * time.Second
	maxPatience = time.Minute
	// forsaken is how long an event is waited for that a duel which does nothing
	// any more still owes.
	forsaken = 3 * time.Second
	// offerTime bounds the wait for what is found on this machine.
	offerTime = 500 * time.Millisecond
)

// ErrOutput says that the output cannot be written any more, as when the reader
// of a pipe has gone.
var ErrOutput = errors.New("the output is closed")

// Run plays until the person leaves, the input ends, the output breaks or ctx
// ends. At the end of input the turn in progress is finished first. It returns
// context.Canceled after an interrupt, an error that wraps ErrOutput when the
// output broke, and for a script an error when a line could not be carried out
// or a reply failed.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		o: o, ctx: ctx, out: &voice{w: o.Out}, lines: make(chan entry),
		owed: map[string]bool{}, boards: make(chan standing), later: make(chan func()), told: map[int]bool{},
	}
	go read(ctx, o.In, s.lines)
	cast, err := s.cast()
	if err != nil || cast == nil {
		return s.leave(err)
	}
	duel, err := o.StartDuel(ctx, *cast)
	if err != nil {
		return s.leave(fmt.Errorf("the duel could not start: %w", err))
	}
	s.open(duel, *cast)
	err = s.loop()
	duel = s.duel // a branch may have taken its place
	if closeErr := duel.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("the duel was left, but %w", closeErr)
	}
	if s.troubles > 1 {
		s.out.linef("There was trouble %d times, at last: %s", s.troubles, full(s.troubled))
	}
	if d, ok := duel.(interface{ ID() string }); ok && len(s.book.turns) > 0 {
		s.out.line("The duel is kept: herarena log show " + d.ID())
	}
	return s.leave(err)
}

// leave turns the end of a run into its error.
func (s *session) leave(err error) error {
	switch {
	case s.out.err != nil:
		return fmt.Errorf("%w: %w", ErrOutput, s.out.err)
	case err != nil:
		return err
	case s.wrong > 1:
		return fmt.Errorf("%d things went wrong in this script, the first: %s", s.wrong, s.first)
	case s.wrong == 1:
		return errors.New(s.first)
	}
	return nil
}

// opener is a duel that knows its opening line in layers.
type opener interface{ Opening() []layers.Segment }

// open says where the duel stands as it begins.
func (s *session) open(d Duel, c casting.Cast) {
	if o, ok := d.(interface{ Scene() characters.Scene }); ok {
		c.Scene = o.Scene() // with what it draws by lot
	}
	s.duel, s.played = d, c
	s.bill = billing{contestants: c.Contestants, blind: c.Blind}
	s.book.load(d.Turns(), time.Now())
	s.out.line("HER Arena, plain mode. Type a line to say it in the scene; /help reads the commands out.")
	if s.o.NoteOn != nil {
		if note := s.o.NoteOn(c); note != "" {
			s.out.line("Note: " + note + ".")
		}
	}
	s.out.linef("Scene: %s You play %s opposite %s.", full(c.Scene.Title), or(one(c.Scene.User.Name), "yourself"), opposite(c.Scene))
	s.out.line(s.bill.introduce())
	critic := "Nobody judges but you."
	if name := one(c.Critic.OnBoards()); name != "" {
		critic = "The critic is " + name + "."
	}
	s.out.linef("%s Canon: %s.", critic, canonWords(c.Canon))
	s.out.line(c.Scene.Scenario)
	var first []layers.Segment
	if o, ok := d.(opener); ok {
		first = o.Opening()
	} else if c.Scene.Opening != "" {
		first = layers.Parse(c.Scene.Opening, layers.Options{Name: c.Scene.Character.Name}).Segments
	}
	s.opening = slices.DeleteFunc(slices.Clone(first), func(seg layers.Segment) bool { return planned(seg.Layer) })
	for _, seg := range s.opening {
		s.out.linef("%s %s: %s", one(c.Scene.Character.Name), verb(seg.Layer), one(seg.Text))
	}
	s.lookBack()
	if n := len(s.book.turns); n > 0 {
		s.out.linef("%s have been played already; /history reads them out.", count(n, "turn"))
		return
	}
	if s.o.Person && len(c.Scene.Suggestions) > 0 {
		s.out.line("You could begin with: " + one(c.Scene.Suggestions[0]))
	}
}

func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}
