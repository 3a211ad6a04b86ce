package card

import (
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
)

// Evidence is a quote in a card that stands in one of the replies.
type Evidence struct {
	Side    arena.Side
	Layer   layers.Layer
	Segment int // index into the reply's segments
	Offset  int // byte within the segment's text at which it begins
	// Text is what stands in the reply there, as it was written.
	Text string

	key   string // of the card
	order arena.Order
	field field
	in    span // bytes of the field's shown text
}

// field is a text of an opinion.
type field uint8

const (
	ofA field = iota
	ofB
	ofReason
	fields
)

func (o *Opinion) text(f field) string {
	switch f {
	case ofA:
		return o.A
	case ofB:
		return o.B
	}
	return o.Reason
}

// reply is what a critic may quote from: the layers that a critic sees.
type reply struct {
	segments []layers.Segment
	made     bool
	normal   normal
	starts   []int // byte of the joined text at which a segment begins
	which    []int // index of that segment
}

// same reports whether segments are those at hand, by their texts' sizes: a
// reply that is judged changes only as a whole.
func (r *reply) same(segments []layers.Segment) bool {
	if len(r.segments) != len(segments) {
		return false
	}
	for i, s := range segments {
		if have := r.segments[i]; have.Layer != s.Layer || len(have.Text) != len(s.Text) || have.Text != s.Text {
			return false
		}
	}
	return true
}

// ready joins and normalises the reply, once.
func (r *reply) ready() *normal {
	if r.made {
		return &r.normal
	}
	r.made = true
	var b strings.Builder
	for i, s := range r.segments {
		if s.Layer == layers.System || s.Layer == layers.Native || b.Len() > replyLimit {
			continue
		}
		r.starts, r.which = append(r.starts, b.Len()), append(r.which, i)
		text := s.Text
		if len(text) > replyLimit {
			text = strings.ToValidUTF8(text[:replyLimit], "")
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	r.normal = normalise(b.String())
	return &r.normal
}

// place fills in where a run of the joined text stands. What goes on over
// several segments is placed where it begins.
func (r *reply) place(e *Evidence, at span) {
	for i := len(r.starts) - 1; i >= 0; i-- {
		if r.starts[i] > at.from {
			continue
		}
		seg := r.segments[r.which[i]]
		e.Segment, e.Layer = r.which[i], seg.Layer
		e.Offset = min(at.from-r.starts[i], len(seg.Text))
		e.Text = seg.Text[e.Offset:min(max(at.to-r.starts[i], e.Offset), len(seg.Text))]
		return
	}
}

// SetReplies says what was judged, so that quotes are found in it. Replies that
// are the same as before cost nothing.
func (l *List) SetReplies(a, b []layers.Segment) {
	if l.replies[0].same(a) && l.replies[1].same(b) {
		return
	}
	l.replies = [2]reply{{segments: a}, {segments: b}}
	l.chosen = -1
	l.seek.left = searchMost
	clear(l.rows)
	clear(l.found)
}

// evidence lists the quotes of a card that stand in a reply, in the order in
// which an open card shows them.
func (l *List) evidence(c *Card) []Evidence {
	if len(l.replies[0].segments) == 0 && len(l.replies[1].segments) == 0 {
		return nil
	}
	if have, ok := l.found[c.Key]; ok && have.of == *c && have.writing == l.writing {
		return have.list
	}
	var out []Evidence
	for order := range c.Opinions {
		o := &c.Opinions[order]
		if l.writing && o.Winner == arena.NoChoice {
			continue // it still grows
		}
		for f := range fields {
			for _, e := range l.quoted(f, shownText(l.look, o.text(f))) {
				e.key, e.order = c.Key, arena.Order(order)
				out = append(out, e)
			}
		}
	}
	l.found[c.Key] = quotation{*c, l.writing, out}
	return out
}

// quotation is the evidence of a card as it was when it was looked for.
type quotation struct {
	of      Card
	writing bool
	list    []Evidence
}

// quoted finds the quotes of a text in the replies: in the one the text is about
// first.
func (l *List) quoted(f field, text string) []Evidence {
	var out []Evidence
	for _, q := range quotes(text) {
		inside := normalise(text[q.from:q.to])
		sides := [2]arena.Side{arena.A, arena.B}
		if f == ofB {
			sides = [2]arena.Side{arena.B, arena.A}
		}
		best := span{}
		var e Evidence
		for _, side := range sides {
			r := &l.replies[side]
			in, at, ok := l.seek.longest(inside, r.ready())
			if !ok || in.to-in.from <= best.to-best.from {
				continue
			}
			best = in
			from := inside.original(in)
			e = Evidence{Side: side, field: f, in: span{q.from + from.from, q.from + from.to}}
			r.place(&e, r.normal.original(at))
		}
		if best.to > best.from {
			out = append(out, e)
		}
	}
	return out
}

// Chosen is the quote that is chosen; ok is false where none is.
func (l *List) Chosen() (e Evidence, ok bool) {
	if l.chosen < 0 || l.cursor >= len(l.cards) {
		return e, false
	}
	list := l.visible(&l.cards[l.cursor])
	if l.chosen >= len(list) {
		return e, false
	}
	return list[l.chosen], true
}

// visible is the evidence of the orders that are shown. Where both say the very
// same it is shown once.
func (l *List) visible(c *Card) []Evidence {
	list, order := l.evidence(c), l.only
	if order < 0 && c.alike() {
		order = int(arena.AFirst)
	}
	if order < 0 {
		return list
	}
	var out []Evidence
	for _, e := range list {
		if int(e.order) == order {
			out = append(out, e)
		}
	}
	return out
}

// walk chooses the next or the former quote, in whichever card it is, and opens
// the card. It reports whether there is one.
func (l *List) walk(by int) bool {
	n := len(l.cards)
	at := l.chosen
	if !l.IsOpen(l.cursor) {
		at = -1
	}
	for step := range n + 1 {
		i := ((l.cursor+by*step)%n + n) % n
		list := l.visible(&l.cards[i])
		next := at + by
		if step > 0 {
			if next = 0; by < 0 {
				next = len(list) - 1
			}
		}
		if next >= 0 && next < len(list) {
			l.cursor, l.chosen = i, next
			l.Open(i, true)
			l.reveal()
			return true
		}
	}
	return false
}
