package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"herarena/arena"
)

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
// because the server refused or ignored it, or is known to have no way for it.
func (p *Player) PrefillRefused() bool {
	return p.client.wayOf(p.client.quirksOf(p.model)) == PrefillOff
}

// Play implements arena.Player; it is Stream with arena's chunks for events.
func (p *Player) Play(ctx context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	return p.Stream(ctx, call, func(e Event) {
		if on == nil {
			return
		}
		if c, ok := e.chunk(); ok {
			on(c)
		}
	})
}

// Stream sends the call and tells of the reply event by event, in order and from
// the caller's goroutine; on may be nil. A request that fails before its first
// text is sent again where that can help: to another replica at once, to the
// same after a wait, or put differently where the server refused its form. Later
// failures keep the text and say what happened in Outcome.Fault. It returns
// within 100 ms of ctx being cancelled.
func (p *Player) Stream(ctx context.Context, call arena.Call, on func(Event)) arena.Outcome {
	if on == nil {
		on = func(Event) {}
	}
	start := time.Now()
	var out arena.Outcome
	if err := checkCall(call); err != nil {
		out.Fault = &arena.Fault{Kind: arena.BadRequest, Message: err.Error(), Hint: "check the contestant's sampling and the scene"}
	} else {
		t := &try{player: p, call: call, on: on, start: start, order: p.client.replicas.order(call.Session)}
		out = t.run(ctx)
	}
	out.Total = time.Since(start)
	on(ended(out))
	return out
}

// try is a call on its way: how often and how it has been sent.
type try struct {
	player *Player
	call   arena.Call
	on     func(Event)
	start  time.Time

	order   []string     // replicas, the preferred one first
	at      int          // the replica that is asked
	retries int          // waits so far
	adapted int          // changes of form so far
	quirks  quirks       // how the request is put
	before  *arena.Fault // what an earlier attempt ended with
}

func (t *try) run(ctx context.Context) arena.Outcome {
	p, c := t.player, t.player.client
	if t.call.Prefill != "" {
		c.learnPrefill(ctx, p.model, t.order[0])
	}
	known := c.quirksOf(p.model)
	t.quirks = known
	var out arena.Outcome
	for {
		var ex *exchange
		r := newReading(t.start, c.secrets, t.on)
		r.base = t.order[t.at]
		out, ex = p.attempt(ctx, t.call, t.quirks, r)
		if out.Fault == nil {
			c.replicas.answered(r.base)
		}
		if out.Fault == nil || ex.spoke || !t.again(ctx, &out, ex) {
			break
		}
	}
	if t.quirks != known && (out.Fault == nil || out.Fault.Kind != arena.BadRequest) {
		c.remember(p.model, t.quirks)
	}
	if out.Fault != nil {
		out.Fault = t.named(informative(t.before, out.Fault))
	}
	if f := out.Fault; f != nil && f.Kind == arena.NoSuchModel {
		f.Hint = c.clean(c.nearHint(ctx, p.model))
	}
	out.Notes = c.notes(p.model, t.call, t.quirks, out)
	return out
}

// again decides whether and how the request is sent once more, and waits where
// it must. Nothing of a reply has been seen yet.
func (t *try) again(ctx context.Context, out *arena.Outcome, ex *exchange) bool {
	c, f := t.player.client, out.Fault
	if f.Kind == arena.Cancelled {
		return false
	}
	if next, why, ok := t.quirks.adapt(f, t.call, c.wayOf(t.quirks)); ok && t.adapted < maxAdaptions {
		t.adapted++
		t.quirks = next
		t.on(Event{Kind: EventRetry, Fault: &arena.Fault{Kind: f.Kind, Status: f.Status, Message: f.Message, Hint: why}})
		return true
	}
	if worthMoving(f) && len(t.order) > 1 {
		c.replicas.failed(t.order[t.at])
		if t.at+1 < len(t.order) {
			t.at++
			t.before = informative(t.before, f)
			t.on(Event{Kind: EventRetry, Fault: &arena.Fault{
				Kind: f.Kind, Status: f.Status, Message: f.Message, Hint: "asked again at " + hostOf(t.order[t.at]),
			}})
			return true
		}
	}
	if t.retries >= c.cfg.Retries || !worthRetrying(f, ex) {
		return false
	}
	wait := backoff(f, t.retries)
	t.retries++
	t.at = 0
	t.before = informative(t.before, f)
	t.on(Event{Kind: EventRetry, Wait: wait, Fault: f})
	if !sleep(ctx, wait) {
		out.Fault = c.faultOf(ctx, context.Canceled, &exchange{}, t.player.model)
		return false
	}
	return true
}

// named says of an endpoint with replicas which of them a fault was about.
func (t *try) named(f *arena.Fault) *arena.Fault {
	if len(t.order) < 2 || f.Kind == arena.Cancelled {
		return f
	}
	clone := *f
	if host := hostOf(t.order[t.at]); !strings.Contains(f.Message, host) {
		clone.Message = host + ": " + f.Message
	}
	if t.at == len(t.order)-1 && worthMoving(f) {
		clone.Message = fmt.Sprintf("none of the %d servers of %s could answer; the last: %s", len(t.order), t.player.client.cfg.Name, clone.Message)
	}
	return &clone
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
	ex.base, ex.origin = r.base, c.cfg.BaseURL
	stream, err := req.open(withExchange(ctx, ex), c.api)
	if err != nil {
		return arena.Outcome{Fault: c.faultOf(ctx, err, ex, p.model)}, ex
	}
	r.ex, r.clean = ex, c.clean
	err = r.read(ctx, ex.body)
	_ = stream.Close()
	out := r.outcome()
	switch {
	case out.Complete && ex.refused == nil:
		// What breaks behind the end of a reply does not harm it.
	case errors.Is(err, io.EOF) && ctx.Err() == nil:
		out.Fault = cutOff(c.cfg.Name, nil)
		if out.Fault.Status = ex.status; !ex.spoke {
			out.Fault.Message = c.cfg.Name + " closed the stream without a word of a reply"
			out.Fault.Hint = "look at the server's log; herarena doctor tells what it can do"
		}
	default:
		out.Fault = c.faultOf(ctx, err, ex, p.model)
	}
	return out, ex
}

// notes are sentences on a reply that is no fault: what was not sent, and what
// did not go as asked.
func (c *Client) notes(model string, call arena.Call, q quirks, out arena.Outcome) []string {
	var notes []string
	kind := c.knownKind()
	if _, unsent := c.sampling(kind, call.Sampling, q); len(unsent) > 0 {
		notes = append(notes, c.cfg.Name+" does not know "+strings.Join(unsent, ", ")+": not sent")
	}
	if out.Fault != nil {
		return notes
	}
	if strings.TrimSpace(out.Content) == "" && out.Reasoning != "" && out.Finish == arena.FinishLength {
		notes = append(notes, "the whole budget of tokens was spent on reasoning; raise max_tokens or set thinking = false")
	}
	if call.Prefill != "" && c.cfg.PrefillMode != PrefillOff && c.way(kind, q, call.Prefill) == PrefillOff {
		notes = append(notes, c.cfg.Name+" takes no beginning for a reply of "+model+": it was left out")
	}
	if n := atLeast(call.Messages); out.Usage != nil && out.Usage.PromptTokens > 0 && out.Usage.PromptTokens < n {
		notes = append(notes, cutPromptNote(c.cfg.Name, kind, out.Usage.PromptTokens, n))
	}
	return append(notes, c.checkPrefill(model, call, q, out)...)
}
