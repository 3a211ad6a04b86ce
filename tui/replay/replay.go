// Package replay is the screen on which a recorded duel is played again, at the
// pace at which it was played, on the very stage on which it was played. Cast
// writes the same as a terminal recording, Tell as lines of text.
package replay

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
)

// Leave asks to go back from the replay.
type Leave struct{}

// Options are what a replay is made of.
type Options struct {
	Duel     *ledger.DuelFull
	Speed    float64       // 0 is 1
	MaxPause time.Duration // pauses in which nothing was written are cut to it; 0 leaves them
	Look     *look.Look
	Keys     *keys.Map // the keys in force; nil: the defaults
	// CriticLabel names a critic as the screen does; nil takes its name.
	CriticLabel func(name string) string
	// Word is what the header calls this, e.g. "replay".
	Word string
	// Reading is how the person reads: panels, and what the mouse selects.
	Reading stage.Reading
	// Bare leaves the keys out of the last row, where nobody can press any.
	Bare bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// frame is the least time between two steps.
const frame = 33 * time.Millisecond

// Screen plays a duel again. Make it with New; Init starts it, Close ends it. It
// starts no goroutine: while it plays, one command at a time waits for the next
// moment.
type Screen struct {
	o       Options
	keys    *keys.Table[*Screen]
	find    keys.Binding // that begins a search, for the hints
	stage   *stage.Stage
	moments []replay.Moment
	turns   []time.Duration // when each turn began
	length  time.Duration
	next    int // index of the moment to come
	at      time.Duration
	speed   float64
	playing bool
	last    time.Time // when at was true by the clock
	round   int       // counts timers, so that an old one is known

	w, h   int
	bar    barPlaces
	text   string
	shown  string // the stage's frame that text was made of
	row    string
	ctx    context.Context
	cancel context.CancelFunc
}

type tickMsg struct {
	screen *Screen
	round  int
}

// New makes the screen, at the beginning of the duel.
func New(o Options) *Screen {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	if o.Word == "" {
		o.Word = "replay"
	}
	s := &Screen{o: o, keys: keys.NewTable(o.Keys, sets()...), speed: 1, moments: replay.Timeline(o.Duel, replay.Options{MaxPause: o.MaxPause})}
	if o.Speed > 0 {
		s.speed = min(max(o.Speed, slowest), fastest)
	}
	s.length = replay.Length(s.moments)
	for _, m := range s.moments {
		if _, ok := m.Event.(arena.TurnStarted); ok {
			s.turns = append(s.turns, m.At)
		}
	}
	s.find = StageKey("stage.search.empty", o.Keys)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.rewind()
	return s
}

// rewind puts up the empty stage, to be looked at as the one before was.
func (s *Screen) rewind() {
	old := s.stage
	if old != nil {
		s.o.Reading = old.Reading()
	}
	s.stage = newStage(s.o.Duel, nil, s.o, s.now)
	s.stage.SetSize(s.w, s.h)
	if old != nil {
		s.stage.ResumeWatching(old)
		_ = old.Close()
	}
	s.next, s.at, s.text, s.shown = 0, 0, "", ""
}

// now is the clock of the recording.
func (s *Screen) now() time.Time { return s.o.Duel.Started.Add(s.at) }

// Init begins to play.
func (s *Screen) Init() tea.Cmd { return s.play(true) }

// Close ends the timer under way.
func (s *Screen) Close() error {
	s.cancel()
	return s.stage.Close()
}

// play starts or holds the replay.
func (s *Screen) play(on bool) tea.Cmd {
	s.playing, s.last = on, s.o.Now()
	s.round++
	if !on {
		return nil
	}
	if s.over() {
		s.rewind()
	}
	return tea.Batch(s.moveTo(s.at), s.schedule())
}

// over reports whether there is nothing more to come.
func (s *Screen) over() bool { return s.next >= len(s.moments) && s.at >= s.length }

// moveTo takes all moments up to a time in.
func (s *Screen) moveTo(at time.Duration) tea.Cmd {
	s.at = min(max(at, 0), s.length)
	var events []arena.Event
	for s.next < len(s.moments) && s.moments[s.next].At <= s.at {
		events = append(events, s.moments[s.next].Event)
		s.next++
	}
	return s.stage.Advance(events...)
}

// seek goes to a time, back as well as forth.
func (s *Screen) seek(at time.Duration) tea.Cmd {
	if at < s.at {
		s.rewind()
	}
	s.last = s.o.Now()
	cmd := s.moveTo(at)
	if !s.playing {
		return cmd
	}
	s.round++
	return tea.Batch(cmd, s.schedule())
}

// due is how much of the recording passes until something on screen changes.
func (s *Screen) due() time.Duration {
	wait := time.Second - s.at%time.Second // the clock in the last row
	if s.next < len(s.moments) {
		wait = min(wait, s.moments[s.next].At-s.at)
	} else {
		wait = min(wait, s.length-s.at)
	}
	return max(wait, 0)
}

// schedule waits for the next moment.
func (s *Screen) schedule() tea.Cmd {
	wait := max(time.Duration(float64(s.due())/s.speed), frame)
	round := s.round
	return func() tea.Msg {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
			return tickMsg{s, round}
		case <-s.ctx.Done():
			return nil
		}
	}
}

// step goes on by the time that has passed.
func (s *Screen) step() tea.Cmd {
	now := s.o.Now()
	passed := now.Sub(s.last)
	s.last = now
	cmd := s.moveTo(s.at + time.Duration(float64(passed)*s.speed))
	if s.over() {
		s.playing = false
		return cmd
	}
	return tea.Batch(cmd, s.schedule())
}

// turnBefore is the beginning of the turn in play, or of the one before it right
// after a beginning.
func (s *Screen) turnBefore() time.Duration {
	i := sort.Search(len(s.turns), func(i int) bool { return s.turns[i] > s.at-time.Second })
	if i == 0 {
		return 0
	}
	return s.turns[i-1]
}

// turnAfter is the beginning of the next turn, or the end.
func (s *Screen) turnAfter() time.Duration {
	i := sort.Search(len(s.turns), func(i int) bool { return s.turns[i] > s.at })
	if i == len(s.turns) {
		return s.length
	}
	return s.turns[i]
}

// Running reports whether the replay plays.
func (s *Screen) Running() bool { return s.playing }

// Stop holds the replay.
func (s *Screen) Stop() tea.Cmd { return s.play(false) }

// Title is the window's title.
func (s *Screen) Title() string { return s.stage.Title() + " (" + s.o.Word + ")" }

// Cursor is the cell of the text cursor while a search is written.
func (s *Screen) Cursor() (x, y int, ok bool) { return s.stage.Cursor() }

// Typing reports whether a key that writes text would be text now.
func (s *Screen) Typing() bool { return s.stage.Typing() }

// SetLook changes palette and glyphs.
func (s *Screen) SetLook(l *look.Look) {
	s.o.Look = l
	s.stage.SetLook(l)
	s.text = ""
}

// SetSize sets the size of the screen, in cells.
func (s *Screen) SetSize(w, h int) {
	s.w, s.h, s.text = w, h, ""
	s.stage.SetSize(w, h)
}

// Keys returns the screen's bindings and those of the stage for looking.
func (s *Screen) Keys() []keys.Group { return WithStage(s.keys.Groups(), s.o.Keys) }

// StageKey is a binding of the stage, under the keys in force.
func StageKey(name string, m *keys.Map) keys.Binding {
	for _, g := range stage.WatchKeys() {
		for _, b := range g.Bindings {
			if b.Name == name {
				return m.Of(b)
			}
		}
	}
	return keys.Binding{}
}

// WithStage adds to the bindings of a screen those of the stage it shows, as far
// as the screen does not take their keys itself.
func WithStage(own []keys.Group, m *keys.Map) []keys.Group {
	taken := map[string]bool{}
	for _, g := range own {
		for _, b := range g.Bindings {
			for _, k := range b.Keys {
				taken[k] = true
			}
		}
	}
	out := slices.Clone(own)
	for _, g := range m.In(stage.WatchKeys()) {
		left := keys.Group{Title: g.Title, Scope: g.Scope, Text: g.Text}
		for _, b := range g.Bindings {
			n := len(b.Keys)
			searching := strings.HasPrefix(b.Name, "stage.search.") // an open search has its keys first
			b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return taken[k] && !searching })
			if len(b.Keys) > 0 || n == 0 {
				left.Bindings = append(left.Bindings, b)
			}
		}
		if len(left.Bindings) > 0 {
			out = append(out, left)
		}
	}
	return out
}
