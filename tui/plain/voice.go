package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"herarena/arena/layers"
	"herarena/tui/guard"
)

// voice writes lines. Whatever is handed to it is cleaned and kept on one line.
// After a failed write it is silent; err keeps the failure.
type voice struct {
	w     io.Writer
	err   error
	said  int  // lines and pieces written
	inned bool // a line has been begun and not ended
}

// line writes a whole line; a line that was begun is ended first. An empty text
// is not written.
func (v *voice) line(text string) {
	if text = one(text); text == "" {
		return
	}
	v.end()
	v.write(text + "\n")
}

// linef is line with a format.
func (v *voice) linef(format string, args ...any) { v.line(fmt.Sprintf(format, args...)) }

// piece writes the next words of a line that stays open.
func (v *voice) piece(text string) {
	if text = flat(guard.Text(text)); text != "" {
		v.inned = true
		v.write(text)
	}
}

// end ends a line that was begun.
func (v *voice) end() {
	if v.inned {
		v.inned = false
		v.write("\n")
	}
}

func (v *voice) write(text string) {
	if v.err != nil {
		return
	}
	v.said++
	_, v.err = io.WriteString(v.w, text)
}

// one cleans a text that others wrote and puts it on one line.
func one(s string) string { return strings.Join(strings.Fields(guard.Text(s)), " ") }

// flat makes every white space a space and keeps their number.
func flat(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
}

// verbs say what a side does in a layer.
var verbs = [...]string{
	layers.System: "plans", layers.Native: "reasons", layers.Think: "thinks", layers.Act: "does", layers.Speech: "says",
}

// verb is the word for a layer; an unknown one is told as speech.
func verb(l layers.Layer) string {
	if int(l) < len(verbs) {
		return verbs[l]
	}
	return verbs[layers.Speech]
}

// planned reports whether a layer is told by its length alone.
func planned(l layers.Layer) bool { return l == layers.System || l == layers.Native }

// words counts words; scripts written without spaces count by character.
func words(s string) int {
	n, within := 0, false
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			n, within = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !within {
				n++
			}
			within = true
		case unicode.IsSpace(r):
			within = false
		}
	}
	return n
}

// count is a number with its thing: "1 turn", "2 turns".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if thing == "reply" {
		return fmt.Sprintf("%d replies", n)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// full ends a sentence that others may have ended already.
func full(s string) string {
	s = one(s)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’»）)」』`))
	if s == "" || strings.ContainsRune(".!?…。！？", last) {
		return s
	}
	return s + "."
}
