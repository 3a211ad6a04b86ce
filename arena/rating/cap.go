package rating

import (
	"fmt"
	"time"
)

// capper lets each voter's first battles of a day through (FastChat's
// limit_user_votes). A battle whose voter or time is not known passes.
type capper struct {
	most    int
	zone    *time.Location
	today   map[string]*voterDay
	over    int // battles that did not pass
	unknown int
}

type voterDay struct {
	day   int64
	votes float64
	// earlier days of the voter, for files that are not in the order of time
	past map[int64]float64
}

func newCapper(most int, zone *time.Location) *capper {
	if zone == nil {
		zone = time.UTC
	}
	return &capper{most: most, zone: zone, today: make(map[string]*voterDay)}
}

// pass tells whether a battle counts. Halves of a flip count half.
func (c *capper) pass(about *About, weight float64) bool {
	if about == nil || about.Voter == "" || about.At.IsZero() {
		c.unknown++
		return true
	}
	y, m, d := about.At.In(c.zone).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
	v := c.today[about.Voter]
	if v == nil {
		v = &voterDay{day: day}
		c.today[about.Voter] = v
	}
	if v.day != day {
		if v.past == nil {
			v.past = make(map[int64]float64)
		}
		v.past[v.day] = v.votes
		v.day, v.votes = day, v.past[day]
	}
	if weight = min(weight, 1); v.votes+weight > float64(c.most) {
		c.over++
		return false
	}
	v.votes += weight
	return true
}

func (c *capper) notes() (notes []string) {
	if c.over > 0 {
		notes = append(notes, fmt.Sprintf("%s left out: beyond %d of a voter on one day.", amount(float64(c.over), "battle"), c.most))
	}
	if c.unknown > 0 {
		notes = append(notes, fmt.Sprintf("%s without a voter or a time: the limit by day does not reach them.", amount(float64(c.unknown), "battle")))
	}
	return notes
}
