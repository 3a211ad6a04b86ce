package card

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on YAML, whose aliases can make much of little.
const (
	maxYAML       = 4 << 20
	maxYAMLValues = 100_000
)

// yaml reads the first document of a YAML text.
func (r *reader) yaml(data []byte) (v any, fault *Error) {
	if len(data) > maxYAML {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("is YAML of more than %d MiB", maxYAML>>20)}
	}
	defer func() {
		// The YAML reader gives up on some broken texts by a panic.
		if p := recover(); p != nil {
			v, fault = nil, badYAML(fmt.Sprint(p))
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		why := strings.TrimPrefix(err.Error(), "yaml: ")
		if at := aliasLine(data); at > 0 && !strings.Contains(why, "line ") {
			why = fmt.Sprintf("line %d: %s", at, why)
		}
		return nil, badYAML(why)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, &Error{Code: NotACard, Message: "holds no card"}
	}
	w := yamlWalk{dup: r.duplicate}
	return w.value(doc.Content[0], 0)
}

var aliasValue = regexp.MustCompile(`(?m)^[^#\n]*?(?::|-)[ \t]+\*`)

// aliasLine returns the first line with a value that begins with an asterisk,
// 0 for none: where an action was meant and the reader sees an alias, it does
// not say where.
func aliasLine(data []byte) int {
	at := aliasValue.FindIndex(data)
	if at == nil {
		return 0
	}
	return 1 + bytes.Count(data[:at[1]], []byte("\n"))
}

func badYAML(why string) *Error {
	return &Error{Code: BadYAML, Message: fmt.Sprintf("is not valid YAML (%.200s); a text that begins with one of * { [ & ! %% @ or has \": \" in it needs quotes, and indentation is blanks, not tabs", why)}
}

// yamlWalk turns nodes into the values of an Object.
type yamlWalk struct {
	values int
	dup    func(string)
}

func (w *yamlWalk) value(n *yaml.Node, depth int) (any, *Error) {
	if w.values++; w.values > maxYAMLValues {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("is YAML that unfolds to more than %d values", maxYAMLValues)}
	}
	if depth > maxDepth {
		return nil, &Error{Code: TooDeep, Message: fmt.Sprintf("nests deeper than %d levels", maxDepth)}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			v, fault := w.value(c, depth+1)
			if fault != nil {
				return nil, fault
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		return w.mapping(n, depth)
	}
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
	}
	return n.Value, nil
}

func (w *yamlWalk) mapping(n *yaml.Node, depth int) (any, *Error) {
	o := &Object{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return nil, badYAML(fmt.Sprintf("line %d: braces where a text was meant", key.Line))
		}
		v, fault := w.value(n.Content[i+1], depth+1)
		if fault != nil {
			return nil, fault
		}
		if o.Has(key.Value) {
			w.dup(key.Value)
		}
		o.Set(key.Value, v)
	}
	return o, nil
}
