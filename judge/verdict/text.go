package verdict

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (m *machine) openString(quote byte) {
	n := m.newNode(stringNode)
	m.str, m.quote, m.lineAt = n, quote, -1
	f := m.top()
	m.isKey = f.n.kind == objectNode && (f.want == wantKey || f.want == wantComma)
	m.echo, m.echoOf = false, noPart
	if m.isKey {
		return
	}
	if f.n.kind == objectNode {
		if k := len(f.n.members); k > 0 {
			m.echoOf = partOf(f.n.members[k-1].norm)
			m.echo = m.echoOf == firstEcho || m.echoOf == secondEcho
		}
	}
	m.attach(n)
}

// readString consumes the open string up to its end or to an undecided mark.
func (m *machine) readString() bool {
	for m.pos < len(m.buf) {
		rest := m.buf[m.pos:]
		n, line := 0, 0
		for n < len(rest) && rest[n] != '\\' && rest[n] != m.quote {
			n++
			if rest[n-1] == '\n' {
				line = n
			}
		}
		if line > 0 {
			m.str.text.write(rest[:line])
			m.lineAt = m.str.text.len()
		}
		m.str.text.write(rest[line:n])
		m.pos += n
		if m.pos >= len(m.buf) {
			return true
		}
		if m.buf[m.pos] == '\\' {
			if !m.readEscape() {
				return false
			}
			continue
		}
		switch m.stringMark() {
		case wait:
			return false
		case yes:
			return true
		}
	}
	return true
}

// stringMark decides on a quote inside the open string. A yes has ended it.
func (m *machine) stringMark() answer {
	if m.isKey {
		a := m.endsKey(m.pos + 1)
		switch a {
		case yes:
			m.pos++
			m.endKey()
		case no:
			m.str.text.writeByte(m.quote)
			m.pos++
		}
		return a
	}
	switch a := m.lineKey(m.pos); a {
	case wait:
		return wait
	case yes:
		m.str.text.set(strings.TrimRight(strings.TrimRight(m.str.text.String(), " \t\r\n"), ","))
		m.endValue()
		return yes
	}
	switch a := m.endsString(m.pos + 1); a {
	case wait:
		return wait
	case yes:
		m.pos++
		m.endValue()
		return yes
	}
	m.str.text.writeByte(m.quote)
	m.pos++
	return no
}

// endsKey decides whether the quote just before i closes the key that is open.
// It does before a colon, and wherever no later quote on the line stands before
// one.
func (m *machine) endsKey(i int) answer {
	b, open := m.window(i)
	if j := skipSpace(b, 0); j < len(b) && (b[j] == ':' || b[j] == '=' || hasFullColon(b, j)) {
		return yes
	}
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if bytes.Contains(line, []byte{m.quote, ':'}) {
		return no
	}
	if !whole && open {
		return wait
	}
	return yes
}

func (m *machine) endKey() {
	m.str.text.finish()
	f := m.top()
	if m.nodes < maxNodes {
		f.n.members = append(f.n.members, newMember(m.str.text.String()))
	}
	f.want = wantColon
	m.str = nil
}

func (m *machine) endValue() {
	m.str.text.finish()
	if m.top().n.kind == arrayNode {
		m.listed += m.str.text.len()
	}
	m.str.closed = true
	m.str = nil
}

// readEscape handles a backslash at pos; false means that more text is needed.
func (m *machine) readEscape() bool {
	rest := m.buf[m.pos+1:]
	if len(rest) == 0 {
		if m.final {
			m.pos++
		}
		return m.final
	}
	c := rest[0]
	switch {
	case c == 'u':
		return m.readUnicode(rest)
	case shortEscape(c) != 0:
		m.str.text.writeByte(shortEscape(c))
		m.pos += 2
	case c == '"' || c == '\'' || c == '\\' || c == '/' || c == '\n':
		m.str.text.writeByte(c)
		m.pos += 2
	default: // not an escape of JSON: the backslash is text
		m.str.text.writeByte('\\')
		m.pos++
	}
	return true
}

func shortEscape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return 0
}

func (m *machine) readUnicode(rest []byte) bool {
	r, ok := hex4(rest[1:])
	if !ok {
		if len(rest) < 5 && !m.final && allHex(rest[1:]) {
			return false
		}
		m.str.text.writeByte('\\')
		m.pos++
		return true
	}
	used := 6
	if utf16.IsSurrogate(r) {
		pair := rest[5:]
		if len(pair) < 6 && !m.final && couldBePair(pair) {
			return false
		}
		low, paired := rune(0), false
		if len(pair) >= 6 && pair[0] == '\\' && pair[1] == 'u' {
			low, paired = hex4(pair[2:])
		}
		if joined := utf16.DecodeRune(r, low); paired && joined != utf8.RuneError {
			r, used = joined, 12
		} else {
			r = utf8.RuneError
		}
	}
	m.str.text.write(utf8.AppendRune(nil, r))
	m.pos += used
	return true
}

func couldBePair(b []byte) bool {
	return len(b) == 0 || b[0] == '\\' && (len(b) == 1 || b[1] == 'u' && allHex(b[2:]))
}

func allHex(b []byte) bool {
	for _, c := range b {
		if hexDigit(c) < 0 {
			return false
		}
	}
	return true
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		d := hexDigit(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

// openScalar begins a bare word or number; a bare key is one too, until its
// colon shows.
func (m *machine) openScalar() {
	m.scalar = m.newNode(scalarNode)
	f := m.top()
	m.isKey = f.n.kind == objectNode && (f.want == wantKey || f.want == wantComma)
	if !m.isKey {
		m.attach(m.scalar)
	}
}

func (m *machine) readScalar() bool {
	for m.pos < len(m.buf) {
		c := m.buf[m.pos]
		if bytes.IndexByte([]byte(",}]\n\"'{[:<"), c) >= 0 {
			m.endScalar(c)
			return true
		}
		m.scalar.text.writeByte(c)
		m.pos++
	}
	return true
}

func (m *machine) endScalar(next byte) {
	m.scalar.text.finish()
	m.scalar.text.set(strings.TrimSpace(m.scalar.text.String()))
	m.scalar.closed = true
	if m.isKey && next == ':' && m.nodes < maxNodes {
		f := m.top()
		f.n.members = append(f.n.members, newMember(m.scalar.text.String()))
		f.want = wantColon
	}
	m.scalar = nil
}
