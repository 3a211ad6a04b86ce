package verdict_test

import (
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/judge/verdict"
)

// Looks every 30 bytes at hostile texts are together linear in the text: they do
// not copy it each time. Time would tell the same, but not under load.
func TestManyLooksAtHostileTextsStayCheap(t *testing.T) {
	const most = 700 // bytes allocated a byte read; one copy a look would be 2,500
	all := hostile(150_000)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		raw := all[name]
		want := verdict.Parse(raw)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := verdict.NewReader()
		for i := 0; i < len(raw); i += 30 {
			r.Write(raw[i:min(len(raw), i+30)])
			r.Snapshot()
		}
		got := r.Close()
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) / uint64(len(raw)); n > slow*most {
			t.Errorf("%s: %d bytes allocated for each byte", name, n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: whole against pieces: %.2000s", name, diff)
		}
	}
}

// A closer finds its opener without a search through all that is open: this took
// more than a minute.
func TestClosersThatCloseNothing(t *testing.T) {
	t.Parallel()
	start := time.Now()
	if v := verdict.Parse(hostile(600_000)["objects closed as lists"]); v.Better != arena.NoChoice {
		t.Errorf("%+v", v)
	}
	if took := time.Since(start); took > slow*20*time.Second {
		t.Errorf("%v", took)
	}
}

// Where a text is small, a look is what the verdict of the text so far would
// be, up to the label and the status that only an end can give.
func TestALookIsThePrefixRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw, _ := drawVerdict(t)
		r := verdict.NewReader()
		done := 0
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(raw)-1), 1, 60, rapid.ID[int]).Draw(t, "cuts") {
			if i < done {
				continue
			}
			r.Write(raw[done : i+1])
			done = i + 1
			look, prefix := r.Snapshot(), verdict.Parse(raw[:i+1])
			if took := growsFrom(look, prefix); took != "" {
				t.Fatalf("a look says what the prefix does not: %s\n%s", took, raw[:i+1])
			}
			if look.Better != arena.NoChoice && look.Better != prefix.Better {
				t.Fatalf("a look says %q, the prefix %q\n%s", look.Better, prefix.Better, raw[:i+1])
			}
		}
	})
}

// A look shares nothing with the reader or with other looks.
func TestALookIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	r := verdict.NewReader()
	r.Write(whole)
	first := r.Snapshot()
	want := r.Snapshot()
	for i := range first.Comparisons {
		first.Comparisons[i], first.Principles[i] = arena.Comparison{Name: "spoilt"}, arena.Principle{Name: "spoilt"}
	}
	if diff := cmp.Diff(want, r.Snapshot()); diff != "" {
		t.Error(diff)
	}
	last := r.Close()
	if last.Principles[0].Name != "Period voice" || last.Comparisons[1].Winner != arena.Second {
		t.Errorf("%+v", last)
	}
}
