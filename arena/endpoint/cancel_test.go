package endpoint

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"herarena/arena"
)

// cancelGuard is how late the server may see a cancel at most. It is far above
// what is measured (see BenchmarkCancel), so that a busy machine fails no test,
// and below every timer that would end a request by itself.
const cancelGuard = 2 * time.Second

// hanging is a server that begins an answer, goes on with pings where told to,
// and notes when the client has closed the connection.
type hanging struct {
	url   string
	began chan struct{}  // one for each answer as far as it goes
	seen  chan time.Time // one for each connection closed by the client
}

func newHanging(t testing.TB, head string, ping string) *hanging {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hanging{url: "http://" + l.Addr().String() + "/v1", began: make(chan struct{}, 256), seen: make(chan time.Time, 256)}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { h.serve(conn, head, ping) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return h
}

func (h *hanging) serve(conn net.Conn, head, ping string) {
	defer conn.Close()
	if _, err := readRequest(conn); err != nil {
		return
	}
	_, _ = conn.Write([]byte(head))
	h.began <- struct{}{}
	closed := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for ping != "" {
			select {
			case <-closed:
				return
			case <-time.After(5 * time.Millisecond):
				_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(ping), ping)
			}
		}
	})
	_, _ = conn.Read(make([]byte, 1))
	h.seen <- time.Now()
	close(closed)
	wg.Wait()
}

// expect waits until n connections were closed and returns how long after at
// the last one was.
func (h *hanging) expect(t testing.TB, n int, at time.Time) time.Duration {
	t.Helper()
	var last time.Duration
	guard := time.After(cancelGuard)
	for i := range n {
		select {
		case seen := <-h.seen:
			last = max(last, seen.Sub(at))
		case <-guard:
			t.Fatalf("%d of %d connections were closed within %s", i, n, cancelGuard)
		}
	}
	return last
}

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

func httpChunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

func TestCancelIsSeenByTheServer(t *testing.T) {
	const ping = ": ping\n\n"
	tests := []struct {
		name     string
		head     string
		ping     string
		prefill  bool // auto kind: the model list is asked for first
		content  string
		complete bool
	}{
		{name: "waiting for the headers"},
		{name: "waiting for the model list", prefill: true},
		{name: "in the middle of the headers", head: "HTTP/1.1 200 OK\r\nX-A: "},
		{name: "waiting for the body of an error", head: "HTTP/1.1 500 No\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"err"},
		{name: "waiting for the first text", head: okHead},
		{name: "waiting for the first text, pings coming", head: okHead, ping: ping},
		{name: "roles without text", head: okHead + httpChunk(`data: {"choices":[{"delta":{"role":"assistant","content":""}}]}`+"\n\n"), ping: ping},
		{name: "within a frame", head: okHead + httpChunk(delta("Hel")+`data: {"choices":[{"delta":{"content":"l`), content: "Hel"},
		{name: "within a chunk", head: okHead + "ff\r\ndata:"},
		{name: "in the middle", head: okHead + httpChunk(delta("Hel")), content: "Hel"},
		{name: "in the middle, pings coming", head: okHead + httpChunk(delta("Hel")), ping: ping, content: "Hel"},
		{name: "in the middle, text pouring", head: okHead + httpChunk(delta("Hel")), ping: `data: {"choices":[{"delta":{}}]}` + "\n\n", content: "Hel"},
		{name: "behind the finish reason", head: okHead + httpChunk(delta("Hel")+stopFrame), ping: ping, content: "Hel", complete: true},
		{name: "waiting for late usage", head: okHead + httpChunk(delta("Hel")+stopFrame+doneFrame), ping: ping, content: "Hel", complete: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHanging(t, tt.head, tt.ping)
			cfg := Config{BaseURL: h.url}
			call := hello()
			if tt.prefill {
				cfg.Kind, call.Prefill = KindAuto, "p"
			}
			c := newClient(t, cfg)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			text := make(chan struct{}, 8)
			at := make(chan time.Time, 1)
			go func() {
				<-h.began
				if tt.content != "" {
					select {
					case <-text:
					case <-time.After(cancelGuard):
						t.Error("the text was not handed on")
					}
				}
				time.Sleep(20 * time.Millisecond)
				at <- time.Now()
				cancel()
			}()
			out := c.Player("m").Play(ctx, call, func(ch arena.Chunk) {
				if ch.Kind == arena.ChunkText {
					text <- struct{}{}
				}
			})
			back := time.Now()
			when := <-at
			took := back.Sub(when)
			seen := h.expect(t, 1, when)
			t.Logf("Play returned after %s, the server saw it after %s", took, seen)
			if took > cancelGuard {
				t.Errorf("Play returned only after %s", took)
			}
			if out.Content != tt.content || out.Complete != tt.complete {
				t.Errorf("outcome %+v", out)
			}
			if f := out.Fault; tt.complete == (f != nil) || f != nil && f.Kind != arena.Cancelled {
				t.Errorf("fault %+v", f)
			}
		})
	}
}

func TestCancelDuringTheWaitForARetry(t *testing.T) {
	for _, headers := range []string{"Retry-After: 60\r\n", "Retry-After-Ms: 60000\r\n", ""} {
		a := status(503, `{"error":{"message":"Loading model"}}`)
		a.Headers = headers
		s := newRawServer(t, always(a))
		c := newClient(t, Config{BaseURL: s.url()})
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		out := c.Player("m").Play(ctx, hello(), func(ch arena.Chunk) {
			if ch.Kind == arena.ChunkRetry {
				at = time.Now()
				cancel()
			}
		})
		took := time.Since(at)
		t.Logf("%q: Play returned after %s", headers, took)
		if out.Fault == nil || out.Fault.Kind != arena.Cancelled || took > cancelGuard || len(s.seen()) != 1 {
			t.Errorf("%q: fault %+v after %s, %d requests", headers, out.Fault, took, len(s.seen()))
		}
		cancel()
	}
}

// TestADeadlineIsACancel ends requests by a deadline instead of a cancel.
func TestADeadlineIsACancel(t *testing.T) {
	h := newHanging(t, okHead+httpChunk(delta("Hel")), ": ping\n\n")
	c := newClient(t, Config{BaseURL: h.url})
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	out := c.Player("m").Play(ctx, hello(), nil)
	at, _ := ctx.Deadline()
	took := time.Since(at)
	t.Logf("Play returned after %s, the server saw it after %s", took, h.expect(t, 1, at))
	if f := out.Fault; f == nil || f.Kind != arena.Cancelled || out.Content != "Hel" || took > cancelGuard {
		t.Errorf("content %q, fault %+v", out.Content, f)
	}
}

func TestCancelEndsAllStreamsAtOnce(t *testing.T) {
	const streams = 64
	h := newHanging(t, okHead+httpChunk(delta("Hel")), ": ping\n\n")
	c := newClient(t, Config{BaseURL: h.url})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	outs := make(chan arena.Outcome, streams)
	text := make(chan struct{}, streams)
	for range streams {
		go func() {
			outs <- c.Player("m").Play(ctx, hello(), func(arena.Chunk) { text <- struct{}{} })
		}()
	}
	for range streams {
		<-text
	}
	at := time.Now()
	cancel()
	guard := time.After(cancelGuard)
	for i := range streams {
		select {
		case out := <-outs:
			if out.Fault == nil || out.Fault.Kind != arena.Cancelled || out.Content != "Hel" {
				t.Errorf("content %q, fault %+v", out.Content, out.Fault)
			}
		case <-guard:
			t.Fatalf("%d of %d plays returned within %s", i, streams, cancelGuard)
		}
	}
	returned := time.Since(at)
	t.Logf("the last of %d returned after %s, the server saw the last after %s", streams, returned, h.expect(t, streams, at))
}

// TestCancelOfOneLeavesTheOthers stops one of several streams that share a client.
func TestCancelOfOneLeavesTheOthers(t *testing.T) {
	s := newRawServer(t, func(n int, _ *http.Request, _ []byte) answerer {
		a := answerer{Chunked: true}
		for range 10 {
			a.Steps = append(a.Steps, step{Bytes: []byte(delta("x")), SleepMS: 20})
		}
		a.Steps = append(a.Steps, step{Bytes: []byte(stopFrame + doneFrame)})
		return a
	})
	c := newClient(t, Config{BaseURL: s.url()})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			n := 0
			out := c.Player("m").Play(ctx, hello(), func(arena.Chunk) {
				if n++; n == 3 && i%2 == 0 {
					cancel()
				}
			})
			if want := "xxxxxxxxxx"; i%2 == 1 && (out.Content != want || out.Fault != nil) {
				t.Errorf("stream %d: content %q, fault %v", i, out.Content, out.Fault)
			}
			if i%2 == 0 && (out.Content != "xxx" || out.Fault == nil || out.Fault.Kind != arena.Cancelled) {
				t.Errorf("stream %d: content %q, fault %v", i, out.Content, out.Fault)
			}
		})
	}
	wg.Wait()
}

func TestCancelDuringATLSHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	greeted := make(chan net.Conn, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		buf := make([]byte, 4096)
		_, _ = conn.Read(buf)
		greeted <- conn
		_, _ = conn.Read(buf)
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	c := newClient(t, Config{BaseURL: "https://" + l.Addr().String()})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	at := make(chan time.Time, 1)
	var conn net.Conn
	go func() { conn = <-greeted; at <- time.Now(); cancel() }()
	out := c.Player("m").Play(ctx, hello(), nil)
	back, when := time.Now(), <-at
	t.Logf("Play returned after %s", back.Sub(when))
	if out.Fault == nil || out.Fault.Kind != arena.Cancelled || back.Sub(when) > cancelGuard {
		t.Errorf("fault %+v after %s", out.Fault, back.Sub(when))
	}
	// net/http lets the handshake go on for the next request, for as long as the
	// handshake may take. No request was sent: nothing is generated meanwhile.
	conn.Close()
}

// TestCancelOverHTTP2 stops one stream of a shared connection: the server must
// see that one end, and the other must go on.
func TestCancelOverHTTP2(t *testing.T) {
	seen := make(chan time.Time, 1)
	release := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, delta(r.Proto))
		_ = http.NewResponseController(w).Flush()
		if r.Header.Get("X-Session-Id") == "stopped" {
			<-r.Context().Done()
			seen <- time.Now()
			return
		}
		<-release
		_, _ = fmt.Fprint(w, stopFrame+doneFrame)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	c := newClient(t, Config{BaseURL: s.URL, InsecureTLS: true})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	other := make(chan arena.Outcome, 1)
	started := make(chan struct{})
	go func() {
		other <- c.Player("m").Play(context.Background(), hello(), func(arena.Chunk) { close(started) })
	}()
	<-started
	call := hello()
	call.Session = "stopped"
	var at time.Time
	out := c.Player("m").Play(ctx, call, func(arena.Chunk) { at = time.Now(); cancel() })
	if out.Content != "HTTP/2.0" || out.Fault == nil || out.Fault.Kind != arena.Cancelled || time.Since(at) > cancelGuard {
		t.Errorf("content %q, fault %+v", out.Content, out.Fault)
	}
	select {
	case when := <-seen:
		t.Logf("the server saw it after %s", when.Sub(at))
	case <-time.After(cancelGuard):
		t.Error("the server never saw it")
	}
	close(release)
	if out := <-other; out.Fault != nil || !out.Complete {
		t.Errorf("the other stream: %+v", out)
	}
}

// BenchmarkCancel measures from the cancel to the return of Play and to the
// moment the server reads the end of the connection, in microseconds.
func BenchmarkCancel(b *testing.B) {
	for _, bm := range []struct {
		name, head, ping string
		streams          int
	}{
		{"headers", "", "", 1},
		{"pings", okHead, ": ping\n\n", 1},
		{"middle", okHead + httpChunk(delta("Hel")), "", 1},
		{"64-streams", okHead + httpChunk(delta("Hel")), "", 64},
	} {
		b.Run(bm.name, func(b *testing.B) {
			h := newHanging(b, bm.head, bm.ping)
			c := newClient(b, Config{BaseURL: h.url})
			var returned, seen time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				back := make(chan struct{}, bm.streams)
				for range bm.streams {
					go func() {
						c.Player("m").Play(ctx, hello(), nil)
						back <- struct{}{}
					}()
				}
				for range bm.streams {
					<-h.began
				}
				time.Sleep(2 * time.Millisecond) // the client reads by now
				at := time.Now()
				cancel()
				for range bm.streams {
					<-back
				}
				returned += time.Since(at)
				seen += h.expect(b, bm.streams, at)
			}
			b.ReportMetric(float64(returned.Microseconds())/float64(b.N), "µs-to-return")
			b.ReportMetric(float64(seen.Microseconds())/float64(b.N), "µs-to-server")
		})
	}
}
