package stage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/tui/stage/stagetest"
)

func TestNothingIsBranchedWhileAReplyIsWritten(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"alt+g", "alt+e", "tab tab e", "alt+t e", "alt+w right enter", "alt+i"} {
		p := settled(t, 120, 40, func(o *Options) {
			o.Offer = func() ([]arena.Contestant, []Critic) { c := stagetest.Contestants(); return c[:], nil }
			o.Family = func(context.Context, string) ([]ledger.Kin, error) { return family2(), nil }
		})
		p.tell(opened(3, "three"), started(3, arena.A, 0), started(3, arena.B, 0))
		p.press(strings.Fields(keys)...)
		if got := p.directing(); strings.Contains(got, "branch") || strings.Contains(got, "impersonate") || p.job != nil || len(p.notices) != 1 {
			t.Errorf("%s: %s, %q", keys, got, p.notices)
		}
	}
}

// TestWhatIsRewrittenStaysWhileAReplyIsWritten lets a reply begin while a line
// is written anew.
func TestWhatIsRewrittenStaysWhileAReplyIsWritten(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"alt+e", "tab tab e"} {
		p := settled(t, 120, 40)
		p.press(strings.Fields(keys)...)
		p.press("'!")
		text := p.writer.area.Value()
		p.tell(started(2, arena.A, 1))
		p.press("enter")
		if p.job == nil || p.writer.area.Value() != text || len(p.notices) != 1 || len(p.asked) != 0 {
			t.Errorf("%s: %s, %q", keys, p.directing(), p.notices)
		}
	}
}

func TestALineWrittenAnewKeepsItsNote(t *testing.T) {
	t.Parallel()
	p := settled(t, 120, 40)
	p.tell(arena.TurnStarted{Turn: arena.Turn{ID: "t3", Number: 3, Line: "three", Note: "It rains.", Seats: [2]int{0, 1}, Canon: -1}})
	p.press("alt+e", "'!", "enter")
	if got, want := p.directing(), `composer branch=06duel/2 past=2 line="three!" say note="It rains."`; got != want {
		t.Errorf("a turn:\n got %s\nwant %s", got, want)
	}
	q := set(t, 120, 40, func(o *Options) { o.Duel.(*stagetest.Duel).Before = past()[:1] })
	q.press("alt+e", "'!", "enter")
	if got, want := q.directing(), `composer branch=06duel/0 past=0 line="I come for the berth.!" say note="It is late."`; got != want {
		t.Errorf("the past:\n got %s\nwant %s", got, want)
	}
}

func past() []arena.PastTurn {
	return []arena.PastTurn{
		{Line: "I come for the berth.", Note: "It is late.", Reply: stagetest.Layered().Segments, By: "her-rl"},
		{Line: "Then sell it.", Reply: []layers.Segment{{Layer: layers.Speech, Text: "No."}}, By: "plain-8b", Edited: true},
	}
}

func TestThePastStandsAboveTheFirstTurn(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 60, func(o *Options) {
		o.Duel.(*stagetest.Duel).Before = past()
		o.Origin = arena.Origin{DuelID: "06origin\x1b[2J", Turn: 2}
	})
	p.tell(judgedTurn(3, "three", stagetest.Agreeing())...)
	s := p.screen(t)
	for _, want := range []string{"history, 2 turns from duel 06origin", "director: It is late.", "I come for the berth.", "by plain-8b, changed by you", "turn 3", "from here on it is this duel"} {
		if !strings.Contains(s, want) {
			t.Errorf("the past lacks %q:\n%s", want, s)
		}
	}
	if strings.Contains(s, "stay wary") {
		t.Errorf("plans of the past are shown:\n%s", s)
	}
	p.press("up", "up")
	if v := p.writer.area.Value(); v != "I come for the berth." {
		t.Errorf("the lines of the past are not at hand: %q", v)
	}
	blind := set(t, 120, 60, func(o *Options) { o.Duel.(*stagetest.Duel).Before, o.Blind = past(), true })
	if s := blind.screen(t); strings.Contains(s, "by plain-8b") {
		t.Errorf("a blind duel tells who wrote its past:\n%s", s)
	}
	first := set(t, 120, 40, func(o *Options) { o.Duel.(*stagetest.Duel).Before = past() })
	first.press("alt+e", "'!", "enter")
	if got := first.directing(); got != `composer branch=06duel/1 past=1 line="Then sell it.!" say` {
		t.Errorf("the last line of the past: %s", got)
	}
}

func TestABranchBeginsWithItsLine(t *testing.T) {
	t.Parallel()
	p := set(t, 100, 30, func(o *Options) { o.Line, o.Say = "Again.", true })
	p.run(p.Init())
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "say Again." {
		t.Errorf("calls %q", calls)
	}
	q := set(t, 100, 30, func(o *Options) { o.Line = "Again." })
	if v := q.writer.area.Value(); v != "Again." || len(q.duel.Calls()) != 0 {
		t.Errorf("composer %q, calls %q", v, q.duel.Calls())
	}
}

func family2() []ledger.Kin {
	when := time.Date(2026, 3, 1, 20, 15, 0, 0, time.UTC)
	names := [2]string{"her-rl", "plain-8b"}
	return []ledger.Kin{
		{ID: "06root", Contestants: names, Critic: "house", Started: when, Past: past()[:1], Turns: []ledger.KinTurn{
			{Number: 2, Line: "Then sell it.", Seats: [2]int{0, 1}, Vote: arena.ChoseA, Ruling: arena.ChoseB}, {Number: 3, Line: "Wait.", Note: "He stays.", Auto: "her-rl", Vote: arena.BothBad},
		}},
		{ID: "06duel", Origin: arena.Origin{DuelID: "06root", Turn: 2}, Contestants: names, Critic: "house", Started: when.Add(time.Hour), Past: past(), Turns: []ledger.KinTurn{
			{Number: 3, Line: "one", Ruling: arena.Tie},
		}},
		{ID: "06leaf", Origin: arena.Origin{DuelID: "06duel", Turn: 3}, Contestants: [2]string{"her-rl", "\x1b[31mother"}, Critic: "her-rm", Started: when.Add(2 * time.Hour)},
	}
}

// TestKeysInTheTree goes through the rows: root, 1 (past), 2, 3, duel, 3, leaf.
func TestKeysInTheTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"", "composer branches"},
		{"enter", "composer branch=06duel/3 past=2"},
		{"up enter", "composer branch=06duel/3 past=2"},
		{"up up enter", "composer branch=06root/3 past=0"},
		{"up up up enter", "composer branch=06root/2 past=0"},
		{"up up up up enter", "composer branch=06root/1 past=0"},
		{"pgup enter", "composer branch=06root/3 past=0"},
		{"down enter", "composer branch=06leaf/0 past=0"},
		{"pgdown pgdown enter", "composer branch=06leaf/0 past=0"},
		{"e", `composer job=line3 text="one"`},
		{"e '! enter", `composer branch=06duel/2 past=2 line="one!" say edited speech:"No." by plain-8b`},
		{"up up e '! enter", `composer branch=06root/2 past=0 line="Wait.!" say note="He stays."`},
		{"up up up up e '! enter", `composer branch=06root/0 past=0 line="I come for the berth.!" say note="It is late."`},
		{"up e", "composer branches"},
		{"esc", "composer"},
	} {
		p := set(t, 120, 40, func(o *Options) {
			o.Duel.(*stagetest.Duel).Before = past()
			o.Family = func(context.Context, string) ([]ledger.Kin, error) { return family2(), nil }
		})
		p.press("alt+t")
		p.press(strings.Fields(c.keys)...)
		if got := p.directing(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		p.screen(t)
	}
}

func TestATreeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := settled(t, 80, 24, func(o *Options) {
		o.Family = func(context.Context, string) ([]ledger.Kin, error) { return nil, errors.New("the ledger is locked") }
	})
	p.press("alt+t", "down", "enter", "e")
	if s := p.screen(t); !strings.Contains(s, "the ledger is locked") || len(p.asked) > 0 {
		t.Errorf("the fault is not told:\n%s", s)
	}
}
