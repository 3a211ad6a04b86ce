package stage

import (
	"herarena/tui/chart"
	"herarena/tui/keys"

	"github.com/charmbracelet/x/ansi"
)

// legend explains the signs that stand on the stage, below the keys in its help.
func (s *Stage) legend() keys.Group {
	l := s.look
	g := l.Glyphs
	canon := "●"
	if l.ASCII {
		canon = "*"
	}
	lean := ansi.Strip(chart.Lean(l, -2.0/3, 3))
	signs := [][2]string{
		{g.Folded + " " + g.Open, "a plan, a reasoning or a card that is shut, and one that is open"},
		{g.Think, "what the character thinks; the other characters do not hear it"},
		{g.Act, "what the character does"},
		{g.Prompt, "what was said to the character"},
		{g.Quote, "what lies before this duel: remembered, not judged here"},
		{g.Cut, "the reply was cut off before its end"},
		{canon + " canon", "this reply is what both sides remember from here on"},
		{counter(l, 1, 3), "the second of three replies to the same line"},
		{g.Down + " 5, new", "five rows lie below, some of them came meanwhile"},
		{"~62 tok", "about so many tokens: the server counted none"},
		{g.Good + " " + g.Bad, "of a card: a merit that is looked for, a flaw that is looked for"},
		{"session, sentence", "of a card: it is about the whole scene, or about single sentences"},
		{lean, "of a card: how far it leans, to A on the left or to B on the right"},
		{g.Flip, "the two orders disagree: the critic may prefer a place, not a reply"},
	}
	if s.hasEnsemble() {
		signs = append(signs, [2]string{"~", "what the surroundings do"})
	}
	out := keys.Group{Title: "Signs on the stage"}
	for _, sign := range signs {
		out.Bindings = append(out.Bindings, keys.Binding{Keys: []string{sign[0]}, Label: sign[0], Does: sign[1]})
	}
	return out
}
