package tui

import (
	"context"
	"testing"

	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/tui/board"
)

// withPair gives a house a board whose next pair is a and b.
func withPair(h *house, a, b string) {
	h.Sources = func(context.Context) ([]string, error) { return []string{"vote"}, nil }
	h.BoardView = func(context.Context, board.Query) (board.View, error) {
		return board.View{
			Board:    rating.Board{Battles: 1, Ratings: []rating.Row{{Contestant: "her-rl"}, {Contestant: "plain-8b"}}},
			Next:     rating.Next{Pairs: []rating.Meeting{{A: a, B: b, Probability: 1}}, Reason: "The order is open."},
			Meetings: []board.Meeting{{A: a, B: b, Outcome: rating.Win, DuelID: "imported", Turn: 3}},
		}, nil
	}
	h.DrawPair = func(context.Context, string, rating.Next) (board.Drawn, error) {
		return board.Drawn{A: b, B: a, Text: "a pair was drawn"}, nil
	}
}

// The pair that the board draws stands on the casting, its sides as drawn.
func TestADrawnPairIsCast(t *testing.T) {
	t.Parallel()
	h := open()
	withPair(h, h.Contestants[0].Name, h.Contestants[1].Name)
	x := h.enter(t, 120, 36)
	x.WaitFor(t, "Cast")
	x.Press("b")
	x.WaitFor(t, "1 battle")
	x.Press("6")
	x.WaitFor(t, "The order is open.")
	x.Press("enter")
	x.WaitFor(t, "a pair was drawn")
	x.Press("p")
	x.WaitFor(t, "A and B are the pair from the board")
	x.WaitFor(t, "A       "+h.Contestants[1].Name)
	x.WaitFor(t, "B       "+h.Contestants[0].Name)
	x.Press("ctrl+q")
	x.WaitDone(t)
}

func TestAPairThatIsNotConfiguredIsTold(t *testing.T) {
	t.Parallel()
	h, _ := withPast()
	withPair(h, "of-a-file", h.Contestants[1].Name)
	h.Archive.Duel = func(context.Context, string) (*ledger.DuelFull, error) { return &ledger.DuelFull{}, nil }
	x := h.enter(t, 120, 36)
	x.WaitFor(t, "Cast")
	x.Press("b")
	x.WaitFor(t, "1 battle")
	x.Press("4")
	x.WaitFor(t, "against")
	x.Press("p")
	x.WaitFor(t, "of-a-file cannot be cast")
	x.Press("enter")
	x.WaitFor(t, "the newest first")
	x.Press("enter")
	x.WaitFor(t, "there is nothing to read")
	x.Press("ctrl+q")
	x.WaitDone(t)
}
