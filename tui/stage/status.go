package stage

import (
	"fmt"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/look"
)

// status is what a side is doing, as the right end of its border says it.
func status(l *look.Look, t *take, now time.Time) string {
	if t == nil {
		return ""
	}
	r := &t.reply
	switch {
	case t.retry != nil:
		if left := t.retryAt.Sub(now); left > 0 {
			return l.Paint(look.Warn, "tries again in "+seconds(left+time.Second-1))
		}
		return l.Paint(look.Warn, "trying again")
	case t.live && t.first.IsZero():
		return l.Paint(look.Dim, "waiting "+seconds(now.Sub(t.sent)))
	case t.live:
		return doing(l, r.Segments) + rate(l, t) + l.Paint(look.Dim, "  "+seconds(now.Sub(t.sent)))
	case r.Fault != nil && r.Fault.Kind == arena.Cancelled:
		return l.Paint(look.Dim, "stopped")
	case r.Fault != nil && (r.Fault.Kind == arena.CutOff || r.Fault.Kind == arena.Stalled):
		return l.Paint(look.Warn, l.Glyphs.Cut+" cut off")
	case r.Fault != nil:
		return l.Paint(look.Bad, "failed: "+faultWord(r.Fault.Kind))
	case !layers.HasSpeech(r.Segments):
		return l.Paint(look.Warn, "says nothing")
	case r.Truncated || r.Finish == arena.FinishLength || !r.Complete:
		return l.Paint(look.Warn, l.Glyphs.Cut+" cut off")
	}
	return done(l, t)
}

// brief is a side's state in a word, for the tab of a side that is not shown.
func brief(t *take) string {
	switch {
	case t == nil:
		return ""
	case t.live && t.first.IsZero():
		return "waiting"
	case t.live:
		return "writing"
	}
	if ok, why := t.reply.Validity(); !ok && why != "" {
		return "no valid reply"
	}
	return "done"
}

// doing names the layer that is being written.
func doing(l *look.Look, segments []layers.Segment) string {
	if len(segments) == 0 {
		return l.Paint(look.Dim, "reading")
	}
	switch segments[len(segments)-1].Layer {
	case layers.System:
		return l.Paint(look.System, "planning")
	case layers.Native:
		return l.Paint(look.Native, "reasoning")
	case layers.Think:
		return l.Paint(look.Think, "thinking")
	case layers.Act:
		return l.Paint(look.Act, "acting")
	}
	return "speaking"
}

// rate is the speed of a reply being written, from the second half second on.
func rate(l *look.Look, t *take) string {
	span := t.last.Sub(t.first)
	if span < 500*time.Millisecond || t.tokens < 2 {
		return ""
	}
	return l.Paint(look.Dim, fmt.Sprintf("  ~%.0f tok/s", float64(t.tokens-1)/span.Seconds()))
}

// done sums a finished reply up: tokens, speed after the first token, seconds. A
// sign in front says that the server counted no tokens.
func done(l *look.Look, t *take) string {
	r := &t.reply
	s := ""
	if tokens, counted := tokensOf(t); tokens > 0 {
		s = about(tokens, counted) + " tok"
		if span := r.Total - r.FirstByte; span > 50*time.Millisecond {
			s += fmt.Sprintf("  %s tok/s", about(int(float64(tokens)/span.Seconds()+0.5), counted))
		}
	}
	if r.Total > 0 {
		s += "  " + tenths(r.Total)
	}
	return l.Paint(look.Dim, s)
}

var faultWords = map[arena.FaultKind]string{
	arena.Unreachable:  "unreachable",
	arena.Unauthorised: "key refused",
	arena.NoSuchModel:  "no such model",
	arena.TooLong:      "context too long",
	arena.Overloaded:   "overloaded",
	arena.Loading:      "still loading",
	arena.BadRequest:   "request refused",
	arena.ServerFault:  "server fault",
	arena.CutOff:       "cut off",
	arena.Stalled:      "stalled",
}

func faultWord(k arena.FaultKind) string {
	if word, ok := faultWords[k]; ok {
		return word
	}
	return "fault"
}

// seconds is a duration in whole seconds, never negative.
func seconds(d time.Duration) string { return fmt.Sprintf("%d s", max(int(d.Seconds()), 0)) }

func tenths(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
