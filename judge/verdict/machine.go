package verdict

import (
	"bytes"
	"encoding/json"
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
