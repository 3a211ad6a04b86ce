package board

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena/rating"
	"herarena/tui/keys"
	"herarena/tui/look"
)

func rated() rating.Board {
	return rating.Board{Battles: 48, Warnings: []string{"few battles: intervals are wide"}, Ratings: []rating.Row{
		{Contestant: "her-rl", BT: 1312.4, Low: 1294, High: 1330, Rank: 1, Wins: 20.5, Losses: 8, Ties: 2},
		{Contestant: "qwen3-32b", BT: 1240, Low: 1201, High: 1279, Rank: 1, Wins: 12, Losses: 11, BothBad: 3},
		{Contestant: "plain-8b", BT: 1180, Low: 1130, High: 1230, Rank: 3, Wins: 8, Losses: 21.5, Ties: 2},
	}}
}

// show makes a screen with its answers already there.
func show(t *testing.T, w, h int, o Options) *Screen {
	t.Helper()
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true})
	}
	s := New(o)
	t.Cleanup(func() { _ = s.Close() })
	s.SetSize(w, h)
	run(s, s.Init())
	return s
}

func run(s *Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			run(s, c)
		}
	default:
		run(s, s.Update(m))
	}
}

func sources(names ...string) func(context.Context) ([]string, error) {
	return func(context.Context) ([]string, error) { return names, nil }
}

func boards(b rating.Board) func(context.Context, string) (rating.Board, error) {
	return func(context.Context, string) (rating.Board, error) { return b, nil }
}

func fits(t *testing.T, s *Screen) string {
	t.Helper()
	plain := ansi.Strip(s.View())
	rows := strings.Split(plain, "\n")
	if len(rows) != s.h {
		t.Fatalf("%d rows of %d:\n%s", len(rows), s.h, plain)
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != s.w {
			t.Fatalf("row %d has %d cells of %d: %q", i, n, s.w, row)
		}
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

func TestGoldenScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 30}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			s := show(t, size[0], size[1], Options{Source: "critic:house", Sources: sources("vote", "critic:house", "rehearsal/critic:house"), Board: boards(rated())})
			golden.RequireEqual(t, fits(t, s))
		})
	}
}

func TestSourcesAreTurnedAround(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"", "b"}, {"tab", "c"}, {"tab tab", "a"}, {"shift+tab", "a"}, {"left left", "c"}, {"right r", "c"},
	} {
		s := show(t, 80, 24, Options{Source: "b", Sources: sources("a", "b", "c"), Board: boards(rated())})
		for _, name := range strings.Fields(c.keys) {
			k := map[string]tea.Key{
				"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "left": {Code: tea.KeyLeft},
				"right": {Code: tea.KeyRight}, "r": {Code: 'r', Text: "r"},
			}[name]
			run(s, s.Update(tea.KeyPressMsg(k)))
		}
		if got := s.sources[s.at]; got != c.want {
			t.Errorf("%q: source %q, want %q", c.keys, got, c.want)
		}
		fits(t, s)
	}
}

func TestASourceWithoutBattlesIsStillShown(t *testing.T) {
	t.Parallel()
	s := show(t, 80, 24, Options{Source: "critic:new", Sources: sources("vote"), Board: boards(rating.Board{})})
	if view := fits(t, s); !strings.Contains(view, "critic:new") || !strings.Contains(view, "0 battles") {
		t.Errorf("the source asked for is not shown:\n%s", view)
	}
}

func TestTroubleIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"nothing at all", Options{}, "no battles yet"},
		{"no sources", Options{Sources: sources()}, "no battles yet"},
		{"sources fail", Options{Sources: func(context.Context) ([]string, error) { return nil, errors.New("disk gone") }}, "could not be read: disk gone"},
		{"board fails", Options{Sources: sources("vote"), Board: func(context.Context, string) (rating.Board, error) {
			return rating.Board{}, errors.New("no end in \x1b[2Jsight")
		}}, "could not be made: no end in sight"},
	} {
		s := show(t, 80, 24, c.o)
		if view := fits(t, s); !strings.Contains(view, c.want) {
			t.Errorf("%s: want %q in\n%s", c.name, c.want, view)
		}
	}
}

func TestOddNumbersAreBorne(t *testing.T) {
	t.Parallel()
	b := rated()
	b.Ratings[0].Low, b.Ratings[0].High = math.Inf(-1), math.Inf(1)
	b.Ratings[1].BT, b.Ratings[1].Low, b.Ratings[1].High = math.NaN(), math.NaN(), math.NaN()
	b.Ratings[2].Contestant = "\x1b]0;x\x07名字很长" + strings.Repeat("长", 60)
	for range 200 {
		b.Ratings = append(b.Ratings, rating.Row{Contestant: "same", BT: 1000, Low: 1000, High: 1000})
	}
	for _, w := range []int{60, 80, 95, 96, 200} {
		s := show(t, w, 24, Options{Sources: sources("vote", strings.Repeat("很长", 100), "\x1b[2J"), Board: boards(b)})
		fits(t, s)
		for range 300 {
			run(s, s.Update(tea.KeyPressMsg(tea.Key{Code: tea.KeyDown})))
		}
		fits(t, s)
		run(s, s.Update(tea.KeyPressMsg(tea.Key{Code: tea.KeyTab})))
		fits(t, s)
	}
	only := rating.Board{Ratings: []rating.Row{{Contestant: "x", BT: math.NaN(), Low: math.NaN(), High: math.Inf(1)}}}
	fits(t, show(t, 120, 24, Options{Sources: sources("vote"), Board: boards(only)}))
}

func TestATabIsChosenByMouse(t *testing.T) {
	t.Parallel()
	s := show(t, 80, 24, Options{Sources: sources("vote", "critic:house"), Board: boards(rated())})
	row := strings.Split(fits(t, s), "\n")[1]
	x := strings.Index(row, "critic:house")
	run(s, s.Update(tea.MouseClickMsg{X: x, Y: 1, Button: tea.MouseLeft}))
	if s.at != 1 {
		t.Errorf("source %d after a click on the second tab", s.at)
	}
}

func TestBindingsAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
}
