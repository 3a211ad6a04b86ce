package endpoint

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// cursor walks over JSON without building it. It takes more than the standard
// allows (raw control characters in strings, a comma too many) because servers
// send more. Nothing in it recurses, so depth costs no stack.
type cursor struct {
	b []byte
	i int
}

// space skips white space; control characters between values count as such.
func (c *cursor) space() {
	for c.i < len(c.b) && c.b[c.i] <= ' ' {
		c.i++
	}
}

// next returns the first byte of what follows the white space, 0 at the end.
func (c *cursor) next() byte {
	c.space()
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

// take consumes one byte of punctuation if it comes next.
func (c *cursor) take(b byte) bool {
	if c.next() != b || c.i == len(c.b) {
		return false
	}
	c.i++
	return true
}

// quoted returns the inside of the string that comes next, escapes unresolved.
func (c *cursor) quoted() ([]byte, bool) {
	if !c.take('"') {
		return nil, false
	}
	start := c.i
	for {
		n := bytes.IndexByte(c.b[c.i:], '"')
		if n < 0 {
			return nil, false
		}
		end := c.i + n
		c.i = end + 1
		slashes := 0
		for end-slashes > start && c.b[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return c.b[start:end], true
		}
	}
}

// members calls on for each key of the object that comes next; on must consume
// the value. It reports whether the object was whole.
func (c *cursor) members(on func(key []byte) bool) bool {
	if !c.take('{') {
		return false
	}
	for first := true; ; first = false {
		if c.take('}') {
			return true
		}
		if !first && !c.take(',') {
			return false
		}
		if c.take('}') {
			return true
		}
		key, ok := c.quoted()
		if ok && bytes.IndexByte(key, '\\') >= 0 {
			key = unescaped(key)
		}
		if !ok || !c.take(':') || !on(key) {
			return false
		}
	}
}

// elements calls on for each element of the array that comes next; on must
// consume it.
func (c *cursor) elements(on func() bool) bool {
	if !c.take('[') {
		return false
	}
	for first := true; ; first = false {
		if c.take(']') {
			return true
		}
		if !first && !c.take(',') {
			return false
		}
		if c.take(']') {
			return true
		}
		if !on() {
			return false
		}
	}
}

// skip passes over the value that comes next.
func (c *cursor) skip() bool {
	switch c.next() {
	case '"':
		_, ok := c.quoted()
		return ok
	case '{', '[':
		return c.skipNested()
	}
	_, ok := c.literal()
	return ok
}

func (c *cursor) skipNested() bool {
	depth := 0
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case '"':
			if _, ok := c.quoted(); !ok {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.i++
		if depth == 0 {
			return true
		}
	}
	return false
}

// literal returns the number or word that comes next.
func (c *cursor) literal() ([]byte, bool) {
	c.space()
	start := c.i
	for c.i < len(c.b) {
		b := c.b[c.i]
		if b != '+' && b != '-' && b != '.' && (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'z') {
			break
		}
		c.i++
	}
	word := c.b[start:c.i]
	if len(word) == 0 {
		return nil, false
	}
	switch word[0] {
	case 'n', 't', 'f', 'N', 'T', 'F', 'I', '-', '+':
		return word, true
	}
	return word, word[0] >= '0' && word[0] <= '9'
}

// number reads a number, written as one or as a string; ok is false for null
// and for what is none, which is passed over all the same. whole is false where
// the JSON itself is broken.
func (c *cursor) number() (value float64, ok, whole bool) {
	var word []byte
	switch c.next() {
	case '"':
		word, whole = c.quoted()
	case '{', '[':
		return 0, false, c.skip()
	default:
		word, whole = c.literal()
	}
	if !whole {
		return 0, false, false
	}
	if len(word) == 1 && word[0] >= '0' && word[0] <= '9' {
		return float64(word[0] - '0'), true, true
	}
	value, err := strconv.ParseFloat(string(word), 64)
	return value, err == nil, true
}

// text appends the string that comes next to dst, escapes resolved. null and
// values of another type add nothing. Half a surrogate pair is kept in three
// bytes as WTF-8 does, so that its other half can still join it.
func (c *cursor) text(dst []byte) ([]byte, bool) {
	if c.next() != '"' {
		return dst, c.skip()
	}
	raw, ok := c.quoted()
	if !ok {
		return dst, false
	}
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return append(dst, raw...), true
	}
	for {
		n := bytes.IndexAny(raw, "\\\r")
		if n < 0 {
			return append(dst, raw...), true
		}
		dst = append(dst, raw[:n]...)
		if raw[n] == '\r' {
			// Lines of one frame are joined by a carriage return (see framer).
			dst = append(dst, '\n')
			raw = raw[n+1:]
			continue
		}
		dst, raw = unescape(dst, raw[n:])
	}
}

// unescaped resolves all escapes of the inside of a string.
func unescaped(raw []byte) []byte {
	var out []byte
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return append(out, raw...)
		}
		out = append(out, raw[:n]...)
		out, raw = unescape(out, raw[n:])
	}
}

// unescape resolves the escape that raw begins with.
func unescape(dst, raw []byte) (out, rest []byte) {
	if len(raw) < 2 {
		return append(dst, raw...), nil
	}
	switch b := raw[1]; b {
	case 'n':
		return append(dst, '\n'), raw[2:]
	case 't':
		return append(dst, '\t'), raw[2:]
	case 'r':
		return append(dst, '\r'), raw[2:]
	case 'b':
		return append(dst, '\b'), raw[2:]
	case 'f':
		return append(dst, '\f'), raw[2:]
	case 'u':
		if r, ok := hex4(raw[2:]); ok {
			return appendUnit(dst, r), raw[6:]
		}
		return utf8.AppendRune(dst, utf8.RuneError), raw[2:]
	default:
		return append(dst, b), raw[2:]
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, d := range b[:4] {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// appendUnit appends a UTF-16 unit; halves of a pair as three bytes.
func appendUnit(dst []byte, r rune) []byte {
	if r < 0xD800 || r > 0xDFFF {
		return utf8.AppendRune(dst, r)
	}
	return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}
