// Package replay turns a recorded duel back into the events it emitted, each
// with the time at which it came, so that whatever shows a duel in play can show
// one that is over.
//
// The ledger keeps of a reply when it was asked for, when its first token came
// and when it ended, not each token: the text between is spread evenly. Verdicts
// grow in the same way. Everything else comes when it came.
package replay

import (
	"encoding/json"
	"sort"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/characters"
)

// Moment is an event and when it came, from the beginning of the replay on.
type Moment struct {
	At    time.Duration
	Event arena.Event
}

// Options choose how a duel is replayed.
type Options struct {
	// MaxPause cuts pauses in which nothing was written, such as those in which
	// the person thought; 0 leaves them.
	MaxPause time.Duration
}

// What a recorded duration, and the time between two things of a duel, is
// believed to be at most: clocks are set, and files are written by others.
const (
	longest  = time.Hour
	farthest = 30 * 24 * time.Hour
)

// Timeline returns the events of a duel in the order in which they came. The
// same duel always gives the same timeline, and times never run backwards,
// whatever the clocks of the machines it was recorded on did.
func Timeline(d *ledger.DuelFull, o Options) []Moment {
	var all []Moment
	var free time.Duration // when the replies of the turn before were done
	var base time.Time
	turns := Turns(d)
	for i := range turns {
		t := &turns[i]
		if base.IsZero() {
			base = t.Started
		}
		at := free
		if !t.Started.IsZero() && !base.IsZero() {
			at = max(at, min(t.Started.Sub(base), free+farthest))
		}
		var moments []Moment
		moments, free = play(&d.DuelRecord, &d.Turns[i], t, at)
		all = append(all, moments...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].At < all[j].At })
	cut(all, o.MaxPause)
	return all
}

// cut shortens the pauses in which nothing is under way.
func cut(all []Moment, most time.Duration) {
	if most <= 0 {
		return
	}
	busy := 0
	var before, saved time.Duration
	for i := range all {
		if gap := all[i].At - before; busy <= 0 && gap > most {
			saved += gap - most
		}
		before = all[i].At
		all[i].At -= saved
		switch all[i].Event.(type) {
		case arena.ReplyStarted, arena.RulingStarted:
			busy++
		case arena.ReplyEnded, arena.RulingEnded:
			busy--
		}
	}
}

// Length is when the last event comes.
func Length(all []Moment) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].At
}

// Turns returns the turns of a duel as they stood at its end, with what is no
// longer true of them left out: rulings and votes on replies that were asked for
// again, and votes that were taken back. Seats and canon are always sound.
func Turns(d *ledger.DuelFull) []arena.Turn {
	turns := make([]arena.Turn, len(d.Turns))
	for i := range d.Turns {
		t := d.Turns[i].Turn
		if t.Seats != [2]int{1, 0} {
			t.Seats = [2]int{0, 1}
		}
		if t.Canon != 0 && t.Canon != 1 || t.Last(t.Canon) == nil {
			t.Canon = -1
		}
		if t.Ruling != nil && !about(t.Ruling, &t) {
			t.Ruling = nil
		}
		if t.Vote != nil && (takenBack(t.Vote) || !t.Vote.At.IsZero() && t.Vote.At.Before(asked(&t))) {
			t.Vote = nil
		}
		turns[i] = t
	}
	return turns
}

// takenBack reports whether a vote was withdrawn.
func takenBack(v *arena.Vote) bool { return !v.Counted && v.Why == "taken back" }

// about reports whether a ruling is on the latest replies of a turn.
func about(r *arena.Ruling, t *arena.Turn) bool {
	for side, id := range [2]string{r.ReplyA, r.ReplyB} {
		if reply := t.Reply(arena.Side(side)); id != "" && reply != nil && reply.ID != id {
			return false
		}
	}
	return true
}

// asked is when the latest swipe of a turn was asked for, the zero time where no
// reply was asked for again.
func asked(t *arena.Turn) time.Time {
	var latest time.Time
	for _, swipes := range t.Swipes {
		if n := len(swipes); n > 1 && swipes[n-1].Started.After(latest) {
			latest = swipes[n-1].Started
		}
	}
	return latest
}

// Scene returns the scene a duel was played in: the recorded one, or as much as
// the ledger's columns hold where that cannot be read.
func Scene(d *arena.DuelRecord) characters.Scene {
	var s characters.Scene
	if err := json.Unmarshal([]byte(d.SceneJSON), &s); err != nil {
		s = characters.Scene{}
	}
	for _, f := range []struct {
		to   *string
		from string
	}{{&s.ID, d.SceneID}, {&s.Title, d.SceneTitle}, {&s.Character.Name, d.Character}, {&s.User.Name, d.User}, {&s.Language, d.Language}} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	return s
}
