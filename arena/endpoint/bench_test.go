package endpoint

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

// benchFrames is how many pieces of text one reply of a benchmark has.
const benchFrames = 20_000

// tape is a reply in a server's own style, cut where the server flushes.
type tape struct {
	name   string
	writes []string
}

func (w tape) String() string { return strings.Join(w.writes, "") }

// vllmTape is a reply as vLLM sends it, about 250 bytes a frame.
func vllmTape() tape {
	w := tape{name: "vLLM"}
	for i := range benchFrames {
		w.writes = append(w.writes, fmt.Sprintf(`data: {"id":"chatcmpl-8f2a6f0e5ad94f27a3a1f1d2c3b4a596","object":"chat.completion.chunk","created":1764400000,"model":"ChengyuDu0123/HER-RL-32B","choices":[{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null,"token_ids":null}]}`+"\n\n", i%10))
	}
	return w.ended()
}

// openRouterTape is a reply as OpenRouter sends it: the reasoning under two
// names, comments among the frames, about 400 bytes each.
func openRouterTape() tape {
	w := tape{name: "OpenRouter"}
	for i := range benchFrames {
		var b strings.Builder
		if i%8 == 0 {
			b.WriteString(": OPENROUTER PROCESSING\n\n")
		}
		text, thought, details := fmt.Sprintf(" word%d", i%10), "null", "[]"
		if i < benchFrames/2 {
			thought = fmt.Sprintf("%q", text)
			details = fmt.Sprintf(`[{"type":"reasoning.text","text":%q,"format":"unknown","index":0}]`, text)
			text = ""
		}
		fmt.Fprintf(&b, `data: {"id":"gen-1764400000-Zk2mJ6xTqvN0bY4aWcRd","provider":"Featherless","model":"chengyudu0123/her-rl-32b","object":"chat.completion.chunk","created":1764400000,"choices":[{"index":0,"delta":{"role":"assistant","content":%q,"reasoning":%s,"reasoning_details":%s},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}`+"\n\n", text, thought, details)
		w.writes = append(w.writes, b.String())
	}
	return w.ended()
}

// smallTape is the least a server can send, about 60 bytes a frame.
func smallTape() tape {
	w := tape{name: "small"}
	for i := range benchFrames {
		w.writes = append(w.writes, fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":" w%d"}}]}`+"\n\n", i%10))
	}
	return w.ended()
}

func (w tape) ended() tape {
	w.writes = append(w.writes, stopFrame+usageFrame+doneFrame)
	return w
}

// tapeServer plays a tape to every request over a bare listener, its bytes
// rendered beforehand. Connections are kept.
//
// Flushed, each piece is a write of its own, as a server does it. Its writes cost
// more than the reading of most of the ways below, so the way is measured better
// with piled pieces: the same HTTP chunks, of which as many lie in the socket as
// fit, so that the reader alone sets the pace.
func tapeServer(b *testing.B, w tape, piled bool) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	var chunks [][]byte
	for i, s := range w.writes {
		chunk := fmt.Sprintf("%x\r\n%s\r\n", len(s), s)
		if i == 0 {
			chunk = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk
		}
		if i == len(w.writes)-1 {
			chunk += "0\r\n\r\n"
		}
		if n := len(chunks) - 1; piled && n >= 0 && len(chunks[n]) < 256<<10 {
			chunks[n] = append(chunks[n], chunk...)
			continue
		}
		chunks = append(chunks, []byte(chunk))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go playTape(conn, chunks)
		}
	}()
	b.Cleanup(func() { l.Close(); <-done })
	return "http://" + l.Addr().String() + "/v1"
}

func playTape(conn net.Conn, chunks [][]byte) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		for _, c := range chunks {
			if _, err := conn.Write(c); err != nil {
				return
			}
		}
	}
}

// meter counts the allocations of the whole process between its start and its
// report, and puts both in terms of one piece of text.
type meter struct{ mallocs uint64 }

func startMeter() meter {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return meter{m.Mallocs}
}

func (m meter) report(b *testing.B) (perSecond float64) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	chunks := float64(b.N) * benchFrames
	perSecond = chunks / b.Elapsed().Seconds()
	b.ReportMetric(perSecond, "chunks/s")
	b.ReportMetric(float64(now.Mallocs-m.mallocs)/chunks, "allocs/chunk")
	return perSecond
}

// readPlain reads the bytes of a reply and looks at none of them.
func readPlain(b *testing.B, client *http.Client, base string) float64 {
	m := startMeter()
	for b.Loop() {
		resp, err := client.Post(base+"/chat/completions", "application/json", strings.NewReader("{}"))
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || n < benchFrames*50 {
			b.Fatalf("%d bytes, %v", n, err)
		}
	}
	return m.report(b)
}

// readRecv reads a reply with go-openai alone.
func readRecv(b *testing.B, client *http.Client, base string) float64 {
	cfg := openai.DefaultConfig("")
	cfg.BaseURL, cfg.HTTPClient = base, client
	api := openai.NewClientWithConfig(cfg)
	m := startMeter()
	for b.Loop() {
		s, err := api.CreateChatCompletionStream(context.Background(), openai.ChatCompletionRequest{Model: "m"})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for {
			_, err := s.Recv()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		s.Close()
		if n < benchFrames {
			b.Fatalf("%d frames", n)
		}
	}
	return m.report(b)
}

// readPlay reads a reply as the arena does.
func readPlay(b *testing.B, c *Client) float64 {
	m := startMeter()
	for b.Loop() {
		n := 0
		out := c.Player("m").Play(context.Background(), hello(), func(arena.Chunk) { n++ })
		if n != benchFrames || !out.Complete || out.Fault != nil || out.Usage == nil {
			b.Fatalf("%d chunks, %v", n, out.Fault)
		}
	}
	return m.report(b)
}

// decodeBody runs body and decoder over what a server sent, and nothing else.
func decodeBody(b *testing.B, src io.ReadCloser) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ex := &exchange{firstByte: time.Minute, idle: time.Minute}
	out := newBody(ctx, src, newWatch(cancel), ex, false)
	defer out.Close()
	r := newReading(time.Now(), nil, func(Event) {})
	r.ex = ex
	if err := r.read(ctx, out); err != io.EOF {
		b.Fatal(err)
	}
	if o := r.outcome(); !o.Complete || o.Usage == nil {
		b.Fatalf("outcome %+v", o)
	}
}

func readDecoder(b *testing.B, client *http.Client, base string) float64 {
	m := startMeter()
	for b.Loop() {
		resp, err := client.Post(base+"/chat/completions", "application/json", strings.NewReader("{}"))
		if err != nil {
			b.Fatal(err)
		}
		decodeBody(b, resp.Body)
	}
	return m.report(b)
}

// BenchmarkLoopback reads the same replies over the same sockets in four ways.
// The metric x-Recv is how many times as fast as go-openai's Recv a way is.
func BenchmarkLoopback(b *testing.B) {
	for _, w := range []tape{vllmTape(), openRouterTape(), smallTape()} {
		for _, piled := range []bool{false, true} {
			pace := "flushed"
			if piled {
				pace = "piled"
			}
			b.Run(w.name+"/"+pace, func(b *testing.B) {
				readEveryWay(b, tapeServer(b, w, piled), int64(len(w.String())))
			})
		}
	}
}

func readEveryWay(b *testing.B, base string, size int64) {
	plain := &http.Client{Transport: &http.Transport{}}
	b.Cleanup(plain.CloseIdleConnections)
	c := newClient(b, Config{BaseURL: base})
	var recv float64
	for _, way := range []struct {
		name string
		read func(b *testing.B) float64
	}{
		{"io.Copy", func(b *testing.B) float64 { return readPlain(b, plain, base) }},
		{"Recv", func(b *testing.B) float64 { recv = readRecv(b, plain, base); return recv }},
		{"Play", func(b *testing.B) float64 { return readPlay(b, c) }},
		{"decoder", func(b *testing.B) float64 { return readDecoder(b, plain, base) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(size)
			if rate := way.read(b); recv > 0 {
				b.ReportMetric(rate/recv, "x-Recv")
			}
		})
	}
}

// fixed is a transport that answers from memory.
type fixed struct{ body string }

func (f fixed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(f.body)),
	}, nil
}

// BenchmarkMemory is the same without a network: what the reading itself costs.
func BenchmarkMemory(b *testing.B) {
	for _, w := range []tape{vllmTape(), openRouterTape(), smallTape()} {
		f := fixed{w.String()}
		b.Run(w.name+"/Recv", func(b *testing.B) {
			b.SetBytes(int64(len(f.body)))
			readRecv(b, &http.Client{Transport: f}, "http://h/v1")
		})
		b.Run(w.name+"/Play", func(b *testing.B) {
			b.SetBytes(int64(len(f.body)))
			c := newClient(b, Config{BaseURL: "http://h"})
			c.http.Transport = &Transport{base: f, say: c.clean}
			readPlay(b, c)
		})
		b.Run(w.name+"/decoder", func(b *testing.B) {
			b.SetBytes(int64(len(f.body)))
			m := startMeter()
			for b.Loop() {
				decodeBody(b, io.NopCloser(strings.NewReader(f.body)))
			}
			m.report(b)
		})
	}
}
