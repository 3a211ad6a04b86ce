package card

import (
	"fmt"
	"hash/crc32"
	"strings"
	"time"
	"unicode"

	"herarena/characters"
	"herarena/characters/lore"
	"herarena/characters/macro"
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

// Part is a stretch of a scene and where it came from.
type Part struct {
	From   string `json:"from"` // e.g. "data.description"
	To     string `json:"to"`   // the scene's field, e.g. "character.profile"
	Text   string `json:"text"`
	Tokens int    `json:"tokens"` // estimated
}

// Tokens estimates how many tokens a text has: a quarter of its letters in
// scripts with alphabets, one for each character in those without. It errs by
// some tens of per cent.
func Tokens(text string) int {
	letters, signs := 0, 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			signs++
		} else {
			letters++
		}
	}
	return signs + (letters+3)/4
}

// staging is the state of making a scene.
type staging struct {
	file  *File
	env   *macro.Env
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
	st.env = f.macros(s.Character.Name, s.User.Name, o)
	expand := st.env.Expand
	st.put(&s.Character.Profile, "character.profile", "data.description", "", expand(f.text("description")))
	st.put(&s.Character.Profile, "character.profile", "data.personality", "Personality: ", expand(f.text("personality")))
	st.put(&s.Scenario, "scenario", "data.scenario", "", expand(f.text("scenario")))
	if len(greetings) > 0 {
		st.put(&s.Opening, "opening", fmt.Sprintf("greeting %d", o.Greeting), "", expand(greetings[o.Greeting]))
	}
	st.examples()
	st.lore(o)
	st.put(&s.Requirements, "requirements", "data.system_prompt", "", st.env.Override(f.text("system_prompt"), ""))
	ext := f.Data.object("extensions").object("depth_prompt")
	st.put(&s.Requirements, "requirements", "data.extensions.depth_prompt", "", expand(ext.text("prompt")))
	st.put(&s.Requirements, "requirements", "data.post_history_instructions", "", st.env.Override(f.text("post_history_instructions"), ""))
	s.Title = f.DisplayName()
	s.Blurb = f.blurb()
	s.Language = language(s.Character.Profile + s.Opening)
	return nil
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

// macros are what the marks of the card stand for.
func (f *File) macros(char, user string, o PlayOptions) *macro.Env {
	return &macro.Env{
		Char: char, User: user, Seed: o.Seed, Now: o.Now,
		Fields: map[string]string{
			"description": f.text("description"), "personality": f.text("personality"), "scenario": f.text("scenario"),
			"mesexamples": f.text("mes_example"), "mesexamplesraw": f.text("mes_example"), "charprompt": f.text("system_prompt"),
			"charinstruction": f.text("post_history_instructions"), "charjailbreak": f.text("post_history_instructions"), "persona": "",
		},
		Texts: map[string]string{
			"charversion": f.text("character_version"), "char_version": f.text("character_version"),
			"input": "", "lastmessage": "", "lastusermessage": "", "lastcharmessage": "",
		},
	}
}

// examples writes example dialogue as the voice of the character.
func (st *staging) examples() {
	s := &st.scene
	var blocks []string
	for _, block := range Examples(st.file.text("mes_example"), "{{user}}", "{{char}}", []string{s.Character.Name}) {
		var lines []string
		for _, l := range block {
			line := l.Text
			if l.Name != "" {
				line = l.Name + ": " + line
			}
			lines = append(lines, st.env.Expand(line))
		}
		blocks = append(blocks, strings.Join(lines, "\n"))
	}
	if len(blocks) > 0 {
		st.put(&s.Character.Voice, "character.voice", "data.mes_example", "as in these examples.\n\n", strings.Join(blocks, "\n\n"))
	}
}

// lore adds the entries of the book that hold as the scene opens.
func (st *staging) lore(o PlayOptions) {
	r := st.file.Lore(o, st.env, []lore.Message{{Text: st.scene.Opening, Char: true}})
	for _, h := range r.Hits {
		field, to := &st.scene.Character.Background, "character.background"
		switch h.Place {
		case lore.Personality:
			field, to = &st.scene.Character.Profile, "character.profile"
		case lore.Scenario:
			field, to = &st.scene.Scenario, "scenario"
		case lore.Examples:
			field, to = &st.scene.Character.Voice, "character.voice"
		}
		title := h.Entry.Title
		if title == "" {
			title = h.Entry.ID
		}
		st.put(field, to, fmt.Sprintf("data.character_book, entry %s (%s)", title, CleanName(h.Why)), "", h.Text)
	}
}

// Lore searches the card's book with the messages of a conversation; env are
// the marks, nil for none.
func (f *File) Lore(o PlayOptions, env *macro.Env, messages []lore.Message) lore.Result {
	req := lore.Request{Messages: messages, Seed: o.Seed, Greeting: o.Greeting, Tokens: Tokens}
	if env != nil {
		req.Expand = func(text string, recursion bool) string {
			e := *env
			e.HiddenKeys = recursion
			return e.Expand(text)
		}
	}
	return lore.Scan(f.Book, req)
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
