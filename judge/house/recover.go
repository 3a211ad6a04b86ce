package house

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
	"herarena/judge/prompt"
)

// FromPrompt judges what a filled prompt asks: it takes the context and both
// candidates out of it again and returns Text. A prompt it cannot take apart
// gets a sentence that says so, which no parser reads as a verdict.
//
// A text that itself holds the template's headings cannot always be told from
// the template. The last occurrence of a heading counts, so that what a person
// typed into the scene never moves a candidate.
func FromPrompt(t prompt.Template, filled string) string {
	c, ok := Recover(t, filled)
	if !ok {
		return "The prompt holds no dialogue context with two response candidates under their headings, so nothing was compared."
	}
	return Text(c)
}

// Recover takes a case out of a filled prompt. The zero template is the default
// one.
func Recover(t prompt.Template, filled string) (arena.Case, bool) {
	if t.Text == "" {
		t = prompt.Default()
	}
	history, first, second, ok := between(t.Text, filled)
	if !ok {
		history, first, second, ok = byHeadings(filled)
	}
	if !ok {
		return arena.Case{}, false
	}
	c := arena.Case{Cand1: first, Cand2: second, Context: contextOf(history)}
	name(&c)
	return c, true
}

// between inverts Fill by the template's own four pieces.
func between(template, filled string) (history, first, second string, ok bool) {
	head, rest, ok1 := strings.Cut(template, prompt.Context)
	toFirst, rest, ok2 := strings.Cut(rest, prompt.Cand1)
	toSecond, tail, ok3 := strings.Cut(rest, prompt.Cand2)
	if !ok1 || !ok2 || !ok3 || strings.TrimSpace(toFirst) == "" || strings.TrimSpace(toSecond) == "" {
		return "", "", "", false
	}
	body, ok1 := strings.CutPrefix(strings.TrimLeft(filled, " \t\r\n"), strings.TrimLeft(head, " \t\r\n"))
	body, ok2 = strings.CutSuffix(body, strings.TrimRight(tail, " \t\r\n"))
	if !ok1 || !ok2 {
		return "", "", "", false
	}
	at := strings.LastIndex(body, toSecond)
	if at < 0 {
		return "", "", "", false
	}
	second = body[at+len(toSecond):]
	body = body[:at]
	if at = strings.LastIndex(body, toFirst); at < 0 {
		return "", "", "", false
	}
	return body[:at], body[at+len(toFirst):], second, true
}

var (
	contextHeading = regexp.MustCompile(`(?mi)^[ \t#*]*dialogue[ \t]+(?:context|history)[ \t]*[*:]*[ \t]*$`)
	firstHeading   = regexp.MustCompile(`(?mi)^[ \t#*]*response[ \t]+candidate[ \t]+1[ \t]*[*:]*[ \t]*$`)
	secondHeading  = regexp.MustCompile(`(?mi)^[ \t#*]*response[ \t]+candidate[ \t]+2[ \t]*[*:]*[ \t]*$`)
)

// byHeadings finds the texts under their headings, for prompts of another
// template than the one given.
func byHeadings(filled string) (history, first, second string, ok bool) {
	two := last(secondHeading, filled)
	if two == nil {
		return "", "", "", false
	}
	one := last(firstHeading, filled[:two[0]])
	if one == nil {
		return "", "", "", false
	}
	begin := contextHeading.FindStringIndex(filled[:one[0]])
	if begin == nil {
		return "", "", "", false
	}
	return strings.TrimSpace(filled[begin[1]:one[0]]), strings.TrimSpace(filled[one[1]:two[0]]), strings.TrimSpace(filled[two[1]:]), true
}

func last(re *regexp.Regexp, text string) []int {
	all := re.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

var (
	roleMark = regexp.MustCompile(`^(System|User|Assistant): `)
	idMark   = regexp.MustCompile(`^id:(\d+), (.{0,120}?)\((system|user|assistant)\): `)
)

// contextOf reads a history in either form.
func contextOf(history string) []arena.ContextLine {
	if idMark.MatchString(history) {
		return numberedLines(history)
	}
	var out []arena.ContextLine
	for part := range strings.SplitSeq(history, "\n\n") {
		if m := roleMark.FindString(part); m != "" {
			out = append(out, arena.ContextLine{Role: strings.ToLower(strings.TrimSuffix(m, ": ")), Content: part[len(m):]})
		} else if len(out) > 0 {
			out[len(out)-1].Content += "\n\n" + part
		} else if strings.TrimSpace(part) != "" {
			out = append(out, arena.ContextLine{Role: "system", Content: part})
		}
	}
	return out
}

// numberedLines reads the id form. Only the next number begins a line, so that a
// line that quotes the form does not become another.
func numberedLines(history string) []arena.ContextLine {
	var out []arena.ContextLine
	for line := range strings.SplitSeq(history, "\n") {
		m := idMark.FindStringSubmatch(line)
		if m != nil && m[1] == strconv.Itoa(len(out)+1) {
			out = append(out, arena.ContextLine{Role: m[3], Name: m[2], Content: line[len(m[0]):]})
		} else if len(out) > 0 {
			out[len(out)-1].Content += "\n" + line
		}
	}
	return out
}

var (
	prefix  = regexp.MustCompile(`^([^:：\n<>\[\](){}*"“”]{1,60})[:：]\s*`)
	youAre  = regexp.MustCompile(`(?m)\b[Yy]ou (?:are|play) ([\p{Lu}\p{Han}][^\n.,;:]{0,60}?)(?: (?:from|of|in|at|who|and|,|as)\b|[.,;:\n]|$)`)
	profile = regexp.MustCompile(`(?m)^=+\s*(.{1,60}?)(?:'s|’s)? Profile\s*=+`)
)

// name finds out who speaks. The role form has names only as the beginning of
// lines, and not everything before a colon is one: it must be in the settings,
// begin more than one line, or look like a name where other lines are named.
func name(c *arena.Case) {
	var settings strings.Builder
	begins := map[string]int{}
	for _, l := range c.Context {
		if l.Role == "system" {
			settings.WriteString(strings.ToLower(l.Content) + "\n")
		} else if m := prefix.FindStringSubmatch(l.Content); m != nil {
			begins[strings.TrimSpace(m[1])]++
		}
	}
	known := map[string]bool{}
	for n, times := range begins {
		known[n] = times > 1 || whole(settings.String(), strings.ToLower(n))
	}
	for n := range begins {
		known[n] = known[n] || len(known) > 1 && anyOf(known) && looksLikeName(n)
	}
	for i := range c.Context {
		l := &c.Context[i]
		if l.Role == "system" {
			continue
		}
		if m := prefix.FindStringSubmatch(l.Content); m != nil {
			if n := strings.TrimSpace(m[1]); known[n] || n == l.Name {
				l.Name, l.Content = n, l.Content[len(m[0]):]
			}
		}
		if l.Role == "assistant" && l.Name != "" {
			c.Character = l.Name
		} else if l.Name != "" {
			c.User = l.Name
		}
	}
	if c.Character == "" {
		c.Character = declared(c)
	}
}

func anyOf(set map[string]bool) bool {
	for _, in := range set {
		if in {
			return true
		}
	}
	return false
}

// looksLikeName wants one to four words that each begin with a capital, or
// letters of a script that has none.
func looksLikeName(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 4 {
		return false
	}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) && !wordless(scriptOf(r)) && scriptOf(r) != hangul {
			return false
		}
	}
	return true
}

// declared finds the character in the settings: "You are …", "===… 's Profile===".
func declared(c *arena.Case) string {
	for _, l := range c.Context {
		if l.Role != "system" {
			continue
		}
		for _, re := range []*regexp.Regexp{profile, youAre} {
			if m := re.FindStringSubmatch(l.Content); m != nil {
				return strings.TrimSpace(m[1])
			}
		}
	}
	return ""
}
