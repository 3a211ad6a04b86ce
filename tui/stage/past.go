package stage

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// pastBlock is the turns before the duel's first one, as each side has them:
// history, in which nothing is judged.
type pastBlock struct {
	turns   []arena.PastTurn
	origin  arena.Origin
	char    string
	hushed  bool // who wrote a reply is not told
	look    *look.Look
	version uint64
	rows    []string
	width   int
}

// rememberer is a duel that knows what lies before its first turn.
type rememberer interface{ Past() []arena.PastTurn }

// lookBack puts what lies before the duel's first turn above it.
func (s *Stage) lookBack() {
	d, ok := s.o.Duel.(rememberer)
	if !ok {
		return
	}
	turns := d.Past()
	if len(turns) == 0 {
		return
	}
	for side := range s.panes {
		b := &pastBlock{turns: turns, origin: s.o.Origin, char: s.o.Scene.Character.Name, hushed: s.o.Blind, look: s.look, version: 1}
		s.past = append(s.past, b)
		s.panes[side].Upsert(b)
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		s.foldScenario(side)
	}
	for _, t := range turns {
		s.writer.remember(strings.TrimSpace(guard.Text(t.Line)))
	}
}

// pastTurns is the number of turns before the duel's first.
func (s *Stage) pastTurns() int {
	if len(s.past) == 0 {
		return 0
	}
	return len(s.past[0].turns)
}

// ID names the block within its pane.
func (b *pastBlock) ID() string { return "past" }

// Version changes with the look.
func (b *pastBlock) Version() uint64 { return b.version }

func (b *pastBlock) setLook(l *look.Look) {
	b.look, b.rows = l, nil
	b.version++
}

// Rows returns the block at a width: all of it behind a bar, under a heading
// that says where it is from.
func (b *pastBlock) Rows(width int) []string {
	if b.rows != nil && b.width == width {
		return b.rows
	}
	l := b.look
	bar := l.Paint(look.Dim, l.Glyphs.Quote)
	b.width, b.rows = width, []string{""}
	b.add(bar, width, hang(l, look.Dim, " ", " ", b.heading(), width-1)...)
	for i := range b.turns {
		t := &b.turns[i]
		b.add(bar, width, "")
		if strings.TrimSpace(t.Line) != "" || t.Note != "" {
			b.add(bar, width, spokenRows(l, t.Line, t.Note, "", width-1)...)
		}
		for _, seg := range t.Reply {
			if seg.Layer == layers.System || seg.Layer == layers.Native {
				continue
			}
			b.add(bar, width, newPart(seg, false, l).draw(l, width-1)...)
		}
		if by := b.by(t); by != "" {
			b.add(bar, width, l.Truncate(" "+l.Paint(look.Dim, by), width-1))
		}
	}
	b.add(bar, width, hang(l, look.Dim, " ", " ", "from here on it is this duel", width-1)...)
	return b.rows
}

func (b *pastBlock) add(bar string, width int, rows ...string) {
	for _, row := range rows {
		b.rows = append(b.rows, b.look.Truncate(bar+row, width))
	}
}

// heading says what this is and where it is from.
func (b *pastBlock) heading() string {
	text := "history, " + turns(len(b.turns))
	if b.origin.DuelID != "" {
		text += " from duel " + shortID(b.origin.DuelID)
	}
	return text + ": remembered by both sides, not judged here"
}

// shortID is the beginning of a duel's id, enough to find it by.
func shortID(id string) string {
	const most = 16
	id = guard.Line(id)
	if r := []rune(id); len(r) > most {
		return string(r[:most])
	}
	return id
}

// by says who wrote a reply of the past.
func (b *pastBlock) by(t *arena.PastTurn) string {
	var parts []string
	if t.By != "" && !b.hushed && len(t.Reply) > 0 {
		parts = append(parts, "by "+guard.Line(t.By))
	}
	if t.Edited {
		parts = append(parts, "changed by you")
	}
	return strings.Join(parts, ", ")
}

// spokenRows are the person's line with what went with it.
func spokenRows(l *look.Look, line, note, auto string, width int) []string {
	var rows []string
	if note != "" {
		rows = append(rows, hang(l, look.Dim, " "+l.Paint(look.Dim, l.Glyphs.Bullet)+" ", "   ", "director: "+guard.Text(note), width)...)
	}
	lead := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " "
	rows = append(rows, hang(l, look.Title, lead, "   ", guard.Text(line), width)...)
	if auto != "" {
		rows = append(rows, hang(l, look.Dim, "   ", "   ", fmt.Sprintf("written by %s", guard.Line(auto)), width)...)
	}
	return rows
}
