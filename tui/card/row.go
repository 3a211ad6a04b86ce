package card

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/chart"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// Widths of the columns of a card's heading, in cells.
const (
	levelWidth  = 10 // "- sentence"
	shortWidth  = 5  // "- sen"
	nameWidth   = 36 // at most; what is left over goes to the reason
	leanHalf    = 3
	leanWidth   = 2*leanHalf + 1
	marksWidth  = 3
	degreeWidth = 11 // "significant"
	wordWidth   = 13 // "A significant"

	// fieldLimit bounds what is shown of one field: a critic that runs away
	// must not stall the screen. Bytes.
	fieldLimit = 16 << 10
	// SideBySide is the width from which both orders stand beside each other.
	SideBySide = 100
)

// line is a row as shown, and the quotes on it.
type line struct {
	text string
	hits []hit
}

// hit is a quote on a row: its cells, and which of the card's quotes it is.
type hit struct{ from, to, quote int }

// drawing is a card being drawn.
type drawing struct {
	look   *look.Look
	card   *Card
	quotes []Evidence
	shape
}

// rows returns the rows of the card, each exactly as wide as asked.
func (d *drawing) rows() []line {
	rows := []line{{text: d.heading()}}
	if d.open {
		rows = append(rows, d.body()...)
	} else if sum := d.summary(); len(sum) > 0 {
		rows = append(rows, sum...)
	} else if now := writingNow(d.card); now != "" && d.writing && d.card.Undecided() {
		rows = append(rows, line{text: "   " + d.look.Paint(look.Dim, tail(d.look, now, d.width-4))})
	}
	for i := range rows {
		rows[i].text = d.look.Pad(rows[i].text, d.width)
	}
	return rows
}

// both reports whether the orders have a column each.
func (d *drawing) both() bool {
	return d.width >= SideBySide && d.only < 0 && d.spoke[0] && d.spoke[1]
}

func (d *drawing) heading() string {
	l, c, w := d.look, d.card, d.width
	fold := l.Glyphs.Folded
	if d.open {
		fold = l.Glyphs.Open
	}
	var right string
	switch {
	case d.both():
		right = level(l, c.Principle, levelWidth) + "  " + d.columns()
	case w >= 21+levelWidth+2+leanWidth+2+marksWidth+2+degreeWidth:
		right = level(l, c.Principle, levelWidth) + "  " + d.standing()
	case w >= 16+shortWidth+1+marksWidth+2+degreeWidth:
		right = level(l, c.Principle, shortWidth) + " " + d.marks() + "  " + l.Pad(d.degree(), degreeWidth)
	default: // the level gives way to its sign
		right = level(l, c.Principle, 1) + " " + d.marks()
	}
	rest := look.Width(right)
	room := w - rest - 5
	gloss := ""
	if spare := room - nameWidth - 2; spare >= 16 && !d.open && d.detail == heading && !(d.writing && c.Undecided()) {
		gloss = "  " + l.Paint(look.Dim, l.Truncate(reason(c), spare-1))
		room = nameWidth
	}
	room = min(room, nameWidth)
	name := l.Pad(guard.Line(clip(c.Principle.Name)), max(room, 0))
	if d.chosen {
		name = l.Paint(look.Selected, name)
	}
	return " " + l.Paint(look.Dim, fold) + " " + name + "  " + right + gloss
}

// columns is what each order says: its bar and its word, between them how the
// two stand to each other.
func (d *drawing) columns() string {
	l := d.look
	between := " "
	if _, split := d.card.Winner(); split {
		between = l.Paint(look.Warn, l.Glyphs.Flip)
	}
	half := leanHalf
	if d.width >= 120 {
		half = 2 * leanHalf
	}
	first, second := d.column(arena.AFirst, half), d.column(arena.BFirst, half)
	return first + " " + between + " " + second
}

func (d *drawing) column(order arena.Order, half int) string {
	l, o := d.look, &d.card.Opinions[order]
	if d.card.slot[order] == 0 && !d.writing {
		return l.Pad(l.Paint(look.Dim, strings.Repeat(" ", 2*half+2)+"not named"), 2*half+2+wordWidth)
	}
	bar := chart.Both(l, o.written(), half)
	word := l.Paint(look.Dim, "named")
	switch {
	case o.Winner == arena.Tie:
		bar, word = chart.Level(l, half), l.Paint(look.Dim, "tie")
	case o.Winner != arena.NoChoice:
		bar = chart.Lean(l, o.Lean()/3, half)
		word = mark(l, o.Winner, false) + " " + guard.Line(clip(o.Degree))
	case !d.writing:
		bar, word = chart.Both(l, 0, half), l.Paint(look.Dim, "-")
	case d.card.slot[order] == 0:
		word = l.Paint(look.Dim, l.Glyphs.More)
	case o.Given:
		word = l.Paint(look.Dim, "weighing"+l.Glyphs.More)
	}
	return bar + " " + l.Pad(word, wordWidth)
}

// reason is why the card goes where it goes, on one line.
func reason(c *Card) string {
	for i := range c.Opinions {
		if r := c.Opinions[i].Reason; r != "" {
			return guard.Line(clip(r))
		}
	}
	return ""
}

// level is the polarity's sign and the level's word: "session" or "sentence",
// their first letters where it is narrow, the sign alone in one cell.
func level(l *look.Look, p arena.Principle, w int) string {
	sign := l.Paint(look.Dim, l.Glyphs.Dot)
	switch strings.ToLower(p.Polarity) {
	case "positive":
		sign = l.Paint(look.Good, l.Glyphs.Good)
	case "negative":
		sign = l.Paint(look.Bad, l.Glyphs.Bad)
	}
	if w < shortWidth {
		return sign
	}
	word := guard.Line(clip(p.Level))
	if w == shortWidth {
		word = ansi.Truncate(word, 3, "")
	}
	return l.Pad(sign+" "+l.Paint(look.Dim, word), w)
}

// standing is one bar for both orders, the winner in each, and the degree.
func (d *drawing) standing() string {
	l, c := d.look, d.card
	lean := c.Lean() / 3
	word := d.degree()
	bar := chart.Lean(l, lean, leanHalf)
	if d.only >= 0 {
		o := &c.Opinions[d.only]
		bar = chart.Lean(l, o.Lean()/3, leanHalf)
	}
	if c.Undecided() && d.writing {
		share := max(c.Opinions[0].written(), c.Opinions[1].written())
		bar, word = chart.Both(l, share, leanHalf), l.Paint(look.Dim, "named")
		if c.Opinions[0].Given || c.Opinions[1].Given {
			word = l.Paint(look.Dim, "weighing"+l.Glyphs.More)
		}
	} else if w, _ := c.Winner(); w == arena.Tie && d.only < 0 {
		bar = chart.Level(l, leanHalf)
	}
	return bar + "  " + d.marks() + "  " + l.Pad(word, degreeWidth)
}

// marks names the winner in each order: "A·A" where they agree, "A⇄B" where
// they do not, a dash where an order has said nothing.
func (d *drawing) marks() string {
	l, c := d.look, d.card
	if d.only >= 0 {
		return " " + mark(l, c.Opinions[d.only].Winner, d.writing) + " "
	}
	between := l.Paint(look.Dim, l.Glyphs.Dot)
	if _, split := c.Winner(); split {
		between = l.Paint(look.Warn, l.Glyphs.Flip)
	}
	return mark(l, c.Opinions[0].Winner, d.writing) + between + mark(l, c.Opinions[1].Winner, d.writing)
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

func (d *drawing) degree() string {
	l := d.look
	winner, split := d.card.Winner()
	word := d.card.Degree()
	if d.only >= 0 {
		winner, split, word = d.card.Opinions[d.only].Winner, false, d.card.Opinions[d.only].Degree
	}
	switch {
	case split:
		return l.Paint(look.Warn, "split")
	case winner == arena.Tie:
		return l.Paint(look.Dim, "tie")
	}
	return guard.Line(clip(word))
}

// clip bounds a field; what is cut ends in an ellipsis.
func clip(s string) string {
	if len(s) <= fieldLimit {
		return s
	}
	return strings.ToValidUTF8(s[:fieldLimit], "") + "…"
}

// writingNow is the newest text of a comparison that is being written.
func writingNow(c *Card) string {
	for i := range c.Opinions {
		o := &c.Opinions[i]
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
