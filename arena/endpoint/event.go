package endpoint

import (
	"time"

	"herarena/arena"
)

// EventKind says what happened to a reply.
type EventKind int

// The kinds of event, in the order in which they can come: retries before the
// first text; text, reasoning, damage and usage while the reply streams; finish;
// one end, always and last.
const (
	// EventRetry: the request is sent again after Wait because of Fault.
	EventRetry EventKind = iota
	// EventReasoning: Text is native reasoning, sent apart from the content.
	EventReasoning
	// EventText: Text is content, in whole runes.
	EventText
	// EventDamage: Damaged frames could not be read and were left out.
	EventDamage
	// EventUsage: Usage counts the tokens so far.
	EventUsage
	// EventFinish: Finish is the server's finish reason, verbatim.
	EventFinish
	// EventEnd: nothing more comes. Complete says whether a finish reason or the
	// end mark was seen, Why by what it ended, Fault what went wrong if anything.
	EventEnd
)

// String returns the kind as one word.
func (k EventKind) String() string {
	return [...]string{"retry", "reasoning", "text", "damage", "usage", "finish", "end"}[k]
}

// What a reply ended by, beside the kinds of arena.Fault.
const (
	// WhyFinish: a finish reason was seen.
	WhyFinish = "finish reason"
	// WhyEndMark: the end mark [DONE] was seen, and no finish reason.
	WhyEndMark = "end mark"
)

// Event is one thing that happened to a reply; see EventKind for which fields
// a kind fills.
type Event struct {
	Kind     EventKind
	Text     string
	Damaged  int
	Usage    *arena.Usage
	Finish   string
	Wait     time.Duration
	Fault    *arena.Fault
	Complete bool
	Why      string // WhyFinish, WhyEndMark, or the word of Fault.Kind
}

// ended is the last event of a reply.
func ended(out arena.Outcome) Event {
	e := Event{Kind: EventEnd, Complete: out.Complete, Fault: out.Fault, Why: WhyEndMark}
	switch {
	case out.Fault != nil:
		e.Why = string(out.Fault.Kind)
	case out.Finish != "":
		e.Why = WhyFinish
	}
	return e
}

// chunk turns an event into what arena.Player streams; ok is false for kinds
// that an Outcome tells of.
func (e Event) chunk() (c arena.Chunk, ok bool) {
	switch e.Kind {
	case EventText:
		return arena.Chunk{Kind: arena.ChunkText, Text: e.Text}, true
	case EventReasoning:
		return arena.Chunk{Kind: arena.ChunkReasoning, Text: e.Text}, true
	case EventRetry:
		return arena.Chunk{Kind: arena.ChunkRetry, Wait: e.Wait, Fault: e.Fault}, true
	}
	return arena.Chunk{}, false
}
