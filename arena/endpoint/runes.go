package endpoint

import "unicode/utf8"

// joiner makes whole runes of text that arrives in pieces: a character cut
// between two pieces, or a surrogate pair whose halves came in two, is held back
// until the rest is there. What can never become a character turns into U+FFFD.
type joiner struct {
	held []byte
}

// join returns the text that is complete now. The result is valid UTF-8.
func (j *joiner) join(piece []byte) string {
	if len(j.held) == 0 && utf8.Valid(piece) {
		return string(piece)
	}
	b := append(j.held, piece...)
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		size, r := unit(b)
		if size == 0 {
			break
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	j.held = append(j.held[:0], b...)
	return string(out)
}

// flush returns what is still held back, as a replacement character.
func (j *joiner) flush() string {
	if len(j.held) == 0 {
		return ""
	}
	j.held = j.held[:0]
	return string(utf8.RuneError)
}

// unit reads one character from b; size 0 means that more bytes could still
// complete it.
func unit(b []byte) (size int, r rune) {
	if high, ok := surrogate(b); ok {
		return pair(b, high)
	}
	if b[0] == 0xED && len(b) < 3 && (len(b) == 1 || b[1] >= 0x80 && b[1] <= 0xBF) {
		return 0, 0
	}
	if !utf8.FullRune(b) {
		return 0, 0
	}
	r, size = utf8.DecodeRune(b)
	return size, r
}

// pair joins the half at the beginning of b with the one behind it.
func pair(b []byte, half rune) (size int, r rune) {
	if half >= 0xDC00 {
		return 3, utf8.RuneError
	}
	rest := b[3:]
	if low, ok := surrogate(rest); ok && low >= 0xDC00 {
		return 6, (half-0xD800)<<10 + (low - 0xDC00) + 0x10000
	}
	if len(rest) == 0 || len(rest) < 3 && rest[0] == 0xED && (len(rest) == 1 || rest[1] >= 0xB0) {
		return 0, 0
	}
	return 3, utf8.RuneError
}

// surrogate reads half a surrogate pair in its three-byte form.
func surrogate(b []byte) (rune, bool) {
	if len(b) < 3 || b[0] != 0xED || b[1] < 0xA0 || b[1] > 0xBF || b[2] < 0x80 || b[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), true
}
