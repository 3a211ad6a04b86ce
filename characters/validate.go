package characters

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FieldError says what is wrong with one field of a scene.
type FieldError struct {
	Field   string // as written in a scene file, e.g. "character.name"
	Problem string // what is wrong and what to do
}

// Error returns the field and the problem as one sentence.
func (e *FieldError) Error() string { return e.Field + " " + e.Problem }

// The most bytes a field may have. They are generous for hand-written scenes
// and keep a broken file from filling a model's context.
const (
	maxShort       = 200
	maxLong        = 64 << 10
	maxOthers      = 32
	maxSuggestions = 32
)

// Validate reports the first field that keeps the scene from being played, as
// a *FieldError: an id, a title, a scenario, a character with a name and a
// profile, and a name for whom the person plays are needed; names are one line
// without a colon and differ from each other; those played are among the others;
// no field is broken text or
// immoderately long.
func (s Scene) Validate() error {
	if !ValidID(s.ID) {
		return &FieldError{"id", "must be 1 to 64 lower-case letters, digits and dashes"}
	}
	for _, f := range []struct {
		field, text string
		needed      bool
		line        bool
	}{
		{"title", s.Title, true, true},
		{"source", s.Source, false, true},
		{"language", s.Language, false, true},
		{"blurb", s.Blurb, false, false},
		{"scenario", s.Scenario, true, false},
		{"opening", s.Opening, false, false},
		{"requirements", s.Requirements, false, false},
	} {
		if err := checkText(f.field, f.text, f.needed, f.line); err != nil {
			return err
		}
	}
	if len(s.Suggestions) > maxSuggestions {
		return &FieldError{"suggestions", fmt.Sprintf("must be at most %d lines", maxSuggestions)}
	}
	for i, line := range s.Suggestions {
		if err := checkText(fmt.Sprintf("suggestions[%d]", i), line, true, false); err != nil {
			return err
		}
	}
	return s.validateCast()
}

// validateCast checks everyone in the scene.
func (s Scene) validateCast() error {
	if err := s.Character.validate("character"); err != nil {
		return err
	}
	if strings.TrimSpace(s.Character.Profile) == "" {
		return &FieldError{"character.profile", "is missing; say who the character is"}
	}
	if err := s.User.validate("user"); err != nil {
		return err
	}
	if len(s.Others) > maxOthers {
		return &FieldError{"others", fmt.Sprintf("must be at most %d characters", maxOthers)}
	}
	taken := map[string]string{s.Character.Name: "character"}
	cast := []Character{s.User}
	for i, c := range s.Others {
		if err := c.validate(fmt.Sprintf("others[%d]", i)); err != nil {
			return err
		}
		cast = append(cast, c)
	}
	for i, c := range cast {
		field := "user"
		if i > 0 {
			field = fmt.Sprintf("others[%d]", i-1)
		}
		if other, ok := taken[c.Name]; ok {
			return &FieldError{field + ".name", fmt.Sprintf("is %q, which %s has already; give each its own", c.Name, other)}
		}
		taken[c.Name] = field
	}
	return s.validatePlayed(taken)
}

// validatePlayed checks whom the contestants play, given the names of all.
func (s Scene) validatePlayed(cast map[string]string) error {
	if field, ok := cast[EnvironmentName]; ok && s.Environment {
		return &FieldError{field + ".name", fmt.Sprintf("is %q, which is the name of the surroundings in this scene; rename it, or leave environment out", EnvironmentName)}
	}
	seen := map[string]bool{}
	for i, name := range s.Played {
		field := fmt.Sprintf("played[%d]", i)
		switch where := cast[name]; {
		case seen[name]:
			return &FieldError{field, fmt.Sprintf("names %q a second time; name each once", name)}
		case !strings.HasPrefix(where, "others["):
			return &FieldError{field, fmt.Sprintf("names %q, who is none of the others; add them under [[others]] or leave the name out", name)}
		}
		seen[name] = true
	}
	return nil
}

func (c Character) validate(field string) error {
	if err := checkText(field+".name", c.Name, true, true); err != nil {
		return err
	}
	if c.Name != strings.TrimSpace(c.Name) || strings.ContainsAny(c.Name, ":：") {
		return &FieldError{field + ".name", "must have no colon and no white space around it, since replies are split at \"Name:\""}
	}
	for _, f := range [...]struct{ name, text string }{
		{"profile", c.Profile}, {"voice", c.Voice}, {"thoughts", c.Thoughts}, {"background", c.Background},
	} {
		if err := checkText(field+"."+f.name, f.text, false, false); err != nil {
			return err
		}
	}
	return nil
}

// checkText checks one field; line says that it must be a single short line.
func checkText(field, text string, needed, line bool) error {
	limit := maxLong
	if line {
		limit = maxShort
	}
	switch {
	case needed && strings.TrimSpace(text) == "":
		return &FieldError{field, "is missing; it must not be empty"}
	case !utf8.ValidString(text):
		return &FieldError{field, "is not valid UTF-8; save the file as UTF-8"}
	case len(text) > limit:
		return &FieldError{field, fmt.Sprintf("has %d bytes; the limit is %d", len(text), limit)}
	case line && strings.ContainsAny(text, "\r\n"):
		return &FieldError{field, "must be one line"}
	case strings.ContainsFunc(text, badControl):
		return &FieldError{field, "has a control character in it; remove it"}
	}
	return nil
}

// badControl reports control characters, which have no place in a scene and
// could drive a terminal.
func badControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
}
