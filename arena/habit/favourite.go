package habit

import (
	"maps"
	"math"
	"slices"

	"herarena/arena"
)

const (
	// tasteSlack is how far an honest voter's opinion of one contestant may lie
	// from that of the others, in log-odds: 61 points of Elo. What the others
	// think is known only so well; one deviation of it is added.
	tasteSlack = 0.35
	// Above so many voters one alone hardly moves what all think, and only in
	// favour of being found honest: then nobody is left out of it.
	mostLeftOut = 500
)

// pushes are the habits in the mixture: by how much the log-odds of the
// contestant are pushed, up or down.
var pushes = [...]float64{1, 2, 3, 4, 6}

// meeting is a vote on a contestant: how likely the others would choose it, in
// log-odds, and whether this voter did.
type meeting struct {
	odds   float64
	chosen bool
}

// favourites tells of each voter whether a contestant is chosen, or not chosen,
// whatever it says.
func favourites(voters []string, byVoter map[string][]Vote) []Test {
	index := make(map[string]int)
	var names []string
	c := make(counts)
	for _, voter := range voters {
		for _, v := range byVoter[voter] {
			for _, name := range []string{v.A, v.B} {
				if _, ok := index[name]; !ok {
					index[name] = len(names)
					names = append(names, name)
				}
			}
		}
	}
	for _, voter := range voters {
		c.add(byVoter[voter], index, 1)
	}
	all := &taste{strength: make([]float64, len(names)), deviation: make([]float64, len(names))}
	all.fit(c, 50)
	tests := make([]Test, 0, len(voters))
	for _, voter := range voters {
		others := all
		if len(voters) <= mostLeftOut {
			c.add(byVoter[voter], index, -1)
			others = &taste{strength: slices.Clone(all.strength), eta: all.eta, deviation: slices.Clone(all.deviation)}
			others.fit(c, 5)
			c.add(byVoter[voter], index, 1)
		}
		tests = append(tests, favouriteOf(byVoter[voter], others, index, names))
	}
	return tests
}

// favouriteOf averages the evidence over all contestants, so that looking at
// many of them finds nothing by itself.
func favouriteOf(votes []Vote, others *taste, index map[string]int, names []string) Test {
	met := make(map[int][]meeting)
	for _, v := range votes {
		a, b := index[v.A], index[v.B]
		pa, pb, _ := others.chances(a, b)
		met[a] = append(met[a], meeting{logit(pa), v.Outcome == arena.ChoseA})
		met[b] = append(met[b], meeting{logit(pb), v.Outcome == arena.ChoseB})
	}
	t := Test{Voter: votes[0].Voter, Kind: Favourite, LogE: math.Inf(-1)}
	best := math.Inf(-1)
	for _, k := range slices.Sorted(maps.Keys(met)) {
		up, down := pushed(met[k], tasteSlack+others.deviation[k])
		both := logSum(up, down) - math.Ln2
		t.LogE = logSum(t.LogE, both)
		if both > best {
			best = both
			t.Subject, t.Against, t.Votes, t.Hits, t.Expected = names[k], down > up, len(met[k]), 0, 0
			for _, m := range met[k] {
				p := 1 / (1 + math.Exp(-m.odds))
				if t.Against {
					p = 1 - p
				}
				t.Expected += p
				if m.chosen != t.Against {
					t.Hits++
				}
			}
		}
	}
	if rest := len(names) - len(met); rest > 0 { // no evidence either way: 1 each
		t.LogE = logSum(t.LogE, math.Log(float64(rest)))
	}
	t.LogE -= math.Log(float64(len(names)))
	return t
}

// pushed returns the logarithms of how much better the meetings are explained by
// a push up, and by one down, than by the best-fitting voter whose log-odds lie
// within the slack of the others'.
func pushed(meetings []meeting, slack float64) (up, down float64) {
	honest := likelihood(meetings, fitted(meetings, slack))
	up, down = math.Inf(-1), math.Inf(-1)
	for _, push := range pushes {
		up = logSum(up, likelihood(meetings, push)-honest)
		down = logSum(down, likelihood(meetings, -push)-honest)
	}
	n := math.Log(float64(len(pushes)))
	return up - n, down - n
}

// fitted is the push within the slack that explains the meetings best. The slope
// of the likelihood falls, so that halving finds where it is 0.
func fitted(meetings []meeting, slack float64) float64 {
	slope := func(push float64) float64 {
		out := 0.0
		for _, m := range meetings {
			if m.chosen {
				out++
			}
			out -= 1 / (1 + math.Exp(-m.odds-push))
		}
		return out
	}
	low, high := -slack, slack
	switch {
	case slope(low) <= 0:
		return low
	case slope(high) >= 0:
		return high
	}
	for range 30 {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

func likelihood(meetings []meeting, push float64) float64 {
	out := 0.0
	for _, m := range meetings {
		x := m.odds + push
		if !m.chosen {
			x = -x
		}
		out -= math.Log1p(math.Exp(-x))
	}
	return out
}

func logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p) - math.Log1p(-p)
}

// logSum is log(exp(a) + exp(b)).
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
