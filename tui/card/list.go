package card

import (
	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// Keys of the list, as the help shows them.
var (
	KeyUp     = keys.New("card up", "up", "k").As("↑ k")
	KeyDown   = keys.New("card down", "down", "j").As("↓ j")
	KeyToggle = keys.New("open or shut the card", "enter", "space").As("enter")
	KeyAll    = keys.New("open or shut all cards", "o")
)

// List shows the cards of one ruling and remembers which are open. It is driven
// by Set, Press, Click and Scroll and shown by View; it owns no goroutine.
// Make it with New.
type List struct {
	look    *look.Look
	cards   []Card
	open    map[string]bool
	cursor  int
	top     int // first row shown
	writing bool
	rows    map[string]cached

	shown []string // the frame of the last View
	owner []int    // card index by row of the whole list
}

// cached is a card's rows and what they were made from.
type cached struct {
	card    Card
	width   int
	open    bool
	chosen  bool
	writing bool
	rows    []string
}

// New returns an empty list.
func New(l *look.Look) *List {
	return &List{look: l, open: map[string]bool{}, rows: map[string]cached{}}
}

// SetLook changes palette and glyphs.
func (l *List) SetLook(k *look.Look) {
	l.look = k
	clear(l.rows)
}

// Set shows the verdicts of both orders; writing says that the critic is still
// at it. Cards stay open and chosen across snapshots.
func (l *List) Set(verdicts [2]arena.Verdict, writing bool) {
	chosen := ""
	if l.cursor < len(l.cards) {
		chosen = l.cards[l.cursor].Key
	}
	l.cards, l.writing = Merge(verdicts), writing
	known := make(map[string]bool, len(l.cards))
	at := 0
	for i, c := range l.cards {
		known[c.Key] = true
		if c.Key == chosen {
			at = i
		}
	}
	l.cursor = at
	for key := range l.rows {
		if !known[key] {
			delete(l.rows, key)
		}
	}
}

// Reset forgets the cards and which were open, for another ruling.
func (l *List) Reset() {
	l.cards, l.cursor, l.top, l.writing = nil, 0, 0, false
	clear(l.open)
	clear(l.rows)
}

// Len is the number of cards.
func (l *List) Len() int { return len(l.cards) }

// Open opens or shuts the i-th card; out of range it does nothing.
func (l *List) Open(i int, open bool) {
	if i >= 0 && i < len(l.cards) {
		l.open[l.cards[i].Key] = open
	}
}

// IsOpen reports whether the i-th card is open.
func (l *List) IsOpen(i int) bool {
	return i >= 0 && i < len(l.cards) && l.open[l.cards[i].Key]
}

// Cursor is the index of the chosen card.
func (l *List) Cursor() int { return l.cursor }

// Press takes a key by name and reports whether it meant anything.
func (l *List) Press(key string) bool {
	if len(l.cards) == 0 {
		return false
	}
	switch key {
	case "up", "k":
		l.cursor = max(l.cursor-1, 0)
	case "down", "j":
		l.cursor = min(l.cursor+1, len(l.cards)-1)
	case "home", "g":
		l.cursor = 0
	case "end", "G":
		l.cursor = len(l.cards) - 1
	case "enter", "space":
		l.Open(l.cursor, !l.IsOpen(l.cursor))
	case "right":
		l.Open(l.cursor, true)
	case "left":
		l.Open(l.cursor, false)
	case "o":
		l.toggleAll()
	case "pgup":
		l.Scroll(-max(len(l.shown)-1, 1))
		return true
	case "pgdown":
		l.Scroll(max(len(l.shown)-1, 1))
		return true
	default:
		return false
	}
	l.reveal()
	return true
}

// toggleAll shuts all when all are open, else opens all.
func (l *List) toggleAll() {
	all := true
	for i := range l.cards {
		all = all && l.IsOpen(i)
	}
	for i := range l.cards {
		l.Open(i, !all)
	}
}

// Click chooses the card under row y of the last view and opens or shuts it
// when the row is its heading. It reports whether a card was there.
func (l *List) Click(y int) bool {
	row := l.top + y
	if y < 0 || y >= len(l.shown) || row >= len(l.owner) {
		return false
	}
	i := l.owner[row]
	l.cursor = i
	if row == 0 || l.owner[row-1] != i {
		l.Open(i, !l.IsOpen(i))
	}
	return true
}

// Scroll moves the rows without moving the choice.
func (l *List) Scroll(by int) { l.top = max(l.top+by, 0) }

// reveal asks for the chosen card to be seen; View knows the rows.
func (l *List) reveal() { l.top = -1 }

// Height is the number of rows the whole list takes at a width.
func (l *List) Height(width int, focus bool) int {
	n := 0
	for i := range l.cards {
		n += len(l.card(i, width, focus))
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
	var all []string
	from, to := 0, 0
	for i := range l.cards {
		rows := l.card(i, w, focus)
		if i == l.cursor {
			from, to = len(all), len(all)+len(rows)
		}
		all = append(all, rows...)
		for range rows {
			l.owner = append(l.owner, i)
		}
	}
	if l.top < 0 { // the chosen card is to be seen, its heading above all
		l.top = max(min(from, to-h), 0)
		if from < l.top {
			l.top = from
		}
	}
	l.top = max(min(l.top, len(all)-h), 0)
	l.shown = append(l.shown, all[l.top:min(l.top+h, len(all))]...)
	return l.shown
}

// Hidden is the number of rows above and below the last view.
func (l *List) Hidden() (above, below int) {
	return l.top, max(len(l.owner)-l.top-len(l.shown), 0)
}

// card returns the rows of the i-th card, made anew only when something of it
// has changed.
func (l *List) card(i, width int, focus bool) []string {
	c := l.cards[i]
	chosen := focus && i == l.cursor
	have, ok := l.rows[c.Key]
	want := cached{card: c, width: width, open: l.open[c.Key], chosen: chosen, writing: l.writing}
	if ok && have.card == want.card && have.width == width && have.open == want.open &&
		have.chosen == chosen && have.writing == want.writing {
		return have.rows
	}
	want.rows = draw(l.look, c, width, want.open, chosen, l.writing)
	l.rows[c.Key] = want
	return want.rows
}
