package characters

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"herarena/characters/lore"
)

// carded is a scene as a card makes it.
func carded(p Play) Scene {
	p.Char = "Mara"
	s := Scene{ID: "s", Title: "S", Character: Character{Name: "Mara"}, User: Character{Name: "Wren"}, Play: &p}
	return s.Filled()
}

const many = "{{random::a::b::c::d::e::f::g::h}}{{roll::d1000}}"

func TestCastGivesASceneItsLots(t *testing.T) {
	t.Parallel()
	s := carded(Play{
		Description: "{{char}}, <USER> " + many, Scenario: "{{isodate}} " + many,
		Greetings: []string{"first " + many, "second for {{user}}"},
	})
	noon := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	cast := func(s Scene, o CastOptions) Scene {
		t.Helper()
		out, err := s.Cast(o)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	one, two := cast(s, CastOptions{Seed: 1, Now: noon}), cast(s, CastOptions{Seed: 2, Now: noon})
	if one.Opening == two.Opening || one.Scenario == two.Scenario {
		t.Errorf("two seeds open with %q and %q", one.Opening, two.Opening)
	}
	if !strings.HasPrefix(one.Character.Profile, "Mara, Wren ") || !strings.HasPrefix(one.Scenario, "2026-03-07 ") {
		t.Errorf("got %q in %q", one.Character.Profile, one.Scenario)
	}
	if diff := cmp.Diff(one, cast(one, CastOptions{Seed: 9, Now: noon.Add(time.Hour), Examples: ExamplesOff})); diff != "" {
		t.Errorf("cast again it is another (-first +again):\n%s", diff)
	}
	second := 1
	if got := cast(one, CastOptions{Greeting: &second}); got.Opening != "second for Wren" || got.Scenario != one.Scenario {
		t.Errorf("the second greeting is %q in %q", got.Opening, got.Scenario)
	}
	renamed, err := one.PlayedBy("Ost")
	if err != nil || !strings.HasPrefix(renamed.Character.Profile, "Mara, Ost ") || renamed.Character.Profile[9:] != one.Character.Profile[10:] {
		t.Errorf("with another person it is %q, %v", renamed.Character.Profile, err)
	}
	written := s
	written.Scenario = "By hand."
	if got := cast(written, CastOptions{Seed: 1}); got.Scenario != "By hand." || got.Opening != one.Opening {
		t.Errorf("what was written by hand became %q", got.Scenario)
	}
	for _, n := range []int{-1, 2, 99} {
		if _, err := s.Cast(CastOptions{Greeting: &n}); err == nil || !strings.Contains(err.Error(), "from 0 to 1") {
			t.Errorf("greeting %d gives %v", n, err)
		}
	}
	plain := Scene{ID: "s"}
	if _, err := plain.Cast(CastOptions{Greeting: &second}); err == nil || !strings.Contains(err.Error(), "cards alone") {
		t.Errorf("a greeting of a scene without a card gives %v", err)
	}
	if got := cast(plain, CastOptions{Seed: 3}); got.Play != nil {
		t.Error("a scene without a card was given one")
	}
}

// TestACastSceneSurvivesItsRecord: what is kept of a duel goes on with the same
// words.
func TestACastSceneSurvivesItsRecord(t *testing.T) {
	t.Parallel()
	n := 3
	s, err := carded(Play{
		Description: many, Greetings: []string{"Hi."}, System: "{{original}}", After: "x", Note: "y", NoteDepth: 4, NoteRole: "user", Examples: "<START>\n{{char}}: z",
		Book: &lore.Book{Name: "b", ScanDepth: &n, Budget: 5, Recursive: true, Entries: []lore.Entry{{
			ID: "1", Keys: []string{"k"}, Content: "c", Enabled: true, Priority: &n, Place: lore.AtDepth, Depth: 2, Role: "user",
			ScanDepth: &n, Probability: 50, Sticky: 1, Cooldown: 2, Group: "g", GroupWeight: 7, GroupScoring: true, Logic: lore.AndAll, Secondary: []string{"s"}, Selective: true,
		}}},
	}).Cast(CastOptions{Seed: 1 << 52, Now: time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC), LoreBudget: 100})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Scene
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, back); diff != "" {
		t.Errorf("JSON (-was +is):\n%s", diff)
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(s); err != nil {
		t.Fatal(err)
	}
	fromTOML, _, err := decode(b.Bytes(), "s.toml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, fromTOML); diff != "" {
		t.Errorf("TOML (-was +is):\n%s", diff)
	}
}

func TestACardsRulesTakeThePlaceOfOurs(t *testing.T) {
	t.Parallel()
	own := "Stay inside the scene"
	for system, want := range map[string][3]bool{ // ours, the card's, the mark
		"":                                   {true, false, false},
		"CARD {{char}}":                      {false, true, false},
		"{{original}}\nCARD Mara":            {true, true, false},
		"{{Original}} CARD Mara{{original}}": {true, true, false},
	} {
		s := carded(Play{System: system})
		got := SystemPrompt(s, PromptOptions{Dialect: "her"})
		have := [3]bool{strings.Count(got, own) == 1, strings.Contains(got, "CARD Mara"), strings.Contains(got, "{{")}
		if have != want || !strings.Contains(got, "===Output Format===\nA reply has four layers.") {
			t.Errorf("%q: %v, want %v in\n%s", system, have, want, got)
		}
		if got := SystemPrompt(s, PromptOptions{Lore: Lore{NoRules: true}}); strings.Contains(got, own) {
			t.Errorf("%q: rules that are not to be there are:\n%s", system, got)
		}
	}
	s := carded(Play{System: "CARD", Examples: "{{char}}: example"})
	s.Others, s.Played = []Character{{Name: "Ost", Profile: "p"}}, []string{"Ost"}
	if got := SystemPrompt(s.Seen("Ost"), PromptOptions{}); strings.Contains(got, "CARD") || strings.Contains(got, "example") || !strings.Contains(got, own) {
		t.Errorf("another character is told what the card says to its own:\n%s", got)
	}
}

func TestExamplesAreTextUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	for form, want := range map[ExampleForm]bool{"": true, ExamplesText: true, ExamplesTurns: false, ExamplesOff: false} {
		s := carded(Play{ExampleForm: form, Examples: "<START>\n{{user}}: Is it {{pick::far}}?\n{{char}}: No.\nNever.\n<START>\nNobody speaks."})
		got := strings.Contains(SystemPrompt(s, PromptOptions{}), "===Example Dialogue===\nHow Mara speaks, from other conversations:\n\nWren: Is it far?\nMara: No.\nNever.\n\nNobody speaks.\n\n===")
		if got != want {
			t.Errorf("as %q they are text: %v", form, got)
		}
	}
}
