package library

import (
	"strings"
	"unicode"
)

// maxGuess is how many bytes of a text its language is guessed from.
const maxGuess = 4 << 10

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
		return byWords(text, []string{"ru", "uk"})
	case thai > latin:
		return "th"
	case arabic > latin:
		return "ar"
	case latin > 0:
		return byWords(text, []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl"})
	}
	return ""
}

// smallWords are frequent words that few other languages of the list have.
func smallWords(tag string) string {
	switch tag {
	case "en":
		return " the and of to is you with his her that from are was "
	case "de":
		return " der die und das ist nicht ein eine ich sie mit auf den dem du sich "
	case "fr":
		return " le les et est une des vous dans pour qui pas elle ne au avec "
	case "es":
		return " el los y es una las por con para su del se lo como "
	case "it":
		return " il e di che è una della non per gli sono con lei nel "
	case "pt":
		return " o os e é uma não em do da com para você ela ele seu "
	case "nl":
		return " de het een en van is niet op je zijn met hij ze dat "
	case "pl":
		return " i w nie na się jest z to do że jak ale po "
	case "ru":
		return " и в не на что он она с как это вы ты его "
	case "uk":
		return " і в не на що він вона з як це ви ти його та й "
	}
	return ""
}

func byWords(text string, tags []string) string {
	counts := make([]int, len(tags))
	lists := make([]string, len(tags))
	for i, tag := range tags {
		lists[i] = smallWords(tag)
	}
	words := 0
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words++; words > 400 {
			break
		}
		w = " " + w + " "
		for i, list := range lists {
			if strings.Contains(list, w) {
				counts[i]++
			}
		}
	}
	best, second := 0, -1
	for i := 1; i < len(counts); i++ {
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
	return tags[best]
}
