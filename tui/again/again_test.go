package again_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/again"
	"herarena/tui/keys"
	"herarena/tui/look"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hostile = "\x1b[2J\x1b]52;c;eA==\x07\u202e<b>"

func verdict(better arena.Choice, n int) arena.Verdict {
	v := arena.Verdict{Status: arena.VerdictOK, Better: better}
	for i := range n {
		name := fmt.Sprintf("Principle no %d", i+1)
		v.Principles = append(v.Principles, arena.Principle{Name: name, Dimension: "Character fidelity", Polarity: "positive", Level: "session"})
		v.Comparisons = append(v.Comparisons, arena.Comparison{Name: name, First: "holds " + hostile, Second: "drifts", Winner: better, Degree: "clear"})
	}
	return v
}

func ruling(critic string, a, b arena.Choice) arena.Ruling {
	r := arena.Ruling{Critic: critic, Verdicts: [2]arena.Verdict{verdict(a, 3), verdict(b, 3)}, Agreement: arena.Agree, Winner: arena.ChoseA}
	if a == b {
		r.Agreement, r.Winner = arena.Flip, arena.NoChoice
	}
	return r
}

// judge is a critic that answers when it is let.
type judge struct {
	mu    sync.Mutex
	asked []again.Ask
	gate  chan struct{}
	err   error
}

func (j *judge) Judge(ctx context.Context, a again.Ask, on func(arena.Order, arena.Verdict)) (arena.Ruling, error) {
	j.mu.Lock()
	j.asked = append(j.asked, a)
	j.mu.Unlock()
	on(arena.AFirst, verdict(arena.First, 1))
	select {
	case <-j.gate:
	case <-ctx.Done():
		return arena.Ruling{}, ctx.Err()
	}
	return ruling(a.Critic, arena.First, arena.First), j.err
}

func screen(t *testing.T, j *judge, before *arena.Ruling) *again.Screen {
	t.Helper()
	reply := &arena.Reply{Segments: []layers.Segment{{Layer: layers.Speech, Text: "I will."}}}
	s := again.New(again.Options{
		Title: "Ball " + hostile + ", turn 3", Critics: []string{"her-rm", "house", hostile + "rm"}, Before: before,
		Replies: [2]*arena.Reply{reply, reply}, Judge: j.Judge,
	})
	s.SetSize(120, 40)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// press sends keys and runs what they start, message by message, until nothing
// is left or the gate holds it.
func press(s *again.Screen, names ...string) tea.Cmd {
	var cmds []tea.Cmd
	for _, name := range names {
		cmds = append(cmds, s.Update(keys.Parse(name)))
	}
	return tea.Batch(cmds...)
}

func settle(s *again.Screen, cmd tea.Cmd) (left bool) {
	if cmd == nil {
		return false
	}
	msgs := make(chan tea.Msg, 256)
	var wg sync.WaitGroup
	run := func(c tea.Cmd) {
		if c != nil {
			wg.Go(func() { msgs <- c() })
		}
	}
	run(cmd)
	for pending := 1; pending > 0; {
		msg := <-msgs
		pending--
		switch msg := msg.(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				if c != nil {
					pending++
					run(c)
				}
			}
		case again.Leave:
			left = true
		default:
			if c := s.Update(msg); c != nil {
				pending++
				run(c)
			}
		}
	}
	wg.Wait()
	return left
}

func open() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func TestKeysChooseWhatIsAsked(t *testing.T) {
	for pressed, want := range map[string]again.Ask{
		"":              {Critic: "her-rm", Orders: arena.OrdersAlways},
		"c":             {Critic: "house", Orders: arena.OrdersAlways},
		"c c c":         {Critic: "her-rm", Orders: arena.OrdersAlways},
		"o":             {Critic: "her-rm", Orders: arena.OrdersNever},
		"o o":           {Critic: "her-rm", Orders: arena.OrdersClose},
		"o o o t l":     {Critic: "her-rm", Orders: arena.OrdersAlways, HideThoughts: true, Equalise: true},
		"t t":           {Critic: "her-rm", Orders: arena.OrdersAlways},
		"tab down up l": {Critic: "her-rm", Orders: arena.OrdersAlways, Equalise: true},
	} {
		j := &judge{gate: open()}
		s := screen(t, j, nil)
		press(s, strings.Fields(pressed)...)
		settle(s, press(s, "enter"))
		if len(j.asked) != 1 || j.asked[0] != want {
			t.Errorf("%q asks %+v, want %+v", pressed, j.asked, want)
		}
	}
}

func TestBothRulingsAreShown(t *testing.T) {
	before := ruling("her-rm", arena.First, arena.Second)
	j := &judge{gate: open()}
	s := screen(t, j, &before)
	settle(s, press(s, "c", "enter"))
	plain := ansi.Strip(s.View())
	for _, want := range []string{"before: her-rm", "now: house", "A better", "flip: the orders disagree", "Principle no 1"} {
		if !strings.Contains(plain, want) {
			t.Errorf("%q is not on the screen:\n%s", want, plain)
		}
	}
}

func TestItStopsAndSaysSo(t *testing.T) {
	j := &judge{gate: make(chan struct{})}
	s := screen(t, j, nil)
	cmd := press(s, "enter")
	done := make(chan bool)
	go func() { done <- settle(s, cmd) }()
	for {
		j.mu.Lock()
		n := len(j.asked)
		j.mu.Unlock()
		if n == 1 {
			break
		}
	}
	close(j.gate)
	<-done
	if s.Running() {
		t.Error("it still runs")
	}
	// A second time it is stopped by the screen's end.
	held := &judge{gate: make(chan struct{})}
	s = screen(t, held, nil)
	cmd = press(s, "enter")
	go func() { done <- settle(s, cmd) }()
	for {
		held.mu.Lock()
		n := len(held.asked)
		held.mu.Unlock()
		if n == 1 {
			break
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-done
}

func TestAFaultIsTold(t *testing.T) {
	j := &judge{gate: open(), err: errors.New("her-rm " + hostile + " cannot be reached")}
	s := screen(t, j, nil)
	settle(s, press(s, "enter"))
	if plain := ansi.Strip(s.View()); !strings.Contains(plain, "cannot be reached") {
		t.Errorf("the fault is not told:\n%s", plain)
	}
	if !settle(s, press(s, "esc")) {
		t.Error("esc does not leave")
	}
}

func TestEveryRowIsAsWideAsTheScreen(t *testing.T) {
	before := ruling("her-rm", arena.First, arena.Second)
	for _, size := range [][2]int{{60, 20}, {80, 24}, {109, 30}, {110, 30}, {120, 40}, {200, 60}, {300, 90}} {
		for _, o := range []look.Options{{Dark: true, Colour: look.Full}, {Colour: look.Full}, {Colour: look.NoColour}, {ASCII: true}} {
			j := &judge{gate: open()}
			s := screen(t, j, &before)
			s.SetLook(look.New(o))
			s.SetSize(size[0], size[1])
			settle(s, press(s, "enter", "right"))
			rows := strings.Split(s.View(), "\n")
			if len(rows) != size[1] {
				t.Errorf("%v: %d rows", size, len(rows))
			}
			for i, row := range rows {
				if w := look.Width(row); w != size[0] {
					t.Errorf("%v: row %d is %d wide: %q", size, i, w, row)
				}
				if strings.Contains(row, "\x1b]") || strings.Contains(row, "\x1b[2J") || strings.Contains(row, "\u202e") {
					t.Errorf("%v: row %d holds a hostile sequence", size, i)
				}
			}
			_ = s.Close()
		}
	}
}

func TestClicks(t *testing.T) {
	j := &judge{gate: open()}
	s := screen(t, j, nil)
	for y := 1; y <= 4; y++ {
		s.Update(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
	}
	settle(s, press(s, "enter"))
	if want := (again.Ask{Critic: "house", Orders: arena.OrdersNever, HideThoughts: true, Equalise: true}); j.asked[0] != want {
		t.Errorf("clicks ask %+v, want %+v", j.asked[0], want)
	}
}

func TestEachOrderIsLabelled(t *testing.T) {
	before := ruling("her-rm", arena.First, arena.First)
	alone := before
	alone.Verdicts[1], alone.Agreement = arena.Verdict{}, arena.OneOrder
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {122, 40}, {200, 60}} {
		for _, c := range []struct {
			before        *arena.Ruling
			first, second int
		}{{&before, 2, 2}, {&alone, 2, 1}, {nil, 1, 1}} {
			j := &judge{gate: open()}
			s := screen(t, j, c.before)
			s.SetSize(size[0], size[1])
			settle(s, press(s, "enter"))
			plain := ansi.Strip(s.View())
			if a, b := strings.Count(plain, "A first  A better"), strings.Count(plain, "B first  B better"); a != c.first || b != c.second {
				t.Errorf("%v: the orders are named %d and %d times, want %d and %d:\n%s", size, a, b, c.first, c.second, plain)
			}
			if words := strings.Count(plain, "+ session"); size[0] >= 80 && words == 0 || strings.Contains(plain, "+ ses ") && size[0] >= 80 {
				t.Errorf("%v: the level is cut:\n%s", size, plain)
			}
		}
	}
}
