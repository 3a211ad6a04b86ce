package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
	"herarena/tui/stage/stagetest"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func reply(turn, contestant, swipe int, take stagetest.Take, at time.Time) *arena.Reply {
	return &arena.Reply{
		ID: fmt.Sprintf("t%d-c%d-s%d", turn, contestant, swipe), Contestant: contestant, Swipe: swipe, Segments: take.Segments,
		Finish: arena.FinishStop, Complete: true, Started: at, FirstByte: 400 * time.Millisecond, Total: 3 * time.Second,
		Usage: &arena.Usage{CompletionTokens: 60},
	}
}

// recordedDuel has two turns: the first with another reply of A, a ruling each
// and a vote on the second, after a minute of thought.
func recordedDuel() *ledger.DuelFull {
	scene, _ := json.Marshal(stagetest.Scene())
	d := &ledger.DuelFull{DuelRecord: arena.DuelRecord{
		ID: "0123456789", SceneTitle: stagetest.Scene().Title, SceneJSON: string(scene), Character: "x", User: "y",
		Contestants: stagetest.Contestants(), Critic: "house", Canon: arena.CanonVote, Started: start,
	}}
	for n := 1; n <= 2; n++ {
		at := start.Add(time.Duration(n-1) * time.Minute)
		t := arena.Turn{ID: fmt.Sprint("t", n), Number: n, Line: fmt.Sprintf("Line number %d.", n), Seats: [2]int{0, 1}, Started: at}
		t.Swipes[0] = []*arena.Reply{reply(n, 0, 0, stagetest.Layered(), at)}
		t.Swipes[1] = []*arena.Reply{reply(n, 1, 0, stagetest.Bare(), at)}
		full := ledger.FullTurn{Turn: t}
		ruling := stagetest.Sum(stagetest.Agreeing())
		ruling.Critic, ruling.ReplyA, ruling.ReplyB, ruling.At = "house", t.Swipes[0][0].ID, t.Swipes[1][0].ID, at.Add(3*time.Second)
		full.Rulings = []arena.Ruling{ruling}
		if n == 1 {
			full.Swipes[0] = append(full.Swipes[0], reply(1, 0, 1, stagetest.Bare(), at.Add(9*time.Second)))
		} else {
			full.Ruling = &full.Rulings[0]
			full.Votes = []arena.Vote{{ID: "v", Choice: arena.ChoseB, At: at.Add(20 * time.Second), Counted: true}}
			full.Vote, full.Canon = &full.Votes[0], 1
		}
		d.Turns = append(d.Turns, full)
	}
	return d
}

// prop is a screen with a clock of the test's own.
type prop struct {
	*Screen
	t     *testing.T
	clock time.Time
}

func newProp(t *testing.T, o Options, w, h int) *prop {
	t.Helper()
	p := &prop{t: t, clock: start}
	if o.Duel == nil {
		o.Duel = recordedDuel()
	}
	if o.Look == nil {
		o.Look = look.New(look.Options{Dark: true})
	}
	o.Now = func() time.Time { return p.clock }
	p.Screen = New(o)
	t.Cleanup(func() { _ = p.Close() })
	p.SetSize(w, h)
	p.Init()
	return p
}

// pass lets time go by.
func (p *prop) pass(d time.Duration) {
	for range int(d / (50 * time.Millisecond)) {
		p.clock = p.clock.Add(50 * time.Millisecond)
		p.Update(tickMsg{p.Screen, p.round})
	}
}

func (p *prop) press(names ...string) (last tea.Msg) {
	p.t.Helper()
	for _, name := range names {
		k := map[string]tea.Key{
			"space": {Code: tea.KeySpace, Text: " "}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
			"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "enter": {Code: tea.KeyEnter},
			"ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "alt+1": {Code: '1', Mod: tea.ModAlt},
		}[name]
		if k.Code == 0 {
			k = tea.Key{Code: rune(name[0]), Text: name}
		}
		if cmd := p.Update(tea.KeyPressMsg(k)); cmd != nil && (name == "esc" || name == "q") {
			last = cmd()
		}
	}
	return last
}

func (p *prop) plain() string { return ansi.Strip(p.View()) }

func TestReplayKeepsTheRecordedPace(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{MaxPause: 3 * time.Second}, 120, 40)
	p.pass(200 * time.Millisecond)
	if s := p.plain(); !strings.Contains(s, "Line number 1.") || !strings.Contains(s, "waiting 0 s") {
		t.Fatalf("at the beginning:\n%s", s)
	}
	p.pass(1800 * time.Millisecond)
	if s := p.plain(); !strings.Contains(s, "tok/s") || strings.Contains(s, "line number 2") {
		t.Fatalf("after two seconds nothing is being written:\n%s", s)
	}
	p.pass(40 * time.Second)
	s := p.plain()
	for _, want := range []string{"Line number 2.", "your vote", "canon", "over", "0:22 of 0:22", "space again"} {
		if !strings.Contains(s, want) {
			t.Errorf("at the end there is no %q:\n%s", want, s)
		}
	}
	if p.Running() {
		t.Error("it still plays")
	}
}

func TestKeysOfTheReplay(t *testing.T) {
	t.Parallel()
	type state struct {
		playing bool
		speed   float64
		turns   int
		over    bool
	}
	for _, c := range []struct {
		keys string
		want state
	}{
		{"", state{true, 1, 1, false}},
		{"space", state{false, 1, 1, false}},
		{"space space", state{true, 1, 1, false}},
		{"+", state{true, 1.5, 1, false}},
		{"+ + +", state{true, 3, 1, false}},
		{"-", state{true, 0.5, 1, false}},
		{"- - - - - -", state{true, 0.25, 1, false}},
		{"n", state{true, 1, 2, false}},
		{"n b b", state{true, 1, 1, false}},
		{"n n space", state{false, 1, 2, true}},
		{"n n space 0", state{false, 1, 1, false}},
		{"ctrl+r alt+1 1 2 x", state{true, 1, 1, false}},
	} {
		p := newProp(t, Options{MaxPause: 3 * time.Second}, 100, 30)
		p.pass(time.Second)
		p.press(strings.Fields(c.keys)...)
		p.View()
		if got := (state{p.playing, p.speed, p.stage.TurnCount(), p.over()}); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.keys, got, c.want)
		}
	}
}

func TestEscEndsTheReplayFromAnyPanel(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "tab", "tab tab", "space", "n n"} {
		p := newProp(t, Options{}, 100, 30)
		p.press(strings.Fields(before)...)
		if _, ok := p.press("esc").(Leave); !ok {
			t.Errorf("esc after %q does not end the replay", before)
		}
	}
}

func TestSpeedChangesThePace(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{Speed: 4}, 100, 30)
	p.pass(2 * time.Second)
	if p.at != 8*time.Second {
		t.Errorf("after 2 s at fourfold speed the replay is at %v", p.at)
	}
}

func TestTheBarSeeks(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{MaxPause: time.Second}, 100, 30)
	p.View()
	p.Update(tea.MouseClickMsg{X: p.bar.to - 1, Y: 29, Button: tea.MouseLeft})
	if !p.over() {
		t.Errorf("a click on the end of the bar went to %v of %v", p.at, p.length)
	}
	p.View()
	p.Update(tea.MouseClickMsg{X: p.bar.from, Y: 29, Button: tea.MouseLeft})
	if p.at != 0 || p.stage.TurnCount() != 1 {
		t.Errorf("a click on its beginning went to %v", p.at)
	}
}

// TestTheEndIsTheDuelAsItStood compares the stage after a replay with the stage
// that is given the finished turns.
func TestTheEndIsTheDuelAsItStood(t *testing.T) {
	t.Parallel()
	d := recordedDuel()
	p := newProp(t, Options{Duel: d}, 140, 50)
	p.press("n", "n")
	still := Still(d, Options{Word: "replay", Look: p.o.Look})
	still.SetSize(140, 50)
	got, want := rowsOf(p.stage.View()), rowsOf(still.View())
	got, want = got[:len(got)-1], want[:len(want)-1]
	for i := range got { // tokens and speed of a reply are known to both
		if got[i] != want[i] {
			t.Errorf("row %d after the replay is\n%s\nand of the finished duel\n%s", i, ansi.Strip(got[i]), ansi.Strip(want[i]))
		}
	}
}

func rowsOf(s string) []string { return strings.Split(s, "\n") }

// cast is a parsed recording.
type cast struct {
	head   map[string]any
	times  []float64
	events []string
}

func parse(t *testing.T, data []byte) cast {
	t.Helper()
	var c cast
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if i == 0 {
			if err := json.Unmarshal([]byte(line), &c.head); err != nil {
				t.Fatalf("header %q: %v", line, err)
			}
			continue
		}
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil || len(event) != 3 || event[1] != "o" {
			t.Fatalf("line %d: %v %q", i+1, err, line)
		}
		c.times, c.events = append(c.times, event[0].(float64)), append(c.events, event[2].(string))
	}
	return c
}

func TestCastEndsWithTheScreenOfTheStage(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		for _, l := range []*look.Look{look.New(look.Options{Dark: true, Colour: look.Full}), look.New(look.Options{})} {
			o := Options{Duel: recordedDuel(), MaxPause: 2 * time.Second, Look: l}
			var out bytes.Buffer
			if err := Cast(context.Background(), &out, o, size[0], size[1]); err != nil {
				t.Fatal(err)
			}
			c := parse(t, out.Bytes())
			if c.head["version"] != 2.0 || c.head["width"] != float64(size[0]) || c.head["height"] != float64(size[1]) || c.head["timestamp"] != float64(start.Unix()) {
				t.Errorf("header %v", c.head)
			}
			em := vt.NewEmulator(size[0], size[1])
			for i, data := range c.events {
				if i > 0 && c.times[i] <= c.times[i-1] {
					t.Fatalf("time %v after %v", c.times[i], c.times[i-1])
				}
				_, _ = em.WriteString(data)
			}
			if c.times[0] != 0 || c.times[len(c.times)-1] > c.head["duration"].(float64)+0.05 {
				t.Errorf("times from %v to %v, duration %v", c.times[0], c.times[len(c.times)-1], c.head["duration"])
			}
			o.Bare = true
			s := New(o)
			s.SetSize(size[0], size[1])
			s.moveTo(s.length)
			want := vt.NewEmulator(size[0], size[1])
			_, _ = want.WriteString(strings.ReplaceAll(s.View(), "\n", "\r\n"))
			if diff := cmp.Diff(rowsOf(want.Render()), rowsOf(em.Render())); diff != "" {
				t.Errorf("%v: the cast ends with another screen than the stage's (- stage, + cast):\n%s", size, diff)
			}
			_ = s.Close()
		}
	}
}

func TestCastIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	var outs [2]bytes.Buffer
	for i := range outs {
		if err := Cast(context.Background(), &outs[i], Options{Duel: recordedDuel(), Speed: 1.7}, 100, 30); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(outs[0].Bytes(), outs[1].Bytes()) {
		t.Error("two casts of one duel differ")
	}
}

func TestCastEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Cast(ctx, &bytes.Buffer{}, Options{Duel: recordedDuel()}, 80, 24); err == nil {
		t.Error("a cast without time was written")
	}
}

func TestEveryFrameFits(t *testing.T) {
	t.Parallel()
	d := recordedDuel()
	hostile := "\x1b]0;x\x07\x1b[2J\u202e一\u0085" + strings.Repeat("長い", 90)
	d.SceneTitle, d.SceneJSON, d.Character, d.User, d.Critic = hostile, "{broken", hostile, hostile, hostile
	d.Contestants[0].Name, d.Contestants[1].Name = hostile, ""
	d.Turns[0].Line = hostile
	d.Turns[0].Swipes[1] = nil
	d.Turns[1].Seats, d.Turns[1].Canon, d.Turns[1].Number = [2]int{7, -4}, 9, -3
	d.Turns[1].Swipes[0][0].Total, d.Turns[1].Swipes[0][0].Usage = -time.Hour, &arena.Usage{CompletionTokens: 1 << 40}
	d.Turns[1].Swipes[1][0].Segments[0].Text = hostile
	d.Turns[1].Started = time.Time{}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {99, 30}, {120, 40}, {300, 90}} {
		for _, ascii := range []bool{false, true} {
			p := newProp(t, Options{Duel: d, Look: look.New(look.Options{ASCII: ascii}), MaxPause: time.Second}, size[0], size[1])
			for range 12 {
				rows := rowsOf(p.View())
				if len(rows) != size[1] {
					t.Fatalf("%v: %d rows", size, len(rows))
				}
				for i, row := range rows {
					if n := ansi.StringWidth(row); n != size[0] {
						t.Fatalf("%v: row %d has %d cells: %q", size, i, n, ansi.Strip(row))
					}
					if strings.ContainsAny(ansi.Strip(row), "\x1b\x07\u0085\u202e") {
						t.Fatalf("%v: row %d holds a control: %q", size, i, row)
					}
				}
				p.pass(700 * time.Millisecond)
				p.press("tab")
			}
		}
	}
}

func TestAReplayOfNothingIsOver(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{Duel: &ledger.DuelFull{}}, 80, 24)
	p.pass(200 * time.Millisecond)
	if !strings.Contains(p.plain(), "over") {
		t.Errorf("an empty duel:\n%s", p.plain())
	}
	p.press("n", "b", "0", "space", "+", "-")
	p.View()
}

func TestAFrameWithNothingNewIsTheSameString(t *testing.T) {
	p := newProp(t, Options{}, 120, 40)
	p.press("n", "n", "space")
	p.View()
	if n := testing.AllocsPerRun(50, func() { p.View() }); n > 60 {
		t.Errorf("a frame with nothing new makes %.0f allocations", n)
	}
}

func TestBindingsAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
}

func BenchmarkCast(b *testing.B) {
	o := Options{Duel: recordedDuel(), MaxPause: time.Second}
	moments := len(replay.Timeline(o.Duel, replay.Options{}))
	for b.Loop() {
		if err := Cast(context.Background(), &bytes.Buffer{}, o, 120, 40); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(moments), "moments")
}

// TestAReplayIsSearched looks for words while the replay plays on: what comes
// meanwhile is found too, n goes to the next place, and the search outlives a
// jump back. With no search open n is the next turn again.
func TestAReplayIsSearched(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{MaxPause: 3 * time.Second}, 120, 40)
	last := func() string {
		rows := strings.Split(p.plain(), "\n")
		return strings.TrimSpace(rows[len(rows)-1])
	}
	p.pass(200 * time.Millisecond)
	p.View()
	p.press("/", "n", "u", "m", "b", "e", "r")
	if !p.Typing() || !strings.Contains(last(), "1 of 1") {
		t.Fatalf("nothing is found: %q", last())
	}
	p.press("enter", "n")
	if p.at > time.Second || p.Typing() {
		t.Fatalf("n has moved the replay to %v", p.at)
	}
	p.pass(30 * time.Second)
	if !strings.Contains(last(), "of 2") {
		t.Errorf("what came meanwhile is not found: %q", last())
	}
	p.press("b")
	if !p.stage.Searching() || !strings.Contains(last(), "number") {
		t.Errorf("the search is gone after a jump back: %q", last())
	}
	if msg := p.press("esc"); msg != nil || p.stage.Searching() {
		t.Errorf("esc gives %v, the search is open: %v", msg, p.stage.Searching())
	}
	was := p.at
	p.press("n")
	if p.at <= was {
		t.Errorf("n stays at %v", p.at)
	}
	if _, ok := p.press("esc").(Leave); !ok {
		t.Error("esc does not leave")
	}
}

// TestAJumpBackKeepsTheWayOfReading folds the thoughts away and goes back.
func TestAJumpBackKeepsTheWayOfReading(t *testing.T) {
	t.Parallel()
	p := newProp(t, Options{Reading: stage.Reading{Panels: map[string]string{"think": "hidden"}}}, 120, 40)
	p.pass(10 * time.Second)
	p.press("tab", "0")
	p.pass(10 * time.Second)
	if got := p.stage.Reading().Panels["think"]; got != "hidden" {
		t.Errorf("thoughts are %q", got)
	}
}
