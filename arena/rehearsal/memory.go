package rehearsal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// memory is what a player keeps while it goes through a scene from the top.
// The server is stateless, so the player plays every earlier turn again before
// it answers: that is how it knows what it said where the other player's reply
// became the history.
type memory struct {
	turn   int
	said   map[string]bool // sentences of this scene, by either player
	frames map[string]bool // strings of the script already used
	lines  map[string]int  // the person's lines, how often each
	name   string          // the name the person gave
	// recalled is the turn in which the name was last given or used.
	recalled int
	pattern  int
}

func newMemory() *memory {
	return &memory{said: map[string]bool{}, frames: map[string]bool{}, lines: map[string]int{}}
}

// sentences parts a text at its full stops, and at tags and line ends.
func sentences(text string) []string {
	var out []string
	start := 0
	depth := 0
	text = strings.ToValidUTF8(text, "\ufffd")
	for i, r := range text {
		switch {
		case r == '<':
			if depth == 0 {
				out = append(out, text[start:i])
			}
			depth++
		case r == '>' && depth > 0:
			depth = 0
			start = i + 1
		case depth == 0 && strings.ContainsRune(".!?\n\u3002\uff01\uff1f…*", r):
			out = append(out, text[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	if depth == 0 {
		out = append(out, text[start:])
	}
	return out
}

// gist is a sentence without marks and case, and its length in words; each
// Han rune counts as a word.
func gist(sentence string) (string, int) {
	s := plainWords(sentence)
	n := 0
	for _, w := range strings.Fields(s) {
		han := 0
		for _, r := range w {
			if unicode.Is(unicode.Han, r) {
				han++
			}
		}
		n += max(1, han)
	}
	return s, n
}

// shortest sentence, in words, that must not be said twice.
const memorable = 3

// repeats reports whether a text holds a sentence that was said before.
func (m *memory) repeats(text string) bool {
	for _, s := range sentences(text) {
		if g, n := gist(s); n >= memorable && m.said[g] {
			return true
		}
	}
	return false
}

// keep notes the sentences of a text as said.
func (m *memory) keep(text string) {
	for _, s := range sentences(text) {
		if g, n := gist(s); n >= memorable {
			m.said[g] = true
		}
	}
}
