package board

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

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

// whole is a view with something on every page.
func whole() View {
	share := func(v float64) *float64 { return &v }
	b := rated()
	b.Warnings = append(b.Warnings, "a second warning", "a third one that is long enough to need more than a single row on the narrow screens of this test")
	b.Matrix = &rating.Matrix{
		Contestants: []string{"her-rl", "qwen3-32b", "plain-8b"},
		Share:       [][]*float64{{nil, share(0.62), share(0.8)}, {share(0.38), nil, share(0.5)}, {share(0.2), share(0.5), nil}},
		Battles:     [][]float64{{0, 20, 10}, {20, 0, 18}, {10, 18, 0}},
	}
	v := View{Board: b, Choices: Choices{Scenes: []Choice{{"ball", "Meryton ball"}}, Languages: []Choice{{"en", "en"}, {"zh", "zh"}}}}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	v.History.Contestants = b.Matrix.Contestants
	for i := range 12 {
		m := rating.Moment{At: at.AddDate(0, 0, i), Battles: 4 * (i + 1)}
		for k := range 3 {
			m.Ratings = append(m.Ratings, &rating.Estimated{BT: 1000 + float64((3-k)*i*8)})
		}
		if i == 0 {
			m.Ratings[2] = nil
		}
		v.History.Moments = append(v.History.Moments, m)
	}
	c, p := rating.NewAccord(""), rating.NewPlaces()
	for i := range 40 {
		o, x, y := rating.Win+rating.Outcome(i%3), rating.Win+rating.Outcome(i%2), rating.Win+rating.Outcome(i%4/2)
		c.Add([]rating.Answer{rating.Sole("vote", o), rating.Halves("critic:house", x, y)})
		p.Add("vote", o, 1)
		p.Add("critic:house", x, 1)
		p.AddOrders("critic:house", x, y)
		a := [2]string{"her-rl", []string{"qwen3-32b", "plain-8b"}[i%2]}
		v.Meetings = append(v.Meetings, Meeting{A: a[i%2], B: a[1-i%2], Outcome: o, Flip: i%5 == 0, DuelID: fmt.Sprint("duel", i), Turn: i%7 + 1, Scene: "Meryton ball", At: at})
	}
	v.Agreements, _ = c.Table(0)
	v.Positions = p.Table(0)
	t := rating.NewTally(rating.Options{})
	for i := range 30 {
		t.Add(rating.Battle{A: "her-rl", B: []string{"qwen3-32b", "plain-8b"}[i%2], Outcome: rating.Win + rating.Outcome(i%3)})
	}
	v.Next, _ = t.NextPairs(rating.Options{})
	return v
}

func press(s *Screen, names ...string) {
	for _, name := range names {
		k := tea.Key{Code: []rune(name)[0], Text: name}
		switch name {
		case "enter":
			k = tea.Key{Code: tea.KeyEnter}
		case "esc":
			k = tea.Key{Code: tea.KeyEscape}
		case "down":
			k = tea.Key{Code: tea.KeyDown}
		case "right":
			k = tea.Key{Code: tea.KeyRight}
		}
		run(s, s.Update(tea.KeyPressMsg(k)))
	}
}

func TestGoldenPages(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		for i, keys := range [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}, {"6", "enter"}, {"4", "down", "enter", "down"}, {"f", "down"}, {"w"}} {
			t.Run(fmt.Sprintf("%dx%d-%d", size[0], size[1], i+1), func(t *testing.T) {
				s := show(t, size[0], size[1], Options{
					Source: "critic:house", Sources: sources("vote", "critic:house"),
					View: func(context.Context, Query) (View, error) { return whole(), nil },
					Draw: func(context.Context, string, rating.Next) (Drawn, error) {
						return Drawn{"her-rl", "plain-8b", "her-rl on side A meets plain-8b on side B."}, nil
					},
				})
				press(s, keys...)
				golden.RequireEqual(t, fits(t, s))
			})
		}
	}
}

func TestABattleIsOneKeyAway(t *testing.T) {
	t.Parallel()
	s := show(t, 80, 24, Options{Source: "vote", Sources: sources("vote"), View: func(context.Context, Query) (View, error) { return whole(), nil }})
	press(s, "4", "enter", "down")
	cmd := s.Update(tea.KeyPressMsg(tea.Key{Code: tea.KeyEnter}))
	if cmd == nil {
		t.Fatal("nothing is asked for")
	}
	if m, ok := cmd().(OpenDuel); !ok || m.DuelID == "" || m.Turn == 0 {
		t.Errorf("%+v", m)
	}
	press(s, "esc")
	if s.pair != nil {
		t.Error("the pair is still open")
	}
}

func TestFiltersAreAskedFor(t *testing.T) {
	t.Parallel()
	var asked []Query
	s := show(t, 80, 24, Options{
		Source: "vote", Sources: sources("vote"), Without: "secret",
		View: func(_ context.Context, q Query) (View, error) { asked = append(asked, q); return whole(), nil },
	})
	press(s, "f", "right", "down", "down", "right", "down", "down", "right", "right")
	last := asked[len(asked)-1]
	if want := (Query{Source: "vote", Scene: "ball", Language: "en", Within: 7 * 24 * time.Hour, Without: "secret"}); last != want {
		t.Errorf("%+v, want %+v", last, want)
	}
	press(s, "f", "F")
	if last = asked[len(asked)-1]; last != (Query{Source: "vote", Without: "secret"}) {
		t.Errorf("%+v", last)
	}
	for _, q := range asked {
		if q.Without != "secret" {
			t.Error("the duel in play was asked for")
		}
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

// The pair that was drawn, chosen or open is a key away from being played.
func TestAPairIsPlayed(t *testing.T) {
	draws := 0
	s := show(t, 100, 30, Options{
		Source: "vote", Sources: sources("vote", "critic:house"),
		View: func(context.Context, Query) (View, error) { return whole(), nil },
		Draw: func(context.Context, string, rating.Next) (Drawn, error) {
			draws++
			return Drawn{"plain-8b", "her-rl", "drawn"}, nil
		},
	})
	seat := func(keys ...string) any {
		press(s, keys...)
		cmd := s.Do("board.play")
		if cmd == nil {
			return nil
		}
		msg := cmd()
		if _, ok := msg.(Seat); !ok {
			s.Update(msg)
		}
		return msg
	}
	if got := seat("1"); got != nil {
		t.Errorf("on the ratings: %v", got)
	}
	if _, drew := seat("6").(drawnMsg); !drew || draws != 1 {
		t.Errorf("nobody was drawn yet: p draws (%d)", draws)
	}
	if got := seat(); got != (Seat{"plain-8b", "her-rl"}) || draws != 1 {
		t.Errorf("the drawn pair: %v after %d draws", got, draws)
	}
	if !strings.Contains(ansi.Strip(s.View()), "p play the pair") {
		t.Errorf("the key is not named:\n%s", ansi.Strip(s.View()))
	}
	first := duos(whole().Meetings)[0]
	for _, keys := range [][]string{{"4"}, {"4", "enter"}} {
		if got := seat(keys...); got != (Seat{first.a, first.b}) {
			t.Errorf("%v: %v", keys, got)
		}
	}
	press(s, "6", "tab")
	if a, _ := s.pairAt(); a != "" {
		t.Errorf("another source, but %s is still drawn", a)
	}
}
