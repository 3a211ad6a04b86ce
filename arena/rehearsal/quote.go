package rehearsal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	wholeWords = 9  // most words of a clause that is quoted whole
	quoteWords = 7  // most words of a part of one
	quoteRunes = 14 // most runes of a Chinese quotation
)

// quote chooses words of a line that can stand in quotation marks, and one
// word that carries meaning. Both are empty where nothing lends itself.
func (e *ear) quote(line string) (quote, word string) {
	if mostlyHan(line) {
		return quoteHan(line)
	}
	best, bestScore := "", -1
	for _, clause := range clauses(line) {
		q := e.excerpt(strings.Fields(clause))
		if len(q) == 0 {
			continue
		}
		// A mere form of address is the last thing to quote; of clauses that
		// say as much, the longer is the better handle.
		score := 10*e.weight(q) + len(q)
		if allNames(q) {
			score = 0
		}
		if score > bestScore {
			best, bestScore = strings.Join(q, " "), score
		}
	}
	return e.lowerFirst(best), e.heaviest(line)
}

// allNames holds for clauses like "Miss Bennet" and "Captain".
func allNames(words []string) bool {
	for _, w := range words {
		if !startsUpper(w) || w == "I" {
			return false
		}
	}
	return len(words) > 1
}

// excerptDeed takes the beginning of what was done, as a whole when short.
func (e *ear) excerptDeed(deed string) string {
	const most = 12
	if mostlyHan(deed) {
		q, _ := quoteHan(deed)
		return q
	}
	words := strings.Fields(deed)
	if len(words) > most {
		words = e.trimJoints(words[:most])
	}
	return strings.TrimRight(strings.Join(words, " "), ".,;:!?")
}

// clauses parts a line at its marks.
func clauses(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool {
		return strings.ContainsRune(".,;:!?…—()[]{}<>*\"“”\n\uff0c\u3002\uff1f\uff01\uff1b\u3001\uff1a", r)
	})
}

// excerpt takes a clause whole when short, else its end from the last joint
// that leaves a few words, else its last words.
func (e *ear) excerpt(words []string) []string {
	for len(words) > 1 && e.cues.leads[strings.ToLower(words[0])] {
		words = words[1:]
	}
	if len(words) <= wholeWords {
		return words
	}
	words = e.trimJoints(words)
	for from := len(words) - 2; from >= len(words)-quoteWords; from-- {
		if e.cues.joints[strings.ToLower(words[from])] && len(words)-from >= 3 {
			tail := e.trimJoints(words[from:])
			if e.weight(tail) > 0 {
				return tail
			}
		}
	}
	for from := 2; from < quoteWords+1; from++ {
		if e.cues.joints[strings.ToLower(words[from])] && from >= 3 {
			return words[:from]
		}
	}
	return nil
}

// trimJoints drops words like "and" and "but" from the front and small words
// that cannot end a phrase from the back.
func (e *ear) trimJoints(words []string) []string {
	for len(words) > 1 && e.cues.leads[strings.ToLower(words[0])] {
		words = words[1:]
	}
	for len(words) > 1 && e.cues.danglers[strings.ToLower(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	return words
}

// weight counts the words of a phrase that are not mere grammar.
func (e *ear) weight(words []string) int {
	n := 0
	for _, w := range words {
		if low := plainWords(w); len(low) > 2 && !e.cues.own[low] {
			n++
		}
	}
	return n
}

// heaviest returns the longest word that is not grammar; the later one counts
// where two are equally long.
func (e *ear) heaviest(line string) string {
	best := ""
	for _, w := range strings.Fields(plainWords(line)) {
		w = strings.Trim(w, "'")
		if len(w) > 3 && len(w) <= 24 && !e.cues.own[w] && !strings.Contains(w, "'") && len(w) >= len(best) {
			best = w
		}
	}
	return best
}

// lowerFirst takes the capital from a phrase's first word unless it is "I" or
// part of a name.
func (e *ear) lowerFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if first == "I" || strings.HasPrefix(first, "I'") || strings.HasPrefix(first, "I’") {
		return s
	}
	for _, n := range e.names {
		for _, part := range strings.Fields(n) {
			if first == part && !e.cues.own[strings.ToLower(part)] {
				return s
			}
		}
	}
	// "Miss Bennet", "Mr Darcy", "John and I" keep theirs.
	if _, rest, _ := strings.Cut(s, " "); startsUpper(rest) && !strings.HasPrefix(rest, "I ") && !e.cues.own[strings.ToLower(first)] {
		return s
	}
	if len(first) > 1 && strings.ToUpper(first) == first {
		return s
	}
	return mapFirst(s, unicode.ToLower)
}

func upperFirst(s string) string { return mapFirst(s, unicode.ToUpper) }

func mapFirst(s string, f func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(f(r)) + s[size:]
}

func quoteHan(line string) (quote, word string) {
	best := ""
	for _, c := range clauses(line) {
		c = strings.TrimSpace(c)
		n, b := len([]rune(c)), len([]rune(best))
		if !hasLetters(c) {
			continue
		}
		if b == 0 || n <= quoteRunes && (b > quoteRunes || n > b) {
			best = c
		}
	}
	if r := []rune(best); len(r) > quoteRunes {
		best = string(r[:quoteRunes-2]) + "……"
	}
	return best, ""
}
