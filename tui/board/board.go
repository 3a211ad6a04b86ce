// Package board is the screen of the ratings: a table per source, with an
// interval drawn for each contestant.
package board

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/rating"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// Leave asks to go back from the board.
type Leave struct{}

// Options are what a board is made of.
type Options struct {
	// Source is shown first; "" takes the first of Sources.
	Source string
	// Sources lists the sources that have battles; nil: there are none.
	Sources func(ctx context.Context) ([]string, error)
	// Board returns the ratings of a source, where View is nil.
	Board func(ctx context.Context, source string) (rating.Board, error)
	// View makes all pages; nil: ratings are all there is.
	View Maker
	// Draw takes a pair by its probability, keeps that, and says who.
	Draw func(ctx context.Context, source string, n rating.Next) (Drawn, error)
	// Without is the id of a duel in play whose contestants are not to be known.
	Without string
	Note    string
	Look    *look.Look
	Keys    *keys.Map // the keys in force; nil: the defaults
}

// Screen is the board. Make it with New; its requests end with Close.
type Screen struct {
	o       Options
	look    *look.Look
	keys    *keys.Table[*Screen]
	ctx     context.Context
	cancel  context.CancelFunc
	sources []string
	at      int
	views   map[string]*View
	choices map[string]Choices
	query   Query // its source aside
	faults  map[string]string
	fault   string
	loading bool

	w, h  int
	top   int
	tabs  []tab
	spots []look.HintSpot // of the hints
	heads []look.HintSpot // of the columns
	// headRow is the row of the columns' names, 0 while there is none.
	headRow int
	sorted  int // index into columns

	page      page
	row       int        // chosen, where rows can be
	left      int        // first column of the heat map
	pair      *[2]string // whose battles are listed
	filtering bool       // the filters are open
	knob      int        // of them, the chosen one
	warnings  bool       // all of them are shown
	marks     []tab      // of the pages
	drawn     Drawn      // who is to meet
	frame     string
	fresh     bool
}

// tab is where a source's name stood in the last frame.
type tab struct{ from, to, at int }

type sourcesMsg struct {
	screen  *Screen
	sources []string
	err     error
}

type boardMsg struct {
	screen *Screen
	source string
	query  Query
	view   View
	err    error
}

// New makes the screen.
func New(o Options) *Screen {
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	s := &Screen{o: o, look: o.Look, keys: keys.NewTable(o.Keys, sets()...), views: map[string]*View{}, choices: map[string]Choices{}, faults: map[string]string{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if o.Source != "" {
		s.sources = []string{o.Source}
	}
	return s
}

// Init asks for the sources and for the first board.
func (s *Screen) Init() tea.Cmd {
	if s.o.Sources == nil {
		return s.load()
	}
	s.loading = true
	return tea.Batch(func() tea.Msg {
		sources, err := s.o.Sources(s.ctx)
		return sourcesMsg{s, sources, err}
	}, s.load())
}

// Close ends requests under way.
func (s *Screen) Close() error {
	s.cancel()
	return nil
}

// load asks for the board of the source shown.
func (s *Screen) load() tea.Cmd {
	if s.o.Board == nil && s.o.View == nil || s.at >= len(s.sources) {
		return nil
	}
	source, query := s.sources[s.at], s.query
	return func() tea.Msg {
		if s.o.View != nil {
			asked := query
			asked.Source, asked.Without = source, s.o.Without
			v, err := s.o.View(s.ctx, asked)
			return boardMsg{s, source, query, v, err}
		}
		b, err := s.o.Board(s.ctx, source)
		return boardMsg{s, source, query, View{Board: b}, err}
	}
}

// shown is the view of the source shown, nil while there is none.
func (s *Screen) shown() *View {
	if s.at >= len(s.sources) {
		return nil
	}
	return s.views[s.sources[s.at]]
}

// Title is the window's title.
func (s *Screen) Title() string { return "board" }

// Cursor says that there is no text cursor.
func (s *Screen) Cursor() (x, y int, ok bool) { return 0, 0, false }

// SetLook changes palette and glyphs.
func (s *Screen) SetLook(l *look.Look) { s.look, s.fresh = l, false }

// SetSize sets the size of the screen, in cells.
func (s *Screen) SetSize(w, h int) { s.w, s.h, s.fresh = w, h, false }

// sideways turns to another source, or turns the chosen filter.
func (s *Screen) sideways(by int) tea.Cmd {
	if cmd, done := s.moved(0, by); done {
		return cmd
	}
	return s.show(s.at + by)
}

// move goes up or down: in the filters, among rows that can be chosen, else the
// whole page.
func (s *Screen) move(by int) tea.Cmd {
	if cmd, done := s.moved(by, 0); done {
		return cmd
	}
	if s.page == pairsPage {
		s.row = max(s.row+by, 0)
		return nil
	}
	s.top = max(s.top+by, 0)
	return nil
}

// height is what a page scrolls.
func (s *Screen) height() int { return max(s.h-9, 1) }

// Keys returns the screen's bindings in force.
func (s *Screen) Keys() []keys.Group { return s.keys.Groups() }

// Groups are the screen's bindings as the README shows them.
func Groups() []keys.Group { return keys.GroupsOf(sets()) }

// Commands lists what the palette can run here.
func (s *Screen) Commands() []keys.Entry { return s.keys.Entries(s, scope) }

// Do runs a command by its name.
func (s *Screen) Do(name string) tea.Cmd {
	s.fresh = false
	cmd, _ := s.keys.Run(s, name)
	return cmd
}

// Means names the command that a key would run, "" for none.
func (s *Screen) Means(k tea.KeyPressMsg) string { return s.keys.Meant(s, k, scope).Name }

// Update takes a message in.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case sourcesMsg:
		if m.screen != s {
			return nil
		}
		return s.listed(m)
	case boardMsg:
		if m.screen != s {
			return nil
		}
		if m.query != s.query {
			return nil // what was asked for has changed meanwhile
		}
		s.fresh = false
		delete(s.faults, m.source)
		if m.err != nil {
			s.faults[m.source] = m.err.Error()
			return nil
		}
		s.views[m.source] = &m.view
		if !m.query.narrowed() || len(s.choices[m.source].Scenes) == 0 {
			s.choices[m.source] = m.view.Choices
		}
	case drawnMsg:
		if m.screen != s {
			return nil
		}
		s.fresh = false
		if s.drawn = m.drawn; m.err != nil {
			s.drawn = Drawn{Text: "nobody was drawn: " + m.err.Error()}
		}
	case tea.KeyPressMsg:
		s.fresh = false
		cmd, _ := s.keys.Press(s, m, scope)
		return cmd
	case tea.MouseClickMsg:
		return s.click(m)
	case tea.MouseWheelMsg:
		s.fresh = false
		switch m.Button {
		case tea.MouseWheelUp:
			return s.move(-1)
		case tea.MouseWheelDown:
			return s.move(1)
		}
	}
	return nil
}

// click turns to a source, sorts by a column, or runs the command of a hint.
func (s *Screen) click(m tea.MouseClickMsg) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	switch m.Y {
	case 1:
		for _, t := range s.tabs {
			if m.X >= t.from && m.X < t.to {
				return s.show(t.at)
			}
		}
	case 2:
		for _, t := range s.marks {
			if m.X >= t.from && m.X < t.to {
				s.fresh = false
				return s.turnTo(page(t.at))
			}
		}
	case s.h - 1:
		if name := look.HintAt(s.spots, m.X); name != "" {
			return func() tea.Msg { return keys.Run{Name: name} }
		}
	case s.headRow:
		if name := look.HintAt(s.heads, m.X); name != "" {
			s.sortBy(name)
		}
	}
	return nil
}

// listed takes the sources in, keeping the one shown.
func (s *Screen) listed(m sourcesMsg) tea.Cmd {
	s.loading, s.fresh = false, false
	if m.err != nil {
		s.fault = m.err.Error()
		return nil
	}
	shown := s.o.Source
	if s.at < len(s.sources) {
		shown = s.sources[s.at]
	}
	s.sources, s.at = append([]string(nil), m.sources...), -1
	for i, source := range s.sources {
		if source == shown {
			s.at = i
		}
	}
	if s.at < 0 {
		s.at = 0
		if shown != "" {
			s.sources = append([]string{shown}, s.sources...)
		}
	}
	return s.load()
}

// show turns to a source, around at both ends.
func (s *Screen) show(at int) tea.Cmd {
	if len(s.sources) == 0 {
		return nil
	}
	s.at, s.top, s.fresh = (at+len(s.sources))%len(s.sources), 0, false
	s.drawn = Drawn{} // by this source's battles
	return s.load()
}

// View returns the screen; while nothing has changed it is the very same string.
func (s *Screen) View() string {
	if s.fresh || s.w <= 0 || s.h <= 0 {
		return s.frame
	}
	rows := []string{s.header(), s.tabRow(), s.pageRow()}
	s.headRow, s.heads = 0, s.heads[:0]
	body := s.body(s.h - 4)
	for i := range s.h - 4 {
		row := ""
		if i < len(body) {
			row = body[i]
		}
		rows = append(rows, row)
	}
	rows = append(rows, s.hints())
	for i := range rows {
		rows[i] = s.look.Pad(rows[i], s.w)
	}
	s.frame, s.fresh = strings.Join(rows, "\n"), true
	return s.frame
}

func (s *Screen) header() string {
	l := s.look
	left := " " + l.Paint(look.Title, "HER Arena") + "   the board"
	note := guard.Line(s.o.Note)
	if short, _, ok := strings.Cut(note, ":"); ok && s.w-look.Width(left)-look.Width(note) < 4 {
		note = short
	}
	right := l.Paint(look.Dim, note) + " "
	return left + strings.Repeat(" ", max(s.w-look.Width(left)-look.Width(right), 1)) + right
}

// tabRow names the sources, the one shown always among them.
func (s *Screen) tabRow() string {
	l := s.look
	s.tabs = s.tabs[:0]
	names := make([]string, len(s.sources))
	for i, source := range s.sources {
		names[i] = " " + l.Truncate(guard.Line(source), max(s.w/2, 8)) + " "
	}
	first := 0
	for first < s.at && width(names[first:s.at+1]) > s.w-2 {
		first++
	}
	text := " "
	for i := first; i < len(names); i++ {
		from := look.Width(text)
		if from+look.Width(names[i]) > s.w {
			break
		}
		s.tabs = append(s.tabs, tab{from, from + look.Width(names[i]), i})
		if i == s.at {
			text += l.Paint(look.Selected, names[i])
		} else {
			text += l.Paint(look.Dim, names[i])
		}
		text += " "
	}
	return text
}

func width(names []string) int {
	n := 0
	for _, name := range names {
		n += look.Width(name) + 1
	}
	return n
}

func (s *Screen) hints() string {
	var hints []look.Hint
	for _, name := range []string{"board.back", "board.source.next", "board.open", "board.play", "board.filter", "board.sort", "board.reload"} {
		if name == "board.play" && !s.pairShown() {
			continue
		}
		b := s.keys.Get(name)
		hints = append(hints, look.Hint{Name: name, Key: b.ShownIn(s.look.ASCII), Word: b.Hint})
	}
	hints = append(hints, look.Hint{Name: "app.help", Key: "?", Word: "help"})
	text, spots := s.look.Hints(hints, 3, s.w-4)
	s.spots = look.Shift(spots, 3)
	return "   " + text
}
