package plain

import (
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// take is one swipe of a reply as it is known so far.
type take struct {
	reply   arena.Reply
	live    bool
	sent    time.Time
	touched int // lowest segment changed since it was last read out
}

// turn is one turn as it is known so far.
type turn struct {
	number  int
	line    string
	speaker string // who answers, "" for the scene's character
	scenery string
	seats   [2]int
	takes   [2][]*take // by side
	canon   int        // contestant, -1 while undecided
	canonBy arena.CanonPolicy
	vote    *arena.Vote

	critic   string
	judging  bool
	asked    time.Time
	verdicts [2]arena.Verdict
	ruling   *arena.Ruling
	skipped  string // why nothing is judged
}

// latest is the newest reply on a side, nil before the first.
func (t *turn) latest(side arena.Side) *take {
	if n := len(t.takes[side]); n > 0 {
		return t.takes[side][n-1]
	}
	return nil
}

// settled reports whether both sides have a reply that is no longer written.
func (t *turn) settled() bool {
	for side := range t.takes {
		if l := t.latest(arena.Side(side)); l == nil || l.live {
			return false
		}
	}
	return true
}

// canonSide returns the side whose reply is canon.
func (t *turn) canonSide() (arena.Side, bool) {
	switch t.canon {
	case -1:
		return arena.A, false
	case t.seats[arena.B]:
		return arena.B, true
	}
	return arena.A, true
}

// book is the duel as far as events have told it. It changes only through
// apply, which looks at the event and the clock handed in alone.
type book struct {
	epoch int
	turns []*turn
}

// load takes over the turns of a duel that has already begun.
func (b *book) load(turns []arena.Turn, now time.Time) {
	for i := range turns {
		t := b.begin(turns[i])
		for side := range t.takes {
			seat := t.seats[side]
			if seat < 0 || seat >= len(turns[i].Swipes) {
				continue
			}
			for _, r := range turns[i].Swipes[seat] {
				t.takes[side] = append(t.takes[side], &take{reply: *r, sent: now})
			}
		}
		if r := turns[i].Ruling; r != nil && r.Agreement != "" {
			ruling := *r
			t.ruling, t.verdicts, t.critic = &ruling, r.Verdicts, r.Critic
		}
	}
}

func (b *book) begin(from arena.Turn) *turn {
	t := &turn{number: from.Number, line: from.Line, speaker: from.Speaker, scenery: from.Scenery, seats: from.Seats, canon: from.Canon}
	if from.Vote != nil {
		v := *from.Vote
		t.vote = &v
	}
	b.turns = append(b.turns, t)
	return t
}

// last is the turn in play, nil before the first.
func (b *book) last() *turn {
	if len(b.turns) == 0 {
		return nil
	}
	return b.turns[len(b.turns)-1]
}

// find returns the turn of a number, nil if it is not known.
func (b *book) find(number int) *turn {
	for i := len(b.turns) - 1; i >= 0; i-- {
		if b.turns[i].number == number {
			return b.turns[i]
		}
	}
	return nil
}

// stale reports whether an event belongs to another duel than the newest heard.
func (b *book) stale(epoch int) bool {
	b.epoch = max(b.epoch, epoch)
	return epoch < b.epoch
}

// about returns the turn an event is about, nil where it is stale or unknown.
func (b *book) about(epoch, number int) *turn {
	if b.stale(epoch) {
		return nil
	}
	return b.find(number)
}

// side is about for events of one side.
func (b *book) side(epoch, number int, side arena.Side) *turn {
	if side != arena.A && side != arena.B {
		return nil
	}
	return b.about(epoch, number)
}

// start opens a swipe; nil where it is known already. Another reply takes back
// what was said about the former ones: ruling, vote and canon.
func (t *turn) start(side arena.Side, r arena.Reply, now time.Time) *take {
	for _, old := range t.takes[side] {
		if old.reply.Swipe == r.Swipe {
			return nil
		}
	}
	k := &take{reply: r, live: true, sent: now, touched: len(r.Segments)}
	t.takes[side] = append(t.takes[side], k)
	if len(t.takes[side]) > 1 {
		t.vote, t.ruling, t.canon, t.canonBy = nil, nil, -1, ""
		t.verdicts, t.judging, t.skipped = [2]arena.Verdict{}, false, ""
	}
	return k
}

// swipe finds a side's reply by its number.
func (t *turn) swipe(side arena.Side, n int) *take {
	for _, k := range t.takes[side] {
		if k.reply.Swipe == n {
			return k
		}
	}
	return nil
}

// edit takes in what has come of a reply.
func (k *take) edit(edits []layers.Edit) {
	if !k.live {
		return
	}
	for _, e := range edits {
		if e.Index < 0 {
			continue
		}
		k.reply.Segments = layers.Apply(k.reply.Segments, e)
		k.touched = min(k.touched, e.Index)
	}
}

// end takes in the whole reply.
func (k *take) end(r arena.Reply) {
	k.reply, k.live, k.touched = r, false, 0
}
