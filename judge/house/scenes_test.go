package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"herarena/arena"
)

// The public-domain scenes are third-party data that is not in the repository.
// Every line in them was written for a story; in the simulations a model played,
// but in character.
func thirdPartyCases(t *testing.T) []arena.Case {
	t.Helper()
	const folder = "../../../shared/cases/scenes"
	type line struct{ Character, Message, Role, Content string }
	type item struct {
		Scenario   string
		Profiles   map[string]string `json:"character_profiles"`
		Dialogues  []line
		Simulation []line
	}
	var items []item
	for _, file := range []string{"coser_test_5_scenarios.json", "coser_example_3_with_motivation.json", "coser_gca_golden_gpt4o.json"} {
		b, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Skip("the third-party scenes are not here")
		}
		var found []item
		if err := json.Unmarshal(b, &found); err != nil {
			var golden struct{ Cases []item }
			if err := json.Unmarshal(b, &golden); err != nil {
				t.Fatal(err)
			}
			found = golden.Cases
		}
		items = append(items, found...)
	}
	var out []arena.Case
	for _, it := range items {
		settings := it.Scenario
		for name, text := range it.Profiles {
			settings += "\n" + name + ": " + text
		}
		context := []arena.ContextLine{{Role: "system", Content: settings}}
		before := ""
		for _, l := range append(it.Dialogues, it.Simulation...) {
			if l.Message == "" {
				l.Character, l.Message = l.Role, unnamed(l.Content, l.Role)
			}
			if l.Character == "NSP" {
				continue
			}
			if l.Character != "Environment" && before != "" {
				out = append(out, arena.Case{Context: append([]arena.ContextLine{}, context...), Character: l.Character, User: before, Cand1: l.Message, Cand2: l.Message})
			}
			role := "user"
			context = append(context, arena.ContextLine{Role: role, Name: l.Character, Content: l.Message})
			before = l.Character
		}
	}
	return out
}

// alarms are how many of the third-party lines each flaw may be found in. None
// for what claims an error; what was looked at by hand and is there, or is a weak
// signal, has its number.
var alarms = map[string]int{
	"Speaks at all": 7, // silences of the book: the lines have no word in them
}

func TestAlarmsInStories(t *testing.T) {
	t.Parallel()
	cases := thirdPartyCases(t)
	if len(cases) < 60 {
		t.Fatalf("only %d lines found", len(cases))
	}
	flagged, merits := map[string]int{}, map[string]float64{}
	for _, c := range cases {
		for i := range c.Context { // the character's own lines are its own
			if c.Context[i].Name == c.Character {
				c.Context[i].Role = "assistant"
			}
		}
		s, k := newScene(t.Context(), c), cut(c, c.Cand1)
		for _, ch := range checks() {
			f := ch.look(s, k)
			if !ch.negative() {
				merits[ch.name] += f.amount / float64(len(cases))
				continue
			}
			if f.amount == 0 {
				continue
			}
			flagged[ch.name]++
			t.Logf("%s: %.2f %q in %.160q", ch.name, f.amount, f.quotes, c.Cand1)
		}
	}
	for _, ch := range flaws() {
		if flagged[ch.name] > alarms[ch.name] {
			t.Errorf("%s: %d alarms in %d lines, want at most %d", ch.name, flagged[ch.name], len(cases), alarms[ch.name])
		}
	}
	t.Log(len(cases), "lines, flagged:", flagged, "mean merits:", merits)
}
