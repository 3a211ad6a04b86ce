package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
)

// reading is one reply being read out. It has the floor alone; what comes of
// the other side meanwhile waits. A segment is read once it is whole, that is,
// once another has begun or the reply has ended.
type reading struct {
	turn *turn
	side arena.Side
	take *take

	next     int              // segments before it are dealt with
	said     []layers.Segment // read out so far, plans left out
	planned  [2]bool          // whether plans, and reasoning, have been told
	diverged bool             // what was read out is no longer what the reply holds
	live     *spoken          // the segment that is read out as it is written
}

// spoken is a segment that is read out word by word.
type spoken struct {
	layer layers.Layer
	text  string // as far as it has been read out
	clean guard.Stream
	lead  bool // the line has begun
}

// catchUp reads out what can be read now and reports whether the reply is done
// with. stream reads words as they come.
func (r *reading) catchUp(s *session, stream bool) (done bool) {
	segments := r.take.reply.Segments
	whole := len(segments)
	if r.take.live {
		whole = max(whole-1, 0)
	}
	if r.take.touched < r.next || r.live != nil && r.take.touched <= r.next {
		r.recheck(segments, whole)
	}
	r.take.touched = len(segments)
	if r.diverged && r.take.live {
		return false
	}
	if r.diverged {
		s.out.linef("%s corrected: the end of the reply changed how its beginning reads. Here it is whole.", s.bill.who(r.turn, r.side))
		*r = reading{turn: r.turn, side: r.side, take: r.take, planned: r.planned}
	}
	for ; r.next < whole; r.next++ {
		r.read(s, segments[r.next])
	}
	if r.take.live {
		if stream && r.next < len(segments) {
			r.speak(s, segments[r.next])
		}
		return false
	}
	s.out.end()
	for _, seg := range segments {
		r.plan(s, seg) // reasoning may have come last and stand first
	}
	s.ending(r.turn, r.side, &r.take.reply)
	return true
}

// recheck compares what was read out with what the reply now holds, and finds
// where to go on.
func (r *reading) recheck(segments []layers.Segment, whole int) {
	k := 0
	r.next = 0
	for ; r.next < whole && k < len(r.said); r.next++ {
		seg := segments[r.next]
		if planned(seg.Layer) {
			continue
		}
		if seg.Layer != r.said[k].Layer || one(seg.Text) != one(r.said[k].Text) {
			r.diverged = true
			return
		}
		k++
	}
	for r.next < whole && planned(segments[r.next].Layer) && r.planned[planIndex(segments[r.next].Layer)] {
		r.next++
	}
	r.diverged = k < len(r.said)
	if l := r.live; l != nil && !r.diverged {
		r.diverged = r.next >= len(segments) || segments[r.next].Layer != l.layer || !strings.HasPrefix(segments[r.next].Text, l.text)
	}
}

// read reads a whole segment out.
func (r *reading) read(s *session, seg layers.Segment) {
	if planned(seg.Layer) {
		r.plan(s, seg)
		return
	}
	if r.live != nil {
		r.word(s, seg, seg.Text)
		s.out.piece(r.live.clean.Flush())
		s.out.end()
		r.live = nil
	} else {
		s.say(r.turn, r.side, seg)
	}
	r.said = append(r.said, seg)
}

// plan tells once of each kind of plan that there is one, and where to read it.
func (r *reading) plan(s *session, seg layers.Segment) {
	if !planned(seg.Layer) || r.planned[planIndex(seg.Layer)] {
		return
	}
	r.planned[planIndex(seg.Layer)] = true
	s.say(r.turn, r.side, seg)
}

func planIndex(l layers.Layer) int {
	if l == layers.Native {
		return 1
	}
	return 0
}

// unspacedRun is how much text without a space is held back at most before it
// is read out all the same, in bytes.
const unspacedRun = 48

// speak reads out the words of a growing segment that are whole.
func (r *reading) speak(s *session, seg layers.Segment) {
	if planned(seg.Layer) {
		return
	}
	from := 0
	if r.live != nil {
		from = min(len(r.live.text), len(seg.Text))
	}
	end := strings.LastIndexFunc(seg.Text[from:], unicode.IsSpace)
	switch {
	case end >= 0:
		_, n := utf8.DecodeRuneInString(seg.Text[from+end:])
		r.word(s, seg, seg.Text[:from+end+n])
	case len(seg.Text)-from > unspacedRun:
		r.word(s, seg, seg.Text)
	}
}

// word reads a segment out up to and including text.
func (r *reading) word(s *session, seg layers.Segment, text string) {
	if r.live == nil {
		r.live = &spoken{layer: seg.Layer}
	}
	l := r.live
	more := l.clean.Clean(text[min(len(l.text), len(text)):])
	l.text = text
	if strings.TrimSpace(more) == "" && !l.lead {
		return
	}
	switch {
	case !l.lead:
		l.lead = true
		s.out.end()
		s.out.piece(s.bill.who(r.turn, r.side) + " " + verb(seg.Layer) + ": ")
	case !s.out.inned && more != "":
		s.out.piece(s.bill.who(r.turn, r.side) + " goes on: ")
	}
	s.out.piece(more)
}

// say reads one segment out; plans are told by their length.
func (s *session) say(t *turn, side arena.Side, seg layers.Segment) {
	text := one(seg.Text)
	if text == "" {
		return
	}
	who := s.bill.who(t, side)
	if planned(seg.Layer) {
		n := count(words(text), "word")
		s.out.linef("%s %s (%s, /plan %d %s shows it).", who, verb(seg.Layer), n, t.number, letter(side))
		return
	}
	s.out.linef("%s %s: %s", who, verb(seg.Layer), text)
}

// ending says of a reply what its segments do not.
func (s *session) ending(t *turn, side arena.Side, r *arena.Reply) {
	who := s.bill.who(t, side)
	veiled := func(text string) string { return s.bill.veil(t, text) }
	switch {
	case r.Fault != nil && r.Fault.Kind == arena.Cancelled:
		s.out.line(who + " was stopped.")
	case r.Fault != nil:
		sentence := who + " failed, " + faultWord(r.Fault.Kind) + ": " + veiled(full(r.Fault.Message)+" "+full(r.Fault.Hint))
		s.out.linef("%s /regen %s asks again.", sentence, letter(side))
		if !s.o.Person {
			s.wrongs("%s", sentence)
		}
	case !layers.HasSpeech(r.Segments):
		s.out.line(who + " says nothing aloud.")
	case r.Truncated || r.Finish == arena.FinishLength || !r.Complete:
		s.out.line(who + " was cut off.")
	}
	if len(r.SpokeFor) > 0 {
		s.out.linef("%s spoke for %s.", who, strings.Join(r.SpokeFor, " and "))
	}
	for _, note := range r.Notes {
		s.out.line(who + " note: " + veiled(full(note)))
	}
}

func letter(side arena.Side) string { return strings.ToLower(side.String()) }

// faultWord is a kind of fault in words.
func faultWord(k arena.FaultKind) string {
	switch k {
	case arena.Unauthorised:
		return "key refused"
	case arena.TooLong:
		return "context too long"
	case arena.Loading:
		return "still loading"
	case arena.BadRequest:
		return "request refused"
	case "":
		return "fault"
	}
	return one(strings.ReplaceAll(string(k), "_", " "))
}
