package page

import (
	"encoding/json"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/stage/stagetest"
)

// TestADocumentSaysWhoSpoke writes a turn that went on without a line, as
// somebody else than the scene's own character, after something happened.
func TestADocumentSaysWhoSpoke(t *testing.T) {
	d := played()
	scene := stagetest.Scene()
	scene.Others = append(scene.Others, characters.Character{Name: "Old Ost"})
	scene.Played = []string{"Old Ost"}
	raw, _ := json.Marshal(scene)
	d.SceneJSON = string(raw)
	turn := &d.Turns[0].Turn
	turn.Line, turn.Speaker, turn.Scenery = "", "Old Ost", "A gull *screams*."
	d.Past = append(d.Past, arena.PastTurn{Speaker: "Old Ost", Scenery: "Rain.", Reply: stagetest.Bare().Segments})
	for _, f := range []Format{Markdown, HTML} {
		text := write(t, f, Options{}, d)
		for _, want := range []string{"Old Ost goes on", "Rain.", "screams", "THISNOTE", scene.Character.Name + ", Old Ost are"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not hold %q:\n%s", f, want, text)
			}
		}
		if strings.Count(text, ">"+scene.User.Name+"<") > 1 || strings.Contains(text, "**"+scene.User.Name+"**\n\n> \n") {
			t.Errorf("%s gives the person a line that was not said:\n%s", f, text)
		}
	}
}
