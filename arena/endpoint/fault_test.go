package endpoint

import (
	"context"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

func TestFaultsNameTheThingAndTheNextStep(t *testing.T) {
	const list = `{"object":"list","data":[{"id":"her-rl-32b"},{"id":"qwen3-32b"}]}`
	tests := []struct {
		name   string
		answer answerer
		kind   arena.FaultKind
		says   string
		hint   string
		path   string
		key    string
	}{
		{name: "no key", answer: status(401, `{"error":"Unauthorized"}`), kind: arena.Unauthorised, says: "Unauthorized", hint: "no key was sent; set it in $MY_KEY"},
		{name: "wrong key", key: "sk-very-secret-1", answer: status(401, `{"error":{"message":"Incorrect API key provided: sk-very-secret-1","type":"invalid_request_error","code":"invalid_api_key"}}`), kind: arena.Unauthorised, says: "provided: [key]", hint: "the key was refused; check the one in $MY_KEY"},
		{name: "no such model", answer: status(404, `{"object":"error","message":"The model `+"`her-rl`"+` does not exist.","type":"NotFoundError","param":null,"code":404}`), kind: arena.NoSuchModel, says: "The model `her-rl` does not exist.", hint: "her-rl-32b"},
		{name: "Ollama's 404", answer: status(404, `{"error":{"message":"model \"her-rl\" not found, try pulling it first","type":"api_error"}}`), kind: arena.NoSuchModel, says: "try pulling it first", hint: "the server offers her-rl-32b"},
		{name: "FastAPI 404", path: "/api", answer: status(404, `{"detail":"Not Found"}`), kind: arena.BadRequest, says: "Not Found", hint: "add /v1"},
		{name: "plain 404", answer: status(404, "404 page not found"), kind: arena.BadRequest, says: "404 page not found", hint: "OpenAI's API at"},
		{name: "FastAPI 422", answer: status(422, `{"detail":[{"loc":["body","messages",0],"msg":"field required","type":"value_error"}]}`), kind: arena.BadRequest, says: "body.messages.0: field required"},
		{name: "vLLM too long", answer: status(400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens","code":400}`), kind: arena.TooLong, says: "16384", hint: "shorten"},
		{name: "SGLang too long", answer: status(400, `{"object":"error","message":"The input (5000 tokens) is longer than the model's context length (4096 tokens).","code":400}`), kind: arena.TooLong, says: "5000"},
		{name: "llama.cpp too long", answer: status(400, `{"error":{"code":400,"message":"request (9 tokens) exceeds the available context size (8 tokens), try increasing it","type":"exceed_context_size_error"}}`), kind: arena.TooLong, says: "available context size"},
		{name: "OpenAI too long", answer: status(400, `{"error":{"message":"too big","code":"context_length_exceeded"}}`), kind: arena.TooLong, says: "too big"},
		{name: "Gemini's list", answer: status(400, `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`), kind: arena.BadRequest, says: "API key not valid"},
		{name: "busy", answer: status(429, `{"error":{"message":"Rate limit reached","code":"rate_limit"}}`), kind: arena.Overloaded, says: "Rate limit reached", hint: "busy"},
		{name: "no money", answer: status(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), kind: arena.Overloaded, says: "quota", hint: "billing"},
		{name: "loading", answer: status(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`), kind: arena.Loading, says: "Loading model", hint: "wait"},
		{name: "HF loading", answer: status(503, `{"error":"Model x is currently loading","estimated_time":20.0}`), kind: arena.Loading, says: "currently loading"},
		{name: "TGI busy", answer: status(429, `{"error":"Model is overloaded","error_type":"overloaded"}`), kind: arena.Overloaded, says: "Model is overloaded"},
		{name: "nginx", answer: status(502, "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"), kind: arena.ServerFault, says: "502 Bad Gateway nginx"},
		{name: "empty 500", answer: status(500, ""), kind: arena.ServerFault, says: "internal server error"},
		{name: "Jinja", answer: status(500, `{"error":{"code":500,"message":"Jinja Exception: After the optional system message, conversation roles must be given","type":"server_error"}}`), kind: arena.BadRequest, says: "Jinja Exception", hint: "template"},
		{name: "escape codes in the words", answer: status(400, `{"error":{"message":"a\u001b[31mred\u0007\nline"}}`), kind: arena.BadRequest, says: "a [31mred line"},
		{name: "message null", answer: status(500, `{"error":{"message":null,"type":"overloaded_error"}}`), kind: arena.ServerFault, says: "overloaded_error"},
		{name: "number as body", answer: status(500, `17`), kind: arena.ServerFault, says: "17"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, func(_ int, r *http.Request, _ []byte) answerer {
				if strings.HasSuffix(r.URL.Path, "/models") {
					return status(200, list)
				}
				return tt.answer
			})
			base := s.url()
			if tt.path != "" {
				base = strings.TrimSuffix(base, "/v1") + tt.path
			}
			c := newClient(t, Config{BaseURL: base, Key: tt.key, KeyEnv: "MY_KEY", Retries: -1})
			out := play(t, c, "her-rl", hello())
			f := out.Fault
			if f == nil || out.Complete {
				t.Fatalf("no fault; outcome %+v", out.Outcome)
			}
			if f.Kind != tt.kind || !strings.Contains(f.Message, tt.says) || !strings.Contains(f.Hint, tt.hint) || f.Hint == "" {
				t.Errorf("fault %s: %q (%q); want %s: %q (%q)", f.Kind, f.Message, f.Hint, tt.kind, tt.says, tt.hint)
			}
			if f.Status != tt.answer.Status {
				t.Errorf("status %d, want %d", f.Status, tt.answer.Status)
			}
			if strings.ContainsAny(f.Error(), "\x1b\x07\n") || strings.Contains(f.Error(), "%!") || strings.Contains(f.Error(), "very-secret") {
				t.Errorf("unfit to be shown: %q", f.Error())
			}
		})
	}
}

func TestOllamaIsHintedToPull(t *testing.T) {
	s := newRawServer(t, func(_ int, r *http.Request, _ []byte) answerer {
		if strings.HasSuffix(r.URL.Path, "/models") {
			return status(200, `{"object":"list","data":[{"id":"llama3:8b","owned_by":"library"}]}`)
		}
		return status(404, `{"error":{"message":"model 'her' not found"}}`)
	})
	c := newClient(t, Config{BaseURL: s.url(), Kind: KindAuto, Retries: -1})
	out := play(t, c, "her", hello())
	if out.Fault == nil || !strings.Contains(out.Fault.Hint, "ollama pull her") || !strings.Contains(out.Fault.Hint, "llama3:8b") {
		t.Errorf("fault %+v", out.Fault)
	}
}

func TestNothingListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	c := newClient(t, Config{BaseURL: "http://" + address})
	start := time.Now()
	out := play(t, c, "m", hello())
	if out.Fault == nil || out.Fault.Kind != arena.Unreachable || !strings.Contains(out.Fault.Message, address) || !strings.Contains(out.Fault.Hint, "start the server") {
		t.Errorf("fault %+v", out.Fault)
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("a refused connection on this machine took %s", d)
	}
}

func TestHTTPSOnAPlainPort(t *testing.T) {
	raw := newRawServer(t, always(stream("x")))
	plain := httptest.NewServer(http.NotFoundHandler())
	plain.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(plain.Close)
	for _, url := range []string{raw.url(), plain.URL} {
		c := newClient(t, Config{BaseURL: strings.Replace(url, "http:", "https:", 1), Retries: -1})
		out := play(t, c, "m", hello())
		if out.Fault == nil || out.Fault.Kind != arena.Unreachable || !strings.Contains(out.Fault.Hint, "http://") {
			t.Errorf("fault %+v", out.Fault)
		}
	}
}

func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, delta(r.Proto)+stopFrame+doneFrame)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	out := play(t, newClient(t, Config{BaseURL: s.URL, Retries: -1}), "m", hello())
	if out.Fault == nil || out.Fault.Kind != arena.Unreachable || !strings.Contains(out.Fault.Hint, "ca_file") {
		t.Errorf("fault %+v", out.Fault)
	}
	for _, cfg := range []Config{{BaseURL: s.URL, CAFile: ca}, {BaseURL: s.URL, InsecureTLS: true}} {
		if out := play(t, newClient(t, cfg), "m", hello()); out.Fault != nil || out.Content == "" {
			t.Errorf("content %q, fault %v", out.Content, out.Fault)
		}
	}
	if _, err := New(Config{BaseURL: s.URL, CAFile: ca + ".not"}); err == nil || !strings.Contains(err.Error(), "ca_file") {
		t.Errorf("a missing ca_file: %v", err)
	}
}

func TestRedirectsAreRefusedAndTheKeyStays(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			t.Parallel()
			elsewhere := newRawServer(t, always(stream("stolen")))
			s := newRawServer(t, func(int, *http.Request, []byte) answerer {
				return answerer{Status: code, Headers: "Location: " + elsewhere.url() + "/chat/completions?token=abc\r\n"}
			})
			c := newClient(t, Config{BaseURL: s.url(), Key: "sk-very-secret", Headers: map[string]string{"api-key": "other-secret"}})
			out := play(t, c, "m", hello())
			if out.Content != "" || out.Fault == nil || out.Fault.Kind != arena.BadRequest || !strings.Contains(out.Fault.Message, elsewhere.url()) || strings.Contains(out.Fault.Message, "token=abc") {
				t.Errorf("content %q, fault %+v", out.Content, out.Fault)
			}
			if _, err := c.Models(context.Background()); err == nil {
				t.Error("the model list followed a redirect")
			}
			if n := len(elsewhere.seen()); n != 0 {
				t.Errorf("the other host was asked %d times", n)
			}
		})
	}
}

func TestKeysAreInNoError(t *testing.T) {
	const key = "sk-do-not-show"
	echo := `you sent Bearer ` + key + ` and hdr-do-not-show and pass-do-not-show`
	answers := map[string]answerer{
		"status":    status(403, `{"error":"`+echo+`"}`),
		"stream":    bodyOf(`data: {"error":{"message":"` + echo + `"}}` + "\n\n"),
		"page":      bodyOf("<html>" + echo + "</html>"),
		"long page": bodyOf("<html>" + strings.Repeat("x ", 90) + echo + "</html>"),
	}
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			s := newRawServer(t, always(a))
			base := strings.Replace(s.url(), "http://", "http://user:pass-do-not-show@", 1)
			c := newClient(t, Config{BaseURL: base, Headers: map[string]string{"X-Key": "hdr-do-not-show", "Authorization": "Bearer " + key}, Retries: -1})
			out := play(t, c, "m", hello())
			if out.Fault == nil {
				t.Fatal("no fault")
			}
			for _, text := range []string{out.Fault.Error(), c.BaseURL(), c.Name()} {
				if strings.Contains(text, "do-not-show") {
					t.Errorf("a secret shows: %q", text)
				}
			}
		})
	}
	for _, bad := range []Config{
		{BaseURL: "http://u:pass-do-not-show@host:99999/"},
		{BaseURL: "ftp://u:pass-do-not-show@host/"},
		{BaseURL: "http://u:pass-do-not-show@[::1/"},
		{BaseURL: "http://host", Key: "do-not-show\nx"},
		{BaseURL: "http://host", Headers: map[string]string{"A": "do-not-show\nx"}},
	} {
		if _, err := New(bad); err == nil || strings.Contains(err.Error(), "do-not-show") {
			t.Errorf("New(%q): %v", bad.BaseURL, err)
		}
	}
}

func TestStalls(t *testing.T) {
	silent := answerer{Chunked: true, Hold: true, Steps: []step{{SleepMS: 600}}}
	t.Run("no headers", func(t *testing.T) {
		t.Parallel()
		s := newRawServer(t, always(silent))
		c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 200 * time.Millisecond})
		expectStall(t, play(t, c, "m", hello()), "200 ms")
	})
	t.Run("headers and a role, then nothing", func(t *testing.T) {
		t.Parallel()
		a := bodyOf(`data: {"choices":[{"delta":{"role":"assistant","content":""}}]}` + "\n\n")
		a.Hold = true
		s := newRawServer(t, always(a))
		c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 200 * time.Millisecond, IdleTimeout: time.Minute})
		expectStall(t, play(t, c, "m", hello()), "200 ms")
	})
	t.Run("pings are signs of life", func(t *testing.T) {
		t.Parallel()
		a := answerer{Chunked: true}
		for range 8 {
			a.Steps = append(a.Steps, step{Bytes: []byte(":\n\n"), SleepMS: 100})
		}
		a.Steps = append(a.Steps, step{Bytes: []byte(delta("Hi") + stopFrame + doneFrame)})
		s := newRawServer(t, always(a))
		c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 400 * time.Millisecond})
		if out := play(t, c, "m", hello()); out.Content != "Hi" || out.Fault != nil {
			t.Errorf("content %q, fault %v", out.Content, out.Fault)
		}
	})
	t.Run("an error status whose body never ends", func(t *testing.T) {
		t.Parallel()
		a := status(500, `{"error":"part`)
		a.Hold = true
		s := newRawServer(t, always(a))
		c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 200 * time.Millisecond, Retries: -1})
		out := play(t, c, "m", hello())
		if out.Fault == nil || out.Fault.Status != 500 {
			t.Errorf("fault %+v", out.Fault)
		}
	})
}

func expectStall(t *testing.T, out played, says string) {
	t.Helper()
	if out.Fault == nil || out.Fault.Kind != arena.Stalled || !strings.Contains(out.Fault.Message, says) {
		t.Errorf("fault %+v, want stalled after %s", out.Fault, says)
	}
	if len(out.retries) > 0 {
		t.Error("a stall was tried again")
	}
	if out.Total > time.Second {
		t.Errorf("took %s", out.Total)
	}
}

func TestCancelReachesTheServer(t *testing.T) {
	tests := map[string]answerer{
		"before the headers": {Chunked: true, Hold: true, Steps: []step{{SleepMS: 400}}},
		"in the middle":      {Chunked: true, Hold: true, Steps: []step{{Bytes: []byte(delta("Hel"))}}},
		"after a comment":    {Chunked: true, Hold: true, Steps: []step{{Bytes: []byte(": ping\n\n")}}},
	}
	for name, a := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, always(a))
			c := newClient(t, Config{BaseURL: s.url()})
			ctx, cancel := context.WithCancel(context.Background())
			var at time.Time
			time.AfterFunc(150*time.Millisecond, func() { at = time.Now(); cancel() })
			out := c.Player("m").Play(ctx, hello(), nil)
			took := time.Since(at)
			if out.Fault == nil || out.Fault.Kind != arena.Cancelled || took > 100*time.Millisecond {
				t.Errorf("fault %+v, %s after the cancel", out.Fault, took)
			}
			if name == "in the middle" && out.Content != "Hel" {
				t.Errorf("content %q was not kept", out.Content)
			}
			select {
			case closed := <-s.closed:
				// The first server sleeps before it looks at the connection.
				if d := closed.Sub(at); d > 100*time.Millisecond && name != "before the headers" {
					t.Errorf("the server saw it after %s", d)
				}
			case <-time.After(2 * time.Second):
				t.Error("the server never saw it")
			}
		})
	}
	t.Run("during the wait for a retry", func(t *testing.T) {
		a := status(503, `{"error":"busy"}`)
		a.Headers = "Retry-After: 30\r\n"
		s := newRawServer(t, always(a))
		c := newClient(t, Config{BaseURL: s.url()})
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		out := c.Player("m").Play(ctx, hello(), func(arena.Chunk) { at = time.Now(); cancel() })
		if out.Fault == nil || out.Fault.Kind != arena.Cancelled || time.Since(at) > 100*time.Millisecond {
			t.Errorf("fault %+v after %s", out.Fault, time.Since(at))
		}
	})
	t.Run("before the start", func(t *testing.T) {
		s := newRawServer(t, always(stream("x")))
		c := newClient(t, Config{BaseURL: s.url()})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if out := c.Player("m").Play(ctx, hello(), nil); out.Fault == nil || out.Fault.Kind != arena.Cancelled || len(s.seen()) > 0 {
			t.Errorf("fault %+v, %d requests", out.Fault, len(s.seen()))
		}
	})
}
