package rehearsal

import "strings"

// patterns are the orders in which the lead may write: t thought, a action,
// 1 the answer to the line, 2 the step of the scene. None comes twice running.
var patterns = [...]string{"ta12", "t1a2", "a1t2", "at12", "1ta2", "1at2", "t12a", "a12t"}

// leadSpeech is where the lead stops adding to an answer, in words.
const leadSpeech = 64

func (p *player) leadTurn(h heard) lines {
	var out lines
	first := p.recall(h)
	if s := p.answer(h); s != "" {
		first = p.st.join(first, s)
	}
	p.memory.keep(first)
	second := ""
	// A full answer may stand alone; the step then waits for the next turn.
	if n := words(first); n < 40 || h.kind == kindRepeat {
		second = p.move(h)
		if n > 18 && n+words(second) > leadSpeech {
			delete(p.memory.frames, second)
			second = ""
		}
	}
	if first == "" && second == "" {
		second = p.anything(h)
	}
	p.memory.keep(second)
	out.speech = []string{first, second}
	out.plan = p.plan(h)
	out.thought = p.thought(h)
	out.act = p.act(h)
	next := int(mix(p.st.key, uint64(p.memory.turn)) % uint64(len(patterns)))
	if next == p.memory.pattern && p.memory.turn > 1 {
		next = (next + 1) % len(patterns)
	}
	p.memory.pattern, out.pattern = next, next
	return out
}

// plan is the system thinking: what the line is, how the character takes it,
// where the scene stands, what to leave alone.
func (p *player) plan(h heard) string {
	var reads [][]string
	seen := map[string]bool{}
	for kind := h.kind; kind != "" && !seen[kind]; kind = p.parent(kind) {
		seen[kind] = true
		for _, part := range p.parts {
			reads = append(reads, part.Reads[kind])
		}
	}
	if h.quote == "" {
		reads = append(reads, p.common().Reads["plain"])
	}
	var craft, end [][]string
	for _, part := range p.parts {
		craft = append(craft, part.Craft)
		end = append(end, part.Close)
	}
	goal := p.parts[0].Beats[p.beat()].Goal
	goal, _ = p.fill(goal, h)
	return p.st.join(p.planned(reads, "reads", h), p.planned(craft, "craft", h), goal, p.planned(end, "close", h))
}

func (p *player) thought(h heard) string {
	beats := p.parts[0].Beats
	var lists [][]string
	for i := p.beat(); i < len(beats); i++ {
		lists = append(lists, beats[i].Thoughts)
	}
	for i := p.beat() - 1; i >= 0; i-- {
		lists = append(lists, beats[i].Thoughts)
	}
	return p.planned(lists, "thought", h)
}

func (p *player) act(h heard) string {
	var lists [][]string
	for _, part := range p.parts {
		lists = append(lists, part.Acts)
	}
	return p.planned(lists, "act", h)
}

// join puts sentences one after the other, with a space where the language has
// one.
func (st *stage) join(texts ...string) string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	if st.lang == "zh" {
		return strings.Join(some, "")
	}
	return strings.Join(some, " ")
}

const (
	openSystem, shutSystem = "<system_thinking>", "</system_thinking>"
	openThink, shutThink   = "<role_thinking>", "</role_thinking>"
	openAct, shutAct       = "<role_action>", "</role_action>"
)

// renderLead writes the lead's turn in HER's layers, from where the prefill
// ends.
func (st *stage) renderLead(l lines, prefill string) string {
	body := st.body(l, patterns[l.pattern])
	full := openSystem + l.plan + shutSystem + "\n" + body
	pre := strings.TrimSpace(prefill)
	if pre == "" {
		return full
	}
	if rest, ok := continued(full, prefill); ok {
		return rest
	}
	if open := openTag(pre); open != "" && !strings.HasSuffix(pre, open) {
		// Begun in words of its own: it is closed, and the rest follows.
		pattern := patterns[l.pattern]
		switch open {
		case openSystem:
			return breakOff(pre) + shutSystem + "\n" + body
		case openThink:
			return breakOff(pre) + shutThink + st.body(l, without(pattern, 't'))
		}
		return shutAct + st.body(l, without(pattern, 'a'))
	}
	switch openTag(pre) {
	case openSystem:
		return l.plan + shutSystem + "\n" + body
	case openThink:
		return l.thought + shutThink + st.body(l, without(patterns[l.pattern], 't'))
	case openAct:
		return l.act + shutAct + st.body(l, without(patterns[l.pattern], 'a'))
	}
	if strings.HasSuffix(pre, ">") {
		return body
	}
	end := breakOff(prefill)
	return end + st.spaced(prefill+end) + st.body(l, "1a2")
}

func without(pattern string, r rune) string {
	return strings.ReplaceAll(pattern, string(r), "")
}

// openTag returns the last layer tag of a text that is not closed, or "".
func openTag(s string) string {
	best, tag := -1, ""
	for _, t := range [][2]string{{openSystem, shutSystem}, {openThink, shutThink}, {openAct, shutAct}} {
		if i := strings.LastIndex(s, t[0]); i > strings.LastIndex(s, t[1]) && i > best {
			best, tag = i, t[0]
		}
	}
	return tag
}

func (st *stage) body(l lines, pattern string) string {
	var b strings.Builder
	spoke := false
	for _, c := range pattern {
		switch c {
		case 't':
			b.WriteString(openThink + l.thought + shutThink)
			spoke = false
		case 'a':
			b.WriteString(openAct + l.act + shutAct)
			spoke = false
		default:
			s := l.speech[c-'1']
			if s == "" {
				continue
			}
			if spoke && st.lang != "zh" {
				b.WriteString(" ")
			}
			b.WriteString(s)
			spoke = true
		}
	}
	return b.String()
}
