// Package board is the screen of the ratings: a table per source, with an
// interval drawn for each contestant.
package board

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/rating"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// Leave asks to go back from the board.
type Leave struct{}

// Options are what a board is made of.
type Options struct {
	// Source is shown first; "" takes the first of Sources.
	Source string
	// Sources lists the sources that have battles; nil: there are none.
	Sources func(ctx context.Context) ([]string, error)
	// Board returns the ratings of a source; nil: there are none.
	Board func(ctx context.Context, source string) (rating.Board, error)
	Note  string
	Look  *look.Look
}

// Screen is the board. Make it with New; its requests end with Close.
type Screen struct {
	o       Options
	look    *look.Look
	ctx     context.Context
	cancel  context.CancelFunc
	sources []string
	at      int
	boards  map[string]rating.Board
	faults  map[string]string
	fault   string
	loading bool

	w, h  int
	top   int
	tabs  []tab
	frame string
	fresh bool
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
	board  rating.Board
	err    error
}

// New makes the screen.
func New(o Options) *Screen {
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	s := &Screen{o: o, look: o.Look, boards: map[string]rating.Board{}, faults: map[string]string{}}
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
	if s.o.Board == nil || s.at >= len(s.sources) {
		return nil
	}
	source := s.sources[s.at]
	return func() tea.Msg {
		b, err := s.o.Board(s.ctx, source)
		return boardMsg{s, source, b, err}
	}
}

// Title is the window's title.
func (s *Screen) Title() string { return "board" }

// Cursor says that there is no text cursor.
func (s *Screen) Cursor() (x, y int, ok bool) { return 0, 0, false }

// SetLook changes palette and glyphs.
func (s *Screen) SetLook(l *look.Look) { s.look, s.fresh = l, false }

// SetSize sets the size of the screen, in cells.
func (s *Screen) SetSize(w, h int) { s.w, s.h, s.fresh = w, h, false }

var (
	keyBack   = keys.New("back", "esc", "q").As("esc").Hinted("back")
	keyNext   = keys.New("next source", "tab", "right").As("tab →").Hinted("source")
	keyBefore = keys.New("source before", "shift+tab", "left").As("shift+tab ←")
	keyUp     = keys.New("scroll up", "up", "k", "pgup").As("↑ k")
	keyDown   = keys.New("scroll down", "down", "j", "pgdown").As("↓ j").Hinted("scroll")
	keyReload = keys.New("rate again", "r").Hinted("rate again")
)

// Keys returns the screen's bindings.
func (s *Screen) Keys() []keys.Group { return Groups() }

// Groups are the screen's bindings as the help and the README show them.
func Groups() []keys.Group {
	return []keys.Group{{Title: "Board", Bindings: []keys.Binding{keyNext, keyBefore, keyUp, keyDown, keyReload, keyBack}}}
}

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
		s.fresh = false
		delete(s.faults, m.source)
		if m.err != nil {
			s.faults[m.source] = m.err.Error()
			return nil
		}
		s.boards[m.source] = m.board
	case tea.KeyPressMsg:
		s.fresh = false
		return s.press(m)
	case tea.MouseClickMsg:
		for _, t := range s.tabs {
			if m.Y == 1 && m.X >= t.from && m.X < t.to {
				return s.show(t.at)
			}
		}
	case tea.MouseWheelMsg:
		s.fresh = false
		switch m.Button {
		case tea.MouseWheelUp:
			s.top = max(s.top-1, 0)
		case tea.MouseWheelDown:
			s.top++
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

func (s *Screen) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case keyBack.Is(k):
		return func() tea.Msg { return Leave{} }
	case keyNext.Is(k):
		return s.show(s.at + 1)
	case keyBefore.Is(k):
		return s.show(s.at - 1)
	case keyUp.Is(k):
		s.top = max(s.top-1, 0)
	case keyDown.Is(k):
		s.top++
	case keyReload.Is(k):
		return s.Init()
	}
	return nil
}

// show turns to a source, around at both ends.
func (s *Screen) show(at int) tea.Cmd {
	if len(s.sources) == 0 {
		return nil
	}
	s.at, s.top, s.fresh = (at+len(s.sources))%len(s.sources), 0, false
	return s.load()
}

// View returns the screen; while nothing has changed it is the very same string.
func (s *Screen) View() string {
	if s.fresh || s.w <= 0 || s.h <= 0 {
		return s.frame
	}
	rows := []string{s.header(), s.tabRow(), s.look.Paint(look.Border, strings.Repeat(s.look.Glyphs.Rule, s.w))}
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
	right := l.Paint(look.Dim, guard.Line(s.o.Note)) + " "
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
	l := s.look
	text := ""
	for _, b := range []keys.Binding{keyBack, keyNext, keyDown, keyReload, keys.New("", "?").Hinted("help")} {
		text += "   " + l.Paint(look.Key, b.ShownIn(l.ASCII)) + l.Paint(look.Dim, " "+b.Hint)
	}
	return text
}

// body is the table of the source shown, or why there is none.
func (s *Screen) body(h int) []string {
	l := s.look
	say := func(role look.Role, text string) []string {
		return []string{"", "   " + l.Paint(role, l.Truncate(guard.Line(text), max(s.w-6, 1)))}
	}
	switch {
	case s.fault != "":
		return say(look.Bad, "the ledger could not be read: "+s.fault)
	case len(s.sources) == 0 && s.loading:
		return say(look.Dim, "reading the ledger"+l.Glyphs.More)
	case len(s.sources) == 0:
		return say(look.Dim, "no battles yet: play a turn and vote, or let the critic judge")
	}
	source := s.sources[s.at]
	if fault := s.faults[source]; fault != "" {
		return say(look.Bad, "this board could not be made: "+fault)
	}
	b, ok := s.boards[source]
	if !ok {
		return say(look.Dim, "rating"+l.Glyphs.More)
	}
	rows := []string{"   " + l.Paint(look.Dim, counted(b.Battles, len(b.Ratings)))}
	for _, w := range b.Warnings {
		for i, row := range prose.Wrap(guard.Line(w), max(s.w-8, 1)) {
			lead := "! "
			if i > 0 {
				lead = "  "
			}
			rows = append(rows, "   "+l.Paint(look.Warn, lead+row))
		}
	}
	rows = append(rows, "")
	if len(b.Ratings) == 0 {
		return rows
	}
	return append(rows, s.table(b.Ratings, h-len(rows))...)
}

func counted(battles, contestants int) string {
	noun := "battles"
	if battles == 1 {
		noun = "battle"
	}
	return fmt.Sprintf("%d %s, %d contestants; Bradley-Terry in Elo points, 95%% intervals", battles, noun, contestants)
}
