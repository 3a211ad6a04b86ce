package stage

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// pastBlock is a turn before the duel's first one, as both sides have it:
// history, in which nothing is judged. It is a turn's block behind a bar; the
// first has a heading that says where the history is from, the last a line that
// says where it ends.
type pastBlock struct {
	*block
	of      *arena.PastTurn
	heading string // above the first, "" for others
	end     string // below the last
	hushed  bool   // who wrote a reply is not told

	rows  []string
	hits  hits
	above int // rows above those of the turn
	made  struct {
		version uint64
		width   int
	}
	shifted map[int][][]prose.Cell // cells behind the bar, by segment
}

var _ readable = (*pastBlock)(nil)

// rememberer is a duel that knows what lies before its first turn.
type rememberer interface{ Past() []arena.PastTurn }

// lookBack puts what lies before the duel's first turn above it.
func (s *Stage) lookBack() {
	d, ok := s.o.Duel.(rememberer)
	if !ok {
		return
	}
	turns := d.Past()
	for side := range s.panes {
		for i := range turns {
			b := s.newPast(turns, i, arena.Side(side))
			s.past[side] = append(s.past[side], b)
			s.panes[side].Upsert(b)
		}
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		s.foldScenario(side)
	}
	for i := range turns {
		if t := &turns[i]; s.lineOf(t) == "" {
			s.writer.remember(strings.TrimSpace(guard.Text(t.Line)))
		}
	}
}

// lineOf names the character whose line begins a turn of the past, "" where it is
// the person's: such a line has its speaker before it, and it is another's where
// the scene knows one of that name or the messages of the chat say so.
func (s *Stage) lineOf(t *arena.PastTurn) string {
	name, _, ok := strings.Cut(t.Line, ": ")
	if !ok || name == "" || name == s.o.Scene.User.Name {
		return ""
	}
	theirs := name == s.o.Scene.Character.Name
	for _, c := range s.o.Scene.Others {
		theirs = theirs || c.Name == name
	}
	for _, raw := range t.Kept {
		var m struct {
			Name string `json:"name"`
			User bool   `json:"is_user"`
			Text string `json:"mes"`
		}
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		if m.User && strings.HasPrefix(strings.TrimSpace(m.Text), name+": ") {
			return "" // the person's own words
		}
		theirs = theirs || !m.User && m.Name == name
	}
	if !theirs {
		return ""
	}
	return name
}

// spoken is the line of a turn, and of whom it is; "" is the person.
func (t *turn) spoken() (name, text string) {
	if t.by == "" {
		return "", t.line
	}
	return t.by, strings.TrimPrefix(t.line, t.by+": ")
}

// newPast makes the block of the i-th turn of the past.
func (s *Stage) newPast(turns []arena.PastTurn, i int, side arena.Side) *pastBlock {
	of := &turns[i]
	t := &turn{number: i + 1, line: of.Line, note: of.Note, speaker: of.Speaker, scenery: of.Scenery, round: round{canon: -1}, past: true, before: of, by: s.lineOf(of)}
	var seen []layers.Segment
	for _, seg := range of.Reply {
		if seg.Layer != layers.System && seg.Layer != layers.Native {
			seen = append(seen, seg)
		}
	}
	if len(seen) > 0 {
		k := &take{reply: arena.Reply{Segments: seen, Complete: true, Finish: arena.FinishStop}}
		t.columns = [2]column{{takes: []*take{k}}, {takes: []*take{k}}}
	}
	b := &pastBlock{block: newBlock(t, side, s.look, &s.folds[side], &s.bill), of: of, hushed: s.o.Blind, shifted: map[int][][]prose.Cell{}}
	b.id = fmt.Sprintf("past %d", i+1)
	if i == 0 {
		b.heading = pastHeading(len(turns), s.o.Origin)
	}
	if i == len(turns)-1 {
		b.end = "from here on it is this duel"
	}
	return b
}

// pastTurns is the number of turns before the duel's first.
func (s *Stage) pastTurns() int { return len(s.past[arena.A]) }

// beginning is the index of the opening: turns of the past have those behind it,
// up to -1.
func (s *Stage) beginning() int { return -1 - s.pastTurns() }

// Rows returns the block at a width.
func (b *pastBlock) Rows(width int) []string {
	inner := b.block.Rows(width - 1)
	if b.rows != nil && b.made.version == b.Version() && b.made.width == width {
		return b.rows
	}
	b.rows, b.hits = b.rows[:0], b.hits[:0]
	if b.heading != "" {
		b.rows, b.hits = append(b.rows, ""), append(b.hits, none)
		b.add(width, hang(b.look, look.Dim, " ", " ", b.heading, width-1)...)
	}
	if text := b.turn.scenery; text != "" {
		b.add(width, "")
		from := len(b.hits)
		b.add(width, sceneryRows(b.look, text, width-1)...)
		for i := from; i < len(b.hits); i++ {
			b.hits[i] = scenic
		}
	}
	b.above = len(b.rows)
	b.add(width, inner...)
	copy(b.hits[b.above:], b.block.hits)
	if by := b.by(); by != "" {
		b.add(width, b.look.Truncate(" "+b.look.Paint(look.Dim, by), width-1))
	}
	if b.end != "" {
		b.add(width, hang(b.look, look.Dim, " ", " ", b.end, width-1)...)
	}
	b.made.version, b.made.width = b.Version(), width
	clear(b.shifted)
	return b.rows
}

// add adds rows of nobody's text behind the bar.
func (b *pastBlock) add(width int, rows ...string) {
	bar := b.look.Paint(look.Dim, b.look.Glyphs.Quote)
	for _, row := range rows {
		b.rows, b.hits = append(b.rows, b.look.Truncate(bar+row, width)), append(b.hits, none)
	}
}

func (b *pastBlock) rowsBy() hits { return b.hits }

// words are those of the turn, and what the surroundings did before it.
func (b *pastBlock) words(segment int) string {
	if segment == scenic {
		return guard.Text(b.turn.scenery)
	}
	return b.block.words(segment)
}

// cells are those of the turn, behind the bar.
func (b *pastBlock) cells(segment int) [][]prose.Cell {
	if segment == scenic {
		from := b.hits.first(scenic)
		if from < 0 {
			return nil
		}
		if _, ok := b.shifted[scenic]; !ok {
			b.shifted[scenic] = prose.Align(guard.Text(b.turn.scenery), b.rows[from:b.above], sceneryLead+1)
		}
		return b.shifted[scenic]
	}
	from := b.block.cells(segment)
	if len(from) == 0 {
		return nil
	}
	if to, ok := b.shifted[segment]; ok && len(to) == len(from) {
		return to
	}
	to := make([][]prose.Cell, len(from))
	for i, row := range from {
		for _, c := range row {
			c.Col++
			to[i] = append(to[i], c)
		}
	}
	b.shifted[segment] = to
	return to
}

// click is that of the turn, whose rows stand below a heading.
func (b *pastBlock) click(row, x int) bool { return b.block.click(row-b.above, x-1) }

// hush hides who wrote the replies, or shows it.
func (b *pastBlock) hush(hushed bool) {
	b.hushed = hushed
	b.touch()
}

// pastHeading says what the past is and where it is from.
func pastHeading(n int, from arena.Origin) string {
	text := "history, " + turns(n)
	if from.DuelID != "" {
		text += " from duel " + shortID(from.DuelID)
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
func (b *pastBlock) by() string {
	var parts []string
	if b.of.By != "" && !b.hushed && len(b.of.Reply) > 0 {
		parts = append(parts, "by "+guard.Line(b.of.By))
	}
	if b.of.Edited {
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
	if strings.TrimSpace(line) == "" {
		return rows // of an imported chat, which may begin without a line
	}
	lead := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " "
	rows = append(rows, hang(l, look.Title, lead, "   ", guard.Text(line), width)...)
	if auto != "" {
		rows = append(rows, hang(l, look.Dim, "   ", "   ", fmt.Sprintf("written by %s", guard.Line(auto)), width)...)
	}
	return rows
}
