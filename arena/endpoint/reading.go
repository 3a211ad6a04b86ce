package endpoint

import (
	"context"
	"errors"
	"strings"
	"time"

	"herarena/arena"
)

const (
	// maxReply bounds the text of one reply, reasoning included.
	maxReply = 16 << 20
	// maxEndings bounds the finish reasons that are kept.
	maxEndings = 64
)

var errFlood = errors.New("the reply does not end")

// reading is a reply that is being read.
type reading struct {
	ex    *exchange
	base  string              // the replica that is asked, "" for the first
	clean func(string) string // makes a server's words safe to show; may be nil
	on    func(Event)
	start time.Time

	decoder   decoder
	text      joiner
	thought   joiner
	content   strings.Builder
	reasoning strings.Builder

	textVeil, thoughtVeil veil

	endings []ending
	tail    []arena.Token
	usage   *arena.Usage
	damaged int
	first   time.Duration
}

// newReading starts the clock of a reply.
func newReading(start time.Time, secrets []string, on func(Event)) *reading {
	return &reading{start: start, on: on, textVeil: newVeil(secrets), thoughtVeil: newVeil(secrets)}
}

// read reads to the end of the body; io.EOF is a clean end. The frames come from
// the transport's body itself: go-openai opens the stream, but its line reader
// costs four allocations a frame.
func (r *reading) read(ctx context.Context, b *body) error {
	err := b.each(func(frame []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.frame(frame)
	})
	r.say(EventReasoning, &r.reasoning, r.thoughtVeil.pass(r.thought.flush())+r.thoughtVeil.flush())
	r.say(EventText, &r.content, r.textVeil.pass(r.text.flush())+r.textVeil.flush())
	return err
}

func (r *reading) frame(frame []byte) error {
	if n := r.decoder.decode(frame, r.take); n > 0 {
		r.damaged += n
		r.on(Event{Kind: EventDamage, Damaged: n})
	}
	if r.content.Len()+r.reasoning.Len() > maxReply {
		return errFlood
	}
	return nil
}

// take takes over what the decoder has just read.
func (r *reading) take() {
	d := &r.decoder
	if len(d.reasoning) > 0 {
		r.say(EventReasoning, &r.reasoning, r.thoughtVeil.pass(r.thought.join(d.reasoning)))
	}
	if len(d.content) > 0 {
		r.say(EventText, &r.content, r.textVeil.pass(r.text.join(d.content)))
	}
	if len(d.tokens) > 0 {
		r.tail = keepTokens(r.tail, d.tokens)
	}
	r.finish(d.endings)
	if d.hasUsage {
		usage := d.usage
		r.usage = &usage
		r.on(Event{Kind: EventUsage, Usage: &usage})
	}
	if d.done {
		r.ex.done = true
	}
}

// finish takes over finish reasons. Those in a frame that reports an error are
// none, and the reply is finished when the first choice is: others may be on
// their way still.
func (r *reading) finish(endings []ending) {
	if len(endings) == 0 || r.ex.refused != nil || len(r.endings) >= maxEndings {
		return
	}
	for _, e := range endings[:min(len(endings), maxEndings-len(r.endings))] {
		if r.clean != nil {
			e.reason = r.clean(e.reason)
		}
		r.endings = append(r.endings, e)
		r.ex.finished = r.ex.finished || e.index == 0
	}
	r.on(Event{Kind: EventFinish, Finish: finishes(r.endings)})
}

func (r *reading) say(kind EventKind, all *strings.Builder, text string) {
	if text == "" {
		return
	}
	if !r.ex.spoke {
		r.ex.spoke = true
		r.first = time.Since(r.start)
	}
	r.ex.lastText = time.Now()
	all.WriteString(text)
	r.on(Event{Kind: kind, Text: text})
}

func (r *reading) outcome() arena.Outcome {
	finish := ""
	if r.ex.finished {
		finish = finishes(r.endings)
	}
	return arena.Outcome{
		Content:   r.content.String(),
		Reasoning: r.reasoning.String(),
		Finish:    finish,
		Complete:  r.ex.finished || r.ex.done,
		Damaged:   r.damaged,
		Usage:     r.usage,
		Tail:      r.tail,
		FirstByte: r.first,
	}
}
