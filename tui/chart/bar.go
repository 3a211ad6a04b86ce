// Package chart draws numbers as rows of cells: bars, leaning bars, intervals,
// sparklines and lines over turns.
//
// Every function returns text of exactly the width asked for, whatever the
// numbers are: what is no number counts as nothing, what lies outside its range
// is held to it. Shades of a cell come from the look's glyphs, so that each
// chart has an ASCII form. Colour never carries meaning alone; callers put
// letters or numbers beside a chart.
package chart

import (
	"math"
	"strings"

	"herarena/tui/look"
)

// unit holds a number to [0, 1]; what is no number is 0.
func unit(x float64) float64 {
	switch {
	case math.IsNaN(x), x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

// Bar fills share of w cells from the left, in eighths of a cell; share is in
// [0, 1]. Something above nothing is always seen.
func Bar(l *look.Look, role look.Role, share float64, w int) string {
	if w <= 0 {
		return ""
	}
	share = unit(share)
	steps := len(l.Glyphs.Bar)
	n := int(math.Round(share * float64(w*steps)))
	if n == 0 && share > 0 {
		n = 1
	}
	full, part := n/steps, n%steps
	text := strings.Repeat(l.Glyphs.Bar[steps-1], full)
	if part > 0 {
		text += l.Glyphs.Bar[part-1]
		full++
	}
	return l.Paint(role, text) + l.Paint(look.Dim, strings.Repeat(l.Glyphs.Dot, w-full))
}

// Lean is a bar about a middle: half cells to the left for A, half to the right
// for B, in halves of a cell. share is in [-1, 1], negative towards A. It takes
// 2*half+1 cells.
func Lean(l *look.Look, share float64, half int) string {
	half = max(half, 0)
	a, b := sized(l, -share, half), sized(l, share, half)
	return l.Paint(look.Dim, strings.Repeat(l.Glyphs.Dot, half-(a+1)/2)) +
		l.Paint(look.SideA, leftward(l, a)) +
		middle(l) +
		l.Paint(look.SideB, rightward(l, b)) +
		l.Paint(look.Dim, strings.Repeat(l.Glyphs.Dot, half-(b+1)/2))
}

// Both is the grey bar of what is not decided yet: it grows to both sides at
// once as share goes from 0 to 1, and leans nowhere. It takes 2*half+1 cells.
func Both(l *look.Look, share float64, half int) string {
	half = max(half, 0)
	n := int(math.Ceil(unit(share) * float64(half)))
	rest := strings.Repeat(l.Glyphs.Dot, half-n)
	fill := strings.Repeat(waiting(l), n)
	return l.Paint(look.Dim, rest+fill) + middle(l) + l.Paint(look.Dim, fill+rest)
}

// Level is a tie: the middle and nothing to either side.
func Level(l *look.Look, half int) string {
	half = max(half, 0)
	if half == 0 {
		return middle(l)
	}
	rest := strings.Repeat(l.Glyphs.Dot, half-1)
	return l.Paint(look.Dim, rest+l.Glyphs.Even) + middle(l) + l.Paint(look.Dim, l.Glyphs.Even+rest)
}

// sized is a share in halves of a cell: whole cells where the look has no halves.
func sized(l *look.Look, share float64, half int) int {
	share = unit(share)
	n := int(math.Round(share * float64(2*half)))
	if n == 0 && share > 0 && half > 0 {
		n = 1
	}
	if l.ASCII {
		n += n % 2
	}
	return n
}

func leftward(l *look.Look, halves int) string {
	s := strings.Repeat(stroke(l), halves/2)
	if halves%2 == 1 {
		s = "╺" + s
	}
	return s
}

func rightward(l *look.Look, halves int) string {
	s := strings.Repeat(stroke(l), halves/2)
	if halves%2 == 1 {
		s += "╸"
	}
	return s
}

// stroke is a cell of a leaning bar. It is a heavy line and no block: bars of
// rows that stand under each other stay apart, and words beside them are read
// first.
func stroke(l *look.Look) string {
	if l.ASCII {
		return l.Glyphs.Bar[len(l.Glyphs.Bar)-1]
	}
	return "━"
}

func middle(l *look.Look) string {
	if l.ASCII {
		return l.Paint(look.Border, "|")
	}
	return l.Paint(look.Border, "│")
}

func waiting(l *look.Look) string {
	if l.ASCII {
		return ":"
	}
	return "─"
}
