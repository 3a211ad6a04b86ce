package stage

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// scenes are the states of the stage that have a face of their own.
var scenes = []struct {
	name   string
	change func(*Options)
	act    func(p *prop)
}{
	{"empty", nil, func(*prop) {}},
	{"waiting", nil, func(p *prop) {
		p.tell(opened(1, "I need a berth tonight."), started(1, arena.A, 0), started(1, arena.B, 0))
		p.now = p.now.Add(3 * time.Second)
		p.hear(tickMsg{p.Stage})
	}},
	{"thinking", nil, func(p *prop) {
		p.tell(opened(1, "I need a berth tonight."), started(1, arena.A, 0), started(1, arena.B, 0))
		p.tell(delta(1, arena.A, 0, 1, layers.Segment{Layer: layers.System, Text: "She should "}), delta(1, arena.B, 0, 1, layers.Segment{Layer: layers.Native, Text: "The user "}))
		p.now = p.now.Add(2 * time.Second)
		p.tell(arena.ReplyDelta{Turn: 1, Side: arena.A, Tokens: 81, Edits: []layers.Edit{
			{Layer: layers.System, Text: "stay wary, weigh the offer, and let the storm outside press on the talk before she gives anything away at all"},
		}}, arena.ReplyDelta{Turn: 1, Side: arena.B, Tokens: 41, Edits: []layers.Edit{
			{Layer: layers.Native, Text: "wants a berth."}, {Index: 1, Layer: layers.Speech, Text: "Good evening, *Captain"},
		}})
	}},
	{"retrying", nil, func(p *prop) {
		p.tell(opened(1, "I need a berth tonight."), started(1, arena.A, 0), started(1, arena.B, 0))
		p.tell(arena.ReplyRetrying{Turn: 1, Side: arena.A, Wait: 4 * time.Second, Fault: arena.Fault{Kind: arena.Overloaded, Message: "the server is busy", Hint: "it asked to wait"}})
	}},
	{"failed", nil, func(p *prop) {
		p.tell(opened(1, "I need a berth tonight."), started(1, arena.A, 0), started(1, arena.B, 0))
		p.tell(ended(1, arena.A, 0, stagetest.Take{Fault: &arena.Fault{Kind: arena.Unreachable, Message: "nothing answers at http://localhost:8000/v1", Hint: "is the server running?"}}))
		p.tell(ended(1, arena.B, 0, stagetest.Bare()), arena.RulingSkipped{Turn: 1, Why: "reply A is invalid: unreachable"})
	}},
	{"cutoff", nil, func(p *prop) {
		cut := stagetest.Layered()
		cut.Finish = arena.FinishLength
		p.tell(opened(1, "I need a berth tonight."), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, cut))
		p.tell(ended(1, arena.B, 0, stagetest.Take{Segments: stagetest.Bare().Segments, Fault: &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}}))
		p.tell(arena.RulingSkipped{Turn: 1, Why: "reply A is invalid: truncated"})
	}},
	{"judging", nil, func(p *prop) {
		p.tell(played(1, "I need a berth tonight.")...)
		p.tell(arena.RulingStarted{Turn: 1, Critic: "house"})
		v := stagetest.Agreeing()
		v[0].Phase, v[0].Comparisons = arena.PhaseComparing, v[0].Comparisons[:2]
		v[0].Comparisons[1].Winner, v[0].Comparisons[1].Second = "", ""
		v[1].Phase, v[1].Comparisons, v[1].Principles = arena.PhasePrinciples, nil, v[1].Principles[:2]
		p.now = p.now.Add(4 * time.Second)
		p.tell(arena.VerdictUpdated{Turn: 1, Order: arena.AFirst, Verdict: v[0]}, arena.VerdictUpdated{Turn: 1, Order: arena.BFirst, Verdict: v[1]})
	}},
	{"decided", withBoard, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
		p.run(p.askBoard())
		p.press("shift+tab", "enter")
	}},
	{"flip", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Flipping())...)
		p.press("shift+tab", "enter")
	}},
	{"voted", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}}, arena.CanonChosen{Turn: 1, Side: arena.B, By: arena.CanonVote})
	}},
	{"noverdict", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", [2]arena.Verdict{
			{Status: arena.VerdictFailed, Fault: &arena.Fault{Kind: arena.Loading, Message: "the model is still loading", Hint: "try again in a minute"}}, {Status: arena.VerdictFailed},
		})...)
	}},
	{"onefailed", nil, func(p *prop) {
		v := stagetest.Agreeing()
		v[1] = arena.Verdict{Status: arena.VerdictFailed}
		v[0].TallyDisagrees = true
		p.tell(judgedTurn(1, "I need a berth tonight.", v)...)
	}},
	{"blind", func(o *Options) { o.Blind = true }, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
	}},
	{"zoom", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
		p.press("tab", "p", "z")
	}},
	{"writing", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
		p.press("'What would the name on it pay you,", "ctrl+j", "'if the tide took his ship?")
	}},
}

func withBoard(o *Options) {
	o.Board = func(context.Context, string) (rating.Board, error) {
		return rating.Board{Ratings: []rating.Row{{Contestant: "her-rl", BT: 1312, Low: 1294, High: 1330}, {Contestant: "plain-8b", BT: 1180.4, Low: 1130, High: 1230}}}, nil
	}
}

// TestGoldenScreens draws each state at several sizes; -update writes them anew.
func TestGoldenScreens(t *testing.T) {
	for _, s := range scenes {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s/%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				p := set(t, size[0], size[1], orNothing(s.change))
				s.act(p)
				golden.RequireEqual(t, trimmed(p.screen(t)))
			})
		}
	}
}

// TestGoldenColours holds the colours of one busy frame, on dark and on light.
func TestGoldenColours(t *testing.T) {
	for name, o := range map[string]look.Options{
		"dark": {Dark: true, Colour: look.Full}, "light": {Colour: look.Full}, "ansi": {Dark: true, Colour: look.ANSI16},
	} {
		t.Run(name, func(t *testing.T) {
			p := set(t, 100, 30)
			p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Agreeing())...)
			p.press("tab")
			p.SetLook(look.New(o))
			golden.RequireEqual(t, p.View())
			p.screen(t)
		})
	}
}

// TestASCIIDrawsNothingElse proves that the stage itself adds no other letters.
func TestASCIIDrawsNothingElse(t *testing.T) {
	for _, s := range scenes {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
			p := set(t, size[0], size[1], orNothing(s.change))
			p.SetLook(look.New(look.Options{ASCII: true}))
			s.act(p)
			for i, r := range p.screen(t) {
				if r > 0x7e {
					t.Errorf("%s %v: %q at byte %d:\n%s", s.name, size, r, i, p.screen(t))
					break
				}
			}
		}
	}
}

func orNothing(f func(*Options)) func(*Options) {
	if f == nil {
		return func(*Options) {}
	}
	return f
}

// trimmed cuts the spaces at the ends of rows, which editors like to cut too.
func trimmed(screen string) string {
	rows := strings.Split(screen, "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}
