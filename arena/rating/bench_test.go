package rating

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

func BenchmarkRead10k(b *testing.B) {
	for b.Loop() {
		if _, err := ReadFile("testdata/battles_10k.csv"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOnline10k(b *testing.B) {
	battles := battlesOf(b, "10k")
	for b.Loop() {
		Online(battles, EloOptions{})
	}
}

func BenchmarkFit10k(b *testing.B) {
	battles := battlesOf(b, "10k")
	for b.Loop() {
		Fit(battles, Options{})
	}
}

func BenchmarkFit10kAggregated(b *testing.B) {
	t := tallied(battlesOf(b, "10k"), Options{})
	for b.Loop() {
		t.Fit(Options{})
	}
}

func BenchmarkBootstrap100Of10k(b *testing.B) {
	battles := battlesOf(b, "10k")
	for b.Loop() {
		Fit(battles, Options{Bootstrap: 100})
	}
}

// million returns a million battles of 50 contestants.
func million() []Battle {
	random := rand.New(rand.NewPCG(1, 1))
	battles := make([]Battle, 0, 1_000_000)
	for len(battles) < cap(battles) {
		x, y := random.IntN(50), random.IntN(50)
		if x == y {
			continue
		}
		o := Win + Outcome(random.IntN(4))
		if o == Loss && random.IntN(50) < x-y {
			o = Win
		}
		battles = append(battles, Battle{A: fmt.Sprintf("c%02d", x), B: fmt.Sprintf("c%02d", y), Outcome: o})
	}
	return battles
}

func BenchmarkBoard1M(b *testing.B) {
	battles := million()
	for b.Loop() {
		NewBoard(battles, Options{})
	}
}

func BenchmarkFit1MAggregated(b *testing.B) {
	t := tallied(million(), Options{})
	for b.Loop() {
		t.Fit(Options{})
	}
}

func BenchmarkBootstrap100Of1M(b *testing.B) {
	battles := million()
	for b.Loop() {
		Fit(battles, Options{Bootstrap: 100})
	}
}

// A vote on a board of 50 contestants, all of whom have met: the new ratings with
// their intervals.
func BenchmarkOneMoreVoteOf50(b *testing.B) {
	for _, m := range models {
		b.Run(string(m), func(b *testing.B) {
			t := tallied(million(), Options{})
			t.Fit(Options{Model: m})
			began := processorTime(b)
			for b.Loop() {
				t.Add(Battle{A: "c07", B: "c31", Outcome: Win})
				t.Fit(Options{Model: m})
			}
			b.ReportMetric(float64((processorTime(b)-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
	b.Run("whole board", func(b *testing.B) {
		t := tallied(million(), Options{})
		for b.Loop() {
			t.Add(Battle{A: "c07", B: "c31", Outcome: Win})
			t.Board(Options{})
		}
	})
}

func BenchmarkBootstrap1000Of10k(b *testing.B) {
	t := tallied(battlesOf(b, "10k"), Options{})
	for b.Loop() {
		t.Fit(Options{Bootstrap: 1000})
	}
}

func BenchmarkRealVotes(b *testing.B) {
	index, agg, _ := realVotes(b)
	whole := agg.alone(len(index.names), false)
	for _, m := range models {
		b.Run(string(m), func(b *testing.B) {
			for b.Loop() {
				whole.solve(Options{Model: m})
			}
		})
	}
	b.Run("1000 bootstraps", func(b *testing.B) {
		for b.Loop() {
			whole.solve(Options{Bootstrap: 1000})
		}
	})
	b.Run("fragility", func(b *testing.B) {
		s := whole.solve(Options{})
		for b.Loop() {
			whole.fragility(index.names, s)
		}
	})
}

func BenchmarkStyle10k(b *testing.B) {
	t := NewTally(Options{Style: true})
	if _, err := Each("testdata/battles_10k.csv", ReadOptions{Style: true}, t.Add); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		t.Board(Options{Style: true, Brief: true})
	}
}

// The table of a million rows is made by the generator of the test data; its
// path comes from the environment.
func BenchmarkReadGiven(b *testing.B) {
	path := os.Getenv("HERARENA_BENCH_CSV")
	if path == "" {
		b.Skip("HERARENA_BENCH_CSV names no file")
	}
	for b.Loop() {
		n := 0
		if _, err := Each(path, ReadOptions{}, func(Battle) { n++ }); err != nil || n == 0 {
			b.Fatal(n, err)
		}
	}
}

// From the table to a board with 1,000 bootstraps.
func BenchmarkBoardGiven(b *testing.B) {
	path := os.Getenv("HERARENA_BENCH_CSV")
	if path == "" {
		b.Skip("HERARENA_BENCH_CSV names no file")
	}
	for b.Loop() {
		t := NewTally(Options{})
		if _, err := Each(path, ReadOptions{}, t.Add); err != nil {
			b.Fatal(err)
		}
		if n := len(t.Board(Options{Bootstrap: 1000}).Ratings); n < 2 {
			b.Fatal(n)
		}
	}
}
