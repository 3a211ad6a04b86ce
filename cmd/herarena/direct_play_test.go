package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDirectingInARealTerminal plays with nothing configured: a note, a line
// written by a model, auto-play, another reply, a branch, and what the ledger
// keeps of it.
func TestDirectingInARealTerminal(t *testing.T) {
	t.Parallel()
	p := sit(t, 120, 40, "--pace", "-1", "--scene", "mutiny")
	x := p.term
	x.WaitFor(t, "The Corrigan's last water")
	x.Press("enter")
	x.WaitFor(t, onStage)
	x.Press("alt+n")
	x.WaitFor(t, "a director's note, for your next line")
	x.Type("It begins to rain.\n")
	x.WaitFor(t, "note with your next line: It begins to rain.")
	x.Press("alt+i")
	x.WaitFor(t, "I came alone, Bosun.")
	x.WaitFor(t, "chart table.")
	x.WaitGone(t, "writes your line")
	x.Press("enter")
	p.decided("turn 1")
	x.WaitFor(t, "director: It begins to rain.")
	x.Press("alt+a")
	x.WaitFor(t, "Let a model play you")
	x.Type("2")
	x.Press("enter")
	p.decided("turn 3")
	x.WaitFor(t, "you play again: all turns are played")
	x.Press("ctrl+r")
	x.WaitFor(t, "‹2/2›")
	p.decided("turn 3")
	x.Press("1")
	x.WaitFor(t, "you A")
	x.Press("alt+t")
	x.WaitFor(t, "rehearsal/lead against rehearsal/understudy, on stage")
	x.WaitUntil(t, "the turns in the tree", func(s string) bool { return strings.Contains(s, "auto  you A") })
	x.Press("up", "up", "enter") // after turn 1
	x.WaitFor(t, "history, 1 turn from duel ")
	x.WaitFor(t, onStage)
	p.say("Then we begin again.")
	p.decided("turn 2")
	x.Press("ctrl+c", "ctrl+c")
	x.WaitDone(t)
	out, code := p.run("log", "list", "--json")
	if code != 0 {
		t.Fatalf("log list: exit %d, %s", code, out)
	}
	var ids []string
	turns := map[string]int{}
	dec := json.NewDecoder(strings.NewReader(out))
	for dec.More() {
		var d struct {
			ID    string `json:"id"`
			Turns int    `json:"turns"`
		}
		if err := dec.Decode(&d); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		ids, turns[d.ID] = append(ids, d.ID), d.Turns
	}
	if len(ids) != 2 || turns[ids[0]] != 1 || turns[ids[1]] != 3 {
		t.Errorf("the ledger has %v", turns)
	}
	out, code = p.run("log", "show", ids[0], "--json")
	if code != 0 || !strings.Contains(out, ids[1]) {
		t.Errorf("the branch does not say where it is from: exit %d, %.2000s", code, out)
	}
	out, _ = p.run("log", "show", ids[1], "--json")
	if !strings.Contains(out, "It begins to rain.") || !strings.Contains(out, "rehearsal/lead") {
		t.Errorf("the note is not kept: %.2000s", out)
	}
}
