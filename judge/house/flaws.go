package house

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"herarena/arena/layers"
)

// run is the length in words of a stretch that counts as repeated text.
const run = 5

// enough pieces of evidence of one kind; more are not looked for, so that a text
// made of nothing else stays cheap.
const enough = 16

// finding is what a check saw in one candidate.
type finding struct {
	amount float64 // 0 none to 1 full, of the flaw or of the merit
	note   string  // one sentence without the evidence
	quotes []string
}

func flaw(amount float64, note string, quotes ...string) finding {
	return finding{amount: min(1, amount), note: note, quotes: quotes}
}

// mixesLanguages finds runs of letters in a writing system that is not at home
// in the scene and does not stand in its context.
//
// Proves: letters of another script, two at least; of Latin three words at least,
// since names and units are at home everywhere.
// Evidence: the runs. Every script in words.go.
// Known false positives: a foreign word the scene wants and has not had.
func mixesLanguages(s *scene, k *candidate) finding {
	home := s.home
	text := k.thoughts + "\n" + k.visible
	if len(home) == 0 {
		home = homeScripts("", text)
	}
	var quotes []string
	letters := 0
	foreign := noScript
	for _, r := range foreignRuns(text, home) {
		// Latin is every script's guest: names, "OK", units. Three words are a phrase.
		if r.script == latin && len(strings.Fields(r.text)) < 3 || r.letters < 2 || strings.Contains(s.all, r.text) {
			continue
		}
		if len(quotes) == enough {
			break
		}
		letters += r.letters
		foreign = r.script
		quotes = append(quotes, r.text)
	}
	if letters == 0 {
		return finding{}
	}
	return flaw(0.5+float64(letters)/40, fmt.Sprintf("slips into %s script", foreign), quotes...)
}

type scriptRun struct {
	text    string
	script  script
	letters int
}

// foreignRuns returns the stretches of text in scripts that are not at home.
// Spaces and marks inside a stretch belong to it.
func foreignRuns(text string, home map[script]bool) []scriptRun {
	var out []scriptRun
	start, end, letters, current := -1, 0, 0, noScript
	flush := func() {
		if start >= 0 {
			out = append(out, scriptRun{text: text[start:end], script: current, letters: letters})
		}
		start, letters = -1, 0
	}
	for i, r := range text {
		switch sc := scriptOf(r); {
		case sc == noScript && r != '\n':
			continue
		case sc == noScript || home[sc]:
			flush()
		default:
			if start >= 0 && sc != current {
				flush()
			}
			if start < 0 {
				start, current = i, sc
			}
			letters++
			end = i + utf8.RuneLen(r)
		}
	}
	flush()
	return out
}

// speaksForOther finds lines that belong to somebody else in the scene.
//
// Proves: a line that begins with another's name, or with "User", and a colon.
// Evidence: the lines. Any language.
// Known false positives: a letter read aloud that addresses "Mr Darcy:".
func speaksForOther(s *scene, k *candidate) finding {
	var quotes []string
	for i, line := range linesOf(k.raw) {
		name, ok := s.speaker(line)
		if !ok || i == 0 && !s.isPartner(name) {
			continue // a wrong name at the head is another check's
		}
		quotes = append(quotes, line)
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.7+0.1*float64(len(quotes)), "writes lines for somebody else in the scene", quotes...)
}

// linesOf returns the lines of a reply that hold words, tags taken off.
func linesOf(raw string) []string {
	var out []string
	for line := range strings.Lines(tag.ReplaceAllString(raw, "\n")) {
		if line = strings.Trim(line, " \t\r\n*_>"); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// speaker tells whose line it is, where a line begins with the name of another.
func (s *scene) speaker(line string) (string, bool) {
	at := strings.IndexAny(line, ":：")
	if at <= 0 || at > 60 {
		return "", false
	}
	name := strings.Trim(line[:at], " \t*_\"[]()")
	switch strings.ToLower(name) {
	case "user", "human", "player", "{{user}}", "you":
		return name, !strings.EqualFold(name, s.c.Character)
	}
	if s.c.Character != "" && strings.EqualFold(name, s.c.Character) {
		return "", false
	}
	for _, other := range s.names {
		if strings.EqualFold(name, other) {
			return other, true
		}
	}
	return "", false
}

func (s *scene) isPartner(name string) bool {
	switch strings.ToLower(name) {
	case "user", "human", "player", "{{user}}", "you":
		return true
	}
	return s.c.User != "" && strings.EqualFold(name, s.c.User)
}

var (
	// A bracket that holds a first-person thought, in a reply that has tags for it.
	thoughtBracket = regexp.MustCompile(`[\[(（【]\s*(?:I|I['’](?:m|ve|d|ll)|My|Why (?:do|did|am|does)|我)(?:\s|\p{Han})[^\])）】]{4,300}[\])）】]`)
	// Labels and tags of thinking that are not HER's own.
	thoughtLabel = regexp.MustCompile(`(?im)^\W{0,3}(?:inner )?(?:thoughts?|thinking|inner monologue|内心(?:独白|想法)?|心理活动)\s*[:：].*$|` +
		`</?(?:inner_?)?(?:thoughts?|thinks?|monologue)>|\*(?:thinks?|thinking) (?:to (?:him|her|them|my)self|that)\b[^*]*\*`)
	plan = regexp.MustCompile(`(?i)\b(?:I (?:need|should|must|will|have) (?:to )?(?:portray|roleplay as|respond as|stay in character)|the user (?:wants|is asking|expects)|as the (?:model|narrator), I)\b`)
)

// leaksThoughts finds thoughts and plans among the words others hear.
//
// Proves: a label or tag of thinking, a sentence about portraying the character,
// or, in HER's dialect, a bracket in the first person, within speech.
// Evidence: the words. English and Chinese.
// Known false positives: a character who speaks of portraying a role.
func leaksThoughts(_ *scene, k *candidate) finding {
	var quotes []string
	quotes = append(quotes, thoughtLabel.FindAllString(k.speech, enough)...)
	for _, m := range plan.FindAllString(k.speech, enough) {
		quotes = append(quotes, around(k.speech, m))
	}
	if k.dialect == layers.HER {
		quotes = append(quotes, thoughtBracket.FindAllString(k.speech, enough)...)
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.6+0.1*float64(len(quotes)), "says thoughts or plans aloud that nobody should hear", quotes...)
}

var (
	tag      = regexp.MustCompile(`(?i)</?\s*(?:role|system)[_ ]?(?:thinking|think|action|speech)\s*>`)
	fragment = regexp.MustCompile(`(?i)</?\s*(?:role|system)_[a-z_]*(?:$|[^a-z_>\s])|</?\s*(?:role|system)_[a-z_]*\s*$`)
	leftover = regexp.MustCompile(`(?i)\{\{(?:user|char)\}\}|<\|[a-z_]+\|>|\[/?INST\]|</?(?:assistant|user|system)>|<start_of_turn>|<end_of_turn>|</?\s*(?:role|system)_(?:[a-z_]+)\s*>`)
)

// breaksTags finds layer tags that do not pair and leftovers of templates.
//
// Proves: an opening or closing tag without its fellow, a placeholder or a token
// of a chat template.
// Evidence: the tags.
// Known false positives: none known; a scene about such tags would be one.
func breaksTags(_ *scene, k *candidate) finding {
	var quotes []string
	open, opener := "", ""
	for _, m := range tag.FindAllString(k.raw, -1) {
		name := strings.ToLower(strings.Trim(m, "</> \t"))
		switch closing := strings.HasPrefix(m, "</"); {
		case closing && name == open:
			open = ""
		case closing:
			quotes = append(quotes, m)
			open = ""
		case open != "":
			quotes = append(quotes, opener)
			open, opener = name, m
		default:
			open, opener = name, m
		}
	}
	if open != "" {
		quotes = append(quotes, opener)
	}
	rest := tag.ReplaceAllString(k.raw, " ")
	quotes = append(quotes, leftover.FindAllString(rest, -1)...)
	quotes = append(quotes, fragment.FindAllString(leftover.ReplaceAllString(rest, " "), -1)...)
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.4+0.15*float64(len(quotes)), "leaves broken or leftover tags in the reply", quotes...)
}

// saysNothing finds replies in which the character does not speak.
//
// Proves: no letter stands in the speech.
// Evidence: the actions. Any language.
// Known false positives: a silence that the scene asks for; seven of the 107
// lines from books are such, and it does say no word in them.
func saysNothing(_ *scene, k *candidate) finding {
	if len(k.words) > 0 {
		return finding{}
	}
	switch {
	case strings.TrimSpace(k.raw) == "":
		return flaw(1, "is empty")
	case k.visible != "":
		return flaw(0.7, "acts but says no word", k.actions)
	}
	return flaw(1, "has no word that others could hear", k.raw)
}

// wrongName finds a reply that goes under, or claims, somebody else's name.
//
// Proves: the first line begins with another's name and a colon, the last is
// signed with it, or a sentence says "I am …" with it.
// Evidence: the line. English and Chinese.
// Known false positives: a disguise; a joke ("I am Mr Darcy, and I never smile").
func wrongName(s *scene, k *candidate) finding {
	var quotes []string
	if lines := linesOf(k.raw); len(lines) > 0 {
		if name, ok := s.speaker(lines[0]); ok && !s.isPartner(name) {
			quotes = append(quotes, lines[0])
		}
		last := lines[len(lines)-1]
		if signed, ok := strings.CutPrefix(last, "—"); ok && s.isOther(strings.Trim(signed, " .")) {
			quotes = append(quotes, last)
		}
	}
	for _, sentence := range k.sentences {
		for _, name := range s.names {
			if claims(sentence, name) {
				quotes = append(quotes, sentence)
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.8, "goes under another's name", quotes...)
}

func (s *scene) isOther(name string) bool {
	for _, other := range s.names {
		if strings.EqualFold(name, other) {
			return true
		}
	}
	return false
}

// claims tells whether a sentence says that the speaker is name.
func claims(sentence, name string) bool {
	lower, name := strings.ToLower(strings.ReplaceAll(sentence, "’", "'")), strings.ToLower(name)
	for _, claim := range []string{"i am ", "i'm ", "my name is ", "call me ", "我是", "我叫", "我的名字是"} {
		at := strings.Index(lower, claim+name)
		before, _ := utf8.DecodeLastRuneInString(lower[:max(0, at)])
		if at < 0 || at > 0 && claim[0] == 'i' && alphabetic(before) {
			continue
		}
		rest := lower[at+len(claim)+len(name):]
		r, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || r == '.' || r == ',' || r == '!' || r == '。' || r == '，' || r == '！' {
			return true
		}
	}
	return false
}

// askedLength finds a length the settings ask for.
var askedLength = regexp.MustCompile(`(?i)\b(?:within|under|about|around|at most|no more than|less than|fewer than|up to|maximum of|limit(?:ed)? to|exceed(?:ing)?)\s+(\d{2,4})\s+words\b|(?:不超过|最多|约|左右|限制在|少于)\s*(\d{2,4})\s*(?:个)?字`)

// overLong finds replies beyond half again the length asked for, or beyond what
// any turn of talk is.
//
// Proves: the count of visible words, or of letters where the settings count 字.
// Evidence: the count. Any language; scripts without spaces count 1.6 letters as
// a word.
// Known false positives: a long speech that the scene calls for.
func overLong(s *scene, k *candidate) finding {
	const usual = 400 // words; HER's own scenes ask for about 200
	limit, asked, inLetters := usual, false, false
	if m := askedLength.FindStringSubmatch(s.rules); m != nil {
		if n, err := strconv.Atoi(m[1] + m[2]); err == nil && n > 0 {
			limit, asked, inLetters = n+n/2, true, m[2] != ""
		}
	}
	n := length(k.visible)
	if inLetters {
		n = letters(k.visible)
	}
	if n <= limit {
		return finding{}
	}
	note := fmt.Sprintf("runs to %d words where %d would be long", n, limit)
	if asked {
		note = fmt.Sprintf("runs to %d words against the length the settings ask for", n)
	}
	return flaw(0.3+0.5*float64(n-limit)/float64(limit), note)
}
