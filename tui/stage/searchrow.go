package stage

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// searchRow is the line of the search: what is looked for, where, and how much
// was found.
func (s *Stage) searchRow() (row string, cursor int) {
	l, q := s.look, s.search
	where := "both sides"
	switch {
	case !q.sides[arena.B]:
		where = "A"
	case !q.sides[arena.A]:
		where = "B"
	}
	count := ""
	if !q.writing {
		q.refresh(s)
	}
	switch {
	case len(q.needle) == 0:
		count = l.Paint(look.Dim, "search "+where)
	case len(q.found) == 0:
		count = l.Paint(look.Warn, "not found in "+where)
	default:
		of := fmt.Sprint(len(q.found))
		if len(q.found) >= foundLimit {
			of += "+"
		}
		count = fmt.Sprintf("%d of %s", q.at+1, of) + l.Paint(look.Dim, " in "+where+q.split())
	}
	var hint []keys.Binding
	if q.writing {
		hint = []keys.Binding{
			keys.New("", "enter").Hinted("stay"), keys.New("", "tab").Hinted("where"),
			keys.New("", "up").As("↑ ↓").Hinted("others"), keys.New("", "esc").Hinted("back"),
		}
	} else {
		hint = []keys.Binding{s.bound("stage.search.next").Hinted("next"), s.bound("stage.search.previous").Hinted("before"), s.bound("stage.back").Hinted("done")}
	}
	prompt := " " + l.Paint(look.Accent, "/") + " "
	room := max(s.w-look.Width(count)-8, 8)
	query := q.query
	if n := look.Width(query); n > room {
		query = ansi.TruncateLeft(query, n-room, "")
	}
	left := prompt + query + "   " + count
	right := hintLine(l, hint, s.w-look.Width(left)-4)
	gap := max(s.w-look.Width(left)-look.Width(right)-1, 0)
	return l.Pad(left+strings.Repeat(" ", gap)+right, s.w), 3 + look.Width(query)
}

// split says how the matches are divided, where both sides are searched.
func (q *search) split() string {
	if !q.sides[arena.A] || !q.sides[arena.B] {
		return ""
	}
	text := fmt.Sprintf(": A %d, B %d", q.tally[0], q.tally[1])
	if q.tally[2] > 0 {
		text += fmt.Sprintf(", shared %d", q.tally[2])
	}
	return text
}
