//go:build linux || darwin

package load_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/tui/screentest/load"
)

// filled makes a ledger of battles, of which a third are on the board that a
// rehearsal shows.
func filled(t *testing.T, path string, battles int) {
	t.Helper()
	sources := []arena.Source{arena.SourceVote, arena.CriticSource("house"), "rehearsal/" + arena.CriticSource("house")}
	outcomes := []arena.Choice{arena.ChoseA, arena.ChoseB, arena.ChoseA, arena.Tie}
	all := make([]arena.Battle, battles)
	for i := range all {
		all[i] = arena.Battle{
			ID: fmt.Sprintf("battle-%08d", i), DuelID: fmt.Sprint("duel-", i/30), TurnID: fmt.Sprintf("duel-%d-%d", i/30, i%30/3), Turn: i%30/3 + 1,
			SceneID: "load", Source: sources[i%3], A: fmt.Sprint("model-", i%20), B: fmt.Sprint("model-", (i+1+i/20%19)%20),
			Outcome: outcomes[i/3%4], Weight: 1, Counted: true, At: time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC), Language: "en",
		}
	}
	l, err := ledger.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(all, 3000) {
		if err := l.RecordBattles(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// roof is the memory at which TestBinary fails, in bytes. docs/performance.md has
// the bar and how near the program is to it.
const roof = 80_000_000

// TestBinary starts the true program on a ledger of 100,000 battles: its first
// frame, its memory after a turn, and what it takes while nothing happens.
func TestBinary(t *testing.T) {
	stay, rounds, ok := long(t)
	if !ok {
		t.Skipf("set %s=20s to build the program and measure it with a ledger of 100,000 battles", longVar)
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "herarena")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "herarena/cmd/herarena")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "ledger.db")
	filled(t, path, 100_000)
	visit := func(stay time.Duration, keys ...string) load.Visit {
		cmd := exec.Command(binary, "--ledger", path)
		cmd.Env = append(load.Environment(), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_DATA_HOME="+filepath.Join(dir, "data"))
		v, err := load.Stay(cmd, stay, keys...)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for range rounds {
		short, late, turn := visit(0), visit(stay), visit(0, "\r", "Good evening. Is there a room for the night?", "\r")
		if !strings.Contains(turn.Screen, "orders agree") && !strings.Contains(turn.Screen, "flip") {
			t.Errorf("no verdict is on the screen:\n%s", turn.Screen)
		}
		idle := (late.CPU - short.CPU).Seconds() / stay.Seconds()
		t.Logf("first frame %v, %.2f s CPU to start and leave, idle %.2f %% of a core, memory %.1f MB at rest, %.1f MB after a turn and the board it asks for, %.2f s CPU with that",
			short.First.Round(time.Millisecond), short.CPU.Seconds(), idle*100, float64(short.Memory)/1e6, float64(turn.Memory)/1e6, turn.CPU.Seconds())
		if turn.Memory > roof {
			t.Errorf("a turn with a ledger of 100,000 battles takes %.1f MB, want at most %.0f", float64(turn.Memory)/1e6, float64(roof)/1e6)
		}
	}
}

// TestIdle measures stage and floor while nothing happens.
func TestIdle(t *testing.T) {
	stay, rounds, ok := long(t)
	if !ok {
		t.Skipf("set %s=20s to measure what an idle screen takes", longVar)
	}
	plan := load.Plan{Turns: 200, Reply: 600, Stream: stay}
	for i := range rounds {
		p := round(t, plan, i)
		t.Logf("idle: floor %.2f %%, stage %.2f %% of a core", 100*p.Floor.CPU.Seconds()/stay.Seconds(), 100*p.Stage.CPU.Seconds()/stay.Seconds())
	}
}
