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

// The table of a million rows is made by the generator of the test data; its
// path comes from the environment.
func BenchmarkReadGiven(b *testing.B) {
	path := os.Getenv("HERARENA_BENCH_CSV")
	if path == "" {
		b.Skip("HERARENA_BENCH_CSV names no file")
	}
	for b.Loop() {
		if _, err := ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
}
