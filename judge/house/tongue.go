package house

import (
	"fmt"
	"strings"
	"sync"
)

// functionWords are the small words that give a language of Latin script away.
// Words that another of these languages has too are left out.
var functionWords = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for language, words := range map[string]string{
		"English":    `the and of with that this have has was were is are you your he she they his her their which would could should there what when where who not but from been`,
		"French":     `je vous nous elle ils elles mais avec dans pour pas une des les est sont était suis êtes avez avons cette ces qui c'est j'ai n'est qu'il d'une très où leur mes ses votre notre ceci cela`,
		"German":     `ich nicht und der das ist sie wir ihr ein eine einen einem einer dem den mit von auf für aber auch sind war haben habe wird sein kann noch schon doch wenn weil dass daß über euch mich dich`,
		"Spanish":    `yo usted nosotros ellos ellas pero con para los las una unos está están soy eres somos muy esto eso aquí qué cómo porque cuando donde también nada usted señor señora hay fue`,
		"Italian":    `io noi voi loro ma con gli della delle degli sono è sei siamo questo questa quello perché quando dove anche molto niente che non ho hai abbiamo signore signora nel nella`,
		"Portuguese": `eu você vocês nós eles elas mas com não são está estou uma uns muito isso isto aqui porque quando onde também nada senhor senhora foi dos das pelo pela`,
		"Dutch":      `ik niet het een en van ik jij wij zij maar met voor ook zijn was heb hebt heeft wordt kan nog wel als omdat dat dit deze naar mijn jouw onze`,
	} {
		for w := range strings.FieldsSeq(words) {
			if before, twice := m[w]; twice && before != language {
				m[w] = ""
			} else {
				m[w] = language
			}
		}
	}
	return m
})

// names under which settings speak of a language or its people.
func tongueNames() map[string][]string {
	return map[string][]string{
		"English": {"english", "england", "british", "london", "american"}, "French": {"french", "franc", "paris", "belgi", "swiss"},
		"German": {"german", "austria", "berlin", "vienna", "swiss"}, "Spanish": {"spanish", "spain", "spaniard", "mexic", "madrid", "argentin"},
		"Italian": {"italian", "italy", "rome", "roman", "venic", "venetian", "florenc"}, "Portuguese": {"portug", "brazil", "lisbon"},
		"Dutch": {"dutch", "holland", "netherland", "flemish"},
	}
}

// tongueOf names the language of a BCP 47 tag, "" for one not known here.
func tongueOf(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return map[string]string{"en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"}[base]
}

// tongue tells the language of a sentence in Latin script by its function words:
// three of them, a quarter of all words, and none of another language's. "" where
// it cannot tell.
func tongue(sentence string) string {
	words := wordsOf(sentence)
	count, best := map[string]int{}, ""
	for _, w := range words {
		if l := functionWords()[strings.ReplaceAll(w, "’", "'")]; l != "" {
			count[l]++
			best = l
		}
	}
	if len(count) != 1 || count[best] < 3 || count[best]*4 < len(words) {
		return ""
	}
	return best
}

// homeTongues are the languages of Latin script that the scene is told in, that
// someone in it has used, or that its settings speak of. It is empty where none
// can be told.
func (s *scene) homeTongues() map[string]bool {
	home := map[string]bool{}
	if l := tongueOf(s.c.Language); l != "" {
		home[l] = true
	}
	for _, sentence := range sentencesOf(s.all) {
		if l := tongue(sentence); l != "" {
			home[l] = true
		}
	}
	if len(home) == 0 {
		return home
	}
	for l, names := range tongueNames() {
		for word := range s.said {
			home[l] = home[l] || hasPrefix(word, names)
		}
	}
	return home
}

func hasPrefix(word string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}

// mixesTongues finds whole sentences in another language of Latin script.
//
// Proves: a sentence has three function words of one language that is neither
// the scene's, nor spoken in it, nor named in its settings, and none of another.
// Evidence: the sentences. English, French, German, Spanish, Italian, Portuguese
// and Dutch; where the scene's own language cannot be told it says nothing.
// Known false positives: a quotation or a character's mother tongue of which the
// settings say nothing.
func mixesTongues(s *scene, k *candidate) finding {
	if len(s.tongues) == 0 {
		return finding{}
	}
	var quotes []string
	foreign := ""
	for _, sentence := range sentencesOf(k.thoughts + "\n" + k.visible) {
		if l := tongue(sentence); l != "" && !s.tongues[l] && len(quotes) < enough {
			quotes, foreign = append(quotes, sentence), l
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.4+0.2*float64(len(quotes)), fmt.Sprintf("slips into %s", foreign), quotes...)
}
