package chart

import (
	"math"
	"strings"

	"herarena/tui/look"
)

// Value is one point of a line: an estimate in [0, 1] and its interval. NaN
// leaves a gap, as where nothing new was learnt.
type Value struct{ At, Low, High float64 }

// Series is one line over turns.
type Series struct {
	Role   look.Role
	Mark   string // one cell
	Values []Value
	Band   bool // the interval is drawn behind the line
}

// Sizes of a line chart, in cells.
const (
	gutter = 7 // "100 % │"
	most   = 8 // cells between two turns
)

// Line draws series over turns in h rows of w cells: the scale at the left, a
// rule at one half, and the turns' labels in the last row. Where there are more
// turns than cells the last ones are shown. Later series lie above earlier ones.
// Where there is no room for a chart it is blank.
func Line(l *look.Look, series []Series, labels []string, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	if w < gutter+2 || h < 4 {
		out := make([]string, h)
		for i := range out {
			out[i] = strings.Repeat(" ", w)
		}
		return out
	}
	p := newPlot(l, w-gutter, h-1, len(labels))
	p.half()
	for _, s := range series {
		if s.Band {
			p.band(s)
		}
	}
	for _, s := range series {
		p.line(s)
	}
	out := make([]string, 0, h)
	for y, row := range p.cells {
		out = append(out, scale(l, y, len(p.cells))+strings.Join(row, ""))
	}
	return append(out, strings.Repeat(" ", gutter)+p.axis(labels))
}

// scale is the left end of a row: a number at the top, the middle and the
// bottom.
func scale(l *look.Look, y, h int) string {
	text := "     "
	switch y {
	case 0:
		text = "100 %"
	case (h - 1) / 2:
		text = " 50 %"
	case h - 1:
		text = "  0 %"
	}
	return l.Paint(look.Dim, text+" ") + middle(l)
}

// plot is the field of a line chart.
type plot struct {
	look  *look.Look
	w     int
	cells [][]string
	marks [][]bool // cells that hold a point of a line
	first int      // index of the first turn shown
	n     int      // turns shown
	step  int      // cells from turn to turn
}

func newPlot(l *look.Look, w, h, turns int) *plot {
	p := &plot{look: l, w: w, cells: make([][]string, h), marks: make([][]bool, h)}
	for y := range p.cells {
		p.cells[y], p.marks[y] = make([]string, w), make([]bool, w)
		for x := range p.cells[y] {
			p.cells[y][x] = " "
		}
	}
	p.n = min(turns, w-1)
	p.first = turns - p.n
	p.step = max(min((w-1)/max(p.n, 1), most), 1)
	return p
}

// x is the cell of a turn, y the row of a value.
func (p *plot) x(turn int) int { return (turn-p.first)*p.step + min(p.step/2, 2) }

func (p *plot) y(v float64) int {
	h := len(p.cells)
	return h - 1 - int(math.Round(unit(v)*float64(h-1)))
}

// half is the rule at one half.
func (p *plot) half() {
	dash := "╌"
	if p.look.ASCII {
		dash = "-"
	}
	row := p.cells[(len(p.cells)-1)/2]
	for x := range row {
		row[x] = p.look.Paint(look.Border, dash)
	}
}

func (p *plot) band(s Series) {
	bar := "│"
	if p.look.ASCII {
		bar = ":"
	}
	for i, v := range s.Values {
		if i < p.first || math.IsNaN(v.At) || math.IsNaN(v.Low) || math.IsNaN(v.High) {
			continue
		}
		for y := p.y(v.High); y <= p.y(v.Low); y++ {
			p.put(p.x(i), y, p.look.Paint(look.Dim, bar))
		}
	}
}

// line draws the points of a series and dots between neighbours.
func (p *plot) line(s Series) {
	last := -1
	for i, v := range s.Values {
		if i < p.first || math.IsNaN(v.At) {
			continue
		}
		if last >= 0 {
			p.join(s, last, i)
		}
		last = i
	}
	for i, v := range s.Values {
		if i < p.first || math.IsNaN(v.At) {
			continue
		}
		x, y := p.x(i), p.y(v.At)
		if x >= p.w {
			continue
		}
		mark := s.Mark
		if p.marks[y][x] {
			mark = Met(p.look)
		}
		p.put(x, y, p.look.Paint(s.Role, mark))
		p.marks[y][x] = true
	}
}

func (p *plot) join(s Series, from, to int) {
	a, b := s.Values[from].At, s.Values[to].At
	x0, x1 := p.x(from), p.x(to)
	for x := x0 + 1; x < x1 && x < p.w; x++ {
		t := float64(x-x0) / float64(x1-x0)
		y := p.y(a + (b-a)*t)
		if !p.marks[y][x] {
			p.put(x, y, p.look.Paint(s.Role, p.look.Glyphs.Dot))
		}
	}
}

func (p *plot) put(x, y int, cell string) {
	if x >= 0 && x < p.w && y >= 0 && y < len(p.cells) {
		p.cells[y][x] = cell
	}
}

// axis writes the labels under their turns, as many as fit without touching.
func (p *plot) axis(labels []string) string {
	row := ""
	used := 0
	for i := p.first; i < len(labels); i++ {
		x, n := p.x(i), look.Width(labels[i])
		if used > 0 && x <= used || x+n > p.w {
			continue
		}
		row += strings.Repeat(" ", x-used) + labels[i]
		used = x + n
	}
	return p.look.Paint(look.Dim, row) + strings.Repeat(" ", p.w-used)
}
