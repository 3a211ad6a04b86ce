package formats

import (
	"encoding/json"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/characters"
)

// TestAPairOfASceneOfSeveralIsFromThePlaceOfWhoSpeaks exports a turn in
// which somebody else than the scene's own character speaks.
func TestAPairOfASceneOfSeveralIsFromThePlaceOfWhoSpeaks(t *testing.T) {
	d := ball(false)
	var scene characters.Scene
	if err := json.Unmarshal([]byte(d.SceneJSON), &scene); err != nil {
		t.Fatal(err)
	}
	scene.Character.Thoughts = "CANARYMOTIVE"
	scene.Others = []characters.Character{{Name: "Jane", Profile: "Her sister.", Thoughts: "She is happy."}}
	scene.Played = []string{"Jane"}
	raw, _ := json.Marshal(scene)
	d.SceneJSON = string(raw)
	turn := &d.Turns[0]
	turn.Speaker, turn.Scenery = "Jane", "The fiddles stop."
	d.Past = []arena.PastTurn{
		{Speaker: "Jane", Reply: []layers.Segment{{Layer: layers.Think, Text: "own thought"}, {Layer: layers.Speech, Text: "What a crush."}}},
		{Line: "Indeed.", Reply: []layers.Segment{{Layer: layers.Think, Text: "CANARYTHOUGHT"}, {Layer: layers.Speech, Text: "Sir."}}},
	}
	text, _ := write(t, []*ledger.DuelFull{d}, "trl-preference", ExportOptions{Source: arena.SourceVote})
	var row struct {
		Prompt []struct{ Role, Content string } `json:"prompt"`
	}
	if err := json.Unmarshal([]byte(text), &row); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	last := row.Prompt
	if !strings.HasPrefix(last[0].Content, "You are Jane.") {
		t.Errorf("the prompt is of %.30q", last[0].Content)
	}
	var roles, all []string
	for _, m := range last {
		roles, all = append(roles, m.Role), append(all, m.Content)
	}
	if got := strings.Join(roles, " "); got != "system user assistant user" {
		t.Errorf("Jane's prompt has %s:\n%s", got, strings.Join(all, "\n---\n"))
	}
	whole := strings.Join(all, "\n---\n")
	for _, want := range []string{"Elizabeth: Good evening, sir.", "own thought", "Mr Darcy: Indeed.\n\nElizabeth: Sir.\n\nEnvironment: The fiddles stop.\n\nMr Darcy: Will you dance?"} {
		if !strings.Contains(whole, want) {
			t.Errorf("Jane is not told %q:\n%s", want, whole)
		}
	}
	if strings.Contains(whole, "CANARY") {
		t.Errorf("Jane is told what Elizabeth thinks:\n%s", whole)
	}
	tavern, _ := write(t, []*ledger.DuelFull{d}, "sillytavern", ExportOptions{All: true})
	if !strings.Contains(tavern, `"name":"Jane"`) || !strings.Contains(tavern, `"name":"Environment"`) {
		t.Errorf("the chat does not say who spoke:\n%s", tavern)
	}
}
