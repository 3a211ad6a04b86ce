package stage

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// marks writes a text with what differs in brackets.
func marksOf(text string, words []word, only []bool) string {
	var b strings.Builder
	at := 0
	for i, w := range words {
		b.WriteString(text[at:w.from])
		if only[i] {
			b.WriteString("[" + text[w.from:w.to] + "]")
		} else {
			b.WriteString(text[w.from:w.to])
		}
		at = w.to
	}
	return b.String() + text[at:]
}

func TestWhatDiffersIsMarked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"", "", "", ""},
		{"the same words here", "the same words here", "the same words here", "the same words here"},
		{"Good evening, Mr Darcy.", "Good evening, Captain.", "Good evening, [Mr] [Darcy].", "Good evening, [Captain]."},
		{"she looks up slowly", "She looks away slowly", "she looks [up] slowly", "She looks [away] slowly"},
		{"nothing", "", "[nothing]", ""},
		{"red of blue", "green of grey", "[red] [of] [blue]", "[green] [of] [grey]"}, // a small word alone means nothing
		{"彼女は立つ", "彼女は座る", "彼女は[立][つ]", "彼女は[座][る]"},
		{"שלום עולם גדול", "שלום עולם קטן", "שלום עולם [גדול]", "שלום עולם [קטן]"},
	} {
		wa, wb := wordsOf(c.a), wordsOf(c.b)
		onlyA, onlyB := differ(wa, wb)
		if got := marksOf(c.a, wa, onlyA); got != c.wantA {
			t.Errorf("%q against %q: %q, want %q", c.a, c.b, got, c.wantA)
		}
		if got := marksOf(c.b, wb, onlyB); got != c.wantB {
			t.Errorf("%q against %q: %q, want %q", c.b, c.a, got, c.wantB)
		}
	}
}

// TestWhatIsKeptIsTheSame: the words that are not marked are the same on both
// sides, in the same order, and a text differs from itself in nothing.
func TestWhatIsKeptIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"harbour ", "and ", "lantern, ", "雨", "of ", "Harbour ", "e\u0301t ", "tide. ", "\n"})
		a := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "a"), "")
		b := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "b"), "")
		wa, wb := wordsOf(a), wordsOf(b)
		onlyA, onlyB := differ(wa, wb)
		var keptA, keptB []string
		for i, w := range wa {
			if !onlyA[i] {
				keptA = append(keptA, w.key)
			}
		}
		for i, w := range wb {
			if !onlyB[i] {
				keptB = append(keptB, w.key)
			}
		}
		if strings.Join(keptA, "|") != strings.Join(keptB, "|") {
			t.Fatalf("%q and %q keep\n%q\n%q", a, b, keptA, keptB)
		}
		for i, only := range first(differ(wa, wa)) {
			if only {
				t.Fatalf("word %d of %q differs from itself", i, a)
			}
		}
	})
}

func first(a, _ []bool) []bool { return a }

// TestShortestIsShortest holds the search to the longest common subsequence by
// table.
func TestShortestIsShortest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 14)
		make2 := func(s []string) []word {
			var w []word
			for _, k := range s {
				w = append(w, word{key: k})
			}
			return w
		}
		a, b := make2(letters.Draw(t, "a")), make2(letters.Draw(t, "b"))
		table := make([][]int, len(a)+1)
		for i := range table {
			table[i] = make([]int, len(b)+1)
		}
		for i := range a {
			for j := range b {
				table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
				if a[i].key == b[j].key {
					table[i+1][j+1] = table[i][j] + 1
				}
			}
		}
		pairs, ok := shortest(a, b)
		if !ok || len(pairs) != table[len(a)][len(b)] {
			t.Fatalf("%d pairs, want %d: %v", len(pairs), table[len(a)][len(b)], pairs)
		}
		for i, p := range pairs {
			if a[p[0]].key != b[p[1]].key || i > 0 && (p[0] <= pairs[i-1][0] || p[1] <= pairs[i-1][1]) {
				t.Fatalf("pairs are wrong: %v", pairs)
			}
		}
	})
}

// TestLongRepliesAreComparedInBounds: two replies of 30 kB that share next to
// nothing.
func TestLongRepliesAreComparedInBounds(t *testing.T) {
	t.Parallel()
	text := func(seed uint64) string {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for b.Len() < 30_000 {
			fmt.Fprintf(&b, "word%d ", r.IntN(4000))
		}
		return b.String()
	}
	a, b := wordsOf(text(1)), wordsOf(text(2))
	begin := time.Now()
	onlyA, onlyB := differ(a, b)
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("%d and %d words take %v", len(onlyA), len(onlyB), took)
	}
}

func BenchmarkDiffer(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	text := func() string {
		var s strings.Builder
		for s.Len() < 30_000 {
			fmt.Fprintf(&s, "word%d ", r.IntN(400))
		}
		return s.String()
	}
	x, y := wordsOf(text()), wordsOf(text())
	b.ReportAllocs()
	for b.Loop() {
		differ(x, y)
	}
}
