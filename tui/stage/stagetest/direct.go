package stagetest

import (
	"context"
	"strings"

	"herarena/arena"
)

// ID names the duel.
func (d *Duel) ID() string { return "06duel" }

// Past returns the turns before the first.
func (d *Duel) Past() []arena.PastTurn { return d.Before }

// History returns the past and the lines said, with the first take of side A.
func (d *Duel) History(turn int) []arena.PastTurn {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := append([]arena.PastTurn(nil), d.Before...)
	for i, t := range d.turns {
		out = append(out, arena.PastTurn{Line: t.Line, Reply: d.script[i%len(d.script)].Takes[0].Segments, By: "her-rl"})
	}
	return out[:max(min(turn, len(out)), 0)]
}

// Direct keeps and tells the note.
func (d *Duel) Direct(note string) error {
	d.mu.Lock()
	d.called("direct %s", note)
	d.note = note
	// Notes are told in the order in which they were given.
	before, told := d.told, make(chan struct{})
	d.told = told
	d.mu.Unlock()
	d.wg.Go(func() {
		defer close(told)
		if before != nil {
			<-before
		}
		d.Emit(arena.Directed{Note: note})
	})
	return nil
}

// Continue only notes the side.
func (d *Duel) Continue(_ context.Context, side arena.Side) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("continue %s", side)
	return nil
}

// Impersonate writes Line word by word.
func (d *Duel) Impersonate(ctx context.Context, contestant int) (string, error) {
	d.mu.Lock()
	d.called("impersonate %d", contestant)
	d.mu.Unlock()
	text := ""
	for _, word := range strings.SplitAfter(d.Line, " ") {
		if !d.pause(ctx) {
			f := &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}
			d.Emit(arena.LineEnded{By: "her-rl", Text: text, Fault: f})
			return text, f
		}
		text += word
		d.Emit(arena.LineDelta{Text: text})
	}
	end := arena.LineEnded{By: "her-rl", Text: text}
	if text == "" {
		end.Fault = &arena.Fault{Kind: arena.BadRequest, Message: "her-rl wrote no line for the person", Hint: "write one yourself"}
		d.Emit(end)
		return "", end.Fault
	}
	d.Emit(end)
	return text, nil
}

// Auto only tells that a contestant plays.
func (d *Duel) Auto(_ context.Context, contestant, turns int) error {
	d.mu.Lock()
	d.called("auto %d %d", contestant, turns)
	d.mu.Unlock()
	d.wg.Go(func() { d.Emit(arena.AutoChanged{By: "her-rl", Left: turns}) })
	return nil
}

// PauseAuto tells of the pause.
func (d *Duel) PauseAuto(paused bool) {
	d.mu.Lock()
	d.called("pause %v", paused)
	d.mu.Unlock()
	d.wg.Go(func() { d.Emit(arena.AutoChanged{By: "her-rl", Left: 2, Paused: paused}) })
}

// StepAuto only notes the step.
func (d *Duel) StepAuto() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called("step")
}

// StopAuto tells that the person plays again.
func (d *Duel) StopAuto() {
	d.mu.Lock()
	d.called("stop auto")
	d.mu.Unlock()
	d.wg.Go(func() { d.Emit(arena.AutoChanged{By: "her-rl", Why: "stopped"}) })
}

// SetSampling keeps a contestant's sampling.
func (d *Duel) SetSampling(contestant int, s arena.Sampling) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sampling[contestant] = s
}

// SamplingOf returns what SetSampling kept.
func (d *Duel) SamplingOf(contestant int) arena.Sampling {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sampling[contestant]
}

// Reveal tells of it.
func (d *Duel) Reveal() {
	d.mu.Lock()
	d.called("reveal")
	d.mu.Unlock()
	d.wg.Go(func() { d.Emit(arena.Revealed{}) })
}

// Unvote tells of it.
func (d *Duel) Unvote() error {
	d.mu.Lock()
	n := d.last()
	d.called("unvote")
	d.mu.Unlock()
	d.wg.Go(func() { d.Emit(arena.Unvoted{Turn: n}) })
	return nil
}

// Know gives the duel turns that were played before the test began.
func (d *Duel) Know(lines ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range lines {
		n := d.last() + 1
		d.turns = append(d.turns, arena.Turn{Number: n, Line: line, Seats: [2]int{0, 1}, Canon: 0})
	}
}
