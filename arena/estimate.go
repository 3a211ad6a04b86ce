package arena

import "math"

// Weights of the degrees by which a principle is won: slight, clear,
// significant. A win without a degree counts as slight.
const (
	weightSlight      = 1
	weightClear       = 2
	weightSignificant = 3
)

// closeMargin is the degree-weighted margin under which a verdict is close.
const closeMargin = 0.5

// leastOdds keeps an estimate from certainty that one verdict cannot give.
const leastOdds = 0.02

// Margin is the degree-weighted lead of the first candidate over the second
// among the verdict's principles, from -1 to 1: the weights won by either, tied
// principles counted as slight, divided by their sum. ok is false where no
// principle has a winner.
func (v *Verdict) Margin() (margin float64, ok bool) {
	var first, second, tied float64
	for _, c := range v.Comparisons {
		w := float64(weightSlight)
		switch c.Degree {
		case "clear":
			w = weightClear
		case "significant":
			w = weightSignificant
		}
		switch c.Winner {
		case First:
			first += w
		case Second:
			second += w
		case Tie:
			tied += weightSlight
		}
	}
	if first+second+tied == 0 {
		return 0, false
	}
	return (first - second) / (first + second + tied), true
}

// isClose reports whether another order could well say otherwise.
func isClose(v Verdict) bool {
	if v.Better == NoChoice || v.Better == Tie || v.TallyDisagrees {
		return true
	}
	if l := v.Label; l != nil {
		return math.Max(l.First, l.Second) < 0.5+closeMargin/2
	}
	margin, ok := v.Margin()
	return !ok || math.Abs(margin) < closeMargin
}

// odds is the probability that the first candidate is the better one, by what
// the verdict itself tells: the label's token probabilities with a tie shared out
// in halves; else the degree-weighted margin m as (1+m)/2; else the label alone.
func (v *Verdict) odds() (p float64, ok bool) {
	switch {
	case v.Label != nil:
		return v.Label.First + v.Label.Tie/2, true
	case v.Better == NoChoice:
		return 0, false
	}
	if margin, counted := v.Margin(); counted {
		return (1 + margin) / 2, true
	}
	switch v.Better {
	case First:
		return 0.75, true
	case Second:
		return 0.25, true
	}
	return 0.5, true
}

// Estimate is the probability that side A's reply is the better one, with the
// critic's preference for a place taken out: the mean of both orders' log odds,
//
//	logit p(A) = ½ [logit p(A | A first) + logit p(A | B first)],
//
// in which a constant preference for the first place cancels. With one order it
// is that order's odds, and debiased is false. ok is false without a verdict.
func (r *Ruling) Estimate() (p float64, debiased, ok bool) {
	var sum float64
	n := 0
	for order := range r.Verdicts {
		v := &r.Verdicts[order]
		p, known := v.odds()
		if !known {
			continue
		}
		p = math.Min(math.Max(p, leastOdds), 1-leastOdds)
		if Order(order) == BFirst {
			p = 1 - p
		}
		sum += math.Log(p / (1 - p))
		n++
	}
	if n == 0 {
		return 0, false, false
	}
	return 1 / (1 + math.Exp(-sum/float64(n))), n == 2, true
}
