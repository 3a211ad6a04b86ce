package arena

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"herarena/arena/layers"
	"herarena/characters"
)

// TestAPastTellsItsSpeakersAndNothingHidden plants words where nobody may look.
func TestAPastTellsItsSpeakersAndNothingHidden(t *testing.T) {
	scene := characters.Scene{
		ID: "inn", Title: "The inn", Scenario: "An inn.", Character: characters.Character{Name: "Marrow", Profile: "A host."},
		User: characters.Character{Name: "Wren"}, Others: []characters.Character{{Name: "Tilde"}},
	}
	past := []PastTurn{
		{Reply: []layers.Segment{{Layer: layers.Native, Text: "CANARYNATIVE"}, {Layer: layers.System, Text: "CANARYPLAN"}, {Layer: layers.Speech, Text: "You are late."}}},
		{Line: "Tilde: Tea is there.", Kept: []json.RawMessage{json.RawMessage(`{"mes":"CANARYKEPT"}`)}},
		{Line: "Sorry.", Reply: []layers.Segment{{Layer: layers.Think, Text: "own thought"}, {Layer: layers.Speech, Text: "Sit."}}},
	}
	d, err := NewDuel(DuelOptions{Scene: scene, Past: past, Contestants: [2]Contestant{{Name: "a", Player: silent{}}, {Name: "b", Player: silent{}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	msgs := history(view{system: "sys", scene: scene}, d.past[0], past1("Thank you."))
	var all []string
	for _, m := range msgs {
		all = append(all, m.Role+": "+m.Content)
	}
	critic := criticContext("sys", scene, spoken{}, d.shared, past1("Thank you."), Sight{HideThoughts: true})
	for _, l := range critic {
		all = append(all, l.Name+"> "+l.Content)
	}
	text := strings.Join(all, "\n")
	if strings.Contains(text, "CANARY") {
		t.Errorf("something hidden is told:\n%s", text)
	}
	for _, want := range []string{"Tilde: Tea is there.\n\nWren: Sorry.", "Tilde> Tea is there.", "Wren> Sorry.", "Wren: Thank you."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Wren: Tilde") || strings.Contains(text[strings.Index(text, "Tilde>"):], "own thought") {
		t.Errorf("a line is put into another's mouth:\n%s", text)
	}
}

func past1(line string) past { return past{line: line} }

// silent is a player that says nothing.
type silent struct{}

func (silent) Play(context.Context, Call, func(Chunk)) Outcome { return Outcome{} }
