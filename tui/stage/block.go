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
	flipped map[int]bool // segments opened or folded other than the side's folds say

	rows []string
	hits hits
	made struct {
		version uint64
		width   int
	}
	head      []string
	headW     int
	headCells [][]prose.Cell // of head, nil until asked for
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
	b.look, b.parts, b.headW = l, nil, 0
	b.touch()
}

// Rows returns the block at a width. Only what has changed is wrapped anew.
func (b *block) Rows(width int) []string {
	if b.made.version == b.Version() && b.made.width == width {
		return b.rows
	}
	b.rows, b.hits = b.rows[:0], b.hits[:0]
	if b.headW != width {
		b.head, b.headW, b.headCells = b.line(width), width, nil
	}
	b.add(none, "")
	if name, _ := b.turn.spoken(); name != "" {
		b.add(none, spokenRows(b.look, "", b.turn.note, "", width)...)
		b.add(none, b.look.Truncate(" "+b.look.Paint(look.Title, guard.Line(name)), width))
	}
	b.add(said, b.head...)
	if t := b.turn.columns[b.side].shown(); t != nil {
		if t != b.shown {
			b.shown, b.parts = t, nil
			clear(b.flipped)
		}
		b.follow(t)
		if b.turn.speaker != "" {
			b.add(none, b.look.Truncate(" "+b.look.Paint(look.Title, guard.Line(b.turn.speaker)), width))
		}
		for i, p := range b.parts {
			b.add(i, p.rows(b, i, width)...)
		}
		if hidden := unseen(b.parts); hidden != "" {
			b.add(none, b.look.Truncate(" "+b.look.Paint(look.Dim, b.look.Glyphs.Dot+" "+hidden), width))
		}
		b.add(none, b.foot(t, width)...)
		if t.live && len(b.rows)%2 == 1 {
			// A reply grows two rows at a time: where the pane follows, all of
			// it is painted anew half as often. Row by row it takes 1.26 times
			// the bytes of the floor and 1.16 times its CPU time, two by two
			// about as much as the floor.
			b.add(none, "")
		}
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

// line is what the person wrote, or what another character said in its place.
func (b *block) line(width int) []string {
	if name, text := b.turn.spoken(); name != "" {
		return hang(b.look, look.Text, "   ", "   ", guard.Text(text), width)
	}
	return spokenRows(b.look, b.turn.line, b.turn.note, b.turn.auto, width)
}

// foot says what came of the reply: why it broke off, which swipe it is, the
// vote, canon, and who it was where that had been hidden.
func (b *block) foot(t *take, width int) []string {
	l := b.look
	var rows []string
	add := func(role look.Role, glyph, text string) {
		rows = append(rows, hang(l, role, " "+l.Paint(role, glyph)+" ", "   ", text, width)...)
	}
	if b.turn.before != nil {
		return nil
	}
	r := &t.reply
	switch {
	case t.retry != nil:
		add(look.Warn, l.Glyphs.Dot, "trying again: "+b.told(t.retry))
	case t.live:
	case r.Fault != nil && r.Fault.Kind == arena.Cancelled:
		add(look.Dim, l.Glyphs.Cut, "stopped"+b.asks("; "+b.goOn()+"ctrl+r asks for another reply"))
	case r.Fault != nil:
		add(look.Bad, l.Glyphs.Cut, b.told(r.Fault))
		if ask := b.asks(b.goOn() + "ctrl+r asks again"); ask != "" {
			add(look.Dim, l.Glyphs.Dot, ask)
		}
	case !layers.HasSpeech(r.Segments):
		add(look.Warn, l.Glyphs.Cut, "nothing is said in this reply, so it does not count"+b.asks("; ctrl+r asks for another"))
	case r.Finish == arena.FinishLength:
		add(look.Warn, l.Glyphs.Cut, "cut off by the token limit, so it does not count"+b.asks("; "+b.goOn()+"ctrl+r asks for another"))
	case r.Truncated, !r.Complete:
		add(look.Warn, l.Glyphs.Cut, "cut off before its end, so it does not count"+b.asks("; "+b.goOn()+"ctrl+r asks for another"))
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

// asks is a hint that a reply can be asked for again, "" where the duel has gone
// on or an older reply is looked at: asking is about the newest pair alone.
func (b *block) asks(hint string) string {
	if b.turn.past || !b.turn.latest() {
		return ""
	}
	return hint
}

// told is a fault as the person may read it: cleaned, and without names where
// the seats are still hidden.
func (b *block) told(f *arena.Fault) string {
	return sentence(b.bill.veil(b.turn, f.Error()))
}

// click folds or unfolds the segment under a cell of a row, and reports whether
// there was one to fold: a row that stands for a folded text, the heading of a
// plan, the rule beside a thought.
func (b *block) click(row, x int) bool {
	i, line := b.hits.at(row)
	if i < 0 || i >= len(b.parts) {
		return false
	}
	p := b.parts[i]
	heading := p.state == panelCollapsed || line == 0 && (p.layer == layers.System || p.layer == layers.Native)
	if !heading && (p.layer != layers.Think || x >= 3) {
		return false
	}
	b.flipped[i] = !b.flipped[i]
	b.touch()
	return true
}

// state is how the i-th segment is shown.
func (b *block) state(i int, l layers.Layer) panelState {
	usual := b.folds.panels[l]
	switch {
	case !b.flipped[i]:
		return usual
	case usual.open():
		return panelCollapsed
	}
	return panelShown
}

// isOpen reports whether the text of the i-th segment is on screen.
func (b *block) isOpen(i int, l layers.Layer) bool { return b.state(i, l).open() }

// unseen says which layers of drawn parts are hidden, where that leaves out what
// is done or said, or leaves nothing; "" where nothing needs to be said.
func unseen(parts []*part) string {
	var hidden []string
	seen, weighty := false, false
	for _, l := range []layers.Layer{layers.System, layers.Native, layers.Think, layers.Act, layers.Speech} {
		has, all := false, true
		for _, p := range parts {
			if p.layer == l {
				has, all = true, all && p.state == panelHidden
			}
		}
		switch {
		case has && all:
			hidden = append(hidden, layerWords[l])
			weighty = weighty || l.Visible()
		case has:
			seen = true
		}
	}
	if len(hidden) == 0 || seen && !weighty {
		return ""
	}
	return strings.Join(hidden, ", ") + " hidden"
}

// hang wraps a cleaned text behind a lead, further rows behind an indent of the
// same cells, with a gutter of one cell on the right.
func hang(l *look.Look, role look.Role, lead, indent, text string, width int) []string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\t", "    ")
	room := max(width-look.Width(lead)-1, 1)
	rows := prose.Wrap(text, room)
	for i, row := range rows {
		in := lead
		if i > 0 {
			in, row = indent, strings.TrimLeft(row, " ")
		}
		rows[i] = in + l.Paint(role, strings.TrimRight(row, " "))
	}
	return rows
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
