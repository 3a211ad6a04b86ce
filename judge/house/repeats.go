package house

import (
	"slices"
	"strings"
)

// repeatsItself finds the character's own earlier words.
//
// Proves: a sentence of four words that stands in an own earlier line, or three
// in ten of all runs of five words.
// Evidence: the sentences. Any language.
// Known false positives: a refrain, an oath, a ritual.
func repeatsItself(s *scene, k *candidate) finding {
	var quotes []string
	for _, sentence := range sentencesOf(k.visible) {
		if p := plain(sentence); s.sayings[p] && strings.Count(p, " ") >= 3 {
			quotes = append(quotes, sentence)
		}
	}
	again, all := 0, grams(wordsOf(k.visible), run)
	for _, g := range all {
		if s.runs[g] {
			again++
		}
	}
	share := 0.0
	if len(all) > 0 {
		share = float64(again) / float64(len(all))
	}
	if len(quotes) == 0 && (share < 0.3 || again < 3) {
		return finding{}
	}
	if len(quotes) == 0 {
		quotes = append(quotes, k.visible)
	}
	return flaw(0.4+0.6*share, "repeats what the character has said before", quotes...)
}

// repeatsWithin finds the same words twice inside the reply.
//
// Proves: a sentence of four words twice, or a run of five words three times.
// Evidence: the words. Any language.
// Known false positives: a song, an incantation, a stammer.
func repeatsWithin(_ *scene, k *candidate) finding {
	var quotes []string
	count := map[string]int{}
	for _, sentence := range sentencesOf(k.visible) {
		p := plain(sentence)
		count[p]++
		if count[p] == 2 && strings.Count(p, " ") >= 3 {
			quotes = append(quotes, sentence)
		}
	}
	clear(count)
	looped := 0
	for _, g := range grams(wordsOf(k.visible), run) {
		count[g]++
		if count[g] == 3 {
			looped++
			if looped == 1 && len(quotes) == 0 {
				quotes = append(quotes, g)
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.4+0.1*float64(len(quotes)+looped), "says the same words over again within the reply", quotes...)
}

// parrots finds the partner's last line given back.
//
// Proves: a sentence of five words of the partner's last line, or eight words of
// it in a row.
// Evidence: the words. Any language.
// Known false positives: mockery by repetition.
func parrots(s *scene, k *candidate) finding {
	const long = 8 // words in a row that nobody repeats by chance
	var quotes []string
	for _, sentence := range k.sentences {
		if p := plain(sentence); s.asked[p] && strings.Count(p, " ") >= 4 {
			quotes = append(quotes, sentence)
		}
	}
	if len(quotes) == 0 {
		asked := setOf(grams(wordsOf(s.last), long))
		for _, g := range grams(k.words, long) {
			if asked[g] {
				quotes = append(quotes, g)
				break
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.4+0.2*float64(len(quotes)), "gives the partner's own line back", quotes...)
}

// sameFrame finds a reply that begins with the gesture, or ends with the words,
// of the character's last turns.
//
// Proves: the first three words of the opening action are those of the last
// turn's opening action, or its first word has begun the last two turns and
// begins this one; or the last four words spoken are those with which one of the
// last three turns ended. Chinese counts letters, twice as many.
// Evidence: both places.
// Known false positives: a refrain, a tic that the settings ask for. A weak
// signal: it is measured, not an error.
func sameFrame(s *scene, k *candidate) finding {
	var own []turn
	for i := len(s.turns) - 1; i >= 0 && len(own) < 3; i-- {
		if s.turns[i].own {
			own = append(own, s.turns[i])
		}
	}
	if len(own) == 0 {
		return finding{}
	}
	var quotes []string
	now := k.turn(true)
	if words, before := wordsOf(now.opening), wordsOf(own[0].opening); len(words) > 0 {
		switch n := span(words, 3); {
		case len(words) >= n && len(before) >= n && slices.Equal(words[:n], before[:n]):
			quotes = append(quotes, now.opening, own[0].opening)
		case !isWordless(words[0]) && len(own) > 1 && beginsWith(before, words[0]) && beginsWith(wordsOf(own[1].opening), words[0]):
			quotes = append(quotes, now.opening, own[0].opening, own[1].opening)
		}
	}
	if n := span(k.words, 4); len(k.words) > n {
		for _, t := range own {
			if words := wordsOf(t.speech); len(words) > n && slices.Equal(words[len(words)-n:], k.words[len(k.words)-n:]) {
				quotes = append(quotes, strings.Join(k.words[len(k.words)-n:], spaced(k.words)))
				break
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.2+0.1*float64(len(quotes)), "begins or ends as the character's last turns did", unique(quotes)...)
}

// span is a number of words, doubled where words are single letters.
func span(words []string, n int) int {
	if len(words) > 0 && isWordless(words[len(words)-1]) {
		return 2 * n
	}
	return n
}

func spaced(words []string) string {
	if isWordless(words[len(words)-1]) {
		return ""
	}
	return " "
}

func beginsWith(words []string, first string) bool { return len(words) > 0 && words[0] == first }
