package plain

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/casting"
	"herarena/tui/stage/stagetest"
)

// given has nothing asked.
func given(o Options) Options {
	o.Given = Given{Scene: true, A: true, B: true, Critic: true, Canon: true, Blind: true}
	return o
}

func TestAPersonPlays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		p := sit(t, given(options(d)))
		contains(t, p.hears(), "You could begin with: I need a berth tonight, and I can pay.", "Your turn.")
		p.types("Good evening.")
		text := p.hears()
		inOrder(t, text, "Turn 1.\n", "B, plain-8b, says", "Ruling: A is better.", "Your turn. Vote with /a, /b, /tie or /bad, or type a line to go on.\n")
		lacks(t, text, "You say")
		p.types("/b")
		inOrder(t, p.hears(), "You vote: B. The critic differs; both opinions are kept.", "by your vote", "Board vote", "Your turn. Type a line to go on.")
		p.types("/nonsense")
		contains(t, p.hears(), "There is no command /nonsense. /help reads the commands out.")
		if err := p.leaves(); err != nil {
			t.Errorf("a person's slip made the run fail: %v", err)
		}
	})
}

func TestLinesTypedMeanwhileWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		d.Step = time.Second
		p := sit(t, given(options(d)))
		p.types("One.")
		p.passes(3 * time.Second)
		p.hears()
		p.types("Two.")
		contains(t, p.hears(), "Kept until this turn is done.")
		p.types("/show b")
		contains(t, p.hears(), "B, plain-8b, reasons", "B, plain-8b, is still writing.")
		p.types("/a")
		contains(t, p.hears(), "Your vote is kept: A.")
		p.passes(4 * time.Minute)
		inOrder(t, p.hears(), "A, her-rl, says: One berth", "Ruling: A", "Turn 2. You say: Two.", "Ruling: A")
		if got := strings.Join(d.Calls(), "; "); got != "say One.; vote a; say Two." {
			t.Errorf("the duel was asked %s", got)
		}
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
	})
}

func TestTheEndOfAPersonsInputFinishesWhatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		d.Step = time.Second
		p := sit(t, given(options(d)))
		p.types("One.")
		p.types("Two.")
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
		inOrder(t, p.hears(), "Ruling: A", "Turn 2. You say: Two.", "Ruling: A", "Board")
	})
}

func TestProgressIsToldRarely(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newManual()
		p := sit(t, given(options(d)))
		p.types("One.")
		line := <-d.said
		d.running(true)
		d.emit(arena.TurnStarted{Turn: arena.Turn{Number: 1, Line: line, Seats: [2]int{0, 1}, Canon: -1}},
			arena.ReplyStarted{Turn: 1, Side: arena.A}, arena.ReplyStarted{Turn: 1, Side: arena.B})
		d.delta(layers.Edit{Layer: layers.Speech, Text: "Well,"})
		p.hears()
		p.passes(11 * time.Second)
		if text := p.hears(); text != "" {
			t.Errorf("it spoke too soon: %s", text)
		}
		p.passes(2 * time.Second)
		if text := p.hears(); text != "A is still writing, 12 seconds. B has not begun yet, 12 seconds.\n" {
			t.Errorf("after 13 seconds it said %q", text)
		}
		d.emit(arena.ReplyEnded{Turn: 1, Side: arena.B, Reply: arena.Reply{Complete: true, Segments: []layers.Segment{{Layer: layers.Speech, Text: "No."}}}})
		p.passes(10 * time.Minute)
		text := p.hears()
		contains(t, text, "A is still writing, 36 seconds. B is done, /show b reads it now.")
		if n := strings.Count(text, "\n"); n < 9 || n > 11 {
			t.Errorf("ten minutes of silence got %d lines:\n%s", n, text)
		}
		d.emit(arena.ReplyRetrying{Turn: 1, Side: arena.A, Wait: 1500 * time.Millisecond, Fault: arena.Fault{Kind: arena.Overloaded, Message: "busy"}})
		p.passes(time.Second)
		contains(t, p.hears(), "A is asked again in 2 seconds, overloaded: busy.")
		p.types("/quit")
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
	})
}

func TestCtrlCStopsThenLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		d.Step = time.Second
		p := sit(t, given(options(d)))
		p.types("One.")
		p.types("Two.")
		p.passes(3 * time.Second)
		p.hears()
		p.interrupts <- os.Interrupt
		p.passes(time.Minute)
		inOrder(t, p.hears(), "Stopped, and 1 waiting line taken back. Ctrl C again leaves.", "A, her-rl, was stopped.", "B, plain-8b, was stopped.", "Your turn.")
		p.types("Three.") // whatever is typed takes the first ctrl+c back
		p.passes(2 * time.Minute)
		p.hears()
		p.interrupts <- os.Interrupt
		synctest.Wait()
		contains(t, p.hears(), "Nothing is running. Ctrl C again leaves.")
		p.interrupts <- os.Interrupt
		if err := <-p.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestAnotherSignalLeavesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		d.Step = time.Second
		p := sit(t, given(options(d)))
		p.types("One.")
		p.interrupts <- syscall.SIGTERM
		if err := <-p.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestStreamingReadsWordByWord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newManual()
		o := given(options(d))
		o.Critics = o.Critics[1:]
		p := sit(t, o)
		p.types("/stream on")
		p.types("One.")
		line := <-d.said
		d.running(true)
		d.emit(arena.TurnStarted{Turn: arena.Turn{Number: 1, Line: line, Seats: [2]int{0, 1}, Canon: -1}},
			arena.ReplyStarted{Turn: 1, Side: arena.A}, arena.ReplyStarted{Turn: 1, Side: arena.B})
		synctest.Wait()
		p.hears()
		said := func(want string, edits ...layers.Edit) {
			t.Helper()
			d.delta(edits...)
			synctest.Wait()
			if got := p.hears(); got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		speech := func(i int, text string) layers.Edit { return layers.Edit{Index: i, Layer: layers.Speech, Text: text} }
		said("", layers.Edit{Layer: layers.System, Text: "The plan"})
		said("A, her-rl, plans (2 words, /plan 1 a shows it).\n", layers.Edit{Index: 1, Layer: layers.Act, Text: "bo"})
		said("A, her-rl, does: bows ", speech(1, "ws lo"))
		said("low\nA, her-rl, says: Good ", speech(1, "w"), speech(2, "Good eve"))
		said("evening \x1b"[:len("evening ")], speech(2, "ning \x1b[3"))
		said("", speech(2, "1m"))
		p.types("/canon")
		contains(t, p.hears(), "\nCanon:")
		said("A, her-rl, goes on: sir, ", speech(2, "sir, and"))
		said("", layers.Edit{Index: 2, Reset: true}, layers.Edit{Index: 2, Layer: layers.Think, Text: "Good evening sir, and"})
		d.emit(arena.ReplyEnded{Turn: 1, Side: arena.A, Reply: arena.Reply{Complete: true, Segments: []layers.Segment{
			{Layer: layers.System, Text: "The plan"}, {Layer: layers.Act, Text: "bows low"}, {Layer: layers.Think, Text: "Good evening sir, and"}, {Layer: layers.Speech, Text: "out."},
		}}})
		d.running(false)
		synctest.Wait()
		inOrder(t, p.hears(), "\nA, her-rl, corrected: ", "A, her-rl, does: bows low\nA, her-rl, thinks: Good evening sir, and\nA, her-rl, says: out.\n")
		p.types("/quit")
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
	})
}

func TestLateReasoningCorrectsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newManual()
		p := sit(t, given(options(d)))
		p.types("One.")
		line := <-d.said
		d.running(true)
		d.emit(arena.TurnStarted{Turn: arena.Turn{Number: 1, Line: line, Seats: [2]int{0, 1}, Canon: -1}},
			arena.ReplyStarted{Turn: 1, Side: arena.A}, arena.ReplyStarted{Turn: 1, Side: arena.B})
		d.delta(layers.Edit{Layer: layers.Act, Text: "bows"}, layers.Edit{Index: 1, Layer: layers.Speech, Text: "Sir"})
		d.delta(layers.Edit{Reset: true, Layer: layers.Native, Text: "hm"}, layers.Edit{Index: 1, Layer: layers.Act, Text: "bows"}, layers.Edit{Index: 2, Layer: layers.Speech, Text: "Sir"})
		d.delta(layers.Edit{Index: 2, Text: "."})
		d.emit(arena.ReplyEnded{Turn: 1, Side: arena.A, Reply: arena.Reply{Complete: true, Segments: []layers.Segment{
			{Layer: layers.Native, Text: "hm"}, {Layer: layers.Act, Text: "bows"}, {Layer: layers.Speech, Text: "Sir."},
		}}})
		synctest.Wait()
		text := p.hears()
		inOrder(t, text, "A, her-rl, does: bows\n", "A, her-rl, says: Sir.\n", "A, her-rl, reasons (1 word, /plan 1 a shows it).")
		lacks(t, text, "corrected")
		if n := strings.Count(text, "bows"); n != 1 {
			t.Errorf("the bow was read %d times:\n%s", n, text)
		}
		p.types("/quit")
		_ = p.leaves()
	})
}

func TestADuelThatFallsSilentIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newManual() // has a critic that never says a word
		o := options(d)
		p := sit(t, given(o))
		go d.turn(arena.Reply{Segments: []layers.Segment{{Layer: layers.Speech, Text: "Yes."}}, Complete: true}, true)
		p.types("One.")
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
		contains(t, p.hears(), "B, plain-8b, says: No.")
	})
}

func TestCastingByQuestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := stagetest.New(stagetest.Script()...)
		o := options(d)
		second := stagetest.Scene()
		second.ID, second.Title = "pier", "The pier"
		o.Scenes = []characters.Scene{o.Scenes[0], second}
		offers := make(chan casting.Offer, 1)
		offers <- casting.Offer{Text: "found on this machine: ollama", Contestants: []arena.Contestant{{Name: "qwen3", Model: "qwen3:8b"}, {Name: "her-rl"}}}
		o.Offers = offers
		var cast casting.Cast
		start := o.StartDuel
		o.StartDuel = func(ctx context.Context, c casting.Cast) (Duel, error) {
			cast = c
			return start(ctx, c)
		}
		p := sit(t, o)
		contains(t, p.hears(), "Scene. Enter takes 1.", "1. harbour, The harbour office: A clerk guards", "2. pier, The pier")
		p.types("9")
		contains(t, p.hears(), `There is no "9" here. Type a number from 1 to 2`)
		p.types("pier")
		contains(t, p.hears(), "found on this machine: ollama.", "Side A. Enter takes 1.", "3. qwen3: qwen3:8b.")
		p.types("3")
		contains(t, p.hears(), "Side B. Enter takes 2.")
		p.types("")
		contains(t, p.hears(), "Critic. Enter takes 1.")
		p.types("no critic")
		contains(t, p.hears(), "Canon. Enter takes 1.", "5. parallel")
		p.types("critic")
		contains(t, p.hears(), "Blind. Enter takes 1.")
		p.types("yes")
		contains(t, p.hears(), "Blind: the sides are shuffled", "Nobody judges but you.", "Your turn.")
		if cast.Scene.ID != "pier" || cast.Contestants[0].Name != "qwen3" || cast.Contestants[1].Name != "plain-8b" || cast.Critic.Critic != nil || cast.Canon != arena.CanonCritic || !cast.Blind {
			t.Errorf("cast as %+v", cast)
		}
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
	})
}

func TestStartTakesAllThatIsLeftAndLeavingStartsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := sit(t, options(stagetest.New(stagetest.Script()...)))
		p.types("start")
		contains(t, p.hears(), "A is her-rl, model her-32b. B is plain-8b.", "Your turn.")
		if err := p.leaves(); err != nil {
			t.Error(err)
		}
		for _, how := range []func(*person){
			func(p *person) { p.types("/quit") },
			func(p *person) { _ = p.in.Close() },
			func(p *person) { p.interrupts <- os.Interrupt },
		} {
			o := options(nil)
			o.StartDuel = func(context.Context, casting.Cast) (Duel, error) {
				t.Error("a duel was started")
				return nil, errors.New("no")
			}
			p := sit(t, o)
			how(p)
			if err := <-p.ended; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
}
