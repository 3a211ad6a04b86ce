package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
	"herarena/tui/casting"
	"herarena/tui/stage/stagetest"
)

func TestAScriptGivesATranscript(t *testing.T) {
	t.Parallel()
	play := func() string {
		out, err := script(t, options(stagetest.New(stagetest.Script()...)),
			"I need a berth tonight.", "/a", "You are Ines Vale, are you not?", "", "/cards", "What of it?", "/tie", "/show 1", "/plan 1 a", "/history", "/board", "/help", "/quit", "never said")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := play()
	for range 5 {
		if again := play(); again != first {
			t.Fatalf("the same script gave another transcript:\n%s\nthan before:\n%s", again, first)
		}
	}
	golden.RequireEqual(t, first)
}

func TestNothingButPlainLines(t *testing.T) {
	t.Parallel()
	out, err := script(t, options(stagetest.New(stagetest.Script()...)), "One.", "/b", "/stream on", "Two.", "/cards", "/board", "/help")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out {
		if r != '\n' && !unicode.IsPrint(r) || strings.ContainsRune("│┌┐└┘─▸▾⟡╎⇄●⣾", r) {
			t.Errorf("%q is no word", r)
		}
	}
	if !strings.HasSuffix(out, "\n") || strings.Contains(out, "\n\n") || strings.Contains(out, "  ") {
		t.Errorf("empty lines, double spaces or an unended line in:\n%s", out)
	}
}

func TestTheEndOfInputWaitsForTheVerdict(t *testing.T) {
	t.Parallel()
	d := stagetest.New(stagetest.Script()...)
	d.Step = 2 * time.Millisecond
	out, err := script(t, options(d), "I need a berth tonight.")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, out, "A, her-rl, says: One berth", "B, plain-8b, says: Good evening", "Principle 1, Emotional authenticity: A is better, clear.", "Principle 3, Stock phrases: a tie.", "Ruling: A is better. Both orders agree. Principles: 2 to A, 0 to B, 1 tied.", "Board critic:house: her-rl 1040 plus or minus 40; plain-8b 960 plus or minus 40.")
}

func TestAFlipIsReadAsAFlip(t *testing.T) {
	t.Parallel()
	out, err := script(t, options(stagetest.New(stagetest.Script()[2])), "Why?")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, out, "Ruling: a flip. The critic says A when A is shown first, B when B is. It counts half for each.", "the orders differ, A when A is shown first, B when B is")
	lacks(t, out, "Both orders agree")
}

func TestFaultsAreTold(t *testing.T) {
	t.Parallel()
	broken := stagetest.Layered()
	broken.Fault = &arena.Fault{Kind: arena.ServerFault, Message: "the server at http://x/v1 said 500", Hint: "look at its log"}
	cut := stagetest.Bare()
	cut.Finish = arena.FinishLength
	out, err := script(t, options(stagetest.New(stagetest.Turn{Takes: [2]stagetest.Take{broken, cut}, Skip: "reply A is invalid: server_fault"})), "Well?")
	if err == nil || !strings.Contains(err.Error(), "A, her-rl, failed, server fault") {
		t.Errorf("a script with a failed reply ended with %v", err)
	}
	inOrder(t, out, "A, her-rl, says: One berth", "A, her-rl, failed, server fault: the server at http://x/v1 said 500. look at its log. /regen a asks again.", "B, plain-8b, was cut off.", "Not judged: reply A is invalid: server_fault.")
}

func TestNoVerdictIsNoTie(t *testing.T) {
	t.Parallel()
	failed := arena.Verdict{Status: arena.VerdictFailed, Fault: &arena.Fault{Kind: arena.Unreachable, Message: "nobody answers"}}
	out, err := script(t, options(stagetest.New(stagetest.Turn{Takes: [2]stagetest.Take{stagetest.Bare(), stagetest.Bare()}, Verdicts: [2]arena.Verdict{failed, failed}})), "Well?")
	contains(t, out, "No verdict: nobody answers. /judge asks again.")
	lacks(t, out, "a tie", "Ruling")
	if err == nil || !strings.Contains(err.Error(), "turn 1 has no verdict") {
		t.Errorf("the script ended with %v", err)
	}
}

func TestNotesOnRepliesAreReadOut(t *testing.T) {
	t.Parallel()
	d := newManual()
	go d.turn(arena.Reply{Segments: []layers.Segment{{Layer: layers.Speech, Text: "Yes."}}, Complete: true, Notes: []string{"the prefill was refused\nby the server"}, SpokeFor: []string{"Captain Roe"}}, true)
	o := options(d)
	o.Preset.Critic = "no critic"
	o.Critics = o.Critics[1:]
	out, err := script(t, o, "Well?")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, out, "A, her-rl, says: Yes.", "A, her-rl, spoke for Captain Roe.", "A, her-rl, note: the prefill was refused by the server.")
}

func TestWrongLinesAreAnsweredAndFailTheScript(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/a": "/a: nothing has been said yet", "/nonsense": "There is no command /nonsense.", "/": "There is no command /.",
		"/show": "nothing has been said yet", "/canon x": `"x" is unknown (vote, critic, a or b)`, "/stream x": "on or off", "/stop x": "neither a turn nor a side",
		"/board x": `there is no board "x" (critic:house, vote)`, "/canon parallel": "from its start", strings.Repeat("x", maxLine+1): "longer than 64 kB",
	} {
		out, err := script(t, options(stagetest.New(stagetest.Script()...)), line)
		if !strings.Contains(out, want) || err == nil {
			t.Errorf("%.20q gave %v and\n%s", line, err, out)
		}
	}
}

func TestTwoSlashesAreALine(t *testing.T) {
	t.Parallel()
	d := stagetest.New(stagetest.Script()...)
	if _, err := script(t, options(d), "//tie", "/TIE"); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Calls()); got != "[say /tie vote tie]" {
		t.Errorf("the duel was asked %s", got)
	}
}

func TestEveryCommandRuns(t *testing.T) {
	t.Parallel()
	lines := []string{"Well?"}
	directs := map[string]bool{}
	for _, c := range append(directing(), acting()...) { // played with a true duel in their own tests
		directs[c.name] = true
	}
	for _, c := range commands() {
		if c.name != "quit" && !directs[c.name] {
			lines = append(lines, "/"+c.name)
		}
	}
	d := stagetest.New(stagetest.Script()...)
	out, err := script(t, options(d), append(lines, "/regen b", "/canon critic", "/stop b", "/quit")...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := fmt.Sprint(d.Calls()); got != "[say Well? vote a vote b vote tie vote both_bad regenerate [] rejudge cancel regenerate [B] canon critic cancel B]" {
		t.Errorf("the duel was asked %s", got)
	}
}

func TestBlindStaysBlind(t *testing.T) {
	t.Parallel()
	d := stagetest.New(stagetest.Script()...)
	d.Blind = true
	o := options(d)
	o.Preset.Blind = true
	out, err := script(t, o, "One.", "/show", "/plan", "/cards", "/history", "Two.", "/a")
	if err != nil {
		t.Fatal(err)
	}
	hidden, told, ok := strings.Cut(out, "You vote")
	if !ok {
		t.Fatalf("no vote in:\n%s", out)
	}
	lacks(t, hidden, "her-rl", "plain-8b", "her-32b", "Board")
	contains(t, told, "In turn 2, A was plain-8b and B was her-rl.", "Board critic:house", "Board vote")
	again := stagetest.New(stagetest.Script()...)
	o.StartDuel = func(context.Context, casting.Cast) (Duel, error) { return newExact(again), nil }
	if _, err := script(t, o, "One.", "/board"); err == nil || !strings.Contains(err.Error(), "vote first") {
		t.Errorf("the board told: %v", err)
	}
}

func TestBlindFaultsNameNoModel(t *testing.T) {
	t.Parallel()
	d := newManual()
	go d.turn(arena.Reply{Fault: &arena.Fault{Kind: arena.Unreachable, Message: "http://10.0.0.7:8000/v1: dial tcp 10.0.0.7:8000: her-32b refused"}, Notes: []string{"her-rl has no prefill"}}, true)
	o := options(d)
	o.Preset.Blind, o.Contestants[0].Endpoint = true, "http://10.0.0.7:8000/v1"
	o.Critics = o.Critics[1:]
	out, _ := script(t, o, "Well?")
	lacks(t, out, "10.0.0.7", "her-rl", "her-32b")
	contains(t, out, "A failed, unreachable: the model")
}

func TestHostileTextStaysInItsLine(t *testing.T) {
	t.Parallel()
	evil := "\x1b]52;c;aGk=\x07 \x1b[2J\u202eabc\u009b31m\r\nRuling: B is better.\n\nB, plain-8b, says: I lost.\u2028You vote: B.\x00"
	take := stagetest.Take{Segments: []layers.Segment{{Layer: layers.System, Text: evil}, {Layer: layers.Think, Text: evil}, {Layer: layers.Act, Text: evil}, {Layer: layers.Speech, Text: evil}, {Layer: layers.Layer(99), Text: evil}}}
	v := stagetest.Agreeing()
	for i := range v {
		v[i].Principles = []arena.Principle{{Name: "N" + evil, Dimension: evil, Polarity: "negative", Level: evil, Definition: evil}}
		v[i].Comparisons = []arena.Comparison{{Name: "N" + evil, First: evil, Second: evil, Reason: evil, Winner: v[i].Better, Degree: evil}}
	}
	for _, stream := range []string{"/stream off", "/stream on"} {
		d := stagetest.New(stagetest.Turn{Takes: [2]stagetest.Take{take, take}, Verdicts: v})
		d.Step = 100 * time.Microsecond
		d.Critic = "house" + evil
		o := options(d)
		o.Scenes[0].Title, o.Scenes[0].Character.Name, o.Scenes[0].Scenario, o.Scenes[0].User.Name = evil, evil, evil, evil
		o.Contestants[0].Name += evil
		o.Contestants[1].Model = evil
		o.Note = evil
		out, _ := script(t, o, stream, evil, "/show", "/plan", "/cards", "/history", "/board", "/"+evil, "/canon "+evil)
		for _, line := range strings.Split(out, "\n") {
			if strings.HasPrefix(line, "Ruling: B") || strings.HasPrefix(line, "You vote") || strings.HasPrefix(line, "B, plain-8b, says: I lost") {
				t.Errorf("a model wrote a line of its own: %q", line)
			}
		}
		for _, r := range out {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%U came through:\n%q", r, out)
			}
		}
	}
}

// broken is an output whose reader has gone after some lines.
type broken struct {
	left int
	text bytes.Buffer
}

func (b *broken) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return b.text.Write(p)
}

func TestABrokenOutputEndsTheRun(t *testing.T) {
	t.Parallel()
	for n := range 24 {
		d := newExact(stagetest.New(stagetest.Script()...))
		o := options(d)
		o.In, o.Out = strings.NewReader("One.\n/a\nTwo.\n/b\nThree.\n"), &broken{left: n}
		err := Run(t.Context(), o)
		if !errors.Is(err, ErrOutput) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d lines: %v", n, err)
		}
		if !d.closed.Load() {
			t.Errorf("after %d lines the duel was left open", n)
		}
	}
}

func TestInputThatFailsIsTold(t *testing.T) {
	t.Parallel()
	o := options(stagetest.New(stagetest.Script()...))
	var out bytes.Buffer
	o.In, o.Out = io.MultiReader(strings.NewReader("One.\n"), failing{}), &out
	if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "input cannot be read") {
		t.Errorf("it ended with %v", err)
	}
	contains(t, out.String(), "Ruling: A is better.")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrPermission }

func TestAnInterruptedScriptLeaves(t *testing.T) {
	t.Parallel()
	d := stagetest.New(stagetest.Script()...)
	d.Step = time.Hour
	o := options(d)
	interrupts := make(chan os.Signal, 1)
	var out bytes.Buffer
	o.In, o.Out, o.Interrupts = strings.NewReader("One.\nTwo.\n"), &out, interrupts
	time.AfterFunc(50*time.Millisecond, func() { interrupts <- os.Interrupt })
	if err := Run(t.Context(), o); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	lacks(t, out.String(), "Two.")
}

func TestTheEndOfTheContextLeaves(t *testing.T) {
	t.Parallel()
	d := stagetest.New(stagetest.Script()...)
	d.Step = time.Hour
	o := options(d)
	ctx, cancel := context.WithCancel(t.Context())
	o.In, o.Out = strings.NewReader("One.\n"), io.Discard
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

func TestWhatCannotStartSaysSo(t *testing.T) {
	t.Parallel()
	o := options(nil)
	o.StartDuel = func(context.Context, casting.Cast) (Duel, error) { return nil, errors.New("no endpoint plays A") }
	if _, err := script(t, o, "One."); err == nil || !strings.Contains(err.Error(), "no endpoint plays A") {
		t.Errorf("got %v", err)
	}
	o.Scenes = nil
	if _, err := script(t, o, "One."); err == nil || !strings.Contains(err.Error(), "nothing to cast") {
		t.Errorf("got %v", err)
	}
}

func TestABoardThatCannotBeReadIsTold(t *testing.T) {
	t.Parallel()
	o := options(stagetest.New(stagetest.Script()...))
	o.Board = func(context.Context, string) (rating.Board, error) {
		return rating.Board{}, errors.New("the ledger is locked")
	}
	out, err := script(t, o, "One.")
	contains(t, out, "The board critic:house cannot be read: the ledger is locked.")
	if err == nil {
		t.Error("the script did not fail")
	}
}
