package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
)

// toast is a short message over the screen.
type toast struct {
	id   int
	text string
	bad  bool
}

type toastDone struct{ id int }

// say shows a short message; a bad one stays longer.
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
