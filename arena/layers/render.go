package layers

import (
	"strings"
	"unicode"
)

// Render writes segments in a dialect. Where name is not empty, "Name: " is
// written once: in HER after the leading plan and reasoning, as in the training
// data, else at the front.
//
// What a dialect cannot carry is lost, so that nothing hidden is ever written
// where it would be read as speech:
//
//   - her (and auto) carries every layer, reasoning as a <think> block. Text
//     that would be read as a tag has its "<" turned into "‹".
//   - coser carries thought, action and speech. Plans, reasoning and empty
//     segments are dropped. Brackets inside a text that would be read as the
//     marks of a layer become curly, and a blank line in a thought or an action
//     becomes a line break.
//   - asterisk carries action and speech; thoughts are dropped as well. An
//     asterisk inside an action is dropped, a line break there becomes a space.
//   - plain has speech alone; actions, which others perceive, are written in
//     round brackets and will be read back as speech.
//
// Two speech segments in a row become one, on two lines. Segments that Parse
// gave are given again by Parse, with the same dialect and name, for her, and
// for coser up to what is said above.
func Render(segments []Segment, d Dialect, name string) string {
	w := writer{dialect: d, name: strings.TrimSpace(name)}
	for i := 0; i < len(segments); i++ {
		s := segments[i]
		for s.Layer == Speech && i+1 < len(segments) && segments[i+1].Layer == Speech {
			i++
			s.Text = joinLines(s.Text, segments[i].Text)
		}
		switch d {
		case CoSER:
			w.coser(s)
		case Asterisk:
			w.asterisk(s)
		case Plain:
			w.plain(s)
		default:
			w.her(s)
		}
	}
	return w.out.String()
}

// joinLines puts two texts on two lines.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// writer writes one reply.
type writer struct {
	out     strings.Builder
	dialect Dialect
	name    string
	last    Layer
	begun   bool // a segment is written
}

// speaker writes the name once.
func (w *writer) speaker() {
	if w.name != "" {
		w.out.WriteString(w.name + ": ")
		w.name = ""
	}
}

// tagOf is how HER writes a layer; speech has no tag.
var tagOf = [...]string{System: "system_thinking", Native: "think", Think: "role_thinking", Act: "role_action"}

func (w *writer) her(s Segment) {
	hidden := s.Layer == System || s.Layer == Native
	if !hidden {
		w.speaker()
	}
	if s.Layer == Speech {
		w.out.WriteString(untag(s.Text, w.dialect))
	} else {
		if w.begun && w.last == s.Layer {
			// Without something between them the two would be read as one.
			w.out.WriteByte('\n')
		}
		t := tagOf[s.Layer]
		w.out.WriteString("<" + t + ">" + blunt(s.Text, hidden) + "</" + t + ">")
	}
	w.last, w.begun = s.Layer, true
}

// piece writes text, a space away from what stands before.
func (w *writer) piece(text string) {
	if text == "" {
		return
	}
	w.speaker()
	if w.begun {
		w.out.WriteByte(' ')
	}
	w.out.WriteString(text)
	w.begun = true
}

func (w *writer) coser(s Segment) {
	text := strings.TrimFunc(s.Text, isSpace)
	if text == "" {
		return
	}
	switch s.Layer {
	case Think:
		w.piece("[" + squeeze(blunt(swap(text, squareToCurly), false)) + "]")
	case Act:
		w.piece("(" + squeeze(blunt(swap(text, roundToCurly), false)) + ")")
	case Speech:
		w.piece(untag(swap(text, bracketsToCurly), CoSER))
	}
}

func (w *writer) asterisk(s Segment) {
	text := strings.TrimFunc(s.Text, isSpace)
	switch s.Layer {
	case Act:
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "*", "")), " ")
		if text != "" {
			w.piece("*" + blunt(text, false) + "*")
		}
	case Speech:
		w.piece(untag(text, Plain))
	}
}

func (w *writer) plain(s Segment) {
	text := strings.TrimFunc(s.Text, isSpace)
	switch {
	case s.Layer == Act && text != "":
		w.piece("(" + blunt(text, false) + ")")
	case s.Layer == Speech:
		w.piece(untag(text, Plain))
	}
}

const (
	squareToCurly   = "[{]}［{］}"
	roundToCurly    = "({)}（{）}"
	bracketsToCurly = squareToCurly + roundToCurly
)

// swap replaces runes by pairs: the first of each by the second.
func swap(text, pairs string) string {
	from := []rune(pairs)
	return strings.Map(func(r rune) rune {
		for i := 0; i < len(from); i += 2 {
			if from[i] == r {
				return from[i+1]
			}
		}
		return r
	}, text)
}

// squeeze turns white space with more than one line break into one line break.
func squeeze(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for text != "" {
		i := strings.IndexFunc(text, unicode.IsSpace)
		if i < 0 {
			b.WriteString(text)
			break
		}
		rest := strings.TrimLeftFunc(text[i:], unicode.IsSpace)
		gap := text[i : len(text)-len(rest)]
		if strings.Count(gap, "\n") > 1 {
			gap = "\n"
		}
		b.WriteString(text[:i] + gap)
		text = rest
	}
	return b.String()
}

// blunt makes the tags in a text harmless. In hidden layers only the tags of
// hidden layers are read as tags.
func blunt(text string, hidden bool) string {
	if !strings.Contains(text, "<") {
		return text
	}
	b := []byte(text)
	var out strings.Builder
	for i := range b {
		if b[i] == '<' {
			t, _, st := lexTag(b[i:])
			tagged := st == maybeTag || st == isTag && (!hidden || t.layer == System || t.layer == Native)
			if tagged {
				out.WriteString("‹")
				continue
			}
		}
		out.WriteByte(b[i])
	}
	return out.String()
}

// untag makes speech safe to stand before and after tags: it is left as it is
// if it reads back as the same speech, which a closed code fence with tags in
// it does, else its tags and fences are made harmless.
func untag(text string, d Dialect) string {
	if !strings.ContainsAny(text, "<`") {
		return text
	}
	m := newMachine("", d)
	m.src = []byte(text)
	m.run(true)
	same := len(m.segs) == 1 && m.segs[0].layer == Speech && string(m.text) == text
	if same && m.fence == 0 && !m.fenceOff && !m.cut && len(m.stack) == 0 && !taggedAtEnd(text) {
		return text
	}
	text = blunt(text, false)
	return strings.ReplaceAll(text, "```", "'''")
}

// taggedAtEnd reports whether what follows a text could make its end a tag, or
// the end of the reply cut it off.
func taggedAtEnd(text string) bool {
	i := strings.LastIndexByte(text, '<')
	if i < 0 {
		return false
	}
	_, _, st := lexTag([]byte(text[i:]))
	return st == maybeTag
}
