package main

import (
	"fmt"
	"strings"

	"herarena/arena/ledger"
	"herarena/arena/rating"
)

// noPart says that a source of --composite has no battles, and which there are,
// as they are typed. Weights that were given stay with the sources that take the
// place of theirs.
func noPart(sources []ledger.SourceCount, parts []rating.Part, want string) error {
	if len(sources) == 0 {
		return fmt.Errorf("--composite: the ledger has no battles of source %q (it has: none yet)", want)
	}
	weights := make(map[string]float64, len(parts))
	for _, p := range parts {
		weights[strings.TrimPrefix(p.Name, "rehearsal/")] = p.Weight
	}
	var models, rehearsals []string
	for _, s := range sources {
		name := string(s.Source)
		bare := strings.TrimPrefix(name, "rehearsal/")
		weight := 1.0
		if w, ok := weights[bare]; ok {
			weight = w
		}
		word := shellWord(fmt.Sprintf("%s=%g", name, weight))
		if bare != name {
			rehearsals = append(rehearsals, word)
		} else {
			models = append(models, word)
		}
	}
	text := fmt.Sprintf("--composite: the ledger has no battles of source %q; it has", want)
	if len(models) > 0 {
		text += " --composite " + strings.Join(models, ",")
	}
	if len(rehearsals) > 0 {
		if len(models) > 0 {
			text += " and, of rehearsals,"
		} else {
			text += " only those of rehearsals:"
		}
		text += " --composite " + strings.Join(rehearsals, ",")
	}
	return fmt.Errorf("%s", text)
}

// shellWord quotes a word where a shell would not take it as it is.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
