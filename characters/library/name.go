package library

import (
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"

	"herarena/characters"
)

// name gives an ID to each entry that has none or whose ID an earlier one
// has: the title's, else the file's, with a number where that is taken.
// Entries keep the IDs they have as long as they stay.
func name(entries []*Entry) {
	taken := make(map[string]*Entry, len(entries))
	var need []int
	for i, e := range entries {
		if e.ID == "" || taken[e.ID] != nil {
			need = append(need, i)
			continue
		}
		taken[e.ID] = e
	}
	next := map[string]int{}
	for _, i := range need {
		e := *entries[i]
		e.ID = freeID(&e, taken, next)
		taken[e.ID] = &e
		entries[i] = &e
	}
}

func freeID(e *Entry, taken map[string]*Entry, next map[string]int) string {
	file := filepath.Base(e.Path)
	file = strings.TrimSuffix(file, filepath.Ext(file))
	var first string
	for _, from := range [...]string{e.Title, e.Name, file} {
		id := cut(characters.DeriveID(from), 64)
		if id == "" {
			continue
		}
		if taken[id] == nil {
			return id
		}
		if first == "" {
			first = id
		}
	}
	if first == "" {
		if first = fmt.Sprintf("card-%08x", crc32.ChecksumIEEE([]byte(e.Title+e.Path))); taken[first] == nil {
			return first
		}
	}
	for n := max(2, next[first]); ; n++ {
		id := fmt.Sprintf("%s-%d", cut(first, 56), n)
		if taken[id] == nil {
			next[first] = n + 1
			return id
		}
	}
}

func cut(id string, n int) string { return strings.Trim(id[:min(n, len(id))], "-") }
