package stage

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// parts is a set of the frame's parts.
type parts uint8

const (
	headerPart parts = 1 << iota
	aPart
	bPart
	barPart
	cardsPart
	composerPart

	allParts = headerPart | aPart | bPart | barPart | cardsPart | composerPart
)

func sidePart(s arena.Side) parts {
	if s == arena.B {
		return bPart
	}
	return aPart
}

// frame is the last frame and the rows it was joined from.
type frame struct {
	stale    parts
	want     want
	header   string
	sides    [2][]string
	bar      string
	cards    []string
	composer []string
	cursor   *tea.Cursor // of the composer, from its upper left
	told     [2]saying
	boxes    [2]boxed
	text     string
}

// steady is how long a side's border says the same while its reply grows: a
// speed that changes with every frame is not read, and repaints the border.
const steady = 500 * time.Millisecond

// stale says that parts of the frame must be drawn anew.
func (s *Stage) stale(p parts) { s.frame.stale |= p }

// View returns the screen: as many rows as it is high, each exactly as wide.
// While nothing has changed it is the very same string.
func (s *Stage) View() string {
	if s.frame.stale == 0 || s.w <= 0 || s.h <= 0 {
		return s.frame.text
	}
	s.arrange()
	f := &s.frame
	if f.stale&headerPart != 0 {
		f.header = s.header()
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		switch {
		case f.stale&sidePart(side) == 0 && (s.compare == nil || f.stale&(aPart|bPart) == 0):
		case s.compare == nil:
			f.sides[side] = s.drawSide(side)
		case side == arena.A:
			f.sides[side] = s.drawCompare()
		}
	}
	if f.stale&cardsPart != 0 {
		f.cards = s.drawVerdict()
	}
	if f.stale&(barPart|cardsPart) != 0 {
		f.bar = s.drawBar() // after the cards: it tells what of them is out of sight
	}
	if f.stale&composerPart != 0 {
		f.composer = s.drawComposer()
		f.cursor = s.writing()
	}
	f.stale = 0
	f.text = s.join()
	if s.menu != nil {
		rows := strings.Split(f.text, "\n")
		s.menu.lay(s.look, rows, s.w, s.h)
		f.text = strings.Join(rows, "\n")
	}
	f.text = s.withSheet(f.text)
	return f.text
}

// arrange lays the screen out; when that moves anything all is drawn anew.
func (s *Stage) arrange() {
	judge := s.focus == onVerdict
	n := want{
		w: s.w, h: s.h, zoom: s.zoom, compare: s.compare != nil, side: s.side, judge: judge,
		composer: s.composerRows(),
	}
	n.spare = s.spare(&n)
	n.cards = s.verdictWants(max(n.spare, n.read()))
	if n == s.frame.want && s.frame.text != "" {
		return
	}
	s.frame.want = n
	was := s.layout
	s.layout = arrange(n)
	if was == s.layout && s.frame.text != "" {
		s.stale(cardsPart)
		return
	}
	s.stale(allParts)
	if s.layout.mode == compared {
		return // the sides keep their size for when they are back
	}
	for side := range s.panes {
		if w, h := s.layout.inner(arena.Side(side)); w > 0 && h > 0 {
			s.panes[side].SetSize(w, h)
		}
	}
}

// join puts the rows together.
func (s *Stage) join() string {
	var b strings.Builder
	b.Grow(max(s.w*s.h, len(s.frame.text)) + 1024) // frames differ by little
	l, f := &s.layout, &s.frame
	b.WriteString(f.header)
	row := func(text string) {
		b.WriteByte('\n')
		b.WriteString(text)
	}
	if l.mode == columns {
		for i := range l.sides[0].h {
			left, right := seam(s.look, f.sides[0][i], f.sides[1][i])
			b.WriteByte('\n')
			b.WriteString(left)
			b.WriteString(right)
		}
	} else {
		for side := range f.sides {
			for i := range l.sides[side].h {
				row(f.sides[side][i])
			}
		}
	}
	row(f.bar)
	for i := range l.cards.h {
		if i < len(f.cards) {
			row(f.cards[i])
		} else {
			row(strings.Repeat(" ", s.w))
		}
	}
	for i := range l.composer.h {
		row(f.composer[i])
	}
	return b.String()
}

// seam prepares a row of both boxes to be put together: where two borders of one
// colour meet they are one run.
func seam(l *look.Look, left, right string) (string, string) {
	open, end := l.Open(look.Border), l.Close(look.Border)
	if open == "" || !strings.HasPrefix(right, open) || !strings.HasSuffix(left, end) {
		return left, right
	}
	run := left[:len(left)-len(end)]
	if !strings.HasPrefix(run[max(strings.LastIndexByte(run, 0x1b), 0):], open) {
		return left, right
	}
	return run, right[len(open):]
}

// header names the scene, the turn and the terms of the duel.
func (s *Stage) header() string {
	l := s.look
	left := " " + l.Paint(look.Title, "HER Arena")
	title := guard.Line(s.o.Scene.Title)
	scene := title
	if who := guard.Line(s.o.Scene.User.Name); who != "" {
		scene += l.Paint(look.Dim, " "+l.Glyphs.Dot+" you play ") + who
	}
	terms := []string{}
	if t := s.play.last(); t != nil {
		terms = append(terms, fmt.Sprintf("turn %d", t.number))
	}
	terms = append(terms, "canon: "+string(s.o.Canon))
	switch {
	case s.o.Blind && s.bill.revealed:
		terms = append(terms, "names shown")
	case s.o.Blind:
		terms = append(terms, "blind")
	}
	if s.resampled() {
		terms = append(terms, "sampling changed")
	}
	right := strings.Join(terms, "   ")
	if sum := s.total(); sum != "" && look.Width(left+scene+right+guard.Line(s.o.Note)+sum)+16 <= s.w {
		right += "   " + sum
	}
	if s.o.Note != "" {
		// Where there is no room for the whole note its first words stay: that
		// this is a rehearsal must never leave the screen.
		note := guard.Line(s.o.Note)
		short, _, _ := strings.Cut(note, ":")
		if look.Width(left+scene+right+note)+12 > s.w {
			note = short
		}
		right = note + "   " + right
	}
	// On a narrow screen what is least missed goes first: whom one plays, then who
	// chooses canon. That seats are blind or that this is a rehearsal stays.
	if look.Width(left)+look.Width(scene)+look.Width(right)+5 > s.w {
		scene = title
	}
	if look.Width(left)+look.Width(scene)+look.Width(right)+5 > s.w {
		right = strings.Replace(right, "canon: "+string(s.o.Canon), "", 1)
		right = strings.TrimSpace(strings.ReplaceAll(right, "      ", "   "))
	}
	right = l.Paint(look.Dim, right) + " "
	room := s.w - look.Width(left) - look.Width(right) - 4
	if room < 10 {
		return l.Pad(left+"  "+scene, s.w)
	}
	left += "   " + l.Truncate(scene, room)
	return l.Pad(left+strings.Repeat(" ", max(s.w-look.Width(left)-look.Width(right), 0))+right, s.w)
}

// drawSide draws a side: a box beside the other, else a rule above its rows.
func (s *Stage) drawSide(side arena.Side) []string {
	a := s.layout.sides[side]
	if a.h == 0 {
		return nil
	}
	focused := s.focus == onA+focus(side)
	title := s.name(side)
	right := s.status(side, a.w-look.Width(title)-s.layout.borderRoom())
	if mark := s.below(side); mark != "" {
		right = mark + "  " + right
	}
	rows := s.stained(side, s.lit(side, s.panes[side].View()))
	if s.layout.mode == columns {
		return s.frame.boxes[side].draw(s.look, title, right, rows, a.w, a.h, focused)
	}
	if s.layout.mode == single {
		title = s.tabs(side, title)
	}
	out := make([]string, a.h)
	out[0] = s.rule(title, right, focused)
	for i := 1; i < a.h; i++ {
		row := ""
		if i-1 < len(rows) {
			row = rows[i-1]
		}
		out[i] = s.look.Pad(row, a.w)
	}
	return out
}

func (s *Stage) drawBar() string {
	t := s.looked().asSeen()
	b := bar{
		look: s.look, critic: s.o.CriticLabel, turn: t, last: t == nil || s.judged == len(s.play.turns)-1,
		cards: s.cards, now: s.o.Now(), brief: s.headed(), accord: s.accordText(), odds: s.oddsBrief(), held: s.heldVerdict(),
	}
	a, knownA := s.bill.name(t, arena.A)
	c, knownB := s.bill.name(t, arena.B)
	if knownA && knownB {
		b.standing = standing(s.look, s.rows[s.source()], a, c)
	}
	if above, below := s.verdictHidden(); s.layout.cards.h > 0 && above+below > 0 && s.focus == onVerdict {
		b.standing = s.look.Paint(look.Dim, fmt.Sprintf("%s%d %s%d", s.look.Glyphs.Up, above, s.look.Glyphs.Down, below))
	}
	return s.look.Pad(b.row(s.w, !s.layout.boxed(), s.focus == onVerdict), s.w)
}

// Cursor is the cell of the text cursor; ok is false while the composer does
// not have the keys.
func (s *Stage) Cursor() (x, y int, ok bool) {
	if s.layout.composer.h == 0 || s.menu != nil || s.sheet != nil {
		return 0, 0, false
	}
	if s.search != nil && s.search.writing {
		_, x := s.searchRow()
		return min(x, s.w-1), s.layout.composer.y + max(min(len(s.banner()), s.layout.composer.h-1), 0), true
	}
	if s.focus != onComposer {
		return 0, 0, false
	}
	c := s.frame.cursor
	if c == nil {
		return 0, 0, false
	}
	return min(c.X, s.w-1), min(s.layout.composer.y+c.Y, s.h-1), true
}
