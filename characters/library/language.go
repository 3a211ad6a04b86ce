package library

import (
	"math/bits"
	"strings"
	"unicode"
)

// maxGuess is how many bytes of a text its language is guessed from.
const maxGuess = 2 << 10

// language guesses the language of a text: by its script, and in Latin and
// Cyrillic letters by small words that every text of some length has. It is ""
// where that is not clear.
func language(text string) string {
	if len(text) > maxGuess {
		text = strings.ToValidUTF8(text[:maxGuess], "")
	}
	var kana, han, hangul, cyrillic, thai, arabic, latin int
	for _, r := range text {
		switch {
		case r < 0x80:
			if c := r | 0x20; c >= 'a' && c <= 'z' {
				latin++
			}
		case r < 0x250:
			latin++
		case r >= 0x0400 && r < 0x0530:
			cyrillic++
		case r >= 0x0600 && r < 0x0700:
			arabic++
		case r >= 0x0E00 && r < 0x0E80:
			thai++
		case r >= 0x3040 && r < 0x3100:
			kana++
		case r >= 0xAC00 && r < 0xD7B0:
			hangul++
		case unicode.Is(unicode.Han, r):
			han++
		}
	}
	// A sign without an alphabet says as much as several letters.
	east := 3 * (kana + han + hangul)
	switch {
	case east > latin && hangul > han+kana:
		return "ko"
	case east > latin && kana*8 > han:
		return "ja"
	case east > latin && han > 0:
		return "zh"
	case cyrillic > latin:
		return byWords(text, russian, ukrainian)
	case thai > latin:
		return "th"
	case arabic > latin:
		return "ar"
	case latin > 0:
		return byWords(text, english, polish)
	}
	return ""
}

// The languages that are told by their small words. A set of them is a bit each.
const (
	english = iota
	german
	french
	spanish
	italian
	portuguese
	dutch
	polish
	russian
	ukrainian
	languages
)

func languageTag(n int) string {
	return [languages]string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk"}[n]
}

// smallWord returns the languages in which a word is among the most frequent.
func smallWord(w string) (set uint16) {
	switch w {
	case "the", "and", "of", "you", "with", "his", "her", "that", "from", "are", "was":
		return 1 << english
	case "to":
		return 1<<english | 1<<polish
	case "is":
		return 1<<english | 1<<dutch
	case "der", "die", "und", "das", "ist", "nicht", "ein", "eine", "ich", "sie", "mit", "auf", "den", "dem", "du", "sich":
		return 1 << german
	case "le", "les", "et", "est", "une", "des", "vous", "dans", "pour", "qui", "pas", "elle", "ne", "au", "avec":
		return 1 << french
	case "el", "los", "y", "es", "las", "por", "su", "del", "se", "lo", "como":
		return 1 << spanish
	case "una", "con":
		return 1<<spanish | 1<<italian
	case "para":
		return 1<<spanish | 1<<portuguese
	case "il", "di", "che", "è", "della", "non", "per", "gli", "sono", "lei", "nel":
		return 1 << italian
	case "e":
		return 1<<italian | 1<<portuguese
	case "o", "os", "é", "uma", "não", "em", "da", "com", "você", "ela", "ele", "seu":
		return 1 << portuguese
	case "do":
		return 1<<portuguese | 1<<polish
	case "de", "het", "een", "en", "van", "niet", "op", "je", "zijn", "met", "hij", "ze", "dat":
		return 1 << dutch
	case "i", "w", "nie", "na", "się", "jest", "z", "że", "jak", "ale", "po":
		return 1 << polish
	case "и", "что", "он", "она", "с", "как", "это", "вы", "ты", "его":
		return 1 << russian
	case "в", "не", "на":
		return 1<<russian | 1<<ukrainian
	case "і", "що", "він", "вона", "з", "як", "це", "ви", "ти", "його", "та", "й":
		return 1 << ukrainian
	}
	return 0
}

// byWords picks the language from one to another whose small words a text has,
// "" where none or more than one fits.
func byWords(text string, from, to int) string {
	var counts [languages]int
	words := 0
	for rest := strings.ToLower(text); rest != "" && words < 400; {
		var w string
		if w, rest = nextWord(rest); w == "" {
			break
		}
		words++
		for set := smallWord(w); set != 0; set &= set - 1 {
			counts[bits.TrailingZeros16(set)]++
		}
	}
	best, second := from, -1
	for i := from + 1; i <= to; i++ {
		switch {
		case counts[i] > counts[best]:
			best, second = i, best
		case second < 0 || counts[i] > counts[second]:
			second = i
		}
	}
	if counts[best] < 2 || counts[best]*20 < words || second >= 0 && counts[second]*4 > counts[best]*3 {
		return ""
	}
	return languageTag(best)
}

// nextWord takes the first run of letters off a text.
func nextWord(text string) (word, rest string) {
	start := -1
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 0x80 && unicode.IsLetter(r)
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			return text[start:i], text[i:]
		}
	}
	if start < 0 {
		return "", ""
	}
	return text[start:], ""
}
