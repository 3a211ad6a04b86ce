package card

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// Widths of the columns of a card's heading, in cells.
const (
	levelWidth  = 10 // "- sentence"
	nameWidth   = 36 // at most; what is left over goes to the reason
	leanWidth   = 7
	marksWidth  = 3
	degreeWidth = 11 // "significant"

	// fieldLimit bounds what is shown of one field: a critic that runs away
	// must not stall the screen. Bytes.
	fieldLimit = 16 << 10
	// sideBySide is the width from which both sides of an open card stand
	// beside each other.
	sideBySide = 96
)

// draw returns the rows of a card, each exactly w cells.
func draw(l *look.Look, c Card, w int, open, chosen, writing bool) []string {
	rows := []string{heading(l, c, w, open, chosen, writing)}
	if !open {
		if now := writingNow(c); now != "" && writing && c.Undecided() {
			rows = append(rows, l.Pad("   "+l.Paint(look.Dim, tail(l, now, w-4)), w))
		}
		return rows
	}
	for _, row := range body(l, c, w, writing) {
		rows = append(rows, l.Pad(row, w))
	}
	return rows
}

func heading(l *look.Look, c Card, w int, open, chosen, writing bool) string {
	fold := l.Glyphs.Folded
	if open {
		fold = l.Glyphs.Open
	}
	right := l.Pad(level(l, c.Principle), levelWidth) + "  " + standing(l, c, writing)
	rightWidth := levelWidth + 2 + leanWidth + 2 + marksWidth + 2 + degreeWidth
	if w < rightWidth+22 { // the level gives way first, then the bar
		right = marks(l, c, writing) + "  " + l.Pad(degree(l, c), degreeWidth)
		rightWidth = marksWidth + 2 + degreeWidth
	}
	room := w - rightWidth - 5
	if room < 8 {
		right, rightWidth, room = marks(l, c, writing), marksWidth, w-marksWidth-5
	}
	gloss := ""
	if spare := room - nameWidth - 2; spare >= 16 && !open && !(writing && c.Undecided()) {
		gloss = "  " + l.Paint(look.Dim, l.Truncate(reason(c), spare-1))
		room = nameWidth
	} else {
		room = min(room, nameWidth)
	}
	name := l.Pad(guard.Line(clip(c.Principle.Name)), max(room, 0))
	if chosen {
		name = l.Paint(look.Selected, name)
	}
	return l.Pad(" "+l.Paint(look.Dim, fold)+" "+name+"  "+right+gloss, w)
}

// reason is why the card goes where it goes, on one line.
func reason(c Card) string {
	for _, o := range c.Opinions {
		if o.Reason != "" {
			return guard.Line(clip(o.Reason))
		}
	}
	return ""
}

// level is the polarity's sign and the level's word.
func level(l *look.Look, p arena.Principle) string {
	sign := l.Paint(look.Dim, l.Glyphs.Dot)
	switch strings.ToLower(p.Polarity) {
	case "positive":
		sign = l.Paint(look.Good, l.Glyphs.Good)
	case "negative":
		sign = l.Paint(look.Bad, l.Glyphs.Bad)
	}
	return sign + " " + l.Paint(look.Dim, guard.Line(clip(p.Level)))
}

// standing is the bar that leans to the better side, the winner in each order
// and the degree; while the critic has named no winner, what it is doing.
func standing(l *look.Look, c Card, writing bool) string {
	if c.Undecided() && writing {
		room := leanWidth + 2 + marksWidth + 2 + degreeWidth
		word := "named"
		for _, o := range c.Opinions {
			if o.Given {
				word = "weighing" + l.Glyphs.More
			}
		}
		return l.Pad(l.Paint(look.Dim, word), room)
	}
	return lean(l, c) + "  " + marks(l, c, writing) + "  " + l.Pad(degree(l, c), degreeWidth)
}

// lean draws three cells to the left for A, three to the right for B.
func lean(l *look.Look, c Card) string {
	full := l.Glyphs.Bar[len(l.Glyphs.Bar)-1]
	size := c.Lean()
	a, b := cells(-size), cells(size)
	middle := l.Paint(look.Border, "│")
	if l.ASCII {
		middle = l.Paint(look.Border, "|")
	}
	return l.Paint(look.Dim, strings.Repeat(l.Glyphs.Dot, 3-a)) + l.Paint(look.SideA, strings.Repeat(full, a)) +
		middle +
		l.Paint(look.SideB, strings.Repeat(full, b)) + l.Paint(look.Dim, strings.Repeat(l.Glyphs.Dot, 3-b))
}

func cells(lean float64) int { return min(max(int(lean+0.5), 0), 3) }

// marks names the winner in each order: "A·A" where they agree, "A⇄B" where
// they do not, a dash where an order has said nothing.
func marks(l *look.Look, c Card, writing bool) string {
	between := l.Paint(look.Dim, l.Glyphs.Dot)
	if _, split := c.Winner(); split {
		between = l.Paint(look.Warn, l.Glyphs.Flip)
	}
	return mark(l, c.Opinions[0].Winner, writing) + between + mark(l, c.Opinions[1].Winner, writing)
}

func mark(l *look.Look, winner arena.Choice, writing bool) string {
	switch winner {
	case arena.ChoseA:
		return l.Paint(look.SideA, "A")
	case arena.ChoseB:
		return l.Paint(look.SideB, "B")
	case arena.Tie:
		return l.Paint(look.Dim, l.Glyphs.Even)
	}
	if writing {
		return l.Paint(look.Dim, l.Glyphs.More)
	}
	return l.Paint(look.Dim, "-")
}

func degree(l *look.Look, c Card) string {
	winner, split := c.Winner()
	switch {
	case split:
		return l.Paint(look.Warn, "split")
	case winner == arena.Tie:
		return l.Paint(look.Dim, "tie")
	}
	return guard.Line(clip(c.Degree()))
}

// body is what an open card shows: the definition, both sides, the reason, and
// what the other order said where it differs.
func body(l *look.Look, c Card, w int, writing bool) []string {
	var rows []string
	if about := definition(c.Principle); about != "" {
		rows = append(rows, paragraph(l, look.Dim, "   ", "   ", about, w)...)
	}
	first, second := c.Opinions[0], c.Opinions[1]
	if !first.Given {
		first, second = second, Opinion{}
	}
	switch {
	case !first.Given && writing:
		rows = append(rows, "   "+l.Paint(look.Dim, "not weighed yet"))
	case !first.Given:
		rows = append(rows, "   "+l.Paint(look.Dim, "the critic named this principle and never compared on it"))
	default:
		rows = append(rows, sides(l, first, w)...)
		if first.Reason != "" {
			rows = append(rows, paragraph(l, look.Text, "   "+l.Paint(look.Dim, "so ")+" ", "      ", first.Reason, w)...)
		}
	}
	if _, split := c.Winner(); split {
		lead := "   " + l.Paint(look.Warn, l.Glyphs.Flip+" asked the other way round: ") + mark(l, second.Winner, false) + " "
		rows = append(rows, paragraph(l, look.Text, lead, "      ", second.Reason, w)...)
	}
	return rows
}

func definition(p arena.Principle) string {
	dimension, about := guard.Line(clip(p.Dimension)), strings.TrimSpace(p.Definition)
	switch {
	case dimension == "":
		return about
	case about == "":
		return dimension
	}
	return dimension + ": " + about
}

// sides sets what is said of A and of B beside each other, or below each other
// where it is narrow.
func sides(l *look.Look, o Opinion, w int) []string {
	a, b := "   "+l.Paint(look.SideA, "A")+"  ", "   "+l.Paint(look.SideB, "B")+"  "
	if w < sideBySide {
		rows := paragraph(l, look.Text, a, "      ", o.A, w)
		return append(rows, paragraph(l, look.Text, b, "      ", o.B, w)...)
	}
	half := w / 2
	left := paragraph(l, look.Text, a, "      ", o.A, half-1)
	right := paragraph(l, look.Text, b, "      ", o.B, w-half)
	rows := make([]string, max(len(left), len(right)))
	for i := range rows {
		row := ""
		if i < len(left) {
			row = left[i]
		}
		row = l.Pad(row, half)
		if i < len(right) {
			row += right[i]
		}
		rows[i] = row
	}
	return rows
}

// paragraph wraps a critic's text behind a lead, cleaned and painted. lead and
// indent take the same cells or the lead takes more.
func paragraph(l *look.Look, role look.Role, lead, indent, text string, w int) []string {
	text = strings.TrimSpace(guard.Text(clip(text)))
	text = strings.ReplaceAll(text, "\t", " ")
	if text == "" {
		text = l.Glyphs.More
	}
	rest := look.Width(indent)
	hang := look.Width(lead) - rest
	// The first row's longer lead is kept free by a word that cannot be broken.
	wrapped := ansi.Wrap(strings.Repeat("\u00a0", max(hang, 0))+text, max(w-rest-1, 4), "")
	rows := strings.Split(wrapped, "\n")
	for i, row := range rows {
		if i == 0 {
			row = strings.TrimLeft(row, "\u00a0")
			rows[i] = lead + l.Paint(role, row)
			continue
		}
		rows[i] = indent + l.Paint(role, strings.TrimLeft(row, " "))
	}
	return rows
}

// clip bounds a field; what is cut ends in an ellipsis.
func clip(s string) string {
	if len(s) <= fieldLimit {
		return s
	}
	return strings.ToValidUTF8(s[:fieldLimit], "") + "…"
}

// writingNow is the newest text of a comparison that is being written.
func writingNow(c Card) string {
	for _, o := range c.Opinions {
		for _, text := range []string{o.Reason, o.B, o.A} {
			if o.Given && text != "" {
				return text
			}
		}
	}
	return ""
}

// tail returns the end of a growing text as one row of at most w cells.
func tail(l *look.Look, s string, w int) string {
	if w <= 0 {
		return ""
	}
	if over := len(s) - 8*w; over > 0 {
		s = strings.ToValidUTF8(s[over:], "")
	}
	s = strings.Join(strings.Fields(guard.Line(s)), " ")
	if n := look.Width(s); n > w {
		s = l.Glyphs.More + ansi.TruncateLeft(s, n-w+1, "")
	}
	return l.Truncate(s, w)
}
