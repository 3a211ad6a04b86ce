package characters

import (
	"strings"
	"unicode"
)

// ValidID reports whether id may name a scene: 1 to 64 lower-case ASCII
// letters, digits and dashes, neither first nor last a dash.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID || id[0] == '-' || id[len(id)-1] == '-' {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// maxID is the most bytes in an id.
const maxID = 64

// DeriveID makes an id of a title or a file name, "" if it has no letter or
// digit an id can hold.
func DeriveID(text string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
		default:
			dash = true
		}
		if b.Len() >= maxID-1 {
			break
		}
	}
	return b.String()
}
