package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"herarena/characters"
)

// Errors of letting a scene go on; each says what a person can do.
var (
	ErrChoosing = errors.New("it is being decided who goes on: wait, or stop it first")
	ErrNoStage  = errors.New("the surroundings have no voice: name a stagehand model, or write them as a director's note")
)

// NextBy says who decided who goes on.
type NextBy string

// Who decides who goes on.
const (
	NextByModel   NextBy = "model"     // the stagehand
	NextByAddress NextBy = "addressed" // a name in the last text
	NextByChance  NextBy = "chance"    // drawn by the duel's seed
	NextByPerson  NextBy = "person"    // the person named somebody
	NextByNobody  NextBy = "nobody"    // there was no choice
)

// GoOn lets the scene go on without a line of the person: whoever is next is
// chosen, and plays a turn; the surroundings, where it is their turn, are
// written by the stagehand, and then it is chosen again. Where it is the
// person's turn, NextChosen says so and nothing is played. With a stagehand it
// returns while that is asked; NextChosen always follows, unless the person says
// something first or the duel is closed. ctx bounds the turn.
func (d *Duel) GoOn(ctx context.Context) error { return d.goOn(ctx, "", nil) }

// GoOnAs is GoOn with who is next: a played character, or the surroundings
// (characters.EnvironmentName), after whose text the person decides again.
func (d *Duel) GoOnAs(ctx context.Context, name string) error {
	if strings.EqualFold(strings.TrimSpace(name), characters.EnvironmentName) {
		return d.goOn(ctx, characters.EnvironmentName, nil)
	}
	speaker, err := d.played(name)
	if err != nil {
		return err
	}
	return d.goOn(ctx, speaker, nil)
}

// Next returns who is next by what can be told without asking anybody: who was
// chosen, who is addressed, or who would be drawn. With a stagehand it may
// choose otherwise.
func (d *Duel) Next() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next.Name != "" {
		return d.next.Name
	}
	return d.byRule(false).Name
}

// goOn lets the scene go on, for the person or for auto-play.
func (d *Duel) goOn(ctx context.Context, name string, by *auto) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return ErrClosed
	case d.busy():
		return ErrBusy
	case d.staging != nil:
		return ErrChoosing
	case name == characters.EnvironmentName && d.opts.Stage == nil:
		return ErrNoStage
	case by == nil:
		d.stopAuto("you took over")
	case d.auto != by:
		return context.Canceled
	}
	switch {
	case name != "" && name != characters.EnvironmentName:
		d.follow(ctx, NextChosen{Name: name, By: NextByPerson}, by)
	case d.opts.Stage == nil:
		d.follow(ctx, d.byRule(false), by)
	default:
		d.stageGoOn(ctx, name, by)
	}
	return nil
}

// follow tells of a choice and plays it, unless it is the person's turn or the
// surroundings'. Callers hold d.mu.
func (d *Duel) follow(ctx context.Context, c NextChosen, by *auto) {
	d.choose(c)
	if !c.Person {
		d.open(ctx, "", c.Name, by)
	}
}

// choose tells who goes on. Callers hold d.mu.
func (d *Duel) choose(c NextChosen) {
	c.Epoch = d.opts.Epoch
	d.next = c
	d.emit(c)
}

// byRule chooses without a model: who is addressed in the last text, else one
// drawn by the seed. Callers hold d.mu.
func (d *Duel) byRule(noScenery bool) NextChosen {
	current, text := d.current()
	if current == "" {
		return d.chosen(d.opts.Scene.Character.Name, NextByNobody, "nobody has spoken yet")
	}
	all := d.nextOf(current, noScenery)
	if len(all) == 0 {
		return d.chosen(d.opts.Scene.User.Name, NextByNobody, "nobody else is there")
	}
	if named := addressed(text, d.everyone(), all); named != "" {
		return d.chosen(named, NextByAddress, "")
	}
	return d.drawn(all)
}

// drawn draws one of several by the duel's seed: at the same place of the same
// duel it is always the same one.
func (d *Duel) drawn(all []string) NextChosen {
	if len(all) == 1 {
		return d.chosen(all[0], NextByNobody, "nobody else is there")
	}
	place := uint64(d.before()+len(d.turns))<<8 + uint64(d.spells)
	i := rand.New(rand.NewPCG(uint64(d.opts.Seed), place)).IntN(len(all))
	return d.chosen(all[i], NextByChance, "")
}

func (d *Duel) chosen(name string, by NextBy, why string) NextChosen {
	return NextChosen{Name: name, Person: name == d.opts.Scene.User.Name, By: by, Why: why}
}

// everyone is all who can be next.
func (d *Duel) everyone() []string {
	all := d.opts.Scene.Speakers()
	if d.scenic() {
		all = append(all, characters.EnvironmentName)
	}
	return append(all, d.opts.Scene.User.Name)
}

// scenic reports whether the surroundings have a voice.
func (d *Duel) scenic() bool { return d.opts.Scene.Environment && d.opts.Stage != nil }

// nextOf is all who can be next after who spoke last.
func (d *Duel) nextOf(current string, noScenery bool) []string {
	return slices.DeleteFunc(d.everyone(), func(n string) bool {
		return n == current || noScenery && n == characters.EnvironmentName
	})
}

// current is who was heard last and what was said, "" where nobody was. Callers
// hold d.mu.
func (d *Duel) current() (name, text string) {
	if d.scenery != "" {
		return characters.EnvironmentName, d.scenery
	}
	last := d.heardLines()
	if len(last) == 0 {
		return "", ""
	}
	return last[len(last)-1].Name, last[len(last)-1].Text
}

// heardLines are all lines that everyone has perceived, the turn in play's too.
// Callers hold d.mu.
func (d *Duel) heardLines() []characters.Line {
	var out []characters.Line
	put := func(name, text string) {
		if text != "" {
			out = append(out, characters.Line{Name: name, Text: text})
		}
	}
	put(d.opts.Scene.Character.Name, hears("", d.opening))
	turns := d.shared
	if n := len(d.turns); n > 0 && len(d.shared) < d.before()+n {
		t := d.turns[n-1]
		p := t.asked()
		if side, _, ok := d.pickCanon(t); ok {
			p.reply = t.Reply(side).Segments
		}
		turns = append(slices.Clone(turns), p)
	}
	for _, t := range turns {
		put(characters.EnvironmentName, t.scenery)
		put(d.opts.Scene.User.Name, t.line)
		put(d.speaker(t), hears("", t.reply))
	}
	put(characters.EnvironmentName, d.scenery)
	return out
}

// answerer is which played character answers a line of the person: who is
// addressed, else who spoke last, else the scene's Character. Callers hold d.mu.
func (d *Duel) answerer(line string) string {
	played := d.opts.Scene.Speakers()
	if len(played) == 1 {
		return played[0]
	}
	if name := addressed(line, d.everyone(), played); name != "" {
		return name
	}
	lines := d.heardLines()
	for i := len(lines) - 1; i >= 0; i-- {
		if slices.Contains(played, lines[i].Name) {
			return lines[i].Name
		}
	}
	return played[0]
}

// keepScenery records what the surroundings did last where no turn has come
// after it: as a turn without line and replies. Callers hold d.mu.
func (d *Duel) keepScenery() {
	if d.scenery == "" || d.opts.Recorder == nil {
		return
	}
	number := d.before() + len(d.turns) + 1
	t := d.newTurn(number)
	t.Scenery, d.scenery = d.scenery, ""
	d.record(func(r Recorder) error { return r.RecordTurn(*t) })
}

// NextChosen says who goes on. A played character's turn follows at once;
// Person says that it is the person's. Over says that the stagehand takes the
// scene for ended: the person may still go on.
type NextChosen struct {
	Epoch  int
	Name   string
	Person bool
	Over   bool
	By     NextBy
	Why    string // a sentence on why it is so, "" where nothing needs saying
}

// NextAsked says that the stagehand has been asked who goes on.
type NextAsked struct{ Epoch int }

// SceneryDelta is more of what the surroundings do: Text is all of it so far.
type SceneryDelta struct {
	Epoch int
	Text  string
}

// SceneryEnded closes what the surroundings do. It stands before the next turn,
// whose Turn.Scenery it is. With a fault nothing came of it.
type SceneryEnded struct {
	Epoch int
	Text  string
	Fault *Fault
}

func (NextChosen) event()   {}
func (NextAsked) event()    {}
func (SceneryDelta) event() {}
func (SceneryEnded) event() {}

// String tells of a choice in a sentence.
func (c NextChosen) String() string {
	switch {
	case c.Over:
		return "The scene could end here."
	case c.Person:
		return fmt.Sprintf("It is %s's turn, which is yours.", c.Name)
	}
	return c.Name + " goes on."
}
