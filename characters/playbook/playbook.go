// Package playbook tells what a card adds to the prompt of each turn of a duel:
// the entries of its lorebook and where they go, its note at a depth, and its
// instructions behind the conversation, with macros filled in. The answer
// depends on the scene and on what was said and on nothing else, so that a reply
// asked for again, a branch and a replay find the same.
package playbook

import (
	"strings"
	"sync"

	"herarena/characters"
	"herarena/characters/lore"
	"herarena/characters/macro"
)

// noteDepth is how many messages from the end the author's note stands, which
// lorebooks put entries round.
const noteDepth = 4

// maxSteps bounds how many turns of one conversation and its branches are kept.
const maxSteps = 4096

// Line is a line of the conversation that everyone can perceive.
type Line struct {
	Turn int    // from 1; 0 for the opening line
	Name string // who speaks
	Text string
	Char bool // one of the played characters, not the person
}

// Cue is a text that goes among the messages.
type Cue struct {
	From string `json:"from"` // the card's field, or the lorebook's entry
	Why  string `json:"why"`  // what brought it, "" where it is always there
	Role string `json:"role"` // system, user or assistant
	// Depth is how many messages of the conversation stand behind it, or before
	// it where Top is set.
	Depth int    `json:"depth"`
	Top   bool   `json:"top,omitempty"`
	Text  string `json:"text"`
}

// Page is what one turn's prompt gets.
type Page struct {
	// Lore goes into the system prompt.
	Lore characters.Lore
	// Deep goes among the messages, in order.
	Deep []Cue
	// After goes behind the last message; empty Text is nothing.
	After Cue
	// Fired are the entries of the lorebook that are in it, for people.
	Fired []Fired
	// Slow are patterns that were given up because they took too long.
	Slow []string
}

// Empty reports whether the page adds nothing.
func (p *Page) Empty() bool {
	return p.Lore == (characters.Lore{}) && len(p.Deep) == 0 && p.After.Text == ""
}

// Fired is what became of an entry whose keys matched.
type Fired struct {
	Entry  string `json:"entry"`
	In     bool   `json:"in"` // it is in the prompt
	Why    string `json:"why"`
	Where  string `json:"where"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Playbook answers for one scene. It is safe for use by several goroutines.
type Playbook struct {
	scene characters.Scene
	base  *macro.Env // of all turns

	mu      sync.Mutex
	scanner *lore.Scanner
	steps   map[uint64]*step
	first   *step
}

// step is what holds behind a turn.
type step struct {
	memory lore.Memory
	vars   map[string]string
	page   Page
}

// Open returns the playbook of a cast scene; nil where the scene has no card, or
// one that adds nothing to any turn.
func Open(s characters.Scene) *Playbook {
	p := s.Play
	if p == nil || p.Book == nil && strings.TrimSpace(p.Note) == "" && strings.TrimSpace(p.After) == "" {
		return nil
	}
	b := &Playbook{scene: s, steps: map[uint64]*step{}}
	if p.Book != nil {
		b.scanner = lore.NewScanner(p.Book)
	}
	b.base = s.Marks()
	b.first = &step{vars: b.base.Vars}
	return b
}

// Turn returns the page of a turn. lines are all that was said up to and
// including the turn's own line, oldest first. speaker is whose reply is asked
// for; "" is the scene's character. Turns before it are worked through once.
func (b *Playbook) Turn(number int, lines []Line, speaker string) Page {
	if b == nil {
		return Page{}
	}
	if speaker == b.scene.Character.Name {
		speaker = ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.steps) > maxSteps {
		b.steps = map[uint64]*step{}
	}
	at, key, end := b.first, hashText(14695981039346656037, ""), 0
	messages := make([]lore.Message, 0, len(lines))
	for turn := turnAt(lines, 0); ; turn = turnAt(lines, end) {
		if end >= len(lines) || turn > number {
			turn = number
		}
		for end < len(lines) && asked(lines[end], turn) {
			l := lines[end]
			messages = append(messages, lore.Message{Text: l.Text, Char: l.Char})
			key = hashText(key^uint64(l.Turn)<<1^truth(l.Char), l.Text)
			end++
		}
		who := ""
		if turn == number {
			who = speaker
		}
		id := hashText(key^uint64(turn)<<32, who)
		next, ok := b.steps[id]
		if !ok {
			next = b.play(turn, messages, at, who)
			b.steps[id] = next
		}
		if turn >= number {
			return next.page
		}
		at = next
	}
}

// turnAt is the turn that is played once the line at i is there: a character's
// line is read by the turn after it.
func turnAt(lines []Line, i int) int {
	if i >= len(lines) {
		return 0
	}
	if lines[i].Char {
		return lines[i].Turn + 1
	}
	return max(lines[i].Turn, 1)
}

// asked reports whether a line is there when a turn's reply is asked for.
func asked(l Line, turn int) bool { return l.Turn < turn || l.Turn == turn && !l.Char }

// play works one turn out.
func (b *Playbook) play(turn int, messages []lore.Message, before *step, speaker string) *step {
	marks := b.marks(turn, messages, before.vars, speaker)
	next := &step{memory: before.memory}
	if b.scanner != nil {
		r := b.scanner.Scan(lore.Request{
			Messages: messages, Seed: b.scene.Play.Seed, Turn: turn, Memory: before.memory,
			Greeting: b.scene.Play.Greeting, Tokens: Tokens, Budget: b.scene.Play.LoreBudget,
			Expand: func(text string, recursion bool) string {
				if !strings.ContainsAny(text, "{<\\") {
					return text
				}
				return trial(marks, recursion).Expand(text)
			},
		})
		next.memory = r.Memory
		next.page.lore(r, marks)
	}
	b.instructions(&next.page, marks, speaker)
	next.vars = marks.Vars
	return next
}

// marks are what macros stand for in a turn.
func (b *Playbook) marks(turn int, messages []lore.Message, vars map[string]string, speaker string) *macro.Env {
	e := trial(b.base, false)
	e.Turn, e.Vars, e.Texts = turn, clone(vars), clone(b.base.Texts)
	if b.ensemble(speaker) {
		e.Group = b.scene.Speakers()
	}
	last := func(want func(m lore.Message) bool) string {
		for i := len(messages) - 1; i >= 0; i-- {
			if want(messages[i]) {
				return messages[i].Text
			}
		}
		return ""
	}
	e.Texts["lastmessage"] = last(func(lore.Message) bool { return true })
	e.Texts["lastusermessage"] = last(func(m lore.Message) bool { return !m.Char })
	e.Texts["lastcharmessage"] = last(func(m lore.Message) bool { return m.Char })
	e.Texts["input"] = e.Texts["lastusermessage"]
	return e
}

func (b *Playbook) ensemble(speaker string) bool {
	return b.scene.Ensemble() || speaker != "" && speaker != b.scene.Character.Name
}

// trial is an Env whose variables nobody else sees: the text may be filled in
// several times before it is known whether it goes in.
func trial(e *macro.Env, recursion bool) *macro.Env {
	c := *e
	c.HiddenKeys, c.Vars = recursion, clone(e.Vars)
	return &c
}

func clone(vars map[string]string) map[string]string {
	out := make(map[string]string, len(vars))
	for k, v := range vars {
		out[k] = v
	}
	return out
}

// instructions adds the card's note and what goes behind the conversation, which
// are for the card's own character.
func (b *Playbook) instructions(p *Page, marks *macro.Env, speaker string) {
	play := b.scene.Play
	char := play.Char
	if speaker == "" {
		speaker = b.scene.Character.Name
	}
	if char != "" && char != speaker {
		return
	}
	if text := clean(marks.Expand(play.Note)); text != "" {
		p.Deep = append(p.Deep, Cue{From: "data.extensions.depth_prompt", Role: role(play.NoteRole), Depth: max(play.NoteDepth, 0), Text: text})
	}
	if text := clean(marks.Override(play.After, "")); text != "" {
		p.After = Cue{From: "data.post_history_instructions", Role: "system", Text: text}
	}
}

// lore puts the entries that fired where they go.
func (p *Page) lore(r lore.Result, marks *macro.Env) {
	var notes [2][]string
	var why [2][]string
	for i := range r.Hits {
		h := &r.Hits[i]
		text := clean(marks.Expand(h.Raw))
		p.Fired = append(p.Fired, fired(h, text, true))
		p.without(h)
		if text == "" {
			continue
		}
		switch h.Place {
		case lore.BeforeChar:
			join(&p.Lore.Before, text)
		case lore.Personality:
			join(&p.Lore.Personality, text)
		case lore.Scenario:
			join(&p.Lore.Scenario, text)
		case lore.ExamplesTop:
			example(&p.Lore.ExamplesTop, text)
		case lore.ExamplesBottom:
			example(&p.Lore.ExamplesBottom, text)
		case lore.NoteTop, lore.NoteBottom:
			n := 0
			if h.Place == lore.NoteBottom {
				n = 1
			}
			notes[n], why[n] = append(notes[n], text), append(why[n], h.Entry.Name()+": "+h.Why)
		case lore.AtDepth:
			p.Deep = append(p.Deep, Cue{
				From: "entry " + h.Entry.Name(), Why: h.Why, Role: role(h.Role), Depth: max(h.Depth, 0), Top: h.Top, Text: text,
			})
		default:
			join(&p.Lore.After, text)
		}
	}
	if all := append(notes[0], notes[1]...); len(all) > 0 {
		p.Deep = append(p.Deep, Cue{
			From: "entries round the author's note", Why: strings.Join(append(why[0], why[1]...), "; "),
			Role: "system", Depth: noteDepth, Text: strings.Join(all, "\n"),
		})
	}
	for _, list := range [][]lore.Hit{r.Dropped, r.Refused} {
		for i := range list {
			p.Fired = append(p.Fired, fired(&list[i], clean(list[i].Text), false))
		}
	}
	p.Slow = r.Slow
}

// without takes out what an entry says is not to be there.
func (p *Page) without(h *lore.Hit) {
	for _, what := range h.Without {
		if what == "system_prompt" {
			p.Lore.NoRules = true
		}
	}
}

func fired(h *lore.Hit, text string, in bool) Fired {
	return Fired{Entry: h.Entry.Name(), In: in, Why: h.Why, Where: where(h), Text: text, Tokens: h.Tokens}
}

func join(to *string, text string) {
	if *to != "" {
		*to += "\n"
	}
	*to += text
}

func example(to *string, text string) {
	if *to != "" {
		*to += "\n<START>\n"
	}
	*to += text
}

// role is one that a message may have.
func role(name string) string {
	if name == "user" || name == "assistant" {
		return name
	}
	return "system"
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// hashText is FNV-1a, going on from h.
func hashText(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return (h ^ 0xFF) * 1099511628211
}
