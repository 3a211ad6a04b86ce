package macro

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

func fixed(text string) (piece, bool) { return piece{kind: fixedText, text: text}, true }

// call returns what a macro stands for, false for one that is to stay as it is.
func (e *Env) call(c *call) (piece, bool) {
	if c.name == "//" {
		return fixed("")
	}
	if c.bare {
		return e.bare(c)
	}
	switch c.name {
	case "comment", "note":
		return fixed("")
	case "hidden_key":
		if e.HiddenKeys {
			return fixed(c.arg)
		}
		return fixed("")
	case "reverse":
		return fixed(reverse(c.arg))
	case "random":
		return fixed(choose(c.args, e.Seed^c.seed^hash64("random")+uint64(e.Turn)*0xD1B54A32D192ED03))
	case "pick":
		return fixed(choose(c.args, e.Seed^c.seed^hash64("pick")))
	case "roll":
		return fixed(roll(strings.TrimSpace(c.arg), e.Seed^c.seed^hash64("roll")+uint64(e.Turn)*0xD1B54A32D192ED03))
	case "space", "newline":
		n, err := strconv.Atoi(strings.TrimSpace(c.arg))
		if err != nil || n < 0 || n > maxRepeat {
			return piece{}, false
		}
		return fixed(strings.Repeat(map[string]string{"space": " ", "newline": "\n"}[c.name], n))
	case "if":
		return piece{kind: ifMark, truth: e.truth(c.arg)}, true
	case "datetimeformat":
		if e.Now.IsZero() {
			return piece{}, false
		}
		return fixed(formatTime(e.Now, strings.TrimSpace(c.arg)))
	}
	return e.variable(c)
}

// bare returns what a macro without arguments stands for.
func (e *Env) bare(c *call) (piece, bool) {
	switch c.name {
	case "char":
		return e.named(e.Char)
	case "user":
		return e.named(e.User)
	case "group", "groupnotmuted", "charifnotgroup":
		return e.named(e.group())
	case "notchar":
		return e.named(e.notChar())
	case "newline":
		return fixed("\n")
	case "space":
		return fixed(" ")
	case "noop":
		return fixed("")
	case "trim":
		return piece{kind: trimMark}, true
	case "else":
		return piece{kind: elseMark}, true
	case "/if":
		return piece{kind: endMark}, true
	case "original":
		if e.Original == nil {
			return piece{}, false
		}
		text := *e.Original
		empty := ""
		e.Original = &empty
		return fixed(text)
	}
	if text, ok := e.Texts[c.name]; ok {
		return fixed(text)
	}
	if text, ok := e.clock(c.name); ok {
		return fixed(text)
	}
	return e.field(c.name)
}

func (e *Env) named(name string) (piece, bool) {
	if name == "" {
		return piece{}, false
	}
	return fixed(name)
}

func (e *Env) group() string {
	if len(e.Group) == 0 {
		return e.Char
	}
	return strings.Join(e.Group, ", ")
}

func (e *Env) notChar() string {
	var names []string
	for _, name := range e.Group {
		if name != e.Char {
			names = append(names, name)
		}
	}
	return strings.Join(append(names, e.User), ", ")
}

// field puts in a part of the card, expanded. A part that is being put in
// already stays a mark, and so does every part once a text has had its fill of
// them: parts that name each other a thousand times would never end.
func (e *Env) field(name string) (piece, bool) {
	text, ok := e.Fields[name]
	if !ok || e.active[name] || e.fields >= maxFields || e.spent > maxSpent {
		return piece{}, false
	}
	if e.active == nil {
		e.active = map[string]bool{}
	}
	e.fields++
	e.spent += len(text)
	e.active[name] = true
	text = e.Expand(text)
	e.spent += len(text)
	delete(e.active, name)
	if len(e.active) == 0 {
		e.fields = 0
	}
	return fixed(text)
}

// truth tells whether the condition of an if holds: a part of the card, a
// variable or a text that is neither empty nor a word for no.
func (e *Env) truth(cond string) bool {
	cond = strings.TrimSpace(cond)
	not := strings.HasPrefix(cond, "!")
	cond = strings.TrimSpace(strings.TrimPrefix(cond, "!"))
	key := strings.ToLower(cond)
	value := cond
	if text, ok := e.Fields[key]; ok {
		value = text
	} else if text, ok := e.Texts[key]; ok {
		value = text
	} else if text, ok := e.Vars[cond]; ok {
		value = text
	}
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "false", "0", "off", "no":
		return not
	}
	return !not
}

// variable runs the macros that set and read variables.
func (e *Env) variable(c *call) (piece, bool) {
	name, value := c.arg, ""
	if c.colons {
		name, value, _ = strings.Cut(c.arg, "::")
	}
	name = strings.TrimSpace(name)
	number := func(text string) float64 {
		n, _ := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return n
	}
	set := func(value string) {
		if e.Vars == nil {
			e.Vars = map[string]string{}
		}
		if _, ok := e.Vars[name]; (ok || len(e.Vars) < maxFields) && len(value) <= maxVariable {
			e.Vars[name] = value
		}
	}
	switch c.name {
	case "getvar":
		return fixed(e.Vars[name])
	case "setvar":
		set(value)
		return fixed("")
	case "addvar":
		if old, err := strconv.ParseFloat(e.Vars[name], 64); err == nil || e.Vars[name] == "" {
			set(strconv.FormatFloat(old+number(value), 'g', -1, 64))
		} else {
			set(e.Vars[name] + value)
		}
		return fixed("")
	case "incvar":
		set(strconv.FormatFloat(number(e.Vars[name])+1, 'g', -1, 64))
		return fixed(e.Vars[name])
	case "decvar":
		set(strconv.FormatFloat(number(e.Vars[name])-1, 'g', -1, 64))
		return fixed(e.Vars[name])
	}
	return piece{}, false
}

// reverse turns a text round by what readers take for one character.
func reverse(text string) string {
	var parts []string
	for it := graphemes.FromString(text); it.Next(); {
		parts = append(parts, it.Value())
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String()
}

func choose(args []string, seed uint64) string {
	if len(args) == 0 {
		return ""
	}
	n := mix(&seed) % uint64(len(args))
	return args[n]
}

var dice = regexp.MustCompile(`^(?i)(\d{0,10})d(\d{1,10})([+-]\d{1,9})?$`)

// roll throws dice written as N, dN, NdM or NdM+K: at most 1000 dice of a
// million sides. It returns "" for what is none of these.
func roll(text string, seed uint64) string {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		text = "d" + text
	}
	m := dice.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if m[1] == "" {
		m[1] = "1"
	}
	n, errN := strconv.Atoi(m[1])
	sides, errS := strconv.Atoi(m[2])
	if errN != nil || errS != nil || n < 1 || n > 1000 || sides < 1 || sides > 1_000_000 {
		return ""
	}
	sum, _ := strconv.Atoi(m[3])
	for range n {
		sum += 1 + int(mix(&seed)%uint64(sides))
	}
	return strconv.Itoa(sum)
}

// mix is splitmix64 (Steele, Lea and Flood 2014).
func mix(state *uint64) uint64 {
	*state += 0x9E3779B97F4A7C15
	z := *state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// hash64 is FNV-1a.
func hash64(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
