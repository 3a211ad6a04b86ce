package arena_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// actor answers as the character, and as the person when it is asked for the
// person's lines.
type actor struct {
	scripted
	lines []string // for the person
	asked []arena.Call
	begun chan struct{} // gets one for each line asked for, where not nil
	hold  chan struct{}
}

func (p *actor) Play(ctx context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	if !strings.HasPrefix(call.Messages[0].Content, "You write the lines of Teller") {
		return p.scripted.Play(ctx, call, on)
	}
	p.mu.Lock()
	n := len(p.asked)
	p.asked = append(p.asked, call)
	p.mu.Unlock()
	if p.begun != nil {
		p.begun <- struct{}{}
	}
	if p.hold != nil {
		select {
		case <-p.hold:
		case <-ctx.Done():
			return arena.Outcome{Fault: &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}}
		}
	}
	text := p.lines[n%len(p.lines)]
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: "stop", Complete: true, Usage: &arena.Usage{CompletionTokens: 7}}
}

func acting(t *testing.T, lines ...string) (*heard, *actor) {
	t.Helper()
	a := &actor{lines: lines, scripted: scripted{replies: []string{herReply}}}
	h := start(t, arena.DuelOptions{
		Contestants: [2]arena.Contestant{contestant("her", a, layers.HER), contestant("base", &scripted{replies: []string{plainReply}}, "")},
		Critic:      &fixedCritic{name: "rm", answer: preferLamp},
	})
	return h, a
}

func TestAModelWritesThePersonsLine(t *testing.T) {
	h, a := acting(t, "<system_thinking>plan</system_thinking>Teller: *raises the lantern* Open the crate.\nMara: Never.")
	line, err := h.duel.Impersonate(context.Background(), 0)
	if err != nil || line != "*raises the lantern* Open the crate." {
		t.Fatalf("line %q, %v", line, err)
	}
	h.say("Papers.")
	if _, err := h.duel.Impersonate(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	end := h.until("line", is[arena.LineEnded]).(arena.LineEnded)
	if end.By != "her" || end.Text != line || end.Fault != nil || end.Contestant != 0 || end.Tokens != 1 || end.Usage == nil || end.Usage.CompletionTokens != 7 {
		t.Errorf("end %+v", end)
	}
	got := prompts(a.asked[1])
	want := "user: ===Conversation Start===\n\nMara: *coils a rope* Late, officer.\nassistant: Papers.\nuser: Mara: *lifts the lamp* You are early.\n"
	if got != want {
		t.Errorf("the person's view:\n%s\nwant\n%s", got, want)
	}
	all := a.asked[1].Messages[0].Content + got
	for _, canary := range []string{"CANARYPLAN", "CANARYTHOUGHT", "CANARYMOTIVE"} {
		if strings.Contains(all, canary) {
			t.Errorf("the person is told %s", canary)
		}
	}
	if !strings.Contains(all, "CANARYUSERTHOUGHT") {
		t.Error("the person's own thoughts are missing")
	}
	if m := a.asked[1].Sampling.MaxTokens; m == 0 || a.asked[1].Prefill != "" {
		t.Errorf("max_tokens %d, prefill %q", m, a.asked[1].Prefill)
	}
}

func TestNoLineIsAFault(t *testing.T) {
	h, _ := acting(t, "<system_thinking>only a plan</system_thinking>")
	_, err := h.duel.Impersonate(context.Background(), 0)
	var f *arena.Fault
	if !errors.As(err, &f) || !strings.Contains(f.Message, "no line") {
		t.Errorf("error %v", err)
	}
}

func TestAutoPlay(t *testing.T) {
	h, a := acting(t, "One.", "Two.", "Three.")
	if err := h.duel.Auto(context.Background(), 0, 3); err != nil {
		t.Fatal(err)
	}
	end := h.until("end", func(e arena.Event) bool { c, ok := e.(arena.AutoChanged); return ok && c.Why != "" }).(arena.AutoChanged)
	if end.Why != "all turns are played" || end.Left != 0 {
		t.Errorf("ended: %+v", end)
	}
	turns := h.duel.Turns()
	if len(turns) != 3 || turns[2].Line != "Three." || turns[0].Auto != "her" || len(a.asked) != 3 {
		t.Fatalf("%d turns, %d lines: %+v", len(turns), len(a.asked), turns)
	}
	for _, turn := range turns {
		if turn.Ruling == nil || !turn.Ruling.Counted {
			t.Errorf("turn %d was not judged", turn.Number)
		}
	}
}

func TestAutoPlayPausesStepsAndStops(t *testing.T) {
	h, a := acting(t, "Line.")
	a.hold, a.begun = make(chan struct{}, 9), make(chan struct{}, 9)
	_ = h.duel.Auto(context.Background(), 0, 100)
	<-a.begun
	h.duel.PauseAuto(true)
	a.hold <- struct{}{} // the line under way is still said
	_ = h.until("turn", is[arena.RulingEnded])
	select {
	case <-a.begun:
		t.Error("paused, and yet a line was asked for")
	case <-time.After(50 * time.Millisecond):
	}
	h.duel.PauseAuto(false)
	<-a.begun
	a.hold <- struct{}{}
	_ = h.until("another turn", is[arena.RulingEnded])
	<-a.begun
	// The person takes over while the model is writing.
	if err := h.duel.Say(context.Background(), "I speak."); err != nil {
		t.Fatal(err)
	}
	end := h.until("end", func(e arena.Event) bool { c, ok := e.(arena.AutoChanged); return ok && c.Why != "" }).(arena.AutoChanged)
	if end.Why != "you took over" {
		t.Errorf("ended: %+v", end)
	}
	if r := h.rulingEnded(); !r.Ruling.Counted {
		t.Error("the person's turn was harmed")
	}
	if n := len(h.duel.Turns()); n != 3 {
		t.Errorf("%d turns", n)
	}
}

func TestAutoPlayEndsWithTheDuelAndWithCancel(t *testing.T) {
	for name, stop := range map[string]func(*arena.Duel){
		"cancel": func(d *arena.Duel) { d.Cancel() },
		"stop":   func(d *arena.Duel) { d.StopAuto() },
		"close":  func(d *arena.Duel) { _ = d.Close() },
		"zero":   func(d *arena.Duel) { _ = d.Auto(context.Background(), 0, 0) },
	} {
		h, a := acting(t, "Line.")
		a.hold = make(chan struct{})
		_ = h.duel.Auto(context.Background(), 0, 5)
		h.until("start", is[arena.AutoChanged])
		stop(h.duel)
		if name == "close" {
			continue // it returns once all goroutines have ended; what is not heard by then is dropped
		}
		h.until(name, func(e arena.Event) bool { c, ok := e.(arena.AutoChanged); return ok && c.Why != "" })
	}
}

func TestAutoPlayEndsWhenNobodyAnswers(t *testing.T) {
	broken := &arena.Fault{Kind: arena.ServerFault, Message: "boom"}
	a := &actor{lines: []string{"Line."}, scripted: scripted{replies: []string{herReply}, fault: broken}}
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{
		contestant("her", a, layers.HER), contestant("base", &scripted{replies: []string{plainReply}, fault: broken}, ""),
	}})
	_ = h.duel.Auto(context.Background(), 0, 5)
	end := h.until("end", func(e arena.Event) bool { c, ok := e.(arena.AutoChanged); return ok && c.Why != "" }).(arena.AutoChanged)
	if end.Why != "both replies failed" || len(h.duel.Turns()) != 1 {
		t.Errorf("ended %+v after %d turns", end, len(h.duel.Turns()))
	}
}

func TestAutoPlayGoesStepByStep(t *testing.T) {
	h, a := acting(t, "Line.")
	a.hold, a.begun = make(chan struct{}, 9), make(chan struct{}, 9)
	_ = h.duel.Auto(context.Background(), 0, 100)
	<-a.begun
	h.duel.StepAuto() // playing: the turn under way is the last
	a.hold <- struct{}{}
	h.until("turn", is[arena.RulingEnded])
	for n := 2; n < 4; n++ {
		select {
		case <-a.begun:
			t.Fatal("a line was asked for without a step")
		case <-time.After(50 * time.Millisecond):
		}
		h.duel.StepAuto()
		<-a.begun
		a.hold <- struct{}{}
		h.until("turn", is[arena.RulingEnded])
		if got := len(h.duel.Turns()); got != n {
			t.Fatalf("%d turns, want %d", got, n)
		}
	}
	h.duel.PauseAuto(false)
	<-a.begun
}

func TestWhatAReplyCosts(t *testing.T) {
	t.Parallel()
	used := &arena.Usage{PromptTokens: 1000, CompletionTokens: 500}
	price := &arena.Price{Input: 2, Output: 6}
	for _, c := range []struct {
		name  string
		price *arena.Price
		reply *arena.Reply
		want  float64
		known bool
	}{
		{"no reply", price, nil, 0, false},
		{"nothing counted", price, &arena.Reply{}, 0, false},
		{"no price", nil, &arena.Reply{Usage: used}, 0, false},
		{"by the price", price, &arena.Reply{Usage: used}, 0.005, true},
		{"as reported", price, &arena.Reply{Usage: &arena.Usage{Cost: 0.25}}, 0.25, true},
		{"free", &arena.Price{}, &arena.Reply{Usage: used}, 0, true},
	} {
		who := arena.Contestant{Price: c.price}
		if got, known := who.Cost(c.reply); got != c.want || known != c.known {
			t.Errorf("%s: %v, %v", c.name, got, known)
		}
	}
}
