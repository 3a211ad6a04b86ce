package board

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
	"herarena/tui/look"
)

// The times that a board can be narrowed to.
var spans = []struct {
	within time.Duration
	name   string
}{{0, "any time"}, {24 * time.Hour, "the last day"}, {7 * 24 * time.Hour, "the last 7 days"}, {30 * 24 * time.Hour, "the last 30 days"}, {365 * 24 * time.Hour, "the last year"}}

// knob is one thing that a board can be narrowed by.
type knob struct {
	name   string
	values []Choice // the first is all of them
	at     int
	set    func(int)
}

// knobs are what the source shown can be narrowed by.
func (s *Screen) knobs() []knob {
	c, q := s.choices[s.sources[s.at]], &s.query
	text := func(name string, list []Choice, field *string) knob {
		k := knob{name: name, values: append([]Choice{{Title: "all"}}, list...)}
		k.at = max(slices.IndexFunc(k.values, func(c Choice) bool { return c.Value == *field }), 0)
		k.set = func(i int) { *field = k.values[i].Value }
		return k
	}
	when := knob{name: "time", set: func(i int) { q.Within = spans[i].within }}
	for i, x := range spans {
		when.values = append(when.values, Choice{Title: x.name})
		if x.within == q.Within {
			when.at = i
		}
	}
	return []knob{
		text("scene", c.Scenes, &q.Scene), text("character", c.Characters, &q.Character), text("language", c.Languages, &q.Language),
		text("dimension", c.Dimensions, &q.Dimension), when,
	}
}

// turn changes the chosen filter by some steps.
func (s *Screen) turn(by int) tea.Cmd {
	k := s.knobs()[s.knob]
	n := len(k.values)
	if n < 2 {
		return nil
	}
	k.set(((k.at+by)%n + n) % n)
	return s.again()
}

// again rates what is chosen now.
func (s *Screen) again() tea.Cmd {
	clear(s.views)
	s.top, s.row, s.pair, s.drawn = 0, 0, nil, Drawn{}
	return s.load()
}

func (s *Screen) clear() tea.Cmd {
	if !s.query.narrowed() {
		return nil
	}
	s.query = Query{}
	return s.again()
}

// filterRows are the filters, where they are open or narrow the board.
func (s *Screen) filterRows() []string {
	l := s.look
	if len(s.sources) == 0 {
		return nil
	}
	var rows []string
	text := ""
	for i, k := range s.knobs() {
		value := guard.Line(k.values[k.at].Title)
		if s.filtering {
			row := fmt.Sprintf("%-10s %s", k.name, l.Truncate(value, max(s.w-24, 8)))
			if len(k.values) == 1 {
				row += l.Paint(look.Dim, "  nothing else to choose")
			}
			if i == s.knob {
				row = l.Paint(look.Key, l.Glyphs.Prompt) + " " + l.Paint(look.Selected, row)
			} else {
				row = "  " + row
			}
			rows = append(rows, " "+row)
		} else if k.at > 0 {
			text += " " + l.Glyphs.Dot + " " + k.name + ": " + value
		}
	}
	if text != "" {
		rows = append(rows, "  "+l.Paint(look.Accent, l.Truncate("only"+text, max(s.w-4, 1))))
	}
	return rows
}

// moved handles the keys that move while the filters are open; false: they are
// shut.
func (s *Screen) moved(up, sideways int) (tea.Cmd, bool) {
	if !s.filtering || len(s.sources) == 0 {
		return nil, false
	}
	if up != 0 {
		n := len(s.knobs())
		s.knob = ((s.knob+up)%n + n) % n
		return nil, true
	}
	return s.turn(sideways), true
}
