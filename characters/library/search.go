package library

import (
	"fmt"
	"sort"
	"strings"

	"herarena/characters"
)

// Order is how a list is sorted.
type Order string

// The orders. ByRank is by how well an entry answers the query, and by name
// without one. Newest comes first by date.
const (
	ByRank   Order = "rank"
	ByName   Order = "name"
	ByAdded  Order = "added"
	ByChange Order = "modified"
	ByPlayed Order = "played"
	BySize   Order = "tokens"
)

// Orders returns all orders by their names.
func Orders() []Order { return []Order{ByRank, ByName, ByAdded, ByChange, ByPlayed, BySize} }

// Search returns the entries that answer a query, sorted. Words are looked for
// at the beginnings of words in name, title, tags, creator and blurb, without
// case and accents, and all must be found; tag:, by:, lang:, name:, kind:,
// file:, spec:, is: (fav, dup, broken, repaired, played, unplayed, playable)
// and has: (lore, alternates, examples, picture, tags) look at one thing; a
// dash excludes and quotes keep words together. An empty query is answered by
// all.
func (l *Library) Search(q string, by Order) []Entry {
	l.load()
	parsed := parseQuery(q)
	entries, docs := l.documents(len(parsed.terms) > 0)
	hits := make([]hit, 0, len(entries))
	for i, e := range entries {
		n, key := 1, ""
		if docs != nil {
			n, key = parsed.rank(e, docs[i]), docs[i].title
		} else {
			key = fold(e.Title)
		}
		if n > 0 {
			hits = append(hits, hit{e, key, n})
		}
	}
	sortHits(hits, by)
	out := make([]Entry, len(hits))
	for i, h := range hits {
		out[i] = *h.entry
	}
	return out
}

// documents returns the entries and, where it is wanted, what a search looks
// at of each. That is made once and kept until an entry changes.
func (l *Library) documents(want bool) ([]*Entry, []*document) {
	l.mu.RLock()
	entries, docs := l.entries, l.docs
	l.mu.RUnlock()
	if !want || docs != nil {
		return entries, docs
	}
	docs = make([]*document, len(entries))
	for i, e := range entries {
		docs[i] = newDocument(e)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) == len(entries) && (len(entries) == 0 || &l.entries[0] == &entries[0]) {
		l.docs = docs
	}
	return entries, docs
}

type hit struct {
	entry *Entry
	title string // folded, to sort by
	rank  int
}

func sortHits(hits []hit, by Order) {
	byName := func(a, b hit) bool {
		if (a.entry.Err == "") != (b.entry.Err == "") {
			return a.entry.Err == ""
		}
		if a.title != b.title {
			return a.title < b.title
		}
		if a.entry.Path != b.entry.Path {
			return a.entry.Path < b.entry.Path
		}
		return a.entry.Item < b.entry.Item
	}
	sort.Slice(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		switch by {
		case ByAdded:
			if !a.entry.Added.Equal(b.entry.Added) {
				return a.entry.Added.After(b.entry.Added)
			}
		case ByChange:
			if !a.entry.Modified.Equal(b.entry.Modified) {
				return a.entry.Modified.After(b.entry.Modified)
			}
		case ByPlayed:
			if !a.entry.Played.Equal(b.entry.Played) {
				return a.entry.Played.After(b.entry.Played)
			}
		case BySize:
			if a.entry.Tokens != b.entry.Tokens {
				return a.entry.Tokens > b.entry.Tokens
			}
		case ByName:
		default:
			if a.rank != b.rank {
				return a.rank > b.rank
			}
			if a.entry.Favourite != b.entry.Favourite && a.rank > 1 {
				return a.entry.Favourite
			}
		}
		return byName(a, b)
	})
}

// TagCount is a tag and how many entries have it.
type TagCount struct {
	Tag   string
	Count int
	Own   bool // a person's own on at least one entry
}

// Tags returns all tags, the most frequent first. Tags that differ in case and
// accents alone are one.
func (l *Library) Tags() []TagCount {
	l.load()
	l.mu.RLock()
	entries := l.entries
	l.mu.RUnlock()
	counts := map[string]*TagCount{}
	add := func(tag string, own bool) {
		key := fold(tag)
		c := counts[key]
		if c == nil {
			c = &TagCount{Tag: tag}
			counts[key] = c
		}
		c.Count++
		c.Own = c.Own || own
	}
	for _, e := range entries {
		for _, tag := range e.OwnTags {
			add(tag, true)
		}
		for _, tag := range e.Tags {
			if !hasTag(e.OwnTags, tag) {
				add(tag, false)
			}
		}
	}
	out := make([]TagCount, 0, len(counts))
	for _, c := range counts {
		out = append(out, *c)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Count != out[j].Count {
			return out[i].Count > out[j].Count
		}
		return fold(out[i].Tag) < fold(out[j].Tag)
	})
	return out
}

// NotFound is the error of Find: nothing, or more than one thing, has the
// name.
type NotFound struct {
	Name string
	Near []string // IDs of what it may have meant, at most 8
	Many bool     // several have that very name
}

// Error says what there is instead.
func (n *NotFound) Error() string {
	switch {
	case n.Many:
		return fmt.Sprintf("%q is the name of several cards; name one of %s", n.Name, strings.Join(n.Near, ", "))
	case len(n.Near) > 0:
		return fmt.Sprintf("no card in the library is called %q; there is %s", n.Name, strings.Join(n.Near, ", "))
	}
	return fmt.Sprintf("no card in the library is called %q (herarena cast list shows them)", n.Name)
}

// Find returns the entry a person means: by ID, else by its whole title or
// name, else by its file, without case and accents. Copies of the same content
// are one. Errors are *NotFound.
func (l *Library) Find(want string) (Entry, error) {
	l.load()
	l.mu.RLock()
	entries := l.entries
	l.mu.RUnlock()
	key := fold(strings.TrimSpace(want))
	for _, e := range entries {
		if e.ID == want || e.ID == key {
			return *e, nil
		}
	}
	var same []*Entry
	for _, by := range []func(*Entry) bool{
		func(e *Entry) bool { return fold(e.Title) == key || fold(e.Name) == key },
		func(e *Entry) bool { return fold(stem(e.Path)) == key || e.Path == want },
	} {
		for _, e := range entries {
			if key != "" && by(e) && (len(same) == 0 || e.Hash == "" || e.Hash != same[0].Hash) {
				same = append(same, e)
			}
		}
		if len(same) > 0 {
			break
		}
	}
	if len(same) == 1 {
		return *same[0], nil
	}
	fault := &NotFound{Name: want, Many: len(same) > 1}
	for _, e := range same {
		fault.Near = append(fault.Near, e.ID)
	}
	if len(same) == 0 {
		for _, e := range l.Search(want, ByRank) {
			fault.Near = append(fault.Near, e.ID)
		}
	}
	fault.Near = fault.Near[:min(8, len(fault.Near))]
	return Entry{}, fault
}

// Matches reports whether an entry answers a query, as Search has it.
func Matches(q string, e Entry) bool { return parseQuery(q).rank(&e, newDocument(&e)) > 0 }

// Describe makes an entry of a scene that lies in no file, such as those that
// come with the program.
func Describe(s characters.Scene) Entry {
	e := describeScene(s, Entry{Items: 1})
	e.Kind = KindScene
	return e
}
