package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/rating"
	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/screentest"
	"herarena/tui/stage"
	"herarena/tui/stage/stagetest"
)

// mute is a critic that is never asked: the scripted duel judges by itself.
type mute struct{}

func (mute) Name() string { return "house" }

func (mute) Judge(context.Context, arena.Case, func(arena.Verdict)) arena.Verdict {
	return arena.Verdict{}
}

// house is one evening: the options, and the duels that were started.
type house struct {
	Options
	duels []*stagetest.Duel
}

func open() *house {
	h := &house{}
	cs := stagetest.Contestants()
	second := stagetest.Scene()
	second.ID, second.Title = "watch", "The long watch"
	h.Options = Options{
		Scenes:      append(h.Scenes, stagetest.Scene(), second),
		Contestants: cs[:],
		Critics:     []casting.CriticChoice{{Name: "house", Label: "house critic", Note: "Code, no model.", Critic: mute{}}, {Name: "none"}},
		StartDuel: func(context.Context, casting.Cast) (stage.Duel, error) {
			d := stagetest.New(stagetest.Script()...)
			h.duels = append(h.duels, d)
			return d, nil
		},
		Sources: func(context.Context) ([]string, error) { return []string{"vote", "critic:house"}, nil },
		Board: func(_ context.Context, source string) (rating.Board, error) {
			if source == "vote" {
				return rating.Board{}, nil
			}
			return rating.Board{Battles: 12, Warnings: []string{"few battles"}, Ratings: []rating.Row{
				{Contestant: "her-rl", BT: 1312, Low: 1294, High: 1330, Rank: 1, Wins: 8},
				{Contestant: "plain-8b", BT: 1188, Low: 1170, High: 1206, Rank: 2, Losses: 8},
			}}, nil
		},
		Note: "rehearsal: no model",
	}
	return h
}

// enter starts the program on a terminal in this process.
func (h *house) enter(t *testing.T, w, ht int) *screentest.Term {
	t.Helper()
	m := New(h.Options)
	x := screentest.Start(t, m, w, ht)
	t.Cleanup(func() {
		x.Quit()
		if err := m.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return x
}

func TestAnEveningOfThreeTurns(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			h := open()
			x := h.enter(t, size[0], size[1])
			x.WaitFor(t, "The harbour office")
			x.WaitFor(t, "you play    Captain Roe")
			x.Press("enter")
			x.WaitFor(t, "listens once both have replied")
			for turn, line := range []string{"I need a berth.", "I can pay.", "Say the name."} {
				x.Type(line + "\n")
				x.WaitFor(t, fmt.Sprintf("turn %d", turn+1))
				want := "both orders agree"
				if turn == 2 {
					want = "flip"
				}
				x.WaitFor(t, want)
				x.WaitFor(t, "4 both bad")
				x.WaitFor(t, line)
			}
			x.Press("shift+tab", "enter")
			x.WaitFor(t, "B first  ")
			x.Press("esc")
			x.WaitFor(t, "4 both bad")
			x.Press("2")
			x.WaitFor(t, "you B")
			x.Press("ctrl+b")
			x.WaitFor(t, "12 battles, 2 contestants")
			x.WaitFor(t, "1312")
			x.Press("tab")
			x.WaitFor(t, "0 battles")
			x.Press("esc")
			x.WaitFor(t, "you B")
			x.Press("ctrl+c")
			x.WaitFor(t, "ctrl+c again leaves")
			x.Press("ctrl+c")
			x.WaitDone(t)
			want := "say I need a berth.,say I can pay.,say Say the name.,vote b"
			if got := strings.Join(h.duels[0].Calls(), ","); got != want {
				t.Errorf("the duel was asked %s, want %s", got, want)
			}
		})
	}
}

func TestCtrlCStopsWhatRunsThenLeaves(t *testing.T) {
	h := open()
	h.Open = true
	start := h.StartDuel
	h.StartDuel = func(ctx context.Context, c casting.Cast) (stage.Duel, error) {
		d, err := start(ctx, c)
		h.duels[0].Step = 5 * time.Second
		return d, err
	}
	x := h.enter(t, 100, 30)
	x.WaitFor(t, "listens once both have replied")
	x.Type("hello\n")
	x.WaitFor(t, "waiting")
	x.Press("ctrl+c")
	x.WaitFor(t, "stopped; ctrl+c again leaves")
	x.WaitFor(t, "ctrl+r asks for another")
	x.Press("ctrl+c")
	x.WaitDone(t)
}

func TestLeavingASceneEndsItsDuel(t *testing.T) {
	h := open()
	x := h.enter(t, 80, 24)
	x.WaitFor(t, "Choose: Scene")
	x.Press("down", "enter")
	x.WaitFor(t, "The long watch · you play")
	x.Press("esc")
	x.WaitFor(t, "Choose: Scene")
	x.Press("enter")
	x.WaitFor(t, "listens once both have replied")
	x.Press("ctrl+q")
	x.WaitDone(t)
	if len(h.duels) != 2 {
		t.Errorf("%d duels were started, want 2", len(h.duels))
	}
}

func TestADuelThatCannotStartIsTold(t *testing.T) {
	h := open()
	h.StartDuel = func(context.Context, casting.Cast) (stage.Duel, error) {
		return nil, errors.New("the ledger \x1b]52;c;x\x07 is locked by another arena")
	}
	x := h.enter(t, 100, 30)
	x.WaitFor(t, "Choose: Scene")
	x.Press("enter")
	x.WaitFor(t, "is locked by another arena")
	x.WaitFor(t, "enter start")
}

func TestOffersArriveWhileTheScreenIsOpen(t *testing.T) {
	h := open()
	offers := make(chan casting.Offer)
	h.Offers = offers
	x := h.enter(t, 120, 30)
	x.WaitFor(t, "Choose: Scene")
	offers <- casting.Offer{Text: "found Ollama with 1 model", Contestants: []arena.Contestant{{Name: "qwen3:8b", Model: "qwen3:8b"}, {Name: "her-rl"}}}
	x.WaitFor(t, "found Ollama")
	x.Press("tab", "tab")
	x.WaitFor(t, "Choose: A")
	x.WaitFor(t, "qwen3:8b")
	close(offers)
	x.Type("/qwen")
	x.WaitFor(t, "1 of 3")
}

func TestHelpListsTheKeysOfTheScreen(t *testing.T) {
	h := open()
	h.Open = true
	x := h.enter(t, 120, 60)
	x.WaitFor(t, "listens once both have replied")
	x.Press("?")
	x.WaitFor(t, "another reply of both sides")
	x.Type("leave")
	x.WaitFor(t, "leave the program")
	x.WaitGone(t, "another reply of both sides")
	x.Press("esc")
	x.WaitGone(t, "leave the program")
	x.Type("what?")
	x.WaitFor(t, "what?") // in a text it is a letter
	x.Press("f1")
	x.WaitFor(t, "another reply of both sides")
}

func TestATinyWindowSaysSo(t *testing.T) {
	h := open()
	x := h.enter(t, 40, 10)
	x.WaitFor(t, "The arena needs 60 x 20")
	x.Resize(80, 24)
	x.WaitFor(t, "Choose: Scene")
	x.Resize(30, 5)
	x.WaitFor(t, "The arena needs")
}

func TestANarrowStageSwitchesSides(t *testing.T) {
	h := open()
	h.Open = true
	x := h.enter(t, 62, 22)
	x.WaitFor(t, "A  her-rl   F2 B")
	x.Press("f2")
	x.WaitFor(t, "B  plain-8b   F2 A")
	x.Resize(120, 40)
	x.WaitFor(t, "A  her-rl ──")
	x.WaitFor(t, "B  plain-8b ──")
}

// TestBindingsOfAllScreensAreSound finds keys that two commands share where both
// may be meant. Those that do so on purpose are named here: the inner goes first.
func TestBindingsOfAllScreensAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
	meant := map[string]bool{"stage.regenerate.both stage.regenerate.side": true}
	within := func(in, out string) bool { return out == "" || in == out || strings.HasPrefix(in, out+".") }
	names := map[string]bool{}
	groups := Groups()
	for i, g := range groups {
		for _, b := range g.Bindings {
			if b.Name == "" || names[b.Name] {
				t.Errorf("%s: %q (%s) has no name of its own", g.Title, b.Name, b.Does)
			}
			names[b.Name] = true
			for _, h := range groups[i+1:] {
				if !within(g.Scope, h.Scope) && !within(h.Scope, g.Scope) {
					continue
				}
				for _, c := range h.Bindings {
					for _, k := range c.Keys {
						if slices.Contains(b.Keys, k) && !meant[b.Name+" "+c.Name] {
							t.Errorf("%q is %s (%s) and %s (%s)", k, b.Name, g.Title, c.Name, h.Title)
						}
					}
				}
			}
		}
	}
}

func TestPresetsAreSound(t *testing.T) {
	t.Parallel()
	for _, name := range Presets() {
		if _, err := Keymap(name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(Presets()) != len(presets) {
		t.Errorf("%d presets have names, there are %d", len(Presets()), len(presets))
	}
}

// TestFramesFit draws every screen with help and toast over it at many sizes.
func TestFramesFit(t *testing.T) {
	t.Parallel()
	h := open()
	m := New(h.Options)
	defer func() { _ = m.Close() }()
	check := func(what string) {
		t.Helper()
		for _, size := range [][2]int{{1, 1}, {30, 4}, {59, 19}, {60, 20}, {80, 24}, {99, 30}, {100, 24}, {200, 60}} {
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			rows := strings.Split(m.View().Content, "\n")
			if len(rows) != size[1] {
				t.Fatalf("%s at %v: %d rows", what, size, len(rows))
			}
			for i, row := range rows {
				if n := ansi.StringWidth(row); n != size[0] {
					t.Fatalf("%s at %v: row %d has %d cells: %q", what, size, i, n, ansi.Strip(row))
				}
			}
		}
	}
	check("casting")
	d := stagetest.New(stagetest.Script()...)
	m.Update(duelStarted{cast: casting.Cast{Scene: h.Scenes[0], Contestants: stagetest.Contestants(), Critic: h.Critics[0]}, duel: d})
	check("stage")
	m.Update(stage.Notice{Text: "一个很长的消息，" + strings.Repeat("with a long tail ", 20), Bad: true})
	check("toast")
	m.Update(tea.KeyPressMsg{Code: tea.KeyF1})
	check("help")
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	m.Update(stage.OpenBoard{Source: "critic:house"})
	check("board")
}

func TestRunEndsWithItsContext(t *testing.T) {
	h := open()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	h.Program = []tea.ProgramOption{tea.WithInput(strings.NewReader("")), tea.WithOutput(discard{}), tea.WithWindowSize(80, 24)}
	if err := Run(ctx, h.Options); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run = %v, want the context's error", err)
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
