package board

import (
	"fmt"

	"herarena/arena/rating"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// body is the table of the source shown, or why there is none.
func (s *Screen) body(h int) []string {
	l := s.look
	say := func(role look.Role, text string) []string {
		return []string{"", "   " + l.Paint(role, l.Truncate(guard.Line(text), max(s.w-6, 1)))}
	}
	switch {
	case s.fault != "":
		return say(look.Bad, "the ledger could not be read: "+s.fault)
	case len(s.sources) == 0 && s.loading:
		return say(look.Dim, "reading the ledger"+l.Glyphs.More)
	case len(s.sources) == 0:
		return say(look.Dim, "no battles yet: play a turn and vote, or let the critic judge")
	}
	source := s.sources[s.at]
	if fault := s.faults[source]; fault != "" {
		return say(look.Bad, "this board could not be made: "+fault)
	}
	v, ok := s.views[source]
	if !ok {
		return say(look.Dim, "rating"+l.Glyphs.More)
	}
	b := &v.Board
	rows := s.filterRows()
	rows = append(rows, "   "+l.Paint(look.Dim, l.Truncate(counted(b)+s.meanings(), max(s.w-6, 1))))
	rows = append(rows, s.warningRows(b.Warnings, h)...)
	rows = append(rows, "")
	if len(b.Ratings) == 0 {
		return rows
	}
	s.headRow = 3 + len(rows)
	if s.page != ratingsPage {
		s.headRow = 0
	}
	return append(rows, s.rows(v, h-len(rows))...)
}

// warningRows are the warnings, as many as leave most of the screen to the page;
// the rest is named.
func (s *Screen) warningRows(warnings []string, h int) []string {
	l := s.look
	room := max(h/6, 1)
	if s.warnings {
		room = max(h-8, 1)
	}
	var rows []string
	shown := 0
	for _, w := range warnings {
		var next []string
		for i, row := range prose.Wrap(guard.Line(w), max(s.w-8, 1)) {
			lead := "! "
			if i > 0 {
				lead = "  "
			}
			next = append(next, "   "+l.Paint(look.Warn, lead+row))
		}
		if len(rows)+len(next) > room {
			break
		}
		rows = append(rows, next...)
		shown++
	}
	if left := len(warnings) - shown; left > 0 && !s.warnings {
		noun := "warnings"
		if left == 1 {
			noun = "warning"
		}
		if shown > 0 {
			noun = "more " + noun
		}
		rows = append(rows, "   "+l.Paint(look.Warn, fmt.Sprintf("! %d %s: w shows", left, noun)))
	}
	return rows
}

// meanings says what columns are that their names do not.
func (s *Screen) meanings() string {
	if s.page != ratingsPage || s.w < wider {
		return ""
	}
	return "; not bad: not called bad on both sides"
}

func counted(b *rating.Board) string {
	noun := "battles"
	if b.Battles == 1 {
		noun = "battle"
	}
	return fmt.Sprintf("%d %s, %d contestants; Bradley-Terry in Elo points, 95%% intervals", b.Battles, noun, len(b.Ratings))
}
