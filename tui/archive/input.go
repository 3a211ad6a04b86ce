package archive

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
	"herarena/tui/keys"
)

// The scopes of the screen's keys.
const (
	listing   = "archive"
	searching = "search" // no part of the list: its keys are text here
)

func turnChip(name string, c chip, key ...string) keys.Command[*Screen] {
	return keys.Act("archive.filter."+name, chipDoes[c], func(s *Screen) tea.Cmd { return s.turn(c, 1) }, key...)
}

// sets are the screen's commands.
func sets() []keys.Set[*Screen] {
	return []keys.Set[*Screen]{
		{Title: "Past duels", Scope: listing, Commands: []keys.Command[*Screen]{
			keys.Act("archive.read", "read the duel", func(s *Screen) tea.Cmd { return s.fetch(read) }, "enter", "right").As("enter").Hinted("read"),
			keys.Act("archive.up", "the duel above", func(s *Screen) tea.Cmd { return s.move(-1) }, "up", "k").As("↑ k"),
			keys.Act("archive.down", "the duel below", func(s *Screen) tea.Cmd { return s.move(1) }, "down", "j").As("↓ j"),
			keys.Act("archive.page.up", "a page up", func(s *Screen) tea.Cmd { return s.move(-s.pageRows()) }, "pgup"),
			keys.Act("archive.page.down", "a page down", func(s *Screen) tea.Cmd { return s.move(s.pageRows()) }, "pgdown"),
			keys.Act("archive.first", "the first", func(s *Screen) tea.Cmd { return s.move(-len(s.shown)) }, "home", "g").As("g"),
			keys.Act("archive.last", "the last", func(s *Screen) tea.Cmd { return s.move(len(s.shown)) }, "end", "G").As("G"),
			keys.Act("archive.search", "search scenes, names, lines and replies", keys.Plain(func(s *Screen) { s.typing = true }), "/").Hinted("search"),
			turnChip("contestant", contestantChip, "c").Hinted("filter"),
			turnChip("scene", sceneChip, "s"),
			turnChip("critic", criticChip, "i"),
			turnChip("kind", kindChip, "t"),
			turnChip("votes", voteChip, "v"),
			turnChip("date", dateChip, "d"),
			turnChip("played", playedChip, "p"),
			keys.Act("archive.order", "sort by date, turns or scene", func(s *Screen) tea.Cmd { return s.turn(orderChip, 1) }, "o").Hinted("order"),
			keys.Act("archive.clear", "no search and no filters, as at first", (*Screen).clear, "x").Hinted("show all"),
			keys.Act("archive.replay", "replay the duel at its own pace", func(s *Screen) tea.Cmd { return s.fetch(play) }, "r").Hinted("replay"),
			keys.Act("archive.continue", "go on with it, as a new duel", (*Screen).goOn, "w").Hinted("go on"),
			keys.Act("archive.export.html", "export it as an HTML page", func(s *Screen) tea.Cmd { return s.fetch(exportHTML) }, "e").Hinted("export"),
			keys.Act("archive.export.markdown", "export it as Markdown", func(s *Screen) tea.Cmd { return s.fetch(exportMarkdown) }, "m"),
			keys.Act("archive.reload", "read the ledger again", (*Screen).reload, "u"),
			keys.Act("archive.leave", "back", func(*Screen) tea.Cmd { return ask(Leave{}) }, "esc", "q").As("esc").Hinted("back"),
		}},
		{Title: "Searching", Scope: searching, Text: true, Commands: []keys.Command[*Screen]{
			keys.Act("archive.search.done", "to the list", keys.Plain(func(s *Screen) { s.typing = false }), "enter", "tab", "down").As("enter").Hinted("to the list"),
			keys.Act("archive.search.leave", "empty the search, then to the list", (*Screen).leaveSearch, "esc").Hinted("empty"),
			keys.Act("archive.search.erase", "take the last character back", (*Screen).erase, "backspace"),
			keys.Act("archive.search.clear", "empty the search", func(s *Screen) tea.Cmd { return s.retype("") }, "ctrl+u"),
			keys.Act("archive.search.word", "take the last word back", (*Screen).eraseWord, "ctrl+w"),
		}},
	}
}

// Groups are the bindings of the list and of the reading view as the help and
// the README show them.
func Groups() []keys.Group {
	return append(keys.GroupsOf(sets()), keys.GroupsOf(readerSets())...)
}

func (s *Screen) scopes() []string {
	if s.typing {
		return []string{searching}
	}
	return []string{listing}
}

// Keys returns the screen's bindings.
func (s *Screen) Keys() []keys.Group { return s.keys.Groups() }

// Commands lists what the palette can run here.
func (s *Screen) Commands() []keys.Entry { return s.keys.Entries(s, s.scopes()...) }

// Do runs a command by its name.
func (s *Screen) Do(name string) tea.Cmd {
	s.fresh = false
	cmd, _ := s.keys.Run(s, name)
	return cmd
}

// Means names the command that a key would run.
func (s *Screen) Means(k tea.KeyPressMsg) string { return s.keys.Meant(s, k, s.scopes()...).Name }

// Update takes a message in.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case rowsMsg:
		if m.screen == s {
			return s.listed(m)
		}
	case pauseMsg:
		if m.screen == s && m.round == s.round {
			return s.find()
		}
	case foundMsg:
		if m.screen == s {
			return s.finding(m)
		}
	case restMsg:
		if m.screen == s && m.moved == s.moved {
			return s.fetch(preview)
		}
	case duelMsg:
		if m.screen == s {
			return s.got(m)
		}
	case exportedMsg:
		return m.tell()
	case tea.KeyPressMsg:
		return s.press(m)
	case tea.PasteMsg:
		if s.typing {
			return s.retype(s.text + pasted(m.Content))
		}
	case tea.MouseClickMsg:
		return s.click(m)
	case tea.MouseWheelMsg:
		return s.wheel(m)
	}
	return nil
}

func (s *Screen) press(k tea.KeyPressMsg) tea.Cmd {
	s.fresh = false
	if cmd, taken := s.keys.Press(s, k, s.scopes()...); taken {
		return cmd
	}
	if !s.typing {
		return nil
	}
	name := keys.Name(k)
	if name == "space" {
		name = " "
	}
	if utf8.RuneCountInString(name) != 1 {
		return nil
	}
	return s.retype(s.text + name)
}

// pasted is a text as one line; a space before it stays.
func pasted(text string) string {
	text = text[:min(len(text), 4*textLimit)] // what is cleaned may be shorter
	line := guard.Line(text)
	if strings.HasPrefix(text, " ") {
		line = " " + line
	}
	return line
}

// move chooses another duel.
func (s *Screen) move(by int) tea.Cmd {
	if len(s.shown) == 0 {
		return nil
	}
	s.at, s.fresh = max(min(s.at+by, len(s.shown)-1), 0), false
	return s.rest()
}

func (s *Screen) pageRows() int { return max(s.places.list.h-1, 1) }

func (s *Screen) turn(c chip, by int) tea.Cmd {
	s.filter.turn(c, by)
	return s.choose()
}

func (s *Screen) clear() tea.Cmd {
	s.filter.clear()
	return s.retype("")
}

// reload reads the ledger again, and forgets what was found in the old one.
func (s *Screen) reload() tea.Cmd {
	clear(s.found)
	clear(s.duels)
	clear(s.refused)
	s.order = nil
	s.reading = true
	return tea.Batch(s.list(0), s.retype(s.text))
}

func (s *Screen) goOn() tea.Cmd {
	r := s.chosen()
	if r == nil {
		return nil
	}
	return ask(Continue{DuelID: r.ID})
}

func (s *Screen) leaveSearch() tea.Cmd {
	if s.text == "" {
		s.typing = false
		return nil
	}
	return s.retype("")
}

func (s *Screen) erase() tea.Cmd {
	_, size := utf8.DecodeLastRuneInString(s.text)
	return s.retype(s.text[:len(s.text)-size])
}

func (s *Screen) eraseWord() tea.Cmd {
	text := strings.TrimRight(s.text, " ")
	return s.retype(text[:strings.LastIndexByte(text, ' ')+1])
}

// click takes the mouse: the search is typed into, chips turn, a duel is chosen
// and, when it was chosen already, read.
func (s *Screen) click(m tea.MouseClickMsg) tea.Cmd {
	s.fresh = false
	by := 1
	switch m.Button {
	case tea.MouseLeft:
	case tea.MouseRight:
		by = -1
	default:
		return nil
	}
	p := &s.places
	for _, c := range p.chips {
		if c.area.holds(m.X, m.Y) {
			return s.turn(c.chip, by)
		}
	}
	switch {
	case p.search.holds(m.X, m.Y):
		s.typing = true
	case p.list.holds(m.X, m.Y):
		s.typing = false
		at := s.top + m.Y - p.list.y
		if at >= len(s.shown) {
			return nil
		}
		if at == s.at {
			return s.fetch(read)
		}
		s.at = at
		return s.rest()
	}
	return nil
}

func (s *Screen) wheel(m tea.MouseWheelMsg) tea.Cmd {
	by := 3
	switch m.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelDown:
	default:
		return nil
	}
	for _, c := range s.places.chips {
		if c.area.holds(m.X, m.Y) {
			return s.turn(c.chip, by/3)
		}
	}
	if s.places.about.holds(m.X, m.Y) {
		s.places.aboutTop, s.fresh = max(s.places.aboutTop+by, 0), false
		return nil
	}
	return s.move(by)
}
