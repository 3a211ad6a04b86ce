package config

import (
	"fmt"
	"regexp"
	"strings"
)

// ownKeys reads the table [keys]: the name of an action, quoted or dotted, and
// a key or a list of keys. An empty key means none.
func ownKeys(table map[string]any) (map[string][]string, error) {
	own := map[string][]string{}
	for _, name := range Names(table) {
		if err := gather(own, name, table[name]); err != nil {
			return nil, err
		}
	}
	return own, nil
}

func gather(own map[string][]string, name string, value any) error {
	switch v := value.(type) {
	case string:
		own[name] = append(own[name], v)
		return nil
	case []any:
		own[name] = []string{}
		for _, one := range v {
			key, ok := one.(string)
			if !ok {
				return keyFault(name, one)
			}
			own[name] = append(own[name], key)
		}
		return nil
	case map[string]any:
		for _, part := range Names(v) {
			if err := gather(own, name+"."+part, v[part]); err != nil {
				return err
			}
		}
		return nil
	}
	return keyFault(name, value)
}

func keyFault(name string, value any) error {
	return fmt.Errorf("keys.%q = %v is no key: write \"ctrl+r\", [\"ctrl+r\", \"f5\"], or \"\" for none", name, value)
}

var (
	tableHead = regexp.MustCompile(`^\s*\[([^\[\]]+)\]`)
	keyHead   = regexp.MustCompile(`^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=`)
	keyPart   = regexp.MustCompile(`"[^"]*"|'[^']*'|[\w-]+`)
)

// keyLines finds the line of each action of [keys] in the text, for messages.
func keyLines(text string) map[string]int {
	lines := map[string]int{}
	table := ""
	for i, line := range strings.Split(text, "\n") {
		if m := tableHead.FindStringSubmatch(line); m != nil {
			table = dotted(m[1])
			continue
		}
		m := keyHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := dotted(m[1])
		if table != "" {
			name = table + "." + name
		}
		if action, ok := strings.CutPrefix(name, "keys."); ok {
			lines[action] = i + 1
		}
	}
	return lines
}

// dotted joins the parts of a key without their quotes.
func dotted(key string) string {
	parts := keyPart.FindAllString(key, -1)
	for i, p := range parts {
		parts[i] = strings.Trim(p, `"'`)
	}
	return strings.Join(parts, ".")
}
