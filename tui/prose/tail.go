package prose

import (
	"strings"

	"herarena/tui/look"
)

// tail wraps the open part while it grows, as near to its final look as can be
// told from the line at hand. Lines that are complete are kept, the last line
// goes on in a flow.
type tail struct {
	begin int // where the part begins in the text
	at    int // where its last line begins
	rows  []string
	fixed int // rows of complete lines, and those of the last one that are final

	fence byte // the open fence's character
	run   int  // and length

	flow  flow
	lead  lead // how the line in the flow begins
	taken int  // rows of the flow that are among the fixed ones
	live  bool // flow belongs to the line at at
}

// lead is what a line begins with instead of text: a bullet, a quote's bar, an
// indent.
type lead struct {
	skip        int    // bytes of the line it stands for
	first, rest string // what rows begin with
	cells       int
	role        look.Role
}

func (t *tail) reset() { *t = tail{rows: t.rows[:0], begin: -1, flow: t.flow} }

// draw returns the rows of text from begin on.
func (t *tail) draw(text string, begin, width int, y *layout) []string {
	if begin != t.begin {
		t.reset()
		t.begin, t.at = begin, begin
	}
	t.rows = t.rows[:t.fixed]
	for {
		n := strings.IndexByte(text[t.at:], '\n')
		if n < 0 {
			break
		}
		t.line(text[t.at:t.at+n], width, true, y)
		t.fixed = len(t.rows)
		t.at += n + 1
		t.live, t.taken = false, 0
	}
	if t.at < len(text) {
		t.line(text[t.at:], width, false, y)
	}
	return trimBlank(t.rows)
}

// line adds the rows of one line.
func (t *tail) line(s string, width int, whole bool, y *layout) {
	if c, n := fenceOf(strings.TrimLeft(s, " \t")); n > 0 && (t.fence == 0 || c == t.fence && n >= t.run) {
		if whole {
			if t.fence == 0 {
				t.fence, t.run = c, n
			} else {
				t.fence, t.run = 0, 0
			}
		}
		t.drop()
		return // drawn as nothing, as it will be in the end
	}
	if t.fence != 0 {
		t.code(s, width, y.look)
		return
	}
	l := leadOf(s, width, y.look)
	if !t.live || l != t.lead {
		old := t.flow
		t.drop()
		t.flow = flow{width: width - l.cells, marks: y.marks, row: old.row, rows: old.rows[:0], chunk: chunk{text: old.chunk.text}}
		t.lead, t.live = l, true
	}
	t.flow.feed(s[l.skip:], whole)
	rows := t.flow.rows
	for i := t.taken; i < len(rows); i++ {
		r := rows[i]
		if l.role != look.Text {
			r = y.look.Paint(l.role, r)
		}
		switch {
		case r == "":
			r = strings.TrimRight(l.first, " ")
		case i == 0:
			r = l.first + r
		default:
			r = l.rest + r
		}
		t.rows = append(t.rows, r)
	}
	t.taken = len(rows) - 1
	t.fixed = len(t.rows) - 1
}

// drop takes back the rows of the line in the flow.
func (t *tail) drop() {
	t.fixed -= t.taken
	t.rows, t.taken, t.live = t.rows[:t.fixed], 0, false
}

// leadOf reads how a line begins.
func leadOf(s string, width int, l *look.Look) lead {
	trimmed := strings.TrimLeft(s, " ")
	depth := len(s) - len(trimmed)
	if trimmed == "" || width < narrowest || depth > width/2 {
		return lead{}
	}
	indent := spaces(depth)
	switch {
	case isRule(trimmed):
		return lead{}
	case trimmed[0] == '>':
		bar := indent + l.Paint(look.Dim, l.Glyphs.Quote) + " "
		skip := depth + 1
		if len(trimmed) > 1 && trimmed[1] == ' ' {
			skip++
		}
		return lead{skip, bar, bar, depth + 2, look.Quote}
	case isItem(trimmed):
		mark, _, more := strings.Cut(trimmed, " ")
		skip := depth + len(mark)
		if more {
			skip++
		}
		if strings.IndexByte("-*+", mark[0]) >= 0 {
			mark = l.Glyphs.Bullet
		}
		cells := depth + look.Width(mark) + 1
		if cells > width/2 {
			return lead{}
		}
		return lead{skip, indent + mark + " ", spaces(cells), cells, look.Text}
	case isHeading(trimmed) && depth < 4:
		return lead{depth + len(trimmed) - len(strings.TrimLeft(trimmed, "# ")), "", "", 0, look.Title}
	case depth > 0:
		return lead{depth, indent, indent, depth, look.Text}
	}
	return lead{}
}

// code adds a line of an open fence.
func (t *tail) code(s string, width int, l *look.Look) {
	indent := 2
	if width < narrowest {
		indent = 0
	}
	for _, row := range Wrap(strings.TrimRight(s, " \t"), width-indent) {
		if row != "" {
			row = spaces(indent) + l.Paint(look.Code, row)
		}
		t.rows = append(t.rows, row)
	}
}
