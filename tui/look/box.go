package look

import "strings"

// frame is a border in one colour, prepared.
type frame struct {
	role        Role
	left, right string // painted sides
	corners     [4]string
	horizontal  string
}

// newFrame prepares the border, with focus or without. Where there is no colour
// focus shows as heavy lines.
func newFrame(l *Look, focus bool) frame {
	f := frame{role: Border, corners: l.Glyphs.corners, horizontal: l.Glyphs.horizontal}
	side := l.Glyphs.upward
	if focus {
		f.role = BorderFocus
		if l.Colour == NoColour {
			h := l.Glyphs.heavy
			f.corners, f.horizontal, side = [4]string{h[0], h[1], h[2], h[3]}, h[4], h[5]
		}
	}
	f.left, f.right = l.Paint(f.role, side), l.Paint(f.role, side)
	return f
}

// Box draws a panel of w times h cells: title at the left of the top border,
// right at its right end, rows inside. Rows are padded and cut to fit; missing
// ones are blank, surplus ones are left out. It returns h rows of exactly w
// cells. Title and right may hold colours; right gives way first when it is
// tight. A size without room for a border gives blank rows.
func (l *Look) Box(title, right string, rows []string, w, h int, focus bool) []string {
	if h <= 0 {
		return nil
	}
	out := make([]string, 0, h)
	if w < 2 || h < 2 {
		for range h {
			out = append(out, blank(w))
		}
		return out
	}
	f := &l.frame[0]
	if focus {
		f = &l.frame[1]
	}
	inner := w - 2
	out = append(out, l.top(f, title, right, inner))
	for i := range h - 2 {
		row := ""
		if i < len(rows) {
			row = l.Pad(rows[i], inner)
			if strings.IndexByte(row, 0x1b) >= 0 && !strings.HasSuffix(row, reset) {
				row += reset
			}
		} else {
			row = blank(inner)
		}
		out = append(out, f.left+row+f.right)
	}
	bottom := f.corners[2] + strings.Repeat(f.horizontal, inner) + f.corners[3]
	return append(out, l.Paint(f.role, bottom))
}

// top draws the upper border: ╭ title ──── right ╮.
func (l *Look) top(f *frame, title, right string, inner int) string {
	tw, rw := Width(title), Width(right)
	room := inner - 2 // spaces around the title
	if tw > 0 && room < 1 {
		tw, title = 0, ""
	}
	if rw > 0 && (tw > 0 && tw+rw+5 > inner || tw == 0 && rw+2 > inner) {
		rw, right = 0, ""
	}
	if tw > room {
		title = l.Truncate(title, room)
		tw = Width(title)
	}
	var b strings.Builder
	line := inner
	b.WriteString(l.Paint(f.role, f.corners[0]))
	if tw > 0 {
		b.WriteString(" " + title + " ")
		line -= tw + 2
	}
	if rw > 0 {
		line -= rw + 2
	}
	b.WriteString(l.Paint(f.role, strings.Repeat(f.horizontal, max(line, 0))))
	if rw > 0 {
		b.WriteString(" " + right + " ")
	}
	b.WriteString(l.Paint(f.role, f.corners[1]))
	return b.String()
}
