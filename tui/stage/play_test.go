package stage

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/stage/stagetest"
)

// told writes the state of a play's turns as one line each.
func told(p *play) string {
	var lines []string
	for _, t := range p.turns {
		s := fmt.Sprintf("%d", t.number)
		for i := range t.columns {
			c := &t.columns[i]
			s += fmt.Sprintf(" %s:", arena.Side(i))
			for j, k := range c.takes {
				if j > 0 {
					s += "|"
				}
				if k.live {
					s += "~"
				}
				for _, seg := range k.reply.Segments {
					s += seg.Layer.String()[:1] + strings.ReplaceAll(seg.Text, " ", "_")
				}
				if k.reply.Fault != nil {
					s += "!" + string(k.reply.Fault.Kind)
				}
				if k.retry != nil {
					s += "?" + string(k.retry.Kind)
				}
			}
		}
		if t.judging {
			s += fmt.Sprintf(" judging(%d,%d)", len(t.verdicts[0].Comparisons), len(t.verdicts[1].Comparisons))
		}
		if t.ruling != nil {
			s += " ruled:" + string(t.ruling.Agreement) + "=" + string(t.ruling.Winner)
		}
		if t.skipped != "" {
			s += " skipped"
		}
		if t.vote != nil {
			s += " vote=" + string(t.vote.Choice)
		}
		if side, ok := t.canonSide(); ok {
			s += " canon=" + side.String()
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

func speech(s string) layers.Segment { return layers.Segment{Layer: layers.Speech, Text: s} }

func TestEventsMakeThePlay(t *testing.T) {
	t.Parallel()
	ok := stagetest.Take{Segments: []layers.Segment{speech("yes")}}
	ruling := func(v [2]arena.Verdict) arena.Event { return arena.RulingEnded{Turn: 1, Ruling: stagetest.Sum(v)} }
	base := []arena.Event{opened(1, "hi"), started(1, arena.A, 0), started(1, arena.B, 0)}
	done := append(base[:3:3], ended(1, arena.A, 0, ok), ended(1, arena.B, 0, ok))
	for _, c := range []struct {
		name   string
		events []arena.Event
		want   string
	}{
		{"a turn opens", base, "1 A:~ B:~"},
		{"a turn opens once", append(base[:3:3], opened(1, "again")), "1 A:~ B:~"},
		{"deltas grow a reply", append(base[:3:3], delta(1, 0, 0, 1, speech("a ")), delta(1, 0, 0, 2, speech("b"))), "1 A:~sa_b B:~"},
		{"an edit may take back", append(base[:3:3], delta(1, 0, 0, 1, speech("a ")),
			arena.ReplyDelta{Turn: 1, Edits: []layers.Edit{{Index: 0, Reset: true, Layer: layers.Act, Text: "b"}}}), "1 A:~ab B:~"},
		{"an edit outside the segments is borne", append(base[:3:3],
			arena.ReplyDelta{Turn: 1, Edits: []layers.Edit{{Index: 99, Text: "x"}, {Index: -1, Text: "y"}}}), "1 A:~sx B:~"},
		{"the end is final", append(base[:3:3], delta(1, 0, 0, 1, speech("no")), ended(1, 0, 0, ok)), "1 A:syes B:~"},
		{"a late delta falls away", append(done[:5:5], delta(1, 0, 0, 1, speech("late"))), "1 A:syes B:syes"},
		{"a delta of another swipe falls away", append(base[:3:3], delta(1, 0, 3, 1, speech("x"))), "1 A:~ B:~"},
		{"an unknown turn is ignored", append(base[:3:3], delta(7, 0, 0, 1, speech("x")), arena.Voted{Turn: 9}), "1 A:~ B:~"},
		{"a side that does not exist is ignored", append(base[:3:3], delta(1, 5, 0, 1, speech("x")), ended(1, -1, 0, ok), started(1, 2, 0), arena.CanonChosen{Turn: 1, Side: 7}), "1 A:~ B:~"},
		{"a retry shows and passes", append(base[:3:3], arena.ReplyRetrying{Turn: 1, Fault: arena.Fault{Kind: arena.Overloaded}}), "1 A:~?overloaded B:~"},
		{"text ends a retry", append(base[:3:3], arena.ReplyRetrying{Turn: 1, Fault: arena.Fault{Kind: arena.Overloaded}}, delta(1, 0, 0, 1, speech("x"))), "1 A:~sx B:~"},
		{"a fault keeps what came", append(base[:3:3], ended(1, 0, 0, stagetest.Take{Segments: ok.Segments, Fault: &arena.Fault{Kind: arena.CutOff}})), "1 A:syes!cut_off B:~"},
		{"judging begins", append(done[:5:5], arena.RulingStarted{Turn: 1}), "1 A:syes B:syes judging(0,0)"},
		{"verdicts grow", append(done[:5:5], arena.RulingStarted{Turn: 1},
			arena.VerdictUpdated{Turn: 1, Order: 1, Verdict: arena.Verdict{Comparisons: make([]arena.Comparison, 2)}},
			arena.VerdictUpdated{Turn: 1, Order: 9}), "1 A:syes B:syes judging(0,2)"},
		{"a ruling ends it", append(done[:5:5], arena.RulingStarted{Turn: 1}, ruling(stagetest.Agreeing())), "1 A:syes B:syes ruled:agree=a"},
		{"a flip has no winner", append(done[:5:5], arena.RulingStarted{Turn: 1}, ruling(stagetest.Flipping())), "1 A:syes B:syes ruled:flip="},
		{"a late snapshot falls away", append(done[:5:5], arena.RulingStarted{Turn: 1}, ruling(stagetest.Flipping()), arena.VerdictUpdated{Turn: 1}), "1 A:syes B:syes ruled:flip="},
		{"nothing is judged", append(done[:5:5], arena.RulingSkipped{Turn: 1, Why: "x"}), "1 A:syes B:syes skipped"},
		{"a vote and canon", append(done[:5:5], arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB}}, arena.CanonChosen{Turn: 1, Side: arena.B}), "1 A:syes B:syes vote=b canon=B"},
		{"another reply takes all of it back", append(done[:5:5], arena.RulingStarted{Turn: 1}, ruling(stagetest.Agreeing()),
			arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.Tie}}, arena.CanonChosen{Turn: 1}, started(1, arena.B, 1)), "1 A:syes B:syes|~"},
		{"events of an older duel fall away", append([]arena.Event{arena.Trouble{Epoch: 5, Err: errors.New("x")}}, base...), ""},
	} {
		var p play
		for _, ev := range c.events {
			p.apply(ev, time.Time{})
		}
		if got := told(&p); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOnlyDeltasAndSnapshotsAreMerged(t *testing.T) {
	t.Parallel()
	first, second := delta(1, 0, 0, 1, speech("a")), delta(1, 0, 0, 2, speech("b"))
	joined, ok := merge(first, second)
	if !ok || len(joined.(arena.ReplyDelta).Edits) != 2 || joined.(arena.ReplyDelta).Tokens != 2 {
		t.Errorf("two deltas of one reply: %+v, %v", joined, ok)
	}
	if len(first.(arena.ReplyDelta).Edits) != 1 {
		t.Error("merging changed the engine's own slice")
	}
	if v, ok := merge(arena.VerdictUpdated{Turn: 1}, arena.VerdictUpdated{Turn: 1, Verdict: arena.Verdict{Overall: "new"}}); !ok || v.(arena.VerdictUpdated).Verdict.Overall != "new" {
		t.Errorf("two snapshots of one order: %+v, %v", v, ok)
	}
	for _, pair := range [][2]arena.Event{
		{first, delta(1, 1, 0, 1, speech("b"))},
		{first, delta(1, 0, 1, 1, speech("b"))},
		{first, delta(2, 0, 0, 1, speech("b"))},
		{arena.VerdictUpdated{Turn: 1}, arena.VerdictUpdated{Turn: 1, Order: 1}},
		{first, ended(1, 0, 0, stagetest.Bare())},
		{ended(1, 0, 0, stagetest.Bare()), ended(1, 0, 0, stagetest.Bare())},
		{arena.RulingEnded{}, arena.RulingEnded{}},
		{arena.Voted{}, arena.Voted{}},
		{arena.Trouble{}, arena.Trouble{}},
	} {
		if _, ok := merge(pair[0], pair[1]); ok {
			t.Errorf("merged %T %+v with %T %+v", pair[0], pair[0], pair[1], pair[1])
		}
	}
}

func TestADuelUnderWayIsTakenOver(t *testing.T) {
	t.Parallel()
	ruling := stagetest.Sum(stagetest.Agreeing())
	turn := arena.Turn{
		Number: 1, Line: "hi", Seats: [2]int{1, 0}, Canon: 1, Ruling: &ruling, Vote: &arena.Vote{Choice: arena.ChoseA},
		Swipes: [2][]*arena.Reply{{{Segments: []layers.Segment{speech("zero")}}}, {{Segments: []layers.Segment{speech("one")}}}},
	}
	var p play
	p.load([]arena.Turn{turn}, time.Time{})
	if got, want := told(&p), "1 A:sone B:szero ruled:agree=a vote=a canon=A"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
