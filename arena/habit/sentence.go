package habit

import (
	"fmt"
	"math"
)

// Sentence tells a finding to a person. Names are as they were given.
func (t Test) Sentence() string {
	var what string
	switch t.Kind {
	case Side:
		what = fmt.Sprintf("%s chose side %s in %d of %d decided votes with drawn sides, where half are expected", t.Voter, t.Subject, t.Hits, t.Votes)
	case Favourite:
		verb := "chose"
		if t.Against {
			verb = "did not choose"
		}
		what = fmt.Sprintf("%s %s %s in %d of its %d meetings, where the other voters would %.1f times", t.Voter, verb, t.Subject, t.Hits, t.Votes, t.Expected)
	case Haste:
		what = fmt.Sprintf("%s gave %d of %d votes faster than the two replies can be read (%.0f words a second)", t.Voter, t.Hits, t.Votes, fastest)
	}
	strength := "worth a look; among so many voters chance alone may do this"
	if t.Firm {
		strength = "firm, also among all voters"
	}
	return fmt.Sprintf("%s: evidence %s to 1 (%s)", what, odds(t.LogE), strength)
}

// odds writes an e-value.
func odds(logE float64) string {
	if logE < math.Log(1e6) {
		return fmt.Sprintf("%.0f", math.Exp(logE))
	}
	return fmt.Sprintf("10^%.0f", logE/math.Ln10)
}
