package feed

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// event is a delta of one side or its ending.
type event struct {
	side byte
	text string
	end  bool
}

// merge joins deltas of one side.
func merge(last, next event) (event, bool) {
	if last.end || next.end || last.side != next.side {
		return last, false
	}
	last.text += next.text
	return last, true
}

func TestBoxMergesDeltasAndKeepsEndings(t *testing.T) {
	b := New(merge, nil)
	for _, e := range []event{
		{'a', "Good ", false},
		{'a', "evening", false},
		{'b', "Sir", false},
		{'a', ".", false},
		{'a', "", true},
		{'b', "", true},
		{'b', "", true},
	} {
		b.Put(e)
	}
	want := []event{
		{'a', "Good evening", false},
		{'b', "Sir", false},
		{'a', ".", false},
		{'a', "", true},
		{'b', "", true},
		{'b', "", true},
	}
	if got := b.Drain(); !slices.Equal(got, want) {
		t.Errorf("Drain() = %v, want %v", got, want)
	}
	if got := b.Drain(); got != nil {
		t.Errorf("an empty box gave %v", got)
	}
}

func TestBoxWakesAtOnceWhenIdleAndOncePerFrameWhenBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var woken []time.Duration
		var b *Box[int]
		b = New[int](nil, func() {
			woken = append(woken, time.Since(start))
			b.Drain()
		})
		for range 200 { // 200 events in a second
			b.Put(1)
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		// One at once, one per full frame, one for the rest.
		if len(woken) < 28 || len(woken) > 32 {
			t.Fatalf("200 events in a second woke the program %d times, want about 30", len(woken))
		}
		if woken[0] != 0 {
			t.Errorf("the first event waited %v", woken[0])
		}
		for i := 1; i < len(woken); i++ {
			if gap := woken[i] - woken[i-1]; gap < Frame {
				t.Errorf("wake-ups %d and %d are %v apart, less than a frame", i-1, i, gap)
			}
		}
		// After the quiet second nothing is due, and the next event is seen at once.
		n := len(woken)
		before := time.Since(start)
		b.Put(1)
		synctest.Wait()
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if len(woken) != n+1 || woken[n]-before > time.Millisecond {
			t.Errorf("after a pause the event waited: %v after %v", woken[n:], before)
		}
	})
}

func TestBoxDoesNotTickWhenNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wakes atomic.Int32
		b := New[int](nil, func() { wakes.Add(1) })
		time.Sleep(time.Hour)
		if n := wakes.Load(); n != 0 {
			t.Fatalf("%d wake-ups without an event", n)
		}
		b.Put(1)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := wakes.Load(); n != 1 {
			t.Fatalf("%d wake-ups for one event that nobody drains, want 1", n)
		}
	})
}

func TestBoxDrainedBeforeItsWakeUpStaysQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wakes atomic.Int32
		b := New[int](nil, func() { wakes.Add(1) })
		b.Put(1)
		time.Sleep(time.Millisecond)
		b.Drain()
		b.Put(2) // due at the next edge
		b.Drain()
		time.Sleep(time.Second)
		synctest.Wait()
		if n := wakes.Load(); n != 1 {
			t.Errorf("%d wake-ups, want 1: the second event was drained before", n)
		}
	})
}

func TestBoxPutsWhileTheProgramIsBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := New(merge, func() { <-release })
		b.SetFrame(0)
		for range 10_000 {
			b.Put(event{'a', "x", false})
		}
		b.Put(event{'a', "", true})
		got := b.Drain()
		close(release)
		if len(got) != 2 || len(got[0].text) != 10_000 || !got[1].end {
			t.Errorf("got %d events, the first of %d bytes", len(got), len(got[0].text))
		}
	})
}

func TestBoxKeepsWhatIsInItWhenClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wakes atomic.Int32
		b := New[int](nil, func() { wakes.Add(1) })
		b.Put(1)
		b.Close()
		b.Put(2)
		time.Sleep(time.Second)
		synctest.Wait()
		if n := wakes.Load(); n != 0 {
			t.Errorf("%d wake-ups after Close", n)
		}
		if got := b.Drain(); !slices.Equal(got, []int{1}) {
			t.Errorf("Drain() = %v, want [1]", got)
		}
	})
}

func TestBoxLosesNothingBetweenManyStreams(t *testing.T) {
	const streams, each = 8, 5_000
	ready := make(chan struct{}, 1)
	b := New(merge, func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	})
	b.SetFrame(time.Millisecond)
	var wg sync.WaitGroup
	for s := range streams {
		wg.Go(func() {
			for i := range each {
				b.Put(event{byte(s), fmt.Sprintf("%d ", i), false})
			}
			b.Put(event{byte(s), "", true})
		})
	}
	var texts [streams]strings.Builder
	deadline := time.After(30 * time.Second)
	for ends := 0; ends < streams; {
		select {
		case <-ready:
		case <-deadline:
			t.Fatalf("only %d of %d endings came", ends, streams)
		}
		for _, e := range b.Drain() {
			texts[e.side].WriteString(e.text)
			if e.end {
				ends++
			}
		}
	}
	wg.Wait()
	b.Close()
	var want strings.Builder
	for i := range each {
		fmt.Fprintf(&want, "%d ", i)
	}
	for s := range streams {
		if texts[s].String() != want.String() {
			t.Errorf("stream %d lost text or its order", s)
		}
	}
}

func TestBoxIsAQueueWithMergedNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := New(merge, nil)
		var put, got string
		spell := func(e event) string { return fmt.Sprintf("%c%s%v;", e.side, e.text, e.end) }
		flat := func(es []event) string { // deltas letter by letter, so that merging does not show
			var s strings.Builder
			for _, e := range es {
				if e.end {
					s.WriteString(spell(e))
					continue
				}
				for _, r := range e.text {
					s.WriteString(spell(event{e.side, string(r), false}))
				}
			}
			return s.String()
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				got += flat(b.Drain())
				continue
			}
			e := event{"ab"[rapid.IntRange(0, 1).Draw(t, "side")], "xy", false}
			if rapid.Bool().Draw(t, "end") {
				e.text, e.end = "", true
			}
			put += flat([]event{e})
			b.Put(e)
		}
		got += flat(b.Drain())
		if got != put {
			t.Fatalf("put %s\ngot %s", put, got)
		}
	})
}

func BenchmarkPut(b *testing.B) {
	box := New(func(last, next int) (int, bool) { return last + next, true }, func() {})
	b.ReportAllocs()
	for b.Loop() {
		box.Put(1)
	}
}
