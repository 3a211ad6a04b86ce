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

// matches are all places of a needle in a text that grows: what was looked
// through is not looked through again. The zero value is ready.
type matches struct {
	text  string
	found [][2]int
	open  int // up to here more text changes nothing
}

// in returns every match in a text, none over another, at most limit. The slice
// is valid until the next call.
func (m *matches) in(n needle, text string, limit int) [][2]int {
	if len(text) < len(m.text) || text[:len(m.text)] != m.text {
		*m = matches{}
	}
	at := m.open
	for len(m.found) > 0 && (m.found[len(m.found)-1][0] >= m.open || len(m.found) > limit) {
		at = min(at, m.found[len(m.found)-1][0])
		m.found = m.found[:len(m.found)-1]
	}
	m.text, m.open = text, len(text)
	for len(m.found) < limit {
		from, to, short, ok := n.find(text, at)
		m.open = min(m.open, short)
		if !ok {
			return m.found
		}
		m.found = append(m.found, [2]int{from, to})
		if at = to; to == len(text) {
			m.open = min(m.open, from) // marks that follow are of the match
		}
	}
	m.open = min(m.open, at)
	return m.found
}

// next finds the needle in a text from a position on. Marks of Markdown within
// the match are passed over, any blanks stand for a space: what reads as one
// phrase is found as one.
func (n needle) next(text string, at int) (from, to int, ok bool) {
	from, to, _, ok = n.find(text, at)
	return from, to, ok
}

// find is next; short is where a place begins at which more text might make a
// match, the end of the text if there is none before the match.
func (n needle) find(text string, at int) (from, to, short int, ok bool) {
	short = len(text)
	if len(n) == 0 {
		return 0, 0, short, false
	}
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if oneCase(r) == n[0] {
			end, ok := n.here(text, at+size)
			if ok {
				return at, end, short, true
			}
			if end == len(text) {
				short = min(short, at)
			}
		}
		at += size
	}
	return 0, 0, short, false
}

// here reports whether the needle's rest stands at a position, and where it ends;
// where it does not, how far it was looked for: to the text's end if more text
// might be it.
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
					return at, false
				}
				blank = true
			} else if !passed(r) {
				break
			}
			at += size
		}
		if want == ' ' {
			if !blank {
				return at, false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || oneCase(r) != want {
			return at, false
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
