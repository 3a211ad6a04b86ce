package library

import (
	"strings"
	"unicode/utf8"

	"herarena/characters/card"
)

// The most characters of a line in an entry, and of its blurb.
const (
	maxLine  = 120
	maxBlurb = 160
)

// line makes one line of a text that is fit for a screen, of at most n
// characters.
func line(text string, n int) string {
	if len(text) > 8*n+1024 {
		// What comes much later cannot reach the line.
		text = strings.ToValidUTF8(text[:8*n+1024], "")
	}
	text = card.CleanName(text)
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	count := 0
	for i := range text {
		if count++; count == n {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// blurb is the first line of the first of the texts that says something,
// without markup and with the character's name for {{char}}.
func blurb(char string, texts ...string) string {
	for _, text := range texts {
		if len(text) > 16<<10 {
			text = strings.ToValidUTF8(text[:16<<10], "")
		}
		for _, row := range strings.Split(plainText(calm(text)), "\n") {
			if row = line(row, maxBlurb); says(row) {
				return line(marked(row, char), maxBlurb)
			}
		}
	}
	return ""
}

// calm takes terminal sequences out before markup is, of which they could
// otherwise lose a part and become text.
func calm(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == 0x1B || r >= 0x80 && r < 0xA0 }) {
		return text
	}
	rows := strings.Split(text, "\n")
	for i, row := range rows {
		rows[i] = card.CleanName(row)
	}
	return strings.Join(rows, "\n")
}

// marked writes names for the marks of cards. The person is no one yet.
func marked(row, char string) string {
	if !strings.ContainsAny(row, "{<") {
		return row
	}
	user := "someone"
	if strings.ContainsFunc(row, func(r rune) bool { return r >= 0x2E80 && r < 0xA000 }) {
		user = "你"
	}
	pairs := []string{"{{user}}", user, "{{User}}", user, "{{USER}}", user, "<USER>", user, "<user>", user}
	if char != "" {
		pairs = append(pairs, "{{char}}", char, "{{Char}}", char, "{{CHAR}}", char, "<BOT>", char, "<bot>", char, "<char>", char)
	}
	return strings.NewReplacer(pairs...).Replace(row)
}

// says reports a row with a few letters in it, and no link alone.
func says(row string) bool {
	if strings.HasPrefix(row, "http://") || strings.HasPrefix(row, "https://") {
		return false
	}
	n := 0
	for _, r := range row {
		if r >= 0x80 || r|0x20 >= 'a' && r|0x20 <= 'z' {
			if n++; n >= 3 || r >= 0x2E80 && n >= 2 {
				return true
			}
		}
	}
	return false
}

// plainText takes HTML and Markdown out of a text: tags (but not the marks of
// cards), style sheets, pictures, links' addresses, headings and emphasis.
func plainText(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		at := strings.IndexAny(text, "<![]*_#`>&\r")
		if at < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:at])
		text = text[at:]
		n, put := markup(text, b.Len() == 0 || strings.HasSuffix(b.String(), "\n"))
		b.WriteString(put)
		text = text[n:]
	}
	return b.String()
}

// markup returns how many bytes of markup a text begins with, at least one,
// and what stands for them.
func markup(text string, start bool) (n int, put string) {
	switch c := text[0]; c {
	case '<':
		return tag(text)
	case '!':
		if strings.HasPrefix(text, "![") {
			if end := strings.IndexByte(text, ')'); end > 0 && end < 600 && strings.Contains(text[:end], "](") {
				return end + 1, ""
			}
		}
		return 1, "!"
	case ']':
		if strings.HasPrefix(text, "](") {
			if end := strings.IndexByte(text, ')'); end > 0 && end < 600 {
				return end + 1, ""
			}
		}
		return 1, ""
	case '[', '*', '`', '\r':
		return 1, ""
	case '_':
		if len(text) > 1 && text[1] == '_' {
			return 2, ""
		}
		return 1, "_"
	case '#', '>':
		if start {
			return 1, ""
		}
		return 1, string(c)
	case '&':
		for _, e := range [...][2]string{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", `"`}, {"&#39;", "'"}, {"&nbsp;", " "}} {
			if strings.HasPrefix(text, e[0]) {
				return len(e[0]), e[1]
			}
		}
	}
	return 1, text[:1]
}

// tag takes an HTML tag. Those that end a line put a line break.
func tag(text string) (n int, put string) {
	end := strings.IndexByte(text, '>')
	if end < 0 || len(text) < 2 {
		return 1, "<"
	}
	name := strings.ToLower(strings.TrimLeft(text[1:end], "/"))
	if cut := strings.IndexAny(name, " \t\n/"); cut >= 0 {
		name = name[:cut]
	}
	switch name {
	case "user", "bot", "char":
		return end + 1, text[:end+1]
	case "style", "script":
		if text[1] != '/' {
			if close := strings.Index(strings.ToLower(text), "</"+name); close > 0 {
				return close, ""
			}
			return len(text), ""
		}
		return end + 1, ""
	case "br", "p", "div", "li", "h1", "h2", "h3", "h4", "hr", "tr", "ul", "ol", "center":
		return end + 1, "\n"
	}
	if c := text[1] | 0x20; (c < 'a' || c > 'z') && text[1] != '/' && text[1] != '!' {
		return 1, "<"
	}
	return end + 1, ""
}
