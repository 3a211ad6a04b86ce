package again

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/tui/keys"
)

// TestAChangeOfWordsIsThatChange: whatever is made of a text, the replacement
// makes just that of it, with words that stand in it once.
func TestAChangeOfWordsIsThatChange(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab  \né字<>")), 1, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		base, want := text.Draw(t, "base"), text.Draw(t, "text")
		if rapid.Bool().Draw(t, "alike") {
			runes := []rune(base)
			at := rapid.IntRange(0, len(runes)).Draw(t, "at")
			want = string(runes[:at]) + want + string(runes[at:])
		}
		c := change(arena.B, base, want)
		if got := changed(base, c); got != want || strings.Count(base, c.Old) != 1 || c.Side != arena.B {
			t.Fatalf("%q to %q: %q became %q, which makes %q", base, want, c.Old, c.New, got)
		}
	})
	if c := change(arena.A, "I am sorry for that, Captain.", "I am glad for that, Captain."); c.Old != "am sorry for" && c.Old != "sorry for" {
		t.Errorf("more is replaced than needed: %q", c.Old)
	}
}

func writer(t *testing.T, w, h int) (*Screen, *[]Ask) {
	t.Helper()
	var asked []Ask
	s := New(Options{
		Critics: []string{"her-rm", "house"},
		Candidates: func(a Ask) ([2]string, error) {
			if a.HideThoughts {
				return [2]string{"I will.", "I won't."}, nil
			}
			return [2]string{"<role_thinking>No?\x1b[2J</role_thinking>I will.", "<role_thinking>Never.</role_thinking>I won't."}, nil
		},
		Check: func(name string) error {
			if !strings.Contains(name, "#") {
				return errors.New("no critic is called " + name)
			}
			return nil
		},
		Judge: func(_ context.Context, a Ask, _ func(arena.Order, arena.Verdict)) (arena.Ruling, error) {
			asked = append(asked, a)
			return arena.Ruling{Winner: arena.ChoseA, Agreement: arena.Agree}, nil
		},
	})
	s.SetSize(w, h)
	t.Cleanup(func() { _ = s.Close() })
	return s, &asked
}

// enter presses keys; 'text writes text.
func (s *Screen) enter(names ...string) {
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "'"); ok {
			for _, r := range text {
				s.Update(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)}))
			}
			continue
		}
		cmd := s.Update(keys.Parse(name))
		if name == "enter" && cmd != nil {
			if batch, ok := cmd().(tea.BatchMsg); ok {
				for _, c := range batch[1:] {
					s.Update(c())
				}
			}
		}
	}
}

func TestWordsAreChangedOnTheScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		s, asked := writer(t, size[0], size[1])
		s.enter("a")
		view := ansi.Strip(s.View())
		if !s.Typing() || !strings.Contains(view, "What A said") || !strings.Contains(view, "I will.") || strings.Contains(s.View(), "\x1b[2J") {
			t.Fatalf("%v: A's words are not shown:\n%s", size, view)
		}
		if _, _, ok := s.Cursor(); !ok {
			t.Error("there is no cursor")
		}
		s.enter("backspace", "' not, c?", "enter")
		if s.Typing() || !strings.Contains(ansi.Strip(s.View()), "A: ") {
			t.Errorf("the change is not shown:\n%s", ansi.Strip(s.View()))
		}
		s.enter("b", "'gone", "esc", "enter")
		if len(*asked) != 1 || (*asked)[0].Words[1] != (arena.Replacement{}) {
			t.Fatalf("asked %+v", *asked)
		}
		base, _ := s.candidates()
		if got := changed(base[0], (*asked)[0].Words[0]); !strings.HasSuffix(got, "I will not, c?") {
			t.Errorf("asked about %q", got)
		}
		s.enter("a", "ctrl+r", "enter")
		if s.ask.Words != ([2]arena.Replacement{}) {
			t.Errorf("put back, it is %+v", s.ask.Words)
		}
		s.enter("a", "ctrl+a", "'x")
		for range 80 {
			s.enter("delete", "backspace")
		}
		s.enter("ctrl+u", "ctrl+k", "enter")
		if !s.Typing() || !strings.Contains(ansi.Strip(s.View()), "cannot be empty") {
			t.Errorf("an empty candidate is taken:\n%s", ansi.Strip(s.View()))
		}
		rows := strings.Split(s.View(), "\n")
		for i, row := range rows {
			if ansi.StringWidth(row) != size[0] || len(rows) != size[1] {
				t.Fatalf("%v: row %d of %d is %q", size, i, len(rows), row)
			}
		}
	}
}

func TestAChangeThatNoLongerFitsIsTakenBack(t *testing.T) {
	s, _ := writer(t, 80, 24)
	s.enter("a")
	s.edit.area.SetValue(strings.Replace(s.edit.area.Value(), "No?", "Perhaps.", 1))
	s.enter("enter")
	if s.ask.Words[0].Old == "" {
		t.Fatal("nothing is changed")
	}
	s.enter("t")
	if s.ask.Words[0].Old != "" || !strings.Contains(ansi.Strip(s.View()), "are as they were") {
		t.Errorf("%+v\n%s", s.ask.Words, ansi.Strip(s.View()))
	}
}

func TestACriticIsTyped(t *testing.T) {
	s, asked := writer(t, 100, 30)
	s.enter("C", "'nobody", "enter")
	if !s.Typing() || !strings.Contains(ansi.Strip(s.View()), "no critic is called nobody") {
		t.Errorf("an unknown critic is taken:\n%s", ansi.Strip(s.View()))
	}
	s.enter("ctrl+u")
	s.Update(tea.PasteMsg{Content: "http://localhost:9/v1#judge\n\x1b[2J" + strings.Repeat("x", 10<<20)})
	if n := len(s.edit.area.Value()); n > criticLimit {
		t.Errorf("%d letters were taken", n)
	}
	s.edit.area.SetValue("")
	s.enter("'http://localhost:9/v1#judge", "enter", "enter")
	if len(*asked) != 1 || (*asked)[0].Critic != "http://localhost:9/v1#judge" {
		t.Errorf("asked %+v", *asked)
	}
	s.enter("C", "'house", "enter", "enter", "c", "c", "c", "enter")
	var got []string
	for _, a := range *asked {
		got = append(got, a.Critic)
	}
	if want := "[http://localhost:9/v1#judge house house]"; fmt.Sprint(got) != want {
		t.Errorf("asked %v", got)
	}
}
