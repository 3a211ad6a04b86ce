package arena

import (
	"context"
	"reflect"
	"strings"
	"time"

	"herarena/arena/layers"
)

// saveEvery is how often a streaming reply is saved, so that a kill loses at
// most this much of it.
const saveEvery = 500 * time.Millisecond

// start asks one contestant for a reply to the turn. Callers hold d.mu.
func (d *Duel) start(ctx context.Context, t *Turn, contestant int) {
	d.startFrom(ctx, t, contestant, d.opts.Contestants[contestant].Prefill)
}

// startFrom is start with the beginning that the reply is to go on from.
func (d *Duel) startFrom(ctx context.Context, t *Turn, contestant int, prefill string) {
	c := d.opts.Contestants[contestant]
	now := time.Now()
	r := &Reply{
		ID: NewID(now), TurnID: t.ID, Contestant: contestant,
		Swipe: len(t.Swipes[contestant]), Started: now, Prefill: prefill,
	}
	if !reflect.DeepEqual(d.sampling[contestant], c.Sampling) {
		changed := d.sampling[contestant]
		r.Sampling = &changed
	}
	t.Swipes[contestant] = append(t.Swipes[contestant], r)
	turnCtx := ctx
	ctx, cancel := context.WithCancel(turnCtx)
	d.playing[contestant] = cancel
	d.emit(ReplyStarted{Epoch: d.opts.Epoch, Turn: t.Number, Side: t.sideOf(contestant), Reply: copyReply(r)})
	sampling := d.sampling[contestant]
	if sampling.Seed == nil && r.Swipe > 0 {
		// A server that samples greedily or caches would give the same reply
		// again; another try is asked for to get another one.
		seed := r.Swipe
		sampling.Seed = &seed
	}
	said, voice := t.asked(), d.voice(t.Speaker)
	call := Call{
		Messages: d.inject(d.history(contestant, said), contestant, t.Number, said),
		Sampling: sampling, Prefill: prefill, Session: d.opts.ID,
	}
	s := &stream{
		duel: d, turn: t, side: t.sideOf(contestant), reply: r,
		player: c.Player, end: make(chan struct{}),
		read: layers.Options{
			Name: voice.scene.Character.Name, Others: otherNames(voice.scene),
			Prefill: prefill, Dialect: c.Dialect,
		},
	}
	s.open()
	d.wg.Go(s.keepSaving)
	d.wg.Go(func() {
		defer cancel()
		out := c.Player.Play(ctx, call, s.take)
		close(s.end)
		s.finish(turnCtx, out)
	})
}

func (t *Turn) sideOf(contestant int) Side {
	if t.Seats[A] == contestant {
		return A
	}
	return B
}

// stream is one reply on its way: it turns chunks into edits of segments and
// keeps the reply up to date under the duel's lock.
type stream struct {
	duel   *Duel
	turn   *Turn
	side   Side
	reply  *Reply
	player Player
	read   layers.Options
	parser *layers.Parser
	end    chan struct{} // closed when Play has returned

	raw       strings.Builder
	reasoning strings.Builder
	offset    int // 1 once native reasoning has a segment of its own in front
	tokens    int
	dirty     bool
}

// open makes the parser. Where the server takes no prefill the reply is read
// from scratch, or its speech would pass for the layer the prefill opens.
func (s *stream) open() {
	if p, ok := s.player.(PrefillRefuser); ok && p.PrefillRefused() {
		s.read.Prefill = ""
		s.reply.Prefill = ""
	}
	s.parser = layers.NewParser(s.read)
}

// take receives one chunk from the player.
func (s *stream) take(c Chunk) {
	d := s.duel
	d.mu.Lock()
	defer d.mu.Unlock()
	switch c.Kind {
	case ChunkRetry:
		ev := ReplyRetrying{Epoch: d.opts.Epoch, Turn: s.turn.Number, Side: s.side, Wait: c.Wait}
		if c.Fault != nil {
			ev.Fault = *c.Fault
		}
		d.emit(ev)
		if s.raw.Len() == 0 {
			s.open()
		}
		return
	case ChunkReasoning:
		s.delta(s.think(c.Text))
	case ChunkText:
		if s.raw.Len() == 0 {
			// Only now is it known whether the server takes a prefill.
			s.open()
		}
		s.raw.WriteString(c.Text)
		var edits []layers.Edit
		s.parser.Write(c.Text, func(e layers.Edit) { edits = append(edits, s.shift(e)) })
		s.delta(edits)
	}
}

// think adds native reasoning, which stands before all other segments. When it
// comes after content already shown, the content is moved behind it.
func (s *stream) think(text string) []layers.Edit {
	if s.reasoning.Len() == 0 {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return nil
	}
	s.reasoning.WriteString(text)
	if s.offset == 1 {
		return []layers.Edit{{Index: 0, Layer: layers.Native, Text: text}}
	}
	s.offset = 1
	edits := []layers.Edit{{Index: 0, Reset: true, Layer: layers.Native, Text: text}}
	for i, seg := range s.parser.Segments() {
		edits = append(edits, layers.Edit{Index: i + 1, Layer: seg.Layer, Text: seg.Text})
	}
	return edits
}

func (s *stream) shift(e layers.Edit) layers.Edit {
	e.Index += s.offset
	return e
}

// delta applies edits to the reply and tells of them. Callers hold the lock.
func (s *stream) delta(edits []layers.Edit) {
	s.tokens++
	s.dirty = true
	if len(edits) == 0 {
		return
	}
	for _, e := range edits {
		s.reply.Segments = layers.Apply(s.reply.Segments, e)
	}
	s.duel.emit(ReplyDelta{
		Epoch: s.duel.opts.Epoch, Turn: s.turn.Number, Side: s.side,
		Swipe: s.reply.Swipe, Edits: edits, Tokens: s.tokens,
	})
}

// keepSaving records the growing reply until it has ended.
func (s *stream) keepSaving() {
	d := s.duel
	if d.opts.Recorder == nil {
		return
	}
	save := func() {
		d.mu.Lock()
		s.reply.Raw, s.reply.Reasoning = s.raw.String(), s.reasoning.String()
		r := copyReply(s.reply)
		d.mu.Unlock()
		d.record(func(rec Recorder) error { return rec.RecordReply(r, false) })
	}
	save()
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.end:
			return
		case <-tick.C:
			save()
		}
	}
}

// finish closes the reply, tells of it and, when the other side is done too,
// calls the critic.
func (s *stream) finish(ctx context.Context, out Outcome) {
	d := s.duel
	d.mu.Lock()
	defer d.mu.Unlock()
	var edits []layers.Edit
	parsed := s.parser.Close(func(e layers.Edit) { edits = append(edits, s.shift(e)) })
	if len(edits) > 0 {
		s.delta(edits)
	}
	r := s.reply
	r.Raw, r.Reasoning = out.Content, out.Reasoning
	r.Segments = parsed.Segments
	if text := strings.TrimSpace(out.Reasoning); text != "" {
		r.Segments = append([]layers.Segment{{Layer: layers.Native, Text: text}}, parsed.Segments...)
	}
	r.Dialect, r.SpokeFor = parsed.Dialect, parsed.SpokeFor
	r.Truncated = parsed.Truncated || out.Finish == FinishLength
	r.Finish, r.Complete, r.Damaged = out.Finish, out.Complete, out.Damaged
	r.Usage, r.Fault, r.Notes = out.Usage, out.Fault, out.Notes
	r.FirstByte, r.Total = out.FirstByte, out.Total
	d.playing[r.Contestant] = nil
	final := copyReply(r)
	d.record(func(rec Recorder) error { return rec.RecordReply(final, true) })
	d.emit(ReplyEnded{Epoch: d.opts.Epoch, Turn: s.turn.Number, Side: s.side, Reply: final})
	defer d.idle.changed()
	if d.busy() {
		return
	}
	d.doneAt = time.Now()
	d.bothDone(ctx, s.turn)
}
