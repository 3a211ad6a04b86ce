package stage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/stage/stagetest"
)

// arrive takes events as they come out of the mailbox.
func (p *prop) arrive(events ...arena.Event) {
	for _, ev := range events {
		for _, cmd := range p.Stage.hear(ev, p.now) {
			p.run(cmd)
		}
	}
}

func TestHeldTextWaitsAndIsCounted(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.arrive(opened(1, "hello"), started(1, arena.A, 0), started(1, arena.B, 0), delta(1, arena.A, 0, 2, speech("First words. ")))
	p.press("alt+p")
	p.arrive(delta(1, arena.A, 0, 5, layers.Segment{Layer: layers.Speech, Text: "Second sentence here. Third one."}), delta(1, arena.B, 0, 3, speech("Other side.")))
	got := p.screen(t)
	if !strings.Contains(got, "First words.") || strings.Contains(got, "Second") || strings.Contains(got, "Other side") {
		t.Errorf("the text is not held:\n%s", got)
	}
	for _, want := range []string{"paused · 5 words waiting", "paused · 2 words waiting", "alt+p go on", "alt+m a sentence"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the screen:\n%s", want, got)
		}
	}
	p.press("tab", "s") // on A alone
	got = p.screen(t)
	if !strings.Contains(got, "Second sentence here.") || strings.Contains(got, "Third") || strings.Contains(got, "Other side") {
		t.Errorf("a step on A shows another piece:\n%s", got)
	}
	p.press("space")
	if got = p.screen(t); !strings.Contains(got, "Third one.") || !strings.Contains(got, "Other side.") || strings.Contains(got, "paused") {
		t.Errorf("going on does not show all:\n%s", got)
	}
}

func TestEscStopsWhileTextIsHeld(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.arrive(opened(1, "hello"), started(1, arena.A, 0), started(1, arena.B, 0))
	p.press("alt+p")
	p.arrive(delta(1, arena.A, 0, 2, speech("All of it.")))
	p.press("esc")
	if got := p.screen(t); !strings.Contains(got, "All of it.") || strings.Contains(got, "paused") {
		t.Errorf("what had arrived is not shown:\n%s", got)
	}
	if calls := fmt.Sprint(p.duel.Calls()); !strings.Contains(calls, "cancel") {
		t.Errorf("the duel was not stopped: %s", calls)
	}
}

// TestAVoteSeesAllText: whoever votes on held text sees all of it.
func TestAVoteSeesAllText(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.arrive(opened(1, "hello"), started(1, arena.A, 0), started(1, arena.B, 0))
	p.press("alt+p")
	p.arrive(delta(1, arena.A, 0, 2, speech("Said by A.")), ended(1, arena.A, 0, stagetest.Layered()), ended(1, arena.B, 0, stagetest.Bare()))
	if p.play.last().settled() {
		t.Fatal("an end overtook its text")
	}
	p.press("alt+1")
	if !p.play.last().settled() || !p.hold.on {
		t.Error("the vote went ahead of the text, or ended the pause")
	}
}

func TestTheVerdictIsHeldCardByCard(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.arrive(opened(1, "hello"), started(1, arena.A, 0), started(1, arena.B, 0))
	p.press("alt+p")
	p.arrive(delta(1, arena.A, 0, 2, speech("One. Two.")), delta(1, arena.B, 0, 2, speech("Three.")), ended(1, arena.A, 0, stagetest.Layered()), ended(1, arena.B, 0, stagetest.Bare()), arena.RulingStarted{Turn: 1, Critic: "house"})
	full := stagetest.Agreeing()
	for n := 1; n <= len(full[0].Comparisons); n++ {
		v := full[0]
		v.Phase, v.Comparisons = arena.PhaseComparing, v.Comparisons[:n]
		p.arrive(arena.VerdictUpdated{Turn: 1, Verdict: v})
	}
	r := stagetest.Sum(full)
	p.arrive(arena.RulingEnded{Turn: 1, Ruling: r})
	if p.play.last().judging {
		t.Fatal("the ruling overtook the replies")
	}
	p.press("alt+m")
	if p.play.last().judging || p.play.last().settled() {
		t.Fatal("the ruling overtook the second sentence")
	}
	p.press("alt+m")
	if tn := p.play.last(); !tn.settled() || !tn.judging || len(tn.verdicts[0].Comparisons) != 0 {
		t.Fatalf("after the last sentence: settled %v, judging %v, %d cards", tn.settled(), tn.judging, len(tn.verdicts[0].Comparisons))
	}
	if got := p.screen(t); !strings.Contains(got, fmt.Sprintf("paused · %d steps waiting", len(full[0].Comparisons)+1)) {
		t.Errorf("the bar does not say that the verdict waits:\n%s", got)
	}
	for n := 1; n <= len(full[0].Comparisons); n++ {
		p.press("alt+m")
		if got := len(p.play.last().verdicts[0].Comparisons); got != n {
			t.Fatalf("step %d shows %d cards", n, got)
		}
	}
	p.press("alt+m")
	if p.play.last().ruling == nil {
		t.Error("the ruling never came")
	}
}

func TestReadingSpeedLetsWordsThrough(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.arrive(opened(1, "hello"), started(1, arena.A, 0), started(1, arena.B, 0))
	p.press("alt+p")
	p.arrive(delta(1, arena.A, 0, 2, speech("one two three")), delta(1, arena.B, 0, 2, speech("four five")))
	p.hold.easy = true
	for i, want := range []string{"one ", "one two ", "one two three"} {
		p.hold.ticking = true
		p.Stage.easier()
		if got := p.play.last().columns[arena.A].shown().reply.Segments[0].Text; got != want {
			t.Errorf("after %d steps %q, want %q", i+1, got, want)
		}
	}
}

// TestNothingIsLostInAPause: whatever is held, stepped, eased and let go in
// between, in the end the play is the one without a pause; and on the way each
// side shows a beginning of its text.
func TestNothingIsLostInAPause(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"Well. ", "Mr. Darcy ", "said “no.” ", "雨。", "then\n", "he ", "left… ", "", "!", "a b"}
		var events []arena.Event
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		for n := 1; n <= turns; n++ {
			events = append(events, opened(n, "line"), started(n, arena.A, 0), started(n, arena.B, 0))
			var streams [2][]arena.Event
			for side := range streams {
				for i := range rapid.IntRange(0, 8).Draw(t, "deltas") {
					e := layers.Edit{Index: i / 3, Layer: layers.Layer(i / 3 % 5), Text: rapid.SampledFrom(words).Draw(t, "text")}
					if rapid.IntRange(0, 9).Draw(t, "reset") == 0 {
						e.Index, e.Reset = max(e.Index-1, 0), true
					}
					streams[side] = append(streams[side], arena.ReplyDelta{Turn: n, Side: arena.Side(side), Tokens: i + 1, Edits: []layers.Edit{e}})
				}
				if rapid.IntRange(0, 5).Draw(t, "retry") == 0 {
					streams[side] = append(streams[side], arena.ReplyRetrying{Turn: n, Side: arena.Side(side)})
				}
				take := stagetest.Layered()
				streams[side] = append(streams[side], ended(n, arena.Side(side), 0, take))
			}
			for len(streams[0])+len(streams[1]) > 0 {
				side := rapid.IntRange(0, 1).Draw(t, "side")
				if len(streams[side]) == 0 {
					side = 1 - side
				}
				events = append(events, streams[side][0])
				streams[side] = streams[side][1:]
			}
			events = append(events, arena.RulingStarted{Turn: n}, arena.VerdictUpdated{Turn: n, Verdict: stagetest.Agreeing()[0]},
				arena.RulingEnded{Turn: n, Ruling: stagetest.Sum(stagetest.Agreeing())}, arena.CanonChosen{Turn: n, Side: arena.B}, arena.Voted{Turn: n, Vote: arena.Vote{Choice: arena.Tie}})
		}
		var plain, paused play
		var h held
		apply := func(p *play, evs ...arena.Event) {
			for _, ev := range evs {
				p.apply(ev, time.Time{})
			}
		}
		shown := func(e arena.ReplyEnded) bool {
			tn, _ := paused.find(e.Turn)
			k := tn.columns[e.Side].swipe(e.Reply.Swipe)
			return k == nil || len(k.reply.Segments) > 0
		}
		on := false
		for _, ev := range events {
			apply(&plain, ev)
			if !on || !h.keep(ev, shown) {
				apply(&paused, ev)
			}
			switch rapid.IntRange(0, 6).Draw(t, "do") {
			case 0:
				on = true
			case 1:
				apply(&paused, h.step([2]bool{true, true})...)
			case 2:
				apply(&paused, h.step([2]bool{true, false})...)
			case 3:
				apply(&paused, h.letWords(arena.B, 2)...)
			case 4:
				if rapid.IntRange(0, 3).Draw(t, "go") == 0 {
					apply(&paused, h.all()...)
					on = false
				}
			}
		}
		for i := 0; len(h.queue) > 0 && rapid.IntRange(0, 9).Draw(t, "more") > 0; i++ {
			before := len(h.queue)
			evs := h.step([2]bool{true, true})
			if len(evs) == 0 {
				t.Fatalf("a step is stuck on %d events: %T", before, h.queue[0])
			}
			apply(&paused, evs...)
		}
		apply(&paused, h.all()...)
		if h.waits(arena.A) != 0 || h.waits(arena.B) != 0 {
			t.Fatalf("words wait where nothing does: %v %v", h.waits(arena.A), h.waits(arena.B))
		}
		if diff := cmp.Diff(flat(&plain), flat(&paused)); diff != "" {
			t.Fatalf("the pause changed the play:\n%s", diff)
		}
	})
}

// flat is a play as text.
func flat(p *play) []string {
	var out []string
	for _, t := range p.turns {
		out = append(out, fmt.Sprintf("%d %v %v %v %v %v", t.number, t.canon, t.judging, t.ruling != nil, t.vote != nil, t.verdicts))
		for side := range t.columns {
			for _, k := range t.columns[side].takes {
				out = append(out, fmt.Sprint(k.live, k.reply.Segments, k.tokens))
			}
		}
	}
	return out
}

func TestPiecesEndWithSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One. Two.":              "One. ",
		"Mr. Darcy bows. He is.": "Mr. Darcy bows. ",
		"“Never!” she said.":     "“Never!” ",
		"… and then. Or":         "… and then. ",
		"雨。夜。":                   "雨。",
		"no end":                 "no end",
		"first\nsecond":          "first\n",
		"3.5 miles. On":          "3.5 miles. ",
	} {
		if got := text[:pieceEnd(layers.Speech, text)]; got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
	if plan := "One. Two."; pieceEnd(layers.System, plan) != len(plan) {
		t.Error("a plan is cut")
	}
}
