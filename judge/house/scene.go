package house

import (
	"context"
	"slices"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
)

// scene is what the checks know of a case besides the candidates.
type scene struct {
	c        arena.Case
	system   string   // settings
	last     string   // the partner's last line, as words to answer
	own      []string // the character's earlier lines, visible part
	all      string   // the whole context
	names    []string // of others in the scene, the partner's first
	home     map[script]bool
	said     map[string]bool // content words of the whole context
	heard    []string        // content words of the last line
	profile  map[string]bool // content words of the settings
	sayings  map[string]bool // sentences of the character's earlier lines
	runs     map[string]bool // runs of five words in them
	asked    map[string]bool // sentences of the last line
	copied   map[string]bool // sentences of five words or more of the whole context
	isMadeUp bool            // the settings make the character a machine

	turns   []turn          // what was said and done, in order
	left    map[string]deed // what the character's last turn has left behind
	since   string          // what the others did and said after it, in lower case
	moved   string          // the same without the speech of those who act
	secrets []secret        // thoughts of others
	claims  map[string]claim
	numbers map[string]number
	tongues map[string]bool // languages of Latin script that are at home
	asks    string          // the question in the last line, "" if none
	voice   manner          // of all own earlier speech
	things  map[string]bool // Chinese things that the scene has had
	rules   string          // the sentences of the settings that could ask for something
	demands []demand        // that do
}

// turn is one line of the scene, cut into its layers.
type turn struct {
	own                       bool
	speech, thoughts, visible string
	parts                     []part
	opening                   string // its first action, where it begins with one
}

// part is a run of visible text: an action or speech.
type part struct {
	act  bool
	text string
}

// candidate is one reply, cut into its layers.
type candidate struct {
	raw       string
	dialect   layers.Dialect
	speech    string
	thoughts  string
	actions   string
	visible   string // speech and actions, in order
	parts     []part // the same, apart
	acts      []string
	words     []string
	sentences []string
}

func (k *candidate) turn(own bool) turn {
	t := turn{own: own, speech: k.speech, thoughts: k.thoughts, visible: k.visible, parts: k.parts}
	if len(k.parts) > 0 && k.parts[0].act {
		t.opening = k.parts[0].text
	}
	return t
}

// newScene reads a case. Where ctx ends it stops in the middle: the scene is not
// to be used then.
func newScene(ctx context.Context, c arena.Case) *scene {
	s := &scene{c: c}
	var settings, everything []string
	s.copied = map[string]bool{}
	for _, l := range c.Context {
		if ctx.Err() != nil {
			return s
		}
		text := strings.ToValidUTF8(l.Content, "\uFFFD")
		everything = append(everything, text)
		switch l.Role {
		case "system":
			settings = append(settings, text)
			s.keepSentences(text)
		case "assistant":
			t := cut(c, text).turn(true)
			s.own = append(s.own, t.visible)
			s.turns = append(s.turns, t)
			s.keepSentences(t.visible + "\n" + t.thoughts)
		default:
			s.last = unnamed(text, l.Name)
			t := cutLine(s.last).turn(false)
			s.turns = append(s.turns, t)
			s.keepSentences(t.visible + "\n" + t.thoughts)
		}
		if l.Role != "system" {
			s.addName(l.Name)
		}
	}
	s.addName(c.User)
	if i := slices.Index(s.names, strings.TrimSpace(c.User)); i > 0 {
		s.names[0], s.names[i] = s.names[i], s.names[0]
	}
	s.system = strings.Join(settings, "\n")
	s.all = strings.Join(everything, "\n")
	s.home = homeScripts(c.Language, s.all)
	s.said = setOf(contentOf(s.all + "\n" + strings.Join(append(s.names, c.Character), "\n")))
	s.heard = contentOf(s.last)
	s.profile = setOf(contentOf(s.system))
	s.sayings, s.runs = map[string]bool{}, map[string]bool{}
	for _, line := range s.own {
		for _, sentence := range sentencesOf(line) {
			s.sayings[plain(sentence)] = true
		}
		for _, g := range grams(wordsOf(line), run) {
			s.runs[g] = true
		}
	}
	s.asked = map[string]bool{}
	for _, sentence := range sentencesOf(s.last) {
		s.asked[plain(sentence)] = true
	}
	s.isMadeUp = machine.MatchString(s.system)
	for _, t := range s.turns[s.lastOwn():] {
		s.leave(t)
	}
	for _, step := range []func(){s.keepSecrets, s.keepFacts, s.keepManner} {
		if ctx.Err() != nil {
			return s
		}
		step()
	}
	return s
}

// keepManner collects how the scene speaks and what it asks for.
func (s *scene) keepManner() {
	s.tongues = s.homeTongues()
	s.asks = question(s.last)
	var spoken []string
	for _, t := range s.turns {
		if t.own {
			spoken = append(spoken, t.speech)
		}
	}
	s.voice = mannerOf(strings.Join(spoken, "\n"))
	if hasHan(s.all) {
		s.things = setOf(tangibleHan.FindAllString(s.all, -1))
	}
	s.rules = demanding(s.system)
	s.demands = demands(s.rules)
}

// cutLine cuts a line that somebody else spoke.
func cutLine(text string) *candidate { return cut(arena.Case{}, text) }

// lastOwn is where the character's last own turn stands, or the beginning.
func (s *scene) lastOwn() int {
	for i := len(s.turns) - 1; i > 0; i-- {
		if s.turns[i].own {
			return i
		}
	}
	return 0
}

// addName keeps a name that is not the character's own.
func (s *scene) addName(name string) {
	name = strings.TrimSpace(name)
	if name == "" || s.isCharacter(name) || slices.Contains(s.names, name) {
		return
	}
	s.names = append(s.names, name)
}

func (s *scene) isCharacter(name string) bool {
	return s.c.Character != "" && (strings.EqualFold(name, s.c.Character) || sharesName(name, s.c.Character))
}

// sharesName tells whether one name is part of the other: "Elizabeth" of
// "Elizabeth Bennet".
func sharesName(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	if len(x) > len(y) {
		x, y = y, x
	}
	for _, w := range x {
		if !slices.Contains(y, w) {
			return false
		}
	}
	return len(x) > 0
}

// unnamed takes the speaker's name off the beginning of a line.
func unnamed(text, name string) string {
	t := strings.TrimSpace(text)
	if name == "" {
		return t
	}
	if rest, ok := strings.CutPrefix(t, name); ok {
		for _, colon := range []string{":", "："} {
			if line, ok := strings.CutPrefix(strings.TrimSpace(rest), colon); ok {
				return strings.TrimSpace(line)
			}
		}
	}
	return t
}

// cut reads a reply into its layers. Reasoning and plans, which a critic is not
// shown, are left out where a raw reply still has them.
func cut(c arena.Case, raw string) *candidate {
	raw = strings.ToValidUTF8(raw, "\uFFFD")
	parsed := layers.Parse(raw, layers.Options{Name: c.Character, Dialect: layers.Auto})
	k := &candidate{raw: raw, dialect: parsed.Dialect}
	var speech, thoughts, actions, visible []string
	for _, s := range parsed.Segments {
		switch s.Layer {
		case layers.Speech:
			speech, visible = append(speech, s.Text), append(visible, s.Text)
			k.parts = append(k.parts, part{text: s.Text})
		case layers.Act:
			actions, visible = append(actions, s.Text), append(visible, s.Text)
			k.parts = append(k.parts, part{act: true, text: s.Text})
		case layers.Think:
			thoughts = append(thoughts, s.Text)
		}
	}
	k.acts = actions
	k.speech = strings.Join(speech, "\n")
	k.thoughts = strings.Join(thoughts, "\n")
	k.actions = strings.Join(actions, "\n")
	k.visible = strings.Join(visible, "\n")
	k.words = wordsOf(k.speech)
	k.sentences = sentencesOf(k.speech)
	return k
}

// homeScripts are the writing systems the scene is at home in: those of its
// language, and those that make up a twentieth of the context's letters.
func homeScripts(language, text string) map[script]bool {
	home := map[script]bool{}
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch base {
	case "":
	case "zh":
		home[han] = true
	case "ja":
		home[han], home[kana] = true, true
	case "ko":
		home[hangul] = true
	case "ru", "uk", "bg", "sr", "be", "mk":
		home[cyrillic] = true
	case "el":
		home[greek] = true
	case "ar", "fa", "ur":
		home[arabic] = true
	case "he":
		home[hebrew] = true
	case "hi", "mr", "ne":
		home[devanagari] = true
	case "th":
		home[thai] = true
	default:
		home[latin] = true
	}
	count, letters := map[script]int{}, 0
	for _, r := range text {
		if s := scriptOf(r); s != noScript {
			count[s]++
			letters++
		}
	}
	for s, n := range count {
		if n*20 >= letters {
			home[s] = true
		}
	}
	if home[kana] {
		home[han] = true
	}
	return home
}
