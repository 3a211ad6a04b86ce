package chart

import (
	"math"
	"strings"

	"herarena/tui/look"
)

// Spark is a sparkline: a cell for each value in [0, 1], the newest at the
// right; of more than w values the last w are shown. NaN leaves a gap.
func Spark(l *look.Look, role look.Role, values []float64, w int) string {
	if w <= 0 {
		return ""
	}
	values = values[max(len(values)-w, 0):]
	var b strings.Builder
	steps := len(l.Glyphs.Spark)
	for _, v := range values {
		if math.IsNaN(v) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(l.Glyphs.Spark[min(int(unit(v)*float64(steps)), steps-1)])
	}
	return l.Paint(role, b.String()) + strings.Repeat(" ", w-len(values))
}

// Interval draws an estimate in [0, 1] with its interval on w cells: the span
// from low to high, a mark at the estimate, and a tick at one half.
func Interval(l *look.Look, role look.Role, low, at, high float64, w int) string {
	if w <= 0 {
		return ""
	}
	cell := func(x float64) int { return min(int(unit(x)*float64(w)), w-1) }
	from, mark, to := cell(low), cell(at), cell(high)
	from, to = min(from, mark), max(to, mark)
	cells := make([]string, w)
	for i := range cells {
		switch {
		case i == mark:
			cells[i] = l.Paint(role, Point(l))
		case i >= from && i <= to:
			cells[i] = l.Paint(role, l.Glyphs.Rule)
		case i == w/2:
			cells[i] = middle(l)
		default:
			cells[i] = l.Paint(look.Dim, l.Glyphs.Dot)
		}
	}
	return strings.Join(cells, "")
}

// Point is the mark of an estimate, Ring that of a second line, Met where both
// fall on one cell.
func Point(l *look.Look) string {
	if l.ASCII {
		return "*"
	}
	return "●"
}

// Ring is the mark of a second line.
func Ring(l *look.Look) string {
	if l.ASCII {
		return "o"
	}
	return "○"
}

// Met is the mark of a cell on which two lines meet.
func Met(l *look.Look) string {
	if l.ASCII {
		return "@"
	}
	return "◉"
}
