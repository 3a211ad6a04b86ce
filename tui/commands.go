package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/again"
	"herarena/tui/archive"
	"herarena/tui/board"
	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/replay"
	"herarena/tui/stage"
)

// sets are the commands of every screen.
func sets() []keys.Set[*Model] {
	act := keys.Act[*Model]
	return []keys.Set[*Model]{{Title: "Everywhere", Text: true, Commands: []keys.Command[*Model]{
		act("app.help", "the keys of this screen", (*Model).openHelp, "f1", "?").As("? or F1").InEmpty().Hinted("help"),
		act("app.palette", "find and run any command", (*Model).openPalette, "ctrl+p", ":").As("ctrl+p :").InEmpty().Hinted("commands"),
		act("app.archive", "past duels: search, read, replay, go on, export", (*Model).openArchive, "f8").Hinted("past duels"),
		act("app.theme", "choose the theme", (*Model).chooseTheme, "f9"),
		act("app.mouse", "mouse on or off, to select text with the terminal's own", (*Model).toggleMouse, "f3"),
		act("app.notices", "the last notices in full; copy one, or the path of an export", (*Model).openNotices, "f12"),
		act("app.redraw", "draw the screen anew", func(*Model) tea.Cmd { return tea.ClearScreen }, "ctrl+l"),
		act("app.hints", "tell the first steps again", (*Model).tellAgain),
		act("app.stop", "stop what runs; twice leaves the program", (*Model).interrupt, "ctrl+c"),
		act("app.quit", "leave the program", func(*Model) tea.Cmd { return tea.Quit }, "ctrl+q"),
	}}}
}

// Groups are all bindings by default, for the README and for checking keys.
func Groups() []keys.Group {
	all := keys.GroupsOf(sets())
	for _, groups := range [][]keys.Group{stage.Groups(), casting.Groups(), board.Groups(), archive.Groups(), replay.Groups(), again.Groups()} {
		all = append(all, groups...)
	}
	return all
}

// commander is a screen whose commands can be listed and run by name.
type commander interface {
	Commands() []keys.Entry
	Do(name string) tea.Cmd
}

// knower is a screen that can name the command a key would run.
type knower interface {
	Means(k tea.KeyPressMsg) string
}

// run carries a command out by its name: one of everywhere, else the screen's.
func (m *Model) run(name string) tea.Cmd {
	followed := m.followed(name)
	if cmd, ran := m.keys.Run(m, name); ran {
		return tea.Batch(cmd, followed)
	}
	if c, ok := m.top().(commander); ok {
		return tea.Batch(c.Do(name), followed)
	}
	return followed
}

// entries are all commands that can be meant now.
func (m *Model) entries() []keys.Entry {
	var all []keys.Entry
	if c, ok := m.top().(commander); ok {
		all = c.Commands()
	}
	return append(all, m.keys.Entries(m, "")...)
}

// openPalette lists all commands, what is possible here and now first.
func (m *Model) openPalette() tea.Cmd {
	f := newFinder(m.look, "Commands")
	all, listed := m.entries(), map[string]int{}
	for _, part := range []struct {
		title string
		in    func(keys.Entry) bool
	}{
		{"Here and now", func(e keys.Entry) bool { return e.Possible && e.Here }},
		{"Elsewhere on this screen", func(e keys.Entry) bool { return e.Possible && !e.Here }},
		{"Not possible now", func(e keys.Entry) bool { return !e.Possible }},
	} {
		for _, e := range all {
			if !part.in(e) || e.Name == "app.palette" {
				continue
			}
			// A command that several parts of a screen have is one row, that of
			// the part at hand; it is found under all of its names.
			if i, ok := listed[e.Does]; ok {
				f.items[i].find += " " + e.Name
				f.items[i].key = cmp.Or(f.items[i].key, e.ShownIn(m.look.ASCII))
				continue
			}
			listed[e.Does] = len(f.items)
			f.items = append(f.items, m.item(e, part.title))
		}
	}
	f.seek("")
	m.over = f
	return nil
}

func (m *Model) item(e keys.Entry, group string) item {
	name := e.Name
	return item{
		group: group, key: e.ShownIn(m.look.ASCII), text: e.Does, note: name, find: name + " " + e.Title, possible: e.Possible,
		do: func() tea.Cmd { return m.run(name) },
	}
}

// openHelp lists the keys of the screen, in their groups.
func (m *Model) openHelp() tea.Cmd {
	f := newFinder(m.look, "Keys")
	f.grouped, f.keysLeft = true, true
	byName := map[string]keys.Entry{}
	for _, e := range m.entries() {
		byName[e.Name] = e
	}
	for _, g := range append(m.top().Keys(), m.keys.Groups()...) {
		for _, b := range g.Bindings {
			if len(b.Keys) == 0 {
				continue // the palette has it
			}
			it := m.item(keys.Entry{Binding: b, Title: g.Title, Possible: true}, g.Title)
			it.find += " " + it.key
			if e, ok := byName[b.Name]; !ok {
				it.do = nil // it can be pressed, but not be run from here
			} else {
				it.possible = e.Possible
			}
			f.items = append(f.items, it)
		}
	}
	f.seek("")
	m.over = f
	return nil
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	if m.mouse {
		return m.say("the mouse is the arena's again", false)
	}
	back := m.keys.Get("app.mouse").Shown()
	if back != "" {
		back = ", " + back + " takes it back"
	}
	return m.say("the mouse is the terminal's: select text as usual"+back, false)
}
