package stage

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
	"herarena/tui/card"
	"herarena/tui/feed"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/pane"
)

// focus is the part of the stage that has the keys.
type focus int

const (
	onComposer focus = iota
	onA
	onB
	onVerdict
	focuses
)

// Leave asks to go back from the stage.
type Leave struct{}

// OpenBoard asks for the board of a source.
type OpenBoard struct {
	Source string
	// Veiled is the id of the duel in play while its contestants are not to be
	// known, "" else.
	Veiled string
}

// Notice asks for a short message to the person.
type Notice struct {
	Text string
	Bad  bool
	Path string // of the file it is about, "" for none
}

// Stage is the screen of one duel. Make it with New; it owns the duel and ends
// it with Close.
type Stage struct {
	o         Options
	look      *look.Look
	keys      *keys.Table[*Stage]
	bill      billing
	play      play
	blocks    [2][]*block
	opening   [2]*opening
	panes     [2]*pane.Pane
	folds     [2]folds
	panels    panelSet // as chosen for both sides
	read      [2]unread
	cards     *card.List
	verdict   verdictView
	mark      *marked // the place that was jumped to
	writer    composer
	past      [2][]*pastBlock
	likely    likely
	sceneries map[int]*scenery // by the number of the turn that they stand before

	job          *job    // what else the composer is used for; nil: the next line
	ghost        *ghost  // the model that was asked for the person's line
	nextGhost    int     // contestant that is asked next
	scriptedLine string  // what a model wrote into the composer last
	changed      [2]bool // contestants whose sampling is not their own
	sheet        sheet   // the panel over the stage; nil: none
	sheetAt      area
	unveiling    bool // the next press of the same key shows the names

	focus   focus
	side    arena.Side // shown where one side is alone
	zoom    bool
	back    int // the turn of the past that was jumped to; 0: none
	judged  int // index of the turn whose verdict is shown
	leaving bool
	watched bool // by someone who only looks
	byHand  bool // no clock and no mailbox move it: a test does
	hold    hold
	hinted  []look.HintSpot // where the hints stood in the last row

	menu      *menu    // nil while there is none
	search    *search  // nil while nothing is looked for
	compare   *compare // nil while the sides are shown
	selection selection
	stains    [2]stains
	taken     [2]string // what was copied last, and its text

	w, h    int
	layout  layout
	frame   frame
	ticking bool
	rows    map[arena.Source][]rating.Row

	box    *feed.Box[arena.Event]
	wake   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when the pump has ended; nil before Init
	before chan struct{} // closed when the last call on the duel has returned
}

// wakeMsg says that a stage's mailbox has something.
type wakeMsg struct{ stage *Stage }

// tickMsg moves the clocks on screen while something is waited for.
type tickMsg struct{ stage *Stage }

// calledMsg is the answer of a call on the duel; line is what the person had
// written, to be given back if the duel did not take it.
type calledMsg struct {
	stage *Stage
	err   error
	line  string
}

// boardMsg brings the ratings for the bar.
type boardMsg struct {
	stage  *Stage
	source arena.Source
	board  rating.Board
	err    error
}

// opener is a duel that knows its opening line in layers.
type opener interface{ Opening() []layers.Segment }

// New makes the screen of a duel. Turns that the duel already has are shown.
func New(o Options) *Stage {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CriticLabel == "" {
		o.CriticLabel = o.Critic
	}
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	s := &Stage{
		o: o, look: o.Look, keys: keys.NewTable(o.Keys, sets()...), bill: billing{contestants: o.Contestants, blind: o.Blind},
		panes: [2]*pane.Pane{pane.New(), pane.New()}, cards: card.New(o.Look), writer: newComposer(o.Look),
		wake: make(chan struct{}, 1), rows: map[arena.Source][]rating.Row{},
	}
	s.bill.goOn = goOnKey(s)
	s.panels = panelsOf(o.Reading.Panels)
	s.folds = [2]folds{{panels: s.panels}, {panels: s.panels}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.box = feed.New(merge, func() {
		select {
		case s.wake <- struct{}{}:
		default: // a wake-up is already waiting
		}
	})
	first := openingSegments(o)
	for side := range s.panes {
		s.opening[side] = newOpening(o.Scene, first, o.Look)
		s.opening[side].setPanels(s.panels)
		s.panes[side].Upsert(s.opening[side])
	}
	s.lookBack()
	s.play.load(o.Duel.Turns(), o.Now())
	for i := range s.play.turns {
		s.raise(i)
	}
	s.judged = len(s.play.turns) - 1
	s.showVerdict()
	s.suggest()
	s.writer.put(guard.Text(o.Line))
	return s
}

func openingSegments(o Options) []layers.Segment {
	if d, ok := o.Duel.(opener); ok {
		return d.Opening()
	}
	if line := strings.TrimSpace(o.Scene.Opening); line != "" {
		return layers.Parse(line, layers.Options{Name: o.Scene.Character.Name, Others: []string{o.Scene.User.Name}}).Segments
	}
	return nil
}

// Title is the window's title.
func (s *Stage) Title() string { return guard.Line(s.o.Scene.Title) }

// Update takes a message in.
func (s *Stage) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case wakeMsg:
		if m.stage != s {
			return nil
		}
		return tea.Batch(s.drain(), s.listen())
	case tickMsg:
		if m.stage != s {
			return nil
		}
		s.ticking = false
		s.stale(allParts)
		return s.tick()
	case unmarkMsg:
		if m.stage == s {
			s.unmark(m.mark)
		}
	case calledMsg:
		return s.called(m)
	case ghosted:
		return s.ghosted(m)
	case grownMsg:
		s.grown(m)
		return nil
	case boardMsg:
		if m.stage == s && m.err == nil {
			s.rows[m.source] = m.board.Ratings
			s.stale(barPart)
		}
		return nil
	case tea.KeyPressMsg:
		return s.press(m)
	case tea.PasteMsg:
		if s.search != nil && s.search.writing {
			s.pasteQuery(m.Content)
			return nil
		}
		if s.sheet != nil || s.scripted() {
			return nil
		}
		s.setFocus(onComposer)
		s.stale(composerPart)
		return s.writer.update(m)
	case tea.MouseMsg:
		return s.onMouse(m)
	case easyMsg:
		if m.stage == s {
			return s.easier()
		}
	case dragMsg:
		if m.stage == s {
			return s.onDrag()
		}
	}
	return nil
}

// onMouse gives the mouse to what is under it; a panel has it alone.
func (s *Stage) onMouse(msg tea.MouseMsg) tea.Cmd {
	switch m := msg.(type) {
	case tea.MouseClickMsg:
		if s.sheet != nil {
			s.clickSheet(m)
			return nil
		}
		return s.click(m)
	case tea.MouseWheelMsg:
		if s.sheet != nil {
			s.wheelSheet(m)
			return nil
		}
		s.wheel(m)
	case tea.MouseMotionMsg:
		return s.drag(m)
	case tea.MouseReleaseMsg:
		return s.release(m)
	}
	return nil
}

func notice(text string, bad bool) tea.Cmd {
	return func() tea.Msg { return Notice{Text: sentence(text), Bad: bad} }
}

// suggest proposes a line in the empty composer.
func (s *Stage) suggest() {
	lines := s.o.Scene.Suggestions
	if n := len(s.play.turns) + s.pastTurns(); n < len(lines) {
		s.writer.suggest(lines[n])
		return
	}
	s.writer.suggest("")
}

// SetLook changes palette and glyphs.
func (s *Stage) SetLook(l *look.Look) {
	s.look = l
	s.cards.SetLook(l)
	s.writer.setLook(l)
	for _, b := range s.sceneries {
		b.look = l
		b.version++
	}
	for side := range s.blocks {
		s.opening[side].setLook(l)
		for _, b := range s.past[side] {
			b.setLook(l)
		}
		for _, b := range s.blocks[side] {
			b.setLook(l)
		}
	}
	s.stale(allParts)
}

// SetSize sets the size of the whole screen, in cells.
func (s *Stage) SetSize(w, h int) {
	if w == s.w && h == s.h {
		return
	}
	s.w, s.h = w, h
	s.writer.setWidth(w - 1)
	s.stale(allParts)
}

// Typing reports whether a key that writes text would be text now.
func (s *Stage) Typing() bool {
	switch {
	case s.sheet != nil:
		return false
	case s.search != nil && s.search.writing, s.menu != nil:
		return true
	case s.job != nil && s.focus == onComposer:
		return true
	}
	return s.focus == onComposer && s.writer.area.Value() != "" && !s.scripted()
}
