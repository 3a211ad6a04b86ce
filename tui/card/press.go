package card

// Press takes a key by name and reports whether it meant anything: up and down,
// home and end, enter to open or shut a card, left and right, o for all cards, x
// for both orders or one alone, . and , for the quotes that stand in a reply,
// pgup and pgdown. Following a chosen quote is the caller's: it asks Chosen
// before it presses enter.
func (l *List) Press(key string) bool {
	if len(l.cards) == 0 {
		return false
	}
	was := l.cursor
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
	case "x":
		l.nextOrder()
	case ".":
		return l.walk(1)
	case ",":
		return l.walk(-1)
	case "pgup":
		l.Scroll(-max(len(l.shown)-1, 1))
		return true
	case "pgdown":
		l.Scroll(max(len(l.shown)-1, 1))
		return true
	default:
		return false
	}
	if l.cursor != was {
		l.chosen = -1
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

// nextOrder shows both orders, then the first alone, then the second.
func (l *List) nextOrder() {
	l.only++
	if l.only > 1 {
		l.only = -1
	}
	l.chosen = -1
}

// Click chooses the card under row y of the last view and opens or shuts it
// when the row is its heading. It reports whether a card was there.
func (l *List) Click(y int) bool {
	_, _, took := l.ClickAt(-1, y)
	return took
}

// ClickAt is Click with the cell of the row: on a quote that stands in a reply
// it chooses the quote, and jump is true.
func (l *List) ClickAt(x, y int) (e Evidence, jump, took bool) {
	row := l.top + y
	if y < 0 || y >= len(l.shown) || row >= len(l.owner) {
		return e, false, false
	}
	i := l.owner[row]
	first := row
	for first > 0 && l.owner[first-1] == i {
		first--
	}
	if i != l.cursor {
		l.chosen = -1
	}
	l.cursor = i
	rows := l.rows[l.cards[i].Key].rows
	if k := row - first; k < len(rows) {
		for _, h := range rows[k].hits {
			if x >= h.from && x < h.to {
				l.chosen = h.quote
				e, ok := l.Chosen()
				return e, ok, true
			}
		}
	}
	if row == first {
		l.Open(i, !l.IsOpen(i))
	}
	return e, false, true
}
