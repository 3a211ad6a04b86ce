package tui

import (
	"fmt"
	"strings"

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
		role := look.Selected
		if m.toast.bad {
			role = look.Badge
		}
		text := m.look.Paint(role, " "+m.look.Truncate(m.toast.text, m.w-6)+" ")
		look.Lay(rows, []string{text}, m.w-look.Width(text)-1, m.h-2, m.w)
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
