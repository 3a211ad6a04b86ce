package stage

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/pane"
)

// foundLimit bounds what is counted, queryLimit what is searched for, in bytes.
const (
	foundLimit = 9999
	queryLimit = 200
)

// finding is a place where the query stands.
type finding struct {
	side          arena.Side
	turn, segment int
	from, to      int
}

// textPlace names a text of the transcript.
type textPlace struct {
	side          arena.Side
	turn, segment int
}

// search looks for words in the transcripts: of both sides, or of one. Folded
// panels are looked through as well, and opened where something is found.
type search struct {
	writing bool // the query is being written
	query   string
	needle  needle
	sides   [2]bool

	found   []finding // in the order of reading
	settled int       // turns that need not be looked through again
	seen    map[textPlace]*matches
	tally   [3]int // found in A, in B, in what both share
	at      int    // index into found; -1 where nothing is found

	// Where the search began, for the way back.
	focus  focus
	side   arena.Side
	marks  [2]pane.Mark
	from   [2]int // turn at the top of each side
	opened *finding
}

// beginSearch opens the line of the search. From a side it looks through that
// side, from elsewhere through both.
func (s *Stage) beginSearch() {
	was := s.search
	q := &search{writing: true, at: -1, seen: map[textPlace]*matches{}, focus: s.focus, side: s.side, sides: [2]bool{true, true}}
	if s.compare == nil && (s.focus == onA || s.focus == onB) {
		q.sides = [2]bool{s.focus == onA, s.focus == onB}
	}
	for side := range s.panes {
		q.marks[side] = s.panes[side].Mark()
		q.from[side] = s.topTurn(arena.Side(side))
	}
	if was != nil {
		q.opened = was.opened
	}
	s.closeCompare()
	s.search = q
	s.stale(allParts)
}

// topTurn is the turn at the top of a side's window.
func (s *Stage) topTurn(side arena.Side) int {
	if id, _, ok := s.panes[side].BlockAt(0); ok {
		if turn, ok := s.sceneryTurn(id); ok {
			return turn
		}
		if turn, ok := s.turnOf(side, id); ok {
			return turn
		}
	}
	return s.beginning()
}

// endSearch takes the search away. back returns to where it began.
func (s *Stage) endSearch(back bool) {
	q := s.search
	if q == nil {
		return
	}
	s.search = nil
	if back {
		q.shut(s)
		for side := range s.panes {
			s.panes[side].Return(q.marks[side])
		}
		s.side = q.side
		s.setFocus(q.focus)
	}
	s.stale(allParts)
}

// onSearch takes a key while the query is written.
func (s *Stage) onSearch(k tea.KeyPressMsg) tea.Cmd {
	q := s.search
	s.stale(allParts)
	switch name := keys.Name(k); name {
	case "esc":
		s.endSearch(true)
	case "enter":
		return s.keepSearch()
	case "up", "ctrl+p":
		s.toFinding(-1)
	case "down", "ctrl+n":
		s.toFinding(1)
	case "tab":
		s.searchElsewhere(1)
	case "shift+tab":
		s.searchElsewhere(2)
	case "backspace":
		if q.query == "" {
			s.endSearch(true)
			return nil
		}
		_, size := utf8.DecodeLastRuneInString(q.query)
		s.seek(q.query[:len(q.query)-size])
	case "ctrl+u":
		s.seek("")
	case "ctrl+w":
		trimmed := strings.TrimRight(q.query, " ")
		s.seek(trimmed[:strings.LastIndexByte(trimmed, ' ')+1])
	default:
		if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
			s.seek(q.query + k.Text)
		}
	}
	return nil
}

// keepSearch leaves the line of the search and stays at what was found.
func (s *Stage) keepSearch() tea.Cmd {
	q := s.search
	if q.at < 0 {
		s.endSearch(true)
		if strings.TrimSpace(q.query) == "" {
			return nil
		}
		return notice("“"+q.query+"” is not found", false)
	}
	q.writing = false
	s.setFocus(onA + focus(q.found[q.at].side))
	return nil
}

// searchElsewhere goes round: both sides, A, B.
func (s *Stage) searchElsewhere(by int) {
	order := [][2]bool{{true, true}, {true, false}, {false, true}}
	at := slices.Index(order, s.search.sides)
	s.search.sides = order[(at+by)%len(order)]
	s.seek(s.search.query)
}

// seek searches for a query and goes to a match: from the end of the transcript
// to the last one, reading back to the first from the top of the window on,
// round to the beginning if there is none behind.
func (s *Stage) seek(query string) {
	q := s.search
	if len(query) > queryLimit {
		return
	}
	q.query, q.needle = query, newNeedle(query)
	q.seen = map[textPlace]*matches{}
	q.found, q.settled, q.at, q.tally = nil, s.beginning(), -1, [3]int{}
	q.shut(s)
	for side := range s.panes {
		s.panes[side].Return(q.marks[side])
	}
	q.refresh(s)
	if len(q.found) == 0 {
		return
	}
	q.at = max(slices.IndexFunc(q.found, func(f finding) bool { return f.turn >= q.from[f.side] }), 0)
	if q.fromEnd() {
		q.at = len(q.found) - 1
	}
	s.goTo()
}

// fromEnd reports whether the search began where all its sides follow their end.
func (q *search) fromEnd() bool {
	for side, in := range q.sides {
		if in && !q.marks[side].AtEnd() {
			return false
		}
	}
	return true
}

// refresh looks through what may have changed since the last time.
func (q *search) refresh(s *Stage) {
	keep := len(q.found)
	var at *finding
	for keep > 0 && q.found[keep-1].turn >= q.settled {
		keep--
		f := q.found[keep]
		q.tally[f.share()]--
		if keep == q.at {
			at = &f
		}
	}
	q.found = q.found[:keep]
	for turn := q.settled; turn <= len(s.play.turns); turn++ { // the last stands before a turn to come
		q.lookThrough(s, turn)
	}
	q.settled = len(s.play.turns) - 1
	if at != nil {
		was := q.at
		q.at = min(was, len(q.found)-1)
		for i := keep; i < len(q.found); i++ {
			if q.found[i] == *at {
				q.at = i
			}
		}
	}
}

// share is where a match counts: A, B, or what both share.
func (f finding) share() int {
	if f.segment == said || f.segment == scenic || f.turn < 0 {
		return 2
	}
	return int(f.side)
}

// lookThrough finds all matches of a turn: in the line, which both sides show
// and which counts once, then side by side.
func (q *search) lookThrough(s *Stage, turn int) {
	for i, side := range []arena.Side{arena.A, arena.B} {
		if !q.sides[side] {
			continue
		}
		if i == 0 || !q.sides[arena.A] {
			q.lookIn(s.standing(side, turn, scenic), textPlace{side, turn, scenic})
		}
		b := s.block(side, turn)
		if b == nil {
			continue
		}
		first := said
		if i > 0 && q.sides[arena.A] {
			first = 0
			if turn < 0 {
				return // the opening and the past are the same on both
			}
		}
		for segment := first; segment < b.count(); segment++ {
			q.lookIn(b, textPlace{side, turn, segment})
		}
	}
}

// lookIn finds all matches of a text.
func (q *search) lookIn(b readable, at textPlace) {
	if b == nil {
		return
	}
	for _, m := range q.in(b, at, foundLimit-len(q.found)) {
		f := finding{at.side, at.turn, at.segment, m[0], m[1]}
		q.found = append(q.found, f)
		q.tally[f.share()]++
	}
}

// toFinding goes to the next match, or the one before, round at the ends.
func (s *Stage) toFinding(by int) {
	q := s.search
	if q == nil {
		return
	}
	q.refresh(s)
	if n := len(q.found); n > 0 {
		q.at = (q.at + by + n) % n
		s.goTo()
	}
}

// goTo shows the match at hand, and opens the panel it stands in.
func (s *Stage) goTo() {
	q := s.search
	f := q.found[q.at]
	if q.opened != nil && (q.opened.turn != f.turn || q.opened.segment != f.segment || q.opened.side != f.side) {
		q.shut(s)
	}
	if b := s.standing(f.side, f.turn, f.segment); b != nil {
		w, _ := s.panes[f.side].Size()
		b.Rows(max(w, 1)) // so that it knows what it shows
		if b.unfold(f.segment, true) {
			q.opened = &f
		}
	}
	if !q.writing {
		s.setFocus(onA + focus(f.side))
	} else {
		s.side = f.side
	}
	s.stale(allParts)
	s.arrange()
	s.showText(f.side, f.turn, f.segment, f.from)
	if f.share() == 2 && q.sides[arena.B] && f.side == arena.A {
		s.showText(arena.B, f.turn, f.segment, f.from) // the line stands on both sides
	}
}

// growing is how many texts are remembered with what was found in them: those of
// the screen and of the newest turn.
const growing = 256

// in returns the matches in a text.
func (q *search) in(b readable, at textPlace, limit int) [][2]int {
	m := q.seen[at]
	if m == nil {
		if len(q.seen) >= growing {
			clear(q.seen)
		}
		m = &matches{}
		q.seen[at] = m
	}
	return m.in(q.needle, b.words(at.segment), limit)
}

// shut folds again what the search has opened.
func (q *search) shut(s *Stage) {
	if q.opened == nil {
		return
	}
	if b := s.block(q.opened.side, q.opened.turn); b != nil && b.unfold(q.opened.segment, false) {
		s.panes[q.opened.side].Upsert(b)
	}
	q.opened = nil
}

// reaches are the matches in a text, the one at hand set off.
func (q *search) reaches(s *Stage, side arena.Side, turn, segment int) []reach {
	b := s.standing(side, turn, segment)
	if b == nil || len(q.needle) == 0 || !q.sides[side] {
		return nil
	}
	others := look.Role(look.Selected)
	if s.look.Colour == look.NoColour {
		others = look.Link // underlined: the one at hand is reversed
	}
	var out []reach
	for _, m := range q.in(b, textPlace{side, turn, segment}, foundLimit) {
		role := others
		if q.at >= 0 && q.at < len(q.found) {
			if f := q.found[q.at]; f.turn == turn && f.segment == segment && f.from == m[0] && (f.side == side || f.share() == 2) {
				role = look.Badge
			}
		}
		out = append(out, reach{m[0], m[1], role})
	}
	return out
}

// pasteQuery takes text into the query.
func (s *Stage) pasteQuery(text string) { s.seek(s.search.query + guard.Line(text)) }
