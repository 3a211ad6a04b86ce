package card

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse holds the parser against the library's own: both take and refuse
// the same, and find the same values.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,true,false,null,"x"],"b":{}}`, ` [ ] `, "\t{\n}\r", `"\u0041\ud83d\ude80\udc00\n\""`, `"\\"`, `"\\\\\""`, `{"a":1,"a":2}`, `{"":[[],{}]}`,
		`1e400`, `01`, `{"a" : 1 , "b":2}x`, "\"\xff\"", "\"\u2028\"", `tru`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		err := dec.Decode(&want)
		valid := json.Valid(data)
		got, fault := parseJSON(data, nil)
		if fault != nil {
			if valid && fault.Code != TooDeep {
				t.Fatalf("valid JSON is refused: %v", fault)
			}
			return
		}
		if !valid || err != nil {
			t.Fatalf("broken JSON is taken: %v", err)
		}
		if diff := cmp.Diff(want, plainValue(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func plainValue(v any) any {
	switch v := v.(type) {
	case *Object:
		out := map[string]any{}
		for _, key := range v.Keys() {
			out[key] = plainValue(v.Get(key))
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, plainValue(item))
		}
		return out
	}
	return v
}
