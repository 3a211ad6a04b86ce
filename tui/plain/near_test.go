package plain

import (
	"strings"
	"testing"

	"herarena/tui/stage/stagetest"
)

func TestAnUnknownCommandNamesTheNearest(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/fnd x":                       "There is no command /fnd. Did you mean /find",
		"/vote":                        "There is no command /vote.",
		"/regenrate":                   "Did you mean /regen? /help reads all commands out.",
		"/hist":                        "Did you mean /history? /help",
		"/c":                           "Did you mean /canon, /continue or /cards?",
		"/zzzzzz":                      "There is no command /zzzzzz. /help reads the commands out.",
		"/help hist":                   "Did you mean /history? /help",
		"/" + strings.Repeat("é", 300): ". /help reads the commands out.",
	} {
		out, err := script(t, options(stagetest.New(stagetest.Script()...)), line)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%.20q gave %v and\n%s", line, err, out)
		}
		lacks(t, out, "/quit: leave")
	}
}

// TestFindSearchesTheOpening finds what was read out before the first turn.
func TestFindSearchesTheOpening(t *testing.T) {
	t.Parallel()
	out, err := script(t, options(stagetest.New(stagetest.Script()...)), "/find rain on", "/find wait FOR the tide", "/find nowhere to be found")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, out, "The scene: Rain on the windows.", "The opening, Ines Vale says: The office is closed. Whatever it is, it can wait for the tide.", `"nowhere to be found" is not found.`)
}
