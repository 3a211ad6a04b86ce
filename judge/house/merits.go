package house

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

func merit(amount float64, note string, quotes ...string) finding {
	return finding{amount: max(0, min(1, amount)), note: note, quotes: quotes}
}

// answers measures whether a reply takes up what the partner just said.
//
// Measures: content words of the partner's line that the reply has as well.
// Evidence: the words. English by stems, Chinese by pairs of letters, others by
// whole words.
// Known mistakes: an answer in other words is not seen.
func answers(s *scene, k *candidate) finding {
	said := setOf(contentOf(k.visible + "\n" + k.thoughts))
	var shared []string
	for _, w := range s.heard {
		if said[w] {
			shared = append(shared, w)
		}
	}
	if len(shared) == 0 {
		return merit(0, "takes up no word of the partner's line")
	}
	want := min(3, max(1, len(s.heard)/2))
	return merit(float64(len(shared))/float64(want), "takes up what the partner said", written(k.visible+"\n"+k.thoughts, shared)...)
}

// thinks measures whether there is a first-person thought tied to the scene.
//
// Measures: a thought that is marked as one; in the first person; with a content
// word of the scene.
// Evidence: the thought. Eleven languages' words for "I".
// Known mistakes: a thought can be empty and in the first person.
func thinks(s *scene, k *candidate) finding {
	if k.thoughts == "" {
		return merit(0, "shows no thought")
	}
	if plain(k.thoughts) == plain(k.speech) {
		return merit(0.2, "thinks only what it says", k.thoughts)
	}
	if !firstPerson(k.thoughts) {
		if whole(strings.ToLower(k.thoughts), strings.ToLower(s.c.Character)) {
			return merit(0.3, "thinks about the character from outside", k.thoughts)
		}
		return merit(0.7, "thinks without saying I", k.thoughts)
	}
	for _, w := range contentOf(k.thoughts) {
		if s.said[w] {
			return merit(1, "thinks in the first person about this scene", k.thoughts)
		}
	}
	return merit(0.8, "thinks in the first person", k.thoughts)
}

func firstPerson(text string) bool {
	for _, w := range wordsOf(text) {
		w, _, _ = strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
		switch w {
		case "i", "me", "my", "mine", "myself", "we", "us", "our",
			"我", "俺", "咱", "吾", "私", "僕", "ich", "mich", "mir", "mein", "je", "moi", "mon", "ma", "yo", "mi", "io", "я", "мне", "меня", "나", "내":
			return true
		}
		for _, me := range []string{"나", "내", "저", "제"} { // with a particle behind
			if rest, ok := strings.CutPrefix(w, me); ok && (rest == "는" || rest == "가" || rest == "를" || rest == "의" || rest == "도" || rest == "만" || rest == "에게" || rest == "") {
				return true
			}
		}
	}
	return false
}

// acts measures whether the character does something.
//
// Measures: words marked as action: none, under three, more.
// Evidence: the action. Any language.
// Known mistakes: a plain dialect marks none.
func acts(_ *scene, k *candidate) finding {
	n := length(k.actions)
	switch {
	case n == 0:
		return merit(0, "shows no action")
	case n < 3:
		return merit(0.7, "acts", k.actions)
	}
	return merit(1, "acts", k.actions)
}

// movesOn measures how much of the reply is new to the scene.
//
// Measures: content words that the context does not have, and their share.
// Evidence: the words. English by stems, Chinese by pairs of letters, others by
// whole words.
// Known mistakes: new words are not yet a new event.
func movesOn(s *scene, k *candidate) finding {
	words := contentOf(k.visible)
	var fresh []string
	for _, w := range words {
		if !s.said[w] {
			fresh = append(fresh, w)
		}
	}
	if len(fresh) == 0 {
		return merit(0, "brings nothing new")
	}
	share := float64(len(fresh)) / float64(len(words))
	// A Chinese word of two letters gives up to two pairs.
	full := 8.0
	if isPair(fresh[0]) {
		full = 14
	}
	return merit(math.Min(1, float64(len(fresh))/full)*(0.5+share/2), brings(len(fresh)), written(k.visible, fresh)...)
}

func isPair(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return n < len(w) && wordless(scriptOf(r))
}

// varies measures the variety of sentences: their lengths, openings and kinds.
//
// Measures: the share of different first words, the spread of lengths, the kinds
// of final marks.
// Evidence: the counts. Any language.
// Known mistakes: variety can be restlessness.
func varies(_ *scene, k *candidate) finding {
	n := len(k.sentences)
	if n < 2 {
		return merit(0.3, "has one sentence at most")
	}
	openings, kinds := map[string]bool{}, map[rune]bool{}
	mean, square := 0.0, 0.0
	for _, s := range k.sentences {
		words := wordsOf(s)
		openings[words[0]] = true
		r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "\"”’' "))
		kinds[r] = true
		l := float64(len(words))
		mean += l / float64(n)
		square += l * l / float64(n)
	}
	spread := math.Sqrt(math.Max(0, square-mean*mean)) / math.Max(1, mean)
	amount := 0.5*float64(len(openings))/float64(n) + 0.3*math.Min(1, spread/0.5) + 0.2*math.Min(1, float64(len(kinds)-1))
	return merit(amount, "has "+countOf(n, "sentence")+" with "+countOf(len(openings), "different opening"))
}

// namesRight measures whether the people of the scene are called by their names.
//
// Measures: a name of the scene, whole or in part, among the visible words.
// Evidence: the name. Any language.
// Known mistakes: intimates need no names.
func namesRight(s *scene, k *candidate) finding {
	text := strings.ToLower(k.visible)
	for _, name := range s.names {
		if whole(text, strings.ToLower(name)) {
			return merit(1, "calls somebody by name", name)
		}
	}
	for _, name := range s.names {
		for _, part := range strings.Fields(name) {
			if len(part) >= 3 && !isTitle(part) && whole(text, strings.ToLower(part)) {
				return merit(0.8, "calls somebody by name", part)
			}
		}
	}
	return merit(0, "calls nobody by name")
}

// isTitle is a word that is in many names and is none.
func isTitle(word string) bool {
	switch strings.ToLower(strings.Trim(word, ".")) {
	case "the", "mrs", "miss", "lady", "lord", "sir", "captain", "doctor", "old", "young", "user", "system":
		return true
	}
	return false
}

// whole tells whether a name stands in a text and is not part of a longer word.
func whole(text, name string) bool {
	for at := 0; name != ""; {
		n := strings.Index(text[at:], name)
		if n < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+n])
		after, _ := utf8.DecodeRuneInString(text[at+n+len(name):])
		if !alphabetic(before) && !alphabetic(after) {
			return true
		}
		at += n + len(name)
	}
	return false
}

func alphabetic(r rune) bool {
	s := scriptOf(r)
	return s != noScript && !wordless(s)
}

// fitsProfile measures how much of the character's own world is in the reply.
//
// Measures: content words of the settings in the reply that the partner's line
// does not have.
// Evidence: the words. English by stems, Chinese by pairs of letters, others by
// whole words.
// Known mistakes: reciting one's own profile counts as drawing on it.
func fitsProfile(s *scene, k *candidate) finding {
	heard := setOf(s.heard)
	var own []string
	for _, w := range contentOf(k.visible + "\n" + k.thoughts) {
		if s.profile[w] && !heard[w] {
			own = append(own, w)
		}
	}
	if len(own) == 0 {
		return merit(0, "draws on nothing of the character's settings")
	}
	return merit(float64(len(own))/4, "draws on the character's settings", written(k.visible+"\n"+k.thoughts, own)...)
}

// fitsTurn measures whether the reply has the length of a turn of talk.
//
// Measures: the visible words: full marks from 12 to 160.
// Evidence: the count. Any language.
// Known mistakes: one word may be the best answer.
func fitsTurn(_ *scene, k *candidate) finding {
	n := length(k.visible)
	note := "has " + countOf(n, "visible word")
	switch {
	case n < 12:
		return merit(float64(n)/12, note)
	case n <= 160:
		return merit(1, note)
	}
	return merit(1-float64(n-160)/240, note)
}

// brings says how many words of a reply are new.
func brings(n int) string {
	if n == 1 {
		return "brings 1 word that is new to the scene"
	}
	return fmt.Sprintf("brings %d words that are new to the scene", n)
}
