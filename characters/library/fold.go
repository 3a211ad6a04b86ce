package library

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold makes texts equal that differ in case, accents, width and form alone.
func fold(s string) string {
	i := 0
	for i < len(s) && s[i] < 0x80 {
		i++
	}
	if i == len(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(strings.ToLower(s[:i]))
	for i < len(s) {
		if c := s[i]; c < 0x80 {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
			i++
			continue
		}
		// Marks are dropped, so that their order does not matter and each
		// character can be taken apart by itself.
		p := norm.NFKD.PropertiesString(s[i:])
		if parts := p.Decomposition(); parts != nil {
			for _, r := range string(parts) {
				foldRune(&b, r)
			}
		} else {
			for _, r := range s[i : i+max(1, p.Size())] {
				foldRune(&b, r)
			}
		}
		i += max(1, p.Size())
	}
	return b.String()
}

func foldRune(b *strings.Builder, r rune) {
	switch {
	case r >= 0x300 && unicode.Is(unicode.Mn, r):
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
