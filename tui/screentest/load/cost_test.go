//go:build linux || darwin

package load_test

import (
	"runtime"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/screentest/load"
	"herarena/tui/stage"
)

// cost is what a streamed kB takes the stage: mailbox, update and frame, without
// the renderer.
type cost struct {
	cpu    time.Duration
	allocs float64
	bytes  float64 // allocated
	frames int
}

// costOf plays a plan on a stage without a terminal. The clock is synctest's, so
// that 20 s of streaming take as long as their work; CPU time is real.
func costOf(t *testing.T, plan load.Plan) (c cost) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		script := load.Script{Plan: plan}
		d := load.NewDuel(script)
		who := load.Contestants()
		s := stage.New(stage.Options{Duel: d, Scene: load.Scene(), Contestants: [2]arena.Contestant{who[0], who[1]}})
		s.SetSize(load.Width, load.Height)
		msgs := make(chan tea.Msg, 64)
		var run func(cmd tea.Cmd)
		run = func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			go func() {
				switch m := cmd().(type) {
				case nil:
				case tea.BatchMsg:
					for _, cmd := range m {
						run(cmd)
					}
				default:
					msgs <- m
				}
			}()
		}
		run(s.Init())
		s.View()
		runtime.GC()
		before := spent()
		done := d.Start()
		for end := (<-chan time.Time)(nil); ; {
			select {
			case m := <-msgs:
				run(s.Update(m))
				s.View()
				c.frames++
				continue
			case <-done:
				done, end = nil, time.After(time.Second)
				continue
			case <-end:
			}
			break
		}
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

func TestTryCost(t *testing.T) {
	for _, turns := range []int{10, 200, 2000} {
		t.Logf("turns %d %+v", turns, best(t, 5, load.Plan{Turns: turns, Rate: 200, Reply: 600, Stream: 20 * time.Second}))
	}
	for _, only := range []layers.Layer{99, layers.Speech, layers.Think, layers.Act, layers.System, layers.Native} {
		for _, reply := range []int{150, 4500} {
			t.Logf("%v %d %+v", only, reply, best(t, 5, load.Plan{Turns: 10, Rate: 200, Reply: reply, Stream: 9000 / 200 * time.Second, Single: only < 99, Layer: only}))
		}
	}
}
