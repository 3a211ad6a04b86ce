//go:build linux || darwin

package load

import (
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
	em := vt.NewSafeEmulator(Width, Height)
	drained := make(chan struct{})
	go func() { // the emulator answers questions, too, and waits for a reader
		defer close(drained)
		_, _ = io.Copy(io.Discard, em)
	}()
	look := func() {
		for _, w := range strings.FieldsFunc(ansi.Strip(em.Render()), func(r rune) bool { return r < 'a' || r > 'z' }) {
			delete(awaited, w)
		}
	}
	from, last := 0, time.Duration(0)
	for _, c := range t.chunks {
		// Leaving the alternate screen would clear it.
		if _, left, ok := strings.Cut(string(t.out[from:c.end]), "\x1b[?1049l"); ok {
			_, _ = em.Write(t.out[from : c.end-len(left)-len("\x1b[?1049l")])
			break
		}
		_, _ = em.Write(t.out[from:c.end])
		from = c.end
		if c.at-last >= glance {
			look()
			last = c.at
		}
	}
	look()
	if pipe, ok := em.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	<-drained
	return all - len(awaited)
}
