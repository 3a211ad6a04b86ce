//go:build linux || darwin

package load_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui"
	"herarena/tui/screentest/load"
	"herarena/tui/stage"
)

// cost is what a streamed kB takes the stage: mailbox, update and frame, without
// the renderer.
type cost struct {
	cpu    time.Duration
	allocs float64
	bytes  float64 // allocated
}

// runner is the least of a Bubble Tea program: it runs commands and takes what
// they return to update.
type runner struct {
	update func(tea.Msg) tea.Cmd
	msgs   chan tea.Msg
}

func newRunner(update func(tea.Msg) tea.Cmd) *runner {
	return &runner{update, make(chan tea.Msg, 64)}
}

func (r *runner) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch m := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range m {
				r.run(cmd)
			}
		default:
			r.msgs <- m
		}
	}()
}

// until takes messages until done is closed and a second more.
func (r *runner) until(done <-chan struct{}, after func()) {
	var end <-chan time.Time
	for {
		select {
		case m := <-r.msgs:
			r.run(r.update(m))
			after()
		case <-done:
			done, end = nil, time.After(time.Second)
		case <-end:
			return
		}
	}
}

func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func newStage(d *load.Duel) *stage.Stage {
	who := load.Contestants()
	s := stage.New(stage.Options{Duel: d, Scene: load.Scene(), Contestants: [2]arena.Contestant{who[0], who[1]}})
	s.SetSize(load.Width, load.Height)
	return s
}

// costOf plays a plan on a stage without a terminal. The clock is synctest's, so
// that 20 s of streaming take as long as their work; CPU time is real.
func costOf(t *testing.T, plan load.Plan) (c cost) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		script := load.Script{Plan: plan}
		d := load.NewDuel(script)
		s := newStage(d)
		r := newRunner(s.Update)
		r.run(s.Init())
		s.View()
		runtime.GC()
		before := spent()
		r.until(d.Start(), func() { s.View() })
		after := spent()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		kB := 0.0
		for n := range plan.Tokens() {
			kB += float64(len(script.Token(arena.A, n).Text)+len(script.Token(arena.B, n).Text)) / 1e3
		}
		c.cpu = time.Duration(float64(after.cpu-before.cpu) / kB)
		c.allocs = float64(after.allocs-before.allocs) / kB
		c.bytes = float64(after.bytes-before.bytes) / kB
	})
	return c
}

type spending struct {
	cpu           time.Duration
	allocs, bytes uint64
}

func spent() spending {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return spending{time.Duration(u.Utime.Nano() + u.Stime.Nano()), m.Mallocs, m.TotalAlloc}
}

// best is the least a plan costs in some tries, which a busy machine cannot
// lower.
func best(t *testing.T, tries int, plan load.Plan) cost {
	t.Helper()
	b := costOf(t, plan)
	for range tries - 1 {
		c := costOf(t, plan)
		b.cpu, b.allocs, b.bytes = min(b.cpu, c.cpu), min(b.allocs, c.allocs), min(b.bytes, c.bytes)
	}
	return b
}

// tries is how often a cost is measured; the long version takes more.
func tries(t *testing.T) int {
	t.Helper()
	if _, n, ok := long(t); ok {
		return 3 * n
	}
	if raced || testing.Short() {
		t.Skip("costs are not measured under -short or the race detector, which is itself the cost")
	}
	return 2
}

// most is how far costs may lie apart: allocations as the bar has it, CPU time
// with room for what else the machine does.
type most struct{ allocs, bytes, cpu float64 }

// near fails where the costs lie further apart than that, the first taken as 1.
func near(t *testing.T, names []string, costs []cost, m most) {
	t.Helper()
	for i, c := range costs {
		t.Logf("%-24s %6v CPU, %5.0f allocations, %4.0f kB allocated per streamed kB", names[i], c.cpu.Round(10*time.Microsecond), c.allocs, c.bytes/1e3)
		for _, r := range []struct {
			what      string
			got, most float64
		}{
			{"allocations", c.allocs / costs[0].allocs, m.allocs},
			{"allocated bytes", c.bytes / costs[0].bytes, m.bytes},
			{"CPU time", float64(c.cpu) / float64(costs[0].cpu), m.cpu},
		} {
			if r.got > r.most {
				t.Errorf("%s: a streamed kB takes %.2f times the %s of %s, want at most %.2f", names[i], r.got, r.what, names[0], r.most)
			}
		}
	}
}

// TestCostIsThatOfWhatIsSeen: what was said before costs nothing.
func TestCostIsThatOfWhatIsSeen(t *testing.T) {
	n := tries(t)
	var names []string
	var costs []cost
	for _, turns := range []int{10, 200, 2000} {
		names = append(names, fmt.Sprint("behind ", turns, " turns"))
		costs = append(costs, best(t, n, load.Plan{Turns: turns, Rate: 200, Reply: 600, Stream: 10 * time.Second}))
	}
	near(t, names, costs, most{1.1, 1.15, 2})
}

// TestCostDoesNotGrowWithTheReply: neither does what was said in the reply itself,
// in whatever layer it stands.
func TestCostDoesNotGrowWithTheReply(t *testing.T) {
	n := tries(t)
	plans := map[string]load.Plan{"mixed": {}}
	for _, l := range []layers.Layer{layers.Speech, layers.Think, layers.Act, layers.System, layers.Native} {
		plans[l.String()] = load.Plan{Single: true, Layer: l}
	}
	for name, plan := range plans {
		t.Run(name, func(t *testing.T) {
			var costs []cost
			for _, reply := range []int{150, 4500} { // 1 and 30 kB
				plan.Turns, plan.Rate, plan.Reply, plan.Stream = 10, 200, reply, 4500*time.Second/200
				costs = append(costs, best(t, n, plan))
			}
			near(t, []string{"replies of 1 kB", "replies of 30 kB"}, costs, most{1.5, 1.5, 2.5})
		})
	}
}

// TestNothingDirtyAllocatesNothing is about the frame that nothing has changed:
// it is the last one.
func TestNothingDirtyAllocatesNothing(t *testing.T) {
	d := load.NewDuel(load.Script{Plan: load.Plan{Turns: 200, Reply: 600}})
	s := newStage(d)
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	first := s.View()
	if n := testing.AllocsPerRun(100, func() { s.View() }); n != 0 {
		t.Errorf("a frame with nothing new makes %v allocations", n)
	}
	if s.View() != first {
		t.Error("the frame changed by itself")
	}
}

// TestRootAddsTitleAndCursor is the same for the whole screen, with the stage on
// top: it makes the window's title and the cursor, and nothing of the frame.
func TestRootAddsTitleAndCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := tui.New(load.Options(load.NewDuel(load.Script{Plan: load.Plan{Turns: 200, Reply: 600}})))
		r := newRunner(func(msg tea.Msg) tea.Cmd {
			_, cmd := m.Update(msg)
			return cmd
		})
		m.Update(tea.WindowSizeMsg{Width: load.Width, Height: load.Height})
		r.run(m.Init())
		r.until(closed(), func() { m.View() })
		if content := m.View().Content; !strings.Contains(content, "turn 200") {
			t.Errorf("the stage is not on top:\n%s", content)
		}
		if n := testing.AllocsPerRun(100, func() { m.View() }); n > 2 {
			t.Errorf("a screen with nothing new makes %v allocations, want at most 2", n)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
}
