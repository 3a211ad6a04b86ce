package prose

import (
	"strings"

	"charm.land/glamour/v2"

	"herarena/tui/guard"
	"herarena/tui/look"
)

// deepest is how many lists and quotes may stand within one another before the
// rest is taken as text: deeper ones are no writing but an attack.
const deepest = 6

// narrowest is the width under which lists and quotes no longer indent.
const narrowest = 12

// layout draws complete Markdown. It sets lists, quotes and code itself, with
// hanging indents and one blank row where the writer left one; plain paragraphs
// are wrapped; all other text goes through Glamour. Not for concurrent use.
type layout struct {
	look    *look.Look
	marks   *marks
	glamour map[int]*glamour.TermRenderer // by width
}

func newLayout(l *look.Look) *layout {
	return &layout{look: l, marks: newMarks(l)}
}

// draw renders a text of any number of parts at a width.
func (y *layout) draw(text string, width, depth int) []string {
	var rows []string
	for _, b := range blocksOf(text) {
		part := y.block(b, width, depth)
		if len(part) == 0 {
			continue
		}
		if len(rows) > 0 && b.apart {
			rows = append(rows, "")
		}
		rows = append(rows, part...)
	}
	return rows
}

// block renders one block.
func (y *layout) block(b block, width, depth int) []string {
	roomy := depth < deepest && width >= narrowest
	if b.kind == textBlock {
		if t, ok := tableOf(b.lines); ok {
			return y.table(t, width)
		}
	}
	switch {
	case b.kind == listBlock && roomy:
		return y.list(b.lines, width, depth)
	case b.kind == quoteBlock && roomy:
		return y.quote(b.lines, width, depth)
	case b.kind == fenceBlock:
		return y.fence(b.lines, width)
	case b.kind == ruleBlock:
		return []string{y.look.Paint(look.Dim, strings.Repeat(y.look.Glyphs.Rule, min(width, 24)))}
	case b.kind == textBlock && isPlain(b.lines):
		return y.plain(b.lines, width)
	case (b.kind == textBlock || b.kind == otherBlock) && suits(b.lines):
		return y.glam(strings.Join(b.lines, "\n"), width)
	}
	return y.literal(b.lines, width)
}

// literal draws lines one by one as they stand, bullets and emphasis apart.
func (y *layout) literal(lines []string, width int) []string {
	var t tail
	for _, l := range lines {
		t.live, t.taken = false, 0
		t.line(l, width, true, y)
		t.fixed = len(t.rows)
	}
	return trimBlank(t.rows)
}

// glam renders by Glamour.
func (y *layout) glam(text string, width int) []string {
	r := y.glamour[width]
	if r == nil {
		made, err := renderer(y.look, width)
		if err != nil {
			return y.literal(strings.Split(text, "\n"), width)
		}
		if y.glamour == nil || len(y.glamour) > 2*deepest {
			y.glamour = map[int]*glamour.TermRenderer{}
		}
		r, y.glamour[width] = made, made
	}
	out, err := r.Render(text)
	if err != nil {
		return y.literal(strings.Split(text, "\n"), width)
	}
	return cut(guard.Exit(out), width)
}

// The bounds of what Glamour is given. Its cost grows with the square of links
// and of table rows, and without bound with nesting.
const (
	glamBytes   = 4096
	glamLinks   = 64
	glamMarkers = 6
)

// suits reports whether Glamour may render lines: they are within its bounds,
// and they hold nothing it would hide. Tags and link definitions are text the
// model wrote, and here all of that is shown.
func suits(lines []string) bool {
	size, links := 0, 0
	for _, l := range lines {
		size += len(l) + 1
		links += strings.Count(l, "[") + strings.Count(l, "://") + strings.Count(l, "www.")
		inner := strings.TrimLeft(l, " \t>-*+0123456789.)")
		if size > glamBytes || links > glamLinks || isDefinition(inner) || holdsTag(l) ||
			markers(l) > glamMarkers || indentOf(l) >= 8 {
			return false
		}
	}
	return true
}

// markers counts the list and quote markers a line may begin with.
func markers(l string) int {
	n := 0
	for i := 0; i < len(l) && strings.IndexByte(" \t>-*+0123456789.):", l[i]) >= 0; i++ {
		if strings.IndexByte(">-*+.):", l[i]) >= 0 && (i+1 == len(l) || strings.IndexByte(" \t>", l[i+1]) >= 0) {
			n++
		}
	}
	return n
}

// holdsTag reports what may be read as HTML.
func holdsTag(l string) bool {
	for i := range len(l) - 1 {
		if l[i] == '<' && (asciiWord(l[i+1]) || l[i+1] == '/' || l[i+1] == '!' || l[i+1] == '?') {
			return true
		}
	}
	return false
}

// fence draws a code block: its lines as they are, indented, broken where they
// must be.
func (y *layout) fence(lines []string, width int) []string {
	indent := 2
	if width < narrowest {
		indent = 0
	}
	body := lines[1:]
	if n := len(body); n > 0 && closesFence(lines[0], body[n-1]) {
		body = body[:n-1]
	}
	strip := indentOf(lines[0])
	var rows []string
	for _, l := range body {
		l = dedent(l, strip)
		for _, r := range Wrap(strings.TrimRight(l, " \t"), width-indent) {
			rows = append(rows, spaces(indent)+y.look.Paint(look.Code, r))
			if r == "" {
				rows[len(rows)-1] = ""
			}
		}
	}
	return trimBlank(rows)
}

// quote draws a quotation behind a bar.
func (y *layout) quote(lines []string, width, depth int) []string {
	inner := make([]string, len(lines))
	for i, l := range lines {
		l = strings.TrimLeft(l, " ")
		if rest, ok := strings.CutPrefix(l, ">"); ok {
			l = strings.TrimPrefix(rest, " ")
		}
		inner[i] = l
	}
	bar := y.look.Paint(look.Dim, y.look.Glyphs.Quote) + " "
	rows := y.draw(strings.Join(inner, "\n"), width-2, depth+1)
	for i, r := range rows {
		rows[i] = bar + y.look.Paint(look.Quote, r)
	}
	return rows
}

// list draws a list, nested ones within it.
func (y *layout) list(lines []string, width, depth int) []string {
	items, loose := itemsOf(lines)
	var rows []string
	for i, it := range items {
		mark := it.mark
		if mark[0] == '-' || mark[0] == '*' || mark[0] == '+' {
			mark = y.look.Glyphs.Bullet
		}
		hang := look.Width(mark) + 1
		body := y.draw(strings.Join(it.lines, "\n"), max(width-hang, 1), depth+1)
		if len(body) == 0 {
			body = []string{""}
		}
		if i > 0 && loose {
			rows = append(rows, "")
		}
		for j, r := range body {
			switch {
			case j == 0:
				rows = append(rows, strings.TrimRight(mark+" "+r, " "))
			case r == "":
				rows = append(rows, "")
			default:
				rows = append(rows, spaces(hang)+r)
			}
		}
	}
	return rows
}

// trimBlank cuts blank rows at both ends.
func trimBlank(rows []string) []string {
	for len(rows) > 0 && rows[0] == "" {
		rows = rows[1:]
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// spaces returns n spaces.
func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
