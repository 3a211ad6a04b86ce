package endpoint

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
)

// wire is the whole answer of a server as it goes over the socket, status line
// included, in the writes it is made of.
type wire struct {
	writes []string
	gap    time.Duration // before each write but the first
	hold   bool          // the connection stays open behind the last write
	reset  bool          // it ends with a reset
}

// serveWire answers every connection with a wire and returns the base address.
func serveWire(t testing.TB, w wire) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { w.serve(conn, stop) })
		}
	})
	t.Cleanup(func() { l.Close(); close(stop); wg.Wait() })
	return "http://" + l.Addr().String() + "/v1"
}

func (w wire) serve(conn net.Conn, stop chan struct{}) {
	defer conn.Close()
	if _, err := readRequest(conn); err != nil {
		return
	}
	for i, p := range w.writes {
		if i > 0 && w.gap > 0 {
			select {
			case <-stop:
				return
			case <-time.After(w.gap):
			}
		}
		if _, err := io.WriteString(conn, p); err != nil {
			return
		}
	}
	if w.hold {
		gone := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, conn); close(gone) }()
		select {
		case <-stop:
			conn.Close()
			<-gone
		case <-gone:
		}
	}
	if w.reset {
		_ = conn.(*net.TCPConn).SetLinger(0)
	}
}

const headClose = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

// sse is a plain answer whose body ends with the connection.
func sse(pieces ...string) wire { return wire{writes: append([]string{headClose}, pieces...)} }

// raw is an answer of the very bytes.
func raw(writes ...string) wire { return wire{writes: writes} }

// data is one frame.
func data(json string) string { return "data: " + json + "\n\n" }

// say is a frame with content, which must be the inside of a JSON string.
func say(content string) string { return data(`{"choices":[{"delta":{"content":"` + content + `"}}]}`) }

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// attack is a wire and what a person must get of it.
type attack struct {
	name      string
	wire      wire
	content   string // "Hello" where empty and no fault is wanted
	reasoning string
	finish    string // "stop" where empty, "-" for none
	damaged   int    // -1 for any number
	usage     int
	fault     arena.FaultKind // "*" for any
	says      string
}

func (a attack) run(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{BaseURL: serveWire(t, a.wire), FirstByteTimeout: 800 * time.Millisecond, IdleTimeout: 800 * time.Millisecond, Retries: -1})
	start := time.Now()
	out := play(t, c, "m", hello())
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("took %s", d)
	}
	content, finish := a.content, strings.TrimPrefix(a.finish, "-")
	if a.fault == "" && content == "" {
		content = "Hello"
	}
	if a.fault == "" && a.finish == "" {
		finish = "stop"
	}
	if out.Content != strings.TrimPrefix(content, "-") || out.Reasoning != a.reasoning || out.Finish != finish || a.damaged >= 0 && out.Damaged != a.damaged {
		t.Errorf("content %q, reasoning %q, finish %q, damaged %d; want %q, %q, %q, %d", head(out.Content, 80), head(out.Reasoning, 80),
			out.Finish, out.Damaged, head(content, 80), a.reasoning, finish, a.damaged)
	}
	if a.usage > 0 && (out.Usage == nil || out.Usage.TotalTokens != a.usage) {
		t.Errorf("usage %+v, want a total of %d", out.Usage, a.usage)
	}
	switch f := out.Fault; {
	case a.fault == "" && (f != nil || !out.Complete):
		t.Errorf("fault %v, complete %v", f, out.Complete)
	case a.fault != "" && (f == nil || a.fault != "*" && f.Kind != a.fault || !strings.Contains(f.Message, a.says)):
		t.Errorf("fault %+v; want %s with %q", f, a.fault, a.says)
	}
	if out.Fault != nil {
		t.Logf("%s: %s", out.Fault.Kind, out.Fault)
		fitToShow(t, out.Fault)
	}
}

// fitToShow checks that a fault is a short clean sentence with a next step.
func fitToShow(t *testing.T, f *arena.Fault) {
	t.Helper()
	text := f.Error()
	if f.Message == "" || f.Hint == "" && f.Kind != arena.Cancelled {
		t.Errorf("message %q, hint %q", f.Message, f.Hint)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "%!") || utf8.RuneCountInString(text) > 1300 {
		t.Errorf("unfit to be shown: %q", text)
	}
}

// TestHostileHTTP holds what goes wrong around the body.
func TestHostileHTTP(t *testing.T) {
	body := delta("Hel") + delta("lo") + stopFrame + doneFrame
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
	with := func(headers string) wire {
		return raw("HTTP/1.1 200 OK\r\nConnection: close\r\n" + headers + "\r\n" + body)
	}
	for _, a := range []attack{
		{name: "HTTP/1.0", wire: raw("HTTP/1.0 200 OK\r\n\r\n" + body)},
		{name: "HTTP/1.0 with keep-alive", wire: wire{writes: []string{"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n" + body}, hold: true}},
		{name: "no content type", wire: with("")},
		{name: "the type of a page", wire: with("Content-Type: text/html\r\n")},
		{name: "the type of bytes", wire: with("Content-Type: application/octet-stream\r\n")},
		{name: "a wrong charset", wire: with("Content-Type: text/event-stream; charset=utf-16\r\n")},
		{name: "a broken type", wire: with("Content-Type: ;;;=\r\n")},
		{name: "no reason phrase", wire: raw("HTTP/1.1 200\r\nConnection: close\r\n\r\n" + body)},
		{name: "line feeds only", wire: raw("HTTP/1.1 200 OK\nConnection: close\n\n" + body)},
		{name: "206", wire: raw("HTTP/1.1 206 Partial\r\nConnection: close\r\n\r\n" + body)},
		{name: "a length that fits", wire: with(fmt.Sprintf("Content-Length: %d\r\n", len(body)))},
		{name: "a length too long", wire: with(fmt.Sprintf("Content-Length: %d\r\n", len(body)+500))},
		{name: "a length too short", wire: with(fmt.Sprintf("Content-Length: %d\r\n", len(delta("Hel"))+9)), content: "Hel", fault: arena.CutOff},
		{name: "length and chunks", wire: raw(chunked + "Content-Length: 3\r\n\r\n" + httpChunk(body) + "0\r\n\r\n")},
		{name: "trailers", wire: raw(chunked + "Trailer: X-Sum\r\n\r\n" + httpChunk(body) + "0\r\nX-Sum: 1\r\nAuthorization: x\r\n\r\n")},
		{name: "huge trailers", wire: raw(chunked + "\r\n" + httpChunk(body) + "0\r\nX-Sum: " + strings.Repeat("x", 2<<20) + "\r\n\r\n")},
		{name: "chunk extensions", wire: raw(chunked + "\r\n" + fmt.Sprintf("%x;a=b;c\r\n%s\r\n", len(body), body) + "0\r\n\r\n")},
		{name: "every byte a chunk", wire: raw(chunked + "\r\n" + byteChunks(body) + "0\r\n\r\n")},
		{name: "informational answers before", wire: raw("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", headClose+body)},
		{name: "a location at 200", wire: with("Location: http://127.0.0.1:1/\r\nRefresh: 0; url=http://127.0.0.1:1/\r\n")},
		{name: "ten thousand headers", wire: with(strings.Repeat("X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n", 10_000))},
		{name: "gzip", wire: with2("Content-Encoding: gzip\r\n", zipped(body))},
		{name: "gzip in capitals, by the byte", wire: wire{writes: append([]string{"HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\nConnection: close\r\n\r\n"}, strings.Split(zipped(body), "")...)}},
		{name: "gzip cut", wire: with2("Content-Encoding: gzip\r\n", zipped(strings.Repeat(": ping\n\n", 50_000) + body)[:300]), fault: arena.CutOff},
		{name: "gzip that is none", wire: with("Content-Encoding: gzip\r\n"), fault: "*"},
		{name: "brotli, which was not asked for", wire: with2("Content-Encoding: br\r\n", "\x8b\x05\x80data\x03\x1b\x00\x07\xff"), fault: arena.BadRequest},
		{name: "one byte a write", wire: wire{writes: append([]string{headClose}, strings.Split(body, "")...)}},
		{name: "one byte a millisecond, headers too", wire: wire{writes: strings.Split(headClose+body, ""), gap: 200 * time.Microsecond}},
		{name: "101", wire: raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), fault: "*"},
		{name: "204", wire: raw("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), fault: arena.CutOff, says: "sent nothing"},
		{name: "205", wire: raw("HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n"), fault: arena.CutOff},
		{name: "300", wire: raw("HTTP/1.1 300 Multiple Choices\r\nConnection: close\r\n\r\n" + body), fault: arena.BadRequest, says: "nowhere"},
		{name: "304", wire: raw("HTTP/1.1 304 Not Modified\r\n\r\n"), fault: arena.BadRequest},
		{name: "305", wire: raw("HTTP/1.1 305 Use Proxy\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n"), fault: arena.BadRequest},
		{name: "302 to nonsense", wire: raw("HTTP/1.1 302 Found\r\nLocation: http://[::1%zz]:x/%%%\r\nConnection: close\r\n\r\n"), fault: arena.BadRequest},
		{name: "307 to a long address", wire: raw("HTTP/1.1 307 x\r\nLocation: /" + strings.Repeat("a", 9000) + "\r\nConnection: close\r\n\r\n"), fault: arena.BadRequest},
		{name: "999", wire: raw("HTTP/1.1 999 No\r\nConnection: close\r\n\r\n" + body), fault: arena.ServerFault},
		{name: "a status of two digits", wire: raw("HTTP/1.1 20 OK\r\n\r\n" + body), fault: arena.Unreachable},
		{name: "a negative status", wire: raw("HTTP/1.1 -20 OK\r\n\r\n" + body), fault: arena.Unreachable},
		{name: "closed at once", wire: raw(), fault: arena.Unreachable, says: "closed the connection"},
		{name: "reset at once", wire: wire{reset: true}, fault: arena.Unreachable},
		{name: "closed in the status line", wire: raw("HTTP/1."), fault: arena.Unreachable},
		{name: "closed in the headers", wire: raw("HTTP/1.1 200 OK\r\nContent-Ty"), fault: arena.Unreachable},
		{name: "closed behind the headers", wire: sse(), fault: arena.CutOff, says: "sent nothing"},
		{name: "closed behind the headers of chunks", wire: raw(chunked + "\r\n"), fault: arena.CutOff},
		{name: "reset behind the headers", wire: wire{writes: []string{headClose}, reset: true}, fault: arena.CutOff},
		{name: "an SSH server", wire: raw("SSH-2.0-OpenSSH_9.6\r\n"), fault: arena.Unreachable, says: "does not speak HTTP"},
		{name: "a TLS alert", wire: raw("\x15\x03\x01\x00\x02\x02\x28"), fault: arena.Unreachable, says: "does not speak HTTP"},
		{name: "HTTP/2 unasked", wire: raw("\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"), fault: arena.Unreachable},
		{name: "radio", wire: raw("ICY 200 OK\r\n\r\n" + body), fault: arena.Unreachable},
		{name: "a stream without HTTP", wire: raw(body), fault: arena.Unreachable},
		{name: "NUL in a header", wire: with("X-A: a\x00b\r\n"), fault: arena.Unreachable},
		{name: "a header without a name", wire: with(": x\r\n"), fault: arena.Unreachable},
		{name: "headers of 2 MB", wire: with("X-A: " + strings.Repeat("a", 2<<20) + "\r\n"), fault: arena.Unreachable},
		{name: "headers without end", wire: wire{writes: append([]string{"HTTP/1.1 200 OK\r\n"}, slices.Repeat([]string{"X-A: b\r\n"}, 400)...), gap: 10 * time.Millisecond, hold: true}, fault: arena.Stalled},
		{name: "informational answers without end", wire: wire{writes: slices.Repeat([]string{"HTTP/1.1 102 Processing\r\n\r\n"}, 400), gap: 10 * time.Millisecond}, fault: "*"},
		{name: "two lengths", wire: with("Content-Length: 3\r\nContent-Length: 4\r\n"), fault: arena.Unreachable},
		{name: "a negative length", wire: with("Content-Length: -3\r\n"), fault: arena.Unreachable},
		{name: "an unknown transfer encoding", wire: with("Transfer-Encoding: gzip, chunked\r\n"), fault: arena.Unreachable},
		{name: "a chunk size that is none", wire: raw(chunked + "\r\n" + httpChunk(delta("Hel")) + "zz\r\n"), content: "Hel", fault: arena.CutOff},
		{name: "a negative chunk size", wire: raw(chunked + "\r\n" + httpChunk(delta("Hel")) + "-5\r\n"), content: "Hel", fault: arena.CutOff},
		{name: "a chunk size beyond all bounds", wire: raw(chunked + "\r\n" + httpChunk(delta("Hel")) + "fffffffffffffffff\r\n"), content: "Hel", fault: arena.CutOff},
		{name: "a chunk larger than its size", wire: raw(chunked + "\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(delta("Hel")), delta("Hel")+"xx")), content: "Hel", fault: arena.CutOff},
		{name: "no chunks at all", wire: raw(chunked + "\r\n" + body), fault: arena.CutOff},
		{name: "a chunk's extension without end", wire: raw(chunked + "\r\n" + httpChunk(delta("Hel")) + "5;" + strings.Repeat("x", 1<<20)), content: "Hel", fault: arena.CutOff},
	} {
		t.Run(a.name, a.run)
	}
}

func byteChunks(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("1\r\n" + s[i:i+1] + "\r\n")
	}
	return b.String()
}

func with2(headers, body string) wire {
	return raw("HTTP/1.1 200 OK\r\nConnection: close\r\n"+headers+"\r\n", body)
}
