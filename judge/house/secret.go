package house

import (
	"strings"
)

// secret is a thought of somebody else in the scene.
type secret struct {
	text  string
	words []string // content words that nothing visible has
	runs  []string // runs of four words that nothing visible has
}

const secretRun = 4

// keepSecrets collects what only others think. The settings count as visible:
// they tell the player about everyone, and what they say is no secret.
func (s *scene) keepSecrets() {
	any := false
	for _, t := range s.turns {
		any = any || !t.own && t.thoughts != ""
	}
	if !any {
		return
	}
	open := []string{s.system, strings.Join(s.names, "\n"), s.c.Character}
	for _, t := range s.turns {
		open = append(open, t.visible)
		if t.own {
			open = append(open, t.thoughts)
		}
	}
	text := strings.Join(open, "\n")
	known, runs := setOf(contentOf(text)), setOf(grams(wordsOf(text), secretRun))
	for _, t := range s.turns {
		if t.own {
			continue
		}
		for _, sentence := range sentencesOf(t.thoughts) {
			x := secret{text: sentence}
			for _, w := range contentOf(sentence) {
				if !known[w] {
					x.words = append(x.words, w)
				}
			}
			for _, g := range grams(wordsOf(sentence), secretRun) {
				if !runs[g] && holdsContent(g) {
					x.runs = append(x.runs, g)
				}
			}
			if len(x.words) > 0 {
				s.secrets = append(s.secrets, x)
			}
		}
	}
}

// holdsContent tells whether a run has at least two content words, so that "I
// do not know" is nobody's secret.
func holdsContent(run string) bool { return len(contentOf(run)) >= 2 }

// knowsThoughts finds a reply that uses what only somebody else has thought.
//
// Proves: one sentence of the reply has three content words, and half of all,
// that stand in one sentence of another's thoughts and nowhere else in the
// scene; or it repeats four words in a row of it with a content word that is
// nowhere else.
// Evidence: the sentence and the thought.
// Known false positives: a guess that hits; words that both draw from a book
// which the settings do not quote. Thoughts that a critic is not shown are not
// looked for.
func knowsThoughts(s *scene, k *candidate) finding {
	if len(s.secrets) == 0 {
		return finding{}
	}
	var quotes []string
	for _, sentence := range sentencesOf(k.visible) {
		words, text := setOf(contentOf(sentence)), " "+plain(sentence)+" "
		for _, x := range s.secrets {
			if len(quotes) < enough && x.shownIn(words, text) {
				quotes = append(quotes, sentence, x.text)
				break
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.5+0.1*float64(len(quotes)), "uses what only another's thoughts hold ("+countOf(len(quotes)/2, "sentence")+")", quotes...)
}

func (x secret) shownIn(words map[string]bool, text string) bool {
	shared := 0
	for _, w := range x.words {
		if words[w] {
			shared++
		}
	}
	if shared >= 3 && shared*2 >= len(x.words) {
		return true
	}
	if shared == 0 {
		return false
	}
	for _, g := range x.runs {
		if strings.Contains(text, " "+g+" ") {
			return true
		}
	}
	return false
}
