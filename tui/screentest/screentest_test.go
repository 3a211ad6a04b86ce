package screentest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo shows what it hears.
type echo struct {
	w, h  int
	heard []string
	typed string
	dark  string
	mouse tea.MouseMode
}

func (m echo) Init() tea.Cmd { return tea.RequestBackgroundColor }

func (m echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = fmt.Sprintf("dark=%v", msg.IsDark())
	case tea.KeyPressMsg:
		m.typed += msg.Text
		m.heard = append(m.heard, msg.String())
		if msg.String() == "ctrl+c" {
			return m, tea.Quit
		}
	case tea.PasteMsg:
		m.heard = append(m.heard, "paste:"+msg.Content)
	case tea.MouseClickMsg:
		m.heard = append(m.heard, fmt.Sprintf("click:%d,%d", msg.X, msg.Y))
	case tea.MouseWheelMsg:
		m.heard = append(m.heard, fmt.Sprintf("%s:%d,%d", msg.Button, msg.X, msg.Y))
	}
	return m, nil
}

func (m echo) View() tea.View {
	last := m.heard[max(len(m.heard)-12, 0):]
	v := tea.NewView(fmt.Sprintf("size %dx%d %s\ntyped %s\n漢字 heard %s", m.w, m.h, m.dark, m.typed, strings.Join(last, " ")))
	v.AltScreen = true
	v.MouseMode = m.mouse
	return v
}

func TestStartShowsTheModelAndItsSize(t *testing.T) {
	term := Start(t, echo{}, 60, 8)
	term.WaitFor(t, "size 60x8")
	term.WaitFor(t, "dark=") // the emulator answers for its background
	term.Resize(40, 10)
	term.WaitFor(t, "size 40x10")
	if n := len(term.Lines()); n != 10 {
		t.Errorf("the screen has %d rows, want 10", n)
	}
	if b, n := term.Output(); b == 0 || n == 0 {
		t.Error("no output was counted")
	}
}

func TestTypeAndPress(t *testing.T) {
	term := Start(t, echo{}, 100, 8)
	term.Type("Guten Tag, 漢字 é")
	term.WaitFor(t, "typed Guten Tag, 漢字 é")
	for _, key := range []string{
		"enter", "tab", "shift+tab", "esc", "backspace", "up", "shift+up", "ctrl+left", "home", "end", "pgup",
		"pgdown", "delete", "f1", "f5", "alt+1", "alt+enter", "ctrl+a", "ctrl+p", "shift+enter", "alt+up", "ctrl+shift+up",
	} {
		term.Press(key)
		want := " " + key
		term.WaitUntil(t, "the key "+key+" is heard", func(screen string) bool {
			return strings.HasSuffix(strings.TrimSpace(screen), want)
		})
	}
	term.Press("?", "space")
	term.WaitFor(t, "? space")
}

func TestPasteArrivesWhole(t *testing.T) {
	term := Start(t, echo{}, 60, 8)
	term.WaitFor(t, "size")
	term.Paste("all at once")
	term.WaitFor(t, "paste:all at once")
}

func TestMouseIsHeardOnlyWhenAskedFor(t *testing.T) {
	deaf := Start(t, echo{}, 60, 8)
	deaf.WaitFor(t, "size")
	deaf.Click(3, 2)
	deaf.Press("x")
	deaf.WaitFor(t, "heard x")

	term := Start(t, echo{mouse: tea.MouseModeCellMotion}, 80, 8)
	term.WaitFor(t, "size")
	term.Click(3, 2)
	term.WaitFor(t, "click:3,2")
	term.Wheel(5, 1, 2)
	term.WaitFor(t, "wheeldown:5,1 wheeldown:5,1")
	term.Wheel(5, 1, -1)
	term.WaitFor(t, "wheelup:5,1")
}

func TestFindCountsCells(t *testing.T) {
	term := Start(t, echo{}, 60, 8)
	term.WaitFor(t, "heard")
	if col, row, ok := term.Find("heard"); !ok || col != 5 || row != 2 {
		t.Errorf("heard is found at %d,%d (%v), want 5,2: two wide characters and a space before it", col, row, ok)
	}
	if _, _, ok := term.Find("nowhere"); ok {
		t.Error("what is not there was found")
	}
}

func TestQuitEndsTheProgram(t *testing.T) {
	term := Start(t, echo{}, 60, 8)
	term.WaitFor(t, "size")
	term.Press("ctrl+c")
	term.WaitDone(t)
	term.Quit() // again does nothing
}

// recorder is a testing.TB that notes failures instead of failing.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	r.said = fmt.Sprintf(format, args...)
	panic(r)
}

// failure runs f and returns what it failed with.
func failure(t *testing.T, f func(t testing.TB)) (said string) {
	t.Helper()
	r := &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		said = r.said
	}()
	f(r)
	return ""
}

func TestWaitForFailsWithAPictureOfTheScreen(t *testing.T) {
	term := Start(t, echo{}, 30, 4)
	term.WaitFor(t, "size")
	term.Patience = 30 * time.Millisecond
	said := failure(t, func(t testing.TB) { term.WaitFor(t, "no such text") })
	if !strings.Contains(said, "no such text") || !strings.Contains(said, "|size 30x4") {
		t.Errorf("the failure says %q", said)
	}
	term.Patience = Patience
	go term.Press("ctrl+c")
	said = failure(t, func(t testing.TB) { term.WaitFor(t, "no such text") })
	if !strings.Contains(said, "ended before") {
		t.Errorf("the program ended, the failure says %q", said)
	}
}

func TestPressRefusesUnknownKeys(t *testing.T) {
	for _, key := range []string{"entr", "", "ctrl+", "ctrl+nosuch"} {
		if _, err := encode(key); err == nil {
			t.Errorf("key %q was taken", key)
		}
	}
}
