package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/board"
	"herarena/tui/casting"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
)

const (
	leastWidth, leastHeight = 60, 20
	toastTime               = 4 * time.Second
	framesPerSecond         = 120
)

// The keys that hold on every screen.
var (
	keyHelp  = keys.New("this help", "f1", "?").As("? or F1")
	keyMouse = keys.New("mouse on or off, to select text with the terminal's own", "f3")
	keyStop  = keys.New("stop what runs; twice leaves the program", "ctrl+c")
	keyQuit  = keys.New("leave the program", "ctrl+q")
)

// Everywhere are the bindings of every screen.
func Everywhere() keys.Group {
	return keys.Group{Title: "Everywhere", Bindings: []keys.Binding{keyHelp, keyMouse, keyStop, keyQuit}}
}

// Groups are all bindings, for the README.
func Groups() []keys.Group {
	all := append([]keys.Group{Everywhere()}, stage.Groups()...)
	return append(append(all, casting.Groups()...), board.Groups()...)
}

// Model is the root: the size, the look, the stack of screens, and what lies
// over them. Make it with New; Close ends its screens.
type Model struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc

	w, h  int
	look  *look.Look
	stack []Screen
	help  *help
	toast toast
	mouse bool
	armed time.Time // of the last ctrl+c
}

// toast is a short message over the screen.
type toast struct {
	id   int
	text string
	bad  bool
}

type toastDone struct{ id int }

// New makes the root model with the casting screen on the stack.
func New(o Options) *Model {
	m := &Model{o: o, mouse: true}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.look = look.New(look.Options{Dark: true, Colour: look.Full, ASCII: o.ASCII})
	m.stack = []Screen{casting.New(casting.Options{
		Scenes: o.Scenes, Contestants: o.Contestants, Critics: o.Critics, Preset: o.Preset, Note: o.Note, Look: m.look,
	})}
	return m
}

// Close ends all screens, the duels among them.
func (m *Model) Close() error {
	m.cancel()
	var err error
	for i := len(m.stack) - 1; i >= 0; i-- {
		err = errors.Join(err, m.stack[i].Close())
	}
	m.stack = nil
	return err
}

// Init asks the terminal for its background and opens the first screen.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, m.stack[0].Init(), m.awaitOffer()}
	if c, ok := m.stack[0].(*casting.Casting); ok && m.o.Open {
		cmds = append(cmds, c.Start())
	}
	return tea.Batch(cmds...)
}

func (m *Model) awaitOffer() tea.Cmd {
	if m.o.Offers == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case offer, ok := <-m.o.Offers:
			if ok {
				return offered{offer}
			}
		case <-m.ctx.Done():
		}
		return nil
	}
}

func (m *Model) top() Screen {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.top() == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		for _, s := range m.stack {
			s.SetSize(m.w, m.h)
		}
		return m, nil
	case tea.BackgroundColorMsg:
		m.setLook(func(o *look.Options) { o.Dark = msg.IsDark() })
		return m, nil
	case tea.ColorProfileMsg:
		m.setLook(func(o *look.Options) { o.Colour = level(msg.Profile) })
		return m, nil
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.MouseMsg, tea.PasteMsg:
		if m.help != nil {
			return m, nil
		}
		return m, m.top().Update(msg)
	}
	if cmd, mine := m.asked(msg); mine {
		return m, cmd
	}
	cmds := make([]tea.Cmd, 0, len(m.stack))
	for _, s := range m.stack {
		cmds = append(cmds, s.Update(msg))
	}
	return m, tea.Batch(cmds...)
}

// press takes the keys that hold everywhere and gives the rest to the screen.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	typing := false
	if t, ok := m.top().(typist); ok {
		typing = t.Typing()
	}
	switch {
	case keyStop.Is(k):
		return m.interrupt()
	case keyQuit.Is(k):
		return tea.Quit
	case m.help != nil:
		if !m.help.press(keys.Name(k)) {
			m.help = nil
		}
		return nil
	case keyHelp.Is(k) && (keys.Name(k) != "?" || !typing):
		m.help = newHelp(m.look, append(m.top().Keys(), Everywhere()))
		return nil
	case keyMouse.Is(k):
		m.mouse = !m.mouse
		if m.mouse {
			return m.say("the mouse is the arena's again", false)
		}
		return m.say("the mouse is the terminal's: select text as usual, F3 takes it back", false)
	}
	return m.top().Update(k)
}

// interrupt stops what runs; pressed again soon after it leaves.
func (m *Model) interrupt() tea.Cmd {
	now := time.Now()
	if now.Sub(m.armed) < 3*time.Second {
		return tea.Quit
	}
	m.armed = now
	if r, ok := m.top().(runner); ok && r.Running() {
		return tea.Batch(r.Stop(), m.say("stopped; ctrl+c again leaves", false))
	}
	return m.say("ctrl+c again leaves; nothing is lost", false)
}

func (m *Model) say(text string, bad bool) tea.Cmd {
	m.toast = toast{id: m.toast.id + 1, text: guard.Line(text), bad: bad}
	id, stay := m.toast.id, toastTime
	if bad {
		stay *= 2
	}
	return func() tea.Msg {
		wait := time.NewTimer(stay)
		defer wait.Stop()
		select {
		case <-wait.C:
			return toastDone{id}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// View shows the top screen and what lies over it.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true}
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	s := m.top()
	if s == nil || m.w <= 0 || m.h <= 0 {
		return v
	}
	if m.w < leastWidth || m.h < leastHeight {
		v.Content = tooSmall(m.w, m.h)
		return v
	}
	v.WindowTitle = strings.TrimSpace("HER Arena " + s.Title())
	v.Content = m.overlay(s.View())
	if x, y, ok := s.Cursor(); ok && m.help == nil {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}

var _ tea.Model = (*Model)(nil)
