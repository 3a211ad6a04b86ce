package lore

import (
	"sort"
	"strings"
)

// maxRounds bounds recursion, maxTries how often a scan begins again because
// what it found did not fit.
const (
	maxRounds = 16
	maxTries  = 8
)

// Message is one message of the conversation that is searched.
type Message struct {
	Text string
	Char bool // a character wrote it
}

// Request is what a book is searched with.
type Request struct {
	Messages []Message // oldest first
	// Expand fills in the macros of keys, contents and messages; nil leaves
	// them. recursion says that hidden keys are to be shown. It is called more
	// than once for a text and should remember nothing.
	Expand func(text string, recursion bool) string
	// Seed and Turn are of the dice: probability and lots of groups.
	Seed uint64
	Turn int
	// Memory is what the scan before left.
	Memory Memory
	// Greeting is which greeting the conversation began with, 0 the first.
	Greeting int
	// Tokens estimates a text's tokens; nil counts four bytes for one.
	Tokens func(string) int
	// Limit is how many of the latest messages are searched where neither book
	// nor entry says, 0 for DefaultScanDepth.
	Limit int
	// Budget bounds the tokens of all entries beside the book's own budget; 0
	// does not.
	Budget int
}

// Hit is an entry that belongs into the prompt.
type Hit struct {
	Entry *Entry
	Raw   string // its content without decorators, macros as written
	Text  string // its content without decorators, macros filled in
	Place Place
	Depth int    // for AtDepth
	Top   bool   // Depth counts from the first message
	Role  string // for AtDepth
	// Without names what the entry takes out of the prompt: "system_prompt",
	// "post_history_instructions".
	Without []string
	// Why says for people what brought it: a key, "constant" or "@@activate",
	// or, of one that was dropped or refused, what kept it out.
	Why    string
	Tokens int
}

// Result is what a scan found.
type Result struct {
	Hits []Hit // in the order in which they are inserted
	// Dropped are entries that matched and did not fit the budget.
	Dropped []Hit
	// Refused are entries that matched and were kept out by their dice, their
	// group or the time they stay away.
	Refused []Hit
	// Slow are patterns that were given up because they took too long.
	Slow []string
	// Memory is for the next scan.
	Memory Memory
}

// candidate is an entry with what a scan finds out about it.
type candidate struct {
	*prepared
	state state
	roll  bool // the dice were thrown and are not thrown again
	stays bool // it is there because it was before
	gone  bool // it did not fit
	score int  // keys that matched, for groups
	why   string
}

func (c *candidate) refuse(why string) { c.state, c.why = refused, c.why+", "+why }

type state uint8

const (
	waiting state = iota
	hit
	refused // its dice, group or the like said no
)

// Scan searches the messages for a book's entries; see Scanner for a book that
// is searched again and again.
func Scan(b *Book, r Request) Result {
	if b == nil {
		return Result{}
	}
	return NewScanner(b).Scan(r)
}

// Scan searches the messages.
func (sc *Scanner) Scan(r Request) Result {
	s := sc.begin(r)
	for range maxTries {
		s.run()
		if !s.fit() {
			break
		}
		// What did not fit must not bring others either.
		s.again()
	}
	return s.result()
}

type scan struct {
	book    *Book
	req     Request
	match   *matcher
	all     []candidate
	cleaned []string // messages, newest first
	texts   map[int]*haystack
	brought map[string]*haystack // contents that brought others in any try
	found   []*haystack          // in this one, by round
	taken   map[string]bool
	answers int // messages of characters
	hits    []Hit
	in      []*candidate // of hits
	dropped []Hit
}

func (sc *Scanner) begin(r Request) *scan {
	s := &scan{book: sc.book, req: r, match: sc.matcher(r.Expand), texts: map[int]*haystack{}, brought: map[string]*haystack{}, taken: map[string]bool{}}
	size := 0
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := r.Messages[i]
		if m.Char {
			s.answers++
		}
		if size += len(m.Text); size > maxScanText || len(s.cleaned) >= max(sc.deepest, r.Limit) {
			continue
		}
		s.cleaned = append(s.cleaned, withoutComments(m.Text))
	}
	s.all = make([]candidate, len(sc.entries))
	for i := range sc.entries {
		s.all[i].prepared = &sc.entries[i]
	}
	return s
}

// again forgets a try but for what did not fit.
func (s *scan) again() {
	s.found, s.taken, s.hits, s.in = nil, map[string]bool{}, nil, nil
	for i := range s.all {
		c := &s.all[i]
		*c = candidate{prepared: c.prepared, gone: c.gone}
	}
}

func (s *scan) run() {
	for round := range maxRounds {
		var brings []string
		for _, c := range s.groups(s.round(round > 0)) {
			if s.book.Recursive && !c.entry.PreventRecursion {
				brings = append(brings, s.fill(c.text, true))
			}
		}
		if len(brings) == 0 {
			break
		}
		s.bring(strings.Join(brings, "\n"))
	}
}

// bring adds contents to what is searched.
func (s *scan) bring(text string) {
	h, ok := s.brought[text]
	if !ok {
		h = newHaystack(text)
		s.brought[text] = h
	}
	s.found = append(s.found, h)
}

// withoutComments takes {{// …}} and {{comment: …}} out of what is searched.
// Messages are else read as they are: macros in them mean nothing.
func withoutComments(text string) string {
	for _, open := range []string{"{{//", "{{comment:"} {
		from := strings.Index(text, open)
		if from < 0 {
			continue
		}
		var b strings.Builder
		for from >= 0 {
			to := strings.Index(text[from:], "}}")
			if to < 0 {
				break
			}
			b.WriteString(text[:from])
			text = text[from+to+2:]
			from = strings.Index(text, open)
		}
		text = b.String() + text
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
	texts := map[int][]*haystack{}
	for i := range s.all {
		c := &s.all[i]
		if c.state != waiting || c.gone || c.empty || !c.entry.Enabled {
			continue
		}
		if recursion && c.entry.ExcludeRecursion || !recursion && c.entry.DelayRecursion {
			continue
		}
		in, ok := texts[c.depth]
		if !ok {
			if in = []*haystack{s.latest(c.depth)}; recursion {
				in = append(in, s.found...)
			}
			texts[c.depth] = in
		}
		if !s.wanted(c, in) {
			continue
		}
		if !c.roll {
			c.roll = true
			if !s.lucky(c) {
				c.refuse("its dice said no")
				continue
			}
		}
		c.state = hit
		fresh = append(fresh, c)
	}
	return fresh
}

// latest joins the latest messages; depth is the entry's own, negative for the
// request's.
func (s *scan) latest(depth int) *haystack {
	if depth < 0 {
		if depth = s.req.Limit; depth <= 0 {
			depth = DefaultScanDepth
		}
	}
	depth = min(depth, len(s.cleaned))
	in, ok := s.texts[depth]
	if !ok {
		in = newHaystack(strings.Join(s.cleaned[:depth], "\n"))
		s.texts[depth] = in
	}
	return in
}

// wanted applies the decorators, what lasts, and the keys.
func (s *scan) wanted(c *candidate, in []*haystack) bool {
	d, last := &c.marks, s.req.Memory.of(c.at, len(s.req.Messages))
	if c.entry.Delay > 0 && len(s.req.Messages) < c.entry.Delay || last.spent {
		return false
	}
	if d.activate {
		c.why = "@@activate"
		return !s.cools(c, last)
	}
	if d.dont || d.greeting != nil && *d.greeting != s.req.Greeting {
		return false
	}
	if last.sticky || last.kept {
		c.stays, c.roll, c.why = true, true, "stays from before"
		return true
	}
	if d.after > 0 && s.answers < d.after || d.every > 0 && s.answers%d.every != 0 || !s.keyed(c, in) {
		return false
	}
	return !s.cools(c, last)
}

// cools refuses an entry that stays away for a while.
func (s *scan) cools(c *candidate, last effect) bool {
	if last.cool {
		c.refuse("it stays away for a while")
	}
	return last.cool
}

// keyed looks for the entry's keys.
func (s *scan) keyed(c *candidate, in []*haystack) bool {
	e := c.entry
	for _, keys := range c.exclude {
		if _, n := s.match.count(keys, in, e, true); n > 0 {
			return false
		}
	}
	for _, keys := range c.additional {
		if _, n := s.match.count(keys, in, e, true); n == 0 {
			return false
		}
	}
	if e.Constant && !e.UseRegex {
		c.why = "constant"
		return true
	}
	first, n := s.match.count(c.keys, in, e, !e.GroupScoring)
	if n == 0 {
		return false
	}
	c.why, c.score = "key "+first, n
	if !e.Selective || e.UseRegex || len(c.secondary) == 0 {
		return true
	}
	_, there := s.match.count(c.secondary, in, e, false)
	switch e.Logic {
	case NotAll:
		return there < len(c.secondary)
	case NotAny:
		return there == 0
	case AndAll:
		c.score += there
		return there == len(c.secondary)
	}
	c.score += there
	return there > 0
}

// lucky throws the dice for an entry, once in a scan.
func (s *scan) lucky(c *candidate) bool {
	p := c.entry.Probability
	if p >= 100 || c.marks.activate {
		return true
	}
	return int(draw(s.req.Seed, c.at, s.req.Turn)%100) < p
}

// draw gives a number for an entry at a turn (splitmix64, Steele, Lea and Flood
// 2014).
func draw(seed uint64, at, turn int) uint64 {
	z := seed + uint64(at+1)*0x9E3779B97F4A7C15 + uint64(turn)*0xD1B54A32D192ED03
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// fit makes hits of the entries and drops what exceeds the budget; it reports
// whether something was.
func (s *scan) fit() bool {
	for i := range s.all {
		if c := &s.all[i]; c.state == hit {
			s.hits, s.in = append(s.hits, s.hit(c)), append(s.in, c)
		}
	}
	limit := s.book.Budget
	if s.req.Budget > 0 && (limit <= 0 || s.req.Budget < limit) {
		limit = s.req.Budget
	}
	out := tooMuch(s.hits, s.in, limit)
	if len(out) == 0 {
		return false
	}
	var hits []Hit
	var in []*candidate
	for i, h := range s.hits {
		if !out[i] {
			hits, in = append(hits, h), append(in, s.in[i])
			continue
		}
		s.in[i].gone = true
		h.Why += ", over the budget"
		s.dropped = append(s.dropped, h)
	}
	s.hits, s.in = hits, in
	return true
}

// tooMuch picks what goes so that the rest fits: first those that say they may,
// then those of the lowest priority, and where an entry has none, of the lowest
// order.
func tooMuch(hits []Hit, in []*candidate, limit int) map[int]bool {
	total := 0
	order := make([]int, len(hits))
	for i, h := range hits {
		order[i] = i
		total += h.Tokens
	}
	if limit <= 0 || total <= limit {
		return nil
	}
	rank := func(i int) int {
		if p := hits[i].Entry.Priority; p != nil {
			return *p
		}
		return hits[i].Entry.Order
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if x, y := in[a].marks.ignoreOnMax, in[b].marks.ignoreOnMax; x != y {
			return x
		}
		return rank(a) < rank(b)
	})
	out := map[int]bool{}
	for _, i := range order {
		if total <= limit {
			break
		}
		out[i] = true
		total -= hits[i].Tokens
	}
	return out
}

// result sorts and tells what became of the rest.
func (s *scan) result() Result {
	r := Result{Hits: s.hits, Dropped: s.dropped, Memory: s.req.Memory.after(len(s.req.Messages), s.in)}
	sort.SliceStable(r.Hits, func(i, j int) bool { return r.Hits[i].Entry.Order < r.Hits[j].Entry.Order })
	for i := range s.all {
		if c := &s.all[i]; c.state == refused {
			r.Refused = append(r.Refused, s.hit(c))
		}
	}
	for body := range s.match.slow {
		r.Slow = append(r.Slow, body)
	}
	sort.Strings(r.Slow)
	return r
}

func (s *scan) hit(c *candidate) Hit {
	e, d := c.entry, &c.marks
	h := Hit{Entry: e, Raw: c.text, Text: s.fill(c.text, false), Place: e.Place, Depth: e.Depth, Role: e.Role, Why: c.why, Without: d.without}
	if d.place != "" {
		h.Place = d.place
	}
	if d.depth != nil {
		h.Place, h.Depth, h.Top = AtDepth, *d.depth, d.top
	}
	if d.role != "" {
		h.Role = d.role
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
