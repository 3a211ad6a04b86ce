package casting

import (
	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
)

const scope = "casting"

type command = keys.Command[*Casting]

// sets are all commands of the screen, in the order of the help.
func sets() []keys.Set[*Casting] {
	act := keys.Act[*Casting]
	plain := func(name, does string, do func(*Casting), on ...string) command {
		return keys.Act(name, does, keys.Plain(do), on...)
	}
	return []keys.Set[*Casting]{{Title: "Casting", Scope: scope, Commands: []command{
		act("casting.start", "start the duel", (*Casting).Start, "enter").Hinted("start"),
		plain("casting.field.next", "next field", func(c *Casting) { c.turn(1) }, "tab", "right").As("tab →").Hinted("field"),
		plain("casting.field.previous", "field before", func(c *Casting) { c.turn(-1) }, "shift+tab", "left").As("shift+tab ←"),
		plain("casting.up", "choose the one above", func(c *Casting) { c.move(-1) }, "up", "k").As("↑ k"),
		plain("casting.down", "choose the one below", func(c *Casting) { c.move(1) }, "down", "j").As("↓ j").Hinted("choose"),
		plain("casting.page.up", "a page up in the list", func(c *Casting) { c.move(-c.pageful()) }, "pgup"),
		plain("casting.page.down", "a page down in the list", func(c *Casting) { c.move(c.pageful()) }, "pgdown"),
		plain("casting.half.up", "half a page up in the list", func(c *Casting) { c.move(-(c.pageful() + 1) / 2) }),
		plain("casting.half.down", "half a page down in the list", func(c *Casting) { c.move((c.pageful() + 1) / 2) }),
		plain("casting.first", "the first", func(c *Casting) { c.move(-c.count()) }, "home", "g").As("g"),
		plain("casting.last", "the last", func(c *Casting) { c.move(c.count()) }, "end", "G").As("G"),
		plain("casting.cycle", "the next value of the field", (*Casting).cycle, "space"),
		plain("casting.filter", "search the list by typing, or write a name or a seed; esc shows all again", func(c *Casting) { c.typing = true }, "/").Hinted("search"),
		plain("casting.all", "show all of the list again, or leave the recent casts as they were", (*Casting).back, "esc").If(func(c *Casting) bool { return c.filtered() || c.focus == recentField }),
		plain("casting.greeting.next", "the card's next greeting", func(c *Casting) { c.greet(1) }, "]").If((*Casting).greets).Hinted("greeting"),
		plain("casting.greeting.previous", "the card's greeting before", func(c *Casting) { c.greet(-1) }, "[").If((*Casting).greets),
		plain("casting.favourite", "make the card a favourite, or none", (*Casting).favour, "f").If((*Casting).favours).Hinted("favourite"),
		plain("casting.sort", "sort the cards otherwise: by name, newest, last played, longest", (*Casting).sortOn, "s").If(func(c *Casting) bool { return c.o.Shelf != nil }).Hinted("sort"),
		plain("casting.recent", "take the cast played last; again takes the one before", (*Casting).openRecent, "r").If(func(c *Casting) bool { return len(c.o.Recent) > 0 }).Hinted("recent"),
		plain("casting.refresh", "look for new cards", (*Casting).refresh, "ctrl+r").If(func(c *Casting) bool { return c.o.Shelf != nil }),
		plain("casting.about.up", "scroll the description up", func(c *Casting) { c.read(-c.reading()) }, "K").If((*Casting).long).Hinted("read"),
		plain("casting.about.down", "scroll the description down", func(c *Casting) { c.read(c.reading()) }, "J").If((*Casting).long).Hinted("read on"),
		plain("casting.swap", "swap A and B", (*Casting).swap, "x").Hinted("swap"),
		act("casting.board", "the board", func(*Casting) tea.Cmd { return func() tea.Msg { return OpenBoard{} } }, "b", "ctrl+b").As("b").Hinted("board"),
		act("casting.quit", "leave the program", func(*Casting) tea.Cmd { return func() tea.Msg { return Quit{} } }, "q").Hinted("quit"),
	}}}
}

// Keys returns the screen's bindings in force.
func (c *Casting) Keys() []keys.Group { return c.keys.Groups() }

// Groups are the screen's bindings as the README shows them.
func Groups() []keys.Group { return keys.GroupsOf(sets()) }

// Commands lists what the palette can run here.
func (c *Casting) Commands() []keys.Entry { return c.keys.Entries(c, scope) }

// Do runs a command by its name.
func (c *Casting) Do(name string) tea.Cmd {
	c.fresh, c.typing = false, false
	cmd, _ := c.keys.Run(c, name)
	return c.answer(cmd)
}

// Means names the command that a key would run, "" for none.
func (c *Casting) Means(k tea.KeyPressMsg) string {
	if c.typing {
		return ""
	}
	return c.keys.Meant(c, k, scope).Name
}

// Tips are the first steps of this screen.
func (c *Casting) Tips() []keys.Tip {
	if c.busy {
		return nil
	}
	var tips []keys.Tip
	if start := c.keys.Get("casting.start"); len(start.Keys) > 0 {
		tips = append(tips, keys.Tip{Name: "casting.start", Says: start.ShownIn(c.look.ASCII) + " plays this cast as it stands", Actions: []string{"casting.start"}, Row: c.page.y + c.h - 2, Right: c.page.w - c.page.x - c.w})
	}
	if next := c.keys.Get("casting.field.next"); len(next.Keys) > 0 {
		tips = append(tips, keys.Tip{Name: "casting.field", Says: keys.Binding{Keys: next.Keys[:1]}.ShownIn(c.look.ASCII) + " goes on to who plays and who judges", Actions: []string{"casting.field.next"}, Row: c.page.y + c.h - 2, Right: c.page.w - c.page.x - c.w})
	}
	return tips
}
