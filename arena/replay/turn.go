package replay

import (
	"fmt"
	"sort"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
)

// player lays the moments of one turn out, in the order in which they are made
// where they come at the same time.
type player struct {
	turn    *arena.Turn
	at      time.Duration // when the turn began
	moments []Moment
	ended   map[string]time.Duration // replies by id: when they were done
}

func (p *player) put(at time.Duration, e arena.Event) {
	p.moments = append(p.moments, Moment{at, e})
}

// since is how long after the turn's beginning something recorded happened.
func (p *player) since(t time.Time) time.Duration {
	if t.IsZero() || p.turn.Started.IsZero() {
		return 0
	}
	return min(max(t.Sub(p.turn.Started), 0), farthest)
}

// play returns the moments of a turn that begins at a time, and when its replies
// were done.
func play(duel *arena.DuelRecord, full *ledger.FullTurn, t *arena.Turn, at time.Duration) ([]Moment, time.Duration) {
	p := &player{turn: t, at: at, ended: map[string]time.Duration{}}
	opened := *t
	opened.Swipes, opened.Ruling, opened.Vote, opened.Canon = [2][]*arena.Reply{}, nil, nil, -1
	if t.Line == "" && t.Scenery != "" && len(t.Swipes[0])+len(t.Swipes[1]) == 0 {
		// The duel was left after the surroundings had spoken.
		p.put(at, arena.SceneryEnded{Text: t.Scenery})
		return p.moments, at
	}
	p.put(at, arena.TurnStarted{Turn: opened})
	first, done := p.replies()
	judged := p.rulings(full.Rulings, first)
	if duel.Critic != "" && len(full.Rulings) == 0 {
		p.skipped(done)
	}
	voted := p.votes(full.Votes, first)
	p.canon(duel, done, judged, voted)
	sort.SliceStable(p.moments, func(i, j int) bool { return p.moments[i].At < p.moments[j].At })
	return p.moments, done
}

// replies puts all swipes of both sides and returns when both sides had a first
// reply and when the last was done.
func (p *player) replies() (first, done time.Duration) {
	first, done = p.at, p.at
	for _, side := range []arena.Side{arena.A, arena.B} {
		free := p.at
		for i, r := range p.turn.Swipes[p.turn.Seats[side]] {
			start := max(p.at+p.since(r.Started), free)
			free = p.reply(side, r, start)
			if i == 0 {
				first = max(first, free)
			}
		}
		done = max(done, free)
	}
	return first, done
}

// skipped says why nothing was judged, as the engine does where a reply is
// invalid.
func (p *player) skipped(done time.Duration) {
	for _, side := range []arena.Side{arena.A, arena.B} {
		if r := p.turn.Reply(side); r != nil {
			if ok, why := r.Validity(); !ok {
				p.put(done, arena.RulingSkipped{Turn: p.turn.Number, Why: fmt.Sprintf("reply %s is invalid: %s", side, why)})
				return
			}
		}
	}
}

// votes puts all votes and returns when the last one came, 0 without any.
func (p *player) votes(votes []arena.Vote, first time.Duration) (last time.Duration) {
	for i := range votes {
		v := votes[i]
		at := first + max(min(v.Dwell, longest), 0)
		if !v.At.IsZero() && !p.turn.Started.IsZero() {
			at = p.at + p.since(v.At)
		}
		p.put(at, arena.Voted{Turn: p.turn.Number, Vote: v})
		if takenBack(&v) {
			p.put(at, arena.Unvoted{Turn: p.turn.Number})
		}
		last = max(last, at)
	}
	return last
}

// canon puts what became canon, and what was canon until a vote came.
func (p *player) canon(duel *arena.DuelRecord, done, judged, voted time.Duration) {
	t := p.turn
	if t.Canon < 0 {
		return
	}
	side := arena.A
	if t.Seats[arena.B] == t.Canon {
		side = arena.B
	}
	choose := func(at time.Duration, s arena.Side, by arena.CanonPolicy) {
		p.put(max(at, done), arena.CanonChosen{Turn: t.Number, Side: s, By: by})
	}
	ruled, hasRuling := arena.A, false
	if t.Ruling != nil {
		ruled, hasRuling = decisive(t.Ruling.Winner)
	}
	chosen, hasVote := arena.A, false
	if t.Vote != nil {
		chosen, hasVote = decisive(t.Vote.Choice)
	}
	switch {
	case duel.Canon == arena.CanonA, duel.Canon == arena.CanonB:
		choose(done, side, duel.Canon)
	case hasVote && chosen == side && (duel.Canon != arena.CanonCritic || !hasRuling):
		// The engine tells of canon when it changes.
		early := hasRuling && judged < voted
		if early {
			choose(judged, ruled, arena.CanonCritic)
		}
		if !early || ruled != side {
			choose(voted, side, arena.CanonVote)
		}
	case hasRuling && ruled == side:
		choose(judged, side, arena.CanonCritic)
	default:
		choose(max(judged, voted), side, arena.CanonA)
	}
}

func decisive(c arena.Choice) (arena.Side, bool) {
	switch c {
	case arena.ChoseA:
		return arena.A, true
	case arena.ChoseB:
		return arena.B, true
	}
	return arena.A, false
}
