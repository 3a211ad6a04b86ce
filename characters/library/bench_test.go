//go:build unix

package library

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

const benchCards = 5000

var bench struct {
	once  sync.Once
	dir   string
	index string
}

// TestMain removes the folder of the benchmarks, which is made once.
func TestMain(m *testing.M) {
	code := m.Run()
	if bench.dir != "" {
		_ = os.RemoveAll(bench.dir)
	}
	os.Exit(code)
}

// benchFolder is a folder with 5,000 cards: 4,000 PNG of 50 to 400 kB, 1,000
// JSON, and its index.
func benchFolder(b *testing.B) (dir, index string) {
	b.Helper()
	bench.once.Do(func() {
		dir, err := os.MkdirTemp("", "herarena-cards-")
		if err != nil {
			b.Fatal(err)
		}
		bench.dir = dir
		fillFolder(b, filepath.Join(dir, "cards"), benchCards)
		bench.index = filepath.Join(dir, "index")
		settled(b, filepath.Join(dir, "cards"))
		refresh(b, Open(Options{Dirs: []string{filepath.Join(dir, "cards")}, Index: bench.index}))
	})
	return filepath.Join(bench.dir, "cards"), bench.index
}

func warm(b *testing.B) *Library {
	dir, index := benchFolder(b)
	l := Open(Options{Dirs: []string{dir}, Index: index})
	if n := len(l.Entries()); n != benchCards {
		b.Fatalf("the index has %d entries", n)
	}
	return l
}

// BenchmarkIndex reads 5,000 cards without an index.
func BenchmarkIndex(b *testing.B) {
	dir, _ := benchFolder(b)
	began := processorTime(b)
	for b.Loop() {
		l := Open(Options{Dirs: []string{dir}, Index: filepath.Join(b.TempDir(), "index")})
		if r := refresh(b, l); r.Added != benchCards || r.Broken > 0 {
			b.Fatalf("%+v", r)
		}
	}
	b.ReportMetric((processorTime(b)-began).Seconds()/float64(b.N), "cpu-s/op")
}

// processorTime is what the process has used of both processors, which other
// work on the machine distorts less than the time on the clock.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOpen is what a start of the program costs before it draws: nothing
// is read.
func BenchmarkOpen(b *testing.B) {
	dir, index := benchFolder(b)
	for b.Loop() {
		Open(Options{Dirs: []string{dir}, Index: index})
	}
}

// BenchmarkWarmList opens the library and lists it from the index.
func BenchmarkWarmList(b *testing.B) {
	dir, index := benchFolder(b)
	for b.Loop() {
		if n := len(Open(Options{Dirs: []string{dir}, Index: index}).Search("", ByName)); n != benchCards {
			b.Fatal(n)
		}
	}
}

// BenchmarkWarmRefresh walks the folder and finds that nothing has changed.
func BenchmarkWarmRefresh(b *testing.B) {
	l := warm(b)
	for b.Loop() {
		if r, err := l.Refresh(context.Background(), nil); err != nil || r.Kept != benchCards {
			b.Fatal(r, err)
		}
	}
}

// BenchmarkSearch answers queries, the first of a library included in "first".
func BenchmarkSearch(b *testing.B) {
	for name, q := range map[string]string{"word": "zoe", "letter": "l", "several": "zoe lamp -tag:ash", "fields": "tag:fantasy by:maker3 has:lore", "nothing": "qqqq"} {
		b.Run(name, func(b *testing.B) {
			l := warm(b)
			l.Search(q, ByRank)
			for b.Loop() {
				l.Search(q, ByRank)
			}
		})
	}
	b.Run("first", func(b *testing.B) {
		dir, index := benchFolder(b)
		for b.Loop() {
			b.StopTimer()
			l := Open(Options{Dirs: []string{dir}, Index: index})
			l.Entries()
			b.StartTimer()
			l.Search("zoe", ByRank)
		}
	})
}

// BenchmarkOneCard reads one PNG of 200 kB.
func BenchmarkOneCard(b *testing.B) {
	path := filepath.Join(b.TempDir(), "card.png")
	write(b, path, cardPNG(cardJSON(3), 200<<10))
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if e := read(found{path, info.Size(), info.ModTime(), true}); e[0].Err != "" {
			b.Fatal(e)
		}
	}
}

// BenchmarkFavourite marks a card, on the disk and in the list.
func BenchmarkFavourite(b *testing.B) {
	dir, index := benchFolder(b)
	l := Open(Options{Dirs: []string{dir}, Index: index, Marks: filepath.Join(b.TempDir(), "marks")})
	e := l.Entries()[17]
	for i := 0; b.Loop(); i++ {
		if err := l.SetFavourite(e, i%2 == 0); err != nil {
			b.Fatal(err)
		}
	}
}
