package layers_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena/layers"
)

// replyCase is a line of testdata/replies.jsonl.
type replyCase struct {
	ID        string         `json:"id"`
	Raw       string         `json:"raw"`
	Expect    [][2]string    `json:"expect"`
	Name      string         `json:"name"`
	Prefill   string         `json:"prefill"`
	Truncated bool           `json:"truncated"`
	Mode      layers.Dialect `json:"mode"`
	Note      string         `json:"note"`
}

func (c replyCase) options() layers.Options {
	return layers.Options{Name: c.Name, Prefill: c.Prefill}
}

func (c replyCase) segments(t *testing.T) []layers.Segment {
	t.Helper()
	out := []layers.Segment{}
	for _, pair := range c.Expect {
		var l layers.Layer
		if err := l.UnmarshalText([]byte(pair[0])); err != nil {
			t.Fatal(err)
		}
		out = append(out, layers.Segment{Layer: l, Text: pair[1]})
	}
	return out
}

func replyCases(t testing.TB) []replyCase {
	t.Helper()
	f, err := os.Open("testdata/replies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []replyCase
	for s := bufio.NewScanner(f); s.Scan(); {
		var c replyCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) < 17 {
		t.Fatalf("only %d cases", len(out))
	}
	return out
}

// failer is what both *testing.T and *rapid.T are.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// stream parses chunks and checks that the edits lead to the same list.
func stream(t failer, o layers.Options, chunks ...string) layers.Parsed {
	t.Helper()
	p := layers.NewParser(o)
	var shown []layers.Segment
	apply := func(e layers.Edit) {
		if e.Index > len(shown) {
			t.Fatalf("edit %+v on %d segments", e, len(shown))
		}
		if !e.Reset && e.Index < len(shown) && shown[e.Index].Layer != e.Layer {
			t.Fatalf("edit %+v appends to %+v", e, shown[e.Index])
		}
		shown = layers.Apply(shown, e)
	}
	for _, c := range chunks {
		p.Write(c, apply)
		if diff := diffSegments(p.Segments(), shown); diff != "" {
			t.Fatalf("after %q the edits give (-segments +edits):\n%s", c, diff)
		}
	}
	got := p.Close(apply)
	if diff := diffSegments(got.Segments, shown); diff != "" {
		t.Fatalf("%q: the edits give (-segments +edits):\n%s", chunks, diff)
	}
	return got
}

func diffSegments(want, got []layers.Segment) string {
	if len(want) == 0 && len(got) == 0 {
		return ""
	}
	return cmp.Diff(want, got)
}

func eachByte(s string) []string {
	out := make([]string, len(s))
	for i := range len(s) {
		out[i] = s[i : i+1]
	}
	return out
}

func TestReplyCasesAtEveryCut(t *testing.T) {
	t.Parallel()
	for _, c := range replyCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			modes := []layers.Dialect{layers.Auto}
			if c.Mode != "" {
				modes = append(modes, c.Mode)
			}
			for _, mode := range modes {
				o := c.options()
				o.Dialect = mode
				check := func(chunks ...string) {
					t.Helper()
					got := stream(t, o, chunks...)
					if diff := diffSegments(c.segments(t), got.Segments); diff != "" {
						t.Fatalf("%s, cut as %q (-want +got):\n%s", c.Note, chunks, diff)
					}
					if got.Truncated != c.Truncated {
						t.Fatalf("cut as %q: truncated = %v", chunks, got.Truncated)
					}
				}
				check(c.Raw)
				check(eachByte(c.Raw)...)
				for i := 0; i <= len(c.Raw); i++ {
					check(c.Raw[:i], c.Raw[i:])
				}
			}
		})
	}
}
