package arena

import (
	"context"
	"fmt"
	"strings"

	"herarena/arena/layers"
	"herarena/characters"
)

// maxLine bounds a line that a model writes for the person, in tokens.
const maxLine = 400

// Impersonate lets a contestant's model write the person's next line and returns
// it; nothing is said yet. It tells of the growing line as LineDelta and of its
// end as LineEnded, blocks until then and honours ctx.
func (d *Duel) Impersonate(ctx context.Context, contestant int) (string, error) {
	d.mu.Lock()
	switch {
	case d.closed:
		d.mu.Unlock()
		return "", ErrClosed
	case d.busy():
		d.mu.Unlock()
		return "", ErrBusy
	}
	c := d.opts.Contestants[contestant]
	call := Call{Messages: d.personsHistory(), Sampling: d.sampling[contestant], Session: d.opts.ID + "-person"}
	d.mu.Unlock()
	call.Sampling.Stop = nil
	if call.Sampling.MaxTokens == 0 || call.Sampling.MaxTokens > maxLine {
		call.Sampling.MaxTokens = maxLine
	}
	var text strings.Builder
	pieces := 0
	out := c.Player.Play(ctx, call, func(ch Chunk) {
		pieces++
		if ch.Kind != ChunkText {
			return
		}
		text.WriteString(ch.Text)
		d.tell(LineDelta{Epoch: d.opts.Epoch, Text: d.readLine(text.String())})
	})
	line := d.readLine(out.Content)
	end := LineEnded{
		Epoch: d.opts.Epoch, By: c.Name, Text: line, Fault: out.Fault,
		Contestant: contestant, Usage: out.Usage, Tokens: pieces, FirstByte: out.FirstByte, Total: out.Total,
	}
	if end.Fault == nil && line == "" {
		end.Fault = &Fault{Kind: BadRequest, Message: c.Name + " wrote no line for the person", Hint: "write one yourself, or let another model try"}
	}
	d.tell(end)
	if end.Fault != nil {
		return line, end.Fault
	}
	return line, nil
}

// tell emits an event unless the duel is closed.
func (d *Duel) tell(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.emit(e)
	}
}

// personsHistory is the conversation as the person sees it: the character's
// visible layers are what the other side says. Callers hold d.mu.
func (d *Duel) personsHistory() []Message {
	scene := d.opts.Scene
	msgs := []Message{{Role: "system", Content: characters.PersonaPrompt(scene)}}
	pending := characters.ConversationStart
	if opening := hears(scene.Character.Name, d.opening); opening != "" {
		pending += "\n\n" + opening
	}
	turn := func(t past) {
		if t.scenery != "" {
			pending = strings.TrimSpace(pending + "\n\n" + speakAs(characters.EnvironmentName, t.scenery))
		}
		if t.line != "" {
			msgs = append(msgs, Message{Role: "user", Content: pending}, Message{Role: "assistant", Content: t.line})
			pending = ""
		}
		if t.note != "" {
			pending = strings.TrimSpace(pending + "\n\n" + directed(t.note))
		}
		if reply := hears(d.speaker(t), t.reply); reply != "" {
			pending = strings.TrimSpace(pending + "\n\n" + reply)
		}
		if pending == "" {
			pending = "(" + d.speaker(t) + " says nothing.)"
		}
	}
	for _, t := range d.shared {
		turn(t)
	}
	if n := len(d.turns); n > 0 && len(d.shared) < d.before()+n {
		t := d.turns[n-1]
		p := t.asked()
		if side, _, ok := d.pickCanon(t); ok {
			p.reply = t.Reply(side).Segments
		}
		turn(p)
	}
	if d.scenery != "" {
		pending = strings.TrimSpace(pending + "\n\n" + speakAs(characters.EnvironmentName, d.scenery))
	}
	return append(msgs, Message{Role: "user", Content: pending})
}

// readLine takes what a model wrote for the person as one line: no plans and
// thoughts, no name in front, and nothing from where it begins to write for the
// character.
func (d *Duel) readLine(raw string) string {
	scene := d.opts.Scene
	for _, other := range append([]string{scene.Character.Name}, otherNames(characters.Scene{Others: scene.Others, Environment: scene.Environment})...) {
		for _, colon := range []string{":", "："} {
			if i := strings.Index(raw, "\n"+other+colon); i >= 0 && other != "" {
				raw = raw[:i]
			}
		}
	}
	p := layers.Parse(raw, layers.Options{Name: scene.User.Name})
	return strings.TrimSpace(layers.Render(Visible(p.Segments, ViewOther, Sight{}), layers.Asterisk, ""))
}

// auto is a model that plays the person.
type auto struct {
	contestant int
	left       int
	paused     bool
	steps      int             // turns to be played although paused
	turn       context.Context //nolint:containedctx // the context of the turns it plays
	stop       context.CancelFunc
}

// Auto lets a contestant's model play the person for a number of turns: it
// writes a line, the turn is played and judged, and so on. It returns at once; a
// goroutine plays until the turns are over, a line or both replies fail, Cancel
// or StopAuto is called, or the person says something. Calling it again changes
// who plays and for how long.
func (d *Duel) Auto(ctx context.Context, contestant, turns int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return ErrClosed
	case turns <= 0:
		d.stopAuto("stopped")
		return nil
	case d.auto != nil:
		d.auto.contestant, d.auto.left = contestant, turns
		d.tellAuto(d.auto, "")
		return nil
	}
	// The turns outlive auto-play: a verdict must not end with it.
	turn := ctx
	ctx, stop := context.WithCancel(ctx)
	a := &auto{contestant: contestant, left: turns, stop: stop, turn: turn}
	d.auto = a
	d.tellAuto(a, "")
	d.wg.Go(func() {
		defer stop()
		d.playAuto(ctx, a)
	})
	return nil
}

// PauseAuto holds a model that plays the person before its next line, or lets it
// go on.
func (d *Duel) PauseAuto(paused bool) {
	d.mu.Lock()
	if a := d.auto; a != nil && a.paused != paused {
		a.paused, a.steps = paused, 0
		d.tellAuto(a, "")
	}
	d.mu.Unlock()
	d.idle.changed()
}

// StepAuto lets a model that plays the person play one turn and then pause; a
// model that is playing pauses behind the turn in play.
func (d *Duel) StepAuto() {
	d.mu.Lock()
	if a := d.auto; a != nil {
		if a.paused {
			a.steps = 1
		}
		a.paused = true
		d.tellAuto(a, "")
	}
	d.mu.Unlock()
	d.idle.changed()
}

// StopAuto gives the person's part back to the person.
func (d *Duel) StopAuto() {
	d.mu.Lock()
	d.stopAuto("stopped")
	d.mu.Unlock()
	d.idle.changed()
}

// stopAuto ends auto-play. Callers hold d.mu.
func (d *Duel) stopAuto(why string) {
	if d.auto == nil {
		return
	}
	d.auto.stop()
	d.auto.left = 0
	d.tellAuto(d.auto, why)
	d.auto = nil
}

func (d *Duel) tellAuto(a *auto, why string) {
	d.emit(AutoChanged{Epoch: d.opts.Epoch, By: d.opts.Contestants[a.contestant].Name, Left: a.left, Paused: a.paused, Why: why})
}

// playAuto plays turns until there is a reason to end.
func (d *Duel) playAuto(ctx context.Context, a *auto) {
	end := func(why string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.auto == a {
			d.stopAuto(why)
		}
	}
	for {
		if !d.autoMayGoOn(ctx, a) {
			return
		}
		d.mu.Lock()
		contestant, left := a.contestant, a.left
		a.steps = 0
		failed := d.bothFailed()
		d.mu.Unlock()
		switch {
		case left <= 0:
			end("all turns are played")
			return
		case failed:
			end("both replies failed")
			return
		}
		yours, why := d.autoNext(ctx, a)
		if why != "" {
			end(why)
			return
		}
		if !yours {
			continue
		}
		line, err := d.Impersonate(ctx, contestant)
		if err == nil {
			err = d.say(a.turn, line, "", a)
		}
		if err != nil {
			end(fmt.Sprintf("no line: %v", err))
			return
		}
	}
}

// autoNext lets a scene of several go on, and reports whether it is the person's
// turn; where it is not, a turn has begun. why is the reason to end, if any.
func (d *Duel) autoNext(ctx context.Context, a *auto) (yours bool, why string) {
	if !d.opts.Scene.Ensemble() && !d.scenic() {
		return true, ""
	}
	if err := d.goOn(a.turn, "", a); err != nil {
		return false, fmt.Sprintf("the scene does not go on: %v", err)
	}
	for {
		next := d.idle.next()
		d.mu.Lock()
		mine, choosing, chosen := d.auto == a && !d.closed, d.staging != nil, d.next
		d.mu.Unlock()
		switch {
		case !mine || ctx.Err() != nil:
			return false, "stopped"
		case !choosing && chosen.Over:
			return false, "the scene has come to its end"
		case !choosing:
			return chosen.Person, ""
		}
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
}

// autoMayGoOn waits until the turn is over and nothing holds auto-play; false
// where it has ended.
func (d *Duel) autoMayGoOn(ctx context.Context, a *auto) bool {
	for {
		next := d.idle.next()
		d.mu.Lock()
		mine, ready := d.auto == a && !d.closed, !d.busy() && len(d.judging) == 0 && d.staging == nil && (!a.paused || a.steps > 0)
		d.mu.Unlock()
		switch {
		case !mine || ctx.Err() != nil:
			return false
		case ready:
			return true
		}
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
}

// bothFailed reports whether the last turn has no valid reply. Callers hold d.mu.
func (d *Duel) bothFailed() bool {
	if len(d.turns) == 0 {
		return false
	}
	t := d.turns[len(d.turns)-1]
	a, _ := t.Reply(A).Validity()
	b, _ := t.Reply(B).Validity()
	return !a && !b
}
