package rehearsal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pieces cuts a text the way a tokenizer would show it: words with the space
// before them, long words in parts, a rune each for Chinese, Japanese and
// Korean. Joined, the pieces are the text.
func pieces(text string) []string {
	var out []string
	for text != "" {
		n := pieceLen(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

const (
	wordPart  = 7 // letters of a word in one piece
	digitPart = 3
)

func pieceLen(s string) int {
	n := 0
	if s[0] == ' ' {
		n = 1
		if len(s) == 1 {
			return 1
		}
	}
	r, size := utf8.DecodeRuneInString(s[n:])
	switch {
	case isWide(r):
		return n + size
	case unicode.IsLetter(r):
		return n + runLen(s[n:], wordPart, func(r rune) bool { return unicode.IsLetter(r) && !isWide(r) || r == '\'' || r == '’' })
	case unicode.IsDigit(r):
		return n + runLen(s[n:], digitPart, unicode.IsDigit)
	}
	return n + size
}

func runLen(s string, limit int, ok func(rune) bool) int {
	n, count := 0, 0
	for n < len(s) && count < limit {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !ok(r) {
			break
		}
		n += size
		count++
	}
	return n
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// cut ends a text at the first stop string or after limit tokens (-1: none)
// and says why it ended.
func cut(text string, stops []string, limit int) ([]string, string) {
	end := len(text)
	for _, stop := range stops {
		if stop == "" {
			continue
		}
		if i := strings.Index(text, stop); i >= 0 && i < end {
			end = i
		}
	}
	toks := pieces(text[:end])
	if limit >= 0 && len(toks) > limit {
		return toks[:limit], "length"
	}
	return toks, "stop"
}
