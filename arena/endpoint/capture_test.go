package endpoint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

// captures is where the answers of a real llama-server lie, beside the checkout;
// they are not ours to keep.
const captures = "../../../shared/cases/wire/captures"

// capture is one answer as it was recorded.
type capture struct {
	request string // first lines
	status  int
	body    []byte
}

func readCapture(t *testing.T, path string) (capture, bool) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, []byte("HTTP/1.1 "))
	headers := bytes.Index(raw, []byte("\r\n\r\n"))
	if at < 0 || headers < at {
		return capture{}, false
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw[at:headers+4])), nil)
	if err != nil {
		return capture{}, false
	}
	body, _, _ := bytes.Cut(raw[headers+4:], []byte("\n### curl rc="))
	return capture{string(raw[:at]), resp.StatusCode, body}, true
}

// wanted reads a recorded stream the slow way.
func (c capture) wanted() (content, reasoning, finish string) {
	for line := range strings.Lines(string(c.body)) {
		var chunk struct {
			Choices []struct {
				Index  int
				Text   string
				Finish string `json:"finish_reason"`
				Delta  struct {
					Content   string
					Reasoning string `json:"reasoning_content"`
				}
			}
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || json.Unmarshal([]byte(data), &chunk) != nil {
			continue
		}
		for _, choice := range chunk.Choices {
			if choice.Index == 0 {
				content += choice.Delta.Content + choice.Text
				reasoning += choice.Delta.Reasoning
				finish += choice.Finish
			}
		}
	}
	return content, reasoning, finish
}

func TestCapturesOfARealServer(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(captures, "*.txt"))
	if len(files) == 0 {
		t.Skip("the captures are not here")
	}
	kinds := map[string]arena.FaultKind{
		"00_loading_503": arena.Loading, "18_context_overflow": arena.TooLong, "40_apikey_401": arena.Unauthorised,
	}
	streams, refusals := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		c, ok := readCapture(t, file)
		if !ok || strings.Contains(c.request, "GET ") {
			continue
		}
		played := func(t *testing.T) played {
			a := bodyOf(string(c.body))
			a.Status = c.status
			s := newRawServer(t, always(a))
			return play(t, newClient(t, Config{BaseURL: s.url(), Retries: -1, FirstByteTimeout: 5 * time.Second}), "m", hello())
		}
		switch {
		case c.status >= 400:
			refusals++
			t.Run(name, func(t *testing.T) {
				want := kinds[name]
				if want == "" {
					want = arena.BadRequest
				}
				if f := played(t).Fault; f == nil || f.Kind != want || f.Status != c.status {
					t.Errorf("fault %+v, want %s", f, want)
				}
			})
		case bytes.Contains(c.body, []byte("data: [DONE]")):
			streams++
			t.Run(name, func(t *testing.T) {
				content, reasoning, finish := c.wanted()
				got := played(t)
				if got.Content != content || got.Reasoning != reasoning || got.Damaged > 0 || got.Fault != nil || !got.Complete {
					t.Errorf("content %q, reasoning %q, damaged %d, fault %v; want %q, %q", head(got.Content, 200), head(got.Reasoning, 200),
						got.Damaged, got.Fault, head(content, 200), head(reasoning, 200))
				}
				if first, _, _ := strings.Cut(got.Finish, ","); first != finish {
					t.Errorf("finish %q, want %q", got.Finish, finish)
				}
			})
		}
	}
	if streams < 10 || refusals < 6 {
		t.Errorf("only %d streams and %d refusals were read", streams, refusals)
	}
}
