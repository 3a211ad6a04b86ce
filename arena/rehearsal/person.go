package rehearsal

import (
	"strings"
)

// forPerson is how a system prompt begins that asks for the person's lines.
const forPerson = "You write the lines of "

// person is what the players have to say when they are asked to write the
// person's lines.
type person struct {
	// Lines stand in the order of the scene's arc.
	Lines []string `toml:"lines"`
	// Answers are for where the character has asked something.
	Answers []string `toml:"answers"`
}

// prompter writes lines for the person: what has been said, and what there is
// to say.
type prompter struct {
	script, common *script
	memory         *memory
	turn           int  // lines of the person so far
	asked          bool // the character's last words hold a question
}

// asPerson reads a request for a line of the person; ok is false where the
// character is to be played. In such a request the person is the assistant.
func (h *house) asPerson(msgs []message) (*prompter, bool) {
	if len(msgs) == 0 || !strings.HasPrefix(strings.TrimSpace(string(msgs[0].Content)), forPerson) {
		return nil, false
	}
	prompt := string(msgs[0].Content)
	head, _, _ := strings.Cut(prompt, "\n")
	_, char, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(head), "."), " in a scene with ")
	p := &prompter{script: h.find(prompt, char), memory: newMemory()}
	if lang := p.script.Language; p.script.ID != general {
		p.common = h.general[lang]
	} else {
		p.script = h.general[language(prompt, lastUser(msgs))]
		p.common = p.script
	}
	for _, m := range msgs[1:] {
		switch m.Role {
		case "assistant":
			p.turn++
			p.memory.keep(string(m.Content))
		case "user":
			p.asked = strings.ContainsAny(string(m.Content), "?\uff1f")
		}
	}
	return p, true
}

// line chooses the next line. The lead goes through the arc as it stands, the
// understudy prefers what comes after; a question of the character is answered
// every now and then.
func (p *prompter) line(lead bool, prefill string) string {
	var fresh []string
	for _, s := range []*script{p.script, p.common} {
		if p.asked && p.turn%3 == 2 {
			fresh = append(fresh, p.unsaid(s.Person.Answers)...)
		}
		fresh = append(fresh, p.unsaid(s.Person.Lines)...)
		if !p.asked || p.turn%3 != 2 {
			fresh = append(fresh, p.unsaid(s.Person.Answers)...)
		}
	}
	if len(fresh) == 0 {
		// All has been said: what was said longest ago comes again.
		all := p.script.Person.Lines
		return after(all[p.turn%len(all)], prefill)
	}
	at := 0
	if !lead && len(fresh) > 1 {
		at = 1
	}
	return after(fresh[at], prefill)
}

func (p *prompter) unsaid(lines []string) []string {
	var out []string
	for _, l := range lines {
		if !p.memory.repeats(l) {
			out = append(out, l)
		}
	}
	return out
}

// after is a line without the beginning that has been written already.
func after(line, begun string) string {
	if rest, ok := continued(line, begun); ok && begun != "" {
		return rest
	}
	return line
}
