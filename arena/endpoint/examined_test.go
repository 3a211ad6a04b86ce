package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

func TestASilentModelListIsCalledSo(t *testing.T) {
	mute := newRawServer(t, always(answerer{Chunked: true, Hold: true, Steps: []step{{SleepMS: 5000}}}))
	c := newClient(t, Config{Name: "box", BaseURL: mute.url(), FirstByteTimeout: 200 * time.Millisecond, Retries: -1})
	got := c.Probe(t.Context()).Fault
	if got == nil || got.Kind != arena.Stalled || got.Message != "box takes connections, but its model list did not come within 200 ms" || !strings.Contains(got.Hint, "first_byte_timeout") {
		t.Errorf("fault %+v", got)
	}
	c = newClient(t, Config{Name: "box", BaseURL: mute.url()})
	got = c.listFault(t.Context(), &arena.Fault{Kind: arena.Stalled, Message: "box sent no text within 3 min"})
	if !strings.Contains(got.Message, "within 15 s") || strings.Contains(got.Error(), "first_byte_timeout") {
		t.Errorf("fault %v", got)
	}
}

func TestALimitOfTheProbeIsNoCancellation(t *testing.T) {
	hangs := newClient(t, Config{Name: "box", BaseURL: (&box{list: vllmList, hangs: true}).start(t), Retries: -1})
	listen := func(ctx context.Context, c *Client) *arena.Fault {
		out, _, _, _ := c.listen(ctx, "her", hello(), func(Event) {})
		return out.Fault
	}
	ctx, cancel := within(t.Context(), 150*time.Millisecond)
	defer cancel()
	if f := listen(ctx, hangs); f == nil || f.Kind != arena.Stalled || !strings.Contains(f.Message, "box wrote nothing within 150 ms") || f.Hint == "" {
		t.Errorf("a limit gave %v", f)
	}
	slow := newRawServer(t, always(answerer{Chunked: true, Hold: true, Steps: []step{{Bytes: []byte(delta("one"))}}}))
	ctx, cancel = within(t.Context(), 300*time.Millisecond)
	defer cancel()
	if f := listen(ctx, newClient(t, Config{Name: "box", BaseURL: slow.url()})); f == nil || f.Kind != arena.Stalled || !strings.Contains(f.Message, "did not end it within 300 ms") || f.Hint == "" {
		t.Errorf("a slow reply gave %v", f)
	}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, stop)
	if f := listen(ctx, hangs); f == nil || f.Kind != arena.Cancelled {
		t.Errorf("a person's stop gave %v", f)
	}
}

func TestOnlyTheServersWordsAreQuoted(t *testing.T) {
	for name, tt := range map[string]struct {
		answer  answerer
		message string
	}{
		"words":   {status(200, `hello there`), `box answered with something that is no model list: "hello there"`},
		"a page":  {answerer{Chunked: true, ContentType: "text/html", Steps: []step{{Bytes: []byte("<html><body>Sign in</body></html>")}}}, `box answered with a web page instead of a model list: "Sign in"`},
		"nothing": {status(200, ""), "box answered with nothing instead of a model list"},
		"error":   {status(200, `{"error":"out of order"}`), "box answered with an error instead of a model list: out of order"},
	} {
		t.Run(name, func(t *testing.T) {
			got := newClient(t, Config{Name: "box", BaseURL: newRawServer(t, always(tt.answer)).url(), Retries: -1}).Probe(t.Context())
			if got.Fault == nil || got.Fault.Message != tt.message || got.Fault.Hint == "" || !got.Reachable {
				t.Errorf("fault %+v, reachable %v", got.Fault, got.Reachable)
			}
			if len(got.Notes) > 0 {
				t.Errorf("told twice: %q", got.Notes)
			}
		})
	}
}

func TestAFaultIsToldOnce(t *testing.T) {
	gone := newRawServer(t, always(status(404, `{"detail":"Not Found"}`)))
	got := newClient(t, Config{Name: "box", BaseURL: gone.url(), Retries: -1}).ProbeModel(t.Context(), "her")
	if got.Fault == nil || len(got.Notes) > 0 {
		t.Errorf("fault %v, notes %q", got.Fault, got.Notes)
	}
	// Where a chat works, the list's fault is a note.
	only := newRawServer(t, func(_ int, r *http.Request, _ []byte) answerer {
		if strings.HasSuffix(r.URL.Path, "/models") {
			return status(404, `{"detail":"Not Found"}`)
		}
		return stream("one two three four five six seven")
	})
	got = newClient(t, Config{Name: "box", BaseURL: only.url(), Retries: -1}).ProbeModel(t.Context(), "her")
	if notes := strings.Join(got.Notes, ";"); got.Fault != nil || !strings.Contains(notes, "the model list cannot be had") || !strings.Contains(notes, "/openai/v1") {
		t.Errorf("fault %v, notes %q", got.Fault, got.Notes)
	}
}

func TestAServerIsTakenForWhatItShows(t *testing.T) {
	for configured, want := range map[string]struct{ kind, told string }{
		KindOllama: {KindVLLM, KindOllama}, KindOpenAI: {KindVLLM, KindOpenAI}, KindVLLM: {KindVLLM, ""}, KindAuto: {KindVLLM, ""}, KindOther: {KindOther, ""},
	} {
		t.Run(configured, func(t *testing.T) {
			t.Parallel()
			b := &box{list: vllmList, pages: map[string]string{"/version": `{"version":"0.11.0"}`}, usage: true}
			got := newClient(t, Config{BaseURL: b.start(t), Kind: configured}).Probe(t.Context())
			note := strings.Join(got.Notes, ";")
			if got.Kind != want.kind || got.ConfiguredKind != want.told || got.Chat != Yes {
				t.Errorf("report %+v", got)
			}
			if told := strings.Contains(note, fmt.Sprintf("configured as kind = %q, looks like vllm 0.11.0", configured)); told != (want.told != "") {
				t.Errorf("notes %q", got.Notes)
			}
			if want.told != "" && (got.PrefillWay != PrefillFlags || got.Prefill != Yes) {
				t.Errorf("prefill %s by %q: it was asked as what it is not", got.Prefill, got.PrefillWay)
			}
		})
	}
	t.Run("one that says nothing of itself", func(t *testing.T) {
		got := newClient(t, Config{BaseURL: (&box{list: `{"data":[{"id":"her"}]}`, whole: true}).start(t), Kind: KindSGLang}).Probe(t.Context())
		if got.Kind != KindSGLang || got.ConfiguredKind != "" || got.Chat != Yes {
			t.Errorf("report %+v", got)
		}
	})
}

func TestTheKeyIsKnownWithoutAReply(t *testing.T) {
	empty := &box{list: `{"object":"list","data":[]}`, key: boxKey}
	got := newClient(t, Config{BaseURL: empty.start(t), Key: boxKey}).Probe(t.Context())
	if got.Auth != AuthAccepted || got.Fault == nil || got.Fault.Kind != arena.NoSuchModel {
		t.Errorf("report %+v", got)
	}
	for code, want := range map[int]Auth{401: AuthRefused, 402: AuthUnknown, 407: AuthUnknown} {
		s := newRawServer(t, always(status(code, `{"error":"no"}`)))
		if got := newClient(t, Config{BaseURL: s.url(), Key: boxKey, Retries: -1}).Probe(t.Context()); got.Auth != want {
			t.Errorf("status %d: key %q, want %q", code, got.Auth, want)
		}
	}
}

func TestTheHintForAPathThatIsNotThere(t *testing.T) {
	for _, path := range []string{"/v1", "/api"} {
		got := newClient(t, Config{BaseURL: (&box{at: "/deep/down"}).start(t) + path, Kind: KindAuto}).Probe(t.Context())
		if got.Fault == nil || !strings.Contains(got.Fault.Hint, "/api/v1") || strings.Contains(got.Fault.Hint, "add /v1") {
			t.Errorf("%s: %v", path, got.Fault)
		}
	}
}

func TestAFaultBehindAProxyNamesTheProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	host := u.Host
	u.User = url.UserPassword("me", "hunter2hunter2")
	c := newClient(t, Config{BaseURL: "http://gpu.example:8000/v1", Kind: KindVLLM, Retries: -1})
	c.base.Proxy = http.ProxyURL(u)
	got := c.Probe(t.Context())
	notes := strings.Join(got.Notes, ";")
	if got.Fault == nil || !strings.Contains(notes, "through the proxy "+host) || !strings.Contains(notes, "gpu.example in no_proxy") || strings.Contains(notes, "hunter2") {
		t.Errorf("fault %v, notes %q", got.Fault, got.Notes)
	}
}

func TestProxiesOfTheEnvironmentAreNamedByTheirVariable(t *testing.T) {
	for address, want := range map[string]string{"http://h/v1": "http_proxy", "https://h/v1": "https_proxy"} {
		if got := proxyVariable(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestTheHintNamesWhereTheKeyIs(t *testing.T) {
	for name, tt := range map[string]struct {
		cfg    Config
		status int
		want   string
	}{
		"none":        {Config{}, 401, "no key was sent; set it in the environment variable named by key_env, or the file named by key_file"},
		"none in env": {Config{KeyEnv: "K"}, 401, "no key was sent; set it in $K"},
		"env":         {Config{Key: "sk-1", KeyEnv: "K"}, 401, "the key was refused; check the one in $K"},
		"file":        {Config{Key: "sk-1", KeyFile: "/k"}, 401, "the key was refused; check the one in the file /k"},
		"header":      {Config{Headers: map[string]string{"x-api-key": "1"}}, 403, "the key was refused; check the one in the header X-Api-Key"},
		"password":    {Config{BaseURL: "http://me:pw@127.0.0.1:1"}, 401, "check the one in the address"},
		"proxy":       {Config{Key: "sk-1"}, 407, "http_proxy"},
		"money":       {Config{Key: "sk-1"}, 402, "no credit"},
	} {
		tt.cfg.BaseURL = firstOf(tt.cfg.BaseURL, "http://127.0.0.1:1")
		if got := newClient(t, tt.cfg).keyHint(tt.status); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestAnEstimateOfLoadingIsShown(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"Model x is currently loading","estimated_time":20.0}`: "reckons with 20 s",
		`{"error":{"message":"Loading model"}}`:                          "wait a little",
	} {
		s := newRawServer(t, always(status(503, body)))
		out := play(t, newClient(t, Config{BaseURL: s.url(), Retries: -1}), "x", hello())
		if out.Fault == nil || out.Fault.Kind != arena.Loading || !strings.Contains(out.Fault.Hint, want) {
			t.Errorf("%s gave %v", body, out.Fault)
		}
	}
}
