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
	"herarena/arena/ledger"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// directed are the faces of directing.
var directed = []struct {
	name   string
	change func(*Options)
	act    func(p *prop)
}{
	{"note", nil, func(p *prop) { p.press("alt+n", "'It begins to rain.") }},
	{"noted", nil, func(p *prop) { p.tell(arena.Directed{Note: "It begins to rain."}) }},
	{"line", nil, func(p *prop) { p.press("alt+e") }},
	{"reply", nil, func(p *prop) { p.press("tab", "e") }},
	{"ghost", nil, func(p *prop) {
		p.duel.Step = time.Hour
		p.Update(pressed("alt+i"))
		p.tell(arena.LineDelta{Text: "*sets the lantern down* I can pay for the berth, and for the name on it"})
	}},
	{"playing", nil, func(p *prop) { p.tell(arena.AutoChanged{By: "her-rl", Left: 3, Paused: true}) }},
	{"autosheet", nil, func(p *prop) { p.press("alt+a") }},
	{"sampling", nil, func(p *prop) { p.press("alt+s", "right", "down", "down", "tab", "7") }},
	{"cast", nil, func(p *prop) { p.press("alt+w") }},
	{"tally", func(o *Options) {
		o.Contestants[0].Price = &arena.Price{Input: 0.2, Output: 0.6}
	}, func(p *prop) { p.press("alt+k") }},
	{"branches", func(o *Options) {
		o.Family = func(context.Context, string) ([]ledger.Kin, error) { return family2(), nil }
	}, func(p *prop) { p.press("alt+t") }},
	{"past", func(o *Options) {
		o.Duel.(*stagetest.Duel).Before, o.Origin = past(), arena.Origin{DuelID: "06origin", Turn: 2}
	}, func(*prop) {}},
	{"swipes", nil, func(p *prop) {
		p.tell(started(2, arena.A, 1), ended(2, arena.A, 1, stagetest.Bare()))
		p.press("tab", "left")
	}},
}

// TestGoldenDirecting draws each face of directing; -update writes them anew.
func TestGoldenDirecting(t *testing.T) {
	for _, s := range directed {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				p := settled(t, size[0], size[1], orNothing(s.change))
				s.act(p)
				golden.RequireEqual(t, trimmed(p.screen(t)))
			})
		}
	}
}

func TestDirectingInASCIIAndAnySize(t *testing.T) {
	t.Parallel()
	for _, s := range directed {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {133, 30}} {
			p := settled(t, size[0], size[1], orNothing(s.change))
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

// TestHostileWordsInDirecting proves that nothing of what others write reaches
// the terminal as a command.
func TestHostileWordsInDirecting(t *testing.T) {
	t.Parallel()
	bad := "\x1b]52;c;ZXZpbA==\x07\x1b[2J\u202eolleh\u009b31m\r\n\tlast 长"
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		p := set(t, size[0], size[1], func(o *Options) {
			o.Duel.(*stagetest.Duel).Before = []arena.PastTurn{{Line: bad, Note: bad, By: bad, Reply: []layers.Segment{{Layer: layers.Act, Text: bad}, {Layer: layers.Speech, Text: bad}}}}
			o.Origin = arena.Origin{DuelID: bad, Turn: 1}
			o.Contestants[0].Name, o.Line = bad, bad
			o.Family = func(context.Context, string) ([]ledger.Kin, error) {
				return []ledger.Kin{{ID: "06duel", Contestants: [2]string{bad, bad}, Critic: bad, Turns: []ledger.KinTurn{{Number: 2, Line: bad, Auto: bad}}}}, nil
			}
			o.Offer = func() ([]arena.Contestant, []Critic) {
				return []arena.Contestant{{Name: bad}}, []Critic{{Name: bad, Label: bad}}
			}
		})
		check := func(what string) {
			t.Helper()
			frame := p.View()
			for _, c := range []string{"\x1b]", "\x1b[2J", "\u202e", "\u009b", "\r", "\a"} {
				if strings.Contains(frame, c) {
					t.Errorf("%s lets %q through:\n%q", what, c, frame)
				}
			}
			p.screen(t)
		}
		check("past")
		p.tell(arena.Directed{Note: bad})
		check("note")
		p.press("alt+n")
		check("writing a note")
		p.press("esc")
		p.tell(arena.TurnStarted{Turn: arena.Turn{Number: 2, Line: bad, Note: bad, Auto: bad, Seats: [2]int{0, 1}, Canon: -1}})
		check("turn")
		for _, key := range []string{"alt+t", "alt+w", "alt+s", "alt+k", "alt+a"} {
			p.press(key)
			check(key)
			p.press("esc")
		}
		p.ghost = &ghost{cancel: func() {}}
		p.tell(arena.LineDelta{Text: bad})
		check("line")
		p.tell(arena.LineEnded{Text: bad, By: bad})
		check("line taken")
		p.tell(arena.AutoChanged{By: bad, Left: 1}, arena.LineDelta{Text: bad})
		check("auto")
	}
}
