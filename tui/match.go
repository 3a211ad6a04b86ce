package tui

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hit is an item that matches, and how well.
type hit struct{ at, score int }

type ranked []hit

// sort puts the best first; equals stay in their order.
func (r ranked) sort() {
	slices.SortStableFunc(r, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
}

// match reports whether all words of a query are found in a text or in what
// else may be searched, and how well: at the beginning of a word is best, within
// one less, and its letters in a row with gaps least.
func match(query, text, also string) (score int, ok bool) {
	text, also = strings.ToLower(text), strings.ToLower(also)
	for _, word := range strings.Fields(strings.ToLower(query)) {
		s := max(2*closeness(word, text), closeness(word, also))
		if s == 0 {
			return 0, false
		}
		score += s
	}
	return score, true
}

// closeness is 0 where a word is not in a text at all.
func closeness(word, text string) int {
	if i := strings.Index(text, word); i >= 0 {
		best := 60
		for ; i >= 0 && i < len(text); i = next(text, word, i) {
			if i == 0 {
				return 100
			}
			if before, _ := utf8.DecodeLastRuneInString(text[:i]); !unicode.IsLetter(before) {
				best = 90
			}
		}
		return best
	}
	return gapped(word, text)
}

func next(text, word string, i int) int {
	if j := strings.Index(text[i+1:], word); j >= 0 {
		return i + 1 + j
	}
	return -1
}

// gapped finds the letters of a word one behind the other; the fewer gaps the
// better. Letters strewn over a sentence are no match.
func gapped(word, text string) int {
	gaps, last := 0, -1
	rest, at := text, 0
	for _, r := range word {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return 0
		}
		if last >= 0 && at+i > last {
			gaps += at + i - last
		}
		_, size := utf8.DecodeRuneInString(rest[i:])
		at += i + size
		rest, last = rest[i+size:], at
	}
	if gaps > utf8.RuneCountInString(word) {
		return 0
	}
	return max(30-gaps, 1)
}
