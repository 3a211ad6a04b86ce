package stage

import "herarena/tui/look"

// boxed is a side's box as last drawn. A reply that streams moves its rows up
// and changes the last one: those that stood in the box before are not drawn
// again.
type boxed struct {
	look         *look.Look
	w, h         int
	focused      bool
	title, right string

	rows []string // as given
	out  []string // the box
	next []string // taken in turns with out
	anew []string // rows to be drawn
}

// draw is look.Box. The slice is good until the call after the next.
func (b *boxed) draw(l *look.Look, title, right string, rows []string, w, h int, focused bool) []string {
	rows = rows[:max(min(len(rows), h-2), 0)]
	same := b.look == l && b.w == w && b.h == h && b.focused == focused && len(b.rows) == len(rows) && len(b.out) == h
	if !same || h < 2 || w < 2 || len(rows) < h-2 {
		b.out = l.Box(title, right, rows, w, h, focused)
		b.keep(l, title, right, rows, w, h, focused)
		return b.out
	}
	out := append(b.next[:0], b.out...)
	if b.title != title || b.right != right {
		out[0] = l.Box(title, right, nil, w, 2, focused)[0]
	}
	b.anew = b.anew[:0]
	from := b.moved(rows)
	for i, row := range rows {
		if j := i + from; j < len(b.rows) && b.rows[j] == row {
			out[i+1] = b.out[j+1]
			continue
		}
		b.anew = append(b.anew, row)
		out[i+1] = ""
	}
	if len(b.anew) > 0 {
		drawn := l.Box("", "", b.anew, w, len(b.anew)+2, focused)[1:]
		for i := range rows {
			if out[i+1] == "" {
				out[i+1], drawn = drawn[0], drawn[1:]
			}
		}
	}
	b.next, b.out = b.out, out
	b.keep(l, title, right, rows, w, h, focused)
	return b.out
}

// moved returns by how many rows the rows have moved up since the last time.
func (b *boxed) moved(rows []string) int {
	for j, row := range b.rows {
		// A blank row stands in many places, so the next one has to fit as well.
		if row == rows[0] && (j+1 >= len(b.rows) || len(rows) < 2 || b.rows[j+1] == rows[1]) {
			return j
		}
	}
	return 0
}

func (b *boxed) keep(l *look.Look, title, right string, rows []string, w, h int, focused bool) {
	b.look, b.title, b.right, b.w, b.h, b.focused = l, title, right, w, h, focused
	b.rows = append(b.rows[:0], rows...)
}
