package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/endpoint"
)

// clinic plays a server that the doctor visits.
type clinic struct {
	models string // body of the model list
	page   string // body of /version
	key    string
	say    string // what it replies

	mu     sync.Mutex
	asked  []string         // models
	bodies []map[string]any // of the chats
	heads  []http.Header    // of all requests
}

func (c *clinic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.heads = append(c.heads, r.Header.Clone())
	c.mu.Unlock()
	switch {
	case r.URL.Path == "/version":
		fmt.Fprint(w, c.page)
	case c.key != "" && r.Header.Get("Authorization") != "Bearer "+c.key:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":"Unauthorized"}`)
	case r.URL.Path == "/v1/models":
		fmt.Fprint(w, c.models)
	case r.URL.Path == "/v1/chat/completions" || r.URL.Path == "/v1/completions":
		c.chat(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (c *clinic) chat(w http.ResponseWriter, r *http.Request) {
	body := map[string]any{}
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &body)
	c.mu.Lock()
	c.asked = append(c.asked, fmt.Sprint(body["model"]))
	body["path"] = r.URL.Path
	c.bodies = append(c.bodies, body)
	c.mu.Unlock()
	field := `"delta":{"content":`
	if r.URL.Path == "/v1/completions" {
		field = `"x":{},"text":`
	}
	text, _ := json.Marshal(c.say)
	tail := "}"
	if strings.Contains(field, "text") {
		tail = ""
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,%s%s%s,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", field, text, tail)
}

func (c *clinic) start(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	return s.URL
}

// configured writes a configuration and returns its path.
func configured(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const clinicModels = `{"object":"list","data":[{"id":"her-32b","owned_by":"vllm","max_model_len":32768},{"id":"her-rm","owned_by":"vllm","max_model_len":16384}]}`

func TestDoctorExaminesWhatIsConfigured(t *testing.T) {
	home(t)
	t.Setenv("HERARENA_TEST_KEY", "sk-clinic-secret-1")
	good := &clinic{models: clinicModels, page: `{"version":"0.11.0"}`, key: "sk-clinic-secret-1", say: "one two three four five six seven"}
	path := configured(t, `
[endpoints.good]
url = "`+good.start(t)+`/v1/chat/completions"
key_env = "HERARENA_TEST_KEY"
extra_body = { priority = 7 }
[endpoints.good.headers]
X-Tenant = "her"
[endpoints.dead]
url = "http://127.0.0.1:1"
[endpoints.keyless]
url = "http://127.0.0.1:1"
key_env = "HERARENA_TEST_NO_SUCH_KEY"
[contestants.a-typo]
endpoint = "good"
model = "her-23b"
[contestants.b]
endpoint = "good"
model = "her-rm"
[critics.rm]
endpoint = "good"
model = "her-rm"
`)
	r := call(t, "", "doctor", "--config", path)
	if r.code != exitFailure || r.err != "" {
		t.Errorf("code %d, stderr %q", r.code, r.err)
	}
	for _, want := range []string{
		"works", "no answer", "not set up", "vllm 0.11.0", "her-32b (32768 tokens)", "asked       her-rm", "key accepted",
		"took off /chat/completions", "the model her-23b of contestant a-typo is not in the server's list; nearest: her-32b",
		"HERARENA_TEST_NO_SUCH_KEY", "connection refused",
	} {
		if !strings.Contains(strings.Join(strings.Fields(r.out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("not a word of %q:\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out+r.err, "clinic-secret") {
		t.Error("the key is shown")
	}
	for _, model := range good.asked {
		if model != "her-rm" {
			t.Errorf("%s was asked, which is the first neither in use and offered", model)
		}
	}
	for _, b := range good.bodies {
		if b["priority"] != 7.0 {
			t.Errorf("extra_body was not sent: %v", b)
		}
	}
	for _, h := range good.heads {
		if h.Get("X-Tenant") != "her" {
			t.Errorf("the headers were not sent: %v", h)
		}
	}
	doc := document(t, call(t, "", "doctor", "--config", path, "--json"))
	keys(t, doc, "config", "ledger", "endpoints", "found")
	var names []string
	for _, e := range doc["endpoints"].([]any) {
		one := e.(map[string]any)
		names = append(names, one["name"].(string))
		keys(t, one, "base_url", "reachable", "kind", "models", "auth", "chat", "streaming", "usage", "prefill", "json_schema", "cancel", "keep_alive", "pings", "first_byte_ns", "used")
	}
	if strings.Join(names, " ") != "dead good keyless" {
		t.Errorf("endpoints %q", names)
	}
}

func TestDoctorHonoursTheAPIOfAnEndpoint(t *testing.T) {
	home(t)
	raw := &clinic{models: clinicModels, say: " four five six seven"}
	path := configured(t, "[endpoints.raw]\nurl = \""+raw.start(t)+"/v1\"\napi = \"completions\"\n")
	if r := call(t, "", "doctor", "raw", "--config", path); r.code != exitOK || !strings.Contains(r.out, "works") {
		t.Errorf("doctor raw gave %+v", r)
	}
	if len(raw.bodies) == 0 {
		t.Fatal("nothing was asked")
	}
	for _, b := range raw.bodies {
		if b["path"] != "/v1/completions" || b["prompt"] == nil {
			t.Errorf("asked %v", b)
		}
	}
}

func TestDoctorOfOneAddress(t *testing.T) {
	home(t)
	t.Setenv("HERARENA_TEST_KEY", "sk-clinic-secret-2")
	t.Setenv("HERARENA_API_KEY", "")
	locked := &clinic{models: clinicModels, key: "sk-clinic-secret-2", say: "yes"}
	url := locked.start(t)
	path := configured(t, "[endpoints.home]\nurl = \""+url+"\"\nkey_env = \"HERARENA_TEST_KEY\"\n")
	if r := call(t, "", "doctor", url+"/v1/models"); r.code != exitFailure || !strings.Contains(r.out, "key needed") {
		t.Errorf("without a key: %+v", r)
	}
	if r := call(t, "", "doctor", url+"/v1/models", "--config", path); r.code != exitOK || !strings.Contains(r.out, "key accepted") || !strings.Contains(r.out, "home") {
		t.Errorf("the address of a configured endpoint: %+v", r)
	}
	t.Setenv("HERARENA_API_KEY", "sk-clinic-secret-2")
	if r := call(t, "", "doctor", url); r.code != exitOK || strings.Contains(r.out, "found ") {
		t.Errorf("with the key of the environment: %+v", r)
	}
	for _, bad := range []string{"ftp://h", "http://h:99999", "", "not a url"} {
		if r := call(t, "", "doctor", bad, "--config", path); r.code != exitUsage || r.out != "" || !strings.Contains(r.err, "the address of the endpoint") || !strings.Contains(r.err, "endpoint: home") {
			t.Errorf("doctor %q gave %+v", bad, r)
		}
	}
}

func TestDoctorSaysWhichAddressesDoNotAnswer(t *testing.T) {
	home(t)
	one := &clinic{models: clinicModels, say: "yes"}
	path := configured(t, "[endpoints.farm]\nurls = [\""+one.start(t)+"\", \"http://127.0.0.1:1/v1\"]\n")
	r := call(t, "", "doctor", "farm", "--config", path)
	if r.code != exitFailure || !strings.Contains(r.out, "in part") || !strings.Contains(r.out, "http://127.0.0.1:1/v1: nothing answers") {
		t.Errorf("doctor gave %+v", r)
	}
}

func TestDoctorEndsWhenInterrupted(t *testing.T) {
	home(t)
	held := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(held); s.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	var out, errw strings.Builder
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"doctor", s.URL}, strings.NewReader(""), &out, &errw) }()
	select {
	case code := <-done:
		if code != exitInterrupted || out.Len() > 0 {
			t.Errorf("code %d, stdout %q, stderr %q", code, out.String(), errw.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("doctor hangs")
	}
}

func TestDoctorAndAHostileServer(t *testing.T) {
	home(t)
	const key = "sk-clinic-secret-3"
	t.Setenv("HERARENA_API_KEY", key)
	evil, _ := json.Marshal("a\u001b[2J\u009b1m\u202e\u0007" + key + "\nwicked   works   vllm 9.9\n  fault       none")
	bad := &clinic{models: `{"data":[{"id":` + string(evil) + `,"owned_by":"vllm"}]}`, page: `{"version":` + string(evil) + `}`, say: string(evil)}
	url := bad.start(t)
	r := call(t, "", "doctor", url)
	for _, line := range strings.Split(r.out, "\n") {
		if strings.HasPrefix(line, "wicked") || strings.HasPrefix(line, "  fault ") {
			t.Errorf("the server wrote a line of the page: %q", line)
		}
	}
	j := call(t, "", "doctor", url, "--json")
	document(t, j)
	for _, text := range []string{r.out, r.err, j.out, j.err} {
		if strings.Contains(text, key) {
			t.Errorf("the key is shown: %s", text)
		}
		if i := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) }); i >= 0 {
			t.Errorf("unsafe at %d: %q", i, text)
		}
	}
}

// examined is a page with every state a row can show.
func examined() doctorOutput {
	report := func(name string, change func(*endpoint.Report)) checkup {
		r := endpoint.Unprobed(name, nil)
		r.BaseURL = "http://127.0.0.1:8000/v1"
		change(&r)
		return checkup{Report: r, Used: []usedModel{}}
	}
	works := func(r *endpoint.Report) {
		r.Reachable, r.Kind, r.Version, r.Model = true, endpoint.KindVLLM, "0.11.0", "her-32b"
		r.Models = []endpoint.Model{{ID: "her-32b", ContextLength: 32768}, {ID: "her-rm", ContextLength: 16384}}
		r.ContextLength, r.Auth, r.Chat = 32768, endpoint.AuthAccepted, endpoint.Yes
		r.Streaming, r.Usage, r.Prefill, r.PrefillWay, r.Schema = endpoint.Yes, endpoint.Yes, endpoint.Yes, "flags", endpoint.Yes
		r.Cancel, r.CancelTime, r.FreedTime = endpoint.Yes, 2*time.Millisecond, 120*time.Millisecond
		r.KeepAlive, r.FirstByte, r.Reasoning = endpoint.KeepAliveKept, 310*time.Millisecond, "reasoning"
	}
	fault := func(kind arena.FaultKind, words, hint string) func(*endpoint.Report) {
		return func(r *endpoint.Report) { r.Fault = &arena.Fault{Kind: kind, Message: words, Hint: hint} }
	}
	policy := report("policy", works)
	policy.Used = []usedModel{{Model: "her-23b", By: []string{"contestant her", "critic rm"}, Offered: endpoint.No, Nearest: []string{"her-32b", "her-rm"}}}
	farm := report("farm", works)
	farm.Replicas = []endpoint.Replica{{BaseURL: "http://gpu2:8000/v1", Fault: &arena.Fault{Kind: arena.Unreachable, Message: "nothing answers at gpu2:8000"}}}
	return doctorOutput{
		Config: "config.toml", Ledger: "ledger.db",
		Endpoints: []checkup{
			policy, farm,
			report("a very long name of an endpoint 你好", func(r *endpoint.Report) {
				works(r)
				r.Kind, r.Version, r.Slots = endpoint.KindLlamaCpp, "b4321-with-a-long-tail", 1
				r.Streaming, r.Usage, r.Schema, r.Prefill, r.PrefillWay = endpoint.Unknown, endpoint.No, endpoint.Ignored, endpoint.Refused, ""
				r.Cancel, r.FreedTime, r.KeepAlive, r.Pings, r.Reasoning = endpoint.Unknown, 0, endpoint.KeepAliveBroken, 3, ""
				r.FirstByte = 12340 * time.Millisecond
				r.Notes = []string{"her-32b is loaded with a context of 4096 tokens and could take 32768; longer prompts are cut without a word"}
			}),
			report("http://10.0.0.7:8080/v1", fault(arena.Unreachable, "nothing answers at 10.0.0.7:8080: connection refused", "start the server, or check the port in the address")),
			report("locked", func(r *endpoint.Report) {
				r.Reachable, r.Auth = true, endpoint.AuthRefused
				fault(arena.Unauthorised, "locked answered with status 401", "the key was refused; check the one in $KEY")(r)
			}),
			report("waking", func(r *endpoint.Report) {
				r.Reachable = true
				fault(arena.Loading, "waking answered with status 503: Loading model", "")(r)
			}),
			report("bare", func(r *endpoint.Report) {
				r.Reachable, r.Kind, r.Auth = true, endpoint.KindOllama, endpoint.AuthNone
				fault(arena.NoSuchModel, "bare answers, but lists no models: nothing could be asked", "get a model with: ollama pull NAME")(r)
			}),
			report("slow", func(r *endpoint.Report) {
				works(r)
				r.Chat, r.Kind, r.ConfiguredKind = endpoint.No, endpoint.KindVLLM, endpoint.KindOllama
				fault(arena.Stalled, "slow began a short reply and did not end it within 1.5 min", "try again")(r)
			}),
		},
		Found: []foundServer{{
			Found:   endpoint.Found{BaseURL: "http://127.0.0.1:11434/v1", Kind: endpoint.KindOllama, Models: []endpoint.Model{{ID: "qwen3:8b", ContextLength: 4096, Trained: 40960}}},
			Version: "0.12.3", Reachable: true,
		}},
	}
}

func TestDoctorPage(t *testing.T) {
	page := doctorPage(examined())
	for _, line := range strings.Split(page, "\n") {
		if w := ansi.StringWidth(line); w > pageColumns {
			t.Errorf("%d columns: %s", w, line)
		}
	}
	file := filepath.Join("testdata", "doctor.txt")
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), page); d != "" {
		t.Errorf("(-want +got), -update writes it anew:\n%s", d)
	}
}

func TestDoctorPageWithoutEndpoints(t *testing.T) {
	page := doctorPage(doctorOutput{Ledger: "ledger.db"})
	if !strings.Contains(page, "config init") || !strings.Contains(page, "the rehearsal plays") {
		t.Error(page)
	}
}

func TestAlignedNeverOverflows(t *testing.T) {
	wide := strings.Repeat("宽", 200)
	for _, row := range [][]string{{wide, "x", wide}, {"", "", ""}, {wide + "\n", "\x1b[1m", "y"}} {
		for _, line := range strings.Split(aligned([][]string{{"a", "b", "c"}, row}, 40, 0, 2), "\n") {
			if w := ansi.StringWidth(line); w > 40 {
				t.Errorf("%d columns: %q", w, line)
			}
		}
	}
}

func TestWordLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"a bb ccc":        "a bb|ccc",
		"abcdefgh ij":     "abcde|fgh|ij",
		"x abcdefgh":      "x|abcde|fgh",
		"宽宽宽":             "宽宽|宽",
		"her-32b, her-rm": "her-3|2b,|her-r|m",
	} {
		if got := strings.Join(wordLines(text, 5), "|"); got != want {
			t.Errorf("wordLines(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShortTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "-", time.Microsecond: "1 ms", 310 * time.Millisecond: "310 ms", 999999 * time.Microsecond: "1000 ms",
		1250 * time.Millisecond: "1.2 s", 90 * time.Second: "90.0 s", 120 * time.Second: "120 s", 1000 * time.Hour: "9999 s",
	} {
		if got := shortTime(d); got != want {
			t.Errorf("shortTime(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestProgressIsForTerminalsAlone(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out)
	p.say("a", "model list")
	p.end()
	if out.Len() > 0 {
		t.Errorf("wrote %q where nobody looks", out.String())
	}
	p.to = &out
	p.say("a\x1b[2J", "model list")
	p.say("b", "a first reply")
	p.say("a\x1b[2J", "")
	p.end()
	if got := out.String(); !strings.Contains(got, "a: model list · b: a first reply") || strings.Contains(got, "\x1b[2J") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("wrote %q", got)
	}
}
