package config

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// explain turns the decoder's errors into sentences that name the key as the
// file has it, and what to write there.
func explain(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("line %d: unknown key %q%s", row, strings.Join(e.Key(), "."), advice(e.Key()))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, col := bad.Position()
		return fmt.Errorf("line %d, column %d: %s", row, col, mistake(bad))
	}
	return err
}

// advice is the next step for an unknown key.
func advice(path []string) string {
	const all = "herarena config sample prints all that there are"
	name := strings.ToLower(path[len(path)-1])
	plain := strings.NewReplacer("_", "", "-", "").Replace(name)
	if len(path) > 1 && path[0] == "endpoints" && slices.Contains([]string{
		"key", "apikey", "token", "apitoken", "accesstoken", "accesskey", "bearer", "secret", "password", "authorization", "auth",
	}, plain) {
		return ": a key never stands in this file; use key_env (the NAME of an environment variable) or key_file (the path of a file that holds the key)"
	}
	known := knownKeys(path[:len(path)-1])
	if also := synonyms()[plain]; slices.Contains(known, also) {
		return fmt.Sprintf(": did you mean %s? (%s)", also, all)
	}
	if best := nearest(name, known); best != "" {
		return fmt.Sprintf(": did you mean %s? (%s)", best, all)
	}
	return " (" + all + ")"
}

// synonyms are names of settings in other programs, without underscores.
func synonyms() map[string]string {
	return map[string]string{
		"baseurl": "url", "apibase": "url", "address": "url", "host": "url", "endpoint": "url", "insecure": "insecure_skip_verify",
		"insecuretls": "insecure_skip_verify", "verify": "insecure_skip_verify", "cafile": "ca_file", "cert": "ca_file",
		"timeout": "first_byte_timeout", "prefillmode": "prefill", "type": "kind", "provider": "kind", "maxretries": "retries",
		"apikeyenv": "key_env", "apikeyfile": "key_file", "maxcompletiontokens": "max_tokens", "repeatpenalty": "repetition_penalty",
		"colour": "theme", "color": "theme", "name": "model",
	}
}

// knownKeys are the keys of the table at a path; nil where any key may stand.
func knownKeys(path []string) []string {
	t := typeAt(path)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		if key := keyOf(t.Field(i)); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// typeAt is the type of what stands at a path; nil where there is nothing.
func typeAt(path []string) reflect.Type {
	t := reflect.TypeFor[Config]()
	for _, part := range path {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			f, ok := fieldOf(t, func(f reflect.StructField) bool { return keyOf(f) == part })
			if !ok {
				return nil
			}
			t = f.Type
		default:
			return nil
		}
	}
	return t
}

func fieldOf(t reflect.Type, is func(reflect.StructField) bool) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); is(f) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// keyOf is the key of a field in the file, "" where it has none.
func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if key == "-" {
		return ""
	}
	return key
}

// nearest is the known key that a mistyped one is like; "" where none is near.
func nearest(name string, known []string) string {
	best, least := "", max(1, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	a = a[:min(len(a), 80)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}

// mismatch is how the decoder reports a value of a wrong type.
var mismatch = regexp.MustCompile(`^cannot decode TOML ([a-z -]+?) into (?:struct field (\S+) of type (.+)|(.+))$`)

// mistake says what is wrong with a value in the words of the file, without the
// program's own types.
func mistake(bad *toml.DecodeError) string {
	text := strings.TrimPrefix(bad.Error(), "toml: ")
	path := bad.Key()
	if strings.Contains(text, "array table") && len(path) > 0 {
		return fmt.Sprintf("write [%s.NAME] with single brackets, once for each", strings.Join(path, "."))
	}
	m := mismatch.FindStringSubmatch(text)
	if m == nil || len(path) == 0 {
		return text
	}
	// Within an inline table the decoder knows the key of the table alone.
	if i := strings.LastIndexByte(m[2], '.'); i >= 0 {
		if t := typeAt(path); t != nil && t.Kind() == reflect.Struct {
			if f, ok := fieldOf(t, func(f reflect.StructField) bool { return f.Name == m[2][i+1:] }); ok {
				path = append(slices.Clone(path), keyOf(f))
			}
		}
	}
	return fmt.Sprintf("%s wants %s, not %s", strings.Join(path, "."), wanted(path), found(m[1]))
}

// wanted says what may stand at a path.
func wanted(path []string) string {
	t := typeAt(path)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "something else"
	}
	switch t.Kind() {
	case reflect.String:
		if strings.HasSuffix(path[len(path)-1], "_timeout") {
			return `text such as "30s"`
		}
		return "text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return `a list of texts such as ["one", "two"]`
	case reflect.Map:
		if t.Elem().Kind() == reflect.String {
			return `a table of texts such as { Name = "text" }`
		}
	}
	return "a table"
}

// found names a type of TOML in words.
func found(kind string) string {
	switch kind {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "float":
		return "a fraction"
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	case "table", "inline table":
		return "a table"
	}
	return "a " + kind
}
