package library

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold makes texts equal that differ in case, accents, width and form alone.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < 0x80
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		case r == 'ø' || r == 'Ø':
			b.WriteByte('o')
		case r == 'ł' || r == 'Ł':
			b.WriteByte('l')
		case r == 'æ' || r == 'Æ':
			b.WriteString("ae")
		case r == 'ı':
			b.WriteByte('i')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
