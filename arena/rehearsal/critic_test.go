package rehearsal

import (
	"strings"
	"testing"
)

const verdict = `{"result":[{"cand_1":"She said \"no\" <role_action>x</role_action>","cand_2":"逗号，句号。","principle":{"Principle 1":{"principle_name":"Voice"}},"better_response":"cand_1"}]}`

func TestTheCriticGetsThePromptAndIsStreamedWhole(t *testing.T) {
	got := make(chan string, 4)
	s := start(t, Options{Pace: -1, Critic: func(p string) string { got <- p; return verdict }})
	body := map[string]any{"model": CriticModel, "messages": []msg{{"user", "judge these"}}, "stream": true}
	r := ask(t, s.URL()+"/chat/completions", body)
	if r.text != verdict || r.finish != "stop" || !r.done || r.chunks < 20 {
		t.Errorf("got %q in %d chunks", r.text, r.chunks)
	}
	if p := <-got; p != "judge these" {
		t.Errorf("the critic was asked %q", p)
	}
	body["prompt"] = "<|im_start|>user\njudge these<|im_end|>\n<|im_start|>assistant\n"
	if r := ask(t, s.URL()+"/completions", body); r.text != verdict {
		t.Errorf("completions: %q", r.text)
	}
	if p := <-got; p != "judge these" {
		t.Errorf("through completions the critic was asked %q", p)
	}
}

func TestACriticsPrefillIsContinued(t *testing.T) {
	rest := verdict[strings.Index(verdict, `"principle"`):]
	for _, tt := range []struct{ name, prefill, want string }{
		{"none", "", verdict},
		{"own bytes", verdict[:len(verdict)-len(rest)], rest},
		{"spaced and escaped", "{\n  \"result\": [\n    {\n      \"cand_1\": \"She said \\\"no\\\" \\u003crole_action>x</role_action>\",\n      \"cand_2\": \"\\u9017号，句号。\",\n", rest},
		{"before the comma", "{\"result\": [{\"cand_1\": \"a\", \"cand_2\": \"b\"", "," + rest},
		{"another shape", `{"verdict": 1, `, verdict},
		{"cut in a string", `{"result": [{"cand_1": "She sa`, verdict},
		{"longer than all", verdict + verdict, verdict},
		{"only an escape", `"\`, verdict},
	} {
		if got := afterJSON(verdict, tt.prefill); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestACriticThatPanicsIsAnError(t *testing.T) {
	s := start(t, Options{Pace: -1, Critic: func(string) string { panic("broken") }})
	r := ask(t, s.URL()+"/chat/completions", map[string]any{"model": CriticModel, "messages": []msg{{"user", "x"}}})
	if message, _ := errorOf(t, r); r.status != 500 || !strings.Contains(message, "broken") {
		t.Errorf("got %d %q", r.status, message)
	}
}
