package rehearsal

import (
	"strconv"
	"strings"
	"unicode"
)

// stage is what a player makes of a request: who plays, in which script, and
// what has been said so far.
type stage struct {
	script *script
	lang   string // "en" or "zh"
	char   string // the character's name; may be empty
	user   string // whom the person plays; may be empty
	turns  []spoken
	key    uint64
}

// spoken is one line of the person and the replies that came before it.
type spoken struct {
	before []string
	line   string
	// opening marks a scene that the character has to begin, because the
	// person has said nothing yet.
	opening bool
}

const conversationStart = "===Conversation Start==="

// readStage reads a request as a player would: the system prompt for the cast,
// the messages for the story so far.
func (h *house) readStage(msgs []message, seed int64) *stage {
	var system []string
	for _, m := range msgs {
		if m.Role == "system" || m.Role == "developer" {
			system = append(system, string(m.Content))
		}
	}
	prompt := strings.Join(system, "\n")
	st := &stage{char: identity(prompt)}
	st.script = h.find(prompt, st.char)
	if st.script.ID != general {
		st.char, st.user, st.lang = st.script.Character, st.script.User, st.script.Language
	} else {
		st.user = st.addressed(prompt, msgs)
	}
	st.readTurns(msgs)
	if st.lang == "" {
		st.lang = language(prompt, st.turns[len(st.turns)-1].line)
		st.script = h.general[st.lang]
	}
	st.key = hash(prompt, st.turns[0].line, strconv.FormatInt(seed, 10))
	return st
}

// language tells the language of an unknown scene: what its prompt asks for,
// else what its own text is in (rules of the form follow it, often in English),
// else what the person writes.
func language(prompt, line string) string {
	scene, _, _ := strings.Cut(prompt, "===Requirements===")
	if strings.TrimSpace(scene) == "" {
		scene = line
	}
	if strings.Contains(prompt, "Write in Chinese") || strings.Contains(prompt, "用中文") || mostlyHan(scene) {
		return "zh"
	}
	return "en"
}

func (st *stage) readTurns(msgs []message) {
	var before []string
	for _, m := range msgs {
		switch m.Role {
		case "assistant":
			before = append(before, string(m.Content))
		case "user":
			for _, line := range st.lines(string(m.Content)) {
				st.turns = append(st.turns, spoken{before: before, line: line})
				before = nil
			}
		}
	}
	if len(st.turns) == 0 {
		st.turns = []spoken{{before: before, opening: true}}
	}
}

// lines takes the person's lines out of a user message. Lines of turns without
// a reply arrive merged into one message, each with the name in front.
func (st *stage) lines(content string) []string {
	content = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(content), conversationStart))
	if content == "" {
		return nil
	}
	var out []string
	for i, para := range strings.Split(content, "\n\n") {
		line, named := cutName(para, st.user)
		if i == 0 || named {
			out = append(out, line)
			continue
		}
		out[len(out)-1] += "\n\n" + line
	}
	return out
}

// cutName removes "Name: " from the front of a line.
func cutName(line, name string) (string, bool) {
	line = strings.TrimSpace(line)
	if name == "" {
		return line, false
	}
	for _, colon := range []string{":", "\uff1a"} {
		if rest, ok := strings.CutPrefix(line, name+colon); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return line, false
}

// addressed finds the name of the person's character in an unknown scene: the
// name before a user line, if the prompt knows it too, else a phrase.
func (st *stage) addressed(prompt string, msgs []message) string {
	for _, m := range msgs {
		if m.Role != "user" {
			continue
		}
		for _, line := range strings.Split(string(m.Content), "\n") {
			name, _, ok := strings.Cut(strings.ReplaceAll(line, "\uff1a", ":"), ":")
			name = strings.TrimSpace(name)
			if ok && name != st.char && looksLikeName(name) && strings.Contains(prompt, name) {
				return name
			}
		}
	}
	for _, cue := range []string{
		"The user plays ", "The person plays ", "You are talking to ", "You are speaking with ", "You speak with ",
		"The other person is ", "The person you are interacting with is ", "对方是", "用户扮演", "与你对话的是",
	} {
		if _, rest, ok := strings.Cut(prompt, cue); ok {
			if name := leadingName(rest); name != "" && name != st.char {
				return name
			}
		}
	}
	return ""
}

// manyCues is how often a phrase is tried in one prompt.
const manyCues = 20

// identity finds whom the system prompt asks the model to play.
func identity(prompt string) string {
	for _, line := range strings.Split(prompt, "\n") {
		head := strings.Trim(line, "=#* \t")
		for _, tail := range []string{"'s Profile", "’s Profile", "的人物档案", "的人物设定", "的档案", "的简介"} {
			if name, ok := strings.CutSuffix(head, tail); ok && looksLikeName(name) {
				return name
			}
		}
	}
	for _, cue := range []string{
		"You are playing ", "You will play ", "You play ", "You are now ", "Your name is ", "role-play as ", "roleplay as ", "Role-play as ", "Roleplay as ",
		"Act as ", "act as ", "Pretend to be ", "Play the role of ", "play the role of ", "You are ", "you are ", "You're ",
		"你扮演", "请扮演", "扮演", "你的名字是", "你的名字叫", "你叫", "你就是", "你是",
	} {
		rest := prompt
		for range manyCues {
			var ok bool
			if _, rest, ok = strings.Cut(rest, cue); !ok {
				break
			}
			if name := leadingName(rest); name != "" {
				return name
			}
		}
	}
	return ""
}

// leadingName reads a name off the front of a text: capitalised words (small
// particles may stand between them) or up to six Han runes.
func leadingName(s string) string {
	const longest = 200 // bytes; a name and what ends it
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "")
	}
	s = strings.TrimLeft(s, " \t\"“*「『《")
	var han []rune
	for _, r := range s {
		if !unicode.Is(unicode.Han, r) && r != '·' {
			break
		}
		han = append(han, r)
	}
	if _, rest, ok := strings.Cut(string(han), "名叫"); ok {
		han = []rune(rest)
	}
	if len(han) > 0 {
		if i := strings.IndexAny(string(han), "是来的在"); i > 0 {
			return string(han)[:i]
		}
		if len(han) > 6 {
			return ""
		}
		return string(han)
	}
	var words []string
	for i, w := range strings.Fields(s) {
		bare := strings.TrimRight(w, ".,;:!?\"”*)")
		bare = strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")
		upper := startsUpper(bare)
		title := bare == "Mr" || bare == "Mrs" || bare == "Dr" || bare == "Ms" || bare == "St"
		particle := bare == "of" || bare == "the" || bare == "de" || bare == "von" || bare == "van" || bare == "la"
		if !upper && (!particle || i == 0 && bare != "the") || i >= 5 {
			break
		}
		if i == 0 && bare == "the" {
			if f := strings.Fields(s); len(f) < 2 || !startsUpper(f[1]) {
				break
			}
		}
		if title {
			bare = w
		}
		words = append(words, bare)
		if bare != w && !title {
			break
		}
	}
	for len(words) > 0 && !startsUpper(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) > 0 && words[0] == "the" {
		words = words[1:]
	}
	name := strings.Join(words, " ")
	if !looksLikeName(name) {
		return ""
	}
	return name
}

func startsUpper(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}

// looksLikeName holds for one to five capitalised words, or two to six Han
// runes, without the marks that headings and sentences have.
func looksLikeName(s string) bool {
	n := len([]rune(s))
	if n < 2 || n > 40 || strings.ContainsAny(s, "=#*<>[]{}()?!,;:\n\"/\\|") {
		return false
	}
	if mostlyHan(s) {
		return n <= 6
	}
	first := true
	for _, w := range strings.Fields(s) {
		if first && !startsUpper(w) && w != "the" {
			return false
		}
		first = false
	}
	switch strings.ToLower(s) {
	case "as", "an", "ai", "a", "user", "system", "assistant", "i", "you", "chatgpt":
		return false
	}
	return len(strings.Fields(s)) <= 5
}

// mostlyHan holds where a third or more of the letters are Han.
func mostlyHan(s string) bool {
	han, letters := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Han, r) {
				han++
			}
		}
	}
	return letters > 0 && han*3 >= letters
}
