package layers

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks is the part of the machine that reads layers written with brackets
// and asterisks.
type marks struct {
	brackets, stars bool // which are read
	auto            bool // they are read to find out the dialect

	mark    byte // '[', '(' or '*' while one is open, else 0
	markAt  int  // source position of the opening mark
	nested  int  // brackets of the same kind open inside
	inside  bool // the mark was opened in the middle of a sentence
	undo    place
	literal int // up to this source position marks are text

	marked  bool // a mark was opened in this pass
	skipped bool // a bracket was passed over since no layer stands there
	acted   bool // an asterisk action was found
	starEnd int  // end of the last run of two or more asterisks
}

// newMarks returns the marks that a dialect reads.
func newMarks(d Dialect) marks {
	m := marks{
		brackets: d == CoSER || d == Auto,
		stars:    d == Asterisk || d == Auto,
		auto:     d == Auto,
	}
	m.restart()
	return m
}

func (k *marks) restart() {
	*k = marks{brackets: k.brackets, stars: k.stars, auto: k.auto, undo: k.undo, starEnd: -1}
}

// marking reports whether marks are read at all.
func (m *machine) marking() bool {
	return (m.brackets || m.stars) && (m.fixed || !m.her)
}

func (k *marks) markLayer() Layer {
	if k.mark == '[' {
		return Think
	}
	return Act
}

// bracket returns the bracket at the start of b as its ASCII form and its
// length in bytes, 0 if there is none.
func bracket(b []byte) (kind byte, n int) {
	switch b[0] {
	case '[', ']', '(', ')':
		return b[0], 1
	case 0xEF:
		if len(b) < 3 {
			return 0, 0
		}
		switch string(b[:3]) {
		case "（":
			return '(', 3
		case "）":
			return ')', 3
		case "［":
			return '[', 3
		case "］":
			return ']', 3
		}
	}
	return 0, 0
}

func closer(kind byte) byte {
	if kind == '[' {
		return ']'
	}
	return ')'
}

// markStep takes a bracket or an asterisk. It returns done if it took it, wait
// if it needs more text; else it is text.
func (m *machine) markStep(b []byte, eof bool) (done, wait bool) {
	if b[0] == '*' {
		if !m.stars || m.mark != 0 && m.mark != '*' {
			return false, false
		}
		return m.star(b, eof)
	}
	kind, n := bracket(b)
	if n == 0 || !m.brackets {
		return false, false
	}
	switch {
	case m.mark == 0 && (kind == '[' || kind == '('):
		return m.openBracket(kind, n), false
	case m.mark != 0 && kind == m.mark:
		m.nested++
	case m.mark != 0 && m.mark != '*' && kind == closer(m.mark):
		if m.nested--; m.nested == 0 {
			m.closeBracket(n)
			return true, false
		}
	}
	return false, false
}

// openMark opens a mark of n bytes.
func (m *machine) openMark(kind byte, n int) {
	m.undo = m.here(m.undo.blank)
	m.mark, m.markAt, m.nested = kind, m.pos, 1
	m.marked = true
	m.pos += n
}

// failMark finds that the open mark was text up to the given source position.
func (m *machine) failMark(until int) {
	m.back(m.undo)
	m.mark = 0
	m.pos, m.literal = m.markAt, until
}

// closeMark ends the open mark, whose closer takes n bytes.
func (m *machine) closeMark(n int) {
	m.mark = 0
	m.pos += n
	m.edge = m.pos
}

func (m *machine) openBracket(kind byte, n int) bool {
	r, spaced := m.runeBefore()
	if !spaced && (r < utf8.RuneSelf && isASCIIAlnum(byte(r)) || strings.ContainsRune(":;=^\\", r)) && r != 0 {
		// f(x), person(s), a :( face.
		return false
	}
	if m.auto && !m.coser && !sentenceEnd(r, spaced) {
		m.skipped = true
		return false
	}
	m.openMark(kind, n)
	return true
}

// closeBracket ends a bracket. In a reply whose dialect is being found out,
// one that holds only a number is a citation.
func (m *machine) closeBracket(n int) {
	_, size := bracket(m.src[m.markAt:])
	inner := bytes.TrimSpace(m.src[m.markAt+size : m.pos])
	if len(inner) == 0 || m.auto && numeric(inner) {
		m.failMark(m.pos + n)
		return
	}
	m.closeMark(n)
	m.becomeCoSER()
}

// becomeCoSER notes that the reply is written in brackets, which are layers
// from then on wherever they stand.
func (m *machine) becomeCoSER() bool {
	if m.coser {
		return false
	}
	m.coser = true
	if !m.skipped {
		return false
	}
	m.restart()
	return true
}

func numeric(b []byte) bool {
	return len(bytes.Trim(b, "0123456789., -–—;")) == 0
}

// sentenceEnd reports whether a layer may stand after r: at the start of a
// line, after the end of a sentence, a quotation, a bracket or an asterisk.
func sentenceEnd(r rune, spaced bool) bool {
	switch {
	case r == 0 || strings.ContainsRune("。！？…～—”’」』）］)]*\"'", r):
		return true
	case strings.ContainsRune(".!?~", r):
		return spaced
	}
	return false
}

// star takes an asterisk.
func (m *machine) star(b []byte, eof bool) (done, wait bool) {
	if len(b) == 1 && !eof && m.starEnd != m.pos {
		return false, true
	}
	if m.starEnd == m.pos || len(b) > 1 && b[1] == '*' {
		// Two or more are bold print or a scene break.
		n := 1
		for n < len(b) && b[n] == '*' {
			n++
		}
		m.say(n)
		m.starEnd = m.pos
		return true, false
	}
	if m.pos > m.edge && m.src[m.pos-1] == '\\' {
		return false, false
	}
	next, _ := utf8.DecodeRune(b[1:])
	opens := len(b) > 1 && !unicode.IsSpace(next)
	prev := m.pos - 1
	spaced := prev >= 0 && isBlank(m.src[prev])
	switch {
	case m.mark == 0:
		return opens && m.openStar(), false
	case !spaced:
		m.closeStar()
		return true, false
	case opens:
		// A new action opens, so the last one was no action.
		m.failMark(m.pos)
		return true, false
	}
	return false, false
}

func (m *machine) openStar() bool {
	r, spaced := m.runeBefore()
	if !spaced && r < utf8.RuneSelf && isASCIIAlnum(byte(r)) {
		return false
	}
	m.inside = spaced && (unicode.IsLetter(r) || unicode.IsDigit(r))
	m.openMark('*', 1)
	return true
}

// closeStar ends an asterisk action. One word in the middle of a sentence is
// emphasis, not action.
func (m *machine) closeStar() {
	inner := m.src[m.markAt+1 : m.pos]
	if m.inside && bytes.IndexFunc(inner, unicode.IsSpace) < 0 {
		m.failMark(m.pos + 1)
		return
	}
	m.closeMark(1)
	m.acted = true
}

// finishMark ends a mark that is open at the end of the text: the reply was
// cut in it, unless it is an asterisk in the middle of a sentence.
func (m *machine) finishMark() bool {
	switch {
	case m.mark == 0:
		return false
	case m.mark == '*' && m.inside:
		m.failMark(len(m.src))
		return true
	case m.mark == '*':
		m.acted = true
	case m.becomeCoSER():
		return true
	}
	m.mark = 0
	m.cut = true
	return false
}
