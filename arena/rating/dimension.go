package rating

import (
	"cmp"
	"slices"

	"herarena/arena"
)

// Dimensions returns what a ruling says of each dimension that its principles
// name: the side that won more of the dimension's principles, with half the
// weight for each order where both were given. A verdict that failed says
// nothing. The battles stand between the sides, so names a and b are those of
// the contestants on sides A and B.
func Dimensions(r *arena.Ruling, a, b string) []Battle {
	var battles []Battle
	answered := 0
	for order := range r.Verdicts {
		tally := dimensionsOf(&r.Verdicts[order], arena.Order(order))
		if len(tally) == 0 {
			continue
		}
		answered++
		for dimension, n := range tally {
			outcome := Tie
			switch {
			case n[0] > n[1]:
				outcome = Win
			case n[1] > n[0]:
				outcome = Loss
			}
			battles = append(battles, Battle{A: a, B: b, Outcome: outcome, Weight: 0.5, About: &About{Dimension: dimension}})
		}
	}
	if answered == 1 && r.Agreement != arena.OneOrder && r.Agreement != arena.OneFailed {
		for i := range battles {
			battles[i].Weight = 1
		}
	}
	slices.SortStableFunc(battles, func(x, y Battle) int { return cmp.Compare(x.About.Dimension, y.About.Dimension) })
	return battles
}

// dimensionsOf counts the principles each side won, by dimension.
func dimensionsOf(v *arena.Verdict, order arena.Order) map[string][2]int {
	if v.Status == arena.VerdictFailed || v.Status == arena.VerdictPending {
		return nil
	}
	of := make(map[string]string, len(v.Principles))
	for _, p := range v.Principles {
		of[p.Name] = p.Dimension
	}
	tally := make(map[string][2]int)
	for _, c := range v.Comparisons {
		dimension := of[c.Name]
		if dimension == "" || c.Winner == arena.NoChoice {
			continue
		}
		n := tally[dimension]
		switch order.Side(c.Winner) {
		case arena.ChoseA:
			n[0]++
		case arena.ChoseB:
			n[1]++
		}
		tally[dimension] = n
	}
	return tally
}
