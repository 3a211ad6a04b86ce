package stage

import (
	"herarena/arena"
	"herarena/arena/layers"
)

// held is what has arrived of a duel and is kept back from the screen: the text
// of replies and verdicts, and whatever must not overtake it. Both sides move on
// by themselves; what is about a turn as a whole (a ruling, a vote, the next
// turn) waits until all before it has been let through. It knows no screen.
type held struct {
	queue []arena.Event
	in    [2]wordCount // words that have been kept back, by side
	out   [2]wordCount // and let through
}

// sideOf is the side an event is about; ok is false for one about a whole turn.
func sideOf(ev arena.Event) (side arena.Side, ok bool) {
	switch e := ev.(type) {
	case arena.ReplyStarted:
		side = e.Side
	case arena.ReplyDelta:
		side = e.Side
	case arena.ReplyRetrying:
		side = e.Side
	case arena.ReplyEnded:
		side = e.Side
	default:
		return 0, false
	}
	return side, side == arena.A || side == arena.B
}

// passes reports whether an event is about nothing that is kept back, so that it
// may overtake all of it.
func passes(ev arena.Event) bool {
	switch ev.(type) {
	case arena.Trouble, arena.Directed, arena.Revealed, arena.LineDelta, arena.LineEnded, arena.AutoChanged:
		return true
	}
	return false
}

// carries reports whether an event brings text to be read. An end does where the
// reply came in one piece: its text has not been told before.
func carries(ev arena.Event, shown func(arena.ReplyEnded) bool) bool {
	switch e := ev.(type) {
	case arena.ReplyDelta, arena.VerdictUpdated, arena.RulingEnded:
		return true
	case arena.ReplyEnded:
		return len(e.Reply.Segments) > 0 && !shown(e)
	}
	return false
}

// keep takes an event that has arrived and reports whether it is kept back; an
// event that is not is to be applied now. shown tells whether the text of a reply
// that has ended is on the screen already.
func (h *held) keep(ev arena.Event, shown func(arena.ReplyEnded) bool) bool {
	if passes(ev) || !h.behind(ev) && !carries(ev, shown) {
		return false
	}
	h.count(ev)
	h.add(ev)
	return true
}

// count counts the words that an event brings.
func (h *held) count(ev arena.Event) {
	switch e := ev.(type) {
	case arena.ReplyDelta:
		if side, ok := sideOf(ev); ok {
			for _, edit := range e.Edits {
				h.in[side].count(edit.Text)
			}
		}
	case arena.ReplyEnded: // its text has been told, unless it came in one piece
		if side, ok := sideOf(ev); ok && !h.behind(ev) {
			for _, seg := range e.Reply.Segments {
				h.in[side].count(seg.Text + " ")
			}
		}
	}
}

// behind reports whether something kept back must come before an event.
func (h *held) behind(ev arena.Event) bool {
	side, ok := sideOf(ev)
	if !ok {
		return len(h.queue) > 0
	}
	for _, before := range h.queue {
		if other, about := sideOf(before); !about || other == side {
			return true
		}
	}
	return false
}

// add puts an event at the end, as one with what it goes on from.
func (h *held) add(ev arena.Event) {
	side, about := sideOf(ev)
	for i := len(h.queue) - 1; i >= 0; i-- {
		before, ok := sideOf(h.queue[i])
		if about && ok && before != side {
			continue // the sides do not mind each other
		}
		if new, ok := ev.(arena.VerdictUpdated); ok {
			old, ok := h.queue[i].(arena.VerdictUpdated)
			if ok && old.Order != new.Order {
				continue
			}
			if ok && (len(old.Verdict.Comparisons) != len(new.Verdict.Comparisons) || len(old.Verdict.Principles) != len(new.Verdict.Principles)) {
				break // each card is a step of its own
			}
		}
		if h.join(i, ev) {
			return
		}
		break
	}
	if d, ok := ev.(arena.ReplyDelta); ok {
		d.Edits = append([]layers.Edit(nil), d.Edits...) // grown and cut from here on
		ev = d
	}
	h.queue = append(h.queue, ev)
}

// join makes an event one with the i-th that is kept back, as merge does, but
// without copying all that waits.
func (h *held) join(i int, ev arena.Event) bool {
	if d, is := h.queue[i].(arena.ReplyDelta); is {
		n, more := ev.(arena.ReplyDelta)
		if !more || d.Turn != n.Turn || d.Swipe != n.Swipe || d.Epoch != n.Epoch {
			return false
		}
		d.Edits, d.Tokens = append(d.Edits, n.Edits...), n.Tokens
		h.queue[i] = d
		return true
	}
	joined, ok := merge(h.queue[i], ev)
	if ok {
		h.queue[i] = joined
	}
	return ok
}

// all lets everything through.
func (h *held) all() []arena.Event {
	out := h.queue
	*h = held{}
	return out
}

// waits is the number of words that wait on a side.
func (h *held) waits(side arena.Side) int { return max(h.in[side].words-h.out[side].words, 0) }

// cards is the number of the verdict's snapshots that wait, none where something
// else comes first.
func (h *held) cards() int {
	n := 0
	for _, ev := range h.queue {
		switch ev.(type) {
		case arena.VerdictUpdated, arena.RulingEnded:
			n++
		case arena.RulingStarted:
		default:
			return 0
		}
	}
	return n
}

// step lets one piece of each side in sides through: the rest of a sentence, or
// of a plan. Where no side has anything more it lets one card of the verdict
// through.
func (h *held) step(sides [2]bool) []arena.Event {
	return h.move(sides, pieceEnd)
}

// letWords lets up to n words of a side through, and nothing of the verdict.
func (h *held) letWords(side arena.Side, n int) []arena.Event {
	var sides [2]bool
	sides[side] = true
	if h.wait(side) < 0 {
		return nil
	}
	return h.move(sides, func(_ layers.Layer, text string) int { return wordsEnd(text, n) })
}

// wait is the place of the first event of a side that may be let through, -1 for
// none.
func (h *held) wait(side arena.Side) int {
	for i, ev := range h.queue {
		switch about, ok := sideOf(ev); {
		case !ok:
			return -1
		case about == side:
			return i
		}
	}
	return -1
}

// move lets through what cut says of each side's text, and all that follows it
// without text of its own.
func (h *held) move(sides [2]bool, cut func(layers.Layer, string) int) []arena.Event {
	var out []arena.Event
	moved := false
	for side, in := range sides {
		if in {
			events := h.moveSide(arena.Side(side), cut)
			moved = moved || len(events) > 0
			out = append(out, events...)
		}
	}
	out = append(out, h.pass()...)
	if !moved && len(out) == 0 && len(h.queue) > 0 {
		if _, ok := sideOf(h.queue[0]); !ok {
			out = append(out, h.queue[0])
			h.drop(0)
			out = append(out, h.pass()...)
		}
	}
	return out
}

// drop takes an event out of the queue.
func (h *held) drop(i int) {
	side, about := sideOf(h.queue[i])
	h.queue = append(h.queue[:i:i], h.queue[i+1:]...)
	if !about {
		return
	}
	for _, ev := range h.queue {
		if other, ok := sideOf(ev); ok && other == side {
			return
		}
	}
	h.out[side] = h.in[side]
}

// moveSide lets one piece of a side through, with the end of the reply where it
// was the last.
func (h *held) moveSide(side arena.Side, cut func(layers.Layer, string) int) []arena.Event {
	var out []arena.Event
	for {
		i := h.wait(side)
		if i < 0 {
			return out
		}
		d, ok := h.queue[i].(arena.ReplyDelta)
		if !ok { // a beginning, a retry, an end
			if len(out) > 0 {
				if _, end := h.queue[i].(arena.ReplyEnded); !end {
					return out
				}
			}
			out = append(out, h.queue[i])
			h.drop(i)
			continue
		}
		if len(out) > 0 {
			if _, text := out[len(out)-1].(arena.ReplyDelta); text {
				return out
			}
		}
		first, rest := split(d, cut)
		for _, e := range first.Edits {
			h.out[side].count(e.Text)
		}
		out = append(out, first)
		if len(rest.Edits) > 0 {
			h.queue[i] = rest
			return out
		}
		h.drop(i)
	}
}

// pass lets through what stands in front and is not to be read.
func (h *held) pass() []arena.Event {
	var out []arena.Event
	for len(h.queue) > 0 {
		switch h.queue[0].(type) {
		case arena.NextAsked, arena.NextChosen, arena.SceneryDelta, arena.SceneryEnded,
			arena.TurnStarted, arena.RulingStarted, arena.RulingSkipped, arena.Voted, arena.Unvoted, arena.CanonChosen, arena.ReplyStarted:
			out = append(out, h.queue[0])
			h.drop(0)
		default:
			return out
		}
	}
	return out
}
