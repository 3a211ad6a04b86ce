package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/keys"
	"herarena/tui/stage/stagetest"
)

var focusNames = [...]string{"composer", "A", "B", "verdict"}

// state writes what keys change as one line.
func (p *prop) state() string {
	s := focusNames[p.focus]
	if p.zoom {
		s += " zoom"
	}
	if p.side == arena.B {
		s += " side=B"
	}
	for i, f := range p.folds {
		if f.panels[layers.System].open() {
			s += fmt.Sprintf(" plan%s", arena.Side(i))
		}
		if !f.panels[layers.Think].open() {
			s += fmt.Sprintf(" nothoughts%s", arena.Side(i))
		}
	}
	if v := p.writer.area.Value(); v != "" {
		s += fmt.Sprintf(" text=%q", v)
	}
	for i := range p.cards.Len() {
		if p.cards.IsOpen(i) {
			s += fmt.Sprintf(" open%d", i)
		}
	}
	if n := len(p.play.turns); n > 0 && p.judged != n-1 {
		s += fmt.Sprintf(" verdict=%d", p.judged+1)
	}
	if calls := p.duel.Calls(); len(calls) > 0 {
		s += " calls=" + strings.Join(calls, ",")
	}
	for _, a := range p.asked {
		s += fmt.Sprintf(" %T", a)
	}
	return s
}

func TestKeysOnASettledTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"", "composer"},
		{"tab", "A"},
		{"tab tab", "B side=B"},
		{"tab tab tab", "verdict side=B"},
		{"tab tab tab tab", "composer side=B"},
		{"shift+tab", "verdict"},
		{"'hi", `composer text="hi"`},
		{"'hi shift+enter 'x", `composer text="hi\nx"`},
		{"'hi ctrl+j alt+enter", `composer text="hi\n\n"`},
		{"'hi enter", "composer calls=say hi"},
		{"enter", "composer"},
		{"right", `composer text="You are Ines Vale, are you not?"`},
		{"right enter", "composer calls=say You are Ines Vale, are you not?"},
		{"1", "composer calls=vote a"},
		{"2", "composer calls=vote b"},
		{"3", "composer calls=vote tie"},
		{"4", "composer calls=vote both_bad"},
		{"5", `composer text="5"`},
		{"'a 1", `composer text="a1"`},
		{"'a alt+1", `composer text="a" calls=vote a`},
		{"tab alt+4", "A calls=vote both_bad"},
		{"tab 1", "A"},
		{"ctrl+r", "composer calls=regenerate []"},
		{"tab ctrl+r", "A calls=regenerate [A]"},
		{"tab tab ctrl+r", "B side=B calls=regenerate [B]"},
		{"ctrl+g", "composer calls=rejudge"},
		{"ctrl+o", "composer calls=canon critic"},
		{"ctrl+o ctrl+o", "composer calls=canon critic,canon a"},
		{"ctrl+b", "composer stage.OpenBoard"},
		{"tab p", "A planA"},
		{"tab p p", "A"},
		{"tab tab t", "B side=B nothoughtsB"},
		{"tab z", "A zoom"},
		{"tab z esc", "composer zoom"},
		{"tab z esc esc", "composer"},
		{"f4", "composer zoom"},
		{"f2", "composer side=B"},
		{"f2 f2", "composer"},
		{"tab f2", "B side=B"},
		{"tab i", "composer"},
		{"shift+tab enter", "verdict open0"},
		{"shift+tab down enter", "verdict open1"},
		{"shift+tab o", "verdict open0 open1 open2"},
		{"shift+tab [", "verdict verdict=1"},
		{"shift+tab [ [ [", "verdict verdict=1"},
		{"shift+tab [ ]", "verdict"},
		{"shift+tab enter [", "verdict verdict=1"},
		{"shift+tab esc", "composer"},
		{"esc", "composer"},
		{"esc esc", "composer stage.Leave"},
		{"esc tab esc esc", "composer"},
		{"'draft esc esc", `composer text="draft" stage.Leave`},
	} {
		p := set(t, 120, 40)
		p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
		p.tell(judgedTurn(2, "two", stagetest.Agreeing())...)
		p.writer.suggest(p.o.Scene.Suggestions[1])
		p.screen(t)
		p.press(strings.Fields(c.keys)...)
		if got := p.state(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		p.screen(t)
	}
}

func TestKeysWhileRepliesAreWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want, notice string }{
		{"1", `composer text="1"`, ""},
		{"alt+2", "composer calls=vote b", ""},
		{"'go enter", `composer text="go"`, "still being written"},
		{"esc", "composer calls=cancel", ""},
		{"tab esc", "A calls=cancel A", ""},
		{"tab tab esc", "B side=B calls=cancel B", ""},
	} {
		p := set(t, 120, 40)
		p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0))
		p.press(strings.Fields(c.keys)...)
		if got := p.state(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		if got := strings.Join(p.notices, "; "); !strings.Contains(got, c.notice) {
			t.Errorf("%q: told %q, want %q", c.keys, got, c.notice)
		}
	}
}

func TestNothingIsVotedOnBeforeTheFirstTurn(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24)
	p.press("alt+1", "ctrl+r")
	if len(p.duel.Calls()) != 0 || len(p.notices) != 2 {
		t.Errorf("calls %v, notices %v", p.duel.Calls(), p.notices)
	}
	p.press("esc")
	if len(p.asked) != 1 {
		t.Errorf("esc on an empty stage asks %v, want to leave", p.asked)
	}
}

func TestALineTheDuelRefusesComesBack(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24, func(o *Options) { o.Duel = refusing{o.Duel.(*stagetest.Duel)} })
	p.press("'my long line", "enter")
	if got := p.writer.area.Value(); got != "my long line" {
		t.Errorf("the composer holds %q, want the refused line", got)
	}
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "the ledger is full") {
		t.Errorf("told %v", p.notices)
	}
}

type refusing struct{ *stagetest.Duel }

func (refusing) Say(_ context.Context, _ string) error { return errors.New("the ledger is full") }

func TestHistoryGoesBackAndKeepsTheDraft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"up", "two"},
		{"up up", "one"},
		{"up up up", "one"},
		{"up down", ""},
		{"'draft up down", "draft"},
		{"'draft up up down down", "draft"},
		{"up 'x", "twox"},
	} {
		p := set(t, 80, 24)
		p.writer.history, p.writer.at = []string{"one", "two"}, 2
		p.press(strings.Fields(c.keys)...)
		if got := p.writer.area.Value(); got != c.want {
			t.Errorf("%q: %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestSwipesAreLookedAt(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.tell(played(1, "one")...)
	p.tell(started(1, arena.A, 1), ended(1, arena.A, 1, stagetest.Take{Segments: stagetest.Bare().Segments[1:]}))
	if s := p.screen(t); !strings.Contains(s, "‹2/2›") {
		t.Fatalf("the second reply is not counted:\n%s", s)
	}
	p.press("tab", "left")
	if s := p.screen(t); !strings.Contains(s, "‹1/2›") || !strings.Contains(s, "soaked to the bone") {
		t.Errorf("left does not show the first reply:\n%s", s)
	}
	p.press("left", "left", "right", "right")
	if s := p.screen(t); !strings.Contains(s, "‹2/2›") {
		t.Errorf("right does not show the second reply:\n%s", s)
	}
}

func TestTheMouseFoldsAndOpens(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	click := func(text string) {
		t.Helper()
		for y, row := range strings.Split(p.screen(t), "\n") {
			if i := strings.Index(row, text); i >= 0 {
				x := len([]rune(row[:i]))
				p.run(p.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}))
				return
			}
		}
		t.Fatalf("%q is not on the screen:\n%s", text, p.screen(t))
	}
	click("plan  ")
	if s := p.screen(t); !strings.Contains(s, "She should stay wary") || p.focus != onA {
		t.Errorf("a click does not unfold the plan:\n%s", s)
	}
	click("plan  ")
	if s := p.screen(t); strings.Contains(s, "She should stay wary") {
		t.Errorf("a second click does not fold the plan:\n%s", s)
	}
	click("Character fidelity")
	if p.focus != onVerdict || !p.cards.IsOpen(1) {
		t.Errorf("a click does not open the card: %s", p.state())
	}
	p.screen(t)
	p.run(p.Update(tea.MouseClickMsg{X: 3, Y: p.h - 1, Button: tea.MouseLeft}))
	if p.focus != onComposer {
		t.Errorf("a click does not focus the composer: %s", p.state())
	}
}

func TestTheWheelScrollsWhatIsUnderIt(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 24)
	for n := 1; n <= 10; n++ {
		p.tell(played(n, fmt.Sprint("line ", n))...)
	}
	p.screen(t)
	p.run(p.Update(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp}))
	if p.panes[0].Following() || !p.panes[1].Following() {
		t.Error("the wheel over A moves not A alone")
	}
	if s := p.screen(t); !strings.Contains(s, "↓ 3") {
		t.Errorf("rows below are not counted:\n%s", s)
	}
	p.run(p.Update(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown}))
	if !p.panes[0].Following() {
		t.Error("back at the end the side does not follow")
	}
}

func TestBlindSeatsStayHiddenUntilTheVote(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40, func(o *Options) {
		o.Blind = true
		o.Contestants[0].Endpoint = "http://10.0.0.7:8000/v1"
	})
	p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0),
		ended(1, arena.A, 0, stagetest.Take{Fault: &arena.Fault{
			Kind: arena.NoSuchModel, Message: "her-32b is not served at http://10.0.0.7:8000/v1", Hint: "ask her-rl for its models",
		}}), ended(1, arena.B, 0, stagetest.Bare()))
	s := p.screen(t)
	for _, secret := range []string{"her-rl", "her-32b", "plain-8b", "10.0.0.7"} {
		if strings.Contains(s, secret) {
			t.Errorf("%q is told before the vote:\n%s", secret, s)
		}
	}
	if !strings.Contains(s, "the model is not served") {
		t.Errorf("the fault is not told:\n%s", s)
	}
	p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
	if s := p.screen(t); !strings.Contains(s, "it was plain-8b") || !strings.Contains(s, "A  her-rl") {
		t.Errorf("the vote does not tell the names:\n%s", s)
	}
	p.tell(opened(2, "two"), started(2, arena.A, 0), started(2, arena.B, 0))
	if s := p.screen(t); !strings.Contains(s, "hidden until you vote") {
		t.Errorf("the next turn is not hidden:\n%s", s)
	}
}

func TestBindingsAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
	anywhere := map[string]string{}
	for _, g := range Groups() {
		for _, b := range g.Bindings {
			for _, k := range b.Keys {
				if g.Scope == "stage" {
					anywhere[k] = b.Does
				}
			}
		}
	}
	for _, g := range Groups() {
		if g.Scope == "stage" || !strings.HasPrefix(g.Scope, "stage") {
			continue // a panel has the keys alone
		}
		for _, b := range g.Bindings {
			for _, k := range b.Keys {
				// A side answers for itself where the stage asks both.
				if does, ok := anywhere[k]; ok && b.Name != "stage.regenerate.side" {
					t.Errorf("%s: %q (%s) is taken anywhere by %q", g.Title, k, b.Does, does)
				}
			}
		}
	}
}

func TestAFrameWithNothingNewIsTheSameFrame(t *testing.T) { // not parallel: it counts allocations
	p := set(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.View()
	if n := testing.AllocsPerRun(100, func() { p.View() }); n != 0 {
		t.Errorf("a frame with nothing new allocates %v times", n)
	}
}

func TestAnySizeFits(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.tell(opened(2, strings.Repeat("很长的一句话，", 40)), started(2, arena.A, 0), started(2, arena.B, 0))
	for _, w := range []int{60, 61, 71, 72, 80, 99, 100, 101, 133, 200} {
		for _, h := range []int{20, 21, 22, 24, 40, 61} {
			for f := range focuses {
				p.SetSize(w, h)
				p.setFocus(f)
				p.screen(t)
			}
		}
	}
	p.SetSize(80, 24)
	p.setFocus(onComposer)
	p.press("'" + strings.Repeat("a long line 长 ", 60))
	p.screen(t)
}
