package layers

import "bytes"

// base is the state outside every tag, where text is speech. It is a Layer so
// that the open layers and it can be compared.
const base Layer = 255

// open is a tag that has been opened and not yet closed.
type open struct {
	layer Layer
	made  bool // it has given a segment
	inner int  // system tags opened inside native reasoning, as text
}

// machine cuts a text into segments. Its source is kept whole, since later text
// may show that it has to begin again with better knowledge; each kind of
// knowledge below is gained once and never lost, so the passes are few and the
// cost stays linear. What it makes of a text does not depend on how the text
// arrived: where a decision needs text to come, it waits.
type machine struct {
	src []byte
	pos int
	draft

	name  string
	fixed bool // the dialect was given, not to be found out

	// Knowledge gained, kept over a new beginning.
	her      bool    // a HER tag was met
	coser    bool    // a bracket stood where a layer stands
	opened   [2]bool // indexed by System and Native: the text began inside one
	fenceOff bool    // a code fence never closed, so none is honoured

	// State of the present pass.
	stack    []open
	seen     [5]bool // a block of the layer was met
	named    bool    // the name prefix is gone
	cut      bool    // the text ended inside a tag or a mark
	edge     int     // source position where the present run of base text starts
	fence    int     // backticks that opened the code fence, 0 outside
	fenceAt  int     // source position of the fence's text
	ticks    int     // backticks at the start of the present line
	ticksEnd int
	marks
}

// restart begins again from the start of the text.
func (m *machine) restart() {
	m.pos, m.edge = 0, 0
	m.clear()
	m.stack = m.stack[:0]
	m.seen = [5]bool{}
	m.named, m.cut = false, false
	m.fence, m.fenceAt, m.ticks, m.ticksEnd = 0, 0, 0, -1
	m.marks.restart()
	for l, opened := range m.opened {
		if opened {
			m.push(Layer(l))
		}
	}
}

// run works through the source as far as it can be decided; with eof, to its end.
func (m *machine) run(eof bool) {
	for {
		for m.pos < len(m.src) {
			if !m.step(eof) {
				return
			}
		}
		if !eof || !m.finish() {
			return
		}
	}
}

// finish looks at what the end of the text left open. It returns true if there
// is something to work through again.
func (m *machine) finish() bool {
	if m.fence > 0 && !m.fenceOff && m.fenceHides() {
		m.fenceOff = true
		m.restart()
		return true
	}
	return m.finishMark()
}

// fenceHides reports whether there are tags in the text of an open code fence.
func (m *machine) fenceHides() bool {
	b := m.src[m.fenceAt:]
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return false
		}
		b = b[i:]
		if _, _, st := lexTag(b); st == isTag || st == maybeTag && fragment(b, false) {
			return true
		}
		b = b[1:]
	}
}

// top returns the layer that the text at the present position is in.
func (m *machine) top() Layer {
	if n := len(m.stack); n > 0 {
		return m.stack[n-1].layer
	}
	return base
}

// step takes one piece of the source. It returns false where it has to wait
// for more text.
func (m *machine) step(eof bool) bool {
	switch m.top() {
	case base, Speech:
		return m.baseStep(eof)
	}
	b := m.src[m.pos:]
	if b[0] == '<' {
		return m.angle(eof)
	}
	n := bytes.IndexByte(b, '<')
	if n < 0 {
		n = len(b)
	}
	m.say(n)
	return true
}

// say adds the next n bytes of the source to the present layer.
func (m *machine) say(n int) {
	layer := m.top()
	switch {
	case m.mark != 0:
		layer = m.markLayer()
	case layer == base:
		layer = Speech
	}
	text := m.add(layer, m.src[m.pos:m.pos+n])
	m.pos += n
	if k := len(m.stack); k > 0 && text {
		m.stack[k-1].made = true
	}
}

// angle takes a "<": a tag, or text.
func (m *machine) angle(eof bool) bool {
	b := m.src[m.pos:]
	t, n, st := lexTag(b)
	switch st {
	case maybeTag:
		if !eof {
			return false
		}
		if m.cutTag(b) {
			m.cut = true
			m.pos = len(m.src)
			return true
		}
		m.say(1)
	case notTag:
		m.say(1)
	case isTag:
		if m.mark != 0 {
			// A bracket or an asterisk does not reach over a tag.
			m.failMark(m.pos)
			return true
		}
		m.ticks = 0
		m.tag(t, n)
	}
	return true
}

// cutTag reports whether the end of the text, which may begin a tag, is a cut
// tag and not text. A bare "<" is one only in a reply with tags, and there only
// if it does not close a face such as >_<.
func (m *machine) cutTag(b []byte) bool {
	if len(b) > 1 {
		return fragment(b, m.her)
	}
	face := m.pos >= 2 && m.src[m.pos-2] == '>' && !isBlank(m.src[m.pos-1])
	return m.her && !face
}

// tag carries out a tag of n bytes.
func (m *machine) tag(t tag, n int) {
	if m.quoted(t) {
		m.say(n)
		return
	}
	if t.layer != Native && m.becomeHER() {
		return
	}
	m.pos += n
	m.edge = m.pos
	switch {
	case t.empty:
	case t.close:
		m.closeTag(t.layer)
	default:
		m.openTag(t.layer)
	}
}

// quoted reports whether a tag is only spoken of: plans and reasoning mention
// the tags they are going to use.
func (m *machine) quoted(t tag) bool {
	if len(m.stack) == 0 {
		return false
	}
	top := &m.stack[len(m.stack)-1]
	switch top.layer {
	case System:
		return t.layer != System && t.layer != Native
	case Native:
		if t.layer != System {
			return t.layer != Native
		}
		if t.close {
			if top.inner > 0 {
				top.inner--
				return true
			}
			return false
		}
		if !top.made {
			return false
		}
		top.inner++
		return true
	}
	return false
}

// becomeHER notes that the reply is written in HER tags, in which brackets and
// asterisks are prose. It returns true if that made the machine begin again.
func (m *machine) becomeHER() bool {
	if m.her {
		return false
	}
	m.her = true
	if m.fixed || !m.marked {
		return false
	}
	m.restart()
	return true
}

func (m *machine) push(l Layer) {
	m.seen[l] = true
	m.stack = append(m.stack, open{layer: l})
}

// pop closes the innermost open tag. A pair of tags gives a segment even when
// nothing stands in it, except for speech.
func (m *machine) pop() {
	last := len(m.stack) - 1
	o := m.stack[last]
	m.stack = m.stack[:last]
	if !o.made && o.layer != Speech && !m.continues(o.layer) {
		m.begin(o.layer)
	}
}

// depth returns how many tags have to be closed for that of l to be, or 0.
func (m *machine) depth(l Layer) int {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if m.stack[i].layer == l {
			return len(m.stack) - i
		}
	}
	return 0
}

func (m *machine) openTag(l Layer) {
	if d := m.depth(l); d > 0 {
		// Opened twice (an echoed prefill), or a closer was forgotten.
		for ; d > 1; d-- {
			m.pop()
		}
		return
	}
	if m.top() == Native && l == System {
		// A reasoning block left empty and never closed gives way to the plan.
		m.stack = m.stack[:len(m.stack)-1]
	}
	m.push(l)
}

func (m *machine) closeTag(l Layer) {
	top := m.top()
	hidden := l == System || l == Native
	switch {
	case top == base:
		m.orphan(l)
	case m.depth(l) > 0:
		for d := m.depth(l); d > 0; d-- {
			m.pop()
		}
	case hidden && (top == Act || top == Speech) && !m.seen[l]:
		m.orphan(l)
	case hidden && top == Think && l == System && !m.seen[System] && m.spoke:
		m.orphan(l)
	default:
		// Opened under one name, closed under another.
		m.pop()
	}
}

// orphan handles a closer without an opener. The opener of a plan or of
// reasoning was in the prompt, so the text began inside it. A lone thought
// closer takes the speech before it; others only vanish.
func (m *machine) orphan(l Layer) {
	if m.seen[l] {
		return
	}
	m.seen[l] = true
	switch l {
	case System, Native:
		for _, s := range m.segs {
			if s.layer != System && s.layer != Native {
				m.opened[l] = true
				m.restart()
				return
			}
		}
	case Think:
		if n := len(m.segs); n > 0 && m.segs[n-1].layer == Speech {
			m.retag(Think)
		}
	}
}
