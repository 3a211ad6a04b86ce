package endpoint

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

// benchFrames is how many frames one reply of a benchmark has.
const benchFrames = 20_000

// benchBody is a reply as vLLM sends it, about 250 bytes a frame.
func benchBody() string {
	var b strings.Builder
	for i := range benchFrames {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-8f2a6f0e5ad94f27a3a1f1d2c3b4a596","object":"chat.completion.chunk","created":1764400000,"model":"ChengyuDu0123/HER-RL-32B","choices":[{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null,"token_ids":null}]}`+"\n\n", i%10)
	}
	b.WriteString(stopFrame + usageFrame + doneFrame)
	return b.String()
}

// fixed is a transport that answers from memory.
type fixed struct{ body string }

func (f fixed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(f.body)),
	}, nil
}

func report(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchFrames/b.Elapsed().Seconds(), "frames/s")
}

// plainRecv reads a reply with go-openai alone.
func plainRecv(b *testing.B, client *http.Client, base string) {
	cfg := openai.DefaultConfig("")
	cfg.BaseURL, cfg.HTTPClient = base, client
	api := openai.NewClientWithConfig(cfg)
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
	report(b)
}

// playReply reads a reply as the arena does.
func playReply(b *testing.B, c *Client) {
	for b.Loop() {
		n := 0
		out := c.Player("m").Play(context.Background(), hello(), func(arena.Chunk) { n++ })
		if n != benchFrames || !out.Complete || out.Fault != nil || out.Usage == nil {
			b.Fatalf("%d chunks, %v", n, out.Fault)
		}
	}
	report(b)
}

func BenchmarkMemory(b *testing.B) {
	f := fixed{benchBody()}
	b.Run("go-openai Recv", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(f.body)))
		plainRecv(b, &http.Client{Transport: f}, "http://h/v1")
	})
	b.Run("Play", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(f.body)))
		c := newClient(b, Config{BaseURL: "http://h"})
		c.http.Transport = &Transport{base: f, say: c.clean}
		playReply(b, c)
	})
	b.Run("body and decoder alone", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(f.body)))
		for b.Loop() {
			ctx, cancel := context.WithCancelCause(context.Background())
			ex := &exchange{firstByte: time.Minute, idle: time.Minute}
			body := newBody(ctx, io.NopCloser(strings.NewReader(f.body)), newWatch(cancel), ex, false)
			r := &reading{ex: ex, on: func(arena.Chunk) {}, start: time.Now()}
			if err := r.read(ctx, &lines{b: body}); err != io.EOF {
				b.Fatal(err)
			}
			body.Close()
		}
		report(b)
	})
}

func BenchmarkLoopback(b *testing.B) {
	frames := strings.SplitAfter(benchBody(), "\n\n")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		flush := http.NewResponseController(w)
		for _, f := range frames {
			_, _ = io.WriteString(w, f)
			_ = flush.Flush()
		}
	}))
	b.Cleanup(s.Close)
	b.Run("go-openai Recv", func(b *testing.B) {
		b.ReportAllocs()
		plainRecv(b, s.Client(), s.URL+"/v1")
	})
	b.Run("Play", func(b *testing.B) {
		b.ReportAllocs()
		playReply(b, newClient(b, Config{BaseURL: s.URL}))
	})
}
