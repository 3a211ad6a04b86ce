package characters

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Bounds on the shape of a TOML scene file. Scenes come nowhere near them; the
// TOML reader takes minutes over a file that goes far beyond.
const (
	maxNesting = 16
	maxDots    = 64
	maxHeaders = 256
	maxKeys    = 4096
)

func decodeTOML(data []byte, s *Scene) (line int, err error) {
	shape, line, err := tomlShape(data)
	if err != nil {
		return line, err
	}
	meta, err := toml.Decode(string(data), s)
	var parse toml.ParseError
	switch {
	case errors.As(err, &parse):
		return parse.Position.Line, errors.New(strings.TrimSuffix(parse.Message, "."))
	case err != nil:
		return tomlFault(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return tomlLine(shape, key), fmt.Errorf("unknown key %q; remove it or check its spelling", key)
	}
	return 0, nil
}

// tomlFault takes the line out of the text of the reader's error, which is
// where it puts it for a value of the wrong kind.
func tomlFault(err error) (line int, fault error) {
	text := strings.TrimPrefix(err.Error(), "toml: ")
	if _, scan := fmt.Sscanf(text, "line %d ", &line); scan == nil {
		_, text, _ = strings.Cut(text, " ")
		_, text, _ = strings.Cut(text, " ")
	}
	return line, errors.New(text)
}

// tomlShape returns the text with what stands in strings and comments blanked
// out, line breaks kept, and an error with its line if the file nests or names
// more than any scene does.
func tomlShape(data []byte) (shape string, line int, err error) {
	out := make([]byte, 0, len(data))
	line = 1
	var nesting, dots, headers, keys int
	start := true // nothing but blanks since the line began
	for i := 0; i < len(data); {
		c := data[i]
		if n := tomlSkip(data[i:]); n > 0 {
			for _, c := range data[i : i+n] {
				if c == '\n' {
					line++
				} else {
					c = ' '
				}
				out = append(out, c)
			}
			if c != '#' {
				// A quoted key has to be seen as something.
				out[len(out)-n], out[len(out)-1] = '"', '"'
				start = false
			}
			i += n
			continue
		}
		switch c {
		case '[', '{':
			if nesting++; start && nesting == 1 {
				headers++
			}
		case ']', '}':
			nesting = max(nesting-1, 0)
		case '.':
			dots++
		case '=':
			keys++
		case '\n':
			line++
			dots = 0
		}
		start = c == '\n' || start && (c == ' ' || c == '\t')
		switch {
		case nesting > maxNesting:
			return "", line, fmt.Errorf("nests more than %d deep; a scene file is flat", maxNesting)
		case dots > maxDots:
			return "", line, fmt.Errorf("has a key or number with more than %d dots; a scene file has none like it", maxDots)
		case headers > maxHeaders || keys > maxKeys:
			return "", line, fmt.Errorf("has more than %d tables or %d keys; a scene file has fewer", maxHeaders, maxKeys)
		}
		out = append(out, c)
		i++
	}
	return string(out), 0, nil
}

// tomlSkip returns the length of the string or comment at the start of b, 0 if
// there is none.
func tomlSkip(b []byte) int {
	if b[0] == '#' {
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			return n
		}
		return len(b)
	}
	if b[0] != '"' && b[0] != '\'' {
		return 0
	}
	quote, long := b[0], len(b) >= 3 && b[1] == b[0] && b[2] == b[0]
	i := 1
	if long {
		i = 3
	}
	for ; i < len(b); i++ {
		switch {
		case b[i] == '\\' && quote == '"':
			i++
		case b[i] == '\n' && !long:
			return i
		case b[i] != quote:
		case !long:
			return i + 1
		case i+2 < len(b) && b[i+1] == quote && b[i+2] == quote:
			for i += 3; i < len(b) && b[i] == quote; i++ {
			}
			return i
		}
	}
	return len(b)
}

// tomlLine returns the line of a key such as "character.name", "others[1].name"
// or "suggestions[2]", 0 if it is not found. It works on what tomlShape returns.
func tomlLine(shape, key string) int {
	lines := strings.Split(shape, "\n")
	table, leaf := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		table, leaf = key[:i], key[i+1:]
	}
	leaf, _ = splitIndex(leaf)
	table, nth := splitIndex(table)
	in := table == ""
	for n, line := range lines {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name = strings.Trim(name, "[] ")
			if in = name == table; in {
				nth--
			}
			if name == key {
				return n + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if ok && (in && nth < 0 || table == "") && name == leaf || name == key {
			return n + 1
		}
	}
	return 0
}

// splitIndex splits "others[1]" into "others" and 1.
func splitIndex(part string) (name string, index int) {
	name, rest, ok := strings.Cut(part, "[")
	if ok {
		if _, err := fmt.Sscanf(rest, "%d]", &index); err != nil {
			return part, 0
		}
	}
	return name, index
}
