package verdict

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// place is where in the output the machine stands.
type place uint8

const (
	inProse place = iota
	inThink
	inDocument
)

// want is what a container expects next.
type want uint8

const (
	wantKey want = iota
	wantColon
	wantValue
	wantComma
)

type frame struct {
	n    *node
	want want
}

// document is one JSON object found at the top level of the output.
type document struct {
	root     *node
	from, to int  // in the buffer; to is 0 while it is open
	strict   bool // closed, and valid JSON as it stands
}

// machine reads a critic's output once, from left to right. Each step either
// consumes text or waits for more; where the text was cut into pieces makes no
// difference to what it finds.
type machine struct {
	buf   []byte
	pos   int
	final bool
	place place

	docs      []document
	prose     []byte // top-level text outside documents and reasoning
	proseFrom int    // length of prose when the last document closed
	reasoning []byte
	reasoned  int // all before it was reasoning, tags and all

	stack []frame
	nodes int

	// The string being read, if any.
	str    *node
	quote  byte
	isKey  bool
	echo   bool // it holds a candidate's own text
	echoOf part
	lineAt int // length of the text right after its last raw line break

	scalar *node
}

func (m *machine) top() *frame { return &m.stack[len(m.stack)-1] }

// run consumes all that can be decided.
func (m *machine) run() {
	for m.pos < len(m.buf) {
		var moved bool
		switch {
		case m.place == inProse:
			moved = m.readProse()
		case m.place == inThink:
			moved = m.readThink()
		case m.str != nil:
			moved = m.readString()
		case m.scalar != nil:
			moved = m.readScalar()
		default:
			moved = m.readStructure()
		}
		if !moved {
			return
		}
	}
}

func (m *machine) readProse() bool {
	n := bytes.IndexAny(m.buf[m.pos:], "<{")
	if n < 0 {
		m.prose = append(m.prose, m.buf[m.pos:]...)
		m.pos = len(m.buf)
		return true
	}
	m.prose = append(m.prose, m.buf[m.pos:m.pos+n]...)
	m.pos += n
	if m.buf[m.pos] == '{' {
		switch m.opensDocument(m.pos) {
		case wait:
			return false
		case yes:
			root := m.newNode(objectNode)
			m.docs = append(m.docs, document{root: root, from: m.pos})
			m.stack = append(m.stack[:0], frame{n: root})
			m.place = inDocument
			m.pos++
			return true
		}
	} else {
		a, n, closing := m.thinkTag(m.pos)
		switch {
		case a == wait:
			return false
		case a == yes && closing:
			m.forget(m.pos)
			m.pos += n
			return true
		case a == yes:
			m.place = inThink
			m.pos += n
			return true
		}
	}
	m.prose = append(m.prose, m.buf[m.pos])
	m.pos++
	return true
}

// forget drops all that was read: a closing reasoning tag showed that it was
// reasoning whose opening tag stood in the prompt.
func (m *machine) forget(end int) {
	m.reasoning, m.reasoned = m.reasoning[:0], end
	m.docs, m.prose, m.proseFrom = nil, nil, 0
	m.stack, m.str, m.scalar = m.stack[:0], nil, nil
	m.place = inProse
}

func (m *machine) readThink() bool {
	n := bytes.IndexByte(m.buf[m.pos:], '<')
	if n < 0 {
		m.reasoning = append(m.reasoning, m.buf[m.pos:]...)
		m.pos = len(m.buf)
		return true
	}
	m.reasoning = append(m.reasoning, m.buf[m.pos:m.pos+n]...)
	m.pos += n
	a, n, closing := m.thinkTag(m.pos)
	switch {
	case a == wait:
		return false
	case a == yes && closing:
		m.place = inProse
		m.pos += n
		return true
	}
	m.reasoning = append(m.reasoning, '<')
	m.pos++
	return true
}

// readStructure handles one token between values.
func (m *machine) readStructure() bool {
	c := m.buf[m.pos]
	switch c {
	case ' ', '\n', '\r', '\t':
		m.pos = skipSpace(m.buf, m.pos)
		return true
	case '{', '[':
		m.pos++
		m.openContainer(c)
		return true
	case '}', ']':
		return m.readCloser(c)
	case '"', '\'':
		m.pos++
		m.openString(c)
		return true
	case ',':
		m.pos++
		if f := m.top(); f.n.kind == objectNode {
			f.want = wantKey
		}
		return true
	case ':', '=':
		m.pos++
		m.colon()
		return true
	case '<':
		a, n, closing := m.thinkTag(m.pos)
		if a == wait {
			return false
		}
		if a == yes && closing {
			m.forget(m.pos)
			m.pos += n
			return true
		}
	case 0xEF:
		if len(m.buf)-m.pos < 3 && !m.final {
			return false
		}
		if hasFullColon(m.buf, m.pos) {
			m.pos += 3
			m.colon()
			return true
		}
	}
	if isWordStart(c) || c == '-' || c == '+' || c >= '0' && c <= '9' {
		m.openScalar()
		return true
	}
	m.pos++ // a stray mark: comments, dots, foreign quotes
	return true
}

func (m *machine) colon() {
	f := m.top()
	if f.n.kind == objectNode {
		if f.want == wantColon {
			f.want = wantValue
		}
		return
	}
	m.keyInList(f.n)
}

// keyInList mends "[ {…}, key: value": either the object before the key was
// closed too early, or the list was not closed.
func (m *machine) keyInList(list *node) {
	n := len(list.items)
	if n < 2 || list.items[n-1].kind != stringNode || list.items[n-2].kind != objectNode {
		return
	}
	key, obj := string(list.items[n-1].text), list.items[n-2]
	norm := foldKey(key)
	list.items = list.items[:n-1]
	if p := partOf(norm); p == noPart || p == fieldPart {
		obj.closed = false
		obj.members = append(obj.members, member{key: key, norm: norm})
		m.stack = append(m.stack, frame{n: obj, want: wantValue})
		return
	}
	for m.top().n.kind == arrayNode { // the root is an object
		m.pop()
	}
	f := m.top()
	f.n.members = append(f.n.members, member{key: key, norm: norm})
	f.want = wantValue
}

func (m *machine) openContainer(c byte) {
	kind := objectNode
	if c == '[' {
		kind = arrayNode
	}
	f := m.top()
	if f.n.kind == objectNode && f.want != wantValue && f.want != wantColon {
		// An object where a key belongs: the one before lacks its closer.
		if kind == arrayNode || len(m.stack) < 2 || m.stack[len(m.stack)-2].n.kind != arrayNode {
			return
		}
		m.pop()
	}
	n := m.newNode(kind)
	m.attach(n)
	m.stack = append(m.stack, frame{n: n})
}

// readCloser handles a closing brace or bracket at pos.
func (m *machine) readCloser(c byte) bool {
	kind := objectNode
	if c == ']' {
		kind = arrayNode
	}
	at := len(m.stack) - 1
	for at >= 0 && m.stack[at].n.kind != kind {
		at--
	}
	if at < 0 {
		m.pos++ // closes nothing
		return true
	}
	if at == 0 {
		switch m.continues(m.pos + 1) {
		case wait:
			return false
		case yes:
			// One closer too many: the object goes on behind it.
			for len(m.stack) > 1 {
				m.pop()
			}
			m.top().want = wantComma
			m.pos++
			return true
		}
	}
	m.pos++
	for len(m.stack) > at {
		m.pop()
	}
	if len(m.stack) == 0 {
		m.endDocument()
	}
	return true
}

// endDocument closes the open document and drops it if it says nothing.
func (m *machine) endDocument() {
	m.place = inProse
	d := &m.docs[len(m.docs)-1]
	if !d.relevant() {
		m.docs = m.docs[:len(m.docs)-1]
		return
	}
	d.to = m.pos
	d.strict = json.Valid(m.buf[d.from:d.to])
	m.proseFrom = len(m.prose)
}

// continues tells whether the document goes on behind its last closer, with a
// comma and a key that belongs to a verdict.
func (m *machine) continues(i int) answer {
	b, open := m.window(i)
	j := skipSpace(b, 0)
	if j >= len(b) {
		return unless(open)
	}
	if b[j] != ',' {
		return no
	}
	a, key := keyAhead(b, j+1, open)
	if a == yes && partOf(key) == noPart {
		return no
	}
	return a
}

func (m *machine) pop() {
	m.top().n.closed = true
	m.stack = m.stack[:len(m.stack)-1]
	if len(m.stack) > 0 {
		m.top().want = wantComma
	}
}

// newNode makes a node. Past the cap nodes are still read but no longer kept.
func (m *machine) newNode(kind nodeKind) *node {
	m.nodes++
	return &node{kind: kind}
}

// attach puts a value where the open container wants one.
func (m *machine) attach(n *node) {
	f := m.top()
	if f.n.kind == arrayNode {
		if m.nodes < maxNodes {
			f.n.items = append(f.n.items, n)
		}
		return
	}
	if k := len(f.n.members); k > 0 && f.n.members[k-1].val == nil {
		f.n.members[k-1].val = n
	}
	f.want = wantComma
}

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
		n := 0
		for n < len(rest) && rest[n] != '\\' && rest[n] != m.quote {
			n++
			if rest[n-1] == '\n' {
				m.lineAt = len(m.str.text) + n
			}
		}
		m.str.text = append(m.str.text, rest[:n]...)
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
			m.str.text = append(m.str.text, m.quote)
			m.pos++
		}
		return a
	}
	switch a := m.lineKey(m.pos); a {
	case wait:
		return wait
	case yes:
		m.str.text = bytes.TrimRight(bytes.TrimRight(m.str.text, " \t\r\n"), ",")
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
	m.str.text = append(m.str.text, m.quote)
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
	key := string(m.str.text)
	f := m.top()
	f.n.members = append(f.n.members, member{key: key, norm: foldKey(key)})
	if m.nodes >= maxNodes {
		f.n.members = f.n.members[:len(f.n.members)-1]
	}
	f.want = wantColon
	m.str = nil
}

func (m *machine) endValue() {
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
	short := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}
	c := rest[0]
	switch {
	case c == 'u':
		return m.readUnicode(rest)
	case short[c] != 0:
		m.str.text = append(m.str.text, short[c])
		m.pos += 2
	case c == '"' || c == '\'' || c == '\\' || c == '/' || c == '\n':
		m.str.text = append(m.str.text, c)
		m.pos += 2
	default: // not an escape of JSON: the backslash is text
		m.str.text = append(m.str.text, '\\')
		m.pos++
	}
	return true
}

func (m *machine) readUnicode(rest []byte) bool {
	r, ok := hex4(rest[1:])
	if !ok {
		if len(rest) < 5 && !m.final && allHex(rest[1:]) {
			return false
		}
		m.str.text = append(m.str.text, '\\')
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
	m.str.text = utf8.AppendRune(m.str.text, r)
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
		m.scalar.text = append(m.scalar.text, c)
		m.pos++
	}
	return true
}

func (m *machine) endScalar(next byte) {
	m.scalar.text = bytes.TrimSpace(m.scalar.text)
	m.scalar.closed = true
	if m.isKey && next == ':' && m.nodes < maxNodes {
		key := string(m.scalar.text)
		f := m.top()
		f.n.members = append(f.n.members, member{key: key, norm: foldKey(key)})
		f.want = wantColon
	}
	m.scalar = nil
}
