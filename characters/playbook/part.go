package playbook

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"herarena/characters"
	"herarena/characters/lore"
)

// maxText is the most bytes of one text that goes into a prompt.
const maxText = 64 << 10

// Part is a stretch of a prompt and where it came from.
type Part struct {
	From   string `json:"from"` // e.g. "data.description"
	To     string `json:"to"`   // where it stands, e.g. "character.profile"
	Text   string `json:"text"`
	Tokens int    `json:"tokens"` // estimated
}

// Parts tells where the texts of a scene's card stand that are the same in every
// turn; nil for a scene without a card.
func Parts(s characters.Scene) []Part {
	p := s.Play
	if p == nil {
		return nil
	}
	var out []Part
	add := func(from, to, text string) {
		if text = clean(text); text != "" {
			out = append(out, Part{From: from, To: to, Text: text, Tokens: Tokens(text)})
		}
	}
	m := s.Marks()
	add("data.description", "character.profile", m.Expand(p.Description))
	add("data.personality", "character.profile", m.Expand(p.Personality))
	add("data.scenario", "scenario", m.Expand(p.Scenario))
	add(fmt.Sprintf("greeting %d", p.Greeting), "opening", s.Opening)
	var lines []string
	for _, block := range s.ExampleBlocks("", "") {
		for _, l := range block {
			lines = append(lines, strings.TrimPrefix(l.Name+": "+l.Text, ": "))
		}
	}
	switch p.ExampleForm {
	case characters.ExamplesOff:
	case characters.ExamplesTurns:
		add("data.mes_example", "messages before the conversation", strings.Join(lines, "\n"))
	default:
		add("data.mes_example", "system prompt, examples", strings.Join(lines, "\n"))
	}
	if s.Carded() {
		add("data.system_prompt", "system prompt, rules", m.Override(p.System, ""))
	}
	return out
}

// Parts tells where a page's texts stand.
func (p *Page) Parts() []Part {
	var out []Part
	for _, f := range p.Fired {
		if f.In && !strings.HasPrefix(f.Where, "depth") && !strings.HasPrefix(f.Where, "author") && f.Text != "" {
			out = append(out, Part{From: "entry " + f.Entry + " (" + f.Why + ")", To: f.Where, Text: f.Text, Tokens: f.Tokens})
		}
	}
	for _, c := range append(append([]Cue(nil), p.Deep...), p.After) {
		if c.Text == "" {
			continue
		}
		from, to := c.From, fmt.Sprintf("%s message, %d from the end", c.Role, c.Depth)
		if c.Why != "" {
			from += " (" + c.Why + ")"
		}
		switch {
		case c == p.After:
			to = c.Role + " message, at the end"
		case c.Top:
			to = fmt.Sprintf("%s message, %d from the beginning", c.Role, c.Depth)
		}
		out = append(out, Part{From: from, To: to, Text: c.Text, Tokens: Tokens(c.Text)})
	}
	return out
}

// where says for people where an entry goes.
func where(h *lore.Hit) string {
	switch h.Place {
	case lore.BeforeChar:
		return "system prompt, before the character"
	case lore.Personality:
		return "system prompt, with the character"
	case lore.Scenario:
		return "system prompt, with the scenario"
	case lore.ExamplesTop:
		return "above the examples"
	case lore.ExamplesBottom:
		return "below the examples"
	case lore.NoteTop, lore.NoteBottom:
		return "author's note"
	case lore.AtDepth:
		if h.Top {
			return fmt.Sprintf("depth %d from the beginning, %s", h.Depth, role(h.Role))
		}
		return fmt.Sprintf("depth %d, %s", h.Depth, role(h.Role))
	}
	return "system prompt, after the character"
}

// Tokens estimates how many tokens a text has: a quarter of its letters in
// scripts with alphabets, one for each character in those without. It errs by
// some tens of per cent.
func Tokens(text string) int {
	letters, signs := 0, 0
	for _, r := range text {
		if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			signs++
		} else {
			letters++
		}
	}
	return signs + (letters+3)/4
}

// clean makes a text fit for a prompt: valid, without controls, bounded.
func clean(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxText {
		n := maxText
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
}
