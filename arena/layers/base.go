package layers

import (
	"bytes"
	"unicode/utf8"
)

// special holds the bytes at which base text has to be looked at. Full-width
// brackets begin with 0xEF.
var special = [256]bool{'<': true, '`': true, '\n': true, '[': true, ']': true, '(': true, ')': true, '*': true, 0xEF: true}

// baseStep takes one piece of text outside the hidden layers.
func (m *machine) baseStep(eof bool) bool {
	b := m.src[m.pos:]
	if m.fence > 0 {
		m.fenced(b)
		return true
	}
	if m.mark == 0 && !m.named && !m.spoke && m.name != "" {
		if done, wait := m.prefix(b, eof); done || wait {
			return !wait
		}
	}
	switch b[0] {
	case '<':
		return m.angle(eof)
	case '`':
		if m.mark == 0 && m.backticks(b) {
			return true
		}
	case '\n':
		m.newline()
		return true
	case '[', ']', '(', ')', '*', 0xEF:
		if m.marking() && m.pos >= m.literal {
			if done, wait := m.markStep(b, eof); done || wait {
				return !wait
			}
		}
	}
	n := 1
	for n < len(b) && !special[b[n]] {
		n++
	}
	m.say(n)
	return true
}

// prefix takes the white space before the reply's first words and then the
// character's own name with its colon.
func (m *machine) prefix(b []byte, eof bool) (done, wait bool) {
	if n := len(b) - len(bytes.TrimLeftFunc(b, isSpace)); n > 0 {
		m.say(n)
		return true, false
	}
	n, partial := matchName(b, m.name)
	if partial && !eof {
		return false, true
	}
	if n == 0 {
		return false, false
	}
	m.pos += n
	m.edge = m.pos
	m.named, m.live = true, false
	return true, false
}

// maxNameGap is the most blanks between a name and its colon.
const maxNameGap = 4

// matchName returns the length of "Name:", "**Name:**" or "**Name**:" at the
// start of b, 0 if none is there; partial is true if b ends before that is known.
func matchName(b []byte, name string) (n int, partial bool) {
	l := nameMatcher{rest: b}
	bold := b[0] == '*'
	ok := (!bold || l.take("**")) && l.take(name)
	inside := false // the colon stands within the bold print
	if bold && ok {
		inside = len(l.rest) == 0 || l.rest[0] != '*'
		ok = inside || l.take("**")
	}
	ok = ok && l.colon() && (!inside || l.take("**"))
	if !ok {
		return 0, l.short
	}
	return len(b) - len(l.rest), false
}

// nameMatcher takes what is expected off the front of a text; short is set if
// the text ends while it still agrees.
type nameMatcher struct {
	rest  []byte
	short bool
}

func (l *nameMatcher) take(want string) bool {
	if len(l.rest) < len(want) {
		l.short = string(l.rest) == want[:len(l.rest)]
		return false
	}
	if string(l.rest[:len(want)]) != want {
		return false
	}
	l.rest = l.rest[len(want):]
	return true
}

// colon takes a few blanks and a colon, ASCII or full-width.
func (l *nameMatcher) colon() bool {
	for i := 0; i < len(l.rest) && i <= maxNameGap; i++ {
		switch {
		case l.rest[i] == ' ':
			continue
		case l.rest[i] == ':':
			l.rest = l.rest[i+1:]
			return true
		case bytes.HasPrefix(l.rest[i:], []byte("：")):
			l.rest = l.rest[i+len("："):]
			return true
		}
		return false
	}
	l.short = len(l.rest) <= maxNameGap
	return false
}

// lineStart reports whether only blanks stand between the present position and
// the start of its line or of the run of base text.
func (m *machine) lineStart() bool {
	for i := m.pos - 1; i >= m.edge && m.pos-i <= 4; i-- {
		switch m.src[i] {
		case '\n':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return m.pos-m.edge <= 3
}

// backticks takes a run of backticks that starts a line, which may open or
// close a code fence.
func (m *machine) backticks(b []byte) bool {
	if m.fenceOff {
		return false
	}
	if m.ticks == 0 || m.ticksEnd != m.pos {
		more := m.ticks > 0
		m.ticks = 0
		if more || !m.lineStart() {
			// Backticks further on make it code within a line.
			return false
		}
	}
	n := 1
	for n < len(b) && b[n] == '`' {
		n++
	}
	m.say(n)
	m.ticks += n
	m.ticksEnd = m.pos
	return true
}

// newline takes the end of a line of base text.
func (m *machine) newline() {
	if m.mark != 0 && m.pos >= m.literal && m.blankLine() {
		// No layer reaches over a blank line.
		m.failMark(m.pos)
		return
	}
	m.say(1)
	if m.ticks >= 3 && m.mark == 0 {
		m.fence, m.fenceAt = m.ticks, m.pos
	}
	m.ticks = 0
}

// blankLine reports whether the line that ends at the present position is
// blank and begins within the open mark.
func (m *machine) blankLine() bool {
	for i := m.pos - 1; i > m.markAt; i-- {
		switch m.src[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return false
}

// fenced takes text of a code fence, in which tags are text.
func (m *machine) fenced(b []byte) {
	if b[0] != '`' {
		m.ticks = 0
		n := bytes.IndexByte(b, '`')
		if n < 0 {
			n = len(b)
		}
		m.say(n)
		return
	}
	if m.ticks == 0 && !m.lineStart() {
		n := 1
		for n < len(b) && b[n] == '`' {
			n++
		}
		m.say(n)
		return
	}
	m.say(1)
	if m.ticks++; m.ticks == m.fence {
		m.fence, m.ticks = 0, 0
		m.edge = m.pos
	}
}

// runeBefore returns the last rune before the present position that is not a
// blank, within its line and run of base text (0 if there is none), and
// whether blanks stand between.
func (m *machine) runeBefore() (r rune, spaced bool) {
	i := m.pos
	for i > m.edge && (m.src[i-1] == ' ' || m.src[i-1] == '\t' || m.src[i-1] == '\r') {
		i--
	}
	if i == m.edge || m.src[i-1] == '\n' {
		return 0, true
	}
	r, size := utf8.DecodeLastRune(m.src[m.edge:i])
	if r == '\u3000' {
		return m.skipIdeographic(i - size)
	}
	return r, i < m.pos
}

func (m *machine) skipIdeographic(i int) (rune, bool) {
	b := bytes.TrimRight(m.src[m.edge:i], "\u3000 \t")
	if len(b) == 0 || b[len(b)-1] == '\n' {
		return 0, true
	}
	r, _ := utf8.DecodeLastRune(b)
	return r, true
}
