package plain

import (
	"slices"
	"strings"

	"herarena/tui/keys"
)

// nearAtMost bounds how many commands are named in place of an unknown one.
const nearAtMost = 3

// unknown says that there is no such command, and which ones are near.
func unknown(name string) string {
	text := "There is no command /" + one(name) + "."
	near := nearest(name)
	if len(near) == 0 {
		return text + " /help reads the commands out."
	}
	last := len(near) - 1
	list := near[last]
	if last > 0 {
		list = strings.Join(near[:last], ", ") + " or " + list
	}
	return text + " Did you mean " + list + "? /help reads all commands out."
}

// nearest are the commands that a word may have meant, the nearest first, as
// they are typed: those it begins, and those it is a slip or two away from.
func nearest(word string) []string {
	if word == "" || len(word) > 40 {
		return nil
	}
	type candidate struct {
		name string
		away int
	}
	var near []candidate
	for _, c := range commands() {
		away := keys.Distance(word, c.name)
		if len(c.name) > 2 && (strings.HasPrefix(c.name, word) || strings.HasPrefix(word, c.name)) {
			away = 0
		}
		// One letter is a slip away from every other.
		if away <= max(1, len(word)/3) && away < len(c.name) && away < len(word) {
			near = append(near, candidate{c.name, away})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.away - b.away })
	var names []string
	for _, c := range near[:min(len(near), nearAtMost)] {
		names = append(names, "/"+c.name)
	}
	return names
}
