package stage

import "herarena/arena"

// script is a line that a model writes for the person.
type script struct {
	text string
	live bool
}

// playing reports whether a model plays the person.
func (p *play) playing() bool { return p.auto.By != "" && p.auto.Why == "" }

// direct takes in what is said about the person's part and the terms of the duel.
func (p *play) direct(ev arena.Event) change {
	c := change{turn: -1, person: true}
	switch e := ev.(type) {
	case arena.Directed:
		if !p.stale(e.Epoch) {
			p.note = e.Note
		}
	case arena.Revealed:
		if !p.stale(e.Epoch) {
			p.revealed, c.shown = true, true
		}
	case arena.LineDelta:
		if !p.stale(e.Epoch) {
			p.line = script{text: e.Text, live: true}
		}
	case arena.LineEnded:
		if !p.stale(e.Epoch) {
			p.line, c.lineOf = script{text: e.Text}, &e
			p.lines = append(p.lines, e)
		}
	case arena.AutoChanged:
		if !p.stale(e.Epoch) {
			p.auto, c.auto = e, true
			if !p.playing() {
				p.line = script{}
			}
		}
	}
	return c
}
