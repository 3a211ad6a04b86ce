package endpoint

import (
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

// TestMoreFramings holds the ways to send a reply that the wire cases leave out.
func TestMoreFramings(t *testing.T) {
	hel, lo := delta("Hel"), delta("lo")
	tail := stopFrame + doneFrame
	big := strings.Repeat("x", 2<<20)
	held := func(a answerer) answerer { a.Hold = true; return a }
	typed := func(contentType string, a answerer) answerer { a.ContentType = contentType; return a }
	tests := []struct {
		name      string
		answer    answerer
		content   string // "Hello" where empty and no fault is wanted
		reasoning string
		finish    string
		damaged   int
		usage     int
		fault     arena.FaultKind
		says      string
	}{
		{name: "byte order mark", answer: bodyOf("\xef\xbb\xbf" + hel + lo + tail)},
		{name: "byte order mark in pieces", answer: bodyOf("\xef", "\xbb", "\xbf"+hel, lo+tail)},
		{name: "160 comments in a row", answer: bodyOf(strings.Repeat(": keep-alive\n\n", 160) + hel + lo + tail)},
		{name: "a comment of 20 MB", answer: bodyOf(":"+strings.Repeat("-", 20<<20)+"\n", hel+lo+tail)},
		{
			name:   "data over several lines",
			answer: bodyOf("data: {\ndata:   \"choices\": [{\"index\":0,\ndata: \"delta\": {\"content\":\"Hel\"},\ndata: \"finish_reason\":null}]\ndata: }\n\n" + lo + tail),
		},
		{
			name:   "an indented object behind one data:",
			answer: bodyOf("data: {\n  \"choices\": [{\"index\": 0,\n    \"delta\": {\"content\": \"Hel\"}}]\n}\n\n" + lo + tail),
		},
		{
			name:    "a surrogate pair in one string",
			answer:  bodyOf(`data: {"choices":[{"index":0,"delta":{"content":"a\ud83d\ude00b"}}]}` + "\n\n" + tail),
			content: "a😀b",
		},
		{
			name: "a surrogate pair in two deltas",
			answer: bodyOf(`data: {"choices":[{"index":0,"delta":{"content":"a\ud83d"}}]}`+"\n\n",
				`data: {"choices":[{"index":0,"delta":{"content":"\ude00b"}}]}`+"\n\n"+tail),
			content: "a😀b",
		},
		{
			name: "half a surrogate pair", content: "a\uFFFDb",
			answer: bodyOf(`data: {"choices":[{"index":0,"delta":{"content":"a\ud83db"}}]}` + "\n\n" + tail),
		},
		{
			name: "a character cut between two deltas", content: "你好",
			answer: bodyOf("data: {\"choices\":[{\"delta\":{\"content\":\"\xe4\"}}]}\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"\xbd\xa0好\"}}]}\n\n"+tail),
		},
		{name: "choices null with the usage", usage: 9, answer: bodyOf(hel + lo + strings.Replace(usageFrame, "[]", "null", 1) + tail)},
		{name: "created as a float, id a number", answer: bodyOf(`data: {"id":7,"created":1715000000.25,"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n" + lo + tail)},
		{
			name: "content as parts", reasoning: "hmm",
			answer: bodyOf(`data: {"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hmm"}]}]}}]}`+"\n\n",
				`data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Hel"}]}}]}`+"\n\n"+lo+tail),
		},
		{
			name: "reasoning under two names at once", reasoning: "hmm",
			answer: bodyOf(`data: {"choices":[{"delta":{"content":"","reasoning":"hmm","reasoning_content":"hmm","reasoning_details":[{"text":"hmm"}]}}]}` + "\n\n" + hel + lo + tail),
		},
		{name: "delta missing and null", answer: bodyOf(hel + `data: {"choices":[{"index":0,"delta":null}]}` + "\n\n" + lo + `data: {"choices":[{"index":0,"finish_reason":"stop"}]}` + "\n\n" + doneFrame)},
		{name: "the whole message again at the end", answer: bodyOf(hel + lo + `data: {"choices":[{"index":0,"message":{"content":"Hello"},"finish_reason":"stop"}]}` + "\n\n" + doneFrame)},
		{
			name: "indented error at status 200", fault: arena.NoSuchModel, says: "No model x: not found", finish: "-",
			answer: typed("application/json", bodyOf("{\n  \"error\": {\n    \"message\": \"No model x: not found\",\n\n \"code\": 404\n  }\n}\n")),
		},
		{
			name: "OpenRouter's error in the middle", content: "Hel", fault: arena.ServerFault, says: "Provider returned error: out of memory", finish: "-",
			answer: bodyOf(hel + `data: {"id":"g","provider":"x","error":{"code":502,"message":"Provider returned error","metadata":{"raw":"out of memory"}},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n"),
		},
		{
			name: "event: error without the key error", content: "Hel", fault: arena.ServerFault, says: "boom", finish: "-",
			answer: bodyOf(hel + "event: error\ndata: {\"message\":\"boom\",\"code\":500}\n\n"),
		},
		{
			name: "event: error with plain text", content: "Hel", fault: arena.ServerFault, says: "boom today", finish: "-",
			answer: bodyOf(hel + "event: error\ndata: boom today\n\n"),
		},
		{
			name: "TGI's context overflow at 200", fault: arena.TooLong, says: "must be <= 4096", finish: "-",
			answer: bodyOf(`data: {"error":{"message":"Input validation error: inputs tokens + max_new_tokens must be <= 4096","http_status_code":422}}` + "\n\n" + doneFrame),
		},
		{
			name: "an error, then the stream held open", fault: arena.ServerFault, says: "boom", finish: "-",
			answer: held(bodyOf(`data: {"error":{"message":"boom","code":500}}` + "\n")),
		},
		{
			name: "error.message an object", fault: arena.ServerFault, says: "inner words", finish: "-",
			answer: bodyOf(`data: {"error":{"message":{"detail":"inner words"},"code":500}}` + "\n\n"),
		},
		{
			name: "MiniMax's status", fault: arena.Overloaded, says: "rate limit", finish: "-",
			answer: typed("application/json", bodyOf(`{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`)),
		},
		{name: "error null in every frame", answer: bodyOf(`data: {"error":null,"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n" + lo + tail)},
		{name: "two frames glued by data:", answer: bodyOf(strings.TrimSpace(hel) + lo + tail)},
		{name: "two frames glued", answer: bodyOf(strings.TrimSpace(hel) + strings.TrimPrefix(lo, "data: ") + tail)},
		{name: "the end mark glued", finish: "stop", answer: bodyOf(hel + lo + strings.TrimSpace(stopFrame) + "data: [DONE]\n\n")},
		{name: "half a frame glued before a whole one", damaged: 1, answer: bodyOf(`data: {"choices":[{"delta":{"conte` + hel + lo + tail)},
		{name: "no blank lines", answer: bodyOf(strings.ReplaceAll(hel+lo+tail, "\n\n", "\n"))},
		{name: "one damaged frame", damaged: 1, answer: bodyOf(hel + "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"XX\n\n" + lo + tail)},
		{name: "a frame of 2 MB", content: big, answer: bodyOf(delta(big) + tail)},
		{name: "done, then held open", answer: held(bodyOf(hel + lo + tail))},
		{name: "done without a finish reason", finish: "-", answer: bodyOf(hel + lo + doneFrame)},
		{name: "finish reason, then held open", answer: held(bodyOf(hel + lo + stopFrame))},
		{name: "raw control characters", content: "Hel\x01\tlo", answer: bodyOf("data: {\"choices\":[{\"delta\":{\"content\":\"Hel\x01\tlo\"}}]}\n\n" + tail)},
		{name: "DATA:", answer: bodyOf(strings.ReplaceAll(hel+lo+tail, "data:", "DATA:"))},
		{name: "JSON lines", answer: typed("application/x-ndjson", bodyOf(strings.ReplaceAll(strings.ReplaceAll(hel+lo+stopFrame, "data: ", ""), "\n\n", "\n")))},
		{
			name: "Ollama's own lines", usage: 9, reasoning: "hmm",
			answer: typed("application/x-ndjson", bodyOf(
				`{"model":"m","message":{"role":"assistant","content":"","thinking":"hmm"},"done":false}`+"\n",
				`{"model":"m","message":{"role":"assistant","content":"Hel"},"done":false}`+"\n"+`{"message":{"content":"lo"},"done":false}`+"\n",
				`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":2}`+"\n")),
		},
		{name: "a refusal", content: "I will not.", answer: bodyOf(`data: {"choices":[{"delta":{"content":null,"refusal":"I will not."}}]}` + "\n\n" + tail)},
		{name: "usage within the choice", usage: 9, answer: bodyOf(hel + lo + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}]}` + "\n\n" + doneFrame)},
		{
			name: "LM Studio's wrong path", fault: arena.BadRequest, says: "Unexpected endpoint", finish: "-",
			answer: typed("application/json", bodyOf(`{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`)),
		},
		{
			name: "a page full of braces", fault: arena.BadRequest, says: "web page", finish: "-",
			answer: typed("text/html", bodyOf("<html><style>\nbody\n{\n color: red }\n</style>\n<p>Please sign in</p></html>\n")),
		},
		{name: "plain text", fault: arena.BadRequest, says: "hello there", finish: "-", answer: typed("text/plain", bodyOf("hello there\n"))},
		{name: "half a document", fault: arena.CutOff, finish: "-", answer: typed("application/json", bodyOf(`{"choices":[{"message":{"content":"He`))},
		{name: "nothing but damage", fault: arena.CutOff, finish: "-", damaged: 2, answer: bodyOf("data: oops\n\ndata: {]\n\n")},
		{name: "a line of 64 MB", content: "Hel", fault: arena.ServerFault, says: "more than 8 MB", finish: "-", answer: bodyOf(hel, "data: {\"x\":\""+strings.Repeat("y", 64<<20))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newRawServer(t, always(tt.answer))
			c := newClient(t, Config{BaseURL: s.url(), FirstByteTimeout: 5 * time.Second, IdleTimeout: 10 * time.Second, Retries: -1})
			out := play(t, c, "m", hello())
			content, finish := tt.content, strings.TrimPrefix(tt.finish, "-")
			if tt.fault == "" && content == "" {
				content = "Hello"
			}
			if tt.finish == "" {
				finish = "stop"
			}
			if out.Content != content || out.Reasoning != tt.reasoning || out.Finish != finish || out.Damaged != tt.damaged {
				t.Errorf("content %q, reasoning %q, finish %q, damaged %d; want %q, %q, %q, %d", head(out.Content, 80), out.Reasoning,
					out.Finish, out.Damaged, head(content, 80), tt.reasoning, finish, tt.damaged)
			}
			if tt.usage > 0 && (out.Usage == nil || out.Usage.TotalTokens != tt.usage) {
				t.Errorf("usage %v, want a total of %d", out.Usage, tt.usage)
			}
			switch {
			case tt.fault == "" && (out.Fault != nil || !out.Complete):
				t.Errorf("fault %v, complete %v", out.Fault, out.Complete)
			case tt.fault != "" && (out.Fault == nil || out.Fault.Kind != tt.fault || !strings.Contains(out.Fault.Message, tt.says)):
				t.Errorf("fault %+v; want %s with %q", out.Fault, tt.fault, tt.says)
			}
		})
	}
}
