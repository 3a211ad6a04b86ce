//go:build linux || darwin

package screentest

import (
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// asProgram, when set, makes the test binary be the program under test.
const asProgram = "HERARENA_SCREENTEST_ECHO"

func TestRealRunsABinaryBehindAPty(t *testing.T) {
	if os.Getenv(asProgram) != "" {
		if _, err := tea.NewProgram(echo{mouse: tea.MouseModeCellMotion}).Run(); err != nil {
			t.Fatal(err)
		}
		return
	}
	term := Real(t, os.Args[0], []string{"-test.run=" + t.Name()}, append(os.Environ(), asProgram+"=1", "TERM=xterm-256color"), 70, 9)
	term.WaitFor(t, "size 70x9")
	term.WaitFor(t, "dark=") // the answer to OSC 11 came through the pty
	term.Type("Guten Tag")
	term.WaitFor(t, "typed Guten Tag")
	term.Press("alt+1")
	term.WaitFor(t, "alt+1")
	term.Click(4, 2)
	term.WaitFor(t, "click:4,2")
	term.Resize(50, 12)
	term.WaitFor(t, "size 50x12")
	term.Quit()
	select {
	case <-term.Done():
	default:
		t.Error("the program still runs after Quit")
	}
}

func TestRealKillsWhatDoesNotEnd(t *testing.T) {
	term := Real(t, "/bin/sh", []string{"-c", "trap '' INT; echo stubborn; while :; do sleep 0.05; done"}, os.Environ(), 40, 5)
	term.WaitFor(t, "stubborn")
	term.Patience /= 20
	term.Quit()
	if !term.ended() {
		t.Error("the program still runs")
	}
}
