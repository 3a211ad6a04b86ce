package rehearsal

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func lines1(system, line string) []msg {
	return []msg{{"system", system}, {"user", line}}
}

func chatBody(model string, extra map[string]any) map[string]any {
	body := map[string]any{"model": model, "messages": lines1("You are Marta Lind.", "Who are you?")}
	for k, v := range extra {
		body[k] = v
	}
	return body
}

func TestStreamedAndWholeRepliesAreTheSame(t *testing.T) {
	s := instant(t)
	for _, model := range []string{LeadModel, UnderstudyModel} {
		whole := ask(t, s.URL()+"/chat/completions", chatBody(model, nil))
		streamed := ask(t, s.URL()+"/chat/completions", chatBody(model, map[string]any{
			"stream": true, "stream_options": map[string]any{"include_usage": true},
		}))
		if whole.text == "" || whole.text != streamed.text {
			t.Errorf("%s: %q and %q", model, whole.text, streamed.text)
		}
		if !streamed.done || streamed.finish != "stop" || whole.finish != "stop" {
			t.Errorf("%s: done %v, finish %q and %q", model, streamed.done, streamed.finish, whole.finish)
		}
		if streamed.usage == nil || whole.usage == nil || *streamed.usage != *whole.usage {
			t.Fatalf("%s: usage %v and %v", model, streamed.usage, whole.usage)
		}
		u := *whole.usage
		// One chunk opens, one finishes, one has the usage.
		if u.CompletionTokens != streamed.chunks-3 || u.PromptTokens <= 0 || u.TotalTokens != u.PromptTokens+u.CompletionTokens {
			t.Errorf("%s: usage %+v for %d chunks", model, u, streamed.chunks)
		}
	}
}

func TestNoUsageInAStreamUnlessAsked(t *testing.T) {
	s := instant(t)
	if r := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{"stream": true})); r.usage != nil || !r.done {
		t.Errorf("usage %v, done %v", r.usage, r.done)
	}
}

func TestSameRequestSameReplyAndSeedsDiffer(t *testing.T) {
	s := instant(t)
	url := s.URL() + "/chat/completions"
	for _, model := range []string{LeadModel, UnderstudyModel} {
		a, b := ask(t, url, chatBody(model, nil)), ask(t, url, chatBody(model, nil))
		if a.text != b.text || a.id != b.id {
			t.Errorf("%s: the same request gave %q and %q", model, a.text, b.text)
		}
		seen := map[string]bool{}
		for seed := range 6 {
			seen[ask(t, url, chatBody(model, map[string]any{"seed": seed})).text] = true
		}
		if len(seen) < 3 {
			t.Errorf("%s: six seeds gave %d replies", model, len(seen))
		}
	}
}

func TestMaxTokensCutsWithLength(t *testing.T) {
	s := instant(t)
	full := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, nil))
	for _, key := range []string{"max_tokens", "max_completion_tokens"} {
		r := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{key: 7}))
		if r.finish != "length" || r.usage.CompletionTokens != 7 || !strings.HasPrefix(full.text, r.text) || r.text == "" {
			t.Errorf("%s: finish %q, usage %+v, %q", key, r.finish, r.usage, r.text)
		}
	}
	// -1 asks llama.cpp and LM Studio for no limit.
	for _, n := range []int{10000, -1} {
		if r := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{"max_tokens": n})); r.finish != "stop" || r.text != full.text {
			t.Errorf("max_tokens %d: %q", n, r.finish)
		}
	}
}

func TestStopStringsEndTheReply(t *testing.T) {
	s := instant(t)
	for _, stop := range []any{"</system_thinking>", []string{"nowhere", "</system_thinking>"}} {
		r := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{"stop": stop}))
		if r.finish != "stop" || strings.Contains(r.text, "</system") || !strings.HasPrefix(r.text, openSystem) {
			t.Errorf("stop %v: %q, %q", stop, r.finish, r.text)
		}
	}
}

func TestAPrefillIsContinuedAndNotRepeated(t *testing.T) {
	s := instant(t)
	full := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, nil)).text
	speak := func(model, prefill string) string {
		body := chatBody(model, map[string]any{"add_generation_prompt": false, "continue_final_message": true})
		body["messages"] = append(lines1("You are Marta Lind.", "Who are you?"), msg{"assistant", prefill})
		return ask(t, s.URL()+"/chat/completions", body).text
	}
	if got := speak(LeadModel, openSystem); openSystem+got != full {
		t.Errorf("got %q\nwant the rest of %q", got, full)
	}
	half := full[:len(full)/2]
	if got := speak(LeadModel, half); half+got != full {
		t.Errorf("half-way: %q + %q", half, got)
	}
	for _, tt := range []struct {
		model, prefill, closer string
	}{
		{LeadModel, openSystem + "\n", shutSystem},
		{LeadModel, openSystem + "The plan is to be wary.", shutSystem},
		{LeadModel, openSystem + "Wary." + shutSystem + openThink, shutThink},
		{LeadModel, openAct + "turns", shutAct},
		{UnderstudyModel, openSystem, shutSystem},
		{UnderstudyModel, openThink, shutThink},
	} {
		got := speak(tt.model, tt.prefill)
		i := strings.Index(got, tt.closer)
		if i < 0 || strings.Contains(got[:max(i, 0)], "<") || len(got) < i+len(tt.closer)+8 {
			t.Errorf("%s after %q: %q", tt.model, tt.prefill, got)
		}
		if strings.Count(tt.prefill+got, openSystem) > 1 {
			t.Errorf("%s after %q repeats the plan: %q", tt.model, tt.prefill, got)
		}
	}
	for _, model := range []string{LeadModel, UnderstudyModel} {
		if got := speak(model, "Well now,"); strings.Contains(got, openSystem) || !strings.HasPrefix(got, " ") {
			t.Errorf("%s after plain words: %q", model, got)
		}
	}
}

func TestCompletionsReadChatML(t *testing.T) {
	s := instant(t)
	chat := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, nil))
	prompt := "<|im_start|>system\nYou are Marta Lind.<|im_end|>\n<|im_start|>user\nWho are you?<|im_end|>\n<|im_start|>assistant\n"
	for _, tt := range []struct{ prompt, before string }{
		{prompt, ""},
		{prompt + openSystem, openSystem},
		{prompt + "<think>\n\n</think>\n\n" + openSystem, openSystem},
	} {
		for _, stream := range []bool{false, true} {
			r := ask(t, s.URL()+"/completions", map[string]any{"model": LeadModel, "prompt": tt.prompt, "stream": stream})
			if tt.before+r.text != chat.text || r.finish != "stop" {
				t.Errorf("%q: %q", tt.prompt, r.text)
			}
		}
	}
	r := ask(t, s.URL()+"/completions", map[string]any{"model": UnderstudyModel, "prompt": []string{"Good evening."}, "echo": true})
	if !strings.HasPrefix(r.text, "Good evening.") || len(r.text) < 20 {
		t.Errorf("echo: %q", r.text)
	}
}

func TestModelsAndHealth(t *testing.T) {
	get := func(url string) (int, string) {
		resp, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	without, with := instant(t), start(t, Options{Pace: -1, Critic: func(string) string { return "{}" }})
	var list struct {
		Data []struct {
			ID  string `json:"id"`
			Max int    `json:"max_model_len"`
		} `json:"data"`
	}
	for s, want := range map[*Server]int{without: 2, with: 3} {
		code, body := get(s.URL() + "/models")
		if err := json.Unmarshal([]byte(body), &list); err != nil || code != 200 || len(list.Data) != want || list.Data[0].ID != LeadModel || list.Data[0].Max != maxContext {
			t.Errorf("models: %d %s %v", code, body, err)
		}
		if code, body := get(strings.TrimSuffix(s.URL(), "/v1") + "/health"); code != 200 || body != `{"status":"ok"}` {
			t.Errorf("health: %d %s", code, body)
		}
		if code, _ := get(s.URL() + "/models/" + UnderstudyModel); code != 200 {
			t.Errorf("one model: %d", code)
		}
	}
	if r := ask(t, without.URL()+"/chat/completions", chatBody(CriticModel, nil)); r.status != 404 {
		t.Errorf("a critic that was not handed in: %d", r.status)
	}
}

// errorOf reads an error body and requires a full sentence and a type.
func errorOf(t *testing.T, r reply) (message, code string) {
	t.Helper()
	var e struct {
		Error struct{ Message, Type, Code string }
	}
	if err := json.Unmarshal([]byte(r.body), &e); err != nil || e.Error.Message == "" || e.Error.Type == "" {
		t.Fatalf("%d: no JSON error in %q (%v)", r.status, r.body, err)
	}
	return e.Error.Message, e.Error.Code
}

func TestBadRequestsGetJSONErrors(t *testing.T) {
	s := instant(t)
	chat, text := s.URL()+"/chat/completions", s.URL()+"/completions"
	for _, tt := range []struct {
		name, url string
		body      any
		status    int
		says      string
	}{
		{"broken JSON", chat, []byte(`{"model": "reh`), 400, "not a valid request"},
		{"no JSON", chat, []byte("hello"), 400, "not a valid request"},
		{"empty body", chat, []byte(""), 400, "not a valid request"},
		{"array", chat, []byte("[]"), 400, "not a valid request"},
		{"no model", chat, map[string]any{"messages": lines1("", "Hi")}, 400, LeadModel},
		{"unknown model", chat, chatBody("gpt-9", nil), 404, LeadModel + ", " + UnderstudyModel},
		{"no messages", chat, map[string]any{"model": LeadModel}, 400, "no messages"},
		{"empty messages", chat, map[string]any{"model": LeadModel, "messages": []msg{}}, 400, "no messages"},
		{"unknown role", chat, map[string]any{"model": LeadModel, "messages": []msg{{"wizard", "Hi"}}}, 400, `"wizard"`},
		{"messages of numbers", chat, []byte(`{"model":"rehearsal/lead","messages":[1,2]}`), 400, "not a valid request"},
		{"content a number", chat, []byte(`{"model":"rehearsal/lead","messages":[{"role":"user","content":7}]}`), 400, "content must be"},
		{"an image", chat, []byte(`{"model":"rehearsal/lead","messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}`), 400, "image_url"},
		{"n of two", chat, chatBody(LeadModel, map[string]any{"n": 2}), 400, "one reply"},
		{"zero tokens", chat, chatBody(LeadModel, map[string]any{"max_tokens": 0}), 400, "at least 1"},
		{"negative tokens", chat, chatBody(LeadModel, map[string]any{"max_tokens": -5}), 400, "at least 1"},
		{"both flags", chat, chatBody(LeadModel, map[string]any{"add_generation_prompt": true, "continue_final_message": true}), 400, "Cannot set both"},
		{"no prompt", text, map[string]any{"model": LeadModel}, 400, "no prompt"},
		{"token ids", text, map[string]any{"model": LeadModel, "prompt": []int{1, 2}}, 400, "token ids"},
		{"no such path", s.URL() + "/embeddings", map[string]any{}, 404, "/v1/embeddings"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := post(t, t.Context(), tt.url, tt.body)
			defer resp.Body.Close()
			b, _ := io.ReadAll(resp.Body)
			r := reply{status: resp.StatusCode, body: string(b)}
			if message, _ := errorOf(t, r); r.status != tt.status || !strings.Contains(message, tt.says) {
				t.Errorf("got %d %q, want %d and %q", r.status, message, tt.status, tt.says)
			}
		})
	}
	resp, err := client.Get(chat)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "POST" {
		t.Errorf("GET on chat: %d", resp.StatusCode)
	}
}

func TestHugeBodiesAreRefused(t *testing.T) {
	s := instant(t)
	body := []byte(`{"model":"rehearsal/lead","messages":[{"role":"user","content":"` + strings.Repeat("a ", maxBody/2) + `"}]}`)
	resp := post(t, t.Context(), s.URL()+"/chat/completions", body)
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	if _, code := errorOf(t, reply{status: resp.StatusCode, body: string(b)}); resp.StatusCode != http.StatusRequestEntityTooLarge || code != "request_too_large" {
		t.Errorf("got %d %s", resp.StatusCode, b)
	}
	r := ask(t, s.URL()+"/chat/completions", map[string]any{"model": LeadModel, "messages": []msg{{"user", strings.Repeat("word ", maxContext+1)}}})
	if message, code := errorOf(t, r); r.status != 400 || code != "context_length_exceeded" || !strings.Contains(message, "maximum context length") {
		t.Errorf("got %d %q", r.status, message)
	}
}

func TestOddButLegalRequestsAreAnswered(t *testing.T) {
	s := instant(t)
	many := []msg{}
	for range 2000 {
		many = append(many, msg{"user", "Hi"})
	}
	for name, msgs := range map[string][]msg{
		"system only":         {{"system", "You are Marta Lind."}},
		"start only":          {{"system", "You are Marta Lind."}, {"user", "===Conversation Start==="}},
		"assistant only":      {{"assistant", ""}},
		"empty user":          {{"user", ""}},
		"nul and escape":      {{"user", "\x00\x1b[31mred"}},
		"slots":               {{"user", "My name is {quote} and {name} is {you}"}},
		"tags":                {{"user", "</system_thinking><role_action>*"}},
		"one long word":       {{"user", strings.Repeat("ä", 50000)}},
		"open marks":          {{"user", strings.Repeat("*(（", 5000)}},
		"two users":           {{"user", "Hello"}, {"user", "Are you there?"}},
		"tool":                {{"user", "Hello"}, {"tool", "42"}, {"user", "So?"}},
		"two thousand":        many,
		"prompt without line": {{"system", strings.Repeat("You are ", 20000)}, {"user", "Hm"}},
	} {
		for _, model := range []string{LeadModel, UnderstudyModel} {
			began := time.Now()
			r := ask(t, s.URL()+"/chat/completions", map[string]any{"model": model, "messages": msgs})
			if r.status != 200 || len(strings.TrimSpace(r.text)) < 5 {
				t.Errorf("%s, %s: %d %s %q", name, model, r.status, r.body, r.text)
			}
			if d := time.Since(began); d > 5*time.Second {
				t.Errorf("%s, %s took %v", name, model, d)
			}
		}
	}
}

func TestPaceIsKept(t *testing.T) {
	s := start(t, Options{Pace: 200})
	began := time.Now()
	r := ask(t, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{"stream": true, "max_tokens": 60}))
	if d := time.Since(began); d < 280*time.Millisecond || d > 3*time.Second {
		t.Errorf("60 tokens at 200 a second took %v (%d chunks)", d, r.chunks)
	}
}

func TestNaturalPaceBreathesBeforeTheFirstToken(t *testing.T) {
	s := start(t, Options{})
	for model, each := range map[string]time.Duration{LeadModel: time.Second / 45, UnderstudyModel: time.Second / 35} {
		tempo := s.tempo(model, 7)
		if tempo.before < 300*time.Millisecond || tempo.before > 800*time.Millisecond {
			t.Errorf("%s: first token after %v", model, tempo.before)
		}
		var sum time.Duration
		for i := range 1000 {
			sum += tempo.after(i, "word")
		}
		if mean := sum / 1000; mean < each*9/10 || mean > each*11/10 {
			t.Errorf("%s: %v a token, want about %v", model, mean, each)
		}
		if tempo.after(1, ".") <= tempo.after(1, "word") || tempo.after(1, "\u3002") <= tempo.after(1, "\uff0c") {
			t.Errorf("%s: no pause at a full stop", model)
		}
	}
}

func TestCancelEndsTheStreamAtTheServer(t *testing.T) {
	s := start(t, Options{Pace: 5})
	ctx, cancel := context.WithCancel(t.Context())
	resp := post(t, ctx, s.URL()+"/chat/completions", chatBody(LeadModel, map[string]any{"stream": true}))
	defer resp.Body.Close()
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("read after cancel: %v", err)
	}
	// busy falls to zero once the handler has noticed.
	done := make(chan struct{})
	go func() { s.busy.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Error("the handler is still writing a second after the client left")
	}
}

func TestCloseCutsRunningStreams(t *testing.T) {
	s := start(t, Options{Pace: 2})
	resp := post(t, t.Context(), s.URL()+"/chat/completions", chatBody(UnderstudyModel, map[string]any{"stream": true}))
	defer resp.Body.Close()
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("Close took %v", d)
	}
	if b, err := io.ReadAll(resp.Body); err == nil && strings.Contains(string(b), "[DONE]") {
		t.Error("the cut stream claims to be done")
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if _, err := client.Get(s.URL() + "/models"); err == nil {
		t.Error("a closed server answers")
	}
}
