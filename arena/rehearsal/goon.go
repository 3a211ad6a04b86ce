package rehearsal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// earlierSeeds is how many seeds are tried to find the reply that a prefill is
// the beginning of.
const earlierSeeds = 32

// layerTags are the tags of the layers, closers first.
var layerTags = [...]string{shutSystem, shutThink, shutAct, openSystem, openThink, openAct}

// goOn is a reply from where the prefill ends. A prefill is the beginning of
// what the player would have said, then or under an earlier seed: every further
// try of a reply has one of its own. One that is the beginning of nothing is
// closed, and a new sentence follows it.
func (h *house) goOn(lead bool, msgs []message, prefill string, seed int64) string {
	st, out := h.perform(lead, msgs, seed)
	if strings.TrimSpace(prefill) == "" {
		return st.render(lead, out, "")
	}
	for _, full := range st.whole(lead, out) {
		if rest, ok := continued(full, prefill); ok {
			return rest
		}
	}
	if slices.Contains(layerTags[:], strings.TrimSpace(prefill)) {
		return st.render(lead, out, prefill) // a form to be filled, not a cut reply
	}
	for s := seed - 1; s >= max(seed-earlierSeeds, 0); s-- {
		was, said := h.perform(lead, msgs, s)
		for _, full := range was.whole(lead, said) {
			if rest, ok := continued(full, prefill); ok {
				return rest
			}
		}
	}
	missing := restOfTag(prefill)
	return missing + st.render(lead, out, prefill+missing)
}

// whole are the forms in which a turn may have been written from its start.
func (st *stage) whole(lead bool, out lines) []string {
	full := st.render(lead, out, "")
	if lead {
		return []string{full, strings.TrimPrefix(full, openSystem)}
	}
	forms := []string{full}
	for _, tag := range []string{openSystem, openThink, openAct} {
		forms = append(forms, tag+st.renderUnderstudy(out, tag))
	}
	return forms
}

func (st *stage) render(lead bool, out lines, prefill string) string {
	if lead {
		return st.renderLead(out, prefill)
	}
	return st.renderUnderstudy(out, prefill)
}

// continued returns what a text still has to say after a prefill that is its
// beginning, give or take white space.
func continued(full, prefill string) (string, bool) {
	if rest, ok := strings.CutPrefix(full, strings.TrimLeft(prefill, " \t\r\n")); ok {
		return rest, true
	}
	if rest, ok := strings.CutPrefix(full, strings.TrimSpace(prefill)); ok {
		return rest, true
	}
	rest := full
	for _, r := range prefill {
		if unicode.IsSpace(r) {
			continue
		}
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		got, size := utf8.DecodeRuneInString(rest)
		if size == 0 || got != r {
			return "", false
		}
		rest = rest[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(prefill); unicode.IsSpace(last) {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	return rest, true
}

// restOfTag is what a prefill that ends within a tag lacks of it, "" where it
// does not. A bare "<" closes what is open, else it opens an action.
func restOfTag(prefill string) string {
	i := strings.LastIndexByte(prefill, '<')
	if i < 0 {
		return ""
	}
	half, tags := prefill[i:], layerTags[:]
	if half == "<" {
		tags = []string{openAct}
		if open := openTag(prefill[:i]); open != "" {
			tags = []string{shutOf(open)}
		}
	}
	for _, tag := range tags {
		if rest, ok := strings.CutPrefix(tag, half); ok {
			return rest
		}
	}
	return ""
}

// shutOf is the closer of an opening tag.
func shutOf(tag string) string { return "</" + tag[1:] }

// breakOff ends a sentence that was cut off, so that another may follow: a
// closing asterisk where an action stands open, an ellipsis within a sentence.
func breakOff(prefill string) string {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(prefill, unicode.IsSpace))
	end := ""
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		end = "…"
	}
	tail := prefill[strings.LastIndexByte(prefill, '>')+1:]
	if strings.Count(strings.ReplaceAll(tail, "**", ""), "*")%2 == 1 {
		return "*"
	}
	return end
}

// spaced is the space between a prefill and the sentence after it.
func (st *stage) spaced(prefill string) string {
	r, _ := utf8.DecodeLastRuneInString(prefill)
	if unicode.IsSpace(r) || r == '>' || st.lang == "zh" {
		return ""
	}
	return " "
}
