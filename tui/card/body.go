package card

import (
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// body is what an open card shows: the definition, then what each order says of
// both sides and why. Where it is wide the orders have a column each.
func (d *drawing) body() []line {
	c := d.card
	var rows []line
	if about := definition(c.Principle); about != "" {
		rows = append(rows, d.paragraph(text{role: look.Dim, lead: "   ", of: about}, d.width)...)
	}
	return append(rows, d.opinions(true)...)
}

// opinions are what the orders say, each under a title or without.
func (d *drawing) opinions(titled bool) []line {
	l, c := d.look, d.card
	first, second := &c.Opinions[0], &c.Opinions[1]
	switch {
	case d.only >= 0:
		return d.opinion(arena.Order(d.only), d.width, titled)
	case !first.Given && !second.Given && d.writing:
		return []line{{text: "   " + l.Paint(look.Dim, "not weighed yet")}}
	case !first.Given && !second.Given:
		return []line{{text: "   " + l.Paint(look.Dim, "the critic named this principle and never compared on it")}}
	case d.spoke[0] && d.spoke[1] && c.alike() && !d.writing:
		return d.opinion(arena.AFirst, d.width, false) // the heading tells what each came to
	case d.both():
		return beside(d.opinion(arena.AFirst, d.width/2-1, titled), d.opinion(arena.BFirst, d.width-d.width/2, titled), l, d.width/2)
	case d.spoke[0] && d.spoke[1]:
		return append(d.opinion(arena.AFirst, d.width, true), d.opinion(arena.BFirst, d.width, true)...)
	case first.Given:
		return d.opinion(arena.AFirst, d.width, false)
	}
	return d.opinion(arena.BFirst, d.width, false)
}

// opinion is what one order says, in w cells; titled names the order and what it
// came to.
func (d *drawing) opinion(order arena.Order, w int, titled bool) []line {
	l, o := d.look, &d.card.Opinions[order]
	var rows []line
	if titled {
		rows = append(rows, line{text: l.Truncate("   "+d.title(order), w)})
	}
	if !o.Given {
		return rows
	}
	a := text{role: look.Text, lead: "   " + l.Paint(look.SideA, "A") + "  ", of: o.A, quotes: d.within(order, ofA)}
	b := text{role: look.Text, lead: "   " + l.Paint(look.SideB, "B") + "  ", of: o.B, quotes: d.within(order, ofB)}
	if !titled && w >= SideBySide {
		rows = append(rows, beside(d.paragraph(a, w/2-1), d.paragraph(b, w-w/2), l, w/2)...)
	} else {
		rows = append(append(rows, d.paragraph(a, w)...), d.paragraph(b, w)...)
	}
	if o.Reason != "" {
		so := text{role: look.Text, lead: "   " + l.Paint(look.Dim, "so") + " ", of: o.Reason, quotes: d.within(order, ofReason)}
		rows = append(rows, d.paragraph(so, w)...)
	}
	return rows
}

// title names an order, what it came to, and under which name where that is
// another.
func (d *drawing) title(order arena.Order) string {
	l, c := d.look, d.card
	o := &c.Opinions[order]
	word := ""
	switch {
	case c.slot[order] == 0 && d.writing:
		word = "has not named this yet"
	case c.slot[order] == 0:
		word = "does not name this principle"
	case !o.Given && d.writing:
		word = "not weighed yet"
	case !o.Given:
		word = "names it and never compares on it"
	case o.Winner == arena.NoChoice && d.writing:
		word = "weighing" + l.Glyphs.More
	case o.Winner == arena.NoChoice:
		word = "names no winner"
	case o.Winner == arena.Tie:
		word = "tie"
	}
	head := l.Paint(look.Title, order.String()) + "  "
	if word != "" {
		head += l.Paint(look.Dim, word)
	} else {
		head += mark(l, o.Winner, false) + " " + guard.Line(clip(o.Degree))
	}
	if name := c.Names[order]; name != "" && name != c.Principle.Name && fold(name) != fold(c.Principle.Name) {
		head += l.Paint(look.Dim, ", as ") + guard.Line(clip(name))
	}
	return head
}

// within lists the card's quotes in one field, with their numbers.
func (d *drawing) within(order arena.Order, f field) []numbered {
	var out []numbered
	for i, e := range d.quotes {
		if e.order == order && e.field == f {
			out = append(out, numbered{e.in, i})
		}
	}
	return out
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

// beside sets rows beside each other, the right ones from a cell on.
func beside(left, right []line, l *look.Look, at int) []line {
	rows := make([]line, max(len(left), len(right)))
	for i := range rows {
		if i < len(left) {
			rows[i] = left[i]
		}
		rows[i].text = l.Pad(rows[i].text, at)
		if i >= len(right) {
			continue
		}
		rows[i].text += right[i].text
		for _, h := range right[i].hits {
			rows[i].hits = append(rows[i].hits, hit{h.from + at, h.to + at, h.quote})
		}
	}
	return rows
}

// numbered is a quote in a text, and which of the card's it is.
type numbered struct {
	span
	quote int
}

// text is a critic's text to be set behind a lead.
type text struct {
	role   look.Role
	lead   string // painted; further rows are indented by as much
	of     string // raw
	quotes []numbered
}

// shownText is a critic's text as it is shown: cleaned, bounded, without tabs.
func shownText(l *look.Look, raw string) string {
	s := strings.TrimSpace(guard.Text(clip(raw)))
	if s == "" {
		return l.Glyphs.More
	}
	return strings.ReplaceAll(s, "\t", " ")
}

// paragraph wraps a text; quotes that stand in a reply are underlined, the
// chosen one is marked.
func (d *drawing) paragraph(t text, w int) []line {
	l := d.look
	clean := shownText(l, t.of)
	hang := look.Width(t.lead)
	wrapped := prose.Wrap(clean, max(w-hang-1, 4))
	rows := make([]line, len(wrapped))
	lead, at := t.lead, 0
	for i, row := range wrapped {
		row = strings.Trim(row, " ")
		// Rows are cut from the text in order, spaces between them are lost.
		if rest := strings.TrimLeft(clean[at:], " \n"); strings.HasPrefix(rest, row) {
			at = len(clean) - len(rest)
		}
		rows[i] = d.quoted(t, row, at, hang)
		rows[i].text = lead + rows[i].text
		at = min(at+len(row), len(clean))
		lead = strings.Repeat(" ", hang)
	}
	return rows
}

// quoted paints a row that begins at a byte of its text.
func (d *drawing) quoted(t text, row string, at, x int) line {
	l := d.look
	if len(t.quotes) == 0 {
		return line{text: l.Paint(t.role, row)}
	}
	var out line
	var b strings.Builder
	done := 0
	for _, q := range t.quotes {
		from, to := max(q.from-at, done), min(q.to-at, len(row))
		if from >= to || from >= len(row) {
			continue
		}
		b.WriteString(l.Paint(t.role, row[done:from]))
		x += look.Width(row[done:from])
		role := look.Role(look.Link)
		if d.quote == q.quote {
			role = look.Selected
		}
		b.WriteString(l.Paint(role, row[from:to]))
		n := look.Width(row[from:to])
		out.hits = append(out.hits, hit{x, x + n, q.quote})
		x += n
		done = to
	}
	b.WriteString(l.Paint(t.role, row[done:]))
	out.text = b.String()
	return out
}
