// Package guard cleans text that others wrote (models, servers, cards, files)
// before a terminal sees it.
//
// There are two filters. The entrance filter (Stream, Text, Line) takes raw
// text: escape sequences vanish whole, control characters go, what would hide
// or reorder text is removed or made visible. The exit filter (Exit) stands
// behind renderers that interpret text, such as Markdown, where an entity like
// &#27; becomes a real escape again: it lets through printable text, line feeds
// and plain colour sequences, nothing else.
//
// What the entrance filter does with what it meets:
//
//	ESC, CSI, OSC, DCS, APC, PM, SOS   the whole sequence is dropped, also when
//	                                   written with C1 (as UTF-8 or raw bytes);
//	                                   an unfinished one ends at the next line
//	                                   feed or after 4 kB
//	CR, CR LF, NEL, U+2028, U+2029     line feed
//	other C0, DEL, other C1            dropped
//	bidi embeddings, overrides,
//	isolates (U+202A–E, U+2066–9)      U+FFFD, so that a reader sees something stood there
//	LRM, RLM, ALM, zero-width space,
//	soft hyphen, BOM, word joiner,
//	tags, invisible operators          dropped
//	Hangul and Khmer fillers           dropped; the blank braille cell becomes a space
//	variation selectors                VS15 and VS16 stay, the others are dropped
//	ZWJ, ZWNJ                          stay after a visible character
//	marks (combining, joiners, VS)     at most four behind one character
//	invalid UTF-8, non-characters      U+FFFD
//
// Raw text stays raw in the ledger: the filters are for display alone.
package guard

import "strings"

// Stream is an entrance filter that keeps its state between deltas, so that a
// sequence or a character cut in two by the network is still recognised. How
// the text is cut makes no difference to the result. The zero value is ready;
// a Stream serves one stream and one goroutine.
type Stream struct {
	m machine
}

// Clean filters one delta and returns what may be shown now. Unfinished escape
// sequences and characters are held back until they are complete.
func (s *Stream) Clean(delta string) string {
	if s.m.idle() {
		if n := plainRun(delta); n == len(delta) {
			if n > 0 {
				s.m.base(delta[n-1])
			}
			return delta
		}
	}
	s.m.out = s.m.out[:0]
	s.m.write(delta)
	return string(s.m.out)
}

// Flush ends the stream: an unfinished character becomes U+FFFD, an unfinished
// sequence is dropped. The Stream is as new afterwards.
func (s *Stream) Flush() string {
	s.m.out = s.m.out[:0]
	s.m.flush()
	out := string(s.m.out)
	s.m = machine{out: s.m.out[:0]}
	return out
}

// Text filters a whole text of several lines.
func Text(s string) string {
	if plainRun(s) == len(s) {
		return s
	}
	m := machine{out: make([]byte, 0, len(s))}
	m.write(s)
	m.flush()
	return string(m.out)
}

// Line filters a text that must stay on one line (a name, a title, an error):
// line feeds and tabs become spaces, surrounding spaces are cut.
func Line(s string) string {
	s = Text(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.Map(func(r rune) rune {
			if r == '\n' || r == '\t' {
				return ' '
			}
			return r
		}, s)
	}
	return strings.TrimSpace(s)
}

// Exit filters what a renderer wrote: printable text, line feeds and colour
// sequences made of digits (ESC [ 1 ; 31 m) stay, all else goes as in the
// entrance filter. Tabs become spaces. A sequence that conceals text is dropped.
func Exit(rendered string) string {
	m := machine{out: make([]byte, 0, len(rendered)), exit: true}
	m.write(rendered)
	m.flush()
	return string(m.out)
}

// plainRun returns the length of the longest prefix that needs no filter and
// leaves no state behind: printable ASCII, line feeds, tabs.
func plainRun(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f {
			return i
		}
	}
	return len(s)
}
