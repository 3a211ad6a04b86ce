package card

import (
	"testing"

	"herarena/arena"
)

func principle(name string) arena.Principle { return arena.Principle{Name: name} }

func comparison(name string, w arena.Choice, degree string) arena.Comparison {
	return arena.Comparison{Name: name, First: "one " + name, Second: "two " + name, Winner: w, Degree: degree}
}

func TestMergeSpeaksOfSides(t *testing.T) {
	t.Parallel()
	cards := Merge([2]arena.Verdict{
		{Comparisons: []arena.Comparison{comparison("Wit", arena.First, "clear")}},
		{Comparisons: []arena.Comparison{comparison("wit ", arena.Second, "slight")}},
	})
	if len(cards) != 1 {
		t.Fatalf("%d cards, want the name folded to one: %+v", len(cards), cards)
	}
	c := cards[0]
	if w, split := c.Winner(); w != arena.ChoseA || split {
		t.Errorf("Winner() = %q, %v; both orders name side A", w, split)
	}
	if c.Opinions[1].A != "two wit " || c.Opinions[1].B != "one wit " {
		t.Errorf("the second order's texts are not turned to sides: %+v", c.Opinions[1])
	}
	if c.Degree() != "slight" {
		t.Errorf("Degree() = %q, want the weaker word", c.Degree())
	}
	if c.Lean() != -1.5 {
		t.Errorf("Lean() = %v, want -1.5", c.Lean())
	}
}

func TestMergeKeepsOrderAndExtras(t *testing.T) {
	t.Parallel()
	cards := Merge([2]arena.Verdict{
		{Principles: []arena.Principle{principle("B"), principle("A")}},
		{Principles: []arena.Principle{principle("A"), principle("C")}, Comparisons: []arena.Comparison{comparison("D", arena.Tie, "")}},
	})
	got := ""
	for _, c := range cards {
		got += c.Principle.Name
	}
	if got != "BACD" {
		t.Errorf("order %q, want BACD", got)
	}
}

func TestMergeNeverHidesARepeatedName(t *testing.T) {
	t.Parallel()
	cards := Merge([2]arena.Verdict{{Comparisons: []arena.Comparison{
		comparison("X", arena.First, ""), comparison("X", arena.Second, ""), comparison("", arena.First, ""), comparison("–", arena.First, ""),
	}}, {}})
	if len(cards) != 2 || cards[0].Key == cards[1].Key {
		t.Errorf("cards = %+v, want two with different keys and no nameless one", cards)
	}
}

func TestSplitOrdersHaveNoWinner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second, want arena.Choice
		split               bool
	}{
		{arena.ChoseA, arena.ChoseA, arena.ChoseA, false},
		{arena.ChoseA, arena.ChoseB, arena.NoChoice, true},
		{arena.ChoseA, arena.Tie, arena.NoChoice, true},
		{arena.NoChoice, arena.ChoseB, arena.ChoseB, false},
		{arena.Tie, arena.NoChoice, arena.Tie, false},
		{arena.NoChoice, arena.NoChoice, arena.NoChoice, false},
	} {
		card := Card{Opinions: [2]Opinion{{Winner: c.first}, {Winner: c.second}}}
		if w, split := card.Winner(); w != c.want || split != c.split {
			t.Errorf("%q and %q: Winner() = %q, %v, want %q, %v", c.first, c.second, w, split, c.want, c.split)
		}
	}
}

func TestUnknownWinnersAreNoWinners(t *testing.T) {
	t.Parallel()
	cards := Merge([2]arena.Verdict{{Comparisons: []arena.Comparison{comparison("X", arena.Choice("cand_3"), "")}}, {}})
	if !cards[0].Undecided() {
		t.Errorf("a winner outside the pair counts: %+v", cards[0])
	}
}

func TestProseSpeaksOfSidesInBothOrders(t *testing.T) {
	for _, c := range []struct {
		order      arena.Order
		text, want string
	}{
		{arena.AFirst, "cand_1 is warmer than Candidate 2.", "A is warmer than B."},
		{arena.BFirst, "cand_1 is warmer than Response 2.", "B is warmer than A."},
		{arena.AFirst, "cand_12 and scand_1 stay", "cand_12 and scand_1 stay"},
	} {
		if got := inSides(c.order, c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.order, c.text, got, c.want)
		}
	}
}
