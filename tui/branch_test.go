package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/tui/casting"
	"herarena/tui/stage"
	"herarena/tui/stage/stagetest"
)

// keeping is a house that keeps the casts of its duels, and gives a branch its
// past.
func keeping() (*house, *[]casting.Cast) {
	h, casts := open(), &[]casting.Cast{}
	h.StartDuel = func(_ context.Context, c casting.Cast) (stage.Duel, error) {
		d := stagetest.New(stagetest.Script()...)
		d.Before = c.Past
		h.duels = append(h.duels, d)
		*casts = append(*casts, c)
		return d, nil
	}
	return h, casts
}

func TestABranchTakesThePlaceOfItsDuel(t *testing.T) {
	h, casts := keeping()
	h.Open = true
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "listens once both have replied")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "4 both bad")
	x.Press("alt+g")
	x.WaitFor(t, "history, 1 turn from duel 06duel")
	x.WaitFor(t, "listens once both have replied")
	if c := (*casts)[1]; c.Origin != (arena.Origin{DuelID: "06duel", Turn: 1}) || len(c.Past) != 1 || c.Past[0].Line != "I need a berth." || c.Say {
		t.Errorf("the branch is cast as %+v", c)
	}
	x.Type("Then the other one.\n")
	x.WaitFor(t, "4 both bad")
	x.Press("alt+e")
	x.WaitFor(t, "your line of turn 2 anew")
	x.Press("ctrl+u")
	x.Type("No.\n")
	x.WaitFor(t, "› No.")
	if c := (*casts)[2]; c.Line != "No." || !c.Say || c.Origin.Turn != 1 || len(c.Past) != 1 {
		t.Errorf("the line is cast as %+v", c)
	}
	x.WaitFor(t, "4 both bad")
	x.Press("esc", "esc") // leaving leaves the branch, and with it the scene
	x.WaitFor(t, "Choose: Scene")
	until(t, "all duels are closed", func() bool {
		for _, d := range h.duels {
			select {
			case _, open := <-d.Events():
				if open {
					return false
				}
			default:
				return false
			}
		}
		return true
	})
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in ten seconds: %s", what)
		}
	}
}

// unwilling is a duel that takes no note.
type unwilling struct{ *stagetest.Duel }

func (unwilling) Direct(string) error { return errors.New("no notes today") }

func TestTheNoteOfALineGoesAlong(t *testing.T) {
	h, _ := keeping()
	h.Open = true
	start, refuse := h.StartDuel, false
	h.StartDuel = func(ctx context.Context, c casting.Cast) (stage.Duel, error) {
		d, err := start(ctx, c)
		if refuse {
			return unwilling{d.(*stagetest.Duel)}, err
		}
		return d, err
	}
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "listens once both have replied")
	x.Press("alt+n")
	x.Type("It rains.\n")
	x.WaitFor(t, "note with your next line: It rains.")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "4 both bad")
	x.WaitFor(t, "director: It rains.")
	refuse = true
	x.Press("alt+e")
	x.Type("!\n")
	x.WaitFor(t, "the branch could not be opened: no notes today")
	refuse = false
	x.Press("alt+e")
	x.Type("?\n")
	x.WaitFor(t, "› I need a berth.?")
	if calls := h.duels[2].Calls(); len(calls) != 2 || calls[0] != "direct It rains." || calls[1] != "say I need a berth.?" {
		t.Errorf("the branch is asked for %q", calls)
	}
	x.WaitFor(t, "4 both bad")
}

func TestAnotherCastIsAnotherBattle(t *testing.T) {
	h, casts := keeping()
	h.Open = true
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "listens once both have replied")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "4 both bad")
	x.Press("alt+w")
	x.WaitFor(t, "The story goes on with another cast")
	x.Press("right", "down", "down", "right", "enter")
	x.WaitFor(t, "history, 1 turn from duel 06duel")
	x.WaitFor(t, "A  plain-8b")
	x.WaitFor(t, "no critic")
	if c := (*casts)[1]; c.Contestants[0].Name != "plain-8b" || c.Critic.Critic != nil || len(c.Past) != 1 || c.Scene.ID != "harbour" {
		t.Errorf("the battle is cast as %+v", c)
	}
}

func TestABranchFromAnotherDuelTakesItsPastFromTheLedger(t *testing.T) {
	h, casts := keeping()
	h.Open = true
	h.Family = func(context.Context, string) ([]ledger.Kin, error) {
		return []ledger.Kin{
			{ID: "06root", Turns: []ledger.KinTurn{{Number: 1, Line: "Long ago."}}},
			{ID: "06duel", Origin: arena.Origin{DuelID: "06root", Turn: 1}, Turns: []ledger.KinTurn{{Number: 2, Line: "Now."}}},
		}, nil
	}
	missing := true
	h.History = func(_ context.Context, from arena.Origin) ([]arena.PastTurn, error) {
		if missing {
			return nil, errors.New("the ledger is busy")
		}
		return []arena.PastTurn{{Line: "Long ago.", Reply: stagetest.Bare().Segments}}[:from.Turn], nil
	}
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "listens once both have replied")
	for range 2 {
		x.Press("alt+t")
		x.WaitFor(t, "Long ago.")
		x.Press("up", "up", "enter")
		if missing {
			x.WaitFor(t, "the branch could not be opened: the ledger is busy")
			missing = false
		}
	}
	x.WaitFor(t, "history, 1 turn from duel 06root")
	if n := len(*casts); n != 2 || (*casts)[1].Origin.DuelID != "06root" {
		t.Errorf("%d duels: %+v", n, *casts)
	}
}

func TestABranchThatCannotStartLeavesItsDuel(t *testing.T) {
	h, _ := keeping()
	start, calls := h.StartDuel, 0
	h.StartDuel = func(ctx context.Context, c casting.Cast) (stage.Duel, error) {
		if calls++; calls > 1 {
			return nil, errors.New("contestant B has no endpoint")
		}
		return start(ctx, c)
	}
	h.Open = true
	x := h.enter(t, 120, 40)
	x.WaitFor(t, "listens once both have replied")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "4 both bad")
	x.Press("alt+g")
	x.WaitFor(t, "could not be opened: contestant B has no endpoint")
	x.Type("I am still here.\n")
	x.WaitFor(t, "turn 2")
	if s := x.Screen(); strings.Contains(s, "history,") {
		t.Errorf("there is a past:\n%s", s)
	}
}

func TestABranchTakesTheSamplingAlong(t *testing.T) {
	h, _ := keeping()
	h.Open = true
	x := h.enter(t, 140, 40)
	x.WaitFor(t, "listens once both have replied")
	x.Type("I need a berth.\n")
	x.WaitFor(t, "4 both bad")
	x.Press("alt+s", "right", "esc")
	x.WaitFor(t, "sampling changed")
	x.Press("alt+g")
	x.WaitFor(t, "history, 1 turn from duel 06duel")
	x.WaitFor(t, "sampling changed")
	until(t, "the branch has the sampling", func() bool { return len(h.duels) == 2 && h.duels[1].SamplingOf(0).Temperature != nil })
	if got, want := *h.duels[1].SamplingOf(0).Temperature, *h.duels[0].SamplingOf(0).Temperature; got != want {
		t.Errorf("the branch plays with temperature %v, the duel it came from with %v", got, want)
	}
}
