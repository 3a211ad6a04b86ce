package endpoint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

func TestSamplingInEachServersWords(t *testing.T) {
	all := arena.Sampling{
		Temperature: ptr(0.0), TopP: ptr(0.9), TopK: ptr(20), MinP: ptr(0.05), RepetitionPenalty: ptr(1.1),
		PresencePenalty: ptr(0.2), FrequencyPenalty: ptr(0.3), MaxTokens: 99, Seed: ptr(7), Thinking: ptr(false),
	}
	base := map[string]any{"temperature": 0.0, "top_p": 0.9, "frequency_penalty": 0.3, "presence_penalty": 0.2, "seed": 7, "max_tokens": 99}
	with := func(more map[string]any) map[string]any {
		out := map[string]any{}
		for k, v := range base {
			out[k] = v
		}
		for k, v := range more {
			if v == nil {
				delete(out, k)
				continue
			}
			out[k] = v
		}
		return out
	}
	kwargs := map[string]any{"enable_thinking": false}
	for kind, want := range map[string]struct {
		fields map[string]any
		unsent string
	}{
		KindVLLM:       {with(map[string]any{"top_k": 20, "min_p": 0.05, "repetition_penalty": 1.1, "chat_template_kwargs": kwargs}), ""},
		KindSGLang:     {with(map[string]any{"top_k": 20, "min_p": 0.05, "repetition_penalty": 1.1, "chat_template_kwargs": kwargs}), ""},
		KindLlamaCpp:   {with(map[string]any{"top_k": 20, "min_p": 0.05, "repeat_penalty": 1.1, "chat_template_kwargs": kwargs}), ""},
		KindOther:      {with(map[string]any{"top_k": 20, "min_p": 0.05, "repetition_penalty": 1.1, "chat_template_kwargs": kwargs}), ""},
		KindOpenRouter: {with(map[string]any{"top_k": 20, "min_p": 0.05, "repetition_penalty": 1.1, "reasoning": map[string]any{"enabled": false}}), ""},
		KindOllama:     {with(map[string]any{"reasoning_effort": "none"}), "min_p, repetition_penalty, top_k"},
		KindOpenAI:     {with(map[string]any{"max_tokens": nil, "max_completion_tokens": 99, "reasoning_effort": "none"}), "min_p, repetition_penalty, top_k"},
		KindDeepSeek:   {with(map[string]any{"thinking": map[string]any{"type": "disabled"}}), "min_p, repetition_penalty, top_k"},
		KindMistral:    {with(map[string]any{"seed": nil, "random_seed": 7}), "min_p, repetition_penalty, top_k, thinking"},
		KindMiniMax:    {with(map[string]any{"max_tokens": nil, "max_completion_tokens": 99}), "min_p, repetition_penalty, top_k, thinking"},
		KindTGI:        {with(map[string]any{"presence_penalty": nil}), "min_p, repetition_penalty, presence_penalty, top_k, thinking"},
		KindLMStudio:   {with(map[string]any{"top_k": 20, "min_p": 0.05, "repeat_penalty": 1.1}), "thinking"},
	} {
		c := newClient(t, Config{BaseURL: "http://h", Kind: kind})
		fields, unsent := c.sampling(kind, all, quirks{})
		if d := cmp.Diff(want.fields, fields); d != "" {
			t.Errorf("%s (-want +got):\n%s", kind, d)
		}
		if got := strings.Join(unsent, ", "); got != want.unsent {
			t.Errorf("%s leaves out %q, want %q", kind, got, want.unsent)
		}
	}
}

func TestThinkingKeepsTheOtherTemplateSettings(t *testing.T) {
	given := map[string]any{"enable_thinking": true, "style": "x"}
	c := newClient(t, Config{BaseURL: "http://h", ExtraBody: map[string]any{"chat_template_kwargs": given}})
	fields, _ := c.sampling(KindVLLM, arena.Sampling{Thinking: ptr(false)}, quirks{})
	if d := cmp.Diff(map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false, "style": "x"}}, fields); d != "" {
		t.Error(d)
	}
	if given["enable_thinking"] != true {
		t.Error("the configuration was changed")
	}
}

func TestNotes(t *testing.T) {
	usage := func(n string) string {
		return `data: {"choices":[],"usage":{"prompt_tokens":` + n + `,"completion_tokens":2}}` + "\n\n"
	}
	long := hello()
	long.Messages[0].Content = strings.Repeat("The old captain folds his map and waits. ", 2000)
	chinese := hello()
	chinese.Messages[0].Content = strings.Repeat("船长折起地图，等着。", 3000)
	tuned := hello()
	tuned.Sampling.TopK, tuned.Sampling.MinP = ptr(20), ptr(0.1)
	begun := hello()
	begun.Prefill = "<system_thinking>"
	thought := `data: {"choices":[{"index":0,"delta":{"reasoning_content":"hmm"}}]}` + "\n\n"
	length := `data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}` + "\n\n"
	for name, tt := range map[string]struct {
		kind   string
		call   arena.Call
		answer answerer
		want   string // part of the one note; "" for none
	}{
		"all is well":                 {KindVLLM, hello(), stream("ok"), ""},
		"Ollama cuts in silence":      {KindOllama, long, bodyOf(delta("ok"), stopFrame, usage("4096"), doneFrame), "OLLAMA_CONTEXT_LENGTH"},
		"so does another":             {KindOther, long, bodyOf(delta("ok"), stopFrame, usage("4096"), doneFrame), "longer context"},
		"a whole prompt":              {KindOllama, long, bodyOf(delta("ok"), stopFrame, usage("18004"), doneFrame), ""},
		"Chinese cut":                 {KindOllama, chinese, bodyOf(delta("ok"), stopFrame, usage("4096"), doneFrame), "without a word"},
		"Chinese whole":               {KindOllama, chinese, bodyOf(delta("ok"), stopFrame, usage("19000"), doneFrame), ""},
		"no count":                    {KindOllama, long, stream("ok"), ""},
		"unknown parameters":          {KindOpenAI, tuned, stream("ok"), "does not know min_p, top_k"},
		"known parameters":            {KindVLLM, tuned, stream("ok"), ""},
		"the budget went to thinking": {KindVLLM, hello(), bodyOf(thought, length, doneFrame), "spent on reasoning"},
		"no way for a prefill":        {KindOpenAI, begun, stream("ok"), "left out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, always(tt.answer))
			out := play(t, newClient(t, Config{BaseURL: s.url(), Kind: tt.kind}), "m", tt.call)
			switch {
			case out.Fault != nil:
				t.Error(out.Fault)
			case tt.want == "" && len(out.Notes) > 0, tt.want != "" && (len(out.Notes) != 1 || !strings.Contains(out.Notes[0], tt.want)):
				t.Errorf("notes %q, want one with %q", out.Notes, tt.want)
			}
		})
	}
}

func TestAdaptTurns(t *testing.T) {
	note := arena.Call{Messages: []arena.Message{{Role: "system", Content: "s"}, {Role: "user", Name: "Kit", Content: "a"}, {Role: "system", Content: "n"}, {Role: "user", Name: "Kit", Content: "b"}}}
	for text, want := range map[string]quirks{
		"Jinja Exception: System message must be at the beginning.":                        {foldNotes: true},
		"System role not supported":                                                        {noSystem: true, merged: true},
		"Conversation roles must alternate user/assistant/user/assistant/...":              {merged: true},
		"No user query found in messages.":                                                 {wantsUser: true},
		"messages.1.user.name: Extra inputs are not permitted":                             {noNames: true},
		"After the optional system message, conversation roles must alternate user, model": {merged: true},
	} {
		got, why, ok := quirks{}.adapt(&arena.Fault{Kind: arena.BadRequest, Status: 400, Message: text}, note, PrefillOff)
		if !ok || got != want || !strings.HasPrefix(why, "asked again") {
			t.Errorf("%q gives %+v (%s), want %+v", text, got, why, want)
		}
		if again, _, ok := got.adapt(&arena.Fault{Kind: arena.BadRequest, Status: 400, Message: text}, note, PrefillOff); ok && again == got {
			t.Errorf("%q: the same form is tried for ever", text)
		}
	}
}
