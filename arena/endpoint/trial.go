package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"herarena/arena"
)

// ask lets the model write a short reply, without retries.
func (c *Client) ask(ctx context.Context, model string, call arena.Call) (arena.Outcome, *exchange, *reading, quirks) {
	ctx, cancel := within(ctx, replyTime)
	defer cancel()
	return c.listen(ctx, model, call, func(Event) {})
}

// listen is ask with word of what comes, and bounded by ctx alone. Where the
// server refuses the form of the request it is put differently.
func (c *Client) listen(ctx context.Context, model string, call arena.Call, on func(Event)) (arena.Outcome, *exchange, *reading, quirks) {
	p := c.Player(model)
	q := c.quirksOf(model)
	for range maxAdaptions {
		r := newReading(time.Now(), c.secrets, on)
		out, ex := p.attempt(ctx, call, q, r)
		next, _, ok := quirks{}, "", false
		if out.Fault != nil && !ex.spoke {
			next, _, ok = q.adapt(out.Fault, call, c.wayOf(q))
		}
		if !ok {
			if out.Fault == nil {
				c.remember(model, q)
			}
			out.Fault = c.late(ctx, out.Fault, out.FirstByte > 0)
			return out, ex, r, q
		}
		q = next
	}
	return arena.Outcome{Fault: &arena.Fault{Kind: arena.BadRequest, Message: c.cfg.Name + " refuses every form of the request"}}, &exchange{}, &reading{}, q
}

// overtime is the cause of a context of a probe that ended by a limit of the
// probe's own, which no setting has chosen.
type overtime struct {
	limit time.Duration
	whole bool // of all that is asked, and not of one reply
}

func (o *overtime) Error() string { return "the probe's own limit of " + short(o.limit) + " is over" }

// within bounds one reply of a probe.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, &overtime{limit: d})
}

// withinDeadline gives the deadline of a whole probe, where it has one, a cause
// that knows its length. It comes a moment early, or the outer one's might win.
func withinDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	whole := time.Until(deadline)
	return context.WithDeadlineCause(ctx, deadline.Add(-min(whole/20, 20*time.Millisecond)), &overtime{
		limit: max(whole.Round(time.Millisecond), time.Millisecond), whole: true,
	})
}

// late makes a stalled fault, with its limit, of a reply or list that did not
// come within the probe's own time; nobody has cancelled it. Other faults are
// returned as they are.
func (c *Client) late(ctx context.Context, f *arena.Fault, spoke bool) *arena.Fault {
	if f == nil || f.Kind != arena.Cancelled || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return f
	}
	name, limit := c.cfg.Name, "the time that was allowed"
	var own *overtime
	if errors.As(context.Cause(ctx), &own) {
		limit = short(own.limit)
		if !own.whole {
			limit += ", which is how long an examination waits"
		}
	}
	late := &arena.Fault{Kind: arena.Stalled, Status: f.Status}
	switch {
	case spoke:
		late.Message = fmt.Sprintf("%s began a short reply and did not end it within %s", name, limit)
		late.Hint = "it writes slowly or shares its machine: try again when it is free, or ask a smaller model"
	default:
		late.Message = fmt.Sprintf("%s wrote nothing within %s", name, limit)
		late.Hint = "it may be loading the model or busy with others: look at its log, and try again in a while"
	}
	return c.finish(late)
}

func probeSampling(tokens int) arena.Sampling {
	zero := 0.0
	return arena.Sampling{Temperature: &zero, MaxTokens: tokens}
}

// chat asks for a short reply and looks at how it comes.
func (p *probe) chat(ctx context.Context) {
	c, r := p.c, p.r
	ctx, cancel := within(ctx, wakeTime)
	defer cancel()
	start := time.Now()
	var a arrivals
	out, _, read, _ := c.listen(ctx, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Count from one to fifteen in English words, separated by spaces. Write nothing else."}},
		Sampling: probeSampling(64),
	}, func(e Event) { a.take(e, time.Since(start)) })
	r.FirstByte, r.Reasoning = out.FirstByte, read.decoder.field
	if out.Fault != nil {
		r.Chat, r.Fault = No, out.Fault
		return
	}
	r.Chat, r.Usage = Yes, No
	if out.Usage != nil {
		r.Usage = Yes
	}
	var why string
	if r.Streaming, why = a.streaming(out.FirstByte); why != "" {
		p.note("%s", why)
	}
	if out.Content == "" {
		p.note("the reply was empty within 64 tokens; a model that reasons first needs more")
	}
	if out.Damaged > 0 {
		p.note("%d frames of the reply were damaged and skipped", out.Damaged)
	}
}

// arrivals are the times at which pieces of a reply came.
type arrivals struct {
	pieces, bytes int
	first, last   time.Duration // since the start
}

func (a *arrivals) take(e Event, at time.Duration) {
	if e.Kind != EventText && e.Kind != EventReasoning {
		return
	}
	if a.pieces == 0 {
		a.first = at
	}
	a.pieces++
	a.bytes += len(e.Text)
	a.last = at
}

const (
	// tellingText is from how many bytes on a reply in one piece was not streamed:
	// servers may join a few tokens.
	tellingText = 24
	// spreadTime is how far apart the first and the last piece are at least when
	// they were sent as they were written. tellingWait is from how long a wait
	// before the first piece on pieces that come together were held back.
	spreadTime  = 10 * time.Millisecond
	tellingWait = 200 * time.Millisecond
)

// streaming tells from the times whether text is sent as it is written. first is
// the wait for the first piece. The reason is given where the answer is no.
func (a arrivals) streaming(first time.Duration) (Ability, string) {
	spread := a.last - a.first
	switch {
	case a.pieces == 0, a.pieces == 1 && a.bytes < tellingText:
		return Unknown, ""
	case a.pieces == 1:
		return No, "the reply came in one piece: the server does not stream"
	case spread >= spreadTime || spread >= first/5:
		return Yes, ""
	case first >= tellingWait:
		return No, "the reply came all at once after " + short(first) + ": the server does not stream, or a proxy holds the stream back"
	}
	return Unknown, ""
}

func (c *Client) trySchema(ctx context.Context, r *Report) {
	schema := map[string]any{
		"type": "object", "properties": map[string]any{"probe": map[string]any{"type": "boolean"}},
		"required": []string{"probe"}, "additionalProperties": false,
	}
	out, _, _, q := c.ask(ctx, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Say good morning to a friend."}},
		Schema:   schema, Sampling: probeSampling(96),
	})
	var got struct{ Probe *bool }
	switch {
	case q.noSchema:
		r.Schema = Refused
	case out.Fault != nil:
		r.Notes = append(r.Notes, "the JSON schema could not be tried: "+out.Fault.Error())
	case json.Unmarshal([]byte(out.Content), &got) == nil && got.Probe != nil:
		r.Schema = Yes
	case out.Content == "" && out.Reasoning != "":
		r.Notes = append(r.Notes, "the model reasons before it writes JSON; switch its thinking off to have the schema kept")
	default:
		r.Schema = Ignored
	}
}
