package prose

import "strings"

// plain wraps a part that holds paragraphs without structure: nothing Markdown
// would treat other than as text, or single pairs of asterisks that mean the
// same in every reading. It reports false for anything else.
func (p *Prose) plain(text string) ([]string, bool) {
	if !isPlain(text) {
		return nil, false
	}
	var rows []string
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		f := flow{width: p.width, marks: p.marks}
		f.feed(strings.Trim(line, " \t"), true)
		rows = append(rows, f.rows...)
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows, true
}

// isPlain reports whether Markdown has nothing to say about a part.
func isPlain(text string) bool {
	if strings.ContainsAny(text, "_`[]<>&\\#~|@=") || strings.Contains(text, "://") || strings.Contains(text, "www.") {
		return false
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if !plainLine(line) {
			return false
		}
	}
	return true
}

// plainLine reports whether a line is text that begins no block.
func plainLine(line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	if trimmed == "" {
		return strings.TrimSpace(line) == ""
	}
	if len(line)-len(trimmed) >= 4 || line[0] == '\t' || trimmed[0] == ':' {
		return false
	}
	if isItem(trimmed) || isRule(trimmed) || strings.Trim(trimmed, "- \t") == "" {
		return false
	}
	return strings.IndexByte(line, '*') < 0 || simpleStars(trimmed)
}

// simpleStars reports whether the asterisks of a line come in plain pairs of
// one or two, one pair after the other, each opening before a letter at the
// beginning of a word and closing at the end of one.
func simpleStars(line string) bool {
	open := 0
	for i := 0; i < len(line); i++ {
		if line[i] != '*' {
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '*' {
			n++
		}
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = line[i-1]
		}
		if i+n < len(line) {
			after = line[i+n]
		}
		switch {
		case n > 2:
			return false
		case open == 0 && before == ' ' && asciiWord(after):
			open = n
		case open == n && endsWord(before) && (after == ' ' || strings.IndexByte(".,;:!?\"", after) >= 0):
			open = 0
		default:
			return false
		}
		i += n - 1
	}
	return open == 0
}

func asciiWord(c byte) bool { return c < 0x80 && wordByte(c) }

// endsWord allows sentence marks before a closing pair only where what follows
// is a space, which simpleStars checks by the pair's other side.
func endsWord(c byte) bool { return asciiWord(c) }
