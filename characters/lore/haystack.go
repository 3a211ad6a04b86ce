package lore

import "strings"

// haystack is a text that keys are looked for in: as it is, in lower case, and
// as the set of the triples of bytes in it, by which most keys are known not to
// be there.
type haystack struct {
	text, folded string
	grams        [1 << 16 / 64]uint64
	runes        []rune
}

func newHaystack(text string) *haystack {
	h := &haystack{text: text, folded: strings.ToLower(text)}
	for i := 2; i < len(h.folded); i++ {
		g := gram(h.folded[i-2], h.folded[i-1], h.folded[i])
		h.grams[g/64] |= 1 << (g % 64)
	}
	return h
}

// may reports whether a text with these triples can be there.
func (h *haystack) may(grams []uint16) bool {
	for _, g := range grams {
		if h.grams[g/64]&(1<<(g%64)) == 0 {
			return false
		}
	}
	return true
}

// letters is the text as patterns read it.
func (h *haystack) letters() []rune {
	if h.runes == nil {
		h.runes = []rune(h.text)
	}
	return h.runes
}

// mostGrams is how many triples of a key are looked at.
const mostGrams = 8

// gramsOf are triples of a text in lower case, the last ones: keys of a book
// often begin alike.
func gramsOf(folded string) []uint16 {
	var out []uint16
	for i := len(folded) - 1; i >= 2 && len(out) < mostGrams; i-- {
		out = append(out, gram(folded[i-2], folded[i-1], folded[i]))
	}
	return out
}

func gram(a, b, c byte) uint16 {
	h := uint32(a)<<16 | uint32(b)<<8 | uint32(c)
	return uint16(h * 2654435761 >> 16)
}
