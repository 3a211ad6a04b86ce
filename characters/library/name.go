package library

import (
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"

	"herarena/characters"
)

// name gives an ID to each entry that has none or whose ID is taken: the
// title's, else the file's, with a number where that is taken too. Scene files
// say theirs, and come first. Entries keep the IDs they have as long as they
// stay.
func (l *Library) name(entries []*Entry) {
	taken := make(map[string]bool, len(entries)+len(l.o.Reserved))
	var need []int
	for i, e := range entries {
		if e.Kind != KindScene {
			continue
		}
		if taken[e.ID] {
			need = append(need, i)
		}
		taken[e.ID] = true
	}
	for _, id := range l.o.Reserved {
		taken[id] = true
	}
	for i, e := range entries {
		if e.Kind == KindScene {
			continue
		}
		if e.ID == "" || taken[e.ID] {
			need = append(need, i)
			continue
		}
		taken[e.ID] = true
	}
	next := map[string]int{}
	for _, i := range need {
		e := *entries[i]
		e.ID = freeID(&e, taken, next)
		taken[e.ID] = true
		entries[i] = &e
	}
}

func freeID(e *Entry, taken map[string]bool, next map[string]int) string {
	file := filepath.Base(e.Path)
	file = strings.TrimSuffix(file, filepath.Ext(file))
	var first string
	for _, from := range [...]string{e.Title, e.Name, file} {
		id := cut(characters.DeriveID(from), 64)
		if id == "" {
			continue
		}
		if !taken[id] {
			return id
		}
		if first == "" {
			first = id
		}
	}
	if first == "" {
		if first = fmt.Sprintf("card-%08x", crc32.ChecksumIEEE([]byte(e.Title+e.Path))); !taken[first] {
			return first
		}
	}
	for n := max(2, next[first]); ; n++ {
		id := fmt.Sprintf("%s-%d", cut(first, 56), n)
		if !taken[id] {
			next[first] = n + 1
			return id
		}
	}
}

func cut(id string, n int) string { return strings.Trim(id[:min(n, len(id))], "-") }
