package prose

import "strings"

// splitter finds where a growing Markdown text may be cut so that its parts
// render as the whole does. It reads complete lines. Where it is in doubt it
// does not cut: a longer part is slower, never wrong.
type splitter struct {
	open  bool // the present part has lines
	list  bool // it holds a list: what is indented, or another item, belongs to it
	item  int  // the indent of what belongs to the outermost item
	blank bool // a blank line was seen that may end it

	fence    byte // the open code fence's character, 0 for none
	fenceLen int
	inList   bool   // the fence stands within a list
	inQuote  bool   // or within a quote
	html     string // the text that ends the open HTML block; "\n" for a blank line

	doubt bool // what is open cannot be told any more: no further cuts
}

// verdict is what a line means for the part before it.
type verdict uint8

const (
	goesOn  verdict = iota // the line belongs to the present part
	cutsOff                // the present part ends before the line
	closes                 // the present part ends with the line
)

// line takes the next line, without its line feed.
func (s *splitter) line(l string) verdict {
	trimmed := strings.TrimLeft(l, " \t")
	if s.fence != 0 {
		return s.inFence(l, trimmed)
	}
	if strings.TrimSpace(l) == "" {
		if s.html == "\n" {
			s.html = ""
		}
		if s.html == "" && s.open {
			s.blank = true
		}
		return goesOn
	}
	if s.html != "" {
		s.endHTML(l)
		if s.html == "\n" {
			// It may be no HTML after all: what only looks like a tag.
			_, n := fenceOf(trimmed)
			s.list = s.list || isItem(trimmed) || trimmed[0] == ':'
			s.doubt = s.doubt || n > 0 || len(htmlEnd(trimmed)) > 1
		}
		return goesOn
	}
	v := goesOn
	if s.blank && s.open && !s.doubt && !s.continues(l, trimmed) {
		v = cutsOff
		s.restart()
	}
	s.enter(l, trimmed)
	return v
}

// restart begins a new part.
func (s *splitter) restart() { *s = splitter{} }

// continues reports whether a line behind a blank one still belongs to the part.
func (s *splitter) continues(l, trimmed string) bool {
	indented := len(trimmed) < len(l)
	switch {
	case s.list:
		return indented || isItem(trimmed) || trimmed[0] == ':'
	case indentOf(l) >= 4:
		return true // code, perhaps of one block with what came before
	}
	return trimmed[0] == ':' // a definition behind its term
}

// enter notes what a line opens.
func (s *splitter) enter(l, trimmed string) {
	first := !s.open
	s.open, s.blank = true, false
	depth := indentOf(l)
	if first && depth >= 4 {
		return
	}
	switch {
	case isItem(trimmed) && !isRule(trimmed):
		if !s.list || depth < s.item {
			s.item = depth + itemIndent(trimmed)
		}
		s.list = true
		s.doubt = s.doubt || emptyItem(trimmed)
	case trimmed[0] == ':':
		s.list, s.item = true, depth+2
	}
	inner := strings.TrimLeft(trimmed, " \t>")
	for isItem(inner) && !isRule(inner) {
		_, rest, ok := strings.Cut(inner, " ")
		if !ok {
			break
		}
		inner = strings.TrimLeft(rest, " \t>")
	}
	if c, n := fenceOf(inner); n > 0 {
		s.fence, s.fenceLen = c, n
		s.inList, s.inQuote = s.list && (depth >= s.item || isItem(trimmed)), strings.HasPrefix(trimmed, ">")
		return
	}
	if strings.HasPrefix(trimmed, "<") && depth < 4 {
		s.html = htmlEnd(trimmed)
		s.endHTML(l)
	}
}

// inFence takes a line within a code fence.
func (s *splitter) inFence(l, trimmed string) verdict {
	inner := trimmed
	if s.inList || s.inQuote {
		inner = strings.TrimLeft(trimmed, " \t>")
		if trimmed != "" && s.leaves(l, trimmed) {
			s.fence, s.doubt = 0, true
			return s.line(l)
		}
	}
	c, n := fenceOf(inner)
	if c != s.fence || n < s.fenceLen || strings.TrimSpace(inner[n:]) != "" {
		return goesOn
	}
	if indentOf(l) >= 4 && !s.inList {
		return goesOn
	}
	s.fence = 0
	if s.list || s.inList || s.inQuote || s.doubt {
		return goesOn
	}
	return closes
}

// leaves reports whether a line stands outside of the list or quote the open
// fence is in, which ends the fence.
func (s *splitter) leaves(l, trimmed string) bool {
	if s.inQuote && !s.inList {
		return trimmed[0] != '>'
	}
	depth := indentOf(l)
	s.doubt = s.doubt || s.inQuote || depth > 0 && depth < s.item
	return depth < s.item && (!s.inQuote || trimmed[0] != '>')
}

// endHTML closes the HTML block if the line holds its end.
func (s *splitter) endHTML(l string) {
	if s.html != "" && s.html != "\n" && strings.Contains(strings.ToLower(l), s.html) {
		s.html = ""
	}
}

// fenceOf returns the character and length of a code fence, 0 for none.
func fenceOf(l string) (byte, int) {
	if l == "" || l[0] != '`' && l[0] != '~' {
		return 0, 0
	}
	n := 0
	for n < len(l) && l[n] == l[0] {
		n++
	}
	if n < 3 || l[0] == '`' && strings.IndexByte(l[n:], '`') >= 0 {
		return 0, 0
	}
	return l[0], n
}

// isItem reports whether a line begins a list item.
func isItem(l string) bool {
	if l == "" {
		return false
	}
	if l[0] == '-' || l[0] == '*' || l[0] == '+' {
		return len(l) == 1 || l[1] == ' ' || l[1] == '\t'
	}
	n := 0
	for n < len(l) && n < 10 && l[n] >= '0' && l[n] <= '9' {
		n++
	}
	return n > 0 && n < len(l) && (l[n] == '.' || l[n] == ')') &&
		(n+1 == len(l) || l[n+1] == ' ' || l[n+1] == '\t')
}

// itemIndent returns how far behind its marker's beginning an item's text begins.
func itemIndent(trimmed string) int {
	mark, rest, _ := strings.Cut(strings.ReplaceAll(trimmed, "\t", " "), " ")
	pad := len(rest) - len(strings.TrimLeft(rest, " "))
	if pad > 3 || pad == len(rest) { // indented code, or nothing
		pad = 0
	}
	return len(mark) + 1 + pad
}

// isRule reports whether a line is a thematic break.
func isRule(l string) bool {
	if l == "" || l[0] != '-' && l[0] != '*' && l[0] != '_' {
		return false
	}
	n := 0
	for i := range len(l) {
		switch l[i] {
		case l[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// isHeading reports whether a line is an ATX heading.
func isHeading(l string) bool {
	n := 0
	for n < len(l) && l[n] == '#' {
		n++
	}
	return n >= 1 && n <= 6 && (n == len(l) || l[n] == ' ' || l[n] == '\t')
}

// isDefinition reports whether a line may begin a link reference definition.
func isDefinition(l string) bool {
	if l == "" || l[0] != '[' {
		return false
	}
	at := strings.Index(l, "]:")
	return at > 1
}

// htmlEnd returns what ends the HTML block a line opens, empty for none: the
// seven kinds of CommonMark 0.31 section 4.6.
func htmlEnd(l string) string {
	low := strings.ToLower(l)
	for _, tag := range [...]string{"script", "pre", "style", "textarea"} {
		if strings.HasPrefix(low, "<"+tag) {
			rest := low[1+len(tag):]
			if rest == "" || strings.IndexByte(" \t>", rest[0]) >= 0 {
				return "</" + tag + ">"
			}
		}
	}
	switch {
	case strings.HasPrefix(l, "<!--"):
		return "-->"
	case strings.HasPrefix(l, "<?"):
		return "?>"
	case strings.HasPrefix(low, "<![cdata["):
		return "]]>"
	case len(l) > 2 && l[1] == '!':
		return ">"
	case len(l) > 1 && (l[1] == '/' || l[1]|0x20 >= 'a' && l[1]|0x20 <= 'z'):
		return "\n"
	}
	return ""
}
