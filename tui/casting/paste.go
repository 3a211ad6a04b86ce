package casting

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// mostPaths is how many files are taken of those that were dropped at once.
const mostPaths = 64

// paths reads what a terminal writes when files are dropped on it, or what a
// person pastes: paths, bare, quoted, with backslashes before what a shell would
// read, or as file:// addresses. Each path has several readings, of which the
// first that exists is meant. Text that is no path gives none.
func paths(text string) [][]string {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 64<<10 || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil
	}
	var out [][]string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		found := lineOfPaths(line)
		if found == nil {
			return nil // one line that is none makes it a text
		}
		out = append(out, found...)
	}
	return out[:min(len(out), mostPaths)]
}

// lineOfPaths are the paths in one line: as many as a shell would see where each
// of them looks like one, else the whole line as one.
func lineOfPaths(line string) [][]string {
	whole := reading(line)
	words := words(line)
	several := len(words) > 1
	for _, w := range words {
		several = several && absolute(w)
	}
	switch {
	case several:
		var out [][]string
		for _, w := range words {
			out = append(out, reading(w))
		}
		return out
	case whole == nil:
		return nil
	case len(words) == 1 && words[0] != line:
		if windows(line) {
			return [][]string{whole}
		}
		return [][]string{append(reading(words[0]), whole...)}
	}
	return [][]string{whole}
}

// reading are the paths that one text may mean, none where it is no path.
func reading(text string) []string {
	if rest, ok := cutPrefixFold(text, "file://"); ok {
		u, err := url.Parse(text)
		if err != nil || u.Path == "" {
			return []string{rest}
		}
		if p := u.Path; len(p) > 2 && windows(p[1:]) {
			return []string{p[1:]}
		}
		return []string{u.Path}
	}
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		text = text[1 : len(text)-1]
	}
	if !absolute(text) {
		return nil
	}
	return []string{text}
}

// absolute reports a text that begins as paths do which are dropped: those of
// terminals are never relative.
func absolute(text string) bool {
	if _, ok := cutPrefixFold(text, "file://"); ok {
		return true
	}
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || windows(text)
}

func windows(text string) bool {
	return len(text) > 2 && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') && text[1] == ':' && (text[2] == '\\' || text[2] == '/') || strings.HasPrefix(text, `\\`)
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// words splits a line as a shell does: at spaces that are neither quoted nor
// behind a backslash.
func words(line string) []string {
	var out []string
	var b strings.Builder
	inside, quote := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inside = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				b.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, inside = r, true
		case r == ' ' || r == '\t':
			if inside {
				out = append(out, b.String())
				b.Reset()
				inside = false
			}
		default:
			b.WriteRune(r)
			inside = true
		}
	}
	if inside {
		out = append(out, b.String())
	}
	return out
}

// exists reports whether a path leads to anything.
func exists(path string) bool {
	_, err := os.Stat(home(path))
	return err == nil
}

// home puts the person's folder for the tilde that a path begins with.
func home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}
