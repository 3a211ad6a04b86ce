package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds on what is read out of a file. They are far above any card seen and
// keep a hostile one from filling memory.
const (
	maxText   = 32 << 20  // bytes of JSON or YAML
	maxDepth  = 128       // arrays and objects inside each other
	maxValues = 1_000_000 // values in one document
)

// parser builds values out of JSON whose syntax has been checked. It exists
// because the library's tokens cost several times as much.
type parser struct {
	data   []byte
	at     int
	values int
	dup    func(key string)
}

// parseJSON reads one JSON document. dup is told of each key that an object
// has twice; the last one counts, as in JavaScript.
func parseJSON(data []byte, dup func(key string)) (any, *Error) {
	if len(data) > maxText {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("has %d MiB of text; at most %d MiB are read", len(data)>>20, maxText>>20)}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, badJSON(data, err)
	}
	p := parser{data: data, dup: dup}
	return p.value(0)
}

func badJSON(data []byte, err error) *Error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return &Error{Code: BadJSON, Message: "is not valid JSON: " + err.Error()}
	}
	line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
	why := strings.TrimPrefix(syntax.Error(), "json: ")
	if strings.Contains(why, "max depth") {
		return tooDeep()
	}
	if strings.Contains(why, "unexpected end") {
		why = "it ends too early; the file may be cut off"
	}
	return &Error{Code: BadJSON, Message: fmt.Sprintf("is not valid JSON (line %d: %s); get the file again or mend that line", line, why)}
}

func tooDeep() *Error {
	return &Error{Code: TooDeep, Message: fmt.Sprintf("nests deeper than %d levels", maxDepth)}
}

// peek skips white space and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value(depth int) (any, *Error) {
	if p.values++; p.values > maxValues {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("holds more than %d values", maxValues)}
	}
	switch c := p.peek(); c {
	case '{', '[':
		if depth >= maxDepth {
			return nil, tooDeep()
		}
		p.at++
		if c == '[' {
			return p.list(depth)
		}
		return p.object(depth)
	case '"':
		return p.text()
	}
	switch word := p.word(); word {
	case "null":
		return nil, nil
	case "true", "false":
		return word == "true", nil
	case "":
		return nil, p.broken()
	default:
		return json.Number(word), nil
	}
}

// broken is the answer to what the check of the syntax cannot have let through.
func (p *parser) broken() *Error {
	return &Error{Code: BadJSON, Message: fmt.Sprintf("is not valid JSON at byte %d", p.at)}
}

// word takes a number or a literal.
func (p *parser) word() string {
	from := p.at
	for ; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return string(p.data[from:p.at])
		}
	}
	return string(p.data[from:p.at])
}

func (p *parser) list(depth int) (any, *Error) {
	list := []any{}
	if p.peek() == ']' {
		p.at++
		return list, nil
	}
	for {
		v, fault := p.value(depth + 1)
		if fault != nil {
			return nil, fault
		}
		list = append(list, v)
		end := p.peek()
		p.at++
		switch end {
		case ']':
			return list, nil
		case ',':
		default:
			return nil, p.broken()
		}
	}
}

func (p *parser) object(depth int) (any, *Error) {
	o := &Object{}
	if p.peek() == '}' {
		p.at++
		return o, nil
	}
	for {
		if p.peek() != '"' {
			return nil, p.broken()
		}
		key, fault := p.text()
		if fault != nil {
			return nil, fault
		}
		if p.peek() != ':' {
			return nil, p.broken()
		}
		p.at++
		v, fault := p.value(depth + 1)
		if fault != nil {
			return nil, fault
		}
		if o.Has(key) && p.dup != nil {
			p.dup(key)
		}
		o.Set(key, v)
		end := p.peek()
		p.at++
		switch end {
		case '}':
			return o, nil
		case ',':
		default:
			return nil, p.broken()
		}
	}
}

// text takes a string. One without escapes is copied, the others are left to
// the library.
func (p *parser) text() (string, *Error) {
	from := p.at
	escaped := false
	for p.at++; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case '\\':
			escaped = true
			p.at++
		case '"':
			p.at++
			raw := p.data[from:p.at]
			if !escaped && utf8.Valid(raw) {
				return string(raw[1 : len(raw)-1]), nil
			}
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return "", p.broken()
			}
			return s, nil
		}
	}
	return "", p.broken()
}
