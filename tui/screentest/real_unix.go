//go:build linux || darwin

package screentest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Real runs a binary behind a pty of w times h cells. env replaces the
// environment; TERM is added when it is not set. The program is stopped at the
// end of the test if it still runs: Quit presses ctrl+c twice.
func Real(t testing.TB, binary string, args, env []string, w, h int) *Term {
	t.Helper()
	x := newTerm(w, h)
	cmd := exec.Command(binary, args...)
	cmd.Env = withTerm(env)
	f, err := pty.StartWithSize(cmd, size(w, h))
	if err != nil {
		t.Fatalf("screentest: cannot start %s behind a pty: %v", binary, err)
	}
	x.keys = f
	x.resize = func(w, h int) {
		if err := pty.Setsize(f, size(w, h)); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("screentest: cannot resize the pty: %v", err)
		}
	}
	x.quit = func() {
		for range 2 {
			_, _ = f.Write([]byte{3})
			time.Sleep(escPause)
		}
	}
	x.kill = func() { _ = cmd.Process.Kill() }
	var failure error // written before done is closed
	x.result = func() string {
		<-x.done
		if failure == nil {
			return ""
		}
		return fmt.Sprintf(" (%v)", failure)
	}
	go x.answer()
	go func() {
		defer close(x.done)
		buf := make([]byte, 32<<10)
		for {
			n, err := f.Read(buf)
			if n > 0 {
				_, _ = x.Write(buf[:n])
			}
			if err != nil { // EIO on Linux, EOF elsewhere: the program has closed its end
				break
			}
		}
		failure = cmd.Wait()
		x.hangUp()
		_ = f.Close()
	}()
	t.Cleanup(x.Quit)
	return x
}

func size(w, h int) *pty.Winsize {
	clamp := func(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }
	return &pty.Winsize{Cols: clamp(w), Rows: clamp(h)}
}

// withTerm adds a TERM to an environment that has none.
func withTerm(env []string) []string {
	for _, v := range env {
		if strings.HasPrefix(v, "TERM=") {
			return env
		}
	}
	return append(append([]string(nil), env...), "TERM=xterm-256color", "COLORTERM=truecolor")
}
