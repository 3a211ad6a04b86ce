package endpoint

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"herarena/arena"
)

// engine plays how a server treats the beginning of a reply. Its model counts
// when it is asked to, and else plans and speaks.
type engine struct {
	// takes says what becomes of a beginning: "continue", "echo", "ignore",
	// "user" (the beginning becomes a turn of the user), or an error text.
	takes func(path string, body map[string]any) string
	owner string
}

func (e engine) answer(_ int, r *http.Request, raw []byte) answerer {
	if strings.HasSuffix(r.URL.Path, "/models") {
		return status(200, `{"object":"list","data":[{"id":"m","owned_by":"`+e.owner+`"}]}`)
	}
	var body map[string]any
	_ = json.Unmarshal(raw, &body)
	prompt, _ := json.Marshal(body)
	counting := strings.Contains(string(prompt), "Count from one")
	began, rest := "<system_thinking>", "I plan.</system_thinking>Hi"
	if counting {
		began, rest = probePrefill, " three, four, five, six, seven"
	}
	var text string
	switch what := e.takes(r.URL.Path, body); what {
	case "continue":
		text = rest
	case "echo":
		text = began + rest
	case "ignore", "user":
		if text = "Hello there."; counting {
			text = "One, two, three, four, five, six, seven"
		}
	default:
		return status(400, `{"error":{"message":"`+what+`"}}`)
	}
	if strings.HasSuffix(r.URL.Path, "/completions") && !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		quoted, _ := json.Marshal(text)
		return bodyOf(`data: {"choices":[{"index":0,"text":`+string(quoted)+`,"finish_reason":"stop"}]}`+"\n\n", doneFrame)
	}
	return stream(text)
}

// lastRole is the role of the last message, "" for a prompt.
func lastRole(body map[string]any) string {
	list, _ := body["messages"].([]any)
	if len(list) == 0 {
		return ""
	}
	m, _ := list[len(list)-1].(map[string]any)
	role, _ := m["role"].(string)
	return role
}

func TestPrefillIsFoundByAskingOnce(t *testing.T) {
	onlyFlags := func(_ string, b map[string]any) string {
		if b["continue_final_message"] == true && b["add_generation_prompt"] == false {
			return "continue"
		}
		return "ignore"
	}
	tests := []struct {
		name, model, owner string
		takes              func(path string, body map[string]any) string
		way                prefillWay
		asked              int // requests of the search
	}{
		{"vLLM", "m", "vllm", onlyFlags, PrefillFlags, 1},
		{"an unknown server with vLLM's flags", "m", "acme", onlyFlags, PrefillFlags, 1},
		{"llama.cpp, which echoes without its flag", "m", "llamacpp", func(_ string, b map[string]any) string {
			if b["continue_final_message"] != nil {
				return "Cannot use continue_final_message"
			}
			return "echo"
		}, PrefillTrailing, 2},
		{"SGLang", "m", "sglang", func(_ string, b map[string]any) string {
			if b["continue_final_message"] == true && b["add_generation_prompt"] == nil {
				return "continue"
			}
			return "user"
		}, wayContinue, 1},
		{"an unknown server with SGLang's flag alone", "m", "acme", func(_ string, b map[string]any) string {
			switch {
			case b["add_generation_prompt"] != nil:
				return "extra fields not permitted: add_generation_prompt"
			case b["continue_final_message"] == true:
				return "continue"
			}
			return "user"
		}, wayContinue, 2},
		{"a server that continues a last assistant message", "m", "acme", func(_ string, b map[string]any) string {
			if b["continue_final_message"] != nil {
				return "unknown field"
			}
			if lastRole(b) == "assistant" {
				return "continue"
			}
			return "ignore"
		}, PrefillTrailing, 3},
		{"a field prefix", "m", "acme", func(_ string, b map[string]any) string {
			if list, _ := b["messages"].([]any); len(list) > 0 {
				if m, _ := list[len(list)-1].(map[string]any); m["prefix"] == true {
					return "continue"
				}
			}
			return "ignore"
		}, PrefillPrefix, 4},
		{"raw completions for a model that speaks ChatML", "Qwen/Qwen3-32B", "vllm", func(path string, _ map[string]any) string {
			if path == "/v1/completions" {
				return "continue"
			}
			return "ignore"
		}, PrefillCompletions, 2},
		{"no raw completions for one that may not", "meta/llama", "vllm", func(path string, _ map[string]any) string {
			if path == "/v1/completions" {
				return "continue"
			}
			return "ignore"
		}, PrefillOff, 1},
		{"a server that ignores all of it", "m", "acme", func(string, map[string]any) string { return "ignore" }, PrefillOff, 4},
		{"a server that refuses all of it", "m", "acme", func(_ string, b map[string]any) string {
			if lastRole(b) == "assistant" {
				return "the last message must be the user's"
			}
			return "ignore"
		}, PrefillOff, 4},
		{"thinking must be off", "m", "llamacpp", func(_ string, b map[string]any) string {
			if kwargs, _ := b["chat_template_kwargs"].(map[string]any); kwargs["enable_thinking"] != false {
				return "Assistant response prefill is incompatible with enable_thinking."
			}
			return "continue"
		}, PrefillFlags, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, engine{takes: tt.takes, owner: tt.owner}.answer)
			memory := NewFileMemory(filepath.Join(t.TempDir(), "cache", "endpoints.json"))
			cfg := Config{BaseURL: s.url(), Kind: KindAuto, ProbePrefill: true, Memory: memory}
			c := newClient(t, cfg)
			call := hello()
			call.Prefill = "<system_thinking>"
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if out := play(t, c, tt.model, call); out.Fault != nil || len(out.retries) != 0 {
						t.Errorf("fault %v, retries %+v", out.Fault, out.retries)
					}
				})
			}
			wg.Wait()
			asks := 0
			for _, r := range s.seen() {
				if b, _ := json.Marshal(r.body); strings.Contains(string(b), "Count from one") {
					asks++
				}
			}
			if got := c.wayOf(c.quirksOf(tt.model)); got != tt.way || asks != tt.asked {
				t.Errorf("way %q after %d questions, want %q after %d", got, asks, tt.way, tt.asked)
			}
			if refused := c.Player(tt.model).PrefillRefused(); refused != (tt.way == PrefillOff) {
				t.Errorf("PrefillRefused is %v", refused)
			}
			// Another run knows without asking.
			before := len(s.seen())
			cfg.Memory = NewFileMemory(memory.path)
			out := play(t, newClient(t, cfg), tt.model, call)
			if out.Fault != nil || len(s.seen())-before > 2+btoi(tt.asked == 2 && tt.way == PrefillFlags) { // the model list and the reply
				t.Errorf("the next run: fault %v, %d requests", out.Fault, len(s.seen())-before)
			}
		})
	}
}

func TestWhatIsNotClearIsNotRemembered(t *testing.T) {
	for name, answer := range map[string]func(int, *http.Request, []byte) answerer{
		"down":        always(status(503, `{"error":"down"}`)),
		"no words":    always(stream("")),
		"cut off":     always(bodyOf(delta("tw"))),
		"a wrong key": always(status(401, `{"error":"Unauthorized"}`)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, answer)
			memory := NewFileMemory(filepath.Join(t.TempDir(), "endpoints.json"))
			c := newClient(t, Config{BaseURL: s.url(), Kind: KindVLLM, ProbePrefill: true, Memory: memory, Retries: -1})
			call := hello()
			call.Prefill = "<system_thinking>"
			play(t, c, "m", call)
			if got := c.wayOf(c.quirksOf("m")); got != PrefillFlags {
				t.Errorf("way %q, want the kind's", got)
			}
			if _, ok := memory.Recall(c.key("m")); ok {
				t.Error("it is remembered")
			}
		})
	}
}

func TestAPrefillThatWasIgnoredIsNoticed(t *testing.T) {
	ignore := false
	s := newRawServer(t, engine{owner: "vllm", takes: func(_ string, _ map[string]any) string {
		if ignore {
			return "ignore"
		}
		return "continue"
	}}.answer)
	c := newClient(t, Config{BaseURL: s.url(), Kind: KindVLLM, ProbePrefill: true})
	call := hello()
	call.Prefill = "<system_thinking>"
	if out := play(t, c, "m", call); len(out.Notes) != 0 || !strings.HasPrefix(out.Content, "I plan.") {
		t.Fatalf("content %q, notes %q", out.Content, out.Notes)
	}
	ignore = true // the server is started anew, without the flag
	out := play(t, c, "m", call)
	if len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "may have ignored") {
		t.Errorf("notes %q", out.Notes)
	}
	// The next call asks again and then leaves the beginning out.
	out = play(t, c, "m", call)
	if !c.Player("m").PrefillRefused() || len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "left out") {
		t.Errorf("refused %v, notes %q", c.Player("m").PrefillRefused(), out.Notes)
	}
	seen := s.seen()
	if last := seen[len(seen)-1].body; lastRole(last) != "user" || last["continue_final_message"] != nil {
		t.Errorf("last request %v", last)
	}
}

func TestTookUp(t *testing.T) {
	for _, tt := range []struct {
		prefill, content string
		want             bool
	}{
		{"<system_thinking>", "I plan.</system_thinking>Hi", true},
		{"<system_thinking>", "I plan.</system_think>Hi", true},
		{"<system_thinking>", "<system_thinking>I plan.", true},
		{"<system_thinking>", "\n<system_thinking>\nI plan.</system_thinking>", true},
		{"<system_thinking>", "I plan.</think>Hi", true},
		{"<system_thinking>", "Hello there.", false},
		{"<system_thinking>", "<role_action>nods</role_action>Hello.", false},
		{"<think>\n", "Hm.</think>Hi", true},
		{"<role_thinking>", "he lies</role_thinking>Hi", true},
		{"<role_thinking>", "Hi", false},
	} {
		if got := tookUp(openTag(tt.prefill), tt.prefill, tt.content); got != tt.want {
			t.Errorf("%q then %q: %v", tt.prefill, tt.content, got)
		}
	}
	for _, text := range []string{"", "Mara:", "<a>b", "</a>", "< >", "<a b>", "x < y >"} {
		if name := openTag(text); name != "" {
			t.Errorf("%q opens %q", text, name)
		}
	}
}

func TestFileMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.json")
	m, other := NewFileMemory(path), NewFileMemory(path)
	f := Finding{Kind: KindVLLM, Prefill: "flags", At: time.Now().UTC().Truncate(time.Second)}
	m.Keep("k", f)
	other.Keep("l", f) // another process: nothing of either is lost
	if got, ok := NewFileMemory(path).Recall("k"); !ok || got != f {
		t.Errorf("recalled %+v, %v", got, ok)
	}
	if _, ok := NewFileMemory(path).Recall("l"); !ok {
		t.Error("the other's finding is gone")
	}
	m.Forget("k")
	if _, ok := NewFileMemory(path).Recall("k"); ok {
		t.Error("forgotten and still there")
	}
	for _, damage := range []string{"", "{", "[]", "null", `{"k":3}`} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := NewFileMemory(path)
		if _, ok := fresh.Recall("k"); ok {
			t.Errorf("recalled from %q", damage)
		}
		fresh.Keep("k", f)
		if _, ok := NewFileMemory(path).Recall("k"); !ok {
			t.Errorf("not kept over %q", damage)
		}
	}
	for i := range maxFindings + 20 {
		m.Keep(string(rune('a'+i%26))+strings.Repeat("x", i), Finding{At: time.Unix(int64(i), 0)})
	}
	if n := len(m.findings); n != maxFindings {
		t.Errorf("%d findings are kept", n)
	}
	// A folder that cannot be made: a memory for this run.
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	here := NewFileMemory(filepath.Join(blocked, "x.json"))
	here.Keep("k", f)
	if _, ok := here.Recall("k"); !ok {
		t.Error("not even remembered for this run")
	}
}

func TestStaleFindingsAreAskedForAnew(t *testing.T) {
	memory := NewFileMemory(filepath.Join(t.TempDir(), "m.json"))
	c := newClient(t, Config{BaseURL: "http://h", Memory: memory})
	for name, f := range map[string]Finding{
		"old":          {Kind: KindVLLM, Prefill: "flags", At: time.Now().Add(-keepsFor)},
		"another kind": {Kind: KindTGI, Prefill: "flags", At: time.Now()},
		"unknown way":  {Kind: KindVLLM, Prefill: "magic", At: time.Now()},
	} {
		memory.Keep(c.key("m"), f)
		if way, ok := c.recall("m", KindVLLM); ok {
			t.Errorf("%s: %q", name, way)
		}
	}
	memory.Keep(c.key("m"), Finding{Kind: KindVLLM, Prefill: "off", At: time.Now()})
	if way, ok := c.recall("m", KindVLLM); !ok || way != PrefillOff {
		t.Errorf("way %q, %v", way, ok)
	}
}

func TestTheSearchEndsWhenThePersonStops(t *testing.T) {
	s := newRawServer(t, always(answerer{Hold: true}))
	c := newClient(t, Config{BaseURL: s.url(), Kind: KindVLLM, ProbePrefill: true})
	ctx, cancel := context.WithCancel(context.Background())
	call := hello()
	call.Prefill = "x"
	var wg sync.WaitGroup
	for range 3 { // the second and third wait for the first one's search
		wg.Go(func() {
			if out := c.Player("m").Play(ctx, call, nil); out.Fault == nil || out.Fault.Kind != arena.Cancelled {
				t.Errorf("fault %v", out.Fault)
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	wg.Wait()
}
