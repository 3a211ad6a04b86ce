package prose

import (
	"strings"

	"herarena/tui/look"
)

// Bounds of a table: what is larger is drawn as the text it is.
const (
	tableColumns = 16
	tableRows    = 200
	leastColumn  = 5 // cells; a table that has no room for them is set out row by row
)

// align is to which side the cells of a column stand.
type align uint8

const (
	toLeft align = iota
	toRight
	toMiddle
)

// table is a table of GitHub's Markdown (GFM 0.29, section 4.10).
type table struct {
	head  []string
	aside []align
	rows  [][]string
}

// tableOf reads lines as a table.
func tableOf(lines []string) (*table, bool) {
	if len(lines) < 2 || len(lines) > tableRows || strings.IndexByte(lines[0], '|') < 0 {
		return nil, false
	}
	t := &table{head: cellsOf(lines[0])}
	n := len(t.head)
	rule := cellsOf(lines[1])
	if n == 0 || n > tableColumns || len(rule) != n || strings.Trim(lines[1], " \t|:-") != "" {
		return nil, false
	}
	for _, c := range rule {
		if strings.IndexByte(c, '-') < 0 || strings.Trim(strings.Trim(c, ":"), "-") != "" {
			return nil, false
		}
		left, right := c[0] == ':', c[len(c)-1] == ':'
		switch {
		case left && right:
			t.aside = append(t.aside, toMiddle)
		case right:
			t.aside = append(t.aside, toRight)
		default:
			t.aside = append(t.aside, toLeft)
		}
	}
	for _, l := range lines[2:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		cells := cellsOf(l)
		for len(cells) < n {
			cells = append(cells, "")
		}
		t.rows = append(t.rows, cells[:n])
	}
	return t, true
}

// cellsOf cuts a line at its pipes; one that is escaped or within code is text.
func cellsOf(l string) []string {
	l = strings.TrimSpace(l)
	l = strings.TrimPrefix(l, "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(l); i++ {
		switch {
		case l[i] == '\\' && i+1 < len(l) && l[i+1] == '|':
			cell.WriteByte('|')
			i++
		case l[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(l[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" || len(cells) == 0 {
		cells = append(cells, rest)
	}
	return cells
}

// table draws a table: columns as wide as they need and the width allows, cells
// wrapped. Where even that is too narrow each row is set out cell by cell under
// the names of its columns.
func (y *layout) table(t *table, width int) []string {
	widths, ok := t.widths(width)
	if !ok {
		return y.setOut(t, width)
	}
	l := y.look
	bar, rule, cross := l.Paint(look.Border, "│"), "─", "┼"
	if l.ASCII {
		bar, rule, cross = l.Paint(look.Border, "|"), "-", "+"
	}
	rows := y.tableRow(t.head, widths, t.aside, bar, look.Title)
	var line strings.Builder
	for i, w := range widths {
		if i > 0 {
			line.WriteString(cross)
		}
		line.WriteString(strings.Repeat(rule, w+2))
	}
	rows = append(rows, l.Paint(look.Border, line.String()))
	tall := false
	for i, r := range t.rows {
		next := y.tableRow(r, widths, t.aside, bar, look.Text)
		// Rows of several lines are told apart by the rule.
		if i > 0 && (tall || len(next) > 1) {
			rows = append(rows, l.Paint(look.Border, line.String()))
		}
		tall = len(next) > 1
		rows = append(rows, next...)
	}
	return rows
}

// widths divides the width among the columns: each gets what it needs, the
// widest give way first.
func (t *table) widths(width int) ([]int, bool) {
	need := make([]int, len(t.head))
	for _, cells := range append([][]string{t.head}, t.rows...) {
		for i, c := range cells {
			need[i] = max(need[i], look.Width(c), 1)
		}
	}
	room := width - 3*len(need) + 1
	sum := 0
	for _, n := range need {
		sum += n
	}
	for sum > room {
		widest, second := 0, 0
		for i, n := range need {
			if n > need[widest] {
				widest = i
			}
		}
		for i, n := range need {
			if i != widest {
				second = max(second, n)
			}
		}
		if need[widest] <= leastColumn {
			return nil, false
		}
		take := min(max(need[widest]-second, 1), sum-room, need[widest]-leastColumn)
		need[widest] -= take
		sum -= take
	}
	return need, true
}

// tableRow draws one row of a table.
func (y *layout) tableRow(cells []string, widths []int, aside []align, bar string, role look.Role) []string {
	wrapped := make([][]string, len(cells))
	tall := 1
	for i, c := range cells {
		wrapped[i] = y.inCell(c, widths[i])
		tall = max(tall, len(wrapped[i]))
	}
	rows := make([]string, tall)
	for r := range rows {
		var b strings.Builder
		for i, w := range widths {
			if i > 0 {
				b.WriteString(bar)
			}
			text := ""
			if r < len(wrapped[i]) {
				text = y.look.Paint(role, wrapped[i][r])
			}
			free := w - look.Width(text)
			left := 0
			switch aside[i] {
			case toRight:
				left = free
			case toMiddle:
				left = free / 2
			}
			b.WriteString(spaces(left+1) + text + spaces(free-left+1))
		}
		rows[r] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

// inCell wraps the text of a cell, emphasis drawn.
func (y *layout) inCell(text string, width int) []string {
	f := flow{width: max(width, 1), marks: y.marks}
	f.feed(text, true)
	return f.rows
}

// setOut writes a table row by row: the names of the columns, each before its
// cell.
func (y *layout) setOut(t *table, width int) []string {
	var rows []string
	for i, cells := range t.rows {
		if i > 0 {
			rows = append(rows, "")
		}
		for j, c := range cells {
			if c == "" {
				continue
			}
			label := t.head[j]
			if label != "" {
				label += ": "
			}
			for k, r := range y.inCell(label+c, max(width-2, 1)) {
				lead := ""
				if k > 0 && width > 2 {
					lead = "  "
				}
				rows = append(rows, lead+r)
			}
		}
	}
	if len(t.rows) == 0 {
		rows = y.inCell(strings.Join(t.head, "  "), width)
	}
	return rows
}
