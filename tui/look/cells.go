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
		default:
			return ansi.StringWidth(s)
		}
	}
	return n
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
