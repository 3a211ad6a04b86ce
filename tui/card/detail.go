package card

import (
	"strings"

	"herarena/arena"
	"herarena/tui/look"
)

// detail is how much a card shows that is shut.
type detail uint8

const (
	heading detail = iota // its heading alone
	glimpse               // and a row of what is said
	said                  // and all of that
	weighed               // and why: all that an open card shows, save the definition
)

// fitted is what the detail was chosen for.
type fitted struct {
	width, rows, only int
	spoke             [2]bool
	cards             int // generation of the cards
}

// Fit lets cards that are shut show as much below their headings as there are
// rows for: a row of what the critic says, all of it, or its reasons as well. All
// show as much as each other. Which cards are open takes no part in the choice, so
// that opening one never changes the others; with no rows they show headings
// alone.
func (l *List) Fit(width, rows int) {
	want := fitted{width, rows, l.only, l.spoke(), l.generation}
	if want == l.fitted {
		return
	}
	l.fitted = want
	best := heading
	for d := glimpse; d <= weighed && rows > len(l.cards); d++ {
		if !l.fits(width, rows, d) {
			break
		}
		best = d
	}
	l.detail = best
}

func (l *List) fits(width, rows int, d detail) bool {
	n := 0
	for i := range l.cards {
		c := &l.cards[i]
		drawn := drawing{look: l.look, card: c, shape: shape{
			width: width, detail: d, quote: -1, only: l.only, spoke: l.spoke(),
		}}
		if n += len(drawn.rows()); n > rows {
			return false
		}
	}
	return true
}

// summary is what a card shows below its heading while it is not open: what is
// said of A beside what is said of B, or where the orders differ in it, the
// reason of each.
func (d *drawing) summary() []line {
	switch {
	case d.detail == heading || d.writing:
		return nil
	case d.detail == weighed:
		return d.opinions(false)
	}
	left, right := d.pair()
	if left.of == "" && right.of == "" {
		return nil
	}
	l, w := d.look, d.width
	half := w / 2
	if w < SideBySide {
		return append(d.brief(left, w), d.brief(right, w)...)
	}
	return beside(d.brief(left, half-1), d.brief(right, w-half), l, half)
}

// pair are the two texts of a summary.
func (d *drawing) pair() (left, right text) {
	l := d.look
	if d.both() && !d.card.alike() {
		of := [2]text{}
		for i, lead := range [2]string{"   ", " "} {
			o := &d.card.Opinions[i]
			of[i] = text{role: look.Dim, lead: lead, of: o.Reason, quotes: d.within(arena.Order(i), ofReason)}
			switch {
			case o.Reason != "":
			case o.Winner == arena.ChoseB:
				of[i].of, of[i].quotes = o.B, d.within(arena.Order(i), ofB)
			default:
				of[i].of, of[i].quotes = o.A, d.within(arena.Order(i), ofA)
			}
		}
		return of[0], of[1]
	}
	order, second := d.shownOrder(), " "
	if d.width < SideBySide {
		second = "   "
	}
	o := &d.card.Opinions[order]
	return text{role: look.Dim, lead: "   " + l.Paint(look.SideA, "A") + " ", of: o.A, quotes: d.within(order, ofA)},
		text{role: look.Dim, lead: second + l.Paint(look.SideB, "B") + " ", of: o.B, quotes: d.within(order, ofB)}
}

// shownOrder is the order whose opinion is shown where one is enough.
func (d *drawing) shownOrder() arena.Order {
	switch {
	case d.only >= 0:
		return arena.Order(d.only)
	case !d.card.Opinions[arena.AFirst].Given:
		return arena.BFirst
	}
	return arena.AFirst
}

// brief sets a text of a summary in w cells: in one row, or in all it needs.
func (d *drawing) brief(t text, w int) []line {
	if t.of == "" {
		return nil
	}
	if d.detail == said {
		return d.paragraph(t, w)
	}
	row := strings.Join(strings.Fields(shownText(d.look, t.of)), " ")
	row = d.look.Truncate(row, max(w-look.Width(t.lead)-1, 4))
	return []line{{text: t.lead + d.look.Paint(t.role, row)}}
}

// alike reports whether both orders say the very same of a card, as critics do
// that follow rules.
func (c *Card) alike() bool {
	a, b := &c.Opinions[0], &c.Opinions[1]
	return *a == *b && a.Given && (c.Names[0] == c.Names[1])
}
