package card_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/playbook"
)

// TestEveryCardMakesAScene puts every readable file of the collection on stage.
func TestEveryCardMakesAScene(t *testing.T) {
	t.Parallel()
	for _, row := range manifest(t) {
		if row.Error != nil {
			continue
		}
		f, err := card.Open(filepath.Join("testdata", "cases", row.File))
		if err != nil {
			t.Fatal(err)
		}
		s, parts, err := f.Scene(card.PlayOptions{})
		if row.Kind != card.KindCard && row.Kind != card.KindScenario {
			var fault *card.Error
			if !errors.As(err, &fault) || fault.Code != card.Unplayable {
				t.Errorf("%s makes a scene: %v", row.File, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", row.File, err)
		}
		if len(parts) == 0 && row.File != "json_v1_name_only.json" && row.File != "json_dup_keys.json" && f.Spec != "textgen" {
			t.Errorf("%s has no parts", row.File)
		}
		for _, text := range []string{s.Opening, s.Character.Profile, s.Scenario, s.Character.Background, s.Requirements, s.Character.Voice} {
			for _, mark := range []string{"{{char}}", "{{user}}", "@@", "{{random", "{{original}}"} {
				if strings.Contains(text, mark) && row.File != "name_dollar.json" {
					t.Errorf("%s: %q stayed in %.200q", row.File, mark, text)
				}
			}
		}
		prompt := characters.SystemPrompt(s, characters.PromptOptions{Dialect: "her"})
		for _, p := range parts {
			if p.To == "character.profile" && !strings.Contains(prompt, p.Text) {
				t.Errorf("%s: %s is not in the prompt", row.File, p.From)
			}
		}
	}
}

func TestSceneOfAWholeCard(t *testing.T) {
	t.Parallel()
	f, err := card.Open("testdata/cases/json_v3.json")
	if err != nil {
		t.Fatal(err)
	}
	s, parts, err := f.Scene(card.PlayOptions{User: "Wren", Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if s.Character.Name != "Keeper" || s.User.Name != "Wren" || s.Title != "Marrow Vane" || s.ID != "marrow-vane" || s.Blurb != "Use a slow model." {
		t.Errorf("got %q, %q, %q, %q, %q", s.Character.Name, s.User.Name, s.Title, s.ID, s.Blurb)
	}
	prompt := characters.SystemPrompt(s, characters.PromptOptions{})
	page := playbook.Open(s).Turn(1, []playbook.Line{{Name: "Keeper", Text: s.Opening, Char: true}, {Turn: 1, Name: "Wren", Text: "Hello."}}, "")
	for want, field := range map[string]string{
		"*Keeper lifts the lantern.* \"You are late, Wren.": s.Opening,
		"Keeper keeps the Saltmere lighthouse.":             s.Character.Profile,
		"Saltmere has no clocks.":                           page.Lore.Before + page.Lore.After,
		"Wren: Is it safe here?\nKeeper: *taps the wall*":   prompt,
		"Write only as Keeper.":                             prompt,
		"Keeper never leaves the lamp.":                     page.Deep[len(page.Deep)-1].Text,
		"Keep it under 80 words.":                           page.After.Text,
	} {
		if !strings.Contains(field, want) {
			t.Errorf("%q is not in %q", want, field)
		}
	}
	for _, f := range page.Fired {
		parts = append(parts, card.Part{From: f.Entry, Text: f.Text})
	}
	for _, never := range []string{"NEVER SHOWN", "note to self", "BAD REGEX"} {
		for _, p := range parts {
			if strings.Contains(p.Text, never) {
				t.Errorf("%q came in from %s", never, p.From)
			}
		}
	}
	other, _, err := f.Scene(card.PlayOptions{User: "Wren", Greeting: 2, Seed: 4})
	if err != nil || !strings.Contains(other.Opening, "again,\" says Keeper.") {
		t.Errorf("greeting 2 opens with %q, %v", other.Opening, err)
	}
	if again, _, _ := f.Scene(card.PlayOptions{User: "Wren", Greeting: 2, Seed: 4}); again.Opening != other.Opening {
		t.Errorf("one seed gave %q and %q", other.Opening, again.Opening)
	}
	if _, _, err := f.Scene(card.PlayOptions{Greeting: 3}); err == nil {
		t.Error("a greeting that is not there was played")
	}
	if s, _, _ := f.Scene(card.PlayOptions{User: "Keeper:"}); s.User.Name == s.Character.Name {
		t.Error("two of one name")
	}
}

func TestLoadTakesScenesAndCards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, from string) {
		data := []byte(from)
		if strings.HasPrefix(from, "testdata/") {
			var err error
			if data, err = os.ReadFile(from); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.png", "testdata/cases/png_v2_full.png")
	put("b.json", "testdata/cases/json_v3.json")
	put("c.json", `{"title":"Dock","scenario":"x","character":{"name":"Mara","profile":"p"},"user":{"name":"C"}}`)
	put("d.toml", "title='E'\nscenario='x'\n[character]\nname='M'\nprofile='p'\n[user]\nname='C'\n")
	put("e.json", `{"title":"Dock 2","scenaro":"x","character":{"name":"Mara","profile":"p"},"user":{"name":"C"}}`)
	put("f.jsonl", "testdata/cases/chat_st.jsonl")
	put("notes.txt", "nothing")
	put("g.charx", "testdata/cases/charx_v3.charx")
	scenes, errs := card.LoadDir(dir)
	var ids []string
	for _, s := range scenes {
		ids = append(ids, s.ID)
	}
	if got := strings.Join(ids, " "); got != "marrow-vane b dock e g" {
		t.Errorf("ids are %s", got)
	}
	if len(errs) != 2 || !strings.Contains(errs[0].Error(), "e.json:1: unknown key \"scenaro\"") || !strings.Contains(errs[1].Error(), "f.jsonl: is a chat") {
		t.Errorf("errors are %v", errs)
	}
}
