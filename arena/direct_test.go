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

// both makes a duel of two scripted players; the replies of each come round.
func both(t *testing.T, o arena.DuelOptions, a, b *scripted) *heard {
	t.Helper()
	o.Contestants = [2]arena.Contestant{contestant("her", a, layers.HER), contestant("base", b, layers.Auto)}
	return start(t, o)
}

// say plays a line to its end.
func (h *heard) say(line string) arena.Turn {
	h.t.Helper()
	if err := h.duel.Say(context.Background(), line); err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := h.duel.Wait(ctx); err != nil {
		h.t.Fatal(err)
	}
	turns := h.duel.Turns()
	return turns[len(turns)-1]
}

func prompts(c arena.Call) string {
	var b strings.Builder
	for _, m := range c.Messages[1:] {
		b.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return b.String()
}

func TestADuelGoesOnFromAPast(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	critic := &fixedCritic{name: "rm", answer: preferLamp}
	past := []arena.PastTurn{
		{Line: "Who goes?", By: "base", Reply: layers.Parse("<system_thinking>CANARYPAST</system_thinking><role_thinking>CANARYPASTTHOUGHT</role_thinking>Nobody.", layers.Options{}).Segments},
		{Line: "Papers.", Note: "It begins to rain."},
	}
	h := both(t, arena.DuelOptions{Past: past, Origin: arena.Origin{DuelID: "d1", Turn: 2}, Critic: critic, Recorder: rec}, a, b)
	turn := h.say("Now.")
	if turn.Number != 3 {
		t.Errorf("the first turn of its own is number %d, want 3", turn.Number)
	}
	got := prompts(a.call(0))
	for _, want := range []string{
		"user: Teller: Who goes?\nassistant: Mara: <role_thinking>CANARYPASTTHOUGHT</role_thinking>Nobody.\nsystem: Director's note: It begins to rain.\nuser: Teller: Papers.\n\nTeller: Now.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the prompt\n%s\nlacks\n%s", got, want)
		}
	}
	if strings.Contains(got, "CANARYPAST<") || strings.Contains(got, "CANARYPAST\n") {
		t.Errorf("a past plan is in the prompt:\n%s", got)
	}
	c := critic.cases[0]
	if len(c.Context) != 7 || c.Context[4].Name != "director" || c.Context[2].Content != "Who goes?" {
		t.Errorf("the critic's context: %+v", c.Context)
	}
	if h.rulingEnded(); !h.duel.Turns()[0].Ruling.Counted {
		t.Error("a turn behind a past does not count")
	}
	if r := rec.duels[0]; r.Origin.DuelID != "d1" || r.Origin.Turn != 2 || len(r.Past) != 2 {
		t.Errorf("recorded origin %+v and %d past turns", r.Origin, len(r.Past))
	}
	// Its history is what another duel can go on from.
	hist := h.duel.History(99)
	if len(hist) != 3 || hist[2].Line != "Now." || hist[2].By != "her" || len(hist[2].Reply) != 4 || hist[1].Note != "It begins to rain." {
		t.Errorf("history %+v", hist)
	}
	if n := len(h.duel.History(1)); n != 1 {
		t.Errorf("%d turns up to the first", n)
	}
	if n := len(h.duel.History(0)); n != 0 {
		t.Errorf("%d turns before the first", n)
	}
	if next := h.say("Again."); next.Number != 4 || !strings.Contains(prompts(a.call(1)), "Teller: Now.\nassistant: ") {
		t.Errorf("turn %d, prompt\n%s", next.Number, prompts(a.call(1)))
	}
}

func TestABadPastIsRefused(t *testing.T) {
	_, err := arena.NewDuel(arena.DuelOptions{
		Scene: scene(), Past: []arena.PastTurn{{Line: "a"}, {}},
		Contestants: [2]arena.Contestant{contestant("a", &scripted{}, ""), contestant("b", &scripted{}, "")},
	})
	if err == nil || !strings.Contains(err.Error(), "turn 2 of the past") {
		t.Errorf("error %v", err)
	}
}

func TestADirectorsNoteGoesWithTheNextLine(t *testing.T) {
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	critic := &fixedCritic{name: "rm", answer: preferLamp}
	h := both(t, arena.DuelOptions{Critic: critic}, a, b)
	h.say("One.")
	_ = h.duel.Direct(" It rains. ")
	_ = h.duel.Direct("")
	_ = h.duel.Direct("A shot is heard.")
	_ = h.duel.Direct("Nobody moves.")
	if n := h.until("note", func(e arena.Event) bool { d, ok := e.(arena.Directed); return ok && strings.Contains(d.Note, "moves") }).(arena.Directed).Note; n != "A shot is heard.\nNobody moves." {
		t.Errorf("note %q", n)
	}
	turn := h.say("Two.")
	if turn.Note != "A shot is heard.\nNobody moves." {
		t.Errorf("the turn's note is %q", turn.Note)
	}
	for _, p := range []*scripted{a, b} {
		if got := prompts(p.call(1)); !strings.HasSuffix(got, "\nsystem: Director's note: A shot is heard.\nNobody moves.\nuser: Teller: Two.\n") {
			t.Errorf("prompt\n%s", got)
		}
	}
	third := h.say("Three.")
	if third.Note != "" {
		t.Error("the note went out twice")
	}
	// What was sent before is the beginning of what is sent now.
	if first, second := prompts(a.call(1)), prompts(a.call(2)); !strings.HasPrefix(second, first) {
		t.Errorf("the prompt was not appended to:\n%s\n%s", first, second)
	}
}

func TestSamplingChangedInPlayDoesNotCount(t *testing.T) {
	rec := newMemory()
	a, b := &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}}
	h := both(t, arena.DuelOptions{Critic: &fixedCritic{name: "rm", answer: preferLamp}, Recorder: rec}, a, b)
	hot := 1.5
	h.duel.SetSampling(0, arena.Sampling{Temperature: &hot})
	turn := h.say("One.")
	if got := a.call(0).Sampling.Temperature; got == nil || *got != hot || b.call(0).Sampling.Temperature != nil {
		t.Errorf("temperatures %v and %v", got, b.call(0).Sampling.Temperature)
	}
	if r := h.rulingEnded().Ruling; r.Counted || r.Why != "the sampling was changed in play" {
		t.Errorf("counted %v: %s", r.Counted, r.Why)
	}
	if s := turn.Reply(arena.A).Sampling; s == nil || *s.Temperature != hot || turn.Reply(arena.B).Sampling != nil {
		t.Errorf("kept sampling %+v", s)
	}
	h.duel.SetSampling(0, arena.Sampling{})
	h.say("Two.")
	if r := h.rulingEnded().Ruling; !r.Counted {
		t.Errorf("back to its own sampling, and still: %s", r.Why)
	}
}

func TestACutReplyIsGoneOnWith(t *testing.T) {
	rec := newMemory()
	a := &scripted{replies: []string{"<system_thinking>plan</system_thinking>You are", " early, officer."}, finish: "length"}
	b := &scripted{replies: []string{plainReply}}
	h := both(t, arena.DuelOptions{Recorder: rec}, a, b)
	h.say("One.")
	if err := h.duel.Continue(context.Background(), arena.B); !errors.Is(err, arena.ErrWhole) {
		t.Errorf("a whole reply: %v", err)
	}
	a.finish = "stop"
	if err := h.duel.Continue(context.Background(), arena.A); err != nil {
		t.Fatal(err)
	}
	_ = h.duel.Wait(context.Background())
	turn := h.duel.Turns()[0]
	r := turn.Reply(arena.A)
	if r.Swipe != 1 || a.call(1).Prefill != "<system_thinking>plan</system_thinking>You are" {
		t.Errorf("swipe %d, prefill %q", r.Swipe, a.call(1).Prefill)
	}
	if got := layers.Render(r.Segments, layers.HER, ""); got != "<system_thinking>plan</system_thinking>You are early, officer." {
		t.Errorf("the whole reply reads %q", got)
	}
	if ok, why := r.Validity(); !ok {
		t.Errorf("invalid: %s", why)
	}
	if r.Text() != "<system_thinking>plan</system_thinking>You are early, officer." || rec.reply(r.ID).Prefill == "" {
		t.Errorf("text %q", r.Text())
	}
}

// stubborn is a player whose server takes no prefill.
type stubborn struct{ scripted }

func (*stubborn) PrefillRefused() bool { return true }

func TestNothingToGoOnWith(t *testing.T) {
	a := &stubborn{scripted{replies: []string{"You are"}, finish: "length"}}
	h := start(t, arena.DuelOptions{Contestants: [2]arena.Contestant{contestant("a", a, ""), contestant("b", &scripted{replies: []string{plainReply}}, "")}})
	if err := h.duel.Continue(context.Background(), arena.A); !errors.Is(err, arena.ErrNoTurn) {
		t.Errorf("before the first turn: %v", err)
	}
	h.say("One.")
	if err := h.duel.Continue(context.Background(), arena.A); !errors.Is(err, arena.ErrNoPrefill) {
		t.Errorf("without prefill: %v", err)
	}
}

func TestAVoteIsTakenBack(t *testing.T) {
	rec := newMemory()
	h := both(t, arena.DuelOptions{Recorder: rec, Voter: "me"}, &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}})
	if err := h.duel.Unvote(); !errors.Is(err, arena.ErrNoTurn) {
		t.Error(err)
	}
	h.say("One.")
	if err := h.duel.Unvote(); !errors.Is(err, arena.ErrNoVote) {
		t.Error(err)
	}
	_ = h.duel.Vote(context.Background(), arena.ChoseB)
	if err := h.duel.Unvote(); err != nil {
		t.Fatal(err)
	}
	h.until("unvoted", is[arena.Unvoted])
	turn := h.duel.Turns()[0]
	if turn.Vote != nil || turn.Canon != 0 {
		t.Errorf("vote %v, canon %d; want A's by default", turn.Vote, turn.Canon)
	}
	for _, b := range rec.allBattles() {
		if b.Counted || b.Why != "taken back" {
			t.Errorf("battle %+v", b)
		}
	}
	if last := rec.votes[len(rec.votes)-1]; last.Counted || last.Why != "taken back" || last.ID != rec.votes[0].ID {
		t.Errorf("recorded vote %+v", last)
	}
	// Another one counts again.
	_ = h.duel.Vote(context.Background(), arena.ChoseA)
	for _, b := range rec.allBattles() {
		if !b.Counted || b.Outcome != arena.ChoseA {
			t.Errorf("battle %+v", b)
		}
	}
}

// What was said blind counts on, whatever is said once the names are known.
func TestALateVoteLeavesTheBlindOne(t *testing.T) {
	for name, late := range map[string]func(*testing.T, *heard){
		"voted again": func(_ *testing.T, h *heard) { _ = h.duel.Vote(context.Background(), arena.ChoseB) },
		"voted again and taken back": func(_ *testing.T, h *heard) {
			_ = h.duel.Vote(context.Background(), arena.ChoseB)
			_ = h.duel.Unvote()
		},
		"asked again and voted": func(t *testing.T, h *heard) {
			if err := h.duel.Regenerate(context.Background()); err != nil {
				t.Fatal(err)
			}
			h.until("both replies", func(arena.Event) bool { return !h.duel.Running() })
			_ = h.duel.Vote(context.Background(), arena.ChoseB)
			if v := h.duel.Turns()[0].Vote; v.Counted || v.Why != "given after the names were shown" {
				t.Errorf("vote %+v", v)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newMemory()
			h := both(t, arena.DuelOptions{Recorder: rec, Blind: true, Seed: 3}, &scripted{replies: []string{herReply, herReply}}, &scripted{replies: []string{plainReply, plainReply}})
			h.say("One.")
			_ = h.duel.Vote(context.Background(), arena.ChoseA)
			late(t, h)
			all := rec.allBattles()
			if len(all) != 1 || !all[0].Counted || all[0].Outcome != arena.ChoseA {
				t.Errorf("battles %+v, want the one of the blind vote", all)
			}
		})
	}
	// The blind vote itself can be taken back.
	rec := newMemory()
	h := both(t, arena.DuelOptions{Recorder: rec, Blind: true, Seed: 3}, &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}})
	h.say("One.")
	_ = h.duel.Vote(context.Background(), arena.ChoseA)
	_ = h.duel.Unvote()
	if all := rec.allBattles(); len(all) != 1 || all[0].Counted {
		t.Errorf("battles %+v, want one that does not count", all)
	}
}

func TestVotesAfterTheNamesWereShownDoNotCount(t *testing.T) {
	rec := newMemory()
	h := both(t, arena.DuelOptions{Recorder: rec, Blind: true, Seed: 3}, &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}})
	h.say("One.")
	_ = h.duel.Vote(context.Background(), arena.ChoseA)
	h.duel.Reveal()
	h.duel.Reveal()
	h.until("revealed", is[arena.Revealed])
	_ = h.duel.Vote(context.Background(), arena.ChoseB)
	if v := h.duel.Turns()[0].Vote; v.Counted || v.Why != "given after the names were shown" {
		t.Errorf("vote %+v", v)
	}
	h.say("Two.")
	_ = h.duel.Vote(context.Background(), arena.ChoseB)
	if v := h.duel.Turns()[1].Vote; v.Counted {
		t.Error("a vote on a later turn counts")
	}
	// Where nothing is hidden there is nothing to reveal.
	open := both(t, arena.DuelOptions{}, &scripted{replies: []string{herReply}}, &scripted{replies: []string{plainReply}})
	open.say("One.")
	open.duel.Reveal()
	_ = open.duel.Vote(context.Background(), arena.ChoseB)
	if v := open.duel.Turns()[0].Vote; !v.Counted {
		t.Errorf("vote %+v", v)
	}
}

func TestAVoteAfterTheNamesWereToldIsKeptAndDoesNotCount(t *testing.T) {
	for name, meanwhile := range map[string]func(*heard){
		"changed":    func(*heard) {},
		"taken back": func(h *heard) { _ = h.duel.Unvote() },
		"another reply": func(h *heard) {
			_ = h.duel.Regenerate(context.Background(), arena.A)
			_ = h.duel.Wait(context.Background())
		},
	} {
		for _, blind := range []bool{true, false} {
			h := start(t, arena.DuelOptions{Blind: blind, Contestants: [2]arena.Contestant{
				contestant("her", &scripted{replies: []string{herReply}}, layers.HER), contestant("base", &scripted{replies: []string{plainReply}}, ""),
			}})
			h.say("Papers.")
			for i, want := range []bool{true, !blind} {
				if err := h.duel.Vote(context.Background(), arena.ChoseA); err != nil {
					t.Fatal(err)
				}
				if v := h.until("vote", is[arena.Voted]).(arena.Voted).Vote; v.Counted != want {
					t.Errorf("%s, blind %v, vote %d: %+v", name, blind, i+1, v)
				}
				meanwhile(h)
			}
			if turn := h.say("Now."); turn.Number != 2 {
				t.Fatal(turn.Number)
			}
			_ = h.duel.Vote(context.Background(), arena.ChoseA)
			if v := h.until("vote", is[arena.Voted]).(arena.Voted).Vote; !v.Counted {
				t.Errorf("%s: the next turn's vote: %+v", name, v)
			}
		}
	}
}

func TestAnEditMayHoldTagsAndAsterisks(t *testing.T) {
	const think = "<role_thinking>He lies.</role_thinking>"
	for _, c := range []struct{ text, want string }{
		{think + "*folds the map* Then we leave.", "think:He lies.|act:folds the map|speech:Then we leave."},
		{think + "Then we leave. *folds the map* Now.", "think:He lies.|speech:Then we leave.|act:folds the map|speech:Now."},
		{"*nods* Yes.<role_action>sits</role_action>No. *rises*", "act:nods|speech:Yes.|act:sits|speech:No.|act:rises"},
		{"Mara: " + think + "*folds* Go", "think:He lies.|act:folds|speech:Go"},
		{think + "This is **bold** and **so on**.", "think:He lies.|speech:This is **bold** and **so on**."},
		{think + "*folds the map", "think:He lies.|speech:*folds the map"},
		{think + "Go. *nods* Then *", "think:He lies.|speech:Go.|act:nods|speech:Then *"},
		{think + "Two * three * four and a*b*c.", "think:He lies.|speech:Two * three * four and a*b*c."},
		{"<role_thinking>a *b* c</role_thinking><role_action>d *e f* g</role_action>Hi", "think:a *b* c|act:d *e f* g|speech:Hi"},
		{think + "*nods* <role_action <role_action>x</role_action>", "think:He lies.|speech:*nods* <role_action|act:x"},
		{"*nods* Yes.", "act:nods|speech:Yes."},
	} {
		var got []string
		for _, s := range arena.ParseLine(c.text, "Mara", nil) {
			got = append(got, s.Layer.String()+":"+s.Text)
		}
		if line := strings.Join(got, "|"); line != c.want {
			t.Errorf("%q\nis  %q\nnot %q", c.text, line, c.want)
		}
	}
}

func TestHalfATagIsNotGoneOnWith(t *testing.T) {
	a := &scripted{replies: []string{"<system_thinking>plan</system_thinking>She walks as if <role_ac", "late."}, finish: "length"}
	h := both(t, arena.DuelOptions{}, a, &scripted{replies: []string{plainReply}})
	h.say("One.")
	a.finish = "stop"
	if err := h.duel.Continue(context.Background(), arena.A); err != nil {
		t.Fatal(err)
	}
	_ = h.duel.Wait(context.Background())
	if got := a.call(1).Prefill; got != "<system_thinking>plan</system_thinking>She walks as if " {
		t.Errorf("prefill %q", got)
	}
	if got := layers.Render(h.duel.Turns()[0].Reply(arena.A).Segments, layers.HER, ""); got != "<system_thinking>plan</system_thinking>She walks as if late." {
		t.Errorf("the whole reply reads %q", got)
	}
}
