package arena

import (
	"context"
	"fmt"
	"time"

	"herarena/arena/layers"
)

// bothDone runs when no reply of the turn is being written any more: the vote
// given meanwhile is booked and the critic called. Callers hold d.mu.
func (d *Duel) bothDone(ctx context.Context, t *Turn) {
	if t.Vote != nil {
		d.bookVote(t)
	}
	if d.closed {
		return
	}
	if d.opts.Critic == nil {
		d.chooseCanon(t)
		return
	}
	d.judge(ctx, t)
}

// comparable says whether the turn's two replies can be compared for a board,
// and if not why.
func (d *Duel) comparable(t *Turn) (ok bool, why string) {
	for _, side := range []Side{A, B} {
		if ok, why := t.Reply(side).Validity(); !ok {
			return false, fmt.Sprintf("reply %s is invalid: %s", side, why)
		}
	}
	if d.opts.Contestants[0].Name == d.opts.Contestants[1].Name {
		return false, "the same contestant stands on both sides"
	}
	if d.opts.Canon == CanonParallel && t.Number > d.before()+1 {
		return false, "given on differing contexts"
	}
	if t.Reply(A).Sampling != nil || t.Reply(B).Sampling != nil {
		return false, "the sampling was changed in play"
	}
	return true, ""
}

// judge asks the critic about a turn in a goroutine of its own. Callers hold d.mu.
func (d *Duel) judge(ctx context.Context, t *Turn) {
	ra, rb := t.Reply(A), t.Reply(B)
	for _, side := range []Side{A, B} {
		if ok, why := t.Reply(side).Validity(); !ok {
			d.emit(RulingSkipped{Epoch: d.opts.Epoch, Turn: t.Number, Why: fmt.Sprintf("reply %s is invalid: %s", side, why)})
			d.chooseCanon(t)
			return
		}
	}
	sight := Sight{HideThoughts: d.opts.CriticHidesThoughts}
	now := t.asked()
	scene := d.voice(t.Speaker).scene
	c := Case{
		Context:   criticContext(d.setting(t.Number, now), scene, d.openingOf(), d.shared, now, sight),
		Character: scene.Character.Name, User: d.opts.Scene.User.Name, Language: d.opts.Scene.Language,
		Cand1: candidate(ra, sight), Cand2: candidate(rb, sight), Session: d.opts.ID,
	}
	ctx, cancel := context.WithCancel(ctx)
	token := &Ruling{ID: NewID(time.Now()), TurnID: t.ID, ReplyA: ra.ID, ReplyB: rb.ID}
	d.judging[token] = cancel
	t.Ruling = token
	critic := d.opts.Critic
	d.emit(RulingStarted{Epoch: d.opts.Epoch, Turn: t.Number, Critic: critic.Name()})
	d.wg.Go(func() {
		defer cancel()
		r := Deliberate(ctx, critic, c, func(o Order, v Verdict) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if t.Ruling == token {
				d.emit(VerdictUpdated{Epoch: d.opts.Epoch, Turn: t.Number, Order: o, Verdict: v})
			}
		})
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.judging, token)
		d.ruled(t, token, r)
		d.idle.changed()
	})
}

// ruled takes in a finished ruling unless it has been superseded.
func (d *Duel) ruled(t *Turn, token *Ruling, r Ruling) {
	if t.Ruling != token {
		return
	}
	r.ID, r.TurnID, r.ReplyA, r.ReplyB = token.ID, token.TurnID, token.ReplyA, token.ReplyB
	r.Counted, r.Why = d.comparable(t)
	if r.Counted && r.Agreement == NoVerdict {
		r.Counted, r.Why = false, "no verdict"
	}
	*token = r
	d.record(func(rec Recorder) error { return rec.RecordRuling(r) })
	if len(r.Outcomes()) > 0 {
		d.recordBattles(t, d.source(CriticSource(r.Critic)), r.Critic, r.Outcomes(), r.Counted, r.Why, r.Agreement == Flip)
	}
	d.emit(RulingEnded{Epoch: d.opts.Epoch, Turn: t.Number, Ruling: r})
	d.chooseCanon(t)
}

// Vote takes a person's answer for the turn in play: ChoseA, ChoseB, Tie or
// BothBad. A later vote replaces it. While a reply is still being written the
// vote is kept and booked when both are done.
func (d *Duel) Vote(_ context.Context, c Choice) error {
	switch c {
	case ChoseA, ChoseB, Tie, BothBad:
	default:
		return fmt.Errorf("unknown vote %q (want a, b, tie or both_bad)", c)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	if err != nil {
		return err
	}
	// A vote tells who is who; another one is not blind any more.
	d.late, d.named = d.named, true
	now := time.Now()
	t.Vote = &Vote{ID: NewID(now), TurnID: t.ID, Choice: c, Voter: d.opts.Voter, At: now}
	if !d.doneAt.IsZero() {
		t.Vote.Dwell = now.Sub(d.doneAt)
	}
	if d.busy() {
		t.Vote.Why = "a reply is still being written"
		d.emit(Voted{Epoch: d.opts.Epoch, Turn: t.Number, Vote: *t.Vote})
		return nil
	}
	d.bookVote(t)
	d.chooseCanon(t)
	return nil
}

// bookVote records the turn's vote and the battle it makes.
func (d *Duel) bookVote(t *Turn) {
	v := t.Vote
	v.Counted, v.Why = d.comparable(t)
	if v.Counted && d.seen() {
		v.Counted, v.Why = false, "given after the names were shown"
	}
	vote := *v
	d.record(func(r Recorder) error { return r.RecordVote(vote) })
	if !d.lateOf(t) {
		d.recordBattles(t, d.source(SourceVote), vote.Voter, []Weighted{{vote.Choice, 1}}, vote.Counted, vote.Why, false)
		d.booked = vote.Counted
	}
	d.emit(Voted{Epoch: d.opts.Epoch, Turn: t.Number, Vote: vote})
}

func (d *Duel) source(s Source) Source {
	if d.rehearsal() {
		return "rehearsal/" + s
	}
	return s
}

// seen reports whether the vote in force was given with a blind duel's names in
// sight.
func (d *Duel) seen() bool { return d.revealed || d.opts.Blind && d.late }

// lateOf reports whether the turn's vote was given with the names in sight while
// one given blind counts: nobody may undo what was said blind by voting again.
func (d *Duel) lateOf(t *Turn) bool { return d.booked && !t.Vote.Counted && d.seen() }

func (d *Duel) recordBattles(t *Turn, source Source, judge string, outcomes []Weighted, counted bool, why string, flip bool) {
	now := time.Now()
	battles := make([]Battle, len(outcomes))
	for i, w := range outcomes {
		battles[i] = Battle{
			ID: NewID(now), DuelID: d.opts.ID, TurnID: t.ID, Turn: t.Number, SceneID: d.opts.Scene.ID,
			Source: source, A: d.opts.Contestants[t.Seats[A]].Name, B: d.opts.Contestants[t.Seats[B]].Name,
			Outcome: w.Choice, Weight: w.Weight, Flip: flip, Counted: counted, Why: why,
			At: now, Judge: judge, Language: d.opts.Scene.Language,
		}
	}
	d.record(func(r Recorder) error { return r.RecordBattles(battles) })
}

// chooseCanon decides whose reply is history from now on, as far as it can be
// known, and tells when that has changed. Callers hold d.mu.
func (d *Duel) chooseCanon(t *Turn) {
	settled := len(d.shared) >= t.Number
	if settled || d.opts.Canon == CanonParallel {
		return
	}
	side, by, ok := d.pickCanon(t)
	if !ok || t.Canon == t.Seats[side] {
		return
	}
	t.Canon = t.Seats[side]
	turn := copyTurn(t)
	d.record(func(r Recorder) error { return r.RecordTurn(turn) })
	d.emit(CanonChosen{Epoch: d.opts.Epoch, Turn: t.Number, Side: side, By: by})
}

// pickCanon applies the policy, falling through where it gives no answer. A
// reply with nothing to see never becomes canon while the other has something.
func (d *Duel) pickCanon(t *Turn) (Side, CanonPolicy, bool) {
	seen := func(s Side) bool {
		r := t.Reply(s)
		return r != nil && len(Visible(r.Segments, ViewOther, Sight{})) > 0
	}
	switch {
	case !seen(A) && !seen(B):
		return A, "", false
	case !seen(A):
		return B, d.opts.Canon, true
	case !seen(B):
		return A, d.opts.Canon, true
	}
	voted := func() (Side, bool) { return decisive(voteChoice(t)) }
	if _, byVote := voted(); !byVote {
		// A reply that was stopped or cut off is not history while the other
		// side's is whole.
		okA, _ := t.Reply(A).Validity()
		okB, _ := t.Reply(B).Validity()
		if okA != okB {
			if okA {
				return A, d.opts.Canon, true
			}
			return B, d.opts.Canon, true
		}
	}
	ruled := func() (Side, bool) { return decisive(rulingChoice(t)) }
	type source struct {
		by   CanonPolicy
		pick func() (Side, bool)
	}
	order := []source{{CanonVote, voted}, {CanonCritic, ruled}}
	switch d.opts.Canon {
	case CanonA:
		return A, CanonA, true
	case CanonB:
		return B, CanonB, true
	case CanonCritic:
		order[0], order[1] = order[1], order[0]
	}
	for _, s := range order {
		if side, ok := s.pick(); ok {
			return side, s.by, true
		}
	}
	return A, CanonA, true
}

func voteChoice(t *Turn) Choice {
	if t.Vote == nil {
		return NoChoice
	}
	return t.Vote.Choice
}

func rulingChoice(t *Turn) Choice {
	if t.Ruling == nil {
		return NoChoice
	}
	return t.Ruling.Winner
}

func decisive(c Choice) (Side, bool) {
	switch c {
	case ChoseA:
		return A, true
	case ChoseB:
		return B, true
	}
	return A, false
}

// settle makes the last turn history: canon is fixed and rendered once for each
// contestant, so that prompts are only ever appended to. Callers hold d.mu.
func (d *Duel) settle() {
	if len(d.turns) == 0 || len(d.shared) >= d.before()+len(d.turns) {
		return
	}
	t := d.turns[len(d.turns)-1]
	d.chooseCanon(t)
	for i := range d.past {
		own := t.Last(i)
		if own != nil && d.dialect[i] == layers.Auto && own.Dialect != "" {
			d.dialect[i] = own.Dialect
		}
		var segments []layers.Segment
		switch {
		case d.opts.Canon == CanonParallel:
			if own != nil {
				segments = own.Segments
			}
		case t.Canon >= 0:
			segments = t.Last(t.Canon).Segments
		}
		sight := Sight{KeepSystem: d.opts.Contestants[i].KeepSystem && (t.Canon == i || d.opts.Canon == CanonParallel)}
		p := t.asked()
		p.reply = segments
		d.past[i] = append(d.past[i], d.rendered(p, i, sight))
	}
	shared := t.asked()
	switch {
	case t.Canon >= 0:
		shared.reply = t.Last(t.Canon).Segments
	case d.opts.Canon == CanonParallel:
		// Each side has a history of its own; the critic is shown side A's.
		if r := t.Reply(A); r != nil {
			shared.reply = r.Segments
		}
	}
	d.shared = append(d.shared, shared)
}

// unsettle takes the turn in play out of history again, where it had to be
// settled although no turn follows it yet. Callers hold d.mu.
func (d *Duel) unsettle(t *Turn) {
	if len(d.shared) < t.Number {
		return
	}
	n := t.Number - 1
	d.shared = d.shared[:n]
	for i := range d.past {
		d.past[i] = d.past[i][:n]
	}
}

// asked is a turn as it enters a history, without its reply.
func (t *Turn) asked() past {
	return past{line: t.Line, note: t.Note, scenery: t.Scenery, speaker: t.Speaker, silent: t.Line == ""}
}
