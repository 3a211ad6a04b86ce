package lore

import (
	"sort"
	"strings"

	"github.com/dlclark/regexp2"
)

// maxRounds bounds recursion.
const maxRounds = 16

// Message is one message of the conversation that is searched.
type Message struct {
	Text string
	Char bool // a character wrote it
}

// Request is what a book is searched with.
type Request struct {
	Messages []Message // oldest first
	// Expand fills in the macros of keys, contents and messages; nil leaves
	// them. recursion says that hidden keys are to be shown.
	Expand func(text string, recursion bool) string
	Seed   uint64
	// Greeting is which greeting the conversation began with, 0 the first.
	Greeting int
	// Tokens estimates a text's tokens; nil counts four bytes for one.
	Tokens func(string) int
	// Limit is how many of the latest messages are searched where neither book
	// nor entry says, 0 for DefaultScanDepth.
	Limit int
}

// Hit is an entry that belongs into the prompt.
type Hit struct {
	Entry *Entry
	Text  string // its content without decorators, macros filled in
	Place Place
	Depth int    // for AtDepth
	Role  string // for AtDepth
	// Why says for people what brought it: a key, "constant" or "@@activate".
	Why    string
	Tokens int
}

// Result is what a scan found.
type Result struct {
	Hits []Hit // in the order in which they are inserted
	// Dropped are entries that matched and did not fit the budget.
	Dropped []Hit
	// Slow are patterns that were given up because they took too long.
	Slow []string
}

// candidate is an entry with its decorators.
type candidate struct {
	entry *Entry
	at    int
	marks decorators
	text  string
	state state
	roll  bool // the dice were thrown and are not thrown again
	why   string
}

type state uint8

const (
	waiting state = iota
	hit
	refused // its dice, group or the like said no
)

// Scan searches the messages for a book's entries.
func Scan(b *Book, r Request) Result {
	if b == nil {
		return Result{}
	}
	s := newScan(b, r)
	for round := range maxRounds {
		brought := len(s.found)
		for _, c := range s.groups(s.round(round > 0)) {
			if !c.entry.PreventRecursion {
				s.found = append(s.found, s.fill(c.text, true))
			}
		}
		if !b.Recursive || len(s.found) == brought {
			break
		}
	}
	return s.result()
}

type scan struct {
	book    *Book
	req     Request
	match   matcher
	all     []*candidate
	cleaned []string // messages, newest first
	found   []string // contents that others brought, for recursion
	answers int      // messages of characters
}

func newScan(b *Book, r Request) *scan {
	s := &scan{book: b, req: r}
	s.match = matcher{compile: map[string]*regexp2.Regexp{}, slow: map[string]bool{}}
	if r.Expand != nil {
		s.match.expand = func(text string) string { return r.Expand(text, false) }
	}
	size := 0
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := r.Messages[i]
		if m.Char {
			s.answers++
		}
		if size += len(m.Text); size > maxScanText {
			continue
		}
		s.cleaned = append(s.cleaned, withoutComments(m.Text))
	}
	for i := range b.Entries {
		e := &b.Entries[i]
		text, marks := Strip(e.Content)
		s.all = append(s.all, &candidate{entry: e, at: i, marks: parse(marks), text: text})
	}
	return s
}

// withoutComments takes {{// …}} and {{comment: …}} out of what is searched.
// Messages are else read as they are: macros in them mean nothing.
func withoutComments(text string) string {
	for _, open := range []string{"{{//", "{{comment:"} {
		for {
			from := strings.Index(text, open)
			if from < 0 {
				break
			}
			to := strings.Index(text[from:], "}}")
			if to < 0 {
				break
			}
			text = text[:from] + text[from+to+2:]
		}
	}
	return text
}

func (s *scan) fill(text string, recursion bool) string {
	if s.req.Expand == nil {
		return text
	}
	return s.req.Expand(text, recursion)
}

// round finds the entries that match now and did not before.
func (s *scan) round(recursion bool) []*candidate {
	var fresh []*candidate
	texts := map[int][2]string{}
	extra := strings.Join(s.found, "\n")
	for _, c := range s.all {
		if c.state != waiting || !c.entry.Enabled || strings.TrimSpace(c.text) == "" {
			continue
		}
		if recursion && c.entry.ExcludeRecursion || !recursion && c.entry.DelayRecursion {
			continue
		}
		depth := s.depth(c)
		pair, ok := texts[depth]
		if !ok {
			text := strings.Join(s.cleaned[:min(depth, len(s.cleaned))], "\n")
			if recursion && extra != "" {
				text += "\n" + extra
			}
			pair = [2]string{text, strings.ToLower(text)}
			texts[depth] = pair
		}
		if !s.wanted(c, pair[0], pair[1]) {
			continue
		}
		if !c.roll {
			c.roll = true
			if !s.lucky(c) {
				c.state = refused
				continue
			}
		}
		c.state = hit
		fresh = append(fresh, c)
	}
	return fresh
}

// depth is how many of the latest messages an entry looks at.
func (s *scan) depth(c *candidate) int {
	n := s.req.Limit
	if n <= 0 {
		n = DefaultScanDepth
	}
	switch {
	case c.marks.scanDepth != nil:
		n = *c.marks.scanDepth
	case c.entry.ScanDepth != nil:
		n = *c.entry.ScanDepth
	case s.book.ScanDepth != nil:
		n = *s.book.ScanDepth
	}
	return max(n, 0)
}

// wanted applies the decorators and the keys.
func (s *scan) wanted(c *candidate, text, folded string) bool {
	d := c.marks
	if d.activate {
		c.why = "@@activate"
		return true
	}
	if d.dont || d.greeting != nil && *d.greeting != s.req.Greeting ||
		d.after > 0 && s.answers < d.after || d.every > 0 && s.answers%d.every != 0 ||
		c.entry.Delay > 0 && len(s.req.Messages) < c.entry.Delay {
		return false
	}
	e := c.entry
	for _, keys := range d.exclude {
		if _, ok := s.match.any(keys, text, folded, e); ok {
			return false
		}
	}
	for _, keys := range d.additional {
		if _, ok := s.match.any(keys, text, folded, e); !ok {
			return false
		}
	}
	if e.Constant && !e.UseRegex {
		c.why = "constant"
		return true
	}
	key, ok := s.match.any(e.Keys, text, folded, e)
	if !ok {
		return false
	}
	c.why = "key " + key
	return !e.Selective || e.UseRegex || len(e.Secondary) == 0 || s.secondary(e, text, folded)
}

func (s *scan) secondary(e *Entry, text, folded string) bool {
	there := 0
	for _, key := range e.Secondary {
		if s.match.has(key, text, folded, e) {
			there++
		}
	}
	switch e.Logic {
	case NotAll:
		return there < len(e.Secondary)
	case NotAny:
		return there == 0
	case AndAll:
		return there == len(e.Secondary)
	}
	return there > 0
}

// lucky throws the dice for an entry, once in a scan.
func (s *scan) lucky(c *candidate) bool {
	p := c.entry.Probability
	if p >= 100 || c.marks.activate {
		return true
	}
	return int(draw(s.req.Seed, c.at, len(s.req.Messages))%100) < p
}

// draw gives a number for an entry at a length of the conversation
// (splitmix64, Steele, Lea and Flood 2014).
func draw(seed uint64, at, messages int) uint64 {
	z := seed + uint64(at+1)*0x9E3779B97F4A7C15 + uint64(messages)*0xD1B54A32D192ED03
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// result makes hits of the entries, drops what exceeds the budget and sorts.
func (s *scan) result() Result {
	var r Result
	for _, c := range s.all {
		if c.state == hit {
			r.Hits = append(r.Hits, s.hit(c))
		}
	}
	r.Hits, r.Dropped = s.budget(r.Hits)
	sort.SliceStable(r.Hits, func(i, j int) bool { return r.Hits[i].Entry.Order < r.Hits[j].Entry.Order })
	for body := range s.match.slow {
		r.Slow = append(r.Slow, body)
	}
	sort.Strings(r.Slow)
	return r
}

func (s *scan) hit(c *candidate) Hit {
	h := Hit{Entry: c.entry, Text: s.fill(c.text, false), Place: c.entry.Place, Depth: c.entry.Depth, Role: c.entry.Role, Why: c.why}
	if c.marks.place != "" {
		h.Place = c.marks.place
	}
	if c.marks.depth != nil {
		h.Place, h.Depth = AtDepth, *c.marks.depth
	}
	if c.marks.role != "" {
		h.Role = c.marks.role
	}
	if h.Role == "" {
		h.Role = "system"
	}
	if s.req.Tokens != nil {
		h.Tokens = s.req.Tokens(h.Text)
	} else {
		h.Tokens = (len(h.Text) + 3) / 4
	}
	return h
}

// budget drops entries until the rest fits: those of the lowest priority
// first, and where an entry has none, of the lowest order.
func (s *scan) budget(hits []Hit) (kept, dropped []Hit) {
	if s.book.Budget <= 0 {
		return hits, nil
	}
	total := 0
	for _, h := range hits {
		total += h.Tokens
	}
	if total <= s.book.Budget {
		return hits, nil
	}
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	weight := func(h Hit) int {
		if h.Entry.Priority != nil {
			return *h.Entry.Priority
		}
		return h.Entry.Order
	}
	sort.SliceStable(order, func(i, j int) bool { return weight(hits[order[i]]) < weight(hits[order[j]]) })
	gone := map[int]bool{}
	for _, i := range order {
		if total <= s.book.Budget {
			break
		}
		gone[i] = true
		total -= hits[i].Tokens
	}
	for i, h := range hits {
		if gone[i] {
			dropped = append(dropped, h)
		} else {
			kept = append(kept, h)
		}
	}
	return kept, dropped
}
