package characters

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func quay() Scene {
	return Scene{
		ID: "quay", Title: "The quay", Scenario: "A quay at night.",
		Character: Character{Name: "Mara", Profile: "A smuggler.", Thoughts: "MARATHOUGHT", Background: "MARABACK"},
		User:      Character{Name: "Teller", Profile: "A customs officer.", Thoughts: "TELLERTHOUGHT"},
		Others: []Character{
			{Name: "Ost", Profile: "Her brother.", Thoughts: "OSTTHOUGHT"},
			{Name: "Pim", Profile: "A dog."},
			{Name: "Old Ost", Profile: "Their father.", Thoughts: "OLDTHOUGHT"},
		},
		Played: []string{"Ost", "Old Ost"}, Environment: true, Opening: "Late, officer.",
		Suggestions: []string{"Papers, please."},
	}
}

func names(cs []Character) (out []string) {
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return out
}

func TestEachPlayedCharacterSeesTheSceneFromItsPlace(t *testing.T) {
	s := quay()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.Speakers() {
		seen := s.Seen(name)
		if err := seen.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if seen.Character.Name != name || len(seen.Others) != 3 || len(seen.Played) != 2 || slices.Contains(seen.Played, name) {
			t.Errorf("%s sees %v and plays beside %v", name, names(seen.Others), seen.Played)
		}
		prompt := SystemPrompt(seen, PromptOptions{Dialect: "her"})
		for who, thought := range map[string]string{"Mara": "MARATHOUGHT", "Ost": "OSTTHOUGHT", "Old Ost": "OLDTHOUGHT", "Teller": "TELLERTHOUGHT"} {
			if got, want := strings.Contains(prompt, thought), who == name; got != want {
				t.Errorf("what %s thinks is in %s's prompt: %v, want %v", who, name, got, want)
			}
		}
	}
	if got := s.Seen("Pim"); got.Character.Name != "Mara" {
		t.Errorf("who is only spoken of was made %s", got.Character.Name)
	}
	s.Play = &Play{System: "CARDRULES"}
	if s.Seen("Ost").Play != nil || s.Seen("Mara").Play == nil {
		t.Error("what a card says of its own character goes to another")
	}
	if names(s.Others)[0] != "Ost" || s.Played[0] != "Ost" {
		t.Error("the scene itself was changed")
	}
}

func TestThePersonMayPlayAnyoneWhoTakesPart(t *testing.T) {
	for _, c := range []struct {
		as, character string
		played        []string
		opening       bool
	}{
		{"Teller", "Mara", []string{"Ost", "Old Ost"}, true},
		{"ost", "Mara", []string{"Teller", "Old Ost"}, true},
		{"Old Ost", "Mara", []string{"Ost", "Teller"}, true},
		{"MARA", "Ost", []string{"Teller", "Old Ost"}, false},
	} {
		got, err := quay().PlayedBy(c.as)
		if err != nil {
			t.Fatalf("%s: %v", c.as, err)
		}
		if !strings.EqualFold(got.User.Name, c.as) || got.Character.Name != c.character || !slices.Equal(got.Played, c.played) || (got.Opening != "") != c.opening {
			t.Errorf("as %s: you are %s, they play %s and %v, opening %q", c.as, got.User.Name, got.Character.Name, got.Played, got.Opening)
		}
		all := append(names(got.Others), got.Character.Name, got.User.Name)
		slices.Sort(all)
		if want := []string{"Mara", "Old Ost", "Ost", "Pim", "Teller"}; !slices.Equal(all, want) {
			t.Errorf("as %s the scene has %v", c.as, all)
		}
	}
	two := quay()
	two.Played, two.Others = nil, nil
	swapped, err := two.PlayedBy("Mara")
	if err != nil || swapped.Character.Name != "Teller" || swapped.User.Name != "Mara" || swapped.Ensemble() {
		t.Errorf("of two: %+v, %v", swapped, err)
	}
	for _, name := range []string{"Pim", "", "Nobody", EnvironmentName} {
		if _, err := quay().PlayedBy(name); err == nil || !strings.Contains(err.Error(), "Teller, Mara, Ost, Old Ost") {
			t.Errorf("as %q: %v", name, err)
		}
	}
}

func TestWhoIsPlayedIsChecked(t *testing.T) {
	for field, change := range map[string]func(*Scene){
		"played[1]":      func(s *Scene) { s.Played[1] = "Ost" },
		"played[0]":      func(s *Scene) { s.Played[0] = "Teller" },
		"others[1].name": func(s *Scene) { s.Others[1].Name = EnvironmentName },
	} {
		s := quay()
		change(&s)
		var fault *FieldError
		if err := s.Validate(); !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	s, _, err := decode([]byte("title='D'\nscenario='x'\nplayed=['P']\nenvironment=true\n[character]\nname='M'\nprofile='p'\n[user]\nname='C'\n[[others]]\nname='P'\n"), "d.toml")
	if err != nil || !s.Ensemble() || !s.Environment {
		t.Errorf("of TOML: %+v, %v", s, err)
	}
	_, line, err := decode([]byte("title='D'\nscenario='x'\nplayed=['Q']\n[character]\nname='M'\nprofile='p'\n[user]\nname='C'\n"), "d.toml")
	if err == nil || line != 3 {
		t.Errorf("a name that is none of the others: %v at line %d", err, line)
	}
}
