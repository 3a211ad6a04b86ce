package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"herarena/arena"
)

const (
	// freeTime is how long a server is given to notice that nobody listens, and
	// freePoll how often it is asked meanwhile.
	freeTime = 5 * time.Second
	freePoll = 100 * time.Millisecond
)

// busyGauges are the metrics that count the replies being written or waiting.
func busyGauges() []string {
	return []string{
		"vllm:num_requests_running", "vllm:num_requests_waiting",
		"sglang:num_running_reqs", "sglang:num_queue_reqs",
		"tgi_batch_current_size", "tgi_queue_size",
		"llamacpp:requests_processing", "llamacpp:requests_deferred",
	}
}

// busy asks how many replies a server is writing just now; ok is false where it
// does not tell.
func (c *Client) busy(ctx context.Context) (replies int, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	if c.knownKind() == KindLlamaCpp {
		if a := c.get(ctx, c.root()+"/slots"); a.fault == nil {
			if n, ok := busySlots(a.body); ok {
				return n, true
			}
		}
	}
	a := c.get(ctx, c.root()+"/metrics")
	if a.fault != nil {
		return 0, false
	}
	return busyMetrics(a.body)
}

// busySlots counts the slots of llama.cpp at work. Builds before 2024-11 write a
// state of 1 where newer ones write is_processing.
func busySlots(body []byte) (n int, ok bool) {
	var slots []struct {
		Processing *bool `json:"is_processing"`
		State      *int  `json:"state"`
	}
	if json.Unmarshal(body, &slots) != nil {
		return 0, false
	}
	for _, s := range slots {
		ok = ok || s.Processing != nil || s.State != nil
		if s.Processing != nil && *s.Processing || s.State != nil && *s.State == 1 {
			n++
		}
	}
	return n, ok
}

// busyMetrics adds up the gauges of a page in Prometheus' text form, over all
// their labels.
func busyMetrics(body []byte) (n int, ok bool) {
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		for _, name := range busyGauges() {
			rest, is := strings.CutPrefix(lines.Text(), name)
			if !is || rest == "" || rest[0] != '{' && rest[0] != ' ' {
				continue
			}
			fields := strings.Fields(rest[strings.LastIndexByte(rest, '}')+1:])
			if len(fields) == 0 {
				continue
			}
			if v, err := strconv.ParseFloat(fields[0], 64); err == nil {
				n, ok = n+clampInt(v), true
			}
		}
	}
	return n, ok
}

// cancel begins a long reply, stops it after its first text, and looks whether
// the server stopped too.
func (p *probe) cancel(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	c, r := p.c, p.r
	before, tells := c.busy(ctx)
	tokens := 1500
	if !tells {
		tokens = 256 // nothing is learned from more, and it may have a price
	}
	asking, stop := within(ctx, replyTime)
	defer stop()
	var (
		stopped time.Time
		during  int
	)
	out, _, _, _ := c.listen(asking, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Write a story of two thousand words about a lighthouse keeper who receives a letter."}},
		Sampling: probeSampling(tokens),
	}, func(e Event) {
		if !stopped.IsZero() || e.Kind != EventText && e.Kind != EventReasoning {
			return
		}
		if tells {
			during, tells = c.busy(asking)
		}
		stopped = time.Now()
		stop()
	})
	if stopped.IsZero() || out.Fault == nil || out.Fault.Kind != arena.Cancelled {
		return // the reply never began, or was over before it could be stopped
	}
	r.CancelTime = max(time.Since(stopped), time.Nanosecond)
	if !tells || during <= before {
		return
	}
	if p.freed(ctx, during) {
		r.Cancel, r.FreedTime = Yes, max(time.Since(stopped), time.Nanosecond)
		return
	}
	if ctx.Err() == nil {
		r.Cancel = No
		p.note("by its own numbers the server goes on with a reply for more than %s after it was stopped", short(p.patience))
	}
}

// freed waits until a server has fewer replies in hand than before.
func (p *probe) freed(ctx context.Context, during int) bool {
	asked := false
	for start := time.Now(); time.Since(start) < p.patience; {
		if n, ok := p.c.busy(ctx); ok && n < during {
			return true
		}
		if !sleep(ctx, freePoll) {
			return false
		}
		if !asked && time.Since(start) > p.patience/2 {
			// Some servers bring their numbers up to date only when they work.
			asked = true
			p.c.ask(ctx, p.r.Model, arena.Call{
				Messages: []arena.Message{{Role: "user", Content: "Say yes."}}, Sampling: probeSampling(1),
			})
		}
	}
	return false
}
