package card

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 are the characters of bytes 0x80 to 0x9F; the rest of that
// encoding is Latin-1. Unassigned bytes stay C1 controls.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
}

// decodeText makes UTF-8 without a byte order mark of a text in whatever
// encoding it is.
func (r *reader) decodeText(data []byte) []byte {
	if text, ok := decodeUTF16(data); ok {
		r.warn("utf16", "", "the text is UTF-16; it was read as that")
		return text
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(data) {
		return data
	}
	r.warn("invalid_utf8", "", "the text is not UTF-8; it was read as Windows-1252, so check the accents")
	out := make([]byte, 0, len(data)+len(data)/4)
	for _, c := range data {
		switch {
		case c < 0x80:
			out = append(out, c)
		case c < 0xA0:
			out = utf8.AppendRune(out, windows1252[c-0x80])
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return out
}

// decodeUTF16 decodes UTF-16 with a byte order mark, or whose first character
// is one of JSON's.
func decodeUTF16(data []byte) ([]byte, bool) {
	if len(data) < 2 {
		return nil, false
	}
	var big bool
	switch {
	case data[0] == 0xFF && data[1] == 0xFE:
		data = data[2:]
	case data[0] == 0xFE && data[1] == 0xFF:
		big, data = true, data[2:]
	case data[0] == '{' && data[1] == 0, data[0] == '[' && data[1] == 0:
	case data[0] == 0 && (data[1] == '{' || data[1] == '['):
		big = true
	default:
		return nil, false
	}
	return utf16Text(data, big), true
}

func utf16Text(data []byte, big bool) []byte {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		lo, hi := data[i], data[i+1]
		if big {
			lo, hi = hi, lo
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	return []byte(string(utf16.Decode(units)))
}

// unsafeRune reports what must not reach a screen inside a name: controls,
// marks that turn the direction of writing, and characters without width that
// can make two names look the same. Joiners stay, since emoji and Indic
// scripts need them.
func unsafeRune(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0x061C:
		return true
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0x00AD, r == 0x180E, r == 0x2028, r == 0x2029, r == utf8.RuneError:
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F
}

// CleanName makes one line of a name that is safe on a terminal: escape
// sequences, controls, direction marks and characters without width go, runs
// of white space become one blank. It may be empty.
func CleanName(name string) string {
	var b strings.Builder
	blank := false
	for _, r := range stripEscapes(name) {
		if unicode.IsSpace(r) {
			blank = true
			continue
		}
		if unsafeRune(r) {
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

// stripEscapes takes terminal sequences out as a whole, so that their
// parameters do not stay behind as text.
func stripEscapes(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		kind := runes[i]
		if kind == 0x1B && i+1 < len(runes) {
			i++
			kind = runes[i] + 0x40
		}
		switch kind {
		case 0x9B:
			for i+1 < len(runes) && (runes[i+1] < 0x40 || runes[i+1] > 0x7E) && runes[i+1] >= 0x20 {
				i++
			}
			i++
		case 0x9D, 0x90, 0x98, 0x9E, 0x9F:
			for i+1 < len(runes) && runes[i+1] != 0x07 && runes[i+1] != 0x9C && runes[i+1] != 0x1B {
				i++
			}
			if i++; i+1 < len(runes) && runes[i] == 0x1B && runes[i+1] == '\\' {
				i++
			}
		default:
			b.WriteRune(runes[i])
		}
	}
	return b.String()
}

// CleanText takes out of a longer text what could drive a terminal or break a
// scene: controls other than line breaks and tabs.
func CleanText(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// reservedNames cannot be file names on Windows.
var reservedNames = [...]string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// maxFileName is the most bytes in a file name that FileName makes.
const maxFileName = 120

// FileName makes a name for a file, without an ending, that is safe on every
// system: no separators, no reserved names, at most 120 bytes.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, CleanName(name))
	name = strings.Trim(name, " .")
	for _, reserved := range reservedNames {
		if base, _, _ := strings.Cut(name, "."); strings.EqualFold(base, reserved) {
			name = "_" + name
		}
	}
	name = strings.TrimRight(clip(name, maxFileName), " .")
	if name == "" {
		return "character"
	}
	return name
}

// clip cuts a text to at most n bytes between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// stem is a file's name without its ending.
func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
