package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"herarena/arena"
)

// withBattles fills a new ledger with battles of 20 contestants and returns its
// path.
func withBattles(tb testing.TB, count int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "ledger.db")
	l, err := Open(context.Background(), path)
	must(tb, err)
	must(tb, l.writeContext(context.Background(), "fill", func(ctx context.Context, tx *sql.Tx) error {
		c, err := lockChain(ctx, tx)
		if err != nil {
			return err
		}
		i := &importer{tx: tx, chain: c, statements: make(map[string]*sql.Stmt), ours: make(map[seat]bool)}
		defer i.close()
		for n := range count {
			b := aBattle(fmt.Sprintf("d%d-t%d", n/10, n%10), fmt.Sprintf("b%08d", n), arena.SourceVote, arena.ChoseA)
			if n%4 == 0 {
				b.Source = arena.CriticSource("house")
			}
			b.A, b.B = fmt.Sprintf("c%d", n%20), fmt.Sprintf("c%d", (n+1+n/20%19)%20)
			b.At = noon.Add(time.Duration(n) * time.Second)
			row := newBattleRow(b)
			if err := i.battle(ctx, &row); err != nil {
				return err
			}
		}
		return c.close(ctx)
	}), l.Close())
	return path
}

func BenchmarkOpenWith100kBattles(b *testing.B) {
	path := withBattles(b, 100_000)
	for b.Loop() {
		l, err := Open(context.Background(), path)
		must(b, err)
		b.StopTimer()
		must(b, l.Close())
		b.StartTimer()
	}
}

// BenchmarkBeginChainOf100k opens a ledger of before there was a chain.
func BenchmarkBeginChainOf100k(b *testing.B) {
	path := withBattles(b, 100_000)
	for b.Loop() {
		b.StopTimer()
		execute(b, path, "DELETE FROM links", "UPDATE chain SET seq = 0, hash = ''")
		b.StartTimer()
		l, err := Open(context.Background(), path)
		must(b, err)
		b.StopTimer()
		must(b, l.Close())
		b.StartTimer()
	}
}

func BenchmarkBattlesOf100k(b *testing.B) {
	l := open(b, withBattles(b, 100_000))
	for b.Loop() {
		battles, err := l.Battles(context.Background(), BattleFilter{Source: arena.SourceVote, Counted: true})
		must(b, err)
		if len(battles) != 75_000 {
			b.Fatal(len(battles))
		}
	}
}

func BenchmarkRatedOf100k(b *testing.B) {
	l := open(b, withBattles(b, 100_000))
	for b.Loop() {
		battles, err := l.Rated(context.Background(), BattleFilter{Source: arena.SourceVote})
		must(b, err)
		if len(battles) != 75_000 {
			b.Fatal(len(battles))
		}
	}
}

func BenchmarkSourcesOf100k(b *testing.B) {
	l := open(b, withBattles(b, 100_000))
	for b.Loop() {
		sources, err := l.Sources(context.Background())
		must(b, err)
		if len(sources) != 2 {
			b.Fatal(sources)
		}
	}
}

func BenchmarkRecordVote(b *testing.B) {
	l := fresh(b)
	n := 0
	for b.Loop() {
		n++
		must(b, l.RecordVote(aVote("t", fmt.Sprint(n), arena.ChoseA)))
	}
}

func BenchmarkRecordStreamingReply(b *testing.B) {
	l := fresh(b)
	r := aReply("t", 0, 0)
	for b.Loop() {
		must(b, l.RecordReply(r, false))
	}
}
