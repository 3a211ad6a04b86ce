// Package archive is the screen of past duels: a list that is searched as one
// types and filtered by key, and a reading view of each duel. From both a duel
// is continued, replayed and exported; nothing is ever deleted here.
//
// The list is held in memory and filtered there. What was said in the duels is
// looked for by the ledger, a word at a time and in the background.
package archive

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/ledger"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/page"
	"herarena/tui/replay"
	"herarena/tui/stage"
)

// Leave asks to go back from the list or from a duel that is read.
type Leave struct{}

// Continue asks for a new duel that goes on from a past one, whose turns up to
// and including Turn are its past; 0 is all of them.
type Continue struct {
	DuelID string
	Turn   int
}

// Rejudge asks for a turn of a past duel to be judged again.
type Rejudge struct {
	DuelID string
	Turn   int
}

// Read asks for a duel to be read: the screen is to be put on the stack.
type Read struct{ Reader *Reader }

// Written says that an export is at a path.
type Written struct{ Path string }

// Replay asks for a replay: the screen is to be put on the stack.
type Replay struct{ Screen *replay.Screen }

// Options are what the archive is made of.
type Options struct {
	// Duels lists duels, newest first.
	Duels func(ctx context.Context, f ledger.Filter) ([]ledger.DuelSummary, error)
	// Search finds the duels in which a text was said; nil searches names alone.
	Search func(ctx context.Context, text string) ([]ledger.Hit, error)
	// Duel returns a duel with all that was kept of it.
	Duel func(ctx context.Context, id string) (*ledger.DuelFull, error)
	// Export writes a duel as a document and returns its path; nil: it cannot.
	Export func(ctx context.Context, d *ledger.DuelFull, f page.Format) (path string, err error)
	// CriticLabel names a critic as the screen does; nil takes its name.
	CriticLabel func(name string) string
	// MaxPause cuts the pauses of replays; 0 leaves them.
	MaxPause time.Duration
	// Reading is how the person reads now; nil reads as usual.
	Reading func() stage.Reading
	Look    *look.Look
	Keys    *keys.Map // the keys in force; nil: the defaults
	Note    string
	// Now is the clock, whose zone is that of all dates; nil is time.Now.
	Now func() time.Time
}

const (
	firstPage = 200                    // duels shown before all are read
	typing    = 120 * time.Millisecond // after the last key a search begins
	resting   = 80 * time.Millisecond  // on a duel before its preview is read
	remember  = 16                     // duels kept for the preview
)

// Screen is the list of past duels. Make it with New; its requests end with
// Close.
type Screen struct {
	o      Options
	look   *look.Look
	keys   *keys.Table[*Screen]
	ctx    context.Context
	cancel context.CancelFunc

	rows    []row
	reading bool
	fault   string

	text     string // what is typed into the search
	query    query
	typing   bool
	filter   filter
	shown    []int // indices into rows
	unplayed int   // of rows, those in which nothing was said
	lettered bool  // the last frame has letters for kinds
	at       int   // index into shown
	top      int
	found    map[string]map[string]int // by word: duels in which it was said, with the turn
	pending  int                       // words being looked for
	round    int                       // of the search, counts keys
	stopFind context.CancelFunc

	duels   map[string]*ledger.DuelFull
	order   []string // of duels, oldest first
	moved   int      // counts changes of the choice
	refused map[string]string

	w, h   int
	places places
	frame  string
	fresh  bool
}

type rowsMsg struct {
	screen *Screen
	rows   []row
	whole  bool
	err    error
}

type foundMsg struct {
	screen *Screen
	round  int
	word   string
	hits   []ledger.Hit
	err    error
}

type pauseMsg struct {
	screen *Screen
	round  int
}

type restMsg struct {
	screen *Screen
	moved  int
}

// then is what is to be done with a duel once it has been read.
type then int

const (
	preview then = iota
	read
	play
	exportHTML
	exportMarkdown
)

type duelMsg struct {
	screen *Screen
	id     string
	duel   *ledger.DuelFull
	then   then
	err    error
}

type exportedMsg struct {
	path string
	err  error
}

// New makes the screen.
func New(o Options) *Screen {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	s := &Screen{
		o: o, look: o.Look, keys: keys.NewTable(o.Keys, sets()...), found: map[string]map[string]int{},
		duels: map[string]*ledger.DuelFull{}, refused: map[string]string{}, stopFind: func() {},
	}
	s.filter.learn(nil)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Init reads the newest duels, and then all.
func (s *Screen) Init() tea.Cmd {
	s.reading = true
	return s.list(firstPage)
}

// Close ends requests under way.
func (s *Screen) Close() error {
	s.cancel()
	return nil
}

func (s *Screen) list(limit int) tea.Cmd {
	return func() tea.Msg {
		duels, err := s.o.Duels(s.ctx, ledger.Filter{Limit: limit})
		rows := make([]row, len(duels))
		for i, d := range duels {
			rows[i] = newRow(d)
		}
		return rowsMsg{s, rows, limit == 0 || len(duels) < limit, err}
	}
}

// listed takes duels in. The choice stays on its duel.
func (s *Screen) listed(m rowsMsg) tea.Cmd {
	s.fault = ""
	if m.err != nil {
		s.reading, s.fault = false, m.err.Error()
		return nil
	}
	s.rows, s.reading = m.rows, !m.whole
	s.filter.learn(s.rows)
	s.unplayed = 0
	for i := range s.rows {
		if s.rows[i].Turns == 0 {
			s.unplayed++
		}
	}
	cmd := s.choose()
	if !m.whole {
		return tea.Batch(cmd, s.list(0))
	}
	return cmd
}

// choose applies search and chips, keeping the choice on its duel.
func (s *Screen) choose() tea.Cmd {
	id := ""
	if r := s.chosen(); r != nil {
		id = r.ID
	}
	now := s.o.Now()
	s.shown = make([]int, 0, len(s.rows))
	for i := range s.rows {
		if s.filter.holds(&s.rows[i], now) && s.query.holds(&s.rows[i], s.found) {
			s.shown = append(s.shown, i)
		}
	}
	s.filter.order(s.shown, s.rows)
	at := 0
	for i, row := range s.shown {
		if s.rows[row].ID == id {
			at = i
		}
	}
	s.at, s.fresh = at, false
	return s.rest()
}

// chosen is the row the choice stands on, nil where there is none.
func (s *Screen) chosen() *row {
	if s.at < 0 || s.at >= len(s.shown) || s.shown[s.at] >= len(s.rows) {
		return nil
	}
	return &s.rows[s.shown[s.at]]
}

// rest waits until the choice has stood still and then reads its duel.
func (s *Screen) rest() tea.Cmd {
	s.moved++
	r := s.chosen()
	if r == nil || s.duels[r.ID] != nil || s.refused[r.ID] != "" || s.o.Duel == nil {
		return nil
	}
	moved := s.moved
	return s.after(resting, restMsg{s, moved})
}

// after sends a message later, unless the screen is closed before.
func (s *Screen) after(d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-s.ctx.Done():
			return nil
		}
	}
}

// fetch reads the chosen duel for something, from memory where it is there.
func (s *Screen) fetch(what then) tea.Cmd {
	r := s.chosen()
	if r == nil || s.o.Duel == nil {
		return nil
	}
	id := r.ID
	if d := s.duels[id]; d != nil && what == preview {
		return nil
	}
	return func() tea.Msg {
		// Read anew even where it is known: the duel may have gone on since.
		d, err := s.o.Duel(s.ctx, id)
		return duelMsg{s, id, d, what, err}
	}
}

// got takes a duel in and does with it what was asked for.
func (s *Screen) got(m duelMsg) tea.Cmd {
	s.fresh = false
	if m.err != nil {
		if m.then == preview {
			s.refused[m.id] = m.err.Error()
			return nil
		}
		return notice("the duel could not be read: "+m.err.Error(), true)
	}
	s.keep(m.id, m.duel)
	switch m.then {
	case read:
		return ask(Read{newReader(s.o, s.look, m.duel, s.turnOf(m.duel))})
	case play:
		return ask(Replay{newReplay(s.o, s.look, m.duel)})
	case exportHTML:
		return export(s.ctx, s.o, m.duel, page.HTML)
	case exportMarkdown:
		return export(s.ctx, s.o, m.duel, page.Markdown)
	}
	return nil
}

// keep remembers a duel, and forgets the oldest.
func (s *Screen) keep(id string, d *ledger.DuelFull) {
	delete(s.refused, id)
	if s.duels[id] == nil {
		s.order = append(s.order, id)
	}
	s.duels[id] = d
	for len(s.order) > remember {
		delete(s.duels, s.order[0])
		s.order = s.order[1:]
	}
}

// turnOf is the number of the first turn in which a word of the search was said,
// 0 without one.
func (s *Screen) turnOf(d *ledger.DuelFull) int {
	for _, word := range s.query.words {
		if n, ok := s.found[word][d.ID]; ok {
			return n
		}
	}
	return 0
}

func newReplay(o Options, l *look.Look, d *ledger.DuelFull) *replay.Screen {
	return replay.New(replay.Options{Duel: d, MaxPause: o.MaxPause, Look: l, Keys: o.Keys, CriticLabel: o.CriticLabel, Reading: o.reading()})
}

func (o Options) reading() stage.Reading {
	if o.Reading == nil {
		return stage.Reading{}
	}
	return o.Reading()
}

// export writes a document in the background and says where it is.
func export(ctx context.Context, o Options, d *ledger.DuelFull, f page.Format) tea.Cmd {
	if o.Export == nil {
		return notice("nothing can be exported here; herarena log export does", true)
	}
	return func() tea.Msg {
		path, err := o.Export(ctx, d, f)
		return exportedMsg{path, err}
	}
}

func (m exportedMsg) tell() tea.Cmd {
	if m.err != nil {
		return notice("the export failed: "+m.err.Error(), true)
	}
	return ask(Written{m.path})
}

func ask(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

func notice(text string, bad bool) tea.Cmd {
	return ask(stage.Notice{Text: guard.Line(text), Bad: bad})
}

// Title is the window's title.
func (s *Screen) Title() string { return "past duels" }

// SetLook changes palette and glyphs.
func (s *Screen) SetLook(l *look.Look) { s.look, s.fresh = l, false }

// SetSize sets the size of the screen, in cells.
func (s *Screen) SetSize(w, h int) { s.w, s.h, s.fresh = w, h, false }

// Typing reports whether a key that writes text is text now.
func (s *Screen) Typing() bool { return s.typing }
