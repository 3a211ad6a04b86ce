package rehearsal

import "strings"

// understudySpeech is where the understudy stops adding, in words.
const understudySpeech = 34

// flaws are the mistakes of the understudy, in the order it makes them.
var flaws = [...]string{"speakfor", "assistant"}

// flaw names the mistake due in this turn, "" in most: the first in the second
// or third turn, then every fourth.
func (p *player) flaw() string {
	since := p.memory.turn - 2 - int(p.st.key%2)
	if since < 0 || since%4 != 0 {
		return ""
	}
	n := since / 4
	return flaws[(n+int(p.st.key>>1%2))%len(flaws)]
}

func (p *player) understudyTurn(h heard) lines {
	var out lines
	style := mix(p.st.key, uint64(p.memory.turn)*7) % 4
	first := p.recall(h)
	answer := ""
	if style == 1 && echoes(h.kind) || style == 3 && h.kind == kindSay {
		answer, _ = p.choose(p.common().Kinds["echo"], "echo", h)
	}
	if answer == "" {
		answer = p.answer(h)
	}
	first = p.st.join(first, answer)
	p.memory.keep(first)
	second := ""
	if words(first) < understudySpeech {
		second = p.move(h)
	}
	if first == "" && second == "" {
		second = p.anything(h)
	}
	p.memory.keep(second)
	out.speech = []string{first, second}
	if style == 2 || style == 0 {
		out.act = p.act(h)
	}
	p.mistake(&out, h)
	return out
}

// echoes reports whether a line of the kind may be answered with its own words.
func echoes(kind string) bool {
	switch kind {
	case kindSay, "what", "why", "who", "where", "when", "how", "yesno", "threat", "insult", "offer", "confess", "ask":
		return true
	}
	return false
}

func (p *player) mistake(out *lines, h heard) {
	kind := p.flaw()
	if kind == "" {
		return
	}
	for _, k := range []string{kind, "assistant"} {
		if s, ok := p.choose(p.common().Flaws[k], k, h); ok {
			p.memory.keep(s)
			if k == "speakfor" {
				out.aside = s
			} else {
				out.speech = append(out.speech, s)
			}
			return
		}
	}
}

func (p *player) common() *part { return p.parts[len(p.parts)-1] }

// renderUnderstudy writes plain speech, with an *action* now and then. Asked to
// go on from a tag it does not know, it closes the tag and speaks.
func (st *stage) renderUnderstudy(l lines, prefill string) string {
	said := st.join(l.speech...)
	if l.act != "" {
		said = "*" + l.act + "* " + said
	}
	if l.aside != "" {
		said += "\n\n" + l.aside
	}
	pre := strings.TrimSpace(prefill)
	if pre == "" {
		return said
	}
	if rest, ok := continued(said, prefill); ok {
		return rest
	}
	if open := openTag(pre); open != "" && !strings.HasSuffix(pre, open) {
		if open == openAct {
			return shutAct + said
		}
		return breakOff(pre) + shutOf(open) + said
	}
	switch openTag(pre) {
	case openSystem:
		return map[string]string{"en": "Answer briefly and stay friendly.", "zh": "简单回答，保持友好。"}[st.lang] + shutSystem + said
	case openThink:
		return map[string]string{"en": "I should answer", "zh": "我该回答了"}[st.lang] + shutThink + said
	case openAct:
		return map[string]string{"en": "nods", "zh": "点点头"}[st.lang] + shutAct + said
	}
	if strings.HasSuffix(pre, ">") {
		return said
	}
	end := breakOff(prefill)
	return end + st.spaced(prefill+end) + said
}
