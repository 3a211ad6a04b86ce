package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/tui/keys"
	"herarena/tui/look"
)

// overlay lays help and toast over a frame. Without either the frame is handed
// on as it is.
func (m *Model) overlay(frame string) string {
	if m.help == nil && m.toast.text == "" {
		return frame
	}
	rows := strings.Split(frame, "\n")
	if m.help != nil {
		box := m.help.view(m.w, m.h)
		lay(rows, box, (m.w-look.Width(box[0]))/2, (m.h-len(box))/2, m.w)
	}
	if m.toast.text != "" {
		role := look.Selected
		if m.toast.bad {
			role = look.Badge
		}
		text := m.look.Paint(role, " "+m.look.Truncate(m.toast.text, m.w-6)+" ")
		lay(rows, []string{text}, m.w-look.Width(text)-1, m.h-2, m.w)
	}
	return strings.Join(rows, "\n")
}

// lay puts a box over rows, its upper left corner at x, y.
func lay(rows, box []string, x, y, w int) {
	x = max(x, 0)
	for i, over := range box {
		if y+i < 0 || y+i >= len(rows) {
			continue
		}
		row, size := rows[y+i], look.Width(over)
		left := ansi.Truncate(row, x, "")
		left += strings.Repeat(" ", max(x-look.Width(left), 0))
		right := ansi.TruncateLeft(row, x+size, "")
		if free := w - x - size - look.Width(right); free > 0 { // a wide character was cut in two
			right = strings.Repeat(" ", free) + right
		}
		rows[y+i] = left + "\x1b[m" + over + "\x1b[m" + right
	}
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

// help lists the bindings of the screen it was called from.
type help struct {
	look   *look.Look
	groups []keys.Group
	top    int
	hidden int
}

func newHelp(l *look.Look, groups []keys.Group) *help { return &help{look: l, groups: groups} }

// press scrolls; false means that the key shuts the help.
func (h *help) press(key string) bool {
	switch key {
	case "down", "j", "pgdown", "space":
		h.top++
	case "up", "k", "pgup":
		h.top--
	default:
		return false
	}
	return true
}

// view draws the help as a box within a window of w times hgt cells.
func (h *help) view(w, hgt int) []string {
	width := min(w-4, 78)
	label := 0
	for _, g := range h.groups {
		for _, b := range g.Bindings {
			label = max(label, look.Width(b.ShownIn(h.look.ASCII)))
		}
	}
	label = min(label, width/2)
	var rows []string
	for i, g := range h.groups {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, " "+h.look.Paint(look.Title, g.Title))
		for _, b := range g.Bindings {
			key := h.look.Paint(look.Key, h.look.Pad(b.ShownIn(h.look.ASCII), label))
			for i, does := range strings.Split(ansi.Wrap(b.Does, max(width-label-7, 8), ""), "\n") {
				if i > 0 {
					key = strings.Repeat(" ", label)
				}
				rows = append(rows, "  "+key+"  "+does)
			}
		}
	}
	height := min(len(rows)+2, hgt-2)
	h.hidden = max(len(rows)-(height-2), 0)
	h.top = max(min(h.top, h.hidden), 0)
	right := h.look.Paint(look.Dim, "any key shuts it")
	if h.hidden > 0 {
		right = h.look.Paint(look.Dim, h.look.Glyphs.Up+" "+h.look.Glyphs.Down+" scroll, any other key shuts it")
	}
	return h.look.Box(h.look.Paint(look.Title, "Keys"), right, rows[h.top:], width, height, true)
}
