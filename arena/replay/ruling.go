package replay

import (
	"time"

	"herarena/arena"
)

// rulings puts all rulings of a turn, none before both sides had a reply, and
// returns when the last one ended.
func (p *player) rulings(all []arena.Ruling, first time.Duration) (last time.Duration) {
	free := first
	last = first
	for i := range all {
		r := all[i]
		start := free
		if !r.At.IsZero() {
			start = max(p.at+p.since(r.At), free)
		}
		// The ledger's times are whole milliseconds: what was judged was done.
		start = max(start, p.ended[r.ReplyA], p.ended[r.ReplyB])
		total := span(r.Total, r.Verdicts[0].Total, r.Verdicts[1].Total)
		p.put(start, arena.RulingStarted{Turn: p.turn.Number, Critic: r.Critic})
		from := start
		for o := range r.Verdicts {
			v := &r.Verdicts[o]
			if unasked(v) && !unasked(&r.Verdicts[1-o]) {
				continue
			}
			p.verdict(arena.Order(o), *v, from, start+total-from)
			if r.Orders == arena.OrdersClose || r.Orders == arena.OrdersNever {
				from += max(min(v.Total, start+total-from), 0) // one after the other
			}
		}
		p.put(start+total, arena.RulingEnded{Turn: p.turn.Number, Ruling: r})
		free, last = start+total, start+total
	}
	return last
}

// unasked reports whether an order was not asked at all, by the policy.
func unasked(v *arena.Verdict) bool {
	return v.Status == "" && v.Raw == "" && v.Fault == nil && v.Total == 0 && len(v.Principles)+len(v.Comparisons) == 0
}

// span is the longest of some recorded durations, as far as it is believed.
func span(all ...time.Duration) time.Duration {
	var most time.Duration
	for _, d := range all {
		most = max(most, d)
	}
	return min(most, longest)
}

// verdict puts the snapshots in which a verdict grew: principle after principle,
// comparison after comparison.
func (p *player) verdict(order arena.Order, v arena.Verdict, start, ruling time.Duration) {
	total := max(min(v.Total, ruling), 0)
	if total == 0 {
		total = ruling
	}
	first := max(min(v.FirstByte, total), 0)
	n := len(v.Principles) + len(v.Comparisons)
	at := func(i int) time.Duration { return start + first + spread(total-first, i, n+1) }
	growing := arena.Verdict{Status: arena.VerdictPending, Phase: arena.PhaseWaiting, Model: v.Model, PromptHash: v.PromptHash}
	put := func(at time.Duration) {
		p.put(at, arena.VerdictUpdated{Turn: p.turn.Number, Order: order, Verdict: growing})
	}
	put(start)
	growing.Phase, growing.FirstByte = arena.PhasePrinciples, v.FirstByte
	for i := range v.Principles {
		growing.Principles = v.Principles[:i+1]
		put(at(i))
	}
	growing.Phase = arena.PhaseComparing
	for i := range v.Comparisons {
		growing.Comparisons = v.Comparisons[:i+1]
		put(at(len(v.Principles) + i))
	}
	v.Phase = arena.PhaseDone
	growing = v
	put(start + total)
}
