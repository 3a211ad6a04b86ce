package lore

import (
	"strings"

	"github.com/dlclark/regexp2"
)

// Scanner is a book made ready to be searched many times. It is used by one
// goroutine at a time.
type Scanner struct {
	book    *Book
	entries []prepared
	deepest int // messages that any entry looks at
	regexps map[string]*regexp2.Regexp
	slow    map[string]bool // patterns that took too long once
}

// prepared is an entry with its decorators read and its keys taken apart.
type prepared struct {
	entry               *Entry
	at                  int
	marks               decorators
	text                string // content without decorators
	empty               bool
	depth               int // messages it looks at, negative: as the request says
	groups              []string
	keys, secondary     []key
	additional, exclude [][]key
}

// NewScanner prepares a book, which must not be changed while it is searched.
func NewScanner(b *Book) *Scanner {
	sc := &Scanner{book: b, regexps: map[string]*regexp2.Regexp{}, slow: map[string]bool{}, entries: make([]prepared, len(b.Entries)), deepest: DefaultScanDepth}
	for i := range b.Entries {
		e := &b.Entries[i]
		text, marks := Strip(e.Content)
		p := prepared{
			entry: e, at: i, text: text, empty: strings.TrimSpace(text) == "", groups: groupsOf(e.Group),
			keys: e.prepare(e.Keys), secondary: e.prepare(e.Secondary), depth: -1,
		}
		p.marks = parse(marks)
		for _, keys := range p.marks.additional {
			p.additional = append(p.additional, e.prepare(keys))
		}
		for _, keys := range p.marks.exclude {
			p.exclude = append(p.exclude, e.prepare(keys))
		}
		for _, n := range []*int{b.ScanDepth, e.ScanDepth, p.marks.scanDepth} {
			if n != nil {
				p.depth = max(*n, 0)
			}
		}
		sc.deepest = max(sc.deepest, p.depth)
		sc.entries[i] = p
	}
	return sc
}

// key is a key as it is looked for.
type key struct {
	written string // for people
	text    string // trimmed, in lower case where case does not count
	body    string // of a pattern
	flags   string
	id      string // of the pattern
	pattern bool
	macros  bool // it is to be filled in each time
	grams   []uint16
}

func (e *Entry) prepare(keys []string) []key {
	var out []key
	for _, text := range keys {
		if k := e.key(text); k.macros || k.text != "" {
			out = append(out, k)
		}
	}
	return out
}

func (e *Entry) key(written string) key {
	text := strings.TrimSpace(written)
	k := key{written: text, text: text, macros: strings.Contains(text, "{{") || strings.Contains(text, "<")}
	body, flags, slashed := cutPattern(text)
	if k.pattern = text != "" && (slashed || e.UseRegex); k.pattern {
		if k.body, k.flags = body, flags; !slashed {
			k.body = text
		}
		k.id = k.flags + "/" + k.body
		return k
	}
	folded := strings.ToLower(text)
	if !e.CaseSensitive {
		k.text = folded
	}
	k.grams = gramsOf(folded)
	return k
}
