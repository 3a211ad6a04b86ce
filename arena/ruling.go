package arena

import (
	"context"
	"sync"
	"time"
)

// Deliberate asks a critic in both orders at the same time and sums the
// verdicts up. on gets snapshots from two goroutines, serialised. The candidates
// of c are side A's and side B's. Deliberate returns when both orders have ended
// or ctx is done and the critic has obeyed.
func Deliberate(ctx context.Context, critic Critic, c Case, on func(Order, Verdict)) Ruling {
	start := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	var verdicts [2]Verdict
	for _, order := range []Order{AFirst, BFirst} {
		asked := c
		if order == BFirst {
			asked = c.Swapped()
		}
		wg.Go(func() {
			v := critic.Judge(ctx, asked, func(v Verdict) {
				mu.Lock()
				defer mu.Unlock()
				if on != nil {
					on(order, v)
				}
			})
			v.Phase = PhaseDone
			mu.Lock()
			defer mu.Unlock()
			verdicts[order] = v
			if on != nil {
				on(order, v)
			}
		})
	}
	wg.Wait()
	r := Ruling{Critic: critic.Name(), Verdicts: verdicts, At: start, Total: time.Since(start)}
	r.sumUp()
	return r
}

// sumUp fills Agreement and Winner from the two verdicts.
func (r *Ruling) sumUp() {
	ab := AFirst.Side(r.Verdicts[AFirst].Better)
	ba := BFirst.Side(r.Verdicts[BFirst].Better)
	switch {
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
// answered, nothing without a verdict.
func (r *Ruling) Outcomes() []Weighted {
	ab := AFirst.Side(r.Verdicts[AFirst].Better)
	ba := BFirst.Side(r.Verdicts[BFirst].Better)
	switch r.Agreement {
	case Agree:
		return []Weighted{{ab, 1}}
	case Flip:
		return []Weighted{{ab, 0.5}, {ba, 0.5}}
	case OneFailed:
		return []Weighted{{r.Winner, 0.5}}
	}
	return nil
}
