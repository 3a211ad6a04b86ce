package rehearsal

import "strings"

// afterJSON continues a critic's output after a prefill. A client that already
// knows how the output begins (the two candidates, repeated) sends that part
// along; it may space or escape it in its own way, so the two are matched by
// JSON tokens. Where they do not match, the output is sent from its start.
func afterJSON(full, prefill string) string {
	if strings.TrimSpace(prefill) == "" {
		return full
	}
	if rest, ok := strings.CutPrefix(full, prefill); ok {
		return rest
	}
	i, j := 0, 0
	for {
		i, j = skipSpace(prefill, i), skipSpace(full, j)
		if i >= len(prefill) {
			return full[j:]
		}
		if j >= len(full) {
			return full
		}
		a, b := tokenEnd(prefill, i), tokenEnd(full, j)
		if a < 0 { // cut inside a string: nothing certain to go on from
			return full
		}
		if b < 0 || (prefill[i] == '"') != (full[j] == '"') || prefill[i] != '"' && prefill[i:a] != full[j:b] {
			return full
		}
		i, j = a, b
	}
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// tokenEnd returns the end of the JSON token at i, -1 for a string left open.
func tokenEnd(s string, i int) int {
	if s[i] != '"' {
		return i + 1
	}
	for k := i + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case '"':
			return k + 1
		}
	}
	return -1
}
