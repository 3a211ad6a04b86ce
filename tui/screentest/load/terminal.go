//go:build linux || darwin

package load

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/creack/pty"
)

// terminal is the other end of the pty: it answers what programs ask, types,
// and keeps all that is written to it, with the time.
type terminal struct {
	pty   *os.File
	began time.Time

	mu      sync.Mutex
	out     []byte
	chunks  []chunk
	pending map[string]time.Time // glyphs on their way, by when they were typed
	delays  []time.Duration
	asked   int           // up to where questions were looked for
	closed  chan struct{} // the program has closed its end
}

// chunk says when the output had come to a length.
type chunk struct {
	at  time.Duration
	end int
}

// questions are what a program may ask at its start, with the answers of a
// terminal that has synchronised output and grapheme clusters switched off.
var questions = [...]struct{ ask, answer string }{
	{"\x1b]11;?\x07", "\x1b]11;rgb:1e1e/1e1e/1e1e\x07"},
	{"\x1b]11;?\x1b\\", "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"},
	{"\x1b[6n", "\x1b[1;1R"},
	{"\x1b[?2026$p", "\x1b[?2026;2$y"},
	{"\x1b[?2027$p", "\x1b[?2027;2$y"},
}

// open starts a program on a terminal.
func open(cmd *exec.Cmd) (*terminal, error) {
	began := time.Now()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: Width, Rows: Height})
	if err != nil {
		return nil, fmt.Errorf("cannot start %s behind a pty: %w", cmd.Path, err)
	}
	t := &terminal{pty: f, began: began, pending: map[string]time.Time{}, closed: make(chan struct{})}
	go t.read()
	return t, nil
}

func (t *terminal) read() {
	defer close(t.closed)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(buf)
		if n > 0 {
			t.take(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// take keeps what was written, answers questions and looks for glyphs.
func (t *terminal) take(b []byte) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	seam := max(len(t.out)-3, 0) // a glyph may be cut in two
	t.out = append(t.out, b...)
	t.chunks = append(t.chunks, chunk{now.Sub(t.began), len(t.out)})
	for glyph, typed := range t.pending {
		if bytes.Contains(t.out[seam:], []byte(glyph)) {
			t.delays = append(t.delays, now.Sub(typed))
			delete(t.pending, glyph)
		}
	}
	for _, q := range questions {
		from := max(t.asked-len(q.ask)+1, 0)
		for range bytes.Count(t.out[from:], []byte(q.ask)) {
			_, _ = t.pty.WriteString(q.answer)
		}
	}
	t.asked = len(t.out)
}

// await waits until the program has written text, and says when that was.
func (t *terminal) await(text string, patience time.Duration) (time.Duration, error) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		t.mu.Lock()
		at := bytes.Index(t.out, []byte(text))
		var when time.Duration
		for _, c := range t.chunks {
			if at >= 0 && c.end >= at+len(text) {
				when = c.at
				break
			}
		}
		t.mu.Unlock()
		if at >= 0 {
			return when, nil
		}
		select {
		case <-t.closed:
			return 0, fmt.Errorf("the program ended before it wrote %q; it wrote %q", text, t.tail())
		default:
		}
	}
	return 0, fmt.Errorf("the program did not write %q in %v; it wrote %q", text, patience, t.tail())
}

func (t *terminal) tail() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.out[max(len(t.out)-600, 0):])
}

// calm waits until nothing has been written for a while.
func (t *terminal) calm(quiet, patience time.Duration) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		t.mu.Lock()
		last := t.began
		if n := len(t.chunks); n > 0 {
			last = t.began.Add(t.chunks[n-1].at)
		}
		t.mu.Unlock()
		if time.Since(last) > quiet {
			return
		}
	}
}

// size is how many bytes were written so far.
func (t *terminal) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.out)
}

// settle waits until all glyphs typed were seen.
func (t *terminal) settle(patience time.Duration) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		t.mu.Lock()
		n := len(t.pending)
		t.mu.Unlock()
		if n == 0 {
			return
		}
	}
}

// lineLength is after how many glyphs the composer is emptied: it must not wrap.
const lineLength = 40

// typist types until stop is closed: a glyph that nothing else on the screen
// has, every 30 to 90 ms. The seed makes two programs hear the same rhythm.
func (t *terminal) typist(seed uint64, stop <-chan struct{}) {
	r := rand.New(rand.NewPCG(seed, 1))
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(30*time.Millisecond + time.Duration(r.Int64N(int64(60*time.Millisecond)))):
		}
		if n%(lineLength+1) == lineLength {
			t.settle(time.Second)            // or the last glyph might go before it was drawn
			_, _ = t.pty.WriteString("\x15") // ctrl+u
			continue
		}
		glyph := string(glyphOf(n))
		t.mu.Lock()
		t.pending[glyph] = time.Now()
		t.mu.Unlock()
		_, _ = t.pty.WriteString(glyph)
	}
}

// glyphOf returns the n-th glyph to type: letters of one cell that the script
// and the screens do not use.
func glyphOf(n int) rune {
	const latin, canadian = 0x24f - 0x100, 0x166c - 0x1401
	n %= latin + canadian
	if n < latin {
		return rune(0x100 + n)
	}
	return rune(0x1401 + n - latin)
}

// keys returns how many keys were seen again, how many were not, and the delay
// that half and 99 in 100 of them had at most.
func (t *terminal) keys() (seen, lost int, p50, p99 time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen, lost = len(t.delays), len(t.pending)
	if seen == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(t.delays))
	at := func(q float64) time.Duration { return sorted[min(int(q*float64(seen)), seen-1)] }
	return seen, lost, at(0.5), at(0.99)
}
