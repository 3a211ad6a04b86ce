package stage

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/keys"
)

// Scopes in which keys hold: keys of the stage hold in all of its parts.
const (
	anywhere  = "stage"
	composing = "stage.composer"
	siding    = "stage.side"
	comparing = "stage.compare"
	judging   = "stage.verdict"
	autoing   = "stage.auto"
)

type command = keys.Command[*Stage]

// act and plain make a line of the table: name, help, what it does, default keys.
func act(name, does string, do func(*Stage) tea.Cmd, on ...string) command {
	return keys.Act(name, does, do, on...)
}

func plain(name, does string, do func(*Stage), on ...string) command {
	return keys.Act(name, does, keys.Plain(do), on...)
}

// sets are all commands of the stage, in the order of the help. Palette, help,
// README and a person's own keys are made from this table alone: a new command
// is a new line here. Commands of a side or of the verdict must work wherever
// the focus is, since the palette runs them from anywhere.
func sets() []keys.Set[*Stage] {
	return slices.Concat(playing(), directing())
}

// playing are the commands of looking at a duel and playing it.
func playing() []keys.Set[*Stage] {
	return []keys.Set[*Stage]{
		{Title: "Composer", Scope: composing, Text: true, Commands: []command{
			whole(act("stage.send", "send the line", (*Stage).send, "enter")),
			plain("stage.newline", "begin a new line", (*Stage).newline, "shift+enter", "alt+enter", "ctrl+j").As("shift+enter, ctrl+j"),
			plain("stage.suggest", "take the suggestion, in an empty composer, or the name behind an @", (*Stage).takeHint, "right").If((*Stage).hasHint).As("→").Hinted("take it"),
			plain("stage.history.older", "the line sent before", func(s *Stage) { s.browse(-1) }, "up").If(func(s *Stage) bool { return s.writer.atEdge(-1) }),
			plain("stage.history.newer", "the line sent after", func(s *Stage) { s.browse(1) }, "down").If(func(s *Stage) bool { return s.writer.atEdge(1) }),
			plain("stage.clear", "empty the composer", (*Stage).clear).If(func(s *Stage) bool { return s.writer.area.Value() != "" }),
			plain("stage.redo", "make the change to the text again", (*Stage).redo, "ctrl+y").If(func(s *Stage) bool { return len(s.writer.edits.future) > 0 }),
			plain("stage.yank", "put back what was cut last", (*Stage).yank).If(func(s *Stage) bool { return s.writer.edits.cut != "" }),
		}},
		{Title: "Vote (empty composer, both replies done)", Scope: composing, Text: true, Commands: []command{
			vote("stage.vote.a", "A is better", arena.ChoseA, "1").If((*Stage).digitVotes).InEmpty().Hinted("A"),
			vote("stage.vote.b", "B is better", arena.ChoseB, "2").If((*Stage).digitVotes).InEmpty().Hinted("B"),
			vote("stage.vote.tie", "a tie", arena.Tie, "3").If((*Stage).digitVotes).InEmpty().Hinted("tie"),
			vote("stage.vote.bad", "both are bad", arena.BothBad, "4").If((*Stage).digitVotes).InEmpty().Hinted("both bad"),
		}},
		{Title: "Anywhere on stage", Scope: anywhere, Text: true, Commands: []command{
			vote("stage.vote.now.a", "A is better, also while writing", arena.ChoseA, "alt+1"),
			vote("stage.vote.now.b", "B is better, also while writing", arena.ChoseB, "alt+2"),
			vote("stage.vote.now.tie", "a tie, also while writing", arena.Tie, "alt+3"),
			vote("stage.vote.now.bad", "both are bad, also while writing", arena.BothBad, "alt+4"),
			plain("stage.focus.next", "next panel", func(s *Stage) { s.setFocus((s.focus + 1) % focuses) }, "tab").Hinted("panels"),
			plain("stage.focus.previous", "panel before", func(s *Stage) { s.setFocus((s.focus + focuses - 1) % focuses) }, "shift+tab"),
			whole(act("stage.regenerate.both", "another reply of both sides", again(arena.A, arena.B), "ctrl+r").Hinted("again")),
			whole(act("stage.regenerate.a", "another reply of A", again(arena.A))),
			whole(act("stage.regenerate.b", "another reply of B", again(arena.B))),
			whole(act("stage.rejudge", "ask the critic again", (*Stage).rejudge, "ctrl+g").Hinted("ask again")),
			whole(act("stage.rejudge.with", "judge the turn again by another critic, or with changes", (*Stage).judgeAgain)),
			act("stage.canon.next", "who chooses canon: vote, critic, A, B", (*Stage).nextCanon, "ctrl+o"),
			act("stage.board", "the board", (*Stage).openBoard, "ctrl+b").Hinted("board"),
			plain("stage.side.other", "the other side, where one is shown alone", (*Stage).turnSide, "f2"),
			plain("stage.zoom", "one side alone, and back", (*Stage).toggleZoom, "f4"),
			plain("stage.search", "search: the side in focus, else both", (*Stage).beginSearch, "ctrl+f"),
			plain("stage.search.empty", "search, where no text is written", (*Stage).beginSearch, "/").If(func(s *Stage) bool { return s.focus != onComposer || s.writer.area.Value() == "" }).InEmpty().Hinted("search"),
			act("stage.turns", "the list of turns", (*Stage).openTurns, "ctrl+t"),
			act("stage.panels", "panels: shown, dimmed, collapsed or hidden", (*Stage).openPanels, "f5").Hinted("panels"),
			plain("stage.compare", "compare A and B layer by layer, and back", (*Stage).openCompare, "f6").If(func(s *Stage) bool { return len(s.play.turns) > 0 }).Hinted("compare"),
			act("stage.copy.menu", "copy: reply, layer, verdict, turn", (*Stage).openCopy, "f7").Hinted("copy"),
			plain("stage.page.up", "scroll up a page", func(s *Stage) { s.page(-1) }, "pgup"),
			plain("stage.page.down", "scroll down a page", func(s *Stage) { s.page(1) }, "pgdown"),
			act("stage.undo", "take back a change to the text", (*Stage).undo, "ctrl+z"),
			act("stage.back", "stop what is written; else back; twice leaves the scene", (*Stage).escape, "esc").Hinted("stop"),
		}},
		{Title: "In a side", Scope: siding, Commands: []command{
			onSide("stage.scroll.up", "scroll up", func(s *Stage, at arena.Side) { s.scroll(at, -1) }, "up", "k").As("↑ k"),
			onSide("stage.scroll.down", "scroll down", func(s *Stage, at arena.Side) { s.scroll(at, 1) }, "down", "j").As("↓ j"),
			onSide("stage.scroll.top", "to the beginning", func(s *Stage, at arena.Side) { s.panes[at].Top(); s.goAlong(at) }, "home", "g").As("g"),
			act("stage.scroll.linked", "scroll both sides together, or each alone", (*Stage).toggleLinked, "="),
			onSide("stage.scroll.end", "to the end and the newest turn, and follow it", (*Stage).toEnd, "end", "G").As("G"),
			onSide("stage.scroll.half.up", "half a page up", func(s *Stage, at arena.Side) { s.scroll(at, -s.half(at)) }),
			onSide("stage.scroll.half.down", "half a page down", func(s *Stage, at arena.Side) { s.scroll(at, s.half(at)) }),
			onSide("stage.fold.plan", "fold or unfold plans and reasoning", func(s *Stage, at arena.Side) { s.fold(at, layers.System, layers.Native) }, "p").Hinted("plan"),
			onSide("stage.fold.thoughts", "fold or unfold thoughts", func(s *Stage, at arena.Side) { s.fold(at, layers.Think) }, "t").Hinted("thoughts"),
			plain("stage.side.zoom", "this side alone, and back", (*Stage).toggleZoom, "z").Hinted("zoom"),
			whole(act("stage.regenerate.side", "another reply of this side", func(s *Stage) tea.Cmd { return again(s.sideAt())(s) }, "ctrl+r").Hinted("again")),
			onSide("stage.swipe.earlier", "the earlier reply to the line looked at, with its verdict", func(s *Stage, at arena.Side) { s.swipe(at, -1) }, "left"),
			onSide("stage.swipe.later", "the later reply to it", func(s *Stage, at arena.Side) { s.swipe(at, 1) }, "right"),
			act("stage.copy", "copy what is selected, else the reply", (*Stage).copyHere, "y").Hinted("copy"),
			act("stage.copy.choose", "choose what to copy", (*Stage).openCopy, "Y"),
			act("stage.copy.file", "write what is selected, else the reply, to a file", (*Stage).saveHere, "f"),
			plain("stage.search.next", "the next place that was found", func(s *Stage) { s.toFinding(1) }, "n").If((*Stage).searching),
			plain("stage.search.previous", "the place found before", func(s *Stage) { s.toFinding(-1) }, "N").If((*Stage).searching),
			plain("stage.turn.previous", "the turn before", func(s *Stage) { s.jump(-1) }, "["),
			plain("stage.turn.next", "the turn after", func(s *Stage) { s.jump(1) }, "]"),
			plain("stage.turn.first", "the first turn", func(s *Stage) { s.jumpTo(-s.pastTurns()) }, "{"),
			plain("stage.turn.last", "the last turn", func(s *Stage) { s.jumpTo(len(s.play.turns) - 1) }, "}"),
			act("stage.panels.side", "panels: shown, dimmed, collapsed or hidden", (*Stage).openPanels, "v"),
			plain("stage.compare.side", "compare A and B layer by layer", (*Stage).openCompare, "c").If(func(s *Stage) bool { return len(s.play.turns) > 0 }).Hinted("compare"),
			whole(act("stage.side.undo", "take the vote back", (*Stage).unvote, "u")),
			plain("stage.compose", "back to the composer", func(s *Stage) { s.setFocus(onComposer) }, "i"),
			act("stage.side.hold", "hold the text, or go on", (*Stage).toggleHold, "space").If((*Stage).canHold),
			act("stage.side.step", "a sentence more of this side's held text", (*Stage).stepHold, "s").If((*Stage).holds),
		}},
		{Title: "Comparing", Scope: comparing, Commands: []command{
			inCompare("stage.compare.up", "scroll up", func(s *Stage) { s.scrollCompare(-1) }, "up", "k").As("↑ k"),
			inCompare("stage.compare.down", "scroll down", func(s *Stage) { s.scrollCompare(1) }, "down", "j").As("↓ j"),
			inCompare("stage.compare.top", "to the beginning", func(s *Stage) { s.scrollCompare(-1 << 30) }, "home", "g").As("g"),
			inCompare("stage.compare.end", "to the end", func(s *Stage) { s.scrollCompare(1 << 30) }, "end", "G").As("G"),
			inCompare("stage.compare.previous", "the turn before", func(s *Stage) { s.jump(-1) }, "[", "left").As("["),
			inCompare("stage.compare.next", "the turn after", func(s *Stage) { s.jump(1) }, "]", "right").As("]").Hinted("turn"),
			act("stage.compare.copy", "copy what is selected, else choose what to copy", (*Stage).copyCompared, "y", "Y").As("y"),
			inCompare("stage.compare.close", "back to the sides", (*Stage).closeCompare, "c").Hinted("back"),
			inCompare("stage.compare.compose", "back to the composer", func(s *Stage) { s.setFocus(onComposer) }, "i"),
		}},
		{Title: "In the verdict", Scope: judging, Commands: []command{
			onCards("stage.card.up", "card up", "up", "up", "k").As("↑ k"),
			onCards("stage.card.down", "card down", "down", "down", "j").As("↓ j"),
			onCards("stage.card.first", "the first card", "home", "home", "g").As("g"),
			onCards("stage.card.last", "the last card", "end", "end", "G").As("G"),
			act("stage.card.toggle", "open or shut the card; with a quote chosen, jump to it", (*Stage).enterCard, "enter", "space").As("enter").Hinted("open"),
			onCards("stage.card.open", "open the card", "right", "right"),
			onCards("stage.card.shut", "shut the card", "left", "left"),
			onCards("stage.card.all", "open or shut all cards", "o", "o").Hinted("all"),
			onCards("stage.card.order", "both orders, or one alone", "x", "x").Hinted("order"),
			act("stage.quote.next", "the next quote that stands in a reply", walkQuotes("."), ".").Hinted("quotes"),
			act("stage.quote.former", "the quote before", walkQuotes(","), ","),
			act("stage.verdict.odds", "the chance over the turns", showing(oddsPanel), "%").Hinted("chance"),
			act("stage.verdict.output", "the critic's output as it came", showing(outputPanel), "s").Hinted("output"),
			act("stage.verdict.reasoning", "the critic's own reasoning", showing(thoughtPanel), "t"),
			plain("stage.verdict.older", "the verdict of the turn before", func(s *Stage) { s.turnTo(-1) }, "["),
			plain("stage.verdict.newer", "the verdict of the turn after", func(s *Stage) { s.turnTo(1) }, "]"),
			whole(act("stage.verdict.undo", "take the vote back", (*Stage).unvote, "u")),
			plain("stage.verdict.compose", "back to the composer", func(s *Stage) { s.setFocus(onComposer) }, "i"),
		}},
	}
}

// vote is a command that casts a vote.
func vote(name, does string, c arena.Choice, on ...string) command {
	return whole(act(name, does, func(s *Stage) tea.Cmd { return s.vote(c) }, on...))
}

// again is asking for another reply of some sides.
func again(sides ...arena.Side) func(*Stage) tea.Cmd {
	return func(s *Stage) tea.Cmd { return s.again(sides...) }
}

// onSide is a command about the side in focus, else the one shown.
func onSide(name, does string, do func(*Stage, arena.Side), on ...string) command {
	return plain(name, does, func(s *Stage) {
		at := s.sideAt()
		s.stale(sidePart(at))
		do(s, at)
	}, on...)
}

// inCompare is a command of the comparison.
func inCompare(name, does string, do func(*Stage), on ...string) command {
	return plain(name, does, do, on...).If(func(s *Stage) bool { return s.compare != nil })
}

// searching reports whether there is something found to go through.
func (s *Stage) searching() bool { return s.search != nil }

// onCards is a command of the list of cards, which knows it by a key.
func onCards(name, does, key string, on ...string) command {
	return plain(name, does, func(s *Stage) { s.pressCards(key) }, on...)
}

// half is half a page of a side.
func (s *Stage) half(at arena.Side) int {
	_, h := s.layout.inner(at)
	return max(h/2, 1)
}

func (s *Stage) rejudge() tea.Cmd {
	if why := s.aside("the critic is asked again about"); why != "" {
		return notice(why, false)
	}
	return s.call("", func(ctx context.Context) error { return s.o.Duel.Rejudge(ctx) })
}

func (s *Stage) openBoard() tea.Cmd {
	source := string(s.source())
	veiled := ""
	if d, ok := s.o.Duel.(interface{ ID() string }); ok && s.hushed() {
		veiled = d.ID()
	}
	return func() tea.Msg { return OpenBoard{source, veiled} }
}

// scopes are those that have the keys, the innermost first.
func (s *Stage) scopes() []string {
	switch {
	case s.sheet != nil:
		return []string{s.sheet.scope(), panelScope}
	case (s.focus == onA || s.focus == onB) && s.compare != nil:
		return []string{comparing, anywhere}
	case s.focus == onA || s.focus == onB:
		return []string{siding, anywhere}
	case s.focus == onVerdict:
		return []string{judging, anywhere}
	case s.play.playing():
		return []string{autoing, anywhere}
	case s.ghost != nil:
		return []string{anywhere}
	}
	return []string{composing, anywhere}
}

// Keys returns the bindings in force in the order of the help, and behind them
// what the signs on the stage mean.
func (s *Stage) Keys() []keys.Group { return append(s.keys.Groups(), s.legend()) }

// Commands lists what the palette can run here.
func (s *Stage) Commands() []keys.Entry { return s.keys.Entries(s, s.scopes()...) }

// Do runs a command by its name.
func (s *Stage) Do(name string) tea.Cmd {
	s.stale(composerPart)
	s.menu = nil
	cmd, _ := s.keys.Run(s, name)
	return cmd
}

// Means names the command that a key would run, "" for none.
func (s *Stage) Means(k tea.KeyPressMsg) string {
	if s.menu != nil || s.search != nil && s.search.writing {
		return ""
	}
	return s.keys.Meant(s, k, s.scopes()...).Name
}

// Groups are the stage's bindings as the README shows them.
func Groups() []keys.Group { return keys.GroupsOf(sets()) }

// bound returns the binding of a command with the keys in force.
func (s *Stage) bound(name string) keys.Binding { return s.keys.Get(name) }
