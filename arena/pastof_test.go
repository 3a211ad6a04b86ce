package arena_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
)

// TestRoundsOfABookBecomeAPast takes the first rounds of a dialogue, in which
// the person's thoughts stand too, as the past of a duel.
func TestRoundsOfABookBecomeAPast(t *testing.T) {
	lines := []characters.Line{
		{Name: characters.EnvironmentName, Text: "A bell."},
		{Name: "Mara", Text: "[CANARYTHOUGHT stay calm] (nods) Late."},
		{Name: "Teller", Text: "[CANARYMINE lie to her] (coughs) The tide."},
		{Name: "Teller", Text: "And the wind."},
		{Name: "Ost", Text: "  "},
		{Name: "Ost", Text: "Which tide?"},
		{Name: "Pim", Text: "Woof."},
		{Name: characters.EnvironmentName, Text: "Rain."},
	}
	past := arena.PastOf(trio(), lines)
	said := func(text string) []layers.Segment { return []layers.Segment{{Layer: layers.Speech, Text: text}} }
	want := []arena.PastTurn{
		{Scenery: "A bell.", Reply: []layers.Segment{{Layer: layers.Think, Text: "CANARYTHOUGHT stay calm"}, {Layer: layers.Act, Text: "nods"}, {Layer: layers.Speech, Text: "Late."}}},
		{Line: "*coughs* The tide."},
		{Line: "And the wind.", Speaker: "Ost", Reply: said("Which tide?")},
		{Line: "Pim: Woof."},
		{Scenery: "Rain."},
	}
	if diff := cmp.Diff(want, past); diff != "" {
		t.Error(diff)
	}
	h, a := playing(t, trio(), nil, func(o *arena.DuelOptions) { o.Past = past })
	h.line("Hm.", "Ost")
	got := prompts(a.calls["Ost"][0])
	if want := "user: ===Conversation Start===\n\nEnvironment: A bell.\n\nMara: <role_action>nods</role_action>Late.\n\nTeller: *coughs* The tide.\n\nTeller: And the wind.\n" +
		"assistant: Ost: Which tide?\nuser: Pim: Woof.\n\nEnvironment: Rain.\n\nTeller: Hm.\n"; got != want {
		t.Errorf("Ost is told:\n%s\nwant\n%s", got, want)
	}
	for k := range lines {
		d, err := arena.NewDuel(arena.DuelOptions{Scene: trio(), Past: arena.PastOf(trio(), lines[:k]), Contestants: [2]arena.Contestant{contestant("a", a, ""), contestant("b", a, "")}})
		if err != nil {
			t.Fatalf("of %d lines: %v", k, err)
		}
		_ = d.Close()
	}
}
