// Package casting is the screen on which a duel is put together: the scene or the
// card, whom the person plays, who plays on either side, who judges, and the
// terms.
//
// All fields work alike: the field in focus shows what can be chosen in the list,
// and what the list stands on is told in the preview. A sensible cast is chosen
// from the start, so that enter alone begins.
//
// The list of scenes has those at hand first and then the library's, which may be
// thousands and is read once the first frame stands: in goroutines of the
// program, whose answers come as messages. What is asked for and what is there
// are compared after every message (attend), so that at most one card and one
// picture are read at a time, and always the one looked at last.
package casting

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/portrait"
)

// CriticChoice is a critic that can be cast. A nil Critic judges nothing.
type CriticChoice struct {
	Name   string // as boards know it
	Label  string // as the screen names it; empty is Name
	Note   string // one sentence on what it is
	Critic arena.Critic
}

// Shown is the critic's name on the screen, "" for the critic that judges nothing.
func (c CriticChoice) Shown() string {
	switch {
	case c.Critic == nil:
		return ""
	case c.Label != "":
		return c.Label
	}
	return c.Name
}

// OnBoards is the critic's name on boards, "" for the critic that judges nothing.
func (c CriticChoice) OnBoards() string {
	if c.Critic == nil {
		return ""
	}
	return c.Critic.Name()
}

// Preset is what is chosen when the screen opens. Unknown names and empty
// fields fall back to the first of the list; B to the second.
type Preset struct {
	SceneID      string
	A, B, Critic string
	Canon        arena.CanonPolicy // "" is arena.CanonVote
	Blind        bool
	Role         string // whom the person plays, "" for whom the scene says
	Seed         int64  // 0: drawn
	// Given is what the file of the scene SceneID tells of itself, where that
	// was handed in from outside the library; nil where it was not.
	Given *Entry
}

// Cast is a duel put together.
type Cast struct {
	Scene       characters.Scene
	Contestants [2]arena.Contestant
	Critic      CriticChoice
	Canon       arena.CanonPolicy
	Blind       bool
	// Card is the library's name of what is played, "" where Scene was handed in.
	// Scene is staged as Play says; its seed decides all that is left to chance, 0
	// where nobody chose one.
	Card string
	Play Play
	// Past are the turns before the duel's first, and Origin the duel that they
	// are from: of a branch, of a duel gone on with, of an imported chat.
	Past   []arena.PastTurn
	Origin arena.Origin
	// Line is a line to begin with: put into the composer, and with Say sent at
	// once.
	Line string
	Say  bool
	// Direction is the director's note that goes with Line, "" for none.
	Direction string
}

// Offer is what was found on this machine while the program runs. Contestants
// and critics whose names are known already are left out.
type Offer struct {
	Text        string // what was found, one sentence
	Contestants []arena.Contestant
	Critics     []CriticChoice
}

// Started asks for the duel of a cast to be started.
type Started struct{ Cast Cast }

// Ready says that the duel asked for has started, or could not.
type Ready struct{}

// OpenBoard asks for the board.
type OpenBoard struct{}

// Quit asks to leave the program.
type Quit struct{}

// Options are what the screen chooses from.
type Options struct {
	Scenes      []characters.Scene // at hand; they stand before those of the library
	Contestants []arena.Contestant
	Critics     []CriticChoice
	Preset      Preset
	Note        string
	Look        *look.Look
	Keys        *keys.Map // the keys in force; nil: the defaults
	// Shelf is the library. Nil: there is none.
	Shelf Shelf
	// Recent are the casts played last, the newest first.
	Recent []Pairing
	// Portraits says how pictures are shown; "" is portrait.Auto.
	Portraits portrait.Setting
}

// Casting is the screen. Make it with New; Close ends what it reads.
type Casting struct {
	o      Options
	look   *look.Look
	keys   *keys.Table[*Casting]
	ctx    context.Context
	cancel context.CancelFunc
	later  []tea.Cmd // to be handed out with the next answer to a message

	browse browse // the list of scenes
	entry  Entry  // the scene chosen
	play   Play   // how it is put on stage
	stages stages
	art    gallery
	lists  [lists][]option // of all fields but the scene
	chosen [lists]int
	was    before
	focus  field
	filter string // of all fields but the scene
	typing bool   // the filter takes the keys
	busy   bool   // a duel is being started
	opened bool   // the library may be read: a first frame stands
	draw   int64  // the seed where none is set
	offer  string
	bad    bool // what the offer says is a fault

	w, h int
	// page is where the screen stands in a larger window of its w and h.
	page area
	top  int // first row of the list shown
	// aboutTop is the first row of the description shown, aboutRest the rows
	// below what the last frame showed of it.
	aboutTop, aboutRest int
	frame               string
	fresh               bool
	at                  places
}

// New makes the screen with the preset chosen.
func New(o Options) *Casting {
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	c := &Casting{o: o, look: o.Look, keys: keys.NewTable(o.Keys, sets()...), draw: draw()}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.art = newGallery(o.Portraits)
	c.browse.bundled = c.bundled("")
	p := o.Preset
	c.lists[seedField] = []option{{title: "random", meta: "drawn for each duel"}}
	if p.Seed != 0 {
		c.setSeed(p.Seed)
	}
	c.list()
	if i := max(index(len(o.Scenes), func(i int) bool { return o.Scenes[i].ID == p.SceneID }), 0); i < len(o.Scenes) {
		c.entry = c.browse.bundled[i]
		c.play.Greeting = c.entry.first
	}
	c.play.Role = p.Role
	c.restage()
	c.chosen[aField] = max(c.contestant(p.A), 0)
	c.chosen[bField] = c.contestant(p.B)
	if c.chosen[bField] < 0 {
		c.chosen[bField] = 0
		if len(o.Contestants) > 1 && c.chosen[aField] == 0 {
			c.chosen[bField] = 1
		}
	}
	c.chosen[criticField] = max(index(len(o.Critics), func(i int) bool { return o.Critics[i].Name == p.Critic }), 0)
	c.chosen[canonField] = max(index(len(policies), func(i int) bool { return policies[i].policy == p.Canon }), 0)
	if p.Blind {
		c.chosen[blindField] = 1
	}
	return c
}

func (c *Casting) contestant(name string) int {
	return index(len(c.o.Contestants), func(i int) bool { return c.o.Contestants[i].Name == name })
}

func index(n int, is func(int) bool) int {
	for i := range n {
		if is(i) {
			return i
		}
	}
	return -1
}

// Cast returns the duel as it is put together; why says what is missing. Its
// scene is empty where the library has not given it yet.
func (c *Casting) Cast() (cast Cast, why string) {
	switch {
	case c.entry.ID == "":
		return cast, "there is no scene to play: herarena cast import FILE brings one"
	case c.entry.Fault != "":
		return cast, guard.Line(c.entry.Title) + " cannot be played: " + guard.Line(c.entry.Fault)
	case len(c.o.Contestants) == 0:
		return cast, "there is no contestant: herarena doctor says what is configured"
	}
	cast = Cast{
		Contestants: [2]arena.Contestant{c.o.Contestants[c.chosen[aField]], c.o.Contestants[c.chosen[bField]]},
		Canon:       policies[c.chosen[canonField]].policy,
		Blind:       c.chosen[blindField] == 1,
		Play:        c.play,
	}
	cast.Play.Seed = c.seed()
	if !c.entry.Bundled {
		cast.Card = c.entry.ID
	}
	if st := c.staged(); st != nil {
		cast.Scene = st.Scene
	}
	if i := c.chosen[criticField]; i < len(c.o.Critics) {
		cast.Critic = c.o.Critics[i]
	}
	return cast, ""
}

// Start asks for the duel as it is put together, as enter does. A scene of the
// library is put on stage first; what is being searched for is found first.
func (c *Casting) Start() tea.Cmd {
	if c.busy {
		return nil
	}
	c.fresh = false
	if c.browse.asked != c.browse.answered {
		c.browse.start = true
		return nil
	}
	cast, why := c.Cast()
	if why != "" {
		c.tell(why, true)
		return nil
	}
	c.busy = true
	if c.staged() != nil {
		return func() tea.Msg { return Started{cast} }
	}
	shelf, ctx, w := c.o.Shelf, c.ctx, c.wanted()
	if shelf == nil {
		c.busy = false
		c.tell("the scene cannot be put on stage", true)
		return nil
	}
	return func() tea.Msg {
		st, err := shelf.Stage(ctx, w.id, w.play)
		if err != nil {
			return staged{w, st, err, true}
		}
		cast.Scene = st.Scene
		return Started{cast}
	}
}

// tell says something in the last row.
func (c *Casting) tell(text string, bad bool) { c.offer, c.bad, c.fresh = guard.Line(text), bad, false }

// Close ends what is being read.
func (c *Casting) Close() error {
	c.cancel()
	return nil
}

// Title is the window's title.
func (c *Casting) Title() string { return "casting" }

// Typing reports whether keys are text now.
func (c *Casting) Typing() bool { return c.typing }

// SetLook changes palette and glyphs.
func (c *Casting) SetLook(l *look.Look) { c.look, c.fresh = l, false }

// Beyond these sizes the screen stands in the middle of the window: nobody reads
// across three hundred cells.
const pageW, pageH = 172, 50

// SetSize sets the size of the screen, in cells.
func (c *Casting) SetSize(w, h int) {
	c.w, c.h, c.fresh = min(w, pageW), min(h, pageH), false
	c.page = area{(w - c.w) / 2, (h - c.h) / 3, w, h}
}

// Offered returns who can play and who can judge now: what the screen was made
// with, and what was found since.
func (c *Casting) Offered() ([]arena.Contestant, []CriticChoice) { return c.o.Contestants, c.o.Critics }

// add takes in what was found, keeping what is chosen.
func (c *Casting) add(o Offer) {
	for _, p := range o.Contestants {
		if c.contestant(p.Name) < 0 {
			c.o.Contestants = append(c.o.Contestants, p)
		}
	}
	for _, k := range o.Critics {
		if index(len(c.o.Critics), func(i int) bool { return c.o.Critics[i].Name == k.Name }) < 0 {
			c.o.Critics = append(c.o.Critics, k)
		}
	}
	c.tell(o.Text, false)
	c.list()
}

// Played puts a cast before those played last.
func (c *Casting) Played(all []Pairing) {
	c.o.Recent, c.fresh = all, false
	c.list()
}
