package look

// Hint is a key and the word for what it does, as the last row of a screen
// shows it.
type Hint struct {
	Name string // of the command, for the mouse
	Key  string // "" leaves the hint out
	Word string
}

// HintSpot is where a hint stands on its row: the cells from, up to but without
// to.
type HintSpot struct {
	Name     string
	From, To int
}

// Hints writes as many hints as fit into room cells, gap cells apart, and says
// where each stands. The last one, which leads to all others, keeps its place
// where room gets short.
func (l *Look) Hints(hints []Hint, gap, room int) (text string, spots []HintSpot) {
	used, last := 0, 0
	if n := len(hints); n > 1 && hints[n-1].Key != "" {
		last = Width(hints[n-1].Key) + 1 + Width(hints[n-1].Word) + gap
	}
	for i, h := range hints {
		if h.Key == "" {
			continue
		}
		lead, keep := gap, last
		if used == 0 {
			lead = 0
		}
		if i == len(hints)-1 {
			keep = 0
		}
		size := Width(h.Key) + 1 + Width(h.Word)
		if used+lead+size+keep > room {
			continue
		}
		text += blank(lead) + l.Paint(Key, h.Key) + l.Paint(Dim, " "+h.Word)
		spots = append(spots, HintSpot{h.Name, used + lead, used + lead + size})
		used += lead + size
	}
	return text, spots
}

// Shift moves spots to the right, to where the hints were put.
func Shift(spots []HintSpot, by int) []HintSpot {
	for i := range spots {
		spots[i].From += by
		spots[i].To += by
	}
	return spots
}

// HintAt names the command of the hint at a cell of the row, "" for none.
func HintAt(spots []HintSpot, x int) string {
	for _, s := range spots {
		if x >= s.From && x < s.To {
			return s.Name
		}
	}
	return ""
}
