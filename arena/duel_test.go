package arena_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"herarena/arena"
	"herarena/arena/layers"
)

// The clock of the patterns of lorebooks runs on for a moment after the last.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"))
}

const (
	herReply   = "<system_thinking>CANARYPLAN</system_thinking>Mara: <role_thinking>CANARYTHOUGHT</role_thinking><role_action>lifts the lamp</role_action>You are early."
	plainReply = "*shrugs* Nothing to declare."
)

func firstIsBetter(arena.Case) arena.Choice { return arena.First }

// preferLamp picks the candidate that lifts the lamp, in either order.
func preferLamp(c arena.Case) arena.Choice {
	if strings.Contains(c.Cand1, "lamp") {
		return arena.First
	}
	return arena.Second
}

func TestTurnStreamsJudgesVotesAndRecords(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	critic := &fixedCritic{name: "rm", answer: preferLamp}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("her", a, layers.HER), contestant("base", b, layers.Auto)},
		Critic:      critic, Recorder: rec, Voter: "me",
	})
	if err := h.duel.Say(context.Background(), "  Papers, please. "); err != nil {
		t.Fatal(err)
	}
	ruling := h.rulingEnded().Ruling
	if ruling.Agreement != arena.Agree || ruling.Winner != arena.ChoseA || !ruling.Counted {
		t.Errorf("ruling = %s %s counted %v %s", ruling.Agreement, ruling.Winner, ruling.Counted, ruling.Why)
	}
	var segs []layers.Segment
	for _, ev := range h.events {
		if d, ok := ev.(arena.ReplyDelta); ok && d.Side == arena.A {
			for _, e := range d.Edits {
				segs = layers.Apply(segs, e)
			}
		}
	}
	turn := h.duel.Turns()[0]
	final := turn.Reply(arena.A)
	if len(segs) != 4 || len(final.Segments) != 4 {
		t.Fatalf("A has %d streamed and %d final segments, want 4: %v", len(segs), len(final.Segments), final.Segments)
	}
	for i := range segs {
		if segs[i] != final.Segments[i] {
			t.Errorf("segment %d streamed as %v, final %v", i, segs[i], final.Segments[i])
		}
	}
	if err := h.duel.Vote(context.Background(), arena.ChoseB); err != nil {
		t.Fatal(err)
	}
	v := h.until("vote", is[arena.Voted]).(arena.Voted)
	if !v.Vote.Counted || v.Vote.Choice != arena.ChoseB {
		t.Errorf("vote = %+v", v.Vote)
	}
	c := h.until("canon", is[arena.CanonChosen]).(arena.CanonChosen)
	if c.Side != arena.B || c.By != arena.CanonVote {
		t.Errorf("canon = %v by %v, want B by vote", c.Side, c.By)
	}
	battles := rec.allBattles()
	if len(battles) != 2 {
		t.Fatalf("%d battles, want one by critic and one by vote", len(battles))
	}
	for _, bt := range battles {
		want := map[arena.Source]arena.Choice{"vote": arena.ChoseB, "critic:rm": arena.ChoseA}[bt.Source]
		if bt.Outcome != want || bt.Weight != 1 || !bt.Counted || bt.A != "her" || bt.B != "base" {
			t.Errorf("battle = %+v, want outcome %s", bt, want)
		}
	}
	rec.mu.Lock() // a save of a reply may still be on its way
	defer rec.mu.Unlock()
	if len(rec.duels) != 1 || len(rec.replies) != 2 || !rec.done[final.ID] || turn.Line != "Papers, please." {
		t.Errorf("recorded %d duels, %d replies, line %q", len(rec.duels), len(rec.replies), turn.Line)
	}
}

func TestOneSideFailingNeverBlocksTheOther(t *testing.T) {
	rec := newMemory()
	a := &scripted{replies: []string{herReply}, fault: &arena.Fault{Kind: arena.ServerFault, Message: "boom"}}
	b := &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", answer: firstIsBetter}, Recorder: rec,
	})
	_ = h.duel.Say(context.Background(), "One.")
	skip := h.until("skip", is[arena.RulingSkipped]).(arena.RulingSkipped)
	if !strings.Contains(skip.Why, "reply A is invalid: server_fault") {
		t.Errorf("skipped because %q", skip.Why)
	}
	canon := h.until("canon", is[arena.CanonChosen]).(arena.CanonChosen)
	if canon.Side != arena.B {
		t.Errorf("canon = %v, want the side that spoke", canon.Side)
	}
	_ = h.duel.Vote(context.Background(), arena.ChoseB)
	if v := h.until("vote", is[arena.Voted]).(arena.Voted).Vote; v.Counted {
		t.Error("a vote over an invalid reply counted")
	}
	for _, bt := range rec.allBattles() {
		if bt.Counted {
			t.Errorf("battle over an invalid reply counts: %+v", bt)
		}
	}
	if ok, _ := h.duel.Turns()[0].Reply(arena.A).Validity(); ok || h.duel.Turns()[0].Reply(arena.A).Raw == "" {
		t.Error("what arrived before the fault was not kept")
	}
}

func TestCancelStopsRepliesAndCriticQuickly(t *testing.T) {
	hold, held := make(chan struct{}), make(chan struct{}, 2)
	a := &scripted{replies: []string{herReply}, hold: hold, held: held}
	b := &scripted{replies: []string{plainReply}, hold: hold, held: held}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", hold: true},
	})
	_ = h.duel.Say(context.Background(), "One.")
	<-held
	<-held
	if err := h.duel.Say(context.Background(), "Two."); !errors.Is(err, arena.ErrBusy) {
		t.Errorf("Say while replies stream = %v, want ErrBusy", err)
	}
	h.duel.CancelSide(arena.A)
	ended := h.until("A's end", func(ev arena.Event) bool {
		e, ok := ev.(arena.ReplyEnded)
		return ok && e.Side == arena.A
	}).(arena.ReplyEnded)
	if ended.Reply.Fault == nil || ended.Reply.Fault.Kind != arena.Cancelled {
		t.Errorf("A ended with %+v", ended.Reply.Fault)
	}
	close(hold)
	h.until("skip", is[arena.RulingSkipped])
	// Now the critic: both replies whole, the critic waits until stopped.
	a.mu.Lock()
	a.hold, a.held = nil, nil
	a.mu.Unlock()
	b.mu.Lock()
	b.hold, b.held = nil, nil
	b.mu.Unlock()
	if err := h.duel.Regenerate(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.until("ruling started", is[arena.RulingStarted])
	h.duel.Cancel()
	if r := h.rulingEnded().Ruling; r.Agreement != arena.NoVerdict {
		t.Errorf("a stopped critic gave %s", r.Agreement)
	}
	if n := len(h.duel.Turns()[0].Swipes[0]); n != 2 {
		t.Errorf("%d swipes for A, want 2", n)
	}
}

func TestVoteWhileStreamingIsBookedAtTheEnd(t *testing.T) {
	rec := newMemory()
	hold, held := make(chan struct{}), make(chan struct{}, 2)
	a := &scripted{replies: []string{herReply}, hold: hold, held: held}
	b := &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)}, Recorder: rec,
	})
	_ = h.duel.Say(context.Background(), "One.")
	<-held
	_ = h.duel.Vote(context.Background(), arena.ChoseA)
	if v := h.until("early vote", is[arena.Voted]).(arena.Voted).Vote; v.Counted {
		t.Error("counted before the reply was whole")
	}
	close(hold)
	if v := h.until("booked vote", is[arena.Voted]).(arena.Voted).Vote; !v.Counted {
		t.Errorf("not counted: %s", v.Why)
	}
	if bs := rec.allBattles(); len(bs) != 1 || !bs[0].Counted {
		t.Errorf("battles = %+v", bs)
	}
}

func TestBlindSeatsBothWaysAndMapsBack(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), contestant("b", b, layers.Auto)},
		Critic:      &fixedCritic{name: "rm", answer: preferLamp}, Blind: true, Seed: 7, Recorder: rec,
	})
	seats := map[int]bool{}
	for range 12 {
		_ = h.duel.Say(context.Background(), "Next.")
		h.rulingEnded()
	}
	for _, turn := range h.duel.Turns() {
		seats[turn.Seats[arena.A]] = true
	}
	if len(seats) != 2 {
		t.Error("twelve blind turns never changed seats")
	}
	for _, bt := range rec.allBattles() {
		winner := bt.A
		if bt.Outcome == arena.ChoseB {
			winner = bt.B
		}
		if winner != "a" {
			t.Errorf("battle %+v gives the win to %s", bt, winner)
		}
	}
}

func TestReasoningAfterContentMovesInFront(t *testing.T) {
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{
			contestant("a", lateThinker{}, layers.Plain), contestant("b", &scripted{replies: []string{plainReply}}, layers.Auto),
		},
	})
	_ = h.duel.Say(context.Background(), "One.")
	var segs []layers.Segment
	h.until("A's end", func(ev arena.Event) bool {
		if d, ok := ev.(arena.ReplyDelta); ok && d.Side == arena.A {
			for _, e := range d.Edits {
				segs = layers.Apply(segs, e)
			}
		}
		e, ok := ev.(arena.ReplyEnded)
		return ok && e.Side == arena.A
	})
	want := []layers.Segment{{Layer: layers.Native, Text: "hmm"}, {Layer: layers.Speech, Text: "Good evening."}}
	if len(segs) != 2 || segs[0] != want[0] || segs[1] != want[1] {
		t.Errorf("segments = %v, want %v", segs, want)
	}
}

type lateThinker struct{}

func (lateThinker) Play(_ context.Context, _ arena.Call, on func(arena.Chunk)) arena.Outcome {
	on(arena.Chunk{Text: "Good "})
	on(arena.Chunk{Kind: arena.ChunkReasoning, Text: "hmm"})
	on(arena.Chunk{Text: "evening."})
	return arena.Outcome{Content: "Good evening.", Reasoning: "hmm", Finish: "stop", Complete: true}
}

func TestRecorderTroubleIsToldAndPlayGoesOn(t *testing.T) {
	rec := newMemory()
	rec.err = errors.New("disk full")
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{
			contestant("a", &scripted{replies: []string{herReply}}, layers.HER),
			contestant("b", &scripted{replies: []string{plainReply}}, layers.Auto),
		},
		Critic: &fixedCritic{name: "rm", answer: firstIsBetter}, Recorder: rec,
	})
	_ = h.duel.Say(context.Background(), "One.")
	tr := h.until("trouble", is[arena.Trouble]).(arena.Trouble)
	if !strings.Contains(tr.Err.Error(), "disk full") {
		t.Errorf("trouble = %v", tr.Err)
	}
	h.rulingEnded()
}

func TestMisuseIsAnErrorNotAPanic(t *testing.T) {
	p := &scripted{replies: []string{plainReply}}
	ok := [2]arena.Contestant{contestant("a", p, layers.Auto), contestant("b", p, layers.Auto)}
	for name, o := range map[string]arena.DuelOptions{
		"no player": {Scene: scene(), Contestants: [2]arena.Contestant{{Name: "a"}, ok[1]}},
		"no name":   {Scene: scene(), Contestants: [2]arena.Contestant{{Player: p}, ok[1]}},
		"no scene":  {Contestants: ok},
		"canon":     {Scene: scene(), Contestants: ok, Canon: "coin"},
	} {
		if _, err := arena.NewDuel(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	h := start(t, arena.DuelOptions{Contestants: ok})
	for name, err := range map[string]error{
		"empty line": h.duel.Say(context.Background(), " \n"),
		"vote":       h.duel.Vote(context.Background(), arena.ChoseA),
		"regenerate": h.duel.Regenerate(context.Background()),
		"rejudge":    h.duel.Rejudge(context.Background()),
		"bad vote":   h.duel.Vote(context.Background(), "c"),
	} {
		if err == nil {
			t.Errorf("%s before the first line: no error", name)
		}
	}
	h.duel.Cancel()
	h.duel.CancelSide(arena.B)
}

func TestCloseWhileEverythingRunsIsQuickAndTwiceIsFine(t *testing.T) {
	hold, held := make(chan struct{}), make(chan struct{}, 2)
	p := &scripted{replies: []string{herReply}, hold: hold, held: held}
	rec := newMemory()
	d, err := arena.NewDuel(arena.DuelOptions{
		Scene: scene(), Recorder: rec,
		Contestants: [2]arena.Contestant{contestant("a", p, layers.HER), contestant("b", p, layers.HER)},
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = d.Say(context.Background(), "One.")
	<-held
	<-held
	closed := make(chan struct{})
	go func() { _ = d.Close(); _ = d.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Fatal("Close hangs")
	}
	for id, r := range rec.replies {
		if !rec.done[id] || r.Raw == "" {
			t.Errorf("reply %s: done %v, raw %q; want it kept as stopped", id, rec.done[id], r.Raw)
		}
	}
	if err := d.Say(context.Background(), "Two."); !errors.Is(err, arena.ErrClosed) {
		t.Errorf("Say after Close = %v", err)
	}
}

func TestAnotherTryAsksWithAnotherSeed(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	fixed := contestant("b", b, layers.Auto)
	seed := 42
	fixed.Sampling.Seed = &seed
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{contestant("a", a, layers.HER), fixed}, Critic: &fixedCritic{name: "rm", answer: preferLamp}})
	_ = h.duel.Say(context.Background(), "One.")
	h.rulingEnded()
	if err := h.duel.Regenerate(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.rulingEnded()
	if a.call(0).Sampling.Seed != nil || a.call(1).Sampling.Seed == nil || *a.call(1).Sampling.Seed != 1 {
		t.Errorf("A was asked with seeds %v, %v; want none, 1", a.call(0).Sampling.Seed, a.call(1).Sampling.Seed)
	}
	if *b.call(1).Sampling.Seed != 42 {
		t.Error("a seed that was set has been overruled")
	}
}

func TestAStoppedReplyIsNotCanonWhileTheOtherIsWhole(t *testing.T) {
	hold, held := make(chan struct{}), make(chan struct{}, 1)
	a := &scripted{replies: []string{plainReply}, hold: hold, held: held}
	b := &scripted{replies: []string{plainReply}}
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{contestant("a", a, layers.Auto), contestant("b", b, layers.Auto)}})
	_ = h.duel.Say(context.Background(), "One.")
	<-held
	h.duel.CancelSide(arena.A)
	if c := h.until("canon", is[arena.CanonChosen]).(arena.CanonChosen); c.Side != arena.B {
		t.Errorf("canon is %s's stopped reply %v", c.Side, h.duel.Turns()[0].Reply(arena.A).Segments)
	}
	if err := h.duel.Vote(context.Background(), arena.ChoseA); err != nil {
		t.Fatal(err)
	}
	if c := h.until("canon by vote", is[arena.CanonChosen]).(arena.CanonChosen); c.Side != arena.A {
		t.Error("the person's own choice was overruled")
	}
}
