package main

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// escaping writes JSON on with every character a terminal could take for a
// command, or that hides or turns text, as its \u escape. In JSON such
// characters stand inside strings alone, so the data stays the same. Each Write
// must hold whole runes, as those of encoding/json do.
type escaping struct{ to io.Writer }

func (e escaping) Write(p []byte) (int, error) {
	if _, err := e.to.Write(escapeJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func escapeJSON(p []byte) []byte {
	if bytes.IndexFunc(p, hostile) < 0 {
		return p
	}
	var b bytes.Buffer
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case !hostile(r):
			b.Write(p[:n])
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		p = p[n:]
	}
	return b.Bytes()
}

func hostile(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r > 0x9f && unicode.Is(unicode.Cf, r)
}
