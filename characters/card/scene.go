package card

import (
	"fmt"
	"hash/crc32"
	"strings"
	"time"
	"unicode"

	"herarena/characters"
	"herarena/characters/playbook"
)

// The most bytes of a field of a scene, as characters.Scene.Validate has it.
const maxField = 64 << 10

// defaultUser is whom the person plays where nobody says.
const defaultUser = "User"

// PlayOptions say how a card is put on stage.
type PlayOptions struct {
	User     string // whom the person plays; "" for the file's own, else "User"
	Greeting int    // which greeting opens, 0 the first
	Seed     uint64 // of {{random}}, {{pick}}, {{roll}} and of lore
	Now      time.Time
}

// Part is a stretch of a prompt and where it came from.
type Part = playbook.Part

// Tokens estimates a text's tokens; see playbook.Tokens.
func Tokens(text string) int { return playbook.Tokens(text) }

// staging is the state of making a scene.
type staging struct {
	file  *File
	scene characters.Scene
	parts []Part
}

// Scene puts a card or the first scenario on stage with the person as
// {{user}}, and tells where each part came from. The scene is valid. Errors
// are *Error: a chat or a lorebook has nobody to play.
func (f *File) Scene(o PlayOptions) (characters.Scene, []Part, error) {
	st := &staging{file: f}
	switch f.Kind {
	case KindCard:
		if err := st.card(o); err != nil {
			return characters.Scene{}, nil, err
		}
	case KindScenario:
		if err := st.scenario(f.Scenarios[0]); err != nil {
			return characters.Scene{}, nil, err
		}
	case KindChat:
		return characters.Scene{}, nil, &Error{File: f.Name, Code: Unplayable, Message: "is a chat, which says nothing about its characters; name the character's card instead"}
	default:
		return characters.Scene{}, nil, &Error{File: f.Name, Code: Unplayable, Message: "is a lorebook and has no character to play; name a card instead"}
	}
	st.finish()
	if err := st.scene.Validate(); err != nil {
		return characters.Scene{}, nil, &Error{File: f.Name, Code: Unplayable, Message: "cannot be played: " + err.Error()}
	}
	return st.scene, st.parts, nil
}

// put adds text to a field of the scene and notes where it came from.
func (st *staging) put(field *string, to, from, lead, text string) {
	text = strings.TrimSpace(CleanText(strings.ToValidUTF8(text, "\uFFFD")))
	if text == "" {
		return
	}
	sep := ""
	if *field != "" {
		sep = "\n\n"
	}
	room := maxField - len(*field) - len(sep) - len(lead)
	if room <= 0 {
		return
	}
	text = strings.TrimSpace(clip(text, room))
	*field += sep + lead + text
	st.parts = append(st.parts, Part{From: from, To: to, Text: lead + text, Tokens: Tokens(lead + text)})
}

// sceneName makes a name of one that can stand before a colon.
func sceneName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ':' || r == '：' {
			return -1
		}
		return r
	}, CleanName(name))
	return strings.TrimSpace(clip(strings.TrimSpace(name), maxName))
}

func (st *staging) card(o PlayOptions) error {
	f, s := st.file, &st.scene
	greetings := f.Greetings()
	if o.Greeting < 0 || o.Greeting > 0 && o.Greeting >= len(greetings) {
		return &Error{File: f.Name, Field: "data.alternate_greetings", Code: Unplayable, Message: fmt.Sprintf("have no greeting %d; there are %d, counted from 0", o.Greeting, len(greetings))}
	}
	s.Character.Name = sceneName(f.CharName())
	if s.Character.Name == "" {
		s.Character.Name = "Character"
	}
	s.User.Name = st.userName(o.User)
	s.Play = f.play(s.Character.Name, o)
	*s = s.Filled()
	st.parts = playbook.Parts(*s)
	s.Title = f.DisplayName()
	s.Blurb = f.blurb()
	s.Language = language(s.Character.Profile + s.Opening)
	return nil
}

// play takes out of a card what its prompts are made of, as written.
func (f *File) play(char string, o PlayOptions) *characters.Play {
	text := func(key string) string { return CleanText(strings.ToValidUTF8(f.text(key), "\uFFFD")) }
	p := &characters.Play{
		Char: char, Seed: o.Seed, Started: o.Now, Greeting: o.Greeting,
		Description: text("description"), Personality: text("personality"), Scenario: text("scenario"),
		Examples: text("mes_example"), System: text("system_prompt"), After: text("post_history_instructions"),
		Version: CleanName(f.text("character_version")), Book: f.Book,
	}
	for _, g := range f.Greetings() {
		p.Greetings = append(p.Greetings, CleanText(strings.ToValidUTF8(g, "\uFFFD")))
	}
	note := f.Data.object("extensions").object("depth_prompt")
	if p.Note = CleanText(note.text("prompt")); strings.TrimSpace(p.Note) != "" {
		p.NoteDepth, p.NoteRole = defaultDepth, "system"
		if n, ok := wholeNumber(note.Get("depth")); ok {
			p.NoteDepth = max(n, 0)
		}
		if role := note.text("role"); role == "user" || role == "assistant" {
			p.NoteRole = role
		}
	}
	if p.Book != nil && len(p.Book.Entries) == 0 {
		p.Book = nil
	}
	return p
}

// userName picks whom the person plays, never the character's own name.
func (st *staging) userName(asked string) string {
	for _, name := range []string{asked, st.file.UserName, defaultUser, "You"} {
		if name = sceneName(name); name != "" && name != st.scene.Character.Name {
			return name
		}
	}
	return defaultUser
}

func (st *staging) scenario(sc Scenario) error {
	s := &st.scene
	if len(sc.Cast) == 0 {
		return &Error{File: st.file.Name, Code: Unplayable, Message: "is a scenario in which nobody speaks"}
	}
	names := map[string]bool{}
	add := func(r Role, c *characters.Character, to string) bool {
		c.Name = sceneName(r.Name)
		if c.Name == "" || names[c.Name] {
			return false
		}
		names[c.Name] = true
		st.put(&c.Profile, to+".profile", "character_profiles", "", r.Profile)
		st.put(&c.Thoughts, to+".thoughts", "key_characters", "", r.Motivation)
		return true
	}
	if !add(sc.Cast[0], &s.Character, "character") {
		return &Error{File: st.file.Name, Code: Unplayable, Message: "is a scenario whose character has no name"}
	}
	for i, r := range sc.Cast[1:] {
		var c characters.Character
		if i < 30 && add(r, &c, "others") {
			s.Others = append(s.Others, c)
		}
	}
	if len(s.Others) > 0 {
		s.User, s.Others = s.Others[0], s.Others[1:]
	} else {
		s.User.Name = st.userName("")
	}
	st.put(&s.Scenario, "scenario", "scenario", "", sc.Text)
	for _, l := range sc.Lines {
		if strings.EqualFold(l.Name, environment) {
			st.put(&s.Scenario, "scenario", "dialogues", "", l.Text)
			continue
		}
		if sceneName(l.Name) == s.Character.Name {
			st.put(&s.Opening, "opening", "dialogues", "", l.Text)
		}
		break
	}
	s.Title, s.Source = sc.Topic, clip(CleanName(sc.Source), maxName)
	if s.Title == "" {
		s.Title = s.Character.Name
	}
	s.Language = language(s.Character.Profile + s.Scenario)
	return nil
}

// finish gives a scene what it cannot do without.
func (st *staging) finish() {
	s := &st.scene
	if strings.TrimSpace(s.Character.Profile) == "" {
		s.Character.Profile = "Nothing is written about " + s.Character.Name + " beyond the opening line."
	}
	if strings.TrimSpace(s.Scenario) == "" {
		s.Scenario = s.Character.Name + " and " + s.User.Name + " meet."
	}
	s.Title = clip(CleanName(s.Title), maxName)
	s.Blurb = clip(CleanText(s.Blurb), maxName)
	if s.ID = characters.DeriveID(s.Title); s.ID == "" {
		s.ID = characters.DeriveID(stem(st.file.Name))
	}
	if s.ID = strings.Trim(clip(s.ID, 64), "-"); s.ID == "" {
		s.ID = fmt.Sprintf("card-%08x", crc32.ChecksumIEEE([]byte(s.Title)))
	}
}

// blurb is the first line of the creator's notes without HTML, else the tags.
func (f *File) blurb() string {
	var b strings.Builder
	inside := false
	for _, r := range f.text("creator_notes") {
		switch {
		case r == '<':
			inside = true
		case r == '>' && inside:
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(b.String()), "\n")
	if line = CleanName(line); line != "" {
		return line
	}
	return CleanName(strings.Join(f.texts("tags"), ", "))
}

// language guesses the language of texts whose script tells it, "" for others.
func language(text string) string {
	counts := map[string]int{}
	letters := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			counts["ja"] += 3
		case unicode.Is(unicode.Han, r):
			counts["zh"]++
		case unicode.Is(unicode.Hangul, r):
			counts["ko"]++
		case unicode.Is(unicode.Cyrillic, r):
			counts["ru"]++
		}
	}
	if counts["ja"] > counts["zh"]/4 && counts["ja"] > 0 {
		counts["ja"] += counts["zh"]
	}
	for _, tag := range []string{"ja", "zh", "ko", "ru"} {
		if counts[tag]*2 > letters {
			return tag
		}
	}
	return ""
}
