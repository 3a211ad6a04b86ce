package tui

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

type still struct{}

func (still) Init() tea.Cmd                         { return nil }
func (s still) Update(tea.Msg) (tea.Model, tea.Cmd) { return s, nil }
func (still) View() tea.View                        { return tea.NewView("still") }

// The ticker of the version in use is found: were the field renamed, the clock
// would silently stay at full rate.
func TestTheClockSlowsAndWakes(t *testing.T) {
	c := &clock{}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var seen atomic.Bool
	in, hold := io.Pipe()
	defer hold.Close()
	c.program = tea.NewProgram(still{}, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(&bytes.Buffer{}), tea.WithoutSignals(),
		tea.WithFPS(framesPerSecond), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			c.woken()
			seen.Store(true)
			return msg
		}))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = c.program.Run()
	}()
	state := func() (found, slow bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.ticker != nil, c.slow
	}
	await := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	c.program.Send(nil)
	c.program.Send(struct{}{})
	await("no message came", seen.Load)
	if found, _ := state(); !found {
		t.Fatal("Bubble Tea's program has no field ticker of the type *time.Ticker any more: mend tickerOf")
	}
	await("the clock never slows down", func() bool { _, slow := state(); return slow })
	c.program.Send(struct{}{})
	await("the clock does not wake up", func() bool { _, slow := state(); return !slow })
	await("the clock does not rest again", func() bool { _, slow := state(); return slow })
	stop()
	<-ended
}

func TestAProgramWithoutATickerStaysAsItIs(t *testing.T) {
	if got := tickerOf(nil); got != nil {
		t.Error("no program has no ticker")
	}
	if got := tickerOf(tea.NewProgram(still{})); got != nil {
		t.Error("a program that does not run has no ticker yet")
	}
	(&clock{}).woken()
}
