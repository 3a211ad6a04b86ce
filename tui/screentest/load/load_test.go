//go:build linux || darwin

package load_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"herarena/tui/screentest/load"
)

// The long version: HERARENA_LOAD=20s streams that long instead of 2 s, and
// HERARENA_LOAD_ROUNDS says how often.
const (
	longVar   = "HERARENA_LOAD"
	roundsVar = "HERARENA_LOAD_ROUNDS"
)

// generous is the ratio of CPU time at which an ordinary test run fails. The
// bar is 1.15; a busy machine, 2 s and few rounds need the rest.
const (
	generous      = 1.6
	generousBytes = 1.5
)

func TestMain(m *testing.M) {
	if load.Perform() {
		return
	}
	os.Exit(m.Run())
}

// long returns how long to stream and how many rounds to make, if the long
// version is asked for.
func long(t *testing.T) (time.Duration, int, bool) {
	t.Helper()
	text := os.Getenv(longVar)
	if text == "" {
		return 0, 0, false
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v; want a duration such as 20s", longVar, err)
	}
	rounds, err := strconv.Atoi(os.Getenv(roundsVar))
	if err != nil {
		rounds = 3
	}
	return d, rounds, true
}

func pairs(t *testing.T, plan load.Plan, rounds int) []load.Pair {
	t.Helper()
	var all []load.Pair
	for i := range rounds {
		all = append(all, round(t, plan, i))
	}
	return all
}

// round measures both programs, in turns the one and the other first.
func round(t *testing.T, plan load.Plan, i int) load.Pair {
	t.Helper()
	run := func(as string) load.Measure {
		m, err := load.Run(as, plan, uint64(i))
		if err != nil {
			t.Fatalf("%s: %v", as, err)
		}
		return m
	}
	if i%2 == 0 {
		f := run(load.AsFloor)
		return load.Pair{Floor: f, Stage: run(load.AsStage)}
	}
	s := run(load.AsStage)
	return load.Pair{Floor: run(load.AsFloor), Stage: s}
}

// whole fails where a token was never shown or a key never came back.
func whole(t *testing.T, pairs []load.Pair) {
	t.Helper()
	for _, p := range pairs {
		for _, m := range []load.Measure{p.Floor, p.Stage} {
			if m.Shown != m.Tokens || m.Tokens == 0 {
				t.Errorf("%s: %d of %d tokens were shown", m.As, m.Shown, m.Tokens)
			}
			if m.Lost > 0 || m.Keys == 0 {
				t.Errorf("%s: %d keys were seen again, %d were not", m.As, m.Keys, m.Lost)
			}
		}
	}
}

// TestLoad is the gate of every test run: the stage costs little more than the
// floor, and no token and no key is lost. Wall times are shown, never asserted.
func TestLoad(t *testing.T) {
	plan := load.Plan{Turns: 200, Rate: 200, Reply: 600, Stream: 2 * time.Second}
	if d, rounds, ok := long(t); ok {
		plan.Stream = d
		all := pairs(t, plan, rounds)
		t.Log("\n" + load.Table(plan, all))
		whole(t, all)
		return
	}
	if testing.Short() || raced {
		t.Skip("the load is not measured under -short or the race detector, which is itself the load")
	}
	var all []load.Pair
	for i := range 3 { // a busy moment is no fault of the stage
		all = append(all, round(t, plan, i))
		if load.Ratio(all, load.CPU) <= generous && load.Ratio(all, load.Bytes) <= generousBytes {
			break
		}
	}
	t.Log("\n" + load.Table(plan, all))
	whole(t, all)
	if r := load.Ratio(all, load.CPU); r > generous {
		t.Errorf("the stage needs %.2f times the CPU of the floor, want at most %.2f", r, generous)
	}
	if r := load.Ratio(all, load.Bytes); r > generousBytes {
		t.Errorf("the stage writes %.2f times the bytes of the floor, want at most %.2f", r, generousBytes)
	}
}

// TestLoadFast streams five times as fast: nothing is lost.
func TestLoadFast(t *testing.T) {
	plan := load.Plan{Turns: 200, Rate: 1000, Reply: 600, Stream: time.Second}
	rounds := 1
	if d, n, ok := long(t); ok {
		plan.Stream, rounds = d, n
	} else if testing.Short() || raced {
		t.Skip("the load is not measured under -short or the race detector, which is itself the load")
	}
	all := pairs(t, plan, rounds)
	t.Log("\n" + load.Table(plan, all))
	whole(t, all)
}

// TestLoadOneReply streams one reply a side for the whole time.
func TestLoadOneReply(t *testing.T) {
	d, rounds, ok := long(t)
	if !ok {
		t.Skipf("set %s=20s to stream one reply of 20 s", longVar)
	}
	plan := load.Plan{Turns: 200, Rate: 200, Reply: 1 << 20, Stream: d}
	all := pairs(t, plan, rounds)
	t.Log("\n" + load.Table(plan, all))
	whole(t, all)
}
