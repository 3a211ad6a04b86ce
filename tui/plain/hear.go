package plain

import (
	"slices"
	"time"

	"herarena/arena"
)

// hear takes one event in. Growing replies and verdicts are only noted; before
// anything else is told, what they held is read out.
func (s *session) hear(ev arena.Event) {
	now := time.Now()
	b := &s.book
	switch e := ev.(type) {
	case arena.ReplyDelta:
		if t := b.side(e.Epoch, e.Turn, e.Side); t != nil {
			if k := t.swipe(e.Side, e.Swipe); k != nil {
				k.edit(e.Edits)
			}
		}
	case arena.LineDelta, arena.LineEnded, arena.SceneryDelta: // heard when it is said, or comes back to whoever asked
	case arena.VerdictUpdated:
		if t := b.about(e.Epoch, e.Turn); t != nil && t.judging && e.Order >= 0 && int(e.Order) < len(t.verdicts) {
			t.verdicts[e.Order] = e.Verdict
		}
	default:
		s.advance()
		s.tell(ev, now)
	}
}

// tell takes in the events that must be delivered, and says what they mean.
func (s *session) tell(ev arena.Event, now time.Time) {
	b := &s.book
	switch e := ev.(type) {
	case arena.TurnStarted:
		if !b.stale(e.Epoch) && b.find(e.Turn.Number) == nil {
			b.begin(e.Turn)
			delete(s.owed, owesTurn)
			defer s.begun(e.Turn)
			if e.Turn.Number > s.announced && e.Turn.Line != "" {
				s.announced = e.Turn.Number
				s.out.linef("Turn %d. %s says for you: %s", e.Turn.Number, or(one(e.Turn.Auto), "A model"), one(e.Turn.Line))
			}
		}
	case arena.ReplyStarted:
		t := b.side(e.Epoch, e.Turn, e.Side)
		if t == nil {
			return
		}
		if k := t.start(e.Side, e.Reply, now); k != nil {
			s.floor = append(s.floor, &reading{turn: t, side: e.Side, take: k})
			delete(s.owed, owesReply)
			s.hearing = nil
		}
	case arena.ReplyRetrying:
		if t := b.side(e.Epoch, e.Turn, e.Side); t != nil {
			s.out.linef("%s is asked again in %s, %s: %s", e.Side, seconds(e.Wait+time.Second-1), faultWord(e.Fault.Kind), s.bill.veil(t, full(e.Fault.Message)))
		}
	case arena.ReplyEnded:
		if t := b.side(e.Epoch, e.Turn, e.Side); t != nil {
			if k := t.swipe(e.Side, e.Reply.Swipe); k != nil {
				k.end(e.Reply)
			}
		}
	case arena.Trouble:
		if e.Err != nil && !b.stale(e.Epoch) {
			s.trouble(e.Err)
		}
	case arena.NextAsked, arena.NextChosen, arena.SceneryEnded:
		s.tellTroupe(ev)
	case arena.Directed, arena.Unvoted, arena.Revealed, arena.AutoChanged:
		s.tellDirected(ev)
	default:
		s.judge(ev, now)
	}
}

// trouble says what is wrong beside the play, once: a full disk is met by every
// write.
func (s *session) trouble(err error) {
	s.troubles++
	if text := err.Error(); text != s.troubled {
		s.troubled = text
		s.complain("Trouble: %s", full(text))
	}
}

// judge takes in rulings, votes and canon.
func (s *session) judge(ev arena.Event, now time.Time) {
	b := &s.book
	switch e := ev.(type) {
	case arena.RulingStarted:
		if t := b.about(e.Epoch, e.Turn); t != nil {
			t.judging, t.asked, t.critic, t.skipped = true, now, e.Critic, ""
			t.verdicts, t.ruling = [2]arena.Verdict{}, nil
			s.hearing = &hearing{turn: t, read: map[string]bool{}}
			s.out.linef("The critic, %s, weighs both replies.", one(e.Critic))
		}
	case arena.RulingEnded:
		if t := b.about(e.Epoch, e.Turn); t != nil {
			ruling := e.Ruling
			t.judging, t.ruling, t.verdicts = false, &ruling, e.Ruling.Verdicts
			if s.hearing == nil || s.hearing.turn != t {
				s.hearing = &hearing{turn: t, read: map[string]bool{}}
			}
			s.hearing.catchUp(s)
			s.hearing = nil
			s.rule(t)
			s.want(s.source())
		}
	case arena.RulingSkipped:
		if t := b.about(e.Epoch, e.Turn); t != nil {
			t.judging, t.skipped = false, e.Why
			s.out.line("Not judged: " + s.bill.veil(t, full(e.Why)))
		}
	case arena.Voted:
		if t := b.about(e.Epoch, e.Turn); t != nil {
			v := e.Vote
			t.vote = &v
			delete(s.owed, owesVote)
			s.voted(t)
			if s.bill.blind && t.ruling != nil {
				s.want(s.source()) // it was kept back until the vote
			}
			if v.Counted {
				s.want(s.voteSource())
			}
		}
	case arena.CanonChosen:
		if t := b.about(e.Epoch, e.Turn); t != nil && (e.Side == arena.A || e.Side == arena.B) {
			t.canon, t.canonBy = t.seats[e.Side], e.By
			s.chosen(t)
		}
	}
}

// source is where the critic's battles of this duel are kept.
func (s *session) source() arena.Source {
	if name := s.played.Critic.OnBoards(); name != "" {
		return s.rehearsed(arena.CriticSource(name))
	}
	return s.voteSource()
}

func (s *session) voteSource() arena.Source { return s.rehearsed(arena.SourceVote) }

func (s *session) rehearsed(source arena.Source) arena.Source {
	if c := s.played.Contestants; c[0].Rehearsal || c[1].Rehearsal {
		return "rehearsal/" + source
	}
	return source
}

// want has the standing on a board read out once all else of the turn has been.
func (s *session) want(source arena.Source) {
	if s.o.Board != nil && !slices.Contains(s.wanted, string(source)) {
		s.wanted = append(s.wanted, string(source))
	}
}

// askBoard fetches the next standing that is due, unless it would tell who is
// who.
func (s *session) askBoard() {
	if len(s.wanted) == 0 || s.asking || s.pending() {
		return
	}
	source := s.wanted[0]
	s.wanted = s.wanted[1:]
	if s.bill.hidden(s.book.last()) {
		return
	}
	s.asking = true
	go func() {
		b, err := s.o.Board(s.ctx, source)
		select {
		case s.boards <- standing{source, b, err}:
		case <-s.ctx.Done():
		}
	}()
}

// stand reads a standing out.
func (s *session) stand(b standing) {
	s.asking = false
	if b.err != nil {
		s.complain("The board %s cannot be read: %s", one(b.source), full(b.err.Error()))
		return
	}
	s.out.line(s.standing(b.source, b.board))
}
