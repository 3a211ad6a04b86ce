package stage

import (
	"fmt"
	"strconv"
	"strings"

	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// scenery is what the surroundings did between two turns, the same on both sides.
type scenery struct {
	id, text string
	look     *look.Look
	version  uint64

	made struct {
		version uint64
		width   int
		rows    []string
		cells   [][]prose.Cell // of the rows below the blank one, nil until asked for
	}
}

// ID names the block within its pane.
func (b *scenery) ID() string { return b.id }

// Version moves with the text and the look.
func (b *scenery) Version() uint64 { return b.version }

// Rows returns the block at a width.
func (b *scenery) Rows(width int) []string {
	if m := &b.made; m.rows == nil || m.version != b.version || m.width != width {
		m.version, m.width, m.cells = b.version, width, nil
		m.rows = append([]string{""}, sceneryRows(b.look, b.text, width)...)
	}
	return b.made.rows
}

func (b *scenery) rowsBy() hits {
	out := hits{none}
	for range b.made.rows[min(1, len(b.made.rows)):] {
		out = append(out, scenic)
	}
	return out
}

func (b *scenery) count() int { return 0 }

func (b *scenery) words(segment int) string {
	if segment != scenic {
		return ""
	}
	return guard.Text(b.text)
}

func (b *scenery) cells(segment int) [][]prose.Cell {
	m := &b.made
	if segment != scenic || len(m.rows) == 0 {
		return nil
	}
	if m.cells == nil {
		m.cells = prose.Align(guard.Text(b.text), m.rows[1:], sceneryLead)
	}
	return m.cells
}

func (b *scenery) unfold(int, bool) bool { return false }

// sceneryLead is how far the text is set in, in cells.
const sceneryLead = 3

func sceneryRows(l *look.Look, text string, width int) []string {
	return hang(l, look.Act, " "+l.Paint(look.Dim, "~")+" ", "   ", guard.Text(text), width)
}

// setScenery shows what the surroundings did before a turn.
func (s *Stage) setScenery(turn int, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	b := s.sceneries[turn]
	if b == nil {
		b = &scenery{id: fmt.Sprint("scenery ", turn), look: s.look}
		if s.sceneries == nil {
			s.sceneries = map[int]*scenery{}
		}
		s.sceneries[turn] = b
	}
	if b.text == text {
		return
	}
	b.text = text
	b.version++
	for _, p := range s.panes {
		p.Upsert(b)
	}
	s.stale(aPart | bPart)
}

// sceneryBefore is what the surroundings did before a turn of the duel, or before the
// one to come; nil where they did nothing.
func (s *Stage) sceneryBefore(turn int) *scenery {
	switch n := len(s.play.turns); {
	case turn < 0 || turn > n:
		return nil
	case turn < n:
		return s.sceneries[s.play.turns[turn].number]
	case n > 0:
		return s.sceneries[s.play.turns[n-1].number+1]
	}
	return s.sceneries[s.pastTurns()+1]
}

// sceneryTurn is the index of the turn before which a scenery stands, by the name of
// its block; ok is false for names of other blocks.
func (s *Stage) sceneryTurn(id string) (turn int, ok bool) {
	number, ok := strings.CutPrefix(id, "scenery ")
	if !ok {
		return 0, false
	}
	first := s.pastTurns() + 1
	if len(s.play.turns) > 0 {
		first = s.play.turns[0].number
	}
	// Turns are numbered in their order, nearly always without gaps.
	if n, err := strconv.Atoi(number); err == nil {
		if b := s.sceneryBefore(n - first); b != nil && b.id == id {
			return n - first, true
		}
	}
	for turn := len(s.play.turns); turn >= 0; turn-- {
		if b := s.sceneryBefore(turn); b != nil && b.id == id {
			return turn, true
		}
	}
	return 0, false
}
