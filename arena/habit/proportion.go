package habit

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"herarena/arena"
)

const (
	// sideSlack is how far from one half an honest voter's choice of a side may
	// lie: people lean a little to what they read first.
	sideSlack = 0.05
	// hasteShare is how often an honest voter may vote before the replies can
	// have been read: where one is plainly broken it takes no reading.
	hasteShare = 0.1
	// fastest is more words a second than anybody reads with understanding: the
	// mean is 4 (238 a minute; Brysbaert 2019, "How many words do we read per
	// minute?"), skimming 8 to 12.
	fastest = 15.0
)

// sideOf tells whether a voter chooses one side. The habit is a uniform mixture
// over all chances of choosing A, the honest voter the best-fitting chance
// within sideSlack of one half.
func sideOf(votes []Vote) (Test, bool) {
	a, n := 0, 0
	for _, v := range votes {
		if v.Drawn && (v.Outcome == arena.ChoseA || v.Outcome == arena.ChoseB) {
			n++
			if v.Outcome == arena.ChoseA {
				a++
			}
		}
	}
	if n == 0 {
		return Test{}, false
	}
	t := Test{Voter: votes[0].Voter, Kind: Side, Subject: arena.A.String(), Votes: n, Hits: a, Expected: float64(n) / 2}
	t.LogE = sideEvidence(a, n)
	if 2*a < n {
		t.Subject, t.Hits = arena.B.String(), n-a
	}
	return t, true
}

// sideEvidence is the logarithm of the e-value of a choices of A among n.
func sideEvidence(a, n int) float64 {
	honest := min(max(float64(a)/float64(n), 0.5-sideSlack), 0.5+sideSlack)
	return mathext.Lbeta(float64(a+1), float64(n-a+1)) - logBinomial(a, n, honest)
}

// hasteOf tells whether a voter votes before there was time to read. The habit
// is a uniform mixture over all shares above hasteShare, the honest voter the
// best-fitting share up to it.
func hasteOf(votes []Vote) (Test, bool) {
	hasty, n := 0, 0
	for _, v := range votes {
		if v.Seen > 0 && v.Words > 0 {
			n++
			if v.Words > fastest*v.Seen.Seconds() {
				hasty++
			}
		}
	}
	if n == 0 {
		return Test{}, false
	}
	t := Test{Voter: votes[0].Voter, Kind: Haste, Votes: n, Hits: hasty, Expected: hasteShare * float64(n)}
	t.LogE = hasteEvidence(hasty, n)
	return t, true
}

// hasteEvidence is the logarithm of the e-value of so many hasty votes among n.
func hasteEvidence(hasty, n int) float64 {
	a, b := float64(hasty+1), float64(n-hasty+1)
	above := mathext.RegIncBeta(b, a, 1-hasteShare) // the part of the mixture above hasteShare
	honest := min(float64(hasty)/float64(n), hasteShare)
	return mathext.Lbeta(a, b) + math.Log(above/(1-hasteShare)) - logBinomial(hasty, n, honest)
}

// logBinomial is the logarithm of the chance of one order of k hits in n.
func logBinomial(k, n int, p float64) float64 {
	out := 0.0
	if k > 0 {
		out += float64(k) * math.Log(p)
	}
	if n > k {
		out += float64(n-k) * math.Log1p(-p)
	}
	return out
}
