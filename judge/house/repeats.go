package house

import "strings"

// repeatsItself finds the character's own earlier words.
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
