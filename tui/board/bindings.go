package board

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
)

const scope = "board"

// sets are all commands of the screen, in the order of the help.
func sets() []keys.Set[*Screen] {
	act := keys.Act[*Screen]
	scroll := func(name, does string, by func(*Screen) int, on ...string) keys.Command[*Screen] {
		return keys.Act(name, does, func(s *Screen) tea.Cmd { return s.move(by(s)) }, on...)
	}
	var turn []keys.Command[*Screen]
	for p := range pages {
		long, _ := p.names()
		turn = append(turn, act("board.page."+strconv.Itoa(int(p)+1), "page: "+long, func(s *Screen) tea.Cmd { return s.turnTo(p) }, strconv.Itoa(int(p)+1)))
	}
	return []keys.Set[*Screen]{{Title: "Board", Scope: scope, Commands: slices.Concat([]keys.Command[*Screen]{
		act("board.source.next", "next source, or the filter's next value", func(s *Screen) tea.Cmd { return s.sideways(1) }, "tab", "right").As("tab →").Hinted("source"),
		act("board.source.previous", "source before", func(s *Screen) tea.Cmd { return s.sideways(-1) }, "shift+tab", "left").As("shift+tab ←"),
		scroll("board.up", "up", func(*Screen) int { return -1 }, "up", "k").As("↑ k"),
		scroll("board.down", "down", func(*Screen) int { return 1 }, "down", "j").As("↓ j"),
		scroll("board.page.up", "a page up", func(s *Screen) int { return -s.height() }, "pgup"),
		scroll("board.page.down", "a page down", func(s *Screen) int { return s.height() }, "pgdown"),
		scroll("board.half.up", "half a page up", func(s *Screen) int { return -(s.height() + 1) / 2 }),
		scroll("board.half.down", "half a page down", func(s *Screen) int { return (s.height() + 1) / 2 }),
		scroll("board.first", "the first", func(*Screen) int { return -1 << 20 }, "home", "g").As("g"),
		scroll("board.last", "the last", func(*Screen) int { return 1 << 20 }, "end", "G").As("G"),
		act("board.open", "the pair's battles, the battle's turn; draw who meets next", (*Screen).enter, "enter").Hinted("open"),
		act("board.play", "play the pair that was drawn, or the pair chosen", (*Screen).play, "p").Hinted("play the pair"),
		act("board.page.next", "next page", func(s *Screen) tea.Cmd { return s.turnTo(s.page + 1) }, "space", "]").As("space ]"),
		act("board.page.previous", "page before", func(s *Screen) tea.Cmd { return s.turnTo(s.page - 1) }, "["),
		act("board.filter", "filters: scene, character, language, dimension, time", keys.Plain(func(s *Screen) { s.filtering = !s.filtering }), "f").Hinted("filter"),
		act("board.filter.clear", "no filters", (*Screen).clear, "F"),
		act("board.sort", "sort by the next column", (*Screen).sortNext, "s").Hinted("sort"),
		act("board.columns.right", "wins: columns to the right", keys.Plain(func(s *Screen) { s.left++ }), ">"),
		act("board.columns.left", "wins: columns to the left", keys.Plain(func(s *Screen) { s.left = max(s.left-1, 0) }), "<"),
		act("board.warnings", "all warnings, or the first alone", keys.Plain(func(s *Screen) { s.warnings = !s.warnings }), "w"),
		act("board.reload", "rate again", (*Screen).Init, "r").Hinted("rate again"),
		act("board.back", "back", (*Screen).back, "esc", "q").As("esc").Hinted("back"),
	}, turn)}}
}
