package rehearsal

import (
	"context"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// performance is one reply on its way to a client.
type performance struct {
	id     string
	model  string
	tokens []string
	finish string
	usage  usage
	tempo  tempo
}

// form is how a path writes its answers.
type form interface {
	// first opens a stream; nil where the path has no opening chunk.
	first() any
	delta(text string) any
	last() any
	whole(text string) any
	object(stream bool) string
}

type chatForm struct{}

func (chatForm) first() any {
	return map[string]any{"delta": map[string]any{"role": "assistant", "content": ""}}
}
func (chatForm) delta(t string) any { return map[string]any{"delta": map[string]any{"content": t}} }
func (chatForm) last() any          { return map[string]any{"delta": map[string]any{}} }
func (chatForm) whole(t string) any {
	return map[string]any{"message": map[string]any{"role": "assistant", "content": t}}
}

func (chatForm) object(stream bool) string {
	if stream {
		return "chat.completion.chunk"
	}
	return "chat.completion"
}

type textForm struct{}

func (textForm) first() any           { return nil }
func (textForm) delta(t string) any   { return map[string]any{"text": t} }
func (textForm) last() any            { return map[string]any{"text": ""} }
func (textForm) whole(t string) any   { return map[string]any{"text": t} }
func (textForm) object(_ bool) string { return "text_completion" }

var (
	_ form = chatForm{}
	_ form = textForm{}
)

// envelope wraps the one choice of an answer.
func (p *performance) envelope(f form, stream bool, choice any, finish string) map[string]any {
	c, _ := choice.(map[string]any)
	c["index"] = 0
	c["finish_reason"] = nil
	c["logprobs"] = nil
	if finish != "" {
		c["finish_reason"] = finish
	}
	return map[string]any{
		"id": p.id, "object": f.object(stream), "created": created, "model": p.model,
		"choices": []any{c},
	}
}

func (p *performance) whole(w http.ResponseWriter, r *http.Request, f form) {
	if !wait(r.Context(), p.tempo.before) {
		return
	}
	v := p.envelope(f, false, f.whole(strings.Join(p.tokens, "")), p.finish)
	v["usage"] = p.usage
	writeJSON(w, http.StatusOK, v)
}

// stream sends the reply as server-sent events, piece by piece at the tempo,
// and stops at once when the client leaves or the server closes.
func (p *performance) stream(w http.ResponseWriter, r *http.Request, f form, withUsage bool) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := &events{w: w, rc: http.NewResponseController(w)}
	if first := f.first(); first != nil {
		out.send(p.envelope(f, true, first, ""))
	}
	ctx := r.Context()
	if !wait(ctx, p.tempo.before) {
		return
	}
	due := time.Now()
	for i, tok := range p.tokens {
		if out.err != nil || !waitUntil(ctx, due) {
			return
		}
		out.send(p.envelope(f, true, f.delta(tok), ""))
		due = due.Add(p.tempo.after(i, tok))
	}
	out.send(p.envelope(f, true, f.last(), p.finish))
	if withUsage {
		v := p.envelope(f, true, map[string]any{}, "")
		v["choices"] = []any{}
		v["usage"] = p.usage
		out.send(v)
	}
	out.raw("data: [DONE]\n\n")
}

// events writes server-sent events and remembers the first failure.
type events struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	err error
}

func (e *events) send(v any) {
	b, err := encode(v)
	if err != nil {
		e.err = err
		return
	}
	e.raw("data: " + string(b) + "\n\n")
}

func (e *events) raw(s string) {
	if e.err != nil {
		return
	}
	// A client that stops reading must not hold the goroutine for ever. Not
	// every writer knows deadlines, so the error says nothing of use.
	_ = e.rc.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, e.err = e.w.Write([]byte(s)); e.err == nil {
		e.err = e.rc.Flush()
	}
}

// tempo is how a reply is paced.
type tempo struct {
	before  time.Duration // to the first token
	each    time.Duration // per token; 0 = at once
	natural bool          // pauses and a slight unevenness
	key     uint64
}

func (s *Server) tempo(model string, key uint64) tempo {
	rates := map[string]float64{LeadModel: 45, UnderstudyModel: 35, CriticModel: 160}
	t := tempo{key: key}
	switch {
	case s.opts.Pace < 0:
		return t
	case s.opts.Pace == 0:
		t.natural = true
		t.before = 300*time.Millisecond + time.Duration(mix(key, 1)%500)*time.Millisecond
		t.each = time.Duration(float64(time.Second) / rates[model])
	case model == CriticModel:
		t.each = time.Duration(float64(time.Second) / (4 * s.opts.Pace))
	default:
		t.each = time.Duration(float64(time.Second) / s.opts.Pace)
	}
	return t
}

// after is the pause between token i and the next.
func (t tempo) after(i int, tok string) time.Duration {
	if !t.natural {
		return t.each
	}
	// Between 0.6 and 1.4 of the mean, so that the text breathes.
	d := t.each * time.Duration(60+mix(t.key, uint64(i))%81) / 100
	switch r, _ := utf8.DecodeLastRuneInString(tok); r {
	case '.', '?', '!', '\u3002', '\uff1f', '\uff01', '…':
		d += 4 * t.each
	case ',', ';', ':', '\uff0c', '\uff1b', '\uff1a', '\u3001':
		d += 2 * t.each
	}
	return d
}

func waitUntil(ctx context.Context, due time.Time) bool { return wait(ctx, time.Until(due)) }

// wait sleeps and reports false when the context ended first. Below a
// millisecond it only looks at the context: the schedule is absolute, so that
// nothing is lost.
func wait(ctx context.Context, d time.Duration) bool {
	if d < time.Millisecond {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
