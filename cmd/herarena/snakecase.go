package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
)

// snakeCase turns a value into JSON data whose keys are written as in all other
// documents of the program. A text that holds a scene as JSON becomes an object.
func snakeCase(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	return renamed(doc), nil
}

func renamed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if key == "SceneJSON" {
				var scene any
				if text, ok := value.(string); ok && json.Unmarshal([]byte(text), &scene) == nil {
					out["scene"] = scene
					continue
				}
			}
			out[snake(key)] = renamed(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = renamed(v[i])
		}
	}
	return v
}

// snake writes SceneID as scene_id. Keys that hold ids or are snake case already
// stay as they are.
func snake(key string) string {
	if key == "" || !unicode.IsUpper(rune(key[0])) {
		return key
	}
	var b strings.Builder
	runes := []rune(key)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
