package prose

import (
	"strings"
	"unicode/utf8"

	"herarena/tui/look"
)

// inline is the emphasis in force.
type inline uint8

const (
	em inline = 1 << iota
	strong
	code
)

// marks knows the inline Markdown that is drawn while a paragraph is still
// open: emphasis, strong emphasis, code. A mark that opens is believed before
// its partner has come.
type marks struct {
	turns [8][8]string
}

// newMarks prepares the sequences between any two styles.
func newMarks(l *look.Look) *marks {
	m := &marks{}
	for from := range m.turns {
		for to := range m.turns[from] {
			if from == to {
				continue
			}
			s := ""
			if from != 0 {
				s = reset
			}
			st := inline(to)
			if st&code != 0 {
				s += l.Open(look.Code)
			}
			if st&strong != 0 {
				s += "\x1b[1m"
			}
			if st&em != 0 {
				s += "\x1b[3m"
			}
			m.turns[from][to] = s
		}
	}
	return m
}

// turn returns the sequence from one style to another.
func (m *marks) turn(from, to inline) string {
	if m == nil {
		return ""
	}
	return m.turns[from&7][to&7]
}

// at reads a mark at line[i]. It returns its length and the style behind it;
// ok is false where the text is no mark.
func (m *marks) at(line string, i int, now inline, prev byte, final bool) (n int, st inline, ok bool) {
	c := line[i]
	switch {
	case c == '`':
		return 1, now ^ code, true
	case c != '*' && c != '_' || now&code != 0 || prev == c: // the rest of a run that is none
		return 0, now, false
	}
	n = 1
	for i+n < len(line) && line[i+n] == c {
		n++
	}
	if n > 3 {
		return 0, now, false
	}
	bits := [...]inline{0, em, strong, em | strong}[n]
	end := i+n == len(line)
	next := byte(' ')
	if !end {
		next = line[i+n]
	}
	closes := !blankByte(prev) && now&bits == bits && (c == '*' || !wordByte(next))
	opens := !blankByte(next) && now&bits == 0 && (c == '*' || !wordByte(prev))
	switch {
	case closes:
		return n, now &^ bits, true
	case opens:
		return n, now | bits, true
	case end && !final:
		return n, now, true // what it is depends on what comes
	}
	return 0, now, false
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func wordByte(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isPunct reports whether Markdown lets c be escaped.
func isPunct(c byte) bool {
	return strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) >= 0
}

// The punctuation that may not begin or end a row in East Asian text (the core
// of the kinsoku rules of JIS X 4051).
const (
	notFirst = "、。，．・：；？！゛゜´｀¨〉》」』】〕〗〙〟’”）］｝％々ー…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
	notLast  = "〈《「『【〔〖〘〝‘“（［｛"
)

func closing(cluster string) bool { return within(notFirst, cluster) }
func opening(cluster string) bool { return within(notLast, cluster) }

// closingNext reports whether the rest begins with punctuation that stays with
// what stands before it.
func closingNext(rest string) bool {
	if rest == "" || rest[0] < 0x80 {
		return rest != "" && strings.IndexByte(",.;:!?)]}'\"", rest[0]) >= 0
	}
	return closing(rest)
}

func within(set, s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x80 && r != utf8.RuneError && strings.ContainsRune(set, r)
}
