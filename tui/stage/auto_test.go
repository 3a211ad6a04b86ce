package stage

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
)

func TestAModelWritesIntoTheComposer(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.press("'my draft")
	p.duel.Line = "I would rather wait."
	p.duel.Step = time.Hour // the words come from the test
	cmd := p.Update(pressed("alt+i"))
	if cmd == nil || p.ghost == nil {
		t.Fatal("no model writes")
	}
	p.tell(arena.LineDelta{Text: "I would"})
	if s := p.screen(t); !strings.Contains(s, "› I would") || !strings.Contains(s, "her-rl writes your line") {
		t.Errorf("the growing line is not shown:\n%s", s)
	}
	p.press("'x", "enter", "1") // nothing of this is the person's
	if calls := p.duel.Calls(); len(calls) != 0 {
		t.Errorf("keys did %q", calls)
	}
	p.tell(arena.LineDelta{Text: "I would rather wait."}, arena.LineEnded{By: "her-rl", Text: "I would rather wait."})
	if v := p.writer.area.Value(); v != "I would rather wait." || p.ghost != nil {
		t.Fatalf("composer %q", v)
	}
	p.press("' Outside.", "enter")
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "say I would rather wait. Outside." {
		t.Errorf("calls %q", calls)
	}
	p.press("up", "up")
	if v := p.writer.area.Value(); v != "my draft" {
		t.Errorf("the draft is gone: %q", v)
	}
}

func TestEscStopsAModelsLineAndKeepsWhatThereIs(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line, p.duel.Step = "one two three", 20*time.Millisecond
	answer := make(chan tea.Msg, 1)
	cmd := p.Update(pressed("alt+i"))
	go func() { answer <- cmd() }()
	p.tell(arena.LineDelta{Text: "one "})
	p.press("esc")
	select {
	case msg := <-answer:
		p.hear(msg)
	case <-time.After(5 * time.Second):
		t.Fatal("esc does not stop the line")
	}
	if v := p.writer.area.Value(); v != "one" || p.ghost != nil || len(p.notices) > 0 {
		t.Errorf("composer %q, notices %q", v, p.notices)
	}
}

// TestEscGivesTheDraftBack stops a model's line before its end, whichever of
// the event and the answer comes first.
func TestEscGivesTheDraftBack(t *testing.T) {
	t.Parallel()
	for _, answered := range []bool{true, false} {
		p := settled(t, 100, 30)
		p.duel.Line, p.duel.Step = "one two three", time.Hour
		p.press("'my draft", "space")
		answer := make(chan tea.Msg, 1)
		cmd := p.Update(pressed("alt+i"))
		go func() { answer <- cmd() }()
		p.tell(arena.LineDelta{Text: "one "})
		p.press("esc")
		select {
		case msg := <-answer:
			if answered {
				p.hear(msg)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("esc does not stop the line")
		}
		p.tell(arena.LineEnded{By: "her-rl", Text: "one", Fault: &arena.Fault{Kind: arena.Cancelled}})
		if v := p.writer.area.Value(); v != "my draft " || p.ghost != nil || len(p.notices) > 0 {
			t.Errorf("answered %v: the draft is not given back: %q, %q", answered, v, p.notices)
		}
		p.press("ctrl+z")
		if v := p.writer.area.Value(); v != "one" {
			t.Errorf("answered %v: the half line is lost: %q", answered, v)
		}
	}
}

func TestTheOtherModelWritesWhenAskedAgain(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line = "A line."
	for _, want := range []string{"impersonate 0", "impersonate 1", "impersonate 0"} {
		p.press("alt+i")
		p.tell(arena.LineEnded{Text: "A line."})
		calls := p.duel.Calls()
		if got := calls[len(calls)-1]; got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
	}
	p.press("'changed", "alt+i")
	if calls := p.duel.Calls(); calls[len(calls)-1] != "impersonate 0" {
		t.Errorf("a changed line is no reason to ask the other: %q", calls)
	}
}

func TestALineThatFailedSaysWhy(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line = ""
	p.press("alt+i")
	p.tell(arena.LineEnded{Fault: &arena.Fault{Message: "none"}})
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "wrote no line") || p.ghost != nil {
		t.Errorf("notices %q, ghost %v", p.notices, p.ghost)
	}
}

func TestAModelPlaysThePerson(t *testing.T) {
	t.Parallel()
	p := settled(t, 120, 40)
	p.tell(arena.AutoChanged{By: "her-rl", Left: 3})
	if s := p.screen(t); !strings.Contains(s, "her-rl plays Captain Roe: 3 turns to come") || !strings.Contains(s, "thinks of a line") {
		t.Errorf("who plays is not told:\n%s", s)
	}
	p.tell(arena.LineDelta{Text: "Let me"})
	p.press("'hello", "enter")
	if s := p.screen(t); !strings.Contains(s, "› Let me") || strings.Contains(s, "hello") {
		t.Errorf("the line is not shown:\n%s", s)
	}
	p.tell(arena.AutoChanged{By: "her-rl", Left: 0}, arena.TurnStarted{Turn: arena.Turn{Number: 3, Line: "Let me in.", Auto: "her-rl", Seats: [2]int{0, 1}, Canon: -1}})
	p.tell(started(3, arena.A, 0), started(3, arena.B, 0))
	if s := p.screen(t); !strings.Contains(s, "the last turn") || !strings.Contains(s, "both sides reply") || !strings.Contains(s, "written by her-rl") {
		t.Errorf("the last turn is not told:\n%s", s)
	}
	p.tell(arena.AutoChanged{By: "her-rl", Why: "both replies failed"})
	if s := p.screen(t); strings.Contains(s, "plays Captain Roe") || p.scripted() {
		t.Errorf("the person does not play again:\n%s", s)
	}
	for _, cmd := range p.Stage.take(p.play.apply(arena.AutoChanged{By: "her-rl", Why: "both replies failed"}, p.now)) {
		p.run(cmd)
	}
	if len(p.notices) != 1 || p.notices[0] != "you play again: both replies failed" {
		t.Errorf("notices %q", p.notices)
	}
}

func TestKeysWhileAModelPlays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"p", "pause true"},
		{"space", "pause true"},
		{"s", "step"},
		{"x", "stop auto"},
		{"esc", "stop auto"},
		{"1", "vote a"},
		{"alt+2", "vote b"},
		{"alt+a right enter", "auto 0 6"},
		{"z", ""},
	} {
		p := settled(t, 120, 40)
		p.tell(arena.AutoChanged{By: "her-rl", Left: 3})
		p.press(strings.Fields(c.keys)...)
		if got := strings.Join(p.duel.Calls(), ","); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
		if v := p.writer.area.Value(); v != "" {
			t.Errorf("%s wrote %q", c.keys, v)
		}
	}
	p := settled(t, 120, 40)
	p.tell(arena.AutoChanged{By: "her-rl", Left: 3, Paused: true})
	p.press("p")
	if got := p.duel.Calls(); len(got) != 1 || got[0] != "pause false" {
		t.Errorf("paused, p asks for %q", got)
	}
}
