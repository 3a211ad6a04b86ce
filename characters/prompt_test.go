package characters_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"herarena/characters"
)

var dialects = []string{"her", "coser", "asterisk", "plain", "auto", "", "unheard-of"}

func bundled(t testing.TB, id string) characters.Scene {
	t.Helper()
	for _, s := range characters.Bundled() {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no bundled scene %q", id)
	return characters.Scene{}
}

func TestSystemPromptGolden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		scene string
		opts  characters.PromptOptions
	}{
		{"ball-her", "ball", characters.PromptOptions{Dialect: "her", WordLimit: 200}},
		{"mutiny-coser", "mutiny", characters.PromptOptions{Dialect: "coser"}},
		{"android-asterisk", "android", characters.PromptOptions{Dialect: "asterisk"}},
		{"market-plain", "market", characters.PromptOptions{Dialect: "plain", WordLimit: 60}},
		{"teahouse-auto", "teahouse", characters.PromptOptions{Dialect: "auto"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			golden.RequireEqual(t, characters.SystemPrompt(bundled(t, c.scene), c.opts))
		})
	}
}

// TestSectionsStandInTrainingOrder checks HER's order and that each stands once.
func TestSectionsStandInTrainingOrder(t *testing.T) {
	t.Parallel()
	for _, s := range characters.Bundled() {
		for _, d := range dialects {
			prompt := characters.SystemPrompt(s, characters.PromptOptions{Dialect: d})
			last := 0
			for _, heading := range []string{
				"You are " + s.Character.Name,
				"===" + s.Character.Name + "'s Profile===",
				"===Background===",
				"===Current Scenario===",
				"===Information about other Characters===",
				"===Your Inner Thoughts===",
				"===Requirements===",
				"===Output Format===",
			} {
				at := strings.Index(prompt, heading)
				if heading == "===Background===" && s.Character.Background == "" {
					if at >= 0 {
						t.Errorf("%s: an empty background has a section", s.ID)
					}
					continue
				}
				if at < last || strings.Count(prompt, heading) != 1 {
					t.Errorf("%s, %q: %s stands at %d, after %d", s.ID, d, heading, at, last)
				}
				last = at
			}
		}
	}
}

func TestEmptySectionsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := characters.Scene{Character: characters.Character{Name: "Mara"}}
	prompt := characters.SystemPrompt(s, characters.PromptOptions{Dialect: "her"})
	if !strings.HasPrefix(prompt, "You are Mara.\n\n===Requirements===\n") {
		t.Errorf("prompt begins %.80q", prompt)
	}
	if strings.Count(prompt, "===") != 4 {
		t.Errorf("more than two sections:\n%s", prompt)
	}
	if strings.Contains(prompt, "\n\n\n") {
		t.Errorf("a gap is left:\n%s", prompt)
	}
}

func TestSystemPromptFollowsItsOptions(t *testing.T) {
	t.Parallel()
	s := bundled(t, "mutiny")
	for _, c := range []struct {
		name  string
		opts  characters.PromptOptions
		has   []string
		hasNo []string
	}{
		{"her", characters.PromptOptions{Dialect: "her"}, []string{"<system_thinking>", "<role_thinking>", "<role_action>"}, []string{"asterisk", "square", "about 0 words"}},
		{"coser", characters.PromptOptions{Dialect: "coser"}, []string{"[square brackets]", "(round brackets)"}, []string{"<role", "<system", "asterisk"}},
		{"asterisk", characters.PromptOptions{Dialect: "asterisk"}, []string{"*single asterisks*"}, []string{"<role", "square"}},
		{"plain", characters.PromptOptions{Dialect: "plain"}, []string{"only the words"}, []string{"<role", "asterisk", "square"}},
		{"auto", characters.PromptOptions{Dialect: "auto"}, []string{"*single asterisks*"}, []string{"<role", "square"}},
		{"limit", characters.PromptOptions{WordLimit: 60}, []string{"about 60 words"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prompt := characters.SystemPrompt(s, c.opts)
			for _, want := range c.has {
				if !strings.Contains(prompt, want) {
					t.Errorf("%q is not in the prompt:\n%s", want, prompt)
				}
			}
			for _, no := range c.hasNo {
				if strings.Contains(prompt, no) {
					t.Errorf("%q is in the prompt:\n%s", no, prompt)
				}
			}
		})
	}
}

// TestOthersThoughtsNeverReachThePrompt plants a canary in everything that is
// private to another, and checks that a public canary does get through.
func TestOthersThoughtsNeverReachThePrompt(t *testing.T) {
	t.Parallel()
	for _, s := range characters.Bundled() {
		s.User.Thoughts = "CANARY-user-thoughts"
		s.User.Background = "CANARY-user-background"
		s.Others = append([]characters.Character{}, s.Others...)
		s.Others = append(s.Others, characters.Character{
			Name: "Nobody", Profile: "public-profile", Thoughts: "CANARY-other-thoughts", Background: "CANARY-other-background",
		})
		s.Character.Thoughts += " own-thoughts"
		for _, d := range dialects {
			prompt := characters.SystemPrompt(s, characters.PromptOptions{Dialect: d, WordLimit: 100})
			for _, text := range []string{prompt, characters.Setting(s)} {
				if i := strings.Index(text, "CANARY"); i >= 0 {
					t.Errorf("%s, %q: the prompt has %.30q", s.ID, d, text[i:])
				}
			}
			for _, want := range []string{"public-profile", "own-thoughts"} {
				if !strings.Contains(prompt, want) {
					t.Errorf("%s, %q: %s is missing, so the test sees nothing", s.ID, d, want)
				}
			}
		}
	}
}

func TestLanguageIsAskedForWhereItIsNotEnglish(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"": "", "en": "", "en-GB": "", "zh": "Chinese", "zh-TW": "Chinese", "pt-BR": "Portuguese", "eo": "eo"} {
		s := bundled(t, "market")
		s.Language = tag
		prompt := characters.SystemPrompt(s, characters.PromptOptions{})
		_, after, asked := strings.Cut(prompt, "- Write in ")
		if asked != (want != "") || asked && !strings.HasPrefix(after, want+".") {
			t.Errorf("language %q: asked %v, %.20q", tag, asked, after)
		}
	}
}
