package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/tui/look"
)

// overlay lays tip, finder and toast over a frame. Without any the frame is
// handed on as it is.
func (m *Model) overlay(frame string) string {
	_, tip := m.tip()
	if m.over == nil && m.toast.text == "" && !tip {
		return frame
	}
	rows := strings.Split(frame, "\n")
	if tip {
		m.layTip(rows)
	}
	if m.over != nil {
		box := m.over.view(m.w, m.h)
		look.Lay(rows, box, m.over.box.x, m.over.box.y, m.w)
	}
	if m.toast.text != "" {
		m.layToast(rows)
	}
	return strings.Join(rows, "\n")
}

// tooSmall says so in as many rows as there are.
func tooSmall(w, h int) string {
	rows := make([]string, h)
	text := fmt.Sprintf("The arena needs %d x %d cells; this window has %d x %d. Make it larger, or the letters smaller.", leastWidth, leastHeight, w, h)
	wrapped := strings.Split(ansi.Wrap(text, w, ""), "\n")
	for i := range rows {
		row := ""
		if i < len(wrapped) {
			row = wrapped[i]
		}
		rows[i] = look.Pad(row, w)
	}
	return strings.Join(rows, "\n")
}

// kept is what one frame has in common with the next, so that a frame in which
// nothing has changed allocates nothing.
type kept struct {
	screen, title string
	cursor        *tea.Cursor
}

// title is the title of the window over a screen.
func (m *Model) title(s Screen) string {
	if name := s.Title(); m.kept.title == "" || m.kept.screen != name {
		m.kept.screen, m.kept.title = name, strings.TrimSpace("HER Arena "+name)
	}
	return m.kept.title
}

// cursorAt is the text cursor at a cell. A cursor that has been given away stays
// as it is: the renderer compares it with the next.
func (m *Model) cursorAt(x, y int) *tea.Cursor {
	if c := m.kept.cursor; c == nil || c.X != x || c.Y != y {
		m.kept.cursor = tea.NewCursor(x, y)
	}
	return m.kept.cursor
}
