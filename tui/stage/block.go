package stage

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// folds is what a side shows of the layers that not everyone wants to read.
// Blocks share their side's folds; version moves all of them at once.
type folds struct {
	plan     bool // system thinking and native reasoning are open
	thoughts bool // role thinking is open
	version  uint64
}

func (f *folds) open(l layers.Layer) bool {
	if l == layers.Think {
		return f.thoughts
	}
	return f.plan
}

// foldable reports whether a layer can be folded at all.
func foldable(l layers.Layer) bool {
	return l == layers.System || l == layers.Native || l == layers.Think
}

// block is one turn on one side, as the transcript shows it: the person's line,
// the layers of the reply in the order written, and a foot with what came of it.
type block struct {
	id    string
	turn  *turn
	side  arena.Side
	look  *look.Look
	folds *folds
	bill  *billing

	version uint64
	shown   *take
	parts   []*part
	flipped map[int]bool // segments folded other than the side's folds say

	rows []string
	hits []int // segment by row, -1 for rows of none
	made struct {
		version uint64
		width   int
	}
	head  []string
	headW int
}

func newBlock(t *turn, side arena.Side, l *look.Look, f *folds, bill *billing) *block {
	return &block{
		id: fmt.Sprintf("turn %d", t.number), turn: t, side: side, look: l, folds: f, bill: bill,
		version: 1, flipped: map[int]bool{},
	}
}

// ID names the block within its pane.
func (b *block) ID() string { return b.id }

// Version moves with the turn and with the side's folds.
func (b *block) Version() uint64 { return b.version + b.folds.version<<32 }

// touch says that the turn has changed.
func (b *block) touch() { b.version++ }

// setLook changes the palette; everything is drawn anew.
func (b *block) setLook(l *look.Look) {
	b.look, b.parts, b.head = l, nil, nil
	b.touch()
}

// Rows returns the block at a width. Only what has changed is wrapped anew.
func (b *block) Rows(width int) []string {
	if b.made.version == b.Version() && b.made.width == width {
		return b.rows
	}
	b.rows, b.hits = b.rows[:0], b.hits[:0]
	if b.head == nil || b.headW != width {
		b.head, b.headW = b.line(width), width
	}
	b.add(-1, "")
	b.add(-1, b.head...)
	if t := b.turn.columns[b.side].shown(); t != nil {
		if t != b.shown {
			b.shown, b.parts = t, nil
			clear(b.flipped)
		}
		b.follow(t)
		for i, p := range b.parts {
			b.add(i, p.rows(b, i, width)...)
		}
		b.add(-1, b.foot(t, width)...)
	}
	b.made.version, b.made.width = b.Version(), width
	return b.rows
}

func (b *block) add(segment int, rows ...string) {
	for _, row := range rows {
		b.rows = append(b.rows, row)
		b.hits = append(b.hits, segment)
	}
}

// follow brings the parts up to date with the segments of the reply.
func (b *block) follow(t *take) {
	segments := t.reply.Segments
	for i, s := range segments {
		last := t.live && i == len(segments)-1
		if i < len(b.parts) && b.parts[i].grow(s, last) {
			continue
		}
		b.parts = append(b.parts[:min(i, len(b.parts))], newPart(s, last, b.look))
	}
	b.parts = b.parts[:len(segments)]
}

// line is what the person wrote.
func (b *block) line(width int) []string {
	lead := " " + b.look.Paint(look.Accent, b.look.Glyphs.Prompt) + " "
	return hang(b.look, look.Title, lead, "   ", guard.Text(b.turn.line), width)
}

// foot says what came of the reply: why it broke off, which swipe it is, the
// vote, canon, and who it was where that had been hidden.
func (b *block) foot(t *take, width int) []string {
	l := b.look
	var rows []string
	add := func(role look.Role, glyph, text string) {
		rows = append(rows, hang(l, role, " "+l.Paint(role, glyph)+" ", "   ", text, width)...)
	}
	r := &t.reply
	switch {
	case t.retry != nil:
		add(look.Warn, l.Glyphs.Dot, "trying again: "+b.told(t.retry))
	case t.live:
	case r.Fault != nil && r.Fault.Kind == arena.Cancelled:
		add(look.Dim, l.Glyphs.Cut, "stopped; ctrl+r asks for another reply")
	case r.Fault != nil:
		add(look.Bad, l.Glyphs.Cut, b.told(r.Fault))
		add(look.Dim, l.Glyphs.Dot, "ctrl+r asks again")
	case !layers.HasSpeech(r.Segments):
		add(look.Warn, l.Glyphs.Cut, "nothing is said in this reply, so it does not count; ctrl+r asks for another")
	case r.Finish == arena.FinishLength:
		add(look.Warn, l.Glyphs.Cut, "cut off by the token limit, so it does not count; ctrl+r asks for another")
	case r.Truncated, !r.Complete:
		add(look.Warn, l.Glyphs.Cut, "cut off before its end, so it does not count; ctrl+r asks for another")
	}
	for _, note := range r.Notes {
		add(look.Dim, l.Glyphs.Dot, sentence(b.bill.veil(b.turn, guard.Line(note))))
	}
	if len(r.SpokeFor) > 0 {
		add(look.Warn, l.Glyphs.Dot, "speaks for "+guard.Line(strings.Join(r.SpokeFor, ", ")))
	}
	if notes := b.notes(t); notes != "" {
		rows = append(rows, l.Truncate(" "+notes, width))
	}
	return rows
}

// told is a fault as the person may read it: cleaned, and without names where
// the seats are still hidden.
func (b *block) told(f *arena.Fault) string {
	return sentence(b.bill.veil(b.turn, f.Error()))
}

// notes are the small marks in the last row.
func (b *block) notes(t *take) string {
	l := b.look
	var notes []string
	c := &b.turn.columns[b.side]
	// Canon, vote and verdict are about the latest reply alone.
	latest := c.at == len(c.takes)-1
	if s, ok := b.turn.canonSide(); ok && s == b.side && latest {
		notes = append(notes, l.Paint(look.Good, "● canon"))
		if l.ASCII {
			notes[len(notes)-1] = l.Paint(look.Good, "* canon")
		}
	}
	if v := b.turn.vote; v != nil && latest {
		switch {
		case v.Choice == arena.ChoseA && b.side == arena.A, v.Choice == arena.ChoseB && b.side == arena.B:
			notes = append(notes, l.Paint(look.Accent, "your vote"))
		}
	}
	if len(c.takes) > 1 {
		count := fmt.Sprintf("reply %d of %d", c.at+1, len(c.takes))
		if !latest {
			count += ", not the one judged"
		}
		notes = append(notes, l.Paint(look.Dim, count))
	}
	if who, known := b.bill.name(b.turn, b.side); b.bill.blind && known && !t.live {
		notes = append(notes, l.Paint(look.Dim, "it was "+who))
	}
	return strings.Join(notes, l.Paint(look.Dim, "  "+l.Glyphs.Dot+"  "))
}

// click folds or unfolds the segment under a row, and reports whether there was
// one to fold.
func (b *block) click(row int) bool {
	if row < 0 || row >= len(b.hits) {
		return false
	}
	i := b.hits[row]
	if i < 0 || i >= len(b.parts) || !foldable(b.parts[i].layer) {
		return false
	}
	b.flipped[i] = !b.flipped[i]
	b.touch()
	return true
}

// isOpen reports whether the i-th segment is shown whole.
func (b *block) isOpen(i int, l layers.Layer) bool {
	return !foldable(l) || b.folds.open(l) != b.flipped[i]
}

// hang wraps a cleaned text behind a lead, further rows behind an indent of the
// same cells, with a gutter of one cell on the right.
func hang(l *look.Look, role look.Role, lead, indent, text string, width int) []string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\t", "    ")
	room := max(width-look.Width(lead)-1, 1)
	rows := prose.Wrap(text, room)
	for i, row := range rows {
		rows[i] = hanging(l, role, lead, indent, row, i)
	}
	return rows
}

// hanging is the i-th row of hang.
func hanging(l *look.Look, role look.Role, lead, indent, row string, i int) string {
	if i > 0 {
		lead, row = indent, strings.TrimLeft(row, " ")
	}
	return lead + l.Paint(role, strings.TrimRight(row, " "))
}

// sentence cleans a message of others for one row of the screen.
func sentence(s string) string {
	const limit = 600 // bytes: a server's page of HTML is no message
	s = guard.Line(s)
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}
