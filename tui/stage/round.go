package stage

import (
	"time"

	"herarena/arena"
)

// round is what came of one pair of replies to a line: a turn has one for each
// pair that stood against each other.
type round struct {
	pair    [2]int // swipes by side
	canon   int    // contestant, -1 while undecided
	canonBy arena.CanonPolicy
	vote    *arena.Vote

	critic   string
	judging  bool
	asked    time.Time
	verdicts [2]arena.Verdict
	ruling   *arena.Ruling
	skipped  string // why nothing is judged
}

// close ends the round of a turn, since another reply begins. It is kept where
// anything came of it.
func (t *turn) close() {
	old := t.round
	t.round = round{canon: -1}
	if old.vote == nil && old.ruling == nil && old.skipped == "" {
		return
	}
	for side := range t.columns {
		old.pair[side] = len(t.columns[side].takes) - 1
	}
	old.judging = false
	t.earlier = append(t.earlier, old)
}

// latest reports whether the newest replies of both sides are the ones shown.
func (t *turn) latest() bool {
	for i := range t.columns {
		if c := &t.columns[i]; c.at < len(c.takes)-1 {
			return false
		}
	}
	return true
}

// seen is the round of the two replies that are shown; nil where they never
// stood against each other.
func (t *turn) seen() *round {
	if t.latest() {
		return &t.round
	}
	for i := len(t.earlier) - 1; i >= 0; i-- {
		if r := &t.earlier[i]; r.pair == [2]int{t.columns[0].at, t.columns[1].at} {
			return r
		}
	}
	return nil
}

// match turns the other side to a reply that the one shown on this side stood
// against, unless they are such a pair already.
func (t *turn) match(side arena.Side) {
	at, other := t.columns[side].at, &t.columns[side.Other()]
	if t.seen() != nil {
		return
	}
	if at == len(t.columns[side].takes)-1 {
		other.at = len(other.takes) - 1
		return
	}
	for i := len(t.earlier) - 1; i >= 0; i-- {
		if p := t.earlier[i].pair; p[side] == at {
			other.at = p[side.Other()]
			return
		}
	}
}

// apart is why a pair of replies has no verdict that never stood against each
// other.
const apart = "these two replies never stood against each other"

// asSeen is the turn with the round of the replies that are shown.
func (t *turn) asSeen() *turn {
	if t == nil || t.latest() {
		return t
	}
	v := *t
	if r := t.seen(); r != nil {
		v.round = *r
	} else {
		v.round = round{canon: -1, skipped: apart}
	}
	return &v
}
