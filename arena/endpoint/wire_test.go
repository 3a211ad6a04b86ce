package endpoint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// wireCase is one way in which a server may send a reply, and what a person
// must get of it.
type wireCase struct {
	Name string `json:"name"`
	answerer
	Want struct {
		Content       string `json:"content"`
		Reasoning     string `json:"reasoning"`
		Finish        string `json:"finish"`
		UsageTotal    int    `json:"usage_total"`
		AnyError      bool   `json:"any_error"`
		ErrorContains string `json:"error_contains"`
	} `json:"want"`
}

func wireCases(t testing.TB) []wireCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/wire.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []wireCase
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c wireCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) != 44 {
		t.Fatalf("%d wire cases, want 44", len(cases))
	}
	return cases
}

func TestWireVariantsOverSockets(t *testing.T) {
	for _, w := range wireCases(t) {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, always(w.answerer))
			c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 2 * time.Second, IdleTimeout: 400 * time.Millisecond, Retries: -1})
			start := time.Now()
			out := play(t, c, "m", hello())
			if d := time.Since(start); d > 1500*time.Millisecond {
				t.Errorf("took %s", d)
			}
			if out.Content != w.Want.Content || out.Reasoning != w.Want.Reasoning || out.Finish != w.Want.Finish {
				t.Errorf("content %q, reasoning %q, finish %q; want %q, %q, %q", out.Content, out.Reasoning, out.Finish,
					w.Want.Content, w.Want.Reasoning, w.Want.Finish)
			}
			if out.Damaged != 0 {
				t.Errorf("%d frames damaged", out.Damaged)
			}
			if total := w.Want.UsageTotal; total > 0 && (out.Usage == nil || out.Usage.TotalTokens != total) {
				t.Errorf("usage %v, want a total of %d", out.Usage, total)
			}
			failed := w.Want.AnyError || w.Want.ErrorContains != ""
			if failed == (out.Fault == nil) || out.Complete == failed {
				t.Errorf("fault %v, complete %v; want an error: %v", out.Fault, out.Complete, failed)
			}
			if out.Fault != nil && !strings.Contains(out.Fault.Message, w.Want.ErrorContains) {
				t.Errorf("fault %q does not hold the server's words %q", out.Fault.Message, w.Want.ErrorContains)
			}
		})
	}
}
