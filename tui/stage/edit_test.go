package stage

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/tui/keys"
	"herarena/tui/stage/stagetest"
)

// emacs are the keys of the text that the preset gives; yank has none by default.
func emacs(t testing.TB) *keys.Map {
	t.Helper()
	m, err := keys.NewMap(Groups(), nil, map[string][]string{"stage.yank": {"ctrl+y"}, "stage.redo": {"alt+y"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTextIsTakenBackAndMadeAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"'one ctrl+z", ""},
		{"'one space 'two ctrl+z", "one "},
		{"'one space 'two ctrl+z ctrl+z ctrl+z", ""},
		{"'one space 'two ctrl+z ctrl+z alt+y alt+y", "one two"},
		{"'one ctrl+z 'x alt+y", "x"}, // what is typed ends what could be made again
		{"'one ctrl+u ctrl+z", "one"},
		{"'one ctrl+u ctrl+y", "one"},
		{"'one space 'two ctrl+w ctrl+y ctrl+y", "one twotwo"},
		{"'one ctrl+a ctrl+k ctrl+y ctrl+z", ""},
		{"right ctrl+z", ""},
		{"ctrl+z ctrl+z 'a", "a"},
	} {
		p := set(t, 100, 30, func(o *Options) { o.Keys = emacs(t) })
		p.press(strings.Fields(c.keys)...)
		if got := p.writer.area.Value(); got != c.want {
			t.Errorf("%s leaves %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestClearingTheComposerIsTakenBack(t *testing.T) {
	t.Parallel()
	p := set(t, 100, 30)
	p.press("'a long line that took a while")
	p.Do("stage.clear")
	if p.writer.area.Value() != "" {
		t.Fatal("it is not cleared")
	}
	p.press("ctrl+z")
	if got := p.writer.area.Value(); got != "a long line that took a while" {
		t.Errorf("taken back it is %q", got)
	}
}

func TestAVoteIsTakenBackByAnyKeyForIt(t *testing.T) {
	t.Parallel()
	for _, press := range [][]string{{"alt+0"}, {"tab", "u"}, {"shift+tab", "u"}} {
		p := set(t, 110, 34)
		p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
		if !strings.Contains(p.screen(t), "you B") {
			t.Fatal("there is no vote to take back")
		}
		p.press(press...)
		p.tell(arena.Unvoted{Turn: 1})
		if s := p.screen(t); strings.Contains(s, "you B") {
			t.Errorf("%v leaves the vote on screen:\n%s", press, s)
		}
	}
}

func TestUndoLeavesTheVoteAlone(t *testing.T) {
	t.Parallel()
	for _, focus := range []string{"", "tab", "shift+tab"} {
		p := set(t, 110, 34)
		p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
		p.press("'ab", "ctrl+z")
		if p.writer.area.Value() != "" || len(p.notices) != 0 {
			t.Fatalf("the text is not taken back: %q, %q", p.writer.area.Value(), p.notices)
		}
		if focus != "" {
			p.press(focus)
		}
		p.press("ctrl+z", "ctrl+z")
		if calls := p.duel.Calls(); len(calls) != 0 {
			t.Errorf("%q: ctrl+z asks for %q", focus, calls)
		}
		if len(p.notices) != 2 || p.notices[0] != "no change to the text is left to take back; alt+0 takes the vote back" {
			t.Errorf("%q: it says %q", focus, p.notices)
		}
	}
}

func TestUndoNeverBreaksTheText(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24, func(o *Options) { o.Keys = emacs(t) })
	rapid.Check(t, func(r *rapid.T) {
		for range 12 {
			p.press(rapid.SampledFrom([]string{"'a", "'漢", "space", "ctrl+z", "alt+y", "ctrl+y", "ctrl+k", "ctrl+u", "ctrl+w", "left", "up", "backspace", "ctrl+j"}).Draw(r, "key"))
		}
		p.screen(t)
	})
}

func TestEveryCommandOfTheStageCanBeRunAnywhere(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		for f := range focuses {
			p := set(t, size[0], size[1])
			p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
			for _, e := range p.Commands() {
				p.setFocus(f)
				p.Do(e.Name)
				p.screen(t)
			}
		}
	}
}

// TestAVoteCanBeClicked presses every hint of the last row with the mouse.
func TestAVoteCanBeClicked(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {120, 40}, {300, 90}} {
		p := set(t, size[0], size[1])
		p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
		p.screen(t)
		press := func(x int) string {
			if cmd := p.Update(tea.MouseClickMsg{X: x, Y: size[1] - 1, Button: tea.MouseLeft}); cmd != nil {
				if run, ok := cmd().(keys.Run); ok {
					return run.Name
				}
			}
			return ""
		}
		clicked := map[string]bool{}
		for _, spot := range p.hinted {
			if got := press(spot.From + (spot.To-spot.From)/2); got != spot.Name {
				t.Errorf("%v: under %s stands %q", size, spot.Name, got)
			}
			clicked[spot.Name] = true
		}
		if !clicked["stage.vote.a"] || !clicked["stage.vote.b"] {
			t.Errorf("%v: no vote can be clicked in %v", size, p.hinted)
		}
		x := p.hinted[0].From
		p.press("'a text")
		p.screen(t)
		if got := press(x); got != "" {
			t.Errorf("%v: a click into the text runs %s", size, got)
		}
	}
}
