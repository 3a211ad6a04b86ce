package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain wraps a paragraph of which isPlain is true.
func (y *layout) plain(lines []string, width int) []string {
	var rows []string
	for _, l := range lines {
		f := flow{width: width, marks: y.marks}
		f.feed(strings.Trim(l, " \t"), true)
		rows = append(rows, f.rows...)
	}
	return trimBlank(rows)
}

// isPlain reports whether a paragraph has no structure: nothing Markdown would
// treat other than as text, or pairs of asterisks that mean the same in every
// reading.
func isPlain(lines []string) bool {
	for _, l := range lines {
		if !plainLine(l) {
			return false
		}
	}
	return true
}

// plainLine reports whether Markdown has nothing to say about a line of a
// paragraph but, perhaps, simple emphasis.
func plainLine(line string) bool {
	if strings.ContainsAny(line, "_`[]<\\~|@") || strings.Contains(line, "://") || strings.Contains(line, "www.") {
		return false
	}
	trimmed := strings.Trim(line, " \t")
	if trimmed == "" {
		return true
	}
	if indentOf(line) >= 4 || strings.IndexByte(":>#", trimmed[0]) >= 0 ||
		strings.Trim(trimmed, "- \t") == "" || strings.Trim(trimmed, "= \t") == "" ||
		isItem(trimmed) || isRule(trimmed) {
		return false
	}
	for rest := trimmed; ; {
		_, after, found := strings.Cut(rest, "&")
		if !found {
			break
		}
		if after != "" && (after[0] == '#' || asciiWord(after[0])) {
			return false // perhaps an entity
		}
		rest = after
	}
	return strings.IndexByte(line, '*') < 0 || simpleStars(trimmed)
}

// simpleStars reports whether the asterisks of a line come in pairs of one or
// two, one pair after the other, that open and close under every rule of
// CommonMark 0.31 section 6.2: opening before an ASCII letter and behind a space
// or punctuation, closing behind a character and before a space or, if that
// character is no punctuation, before punctuation.
func simpleStars(line string) bool {
	open := 0
	for i := 0; i < len(line); i++ {
		if line[i] != '*' {
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '*' {
			n++
		}
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		after, _ := utf8.DecodeRuneInString(line[i+n:])
		starts, ends := i == 0, i+n == len(line)
		switch {
		case n > 2:
			return false
		case open == 0:
			if !(starts || before == ' ' || unicode.IsPunct(before)) || ends || after >= 0x80 || !wordByte(byte(after)) {
				return false
			}
			open = n
		case open == n:
			if starts || unicode.IsSpace(before) {
				return false
			}
			if !ends && after != ' ' && (!unicode.IsPunct(after) || wordLess(before)) {
				return false
			}
			open = 0
		default:
			return false
		}
		i += n - 1
	}
	return open == 0
}

func asciiWord(c byte) bool { return c < 0x80 && wordByte(c) }

// wordLess reports punctuation and symbols, on which readings differ.
func wordLess(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
