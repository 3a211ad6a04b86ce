package prompt

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Import takes the trained prompt out of a model card (the README.md of a model
// snapshot, or the card as plain text) or out of a text or Python file that
// holds it. It looks for text that holds all three placeholders, from its
// beginning heading to its end, and takes the longest: cards show a shortened
// copy in their code examples.
func Import(path string) (Template, error) {
	text, err := readText(path)
	if err != nil {
		return Template{}, err
	}
	found := extract(text)
	if found == "" {
		return Template{}, fmt.Errorf("%s holds no prompt: %s; give the model card of the reward model (the README.md beside its weights) or the prompt as a text file",
			path, missing(text))
	}
	return New(filepath.Base(path), found)
}

// missing says which placeholder the text lacks.
func missing(text string) string {
	var gone []string
	for _, p := range []string{Context, Cand1, Cand2} {
		if !strings.Contains(text, p) {
			gone = append(gone, p)
		}
	}
	if len(gone) == 0 {
		return fmt.Sprintf("%s, %s and %s never stand in it in this order in one text", Context, Cand1, Cand2)
	}
	return "it has no " + strings.Join(gone, " and no ")
}

// extract returns the longest prompt in a text, or "".
func extract(text string) string {
	best := ""
	for at := 0; ; {
		n := strings.Index(text[at:], Context)
		if n < 0 {
			return best
		}
		context := at + n
		at = context + len(Context)
		// The next context belongs to the next prompt.
		limit := len(text)
		if next := strings.Index(text[at:], Context); next >= 0 {
			limit = at + next
		}
		first := strings.Index(text[at:limit], Cand1)
		if first < 0 {
			continue
		}
		second := strings.Index(text[at+first:limit], Cand2)
		if second < 0 {
			continue
		}
		end := at + first + second + len(Cand2)
		if p := unescape(cut(text, context, end)); len(p) > len(best) {
			best = p
		}
	}
}

var (
	// heading is how a prompt begins: HER-RM's own title, or its first section.
	heading = regexp.MustCompile(`(?mi)^[ \t]*(?:#{1,6}[ \t]*prompt[ \t]+info|#{1,6}[ \t]*role)\b[^\n]*$`)
	title2  = regexp.MustCompile(`(?i)^[ \t]*#{1,6}[ \t]*prompt[ \t]+info`)
	// fence is a line that opens or closes a code block or a Python string.
	fence   = regexp.MustCompile("(?m)^[ \t]*(?:`{3,}|~{3,})[^\n`]*$")
	triples = regexp.MustCompile(`"""|'''`)
)

// cut returns the prompt around its placeholders, which lie in text[from:to].
func cut(text string, from, to int) string {
	begin, delimiter := opening(text[:from])
	if h, ok := beginning(text[begin:from]); ok {
		begin += h
	}
	return strings.TrimRight(strings.TrimLeft(text[begin:closing(text, to, delimiter)], "\n"), " \t\n")
}

// beginning finds the heading a prompt starts with: the last title, else the
// last "Role" heading.
func beginning(before string) (int, bool) {
	all := heading.FindAllStringIndex(before, -1)
	for i := len(all) - 1; i >= 0; i-- {
		if title2.MatchString(before[all[i][0]:all[i][1]]) {
			return all[i][0], true
		}
	}
	if len(all) > 0 {
		return all[len(all)-1][0], true
	}
	return 0, false
}

// opening finds where the block around the placeholders starts: behind the
// Python quotes or the code fence that are open there, else at the beginning of
// the text. It returns what ends the block, "" for none.
func opening(before string) (int, string) {
	quotes := triples.FindAllStringIndex(before, -1)
	if len(quotes)%2 == 1 {
		last := quotes[len(quotes)-1]
		return last[1], before[last[0]:last[1]]
	}
	open, mark := -1, ""
	for _, f := range fence.FindAllStringIndex(before, -1) {
		line := strings.TrimSpace(before[f[0]:f[1]])
		run := line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		switch {
		case open < 0:
			open, mark = f[1], run
		case strings.HasPrefix(line, mark) && strings.TrimLeft(line, line[:1]) == "":
			open, mark = -1, ""
		}
	}
	if open >= 0 {
		return open, mark
	}
	return 0, ""
}

// closing finds where the prompt ends: at the mark that closes its block, else
// behind the paragraph of the last placeholder.
func closing(text string, from int, delimiter string) int {
	rest := text[from:]
	if delimiter != "" {
		mark := delimiter
		if delimiter[0] == '`' || delimiter[0] == '~' {
			mark = "\n" + delimiter
		}
		if n := strings.Index(rest, mark); n >= 0 {
			return from + n
		}
	}
	for _, mark := range []string{"\n\n", "\n```", "\n~~~", `"""`, "'''", "</details>", "</pre>"} {
		if n := strings.Index(rest, mark); n >= 0 {
			rest = rest[:n]
		}
	}
	return from + len(rest)
}

// unescape turns the doubled braces of a Python format string into single ones.
// Only a text in which every other brace is doubled is one.
func unescape(p string) string {
	bare := strings.NewReplacer(Context, "", Cand1, "", Cand2, "", "{{", "", "}}", "").Replace(p)
	if !strings.Contains(p, "{{") || strings.ContainsAny(bare, "{}") {
		return p
	}
	return strings.NewReplacer("{{", "{", "}}", "}").Replace(p)
}
