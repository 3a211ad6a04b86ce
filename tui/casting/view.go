package casting

import (
	"fmt"
	"path/filepath"
	"strings"

	"herarena/tui/guard"
	"herarena/tui/look"
)

// Widths in cells: from wide on the preview stands beside the lists, and its
// lines grow no longer than measure, which is as far as an eye finds back.
const wide, measure = 100, 100

// area is a rectangle of cells.
type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

// spot is where a field stands.
type spot struct {
	area
	f field
}

// places are where things stood in the last frame, for the mouse.
type places struct {
	fields      []spot
	list, about area
	hints       []look.HintSpot
}

// Cursor is the cell behind the filter while it is being typed.
func (c *Casting) Cursor() (x, y int, ok bool) { return 0, 0, false }

// View returns the screen; while nothing has changed it is the very same string.
func (c *Casting) View() string {
	if c.fresh || c.w <= 0 || c.h <= 0 {
		return c.frame
	}
	rows := []string{c.header()}
	room := c.h - 2
	if c.w >= wide {
		rows = append(rows, c.beside(room)...)
	} else {
		rows = append(rows, c.below(room)...)
	}
	rows = append(rows, c.hints())
	c.frame, c.fresh = strings.Join(c.centred(rows[:c.h]), "\n"), true
	return c.frame
}

// centred puts the rows into the middle of a larger window.
func (c *Casting) centred(rows []string) []string {
	if c.page.w == c.w && c.page.h == c.h {
		return rows
	}
	left, right := strings.Repeat(" ", c.page.x), strings.Repeat(" ", c.page.w-c.page.x-c.w)
	out := make([]string, c.page.h)
	for y := range out {
		if at := y - c.page.y; at >= 0 && at < len(rows) {
			out[y] = left + rows[at] + right
		} else {
			out[y] = strings.Repeat(" ", c.page.w)
		}
	}
	return out
}

func (c *Casting) header() string {
	l := c.look
	name := " " + l.Paint(look.Title, "HER Arena")
	note := guard.Line(c.o.Note)
	short, _, _ := strings.Cut(note, ":") // its first words must never go
	for _, left := range []string{name + "   two voices, one part, and a judge", name} {
		for _, right := range []string{note, short} {
			if free := c.w - look.Width(left) - look.Width(right) - 1; free >= 3 {
				return left + strings.Repeat(" ", free) + l.Paint(look.Dim, right) + " "
			}
		}
	}
	return l.Pad(name+"   "+l.Paint(look.Dim, short), c.w)
}

// castRows is how many rows the fields take.
const castRows = 6

// leftW is the width of the left column where there is one.
func (c *Casting) leftW() int { return min(max(c.w*2/5, 48), 64) }

// beside draws cast and list in a left column, the preview in a right one.
func (c *Casting) beside(h int) []string {
	l := c.look
	left := c.leftW()
	right := c.w - left
	cast := l.Box(l.Paint(look.Title, "Cast"), "", c.fieldRows(1, 2, left-2), left, castRows+2, false)
	listHeight := h - len(cast)
	c.at.list = area{0, 2 + len(cast), left, listHeight - 2}
	title, count := c.listTitle()
	cast = append(cast, l.Box(title, count, c.listRows(left-2, listHeight-2), left, listHeight, true)...)
	c.at.about = area{left, 1, right, h}
	rowsAbout, more := c.window(c.about(min(right-4, measure)), h-2)
	about := l.Box(l.Paint(look.Title, c.aboutTitle()), more, rowsAbout, right, h, false)
	rows := make([]string, h)
	for i := range rows {
		rows[i] = cast[i] + about[i]
	}
	return rows
}

// listH is how many rows the list has where everything stands in one column.
func (c *Casting) listH() int {
	room := c.h - 2 - castRows - 3
	return min(max(c.count(), 3), max(room*2/5, 3), 12)
}

// below draws cast, list and preview under a rule each.
func (c *Casting) below(h int) []string {
	rows := []string{c.rule(c.look.Paint(look.Title, "Cast"), "")}
	for _, row := range c.fieldRows(0, 2, c.w) {
		rows = append(rows, c.look.Pad(row, c.w))
	}
	title, count := c.listTitle()
	rows = append(rows, c.rule(title, count))
	list := c.listH()
	c.at.list = area{0, 1 + len(rows), c.w, list}
	for _, row := range c.listRows(c.w, list) {
		rows = append(rows, c.look.Pad(row, c.w))
	}
	c.at.about = area{0, 1 + len(rows), c.w, h - len(rows)}
	about, more := c.window(c.about(c.w-2), c.at.about.h-1)
	rows = append(rows, c.rule(c.look.Paint(look.Title, c.aboutTitle()), more))
	for i := 0; len(rows) < h; i++ {
		row := ""
		if i < len(about) {
			row = about[i]
		}
		rows = append(rows, c.look.Pad(row, c.w))
	}
	return rows
}

// window is what is shown of a description in h rows, and what is not.
func (c *Casting) window(all []string, h int) (shown []string, more string) {
	h = max(h, 0)
	c.aboutTop = max(min(c.aboutTop, len(all)-h), 0)
	shown = all[c.aboutTop:min(c.aboutTop+h, len(all))]
	c.aboutRest = len(all) - c.aboutTop - len(shown)
	l := c.look
	for _, part := range []struct {
		glyph, name string
		n           int
	}{{l.Glyphs.Up, "casting.about.up", c.aboutTop}, {l.Glyphs.Down, "casting.about.down", c.aboutRest}} {
		if part.n > 0 {
			more += l.Paint(look.Dim, fmt.Sprintf(" %s %d ", part.glyph, part.n)) + l.Paint(look.Key, c.keys.Get(part.name).ShownIn(l.ASCII))
		}
	}
	return shown, strings.TrimSpace(more)
}

func (c *Casting) rule(title, right string) string {
	l := c.look
	if right != "" {
		right = " " + right + " "
	}
	fill := max(c.w-look.Width(title)-look.Width(right)-4, 0)
	line := func(n int) string { return l.Paint(look.Border, strings.Repeat(l.Glyphs.Rule, n)) }
	return l.Pad(line(2)+" "+title+" "+line(fill)+right, c.w)
}

func (c *Casting) listTitle() (title, count string) {
	l := c.look
	name := "Choose: " + labels[c.focus]
	if c.focus == recentField {
		name = "Recent casts"
	}
	title = l.Paint(look.Title, name)
	shown, all := c.count(), len(c.lists[c.focus])
	tally := fmt.Sprint(all)
	if c.focus == sceneField {
		tally = fmt.Sprint(shown)
		if reads := c.browse.reads(); reads != "" {
			tally += " " + l.Glyphs.Dot + " " + reads
		}
	}
	if text := c.text(); c.typing || text != "" {
		title += "  " + l.Paint(look.Key, "/") + guard.Line(text)
		if strings.HasSuffix(text, " ") {
			title += " "
		}
		if c.typing {
			title += l.Paint(look.Cursor, " ")
		}
		if c.focus != sceneField {
			tally = fmt.Sprintf("%d of %d", shown, all)
		}
	}
	return title, l.Paint(look.Dim, tally)
}

// listRows is the window on the list, the chosen row always in it.
func (c *Casting) listRows(w, h int) []string {
	l := c.look
	n := c.count()
	if h <= 0 {
		return nil
	}
	if n == 0 {
		rows := make([]string, h)
		rows[0] = "   " + l.Paint(look.Dim, "nothing matches; esc shows all")
		if !c.filtered() {
			rows[0] = "   " + l.Paint(look.Dim, "there is nothing to choose yet")
		}
		return rows
	}
	now := c.now()
	if now >= 0 {
		c.top = max(min(c.top, now), now-h+1)
	}
	c.top = max(min(c.top, n-h), 0)
	var at []int
	if c.focus != sceneField {
		at = c.matches()
	}
	rows := make([]string, h)
	for y := range rows {
		i := c.top + y
		if i >= n {
			continue
		}
		o, role := option{}, look.Role(look.Text)
		if c.focus == sceneField {
			o, role = c.entryRow(c.browse.row(i), w)
		} else {
			o = c.lists[c.focus][at[i]]
		}
		rows[y] = c.listRow(o, role, w, i == now)
	}
	return rows
}

func (c *Casting) listRow(o option, role look.Role, w int, chosen bool) string {
	l := c.look
	meta := c.cut(o.meta, w/2)
	title := l.Pad(o.title, max(w-look.Width(meta)-7, 4))
	if chosen {
		return " " + l.Paint(look.Accent, l.Glyphs.Folded) + " " + l.Paint(look.Selected, " "+title) + "  " + l.Paint(look.Dim, meta)
	}
	return "    " + l.Paint(role, title) + "  " + l.Paint(look.Dim, meta)
}

// cut shortens a row of words behind a whole one, where there is one.
func (c *Casting) cut(s string, w int) string {
	l := c.look
	if look.Width(s) <= w {
		return s
	}
	short := l.Truncate(s, w)
	words := strings.TrimSuffix(short, l.Glyphs.More)
	if strings.HasPrefix(strings.TrimPrefix(s, words), " ") {
		return short
	}
	if i := strings.LastIndex(words, " "); i > 0 {
		return strings.TrimRight(words[:i], " ,;:") + l.Glyphs.More
	}
	return short
}

// star marks favourites.
func (c *Casting) star() string {
	if c.look.ASCII {
		return "*"
	}
	return "★"
}

// titled is a title as it is shown. One that is a file's or a key's name, as those of
// data sets are, is read with blanks.
func titled(title string) string {
	title = guard.Line(title)
	if strings.ContainsAny(title, " \u3000") || strings.Trim(title, "_") == "" {
		return title
	}
	return strings.TrimSpace(strings.ReplaceAll(title, "_", " "))
}

// entryRow is the row of an entry: its title, and as much of its tags as there is
// room for. What cannot be played is grey and says why.
func (c *Casting) entryRow(e *Entry, w int) (option, look.Role) {
	o := option{title: titled(e.Title)}
	if e.Favourite {
		o.title = c.star() + " " + o.title
	}
	if e.Fault != "" {
		o.meta = guard.Line(e.Fault)
		if e.Path != "" {
			o.title = guard.Line(filepath.Base(e.Path))
		}
		return o, look.Dim
	}
	var meta []string
	if len(e.Duplicates) > 0 {
		meta = append(meta, "copy")
	}
	room := w/2 - len(e.Language) - 2
	for _, tag := range e.Tags {
		if tag = guard.Line(tag); tag == "" {
			continue
		}
		if room -= look.Width(tag) + 2; room < 0 || len(meta) > 4 {
			break
		}
		meta = append(meta, tag)
	}
	if e.Language != "" {
		meta = append(meta, guard.Line(e.Language))
	}
	o.meta = strings.Join(meta, ", ")
	return o, look.Text
}

// hints is the last row: the keys, or what has just been found.
func (c *Casting) hints() string {
	l := c.look
	text := ""
	if c.busy {
		text = l.Paint(look.Accent, "the curtain rises"+l.Glyphs.More)
	}
	c.at.hints = nil
	if !c.busy {
		var hints []look.Hint
		for _, name := range []string{
			"casting.start", "casting.field.next", "casting.down", "casting.greeting.next", "casting.about.down", "casting.filter",
			"casting.favourite", "casting.recent", "casting.sort", "casting.swap", "casting.board", "casting.quit",
		} {
			if b := c.keys.Get(name); c.hinted(name) {
				hints = append(hints, look.Hint{Name: name, Key: b.ShownIn(l.ASCII), Word: b.Hint})
			}
		}
		hints = append(hints, look.Hint{Name: "app.help", Key: "?", Word: "help"})
		room := c.w - 4
		if c.offer != "" { // what happened goes before what can be done
			room = max(room-look.Width(c.offer)-3, room/3)
		}
		text, c.at.hints = l.Hints(hints, 3, room)
		text, c.at.hints = "   "+text, look.Shift(c.at.hints, 3)
	}
	if free := c.w - look.Width(text) - 4; c.offer != "" && free > 16 {
		role := look.Role(look.Good)
		if c.bad {
			role = look.Bad
		}
		offer := l.Paint(role, l.Truncate(c.offer, free))
		text += strings.Repeat(" ", c.w-1-look.Width(text)-look.Width(offer)) + offer
	}
	return l.Pad(text, c.w)
}

// hinted reports whether a command is worth a hint now.
func (c *Casting) hinted(name string) bool {
	switch name {
	case "casting.about.down":
		return c.long()
	case "casting.greeting.next":
		return c.greets()
	case "casting.favourite":
		return c.favours()
	case "casting.sort":
		return c.focus == sceneField && len(c.browse.all) > 1
	case "casting.recent":
		return len(c.o.Recent) > 0
	}
	return true
}
