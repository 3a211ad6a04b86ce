package endpoint

import (
	"context"
	"strings"
	"time"

	"herarena/arena"
)

const (
	// probeTime bounds the search for a way to begin a reply.
	probeTime = 30 * time.Second
	// The beginning is one that no model would write by itself, so that its
	// repetition is the server's and a fresh start is the model's.
	probeAsk     = "Count from one to seven in English words, separated by commas. Write nothing else."
	probePrefill = "One, two and then"
)

// learnPrefill finds out by asking how the server takes a prefill for a model,
// once: what is found is remembered, also between runs where there is a memory.
// Where it cannot be found out (the server is down, the answer is unclear) the
// kind of server decides, and the next call asks again.
func (c *Client) learnPrefill(ctx context.Context, model, base string) {
	if !c.cfg.ProbePrefill || c.cfg.API == APICompletions || c.cfg.PrefillMode != PrefillAuto {
		return
	}
	done := c.enter(ctx, model)
	if done == nil {
		return
	}
	defer done()
	q := c.quirksOf(model)
	if q.found != "" || q.noPrefill {
		return
	}
	kind := c.resolveKind(ctx)
	if way, ok := c.recall(model, kind); ok {
		q.found = way
		c.remember(model, q)
		return
	}
	if way, _ := c.searchPrefill(ctx, model, base, kind); way != "" {
		q = c.quirksOf(model)
		q.found = way
		c.remember(model, q)
		c.keep(model, kind, way)
	}
}

// enter lets one goroutine at a time look for the ways of a model; nil where ctx
// ended first.
func (c *Client) enter(ctx context.Context, model string) (done func()) {
	c.mu.Lock()
	gate := c.gates[model]
	if gate == nil {
		gate = make(chan struct{}, 1)
		c.gates[model] = gate
	}
	c.mu.Unlock()
	select {
	case gate <- struct{}{}:
		return func() { <-gate }
	case <-ctx.Done():
		return nil
	}
}

// searchPrefill tries the ways of a kind of server until one works. The way is ""
// where the server gave no clear answer, and PrefillOff where it has none.
func (c *Client) searchPrefill(ctx context.Context, model, base, kind string) (prefillWay, Ability) {
	ways := waysOfKind(kind)
	if ways[0] == PrefillOff {
		return PrefillOff, No
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	last, unclear := No, false
	for _, way := range ways {
		if way == PrefillCompletions && !speaksChatML(model) {
			continue
		}
		switch a := c.tryWay(ctx, model, base, way); a {
		case Yes, Echoed:
			return way, a
		case Unknown:
			unclear = true
		default:
			last = a
		}
		if ctx.Err() != nil {
			return "", Unknown
		}
	}
	if unclear {
		return "", Unknown
	}
	return PrefillOff, last
}

// tryPrefill looks for the way a prefill goes, as a probe wants to know it: the
// configured way alone where there is one.
func (c *Client) tryPrefill(ctx context.Context, r *Report) (prefillWay, Ability) {
	switch mode := prefillWay(c.cfg.PrefillMode); {
	case c.cfg.API == APICompletions:
		return PrefillCompletions, c.tryWay(ctx, r.Model, r.BaseURL, PrefillCompletions)
	case mode == PrefillOff:
		return PrefillOff, No
	case mode != PrefillAuto:
		return mode, c.tryWay(ctx, r.Model, r.BaseURL, mode)
	}
	kind := c.resolveKind(ctx)
	way, found := c.searchPrefill(ctx, r.Model, r.BaseURL, kind)
	if way != "" {
		q := c.quirksOf(r.Model)
		q.found = way
		c.remember(r.Model, q)
		c.keep(r.Model, kind, way)
	}
	return way, found
}

// tryWay asks for a short reply with a given beginning, sent in one way.
func (c *Client) tryWay(ctx context.Context, model, base string, way prefillWay) Ability {
	p := c.Player(model)
	q := c.quirksOf(model)
	q.found, q.noPrefill, q.plainPrefill = way, false, false
	call := arena.Call{
		Messages: []arena.Message{{Role: roleUser, Content: probeAsk}},
		Prefill:  probePrefill, Sampling: probeSampling(16),
	}
	for range maxAdaptions {
		r := newReading(time.Now(), c.secrets, func(Event) {})
		r.base = base
		out, ex := p.attempt(ctx, call, q, r)
		switch {
		case out.Fault == nil:
			return readProbe(out)
		case ex.spoke || !refusedStatus(out.Fault):
			return Unknown
		}
		next, _, ok := q.adapt(out.Fault, call, way)
		if !ok || next.noPrefill || next.plainPrefill {
			return Refused
		}
		q = next
		if q.thinkOff {
			// The template needs it for every prefill of this model.
			known := c.quirksOf(model)
			known.thinkOff = true
			c.remember(model, known)
		}
	}
	return Refused
}

// readProbe tells by the reply what became of the beginning. A server with a
// reasoning parser may take the continuation for reasoning.
func readProbe(out arena.Outcome) Ability {
	text := strings.ToLower(strings.TrimSpace(out.Content))
	if text == "" {
		text = strings.ToLower(strings.TrimSpace(out.Reasoning))
	}
	rest := strings.TrimLeft(text, " \t\n.,:;…-*")
	switch {
	case text == "":
		return Unknown
	case strings.HasPrefix(text, strings.ToLower(probePrefill)):
		return Echoed
	case strings.HasPrefix(rest, "three"), strings.HasPrefix(rest, "3"):
		return Yes
	}
	return Ignored
}

// doubt takes back what was found for a model whose reply did not go on from its
// beginning, so that it is asked for again; only once, since a model may be to
// blame and not the server.
func (c *Client) doubt(model string) {
	q := c.quirksOf(model)
	if q.doubts++; q.doubts == 1 && q.found != PrefillOff {
		q.found = ""
		c.forget(model)
	}
	c.remember(model, q)
}
