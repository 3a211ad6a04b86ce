package rehearsal

import (
	"strings"
	"testing"

	"herarena/arena/layers"
	"herarena/characters"
)

func midScene(scene characters.Scene) []message {
	lines := varied[sceneLang(scene)]
	msgs := []message{
		{Role: "system", Content: contentText(characters.SystemPrompt(scene, characters.PromptOptions{Dialect: "her"}))},
		{Role: "user", Content: contentText(lines[0])},
		{Role: "assistant", Content: contentText(lines[13])},
		{Role: "user", Content: contentText(lines[2])},
	}
	return msgs
}

// TestPlayersGoOnFromEveryCut cuts replies anywhere and asks for the rest under
// the seed of a further try, as a duel does.
func TestPlayersGoOnFromEveryCut(t *testing.T) {
	t.Parallel()
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range characters.Bundled() {
		msgs := midScene(scene)
		for _, model := range []string{LeadModel, UnderstudyModel} {
			for _, form := range []string{"", openSystem, openSystem + "\n"} {
				var fulls []string
				said := map[string]bool{}
				for seed := range int64(6) {
					fulls = append(fulls, form+h.play(model, msgs, form, seed))
					said[squeezed(fulls[seed])] = true
				}
				for began, full := range fulls[:3] {
					runes := []rune(full)
					for i := 12; i < len(runes); i += 17 {
						begun, seed := string(runes[:i]), int64(began+1+i%3)
						got := h.play(model, msgs, begun, seed)
						// Replies that begin alike may go on as either.
						if whole := squeezed(begun + got); !said[whole] || i > 240 && whole != squeezed(full) {
							t.Fatalf("%s, %s: %q\ngoes on as %q\nnot as    %q", scene.ID, model, begun, got, full[len(begun):])
						}
					}
				}
			}
		}
	}
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// TestPlayersCloseWhatIsNotTheirs gives beginnings that no player would have
// written: what is open is closed, and a sentence of its own follows.
func TestPlayersCloseWhatIsNotTheirs(t *testing.T) {
	t.Parallel()
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range characters.Bundled() {
		msgs := midScene(scene)
		for _, model := range []string{LeadModel, UnderstudyModel} {
			for _, c := range []struct{ prefill, next string }{
				{"Qui est la", "…"},
				{"Qui est la.", ""},
				{"Qui est la, ", ""},
				{openSystem + "Je pense qu", "…" + shutSystem},
				{openSystem + "Je pense.", shutSystem},
				{openSystem + "Je pense." + shutSystem + openThink + "Il men", "…" + shutThink},
				{openSystem + "Je pense." + shutSystem + openAct + "tourne", shutAct},
				{openSystem + "Je pense." + shutSystem + "Oui. <role_ac", "tion>"},
				{openSystem + "Je pense.</sys", "tem_thinking>"},
				{openSystem + "Je pense.<", "/system_thinking>"},
			} {
				got := h.play(model, msgs, c.prefill, 1)
				whole := c.prefill + got
				read := layers.Parse(whole, layers.Options{Name: scene.Character.Name})
				if !strings.HasPrefix(got, c.next) || read.Truncated {
					t.Errorf("%s, %s: %q goes on as %q", scene.ID, model, c.prefill, got)
				}
				speech := ""
				for _, s := range read.Segments {
					if s.Layer == layers.Speech {
						speech += s.Text
					}
					if strings.ContainsAny(s.Text, "<>") {
						t.Errorf("%s, %s: a tag is left in %q of %q", scene.ID, model, s.Text, whole)
					}
				}
				if len([]rune(speech)) < len([]rune("Qui est la, "))+6 && strings.HasPrefix(c.prefill, "Qui") || speech == "" {
					t.Errorf("%s, %s: nothing is said in %q", scene.ID, model, whole)
				}
			}
		}
	}
	if got := h.play(UnderstudyModel, midScene(characters.Bundled()[0]), "*leans on the wal", 1); !strings.HasPrefix(got, "* ") || strings.HasPrefix(got, "**") {
		t.Errorf("an open action goes on as %q", got)
	}
}
