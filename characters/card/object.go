package card

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object that keeps the order of its keys. Values are nil,
// bool, json.Number, string, []any or *Object. A nil *Object is empty and
// can be read.
type Object struct {
	keys []string
	vals map[string]any
}

// NewObject returns an object of key and value pairs.
func NewObject(pairs ...any) *Object {
	o := &Object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if key, ok := pairs[i].(string); ok {
			o.Set(key, pairs[i+1])
		}
	}
	return o
}

// Len returns the number of keys.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// Keys returns the keys in order; the slice is the caller's.
func (o *Object) Keys() []string {
	if o == nil {
		return nil
	}
	return append([]string(nil), o.keys...)
}

// Has reports whether the key is there, be its value null or not.
func (o *Object) Has(key string) bool {
	if o == nil {
		return false
	}
	_, ok := o.vals[key]
	return ok
}

// Get returns the value of a key, nil where there is none.
func (o *Object) Get(key string) any {
	if o == nil {
		return nil
	}
	return o.vals[key]
}

// Set sets a key; a new key goes to the end.
func (o *Object) Set(key string, value any) {
	if o.vals == nil {
		o.vals = map[string]any{}
	}
	if _, ok := o.vals[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.vals[key] = value
}

// Delete takes keys out.
func (o *Object) Delete(keys ...string) {
	if o == nil {
		return
	}
	gone := false
	for _, key := range keys {
		if _, ok := o.vals[key]; ok {
			delete(o.vals, key)
			gone = true
		}
	}
	if !gone {
		return
	}
	kept := o.keys[:0]
	for _, key := range o.keys {
		if _, ok := o.vals[key]; ok {
			kept = append(kept, key)
		}
	}
	o.keys = kept
}

// Clone returns a deep copy.
func (o *Object) Clone() *Object {
	c, _ := cloneValue(o).(*Object)
	return c
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case *Object:
		if v == nil {
			return (*Object)(nil)
		}
		c := &Object{keys: append([]string(nil), v.keys...), vals: make(map[string]any, len(v.vals))}
		for key, value := range v.vals {
			c.vals[key] = cloneValue(value)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, item := range v {
			c[i] = cloneValue(item)
		}
		return c
	}
	return v
}

// object returns the object under a key, nil where there is none.
func (o *Object) object(key string) *Object {
	v, _ := o.Get(key).(*Object)
	return v
}

// list returns the array under a key, nil where there is none.
func (o *Object) list(key string) []any {
	v, _ := o.Get(key).([]any)
	return v
}

// text returns the text under a key, "" where there is none.
func (o *Object) text(key string) string {
	v, _ := o.Get(key).(string)
	return v
}

// ParseObject reads a JSON object. Of a key that stands twice the last counts;
// the error of anything but an object is an *Error.
func ParseObject(text []byte) (*Object, error) {
	v, fault := parseJSON(text, nil)
	if fault != nil {
		return nil, fault
	}
	o, ok := v.(*Object)
	if !ok {
		return nil, &Error{Code: NotACard, Message: "is no JSON object"}
	}
	return o, nil
}

// MarshalJSON writes the object with its keys in order.
func (o *Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := writeValue(&b, o, "", ""); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Indented returns the object as JSON with one blank per level, as cards are
// usually written.
func (o *Object) Indented() ([]byte, error) {
	var b bytes.Buffer
	if err := writeValue(&b, o, "\n", " "); err != nil {
		return nil, err
	}
	return append(b.Bytes(), '\n'), nil
}

// writeValue writes a value; line is the line break with the indentation so
// far, or "" for compact JSON.
func writeValue(b *bytes.Buffer, v any, line, step string) error {
	switch v := v.(type) {
	case *Object:
		if v.Len() == 0 {
			b.WriteString("{}")
			return nil
		}
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			if line != "" {
				b.WriteString(line + step)
			}
			if err := writeScalar(b, key); err != nil {
				return err
			}
			b.WriteByte(':')
			if line != "" {
				b.WriteByte(' ')
			}
			if err := writeValue(b, v.vals[key], deeper(line, step), step); err != nil {
				return err
			}
		}
		b.WriteString(line + "}")
		return nil
	case []any:
		if len(v) == 0 {
			b.WriteString("[]")
			return nil
		}
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if line != "" {
				b.WriteString(line + step)
			}
			if err := writeValue(b, item, deeper(line, step), step); err != nil {
				return err
			}
		}
		b.WriteString(line + "]")
		return nil
	}
	return writeScalar(b, v)
}

func deeper(line, step string) string {
	if line == "" {
		return ""
	}
	return line + step
}

func writeScalar(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder ends with a line break
	return nil
}
