package arena

import (
	"context"
	"hash/fnv"
	"io"
	"sync"
	"time"
)

// Deliberate asks a critic in both orders at the same time, or as its own policy
// has it (OrderChooser), and sums the verdicts up. on gets snapshots from two goroutines, serialised. The candidates
// of c are side A's and side B's. Deliberate returns when both orders have ended
// or ctx is done and the critic has obeyed.
func Deliberate(ctx context.Context, critic Critic, c Case, on func(Order, Verdict)) Ruling {
	policy := OrdersAlways
	if chooser, ok := critic.(OrderChooser); ok {
		policy = chooser.Orders()
	}
	return DeliberateBy(ctx, policy, critic, c, on)
}

// DeliberateBy is Deliberate with a policy for the second order.
func DeliberateBy(ctx context.Context, policy OrderPolicy, critic Critic, c Case, on func(Order, Verdict)) Ruling {
	if policy == "" {
		policy = OrdersAlways
	}
	b := &bench{critic: critic, c: c, on: on}
	r := Ruling{Critic: critic.Name(), At: time.Now(), Orders: policy}
	if policy == OrdersAlways {
		var wg sync.WaitGroup
		wg.Go(func() { b.ask(ctx, AFirst) })
		wg.Go(func() { b.ask(ctx, BFirst) })
		wg.Wait()
	} else {
		first := c.firstOrder()
		b.ask(ctx, first)
		if policy == OrdersClose && ctx.Err() == nil && isClose(b.verdicts[first]) {
			b.ask(ctx, 1-first)
		}
	}
	r.Verdicts, r.Total = b.verdicts, time.Since(r.At)
	r.sumUp(b.asked)
	return r
}

// bench is a case before a critic.
type bench struct {
	critic Critic
	c      Case
	on     func(Order, Verdict)

	mu       sync.Mutex
	verdicts [2]Verdict
	asked    [2]bool
}

func (b *bench) ask(ctx context.Context, order Order) {
	c := b.c
	if order == BFirst {
		c = c.Swapped()
	}
	tell := func(v Verdict) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.on != nil {
			b.on(order, v)
		}
	}
	v := b.critic.Judge(ctx, c, tell)
	v.Phase = PhaseDone
	b.mu.Lock()
	b.verdicts[order], b.asked[order] = v, true
	b.mu.Unlock()
	tell(v)
}

// firstOrder is the order that is asked first, or alone. It is drawn from the
// case itself, so that it is the same at a replay and evens out over many cases.
func (c Case) firstOrder() Order {
	h := fnv.New32a()
	for _, l := range c.Context {
		_, _ = io.WriteString(h, l.Content)
	}
	_, _ = io.WriteString(h, c.Cand1+"\x00"+c.Cand2)
	return Order(h.Sum32() >> 7 & 1)
}

// sumUp fills Agreement and Winner from the verdicts of the orders asked.
func (r *Ruling) sumUp(asked [2]bool) {
	ab := AFirst.Side(r.Verdicts[AFirst].Better)
	ba := BFirst.Side(r.Verdicts[BFirst].Better)
	switch {
	case asked[AFirst] != asked[BFirst] && (ab != NoChoice || ba != NoChoice):
		if r.Agreement, r.Winner = OneOrder, ab; ab == NoChoice {
			r.Winner = ba
		}
	case ab == NoChoice && ba == NoChoice:
		r.Agreement, r.Winner = NoVerdict, NoChoice
	case ab == NoChoice:
		r.Agreement, r.Winner = OneFailed, ba
	case ba == NoChoice:
		r.Agreement, r.Winner = OneFailed, ab
	case ab == ba:
		r.Agreement, r.Winner = Agree, ab
	default:
		r.Agreement, r.Winner = Flip, NoChoice
	}
}

// Weighted is an outcome with the weight a board gives it.
type Weighted struct {
	Choice Choice
	Weight float64
}

// Outcomes returns what a ruling counts for on a board: one whole outcome where
// the orders agree, two halves on a flip, one half where only one order
// answered or was asked, nothing without a verdict.
func (r *Ruling) Outcomes() []Weighted {
	ab := AFirst.Side(r.Verdicts[AFirst].Better)
	ba := BFirst.Side(r.Verdicts[BFirst].Better)
	switch r.Agreement {
	case Agree:
		return []Weighted{{ab, 1}}
	case Flip:
		return []Weighted{{ab, 0.5}, {ba, 0.5}}
	case OneFailed, OneOrder:
		return []Weighted{{r.Winner, 0.5}}
	}
	return nil
}
