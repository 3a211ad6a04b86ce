package endpoint

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"herarena/arena"
)

// TestOddStreamsAreUnderstood holds what real and hostile servers were found to
// get wrong past an earlier reader.
func TestOddStreamsAreUnderstood(t *testing.T) {
	hel, lo, tail := delta("Hel"), delta("lo"), stopFrame+doneFrame
	for _, a := range []attack{
		{name: "BOM mid stream", wire: sse(hel + "\xef\xbb\xbf" + lo + tail)},
		{name: "NUL before a frame", wire: sse(hel + "\x00" + lo + tail)},
		{name: "finish null as a word", wire: sse(data(`{"choices":[{"delta":{"content":"Hel"},"finish_reason":"null"}]}`) + lo + tail)},
		{name: "finish null as a word, then cut", content: "Hel", finish: "-", fault: arena.CutOff, wire: sse(data(`{"choices":[{"delta":{"content":"Hel"},"finish_reason":"null"}]}`))},
		{name: "error with text in same frame", content: "Hello", finish: "-", fault: arena.ServerFault, says: "boom", wire: sse(hel + data(`{"choices":[{"delta":{"content":"lo"}}],"error":{"message":"boom"}}`))},
		{name: "200 code/msg", finish: "-", fault: "*", says: "token expired", wire: sse(`{"code":401,"msg":"token expired"}`)},
		{name: "200 detail", finish: "-", fault: "*", says: "Not authenticated", wire: sse(`{"detail":"Not authenticated"}`)},
		{name: "200 success false", finish: "-", fault: "*", says: "no balance", wire: sse(`{"success":false,"message":"no balance"}`)},
		{name: "duplicate keys", wire: sse(data(`{"choices":[{"delta":{"content":"x","content":"Hello"}}]}`) + tail)},
		{name: "escaped keys", wire: sse(data(`{"choices":[{"delta":{"\u0063ontent":"Hello"}}]}`) + tail)},
		{name: "finish then error", content: "Hello", finish: "stop", fault: "", wire: sse(hel + lo + stopFrame + data(`{"error":{"message":"late"}}`))},
		{name: "negative usage", usage: 2, wire: sse(hel + lo + stopFrame + data(`{"choices":[],"usage":{"prompt_tokens":-7,"completion_tokens":2,"total_tokens":2}}`) + doneFrame)},
		{name: "content behind DONE with usage", wire: sse(hel + lo + tail + data(`{"choices":[{"delta":{"content":"evil"}}],"usage":{"total_tokens":9}}`))},
		{name: "error behind DONE", wire: sse(hel + lo + tail + data(`{"error":{"message":"late"},"usage":{"total_tokens":9}}`))},
		{name: "only the other choice finished", content: "Hel", finish: "-", fault: arena.CutOff, wire: sse(hel + strings.Replace(stopFrame, `"index":0`, `"index":1`, 1))},
		{name: "error in list says", finish: "-", fault: "*", says: "boom", wire: sse(`[{"error":{"message":"boom","code":400}}]`)},
		{name: "BOM before error body", finish: "-", fault: arena.BadRequest, says: "status 400: words", wire: raw("HTTP/1.1 400 x\r\nConnection: close\r\n\r\n\xef\xbb\xbf{\"error\":{\"message\":\"words\"}}")},
		{name: "data with a space before colon", wire: sse(hel + "data : {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\n\n" + tail)},
		{name: "lower case done, no finish", finish: "-", wire: sse(hel + lo + "data: [done]\n\n"), damaged: -1},
		{name: "glued without data, CRLF inside string", content: "a\nb", wire: sse("data: {\"choices\":[{\"delta\":{\"content\":\"a\r\nb\"}}]}\r\n\r\n" + tail)},
		{name: "text/event in delta.text", wire: sse(data(`{"choices":[{"delta":{"text":"Hello"}}]}`) + tail)},
		{name: "empty string error", finish: "-", fault: "*", says: "x", wire: sse(data(`{"errors":[{"message":"x"}]}`))},
		{name: "two frames glued in JSON string", wire: sse(strings.TrimSpace(hel) + "\n" + strings.TrimSpace(lo) + "\n" + tail)},
	} {
		t.Run(a.name, a.run)
	}
}

// one plays a wire once, with short limits.
func one(t *testing.T, cfg Config, w wire) played {
	t.Helper()
	cfg.BaseURL = serveWire(t, w)
	cfg.Retries, cfg.FirstByteTimeout, cfg.IdleTimeout = -1, time.Second, 500*time.Millisecond
	return play(t, newClient(t, cfg), "m", hello())
}

// TestKeysAreNotCutInTwo: where a message is cut, half a key must not stay.
func TestKeysAreNotCutInTwo(t *testing.T) {
	const key = "sk-CANARY-0123456789"
	cfg := Config{Key: key}
	show := func(s string) bool { return strings.Contains(s, "CANARY") }
	partial := func(s string) bool { return strings.Contains(s, "sk-C") }
	t.Run("finish", func(t *testing.T) {
		out := one(t, cfg, sse(delta("a")+data(`{"choices":[{"finish_reason":"`+key+`"}]}`)))
		if show(out.Finish) {
			t.Errorf("finish %q", out.Finish)
		}
	})
	t.Run("finish control", func(t *testing.T) {
		out := one(t, cfg, sse(delta("a")+data(`{"choices":[{"finish_reason":"\u001b[31mred\u0007\n"}]}`)))
		if strings.ContainsAny(out.Finish, "\x1b\x07\n") {
			t.Errorf("finish %q", out.Finish)
		}
	})
	t.Run("finish huge", func(t *testing.T) {
		var b strings.Builder
		for i := range 100000 {
			fmt.Fprintf(&b, `,{"index":%d,"finish_reason":"%s"}`, i, strings.Repeat("z", 40))
		}
		out := one(t, cfg, sse(delta("a")+data(`{"choices":[`+b.String()[1:]+`]}`)))
		if len(out.Finish) > 4096 {
			t.Errorf("finish of %d bytes", len(out.Finish))
		}
	})
	for i := range 60 {
		out := one(t, cfg, sse("<html>"+strings.Repeat("y", 170+i)+" "+key+"</html>"))
		if partial(out.Fault.Error()) {
			t.Errorf("page, %d: %q", i, out.Fault.Error())
			break
		}
	}
	for i := range 60 {
		out := one(t, cfg, sse("<html>"+strings.Repeat("<b></b>\n", (2048-7-40)/8)+strings.Repeat("y", i)+" "+key+"</html>"))
		if partial(out.Fault.Error()) {
			t.Errorf("noise, %d: %q", i, out.Fault.Error())
			break
		}
	}
	for i := range 60 {
		out := one(t, cfg, raw("HTTP/1.1 500 x\r\nConnection: close\r\n\r\n"+strings.Repeat("<b></b>\n", (4096-40)/8)+strings.Repeat("y", i)+" "+key))
		if partial(out.Fault.Error()) {
			t.Errorf("error body, %d: %q", i, out.Fault.Error())
			break
		}
	}
	for i := range 60 {
		out := one(t, cfg, raw("HTTP/1.1 500 x\r\nConnection: close\r\n\r\n"+`{"error":{"message":{"w":"`+strings.Repeat("y", 360+i)+" "+key+`"}}}`))
		if partial(out.Fault.Error()) {
			t.Errorf("object, %d: %q", i, out.Fault.Error())
			break
		}
	}
	for i := range 60 {
		out := one(t, cfg, raw("HTTP/1.1 500 x\r\nConnection: close\r\n\r\n"+`{"error":{"message":"`+strings.Repeat("y", 560+i)+" "+key+`"}}`))
		if partial(out.Fault.Error()) {
			t.Errorf("message, %d: %q", i, out.Fault.Error())
			break
		}
	}
	for i := range 60 {
		out := one(t, cfg, raw("HTTP/1.1 502 x\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"+strings.Repeat("y", 90+i)+" "+key))
		if partial(out.Fault.Error()) {
			t.Errorf("html status, %d: %q", i, out.Fault.Error())
			break
		}
	}
	out := one(t, cfg, raw("HTTP/1.1 500 x\r\nConnection: close\r\n\r\n"+`{"error":{"message":{"w":"sk\u002dCANARY-0123456789"}}}`))
	if show(out.Fault.Error()) {
		t.Errorf("escaped: %q", out.Fault.Error())
	}
	out = one(t, cfg, raw("HTTP/1.1 302 x\r\nLocation: /x/sk%2DCANARY-0123456789\r\nConnection: close\r\n\r\n"))
	if show(out.Fault.Error()) {
		t.Errorf("redirect escaped: %q", out.Fault.Error())
	}
	out = one(t, cfg, raw("SSH "+key+"\r\n"))
	if show(out.Fault.Error()) {
		t.Errorf("S15i: %q", out.Fault.Error())
	}
	out = one(t, cfg, raw("HTTP/1.1 200 OK\r\n"+strings.Repeat("k", 10)+" "+key+"\r\n\r\n"))
	if show(out.Fault.Error()) {
		t.Errorf("S15j: %q", out.Fault.Error())
	}
}

func TestAnErrorLyingDeepCostsNothing(t *testing.T) {
	deep := data(`{"error":{"message":` + strings.Repeat("[", 9000) + `"` + strings.Repeat("x", 500<<10) + `"` + strings.Repeat("]", 9000) + `}}`)
	start := time.Now()
	out := one(t, Config{}, sse(deep))
	if out.Fault == nil || out.Fault.Kind != arena.ServerFault {
		t.Errorf("fault %v", out.Fault)
	}
	// It took fifty seconds once; a second is ten times what it takes now.
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("took %s", d)
	}
}

// dripping sends a beginning, and then the same piece again and again.
type dripping struct {
	first, drip string
	every       time.Duration
	begun       bool
}

func (d *dripping) Read(p []byte) (int, error) {
	if !d.begun {
		d.begun = true
		return copy(p, d.first), nil
	}
	time.Sleep(d.every)
	return copy(p, d.drip), nil
}

func (d *dripping) Close() error { return nil }

// TestNoStreamGoesOnForEver: what a server sends behind the end, and what holds
// no text, is not listened to for ever, however often it comes.
func TestNoStreamGoesOnForEver(t *testing.T) {
	hel := delta("Hel")
	for name, tt := range map[string]struct {
		first, drip string
		most        time.Duration
		complete    bool
	}{
		"frames behind the end mark":   {hel + stopFrame + doneFrame, "data: 1\n\n", 2 * longestDone, true},
		"usage behind the end mark":    {hel + stopFrame + doneFrame, usageFrame, 2 * longestDone, true},
		"pings behind the end mark":    {hel + stopFrame + doneFrame, ":\n\n", 2 * longestDone, true},
		"frames behind a finish":       {hel + stopFrame, "data: {}\n\n", 2 * longestEnd, true},
		"pings behind text":            {hel, ": p\n\n", pingsOnly + time.Minute, false},
		"empty frames behind text":     {hel, "data: {}\n\n", pingsOnly + time.Minute, false},
		"a line that is never whole":   {hel + "data: ", "x", pingsOnly + time.Minute, false},
		"pings before text":            {"", ": p\n\n", pingsOnly + time.Minute, false},
		"reasoning ends, pings follow": {`data: {"choices":[{"delta":{"reasoning":"hm"}}]}` + "\n\n", ": p\n\n", pingsOnly + time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				out, err := readSource(&dripping{first: tt.first, drip: tt.drip, every: 50 * time.Millisecond}, func(arena.Chunk) {})
				if d := time.Since(start); d > tt.most {
					t.Errorf("it took %s, want %s at most", d, tt.most)
				}
				if out.Complete != tt.complete || tt.complete && err != io.EOF {
					t.Errorf("complete %v, error %v", out.Complete, err)
				}
			})
		})
	}
}
