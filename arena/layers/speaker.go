package layers

import (
	"strings"
	"unicode/utf8"
)

// spokeFor lists the others whose lines stand in the speech of a reply. A line
// is another's if it begins with the name and a colon, or if that stands after
// the end of a sentence and a bracket, a quotation mark or an asterisk follows,
// as in a CoSER conversation written on one line.
func spokeFor(segments []Segment, own string, others []string) []string {
	out := []string{}
	own = strings.TrimSpace(own)
	var names []string
	for _, o := range others {
		if o = strings.TrimSpace(o); o != "" && o != own {
			names = append(names, o)
		}
	}
	if len(names) == 0 {
		return out
	}
	for i, s := range segments {
		if s.Layer != Speech {
			continue
		}
		marked := i+1 < len(segments) && segments[i+1].Layer != Speech
		out = speakers(out, s.Text, names, marked)
	}
	return out
}

// speakers adds the names that speak in one text; marked says that a layer
// follows the text.
func speakers(out []string, text string, names []string, marked bool) []string {
	line, place := true, true
	var last rune
	for i, r := range text {
		if place {
			for _, name := range names {
				if speaksAt(text[i:], name, line, marked) {
					out = addOnce(out, name)
				}
			}
		}
		switch {
		case r == '\n' || r == '\r':
			line, place, last = true, true, 0
		case r == ' ' || r == '\t' || r == '\u3000':
			place = line || sentenceEnd(last, true)
		default:
			last = r
			line = line && strings.ContainsRune("*>-_", r)
			place = line || sentenceEnd(r, false)
		}
	}
	return out
}

// speaksAt reports whether text begins with another's name and colon; away
// from the start of a line the mark of a spoken line has to follow.
func speaksAt(text, name string, line, marked bool) bool {
	if !strings.HasPrefix(text, name) {
		return false
	}
	rest := strings.TrimLeft(text[len(name):], "* ")
	if len(text)-len(name)-len(rest) > maxNameGap {
		return false
	}
	after, ok := strings.CutPrefix(rest, ":")
	if !ok {
		if after, ok = strings.CutPrefix(rest, "："); !ok {
			return false
		}
	}
	if line {
		return true
	}
	after = strings.TrimLeft(after, " \t")
	if after == "" {
		return marked
	}
	r, _ := utf8.DecodeRuneInString(after)
	return strings.ContainsRune("[(［（*\"“「『", r)
}

func addOnce(list []string, name string) []string {
	for _, have := range list {
		if have == name {
			return list
		}
	}
	return append(list, name)
}
