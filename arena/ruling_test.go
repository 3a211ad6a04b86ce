package arena_test

import (
	"context"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/arena/layers"
)

func TestFlipCountsTwoHalvesAndLeavesNoWinner(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", answer: firstIsBetter}, Recorder: rec,
	})
	_ = h.duel.Say(context.Background(), "One.")
	if r := h.rulingEnded().Ruling; r.Agreement != arena.Flip || r.Winner != arena.NoChoice {
		t.Errorf("ruling = %s, winner %q", r.Agreement, r.Winner)
	}
	var sum float64
	seen := map[arena.Choice]bool{}
	for _, bt := range rec.allBattles() {
		sum += bt.Weight
		seen[bt.Outcome] = true
		if !bt.Flip {
			t.Error("a half outcome is not marked as a flip")
		}
	}
	if sum != 1 || !seen[arena.ChoseA] || !seen[arena.ChoseB] {
		t.Errorf("flip counted %v with weight %v", seen, sum)
	}
}

func TestNoVerdictIsNeverATie(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", answer: func(arena.Case) arena.Choice { return arena.NoChoice }}, Recorder: rec,
	})
	_ = h.duel.Say(context.Background(), "One.")
	if r := h.rulingEnded().Ruling; r.Agreement != arena.NoVerdict || r.Counted {
		t.Errorf("ruling = %+v", r)
	}
	if n := len(rec.allBattles()); n != 0 {
		t.Errorf("%d battles without a verdict", n)
	}
}

func TestParallelVerdictsPastTurnOneDoNotCount(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", answer: preferLamp}, Canon: arena.CanonParallel,
	})
	_ = h.duel.Say(context.Background(), "One.")
	if r := h.rulingEnded().Ruling; !r.Counted {
		t.Errorf("turn 1 does not count: %s", r.Why)
	}
	_ = h.duel.Say(context.Background(), "Two.")
	if r := h.rulingEnded().Ruling; r.Counted || r.Why != "given on differing contexts" {
		t.Errorf("turn 2 counted %v: %q", r.Counted, r.Why)
	}
	if msgs := b.call(1).Messages; !strings.Contains(msgs[len(msgs)-2].Content, "Nothing to declare") {
		t.Error("B's own history lost its own reply")
	}
}

func TestRegeneratingLeavesAnEarlierRulingRunning(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	critic := &fixedCritic{name: "rm", hold: true}
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)}, Critic: critic})
	for _, line := range []string{"One.", "Two."} {
		if err := h.duel.Say(context.Background(), line); err != nil {
			t.Fatal(err)
		}
		h.until("ruling started", is[arena.RulingStarted])
	}
	if err := h.duel.Regenerate(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.until("the new ruling", is[arena.RulingStarted])
	for _, ev := range h.events {
		if r, ok := ev.(arena.RulingEnded); ok && r.Turn == 1 {
			t.Error("regenerating turn 2 stopped the ruling of turn 1")
		}
	}
	h.duel.Cancel()
	h.until("turn 1's ruling", func(ev arena.Event) bool { r, ok := ev.(arena.RulingEnded); return ok && r.Turn == 1 })
}

func TestNoSpeechAndLengthAreInvalid(t *testing.T) {
	for name, p := range map[string]*scripted{
		"no speech": {replies: []string{"<system_thinking>Plan only.</system_thinking>"}},
		"truncated": {replies: []string{herReply}, finish: "length"},
	} {
		h := start(t, arena.DuelOptions{
			Contestants: [2]arena.Contestant{contestant("a", p, layers.HER), contestant("b", &scripted{replies: []string{plainReply}}, layers.Auto)},
			Critic:      &fixedCritic{name: "rm", answer: firstIsBetter},
		})
		_ = h.duel.Say(context.Background(), "One.")
		skip := h.until("skip", is[arena.RulingSkipped]).(arena.RulingSkipped)
		if !strings.Contains(skip.Why, name) {
			t.Errorf("skipped because %q, want %q", skip.Why, name)
		}
	}
}
