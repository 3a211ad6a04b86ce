package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"herarena/arena/layers"
	"herarena/characters"
)

// Errors of driving a duel; each says what a person can do.
var (
	ErrClosed   = errors.New("the duel is closed")
	ErrBusy     = errors.New("a reply is still being written: wait for it or stop it first")
	ErrNoTurn   = errors.New("nothing has been said yet: write a line first")
	ErrEmpty    = errors.New("the line is empty")
	ErrNoCritic = errors.New("this duel has no critic")
)

// DuelOptions are the settings of a duel.
type DuelOptions struct {
	ID          string // made when empty
	Epoch       int    // handed back in every event
	Scene       characters.Scene
	Contestants [2]Contestant
	Critic      Critic      // nil: nothing judges
	Canon       CanonPolicy // "" is CanonVote
	// Blind seats the contestants anew each turn, by Seed.
	Blind bool
	Seed  int64
	// Recorder keeps what happens; nil keeps nothing.
	Recorder Recorder
	Voter    string
	// CriticHidesThoughts keeps role thinking from the critic.
	CriticHidesThoughts bool
	// WordLimit asks for replies of about so many words; 0 asks nothing.
	WordLimit int
	// Past are turns that lie before the first: of the duel that Origin names, or
	// of an imported chat. The duel's own turns are numbered on from them.
	Past   []PastTurn
	Origin Origin
	// Stage is a model that says who goes on in a scene of several characters, and
	// lends the surroundings a voice. Without it the one who is addressed goes on,
	// else one drawn by Seed, and the surroundings are silent.
	Stage Player
	// Inject changes the messages of each call; nil puts in what the scene's card
	// asks for.
	Inject Injector
}

// Duel is a running conversation of two contestants in one scene. It is made by
// NewDuel, driven by its methods from any goroutine, heard through Events, and
// ended by Close. Each Say starts one goroutine per side (and one per reply that
// saves what has arrived); when both replies are valid one more runs the critic.
// All end with Close.
type Duel struct {
	opts    DuelOptions
	events  *emitter
	opening []layers.Segment
	voices  map[string]*voice // of the played characters, by name

	mu      sync.Mutex
	closed  bool
	turns   []*Turn
	past    [2][]past // by contestant: settled turns as each finds them
	shared  []past    // settled turns as the critic finds them
	dialect [2]layers.Dialect
	playing [2]context.CancelFunc // by contestant
	judging map[*Ruling]context.CancelFunc
	doneAt  time.Time // when both replies of the last turn were done
	note    string    // director's note that goes with the next line
	auto    *auto     // the model that plays the person; nil while the person does
	idle    idle
	wg      sync.WaitGroup

	sampling [2]Sampling // of the next replies, by contestant
	revealed bool        // a blind duel's names have been shown
	named    bool        // a vote on the turn in play has told its names
	late     bool        // the vote in force was given after that
	booked   bool        // a vote given before that counts for the turn in play
	cramped  [2]bool     // it was told that a contestant's context is too short

	staging *staging // the choice of who goes on, nil while none is made
	scenery string   // what the surroundings did since the last turn
	spells  int      // how often the surroundings have spoken
	next    NextChosen
}

// NewDuel checks the settings, records the duel and returns it ready for the
// first line. The error names the setting at fault.
func NewDuel(o DuelOptions) (*Duel, error) {
	if err := o.Scene.Validate(); err != nil {
		return nil, fmt.Errorf("scene %q: %w", o.Scene.ID, err)
	}
	for i, c := range o.Contestants {
		if c.Player == nil {
			return nil, fmt.Errorf("contestant %s (%s) has no endpoint to play it", Side(i), c.Name)
		}
		if c.Name == "" {
			return nil, fmt.Errorf("contestant %s has no name", Side(i))
		}
	}
	switch o.Canon {
	case "":
		o.Canon = CanonVote
	case CanonVote, CanonCritic, CanonA, CanonB, CanonParallel:
	default:
		return nil, fmt.Errorf("unknown canon policy %q (want vote, critic, a, b or parallel)", o.Canon)
	}
	if err := validatePast(o.Past); err != nil {
		return nil, err
	}
	if o.ID == "" {
		o.ID = NewID(time.Now())
	}
	if err := castCard(&o); err != nil {
		return nil, fmt.Errorf("scene %q: %w", o.Scene.ID, err)
	}
	d := &Duel{opts: o, opening: openingSegments(o.Scene), judging: map[*Ruling]context.CancelFunc{}}
	for i, c := range o.Contestants {
		d.dialect[i], d.sampling[i] = c.Dialect, c.Sampling
	}
	d.giveVoices()
	d.recall()
	if err := d.recordDuel(); err != nil {
		return nil, err
	}
	d.events = newEmitter()
	d.checkRooms()
	return d, nil
}

func (d *Duel) recordDuel() error {
	if d.opts.Recorder == nil {
		return nil
	}
	scene, err := json.Marshal(d.opts.Scene)
	if err != nil {
		return fmt.Errorf("scene %q: %w", d.opts.Scene.ID, err)
	}
	o := d.opts
	rec := DuelRecord{
		ID: o.ID, SceneID: o.Scene.ID, SceneTitle: o.Scene.Title, SceneJSON: string(scene),
		Character: o.Scene.Character.Name, User: o.Scene.User.Name, Language: o.Scene.Language,
		Contestants: o.Contestants, Canon: o.Canon, Blind: o.Blind, Seed: o.Seed,
		Rehearsal: d.rehearsal(), Started: time.Now(), Past: o.Past, Origin: o.Origin,
	}
	if o.Critic != nil {
		rec.Critic = o.Critic.Name()
	}
	if err := o.Recorder.RecordDuel(rec); err != nil {
		return fmt.Errorf("record the duel: %w", err)
	}
	return nil
}

func (d *Duel) rehearsal() bool {
	return d.opts.Contestants[0].Rehearsal || d.opts.Contestants[1].Rehearsal
}

// ID returns the duel's id.
func (d *Duel) ID() string { return d.opts.ID }

// Scene returns the scene being played.
func (d *Duel) Scene() characters.Scene { return d.opts.Scene }

// Opening returns the character's opening line as segments, nil if none.
func (d *Duel) Opening() []layers.Segment { return append([]layers.Segment(nil), d.opening...) }

// Events returns the channel of events; it is closed by Close.
func (d *Duel) Events() <-chan Event { return d.events.out }

// Say plays the person's line: the last turn is settled, a new one opened, and
// both contestants asked at once. It returns when the requests are on their way.
// ctx bounds the whole turn, the critic included.
//
// Where the contestants play several characters, the one who is addressed
// answers, else the one who spoke last.
func (d *Duel) Say(ctx context.Context, line string) error { return d.say(ctx, line, "", nil) }

// SayTo is Say with a played character who is to answer.
func (d *Duel) SayTo(ctx context.Context, line, name string) error {
	speaker, err := d.played(name)
	if err != nil {
		return err
	}
	return d.say(ctx, line, speaker, nil)
}

// say plays a line of the person, or of a model that plays the person.
func (d *Duel) say(ctx context.Context, line, speaker string, by *auto) error {
	line = strings.TrimSpace(line)
	if line == "" {
		return ErrEmpty
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return ErrClosed
	case d.busy():
		return ErrBusy
	case by == nil:
		d.stopAuto("you took over")
	case d.auto != by:
		return context.Canceled
	}
	d.stopStaging()
	if speaker == "" {
		speaker = d.answerer(line)
	}
	d.open(ctx, line, speaker, by)
	return nil
}

// open settles the last turn and begins another, in which a played character
// answers on both sides. Callers hold d.mu.
func (d *Duel) open(ctx context.Context, line, speaker string, by *auto) {
	d.settle()
	number := d.before() + len(d.turns) + 1
	t := d.newTurn(number)
	t.Line, t.Note, t.Scenery = line, d.note, d.scenery
	if d.opts.Scene.Ensemble() {
		t.Speaker = speaker
	}
	d.note, d.scenery, d.named, d.late, d.booked, d.next = "", "", false, false, false, NextChosen{}
	if by != nil {
		if line != "" {
			t.Auto = d.opts.Contestants[by.contestant].Name
		}
		by.left--
		d.tellAuto(by, "")
	}
	d.turns = append(d.turns, t)
	d.record(func(r Recorder) error { return r.RecordTurn(*t) })
	d.emit(TurnStarted{Epoch: d.opts.Epoch, Turn: copyTurn(t)})
	d.doneAt = time.Time{}
	for _, side := range []Side{A, B} {
		d.start(ctx, t, t.Seats[side])
	}
}

func (d *Duel) newTurn(number int) *Turn {
	now := time.Now()
	return &Turn{ID: NewID(now), DuelID: d.opts.ID, Number: number, Seats: d.seats(number), Canon: -1, Started: now}
}

// seats decides who stands where in a turn.
func (d *Duel) seats(turn int) [2]int {
	if d.opts.Blind && rand.New(rand.NewPCG(uint64(d.opts.Seed), uint64(turn))).IntN(2) == 1 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

// busy reports whether a reply is being written. Callers hold d.mu.
func (d *Duel) busy() bool { return d.playing[0] != nil || d.playing[1] != nil }

// Running reports whether a reply or a verdict is being written, or it is being
// decided who goes on.
func (d *Duel) Running() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy() || len(d.judging) > 0 || d.staging != nil
}

// Regenerate asks the given sides (both when none is named) for another reply
// to the last line, as a new swipe. The turn's vote and ruling are taken back;
// what they counted for is replaced when a new one comes.
func (d *Duel) Regenerate(ctx context.Context, sides ...Side) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	if err != nil {
		return err
	}
	if len(sides) == 0 {
		sides = []Side{A, B}
	}
	for _, s := range sides {
		if d.playing[t.Seats[s]] != nil {
			return ErrBusy
		}
	}
	d.reopen(t)
	for _, s := range sides {
		d.start(ctx, t, t.Seats[s])
	}
	return nil
}

// last returns the turn in play. Callers hold d.mu.
func (d *Duel) last() (*Turn, error) {
	if d.closed {
		return nil, ErrClosed
	}
	if len(d.turns) == 0 {
		return nil, ErrNoTurn
	}
	return d.turns[len(d.turns)-1], nil
}

// Rejudge asks the critic again about the last turn.
func (d *Duel) Rejudge(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	switch {
	case err != nil:
		return err
	case d.busy():
		return ErrBusy
	case d.opts.Critic == nil:
		return ErrNoCritic
	}
	d.stopRuling(t)
	d.judge(ctx, t)
	return nil
}

// Cancel stops every reply and verdict being written, the choice of who goes on,
// and a model that plays the person; what had arrived stays.
func (d *Duel) Cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopAuto("stopped")
	if d.staging != nil {
		d.staging.stop()
	}
	for _, stop := range d.playing {
		if stop != nil {
			stop()
		}
	}
	d.stopJudging()
}

// CancelSide stops one side's reply; the other goes on.
func (d *Duel) CancelSide(s Side) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	if err != nil {
		return
	}
	if stop := d.playing[t.Seats[s]]; stop != nil {
		stop()
	}
}

// stopRuling stops the ruling of one turn; an earlier turn's goes on.
func (d *Duel) stopRuling(t *Turn) {
	if stop := d.judging[t.Ruling]; stop != nil {
		stop()
	}
}

func (d *Duel) stopJudging() {
	for _, stop := range d.judging {
		stop()
	}
}

// SetCanon changes who chooses the canon reply, from the turn in play on.
func (d *Duel) SetCanon(p CanonPolicy) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opts.Canon = p
	if t, err := d.last(); err == nil && !d.busy() {
		d.chooseCanon(t)
	}
}

// Turns returns copies of all turns so far.
func (d *Duel) Turns() []Turn {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]Turn, len(d.turns))
	for i, t := range d.turns {
		out[i] = copyTurn(t)
	}
	return out
}

// Close stops all that is running, waits for it, records how it ended, and
// closes the channel of events. It is safe to call twice.
func (d *Duel) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	for _, stop := range d.playing {
		if stop != nil {
			stop()
		}
	}
	d.stopJudging()
	d.stopStaging()
	d.stopAuto("the duel was closed")
	d.mu.Unlock()
	d.idle.changed()
	d.wg.Wait()
	d.mu.Lock()
	d.settle()
	d.keepScenery()
	d.mu.Unlock()
	d.events.close()
	return nil
}

func (d *Duel) emit(ev Event) { d.events.put(ev) }

// record runs one call on the recorder; a failure is told and play goes on.
func (d *Duel) record(f func(Recorder) error) {
	if d.opts.Recorder == nil {
		return
	}
	if err := f(d.opts.Recorder); err != nil {
		d.emit(Trouble{Epoch: d.opts.Epoch, Err: fmt.Errorf("the ledger could not be written: %w", err)})
	}
}

// copyTurn makes a copy that later changes do not reach.
func copyTurn(t *Turn) Turn {
	c := *t
	for i := range t.Swipes {
		c.Swipes[i] = make([]*Reply, len(t.Swipes[i]))
		for j, r := range t.Swipes[i] {
			rc := copyReply(r)
			c.Swipes[i][j] = &rc
		}
	}
	if t.Ruling != nil {
		r := *t.Ruling
		c.Ruling = &r
	}
	if t.Vote != nil {
		v := *t.Vote
		c.Vote = &v
	}
	return c
}

func copyReply(r *Reply) Reply {
	c := *r
	c.Segments = append([]layers.Segment(nil), r.Segments...)
	c.SpokeFor = append([]string(nil), r.SpokeFor...)
	c.Notes = append([]string(nil), r.Notes...)
	return c
}
