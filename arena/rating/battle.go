// Package rating turns battles into tables of ratings: online Elo in the order
// of the battles, and Bradley–Terry ratings fitted to all of them at once, with
// intervals and ranks that follow from the intervals.
//
// Every fit works on the counts of each pair and outcome, so its cost depends
// on the number of pairs and not on the number of battles. Results never hold
// NaN or infinity: where the data give no finite answer, the package says so in
// a warning and tells which contestants it concerns.
package rating

import (
	"fmt"
	"time"

	"herarena/arena"
)

// Outcome is how a battle ended, seen from contestant A.
type Outcome uint8

// The outcomes. The zero value is no outcome; such a battle is left out.
const (
	Win     Outcome = iota + 1 // A is better
	Loss                       // B is better
	Tie                        // equally good
	BothBad                    // neither is acceptable
)

// String returns the label of the outcome in FastChat's battle files.
func (o Outcome) String() string {
	switch o {
	case Win:
		return "model_a"
	case Loss:
		return "model_b"
	case Tie:
		return "tie"
	case BothBad:
		return "tie (bothbad)"
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// score returns A's share of the point: 1, 0, or ½ for both kinds of tie.
func (o Outcome) score() float64 {
	switch o {
	case Win:
		return 1
	case Loss:
		return 0
	}
	return 0.5
}

// Battle is one comparison of two contestants.
type Battle struct {
	A, B    string // names of the contestants
	Outcome Outcome
	// Weight is how much the battle counts, between 1e-6 and 1e6; 0 stands for
	// 1. The two halves of a flipped verdict come as two battles of weight ½.
	Weight float64
	// About tells what the battle was about, for boards of a part and for the
	// control of style; nil where nothing is known.
	About *About
}

// About is what a battle was about. Empty fields are not known.
type About struct {
	Dimension string // of the principles compared
	Character string // who was played
	Scene     string
	Source    string // of the judgement, in a file that names it
	Language  string
	Turn      int // from 1
	Voter     string
	At        time.Time
	// Orders holds a critic's answers with A shown first and with B, 0 for none.
	Orders [2]Outcome
	// Style holds the features of A's reply and of B's, where Styled is set.
	Style  [2]Style
	Styled bool
}

// Beyond these a sum of weights would lose digits that ratings need.
const (
	leastWeight = 1e-6
	mostWeight  = 1e6
)

// weight returns the weight that counts and whether it can be used.
func (b Battle) weight() (w float64, ok bool) {
	if b.Weight == 0 {
		return 1, true
	}
	return b.Weight, b.Weight >= leastWeight && b.Weight <= mostWeight
}

// fault says why a battle cannot be rated, "" where it can.
func (b Battle) fault() string {
	switch {
	case b.A == "" || b.B == "":
		return "a contestant without a name"
	case b.A == b.B:
		return "a contestant against itself"
	case b.Outcome < Win || b.Outcome > BothBad:
		return "no outcome"
	}
	if _, ok := b.weight(); !ok {
		return "a weight outside 1e-6 to 1e6"
	}
	return ""
}

// Counting returns those of the ledger's battles that count, as battles to
// rate, in the order given.
func Counting(battles []arena.Battle) []Battle {
	kept := make([]Battle, 0, len(battles))
	for _, b := range battles {
		if !b.Counted {
			continue
		}
		kept = append(kept, Battle{
			A: b.A, B: b.B, Outcome: OutcomeOf(b.Outcome), Weight: b.Weight,
			About: &About{Scene: b.SceneID, Language: b.Language, Turn: b.Turn, Voter: b.Judge, At: b.At},
		})
	}
	return kept
}

// OutcomeOf returns the outcome of a vote or verdict in sides; 0 for one that
// decides nothing.
func OutcomeOf(c arena.Choice) Outcome {
	switch c {
	case arena.ChoseA:
		return Win
	case arena.ChoseB:
		return Loss
	case arena.Tie:
		return Tie
	case arena.BothBad:
		return BothBad
	}
	return 0
}
