package verdict

import "bytes"

// Lookahead is bounded, so that a hostile text cannot make each byte cost a scan
// of all that follows, and so that the place where a decision falls does not
// depend on how the text was cut into pieces.
const (
	lookAhead = 256
	maxNodes  = 20_000
)

// answer is the outcome of looking ahead.
type answer uint8

const (
	no answer = iota
	yes
	wait // more text could change the answer
)

// skipSpace returns the first index at or after i that holds no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// window is a view of the text from a decision point on, cut at the bound.
// open says that the text may still grow inside the bound.
func (m *machine) window(i int) (b []byte, open bool) {
	end := min(len(m.buf), i+lookAhead)
	return m.buf[i:end], end-i < lookAhead && !m.final
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isWordStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isWord(c byte) bool { return isWordStart(c) || c >= '0' && c <= '9' || c == '-' }

// closingQuote returns the index of the quote c that closes a key begun before
// i, or -1. A key does not run over a line.
func closingQuote(b []byte, i int, c byte) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '\n':
			return -1
		case c:
			return i
		}
	}
	return -1
}

// cutInKey tells whether b ends inside a key begun with the quote at i.
func cutInKey(b []byte, i int) bool {
	return isQuote(b[i]) && closingQuote(b, i+1, b[i]) < 0 && bytes.IndexByte(b[i:], '\n') < 0
}

// keyAhead tells whether b, from i on, holds a key and its colon. The folded key
// comes with a yes. Bare words count only where a verdict has such a key.
func keyAhead(b []byte, i int, open bool) (answer, string) {
	i = skipSpace(b, i)
	if i >= len(b) {
		return unless(open), ""
	}
	var key []byte
	bare := false
	switch c := b[i]; {
	case isQuote(c):
		end := closingQuote(b, i+1, c)
		if end < 0 {
			return unless(open && cutInKey(b, i)), ""
		}
		key, i = b[i+1:end], end+1
	case isWordStart(c):
		start := i
		for i < len(b) && isWord(b[i]) {
			i++
		}
		if i >= len(b) {
			return unless(open), ""
		}
		key, bare = b[start:i], true
	default:
		return no, ""
	}
	i = skipSpace(b, i)
	if i >= len(b) {
		return unless(open), ""
	}
	if open && b[i] == 0xEF && len(b)-i < 3 {
		return wait, ""
	}
	if b[i] != ':' && !hasFullColon(b, i) {
		return no, ""
	}
	norm := foldKey(string(key))
	if bare && partOf(norm) == noPart {
		return no, ""
	}
	return yes, norm
}

// unless turns "the text ended here" into a wait while more can come.
func unless(open bool) answer {
	if open {
		return wait
	}
	return no
}

func hasFullColon(b []byte, i int) bool {
	return len(b)-i >= 3 && b[i] == 0xEF && b[i+1] == 0xBC && b[i+2] == 0x9A
}

// opensDocument tells whether the brace at i opens an object rather than stands
// in prose ("{cand_1}"): a key and a colon must follow, or the closing brace.
func (m *machine) opensDocument(i int) answer {
	b, open := m.window(i + 1)
	j := skipSpace(b, 0)
	if j < len(b) && b[j] == '}' {
		return no
	}
	a, _ := keyAhead(b, j, open)
	return a
}

// thinkTag reads a reasoning tag at i. n is its length, 0 where there is none.
func (m *machine) thinkTag(i int) (a answer, n int, closing bool) {
	const longest = len("</reasoning>") + 2
	b := m.buf[i:min(len(m.buf), i+longest)]
	end := bytes.IndexByte(b, '>')
	if end < 0 {
		if len(b) < longest && !m.final && couldBeTag(b) {
			return wait, 0, false
		}
		return no, 0, false
	}
	name := bytes.ToLower(bytes.TrimSpace(b[1:end]))
	name, closing = bytes.CutPrefix(name, []byte("/"))
	switch string(bytes.TrimSpace(name)) {
	case "think", "thinking", "thinker", "thought", "reasoning":
		return yes, end + 1, closing
	}
	return no, 0, false
}

func couldBeTag(b []byte) bool {
	for _, c := range b[1:] {
		if !isWordStart(c) && c != '/' && c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// endsString decides whether the quote just before i closes the string that is
// open. A critic that forgets to escape the quotes inside a text is common, so
// the quote counts only where the text goes on as JSON would.
func (m *machine) endsString(i int) answer {
	b, open := m.window(i)
	j := skipSpace(b, 0)
	if j >= len(b) {
		if open {
			return wait
		}
		return yes
	}
	inObject := m.top().n.kind == objectNode
	switch c := b[j]; {
	case c == ',':
		return m.goesOn(b, j+1, open, inObject)
	case c == ':' && !inObject:
		return yes // a key that strayed into a list
	case c == '}' || c == ']':
		return m.closes(b, j, open)
	case isQuote(c):
		// A missing comma: only before a key that a verdict is known to have.
		a, key := keyAhead(b, j, open)
		if a == yes && (!inObject || partOf(key) == noPart || !m.mayFollow(key)) {
			return no
		}
		return a
	}
	return no
}

// goesOn decides after a quote and a comma.
func (m *machine) goesOn(b []byte, i int, open, inObject bool) answer {
	i = skipSpace(b, i)
	if i >= len(b) {
		if open {
			return wait
		}
		return yes
	}
	c := b[i]
	switch {
	case c == '}' || c == ']':
		return m.closes(b, i, open)
	case !inObject:
		if isQuote(c) || c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9' {
			return yes
		}
		return no
	case c == '{':
		return yesUnless(m.echo)
	}
	a, key := keyAhead(b, i, open)
	switch {
	case a == yes && !m.mayFollow(key):
		return no
	case a == no && !open && cutInKey(b, i):
		return yesUnless(m.echo) // the text, or the window, ends inside the next key
	}
	return a
}

// closes decides after a quote and one or more closers.
func (m *machine) closes(b []byte, i int, open bool) answer {
	depth, closers, last := len(m.stack), 0, 0
	for i < len(b) && (b[i] == '}' || b[i] == ']') {
		closers++
		last = i
		i = skipSpace(b, i+1)
		if closers >= depth {
			break
		}
	}
	if i >= len(b) {
		if open {
			return wait
		}
		return yes
	}
	c := b[i]
	if closers >= depth {
		return endsDocument(b, i, i == last+1, open)
	}
	switch {
	case c == ',':
		i = skipSpace(b, i+1)
		if i < len(b) && (b[i] == '{' || b[i] == '[' || b[i] == '}' || b[i] == ']') {
			return yesUnless(m.echo)
		}
		if i >= len(b) && !open || i < len(b) && !open && cutInKey(b, i) {
			return yesUnless(m.echo)
		}
		a, key := keyAhead(b, i, open)
		if a == yes && !m.mayFollow(key) {
			return no
		}
		return a
	case c == '{' || c == '`':
		return yesUnless(m.echo)
	case isQuote(c):
		a, key := keyAhead(b, i, open)
		if a == yes && partOf(key) == noPart {
			return no
		}
		return a
	}
	return no
}

// endsDocument decides behind the root's closer, at i, whether the document is
// over. adjacent says that nothing stands between; what follows must not be more
// of the same text then.
func endsDocument(b []byte, i int, adjacent, open bool) answer {
	c := b[i]
	if adjacent && (isQuote(c) || c == '\\') {
		return no
	}
	if c != ',' {
		return yes
	}
	switch a, key := keyAhead(b, i+1, open); {
	case a == wait:
		return wait
	case a == yes && partOf(key) == noPart:
		return no
	}
	return yes
}

func yesUnless(echo bool) answer {
	if echo {
		return no
	}
	return yes
}

// mayFollow tells whether a key may stand behind the string that is open. What
// stands in an echoed candidate is another model's text, so only the keys that
// follow an echo in HER-RM's form can end it.
func (m *machine) mayFollow(key string) bool {
	if !m.echo {
		return true
	}
	switch partOf(key) {
	case firstEcho, secondEcho, principlePart, analysisPart:
		return true
	case labelPart:
		return m.echoOf == secondEcho
	}
	return false
}

// lineKey tells whether the quote at i opens a new member on a line of its own
// although the string before it was never closed.
func (m *machine) lineKey(i int) answer {
	if m.echo || m.top().n.kind != objectNode || m.str.text.n > 0 {
		return no
	}
	text := m.str.text.String()
	n := len(text)
	for n > 0 && (text[n-1] == ' ' || text[n-1] == '\t') {
		n--
	}
	if n == 0 || n != m.lineAt {
		return no
	}
	b, open := m.window(i)
	a, key := keyAhead(b, 0, open)
	if a == yes && partOf(key) == noPart {
		return no
	}
	return a
}
