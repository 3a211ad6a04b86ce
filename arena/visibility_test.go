package arena_test

import (
	"context"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/arena/layers"
)

func TestCanonIsRewrittenIntoTheOtherDialect(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("her", a, layers.HER), contestant("base", b, layers.Asterisk)},
		Critic:      &fixedCritic{name: "rm", answer: preferLamp}, Canon: arena.CanonCritic,
	})
	_ = h.duel.Say(context.Background(), "Papers, please.")
	h.rulingEnded()
	_ = h.duel.Say(context.Background(), "Open the hold.")
	h.rulingEnded()
	last := func(p *scripted) string {
		msgs := p.call(1).Messages
		if got := msgs[len(msgs)-1]; got.Role != "user" || got.Content != "Teller: Open the hold." {
			t.Errorf("last message = %+v", got)
		}
		return msgs[len(msgs)-2].Content
	}
	if got, want := last(a), "Mara: <role_thinking>CANARYTHOUGHT</role_thinking><role_action>lifts the lamp</role_action>You are early."; got != want {
		t.Errorf("A's own history = %q, want %q", got, want)
	}
	if got := last(b); !strings.Contains(got, "*lifts the lamp*") || !strings.Contains(got, "You are early.") || strings.Contains(got, "<") {
		t.Errorf("B's history of A's reply = %q, want it in asterisks", got)
	}
	if a.call(0).Messages[0].Content != a.call(1).Messages[0].Content || len(a.call(1).Messages) != len(a.call(0).Messages)+2 {
		t.Error("the second prompt does not extend the first: prefix caches would miss")
	}
}

// TestForbiddenLayersReachNobody plants canary words in every hidden layer and
// looks for them in histories and in what the critic gets.
func TestForbiddenLayersReachNobody(t *testing.T) {
	a := &scripted{replies: []string{herReply}, reasoning: "CANARYNATIVE"}
	b := &scripted{replies: []string{"<think>CANARYINLINE</think>" + strings.ReplaceAll(herReply, "CANARY", "CANARYB")}}
	for _, canon := range []arena.CanonPolicy{arena.CanonA, arena.CanonB, arena.CanonParallel} {
		a.calls, b.calls = nil, nil
		critic := &fixedCritic{name: "rm", answer: firstIsBetter}
		h := start(t, arena.DuelOptions{
			Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
			Critic:      critic, Canon: canon, CriticHidesThoughts: true,
		})
		for range 3 {
			if err := h.duel.Say(context.Background(), "And then?"); err != nil {
				t.Fatal(err)
			}
			h.rulingEnded()
		}
		for _, p := range []*scripted{a, b} {
			for _, call := range p.calls {
				for _, m := range call.Messages {
					forbid(t, string(canon)+" history", m.Content, "PLAN", "NATIVE", "INLINE", "USERTHOUGHT")
				}
			}
		}
		if !strings.Contains(a.call(1).Messages[len(a.call(1).Messages)-2].Content, "THOUGHT") {
			t.Errorf("%s: the contestant's own role thinking is missing from its history", canon)
		}
		for _, c := range critic.cases {
			for _, l := range c.Context {
				forbid(t, "critic's context", l.Content, "PLAN", "NATIVE", "INLINE", "USERTHOUGHT", "CANARYTHOUGHT", "BTHOUGHT")
			}
			forbid(t, "candidate", c.Cand1+c.Cand2, "PLAN", "NATIVE", "INLINE", "THOUGHT")
		}
	}
}

func forbid(t *testing.T, where, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(text, w) {
			t.Errorf("%s holds %s: %q", where, w, text)
		}
	}
}

func TestKeepSystemAndCriticThoughtsAreSettings(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	keep := contestant("a", a, layers.HER)
	keep.KeepSystem = true
	critic := &fixedCritic{name: "rm", answer: firstIsBetter}
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{keep, contestant("b", b, layers.Auto)}, Critic: critic, Canon: arena.CanonA})
	_ = h.duel.Say(context.Background(), "One.")
	h.rulingEnded()
	_ = h.duel.Say(context.Background(), "Two.")
	h.rulingEnded()
	if msgs := a.call(1).Messages; !strings.Contains(msgs[len(msgs)-2].Content, "CANARYPLAN") {
		t.Error("KeepSystem did not keep the plan in the contestant's own history")
	}
	if msgs := b.call(1).Messages; strings.Contains(msgs[len(msgs)-2].Content, "CANARYPLAN") {
		t.Error("A's plan reached B's history")
	}
	if !strings.Contains(critic.cases[0].Cand1+critic.cases[0].Cand2, "CANARYTHOUGHT") {
		t.Error("the critic should see role thinking unless told otherwise")
	}
}
