package endpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"herarena/arena"
)

// hostileStreams holds what goes wrong within the body.
func hostileStreams() []attack {
	hel, lo, tail := delta("Hel"), delta("lo"), stopFrame+doneFrame
	usage := func(inside string) string { return data(`{"choices":[],"usage":{` + inside + `}}`) }
	bare := func(frames string) string { return strings.ReplaceAll(frames, "data: ", "") }
	return []attack{
		// Framing.
		{name: "160 comments, one with a colon only", wire: sse(strings.Repeat(": keep-alive\n\n:\n\n", 160) + hel + lo + tail)},
		{name: "400 pings before the first text", wire: sse(strings.Repeat(":\n\n", 400) + hel + lo + tail)},
		{name: "comments between the lines of a frame", wire: sse("data: {\"choices\":[{\n: ping\ndata: \"delta\":{\"content\":\"Hel\"}}]}\n\n" + lo + tail)},
		{name: "fields of unknown names", wire: sse("x-meta: 1\nretry: soon\nid: \x00\n" + hel + "foo\n" + lo + tail)},
		{name: "line ends of all three kinds", wire: sse(strings.TrimSpace(hel) + "\r\r" + strings.TrimSpace(lo) + "\r\n\n" + tail)},
		{name: "two frames on a line, the second whole", wire: sse(`data: {"choices":[{"delta":{"conte` + say("Hello") + tail), damaged: 1},
		{name: "a frame of 2 MB in bytes of 1500", content: strings.Repeat("x", 2<<20), wire: sse(mtu(delta(strings.Repeat("x", 2<<20)) + tail)...)},
		{name: "UTF-16", wire: sse(utf16le(hel + lo + tail)), fault: arena.BadRequest, finish: "-"},
		{name: "an array of chunks", wire: sse("[" + strings.Join([]string{strings.TrimSpace(bare(hel)), strings.TrimSpace(bare(lo)), strings.TrimSpace(bare(stopFrame))}, ",\n") + "]")},
		{name: "JSON values without white space", wire: sse(strings.ReplaceAll(bare(hel+lo+stopFrame), "\n", ""))},
		{name: "literals for frames", wire: sse("data: null\n\ndata: 1\n\ndata: true\n\ndata: []\n\ndata: {}\n\n" + hel + lo + tail)},
		{name: "an event of another kind", wire: sse("event: ping\ndata: {\"type\":\"ping\"}\n\n" + hel + "event: ping\ndata: {}\n\n" + lo + tail)},
		{name: "Azure's filters", wire: sse(data(`{"choices":[],"created":0,"id":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`) + hel + lo + tail)},
		{name: "a second reply behind the end mark", wire: sse(hel + lo + tail + delta("again") + tail)},
		{name: "the end mark twice", wire: sse(hel + lo + tail + doneFrame)},
		{name: "a long comment behind the end mark", wire: sse(hel + lo + tail + ":" + strings.Repeat("x", 1<<20))},
		{name: "the end mark alone", wire: sse(doneFrame), content: "-", finish: "-", fault: ""},
		{name: "the end mark without data:", wire: sse(hel + lo + stopFrame + "[DONE]\n\n")},
		{name: "only comments", wire: sse(": a\n\n: b\n\n"), fault: arena.CutOff, finish: "-", says: "sent nothing"},
		{name: "only roles", wire: sse(data(`{"choices":[{"delta":{"role":"assistant"}}]}`)), fault: arena.CutOff, finish: "-"},
		{name: "a million brackets", wire: sse("data: " + strings.Repeat("[", 1<<20) + "\n\n" + hel + lo + tail), damaged: 1},
		{name: "a thousand damaged frames", wire: sse(strings.Repeat("data: {]\n\n", 1000) + hel + lo + tail), damaged: 1000},

		// Text.
		{name: "every separator of lines that is none here", content: "a\u2028b\u2029c\u0085d\ve\ff", wire: sse(delta("a\u2028b") + say("\u2029c") + say(`\u0085d\u000be\ff`) + tail)},
		{name: "escaped NUL", content: "Hel\x00lo", wire: sse(say(`Hel\u0000lo`) + tail)},
		{name: "halves of pairs in the wrong order", content: "\uFFFD\uFFFD\uFFFDx", wire: sse(say(`\udc00\ud83d`) + say(`\ud83dx`) + tail)},
		{name: "a pair in four frames", content: "😀", wire: sse(say("") + say(`\uD83D`) + say("") + say(`\uDE00`) + tail)},
		{name: "half a pair at the end", content: "a\uFFFD", wire: sse(say(`a\ud83d`) + tail)},
		{name: "escapes that are none", content: "\uFFFD12x/\uFFFDzzzz", wire: sse(say(`\u12`) + say(`\x\/`) + say(`\uzzzz`) + tail)},
		{name: "bytes that are no UTF-8", content: "a\uFFFD\uFFFDb\uFFFD\uFFFDc", wire: sse(say("a\xc0\xafb\xfe\xffc") + tail)},
		{name: "a character over four frames", content: "😀", wire: sse(say("\xf0") + say("\x9f") + say("\x98") + say("\x80") + tail)},
		{name: "combining marks and joiners cut", content: "e\u0301👩\u200d🚀", wire: sse(say("e") + say("\u0301") + say("👩") + say("\u200d") + say("🚀") + tail)},
		{name: "JSON that speaks of errors", content: `{"error":{"message":"boom"}}`, wire: sse(say(`{\"error\":{\"message\":\"boom\"}}`) + tail)},
		{name: "frames of SSE within the text", content: "data: [DONE]\n\ndata: {}", wire: sse(delta("data: [DONE]\n\ndata: {}") + tail)},
		{name: "content of other types", wire: sse(data(`{"choices":[{"delta":{"content":7}}]}`) + data(`{"choices":[{"delta":{"content":false}}]}`) + data(`{"choices":[{"delta":{"content":{}}}]}`) + hel + lo + tail)},
		{name: "choices of other types", wire: sse(data(`{"choices":{}}`) + data(`{"choices":"x"}`) + data(`{"choices":[null,1,"x",[]]}`) + hel + lo + tail)},
		{name: "a choice without a delta", wire: sse(data(`{"choices":[{"index":0,"logprobs":{"content":[{"token":"x"}]}}]}`) + hel + lo + tail)},
		{name: "the other choice is not ours", wire: sse(data(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"Hello"}}]}`) + data(`{"choices":[{"index":-3,"delta":{"content":"no"}},{"index":1e99,"delta":{"content":"no"}}]}`) + tail)},
		{name: "tool calls", wire: sse(data(`{"choices":[{"delta":{"content":null,"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"content\":\"x\"}"}}]}}]}`) + hel + lo + tail)},
		{name: "a thinking tag cut over frames", content: "<think>r</think>a", wire: sse(say("<thi") + say("nk>r</th") + say("ink>a") + tail)},
		{name: "reasoning in a pair over two names", reasoning: "😀", content: "a", wire: sse(data(`{"choices":[{"delta":{"reasoning":"\ud83d"}}]}`) + data(`{"choices":[{"delta":{"reasoning_content":"\ude00"}}]}`) + say("a") + tail)},

		// Endings.
		{name: "finish reasons twice", wire: sse(hel + lo + stopFrame + strings.Replace(stopFrame, "stop", "length", 1) + doneFrame)},
		{name: "a finish reason that is no word", wire: sse(hel + lo + data(`{"choices":[{"delta":{},"finish_reason":{"type":"stop"}}]}`) + data(`{"choices":[{"delta":{},"finish_reason":7}]}`) + tail)},
		{name: "a finish reason of its own", finish: "insufficient_system_resource", wire: sse(hel + lo + strings.Replace(stopFrame, "stop", "insufficient_system_resource", 1) + doneFrame)},
		{name: "text with the finish reason", wire: sse(hel + data(`{"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}`) + doneFrame)},
		{name: "reset behind the finish reason", wire: wire{writes: []string{headClose, hel + lo + stopFrame}, reset: true}},
		{name: "a frame cut behind the finish reason", wire: sse(hel + lo + stopFrame + `data: {"choices":[],"us`)},
		{name: "cut within a character", content: "a\uFFFD", finish: "-", fault: arena.CutOff, wire: sse(say("a\xe4\xbd"))},
		{name: "a long text cut", content: strings.Repeat("word ", 4000), finish: "-", fault: arena.CutOff, wire: sse(strings.Repeat(delta("word "), 4000) + `data: {"choices":[{"delta":{"content":"los`)},

		// Usage.
		{name: "usage beyond all numbers", usage: 1 << 40, wire: sse(hel + lo + stopFrame + usage(`"prompt_tokens":1e999,"completion_tokens":99999999999999999999999999,"total_tokens":1e308`) + doneFrame)},
		{name: "usage of other types", usage: 9, wire: sse(hel + lo + stopFrame + usageFrame + data(`{"usage":[]}`) + data(`{"usage":"x"}`) + data(`{"usage":true}`) + usage(`"total_tokens":{}`) + usage(``) + doneFrame)},
		{name: "usage that is no number", usage: 9, wire: sse(hel + lo + stopFrame + usageFrame + usage(`"prompt_tokens":NaN,"total_tokens":"many"`) + doneFrame)},
		{name: "usage with details", usage: 9, wire: sse(hel + lo + stopFrame + usage(`"prompt_tokens_details":{"cached_tokens":4,"total_tokens":1},"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,"cost":0.01`) + doneFrame)},

		// Errors.
		{name: "vLLM's dead engine", content: "Hel", finish: "-", fault: arena.ServerFault, says: "EngineDeadError", wire: sse(hel + data(`{"object":"error","message":"EngineDeadError","type":"InternalServerError","code":500}`) + doneFrame)},
		{name: "errors that are none", wire: sse(data(`{"error":false}`) + data(`{"error":""}`) + data(`{"error":{}}`) + data(`{"error":null}`) + data(`{"error":[]}`) + data(`{"error":0}`) + hel + lo + tail)},
		{name: "an error that is true", finish: "-", fault: arena.ServerFault, says: "without a message", wire: sse(data(`{"error":true}`))},
		{name: "an event named error with nothing in it", finish: "-", fault: arena.ServerFault, wire: sse("event: error\ndata: {}\n\n")},
		{name: "an event named ERROR behind a comment", finish: "-", fault: arena.ServerFault, says: "boom", wire: sse("event: ERROR\n: x\ndata: boom\n\n")},
		{name: "an error of control characters", content: "Hel", finish: "-", fault: arena.ServerFault, wire: sse(hel + data(`{"error":{"message":"\u0000\u001b[2J\u202ea\u2066b\u0007\r\n"}}`))},
		{name: "an error of 100 KB", content: "Hel", finish: "-", fault: arena.ServerFault, says: "xxx", wire: sse(hel + data(`{"error":{"message":"`+strings.Repeat("x", 100<<10)+`"}}`))},
		{name: "an error by the byte, held open", content: "Hel", finish: "-", fault: arena.ServerFault, says: "boom", wire: wire{writes: append([]string{headClose}, strings.Split(hel+data(`{"error":{"message":"boom"}}`), "")...), hold: true}},
		{name: "an error in a list", finish: "-", fault: "*", wire: sse(`[{"error":{"message":"boom","code":400}}]`)},
		{name: "Anthropic's error", content: "Hel", finish: "-", fault: arena.Overloaded, says: "Overloaded", wire: sse(hel + "event: error\n" + data(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))},
		{name: "another API's stream", finish: "-", fault: arena.CutOff, wire: sse("event: content_block_delta\n" + data(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`) + "event: message_stop\n" + data(`{"type":"message_stop"}`))},
	}
}

func mtu(s string) []string {
	var parts []string
	for len(s) > 1500 {
		parts = append(parts, s[:1500])
		s = s[1500:]
	}
	return append(parts, s)
}

func utf16le(s string) string {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, utf16.Encode([]rune(s)))
	return b.String()
}

func TestHostileStreams(t *testing.T) {
	for _, a := range hostileStreams() {
		t.Run(a.name, a.run)
	}
}

// bodies returns what the hostile streams send, short enough for a fuzzer.
func bodies() [][]byte {
	var all [][]byte
	for _, a := range hostileStreams() {
		if body := strings.Join(a.wire.writes[1:], ""); len(body) < 1<<14 {
			all = append(all, []byte(body))
		}
	}
	return all
}

func TestCutsOfHostileStreamsChangeNothing(t *testing.T) {
	for _, body := range bodies() {
		sameEveryWay(t, body, 11)
	}
}

// TestHostileStatuses holds what servers say with an error status.
func TestHostileStatuses(t *testing.T) {
	refuse := func(code int, headers, body string) wire {
		return raw(fmt.Sprintf("HTTP/1.1 %d %s\r\nConnection: close\r\n%s\r\n", code, http.StatusText(code), headers), body)
	}
	sized := func(code int, headers, body string) wire {
		return refuse(code, headers+fmt.Sprintf("Content-Length: %d\r\n", len(body)), body)
	}
	long := strings.Repeat("x", 300<<10)
	for _, a := range []attack{
		{name: "an error as a stream", wire: refuse(429, "", "data: {\"error\":{\"message\":\"slow down\"}}\n\ndata: [DONE]\n\n"), fault: arena.Overloaded, says: "slow down"},
		{name: "an error in gzip", wire: sized(400, "Content-Encoding: gzip\r\n", zipped(`{"error":{"message":"words"}}`)), fault: arena.BadRequest, says: "words"},
		{name: "an error in broken gzip", wire: sized(502, "Content-Encoding: gzip\r\n", "oops"), fault: arena.ServerFault},
		{name: "mods' 400", wire: refuse(400, "", `{"object":"error","message":"x is wrong","code":400}`), fault: arena.BadRequest, says: "x is wrong"},
		{name: "mods' 404", wire: refuse(404, "", "404 page not found"), fault: arena.BadRequest, says: "404 page not found"},
		{name: "a body of 300 KB", wire: refuse(500, "", long), fault: arena.ServerFault, says: "xxx"},
		{name: "a message of 300 KB", wire: refuse(500, "", `{"error":{"message":"`+long+`"}}`), fault: arena.ServerFault},
		{name: "a page of styles and scripts", wire: refuse(502, "Content-Type: text/html\r\n", strings.Repeat("<style>a{b:c}</style><script>x<y</script>", 90)+"Bad gateway"), fault: arena.ServerFault},
		{name: "a page that never closes a tag", wire: refuse(502, "Content-Type: text/html\r\n", strings.Repeat("<style", 9000)), fault: arena.ServerFault},
		{name: "only control characters", wire: refuse(400, "", "\x00\x1b[2J\x07\u202e\xff\xfe"), fault: arena.BadRequest},
		{name: "a message of control characters", wire: refuse(400, "", `{"error":{"message":"\u0000\u001b]0;x\u0007\u202ex\u2066y"}}`), fault: arena.BadRequest},
		{name: "a body cut", wire: refuse(500, "Content-Length: 999\r\n", `{"error":{"message":"half`), fault: arena.ServerFault},
		{name: "a body of numbers", wire: refuse(500, "", `[1,2,3]`), fault: arena.ServerFault},
		{name: "an empty list", wire: refuse(500, "", `[]`), fault: arena.ServerFault},
		{name: "null", wire: refuse(500, "", `null`), fault: arena.ServerFault},
		{name: "a code that is a list", wire: refuse(500, "", `{"error":{"code":[1],"type":{},"message":"m","param":[]}}`), fault: arena.ServerFault, says: "m"},
		{name: "407", wire: refuse(407, "Proxy-Authenticate: Basic\r\n", ""), fault: arena.Unauthorised},
		{name: "402", wire: refuse(402, "", `{"error":{"message":"Insufficient credits"}}`), fault: arena.Unauthorised, says: "Insufficient credits"},
		{name: "413 from nginx", wire: refuse(413, "Content-Type: text/html\r\n", "<html><h1>413 Request Entity Too Large</h1></html>"), fault: arena.TooLong},
		{name: "431", wire: refuse(431, "", ""), fault: arena.BadRequest},
		{name: "451", wire: refuse(451, "", ""), fault: arena.BadRequest},
		{name: "408", wire: refuse(408, "", ""), fault: arena.Overloaded},
		{name: "524", wire: refuse(524, "Content-Type: text/html\r\n", "<html>A timeout occurred</html>"), fault: arena.ServerFault, says: "A timeout occurred"},
		{name: "529", wire: refuse(529, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), fault: arena.Overloaded, says: "Overloaded"},
		{name: "a body held open", wire: wire{writes: []string{"HTTP/1.1 500 x\r\n\r\n", `{"error":"half`}, hold: true}, fault: arena.ServerFault},
		{name: "a body by drops without end", wire: wire{writes: append([]string{"HTTP/1.1 500 x\r\n\r\n"}, strings.Split(strings.Repeat("x", 4000), "")...), gap: 50 * time.Millisecond}, fault: arena.ServerFault},
	} {
		a.finish = "-"
		t.Run(a.name, a.run)
	}
}

// TestASplitAtEveryByte sends a reply in two writes, cut at each of its bytes.
func TestASplitAtEveryByte(t *testing.T) {
	reply := "\xef\xbb\xbf: ping\r\n\r\nevent: message\r\n" + say(`é你\ud83d\ude00`) + "data:" + strings.TrimPrefix(say("😀"), "data: ") +
		data(`{"choices":[{"delta":{"reasoning":"hm"}}]}`) + stopFrame + usageFrame + doneFrame
	reply = headClose + reply
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for cut := 1; cut < len(reply); cut++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if _, err := readRequest(conn); err == nil {
				_, _ = io.WriteString(conn, reply[:cut])
				time.Sleep(100 * time.Microsecond)
				_, _ = io.WriteString(conn, reply[cut:])
			}
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	c := newClient(t, Config{BaseURL: "http://" + l.Addr().String(), Retries: -1})
	for cut := 1; cut < len(reply); cut++ {
		out := play(t, c, "m", hello())
		if out.Content != "é你😀😀" || out.Reasoning != "hm" || out.Finish != "stop" || out.Fault != nil || out.Usage == nil || out.Damaged != 0 {
			t.Fatalf("cut at %d: %+v", cut, out.Outcome)
		}
	}
}

// TestAnHTTP2StreamThatBreaks aborts a stream of a shared connection.
func TestAnHTTP2StreamThatBreaks(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, delta(r.Proto))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	c := newClient(t, Config{BaseURL: s.URL, InsecureTLS: true, Retries: -1})
	for range 3 {
		out := play(t, c, "m", hello())
		if out.Content != "HTTP/2.0" || out.Complete || out.Fault == nil || out.Fault.Kind != arena.CutOff {
			t.Errorf("outcome %+v", out.Outcome)
		}
	}
}

func TestWhatARequestCost(t *testing.T) {
	t.Parallel()
	for inside, want := range map[string]string{
		`"completion_tokens":2,"prompt_tokens":7,"cost":0.00123`:        "0.00123",
		`"cost":0,"total_tokens":9`:                                     "none",
		`"cost":"0.5","total_tokens":9`:                                 "0.5",
		`"total_tokens":9`:                                              "none",
		`"cost":null,"total_tokens":9`:                                  "none",
		`"cost":-1,"total_tokens":9`:                                    "none",
		`"cost":1e999,"total_tokens":9`:                                 "none",
		`"cost":"NaN","total_tokens":9`:                                 "none",
		`"cost":{"usd":1},"total_tokens":9`:                             "none",
		`"cost_details":{"upstream_inference_cost":1},"total_tokens":9`: "none",
		`"cost":0.4`: "unknown", // without tokens it is no usage
	} {
		d, got := &decoder{}, "unknown"
		d.decode([]byte(`{"choices":[],"usage":{`+inside+`}}`), func() {
			switch {
			case d.hasUsage && d.usage.Cost != 0:
				got = strconv.FormatFloat(d.usage.Cost, 'f', -1, 64)
			case d.hasUsage:
				got = "none"
			}
		})
		if got != want {
			t.Errorf("%s: %s, want %s", inside, got, want)
		}
	}
}
