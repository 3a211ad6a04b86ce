package tui

import (
	"strings"
	"sync"
	"testing"
)

// TestReadingOnATerminal searches, folds, compares and selects by keys and mouse
// as a terminal sends them; what is chosen is there again in the next run.
func TestReadingOnATerminal(t *testing.T) {
	t.Setenv("SSH_TTY", "test") // whose clipboard is left alone
	var mu sync.Mutex
	var kept Memory
	h := open()
	h.Remember = func(m Memory) error {
		mu.Lock()
		defer mu.Unlock()
		kept = m
		return nil
	}
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "The harbour office")
	x.Press("enter")
	x.WaitFor(t, "listens once both have replied")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "both orders agree")

	x.Type("/berth?")
	x.WaitFor(t, "/ berth?") // the question mark is text here, and no help
	x.Press("backspace")
	x.WaitFor(t, "in both sides")
	x.Press("esc")
	x.WaitGone(t, "in both sides")

	x.Press("f6")
	x.WaitFor(t, "Compare  turn 1 of 1")
	x.Press("esc")
	x.WaitGone(t, "Compare")

	x.Press("f5")
	x.WaitFor(t, "Panels of both sides")
	x.Type("t")
	x.Type("t")
	x.Press("esc")
	x.WaitGone(t, "Panels of both sides")
	x.WaitFor(t, "thought  11 words")

	col, row, ok := x.Find("turns the ledger")
	if !ok {
		t.Fatalf("no action on the screen:\n%s", x.Screen())
	}
	x.Drag(col, row, col+4, row)
	x.WaitFor(t, "let go")
	x.Press("y")
	x.WaitFor(t, "the selection")

	x.WaitUntil(t, "the panels are kept", func(string) bool {
		mu.Lock()
		defer mu.Unlock()
		return kept.Reading.Panels["think"] == "collapsed"
	})
	x.Quit()

	again := open()
	mu.Lock()
	again.Memory = kept
	mu.Unlock()
	y := again.enter(t, 120, 40)
	y.WaitFor(t, "The harbour office")
	y.Press("enter")
	y.WaitFor(t, "listens once both have replied")
	y.Type("I need a berth.\n")
	y.WaitFor(t, "both orders agree")
	if s := y.Screen(); !strings.Contains(s, "thought  11 words") || strings.Contains(s, "soaked to the bone") {
		t.Errorf("the panels are forgotten:\n%s", s)
	}
}
