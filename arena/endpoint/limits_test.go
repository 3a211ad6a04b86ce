package endpoint

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"herarena/arena"
)

// floodTotal is what a flood would send in all, floodPart what it sends at once.
// Floods of whole frames are shorter: nothing of them is kept, and each is read.
const (
	floodTotal  = 64 << 20
	floodFrames = 2 << 20
	floodPart   = 64 << 10
)

// TestFloodsTakeLittleMemory sends 64 MB in every place where a client may be
// tempted to keep them. The server sends from one small buffer; the bound is on
// what was ever allocated, by the server too, and so is far above what was held.
func TestFloodsTakeLittleMemory(t *testing.T) {
	for _, flood := range []struct {
		name, head, part string
		bound            uint64 // MB
		content          string
	}{
		{name: "one frame", head: headClose + delta("Hel") + `data: {"x":"`, part: "y", bound: 48, content: "Hel"},
		{name: "one frame of brackets", head: headClose + delta("Hel") + `data: `, part: "[", bound: 48, content: "Hel"},
		{name: "one frame over many lines", head: headClose + delta("Hel") + "data: {\n", part: "data: \"" + strings.Repeat("y", 999) + "\",\n", bound: 48, content: "Hel"},
		{name: "a line of its own kind", head: headClose + delta("Hel"), part: "y", bound: 48, content: "Hel"},
		{name: "a comment", head: headClose + delta("Hel") + ":", part: "y", bound: 48, content: "Hel"},
		{name: "a JSON document", head: headClose + `{"choices":[{"message":{"content":"`, part: "y", bound: 48},
		{name: "a page", head: headClose + "<html>", part: "<p>y</p>", bound: 48},
		{name: "an event's name", head: headClose + delta("Hel") + "event: ", part: "y", bound: 48, content: "Hel"},
		{name: "empty frames", head: headClose + delta("Hel"), part: "data: {}\n\n", bound: 48, content: "Hel"},
		{name: "blank lines", head: headClose + delta("Hel"), part: "\r\n", bound: 48, content: "Hel"},
		{name: "roles", head: headClose + delta("Hel"), part: data(`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}`), bound: 48, content: "Hel"},
		{name: "damage", head: headClose + delta("Hel"), part: "data: {]\n\n", bound: 64, content: "Hel"},
		{name: "text of another choice", head: headClose + delta("Hel"), part: data(`{"choices":[{"index":1,"delta":{"content":"` + strings.Repeat("z", 999) + `"}}]}`), bound: 48, content: "Hel"},
		{name: "behind the end mark", head: headClose + delta("Hel") + stopFrame + doneFrame, part: ": y\n\n", bound: 48, content: "Hel"},
		{name: "the body of an error", head: "HTTP/1.1 500 x\r\nConnection: close\r\n\r\n{\"error\":\"", part: "y", bound: 16},
		{name: "a header", head: "HTTP/1.1 200 OK\r\nX-A: ", part: "y", bound: 48},
		{name: "many headers", head: "HTTP/1.1 200 OK\r\n", part: "X-A: y\r\n", bound: 48},
		{name: "a status line", head: "HTTP/1.1 ", part: "2", bound: 48},
	} {
		t.Run(flood.name, func(t *testing.T) {
			part := []byte(strings.Repeat(flood.part, floodPart/len(flood.part)))
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				if _, err := readRequest(conn); err != nil {
					return
				}
				_, err = io.WriteString(conn, flood.head)
				total := floodTotal
				if strings.HasSuffix(flood.part, "\n") && !strings.HasSuffix(flood.head, "data: {\n") {
					total = floodFrames
				}
				for sent := 0; sent < total && err == nil; sent += len(part) {
					_, err = conn.Write(part)
				}
			}()
			t.Cleanup(func() { l.Close(); <-done })
			c := newClient(t, Config{BaseURL: "http://" + l.Addr().String(), Retries: -1, FirstByteTimeout: 10 * time.Second, IdleTimeout: 10 * time.Second})
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			out := play(t, c, "m", hello())
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			taken := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%d MB allocated in %s; fault %v", taken, took.Round(time.Millisecond), out.Fault)
			if taken > flood.bound {
				t.Errorf("%d MB were allocated, more than %d", taken, flood.bound)
			}
			if out.Content != flood.content {
				t.Errorf("content %q, want %q", head(out.Content, 80), flood.content)
			}
			if out.Fault == nil && !out.Complete {
				t.Error("no fault")
			}
			if out.Fault != nil {
				fitToShow(t, out.Fault)
			}
		})
	}
}

// TestAGzipBombTakesLittleMemory sends 64 MB of one frame in 64 KB.
func TestAGzipBombTakesLittleMemory(t *testing.T) {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, delta("Hel")+`data: {"x":"`)
	part := make([]byte, floodPart)
	for i := range part {
		part[i] = 'y'
	}
	for range floodTotal / floodPart {
		_, _ = z.Write(part)
	}
	_ = z.Close()
	base := serveWire(t, with2("Content-Encoding: gzip\r\n", b.String()))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := play(t, newClient(t, Config{BaseURL: base, Retries: -1}), "m", hello())
	runtime.ReadMemStats(&after)
	if out.Content != "Hel" || out.Fault == nil || out.Fault.Kind != arena.ServerFault {
		t.Errorf("content %q, fault %v", out.Content, out.Fault)
	}
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 48 {
		t.Errorf("%d MB were allocated", taken)
	}
}

// TestWaitsAskedForInOddWays holds the forms of Retry-After and its like.
func TestWaitsAskedForInOddWays(t *testing.T) {
	own := 500 * time.Millisecond // the client's own first wait is below this
	date := func(d time.Duration, form string) string { return time.Now().Add(d).UTC().Format(form) }
	for _, tt := range []struct {
		name, headers string
		least, most   time.Duration
		none          bool // too long to be waited for
	}{
		{"a fraction", "Retry-After: 1.5", 1500 * time.Millisecond, 1700 * time.Millisecond, false},
		{"a unit", "Retry-After: 2s", 2 * time.Second, 2300 * time.Millisecond, false},
		{"spaces", "Retry-After:    1   ", time.Second, 1200 * time.Millisecond, false},
		{"nothing", "Retry-After:", 0, own, false},
		{"zero", "Retry-After: 0", 0, own, false},
		{"below zero", "Retry-After: -30", 0, own, false},
		{"no number", "Retry-After: NaN", 0, own, false},
		{"infinite", "Retry-After: Inf", 0, 0, true},
		{"minus infinite", "Retry-After: -Inf", 0, own, false},
		{"beyond all numbers", "Retry-After: 99999999999999999999999", 0, 0, true},
		{"beyond a float", "Retry-After: 1e999", 0, own, false},
		{"a list", "Retry-After: 1, 2", 0, own, false},
		{"garbage behind a number", "Retry-After: 3 bananas", 0, own, false},
		{"a word", "Retry-After: tomorrow", 0, own, false},
		{"two headers", "Retry-After: 1\r\nRetry-After: 90", time.Second, 1200 * time.Millisecond, false},
		{"a date gone by", "Retry-After: " + date(-time.Hour, http.TimeFormat), 0, own, false},
		{"a date of another form", "Retry-After: " + date(5*time.Second, time.RFC850), 3 * time.Second, 6 * time.Second, false},
		{"a date far off", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", 0, 0, true},
		{"half a date", "Retry-After: Fri, 31 Dec", 0, own, false},
		{"milliseconds below zero", "Retry-After-Ms: -5\r\nRetry-After: 1", time.Second, 1200 * time.Millisecond, false},
		{"milliseconds that are none", "Retry-After-Ms: x\r\nRetry-After: 1", time.Second, 1200 * time.Millisecond, false},
		{"the longest", "Retry-After: 120", 2 * time.Minute, 133 * time.Second, false},
		{"one more", "Retry-After: 121", 0, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := serveWire(t, raw("HTTP/1.1 429 x\r\nConnection: close\r\n"+tt.headers+"\r\n\r\n"+`{"error":{"message":"slow down"}}`))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			wait := time.Duration(-1)
			out := newClient(t, Config{BaseURL: base}).Player("m").Play(ctx, hello(), func(ch arena.Chunk) {
				wait = ch.Wait
				cancel()
			})
			if tt.none {
				if wait != -1 || out.Fault == nil || out.Fault.Kind != arena.Overloaded {
					t.Errorf("waits %s, fault %+v", wait, out.Fault)
				}
				return
			}
			if wait < tt.least || wait > tt.most {
				t.Errorf("waits %s, want %s to %s", wait, tt.least, tt.most)
			}
		})
	}
}

// TestConnectionsAreKept plays ten times in a row and counts the connections.
func TestConnectionsAreKept(t *testing.T) {
	reply := delta("x") + stopFrame
	for name, say := range map[string]func(w io.Writer){
		"the end at once":       func(w io.Writer) { fmt.Fprint(w, okHead+httpChunk(reply+doneFrame)+"0\r\n\r\n") },
		"no end mark":           func(w io.Writer) { fmt.Fprint(w, okHead+httpChunk(reply)+"0\r\n\r\n") },
		"trailers":              func(w io.Writer) { fmt.Fprint(w, okHead+httpChunk(reply+doneFrame)+"0\r\nX: y\r\n\r\n") },
		"usage behind the mark": func(w io.Writer) { fmt.Fprint(w, okHead+httpChunk(reply+doneFrame+usageFrame)+"0\r\n\r\n") },
		"the end a little later": func(w io.Writer) {
			fmt.Fprint(w, okHead+httpChunk(reply+doneFrame))
			time.Sleep(5 * time.Millisecond)
			fmt.Fprint(w, "0\r\n\r\n")
		},
		"an error status": func(w io.Writer) {
			fmt.Fprint(w, "HTTP/1.1 400 x\r\nContent-Length: 13\r\n\r\n{\"error\":\"x\"}")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var conns atomic.Int32
			var wg sync.WaitGroup
			wg.Go(func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					conns.Add(1)
					wg.Go(func() {
						defer conn.Close()
						in := bufio.NewReader(conn)
						for {
							req, err := http.ReadRequest(in)
							if err != nil {
								return
							}
							_, _ = io.Copy(io.Discard, req.Body)
							say(conn)
						}
					})
				}
			})
			c := newClient(t, Config{BaseURL: "http://" + l.Addr().String(), Retries: -1})
			t.Cleanup(func() { l.Close(); c.Close(); wg.Wait() })
			for range 10 {
				play(t, c, "m", hello())
			}
			// One may be lost to a machine that was busy elsewhere.
			if n := conns.Load(); n > 3 {
				t.Errorf("%d connections for 10 replies", n)
			}
		})
	}
}

// TestAnAnswerBeforeTheRequestIsSent refuses a long request by its headers, and
// reads the rest of it.
func TestAnAnswerBeforeTheRequestIsSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 512))
		_, _ = io.WriteString(conn, "HTTP/1.1 413 x\r\nContent-Length: 21\r\nConnection: close\r\n\r\n{\"error\":\"a big body\"}")
		_, _ = io.Copy(io.Discard, conn)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	c := newClient(t, Config{BaseURL: "http://" + l.Addr().String(), Retries: -1})
	out := play(t, c, "m", arena.Call{Messages: []arena.Message{{Role: "user", Content: strings.Repeat("x", 16<<20)}}})
	if out.Fault == nil || out.Fault.Kind != arena.TooLong {
		t.Errorf("fault %+v", out.Fault)
	}
}

// TestPathsCarryNoHeaders tries to put lines into a request by its address, its
// session, its model and its messages.
func TestPathsCarryNoHeaders(t *testing.T) {
	evil := "x\r\nX-Evil: 1\r\n\r\nGET /evil HTTP/1.1"
	s := newRawServer(t, always(stream("ok")))
	host := strings.TrimSuffix(s.url(), "/v1")
	call := arena.Call{Session: evil, Messages: []arena.Message{{Role: "user", Name: evil, Content: evil}}}
	for _, base := range []string{host + "/a%0d%0aX-Evil:%201/v1", host + "/v1?x=%0d%0aX-Evil:1", strings.Replace(host, "//", "//u%0d%0aX-Evil:p%0d%0aX-Evil:1@", 1)} {
		c, err := New(Config{BaseURL: base, Kind: KindOther, Retries: -1})
		if err != nil {
			continue // refused, which is as good
		}
		t.Cleanup(c.Close)
		play(t, c, evil, call)
	}
	for _, r := range s.seen() {
		if r.header.Get("X-Evil") != "" || strings.Contains(r.path, "/evil") || strings.Contains(r.header.Get("X-Session-Id"), "\n") {
			t.Errorf("request %+v", r)
		}
	}
	if len(s.seen()) == 0 {
		t.Error("nothing was sent")
	}
}

// TestNoCookiesAreKept asks twice a server that sets one.
func TestNoCookiesAreKept(t *testing.T) {
	var seen atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(int32(len(r.Cookies())))
		http.SetCookie(w, &http.Cookie{Name: "track", Value: "1"})
		_, _ = io.WriteString(w, delta("x")+stopFrame+doneFrame)
	}))
	t.Cleanup(s.Close)
	c := newClient(t, Config{BaseURL: s.URL})
	for range 2 {
		play(t, c, "m", hello())
	}
	if seen.Load() > 0 {
		t.Error("a cookie came back")
	}
}

// TestHostileModelLists reads lists that are none.
func TestHostileModelLists(t *testing.T) {
	for name, body := range map[string]string{
		"64 MB":       `{"data":[` + strings.Repeat(`{"id":"x"},`, 64<<20/11) + `{}]}`,
		"deep":        `{"data":` + strings.Repeat("[", 1<<20),
		"a stream":    delta("x") + doneFrame,
		"a page":      "<html><title>Sign in</title></html>",
		"UTF-16":      utf16le(`{"data":[]}`),
		"other types": `{"data":{"id":"x"}}`,
		"nothing":     "",
	} {
		t.Run(name, func(t *testing.T) {
			base := serveWire(t, with2("Content-Type: application/json\r\n", body))
			_, err := newClient(t, Config{BaseURL: base}).Models(t.Context())
			var f *arena.Fault
			if !errors.As(err, &f) {
				t.Fatalf("error %v", err)
			}
			fitToShow(t, f)
		})
	}
}
