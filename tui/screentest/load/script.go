package load

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
)

// Token is one piece of a streamed reply: a word with what stands around it.
type Token struct {
	Segment int // index of the segment it belongs to
	Layer   layers.Layer
	Text    string
}

// The words of a past reply and of the person's line.
const (
	pastReply = 60
	rhythm    = 600 // words after which the layers of a reply come round again
)

// Script yields the text of a plan. No word of it comes twice, so that a word
// seen on the screen says which token was shown.
type Script struct{ Plan Plan }

// Line is what the person says in a turn, counted from 1.
func (s Script) Line(turn int) string { return fmt.Sprintf("This is line %d of the scene.", turn) }

// Past returns the segments of a side's reply in a past turn, counted from 1.
func (s Script) Past(turn int, side arena.Side) []layers.Segment {
	first := (turn*2 + int(side)) * pastReply
	return []layers.Segment{
		{Layer: layers.Think, Text: sentenceOf(first, 14)},
		{Layer: layers.Act, Text: sentenceOf(first+14, 8)},
		{Layer: layers.Speech, Text: sentenceOf(first+22, pastReply-22)},
	}
}

func sentenceOf(first, words int) string {
	text := make([]string, words)
	for i := range text {
		text[i] = word(first + i)
	}
	return strings.Join(text, " ") + "."
}

// Token returns the n-th token that a side streams. Replies follow one another;
// each thinks, acts, speaks, acts and speaks again, with a paragraph now and
// then, and begins anew where it is longer than that.
func (s Script) Token(side arena.Side, n int) Token {
	at := n%s.Plan.Reply + 37*int(side) // the sides are not at the same layer
	round, in := at/rhythm, at%rhythm
	t := Token{Text: s.Word(side, n)}
	starts := [...]int{0, 120, 180, 420, 480}
	kinds := [...]layers.Layer{layers.Think, layers.Act, layers.Speech, layers.Act, layers.Speech}
	k := 0
	for k+1 < len(starts) && in >= starts[k+1] {
		k++
	}
	t.Segment, t.Layer = round*len(starts)+k, kinds[k]
	if s.Plan.Single {
		t.Segment, t.Layer = 0, s.Plan.Layer
	}
	switch {
	case in == starts[k] && !s.Plan.Single, n%s.Plan.Reply == 0:
	case t.Layer == layers.Speech && (in-starts[k])%70 == 0:
		t.Text = "\n\n" + t.Text
	default:
		t.Text = " " + t.Text
	}
	switch {
	case n%23 == 22:
		t.Text += "."
	case n%11 == 10:
		t.Text += ","
	}
	return t
}

// whole returns the reply of a side that begins with the given token.
func (s Script) whole(side arena.Side, first int) []layers.Segment {
	var all []layers.Segment
	var texts []*strings.Builder
	for n := first; n < first+s.Plan.Reply; n++ {
		t := s.Token(side, n)
		if t.Segment >= len(all) {
			all, texts = append(all, layers.Segment{Layer: t.Layer}), append(texts, &strings.Builder{})
		}
		texts[t.Segment].WriteString(t.Text)
	}
	for i := range all {
		all[i].Text = texts[i].String()
	}
	return all
}

// Word returns the word of the n-th token of a side.
func (s Script) Word(side arena.Side, n int) string {
	past := (s.Plan.Turns*2 + 4) * pastReply
	return word(past + n*2 + int(side))
}

const (
	consonants = "bcdfghjklmnpqrstvwxz"
	vowels     = "aeiou"
	endings    = "-bdfgklmnprstxzy" // "-" stands for none
	syllables  = len(consonants) * len(vowels)
	words      = syllables * syllables * len(endings) // how many there are
)

// word returns the i-th word. Neighbours share nothing: the number is spread
// over all words by a factor prime to their count. Three in ten have a syllable
// or two more, by chance, so that lengths differ as they do in writing and the
// two columns do not break their rows in step.
func word(i int) string {
	k := i * 48271 % words
	b := make([]byte, 0, 8)
	syllable := func(n int) {
		b = append(b, consonants[n/len(vowels)], vowels[n%len(vowels)])
	}
	chance := uint32(i) * 2654435761 >> 16 % 10
	for range max(int(chance)-6, 0) * 2 / 3 {
		syllable(i % syllables)
	}
	syllable(k % syllables)
	syllable(k / syllables % syllables)
	if e := endings[k/syllables/syllables]; e != '-' {
		b = append(b, e)
	}
	return string(b)
}
