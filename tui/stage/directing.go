package stage

import (
	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/keys"
)

// directing are the commands that go beyond lines and votes: notes, branches, a
// model in the person's place, sampling, cast.
func directing() []keys.Set[*Stage] {
	return []keys.Set[*Stage]{
		holding(),
		staging(),
		{Title: "Directing", Scope: anywhere, Text: true, Commands: []command{
			plain("stage.note", "a director's note for the next line, which no one in the scene says", (*Stage).writeNote, "alt+n").If((*Stage).canDirect).Hinted("note"),
			act("stage.note.drop", "take the director's note back", (*Stage).dropNote).If(func(s *Stage) bool { return s.play.note != "" }).Hinted("drop it"),
			whole(act("stage.impersonate", "a model writes your line, to be changed before it is sent; again: the other one", (*Stage).impersonate, "alt+i").If((*Stage).canDirect).Hinted("write for me")),
			plain("stage.autoplay", "a model plays you for some turns", func(s *Stage) { s.openSheet(newAutoSheet(s)) }, "alt+a").If((*Stage).canDirect).Hinted("auto-play"),
			whole(act("stage.continue", "go on with a reply that was cut off", (*Stage).goOn, "alt+c").If((*Stage).canDirect).Hinted("go on")),
			whole(act("stage.line.edit", "write your line of the turn looked at anew, as a branch", (*Stage).reline, "alt+e").If((*Stage).canDirect)),
			whole(act("stage.branch", "a branch after the turn looked at", (*Stage).branchHere, "alt+g").If((*Stage).canDirect)),
			whole(act("stage.branches", "the tree of branches", (*Stage).openTree, "alt+t").If((*Stage).canDirect).Hinted("branches")),
			whole(act("stage.cast", "go on with another contestant or critic, as a new battle", (*Stage).openCast, "alt+w").If((*Stage).canDirect)),
			act("stage.sampling", "the sampling of both contestants", (*Stage).openSampling, "alt+s").If((*Stage).canDirect),
			plain("stage.tally", "tokens, time and cost of both sides", (*Stage).openTally, "alt+k"),
			act("stage.reveal", "show the names in a blind duel; asks once more", (*Stage).unveil, "alt+h").If(func(s *Stage) bool { return s.canDirect() && s.o.Blind }),
			whole(act("stage.unvote", "take the vote back", (*Stage).unvote, "alt+0").If((*Stage).voted)),
		}},
		{Title: "On a side: change what was said", Scope: siding, Commands: []command{
			whole(act("stage.reply.edit", "change this reply of the turn looked at, as a branch", func(s *Stage) tea.Cmd { return s.rewrite(s.sideAt()) }, "e").If((*Stage).canDirect).Hinted("change")),
			whole(act("stage.side.branch", "a branch after the turn looked at", (*Stage).branchHere, "b").If((*Stage).canDirect)),
		}},
		{Title: "While a model plays you", Scope: autoing, Commands: []command{
			act("stage.auto.pause", "pause before the next line, or go on", (*Stage).pauseAuto, "p", "space").As("p").Hinted("pause"),
			act("stage.auto.step", "play one turn, then pause", onAuto(func(_ *Stage, d Directed) { d.StepAuto() }), "s").Hinted("one turn"),
			act("stage.auto.stop", "play yourself again", (*Stage).stopAuto, "x").Hinted("stop"),
			vote("stage.auto.vote.a", "A is better", arena.ChoseA, "1"),
			vote("stage.auto.vote.b", "B is better", arena.ChoseB, "2"),
			vote("stage.auto.vote.tie", "a tie", arena.Tie, "3"),
			vote("stage.auto.vote.bad", "both are bad", arena.BothBad, "4"),
		}},
		{Title: "In a panel over the stage", Scope: panelScope, Commands: []command{
			onSheet("stage.panel.up", "up", 0, -1, "up", "k").As("↑ k"),
			onSheet("stage.panel.down", "down", 0, 1, "down", "j").As("↓ j"),
			onSheet("stage.panel.left", "less, or the one before", -1, 0, "left"),
			onSheet("stage.panel.right", "more, or the next", 1, 0, "right"),
			onSheet("stage.panel.page.up", "ten rows up", 0, -10, "pgup"),
			onSheet("stage.panel.page.down", "ten rows down", 0, 10, "pgdown"),
			act("stage.panel.enter", "do it", (*Stage).enterSheet, "enter").Hinted("do it"),
			plain("stage.panel.shut", "shut the panel", (*Stage).shut, "esc", "q").As("esc").Hinted("shut"),
		}},
		{Title: "Sampling panel", Scope: samplingPanel, Commands: []command{
			onKind("stage.sampling.other", "the other contestant", func(s *Stage, p *samplingSheet) tea.Cmd { return p.other(s) }, "tab").Hinted("other"),
			onKind("stage.sampling.leave", "leave it to the server", func(s *Stage, p *samplingSheet) tea.Cmd { return p.leave(s) }, "delete", "x").As("x").Hinted("server's"),
			onKind("stage.sampling.reset", "as the contestant has it", func(s *Stage, p *samplingSheet) tea.Cmd { return p.reset(s) }, "r").Hinted("reset"),
			onKind("stage.sampling.all", "everything as the contestant has it", func(s *Stage, p *samplingSheet) tea.Cmd { return p.resetAll(s) }, "R").Hinted("reset all"),
		}},
		{Title: "Tree of branches", Scope: branchesPanel, Commands: []command{
			onKind("stage.branches.reline", "in the tree: another line for the turn chosen, as a branch", func(s *Stage, t *treeSheet) tea.Cmd { return t.reline(s) }, "e").Hinted("another line"),
		}},
	}
}
