// Package screentest plays a terminal in tests: it runs a Bubble Tea program,
// in process or as a real binary behind a pty, on a terminal emulator, presses
// keys, and reads the screen as a person would.
//
//	term := screentest.Start(t, model, 100, 30)
//	term.Type("Good evening")
//	term.Press("enter")
//	term.WaitFor(t, "Mr Darcy")
//
// The emulator answers what programs ask a terminal (colours, cursor, modes),
// so that the program takes the path it takes on a screen.
package screentest

import (
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Patience is how long WaitFor and Quit wait unless Term.Patience says
// otherwise. It is generous: machines that run tests are busy.
const Patience = 10 * time.Second

// Term is a terminal with a program on it.
type Term struct {
	// Patience is how long to wait for the screen to show something.
	Patience time.Duration

	em     *vt.SafeEmulator
	keys   io.Writer // to the program
	resize func(w, h int)
	quit   func()
	kill   func()
	done   chan struct{} // closed when the program has ended
	result func() string // how it ended, for messages

	written atomic.Int64
	writes  atomic.Int64
}

// newTerm makes a terminal without a program.
func newTerm(w, h int) *Term {
	return &Term{
		Patience: Patience,
		em:       vt.NewSafeEmulator(w, h),
		done:     make(chan struct{}),
		result:   func() string { return "" },
	}
}

// Write takes the program's output; it makes a Term an io.Writer.
func (x *Term) Write(b []byte) (int, error) {
	x.written.Add(int64(len(b)))
	x.writes.Add(1)
	return x.em.Write(b)
}

// answer carries what the emulator answers to the program until the emulator's
// pipe is closed.
func (x *Term) answer() {
	buf := make([]byte, 4096)
	for {
		n, err := x.em.Read(buf)
		if n > 0 {
			_, _ = x.keys.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// hangUp closes the emulator's pipe, which ends answer. Emulator.Close would
// race with it.
func (x *Term) hangUp() {
	if c, ok := x.em.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
}

// Screen returns what is on the screen as text: rows without trailing spaces,
// joined by line feeds.
func (x *Term) Screen() string {
	// Emulator.String is not covered by the emulator's lock, Render is.
	lines := strings.Split(ansi.Strip(x.em.Render()), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.Join(lines, "\n")
}

// Styled returns the screen with its colours, for goldens and pictures.
func (x *Term) Styled() string { return x.em.Render() }

// Lines returns the rows of Screen.
func (x *Term) Lines() []string { return strings.Split(x.Screen(), "\n") }

// Find returns the cell at which text first stands on the screen.
func (x *Term) Find(text string) (col, row int, ok bool) {
	for y, l := range x.Lines() {
		if before, _, found := strings.Cut(l, text); found {
			return ansi.StringWidth(before), y, true
		}
	}
	return 0, 0, false
}

// Cursor returns where the cursor is.
func (x *Term) Cursor() (col, row int) {
	p := x.em.CursorPosition()
	return p.X, p.Y
}

// Output returns how many bytes the program wrote so far, and in how many writes.
func (x *Term) Output() (bytes, writes int64) { return x.written.Load(), x.writes.Load() }

// Resize changes the size of the terminal.
func (x *Term) Resize(w, h int) {
	x.em.Resize(w, h)
	x.resize(w, h)
}

// WaitFor waits until the screen shows text, and fails the test with a picture
// of the screen if it does not.
func (x *Term) WaitFor(t testing.TB, text string) {
	t.Helper()
	x.WaitUntil(t, "the screen shows "+quote(text), func(screen string) bool {
		return strings.Contains(screen, text)
	})
}

// WaitGone waits until the screen no longer shows text.
func (x *Term) WaitGone(t testing.TB, text string) {
	t.Helper()
	x.WaitUntil(t, "the screen no longer shows "+quote(text), func(screen string) bool {
		return !strings.Contains(screen, text)
	})
}

// WaitUntil waits for a state of the screen; what says what is waited for.
func (x *Term) WaitUntil(t testing.TB, what string, ok func(screen string) bool) {
	t.Helper()
	deadline := time.Now().Add(x.Patience)
	for pause := time.Millisecond; ; pause = min(pause*2, 20*time.Millisecond) {
		ended := x.ended()
		screen := x.Screen()
		if ok(screen) {
			return
		}
		if ended {
			t.Fatalf("screentest: the program ended before %s%s; the screen was\n%s", what, x.result(), framed(screen))
		}
		if time.Now().After(deadline) {
			t.Fatalf("screentest: waited %v until %s; the screen is\n%s", x.Patience, what, framed(screen))
		}
		time.Sleep(pause)
	}
}

// ended reports whether the program has ended.
func (x *Term) ended() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// Done is closed when the program has ended.
func (x *Term) Done() <-chan struct{} { return x.done }

// WaitDone waits until the program has ended by itself.
func (x *Term) WaitDone(t testing.TB) {
	t.Helper()
	select {
	case <-x.done:
	case <-time.After(x.Patience):
		t.Fatalf("screentest: waited %v for the program to end; the screen is\n%s", x.Patience, framed(x.Screen()))
	}
}

// Quit ends the program and waits for it; one that does not end is killed.
func (x *Term) Quit() {
	if x.ended() {
		return
	}
	go x.quit()
	select {
	case <-x.done:
	case <-time.After(x.Patience):
		x.kill()
		<-x.done
	}
}

func quote(s string) string { return "“" + s + "”" }

// framed draws a frame around a screen, so that blank rows and columns show.
func framed(screen string) string {
	lines := strings.Split(screen, "\n")
	w := 0
	for _, l := range lines {
		w = max(w, ansi.StringWidth(l))
	}
	var b strings.Builder
	edge := "+" + strings.Repeat("-", w) + "+\n"
	b.WriteString(edge)
	for _, l := range lines {
		b.WriteString("|" + l + strings.Repeat(" ", w-ansi.StringWidth(l)) + "|\n")
	}
	b.WriteString(edge)
	return b.String()
}
