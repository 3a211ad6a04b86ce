package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
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
	want := []string{"11434 ollama", "8080 llamacpp", "8000 vllm", "30000 sglang", "1234 lmstudio", "8001 ", "3000 ", "5000 ", "5001 "}
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
