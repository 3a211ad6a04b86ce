package stage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle is what is searched for, prepared: in one case, with single spaces,
// without accents that stand apart.
type needle []rune

func newNeedle(query string) needle {
	var n needle
	for _, r := range strings.TrimLeft(query, " \t") {
		switch {
		case unicode.IsSpace(r):
			if len(n) > 0 && n[len(n)-1] != ' ' {
				n = append(n, ' ')
			}
		case unicode.Is(unicode.Mn, r) && len(n) > 0:
		default:
			n = append(n, oneCase(r))
		}
	}
	return n
}

// oneCase makes letters that differ in case alone the same.
func oneCase(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// next finds the needle in a text from a position on. Marks of Markdown within
// the match are passed over, any blanks stand for a space: what reads as one
// phrase is found as one.
func (n needle) next(text string, at int) (from, to int, ok bool) {
	if len(n) == 0 {
		return 0, 0, false
	}
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if oneCase(r) == n[0] {
			if end, ok := n.here(text, at+size); ok {
				return at, end, true
			}
		}
		at += size
	}
	return 0, 0, false
}

// here reports whether the needle's rest stands at a position.
func (n needle) here(text string, at int) (end int, ok bool) {
	for _, want := range n[1:] {
		blank := false
		for at < len(text) {
			r, size := utf8.DecodeRuneInString(text[at:])
			if oneCase(r) == want && want != ' ' {
				break
			}
			if unicode.IsSpace(r) {
				if want != ' ' {
					return 0, false
				}
				blank = true
			} else if !passed(r) {
				break
			}
			at += size
		}
		if want == ' ' {
			if !blank {
				return 0, false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || oneCase(r) != want {
			return 0, false
		}
		at += size
	}
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.Is(unicode.Mn, r) {
			break
		}
		at += size
	}
	return at, true
}

// passed reports what may stand within a match without being asked for.
func passed(r rune) bool {
	return r == '*' || r == '_' || r == '`' || unicode.Is(unicode.Mn, r) || r == 0x200d
}

// all returns every match in a text, none over another, at most limit.
func (n needle) all(text string, limit int) [][2]int {
	var out [][2]int
	for at := 0; len(out) < limit; {
		from, to, ok := n.next(text, at)
		if !ok {
			return out
		}
		out = append(out, [2]int{from, to})
		at = to
	}
	return out
}
