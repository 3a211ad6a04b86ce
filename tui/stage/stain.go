package stage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// stretch is a run of cells of a row in a style of its own.
type stretch struct {
	col, end int
	role     look.Role
}

// stain paints stretches of a row, which come from left to right. Around them
// the row keeps its colours.
func stain(l *look.Look, row string, stretches []stretch) string {
	var b strings.Builder
	b.Grow(len(row) + 24*len(stretches))
	pen := "" // what is in force in the row
	in := -1  // the stretch that is painted
	col := 0
	for i := 0; i < len(row); {
		if row[i] == 0x1b {
			end := strings.IndexByte(row[i:], 'm')
			if end < 0 {
				break
			}
			seq := row[i : i+end+1]
			if pen += seq; seq == "\x1b[m" || seq == "\x1b[0m" {
				pen = ""
			}
			if in < 0 {
				b.WriteString(seq)
			}
			i += end + 1
			continue
		}
		cluster, w := row[i:i+1], 1
		if row[i] >= 0x80 || i+1 < len(row) && row[i+1] >= 0x80 {
			cluster, w = ansi.FirstGraphemeCluster(row[i:], ansi.GraphemeWidth)
		}
		if in >= 0 && col >= stretches[in].end && w > 0 {
			b.WriteString("\x1b[m" + pen)
			stretches, in = stretches[in+1:], -1
		}
		if in < 0 && len(stretches) > 0 && col == stretches[0].col && w > 0 {
			in = 0
			b.WriteString("\x1b[m" + l.Open(stretches[0].role))
		}
		b.WriteString(cluster)
		col += w
		i += max(len(cluster), 1)
	}
	if in >= 0 {
		b.WriteString("\x1b[m" + pen)
	}
	return b.String()
}

// stained lays what was found and what is selected over the rows of a side.
func (s *Stage) stained(side arena.Side, rows []string) []string {
	if s.search == nil && !s.selection.shownOn(side) {
		return rows
	}
	var out []string
	known := map[[2]int][]reach{}
	keep := s.stains[side].begin(len(rows))
	for y := range rows {
		turn, segment, cells, ok := s.textAt(side, y)
		if !ok {
			continue
		}
		key := [2]int{turn, segment}
		found, seen := known[key]
		if !seen {
			found = s.reaches(side, turn, segment)
			known[key] = found
		}
		if here := touching(cells, found); len(here) > 0 {
			if out == nil {
				out = append([]string(nil), rows...)
			}
			out[y] = keep.row(s.look, y, rows[y], cells, here)
		}
	}
	if out == nil {
		return rows
	}
	return out
}

// reach is a run of text in a style of its own.
type reach struct {
	from, to int
	role     look.Role
}

// stains are the rows of a side as they were stained last, by row of the window:
// of a long reply only the rows that have moved or changed are stained anew.
type stains struct {
	look *look.Look
	rows []stained
}

type stained struct {
	row   string
	cells *prose.Cell // the first: rows that stay keep theirs
	here  []reach
	out   string
}

// begin readies the stains for so many rows.
func (k *stains) begin(rows int) *stains {
	if len(k.rows) != rows {
		k.rows = make([]stained, rows)
	}
	return k
}

// row stains a row, unless it was stained alike before: at its place, or one or
// two rows below it, from where it has moved up.
func (k *stains) row(l *look.Look, y int, row string, cells []prose.Cell, here []reach) string {
	if k.look != l {
		k.look = l
		clear(k.rows)
	}
	for _, was := range k.rows[y:min(y+3, len(k.rows))] {
		if was.cells == &cells[0] && was.row == row && slices.Equal(was.here, here) {
			k.rows[y] = was
			return was.out
		}
	}
	k.rows[y] = stained{row, &cells[0], here, stain(l, row, stretches(cells, here))}
	return k.rows[y].out
}

// touching are those reaches that touch a row; a text's own reaches come in its
// order, and behind them what is selected.
func touching(cells []prose.Cell, reaches []reach) []reach {
	from, to := 1<<62, 0
	for _, c := range cells {
		if c.From >= 0 {
			from, to = min(from, c.From), max(to, c.To)
		}
	}
	var here []reach
	first, _ := slices.BinarySearchFunc(reaches[:max(len(reaches)-1, 0)], from, func(r reach, at int) int { return cmp.Compare(r.to, at+1) })
	for i := first; i < len(reaches); i++ {
		if r := reaches[i]; r.from < to && r.to > from {
			here = append(here, r)
		} else if r.from >= to && i < len(reaches)-1 {
			i = len(reaches) - 2 // the last may be the selection, which lies anywhere
		}
	}
	return here
}

// stretches are the cells of a row that lie within reaches. A later reach lies
// over an earlier one.
func stretches(cells []prose.Cell, reaches []reach) []stretch {
	var out []stretch
	for _, c := range cells {
		role, in := look.Text, false
		for i := len(reaches) - 1; i >= 0 && !in; i-- {
			if r := reaches[i]; c.From >= 0 && c.From < r.to && c.To > r.from {
				role, in = r.role, true
			}
		}
		if !in {
			continue
		}
		if n := len(out); n > 0 && out[n-1].end == c.Col && out[n-1].role == role {
			out[n-1].end = c.Col + c.Width
			continue
		}
		out = append(out, stretch{c.Col, c.Col + c.Width, role})
	}
	return out
}

// reaches are what is to be marked in a text.
func (s *Stage) reaches(side arena.Side, turn, segment int) []reach {
	var out []reach
	if s.search != nil {
		out = s.search.reaches(s, side, turn, segment)
	}
	if from, to, ok := s.selection.within(side, turn, segment); ok {
		out = append(out, reach{from, to, look.Selected})
	}
	return out
}
