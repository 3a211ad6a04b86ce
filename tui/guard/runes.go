package guard

import (
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many zero-width runes, and how many spacing marks, may follow
// one visible character. Scripts in use need at most four.
const maxMarks = 4

// kind is what a rune does to a line of text.
type kind uint8

const (
	shown    kind = iota // takes a cell or more
	mark                 // zero-width, belongs to the rune before
	widening             // spacing mark, belongs to the rune before
	gone                 // dropped
	replaced             // becomes U+FFFD
	breaks               // becomes a line feed
	blank                // becomes a space
)

// text takes one rune outside of any sequence.
func (m *machine) text(r rune) {
	if r == '\n' && m.cr {
		m.cr = false
		return
	}
	m.cr = r == '\r'
	if r >= 0x20 && r < 0x7f {
		m.show(r)
		return
	}
	switch r {
	case 0x1b:
		m.enter(escape)
		return
	case 0x9b:
		m.enter(csi)
		return
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		m.enter(str)
		return
	case '\t':
		if m.exit {
			r = ' '
		}
		m.out = append(m.out, byte(r))
		m.visible, m.marks, m.spacing = false, 0, 0
		return
	}
	switch classify(r) {
	case shown:
		m.show(r)
	case mark:
		if m.visible && m.marks < maxMarks {
			m.marks++
			m.out = utf8.AppendRune(m.out, r)
		}
	case widening:
		if m.visible && m.spacing < maxMarks {
			m.spacing++
			m.out = utf8.AppendRune(m.out, r)
		}
	case replaced:
		m.show(utf8.RuneError)
	case breaks:
		m.out = append(m.out, '\n')
		m.visible, m.marks, m.spacing = false, 0, 0
	case blank:
		m.show(' ')
	case gone:
	}
}

// show writes a visible rune.
func (m *machine) show(r rune) {
	m.out = utf8.AppendRune(m.out, r)
	m.visible, m.marks, m.spacing = true, 0, 0
}

// classify tells what becomes of a rune that is not printable ASCII and begins
// no sequence. The named ranges are those of Unicode 15 that draw nothing
// although their category would let them pass.
func classify(r rune) kind {
	switch {
	case r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return breaks
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return gone
	case r < 0x300 && r != 0xad:
		return shown
	case r == 0x200c || r == 0x200d || r == 0xfe0e || r == 0xfe0f:
		return mark
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return replaced
	case r == 0x2800:
		return blank
	case r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef:
		return replaced
	case ignorable(r):
		return gone
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		return mark
	case unicode.Is(unicode.Mc, r):
		return widening
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return gone
	}
	return shown
}

// ignorable lists what draws nothing: fillers, selectors, tags, unassigned
// default-ignorable code points.
func ignorable(r rune) bool {
	switch {
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // CGJ, Hangul fillers
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		r >= 0x180b && r <= 0x180f, // Mongolian selectors
		r == 0x2065,
		r >= 0xfe00 && r <= 0xfe0d, // VS1 to VS14
		r >= 0xfff0 && r <= 0xfff8,
		r >= 0xe0000 && r <= 0xe0fff: // tags, VS17 and up
		return true
	}
	return false
}
