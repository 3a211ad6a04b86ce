package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// spaces is cut into padding.
const spaces = "                                                                                                                                "

// blank returns n spaces.
func blank(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(spaces):
		return spaces[:n]
	}
	return strings.Repeat(" ", n)
}

// Width returns the cells s takes on one line: grapheme clusters, with colour
// sequences counted as nothing. Tabs and other controls count as nothing too.
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f:
			n++
		case c == 0x1b && i+1 < len(s) && s[i+1] == '[':
			i += 2
			for i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) {
				if s[i] < 0x20 || s[i] > 0x7e {
					return ansi.StringWidth(s) // no plain sequence
				}
				i++
			}
		case i+1 < len(s) && ours(s[i:]) > 0:
			n++
			i += ours(s[i:]) - 1
		default:
			return ansi.StringWidth(s)
		}
	}
	return n
}

// ours returns the bytes of the glyph that s begins with, if it is one of those
// that the screens are drawn with and takes one cell whatever stands beside it;
// else 0. What may change its width by joining it is none of them, so that a
// text with such marks is measured by its clusters.
func ours(s string) int {
	switch {
	case s[0] == 0xc2 && s[1] == 0xb7: // ·
		return 2
	case s[0] != 0xe2 || len(s) < 3:
		return 0
	case s[1] == 0x94, s[1] == 0x95, s[1] == 0x96 && s[2] < 0xa0: // U+2500 to U+259F: lines, blocks
		return 3
	case s[1] == 0x96 && (s[2] == 0xb8 || s[2] == 0xbe): // ▸ ▾
		return 3
	case s[1] == 0x80 && (s[2] == 0x93 || s[2] == 0x99 || s[2] == 0x9c || s[2] == 0x9d || s[2] == 0xa6): // – ’ “ ” …
		return 3
	}
	return 0
}

// Pad makes s exactly w cells: spaces are added on the right, or what is too
// long is cut with an ellipsis. Line feeds are not looked for.
func Pad(s string, w int) string {
	n := Width(s)
	switch {
	case n == w:
		return s
	case n < w:
		return s + blank(w-n)
	}
	s = Truncate(s, w)
	return s + blank(w-Width(s)) // a wide character may leave a cell free
}

// Truncate cuts s to at most w cells, with an ellipsis where something was cut.
// Colour sequences behind the cut are kept, so that colours end.
func Truncate(s string, w int) string { return truncate(s, w, "…") }

// Truncate is the package's Truncate with the look's own ellipsis.
func (l *Look) Truncate(s string, w int) string { return truncate(s, w, l.Glyphs.More) }

// Pad is the package's Pad with the look's own ellipsis.
func (l *Look) Pad(s string, w int) string {
	if Width(s) > w {
		s = truncate(s, w, l.Glyphs.More)
	}
	return s + blank(w-Width(s))
}

func truncate(s string, w int, tail string) string {
	switch {
	case w <= 0:
		return ""
	case Width(s) <= w:
		return s
	}
	return ansi.Truncate(s, w, tail)
}
