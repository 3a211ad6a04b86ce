// Package casting is the screen on which a duel is put together: the scene, who
// plays on either side, who judges, and the terms.
//
// All six fields work alike: the field in focus shows what can be chosen in the
// list, and what the list stands on is told in the preview. A sensible cast is
// chosen from the start, so that enter alone begins.
package casting

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
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
}

// Cast is a duel put together.
type Cast struct {
	Scene       characters.Scene
	Contestants [2]arena.Contestant
	Critic      CriticChoice
	Canon       arena.CanonPolicy
	Blind       bool
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
	Scenes      []characters.Scene
	Contestants []arena.Contestant
	Critics     []CriticChoice
	Preset      Preset
	Note        string
	Look        *look.Look
	Keys        *keys.Map // the keys in force; nil: the defaults
}

// field is one thing to be chosen.
type field int

const (
	sceneField field = iota
	aField
	bField
	criticField
	canonField
	blindField
	fields
)

var labels = [fields]string{"Scene", "A", "B", "Critic", "Canon", "Blind"}

// option is one row of a list.
type option struct {
	title, meta string
}

// Casting is the screen. Make it with New; it starts nothing of its own.
type Casting struct {
	o      Options
	look   *look.Look
	keys   *keys.Table[*Casting]
	lists  [fields][]option
	chosen [fields]int
	focus  field
	filter string
	typing bool // the filter takes the keys
	busy   bool // a duel is being started
	offer  string

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
	c := &Casting{o: o, look: o.Look, keys: keys.NewTable(o.Keys, sets()...)}
	c.list()
	p := o.Preset
	c.chosen[sceneField] = max(index(len(o.Scenes), func(i int) bool { return o.Scenes[i].ID == p.SceneID }), 0)
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

// policies explain who chooses canon.
var policies = []struct {
	policy arena.CanonPolicy
	about  string
}{
	{arena.CanonVote, "Your vote decides which reply both sides remember; without a vote the critic's choice, else A's."},
	{arena.CanonCritic, "The critic's choice is what both sides remember; without a verdict your vote, else A's."},
	{arena.CanonA, "A's reply is always what both sides remember."},
	{arena.CanonB, "B's reply is always what both sides remember."},
	{arena.CanonParallel, "Each side remembers its own replies. From the second turn on verdicts compare different stories, so they stay off the boards."},
}

var blindness = []struct{ title, about string }{
	{"off", "You see who plays on which side."},
	{"on", "Sides are drawn anew each turn, and names are told once you have voted."},
}

// list builds the rows of all lists from what there is to choose.
func (c *Casting) list() {
	c.lists = [fields][]option{}
	for _, s := range c.o.Scenes {
		c.lists[sceneField] = append(c.lists[sceneField], option{guard.Line(s.Title), guard.Line(s.Language)})
	}
	for _, p := range c.o.Contestants {
		meta := guard.Line(p.Model)
		if p.Rehearsal {
			meta = "scripted"
		}
		c.lists[aField] = append(c.lists[aField], option{guard.Line(p.Name), meta})
	}
	c.lists[bField] = c.lists[aField]
	for _, k := range c.o.Critics {
		title := k.Shown()
		if title == "" {
			title = "none"
		}
		c.lists[criticField] = append(c.lists[criticField], option{guard.Line(title), ""})
	}
	for _, p := range policies {
		c.lists[canonField] = append(c.lists[canonField], option{string(p.policy), ""})
	}
	for _, b := range blindness {
		c.lists[blindField] = append(c.lists[blindField], option{b.title, ""})
	}
}

// matches are the indices of a field's options that the filter lets through.
func (c *Casting) matches() []int {
	var at []int
	for i, o := range c.lists[c.focus] {
		if c.filter == "" || strings.Contains(strings.ToLower(o.title+" "+o.meta), strings.ToLower(c.filter)) {
			at = append(at, i)
		}
	}
	return at
}

// Cast returns the duel as it is put together; why says what is missing.
func (c *Casting) Cast() (cast Cast, why string) {
	switch {
	case len(c.o.Scenes) == 0:
		return cast, "there is no scene to play: herarena cast import FILE brings one"
	case len(c.o.Contestants) == 0:
		return cast, "there is no contestant: herarena doctor says what is configured"
	}
	cast = Cast{
		Scene:       c.o.Scenes[c.chosen[sceneField]],
		Contestants: [2]arena.Contestant{c.o.Contestants[c.chosen[aField]], c.o.Contestants[c.chosen[bField]]},
		Canon:       policies[c.chosen[canonField]].policy,
		Blind:       c.chosen[blindField] == 1,
	}
	if i := c.chosen[criticField]; i < len(c.o.Critics) {
		cast.Critic = c.o.Critics[i]
	}
	return cast, ""
}

// Start asks for the duel as it is put together, as enter does.
func (c *Casting) Start() tea.Cmd {
	if c.busy {
		return nil
	}
	cast, why := c.Cast()
	c.fresh = false
	if why != "" {
		c.offer = why
		return nil
	}
	c.busy = true
	return func() tea.Msg { return Started{cast} }
}

// Init does nothing: the screen starts nothing of its own.
func (c *Casting) Init() tea.Cmd { return nil }

// Close does nothing.
func (c *Casting) Close() error { return nil }

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

// Update takes a message in.
func (c *Casting) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		c.fresh = false
		return c.press(m)
	case tea.PasteMsg:
		if c.typing {
			c.seek(c.filter + guard.Line(m.Content))
		}
	case tea.MouseClickMsg:
		c.fresh = false
		m.X, m.Y = m.X-c.page.x, m.Y-c.page.y
		return c.click(m)
	case tea.MouseWheelMsg:
		m.X, m.Y = m.X-c.page.x, m.Y-c.page.y
		c.wheel(m)
	case Offer:
		c.take(m)
	case Ready:
		c.busy, c.fresh = false, false
	}
	return nil
}

// Offered returns who can play and who can judge now: what the screen was made
// with, and what was found since.
func (c *Casting) Offered() ([]arena.Contestant, []CriticChoice) { return c.o.Contestants, c.o.Critics }

// take adds what was found, keeping what is chosen.
func (c *Casting) take(o Offer) {
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
	c.offer = guard.Line(o.Text)
	c.list()
	c.fresh = false
}
