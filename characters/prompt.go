package characters

import (
	"fmt"
	"strings"
)

// ConversationStart is the first user message of every conversation, as in
// HER's and CoSER's training data.
const ConversationStart = "===Conversation Start==="

// PromptOptions say how a contestant is to write.
type PromptOptions struct {
	// Dialect is the way the reply's layers are to be written:
	//
	//   - "her": HER's tags, with a plan first.
	//   - "coser": [thought] (action) speech.
	//   - "asterisk": *action* speech.
	//   - "plain": spoken words alone.
	//   - "auto", "" or any other word: asks for what models without training
	//     in layers do of their own accord and every reader of a reply
	//     recognises, *action* and bare speech, and leaves them free to do without.
	Dialect string
	// WordLimit is about how many words a reply may have, 0 for no limit.
	WordLimit int
	// Lore is what a lorebook adds for one turn.
	Lore Lore
}

// Lore is what a lorebook adds to a system prompt for one turn. The zero value
// adds nothing.
type Lore struct {
	Before, After         string // of the character
	Personality, Scenario string
	// ExamplesTop and ExamplesBottom are further examples, as cards write them.
	ExamplesTop, ExamplesBottom string
	// NoRules takes the program's own rules out.
	NoRules bool
}

// section is a headed part of a prompt; without text it is left out.
type section struct{ heading, text string }

// SystemPrompt writes the system prompt for the player of the scene's
// character, in the order of sections of HER's training data (identity,
// profile, background, scenario, the other characters, inner thoughts,
// requirements) followed by the output format. Sections with nothing to say
// are left out. What the others think, the person's character included, is
// never part of it. A card's own system prompt takes the place of the rules, its
// examples stand before them where they are to be text.
func SystemPrompt(s Scene, o PromptOptions) string {
	parts := append(settingSections(s, o.Lore),
		section{"Example Dialogue", exampleText(s, o.Lore)},
		section{"Requirements", rules(s, o)},
		section{"Output Format", outputFormat(tidy(s.Character.Name), o.Dialect)})
	return sections(s, parts)
}

// settingSections are the sections that tell of the scene itself.
func settingSections(s Scene, l Lore) []section {
	c := s.Character
	return []section{
		{"World Information", tidy(l.Before)},
		{tidy(c.Name) + "'s Profile", paragraphs(profile(c), l.Personality)},
		{"Background", tidy(c.Background)},
		{"Current Scenario", paragraphs(s.Scenario, l.Scenario)},
		{"Further Information", tidy(l.After)},
		{"Information about other Characters", otherProfiles(s)},
		{"Your Inner Thoughts", tidy(c.Thoughts)},
	}
}

// paragraphs joins texts, an empty one leaves nothing.
func paragraphs(texts ...string) string {
	var out []string
	for _, text := range texts {
		if text = tidy(text); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// exampleText is example dialogue as a section.
func exampleText(s Scene, l Lore) string {
	if !s.Carded() || s.Play.ExampleForm != ExamplesText && s.Play.ExampleForm != "" {
		return ""
	}
	blocks := []string{}
	for _, block := range s.ExampleBlocks(l.ExamplesTop, l.ExamplesBottom) {
		var lines []string
		for _, line := range block {
			text := line.Text
			if line.Name != "" {
				text = line.Name + ": " + text
			}
			lines = append(lines, text)
		}
		blocks = append(blocks, strings.Join(lines, "\n"))
	}
	if len(blocks) == 0 {
		return ""
	}
	return "How " + tidy(s.Character.Name) + " speaks, from other conversations:\n\n" + strings.Join(blocks, "\n\n")
}

// rules are the program's, or the card's in their place.
func rules(s Scene, o PromptOptions) string {
	own := requirements(s, o)
	if o.Lore.NoRules {
		own = ""
	}
	if !s.Carded() || s.Play.System == "" {
		return own
	}
	return cleanField(s.Marks().Override(s.Play.System, own))
}

// sections writes the identity line and each section that has a text.
func sections(s Scene, parts []section) string {
	var b strings.Builder
	b.WriteString(identity(tidy(s.Character.Name), tidy(s.Source)))
	for _, part := range parts {
		if part.text != "" {
			b.WriteString("\n\n===" + part.heading + "===\n" + part.text)
		}
	}
	return b.String()
}

func identity(name, source string) string {
	if source == "" {
		return "You are " + name + "."
	}
	return "You are " + name + " from " + source + "."
}

func profile(c Character) string {
	text := tidy(c.Profile)
	if voice := tidy(c.Voice); voice != "" {
		text = strings.TrimPrefix(text+"\n\nHow "+tidy(c.Name)+" speaks: "+voice, "\n\n")
	}
	return text
}

// otherProfiles tells who else is in the scene. Their thoughts are their own,
// and so is what lies behind them.
func otherProfiles(s Scene) string {
	var parts []string
	for _, c := range append([]Character{s.User}, s.Others...) {
		name, profile := tidy(c.Name), tidy(c.Profile)
		switch {
		case name == "":
		case profile == "":
			parts = append(parts, name)
		default:
			parts = append(parts, name+": "+profile)
		}
	}
	return strings.Join(parts, "\n\n")
}

func requirements(s Scene, o PromptOptions) string {
	name, user := tidy(s.Character.Name), tidy(s.User.Name)
	if user == "" {
		user = "the other side"
	}
	turn := fmt.Sprintf("Write one turn of %s, then stop and let %s answer. Never write words, actions or feelings of %s or of anyone else, and no line that begins with another name and a colon.", name, user, user)
	if s.Ensemble() {
		turn = fmt.Sprintf("Write one turn of %s, then stop: somebody else goes on. Never write words, actions or feelings of %s or of anyone else, and no line that begins with another name and a colon.", name, listed(append([]string{user}, s.Played...), "or"))
	}
	rules := []string{
		fmt.Sprintf("Be %s and nobody else. Speak, act and think as %s would, with what %s can know.", name, name, name),
		turn,
		"Stay inside the scene: no remarks about being a model, about these instructions or about the story as a story.",
		"Answer what was just said or done, and move the scene on; do not repeat yourself.",
	}
	if s.Ensemble() {
		rules = append(rules, fmt.Sprintf("Lines of the others begin with their names. What they think is hidden from %s; guess at it as %s would, from what they say and do.", name, name))
	}
	if s.Environment {
		rules = append(rules, fmt.Sprintf("A line that begins with %q tells what happens around those in the scene. It is nobody's speech, and yours never begins so.", EnvironmentName+":"))
	}
	if o.WordLimit > 0 {
		rules = append(rules, fmt.Sprintf("Keep what %s says and does to about %d words.", name, o.WordLimit))
	}
	if language := languageName(s.Language); language != "" {
		rules = append(rules, "Write in "+language+".")
	}
	for _, line := range strings.Split(tidy(s.Requirements), "\n") {
		if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")); line != "" {
			rules = append(rules, line)
		}
	}
	return "- " + strings.Join(rules, "\n- ")
}

// listed joins names with commas and a word before the last.
func listed(names []string, word string) string {
	var out strings.Builder
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out.WriteString(" " + word + " ")
		default:
			out.WriteString(", ")
		}
		out.WriteString(tidy(n))
	}
	return out.String()
}

// languages are the names of the languages that scenes are likely to be in. A
// tag not listed is given as it is.
var languages = [...][2]string{
	{"zh", "Chinese"},
	{"ja", "Japanese"},
	{"ko", "Korean"},
	{"de", "German"},
	{"fr", "French"},
	{"es", "Spanish"},
	{"it", "Italian"},
	{"pt", "Portuguese"},
	{"ru", "Russian"},
	{"uk", "Ukrainian"},
	{"pl", "Polish"},
	{"nl", "Dutch"},
	{"tr", "Turkish"},
	{"ar", "Arabic"},
	{"he", "Hebrew"},
	{"hi", "Hindi"},
	{"vi", "Vietnamese"},
	{"th", "Thai"},
	{"id", "Indonesian"},
}

// languageName names the language of a tag such as "zh" or "pt-BR"; English,
// in which the prompt is written, needs no mention.
func languageName(tag string) string {
	tag = tidy(tag)
	head, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if head == "en" || strings.EqualFold(tag, "english") {
		return ""
	}
	for _, l := range languages {
		if l[0] == head {
			return l[1]
		}
	}
	return tag
}

func outputFormat(name, dialect string) string {
	switch dialect {
	case "her":
		return strings.Join([]string{
			"A reply has four layers.",
			"1. Planning comes first and once, as <system_thinking>...</system_thinking>: in the third person, how " + name + " should be played in this turn and why. Nobody in the scene can see it.",
			"2. <role_thinking>...</role_thinking> holds what " + name + " thinks and feels, in the first person. Only " + name + " knows it.",
			"3. <role_action>...</role_action> holds what " + name + " does and what shows on face and body. It has no pronoun for " + name + ", and everyone sees it.",
			"4. Speech stands outside all tags, without quotation marks, and everyone hears it.",
			"After the planning the other three may come in any order and as often as the turn needs, but every reply has speech. Close each tag that is opened, and never put one inside another.",
		}, "\n")
	case "coser":
		return strings.Join([]string{
			"Write what " + name + " thinks in [square brackets]; nobody else can perceive it.",
			"Write what " + name + " does in (round brackets); everyone sees it.",
			"What stands outside brackets is spoken aloud, without quotation marks. Use brackets for nothing else, and let every reply have speech.",
		}, "\n")
	case "asterisk":
		return strings.Join([]string{
			"Write what " + name + " does between *single asterisks*.",
			"What stands outside them is spoken aloud, without quotation marks. Do not narrate thoughts, and let every reply have speech.",
		}, "\n")
	case "plain":
		return "Write only the words that " + name + " says aloud: no stage directions, no thoughts, no quotation marks around the whole."
	}
	return "Write the words that " + name + " says. Where an action matters, put it between *single asterisks*."
}

// tidy trims a text and gives it plain line breaks.
func tidy(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}
