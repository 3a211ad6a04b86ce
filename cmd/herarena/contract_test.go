package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// home gives the test folders of its own for configuration and data.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return dir
}

type result struct {
	code     int
	out, err string
}

// call runs a command in the process.
func call(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out, errw bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(in), &out, &errw)
	return result{code, out.String(), errw.String()}
}

// document decodes the one JSON document a command printed, and fails on
// anything beside it.
func document(t *testing.T, r result) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(r.out))
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("stdout is no JSON document: %v\n%s\nstderr: %s", err, r.out, r.err)
	}
	if dec.More() {
		t.Fatalf("more than one document on stdout: %s", r.out)
	}
	return doc
}

func keys(t *testing.T, doc map[string]any, want ...string) {
	t.Helper()
	for _, k := range want {
		if _, ok := doc[k]; !ok {
			t.Errorf("the document has no %q: %v", k, doc)
		}
	}
}

func TestLayersCommand(t *testing.T) {
	r := call(t, "Plan.</system_thinking>Mara: <role_thinking>He lies</role_thinking>Good evening.", "layers", "--name", "Mara", "--prefill", "<system_thinking>", "--json")
	doc := document(t, r)
	want := `[map[layer:system text:Plan.] map[layer:think text:He lies] map[layer:speech text:Good evening.]]`
	if got := fmt.Sprint(doc["segments"]); got != want || doc["dialect"] != "her" || doc["truncated"] != false || r.code != 0 {
		t.Errorf("got %v, exit %d", doc, r.code)
	}
	keys(t, doc, "spoke_for")
	if r := call(t, "", "layers", "--json"); r.code != 0 || fmt.Sprint(document(t, r)["segments"]) != "[]" {
		t.Errorf("an empty reply gave %+v", r)
	}
	if r := call(t, "x", "layers", "--dialect", "latin"); r.code != exitUsage || !strings.Contains(r.err, "latin") {
		t.Errorf("an unknown dialect gave %+v", r)
	}
	if r := call(t, "<role_action>\x1b]52;c;aGk=\x07bows</role_action>", "layers"); strings.ContainsRune(r.out, 0x1b) {
		t.Errorf("an escape sequence reached the terminal: %q", r.out)
	}
}

func TestJudgeParseCommand(t *testing.T) {
	cases, err := os.ReadFile("testdata/verdicts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(cases)), "\n") {
		var c struct {
			ID, Raw string
			Expect  struct {
				Status      string  `json:"status"`
				Better      *string `json:"better_response"`
				Principles  int     `json:"principles"`
				Comparisons int     `json:"comparisons"`
				Disagrees   bool    `json:"tally_disagrees"`
			}
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			r := call(t, c.Raw, "judge", "parse", "--json")
			doc := document(t, r)
			keys(t, doc, "status", "better_response", "principles", "comparisons", "tally", "tally_disagrees")
			var better any
			if c.Expect.Better != nil {
				better = *c.Expect.Better
			}
			if doc["status"] != c.Expect.Status || doc["better_response"] != better || r.code != 0 ||
				len(doc["principles"].([]any)) != c.Expect.Principles || len(doc["comparisons"].([]any)) != c.Expect.Comparisons ||
				(c.Expect.Disagrees && doc["tally_disagrees"] != true) {
				t.Errorf("got %v, want %+v", doc, c.Expect)
			}
		})
	}
}

const pair = `{"context":[{"role":"system","name":"system","content":"You are Mara."},{"role":"user","name":"Teller","content":"Where is the cargo?"}],
"character":"Mara","cand_1":"<role_action>folds the map</role_action>The cargo? Ask the tide where it is.","cand_2":"As an AI language model, I cannot help with that."}`

func TestJudgePairCommand(t *testing.T) {
	home(t)
	r := call(t, pair, "judge", "pair", "--json")
	doc := document(t, r)
	if doc["better_response"] != "cand_1" || doc["agreement"] != "agree" || doc["critic"] != "house" || r.code != 0 {
		t.Errorf("got %v\nstderr %s", doc, r.err)
	}
	if r := call(t, pair, "judge", "pair"); r.code != 0 || !strings.Contains(r.out, "cand_1 shown first: cand_1   ") || !strings.Contains(r.out, " for cand_1, ") || !strings.Contains(r.out, " for cand_2, ") {
		t.Errorf("in words: %+v", r)
	}
	if r := call(t, "", "judge", "pair", "--help"); !strings.Contains(r.out, "assistant (the character)") {
		t.Errorf("the help is %s", r.out)
	}
	for name, in := range map[string]string{"no JSON": "hello", "empty candidate": `{"cand_1":"","cand_2":"x"}`} {
		if r := call(t, in, "judge", "pair"); r.code != exitFailure || r.err == "" || r.out != "" {
			t.Errorf("%s gave %+v", name, r)
		}
	}
	if r := call(t, pair, "judge", "pair", "--critic", "nobody"); r.code != exitFailure || !strings.Contains(r.err, "nobody") || !strings.Contains(r.err, "house") {
		t.Errorf("an unknown critic gave %+v", r)
	}
}

func TestJudgeTemplateCommands(t *testing.T) {
	dir := home(t)
	show := call(t, "", "judge", "template", "show")
	for _, want := range []string{"{context}", "{cand_1}", "{cand_2}", "better_response"} {
		if !strings.Contains(show.out, want) {
			t.Errorf("the built-in template lacks %s", want)
		}
	}
	card := filepath.Join(dir, "README.md")
	text := "# A model\n\n## Prompt\n\n```\n### Role\nJudge them.\n\n**Dialogue Context**\n{context}\n\n**Response Candidate 1**\n{cand_1}\n\n**Response Candidate 2**\n{cand_2}\n```\n\n## Licence\n"
	if err := os.WriteFile(card, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := call(t, "", "judge", "template", "import", card); r.code != 0 || !strings.Contains(r.out, "sha256 ") {
		t.Fatalf("import gave %+v", r)
	}
	show = call(t, "", "judge", "template", "show")
	if !strings.Contains(show.out, "Judge them.") || strings.Contains(show.out, "Licence") {
		t.Errorf("the template in force is %q", show.out)
	}
	if r := call(t, "", "judge", "template", "import", filepath.Join(dir, "none.md")); r.code != exitFailure || !strings.Contains(r.err, "none.md") {
		t.Errorf("a missing card gave %+v", r)
	}
}

func TestBoardFromFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "battles.csv")
	text := "model_a,model_b,winner\nx,y,model_a\ny,z,model_a\nz,x,tie\nx,y,tie (bothbad)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := call(t, "", "board", "--from", file, "--json")
	doc := document(t, r)
	if doc["battles"] != 4.0 || r.code != 0 {
		t.Errorf("got %v", doc)
	}
	keys(t, doc, "warnings")
	rows := doc["ratings"].([]any)
	if len(rows) != 3 {
		t.Fatalf("%d ratings, want 3", len(rows))
	}
	keys(t, rows[0].(map[string]any), "contestant", "elo", "bt", "low", "high", "rank", "battles", "wins", "losses", "ties", "both_bad")
	if rows[0].(map[string]any)["contestant"] != "x" {
		t.Errorf("first is %v, want x", rows[0])
	}
	page := filepath.Join(t.TempDir(), "board.html")
	if r := call(t, "", "board", "--from", file, "--html", page); r.code != 0 {
		t.Errorf("--html gave %+v", r)
	}
	if data, err := os.ReadFile(page); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("the page is %q, %v", data, err)
	}
	if r := call(t, "", "board", "--from", file+"x"); r.code != exitFailure || !strings.Contains(r.err, "battles.csvx") {
		t.Errorf("a missing file gave %+v", r)
	}
	if r := call(t, "", "board", "--from", file, "--bootstrap", "-1"); r.code != exitUsage {
		t.Errorf("a negative bootstrap gave %+v", r)
	}
}

func TestSayToTheRehearsal(t *testing.T) {
	home(t)
	r := call(t, "", "say", "--contestant", "rehearsal/lead", "--system", "You are Mara from a harbour tale.", "--json", "Good evening. My name is Teller.")
	doc := document(t, r)
	keys(t, doc, "content", "reasoning", "segments", "finish", "complete", "damaged", "usage", "error", "ttft_ms", "total_ms")
	if doc["complete"] != true || doc["finish"] != "stop" || doc["error"] != nil || doc["usage"] == nil || len(doc["segments"].([]any)) < 3 || r.code != 0 {
		t.Errorf("got %v\nstderr %s", doc, r.err)
	}
}

func TestSayNamesWhatIsWrong(t *testing.T) {
	home(t)
	t.Setenv("HERARENA_API_KEY", "sk-SECRETKEY")
	status := http.StatusUnauthorized
	body := `{"error":{"message":"bad key","type":"auth"}}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	defer srv.Close()
	kind := func(r result) any {
		t.Helper()
		e, ok := document(t, r)["error"].(map[string]any)
		if !ok || e["message"] == "" || e["hint"] == "" {
			t.Errorf("the error says too little: %v", r.out)
		}
		return e["kind"]
	}
	say := func(args ...string) result {
		return call(t, "", append([]string{"say", "--json"}, args...)...)
	}
	r := say("--url", srv.URL+"/v1", "--model", "m", "hello")
	if kind(r) != "unauthorised" || r.code != exitFailure || strings.Contains(r.out+r.err, "SECRETKEY") {
		t.Errorf("401 gave %+v", r)
	}
	status, body = http.StatusNotFound, `{"error":{"message":"The model 'm' does not exist","type":"NotFoundError","code":404}}`
	if r := say("--url", srv.URL+"/v1", "--model", "m", "hello"); kind(r) != "no_such_model" {
		t.Errorf("404 gave %s", r.out)
	}
	if r := say("--url", "http://127.0.0.1:1/v1", "--model", "m", "hello"); kind(r) != "unreachable" || r.code != exitFailure {
		t.Errorf("a closed port gave %+v", r)
	}
	for name, args := range map[string][]string{
		"nobody": {"say", "hello"}, "no model": {"say", "--url", "http://127.0.0.1:1", "hello"},
		"no line": {"say"}, "both": {"say", "--url", "x", "--contestant", "y", "hello"}, "unknown flag": {"say", "--frobnicate"},
		"unknown command": {"frobnicate"}, "unknown subcommand": {"judge", "frobnicate"},
	} {
		if r := call(t, "", args...); r.code != exitUsage || r.err == "" || r.out != "" {
			t.Errorf("%s gave %+v", name, r)
		}
	}
	if r := call(t, "", "say", "--url", "not a url", "--model", "m", "hello"); r.code != exitFailure || r.err == "" {
		t.Errorf("a bad URL gave %+v", r)
	}
}

func TestConfigCommands(t *testing.T) {
	dir := home(t)
	if r := call(t, "", "config", "show"); r.code != 0 || !strings.Contains(r.err, "defaults") {
		t.Errorf("show without a file gave %+v", r)
	}
	r := call(t, "", "config", "init")
	path := strings.TrimSpace(r.out)
	if r.code != 0 || !strings.HasPrefix(path, dir) {
		t.Fatalf("init gave %+v", r)
	}
	if r := call(t, "", "config", "init"); r.code != exitFailure || !strings.Contains(r.err, path) {
		t.Errorf("a second init gave %+v", r)
	}
	if r := call(t, "", "config", "path"); !strings.Contains(r.out, path) || !strings.Contains(r.out, "ledger.db") {
		t.Errorf("path gave %+v", r)
	}
	if err := os.WriteFile(path, []byte("blnd = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"config", "show"}, {"doctor"}, {"judge", "pair"}, {"board"}} {
		if r := call(t, pair, args...); r.code != exitFailure || !strings.Contains(r.err, path) || !strings.Contains(r.err, "line 1") {
			t.Errorf("%v with a bad file gave %+v", args, r)
		}
	}
}

func TestCastCommands(t *testing.T) {
	home(t)
	r := call(t, "", "cast", "list")
	for _, id := range []string{"ball", "mutiny", "interrogation", "android", "market", "teahouse"} {
		if !strings.Contains(r.out, id) {
			t.Errorf("%s is not listed", id)
		}
	}
	doc := document(t, call(t, "", "cast", "show", "ball", "--json"))
	keys(t, doc, "kind", "spec", "warnings", "data", "counts")
	file := filepath.Join(t.TempDir(), "quay.toml")
	text := "id = \"quay\"\ntitle = \"The quay\"\nscenario = \"Night.\"\n[character]\nname = \"Mara\"\nprofile = \"A smuggler.\"\n[user]\nname = \"Teller\"\nprofile = \"An officer.\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := call(t, "", "cast", "import", file); r.code != 0 {
		t.Fatalf("import gave %+v", r)
	}
	if r := call(t, "", "cast", "import", file); r.code != 0 || !strings.Contains(r.err, "quay.toml: the same is there already") {
		t.Errorf("a second import gave %+v", r)
	}
	if r := call(t, "", "cast", "list"); !strings.Contains(r.out, "The quay") {
		t.Error("the imported scene is not listed")
	}
}

func TestHelpStartsNothingAndExitsZero(t *testing.T) {
	home(t)
	for _, args := range [][]string{{"--help"}, {"say", "--help"}, {"judge"}, {"--version"}} {
		if r := call(t, "", args...); r.code != 0 || r.out == "" {
			t.Errorf("%v gave %+v", args, r)
		}
	}
}

// TestAHostileServerReachesNobody echoes the key and terminal commands.
func TestAHostileServerReachesNobody(t *testing.T) {
	home(t)
	t.Setenv("HERARENA_API_KEY", "sk-SECRETKEY1")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		auth := r.Header.Get("Authorization")
		for _, piece := range []string{"Your key: " + auth[:12], auth[12:], "\u009b2J\u202e\u007f", " end"} {
			chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": piece}}}})
			_, _ = fmt.Fprintf(w, "data: %s\n\n", chunk)
		}
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer srv.Close()
	for _, args := range [][]string{{"say", "--json"}, {"say"}} {
		r := call(t, "", append(args, "--url", srv.URL+"/v1", "--model", "m", "hello")...)
		if r.code != 0 || !strings.Contains(r.out, "end") || strings.Contains(r.out+r.err, "SECRETKEY1") || strings.ContainsAny(r.out, "\u009b\u202e\u007f") {
			t.Errorf("%v gave %d, %+q, %+q", args, r.code, r.out, r.err)
		}
	}
	doc := document(t, call(t, "", "say", "--json", "--url", srv.URL+"/v1", "--model", "m", "hello"))
	if got := doc["content"]; got != "Your key: Bearer [key]\u009b2J\u202e\u007f end" {
		t.Errorf("the content is %+q: it must be what was sent, the key aside", got)
	}
	r := call(t, "", "say", "--url", "http://user:SECRETPW@127.0.0.1:1/v1?api_key=SECRETQ", "--model", "m", "hello")
	if r.code != exitFailure || strings.Contains(r.out+r.err, "SECRET") {
		t.Errorf("an address with secrets gave %+v", r)
	}
}

func TestBoardBoundsTheBootstrap(t *testing.T) {
	home(t)
	if r := call(t, "", "board", "--bootstrap", "100000000"); r.code != exitUsage || !strings.Contains(r.err, "100000") {
		t.Errorf("a hundred million rounds gave %+v", r)
	}
}
