package endpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

const (
	// lateUsage is how long a usage frame behind the end mark is waited for.
	lateUsage = 250 * time.Millisecond
	// lateClose is how long the end of the body is waited for when nothing is
	// missing any more, so that the connection can be used again.
	lateClose = 25 * time.Millisecond
	// lateEnd is how long a stream may go on in silence behind a finish reason.
	lateEnd = 3 * time.Second
	// pingsOnly is how long pings and empty frames alone keep a request alive.
	pingsOnly = 30 * time.Minute
	// longestEnd and longestDone are how long all that comes behind a finish
	// reason, and behind the end mark, may take.
	longestEnd  = 10 * time.Second
	longestDone = time.Second
	// lateBytes bounds what is read behind the end mark.
	lateBytes = 64 << 10
)

// Why a timer ended a request, as the cause of its context.
var (
	errFirstByte = errors.New("no text came in time")
	errIdle      = errors.New("the text stopped coming")
	errLate      = errors.New("nothing more was waited for")
)

// notStream is the error of a body that answered with something else.
type notStream struct {
	text string
	html bool
}

func (e *notStream) Error() string { return "not an event stream: " + e.text }

// errEmpty is the error of a body without a byte of use, errLong that of a
// frame beyond maxFrame.
var (
	errEmpty = errors.New("the body is empty")
	errLong  = fmt.Errorf("a frame longer than %d MB", maxFrame>>20)
)

// exchange is one request and what is known of its answer. It travels in the
// request's context, and is used by one goroutine.
type exchange struct {
	fields  map[string]any // merged into the body; nil values remove a field
	headers map[string]string

	firstByte, idle time.Duration
	// patience is how long pings and empty frames keep it alive; pingsOnly where 0.
	patience time.Duration

	// base is the replica's address; the request was built for origin.
	base, origin string
	body         *body // the answer, where it is no refusal
	record       *recording

	status    int
	refused   *refusal
	transient bool // the network may do better a little later
	// What the reader above has understood so far: it sets the pace.
	spoke, finished bool
	lastText        time.Time
	frames          int
	done            bool // the end mark was seen
}

type exchangeKey struct{}

func withExchange(ctx context.Context, ex *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, ex)
}

// watch ends a request whose server has gone silent.
type watch struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	cause  error
}

func newWatch(cancel context.CancelCauseFunc) *watch { return &watch{cancel: cancel} }

// set allows for a silence of d from now on.
func (w *watch) set(d time.Duration, cause error) {
	if w.timer != nil && w.cause == cause {
		w.timer.Reset(d)
		return
	}
	w.stop()
	w.cause = cause
	w.timer = time.AfterFunc(d, func() { w.cancel(cause) })
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// body is a response body with one clean frame a line. It ends with io.EOF
// behind an end mark or where the server closed after at least one frame, and
// with an error of this package in all other cases.
type body struct {
	src   io.ReadCloser
	ctx   context.Context
	watch *watch
	ex    *exchange
	html  bool

	in      []byte
	out     []byte
	sent    int
	err     error
	framer  framer
	sink    func(frame []byte) error // where set, frames go here and not to out
	started time.Time
	usage   bool      // a usage frame was seen
	late    int       // bytes read behind the end mark
	lull    lull      // the timer that runs behind the end of the reply
	ended   time.Time // when the finish reason or the end mark was seen first
	first   []byte    // the first frame, as long as it may be words
}

// lull is a wait behind the end of a reply, and the frames seen when it began.
type lull struct {
	wait   time.Duration
	frames int
}

func newBody(ctx context.Context, src io.ReadCloser, w *watch, ex *exchange, html bool) *body {
	b := &body{src: src, ctx: ctx, watch: w, ex: ex, html: html, in: make([]byte, 16<<10), started: time.Now()}
	b.framer.emit = b.frame
	return b
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for b.sent == len(b.out) {
		if b.err != nil {
			return 0, b.err
		}
		if cap(b.out) > 1<<20 {
			b.out = nil
		}
		b.out, b.sent = b.out[:0], 0
		b.fill()
	}
	n := copy(p, b.out[b.sent:])
	b.sent += n
	return n, nil
}

// each reads the body to its end and hands on every frame without its framing;
// a frame is valid during the call. It returns what Read would end with, or what
// on returned.
func (b *body) each(on func(frame []byte) error) error {
	b.sink = on
	for b.err == nil {
		b.fill()
	}
	return b.err
}

// Close implements io.Closer. It frees the connection, and with it the server.
func (b *body) Close() error {
	b.watch.stop()
	b.watch.cancel(context.Canceled)
	b.ex.record.close(b.err)
	return b.src.Close()
}

func (b *body) fill() {
	if b.overdue() {
		b.end(errLate)
		return
	}
	b.pace()
	n, err := b.src.Read(b.in)
	b.ex.record.add(b.in[:n])
	b.framer.feed(b.in[:n])
	if b.ex.done {
		b.late += n
	}
	switch {
	case b.err != nil:
	case b.framer.tooLong:
		b.err = errLong
	case err != nil:
		b.end(err)
	case b.late > lateBytes:
		b.end(errLate)
	case n > 0 && !b.ex.spoke && time.Since(b.started) > b.patience():
		b.err = errFirstByte
	case n > 0 && b.ex.spoke && !b.ex.finished && time.Since(b.ex.lastText) > b.patience():
		b.err = errIdle
	}
}

func (b *body) patience() time.Duration {
	if b.ex.patience > 0 {
		return b.ex.patience
	}
	return pingsOnly
}

// pace sets the timer for the next read. Pings are signs of life while the reply
// is unfinished; behind its end only frames are.
func (b *body) pace() {
	late := time.Duration(0)
	switch {
	case b.ex.done && b.usage:
		late = lateClose
	case b.ex.done:
		late = lateUsage
	case b.ex.finished:
		late = min(lateEnd, b.ex.idle)
	}
	if late > 0 {
		if now := (lull{late, b.ex.frames}); now != b.lull {
			b.lull = now
			b.watch.set(late, errLate)
		}
		return
	}
	switch {
	case b.ex.spoke:
		b.watch.set(b.ex.idle, errIdle)
	default:
		b.watch.set(b.ex.firstByte, errFirstByte)
	}
}

// overdue reports whether what comes behind the end of the reply has taken too
// long in all: each frame alone would be waited for.
func (b *body) overdue() bool {
	if !b.ex.done && !b.ex.finished {
		return false
	}
	if b.ended.IsZero() {
		b.ended = time.Now()
	}
	longest := longestEnd
	if b.ex.done {
		longest = longestDone
	}
	return time.Since(b.ended) > longest
}

// frame is called by the framer.
func (b *body) frame(frame []byte, event string) {
	if b.err != nil {
		return
	}
	b.ex.frames++
	if isEndMark(frame) {
		if !b.ex.done {
			b.ex.done, b.ended = true, time.Now()
		}
		return
	}
	usage := bytes.Contains(frame, []byte(`"usage"`)) && !bytes.Contains(frame, []byte(`"usage":null`))
	if b.ex.done {
		// Behind the end mark only token counts are taken.
		if frame = usageOf(frame); !usage || frame == nil {
			return
		}
	}
	b.usage = b.usage || usage
	if r := refusalIn(frame, event); r != nil {
		// What fails behind the end of a reply does not harm it.
		if !b.ex.done && !b.ex.finished {
			b.refuse(r, frame)
		}
		return
	}
	if b.ex.frames == 1 && len(frame) <= maxErrorBody {
		b.first = bytes.Clone(frame)
	}
	if b.sink != nil {
		b.err = b.sink(frame)
		return
	}
	// One line a frame and no blank line behind it: go-openai reads lines, and a
	// blank one costs it a read and an allocation more.
	b.out = append(b.out, "data: "...)
	if opensWithError(frame) {
		// Not an error, or it would have been taken above; go-openai thinks so
		// of any frame that begins with this key.
		b.out = append(b.out, `{"_":0,`...)
		frame = bytes.TrimLeft(frame, " \t\r")[1:]
	}
	b.out = append(b.out, frame...)
	b.out = append(b.out, '\n')
}

// usageOf is a frame with the token counts of another and nothing else; nil where
// it has none.
func usageOf(frame []byte) []byte {
	counts := object(frame)["usage"]
	if empty(counts) {
		return nil
	}
	return append(append([]byte(`{"usage":`), counts...), '}')
}

// refuse ends the body with an error that the server reported; text in the same
// frame is kept.
func (b *body) refuse(r *refusal, frame []byte) {
	b.ex.refused = r
	if b.sink != nil && bytes.Contains(frame, []byte(`"choices"`)) {
		_ = b.sink(frame)
	}
	b.err = r
}

// words ends a body that brought nothing but words with these.
func (b *body) words() bool {
	if b.ex.spoke || b.ex.finished || len(b.first) == 0 {
		return false
	}
	r := wordsIn(b.first)
	if r == nil {
		return false
	}
	b.ex.refused, b.err = r, r
	return true
}

func opensWithError(frame []byte) bool {
	c := cursor{b: frame}
	return c.take('{') && c.next() == '"' && bytes.HasPrefix(c.b[c.i:], []byte(`"error"`))
}

// end decides what the end of the source means.
func (b *body) end(err error) {
	if err == io.EOF { //nolint:errorlint // readers return io.EOF itself
		b.framer.finish()
		if b.err != nil {
			return
		}
	}
	cause := context.Cause(b.ctx)
	switch {
	case b.ex.done:
		b.out = append(b.out, "data: "+endMark+"\n"...)
		b.err = io.EOF
	case errors.Is(cause, errLate), errors.Is(err, errLate):
		b.err = io.EOF
	case cause != nil:
		b.err = cause
	case err != io.EOF: //nolint:errorlint // as above
		b.err = err
	case b.ex.frames > 0:
		if !b.words() {
			b.err = io.EOF
		}
	case b.framer.partial():
		b.err = io.ErrUnexpectedEOF
	case len(bytes.TrimSpace(b.framer.noise)) > 0:
		b.err = &notStream{text: plainText(b.framer.noise), html: b.html || looksHTML("", bytes.TrimSpace(b.framer.noise))}
	default:
		b.err = errEmpty
	}
}
