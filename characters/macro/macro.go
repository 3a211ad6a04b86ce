// Package macro fills in the marks that cards and lorebooks are written with:
// {{char}}, {{user}}, {{random::a::b}} and their kin. What is put in is text
// and is never read for marks again; with the same seed, turn and text the
// answer is the same.
package macro

import (
	"strconv"
	"strings"
	"time"
)

// Bounds on what one text may ask for.
const (
	maxNesting  = 512
	maxOutput   = 4 << 20  // bytes of one expanded text
	maxVariable = 64 << 10 // bytes of one variable
	maxRepeat   = 10_000
	maxFields   = 1_000   // fields put in by one text
	maxSpent    = 1 << 20 // bytes of fields that one text has gone through
)

// Env is what the marks stand for. The zero value leaves most of them as they
// are written. An Env is used by one goroutine at a time.
type Env struct {
	Char, User string   // names
	Group      []string // all characters of the scene; may be empty
	// Fields are parts of the card by the name of their macro in lower case
	// (description, personality, scenario, persona, mesexamples, …). They may
	// hold macros themselves.
	Fields map[string]string
	// Texts are put in as they are: input, lastmessage and the like.
	Texts map[string]string
	// Original is what {{original}} stands for, once; nil leaves it.
	Original *string
	// Vars are the variables of setvar and getvar; nil until the first is set.
	Vars map[string]string
	Seed uint64
	// Turn lets {{random}} and {{roll}} differ from turn to turn. {{pick}} does
	// not heed it.
	Turn int
	// Now is the time for the time macros; zero leaves them as written.
	Now time.Time
	// HiddenKeys shows {{hidden_key:x}}, as a lorebook's recursion reads it.
	HiddenKeys bool

	active map[string]bool
	fields int
	inside int // calls of Expand within each other
	spent  int // bytes of fields gone through since the outermost began
}

// Override returns a card's own text for a slot with the slot's default for
// {{original}}; an empty text is the default itself.
func (e *Env) Override(text, original string) string {
	if text == "" {
		return original
	}
	saved := e.Original
	e.Original = &original
	defer func() { e.Original = saved }()
	return e.Expand(text)
}

// piece is a stretch of text. Text that a macro put in is fixed: no separator
// is looked for in it.
type piece struct {
	kind  pieceKind
	text  string
	truth bool // of ifMark
}

type pieceKind uint8

const (
	rawText pieceKind = iota
	fixedText
	trimMark
	ifMark
	elseMark
	endMark
)

// legacy are the marks of version 1 cards.
var legacy = [...]string{"<user>", "<bot>", "<char>", "<group>", "<charifnotgroup>"}

// Expand fills in the marks of a text. What is no macro stays as it is, but
// the macros inside of it are filled in.
func (e *Env) Expand(text string) string {
	if !strings.ContainsAny(text, "{<\\") {
		return text
	}
	text = strings.ReplaceAll(text, "\x00", "")
	if e.inside == 0 {
		e.spent = 0
	}
	e.inside++
	defer func() { e.inside-- }()
	p := expansion{env: e, source: text, hash: hash64(text)}
	return p.run()
}

// expansion is the state of expanding one text.
type expansion struct {
	env    *Env
	source string
	hash   uint64
	frames [][]piece // open macros; the first is the text itself
	starts []int     // where each open macro began
	size   int
}

func (p *expansion) add(k pieceKind, text string) {
	if p.size += len(text); p.size > maxOutput {
		return
	}
	top := len(p.frames) - 1
	if n := len(p.frames[top]); n > 0 && k == rawText && p.frames[top][n-1].kind == rawText {
		p.frames[top][n-1].text += text
		return
	}
	p.frames[top] = append(p.frames[top], piece{kind: k, text: text})
}

func (p *expansion) run() string {
	p.frames = [][]piece{nil}
	p.starts = []int{0}
	s := p.source
	plain := 0
	flush := func(to int) {
		if to > plain {
			p.add(rawText, s[plain:to])
		}
	}
	for i := 0; i < len(s); {
		n, act := p.mark(s, i)
		if n == 0 {
			i++
			continue
		}
		flush(i)
		act(i)
		i += n
		plain = i
	}
	flush(len(s))
	for len(p.frames) > 1 {
		p.unclosed()
	}
	return settle(p.frames[0])
}

// mark tells whether something begins at i: its length and what to do.
func (p *expansion) mark(s string, i int) (int, func(at int)) {
	rest := s[i:]
	switch s[i] {
	case '\\':
		if strings.HasPrefix(rest, `\{\{`) || strings.HasPrefix(rest, `\}\}`) {
			return 4, func(int) { p.add(fixedText, string(rest[1])+string(rest[3])) }
		}
	case '{':
		// Of three braces the last two open a macro.
		if strings.HasPrefix(rest, "{{") && !strings.HasPrefix(rest, "{{{") && len(p.frames) <= maxNesting {
			return 2, func(at int) {
				p.frames = append(p.frames, nil)
				p.starts = append(p.starts, at)
			}
		}
	case '}':
		if strings.HasPrefix(rest, "}}") && len(p.frames) > 1 {
			return 2, func(int) { p.closed() }
		}
	case '<':
		for _, m := range legacy {
			if len(rest) >= len(m) && strings.EqualFold(rest[:len(m)], m) {
				return len(m), func(int) { p.legacy(m, rest[:len(m)]) }
			}
		}
	}
	return 0, nil
}

func (p *expansion) legacy(mark, written string) {
	value := p.env.Char
	switch mark {
	case "<user>":
		value = p.env.User
	case "<group>":
		value = p.env.group()
	case "<charifnotgroup>":
		if len(p.env.Group) > 1 {
			value = p.env.group()
		}
	}
	if value == "" {
		value = written
	}
	p.add(fixedText, value)
}

// pop takes the innermost open macro off.
func (p *expansion) pop() (body []piece, start int) {
	top := len(p.frames) - 1
	body, start = p.frames[top], p.starts[top]
	p.frames, p.starts = p.frames[:top], p.starts[:top]
	return body, start
}

// unclosed makes text of a macro that has no end.
func (p *expansion) unclosed() {
	body, _ := p.pop()
	p.add(rawText, "{{")
	p.extend(body)
}

func (p *expansion) extend(body []piece) {
	top := len(p.frames) - 1
	p.frames[top] = append(p.frames[top], body...)
}

// closed evaluates a macro at its end.
func (p *expansion) closed() {
	body, start := p.pop()
	c := newCall(body, p.hash^uint64(start)*0x9E3779B97F4A7C15)
	out, ok := p.env.call(c)
	if !ok {
		p.add(rawText, "{{")
		p.extend(body)
		p.add(rawText, "}}")
		return
	}
	if out.kind == fixedText {
		if out.text != "" {
			p.add(fixedText, out.text)
		}
		return
	}
	out.text = "{{" + c.written + "}}"
	p.extend([]piece{out})
}

// settle joins pieces: branches that are not taken go, and line breaks round a
// trim mark.
func settle(pieces []piece) string {
	pieces = branches(pieces)
	var b strings.Builder
	trim := false
	for _, p := range pieces {
		if p.kind == trimMark {
			kept := strings.TrimRight(b.String(), "\n")
			b.Reset()
			b.WriteString(kept)
			trim = true
			continue
		}
		text := p.text
		if trim {
			text = strings.TrimLeft(text, "\n")
			trim = text == ""
		}
		b.WriteString(text)
	}
	return b.String()
}

// branches resolves if, else and /if. Those without a partner stay as text.
func branches(pieces []piece) []piece {
	partner := map[int][2]int{} // of an if: its else (-1) and its end
	var open [][2]int           // if and its else
	for i, p := range pieces {
		switch {
		case p.kind == ifMark:
			open = append(open, [2]int{i, -1})
		case p.kind == elseMark && len(open) > 0 && open[len(open)-1][1] < 0:
			open[len(open)-1][1] = i
		case p.kind == endMark && len(open) > 0:
			last := open[len(open)-1]
			partner[last[0]] = [2]int{last[1], i}
			open = open[:len(open)-1]
		}
	}
	if len(partner) == 0 {
		return pieces
	}
	drop := make([]bool, len(pieces))
	skip := func(from, to int) {
		for i := from; i < to; i++ {
			drop[i] = true
		}
	}
	for i, to := range partner {
		otherwise, end := to[0], to[1]
		drop[i], drop[end] = true, true
		if otherwise >= 0 {
			drop[otherwise] = true
		} else {
			otherwise = end
		}
		if pieces[i].truth {
			skip(otherwise, end)
		} else {
			skip(i, otherwise)
		}
	}
	var out []piece
	for i, p := range pieces {
		if !drop[i] {
			out = append(out, p)
		}
	}
	return out
}

// call is a macro with its arguments.
type call struct {
	written string // all of it between the braces
	name    string // in lower case
	arg     string // what follows the first separator, "" for none
	args    []string
	colons  bool // the arguments were parted by ::
	bare    bool // there is no argument at all
	seed    uint64
	fixed   []string
}

// newCall takes a macro's body apart. Fixed text is hidden behind marks while
// separators are looked for.
func newCall(body []piece, seed uint64) *call {
	c := &call{seed: seed}
	var b strings.Builder
	for _, p := range body {
		if p.kind == rawText {
			b.WriteString(p.text)
			continue
		}
		b.WriteString("\x00" + strconv.Itoa(len(c.fixed)) + "\x00")
		c.fixed = append(c.fixed, p.text)
	}
	text := b.String()
	c.written = c.fill(text)
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, "//") {
		c.name = "//"
		return c
	}
	end := strings.IndexFunc(inner, func(r rune) bool { return r == ':' || r == ' ' || r == '\n' || r == '\t' })
	if end < 0 {
		c.name, c.bare = strings.ToLower(inner), true
		return c
	}
	c.name = strings.ToLower(inner[:end])
	rest := inner[end:]
	switch {
	case strings.HasPrefix(rest, "::"):
		rest = text[strings.Index(text, "::")+2:]
	case rest[0] == ':':
		rest = text[strings.Index(text, ":")+1:]
	default:
		rest = strings.TrimSpace(rest)
		if after, ok := strings.CutPrefix(rest, "::"); ok {
			rest = after
		} else {
			rest = strings.TrimPrefix(rest, ":")
		}
	}
	c.arg = c.fill(rest)
	if c.colons = strings.Contains(rest, "::"); c.colons {
		for _, part := range strings.Split(rest, "::") {
			c.args = append(c.args, c.fill(part))
		}
		return c
	}
	for _, part := range strings.Split(strings.ReplaceAll(rest, `\,`, "\x01"), ",") {
		c.args = append(c.args, strings.TrimSpace(c.fill(strings.ReplaceAll(part, "\x01", ","))))
	}
	return c
}

// fill puts the fixed texts back.
func (c *call) fill(text string) string {
	if len(c.fixed) == 0 {
		return text
	}
	parts := strings.Split(text, "\x00")
	for i := 1; i < len(parts); i += 2 {
		n, err := strconv.Atoi(parts[i])
		if err == nil && n < len(c.fixed) {
			parts[i] = c.fixed[n]
		}
	}
	return strings.Join(parts, "")
}
