package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

// box plays a server of some kind: its pages, its list, and replies to what a
// probe asks.
type box struct {
	pages map[string]string // path to body
	list  string            // body of the model list
	at    string            // where the API is; "/v1" where empty
	// key is wanted under /v1, and for the list too unless listOpen.
	key      string
	listOpen bool
	// lost answers what is asked at other paths with status 200 and an error.
	lost bool

	whole    bool // no stream: one JSON object
	usage    bool
	field    string // of reasoning
	prefill  Ability
	schema   Ability
	gauge    string // format of the page at gaugePath
	gaugeAt  string
	stubborn bool // goes on writing when nobody listens
	hangs    bool // accepts a chat and never answers
	closes   bool // promises to keep connections and closes them

	running atomic.Int32
	mu      sync.Mutex
	keys    []string // Authorization of each request
	done    chan struct{}
}

func (b *box) start(t *testing.T) string {
	t.Helper()
	b.done = make(chan struct{})
	if b.at == "" {
		b.at = "/v1"
	}
	s := httptest.NewServer(b)
	t.Cleanup(func() { close(b.done); s.CloseClientConnections(); s.Close() })
	return s.URL
}

func (b *box) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.keys = append(b.keys, r.Header.Get("Authorization"))
	b.mu.Unlock()
	guarded := b.key != "" && strings.HasPrefix(r.URL.Path, b.at) && !(b.listOpen && r.URL.Path == b.at+"/models")
	body, isPage := b.pages[r.URL.Path]
	switch {
	case guarded && r.Header.Get("Authorization") != "Bearer "+b.key:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":"Unauthorized"}`)
	case isPage:
		fmt.Fprint(w, body)
	case b.gaugeAt != "" && r.URL.Path == b.gaugeAt:
		fmt.Fprintf(w, b.gauge, b.running.Load())
	case r.URL.Path == b.at+"/models":
		fmt.Fprint(w, b.list)
	case r.URL.Path == b.at+"/chat/completions":
		b.chat(w, r)
	case b.lost:
		fmt.Fprintf(w, `{"error":"Unexpected endpoint or method. (%s %s)"}`, r.Method, r.URL.Path)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"detail":"Not Found"}`)
	}
}

type boxRequest struct {
	Messages       []arena.Message
	ResponseFormat any `json:"response_format"`
}

func (b *box) chat(w http.ResponseWriter, r *http.Request) {
	var asked boxRequest
	raw, _ := io.ReadAll(r.Body)
	if json.Unmarshal(raw, &asked) != nil || len(asked.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"no messages"}}`)
		return
	}
	if b.hangs {
		select {
		case <-b.done:
		case <-r.Context().Done():
		}
		return
	}
	if b.closes {
		defer b.hangUp(w)
	}
	last := asked.Messages[len(asked.Messages)-1]
	switch {
	case last.Role == "assistant":
		b.begun(w, last.Content)
	case asked.ResponseFormat != nil:
		b.json(w)
	case strings.Contains(last.Content, "fifteen"):
		b.reply(w, "one", " two", " three", " four", " five six seven eight nine")
	case strings.Contains(last.Content, "lighthouse") && !b.whole:
		b.story(w, r)
	default:
		b.reply(w, "Good morning.")
	}
}

func (b *box) begun(w http.ResponseWriter, beginning string) {
	next := " three, four, five"
	if strings.HasSuffix(beginning, "three") {
		next = " four five six seven"
	}
	switch b.prefill {
	case Refused:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"prefill is not supported","code":400}}`)
	case Echoed:
		b.reply(w, beginning+next)
	case Ignored:
		b.reply(w, "Sure, here is the count!")
	default:
		b.reply(w, next)
	}
}

func (b *box) json(w http.ResponseWriter) {
	switch b.schema {
	case Refused:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"response_format is not supported","code":400}}`)
	case Yes:
		b.reply(w, "{\n \"probe\" : true }")
	default:
		b.reply(w, "Good morning, my friend.")
	}
}

// reply writes a reply in pieces that are sent one by one.
func (b *box) reply(w http.ResponseWriter, pieces ...string) {
	if b.whole {
		text, _ := json.Marshal(strings.Join(pieces, ""))
		fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, text)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if b.field != "" {
		fmt.Fprintf(w, `data: {"choices":[{"delta":{"%s":"hmm"}}]}`+"\n\n", b.field)
	}
	for i, piece := range pieces {
		if i > 0 {
			time.Sleep(15 * time.Millisecond)
		}
		fmt.Fprint(w, delta(piece))
		w.(http.Flusher).Flush()
	}
	fmt.Fprint(w, stopFrame)
	if b.usage {
		fmt.Fprint(w, usageFrame)
	}
	fmt.Fprint(w, doneFrame)
}

// story writes until nobody listens, or for ever.
func (b *box) story(w http.ResponseWriter, r *http.Request) {
	b.running.Add(1)
	defer b.running.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		fmt.Fprint(w, delta("The lamp turned. "))
		w.(http.Flusher).Flush()
		gone := r.Context().Done()
		if b.stubborn {
			gone = nil
		}
		select {
		case <-gone:
			return
		case <-b.done:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// hangUp closes the connection behind a reply that promised to keep it.
func (b *box) hangUp(w http.ResponseWriter) {
	w.(http.Flusher).Flush()
	if conn, buffered, err := w.(http.Hijacker).Hijack(); err == nil {
		_, _ = buffered.WriteString("0\r\n\r\n")
		_ = buffered.Flush()
		_ = conn.Close()
	}
}

func (b *box) seenKeys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.keys)
}

const (
	boxKey    = "sk-the-right-key-1"
	vllmList  = `{"object":"list","data":[{"id":"her","owned_by":"vllm","max_model_len":32768},{"id":"rm","owned_by":"vllm","max_model_len":16384}]}`
	vllmGauge = "# HELP vllm:num_requests_running x\nvllm:num_requests_running{engine=\"0\",model_name=\"a {b} c\"} %d.0\nvllm:num_requests_running_total 7\n"
)

// boxes are the kinds of server, as they differ on the wire.
func boxes() map[string]*box {
	return map[string]*box{
		"vllm": {
			pages: map[string]string{"/version": `{"version":"0.11.0"}`, "/health": ""}, list: vllmList,
			key: boxKey, usage: true, schema: Yes, gaugeAt: "/metrics", gauge: vllmGauge, field: "reasoning",
		},
		"llamacpp": {
			pages: map[string]string{
				"/props": `{"default_generation_settings":{"n_ctx":4096},"total_slots":2,"build_info":"b4321"}`, "/health": `{"status":"ok"}`,
			},
			list: `{"models":[{}],"data":[{"id":"x.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":40960}}]}`,
			key:  boxKey, listOpen: true, usage: true, schema: Yes, prefill: Echoed, closes: true,
			gaugeAt: "/slots", gauge: `[{"id":0,"is_processing":false},{"id":1,"state":%d}]`, field: "reasoning_content",
		},
		"ollama": {
			pages: map[string]string{
				"/api/version": `{"version":"0.12.3"}`, "/": "Ollama is running",
				"/api/ps":   `{"models":[{"name":"her:latest","model":"her:latest","context_length":4096}]}`,
				"/api/show": `{"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`,
			},
			list:  `{"object":"list","data":[{"id":"her:latest","owned_by":"library"},{"id":"small","owned_by":"library"}]}`,
			usage: true, schema: Yes,
		},
		"sglang": {
			pages: map[string]string{
				"/get_server_info": `{"model_path":"/m/her","version":"0.5.3","context_length":16384,"max_running_requests":64}`,
				"/get_model_info":  `{"model_path":"/m/her"}`, "/health": "",
			},
			list: `{"data":[{"id":"her","owned_by":"sglang"}]}`, usage: true, schema: Yes,
			gaugeAt: "/metrics", gauge: "sglang:num_running_reqs{tp_rank=\"0\"} %d.0\n",
		},
		"tgi": {
			pages: map[string]string{"/info": `{"model_id":"her","max_total_tokens":8192,"max_input_tokens":8191,"max_concurrent_requests":128,"version":"3.3.6"}`},
			list:  `{"object":"list","data":[{"id":"her","owned_by":"her"}]}`, schema: Refused,
			gaugeAt: "/metrics", gauge: "tgi_batch_current_size %d\n",
		},
		"lmstudio": {
			pages: map[string]string{"/api/v0/models": `{"data":[{"id":"her","state":"loaded","max_context_length":32768,"loaded_context_length":4096},{"id":"off","state":"not-loaded","max_context_length":8192,"loaded_context_length":512}]}`},
			list:  `{"data":[{"id":"her","object":"model","owned_by":"organization_owner"},{"id":"off"}]}`, lost: true, prefill: Ignored,
		},
		"other": {list: `{"data":[{"id":"her"}]}`, whole: true, prefill: Refused},
	}
}

// timeless takes out of a report what differs from run to run.
func timeless(t *testing.T, r Report) Report {
	t.Helper()
	if r.Chat == Yes && r.FirstByte <= 0 {
		t.Error("no time to the first text")
	}
	if r.Cancel == Yes && (r.FreedTime <= 0 || r.CancelTime <= 0) {
		t.Errorf("cancelled after %s, free after %s", r.CancelTime, r.FreedTime)
	}
	r.FirstByte, r.CancelTime, r.FreedTime = 0, 0, 0
	r.Prefill, r.PrefillWay = "", "" // has tests of its own
	return r
}

func TestProbeTellsTheKindsOfServer(t *testing.T) {
	her := []Model{{ID: "her"}}
	want := map[string]Report{
		"vllm": {
			Version: "0.11.0", Models: []Model{{ID: "her", ContextLength: 32768}, {ID: "rm", ContextLength: 16384}}, ContextLength: 32768,
			Auth: AuthAccepted, Streaming: Yes, Usage: Yes, Schema: Yes, Cancel: Yes, KeepAlive: KeepAliveKept, Reasoning: "reasoning",
		},
		"llamacpp": {
			Version: "b4321", Models: []Model{{ID: "x.gguf", ContextLength: 40960, Trained: 40960}}, Model: "x.gguf", ContextLength: 4096, Slots: 2,
			Auth: AuthAccepted, Streaming: Yes, Usage: Yes, Schema: Yes, Cancel: Yes, KeepAlive: KeepAliveBroken, Reasoning: "reasoning_content",
		},
		"ollama": {
			Version: "0.12.3", Model: "her:latest", ContextLength: 4096,
			Models: []Model{{ID: "her:latest", ContextLength: 4096, Trained: 40960}, {ID: "small", Trained: 40960}},
			Auth:   AuthNone, Streaming: Yes, Usage: Yes, Schema: Yes, Cancel: Unknown, KeepAlive: KeepAliveKept,
			Notes: []string{"her:latest is loaded with a context of 4096 tokens and could take 40960; longer prompts are cut without a word: set OLLAMA_CONTEXT_LENGTH for the server, or num_ctx in a Modelfile"},
		},
		"sglang": {
			Version: "0.5.3", Models: her, ContextLength: 16384, Slots: 64,
			Auth: AuthNone, Streaming: Yes, Usage: Yes, Schema: Yes, Cancel: Yes, KeepAlive: KeepAliveKept,
		},
		"tgi": {
			Version: "3.3.6", Models: her, ContextLength: 8192, Slots: 128,
			Auth: AuthNone, Streaming: Yes, Usage: No, Schema: Refused, Cancel: Yes, KeepAlive: KeepAliveKept,
		},
		"lmstudio": {
			Models: []Model{{ID: "her", ContextLength: 4096, Trained: 32768}, {ID: "off", Trained: 8192}}, ContextLength: 4096,
			Auth: AuthNone, Streaming: Yes, Usage: No, Schema: Ignored, Cancel: Unknown, KeepAlive: KeepAliveKept,
			Notes: []string{"her is loaded with a context of 4096 tokens and could take 32768: load it with a longer context"},
		},
		"other": {
			Models: her, Auth: AuthNone, Streaming: No, Usage: No, Schema: Ignored, Cancel: Unknown, KeepAlive: KeepAliveKept,
			Notes: []string{"the reply came in one piece: the server does not stream"},
		},
	}
	for kind, b := range boxes() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := b.start(t) + "/v1"
			c := newClient(t, Config{BaseURL: url, Kind: KindAuto, Name: "box", Key: b.key})
			got := timeless(t, c.Probe(t.Context()))
			w := want[kind]
			w.Name, w.BaseURL, w.Kind, w.Reachable, w.Chat, w.Model = "box", url, kind, true, Yes, firstOf(w.Model, "her")
			if d := cmp.Diff(w, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestProbeFindsTheAPIElsewhere(t *testing.T) {
	for name, tt := range map[string]struct{ at, given string }{
		"one step down":      {"/v1", "/api"},
		"below the path":     {"/openai/x/v1", "/openai/x"},
		"OpenRouter's place": {"/api/v1", ""},
		"Ollama's own path":  {"/v1", "/api/generate"},
	} {
		for _, lost := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lost=%v", name, lost), func(t *testing.T) {
				b := &box{at: tt.at, list: vllmList, lost: lost, whole: true}
				url := b.start(t)
				got := newClient(t, Config{BaseURL: url + tt.given, Kind: KindAuto}).Probe(t.Context())
				if got.BaseURL != url+tt.at || got.Chat != Yes || got.Fault != nil || got.Kind != KindVLLM {
					t.Errorf("report %+v", got)
				}
				notes := strings.Join(got.Notes, "; ") + got.Repaired
				if !strings.Contains(notes, url+tt.at) {
					t.Errorf("not a word of %s: %q", url+tt.at, notes)
				}
			})
		}
	}
	t.Run("where it wants a key", func(t *testing.T) {
		b := &box{list: vllmList, key: boxKey}
		url := b.start(t)
		got := newClient(t, Config{BaseURL: url + "/api", Kind: KindAuto}).Probe(t.Context())
		if got.BaseURL != url+"/v1" || got.Auth != AuthNeeded || got.Fault == nil || !got.Reachable {
			t.Errorf("report %+v", got)
		}
	})
	t.Run("nowhere", func(t *testing.T) {
		url := (&box{at: "/deep/down"}).start(t)
		got := newClient(t, Config{BaseURL: url, Kind: KindAuto}).Probe(t.Context())
		if got.Fault == nil || got.BaseURL != url+"/v1" || !got.Reachable || got.Chat != Unknown {
			t.Errorf("report %+v", got)
		}
	})
}

func TestProbeSeesPingsAndAnHonestClose(t *testing.T) {
	s := newRawServer(t, func(_ int, r *http.Request, _ []byte) answerer {
		if r.URL.Path == "/v1/models" {
			return status(200, vllmList)
		}
		// The raw server says Connection: close with every answer.
		return bodyOf(": waiting\n\n", ":\n\n", delta("Good morning to all of you who are listening."), stopFrame+": late\n\n"+doneFrame)
	})
	got := newClient(t, Config{BaseURL: s.url()}).Probe(t.Context())
	if got.Chat != Yes || got.Pings != 2 || got.KeepAlive != KeepAliveClosed {
		t.Errorf("report %+v", got)
	}
}

func TestProbeKnowsALockedServer(t *testing.T) {
	b := boxes()["vllm"]
	url := b.start(t)
	got := newClient(t, Config{BaseURL: url, Kind: KindAuto}).Probe(t.Context())
	if got.Kind != KindVLLM || got.Version != "0.11.0" || got.Auth != AuthNeeded || got.Fault == nil || len(got.Models) != 0 {
		t.Errorf("report %+v", got)
	}
}

func TestProbeKeepsThePasswordOfAnAddressThatMoved(t *testing.T) {
	const password = "pw-not-for-eyes"
	b := &box{list: vllmList, whole: true, pages: map[string]string{"/version": `{"version":"` + password + `"}`}}
	url := strings.Replace(b.start(t), "//", "//user:"+password+"@", 1)
	got := newClient(t, Config{BaseURL: url + "/api", Kind: KindAuto}).Probe(t.Context())
	doc, err := json.Marshal(got)
	if err != nil || got.Chat != Yes || strings.Contains(string(doc), password) {
		t.Errorf("error %v, report %s", err, doc)
	}
	for _, sent := range b.seenKeys() {
		if !strings.HasPrefix(sent, "Basic ") && !strings.HasPrefix(sent, "Bearer wrong-") {
			t.Errorf("sent %q", sent)
		}
	}
}

func TestProbeAndKeys(t *testing.T) {
	for name, tt := range map[string]struct {
		box     *box
		key     string
		headers map[string]string
		want    Auth
	}{
		"none needed":        {&box{list: vllmList}, "", nil, AuthNone},
		"needed":             {&box{list: vllmList, key: boxKey}, "", nil, AuthNeeded},
		"needed for a chat":  {&box{list: vllmList, key: boxKey, listOpen: true}, "", nil, AuthNeeded},
		"refused":            {&box{list: vllmList, key: boxKey}, "sk-an-old-key-77", nil, AuthRefused},
		"refused at a chat":  {&box{list: vllmList, key: boxKey, listOpen: true}, "sk-an-old-key-77", nil, AuthRefused},
		"accepted":           {&box{list: vllmList, key: boxKey}, boxKey, nil, AuthAccepted},
		"accepted at a chat": {&box{list: vllmList, key: boxKey, listOpen: true}, boxKey, nil, AuthAccepted},
		"in a header":        {&box{list: vllmList, key: boxKey}, "", map[string]string{"authorization": "Bearer " + boxKey}, AuthAccepted},
		"any":                {&box{list: vllmList}, boxKey, nil, AuthAny},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.box.whole = true
			c := newClient(t, Config{BaseURL: tt.box.start(t), Key: tt.key, Headers: maps.Clone(tt.headers)})
			got := c.Probe(t.Context())
			if got.Auth != tt.want {
				t.Errorf("auth %q, want %q: %+v", got.Auth, tt.want, got)
			}
			if failed := tt.want == AuthNeeded || tt.want == AuthRefused; failed != (got.Fault != nil) {
				t.Errorf("fault %v", got.Fault)
			}
			for _, sent := range tt.box.seenKeys() {
				if tt.key == "" && tt.headers == nil && sent != "" {
					t.Errorf("a key was sent where none is configured: %q", sent)
				}
			}
		})
	}
}

func TestProbeEndsWhateverTheServerDoes(t *testing.T) {
	if got := newClient(t, Config{BaseURL: "http://127.0.0.1:1"}).Probe(t.Context()); got.Fault == nil || got.Fault.Kind != arena.Unreachable || got.Reachable || got.Chat != Unknown {
		t.Errorf("nobody there: %+v", got)
	}
	hold := newRawServer(t, always(answerer{Chunked: true, Hold: true}))
	cfg := Config{BaseURL: hold.url(), FirstByteTimeout: 200 * time.Millisecond, Retries: -1}
	if got := newClient(t, cfg).Probe(t.Context()); got.Fault == nil || got.Chat != Unknown {
		t.Errorf("a list that never ends: %+v", got)
	}
	cfg.BaseURL = (&box{list: vllmList, hangs: true}).start(t)
	if got := newClient(t, cfg).Probe(t.Context()); got.Fault == nil || got.Fault.Kind != arena.Stalled || got.Chat != No || !got.Reachable || got.Auth != AuthUnknown {
		t.Errorf("a chat that never begins: %+v", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	slow := newClient(t, Config{BaseURL: (&box{list: vllmList, hangs: true}).start(t)})
	if got := slow.Probe(ctx); got.Fault == nil || got.Fault.Kind != arena.Stalled || got.Fault.Hint == "" || !strings.Contains(got.Fault.Message, "within 300 ms") {
		t.Errorf("the time is over: %+v", got)
	}
	empty := newClient(t, Config{BaseURL: (&box{list: `{"object":"list","data":null}`}).start(t)})
	if got := empty.Probe(t.Context()); got.Fault == nil || got.Fault.Kind != arena.NoSuchModel || !strings.Contains(got.Fault.Error(), "lists no models") || got.Fault.Hint == "" || got.Auth != AuthNone {
		t.Errorf("no models: %+v", got)
	}
}

func TestProbeFollowsNoRedirect(t *testing.T) {
	other := &box{list: vllmList}
	away := other.start(t)
	s := httptest.NewServer(http.RedirectHandler(away+"/v1/models", http.StatusTemporaryRedirect))
	t.Cleanup(s.Close)
	got := newClient(t, Config{BaseURL: s.URL, Key: boxKey, Kind: KindAuto}).Probe(t.Context())
	if got.Fault == nil || !strings.Contains(got.Fault.Error(), away) || !got.Reachable {
		t.Errorf("report %+v", got)
	}
	if keys := other.seenKeys(); len(keys) > 0 {
		t.Errorf("the other server was asked: %q", keys)
	}
}

func TestProbeSeesAServerThatGoesOn(t *testing.T) {
	b := &box{list: vllmList, stubborn: true, gaugeAt: "/metrics", gauge: vllmGauge}
	c := newClient(t, Config{BaseURL: b.start(t), Kind: KindAuto})
	r := c.newReport()
	p := newProbe(c, &r, nil)
	p.patience = 300 * time.Millisecond
	if !p.look(t.Context()) || !p.chooseModel(nil) {
		t.Fatalf("report %+v", r)
	}
	p.cancel(t.Context())
	if r.Cancel != No || !strings.Contains(strings.Join(r.Notes, ";"), "goes on") {
		t.Errorf("report %+v", r)
	}
}

func TestProbeAsksTheModelOfChoiceAndTheReplicas(t *testing.T) {
	b := &box{list: vllmList, whole: true}
	second := &box{list: vllmList, key: boxKey}
	c := newClient(t, Config{BaseURL: b.start(t), Replicas: []string{second.start(t), "http://127.0.0.1:1/v1"}})
	var steps []string
	got := c.ProbeSteps(t.Context(), []string{"gone", "rm", "her"}, func(s string) { steps = append(steps, s) })
	if got.Model != "rm" || got.ContextLength != 16384 || got.Chat != Yes {
		t.Errorf("report %+v", got)
	}
	if len(got.Replicas) != 2 || got.Replicas[0].Fault == nil || got.Replicas[0].Fault.Kind != arena.Unauthorised || got.Replicas[1].Fault.Kind != arena.Unreachable {
		t.Errorf("replicas %+v", got.Replicas)
	}
	if len(steps) < 5 || steps[0] != "model list" {
		t.Errorf("steps %q", steps)
	}
}

func TestGlanceAsksForNoReply(t *testing.T) {
	for kind, b := range boxes() {
		b.key = ""
		c := newClient(t, Config{BaseURL: b.start(t), Kind: KindAuto})
		if got := c.Glance(t.Context()); got.Kind != kind || len(got.Models) == 0 || got.Chat != Unknown || got.Fault != nil || !got.Reachable {
			t.Errorf("%s: report %+v", kind, got)
		}
	}
}

// TestProbeOfAHostileServer lets every field hold what must reach nobody.
func TestProbeOfAHostileServer(t *testing.T) {
	const evil = "\u001b]0;x\u0007\u009b2J\u202e" + boxKey + "\nroot# "
	quoted, _ := json.Marshal(strings.Repeat(evil, 40))
	q := string(quoted)
	b := &box{
		pages: map[string]string{
			"/props":           `{"default_generation_settings":{"n_ctx":-1e300},"total_slots":1e300,"build_info":` + q + `}`,
			"/version":         `{"version":` + q + `}`,
			"/api/version":     `[[[` + q,
			"/info":            `{"max_total_tokens":` + q + `,"version":` + q + `}`,
			"/get_server_info": q,
			"/api/v0/models":   `{"data":[{"id":` + q + `,"state":` + q + `,"max_context_length":` + q + `}]}`,
			"/slots":           q,
			"/metrics":         "vllm:num_requests_running\nvllm:num_requests_running{} NaN\nvllm:num_requests_running} \n",
		},
		list:    `{"data":[{"id":` + q + `,"owned_by":` + q + `,"max_model_len":-5},{"id":` + q + `},7,null]}`,
		whole:   true,
		prefill: Refused,
	}
	odd := &box{list: `{"error":` + q + `}`}
	lying := newRawServer(t, always(status(500, `{"error":{"message":`+q+`,"type":`+q+`}}`)))
	for _, base := range []string{b.start(t), odd.start(t), lying.url()} {
		got := newClient(t, Config{BaseURL: base, Key: boxKey, Kind: KindAuto, Retries: -1}).Probe(t.Context())
		doc, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(doc), boxKey) {
			t.Errorf("the key is in the report: %s", doc)
		}
		words := append([]string{got.Version, got.Reasoning, got.Kind, got.Service}, got.Notes...)
		if got.Fault != nil {
			words = append(words, got.Fault.Error())
		}
		for _, w := range words {
			if strings.ContainsAny(w, "\x1b\x07\n\u009b\u202e") {
				t.Errorf("unsafe words %q", w)
			}
		}
	}
}

func TestStreamingByArrivals(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		a     arrivals
		first time.Duration
		want  Ability
	}{
		"nothing":              {arrivals{}, 0, Unknown},
		"one word":             {arrivals{1, 5, 300 * ms, 300 * ms}, 300 * ms, Unknown},
		"one long piece":       {arrivals{1, 80, 300 * ms, 300 * ms}, 300 * ms, No},
		"written as it comes":  {arrivals{15, 80, 300 * ms, 700 * ms}, 300 * ms, Yes},
		"a fast server":        {arrivals{15, 80, 5 * ms, 8 * ms}, 5 * ms, Yes},
		"held back by a proxy": {arrivals{15, 80, 900 * ms, 901 * ms}, 900 * ms, No},
		"too fast to be told":  {arrivals{15, 80, 20 * ms, 21 * ms}, 20 * ms, Unknown},
	} {
		got, why := tt.a.streaming(tt.first)
		if got != tt.want || (got == No) != (why != "") {
			t.Errorf("%s: %s (%s), want %s", name, got, why, tt.want)
		}
	}
}

func TestServices(t *testing.T) {
	for base, want := range map[string]string{
		"https://abc.us-east-1.aws.endpoints.huggingface.cloud/v1": serviceHF,
		"https://api.together.xyz/v1":                              "Together",
		"https://router.huggingface.co/v1":                         "Hugging Face",
		"https://nothuggingface.co/v1":                             "",
		"http://127.0.0.1:8000/v1":                                 "",
	} {
		if got := serviceOf(base); got != want {
			t.Errorf("%s: %q, want %q", base, got, want)
		}
	}
}

func TestCountPings(t *testing.T) {
	for raw, want := range map[string]int{
		"": 0, ": ping\n\n:\n\ndata: {}\n\n: late\n": 2, "data:\n\n:\r\n\r\ndata: x": 1, "{\"a\":1}": 0,
	} {
		if got := countPings([]byte(raw)); got != want {
			t.Errorf("countPings(%q) = %d, want %d", raw, got, want)
		}
	}
}

func TestNearestAndOffers(t *testing.T) {
	models := []Model{{ID: "her:latest"}, {ID: "qwen3:8b"}}
	if !Offers(models, "her") || !Offers(models, "her:latest") || Offers(models, "qwen3") || Offers(nil, "") {
		t.Error("a tag is misread")
	}
	if got := Nearest("qwen3-8b", models); len(got) != 2 || got[0] != "qwen3:8b" {
		t.Errorf("nearest %q", got)
	}
}
