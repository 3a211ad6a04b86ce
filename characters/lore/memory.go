package lore

import "maps"

// Memory is what a book's entries carry from one scan to the next: how long
// they stay or stay away. Entries are known by their place in the book, times
// are counts of messages. The zero value is that of a conversation that has not
// begun. A Memory is never changed: each scan gives a new one.
type Memory struct {
	sticky   map[int]int  // until this many messages
	cooldown map[int]int  // likewise
	kept     map[int]bool // stay for good
	spent    map[int]bool // never come again
}

// effects of a moment on one entry.
type effect struct {
	sticky, cool, kept, spent bool
}

func (m Memory) of(at, messages int) effect {
	until, stuck := m.sticky[at]
	e := effect{kept: m.kept[at], spent: m.spent[at], sticky: stuck && messages < until}
	if until, ok := m.cooldown[at]; ok && !e.sticky {
		e.cool = messages < until
	}
	return e
}

// after is the memory behind a scan in which the given entries were inserted.
func (m Memory) after(messages int, in []*candidate) Memory {
	out := Memory{maps.Clone(m.sticky), maps.Clone(m.cooldown), maps.Clone(m.kept), maps.Clone(m.spent)}
	for _, ends := range []map[int]int{out.sticky, out.cooldown} {
		maps.DeleteFunc(ends, func(_, until int) bool { return until <= messages })
	}
	for _, c := range in {
		e := c.entry
		if _, stuck := out.sticky[c.at]; !stuck && e.Sticky > 0 {
			put(&out.sticky, c.at, messages+min(e.Sticky, maxLasting))
		}
		if _, cooling := out.cooldown[c.at]; !cooling && e.Cooldown > 0 {
			// It begins when the entry no longer stays.
			put(&out.cooldown, c.at, max(messages, out.sticky[c.at])+min(e.Cooldown, maxLasting))
		}
		if c.marks.keep {
			put(&out.kept, c.at, true)
		}
		if c.marks.never {
			put(&out.spent, c.at, true)
		}
	}
	return out
}

// maxLasting bounds how many messages an effect lasts.
const maxLasting = 1 << 30

func put[V any](m *map[int]V, at int, v V) {
	if *m == nil {
		*m = map[int]V{}
	}
	(*m)[at] = v
}
