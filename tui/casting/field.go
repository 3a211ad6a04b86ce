package casting

import (
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// field is one thing to be chosen.
type field int

const (
	sceneField field = iota
	roleField
	greetingField
	aField
	bField
	criticField
	canonField
	blindField
	seedField
	fields
	recentField = fields // a list of its own, which no field shows
	lists       = fields + 1
)

var labels = [lists]string{"Scene", "You", "Greeting", "A", "B", "Critic", "Canon", "Blind", "Seed", "Recent"}

// option is one row of a list.
type option struct {
	title, meta string
}

// policies explain who chooses canon.
var policies = []struct {
	policy arena.CanonPolicy
	about  string
}{
	{arena.CanonVote, "Your vote decides which reply both sides remember; without a vote the critic's choice, else A's."},
	{arena.CanonCritic, "The critic's choice is what both sides remember; without a verdict your vote, else A's."},
	{arena.CanonA, "A's reply is always what both sides remember."},
	{arena.CanonB, "B's reply is always what both sides remember."},
	{arena.CanonParallel, "Each side remembers its own replies. From the second turn on verdicts compare different stories, so they stay off the boards."},
}

var blindness = []struct{ title, about string }{
	{"off", "You see who plays on which side."},
	{"on", "Sides are drawn anew each turn, and names are told once you have voted."},
}

// list builds the rows of the lists from what there is to choose.
func (c *Casting) list() {
	c.lists = [lists][]option{roleField: c.lists[roleField], greetingField: c.lists[greetingField], seedField: c.lists[seedField]}
	for _, p := range c.o.Contestants {
		meta := guard.Line(p.Model)
		if p.Rehearsal {
			meta = "scripted"
		}
		c.lists[aField] = append(c.lists[aField], option{guard.Line(p.Name), meta})
	}
	c.lists[bField] = c.lists[aField]
	for _, k := range c.o.Critics {
		title := k.Shown()
		if title == "" {
			title = "none"
		}
		c.lists[criticField] = append(c.lists[criticField], option{guard.Line(title), ""})
	}
	for _, p := range policies {
		c.lists[canonField] = append(c.lists[canonField], option{string(p.policy), ""})
	}
	for _, b := range blindness {
		c.lists[blindField] = append(c.lists[blindField], option{b.title, ""})
	}
	c.lists[recentField] = recentOptions(c.o.Recent)
}

// value is what is chosen in a field.
func (c *Casting) value(f field) (o option, ok bool) {
	if f == sceneField {
		return option{titled(c.entry.Title), guard.Line(c.entry.Language)}, c.entry.ID != ""
	}
	if i := c.chosen[f]; i < len(c.lists[f]) {
		return c.lists[f][i], true
	}
	return option{}, false
}

// matches are the indices of a field's options that the filter lets through.
func (c *Casting) matches() []int {
	var at []int
	for i, o := range c.lists[c.focus] {
		if c.filter == "" || c.writes() || strings.Contains(strings.ToLower(o.title+" "+o.meta), strings.ToLower(c.filter)) {
			at = append(at, i)
		}
	}
	return at
}

// shape is which fields stand in which row, and how wide each is; 0 is the rest.
var shape = [castRows][]struct{ f, w int }{
	{{int(sceneField), 0}},
	{{int(roleField), -20}, {int(greetingField), 0}},
	{{int(aField), 0}},
	{{int(bField), 0}},
	{{int(criticField), 0}},
	{{int(canonField), 19}, {int(blindField), 12}, {int(seedField), 0}},
}

// fieldRows are the fields with what is chosen in each; x and y are where the
// first stands.
func (c *Casting) fieldRows(x, y, w int) []string {
	c.at.fields = c.at.fields[:0]
	rows := make([]string, 0, castRows)
	for i, parts := range shape {
		row, used := " ", 1
		for _, part := range parts {
			f, size := field(part.f), part.w
			if size <= 0 {
				size = w - used + size
			}
			row += c.look.Pad(c.fieldCell(f, size, used == 1), size)
			c.at.fields = append(c.at.fields, spot{area{x + used, y + i, size, 1}, f})
			used += size
		}
		rows = append(rows, row)
	}
	return rows
}

// fieldCell is one field in w cells; the first of a row has its label in column.
func (c *Casting) fieldCell(f field, w int, first bool) string {
	l := c.look
	value, meta := l.Paint(look.Dim, "none"), ""
	if o, ok := c.value(f); ok {
		value, meta = o.title, o.meta
	} else if f == roleField || f == greetingField {
		value = l.Paint(look.Dim, l.Glyphs.Dot)
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
	label := labels[f] + " "
	if first {
		label = l.Pad(labels[f], 8)
	}
	cell := mark + l.Paint(role, label) + value
	if f == sceneField || f == aField || f == bField {
		if meta != "" && meta != value {
			cell += "  " + l.Paint(look.Dim, meta)
		}
	}
	return l.Truncate(cell, w-1)
}
