package tui

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/look"
)

const (
	leastWidth, leastHeight = 60, 20
	toastTime               = 4 * time.Second
	framesPerSecond         = 120
)

// Model is the root: the size, the look, the stack of screens, and what lies
// over them. Make it with New; Close ends its screens.
type Model struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc

	w, h     int
	wanted   look.Options // what is asked for; a theme may use less colour
	look     *look.Look
	keys     *keys.Table[*Model]
	stack    []Screen
	retiring []*playing // stages that are no longer shown and end in the background
	over     *finder    // palette, help or themes over the screen
	toast    toast
	notices  []toast // the last ones, the newest at the end
	mouse    bool
	armed    time.Time // of the last ctrl+c

	memory  Memory
	seen    map[string]bool // tips shown in this run
	unsaved bool
	saves   saves
	kept    kept
}

// saves keeps an older memory from being kept after a newer one.
type saves struct {
	issued int
	mu     sync.Mutex
	done   int
}

// New makes the root model with the casting screen on the stack.
func New(o Options) *Model {
	m := &Model{o: o, mouse: true, keys: keys.NewTable(o.Keys, sets()...), memory: o.Memory, seen: map[string]bool{}}
	if m.memory.Hints = maps.Clone(o.Memory.Hints); m.memory.Hints == nil {
		m.memory.Hints = map[string]int{}
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.wanted = look.Options{Dark: o.Background != "light", Colour: look.Full, ASCII: o.ASCII, Theme: cmp.Or(o.Theme, o.Memory.Theme)}
	m.look = look.New(m.wanted)
	m.stack = []Screen{m.first()}
	return m
}

// Close ends all screens, the duels among them.
func (m *Model) Close() error {
	m.cancel()
	var err error
	for i := len(m.stack) - 1; i >= 0; i-- {
		err = errors.Join(err, m.stack[i].Close())
	}
	for _, old := range m.retiring {
		err = errors.Join(err, old.Close())
	}
	m.stack, m.retiring = nil, nil
	if m.unsaved && m.o.Remember != nil {
		m.remember()()
	}
	return err
}

// Init asks the terminal for its background and opens the first screen.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.stack[0].Init(), m.awaitOffer(), m.o.synchronise()}
	if m.o.Background == "" || m.o.Background == "auto" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
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
		return m, m.all(msg)
	case tea.BackgroundColorMsg:
		m.setLook(func(o *look.Options) { o.Dark = msg.IsDark() })
		return m, nil
	case tea.ColorProfileMsg:
		m.setLook(func(o *look.Options) { o.Colour = level(msg.Profile) })
		return m, m.all(msg)
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.MouseMsg, tea.PasteMsg:
		if m.over != nil {
			return m, m.onFinder(msg)
		}
		if c, ok := msg.(tea.MouseClickMsg); ok && m.toast.text != "" && m.toast.place.holds(c.X, c.Y) {
			return m, m.copyNotice(m.toast)
		}
		return m, m.top().Update(msg)
	}
	if cmd, mine := m.asked(msg); mine {
		return m, cmd
	}
	return m, m.all(msg)
}

// press takes the keys that hold everywhere and gives the rest to the screen.
// Where text is being written keys of text are the screen's.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	if stop := m.keys.Get("app.stop"); stop.Is(k) {
		return m.interrupt()
	}
	if m.over != nil {
		return m.onFinder(k)
	}
	typing := false
	if t, ok := m.top().(typist); ok {
		typing = t.Typing()
	}
	if text := k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0; !text || !typing {
		if b := m.keys.Meant(m, k, ""); b.Name != "" {
			return m.run(b.Name)
		}
	}
	var followed tea.Cmd
	if s, ok := m.top().(knower); ok {
		followed = m.followed(s.Means(k))
	}
	return tea.Batch(m.top().Update(k), followed)
}

// onFinder gives a message to the finder over the screen. It is shut before what
// was chosen runs, since that may open another.
func (m *Model) onFinder(msg tea.Msg) tea.Cmd {
	var chosen func() tea.Cmd
	done := false
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		chosen, done = m.over.press(msg)
	case tea.MouseClickMsg:
		chosen, done = m.over.click(msg)
	case tea.MouseWheelMsg:
		m.over.wheel(msg)
	case tea.PasteMsg:
		m.over.paste(msg.Content)
	}
	if done {
		m.over = nil
	}
	if chosen == nil {
		return nil
	}
	return chosen()
}

// interrupt stops what runs; pressed again soon after it leaves.
func (m *Model) interrupt() tea.Cmd {
	now := time.Now()
	if now.Sub(m.armed) < 3*time.Second || m.o.First != nil {
		return tea.Quit
	}
	m.armed = now
	if r, ok := m.top().(runner); ok && r.Running() {
		return tea.Batch(r.Stop(), m.say("stopped; ctrl+c again leaves", false))
	}
	return m.say("ctrl+c again leaves; nothing is lost", false)
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
	v.WindowTitle = m.title(s)
	v.ForegroundColor, v.BackgroundColor = m.ground()
	v.Content = m.overlay(s.View())
	switch x, y, ok := s.Cursor(); {
	case m.over != nil:
		v.Cursor = m.cursorAt(m.over.cursor())
	case ok:
		v.Cursor = m.cursorAt(x, y)
	}
	return v
}

var _ tea.Model = (*Model)(nil)
