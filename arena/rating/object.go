package rating

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// jsonBattle holds the keys in use as encoding/json reads them: the way of the
// odd objects and of all errors.
type jsonBattle struct {
	ModelA *string  `json:"model_a"`
	ModelB *string  `json:"model_b"`
	Winner *string  `json:"winner"`
	Weight *float64 `json:"weight"`
}

// decoder reads battles from JSON objects. Conversations often make up most of
// an object, so it looks for the keys in use and steps over the rest.
type decoder struct {
	o        ReadOptions
	names    intern
	weighted bool
	styled   bool // some battle had style
	parted   bool // some battle had a value of o.By
	read     bool // some battle was read
	told     About
}

// end says what was found, or that what was asked for is nowhere.
func (d *decoder) end() (Found, error) {
	f := Found{Weighted: d.weighted, Styled: d.styled}
	switch {
	case !d.read:
	case d.o.By != "" && !d.parted:
		return f, fmt.Errorf("no object has the key %s", d.o.By)
	case d.o.Style && !d.styled:
		return f, fmt.Errorf("no object has the keys len_a and len_b, nor another pair of style")
	}
	return f, nil
}

// battle reads one object; the error has no line yet.
func (d *decoder) battle(text []byte) (Battle, *InputError) {
	if !json.Valid(text) || text[0] != '{' {
		return d.slowly(text)
	}
	b := Battle{Weight: 1}
	d.told = About{}
	odd := false
	eachKey(text, func(key, value []byte) {
		switch string(key) {
		case "model_a":
			b.A = d.text(value, &odd)
		case "model_b":
			b.B = d.text(value, &odd)
		case "winner":
			label, plain := plainText(value)
			outcome, known := parseOutcome(label)
			b.Outcome = outcome
			odd = odd || !plain || !known
		case "weight":
			if string(value) == "null" {
				return
			}
			w, ok := parseNumber(value)
			if !ok || w < 0 {
				odd = true
				return
			}
			d.weighted = true
			if b.Weight = w; w == 0 {
				b.Weight = -1 // 0 stands for 1 in a Battle, but not in a file
			}
		default:
			if d.o.describe() {
				d.tell(key, value)
			}
		}
	})
	if odd || b.A == "" || b.B == "" || b.Outcome == 0 {
		return d.slowly(text)
	}
	d.read = true
	if d.o.describe() {
		b.About = &d.told
		d.styled = d.styled || d.told.Styled
		d.parted = d.parted || d.o.By.value(&d.told) != ""
	}
	return b, nil
}

// text reads a string; one that is none makes the object odd.
func (d *decoder) text(value []byte, odd *bool) string {
	text, ok := plainText(value)
	if !ok {
		*odd = true
		return ""
	}
	return d.names.name(bytes.TrimSpace(text))
}

// plainText returns the content of a JSON string.
func plainText(value []byte) (text []byte, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	text = value[1 : len(value)-1]
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return text, true
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return nil, false
	}
	return []byte(s), true
}

// tell reads what a battle is about.
func (d *decoder) tell(key, value []byte) {
	var odd bool
	set := func(field *string, instead bool) {
		if !instead || *field == "" {
			if text := d.text(value, &odd); !odd {
				*field = text
			}
		}
	}
	switch string(key) {
	case "dimension":
		set(&d.told.Dimension, false)
	case "category":
		set(&d.told.Dimension, true)
	case "character":
		set(&d.told.Character, false)
	case "scene":
		set(&d.told.Scene, false)
	case "scene_id":
		set(&d.told.Scene, true)
	case "language":
		set(&d.told.Language, false)
	case "turn":
		if n, ok := parseNumber(value); ok && n >= 1 && n < 1e6 {
			d.told.Turn = int(n)
		}
	case "judge", "voter":
		if d.o.Who {
			set(&d.told.Voter, string(key) == "voter")
		}
	case "tstamp", "timestamp":
		if n, ok := parseNumber(value); ok && d.o.Who {
			d.told.At = stamp(n)
		}
	case "source":
		if d.o.Sources {
			set(&d.told.Source, false)
		}
	case "judge_ab", "judge_ba":
		if label, ok := plainText(value); ok && d.o.Orders {
			d.told.Orders[strings.IndexByte("ab", key[6])], _ = parseOutcome(label)
		}
	case "conv_metadata":
		if d.o.Style {
			eachKey(value, d.measure)
		}
	default:
		if d.o.Style {
			d.measure(key, value)
		}
	}
}

// measure reads a feature of style: a number, or an object of numbers that add
// up, as lmarena counts headers by level.
func (d *decoder) measure(key, value []byte) {
	name := string(key)
	for side, mark := range []string{"a", "b"} {
		for i, stems := range styleColumns {
			for _, stem := range stems {
				if name != stem+"_"+mark && name != "sum_assistant_"+mark+"_tokens" {
					continue
				}
				if name == "sum_assistant_"+mark+"_tokens" && i > 0 {
					continue
				}
				d.add(side, i, value)
				return
			}
		}
	}
}

func (d *decoder) add(side, feature int, value []byte) {
	sum, ok := parseNumber(value)
	if len(value) > 0 && value[0] == '{' {
		ok = true
		eachKey(value, func(_, v []byte) {
			n, fine := parseNumber(v)
			sum, ok = sum+n, ok && fine
		})
	}
	if !ok || sum < 0 {
		return
	}
	s := &d.told.Style[side]
	*[...]*float64{&s.Length, &s.Action, &s.Thought, &s.Headers, &s.Lists, &s.Bold}[feature] = sum
	d.told.Styled = true
}

// slowly reads an object as encoding/json does.
func (d *decoder) slowly(text []byte) (Battle, *InputError) {
	var j jsonBattle
	if err := json.Unmarshal(text, &j); err != nil {
		return Battle{}, jsonError(err)
	}
	for _, m := range []struct {
		value *string
		field string
	}{{j.ModelA, "model_a"}, {j.ModelB, "model_b"}, {j.Winner, "winner"}} {
		if m.value == nil {
			return Battle{}, &InputError{Field: m.field, Reason: "the key is missing"}
		}
		if *m.value = strings.TrimSpace(*m.value); *m.value == "" {
			return Battle{}, &InputError{Field: m.field, Reason: "the value is empty"}
		}
	}
	outcome, ok := parseOutcome([]byte(*j.Winner))
	if !ok {
		return Battle{}, &InputError{Field: "winner", Reason: badWinner(*j.Winner)}
	}
	b := Battle{A: d.names.name([]byte(*j.ModelA)), B: d.names.name([]byte(*j.ModelB)), Outcome: outcome, Weight: 1}
	if j.Weight != nil {
		if *j.Weight < 0 {
			return Battle{}, &InputError{Field: "weight", Reason: fmt.Sprintf("%g is no weight; write a number from 1e-6 to 1e6", *j.Weight)}
		}
		d.weighted = true
		if b.Weight = *j.Weight; b.Weight == 0 {
			b.Weight = -1
		}
	}
	d.read = true
	return b, nil
}

// eachKey calls do with the keys of a valid JSON object and their values as
// written. Keys with escapes are left out.
func eachKey(text []byte, do func(key, value []byte)) {
	at := skipSpace(text, 0)
	if at >= len(text) || text[at] != '{' {
		return
	}
	for at++; ; at++ {
		at = skipSpace(text, at)
		if at >= len(text) || text[at] != '"' {
			return
		}
		end := skipString(text, at)
		key := text[at+1 : max(end-1, at+1)]
		at = skipSpace(text, end)
		if at >= len(text) || text[at] != ':' {
			return
		}
		at = skipSpace(text, at+1)
		end = skipValue(text, at)
		if bytes.IndexByte(key, '\\') < 0 {
			do(key, text[at:end])
		}
		at = skipSpace(text, end)
		if at >= len(text) || text[at] != ',' {
			return
		}
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
		at++
	}
	return at
}

// skipString returns the place behind the string that begins at a place.
func skipString(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return len(text)
}

// skipValue returns the place behind the value that begins at a place.
func skipValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at = skipString(text, at)
			if depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return len(text)
}
