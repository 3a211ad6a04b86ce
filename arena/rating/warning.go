package rating

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A contestant with fewer battles than this is named in a warning: at 20 even
// battles the 95 % interval is still some 150 points to either side.
const fewBattles = 20

// listed is how many names a warning holds before it says how many more.
const listed = 5

// warnings says what the fitted ratings cannot.
func warnings(names []string, agg *aggregate, s *solution, left map[string]int) []string {
	groups, loose := s.groups, s.loose
	w := []string{}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		w = append(w, fmt.Sprintf("%s left out: %s.", amount(float64(left[why]), "battle"), why))
	}
	if agg.count == 0 {
		return append(w, "There are no battles to rate.")
	}
	rows := agg.rows(len(names))
	if len(names) == 2 {
		w = append(w, winRate(names, rows))
	}
	if len(groups) > 1 {
		w = append(w, apart(names, groups))
	}
	w = append(w, oneSided(names, rows, groups)...)
	var few []string
	for i, r := range rows {
		if r.Battles < fewBattles {
			few = append(few, fmt.Sprintf("%s (%s)", names[i], digits(r.Battles)))
		}
	}
	if len(few) > 0 {
		w = append(w, fmt.Sprintf("Fewer than %d battles: %s. Expect these ratings to move.", fewBattles, some(few, listed)))
	}
	if len(loose) > 0 {
		w = append(w, fmt.Sprintf("The fit of %s did not settle; their ratings are approximate.", some(pick(names, loose), listed)))
	}
	for _, g := range groups {
		if len(g.members) > denseVariance {
			w = append(w, fmt.Sprintf("One group holds %d contestants; above %d the intervals take opponents' ratings as known and are too narrow.",
				len(g.members), denseVariance))
		}
	}
	return w
}

func winRate(names []string, rows []Row) string {
	a, b := 0, 1
	score := func(i int) float64 { return rows[i].Wins + (rows[i].Ties+rows[i].BothBad)/2 }
	if score(b) > score(a) {
		a, b = b, a
	}
	return fmt.Sprintf("Only two contestants: the ratings say no more than a win rate. %s has %.1f %% of the points against %s over %s, ties as half.",
		names[a], 100*score(a)/rows[a].Battles, names[b], amount(rows[a].Battles, "battle"))
}

func apart(names []string, groups []*group) string {
	sets := make([]string, 0, len(groups))
	for _, g := range groups {
		sets = append(sets, "{"+some(pick(names, g.members), listed)+"}")
	}
	return fmt.Sprintf("The battles form %d groups that never met: %s. Ratings and ranks compare only within a group.",
		len(groups), some(sets, listed))
}

// oneSided names the contestants whose rating rests on an added tie.
func oneSided(names []string, rows []Row, groups []*group) []string {
	var winless, unbeaten, rest []string
	for _, g := range groups {
		if g.classes <= 1 {
			continue
		}
		main := g.mainClass()
		for i, m := range g.members {
			r := rows[m]
			switch {
			case r.Losses == r.Battles:
				winless = append(winless, names[m])
			case r.Wins == r.Battles:
				unbeaten = append(unbeaten, names[m])
			case g.class[i] != main:
				rest = append(rest, names[m])
			}
		}
	}
	held := "one tie was added in the fit to keep it finite"
	if len(groups) > 0 && groups[0].pulled {
		held = "the ridge decides"
	}
	var w []string
	if len(winless) > 0 {
		w = append(w, fmt.Sprintf("Lost every battle: %s. How far below cannot be known; %s.", some(winless, listed), held))
	}
	if len(unbeaten) > 0 {
		w = append(w, fmt.Sprintf("Won every battle: %s. How far above cannot be known; %s.", some(unbeaten, listed), held))
	}
	if len(rest) > 0 {
		w = append(w, fmt.Sprintf("All points went one way between %s and the others. How far apart cannot be known; %s.", some(rest, listed), held))
	}
	return w
}

// orderWarning says how far the online rating is from the one that the same
// battles give backwards.
func orderWarning(names []string, battles float64, forwards, backwards []float64) string {
	if battles < 2 {
		return ""
	}
	most, who := 0.0, 0
	for i := range names {
		if d := math.Abs(forwards[i] - backwards[i]); d > most {
			most, who = d, i
		}
	}
	if most < 1 {
		return ""
	}
	best := func(r []float64) int {
		at := 0
		for i := range r {
			if r[i] > r[at] {
				at = i
			}
		}
		return at
	}
	text := fmt.Sprintf("Elo depends on the order of the battles: taken backwards, %s moves by %.1f points", names[who], most)
	if x, y := best(forwards), best(backwards); x != y {
		text += fmt.Sprintf(" and %s leads in place of %s", names[y], names[x])
	}
	return text + ". Fitted ratings do not."
}

func fragilityWarning(f *Fragility) string {
	if f == nil || !f.Few() {
		return ""
	}
	return f.String() + " Let the two meet more often."
}

// String says what the first place rests on.
func (f *Fragility) String() string {
	without := "them"
	if f.Battles == 1 {
		without = "it"
	}
	return fmt.Sprintf("The first place of %s rests on %s (%s %%): without %s %s leads.",
		f.Leader, amount(float64(f.Battles), "battle"), strconv.FormatFloat(100*f.Share, 'g', 2, 64), without, f.Rival)
}

func pick(names []string, members []int32) []string {
	picked := make([]string, len(members))
	for i, m := range members {
		picked[i] = names[m]
	}
	return picked
}

func some(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

func amount(n float64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return digits(n) + " " + noun
}

// digits writes a sum of weights, rounded to hundredths.
func digits(n float64) string {
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
}
