package endpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"herarena/arena"
)

// pieces is a body that arrives cut at given places.
type pieces struct {
	parts [][]byte
	err   error
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.parts) == 0 {
		return 0, p.err
	}
	n := copy(b, p.parts[0])
	if p.parts[0] = p.parts[0][n:]; len(p.parts[0]) == 0 {
		p.parts = p.parts[1:]
	}
	return n, nil
}

func (p *pieces) Close() error { return nil }

// lines reads a body as go-openai does: a line a frame, to the end mark.
type lines struct {
	b   *body
	buf []byte
}

func (l *lines) RecvRaw() ([]byte, error) {
	for {
		if n := bytes.IndexByte(l.buf, '\n'); n >= 0 {
			line := bytes.TrimPrefix(l.buf[:n], []byte("data: "))
			l.buf = l.buf[n+1:]
			if string(line) == endMark {
				return nil, io.EOF
			}
			return line, nil
		}
		p := make([]byte, 512)
		n, err := l.b.Read(p)
		if err != nil {
			return nil, err
		}
		l.buf = append(l.buf, p[:n]...)
	}
}

func (l *lines) Close() error { return l.b.Close() }

// readPieces runs body, decoder and joiner over a stream that arrives in parts.
func readPieces(parts [][]byte, on func(arena.Chunk)) (arena.Outcome, error) {
	return readBy(parts, on, func(r *reading, ctx context.Context, b *body) error { return r.read(ctx, b) })
}

// readByLine reads as readPieces does, through the lines that go-openai sees.
func readByLine(parts [][]byte, on func(arena.Chunk)) (arena.Outcome, error) {
	return readBy(parts, on, func(r *reading, ctx context.Context, b *body) error {
		l := &lines{b: b}
		var err error
		for err == nil {
			var frame []byte
			if frame, err = l.RecvRaw(); err == nil {
				err = r.frame(frame)
			}
		}
		r.say(EventReasoning, &r.reasoning, r.thought.flush())
		r.say(EventText, &r.content, r.text.flush())
		return err
	})
}

func readBy(parts [][]byte, on func(arena.Chunk), read func(*reading, context.Context, *body) error) (arena.Outcome, error) {
	return readFrom(&pieces{parts: parts, err: io.EOF}, on, read)
}

// readSource reads a body of any sort.
func readSource(src io.ReadCloser, on func(arena.Chunk)) (arena.Outcome, error) {
	return readFrom(src, on, func(r *reading, ctx context.Context, b *body) error { return r.read(ctx, b) })
}

func readFrom(src io.ReadCloser, on func(arena.Chunk), read func(*reading, context.Context, *body) error) (arena.Outcome, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ex := &exchange{firstByte: time.Minute, idle: time.Minute}
	b := newBody(ctx, src, newWatch(cancel), ex, false)
	defer b.Close()
	r := newReading(time.Now(), nil, func(e Event) {
		if c, ok := e.chunk(); ok {
			on(c)
		}
	})
	r.ex = ex
	err := read(r, context.Background(), b)
	out := r.outcome()
	out.FirstByte = 0
	return out, err
}

func cutAt(raw []byte, size func() int) [][]byte {
	var parts [][]byte
	for len(raw) > 0 {
		n := min(max(size(), 1), len(raw))
		parts = append(parts, bytes.Clone(raw[:n]))
		raw = raw[n:]
	}
	return parts
}

// sameEveryWay reads a stream whole, by the byte and in random pieces, and
// checks that the result is the same.
func sameEveryWay(t *testing.T, raw []byte, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var first arena.Outcome
	var firstErr string
	for i, size := range []func() int{
		func() int { return len(raw) },
		func() int { return 1 },
		func() int { return rng.IntN(9) + 1 },
		func() int { return rng.IntN(400) + 1 },
		func() int { return rng.IntN(400) + 1 },
	} {
		read := readPieces
		if i == 4 {
			read = readByLine
		}
		var text, reasoning strings.Builder
		out, err := read(cutAt(raw, size), func(c arena.Chunk) {
			if !utf8.ValidString(c.Text) || c.Text == "" {
				t.Errorf("chunk %q", c.Text)
			}
			if c.Kind == arena.ChunkText {
				text.WriteString(c.Text)
			} else {
				reasoning.WriteString(c.Text)
			}
		})
		if text.String() != out.Content || reasoning.String() != out.Reasoning {
			t.Fatalf("chunks %q, outcome %q", text.String(), out.Content)
		}
		said := "nil"
		if err != nil {
			said = err.Error()
		}
		if i == 0 {
			first, firstErr = out, said
			continue
		}
		var late *refusal
		if i == 4 && errors.As(err, &late) && first.Complete {
			// go-openai reads ahead of what is understood: an error behind the end
			// reaches it all the same.
			continue
		}
		usage := out.Usage
		if (usage == nil) != (first.Usage == nil) || usage != nil && *usage != *first.Usage {
			t.Errorf("usage %v, whole %v", usage, first.Usage)
		}
		out.Usage, first.Usage = nil, nil
		if !reflect.DeepEqual(out, first) || said != firstErr {
			t.Errorf("cut %d gives %+v (%s)\nwhole gives %+v (%s)", i, out, said, first, firstErr)
		}
		first.Usage = usage
	}
}

func TestCutsChangeNothing(t *testing.T) {
	for _, w := range wireCases(t) {
		var raw []byte
		for _, s := range w.Steps {
			raw = append(raw, s.Bytes...)
		}
		sameEveryWay(t, raw, 7)
	}
}

func FuzzStream(f *testing.F) {
	for _, w := range wireCases(f) {
		var raw []byte
		for _, s := range w.Steps {
			raw = append(raw, s.Bytes...)
		}
		f.Add(raw, uint64(1))
	}
	for _, s := range []string{
		"\xef\xbb\xbfdata: {}\r\rdata:{\"choices\":[{\"delta\":{\"content\":\"\\ud83d\"}}]}\r\n\r\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[[[[[\"x\"]]]]]}]}}]}\n\n",
		"{\"message\":{\"content\":\"\xed\xa0\xbd\"},\"done\":true}\n{\"response\":\"\xed\xb8\x80\"}\n",
		"data: {\"error\":{\"message\":[{\"msg\":\"x\"}]}}\n\n", "event: error\ndata: x\n\n", "data: [DONE]\ndata: {\"usage\":{\"total_tokens\":1e99}}\n",
		"data: {\"choices\":[{\"index\":\"1\",\"finish_reason\":\"a\"},{\"finish_reason\":\"\\u0000\"}]}\n\n",
		"data: {\"a\ndata: data: {\"choices\":[]}\n\n<html>{\n", "data: {\"error\":null}\n\ndata: {\"error\":null}]\n\n",
	} {
		f.Add([]byte(s), uint64(2))
	}
	for _, body := range bodies() {
		f.Add(body, uint64(3))
	}
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		if len(raw) > 1<<16 {
			return
		}
		sameEveryWay(t, raw, seed)
	})
}

func TestAHugeLineTakesLittleMemory(t *testing.T) {
	part := bytes.Repeat([]byte("y"), 32<<10)
	parts := [][]byte{[]byte(delta("Hel") + `data: {"x":"`)}
	for range 64 << 20 / len(part) {
		parts = append(parts, part) // one backing array: the input itself is small
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := readPieces(parts, func(arena.Chunk) {})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, errLong) || out.Content != "Hel" {
		t.Errorf("content %q, error %v", out.Content, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 48<<20 {
		t.Errorf("%d MB were allocated", taken>>20)
	}
}

func TestAFloodIsEnded(t *testing.T) {
	frame := []byte(delta(strings.Repeat("z", 1<<20)))
	var parts [][]byte
	for range 40 {
		parts = append(parts, frame)
	}
	out, err := readPieces(parts, func(arena.Chunk) {})
	if !errors.Is(err, errFlood) || len(out.Content) > maxReply+2<<20 {
		t.Errorf("%d bytes, error %v", len(out.Content), err)
	}
}

func TestDeepNestingCostsNoStack(t *testing.T) {
	deep := strings.Repeat("[", 4<<20)
	for _, s := range []string{
		"data: " + deep + "\n\n", `data: {"choices":` + deep + "\n\n", `data: {"choices":[{"delta":{"content":` + deep + "\n\n",
		`data: {"choices":[{"delta":{"reasoning_details":` + strings.Repeat(`[{"text":`, 400_000) + "\n\n",
	} {
		start := time.Now()
		if out, _ := readPieces([][]byte{[]byte(s + stopFrame)}, func(arena.Chunk) {}); out.Finish != "stop" || out.Damaged == 0 {
			t.Errorf("%.60s: outcome %+v", s, out)
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%.60s: took %s", s, d)
		}
	}
}

func TestNormaliseURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:8000":                         "http://127.0.0.1:8000/v1",
		"http://127.0.0.1:8000/":                        "http://127.0.0.1:8000/v1",
		" 'http://h:8000/v1//' ":                        "http://h:8000/v1",
		"http://h:8000/v1/chat/completions":             "http://h:8000/v1",
		"http://h:8000/v1/completions?x=1#y":            "http://h:8000/v1",
		"http://h/v1/models":                            "http://h/v1",
		"127.0.0.1:8000":                                "http://127.0.0.1:8000/v1",
		"localhost:11434/v1":                            "http://localhost:11434/v1",
		"[::1]:8080":                                    "http://[::1]:8080/v1",
		"gpu-box:8000":                                  "http://gpu-box:8000/v1",
		"api.openai.com/v1":                             "https://api.openai.com/v1",
		"HTTPS://openrouter.ai/api/v1":                  "https://openrouter.ai/api/v1",
		"https://host/v1beta/openai/":                   "https://host/v1beta/openai",
		"http://user:pw@h:8000/v1":                      "http://h:8000/v1",
		"https://api.z.ai/api/paas/v4/chat/completions": "https://api.z.ai/api/paas/v4",
	} {
		if got, _, err := normaliseURL(in); got != want || err != nil {
			t.Errorf("normaliseURL(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "  ", "ftp://h", "http://", "http:///v1", "http://h:99999", "http://h:port", "http://[::1", "file:///etc/passwd", "http://a b/"} {
		got, _, err := normaliseURL(in)
		if err == nil {
			t.Errorf("normaliseURL(%q) = %q, want an error", in, got)
			continue
		}
		if !strings.Contains(err.Error(), "the address of the endpoint") {
			t.Errorf("normaliseURL(%q): %v", in, err)
		}
	}
}

func TestBadConfigurations(t *testing.T) {
	for _, cfg := range []Config{
		{BaseURL: "http://h", Kind: "gpt"},
		{BaseURL: "http://h", API: "x"},
		{BaseURL: "http://h", PrefillMode: "x"},
		{BaseURL: "http://h", MaxTokensField: "n_predict"},
		{BaseURL: "http://h", Key: "a\nb"},
		{BaseURL: "http://h", SessionHeader: "a b"},
		{BaseURL: "http://h", Headers: map[string]string{"a b": "c"}},
		{BaseURL: "http://h", ExtraBody: map[string]any{"f": func() {}}},
	} {
		if _, err := New(cfg); err == nil || !strings.HasPrefix(err.Error(), "endpoint h: ") {
			t.Errorf("New(%+v): %v", cfg, err)
		}
	}
}
