package characters_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"herarena/characters"
)

func TestBundledScenesAreWhole(t *testing.T) {
	t.Parallel()
	want := []string{"ball", "mutiny", "interrogation", "android", "market", "teahouse"}
	scenes := characters.Bundled()
	if len(scenes) != len(want) {
		t.Fatalf("%d scenes are bundled, want %d", len(scenes), len(want))
	}
	for i, s := range scenes {
		if s.ID != want[i] {
			t.Errorf("scene %d is %q, want %q", i, s.ID, want[i])
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
		if !s.Bundled {
			t.Errorf("%s is not marked as bundled", s.ID)
		}
		if n := len(s.Suggestions); n < 3 || n > 4 {
			t.Errorf("%s has %d suggestions", s.ID, n)
		}
		for _, text := range []string{s.Blurb, s.Character.Voice, s.Character.Thoughts, s.User.Profile, s.User.Thoughts, s.Requirements} {
			if text == "" {
				t.Errorf("%s leaves a field empty", s.ID)
			}
		}
		for _, tag := range []string{"<role_thinking>", "</role_thinking>", "<role_action>", "</role_action>"} {
			if !strings.Contains(s.Opening, tag) {
				t.Errorf("%s: the opening has no %s", s.ID, tag)
			}
		}
		if strings.Contains(s.Opening, "system_thinking") {
			t.Errorf("%s: the opening has a plan in it", s.ID)
		}
	}
}

func TestBundledReturnsCopies(t *testing.T) {
	t.Parallel()
	a := characters.Bundled()
	a[0].Suggestions[0] = "changed"
	a[0].Others[0].Name = "changed"
	if b := characters.Bundled(); b[0].Suggestions[0] == "changed" || b[0].Others[0].Name == "changed" {
		t.Error("a change to one copy is seen in the next")
	}
}

// TestTeahouseIsChineseThroughout guards against half-width punctuation and
// words left in English.
func TestTeahouseIsChineseThroughout(t *testing.T) {
	t.Parallel()
	s := bundled(t, "teahouse")
	for _, text := range append([]string{s.Title, s.Blurb, s.Scenario, s.Requirements, s.Character.Profile, s.Character.Voice, s.Character.Thoughts, s.Character.Background, s.User.Profile, s.User.Thoughts}, s.Suggestions...) {
		for _, r := range text {
			if r < unicode.MaxASCII && r != '\n' {
				t.Errorf("%q is in %.40q", r, text)
				break
			}
		}
	}
}

func good() characters.Scene {
	return characters.Scene{
		ID: "dock", Title: "Dock", Scenario: "Night.",
		Character: characters.Character{Name: "Mara", Profile: "A pilot."},
		User:      characters.Character{Name: "The Captain"},
		Others:    []characters.Character{{Name: "Pell"}},
	}
}

func TestValidateNamesTheField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field string
		spoil func(*characters.Scene)
	}{
		{"", func(*characters.Scene) {}},
		{"", func(s *characters.Scene) { s.ID = "a-1" }},
		{"", func(s *characters.Scene) { s.Others = nil }},
		{"id", func(s *characters.Scene) { s.ID = "" }},
		{"id", func(s *characters.Scene) { s.ID = "Dock" }},
		{"id", func(s *characters.Scene) { s.ID = "../dock" }},
		{"id", func(s *characters.Scene) { s.ID = "-dock" }},
		{"id", func(s *characters.Scene) { s.ID = strings.Repeat("a", 65) }},
		{"title", func(s *characters.Scene) { s.Title = " " }},
		{"title", func(s *characters.Scene) { s.Title = "a\nb" }},
		{"title", func(s *characters.Scene) { s.Title = "a\x1b[2Jb" }},
		{"scenario", func(s *characters.Scene) { s.Scenario = "" }},
		{"scenario", func(s *characters.Scene) { s.Scenario = "\xff" }},
		{"scenario", func(s *characters.Scene) { s.Scenario = strings.Repeat("a", 64<<10+1) }},
		{"opening", func(s *characters.Scene) { s.Opening = "\x00" }},
		{"suggestions[1]", func(s *characters.Scene) { s.Suggestions = []string{"a", ""} }},
		{"suggestions", func(s *characters.Scene) { s.Suggestions = make([]string, 33) }},
		{"character.name", func(s *characters.Scene) { s.Character.Name = "" }},
		{"character.name", func(s *characters.Scene) { s.Character.Name = "Mara:" }},
		{"character.name", func(s *characters.Scene) { s.Character.Name = "Mara：" }},
		{"character.name", func(s *characters.Scene) { s.Character.Name = " Mara" }},
		{"character.name", func(s *characters.Scene) { s.Character.Name = strings.Repeat("M", 201) }},
		{"character.profile", func(s *characters.Scene) { s.Character.Profile = "" }},
		{"character.thoughts", func(s *characters.Scene) { s.Character.Thoughts = "\a" }},
		{"user.name", func(s *characters.Scene) { s.User.Name = "" }},
		{"user.name", func(s *characters.Scene) { s.User.Name = "Mara" }},
		{"others[0].name", func(s *characters.Scene) { s.Others[0].Name = "The Captain" }},
		{"others[0].name", func(s *characters.Scene) { s.Others[0].Name = "" }},
		{"others", func(s *characters.Scene) { s.Others = make([]characters.Character, 33) }},
	} {
		s := good()
		c.spoil(&s)
		err := s.Validate()
		var f *characters.FieldError
		switch {
		case c.field == "" && err != nil:
			t.Errorf("a good scene is refused: %v", err)
		case c.field != "" && (!errors.As(err, &f) || f.Field != c.field):
			t.Errorf("got %v, want a fault in %s", err, c.field)
		}
	}
}
