package stage

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

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
	if s, ok := b.turn.canonSide(); ok && s == b.side {
		notes = append(notes, l.Paint(look.Good, "● canon"))
		if l.ASCII {
			notes[len(notes)-1] = l.Paint(look.Good, "* canon")
		}
	}
	if v := b.turn.vote; v != nil {
		switch {
		case v.Choice == arena.ChoseA && b.side == arena.A, v.Choice == arena.ChoseB && b.side == arena.B:
			notes = append(notes, l.Paint(look.Accent, "your vote"))
		}
	}
	c := &b.turn.columns[b.side]
	if len(c.takes) > 1 {
		notes = append(notes, l.Paint(look.Dim, fmt.Sprintf("reply %d of %d", c.at+1, len(c.takes))))
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

// part is one segment as shown. Text comes in raw and is cleaned as it grows.
type part struct {
	layer layers.Layer
	raw   string
	clean strings.Builder
	guard guard.Stream
	prose *prose.Prose // speech only; it cleans what it is given
	words int
	inner bool // within a word
	live  bool

	shown []string
	width int
	size  int
	open  bool
	last  bool
}

func newPart(s layers.Segment, live bool, l *look.Look) *part {
	p := &part{layer: s.Layer, live: true}
	if s.Layer == layers.Speech {
		p.prose = prose.New(l)
	}
	p.take(s.Text)
	p.settle(live)
	return p
}

// grow takes a segment that continues what the part has; false asks for a new
// part.
func (p *part) grow(s layers.Segment, live bool) bool {
	switch {
	case s.Layer != p.layer || len(s.Text) < len(p.raw) || s.Text[:len(p.raw)] != p.raw:
		return false
	case !p.live:
		return len(s.Text) == len(p.raw) && !live
	}
	p.take(s.Text[len(p.raw):])
	p.settle(live)
	return true
}

func (p *part) settle(live bool) {
	if p.live && !live {
		if p.prose != nil {
			p.prose.Finish()
		} else {
			p.keep(p.guard.Flush())
		}
	}
	p.live = live
}

// take adds raw text; p.raw grows with it.
func (p *part) take(raw string) {
	p.raw += raw
	if p.prose != nil {
		p.prose.Append(raw)
		return
	}
	p.keep(p.guard.Clean(raw))
}

func (p *part) keep(clean string) {
	p.clean.WriteString(clean)
	p.count(clean)
}

// text is the part as shown, without styles.
func (p *part) text() string {
	if p.prose != nil {
		return p.prose.Text()
	}
	return p.clean.String()
}

// count counts words; scripts written without spaces count by character.
func (p *part) count(s string) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			p.words++
			p.inner = false
		case unicode.IsSpace(r):
			p.inner = false
		case !p.inner && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			p.words++
			p.inner = true
		}
	}
}

// rows returns the part at a width, from cache while nothing of it has changed.
func (p *part) rows(b *block, i, width int) []string {
	open := b.isOpen(i, p.layer)
	if p.shown != nil && p.width == width && p.size == len(p.raw) && p.open == open && p.last == p.live {
		return p.shown
	}
	p.width, p.size, p.open, p.last = width, len(p.raw), open, p.live
	p.shown = p.draw(b.look, width, open)
	return p.shown
}

func (p *part) draw(l *look.Look, width int, open bool) []string {
	switch p.layer {
	case layers.System:
		return p.folded(l, look.System, "plan", width, open)
	case layers.Native:
		return p.folded(l, look.Native, "reasoning", width, open)
	case layers.Think:
		rule := " " + l.Paint(look.Think, l.Glyphs.Think) + " "
		if !open {
			return []string{l.Truncate(rule+l.Paint(look.Think, "thought")+"  "+l.Paint(look.Dim, counted(p.words)), width)}
		}
		return hang(l, look.Think, rule, rule, p.clean.String(), width)
	case layers.Act:
		return hang(l, look.Act, " "+l.Paint(look.Act, l.Glyphs.Act)+" ", "   ", p.clean.String(), width)
	}
	rows := p.prose.Rows(max(width-2, 1))
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = " " + row
	}
	return out
}

// folded is a plan or native reasoning: one row, and while it is being written
// a second with its newest words; or the whole of it.
func (p *part) folded(l *look.Look, role look.Role, word string, width int, open bool) []string {
	mark := l.Glyphs.Folded
	if open {
		mark = l.Glyphs.Open
	}
	head := l.Truncate(" "+l.Paint(look.Dim, mark)+" "+l.Paint(role, word)+"  "+l.Paint(look.Dim, counted(p.words)), width)
	switch {
	case open:
		return append([]string{head}, hang(l, role, "   ", "   ", p.clean.String(), width)...)
	case p.live:
		return []string{head, "   " + l.Paint(role, tail(l, p.clean.String(), width-4))}
	}
	return []string{head}
}

func counted(words int) string {
	if words == 1 {
		return "1 word"
	}
	return fmt.Sprintf("%d words", words)
}

// tail returns the end of a text that is being written, as one row of at most w
// cells.
func tail(l *look.Look, s string, w int) string {
	if w <= 0 {
		return ""
	}
	if over := len(s) - 8*w; over > 0 {
		s = strings.ToValidUTF8(s[over:], "")
	}
	s = strings.Join(strings.Fields(s), " ")
	if n := look.Width(s); n > w {
		s = ansi.TruncateLeft(s, n-w+1, "")
		s = l.Glyphs.More + s
	}
	return l.Truncate(s, w)
}

// hang wraps a cleaned text behind a lead, further rows behind an indent of the
// same cells, with a gutter of one cell on the right.
func hang(l *look.Look, role look.Role, lead, indent, text string, width int) []string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\t", "    ")
	room := max(width-look.Width(lead)-1, 1)
	rows := prose.Wrap(text, room)
	for i, row := range rows {
		in := indent
		if i == 0 {
			in = lead
		} else if i > 0 {
			row = strings.TrimLeft(row, " ")
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
