package stage

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

func manyTurns(t *testing.T, n int) *prop {
	t.Helper()
	p := set(t, 120, 24)
	for i := 1; i <= n; i++ {
		p.tell(judgedTurn(i, fmt.Sprint("line ", i), stagetest.Agreeing())...)
	}
	p.View()
	return p
}

func (p *prop) top(side arena.Side) string {
	p.View()
	id, _, _ := p.panes[side].BlockAt(0)
	return id
}

func TestSidesScrollTogetherByTurn(t *testing.T) {
	t.Parallel()
	p := manyTurns(t, 8)
	p.press("tab")
	for range 30 {
		p.press("k")
		if a, b := p.top(arena.A), p.top(arena.B); a != b && !p.panes[arena.B].Following() {
			t.Fatalf("A shows %q at its top, B %q", a, b)
		}
	}
	if !strings.HasPrefix(p.top(arena.A), "turn ") || p.panes[arena.B].Following() {
		t.Fatalf("B stayed where it was: A at %q", p.top(arena.A))
	}
	p.press("=")
	was := p.top(arena.B)
	p.press("k", "k", "k", "k", "k", "k", "k", "k", "k", "k")
	if p.top(arena.B) != was || p.top(arena.A) == was {
		t.Errorf("apart, B went along: %q, then %q", was, p.top(arena.B))
	}
	if r := p.Reading(); !r.Apart {
		t.Error("the way of scrolling is not remembered")
	}
	p.press("=")
	if a, b := p.top(arena.A), p.top(arena.B); a != b {
		t.Errorf("together again A is at %q, B at %q", a, b)
	}
}

func TestASideScrollsAloneWhileAReplyIsWritten(t *testing.T) {
	t.Parallel()
	p := manyTurns(t, 8)
	p.tell(opened(9, "nine"), started(9, arena.A, 0), started(9, arena.B, 0))
	p.press("tab", "k", "k", "k")
	if !p.panes[arena.B].Following() || p.panes[arena.A].Following() {
		t.Error("the other side left its end")
	}
}

// TestTheEndIsTheNewestTurn: to the end means that votes hold again.
func TestTheEndIsTheNewestTurn(t *testing.T) {
	t.Parallel()
	p := manyTurns(t, 3)
	p.press("tab", "[", "[")
	if p.judged != 0 {
		t.Fatalf("looking at %d", p.judged)
	}
	p.press("G", "alt+2")
	if calls := fmt.Sprint(p.duel.Calls()); p.judged != 2 || !strings.Contains(calls, "vote b") || !p.panes[arena.B].Following() {
		t.Errorf("looking at turn index %d, calls %s", p.judged, calls)
	}
}

// TestTwoEscapesInOneReadStop: a terminal sends two quick presses as alt+esc.
func TestTwoEscapesInOneReadStop(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 24)
	p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0))
	both := tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt}
	p.run(p.Update(both))
	if calls := fmt.Sprint(p.duel.Calls()); !strings.Contains(calls, "cancel") || len(p.asked) > 0 {
		t.Errorf("calls %s, asked %v", calls, p.asked)
	}
	q := manyTurns(t, 1)
	q.run(q.Update(both))
	if len(q.asked) != 1 {
		t.Errorf("with nothing to stop two presses leave the scene: asked %v", q.asked)
	}
}

// TestTheHelpExplainsTheSigns: every sign has a meaning, and in ASCII is ASCII.
func TestTheHelpExplainsTheSigns(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40, func(o *Options) { o.Look = look.New(look.Options{ASCII: true}) })
	groups := p.Keys()
	signs := groups[len(groups)-1]
	if signs.Title != "Signs on the stage" || len(signs.Bindings) < 10 {
		t.Fatalf("the last group is %q with %d signs", signs.Title, len(signs.Bindings))
	}
	for _, b := range signs.Bindings {
		if b.Shown() == "" || b.Does == "" || strings.ContainsFunc(b.Shown(), func(r rune) bool { return r > 0x7e }) {
			t.Errorf("%q means %q", b.Shown(), b.Does)
		}
	}
}
