package verdict

import (
	"strings"
	"unicode/utf8"
)

// clean is text that grows, kept as valid UTF-8: each run of bytes that are none
// becomes one U+FFFD, as strings.ToValidUTF8 would have it. Reading it copies
// nothing, so that a look at a long text costs what a look at a short one does.
type clean struct {
	b    strings.Builder
	tail [utf8.UTFMax]byte // the beginning of a rune whose end has not come
	n    int               // bytes in tail
	bad  bool              // the last thing written was a U+FFFD for bad bytes
}

func (c *clean) write(p []byte) {
	if c.n == 0 && utf8.Valid(p) {
		if len(p) > 0 {
			c.b.Write(p)
			c.bad = false
		}
		return
	}
	if c.n > 0 {
		p = append(c.tail[:c.n:c.n], p...)
		c.n = 0
	}
	for len(p) > 0 {
		if !utf8.FullRune(p) {
			c.n = copy(c.tail[:], p)
			return
		}
		r, size := utf8.DecodeRune(p)
		if r == utf8.RuneError && size == 1 {
			c.spoil()
		} else {
			c.b.Write(p[:size])
			c.bad = false
		}
		p = p[size:]
	}
}

func (c *clean) writeByte(b byte) { c.write([]byte{b}) }

func (c *clean) spoil() {
	if !c.bad {
		c.b.WriteString("\uFFFD")
		c.bad = true
	}
}

// finish says that no more comes: the beginning of a rune is a bad byte then.
func (c *clean) finish() {
	if c.n > 0 {
		c.n = 0
		c.spoil()
	}
}

// set replaces the text.
func (c *clean) set(s string) {
	*c = clean{}
	c.b.WriteString(s)
}

// String is the text without the beginning of a rune at its end.
func (c *clean) String() string { return c.b.String() }

func (c *clean) len() int { return c.b.Len() + c.n }
