package arena_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
)

// TestABranchIsToldTheSame plays two turns with a contestant whose dialect is
// found out, branches after the first and compares what it is told for the same
// line.
func TestABranchIsToldTheSame(t *testing.T) {
	for _, reply := range []string{
		"*nods* Good evening.", "Good evening.", "[He is late.] (nods) Good evening.", "(nods) Good evening.",
		"<role_thinking>He is late.</role_thinking><role_action>nods</role_action>Good evening.",
		"<role_action>nods</role_action>Good evening.",
	} {
		t.Run(reply, func(t *testing.T) {
			play := func(past []arena.PastTurn, lines ...string) (*heard, *scripted) {
				a := &scripted{replies: []string{reply}}
				o := arena.DuelOptions{
					Contestants: [2]arena.Contestant{contestant("a", a, layers.Auto), contestant("b", &scripted{replies: []string{plainReply}}, layers.Auto)},
					Canon:       arena.CanonA, Past: past,
				}
				h := start(t, o)
				for _, line := range lines {
					h.say(line)
				}
				return h, a
			}
			h, whole := play(nil, "Good evening.", "And then?")
			_, branch := play(h.duel.History(1), "And then?")
			if diff := cmp.Diff(whole.call(1).Messages, branch.call(0).Messages); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAnUnknownDialectIsShownNoTags holds what a contestant whose dialect is to
// be found out reads of a past that others wrote: what its own prompt asks for,
// and tags only where a thought has no other form.
func TestAnUnknownDialectIsShownNoTags(t *testing.T) {
	for want, segments := range map[string][]layers.Segment{
		"*nods* Late.": {{Layer: layers.Act, Text: "nods"}, {Layer: layers.Speech, Text: "Late."}},
		"<role_thinking>Him.</role_thinking>Late.": {{Layer: layers.Think, Text: "Him."}, {Layer: layers.Speech, Text: "Late."}},
	} {
		a := &scripted{replies: []string{plainReply}}
		h := start(t, arena.DuelOptions{
			Contestants: [2]arena.Contestant{contestant("a", a, layers.Auto), contestant("b", &scripted{replies: []string{plainReply}}, layers.Auto)},
			Past:        []arena.PastTurn{{Line: "You.", Reply: segments}},
		})
		h.say("And then?")
		said := []string{}
		for _, m := range a.call(0).Messages {
			if m.Role == "assistant" {
				said = append(said, m.Content)
			}
		}
		if got := said[len(said)-1]; strings.TrimSpace(got) != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
