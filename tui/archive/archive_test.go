package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/page"
	"herarena/tui/stage"
	"herarena/tui/stage/stagetest"
)

var now = time.Date(2026, 3, 20, 15, 0, 0, 0, time.UTC)

// shelf is a ledger in memory.
type shelf struct {
	list     []ledger.DuelSummary
	duels    map[string]*ledger.DuelFull
	said     map[string][]ledger.Hit // by word
	err      error
	searches []string
	exported []string
}

func summary(id string, days int, scene, a, b string, turns, votes int) ledger.DuelSummary {
	return ledger.DuelSummary{
		ID: id, SceneID: strings.ToLower(scene), SceneTitle: scene, Character: "Ines Vale", User: "Captain Roe",
		Contestants: [2]string{a, b}, Critic: "house", Started: now.AddDate(0, 0, -days), Turns: turns, Votes: votes, Rulings: turns,
	}
}

// full is a duel of two turns for a summary, A's first reply asked for twice.
func full(s ledger.DuelSummary) *ledger.DuelFull {
	scene, _ := json.Marshal(stagetest.Scene())
	d := &ledger.DuelFull{DuelRecord: arena.DuelRecord{
		ID: s.ID, SceneTitle: s.SceneTitle, SceneJSON: string(scene), Contestants: stagetest.Contestants(), Critic: "house",
		Canon: arena.CanonVote, Blind: s.Blind, Rehearsal: s.Rehearsal, Started: s.Started,
	}}
	for n := 1; n <= 2; n++ {
		t := ledger.FullTurn{Turn: arena.Turn{ID: fmt.Sprint(n), Number: n, Line: fmt.Sprintf("I need a berth, line %d.", n), Seats: [2]int{0, 1}, Canon: n - 1, Started: s.Started}}
		for c, take := range []stagetest.Take{stagetest.Layered(), stagetest.Bare()} {
			r := &arena.Reply{ID: fmt.Sprint(n, c), Contestant: c, Segments: take.Segments, Raw: take.Segments[0].Text, Complete: true, Finish: arena.FinishStop, Total: 3 * time.Second, FirstByte: time.Second, Started: s.Started}
			t.Swipes[c] = []*arena.Reply{r}
		}
		if n == 1 {
			again := *t.Swipes[0][0]
			again.ID, again.Swipe, again.Segments = "again", 1, stagetest.Bare().Segments
			t.Swipes[0] = append(t.Swipes[0], &again)
		}
		g := stagetest.Sum(stagetest.Agreeing())
		g.Critic, g.ReplyA, g.ReplyB = "house", t.Swipes[0][len(t.Swipes[0])-1].ID, t.Swipes[1][0].ID
		t.Rulings, t.Votes = []arena.Ruling{g}, []arena.Vote{{ID: "v", Choice: arena.ChoseB, Counted: true}}
		t.Ruling, t.Vote = &t.Rulings[0], &t.Votes[0]
		d.Turns = append(d.Turns, t)
	}
	return d
}

func newShelf() *shelf {
	s := &shelf{duels: map[string]*ledger.DuelFull{}, said: map[string][]ledger.Hit{}}
	s.list = []ledger.DuelSummary{
		summary("d1", 0, "Harbour", "her-rl", "plain-8b", 2, 2),
		summary("d2", 3, "Ball", "her-rl", "qwen3-32b", 5, 0),
		summary("d3", 9, "Harbour", "qwen3-32b", "plain-8b", 1, 1),
		summary("d4", 40, "Observatory", "lantern", "plain", 7, 7),
		summary("d5", 400, "Ball", "a-very-long-contestant-name-indeed", "another-very-long-name", 12, 3),
	}
	s.list[1].Critic, s.list[1].Blind = "her-rm", true
	s.list[3].Rehearsal = true
	s.list[4].Critic = ""
	for _, d := range s.list {
		s.duels[d.ID] = full(d)
	}
	s.said["tide"] = []ledger.Hit{{DuelID: "d2", Turn: 2}, {DuelID: "d4", Turn: 1}}
	s.said["berth"] = []ledger.Hit{{DuelID: "d2", Turn: 1}}
	return s
}

func (s *shelf) options() Options {
	return Options{
		Duels: func(_ context.Context, f ledger.Filter) ([]ledger.DuelSummary, error) {
			if f.Limit > 0 && f.Limit < len(s.list) {
				return s.list[:f.Limit], s.err
			}
			return s.list, s.err
		},
		Search: func(_ context.Context, text string) ([]ledger.Hit, error) {
			s.searches = append(s.searches, text)
			if s.err != nil {
				return nil, s.err
			}
			return s.said[text], nil
		},
		Duel: func(_ context.Context, id string) (*ledger.DuelFull, error) {
			if d := s.duels[id]; d != nil {
				return d, nil
			}
			return nil, errors.New("no such duel")
		},
		Export: func(_ context.Context, d *ledger.DuelFull, f page.Format) (string, error) {
			s.exported = append(s.exported, d.ID+"."+string(f))
			return "/exports/" + d.ID + "." + string(f), s.err
		},
		Look: look.New(look.Options{Dark: true}), Now: func() time.Time { return now },
	}
}

// prop is the list with its answers arriving at once.
type prop struct {
	*Screen
	t    testing.TB
	asks []tea.Msg // what was asked of the root
}

func open(t testing.TB, o Options, w, h int) *prop {
	t.Helper()
	p := &prop{Screen: New(o), t: t}
	t.Cleanup(func() { _ = p.Close() })
	p.SetSize(w, h)
	p.run(p.Init())
	return p
}

func (p *prop) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			p.run(c)
		}
	case Leave, Continue, Read, Replay, Written, stage.Notice:
		p.asks = append(p.asks, m)
	default:
		p.run(p.Update(m))
	}
}

// press presses keys by name; 'text types text.
func (p *prop) press(names ...string) {
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "'"); ok {
			for _, r := range text {
				p.run(p.Update(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)})))
			}
			continue
		}
		p.run(p.Update(keys.Parse(name)))
	}
}

func (p *prop) ids() string {
	var out []string
	for _, i := range p.shown {
		out = append(out, p.rows[i].ID)
	}
	return strings.Join(out, " ")
}

// fits checks that a frame is whole and returns it as text.
func fits(t testing.TB, view string, w, h int) string {
	t.Helper()
	rows := strings.Split(ansi.Strip(view), "\n")
	if len(rows) != h {
		t.Fatalf("%d rows of %d:\n%s", len(rows), h, ansi.Strip(view))
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("row %d has %d cells of %d: %q", i, n, w, row)
		}
		if strings.ContainsAny(row, "\x1b\x07\r\u0085\u202e") {
			t.Fatalf("row %d holds a control: %q", i, row)
		}
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

var sizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}}

func TestGoldenScreens(t *testing.T) {
	for _, size := range sizes {
		for _, c := range []struct {
			name string
			keys []string
			make func() *shelf
		}{
			{"list", nil, newShelf},
			{"search", []string{"/", "'tide scene:b"}, newShelf},
			{"filtered", []string{"c", "v", "o", "o", "down"}, newShelf},
			{"searching", []string{"/"}, newShelf},
			{"empty", nil, func() *shelf { return &shelf{} }},
		} {
			t.Run(fmt.Sprintf("%s-%dx%d", c.name, size[0], size[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := open(t, c.make().options(), size[0], size[1])
					p.press(c.keys...)
					golden.RequireEqual(t, fits(t, p.View(), size[0], size[1]))
				})
			})
		}
		t.Run(fmt.Sprintf("reader-%dx%d", size[0], size[1]), func(t *testing.T) {
			s := newShelf()
			r := NewReader(s.options(), s.duels["d1"], 2)
			t.Cleanup(func() { _ = r.Close() })
			r.SetSize(size[0], size[1])
			rows := strings.Split(fits(t, r.View(), size[0], size[1]), "\n")
			golden.RequireEqual(t, rows[0]+"\n"+rows[size[1]-1]+"\n") // the rest is the stage's
		})
	}
}

// TestAWiderListShowsNoLess draws the list at every width: once the time and the
// votes are there, they stay.
func TestAWiderListShowsNoLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := open(t, newShelf().options(), 60, 40)
		for w := 80; w <= 200; w++ {
			p.SetSize(w, 40)
			_, row, _ := strings.Cut(fits(t, p.View(), w, 40), "› 2026")
			row, _, _ = strings.Cut(row, "\n")
			for _, want := range []string{"-03-20 15:00  ", "Harbour", "her-rl – plain-8b", "2 turns", "2 votes"} {
				if !strings.Contains(row, want) {
					t.Errorf("at %d columns %q lacks %q", w, row, want)
				}
			}
		}
	})
}

func TestGoldenColours(t *testing.T) {
	for name, l := range map[string]*look.Look{
		"dark": look.New(look.Options{Dark: true, Colour: look.Full}), "light": look.New(look.Options{Colour: look.Full}),
		"mono": look.New(look.Options{}), "ascii": look.New(look.Options{ASCII: true}),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newShelf().options()
				o.Look = l
				p := open(t, o, 120, 30)
				p.press("c", "down")
				if name == "ascii" && strings.ContainsFunc(ansi.Strip(p.View()), func(r rune) bool { return r >= 0x80 }) {
					t.Errorf("more than ASCII:\n%s", ansi.Strip(p.View()))
				}
				golden.RequireEqual(t, p.View()+"\n")
			})
		})
	}
}

func TestKeysChooseDuels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ keys, ids, at string }{
			{"", "d1 d2 d3 d4 d5", "d1"},
			{"down", "d1 d2 d3 d4 d5", "d2"},
			{"j j k", "d1 d2 d3 d4 d5", "d2"},
			{"up", "d1 d2 d3 d4 d5", "d1"},
			{"G", "d1 d2 d3 d4 d5", "d5"},
			{"G g", "d1 d2 d3 d4 d5", "d1"},
			{"pgdown", "d1 d2 d3 d4 d5", "d5"},
			{"o", "d5 d4 d3 d2 d1", "d1"},
			{"o o", "d5 d4 d2 d1 d3", "d1"},
			{"o o o", "d2 d5 d1 d3 d4", "d1"},
			{"o o o o", "d1 d2 d3 d4 d5", "d1"},
			{"t", "d1 d2 d3 d5", "d1"},
			{"t t", "d4", "d4"},
			{"v", "d1 d3 d4 d5", "d1"},
			{"v v", "d2", "d2"},
			{"d", "d1", "d1"},
			{"d d", "d1 d2", "d1"},
			{"d d d", "d1 d2 d3", "d1"},
			{"d d d d", "d1 d2 d3 d4", "d1"},
			{"d d d d d", "d1 d2 d3 d4 d5", "d1"},
			{"s", "d2 d5", "d2"},
			{"s s", "d1 d3", "d1"},
			{"i", "d2", "d2"},
			{"i i", "d1 d3 d4", "d1"},
			{"i i i", "d5", "d5"},
			{"c", "d5", "d5"},
			{"c c c", "d1 d2", "d1"},
			{"c c c v", "d1", "d1"},
			{"c c c v x", "d1 d2 d3 d4 d5", "d1"},
			{"down down v", "d1 d3 d4 d5", "d3"},
		} {
			p := open(t, newShelf().options(), 100, 30)
			p.View()
			p.press(strings.Fields(c.keys)...)
			at := ""
			if r := p.chosen(); r != nil {
				at = r.ID
			}
			if p.ids() != c.ids || at != c.at {
				t.Errorf("%q: %q at %q, want %q at %q", c.keys, p.ids(), at, c.ids, c.at)
			}
			fits(t, p.View(), 100, 30)
		}
	})
}

func TestSearch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for text, want := range map[string]string{
			"":                                   "d1 d2 d3 d4 d5",
			"harb":                               "d1 d3",
			"HARBOUR plain":                      "d1 d3",
			"harbour her":                        "d1",
			"tide":                               "d2 d4",
			"tide berth":                         "d2",
			"tide obs":                           "d4",
			`"captain roe"`:                      "d1 d2 d3 d4 d5",
			`"roe captain"`:                      "",
			"with:qwen":                          "d2 d3",
			"with:qwen with:her":                 "d2",
			"scene:ball":                         "d2 d5",
			"critic:house tide":                  "d4",
			"voted:no":                           "d2",
			"voted:y scene:ball":                 "d5",
			"rehearsal:yes":                      "d4",
			"rehearsal:no voted:yes with:her-rl": "d1",
			"since:2026-03-15":                   "d1 d2",
			"until:2026-03-15":                   "d3 d4 d5",
			"since:2026-03 until:2026-03-17":     "d2 d3",
			"until:2025":                         "",
			"since:soon":                         "d1 d2 d3 d4 d5",
			"http://x":                           "",
			"d3":                                 "d3",
			"nothing like it":                    "",
			"%":                                  "",
		} {
			p := open(t, newShelf().options(), 100, 30)
			p.press("/", "'"+text)
			if got := p.ids(); got != want {
				t.Errorf("%q finds %q, want %q", text, got, want)
			}
			fits(t, p.View(), 100, 30)
		}
	})
}

func TestTheSearchIsEdited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			keys   []string
			text   string
			typing bool
		}{
			{[]string{"/", "'ball"}, "ball", true},
			{[]string{"/", "'ball", "enter"}, "ball", false},
			{[]string{"/", "'ball", "backspace", "backspace"}, "ba", true},
			{[]string{"/", "backspace"}, "", true},
			{[]string{"/", "'two words ", "ctrl+w"}, "two ", true},
			{[]string{"/", "'two words", "ctrl+u"}, "", true},
			{[]string{"/", "'ball", "esc"}, "", true},
			{[]string{"/", "'ball", "esc", "esc"}, "", false},
			{[]string{"/", "'達西?", "backspace"}, "達西", true},
			{[]string{"/", "'a", "enter", "x"}, "", false},
			{[]string{"/", "'q?r", "tab"}, "q?r", false},
			{[]string{"'ball"}, "", false},
		} {
			p := open(t, newShelf().options(), 80, 24)
			p.press(c.keys...)
			if p.text != c.text || p.typing != c.typing {
				t.Errorf("%q: %q typing %v, want %q %v", c.keys, p.text, p.typing, c.text, c.typing)
			}
		}
	})
}

func TestWordsAreLookedForOnceAndAfterAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		p := open(t, s.options(), 80, 24)
		// Without running the pauses between the keys.
		var last tea.Cmd
		p.press("/")
		for _, r := range "tide b" {
			last = p.Update(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)}))
		}
		if len(s.searches) != 0 {
			t.Fatalf("searched while typing: %q", s.searches)
		}
		p.run(last)
		if got := strings.Join(s.searches, ","); got != "tide" { // a single letter is not looked for
			t.Errorf("searched for %q", got)
		}
		p.press("'erth", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
		if n := strings.Count(strings.Join(s.searches, ","), "tide"); n != 1 {
			t.Errorf("%d searches for one word: %q", n, s.searches)
		}
	})
}

func TestAStoppedSearchIsNoFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		p := open(t, s.options(), 80, 24)
		p.press("/", "'ti")
		p.run(p.Update(foundMsg{p.Screen, p.round - 1, "t", nil, context.Canceled}))
		if len(p.asks) != 0 {
			t.Errorf("the person is told of %v", p.asks)
		}
		s.err = errors.New("disk gone")
		p.press("'de")
		if len(p.asks) == 0 || !strings.Contains(p.asks[len(p.asks)-1].(stage.Notice).Text, "disk gone") {
			t.Errorf("a search that failed is not told: %v", p.asks)
		}
	})
}

func TestWhatIsAskedOfTheRoot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for key, want := range map[string]func(m tea.Msg) bool{
			"enter": func(m tea.Msg) bool { r, ok := m.(Read); return ok && r.Reader.duel.ID == "d1" },
			"r":     func(m tea.Msg) bool { _, ok := m.(Replay); return ok },
			"w":     func(m tea.Msg) bool { return m == Continue{DuelID: "d1"} },
			"e":     func(m tea.Msg) bool { return m == Written{"/exports/d1.html"} },
			"m":     func(m tea.Msg) bool { return m == Written{"/exports/d1.md"} },
			"esc":   func(m tea.Msg) bool { _, ok := m.(Leave); return ok },
			"q":     func(m tea.Msg) bool { _, ok := m.(Leave); return ok },
		} {
			p := open(t, newShelf().options(), 100, 30)
			p.press(key)
			if len(p.asks) != 1 || !want(p.asks[0]) {
				t.Errorf("%s asks for %v", key, p.asks)
			}
		}
		// With nothing chosen nothing is asked, and nothing breaks.
		p := open(t, (&shelf{}).options(), 100, 30)
		p.press("enter", "r", "w", "e", "m", "down", "G", "pgup", "c", "s", "o", "u")
		if len(p.asks) != 0 {
			t.Errorf("an empty archive asks for %v", p.asks)
		}
	})
}

func TestADuelFoundBySaidWordsOpensAtItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, newShelf().options(), 100, 30)
		p.press("/", "'tide ball", "enter", "enter")
		if len(p.asks) != 1 {
			t.Fatalf("asked for %v", p.asks)
		}
		if at := p.asks[0].(Read).Reader.stage.LookedAt(); at != 1 {
			t.Errorf("opened at the turn with index %d", at)
		}
	})
}

func TestTroubleIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		s.err = errors.New("disk \x1b[2Jgone")
		p := open(t, s.options(), 80, 24)
		if v := fits(t, p.View(), 80, 24); !strings.Contains(v, "could not be read: disk gone") {
			t.Errorf("a ledger that cannot be read:\n%s", v)
		}
		s.err = nil
		p.press("u")
		if p.ids() != "d1 d2 d3 d4 d5" {
			t.Errorf("after reading again: %q", p.ids())
		}
		delete(s.duels, "d1")
		p = open(t, s.options(), 160, 30)
		if v := fits(t, p.View(), 160, 30); !strings.Contains(v, "no such duel") {
			t.Errorf("a duel that cannot be read:\n%s", v)
		}
		p.press("enter")
		if len(p.asks) != 1 || !p.asks[0].(stage.Notice).Bad {
			t.Errorf("opening it: %v", p.asks)
		}
	})
}

func TestTheMouseDoesWhatKeysDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, newShelf().options(), 100, 24)
		click := func(x, y int, b tea.MouseButton) { p.run(p.Update(tea.MouseClickMsg{X: x, Y: y, Button: b})) }
		p.View()
		click(10, p.places.list.y+2, tea.MouseLeft)
		if p.chosen().ID != "d3" {
			t.Errorf("chosen %s", p.chosen().ID)
		}
		click(10, p.places.list.y+2, tea.MouseLeft)
		if len(p.asks) != 1 || p.asks[0].(Read).Reader.duel.ID != "d3" {
			t.Errorf("a second click asks for %v", p.asks)
		}
		for _, c := range p.places.chips {
			if c.chip == kindChip {
				click(c.area.x, c.area.y, tea.MouseLeft)
				click(c.area.x, c.area.y, tea.MouseLeft)
				click(c.area.x, c.area.y, tea.MouseRight)
			}
		}
		if p.ids() != "d1 d2 d3 d5" {
			t.Errorf("after clicks on the kind: %q", p.ids())
		}
		click(30, 1, tea.MouseLeft)
		p.press("'ball")
		if p.ids() != "d2 d5" {
			t.Errorf("after a click on the search and typing: %q", p.ids())
		}
		p.View()
		p.run(p.Update(tea.MouseWheelMsg{X: 5, Y: p.places.list.y, Button: tea.MouseWheelDown}))
		if p.chosen().ID != "d5" {
			t.Errorf("the wheel went to %s", p.chosen().ID)
		}
		p.run(p.Update(tea.PasteMsg{Content: " a-very\n"}))
		if p.ids() != "d5" {
			t.Errorf("after a paste: %q", p.ids())
		}
	})
}

func TestReadingADuel(t *testing.T) {
	t.Parallel()
	s := newShelf()
	r := NewReader(s.options(), s.duels["d1"], 0)
	defer func() { _ = r.Close() }()
	r.SetSize(140, 44)
	view := func() string { return fits(t, r.View(), 140, 44) }
	press := func(name string) tea.Msg {
		if cmd := r.Update(keys.Parse(name)); cmd != nil {
			return cmd()
		}
		return nil
	}
	if v := view(); !strings.Contains(v, "turn 1 of 2") || !strings.Contains(v, "line 1") || strings.Count(v, "soaked to the bone") != 1 || !strings.Contains(v, "on turn 1") || !strings.Contains(v, "past duel: 2026-03-20") {
		t.Errorf("at the beginning:\n%s", v)
	}
	if small := NewReader(s.options(), s.duels["d1"], 0); small != nil {
		small.SetSize(80, 24)
		if v := fits(t, small.View(), 80, 24); strings.Count(v, "Rain on the windows") != 2 {
			t.Errorf("opened elsewhere than at the beginning:\n%s", v)
		}
		_ = small.Close()
	}
	press("left")
	if v := view(); strings.Count(v, "soaked to the bone") != 2 {
		t.Errorf("an earlier reply of an earlier turn:\n%s", v)
	}
	press("]")
	if v := view(); !strings.Contains(v, "turn 2 of 2") {
		t.Errorf("the next turn:\n%s", v)
	}
	press("]")
	press("p")
	if v := view(); !strings.Contains(v, "She should stay wary") {
		t.Errorf("plans unfolded:\n%s", v)
	}
	if m := press("w"); m != (Continue{DuelID: "d1", Turn: 2}) {
		t.Errorf("w asks for %v", m)
	}
	press("[")
	if m := press("w"); m != (Continue{DuelID: "d1", Turn: 1}) {
		t.Errorf("w on the first turn asks for %v", m)
	}
	if m := press("ctrl+g"); m != (Rejudge{DuelID: "d1", Turn: 1}) {
		t.Errorf("ctrl+g asks for %v", m)
	}
	if _, ok := press("r").(Replay); !ok {
		t.Error("r asks for no replay")
	}
	m := press("e")
	if cmd := r.Update(m); cmd == nil || cmd() != (Written{"/exports/d1.html"}) {
		t.Errorf("e gives %v", m)
	}
	for _, key := range []string{"ctrl+r", "alt+1", "1", "ctrl+o", "i", "enter"} { // nothing of it changes a duel
		if m := press(key); m != nil {
			t.Errorf("%s asks for %#v", key, m)
		}
	}
	for range 4 {
		press("tab")
		view()
	}
	if _, ok := press("esc").(Leave); !ok {
		t.Error("esc does not leave")
	}
}

func TestABlindDuelIsReadBlind(t *testing.T) {
	t.Parallel()
	s := newShelf()
	d := s.duels["d2"]
	d.Turns[1].Vote = nil
	r := NewReader(s.options(), d, 2)
	defer func() { _ = r.Close() }()
	r.SetSize(140, 44)
	if v := fits(t, r.View(), 140, 44); !strings.Contains(v, "hidden until you vote") || strings.Contains(strings.SplitAfterN(v, "\n", 3)[1], "her-rl") {
		t.Errorf("a blind duel names its sides:\n%s", v)
	}
}

func hostileShelf() *shelf {
	s := &shelf{duels: map[string]*ledger.DuelFull{}, said: map[string][]ledger.Hit{}}
	for i, text := range []string{"\x1b]0;x\x07\x1b[2J\u202e\u0085", strings.Repeat("長い", 200), "", "\xff\xfe\x00", strings.Repeat("e\u0301", 300), "a\nb\rc\td"} {
		d := ledger.DuelSummary{ID: fmt.Sprint(i) + text, SceneID: text, SceneTitle: text, Character: text, User: text, Contestants: [2]string{text, text}, Critic: text, Turns: 1 << 40, Votes: -3, Blind: i%2 == 0, Rehearsal: true}
		s.list = append(s.list, d)
		f := full(d)
		f.Critic, f.SceneJSON, f.Origin.DuelID = text, text, text
		f.Contestants[0].Name = text
		f.Turns[0].Line, f.Turns[0].Note = text, text
		f.Turns[0].Seats, f.Turns[0].Canon = [2]int{-1, 9}, 7
		f.Turns[0].Swipes[0][0].Segments[0].Text = text
		f.Turns[0].Swipes[0][0].Raw = text + "needle" + text
		f.Turns[1].Swipes = [2][]*arena.Reply{}
		f.Turns[1].Rulings[0].Critic = text
		s.duels[d.ID] = f
		s.said["needle"] = append(s.said["needle"], ledger.Hit{DuelID: d.ID, Turn: 1})
	}
	return s
}

func TestHostileTextIsHarmless(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, size := range [][2]int{{60, 20}, {72, 24}, {84, 30}, {100, 31}, {120, 40}, {300, 90}} {
			s := hostileShelf()
			p := open(t, s.options(), size[0], size[1])
			for i := range s.list {
				fits(t, p.View(), size[0], size[1])
				r := NewReader(p.o, s.duels[s.list[i].ID], 1)
				r.SetSize(size[0], size[1])
				fits(t, r.View(), size[0], size[1])
				_ = r.Close()
				p.press("down", "c", "s", "i")
			}
			p.press("x", "/", "'needle")
			for range s.list {
				fits(t, p.View(), size[0], size[1])
				p.run(p.move(1))
			}
			p.run(p.Update(tea.PasteMsg{Content: "\x1b[2J\u202e" + strings.Repeat("長い", 99)}))
			fits(t, p.View(), size[0], size[1])
		}
	})
}

func TestTinySizesDoNotPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, newShelf().options(), 60, 20)
		for w := 0; w < 70; w += 7 {
			for h := 0; h < 24; h += 3 {
				p.SetSize(w, h)
				p.View()
				p.press("down", "pgdown", "up")
			}
		}
	})
}

func TestBindingsAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
	own := map[string]bool{}
	for _, b := range keys.GroupsOf(readerSets())[0].Bindings {
		for _, k := range b.Keys {
			own[k] = true
		}
	}
	for _, g := range stage.WatchKeys() {
		for _, b := range g.Bindings {
			for _, k := range b.Keys {
				if own[k] && k != "[" && k != "]" { // those mean the same
					t.Errorf("%q of the stage (%s) is taken by the reading view", k, b.Does)
				}
			}
		}
	}
}

func TestSplitKeepsQuotedWordsTogether(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " a  b ": "a|b", `"a b" c`: "a b|c", `scene:"meryton ball"`: "scene:meryton ball", `"open`: "open", `""`: "", `a"b c"d`: "ab cd",
	} {
		if got := strings.Join(split(text), "|"); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestFilterValuesAreSortedAndKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, newShelf().options(), 80, 24)
		if v := p.filter.values[contestantChip]; v[0] != "any" || !sort.StringsAreSorted(v[1:]) {
			t.Errorf("contestants %q", v)
		}
		p.press("s", "s") // Harbour
		p.run(p.Update(rowsMsg{p.Screen, append([]row{newRow(summary("d0", 0, "Attic", "x", "y", 1, 0))}, p.rows...), true, nil}))
		if got := p.filter.value(sceneChip); got != "Harbour" || p.ids() != "d1 d3" {
			t.Errorf("after another duel the scene is %q and the list %q", got, p.ids())
		}
	})
}

// many is an archive of n duels.
func many(n int) *shelf {
	s := &shelf{said: map[string][]ledger.Hit{}}
	for i := range n {
		s.list = append(s.list, summary(fmt.Sprintf("d%06d", i), i/20, fmt.Sprintf("Scene %d", i%17), fmt.Sprintf("contestant-%d", i%23), fmt.Sprintf("contestant-%d", i%19), i%9, i%3))
	}
	return s
}

func TestTenThousandDuelsAreFiltered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := open(t, many(10_000).options(), 160, 50)
		p.retype("contestant-7 scene:16 voted:yes")
		fits(t, p.View(), 160, 50)
		if len(p.shown) == 0 || len(p.shown) == 10_000 {
			t.Errorf("%d shown", len(p.shown))
		}
	})
}

func BenchmarkListOf10k(b *testing.B) {
	o := many(10_000).options()
	o.Duel = nil
	for b.Loop() {
		p := open(b, o, 160, 50)
		p.View()
	}
}

func BenchmarkKeyInSearchOf10k(b *testing.B) {
	p := open(b, many(10_000).options(), 160, 50)
	texts := []string{"c", "co", "con", "contestant-1 s", "contestant-1 scene 1"}
	n := 0
	for b.Loop() {
		p.retype(texts[n%len(texts)])
		p.View()
		n++
	}
}

func BenchmarkMoveIn10k(b *testing.B) {
	p := open(b, many(10_000).options(), 160, 50)
	for b.Loop() {
		p.move(1)
		p.View()
	}
}

// TestAPastDuelIsSearched looks for words in a past duel with the stage's keys,
// goes through what is found and shuts the search again without leaving.
func TestAPastDuelIsSearched(t *testing.T) {
	t.Parallel()
	s := newShelf()
	r := NewReader(s.options(), s.duels["d1"], 1)
	t.Cleanup(func() { _ = r.Close() })
	for _, size := range sizes {
		r.SetSize(size[0], size[1])
		last := func() string {
			rows := strings.Split(strings.TrimRight(fits(t, r.View(), size[0], size[1]), "\n"), "\n")
			return rows[len(rows)-1]
		}
		typed := func(text string) {
			for _, c := range text {
				r.Update(tea.KeyPressMsg(tea.Key{Code: c, Text: string(c)}))
			}
		}
		r.View()
		typed("/")
		if !r.Typing() || !strings.Contains(last(), "search A") {
			t.Fatalf("the search is not open: %q", last())
		}
		typed("berth?q")
		r.Update(keys.Parse("backspace"))
		r.Update(keys.Parse("backspace"))
		if _, _, ok := r.Cursor(); !ok || !strings.Contains(last(), "of ") || !strings.Contains(last(), "berth") {
			t.Fatalf("at %v nothing is found: %q", size, last())
		}
		r.Update(tea.PasteMsg{Content: " zzz"})
		if !strings.Contains(last(), "not found") {
			t.Errorf("pasted text is not searched for: %q", last())
		}
		r.Update(keys.Parse("ctrl+u"))
		typed("berth")
		r.Update(keys.Parse("tab")) // round: both, A, B
		r.Update(keys.Parse("tab"))
		r.Update(keys.Parse("enter"))
		first := last()
		typed("n")
		if r.Typing() || last() == first {
			t.Errorf("n goes to no other place: %q", last())
		}
		if cmd := r.Update(keys.Parse("esc")); cmd != nil || strings.Contains(last(), "berth") {
			t.Errorf("esc leaves with the search open, or leaves it open: %q", last())
		}
		if cmd := r.Update(keys.Parse("esc")); cmd == nil {
			t.Error("esc does not leave")
		}
	}
}

// TestTheHelpOfThePastIsTrue presses every key that the help of a past duel
// names: wherever the focus may be, there is a place in which it does what is
// said.
func TestTheHelpOfThePastIsTrue(t *testing.T) {
	t.Parallel()
	s := newShelf()
	r := NewReader(s.options(), s.duels["d1"], 1)
	t.Cleanup(func() { _ = r.Close() })
	r.SetSize(120, 40)
	means := map[string]bool{}
	note := func() {
		r.View()
		for _, g := range r.Keys() {
			for _, b := range g.Bindings {
				for _, k := range b.Keys {
					name := r.Means(keys.Parse(k))
					if name == "" || r.stage.Searching() && strings.HasPrefix(b.Name, "stage.search.") {
						name = r.stage.Means(keys.Parse(k))
					}
					if name == b.Name {
						means[b.Name+" "+k] = true
					}
				}
			}
		}
	}
	note()
	for _, press := range [][]string{{"tab"}, {"tab"}, {"tab"}, {"tab"}, {"f6"}, {"tab"}, {"tab"}, {"esc"}, {"esc"}, {"tab"}, {"/"}} {
		for _, k := range press {
			r.Update(keys.Parse(k))
		}
		note()
	}
	for _, c := range "berth" {
		r.Update(tea.KeyPressMsg(tea.Key{Code: c, Text: string(c)}))
	}
	r.Update(keys.Parse("enter"))
	note()
	for _, g := range r.Keys() {
		for _, b := range g.Bindings {
			for _, k := range b.Keys {
				if !means[b.Name+" "+k] {
					t.Errorf("%s: %s is said to be %q and is not", g.Title, k, b.Does)
				}
			}
		}
	}
}

// TestDuelsLeftAtOnceDoNotStandInTheWay hides duels without a line until they
// are asked for, and says that they are there.
func TestDuelsLeftAtOnceDoNotStandInTheWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		s.list[0].Turns, s.list[2].Turns = 0, 0
		p := open(t, s.options(), 80, 24)
		if p.ids() != "d2 d4 d5" || !strings.Contains(fits(t, p.View(), 80, 24), "3 and 2 unplayed (p)") {
			t.Errorf("%s\n%s", p.ids(), fits(t, p.View(), 80, 24))
		}
		p.press("p")
		if p.ids() != "d1 d2 d3 d4 d5" {
			t.Errorf("all: %s", p.ids())
		}
		p.press("p")
		if p.ids() != "d1 d3" || !strings.Contains(fits(t, p.View(), 80, 24), "2 of 5") {
			t.Errorf("unplayed: %s\n%s", p.ids(), fits(t, p.View(), 80, 24))
		}
		p.press("x")
		if p.ids() != "d2 d4 d5" {
			t.Errorf("as at first: %s", p.ids())
		}
		for i := range s.list {
			s.list[i].Turns = 0
		}
		p.press("u")
		if view := fits(t, p.View(), 80, 24); !strings.Contains(view, "no duel in which anything was said; p shows") {
			t.Error(view)
		}
	})
}

// BenchmarkArchive is the work of one key in a list of 10,000 duels: a letter
// typed into the search, a filter turned, a step in the list with its frame.
func BenchmarkArchive(b *testing.B) {
	s := newShelf()
	s.list = nil
	for i := range 10_000 {
		d := summary(fmt.Sprintf("d%05d", i), i/10, []string{"Harbour", "Ball", "Observatory"}[i%3], fmt.Sprintf("model-%d", i%40), "plain-8b", 1+i%9, i%4)
		d.Rehearsal = i%2 == 0
		s.list = append(s.list, d)
	}
	for name, keys := range map[string][2]string{"type": {"'h", "backspace"}, "filter": {"v", "v"}, "order": {"o", "o"}, "step": {"down", "up"}} {
		b.Run(name, func(b *testing.B) {
			p := &prop{Screen: New(s.options()), t: b}
			defer func() { _ = p.Close() }()
			p.SetSize(160, 48)
			cmd := p.list(0)
			p.Update(cmd())
			if name == "type" {
				p.Update(pressed("/"))
			}
			p.View()
			b.ReportAllocs()
			for b.Loop() {
				for _, k := range keys {
					p.Update(pressed(strings.TrimPrefix(k, "'")))
					p.View()
				}
			}
		})
	}
}

func pressed(name string) tea.KeyPressMsg { return keys.Parse(name) }

// TestHugePastesAreHarmless pastes 10 MB wherever text is written: it is cut,
// and the screen answers at once.
func TestHugePastesAreHarmless(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		huge := strings.Repeat("x\x1b[2J é ", 1<<20)
		s := newShelf()
		p := open(t, s.options(), 80, 24)
		p.press("/")
		for range 3 {
			p.run(p.Update(tea.PasteMsg{Content: huge}))
		}
		if len(p.text) > textLimit {
			t.Errorf("%d bytes are searched for", len(p.text))
		}
		fits(t, p.View(), 80, 24)
		r := NewReader(s.options(), s.duels["d1"], 1)
		t.Cleanup(func() { _ = r.Close() })
		r.SetSize(80, 24)
		r.View()
		r.Update(keys.Parse("/"))
		for range 3 {
			r.Update(tea.PasteMsg{Content: huge})
		}
		fits(t, r.View(), 80, 24)
	})
}
