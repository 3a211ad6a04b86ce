package characters

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

func decodeJSON(data []byte, s *Scene) (line int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(s)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
	case errors.As(err, &syntax):
		return lineAt(data, syntax.Offset), syntax
	case errors.As(err, &kind):
		if kind.Field == "" {
			return lineAt(data, kind.Offset), fmt.Errorf("is a JSON %s; a scene is an object", kind.Value)
		}
		return lineAt(data, kind.Offset), fmt.Errorf("%s is a JSON %s; it must be a %s", kind.Field, kind.Value, kind.Type.Kind())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return lineAt(data, int64(len(data))), errors.New("the JSON ends too early; the file may be cut off")
	default:
		if _, key, ok := strings.Cut(err.Error(), "unknown field "); ok {
			key = strings.Trim(key, `"`)
			return jsonLine(data, func(path string) bool { return path == key || strings.HasSuffix(path, "."+key) }),
				fmt.Errorf("unknown key %q; remove it or check its spelling", key)
		}
		return 0, err
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return lineAt(data, int64(len(data)-len(rest))), errors.New("there is text after the end of the JSON object; remove it")
	}
	return 0, nil
}

// lineAt returns the line, from 1, of a byte offset.
func lineAt(data []byte, offset int64) int {
	offset = max(0, min(offset, int64(len(data))))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// jsonLine returns the line of the first key or array element whose path, such
// as "others[1].name", is asked for; 0 if there is none.
func jsonLine(data []byte, wanted func(path string) bool) int {
	w := jsonWalk{d: json.NewDecoder(bytes.NewReader(data)), wanted: wanted}
	if w.value("", 0) {
		return lineAt(data, w.d.InputOffset())
	}
	return 0
}

// jsonWalk goes over the tokens of a JSON text until a path is wanted.
type jsonWalk struct {
	d      *json.Decoder
	wanted func(path string) bool
}

// value walks over one value and reports whether it stopped at what is wanted.
func (w *jsonWalk) value(path string, depth int) bool {
	t, err := w.d.Token()
	if err != nil || depth > maxNesting {
		return false
	}
	switch t {
	case json.Delim('{'):
		for w.d.More() {
			key, err := w.d.Token()
			if err != nil {
				return false
			}
			at := fmt.Sprint(key)
			if path != "" {
				at = path + "." + at
			}
			if w.wanted(at) || w.value(at, depth+1) {
				return true
			}
		}
		_, _ = w.d.Token()
	case json.Delim('['):
		for i := 0; w.d.More(); i++ {
			at := fmt.Sprintf("%s[%d]", path, i)
			if w.value(at, depth+1) || w.wanted(at) {
				return true
			}
		}
		_, _ = w.d.Token()
	}
	return false
}
