package characters

import (
	"fmt"
	"strings"
)

// PersonaPrompt writes the system prompt for a model that plays the person for a
// while: it writes the next line of the scene's user, and nothing of the
// character. The person is told of the scene what the others can know: not what
// the character thinks.
func PersonaPrompt(s Scene) string {
	user, name := tidy(s.User.Name), tidy(s.Character.Name)
	if user == "" {
		user = "the other side"
	}
	others := s
	others.User = s.Character
	parts := []section{
		{user + "'s Profile", profile(s.User)},
		{"Background", tidy(s.User.Background)},
		{"Current Scenario", tidy(s.Scenario)},
		{"Information about other Characters", otherProfiles(others)},
		{"Your Inner Thoughts", tidy(s.User.Thoughts)},
	}
	if s.Ensemble() {
		name = listed(s.Speakers(), "or")
	}
	rules := []string{
		fmt.Sprintf("Write the next line of %s: the words, and between *single asterisks* what %s does where it matters.", user, user),
		fmt.Sprintf("Answer what %s has just said or done and move the scene on: ask, decide, reveal, resist. One to three sentences.", name),
		fmt.Sprintf("Never write for %s or anyone else, no thoughts, no remarks about the story or these instructions.", name),
	}
	if language := languageName(s.Language); language != "" {
		rules = append(rules, "Write in "+language+".")
	}
	parts = append(parts, section{"Requirements", "- " + strings.Join(rules, "\n- ")})
	var b strings.Builder
	fmt.Fprintf(&b, "You write the lines of %s in a scene with %s.", user, listed(s.Speakers(), "and"))
	for _, p := range parts {
		if p.text != "" {
			b.WriteString("\n\n===" + p.heading + "===\n" + p.text)
		}
	}
	return b.String()
}
