package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/tui/archive"
	"herarena/tui/casting"
	"herarena/tui/look"
	"herarena/tui/replay"
	"herarena/tui/stage/stagetest"
)

// pastDuel is a recorded duel of one turn.
func pastDuel() *ledger.DuelFull {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := &ledger.DuelFull{DuelRecord: arena.DuelRecord{ID: "past1", SceneTitle: "The harbour office", Contestants: stagetest.Contestants(), Critic: "house", Started: at}}
	t := ledger.FullTurn{Turn: arena.Turn{ID: "t", Number: 1, Line: "A line of long ago.", Seats: [2]int{0, 1}, Canon: 0, Started: at}}
	for c, take := range []stagetest.Take{stagetest.Layered(), stagetest.Bare()} {
		t.Swipes[c] = []*arena.Reply{{ID: string(rune('a' + c)), Contestant: c, Segments: take.Segments, Complete: true, Finish: arena.FinishStop, Started: at, FirstByte: 100 * time.Millisecond, Total: time.Second}}
	}
	d.Turns = []ledger.FullTurn{t}
	return d
}

// withPast gives a house an archive of one duel.
func withPast() (*house, *[]archive.Continue) {
	h := open()
	asked := &[]archive.Continue{}
	d := pastDuel()
	h.Archive = &archive.Options{
		Duels: func(context.Context, ledger.Filter) ([]ledger.DuelSummary, error) {
			return []ledger.DuelSummary{{ID: d.ID, SceneTitle: d.SceneTitle, Contestants: [2]string{"her-rl", "plain-8b"}, Critic: "house", Turns: 1, Started: d.Started}}, nil
		},
		Duel: func(context.Context, string) (*ledger.DuelFull, error) { return d, nil },
	}
	h.Continue = func(_ context.Context, c archive.Continue) (casting.Cast, error) {
		*asked = append(*asked, c)
		if len(*asked) == 1 {
			return casting.Cast{}, errors.New("plain-8b is not here any more")
		}
		return casting.Cast{Scene: h.Scenes[0], Contestants: stagetest.Contestants(), Critic: h.Critics[0]}, nil
	}
	return h, asked
}

func TestAnEveningInTheArchive(t *testing.T) {
	t.Parallel()
	h, asked := withPast()
	x := h.enter(t, 120, 36)
	x.WaitFor(t, "Cast")
	x.Press("f8")
	x.WaitFor(t, "past duels")
	x.WaitFor(t, "A line of long ago.")
	x.Press("enter")
	x.WaitFor(t, "turn 1 of 1")
	x.Press("r")
	x.WaitFor(t, "plays")
	x.WaitFor(t, "over")
	x.Press("?")
	x.WaitFor(t, "hold, go on")
	x.Press("esc")
	x.WaitGone(t, "hold, go on")
	x.Press("esc") // the replay
	x.WaitFor(t, "turn 1 of 1")
	x.Press("w")
	x.WaitFor(t, "cannot be gone on with: plain-8b is not here any more")
	x.Press("w")
	x.WaitFor(t, "you play Captain Roe")
	x.WaitGone(t, "turn 1 of 1")
	x.Press("esc")
	x.WaitFor(t, "turn 1 of 1")
	x.Press("esc")
	x.WaitFor(t, "past duels")
	x.Press("esc")
	x.WaitFor(t, "Cast")
	if len(*asked) != 2 || (*asked)[1] != (archive.Continue{DuelID: "past1", Turn: 1}) {
		t.Errorf("asked to go on with %v", *asked)
	}
	x.Press("ctrl+q")
	x.WaitDone(t)
}

// TestAFirstScreenEndsTheProgram: a replay of its own ends with esc, and with
// ctrl+c at once.
func TestAFirstScreenEndsTheProgram(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "q", "ctrl+c"} {
		h := open()
		h.First = func(l *look.Look) Screen { return replay.New(replay.Options{Duel: pastDuel(), Look: l}) }
		x := h.enter(t, 80, 24)
		x.WaitFor(t, "plays")
		x.Press(key)
		x.WaitDone(t)
	}
}

func TestWithoutAnArchiveItIsSaid(t *testing.T) {
	t.Parallel()
	x := open().enter(t, 80, 24)
	x.WaitFor(t, "Cast")
	x.Press("f8")
	x.WaitFor(t, "there is no archive here")
	if strings.Contains(x.Screen(), "past duels") {
		t.Error("it opened all the same")
	}
}
