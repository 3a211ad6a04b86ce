package prose

import (
	"bytes"
	"strings"

	"herarena/tui/look"
)

// tail wraps the open part while it grows. Lines that are complete are kept,
// the last line goes on in a flow.
type tail struct {
	begin int // where the part begins in the text
	at    int // where its last line begins
	rows  []string
	fixed int // rows of complete lines
	fence byte
	run   int // length of the fence
	flow  flow
	live  bool // flow belongs to the line at at
}

func (t *tail) reset() { *t = tail{rows: t.rows[:0], begin: -1} }

// draw returns the rows of text from begin on.
func (t *tail) draw(text []byte, begin, width int, m *marks, l *look.Look) []string {
	if begin != t.begin {
		t.reset()
		t.begin, t.at = begin, begin
	}
	t.rows = t.rows[:t.fixed]
	for {
		rest := text[t.at:]
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			break
		}
		t.line(string(rest[:n]), width, true, m, l)
		t.fixed = len(t.rows)
		t.at += n + 1
		t.live = false
	}
	if t.at < len(text) {
		t.line(string(text[t.at:]), width, false, m, l)
	}
	rows := t.rows
	for len(rows) > 0 && rows[0] == "" {
		rows = rows[1:]
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// line adds the rows of one line.
func (t *tail) line(s string, width int, whole bool, m *marks, l *look.Look) {
	if c, n := fenceOf(strings.TrimLeft(s, " \t")); n > 0 && (t.fence == 0 || c == t.fence && n >= t.run) {
		if whole {
			if t.fence == 0 {
				t.fence, t.run = c, n
			} else {
				t.fence, t.run = 0, 0
			}
		}
		t.paint(s, width, look.Dim, l)
		return
	}
	if t.fence != 0 {
		t.paint(s, width, look.Code, l)
		return
	}
	if !t.live {
		t.flow = flow{width: width, marks: m, row: t.flow.row, chunk: t.flow.chunk, rows: t.flow.rows[:0]}
		t.live = true
	}
	t.flow.feed(s, whole)
	t.rows = append(t.rows, t.flow.rows...)
}

// paint adds a line in one role, without inline marks.
func (t *tail) paint(s string, width int, role look.Role, l *look.Look) {
	for _, row := range Wrap(s, width) {
		t.rows = append(t.rows, l.Paint(role, row))
	}
}
