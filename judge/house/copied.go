package house

import "strings"

// How much of the context a sentence must share to be a copy: a whole sentence
// of so many words, or a run of so many words of the partner's last line.
const (
	copiedSentence = 5
	copiedRun      = 8
)

// keepSentences remembers sentences that a reply could copy.
func (s *scene) keepSentences(text string) {
	for _, sentence := range sentencesOf(text) {
		if p := plain(sentence); strings.Count(p, " ") >= copiedSentence-1 {
			s.copied[p] = true
		}
	}
}

// uncopied is a reply without the sentences that stand in the context already:
// what was copied is a flaw where it is one, and no merit besides. A reply
// without such sentences is returned as it is.
func (s *scene) uncopied(k *candidate) *candidate {
	asked := setOf(grams(wordsOf(s.last), copiedRun))
	some := false
	own := func(text string) string {
		rest, found := text, false
		for _, sentence := range sentencesOf(text) {
			if s.isCopy(sentence, asked) {
				rest, found = strings.Replace(rest, sentence, "", 1), true
			}
		}
		some = some || found
		return strings.TrimSpace(rest)
	}
	out := &candidate{raw: k.raw, dialect: k.dialect, thoughts: own(k.thoughts)}
	var speech, visible []string
	for _, p := range k.parts {
		p.text = own(p.text)
		if p.text == "" {
			continue
		}
		out.parts, visible = append(out.parts, p), append(visible, p.text)
		if p.act {
			out.acts = append(out.acts, p.text)
		} else {
			speech = append(speech, p.text)
		}
	}
	if !some {
		return k
	}
	out.speech = strings.Join(speech, "\n")
	out.actions = strings.Join(out.acts, "\n")
	out.visible = strings.Join(visible, "\n")
	out.words = wordsOf(out.speech)
	out.sentences = sentencesOf(out.speech)
	return out
}

func (s *scene) isCopy(sentence string, asked map[string]bool) bool {
	words := wordsOf(sentence)
	if len(words) >= copiedSentence && s.copied[strings.Join(words, " ")] {
		return true
	}
	for _, g := range grams(words, copiedRun) {
		if asked[g] {
			return true
		}
	}
	return false
}
