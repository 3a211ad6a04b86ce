package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Pair is one round: the floor and the stage, one after the other, with the same
// typist.
type Pair struct{ Floor, Stage Measure }

// Ratio compares what of the rounds, stage by floor: the least that each of them
// came to. Work of others on the machine adds to CPU time and never takes away.
func Ratio(pairs []Pair, of func(Measure) float64) float64 {
	var floors, stages []float64
	for _, p := range pairs {
		floors, stages = append(floors, of(p.Floor)), append(stages, of(p.Stage))
	}
	if len(pairs) == 0 || slices.Min(floors) <= 0 {
		return 0
	}
	return slices.Min(stages) / slices.Min(floors)
}

// middle returns the median, 0 of nothing.
func middle[T cmp.Ordered](v []T) T {
	var none T
	if len(v) == 0 {
		return none
	}
	sorted := slices.Sorted(slices.Values(v))
	return sorted[len(sorted)/2]
}

// CPU is the CPU time of a measure in seconds, from the start of the stream.
func CPU(m Measure) float64 { return m.CPU.Seconds() }

// Bytes is what a measure wrote to the terminal.
func Bytes(m Measure) float64 { return float64(m.Bytes) }

// Table shows rounds as text: a row each for floor and stage, medians, and the
// ratios.
func Table(plan Plan, pairs []Pair) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d past turns, 2 x %d tokens/s for %v in replies of %d, %dx%d, %d fps, %d rounds: medians, and the least of CPU time\n",
		plan.Turns, plan.Rate, plan.Stream, plan.Reply, Width, Height, FPS, len(pairs))
	fmt.Fprintf(&b, "%-8s %8s %8s %8s %9s %10s %9s %9s %7s %9s %7s %13s\n",
		"", "CPU s", "least", "whole s", "kB", "allocs", "key p50", "key p99", "keys", "first", "MB", "tokens shown")
	var floors, stages []Measure
	for _, p := range pairs {
		floors, stages = append(floors, p.Floor), append(stages, p.Stage)
	}
	row(&b, AsFloor, floors)
	row(&b, AsStage, stages)
	fmt.Fprintf(&b, "%-8s %8.2f %8.2f %8.2f %9.2f %10.2f %9.2f %9.2f\n", "ratio",
		of(stages, CPU)/max(of(floors, CPU), 1e-9), Ratio(pairs, CPU),
		Ratio(pairs, func(m Measure) float64 { return m.Whole.Seconds() }), Ratio(pairs, Bytes),
		Ratio(pairs, func(m Measure) float64 { return float64(m.Allocs) }),
		Ratio(pairs, func(m Measure) float64 { return m.P50.Seconds() }),
		Ratio(pairs, func(m Measure) float64 { return m.P99.Seconds() }))
	return b.String()
}

func row(b *strings.Builder, name string, all []Measure) {
	shown, tokens, keys, lost := 0, 0, 0, 0
	for _, m := range all {
		shown, tokens, keys, lost = shown+m.Shown, tokens+m.Tokens, keys+m.Keys, lost+m.Lost
	}
	fmt.Fprintf(b, "%-8s %8.2f %8.2f %8.2f %9.0f %10d %9s %9s %3d/%-3d %9s %7.1f %6d/%d\n", name,
		of(all, CPU), least(all, CPU), of(all, func(m Measure) float64 { return m.Whole.Seconds() }), of(all, Bytes)/1e3,
		of(all, func(m Measure) uint64 { return m.Allocs }),
		milli(of(all, func(m Measure) time.Duration { return m.P50 })),
		milli(of(all, func(m Measure) time.Duration { return m.P99 })), keys, keys+lost,
		milli(of(all, func(m Measure) time.Duration { return m.First })),
		float64(of(all, func(m Measure) int64 { return m.Memory }))/1e6, shown, tokens)
}

func of[T cmp.Ordered](all []Measure, what func(Measure) T) T {
	v := make([]T, len(all))
	for i, m := range all {
		v[i] = what(m)
	}
	return middle(v)
}

func least(all []Measure, what func(Measure) float64) float64 {
	v := what(all[0])
	for _, m := range all {
		v = min(v, what(m))
	}
	return v
}

func milli(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }
