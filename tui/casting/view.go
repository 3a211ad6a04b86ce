package casting

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// Widths in cells: from wide on the preview stands beside the lists, and its
// lines grow no longer than measure, which is as far as an eye finds back.
const wide, measure = 100, 100

// area is a rectangle of cells.
type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

// places are where things stood in the last frame, for the mouse.
type places struct {
	fields, list, about area
	hints               []look.HintSpot
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

// beside draws cast and list in a left column, the preview in a right one.
func (c *Casting) beside(h int) []string {
	l := c.look
	left := min(max(c.w*2/5, 44), 64)
	right := c.w - left
	cast := l.Box(l.Paint(look.Title, "Cast"), "", c.fieldRows(left-2), left, int(fields)+2, false)
	c.at.fields = area{0, 2, left, int(fields)}
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

// below draws cast, list and preview under a rule each.
func (c *Casting) below(h int) []string {
	rows := []string{c.rule(c.look.Paint(look.Title, "Cast"), "")}
	c.at.fields = area{0, 2, c.w, int(fields)}
	for _, row := range c.fieldRows(c.w) {
		rows = append(rows, c.look.Pad(row, c.w))
	}
	title, count := c.listTitle()
	rows = append(rows, c.rule(title, count))
	room := h - len(rows) - 1
	list := min(max(len(c.lists[c.focus]), 3), max(room*2/5, 3), 12)
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

// fieldRows are the six fields with what is chosen in each.
func (c *Casting) fieldRows(w int) []string {
	l := c.look
	rows := make([]string, 0, fields)
	for f := range fields {
		value, meta := l.Paint(look.Dim, "none"), ""
		if i := c.chosen[f]; i < len(c.lists[f]) {
			o := c.lists[f][i]
			value, meta = o.title, o.meta
		}
		role := look.Role(look.Dim)
		switch f {
		case aField:
			role = look.SideA
		case bField:
			role = look.SideB
		}
		mark := "  "
		if f == c.focus {
			mark = l.Paint(look.Accent, l.Glyphs.Prompt) + " "
			value = l.Paint(look.Accent, value)
		}
		row := " " + mark + l.Paint(role, l.Pad(labels[f], 8)) + value
		if meta != "" && meta != value {
			row += "  " + l.Paint(look.Dim, meta)
		}
		rows = append(rows, l.Truncate(row, w-1))
	}
	return rows
}

func (c *Casting) listTitle() (title, count string) {
	l := c.look
	title = l.Paint(look.Title, "Choose: "+labels[c.focus])
	shown, all := len(c.matches()), len(c.lists[c.focus])
	count = l.Paint(look.Dim, fmt.Sprint(all))
	if c.typing || c.filter != "" {
		title += "  " + l.Paint(look.Key, "/") + c.filter
		if c.typing {
			title += l.Paint(look.Cursor, " ")
		}
		count = l.Paint(look.Dim, fmt.Sprintf("%d of %d", shown, all))
	}
	return title, count
}

// listRows is the window on the list, the chosen row always in it.
func (c *Casting) listRows(w, h int) []string {
	l := c.look
	at := c.matches()
	if h <= 0 {
		return nil
	}
	if len(at) == 0 {
		rows := make([]string, h)
		rows[0] = "   " + l.Paint(look.Dim, "nothing matches; esc shows all")
		if len(c.lists[c.focus]) == 0 {
			rows[0] = "   " + l.Paint(look.Dim, "there is nothing to choose yet")
		}
		return rows
	}
	now := max(index(len(at), func(i int) bool { return at[i] == c.chosen[c.focus] }), 0)
	c.top = max(min(c.top, now), now-h+1, 0)
	rows := make([]string, h)
	for y := range rows {
		i := c.top + y
		if i >= len(at) {
			continue
		}
		o := c.lists[c.focus][at[i]]
		meta := l.Truncate(o.meta, w/2)
		room := max(w-look.Width(meta)-7, 4)
		title := l.Pad(o.title, room)
		if i == now {
			rows[y] = " " + l.Paint(look.Accent, l.Glyphs.Folded) + " " + l.Paint(look.Selected, " "+title) + "  " + l.Paint(look.Dim, meta)
		} else {
			rows[y] = "    " + title + "  " + l.Paint(look.Dim, meta)
		}
	}
	return rows
}

func (c *Casting) aboutTitle() string {
	if i := c.chosen[c.focus]; i < len(c.lists[c.focus]) {
		switch c.focus {
		case canonField:
			return "Canon: " + c.lists[c.focus][i].title
		case blindField:
			return "Blind: " + c.lists[c.focus][i].title
		}
		return c.lists[c.focus][i].title
	}
	return labels[c.focus]
}

// about tells of what is chosen in the field in focus.
func (c *Casting) about(w int) []string {
	p := page{look: c.look, w: max(w, 10)}
	i := c.chosen[c.focus]
	if i >= len(c.lists[c.focus]) {
		return nil
	}
	switch c.focus {
	case sceneField:
		c.aboutScene(&p, i)
	case aField, bField:
		c.aboutContestant(&p, c.o.Contestants[i])
	case criticField:
		p.text(look.Text, c.o.Critics[i].Note)
		if c.o.Critics[i].Critic == nil {
			p.text(look.Dim, "Nothing judges: only your vote counts.")
		} else {
			p.gap()
			p.text(look.Dim, "It is asked twice at once, with A first and with B first; what it says only in one order shows as a flip.")
		}
	case canonField:
		p.text(look.Text, policies[i].about)
	case blindField:
		p.text(look.Text, blindness[i].about)
	}
	return p.rows
}

func (c *Casting) aboutScene(p *page, i int) {
	s := c.o.Scenes[i]
	p.text(look.Text, s.Blurb)
	if s.Source != "" {
		p.text(look.Dim, "after "+guard.Line(s.Source))
	}
	p.gap()
	p.pair("they play", s.Character.Name)
	p.pair("you play", s.User.Name)
	if s.Opening != "" {
		p.gap()
		for _, seg := range layers.Parse(s.Opening, layers.Options{Name: s.Character.Name, Others: []string{s.User.Name}}).Segments {
			switch seg.Layer {
			case layers.Act:
				p.text(look.Act, seg.Text)
			case layers.Speech:
				p.text(look.Speech, seg.Text)
			}
		}
	}
	if s.Scenario != "" {
		p.gap()
		p.text(look.Dim, s.Scenario)
	}
}

func (c *Casting) aboutContestant(p *page, k arena.Contestant) {
	if k.Rehearsal {
		p.text(look.Text, "A scripted player of the rehearsal: it answers whatever is typed, without a model, and its battles stay off the other boards.")
		p.gap()
	}
	p.pair("model", k.Model)
	p.pair("endpoint", k.Endpoint)
	p.pair("dialect", string(k.Dialect))
	p.pair("begins with", k.Prefill)
	if t := k.Sampling.Temperature; t != nil {
		p.pair("temperature", fmt.Sprint(*t))
	}
	if n := k.Sampling.MaxTokens; n > 0 {
		p.pair("at most", fmt.Sprintf("%d tokens", n))
	}
	if c.chosen[aField] == c.chosen[bField] {
		p.gap()
		p.text(look.Warn, "The same contestant stands on both sides; such battles stay off the boards.")
	}
}

// page gathers the rows of a preview.
type page struct {
	look *look.Look
	w    int
	rows []string
}

func (p *page) gap() {
	if n := len(p.rows); n > 0 && p.rows[n-1] != "" {
		p.rows = append(p.rows, "")
	}
}

func (p *page) text(role look.Role, s string) {
	const limit = 32 << 10 // bytes: a description, not the book
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	s = strings.TrimSpace(guard.Text(s))
	if s == "" {
		return
	}
	for _, row := range prose.Wrap(s, p.w-1) {
		p.rows = append(p.rows, " "+p.look.Paint(role, row))
	}
}

func (p *page) pair(label, value string) {
	if value = guard.Line(value); value != "" {
		p.rows = append(p.rows, " "+p.look.Paint(look.Dim, p.look.Pad(label, 12))+value)
	}
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
			"casting.start", "casting.field.next", "casting.down", "casting.about.down", "casting.filter", "casting.swap", "casting.board", "casting.quit",
		} {
			if b := c.keys.Get(name); name != "casting.about.down" || c.long() {
				hints = append(hints, look.Hint{Name: name, Key: b.ShownIn(l.ASCII), Word: b.Hint})
			}
		}
		hints = append(hints, look.Hint{Name: "app.help", Key: "?", Word: "help"})
		text, c.at.hints = l.Hints(hints, 3, c.w-4)
		text, c.at.hints = "   "+text, look.Shift(c.at.hints, 3)
	}
	if free := c.w - look.Width(text) - 4; c.offer != "" && free > 16 {
		offer := l.Paint(look.Good, l.Truncate(c.offer, free))
		text += strings.Repeat(" ", c.w-1-look.Width(text)-look.Width(offer)) + offer
	}
	return l.Pad(text, c.w)
}
