package arena

import (
	"context"
	"errors"
	"strings"
	"time"

	"herarena/arena/layers"
)

// Errors of directing a duel; each says what a person can do.
var (
	ErrWhole     = errors.New("this reply is whole: there is nothing to go on with")
	ErrNoPrefill = errors.New("this server cannot go on with a reply: ask for another one instead")
	ErrNoVote    = errors.New("there is no vote to take back")
)

// Direct gives a director's note: an instruction to both contestants that no
// character says. It goes with the person's next line and is part of history
// from then on; notes given before it are joined to it. An empty note takes
// back what has not gone out yet.
func (d *Duel) Direct(note string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return ErrClosed
	}
	note = strings.TrimSpace(note)
	switch {
	case note == "":
		d.note = ""
	case d.note == "":
		d.note = note
	default:
		d.note += "\n" + note
	}
	d.emit(Directed{Epoch: d.opts.Epoch, Note: d.note})
	return nil
}

// SetSampling changes a contestant's sampling from its next reply on. What a
// contestant is on the boards includes its sampling, so turns played with
// another than the configured one are kept and do not count.
func (d *Duel) SetSampling(contestant int, s Sampling) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sampling[contestant] = s
}

// SamplingOf returns the sampling of a contestant's next reply.
func (d *Duel) SamplingOf(contestant int) Sampling {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sampling[contestant]
}

// Reveal shows who is who in a blind duel. Votes given from now on are kept and
// do not count.
func (d *Duel) Reveal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.revealed || !d.opts.Blind {
		return
	}
	d.revealed = true
	d.emit(Revealed{Epoch: d.opts.Epoch})
}

// Unvote takes back the vote on the turn in play. The ledger keeps it, marked as
// taken back; it counts no more.
func (d *Duel) Unvote() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	if err != nil {
		return err
	}
	if t.Vote == nil {
		return ErrNoVote
	}
	v, late := *t.Vote, d.lateOf(t)
	t.Vote = nil
	if !d.busy() {
		v.Counted, v.Why = false, "taken back"
		d.record(func(r Recorder) error { return r.RecordVote(v) })
		if !late {
			d.recordBattles(t, d.source(SourceVote), v.Voter, []Weighted{{v.Choice, 1}}, false, v.Why, false)
			d.booked = false
		}
		d.chooseCanon(t)
	}
	d.emit(Unvoted{Epoch: d.opts.Epoch, Turn: t.Number})
	return nil
}

// Continue goes on with a side's last reply where it was cut off: what there is
// of it is sent as the beginning of a new swipe. The server must take a prefill.
func (d *Duel) Continue(ctx context.Context, s Side) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.last()
	if err != nil {
		return err
	}
	contestant := t.Seats[s]
	r := t.Last(contestant)
	switch {
	case d.playing[contestant] != nil:
		return ErrBusy
	case r == nil || strings.TrimSpace(r.Raw) == "" || r.Complete && !r.Truncated && r.Finish != FinishLength:
		return ErrWhole
	}
	if p, ok := d.opts.Contestants[contestant].Player.(PrefillRefuser); ok && p.PrefillRefused() {
		return ErrNoPrefill
	}
	d.reopen(t)
	// A tag cut in half would be taken for speech once other text follows it.
	d.startFrom(ctx, t, contestant, layers.CutHalfTag(r.Text()))
	return nil
}

// Text is the reply as a whole: the beginning that was sent for it and what came,
// with a beginning that the server repeated taken once.
func (r *Reply) Text() string {
	if r.Prefill == "" || strings.HasPrefix(strings.TrimSpace(r.Raw), strings.TrimSpace(r.Prefill)) {
		return r.Raw
	}
	return r.Prefill + r.Raw
}

// reopen takes back what was decided about a turn, since a reply of it is about
// to change.
func (d *Duel) reopen(t *Turn) {
	if d.staging != nil {
		d.stopStaging()
		d.choose(d.chosen(d.opts.Scene.User.Name, NextByNobody, "a reply was asked for again"))
	}
	d.next = NextChosen{}
	d.unsettle(t)
	d.stopRuling(t)
	t.Vote, t.Ruling, t.Canon = nil, nil, -1
	d.doneAt = time.Time{}
}

// ParseLine reads what a person wrote for a character: an edited reply, in any
// dialect. It is how an edit becomes the reply of a PastTurn. Whoever edits a
// reply in HER tags may write *actions* into it all the same: both are read,
// unlike in what a model writes.
func ParseLine(text, character string, others []string) []layers.Segment {
	read := layers.Parse(text, layers.Options{Name: character, Others: others})
	if read.Dialect != layers.HER {
		return read.Segments
	}
	out := make([]layers.Segment, 0, len(read.Segments))
	for _, seg := range read.Segments {
		out = append(out, starred(seg)...)
	}
	return out
}

// starred takes the *actions* out of speech.
func starred(seg layers.Segment) []layers.Segment {
	if seg.Layer != layers.Speech || strings.Count(seg.Text, "*") < 2 {
		return []layers.Segment{seg}
	}
	// No layer reaches over a blank line, so that an asterisk left open at the
	// end is one of the text.
	parts := layers.Parse(seg.Text+"\n\n", layers.Options{Dialect: layers.Asterisk}).Segments
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text)
	}
	if letters(all.String()) != letters(seg.Text) {
		return []layers.Segment{seg} // nothing of what was written may be lost
	}
	return parts
}

// letters is a text without white space and asterisks.
func letters(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "*", "")
}
