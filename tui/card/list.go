package card

import (
	"herarena/arena"
	"herarena/tui/look"
)

// List shows the cards of one ruling and remembers which are open. It is driven
// by Set, SetReplies, Press, Click and Scroll and shown by View; it owns no
// goroutine. Make it with New.
type List struct {
	look    *look.Look
	merger  merger
	cards   []Card
	open    map[string]bool
	cursor  int
	top     int // first row shown
	writing bool
	only    int // the order whose opinions alone are shown; -1 shows both
	rows    map[string]cached

	detail     detail // of cards that are shut
	fitted     fitted
	generation int // counts the snapshots that changed something

	replies [2]reply
	seek    seeker
	found   map[string]quotation
	chosen  int // quote of the card at the cursor; -1 is none

	shown []string // the frame of the last View
	owner []int    // card index by row of the whole list
}

// cached is a card's rows and what they were made from.
type cached struct {
	card  Card
	shape shape
	rows  []line
}

// shape is all besides the card itself that its rows depend on.
type shape struct {
	width   int
	open    bool
	detail  detail
	chosen  bool
	quote   int // the chosen quote, -1 for none
	writing bool
	only    int
	spoke   [2]bool // the orders that name anything at all
}

// New returns an empty list.
func New(l *look.Look) *List {
	return &List{
		look: l, open: map[string]bool{}, rows: map[string]cached{}, found: map[string]quotation{},
		only: -1, chosen: -1, seek: seeker{searchMost},
	}
}

// SetLook changes palette and glyphs.
func (l *List) SetLook(k *look.Look) {
	l.look = k
	clear(l.rows)
	clear(l.found)
}

// Set shows the verdicts of both orders; writing says that the critic is still
// at it. Cards stay open and chosen across snapshots and keep their places: what
// is new comes last.
func (l *List) Set(verdicts [2]arena.Verdict, writing bool) {
	chosen := ""
	if l.cursor < len(l.cards) {
		chosen = l.cards[l.cursor].Key
	}
	l.cards, l.writing = inPlace(l.cards, l.merger.merge(&verdicts)), writing
	l.generation++
	known := make(map[string]bool, len(l.cards))
	at := 0
	for i := range l.cards {
		known[l.cards[i].Key] = true
		if l.cards[i].Key == chosen {
			at = i
		}
	}
	if at != l.cursor {
		l.cursor = at
		if len(l.cards) == 0 || l.cards[at].Key != chosen {
			l.chosen = -1
		}
	}
	for key := range l.rows {
		if !known[key] {
			delete(l.rows, key)
			delete(l.found, key)
		}
	}
}

// inPlace orders the cards of a newer snapshot as those of the older stood. A
// card is known by its key, else by its place among what an order names: a name
// may grow, or turn out to be another's alias. It keeps its key then.
func inPlace(old, now []Card) []Card {
	same := len(old) <= len(now)
	for i := 0; same && i < len(old); i++ {
		same = old[i].Key == now[i].Key
	}
	if same {
		return now
	}
	to := make([]int, len(old)) // of each old card, the new one
	used := make([]bool, len(now))
	for i := range to {
		to[i] = -1
	}
	match := func(same func(was, is *Card) bool) {
		for i := range old {
			for k := 0; to[i] < 0 && k < len(now); k++ {
				if !used[k] && same(&old[i], &now[k]) {
					to[i], used[k] = k, true
				}
			}
		}
	}
	match(func(was, is *Card) bool { return was.Key == is.Key })
	match(func(was, is *Card) bool { return shared(was.slot, is.slot) })
	match(func(was, is *Card) bool { return was.alias == is.alias })
	out := make([]Card, 0, len(now))
	for i, k := range to {
		if k >= 0 {
			now[k].Key = old[i].Key
			out = append(out, now[k])
		}
	}
	for k := range now {
		if !used[k] {
			out = append(out, now[k])
		}
	}
	return distinct(out)
}

// shared reports whether an order has two cards in the same place.
func shared(a, b [2]int) bool {
	return a[0] > 0 && a[0] == b[0] || a[1] > 0 && a[1] == b[1]
}

// Reset forgets the cards and which were open, for another ruling.
func (l *List) Reset() {
	l.cards, l.cursor, l.top, l.writing, l.chosen = nil, 0, 0, false, -1
	l.detail, l.generation = heading, l.generation+1
	l.merger.forget()
	l.replies = [2]reply{}
	l.seek.left = searchMost
	clear(l.open)
	clear(l.rows)
	clear(l.found)
}

// Len is the number of cards.
func (l *List) Len() int { return len(l.cards) }

// Cards are the cards in the order shown. The slice is the list's own.
func (l *List) Cards() []Card { return l.cards }

// Open opens or shuts the i-th card; out of range it does nothing.
func (l *List) Open(i int, open bool) {
	if i >= 0 && i < len(l.cards) {
		l.open[l.cards[i].Key] = open
		if !open && i == l.cursor {
			l.chosen = -1
		}
	}
}

// IsOpen reports whether the i-th card is open.
func (l *List) IsOpen(i int) bool {
	return i >= 0 && i < len(l.cards) && l.open[l.cards[i].Key]
}

// Cursor is the index of the chosen card.
func (l *List) Cursor() int { return l.cursor }

// Only is the order that is shown alone; ok is false where both are shown.
func (l *List) Only() (order arena.Order, ok bool) { return arena.Order(max(l.only, 0)), l.only >= 0 }

// Scroll moves the rows without moving the choice.
func (l *List) Scroll(by int) { l.top = max(l.top+by, 0) }

// reveal asks for the chosen card to be seen; View knows the rows.
func (l *List) reveal() { l.top = -1 }

// Height is the number of rows the whole list takes at a width.
func (l *List) Height(width int, focus bool) int {
	n, spoke := 0, l.spoke()
	for i := range l.cards {
		n += len(l.card(i, width, focus, spoke))
	}
	return n
}

// View returns at most h rows of exactly w cells. The slice is reused by the
// next View.
func (l *List) View(w, h int, focus bool) []string {
	l.shown, l.owner = l.shown[:0], l.owner[:0]
	if h <= 0 || w <= 0 {
		return l.shown
	}
	var all []line
	from, to, spoke := 0, 0, l.spoke()
	for i := range l.cards {
		rows := l.card(i, w, focus, spoke)
		if i == l.cursor {
			from, to = len(all), len(all)+len(rows)
		}
		all = append(all, rows...)
		for range rows {
			l.owner = append(l.owner, i)
		}
	}
	if l.top < 0 { // the chosen card is to be seen, its heading above all
		l.top = min(max(min(from, to-h), 0), from)
		if row, ok := l.quoteRow(all, from, to); ok && row >= l.top+h {
			l.top = row - h + 1 // unless a quote in it is what is chosen
		}
	}
	l.top = max(min(l.top, len(all)-h), 0)
	for _, r := range all[l.top:min(l.top+h, len(all))] {
		l.shown = append(l.shown, r.text)
	}
	return l.shown
}

// quoteRow is the last row of the chosen quote among those of its card.
func (l *List) quoteRow(all []line, from, to int) (row int, ok bool) {
	for i := from; i < to && l.chosen >= 0; i++ {
		for _, h := range all[i].hits {
			if h.quote == l.chosen {
				row, ok = i, true
			}
		}
	}
	return row, ok
}

// Hidden is the number of rows above and below the last view.
func (l *List) Hidden() (above, below int) {
	return l.top, max(len(l.owner)-l.top-len(l.shown), 0)
}

// spoke tells which orders name anything.
func (l *List) spoke() (out [2]bool) {
	for i := range l.cards {
		for o, s := range l.cards[i].slot {
			out[o] = out[o] || s > 0
		}
	}
	return out
}

// card returns the rows of the i-th card, made anew only when something of it
// has changed.
func (l *List) card(i, width int, focus bool, spoke [2]bool) []line {
	c := &l.cards[i]
	want := shape{
		width: width, open: l.open[c.Key], detail: l.detail, chosen: focus && i == l.cursor, quote: -1,
		writing: l.writing && !done(c), only: l.only, spoke: spoke,
	}
	if i == l.cursor {
		want.quote = l.chosen
	}
	if have, ok := l.rows[c.Key]; ok && have.shape == want && have.card == *c {
		return have.rows
	}
	d := drawing{look: l.look, card: c, shape: want}
	if want.open || want.detail >= said {
		d.quotes = l.visible(c)
	}
	rows := d.rows()
	l.rows[c.Key] = cached{*c, want, rows}
	return rows
}

// done reports whether both orders have decided a card.
func done(c *Card) bool {
	return c.Opinions[0].Winner != arena.NoChoice && c.Opinions[1].Winner != arena.NoChoice
}
