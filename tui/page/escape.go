package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline is text of one line.
func inline(s string) string { return starts(escape(strings.Join(strings.Fields(s), " "))) }

// block is text of several lines behind a mark at the beginning of each; line
// breaks stay.
func block(mark, s string) string {
	plain := strings.Split(strings.TrimSpace(s), "\n")
	lines := strings.Split(escape(strings.Join(plain, "\n")), "\n")
	var b strings.Builder
	for i, line := range lines {
		line = starts(strings.TrimRight(line, " \t"))
		last := i == len(lines)-1
		if !last && line != "" && strings.TrimSpace(plain[i+1]) != "" {
			if cut, found := strings.CutSuffix(line, `\\`); found {
				line = cut + "&#92;" // three in a row are not read alike everywhere
			}
			line += `\` // a break, not a space
		}
		b.WriteString(strings.TrimRight(mark+line, " "))
		if !last {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// escape makes text that Markdown, and the dialects of it that are common, show
// as it is: no emphasis, no links, no images, no HTML, no formulas. Signs that
// mean nothing where they stand are left alone, so that the text can be read in
// an editor too.
func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	pairs := map[byte]bool{} // signs that mean something in pairs alone
	for _, sign := range []byte("`~^$") {
		pairs[sign] = strings.Count(s, string(sign)) > 1
	}
	for i := 0; i < len(s); i++ {
		c, rest := s[i], s[i+1:]
		switch {
		case c == '&' && entity(rest):
			b.WriteString("&amp;")
			continue
		case c == '<' && rest != "" && (letter(rest[0]) || strings.IndexByte("/!?", rest[0]) >= 0):
			b.WriteString("&lt;")
			continue
		case meant(c, s[:i], rest, pairs):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// meant reports whether a sign would mean something between what stands before
// and behind it.
func meant(c byte, before, rest string, pairs map[byte]bool) bool {
	next := byte(0)
	if rest != "" {
		next = rest[0]
	}
	last := byte(0)
	if before != "" {
		last = before[len(before)-1]
	}
	switch c {
	case '\\':
		return next == 0 || next == '\n' || next == ' ' || punctuation(next)
	case '`', '~', '^', '$':
		return pairs[c]
	case '*':
		return !(spaced(last) && spaced(next)) || strings.TrimLeft(lineOf(before), " \t") == ""
	case '_':
		return !(wordy(before, true) && wordy(rest, false))
	case '[':
		return next == '[' || next == '^' || next == '@' || next == '!'
	case ']':
		return next != 0 && strings.IndexByte("([{:]", next) >= 0
	case '{':
		return next != 0 && strings.IndexByte("{%#.:", next) >= 0
	case '@':
		return next < 0x80 && (letter(next) || digit(next))
	case ':':
		return strings.HasPrefix(rest, "//") || address(before)
	case '.':
		return len(before) >= 3 && strings.EqualFold(before[len(before)-3:], "www")
	}
	return false
}

// address reports whether a text ends in a scheme whose addresses need no
// slashes.
func address(before string) bool {
	for _, scheme := range []string{"mailto", "xmpp"} {
		if n := len(before) - len(scheme); n >= 0 && strings.EqualFold(before[n:], scheme) {
			return true
		}
	}
	return false
}

// entity reports whether what stands behind an ampersand makes an entity of it.
func entity(rest string) bool {
	name, _, found := strings.Cut(rest, ";")
	if !found || name == "" || len(name) > 40 {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && !digit(c) && !(c == '#' && i == 0) {
			return false
		}
	}
	return true
}

func letter(c byte) bool      { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool       { return c >= '0' && c <= '9' }
func punctuation(c byte) bool { return c > ' ' && c < 0x7f && !letter(c) && !digit(c) }
func spaced(c byte) bool      { return c == 0 || c == ' ' || c == '\n' || c == '\t' }

// wordy reports whether a text ends, or begins, with a letter or a digit.
func wordy(s string, end bool) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if end {
		r, _ = utf8.DecodeLastRuneInString(s)
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func lineOf(before string) string { return before[strings.LastIndexByte(before, '\n')+1:] }

// starts takes its meaning from what would begin a list, a quote, a rule, a
// table or a heading.
func starts(line string) string {
	trimmed := strings.TrimLeft(line, " \t")
	if trimmed == "" {
		return ""
	}
	next := byte(' ')
	if len(trimmed) > 1 {
		next = trimmed[1]
	}
	switch c := trimmed[0]; c {
	case '#', '>', '|':
		return `\` + trimmed
	case '-', '+', ':':
		if next == ' ' || next == '\t' || next == c || next == ':' || next == '|' || ruled(trimmed) {
			return `\` + trimmed
		}
	case '=':
		if ruled(trimmed) {
			return `\` + trimmed
		}
	}
	digits := 0
	for digits < len(trimmed) && digit(trimmed[digits]) {
		digits++
	}
	if behind := trimmed[digits:]; digits > 0 && behind != "" && (behind[0] == '.' || behind[0] == ')') && (len(behind) == 1 || behind[1] == ' ' || behind[1] == '\t') {
		return trimmed[:digits] + `\` + behind
	}
	return trimmed
}

// ruled reports whether a line holds nothing but what rules and tables are made
// of.
func ruled(line string) bool { return strings.Trim(line, "-=+:| \t") == "" }

// part is a piece of speech: text, or code that stood between fences.
type part struct {
	Code bool
	Info string // the language named at the fence
	Text string
}

// Parts cuts speech into text and fenced code. What is between fences keeps its
// spaces; a fence that is not closed reaches to the end.
func (s segment) Parts() []part {
	var out []part
	var lines []string
	info, fence := "", ""
	flush := func(code bool) {
		text := strings.Join(lines, "\n")
		if code || strings.TrimSpace(text) != "" {
			out = append(out, part{code, info, text})
		}
		lines, info = nil, ""
	}
	for line := range strings.SplitSeq(s.Text, "\n") {
		mark, word := fenced(line)
		switch {
		case fence == "" && mark != "":
			flush(false)
			fence, info = mark, word
		case fence != "" && len(mark) >= len(fence) && mark[0] == fence[0] && strings.Trim(strings.TrimSpace(line), mark[:1]) == "":
			flush(true)
			fence = ""
		default:
			lines = append(lines, line)
		}
	}
	flush(fence != "")
	return out
}

// fenced returns the signs of the fence that a line is and the word behind them,
// "" where it is none.
func fenced(line string) (mark, word string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || len(trimmed) < 3 || trimmed[0] != '`' && trimmed[0] != '~' {
		return "", ""
	}
	behind := strings.TrimLeft(trimmed, trimmed[:1])
	mark = trimmed[:len(trimmed)-len(behind)]
	if len(mark) < 3 || mark[0] == '`' && strings.Contains(behind, "`") {
		return "", ""
	}
	if fields := strings.Fields(behind); len(fields) > 0 {
		word = fields[0]
	}
	if len(word) > 20 || strings.ContainsFunc(word, func(r rune) bool {
		return r >= 0x80 || !letter(byte(r)) && !digit(byte(r)) && !strings.ContainsRune("+-#", r)
	}) {
		word = ""
	}
	return mark, word
}

// speech writes text as text, and code between fences that nothing in it closes.
func (w *writer) speech(s segment) {
	for _, p := range s.Parts() {
		if !p.Code {
			w.para(block("", p.Text))
			continue
		}
		longest, run := 2, 0
		for i := range len(p.Text) {
			if run++; p.Text[i] != '`' {
				run = 0
			}
			longest = max(longest, run)
		}
		fence := strings.Repeat("`", longest+1)
		w.para(fence + p.Info + "\n" + p.Text + "\n" + fence)
	}
}
