//go:build linux || darwin

package load

import (
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"herarena/arena"
)

// glance is how often the recorded screen is looked at: a word stays far longer.
const glance = 80 * time.Millisecond

// shown plays the output back on an emulator and counts the streamed words that
// were ever on the screen. It runs after the program has ended, so that the
// emulator's work is not measured.
func (t *terminal) shown(s Script) int {
	awaited := make(map[string]bool, 2*s.Plan.Tokens())
	for n := range s.Plan.Tokens() {
		awaited[s.Word(arena.A, n)] = true
		awaited[s.Word(arena.B, n)] = true
	}
	all := len(awaited)
	em, hangUp := emulator()
	defer hangUp()
	look := func() {
		for _, w := range strings.FieldsFunc(ansi.Strip(em.Render()), func(r rune) bool { return r < 'a' || r > 'z' }) {
			delete(awaited, w)
		}
	}
	out := t.out
	if before, _, left := bytes.Cut(out, []byte("\x1b[?1049l")); left {
		out = before // leaving the alternate screen clears it
	}
	from, last := 0, time.Duration(0)
	for _, c := range t.chunks {
		end := min(c.end, len(out))
		_, _ = em.Write(out[from:end])
		from = end
		if c.at-last >= glance {
			look()
			last = c.at
		}
	}
	look()
	return all - len(awaited)
}

// emulator returns a terminal to play output back on, and what ends it.
func emulator() (*vt.SafeEmulator, func()) {
	em := vt.NewSafeEmulator(Width, Height)
	drained := make(chan struct{})
	go func() { // it answers questions, too, and waits for a reader
		defer close(drained)
		_, _ = io.Copy(io.Discard, em)
	}()
	return em, func() {
		if pipe, ok := em.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		<-drained
	}
}

// screen is what the terminal shows now.
func (t *terminal) screen() string {
	em, hangUp := emulator()
	defer hangUp()
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = em.Write(t.out)
	return ansi.Strip(em.Render())
}
