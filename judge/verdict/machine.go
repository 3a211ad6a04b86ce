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
	// The nearest object and the nearest list from here down, -1 for none: a
	// closer finds its opener without a search.
	object, array int32
	below         part // the member of the frames below that tells the phase
}

// document is one JSON object found at the top level of the output.
type document struct {
	root     *node
	from, to int      // in the buffer; to is 0 while it is open
	strict   bool     // closed, and valid JSON as it stands
	said     *reading // what it says, once it is closed
	before   int      // the last document before it that says something, or -1
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
	reasoning clean
	reasoned  clean // all of the text before a lone closing tag, tags and all
	forgotten int   // the length of that text as it was written

	stack   []frame
	nodes   int
	listed  int     // bytes of text in lists
	dropped [2]node // stand for containers past the cap, by kind

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
			m.docs = append(m.docs, document{root: root, from: m.pos, before: m.lastSaying()})
			m.stack = m.stack[:0]
			m.push(root, wantKey)
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
	m.reasoned.write(m.buf[m.forgotten:end])
	m.forgotten, m.reasoning = end, clean{}
	m.docs, m.prose, m.proseFrom = nil, nil, 0
	m.stack, m.str, m.scalar = m.stack[:0], nil, nil
	m.place = inProse
}

func (m *machine) readThink() bool {
	n := bytes.IndexByte(m.buf[m.pos:], '<')
	if n < 0 {
		m.reasoning.write(m.buf[m.pos:])
		m.pos = len(m.buf)
		return true
	}
	m.reasoning.write(m.buf[m.pos : m.pos+n])
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
	m.reasoning.writeByte('<')
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
	said := d.extract(true)
	d.said = &said
}

// lastSaying is the last document that says something, or -1. All are closed.
func (m *machine) lastSaying() int {
	last := len(m.docs) - 1
	if last < 0 || m.docs[last].said.says() {
		return last
	}
	return m.docs[last].before
}

func (m *machine) push(n *node, w want) {
	f := frame{n: n, want: w, object: -1, array: -1}
	at := len(m.stack)
	if at > 0 {
		f.object, f.array, f.below = m.top().object, m.top().array, m.top().at()
	}
	if n.kind == arrayNode {
		f.array = int32(at)
	} else {
		f.object = int32(at)
	}
	m.stack = append(m.stack, f)
}

// at is the part of a verdict that is being written, as far as the frame and
// those below it tell.
func (f *frame) at() part {
	if k := len(f.n.members); f.n.kind == objectNode && k > 0 {
		switch p := f.n.members[k-1].part; p {
		case principlePart, analysisPart, comparisonsPart, overallPart, summaryPart, labelPart:
			return p
		}
	}
	return f.below
}

// finish ends the texts that are still open: no more comes.
func (m *machine) finish() {
	m.reasoning.finish()
	m.reasoned.finish()
	if m.str != nil {
		m.str.text.finish()
	}
	if m.scalar != nil {
		m.scalar.text.finish()
	}
}
