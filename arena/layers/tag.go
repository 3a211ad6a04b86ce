package layers

import "strings"

// maxTag is the most bytes a tag may take, from "<" to ">". It bounds how much
// is held back while a tag may still be coming.
const maxTag = 160

// tag is an opening or closing tag of one of the layers, whatever its spelling.
type tag struct {
	layer Layer
	close bool // </name>
	empty bool // <name/>
}

// lexed says what stands at a "<".
type lexed uint8

const (
	notTag   lexed = iota
	isTag          // a whole tag
	maybeTag       // the text ends before it is decided
)

// tagNames are the spellings of the layers' tags in lower case with the
// separators between words left out. The paper's own are systemthinking,
// rolethinking and roleaction; the rest occurs in HER's data and cleaning code
// or is written by models with reasoning of their own.
var tagNames = [...]struct {
	key   string
	layer Layer
}{
	{"systemthinking", System},
	{"systemthink", System},
	{"systemthought", System},
	{"rolethinking", Think},
	{"rolethink", Think},
	{"rolethought", Think},
	{"longrolethinking", Think},
	{"longrolethink", Think},
	{"roleaction", Act},
	{"roleactions", Act},
	{"roleact", Act},
	{"rolespeech", Speech},
	{"think", Native},
	{"thinking", Native},
	{"thinker", Native},
	{"thought", Native},
	{"mm:think", Native},
	{"mm:thinking", Native},
	{"seed:think", Native},
}

// wordEnds are the beginnings of names after which a separator may stand.
var wordEnds = [...]string{"system", "role", "long", "longrole"}

// findName looks a name up; known is true for a whole name, begun for the
// beginning of one.
func findName(key string) (layer Layer, known, begun bool) {
	for _, n := range tagNames {
		if !strings.HasPrefix(n.key, key) {
			continue
		}
		begun = true
		if len(n.key) == len(key) {
			return n.layer, true, true
		}
	}
	return 0, false, begun
}

func isWordEnd(key string) bool {
	for _, w := range wordEnds {
		if w == key {
			return true
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isASCIIAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// lexTag reads the tag at the start of b, which begins with "<", and its length
// in bytes. Upper case, blanks inside the brackets, blanks, underscores or
// dashes (or nothing) between words, and attributes are all accepted.
func lexTag(b []byte) (t tag, n int, st lexed) {
	l := tagLexer{b: b[:min(len(b), maxTag)], i: 1}
	t, st = l.read()
	if st == maybeTag && len(b) >= maxTag {
		st = notTag
	}
	return t, l.i, st
}

// tagLexer walks over one tag.
type tagLexer struct {
	b []byte
	i int
}

func (l *tagLexer) blanks() {
	for l.i < len(l.b) && isBlank(l.b[l.i]) {
		l.i++
	}
}

func (l *tagLexer) read() (t tag, st lexed) {
	l.blanks()
	if l.i < len(l.b) && l.b[l.i] == '/' {
		t.close = true
		l.i++
		l.blanks()
	}
	if t.layer, st = l.name(); st != isTag {
		return t, st
	}
	return t, l.rest(&t)
}

// name reads the name up to what follows it: a blank, "/" or ">".
func (l *tagLexer) name() (Layer, lexed) {
	var buf [24]byte
	key := buf[:0]
	for ; l.i < len(l.b); l.i++ {
		c := l.b[l.i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == ':':
			if c != ':' {
				c |= 0x20
			}
			if len(key) == len(buf) {
				return 0, notTag
			}
			key = append(key, c)
			if _, _, begun := findName(string(key)); !begun {
				return 0, notTag
			}
		case isBlank(c) || c == '_' || c == '-':
			if isWordEnd(string(key)) {
				continue
			}
			layer, known, _ := findName(string(key))
			if !known || !isBlank(c) {
				return 0, notTag
			}
			return layer, isTag
		case c == '>' || c == '/':
			layer, known, _ := findName(string(key))
			if !known {
				return 0, notTag
			}
			return layer, isTag
		default:
			return 0, notTag
		}
	}
	return 0, maybeTag
}

// rest reads what stands between the name and ">".
func (l *tagLexer) rest(t *tag) lexed {
	l.blanks()
	if st := l.attributes(t.layer); st != isTag {
		return st
	}
	if l.b[l.i] == '/' {
		t.empty = true
		l.i++
	}
	l.i++
	return isTag
}

// attributes skips attributes and stops at the ">" or "/>" that ends the tag.
// The names of native reasoning are everyday words, so theirs must look like
// attributes ("<think that over>" is text); HER's own names need not.
func (l *tagLexer) attributes(layer Layer) lexed {
	if layer == Native {
		if st := l.attributeName(); st != isTag {
			return st
		}
	}
	var quote byte
	for ; l.i < len(l.b); l.i++ {
		c := l.b[l.i]
		switch {
		case c == '<':
			return notTag
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return isTag
		case c == '/':
			if l.i+1 == len(l.b) {
				return maybeTag
			}
			if l.b[l.i+1] == '>' {
				return isTag
			}
		}
	}
	return maybeTag
}

// attributeName reads "name=" where one must stand.
func (l *tagLexer) attributeName() lexed {
	if l.i < len(l.b) && (l.b[l.i] == '>' || l.b[l.i] == '/') {
		return isTag
	}
	for start := l.i; l.i < len(l.b); l.i++ {
		c := l.b[l.i]
		switch {
		case c == '=' && l.i > start:
			return isTag
		case !isASCIIAlnum(c) && c != '_' && c != '-' && c != ':' && c != '.':
			return notTag
		}
	}
	return maybeTag
}

// fragment reports whether b, a text that ends within what may be a tag, is
// surely the cut beginning of one and not a stray "<".
func fragment(b []byte, spaced bool) bool {
	if len(b) < 2 || isBlank(b[1]) && !spaced {
		return false
	}
	for _, c := range b[1:] {
		if !isBlank(c) {
			return true
		}
	}
	return false
}

// CutHalfTag returns a text without the beginning of a tag that it ends in, such
// as "<", "</sys" or "<role_ac". A text that is to be gone on with must not end
// in one: what follows would make speech of it. A bare "<" that closes a face
// such as >_< stays.
func CutHalfTag(text string) string {
	i := strings.LastIndexByte(text, '<')
	if i < 0 {
		return text
	}
	half := text[i:]
	if strings.TrimSpace(half) == "<" {
		if i >= 2 && text[i-2] == '>' && !isBlank(text[i-1]) {
			return text
		}
		return text[:i]
	}
	if _, _, st := lexTag([]byte(half[:min(len(half), maxTag)])); st != maybeTag {
		return text
	}
	return text[:i]
}
