package endpoint

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"herarena/arena"
)

// maxReply bounds the text of one reply, reasoning included.
const maxReply = 16 << 20

var errFlood = errors.New("the reply does not end")

// Player is one model at a server. It is safe for use by several goroutines.
type Player struct {
	client *Client
	model  string
}

var _ arena.Player = (*Player)(nil)

// Player returns the player for a model id of this server.
func (c *Client) Player(model string) *Player { return &Player{client: c, model: model} }

// Model returns the model id.
func (p *Player) Model() string { return p.model }

// PrefillRefused reports whether replies come without the given beginning:
// because the server refused it, or because it is known to have no way for it.
func (p *Player) PrefillRefused() bool {
	return p.client.wayOf(p.client.quirksOf(p.model)) == PrefillOff
}

// Play implements arena.Player: it sends the call and streams the reply. A
// request that fails before its first text is sent again where that can help,
// which is reported as a ChunkRetry. Later failures keep the text and say what
// happened in Outcome.Fault.
func (p *Player) Play(ctx context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	if on == nil {
		on = func(arena.Chunk) {}
	}
	start := time.Now()
	c := p.client
	if err := checkCall(call); err != nil {
		return arena.Outcome{Fault: &arena.Fault{
			Kind: arena.BadRequest, Message: err.Error(), Hint: "check the contestant's sampling and the scene",
		}, Total: time.Since(start)}
	}
	known := c.quirksOf(p.model)
	q := known
	var (
		out    arena.Outcome
		before *arena.Fault // what an earlier try ended with
	)
	for tries, adapted := 0, 0; ; {
		var ex *exchange
		out, ex = p.attempt(ctx, call, q, &reading{on: on, start: start, textVeil: newVeil(p.client.secrets), thoughtVeil: newVeil(p.client.secrets)})
		f := out.Fault
		if f == nil || ex.spoke || f.Kind == arena.Cancelled {
			break
		}
		if next, why, ok := q.adapt(f, call, c.wayOf(q)); ok && adapted < maxAdaptions {
			adapted++
			q = next
			on(arena.Chunk{Kind: arena.ChunkRetry, Fault: &arena.Fault{Kind: f.Kind, Status: f.Status, Message: f.Message, Hint: why}})
			continue
		}
		if tries >= c.cfg.Retries || !worthRetrying(f, ex) {
			break
		}
		wait := backoff(f, tries)
		tries++
		before = informative(before, f)
		on(arena.Chunk{Kind: arena.ChunkRetry, Wait: wait, Fault: f})
		if !sleep(ctx, wait) {
			out.Fault = c.faultOf(ctx, context.Canceled, &exchange{}, p.model)
			break
		}
	}
	if q != known && (out.Fault == nil || out.Fault.Kind != arena.BadRequest) {
		c.remember(p.model, q)
	}
	if out.Fault != nil {
		out.Fault = informative(before, out.Fault)
	}
	if f := out.Fault; f != nil && f.Kind == arena.NoSuchModel {
		f.Hint = c.clean(c.nearHint(ctx, p.model))
	}
	out.Total = time.Since(start)
	return out
}

// informative returns the later of two faults, unless no answer came the later
// time: then the earlier one says more.
func informative(earlier, later *arena.Fault) *arena.Fault {
	silent := later.Status == 0 && (later.Kind == arena.Unreachable || later.Kind == arena.Stalled)
	if earlier != nil && silent {
		return earlier
	}
	return later
}

// attempt sends the request once and reads the reply into r.
func (p *Player) attempt(ctx context.Context, call arena.Call, q quirks, r *reading) (arena.Outcome, *exchange) {
	c := p.client
	if ctx.Err() != nil {
		ex := &exchange{}
		return arena.Outcome{Fault: c.faultOf(ctx, ctx.Err(), ex, p.model)}, ex
	}
	req := c.request(ctx, p.model, call, q)
	ex := req.exchange
	stream, err := req.open(withExchange(ctx, ex), c.api)
	if err != nil {
		return arena.Outcome{Fault: c.faultOf(ctx, err, ex, p.model)}, ex
	}
	r.ex = ex
	err = r.read(ctx, stream)
	_ = stream.Close()
	out := r.outcome()
	switch {
	case out.Complete && ex.refused == nil:
		// What breaks behind the end of a reply does not harm it.
	case errors.Is(err, io.EOF) && ctx.Err() == nil:
		out.Fault = cutOff(c.cfg.Name, nil)
		out.Fault.Status = ex.status
	default:
		out.Fault = c.faultOf(ctx, err, ex, p.model)
	}
	return out, ex
}

// frames is the part of go-openai's streams that is used here.
type frames interface {
	RecvRaw() ([]byte, error)
	Close() error
}

// reading is a reply that is being read.
type reading struct {
	ex    *exchange
	on    func(arena.Chunk)
	start time.Time

	decoder   decoder
	text      joiner
	thought   joiner
	content   strings.Builder
	reasoning strings.Builder

	textVeil, thoughtVeil veil

	endings []ending
	usage   *arena.Usage
	damaged int
	first   time.Duration
}

// read reads to the end of the stream; io.EOF is a clean end of the body.
func (r *reading) read(ctx context.Context, stream frames) error {
	err := r.frames(ctx, stream)
	r.say(arena.ChunkReasoning, &r.reasoning, r.thoughtVeil.pass(r.thought.flush())+r.thoughtVeil.flush())
	r.say(arena.ChunkText, &r.content, r.textVeil.pass(r.text.flush())+r.textVeil.flush())
	return err
}

func (r *reading) frames(ctx context.Context, stream frames) error {
	for {
		frame, err := stream.RecvRaw()
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.damaged += r.decoder.decode(frame, r.take)
		if r.content.Len()+r.reasoning.Len() > maxReply {
			return errFlood
		}
	}
}

// take takes over what the decoder has just read.
func (r *reading) take() {
	d := &r.decoder
	if len(d.reasoning) > 0 {
		r.say(arena.ChunkReasoning, &r.reasoning, r.thoughtVeil.pass(r.thought.join(d.reasoning)))
	}
	if len(d.content) > 0 {
		r.say(arena.ChunkText, &r.content, r.textVeil.pass(r.text.join(d.content)))
	}
	if len(d.endings) > 0 && len(r.endings) < 64 {
		r.endings = append(r.endings, d.endings...)
		r.ex.finished = true
	}
	if d.hasUsage {
		usage := d.usage
		r.usage = &usage
	}
	if d.done {
		r.ex.done = true
	}
}

func (r *reading) say(kind arena.ChunkKind, all *strings.Builder, text string) {
	if text == "" {
		return
	}
	if !r.ex.spoke {
		r.ex.spoke = true
		r.first = time.Since(r.start)
	}
	all.WriteString(text)
	r.on(arena.Chunk{Kind: kind, Text: text})
}

func (r *reading) outcome() arena.Outcome {
	finish := finishes(r.endings)
	return arena.Outcome{
		Content:   r.content.String(),
		Reasoning: r.reasoning.String(),
		Finish:    finish,
		Complete:  finish != "" || r.ex.done,
		Damaged:   r.damaged,
		Usage:     r.usage,
		FirstByte: r.first,
	}
}
