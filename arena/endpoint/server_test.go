package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"herarena/arena"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// step is a piece of a body and the pause before it.
type step struct {
	Bytes   []byte `json:"bytes_b64"`
	SleepMS int    `json:"sleep_ms"`
}

// answerer is how a raw server answers: as bytes, pauses and an ending.
type answerer struct {
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	Chunked     bool   `json:"chunked"`
	OmitFinal   bool   `json:"omit_final_chunk"`
	Reset       bool   `json:"tcp_reset_at_end"`
	Hold        bool   `json:"hold_open_at_end"`
	Steps       []step `json:"steps"`
	Headers     string `json:"-"` // further header lines
}

// rawServer answers over a bare TCP listener, so that every byte is chosen.
type rawServer struct {
	t        testing.TB
	listener net.Listener
	answer   func(n int, r *http.Request, body []byte) answerer

	mu       sync.Mutex
	requests []recorded
	conns    map[net.Conn]bool
	closed   chan time.Time // when the client closed a held connection
	wg       sync.WaitGroup
}

type recorded struct {
	path   string
	header http.Header
	body   map[string]any
}

func newRawServer(t testing.TB, answer func(n int, r *http.Request, body []byte) answerer) *rawServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{t: t, listener: l, answer: answer, closed: make(chan time.Time, 64), conns: map[net.Conn]bool{}}
	s.wg.Go(s.accept)
	t.Cleanup(func() {
		l.Close()
		s.mu.Lock()
		for c := range s.conns {
			c.Close()
		}
		s.mu.Unlock()
		s.wg.Wait()
	})
	return s
}

func (s *rawServer) url() string { return "http://" + s.listener.Addr().String() + "/v1" }

func (s *rawServer) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns[conn] = true
		s.mu.Unlock()
		s.wg.Go(func() { s.serve(conn) })
	}
}

func (s *rawServer) serve(conn net.Conn) {
	defer conn.Close()
	reader := bufio.NewReader(conn)
	req, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	body, _ := io.ReadAll(req.Body)
	s.respond(conn, reader, req, body)
}

// readRequest reads one request, its body included.
func readRequest(conn net.Conn) (*http.Request, error) {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, req.Body)
	return req, err
}

func (s *rawServer) respond(conn net.Conn, reader io.Reader, req *http.Request, body []byte) {
	rec := recorded{path: req.Method + " " + req.URL.Path, header: req.Header}
	_ = json.Unmarshal(body, &rec.body)
	s.mu.Lock()
	n := 0
	for _, r := range s.requests {
		if r.path == rec.path {
			n++
		}
	}
	s.requests = append(s.requests, rec)
	s.mu.Unlock()
	a := s.answer(n, req, body)
	s.write(conn, a)
	if a.Hold {
		_, _ = io.Copy(io.Discard, reader)
		s.closed <- time.Now()
	}
}

func (s *rawServer) write(conn net.Conn, a answerer) {
	if a.Status == 0 {
		a.Status = 200
	}
	if a.ContentType == "" {
		a.ContentType = "text/event-stream"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%s", a.Status, http.StatusText(a.Status), a.ContentType, a.Headers)
	if a.Chunked {
		b.WriteString("Transfer-Encoding: chunked\r\n")
	}
	b.WriteString("Connection: close\r\n\r\n")
	first := true
	for _, st := range a.Steps {
		time.Sleep(time.Duration(st.SleepMS) * time.Millisecond)
		if first {
			_, _ = conn.Write(b.Bytes())
			first = false
		}
		if len(st.Bytes) == 0 {
			continue
		}
		if a.Chunked {
			_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(st.Bytes), st.Bytes)
		} else {
			_, _ = conn.Write(st.Bytes)
		}
	}
	if first {
		_, _ = conn.Write(b.Bytes())
	}
	switch {
	case a.Hold:
		return
	case a.Chunked && !a.OmitFinal:
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	}
	if a.Reset {
		_ = conn.(*net.TCPConn).SetLinger(0)
	}
}

func (s *rawServer) seen() []recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]recorded(nil), s.requests...)
}

// always answers every request alike.
func always(a answerer) func(int, *http.Request, []byte) answerer {
	return func(int, *http.Request, []byte) answerer { return a }
}

// stream is a plain, complete event stream of the pieces.
func stream(pieces ...string) answerer {
	a := answerer{Chunked: true}
	for _, p := range pieces {
		a.Steps = append(a.Steps, step{Bytes: []byte(delta(p))})
	}
	a.Steps = append(a.Steps, step{Bytes: []byte(stopFrame + doneFrame)})
	return a
}

const (
	stopFrame  = `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	doneFrame  = "data: [DONE]\n\n"
	usageFrame = `data: {"id":"c","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}` + "\n\n"
)

func delta(text string) string {
	return `data: {"id":"c","choices":[{"index":0,"delta":{"content":` + strconv.Quote(text) + `},"finish_reason":null}]}` + "\n\n"
}

// body answers with steps of raw text.
func bodyOf(pieces ...string) answerer {
	a := answerer{Chunked: true}
	for _, p := range pieces {
		a.Steps = append(a.Steps, step{Bytes: []byte(p)})
	}
	return a
}

func status(code int, body string) answerer {
	a := bodyOf(body)
	a.Status, a.ContentType = code, "application/json"
	return a
}

func newClient(t testing.TB, cfg Config) *Client {
	t.Helper()
	if cfg.Kind == "" {
		cfg.Kind = KindOther
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func hello() arena.Call {
	return arena.Call{Messages: []arena.Message{{Role: "user", Content: "hi"}}}
}

// played is an outcome together with the chunks that came on the way.
type played struct {
	arena.Outcome
	text, reasoning string
	retries         []arena.Chunk
}

func play(t testing.TB, c *Client, model string, call arena.Call) played {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var p played
	p.Outcome = c.Player(model).Play(ctx, call, func(ch arena.Chunk) {
		switch ch.Kind {
		case arena.ChunkText:
			p.text += ch.Text
		case arena.ChunkReasoning:
			p.reasoning += ch.Text
		case arena.ChunkRetry:
			p.retries = append(p.retries, ch)
		}
	})
	if p.text != p.Content || p.reasoning != p.Reasoning {
		t.Errorf("the chunks give %q and %q, the outcome %q and %q", p.text, p.reasoning, p.Content, p.Reasoning)
	}
	return p
}
