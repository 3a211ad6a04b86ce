package stage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
	"herarena/arena/layers"
)

// split cuts a delta where cut says that a piece of its first layer ends. The
// first part is never empty.
func split(d arena.ReplyDelta, cut func(layers.Layer, string) int) (first, rest arena.ReplyDelta) {
	// Edits of one segment are one text: the place to cut may lie across them.
	n, all := 0, strings.Builder{}
	for n < len(d.Edits) && d.Edits[n].Index == d.Edits[0].Index && (n == 0 || !d.Edits[n].Reset) {
		all.WriteString(d.Edits[n].Text)
		n++
	}
	text := all.String()
	first, rest = d, d
	if text == "" { // nothing but a reset
		first.Edits, rest.Edits = d.Edits[:n:n], d.Edits[n:]
		return first, rest
	}
	at := cut(d.Edits[0].Layer, text)
	if at <= 0 || at >= len(text) {
		at = len(text)
	}
	for i := range n {
		e := d.Edits[i]
		if at > len(e.Text) || at == len(e.Text) && i < n-1 {
			at -= len(e.Text)
			continue
		}
		head, tail := e, e
		head.Text, tail.Text, tail.Reset = e.Text[:at], e.Text[at:], false
		first.Edits = append(d.Edits[:i:i], head)
		rest.Edits = d.Edits[i+1:]
		if tail.Text != "" {
			d.Edits[i] = tail
			rest.Edits = d.Edits[i:]
		}
		return first, rest
	}
	first.Edits, rest.Edits = d.Edits[:n:n], d.Edits[n:]
	return first, rest
}

// pieceEnd is where a piece of a layer's text ends: behind a sentence, or where a
// plan or a reasoning ends.
func pieceEnd(l layers.Layer, text string) int {
	if l == layers.System || l == layers.Native {
		return len(text)
	}
	ended, letters, word := false, false, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("。！？", r):
			ended = true
		case strings.ContainsRune(".!?…", r):
			ended = letters && (r != '.' || !shortened(text[word:i]))
		case ended && strings.ContainsRune("”’\"'»」』)*_", r):
		case r == '\n' && letters:
			return i + 1
		case ended && unicode.IsSpace(r):
			return i + utf8.RuneLen(r)
		case ended && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			return i
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			ended, letters = false, true
		default:
			word = i + utf8.RuneLen(r)
		}
	}
	return len(text)
}

// shortened reports whether a full stop behind a word is no end of a sentence.
func shortened(word string) bool {
	switch strings.TrimLeft(word, " ") {
	case "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Capt", "Col", "Gen", "Rev", "Sr", "Jr":
		return true
	}
	return false
}

// wordsEnd is where the first n words of a text end.
func wordsEnd(text string, n int) int {
	var c wordCount
	for i := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		if c.count(text[i : i+size]); c.words > n {
			return i
		}
	}
	return len(text)
}

// wordCount counts the words of a growing text; scripts written without spaces
// count by character.
type wordCount struct {
	words int
	inner bool // within a word
}

func (c *wordCount) count(s string) {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			c.words++
			c.inner = false
		case unicode.IsSpace(r):
			c.inner = false
		case !c.inner && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			c.words++
			c.inner = true
		}
	}
}
