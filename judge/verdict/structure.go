package verdict

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
	key, obj := newMember(list.items[n-1].text.String()), list.items[n-2]
	list.items = list.items[:n-1]
	if key.part == noPart || key.part == fieldPart {
		obj.closed, obj.known = false, nil
		obj.members = append(obj.members, key)
		m.push(obj, wantValue)
		return
	}
	for m.top().n.kind == arrayNode { // the root is an object
		m.pop()
	}
	f := m.top()
	f.n.members = append(f.n.members, key)
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
	m.push(n, wantKey)
}

// readCloser handles a closing brace or bracket at pos.
func (m *machine) readCloser(c byte) bool {
	at := int(m.top().object)
	if c == ']' {
		at = int(m.top().array)
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
	if m.nodes > maxNodes && (kind == objectNode || kind == arrayNode) {
		m.dropped[kind].kind = kind
		return &m.dropped[kind]
	}
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
