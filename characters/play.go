package characters

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"herarena/characters/lore"
	"herarena/characters/macro"
)

// ExampleForm says how example dialogue reaches a contestant.
type ExampleForm string

// The forms. Text is the default: models trained for role-play, HER's and
// CoSER's among them, learned from one system prompt that says all there is of
// a character, and from conversations that begin once. Examples as turns are a
// second beginning in a layout they have never seen, and their own words
// without plan and thoughts, which they take for how replies are to look.
const (
	ExamplesText  ExampleForm = "text"  // a section of the system prompt
	ExamplesTurns ExampleForm = "turns" // messages before the conversation
	ExamplesOff   ExampleForm = "off"
)

// Play is what a card asks of a prompt beyond the fields of a scene. Texts are
// as the card has them, with macros: they are filled in when a prompt is made,
// the same in each duel that shares the seed.
type Play struct {
	// Char names the character that the card is of. Its own instructions hold
	// while that one is played, its lore always.
	Char string `json:"char,omitempty" toml:"char,omitempty"`
	// Seed is of everything that is drawn by lot; 0 until the scene is cast.
	Seed uint64 `json:"seed,omitempty" toml:"seed,omitempty"`
	// Started is the time that the time macros tell, from beginning to end.
	Started time.Time `json:"started,omitzero" toml:"started,omitempty"`
	// Greeting is which of Greetings opens, 0 the first.
	Greeting  int      `json:"greeting,omitempty" toml:"greeting,omitempty"`
	Greetings []string `json:"greetings,omitempty" toml:"greetings,omitempty"`

	Description string `json:"description,omitempty" toml:"description,omitempty"`
	Personality string `json:"personality,omitempty" toml:"personality,omitempty"`
	Scenario    string `json:"scenario,omitempty" toml:"scenario,omitempty"`
	// Examples is example dialogue with its <START> marks.
	Examples string `json:"examples,omitempty" toml:"examples,omitempty"`
	// System takes the place of the rules in the system prompt; {{original}} in
	// it are those rules.
	System string `json:"system,omitempty" toml:"system,omitempty"`
	// After goes behind the conversation.
	After string `json:"after,omitempty" toml:"after,omitempty"`
	// Note goes some messages before the end.
	Note      string `json:"note,omitempty" toml:"note,omitempty"`
	NoteDepth int    `json:"note_depth,omitempty" toml:"note_depth,omitempty"`
	NoteRole  string `json:"note_role,omitempty" toml:"note_role,omitempty"`
	Version   string `json:"version,omitempty" toml:"version,omitempty"`

	Book *lore.Book `json:"book,omitempty" toml:"book,omitempty"`
	// LoreBudget bounds the tokens of lore beside the book's own budget; 0 does
	// not.
	LoreBudget int `json:"lore_budget,omitempty" toml:"lore_budget,omitempty"`
	// ExampleForm is how Examples reach a contestant; "" is ExamplesText.
	ExampleForm ExampleForm `json:"example_form,omitempty" toml:"example_form,omitempty"`
}

// CastOptions say how a scene that came from a card is cast for a duel.
type CastOptions struct {
	// Seed is taken where the scene has none yet; 0 leaves it.
	Seed uint64
	// Now is the time of the scene's beginning; likewise.
	Now time.Time
	// Greeting opens, counted from 0; nil leaves the scene's.
	Greeting *int
	// Examples is taken with the seed where the scene does not say.
	Examples ExampleForm
	// LoreBudget lowers the scene's own, in tokens; 0 does not.
	LoreBudget int
}

// Cast fills in what a card has drawn by lot or left to the hour, so that a duel
// and all that comes of it find the same text. A scene that is cast keeps its
// seed. Fields that were written anew after the card was read stay. A scene
// without a card comes back as it is.
func (s Scene) Cast(o CastOptions) (Scene, error) {
	if s.Play == nil {
		if o.Greeting != nil && *o.Greeting != 0 {
			return s, &FieldError{"greeting", "can be chosen for cards alone; this scene has its opening line"}
		}
		return s, nil
	}
	before := s.fill()
	p := *s.Play
	if p.Seed == 0 && o.Seed != 0 {
		p.Seed = o.Seed
		if p.ExampleForm == "" {
			p.ExampleForm = cmp.Or(o.Examples, ExamplesText)
		}
	}
	if p.Started.IsZero() {
		p.Started = o.Now
	}
	if o.Greeting != nil {
		if n := *o.Greeting; n < 0 || n > 0 && n >= len(p.Greetings) {
			return s, &FieldError{"greeting", greetingProblem(n, len(p.Greetings))}
		}
		p.Greeting = *o.Greeting
	}
	if o.LoreBudget > 0 && (p.LoreBudget == 0 || o.LoreBudget < p.LoreBudget) {
		p.LoreBudget = o.LoreBudget
	}
	s.Play = &p
	s = s.refilled(&before)
	return s, s.Validate()
}

// Filled is the scene with its fields written from its card.
func (s Scene) Filled() Scene {
	if s.Play == nil {
		return s
	}
	return s.refilled(nil)
}

// refilled writes the fields that the card's texts stand in; with before set,
// those alone that still hold what was written then.
func (s Scene) refilled(before *filled) Scene {
	after := s.fill()
	c := s.cardCharacter()
	fields := []*string{&c.Profile, &s.Scenario, &s.Opening}
	for i, text := range []string{after.profile, after.scenario, after.opening} {
		if before == nil || *fields[i] == []string{before.profile, before.scenario, before.opening}[i] {
			*fields[i] = text
		}
	}
	return s.withCard(c)
}

// As is the scene with the person under another name, which {{user}} in the
// card's texts stands for.
func (s Scene) As(name string) (Scene, error) {
	before := filled{}
	if s.Play != nil {
		before = s.fill()
	}
	s.User.Name = strings.TrimSpace(name)
	if s.Play != nil {
		s = s.refilled(&before)
	}
	return s, s.Validate()
}

func greetingProblem(n, all int) string {
	switch all {
	case 0:
		return "cannot be chosen: this card has none"
	case 1:
		return "must be 0: this card has one"
	}
	return "must be from 0 to " + strconv.Itoa(all-1) + ", not " + strconv.Itoa(n)
}

// Carded reports whether the character that the scene's card is of is the one
// that is played.
func (s Scene) Carded() bool {
	return s.Play != nil && (s.Play.Char == "" || s.Play.Char == s.Character.Name)
}

// cardCharacter is who the card is of, wherever the cast has put them.
func (s Scene) cardCharacter() Character {
	for _, c := range append([]Character{s.User}, s.Others...) {
		if s.Play != nil && s.Play.Char == c.Name {
			return c
		}
	}
	return s.Character
}

// withCard is the scene with its card's character changed.
func (s Scene) withCard(c Character) Scene {
	switch c.Name {
	case s.Character.Name:
		s.Character = c
	case s.User.Name:
		s.User = c
	default:
		others := append([]Character(nil), s.Others...)
		for i := range others {
			if others[i].Name == c.Name {
				others[i] = c
			}
		}
		s.Others = others
	}
	return s
}

// filled are the texts of a card that stand still through a scene.
type filled struct {
	profile, scenario, opening string
	examples                   [][]Line
	marks                      *macro.Env // with the variables that they set
}

// fill fills in the texts that stand still, in the order in which they are
// read: variables that one sets are there for the next.
func (s Scene) fill() filled {
	p := s.Play
	f := filled{marks: s.marks()}
	expand := func(text string) string { return cleanField(f.marks.Expand(text)) }
	f.profile = expand(p.Description)
	if text := expand(p.Personality); text != "" {
		f.profile = cleanField(strings.TrimPrefix(f.profile+"\n\nPersonality: "+text, "\n\n"))
	}
	if f.profile == "" {
		f.profile = "Nothing is written about " + s.cardCharacter().Name + " beyond the opening line."
	}
	if f.scenario = expand(p.Scenario); f.scenario == "" {
		f.scenario = s.Character.Name + " and " + s.User.Name + " meet."
	}
	if p.Greeting >= 0 && p.Greeting < len(p.Greetings) {
		f.opening = expand(p.Greetings[p.Greeting])
	}
	f.examples = s.exampleLines(p.Examples, f.marks)
	return f
}

// exampleLines cuts example dialogue into blocks and fills its marks in.
func (s Scene) exampleLines(text string, marks *macro.Env) [][]Line {
	var blocks [][]Line
	for _, block := range Examples(clip(text, maxLong), "{{user}}", "{{char}}", []string{marks.Char, marks.User}) {
		var lines []Line
		for _, l := range block {
			l = Line{Name: marks.Expand(l.Name), Text: cleanField(marks.Expand(l.Text))}
			if l.Text != "" {
				lines = append(lines, l)
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, lines)
		}
	}
	return blocks
}

// marks are what the card's macros stand for, before any variable is set.
func (s Scene) marks() *macro.Env {
	p := s.Play
	char, user := s.cardCharacter().Name, s.User.Name
	if user == char {
		user = s.Character.Name
	}
	e := &macro.Env{
		Char: char, User: user, Seed: p.Seed, Now: p.Started,
		Fields: map[string]string{
			"description": p.Description, "personality": p.Personality, "scenario": p.Scenario,
			"mesexamples": p.Examples, "mesexamplesraw": p.Examples, "charprompt": p.System,
			"charinstruction": p.After, "charjailbreak": p.After, "charfirstmessage": "",
			"chardepthprompt": p.Note,
		},
		Texts: map[string]string{
			"persona": s.User.Profile, "charversion": p.Version, "char_version": p.Version,
			"input": "", "lastmessage": "", "lastusermessage": "", "lastcharmessage": "",
		},
	}
	if s.Ensemble() {
		e.Group = s.Speakers()
	}
	if len(p.Greetings) > 0 {
		e.Fields["charfirstmessage"] = p.Greetings[0]
	}
	return e
}

// Marks are what a card's macros stand for once its greeting, profile, scenario
// and examples have set their variables; nil for a scene without a card. Each
// call gives an Env of its own.
func (s Scene) Marks() *macro.Env {
	if s.Play == nil {
		return nil
	}
	return s.fill().marks
}

// ExampleBlocks are the scene's example dialogues, filled in. top and bottom are
// further examples as cards write them, before and after.
func (s Scene) ExampleBlocks(top, bottom string) [][]Line {
	if s.Play == nil {
		return nil
	}
	f := s.fill()
	return append(append(s.exampleLines(top, f.marks), f.examples...), s.exampleLines(bottom, f.marks)...)
}

// cleanField makes a field of a scene of a text: valid, without controls, not
// longer than a field may be.
func cleanField(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(clip(strings.TrimSpace(text), maxLong))
}

// clip cuts a text to at most n bytes between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
