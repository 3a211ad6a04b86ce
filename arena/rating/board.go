package rating

import "math"

// Row is a contestant's line on a board. Ratings are in Elo points; battles are
// counted by weight, so that a flipped verdict is half a win and half a loss.
type Row struct {
	Contestant string  `json:"contestant"`
	Elo        float64 `json:"elo"` // online, in the order of the battles
	BT         float64 `json:"bt"`  // Bradley–Terry
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Rank       int     `json:"rank"`
	Battles    float64 `json:"battles"`
	Wins       float64 `json:"wins"`
	Losses     float64 `json:"losses"`
	Ties       float64 `json:"ties"`
	BothBad    float64 `json:"both_bad"`
}

// Board is a table of ratings with what it cannot say.
type Board struct {
	// Battles is the number of battles rated, by weight, rounded.
	Battles  int      `json:"battles"`
	Warnings []string `json:"warnings"`
	// Ratings are sorted by BT, best first.
	Ratings []Row `json:"ratings"`
}

// NewBoard rates the battles in both ways. The lists of the board are never
// nil.
func NewBoard(battles []Battle, o Options) Board {
	index, indexed, left := number(battles)
	elo := online(len(index.names), indexed, false, o.Elo.withDefaults())
	fitted := fitAll(index.names, indexed, left, o)
	counts, total := tally(len(index.names), indexed)
	b := Board{
		Battles:  int(math.Round(total)),
		Warnings: append([]string{}, fitted.Warnings...),
		Ratings:  make([]Row, 0, len(fitted.Estimates)),
	}
	if w := orderWarning(index.names, indexed, elo, o.Elo.withDefaults()); w != "" {
		b.Warnings = append(b.Warnings, w)
	}
	for _, e := range fitted.Estimates {
		i := index.of[e.Contestant]
		row := counts[i]
		row.Contestant, row.Elo, row.BT = e.Contestant, elo[i], e.Rating
		row.Low, row.High, row.Rank = e.Low, e.High, e.Rank
		b.Ratings = append(b.Ratings, row)
	}
	return b
}

// tally counts each contestant's battles by their ends, and all by weight.
func tally(contestants int, battles []indexedBattle) (rows []Row, total float64) {
	rows = make([]Row, contestants)
	for _, b := range battles {
		x, y, w := &rows[b.a], &rows[b.b], b.weight
		total += w
		x.Battles += w
		y.Battles += w
		switch b.outcome {
		case Win:
			x.Wins += w
			y.Losses += w
		case Loss:
			x.Losses += w
			y.Wins += w
		case Tie:
			x.Ties += w
			y.Ties += w
		case BothBad:
			x.BothBad += w
			y.BothBad += w
		}
	}
	return rows, total
}
