package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// object is a JSON object whose fields are read by name, exactly spelled.
type object struct {
	fields map[string]json.RawMessage
	at     string // where it is in the item, "" for the item itself
}

func (r *reader) object(text json.RawMessage, at string) (object, error) {
	o := object{at: at}
	if err := json.Unmarshal(text, &o.fields); err != nil || o.fields == nil {
		return o, r.fault(at, fmt.Errorf("is %s; an object with names is needed", kindOf(text)))
	}
	return o, nil
}

// kindOf names the kind of a JSON value.
func kindOf(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "nothing"
	}
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

func (o object) path(key string) string {
	if o.at == "" {
		return key
	}
	return o.at + "." + key
}

func (o object) has(key string) bool {
	v, ok := o.fields[key]
	return ok && kindOf(v) != "null"
}

// text is a field as text: "" where there is none. Numbers are taken as they
// are written, a list of texts as its lines; anything else is an error.
func (r *reader) text(o object, key string) (string, error) {
	v, ok := o.fields[key]
	if !ok {
		return "", nil
	}
	switch kindOf(v) {
	case "null":
		return "", nil
	case "a text":
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			return "", r.fault(o.path(key), err)
		}
		return r.clean(o.path(key), s), nil
	case "a number":
		r.note("%s is a number and was taken as text", o.path(key))
		return strings.TrimSpace(string(v)), nil
	case "a list":
		var parts []string
		if json.Unmarshal(v, &parts) == nil {
			r.note("%s is a list of texts and was joined", o.path(key))
			return r.clean(o.path(key), strings.Join(parts, "\n")), nil
		}
	}
	return "", r.fault(o.path(key), fmt.Errorf("is %s; it must be a text", kindOf(v)))
}

// whole is a field as a whole number, 0 where there is none.
func (o object) whole(key string) int {
	n, err := strconv.Atoi(strings.Trim(string(bytes.TrimSpace(o.fields[key])), `"`))
	if err != nil {
		return 0
	}
	return n
}

// elements is a field as its elements, nil where there is none. A single object
// passes for a list of one.
func (r *reader) elements(o object, key string) ([]json.RawMessage, error) {
	v, ok := o.fields[key]
	if !ok || kindOf(v) == "null" {
		return nil, nil
	}
	switch kindOf(v) {
	case "a list":
		var out []json.RawMessage
		if err := json.Unmarshal(v, &out); err != nil {
			return nil, r.fault(o.path(key), err)
		}
		return out, nil
	case "an object":
		r.note("%s is one object and was taken as a list of one", o.path(key))
		return []json.RawMessage{v}, nil
	}
	return nil, r.fault(o.path(key), fmt.Errorf("is %s; it must be a list", kindOf(v)))
}

// sub is a field as an object; ok is false where there is none.
func (r *reader) sub(o object, key string) (sub object, ok bool, err error) {
	if !o.has(key) {
		return object{}, false, nil
	}
	sub, err = r.object(o.fields[key], o.path(key))
	return sub, err == nil, err
}

// maxField is the most bytes of a field of a scene, with room to spare for what
// is added to it.
const maxField = 60 << 10

// clean takes control characters out of a text and cuts it to what a scene's
// field may have.
func (r *reader) clean(where, text string) string {
	clean := strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	if len(clean) != len(strings.ReplaceAll(text, "\r\n", "\n")) {
		r.note("%s had control characters in it; they were taken out", where)
	}
	if len(clean) > maxField {
		r.note("%s has %d bytes and was cut to %d", where, len(clean), maxField)
		clean = cut(clean, maxField)
	}
	return strings.TrimSpace(clean)
}

// cut shortens a text to at most n bytes, between two characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// maxName is the most bytes of a name or a title.
const maxName = 160

// person reads a field that names somebody, as a scene can have it: one line
// without a colon.
func (r *reader) person(o object, key string) (string, error) {
	text, err := r.text(o, key)
	if err != nil {
		return "", err
	}
	name := personName(text)
	if name != text {
		r.note("the name %q was written as %q", cut(text, maxName), name)
	}
	return name, nil
}

// personName is a name as a scene can have it.
func personName(text string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c == ':' || c == '：' || c == '\uFEFF' || c >= '\u200B' && c <= '\u200F' || c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069':
			return -1
		case unicode.IsControl(c):
			return ' '
		}
		return c
	}, text)
	return strings.TrimSpace(cut(strings.Join(strings.Fields(name), " "), maxName))
}

// errNoName is told of a person without one.
var errNoName = errors.New("is missing; everybody in a scene needs a name")
