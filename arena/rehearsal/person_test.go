package rehearsal

import (
	"strings"
	"testing"

	"herarena/characters"
)

func TestThePersonsLinesGoOnForTwentyTurnsWithoutARepeat(t *testing.T) {
	t.Parallel()
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range allScenes() {
		for _, model := range []string{LeadModel, UnderstudyModel} {
			msgs := []message{{Role: "system", Content: contentText(characters.PersonaPrompt(scene))}, {Role: "user", Content: contentText(characters.ConversationStart)}}
			seen := map[string]int{}
			for turn := range 24 {
				line := h.play(model, msgs, "", 0)
				if n := len([]rune(line)); n < 6 || n > 300 {
					t.Errorf("%s, %s, turn %d: %q", scene.ID, model, turn, line)
				}
				if again := h.play(model, msgs, "", 99); again != line {
					t.Errorf("%s: %q and %q to the same question", scene.ID, line, again)
				}
				if mostlyHan(line) != (sceneLang(scene) == "zh") {
					t.Errorf("%s: %q is in another language", scene.ID, line)
				}
				if strings.Contains(line, "<") || strings.Contains(line, scene.Character.Name+":") {
					t.Errorf("%s: %q is no line of the person", scene.ID, line)
				}
				checkFresh(t, seen, turn, line)
				reply := []string{"I see.", "Is that so?", "好。", "真的？"}[turn%4]
				msgs = append(msgs, message{Role: "assistant", Content: contentText(line)}, message{Role: "user", Content: contentText(reply)})
			}
		}
	}
}

func TestBothPlayersWriteOtherLinesForThePerson(t *testing.T) {
	t.Parallel()
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	scenes := characters.Bundled()
	for _, scene := range scenes {
		msgs := []message{{Role: "system", Content: contentText(characters.PersonaPrompt(scene))}, {Role: "user", Content: "Go on."}}
		lead, understudy := h.play(LeadModel, msgs, "", 0), h.play(UnderstudyModel, msgs, "", 0)
		if lead == understudy {
			t.Errorf("%s: both write %q", scene.ID, lead)
		}
		if begun := h.play(LeadModel, msgs, lead[:4], 0); lead[:4]+begun != lead {
			t.Errorf("%s: %q goes on as %q", scene.ID, lead[:4], begun)
		}
	}
}

func TestThePersonAnswersAQuestion(t *testing.T) {
	t.Parallel()
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	scenes := characters.Bundled()
	for _, scene := range scenes {
		msgs := []message{
			{Role: "system", Content: contentText(characters.PersonaPrompt(scene))},
			{Role: "user", Content: "a"},
			{Role: "assistant", Content: "b"},
			{Role: "user", Content: "c"},
			{Role: "assistant", Content: "d"},
			{Role: "user", Content: "Why did you come?"},
		}
		line := h.play(LeadModel, msgs, "", 0)
		script, _ := h.asPerson(msgs)
		if line != script.script.Person.Answers[0] {
			t.Errorf("%s: %q is no answer", scene.ID, line)
		}
	}
}

func TestAConversationLongerThanTheScript(t *testing.T) {
	t.Parallel()
	s := instant(t)
	scenes := characters.Bundled()
	msgs := []msg{{"system", characters.PersonaPrompt(scenes[0])}, {"user", "Go on."}}
	for range 90 {
		line := ask(t, s.URL()+"/chat/completions", map[string]any{"model": LeadModel, "messages": msgs}).text
		if line == "" {
			t.Fatalf("no line after %d messages", len(msgs))
		}
		msgs = append(msgs, msg{"assistant", line}, msg{"user", "And then?"})
	}
}
