package characters

import (
	"fmt"
	"slices"
	"strings"
)

// EnvironmentName is who speaks where a scene's surroundings do, as in CoSER's
// data.
const EnvironmentName = "Environment"

// Line is a line of a dialogue: who speaks and what, in any dialect.
type Line struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Speakers returns the names of those whom the contestants play: Character
// first, then Played in order.
func (s Scene) Speakers() []string {
	return append([]string{s.Character.Name}, s.Played...)
}

// Ensemble reports whether the contestants play more than one character.
func (s Scene) Ensemble() bool { return len(s.Played) > 0 }

// Plays reports whether the contestants play the character of a name.
func (s Scene) Plays(name string) bool {
	return name == s.Character.Name || slices.Contains(s.Played, name)
}

// Seen returns the scene from the place of one played character: that one is
// its Character, and the one who was is the first of the others. The opening
// line goes with whom it was written for. A name that is not played, and that
// of Character, give the scene as it is.
func (s Scene) Seen(name string) Scene {
	i := slices.IndexFunc(s.Others, func(c Character) bool { return c.Name == name })
	if i < 0 || !slices.Contains(s.Played, name) {
		return s
	}
	others := append([]Character{s.Character}, s.Others[:i]...)
	played := append([]string{s.Character.Name}, s.Played...)
	s.Character, s.Others, s.Opening = s.Others[i], append(others, s.Others[i+1:]...), ""
	s.Play = nil // what a card brings is its own character's
	s.Played = slices.DeleteFunc(played, func(n string) bool { return n == name })
	return s
}

// PlayedBy recasts the scene: the person plays the character of a name, and the
// contestants play whom the person was to play. Any of those who take part can
// be had; the name may be in any case where that leaves no doubt. What was
// written for the person's old place (suggestions, and the opening line where
// the one who says it is now the person) is left out. The error lists the names
// there are; a scene that cannot be played in this cast gives the fault that
// Validate finds.
func (s Scene) PlayedBy(name string) (Scene, error) {
	name = strings.TrimSpace(name)
	if match(s.User.Name, name) {
		return s, nil
	}
	as := ""
	for _, n := range s.Speakers() {
		if n == name || as == "" && match(n, name) {
			as = n
		}
	}
	if as == "" && s.Play != nil && name != "" {
		return s.As(name) // whom a card's person is called is the person's choice
	}
	if as == "" {
		return s, fmt.Errorf("nobody called %q takes part in %q; you can play %s", name, s.Title, strings.Join(append([]string{s.User.Name}, s.Speakers()...), ", "))
	}
	out := s
	out.Suggestions = nil
	if as == s.Character.Name {
		if !s.Ensemble() {
			if strings.TrimSpace(s.User.Profile) == "" {
				return s, fmt.Errorf("%s is whom the contestants play, and %q says nothing about %s for them to play instead; choose another name", as, s.Title, s.User.Name)
			}
			out.Character, out.User, out.Opening, out.Play = s.User, s.Character, "", nil
			return out, out.Validate()
		}
		out = out.Seen(s.Played[0]) // which makes the old character one of the others
	}
	i := slices.IndexFunc(out.Others, func(c Character) bool { return c.Name == as })
	others := slices.Clone(out.Others)
	others[i], out.User = out.User, others[i]
	played := slices.Clone(out.Played)
	played[slices.Index(played, as)] = others[i].Name
	out.Others, out.Played = others, played
	return out, out.Validate()
}

func match(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), b) }
