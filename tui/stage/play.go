package stage

import (
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// take is one swipe of a reply as it is known so far.
type take struct {
	reply   arena.Reply
	live    bool
	sent    time.Time // when the request was sent, by this screen's clock
	first   time.Time // when the first text came; zero before
	last    time.Time // when the newest text came
	tokens  int
	texts   []*strings.Builder // of the segments while they grow
	retry   *arena.Fault       // why the request is being tried again, nil if it is not
	retryAt time.Time
}

// column is one side of a turn: its swipes, and which of them is shown.
type column struct {
	takes []*take
	at    int
}

func (c *column) shown() *take {
	if c.at < 0 || c.at >= len(c.takes) {
		return nil
	}
	return c.takes[c.at]
}

// latest returns the newest swipe, nil before the first.
func (c *column) latest() *take {
	if len(c.takes) == 0 {
		return nil
	}
	return c.takes[len(c.takes)-1]
}

func (c *column) swipe(n int) *take {
	for _, t := range c.takes {
		if t.reply.Swipe == n {
			return t
		}
	}
	return nil
}

// turn is one turn of the play as shown.
type turn struct {
	number  int
	line    string
	speaker string // the played character who answers, "" for the scene's own
	scenery string // what the surroundings did before the line
	note    string // the director's note that went with the line
	auto    string // who wrote the line for the person, "" for the person
	seats   [2]int
	columns [2]column
	round                   // what came of the newest pair of replies
	earlier []round         // and of those before
	named   bool            // a vote has told who is who
	past    bool            // a later turn has begun
	by      string          // the character whose line it is; "" is the person
	before  *arena.PastTurn // the turn of the past that it stands for; nil: it is this duel's
}

// settled reports whether both sides have a reply that is no longer written.
func (t *turn) settled() bool {
	for i := range t.columns {
		if l := t.columns[i].latest(); l == nil || l.live {
			return false
		}
	}
	return true
}

func (t *turn) live() bool {
	for i := range t.columns {
		if l := t.columns[i].latest(); l != nil && l.live {
			return true
		}
	}
	return false
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

// change says what an event touched, so that only that is drawn anew.
type change struct {
	turn    int // index into turns, -1 if none
	added   bool
	sides   [2]bool
	verdict bool
	trouble error
	voted   bool
	ruled   bool
	ended   bool
	scene   bool // who goes on, or what the surroundings do
	chosen  *arena.NextChosen
	person  bool // what is written for the person, or who plays the person
	lineOf  *arena.LineEnded
	auto    bool // who plays the person has changed
	shown   bool // the names of a blind duel have been shown
}

// play is the duel as the screen knows it. It changes only through apply, and
// apply only looks at the event and the clock handed in.
type play struct {
	epoch int
	known bool // epoch has been learnt
	turns []*turn

	note     string // the director's note that goes with the next line
	line     script
	next     next
	lines    []arena.LineEnded // that models wrote for the person, for what they took
	auto     arena.AutoChanged // who plays the person, the last that was told
	revealed bool
}

// load takes over the turns of a duel that has already begun.
func (p *play) load(turns []arena.Turn, now time.Time) {
	for i := range turns {
		t := p.open(turns[i])
		for side := range t.columns {
			for _, r := range turns[i].Swipes[t.seats[side]] {
				c := &t.columns[side]
				c.takes = append(c.takes, &take{reply: *r, sent: now})
				c.at = len(c.takes) - 1
			}
		}
		if r := turns[i].Ruling; r != nil && r.Agreement != "" {
			ruling := *r
			t.ruling, t.verdicts, t.critic = &ruling, r.Verdicts, r.Critic
		}
	}
}

func (p *play) open(from arena.Turn) *turn {
	t := &turn{number: from.Number, line: from.Line, speaker: from.Speaker, scenery: from.Scenery, note: from.Note, auto: from.Auto, seats: from.Seats, round: round{canon: from.Canon}}
	if from.Vote != nil {
		v := *from.Vote
		t.vote, t.named = &v, true
	}
	if former := p.last(); former != nil {
		former.past = true
	}
	p.turns = append(p.turns, t)
	return t
}

func (p *play) last() *turn {
	if len(p.turns) == 0 {
		return nil
	}
	return p.turns[len(p.turns)-1]
}

// find returns the turn of a number and its index, nil if it is not known.
// Events are nearly always about the newest turns, so it looks from the end.
func (p *play) find(number int) (*turn, int) {
	for i := len(p.turns) - 1; i >= 0; i-- {
		if p.turns[i].number == number {
			return p.turns[i], i
		}
	}
	return nil, -1
}

// stale reports whether an event belongs to another duel than the one shown.
func (p *play) stale(epoch int) bool {
	if !p.known {
		p.epoch, p.known = epoch, true
	}
	if epoch > p.epoch {
		p.epoch = epoch
	}
	return epoch < p.epoch
}

// apply takes one event in.
func (p *play) apply(ev arena.Event, now time.Time) change {
	none := change{turn: -1}
	switch e := ev.(type) {
	case arena.TurnStarted:
		if p.stale(e.Epoch) {
			return none
		}
		if _, i := p.find(e.Turn.Number); i >= 0 {
			return none
		}
		p.open(e.Turn)
		p.note, p.line, p.next = "", script{}, next{}
		return change{turn: len(p.turns) - 1, added: true, sides: [2]bool{true, true}, verdict: true, person: true}
	case arena.ReplyStarted:
		return p.reply(e.Epoch, e.Turn, e.Side, func(t *turn) bool { return t.start(e, now) }, change{verdict: true})
	case arena.ReplyDelta:
		return p.reply(e.Epoch, e.Turn, e.Side, func(t *turn) bool { return t.columns[e.Side].edit(e, now) }, change{})
	case arena.ReplyRetrying:
		return p.reply(e.Epoch, e.Turn, e.Side, func(t *turn) bool { return t.columns[e.Side].retrying(e, now) }, change{})
	case arena.ReplyEnded:
		return p.reply(e.Epoch, e.Turn, e.Side, func(t *turn) bool { return t.columns[e.Side].end(e) }, change{verdict: true, ended: true})
	case arena.Trouble:
		if p.stale(e.Epoch) || e.Err == nil {
			return none
		}
		none.trouble = e.Err
	case arena.Directed, arena.Revealed, arena.LineDelta, arena.LineEnded, arena.AutoChanged:
		return p.direct(ev)
	case arena.NextAsked, arena.NextChosen, arena.SceneryDelta, arena.SceneryEnded:
		return p.onNext(ev)
	default:
		return p.judge(ev, now)
	}
	return none
}

// judge takes in what is said about a turn: rulings, votes and canon.
func (p *play) judge(ev arena.Event, now time.Time) change {
	none := change{turn: -1}
	switch e := ev.(type) {
	case arena.RulingStarted:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			t.judging, t.asked, t.critic, t.skipped = true, now, e.Critic, ""
			t.verdicts, t.ruling = [2]arena.Verdict{}, nil
			return change{verdict: true, sides: [2]bool{true, true}}
		})
	case arena.VerdictUpdated:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			if !t.judging || e.Order < 0 || int(e.Order) >= len(t.verdicts) {
				return none
			}
			t.verdicts[e.Order] = e.Verdict
			return change{verdict: true}
		})
	case arena.RulingEnded:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			ruling := e.Ruling
			t.judging, t.ruling, t.verdicts = false, &ruling, e.Ruling.Verdicts
			if ruling.Critic != "" {
				t.critic = ruling.Critic
			}
			return change{verdict: true, ruled: true}
		})
	case arena.RulingSkipped:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			t.judging, t.skipped = false, e.Why
			return change{verdict: true}
		})
	case arena.Voted:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			v := e.Vote
			t.vote, t.named = &v, true
			return change{verdict: true, voted: true, sides: [2]bool{true, true}}
		})
	case arena.Unvoted:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			t.vote = nil
			return change{verdict: true, voted: true, sides: [2]bool{true, true}}
		})
	case arena.CanonChosen:
		return p.about(e.Epoch, e.Turn, func(t *turn) change {
			if e.Side != arena.A && e.Side != arena.B {
				return none
			}
			t.canon, t.canonBy = t.seats[e.Side], e.By
			return change{verdict: true, sides: [2]bool{true, true}}
		})
	}
	return none
}

// about runs f on the turn an event is about, unless the event is stale.
func (p *play) about(epoch, number int, f func(*turn) change) change {
	t, i := p.find(number)
	if p.stale(epoch) || t == nil {
		return change{turn: -1}
	}
	c := f(t)
	c.turn = i
	return c
}

// reply runs f on a turn for an event about one side's reply; f tells whether
// anything changed.
func (p *play) reply(epoch, number int, side arena.Side, f func(*turn) bool, c change) change {
	if side != arena.A && side != arena.B {
		return change{turn: -1}
	}
	changed := false
	found := p.about(epoch, number, func(t *turn) change {
		changed = f(t)
		c.sides[side] = true
		return c
	})
	if !changed {
		return change{turn: -1}
	}
	return found
}

// start opens a swipe. Another reply begins another round: the ruling, the vote
// and canon were about the former ones, and are kept with them.
func (t *turn) start(e arena.ReplyStarted, now time.Time) bool {
	c := &t.columns[e.Side]
	if old := c.swipe(e.Reply.Swipe); old != nil {
		return false
	}
	follows := t.latest() // else an older pair is looked at, and stays
	if len(c.takes) > 0 {
		t.close()
	}
	c.takes = append(c.takes, &take{reply: e.Reply, live: true, sent: now})
	if follows {
		c.at = len(c.takes) - 1
	}
	return true
}

// edit is layers.Apply, but for its cost: the text of a segment lies in a builder,
// so that a token does not copy all that stands before it.
func (t *take) edit(e layers.Edit) {
	segments := t.reply.Segments
	if e.Reset && e.Index <= len(segments) {
		segments, t.texts = segments[:e.Index], t.texts[:min(e.Index, len(t.texts))]
		t.reply.Segments = segments
		if e.Text == "" {
			return
		}
	}
	for len(t.texts) < len(segments) { // what the reply began with
		text := &strings.Builder{}
		text.WriteString(segments[len(t.texts)].Text)
		t.texts = append(t.texts, text)
	}
	i := e.Index
	if i >= len(segments) {
		i = len(segments)
		segments = append(segments, layers.Segment{Layer: e.Layer})
		t.texts = append(t.texts, &strings.Builder{})
	}
	t.texts[i].WriteString(e.Text)
	segments[i].Text = t.texts[i].String()
	t.reply.Segments = segments
}

func (c *column) edit(e arena.ReplyDelta, now time.Time) bool {
	t := c.swipe(e.Swipe)
	if t == nil || !t.live {
		return false
	}
	for _, edit := range e.Edits {
		if edit.Index < 0 {
			continue
		}
		t.edit(edit)
	}
	if t.first.IsZero() {
		t.first = now
	}
	t.last, t.retry = now, nil
	t.tokens = max(t.tokens, e.Tokens)
	return true
}

func (c *column) retrying(e arena.ReplyRetrying, now time.Time) bool {
	t := c.latest()
	if t == nil || !t.live {
		return false
	}
	fault := e.Fault
	t.retry, t.retryAt = &fault, now.Add(e.Wait)
	return true
}

func (c *column) end(e arena.ReplyEnded) bool {
	t := c.swipe(e.Reply.Swipe)
	if t == nil {
		return false
	}
	t.reply, t.live, t.retry, t.texts = e.Reply, false, nil, nil
	return true
}
