package casting

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

func (c *Casting) aboutTitle() string {
	o, ok := c.value(c.focus)
	if !ok {
		return labels[c.focus]
	}
	switch c.focus {
	case canonField, blindField, seedField:
		return labels[c.focus] + ": " + o.title
	case roleField, greetingField, recentField:
		return titled(c.entry.Title)
	}
	return o.title
}

// The least a portrait is drawn in, and the most, in rows.
const leastArt, mostArt = 7, 30

// place is how many cells the portrait has in the preview, 0 for none. It is as
// high as one and a half times its width, a cell being twice as high as wide.
func (c *Casting) place() (w, h int) {
	if c.w <= 0 || c.h <= 0 {
		return 0, 0
	}
	switch c.focus {
	case sceneField, roleField, greetingField, recentField:
	default:
		return 0, 0
	}
	if !c.art.shows(&c.entry) {
		return 0, 0
	}
	room, height := min(c.w-c.leftW()-4, measure), c.h-4
	if c.w < wide {
		room, height = c.w-2, c.h-2-castRows-3-c.listH()
	}
	w = min(room*2/5, 40)
	h = min(w*3/4, height, mostArt)
	w = min(w, h*4/3)
	if h < leastArt {
		return 0, 0
	}
	return w, h
}

// about tells of what is chosen in the field in focus.
func (c *Casting) about(w int) []string {
	p := page{look: c.look, w: max(w, 10)}
	i := c.chosen[c.focus]
	switch c.focus {
	case sceneField, roleField, greetingField, recentField:
		if c.entry.ID == "" {
			return nil
		}
		p.artW, p.artH = c.place()
		c.aboutScene(&p)
		return p.hang(c.art.rows(&c.entry, p.artW, p.artH, c.look))
	case seedField:
		p.text(look.Text, "The seed decides what is left to chance: who sits where in blind duels, and in cards what {{random}}, {{pick}} and {{roll}} stand for and which lore comes up.")
		p.gap()
		p.text(look.Dim, "Random draws another for each duel; "+c.keys.Get("casting.filter").ShownIn(c.look.ASCII)+" writes your own, to have a duel's chances again.")
		return p.rows
	}
	if i >= len(c.lists[c.focus]) {
		return nil
	}
	switch c.focus {
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

// aboutScene tells of the scene chosen: of a card first what the library knows,
// and the rest as soon as it is on stage.
func (c *Casting) aboutScene(p *page) {
	e := &c.entry
	if e.Fault != "" {
		p.text(look.Bad, "It cannot be played: "+e.Fault)
		p.text(look.Dim, shortPath(e.Path))
		return
	}
	st := c.staged()
	p.text(look.Text, e.Blurb)
	if e.Creator != "" {
		p.text(look.Dim, "by "+guard.Line(e.Creator))
	}
	if st != nil && st.Scene.Source != "" {
		p.text(look.Dim, "after "+guard.Line(st.Scene.Source))
	}
	if len(e.Tags) > 0 {
		p.text(look.Accent, guard.Line(strings.Join(e.Tags, " "+c.look.Glyphs.Dot+" ")))
	}
	p.gap()
	if st == nil {
		p.pair("they play", e.Name)
		p.pair("you play", e.User)
	} else {
		p.pair("they play", strings.Join(st.Scene.Speakers(), ", "))
		p.pair("you play", st.Scene.User.Name)
	}
	c.measures(p, st)
	if h := c.art.find(e.ID); h != nil && h.fault != "" {
		p.text(look.Dim, h.fault)
	}
	if st == nil {
		if s := c.stages.get(c.wanted()); s != nil && s.err != nil {
			p.gap()
			p.text(look.Bad, s.err.Error())
		}
		return
	}
	c.opening(p, st)
	if st.Scene.Scenario != "" {
		p.gap()
		p.text(look.Dim, st.Scene.Scenario)
	}
	if len(e.Duplicates) > 0 {
		p.gap()
		p.text(look.Warn, "The same content again: "+guard.Line(strings.Join(e.Duplicates[:min(len(e.Duplicates), 8)], ", ")))
	}
	for _, w := range st.Warnings[:min(len(st.Warnings), 4)] {
		p.text(look.Dim, "mended: "+guard.Line(w))
	}
	if e.Path != "" {
		p.gap()
		p.text(look.Dim, shortPath(e.Path))
	}
}

// measures says how much there is to a card.
func (c *Casting) measures(p *page, st *Staging) {
	tokens, lore := c.entry.Tokens, c.entry.Lore
	if st != nil && st.Tokens > 0 {
		tokens, lore = st.Tokens, st.Lore
	}
	if tokens > 0 {
		p.pair("takes", "about "+thousands(tokens)+" tokens")
	}
	switch {
	case lore == 1:
		p.pair("lore", "1 entry")
	case lore > 1:
		p.pair("lore", fmt.Sprintf("%d entries", lore))
	}
}

// thousands writes a number as people do.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// opening shows the greeting that opens, and the way to the others.
func (c *Casting) opening(p *page, st *Staging) {
	s := &st.Scene
	if s.Opening == "" && st.Greetings < 2 {
		return
	}
	p.gap()
	if st.Greetings > 1 {
		l := c.look
		keys := c.keys.Get("casting.greeting.previous").ShownIn(l.ASCII) + " " + c.keys.Get("casting.greeting.next").ShownIn(l.ASCII)
		p.row(l.Paint(look.Title, fmt.Sprintf("Greeting %d of %d", c.play.Greeting+1, st.Greetings)) + "  " + l.Paint(look.Key, keys) + l.Paint(look.Dim, " others"))
	}
	for _, seg := range layers.Parse(s.Opening, layers.Options{Name: s.Character.Name, Others: []string{s.User.Name}}).Segments {
		switch seg.Layer {
		case layers.Act:
			p.text(look.Act, seg.Text)
		case layers.Speech:
			p.text(look.Speech, seg.Text)
		}
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

// page gathers the rows of a preview. A portrait of artW times artH cells hangs
// at the right of its first rows, and the text goes round it.
type page struct {
	look       *look.Look
	w          int
	artW, artH int
	rows       []string
}

// room is how wide the next row may be.
func (p *page) room() int {
	if len(p.rows) < p.artH {
		return p.w - p.artW - 2
	}
	return p.w
}

func (p *page) row(s string) { p.rows = append(p.rows, " "+p.look.Truncate(s, p.room()-1)) }

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
	for s != "" {
		room, beside := p.room(), max(p.artH-len(p.rows), 0)
		for i, row := range prose.Wrap(s, room-1) {
			if beside > 0 && i == beside {
				break
			}
			p.rows = append(p.rows, " "+p.look.Paint(role, row))
			if beside > 0 {
				s = behind(s, row)
			}
		}
		if beside == 0 || len(p.rows) < p.artH {
			return
		}
		// What stands below the portrait has the whole width.
		s = strings.TrimLeft(s, " \n")
	}
}

// behind is what of a text follows a row that it was wrapped into.
func behind(s, row string) string {
	row = strings.TrimSpace(row)
	if i := strings.Index(s, row); i >= 0 {
		return s[i+len(row):]
	}
	return ""
}

func (p *page) pair(label, value string) {
	if value = guard.Line(value); value != "" {
		p.row(p.look.Paint(look.Dim, p.look.Pad(label, 12)) + value)
	}
}

// hang puts the portrait beside the first rows.
func (p *page) hang(art []string) []string {
	if p.artH == 0 {
		return p.rows
	}
	for len(p.rows) < p.artH {
		p.rows = append(p.rows, "")
	}
	for i := range min(p.artH, len(p.rows)) {
		right := strings.Repeat(" ", p.artW)
		if i < len(art) {
			right = art[i]
		}
		p.rows[i] = p.look.Pad(p.rows[i], p.w-p.artW) + right
	}
	return p.rows
}

// shortPath writes the person's own folder as ~.
func shortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}
