package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

func TestModels(t *testing.T) {
	tests := map[string]struct {
		body string
		want []Model
		kind string
	}{
		"vLLM":      {`{"object":"list","data":[{"id":"her","object":"model","owned_by":"vllm","max_model_len":32768}]}`, []Model{{ID: "her", ContextLength: 32768}}, KindVLLM},
		"llama.cpp": {`{"models":[{"name":"x"}],"object":"list","data":[{"id":"x.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":40960,"n_ctx":4096}}]}`, []Model{{ID: "x.gguf", ContextLength: 4096, Trained: 40960}}, KindLlamaCpp},
		"Ollama":    {`{"object":"list","data":[{"id":"a:8b","owned_by":"library"},{"id":"b"}]}`, []Model{{ID: "a:8b"}, {ID: "b"}}, KindOllama},
		"none":      {`{"object":"list","data":null}`, nil, ""},
		"Together":  {`[{"id":"x/y","context_length":8192.0}]`, []Model{{ID: "x/y", ContextLength: 8192}}, ""},
		"oddities":  {`{"data":[{"id":7,"context_length":"4096"},{"id":null},{}]}`, []Model{{ID: "7", ContextLength: 4096}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newRawServer(t, always(status(200, tt.body)))
			c := newClient(t, Config{BaseURL: s.url(), Kind: "auto", Key: "sk-1234567"})
			got, err := c.Models(t.Context())
			if d := cmp.Diff(tt.want, got); d != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, d)
			}
			if c.knownKind() != tt.kind {
				t.Errorf("kind %q, want %q", c.knownKind(), tt.kind)
			}
			if seen := s.seen()[0]; seen.path != "GET /v1/models" || seen.header.Get("Authorization") != "Bearer sk-1234567" {
				t.Errorf("request %+v", seen)
			}
		})
	}
	for name, tt := range map[string]struct {
		answer answerer
		kind   arena.FaultKind
	}{
		"a page":          {status(200, "<html>hi</html>"), arena.BadRequest},
		"no key":          {status(401, `{"error":"Unauthorized"}`), arena.Unauthorised},
		"loading":         {status(503, `{"error":{"message":"Loading model","code":503}}`), arena.Loading},
		"an error at 200": {status(200, `{"error":"Unexpected endpoint or method. (GET /models)"}`), arena.BadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, Config{BaseURL: newRawServer(t, always(tt.answer)).url()})
			_, err := c.Models(t.Context())
			var f *arena.Fault
			if !errors.As(err, &f) || f.Kind != tt.kind || f.Hint == "" {
				t.Errorf("error %#v, want %s", err, tt.kind)
			}
		})
	}
}

// able is a small server that can or cannot do what a probe asks.
type able struct {
	echo, refusePrefill, schema, usage bool
	field                              string
}

func (a able) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/v1/models":
		fmt.Fprint(w, `{"object":"list","data":[{"id":"her","owned_by":"llamacpp","meta":{"n_ctx_train":40960}}]}`)
		return
	case "/props":
		fmt.Fprint(w, `{"default_generation_settings":{"n_ctx":4096},"total_slots":2,"build_info":"b1"}`)
		return
	case "/v1/chat/completions":
	default:
		http.NotFound(w, r)
		return
	}
	var body struct {
		Messages       []arena.Message
		ResponseFormat any `json:"response_format"`
	}
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &body)
	last := body.Messages[len(body.Messages)-1]
	text := "ready"
	switch {
	case last.Role == "assistant" && a.refusePrefill:
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error":{"message":"prefill is not supported","code":400}}`)
		return
	case last.Role == "assistant" && a.echo:
		text = last.Content + " four five six seven"
	case last.Role == "assistant":
		text = " four five six seven"
	case body.ResponseFormat != nil && a.schema:
		text = "{\n \"probe\" : true }"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if a.field != "" {
		fmt.Fprintf(w, `data: {"choices":[{"delta":{"%s":"hmm"}}]}`+"\n\n", a.field)
	}
	fmt.Fprint(w, delta(text)+stopFrame)
	if a.usage {
		fmt.Fprint(w, usageFrame)
	}
	fmt.Fprint(w, doneFrame)
}

func TestProbe(t *testing.T) {
	tests := map[string]struct {
		able able
		want Report
	}{
		"can":    {able{schema: true, usage: true, field: "reasoning"}, Report{Prefill: Yes, Schema: Yes, Usage: Yes, Reasoning: "reasoning"}},
		"echoes": {able{echo: true}, Report{Prefill: Echoed, Schema: Ignored, Usage: No}},
		"cannot": {able{refusePrefill: true}, Report{Prefill: Refused, Schema: Ignored, Usage: No}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(tt.able)
			t.Cleanup(s.Close)
			c := newClient(t, Config{BaseURL: s.URL, Kind: "auto", Name: "box"})
			got := c.Probe(t.Context())
			if got.FirstByte <= 0 {
				t.Error("no time to the first byte")
			}
			got.FirstByte = 0
			want := tt.want
			want.Name, want.BaseURL, want.Kind, want.Version = "box", s.URL+"/v1", KindLlamaCpp, "b1"
			want.Models, want.Model, want.ContextLength, want.Slots, want.Chat = []Model{{ID: "her", ContextLength: 40960, Trained: 40960}}, "her", 4096, 2, Yes
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	t.Run("the wrong path", func(t *testing.T) {
		s := httptest.NewServer(able{})
		t.Cleanup(s.Close)
		got := newClient(t, Config{BaseURL: s.URL + "/api", Kind: "auto"}).Probe(t.Context())
		notes := strings.Join(got.Notes, "; ")
		if got.Fault == nil || !strings.Contains(notes, "a model list at "+s.URL+"/v1;") {
			t.Errorf("report %+v", got)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		c := newClient(t, Config{BaseURL: "http://127.0.0.1:1"})
		if got := c.Probe(t.Context()); got.Fault == nil || got.Fault.Kind != arena.Unreachable || got.Chat != Unknown {
			t.Errorf("report %+v", got)
		}
	})
}

func TestDiscover(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	other := newRawServer(t, always(status(200, "<html>my blog</html>")))
	locked := newRawServer(t, always(status(401, `{"error":"Unauthorized"}`)))
	her := newRawServer(t, always(status(200, `{"object":"list","data":[{"id":"her","owned_by":"vllm"}]}`)))
	start := time.Now()
	got := Discover(context.Background(), []string{"http://127.0.0.1:1", "http://" + silent.Addr().String(), other.url(), "::", locked.url(), her.url()})
	if d := time.Since(start); d > 600*time.Millisecond {
		t.Errorf("took %s", d)
	}
	if len(got) != 2 || got[0].BaseURL != locked.url() || got[0].Fault == nil || got[1].Kind != KindVLLM || got[1].Fault != nil || len(got[1].Models) != 1 {
		t.Errorf("found %+v", got)
	}
	if len(locked.seen()) != 1 || locked.seen()[0].header.Get("Authorization") != "" {
		t.Errorf("requests %+v", locked.seen())
	}
}

func TestDefaultPorts(t *testing.T) {
	want := []string{"11434 ollama", "8080 llamacpp", "8000 vllm", "30000 sglang", "1234 lmstudio"}
	var got []string
	for _, p := range localPorts() {
		host, ok := strings.CutPrefix(p.address, "http://127.0.0.1:")
		if !ok {
			t.Errorf("%s is not on this machine", p.address)
		}
		got = append(got, strings.TrimSuffix(host, "/v1")+" "+p.kind)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestAServerThatLiesAboutKeepAlive plays llama-server: it promises to keep the
// connection and closes it a moment after each stream.
func TestAServerThatLiesAboutKeepAlive(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{t: t, listener: l, conns: map[net.Conn]bool{}, answer: always(stream("ok"))}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.wg.Go(func() {
				defer conn.Close()
				if _, err := readRequest(conn); err != nil {
					return
				}
				reply := delta("ok") + stopFrame + doneFrame
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nKeep-Alive: timeout=5, max=100\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(reply), reply)
				time.Sleep(20 * time.Microsecond)
			})
		}
	}()
	t.Cleanup(func() { l.Close(); <-done; s.wg.Wait() })
	c := newClient(t, Config{BaseURL: "http://" + l.Addr().String(), Retries: -1})
	for i := range 200 {
		if out := play(t, c, "m", hello()); out.Fault != nil {
			t.Fatalf("play %d: %v", i, out.Fault)
		}
	}
}
