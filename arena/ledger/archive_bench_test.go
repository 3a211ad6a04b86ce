package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// withDuels fills a new ledger with duels of three turns each, about 1 kB a
// reply, and returns its path.
func withDuels(tb testing.TB, count int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "ledger.db")
	l, err := Open(context.Background(), path)
	must(tb, err)
	text := strings.Repeat("He bows a little deeper than the ball asks for, and speaks of the weather. ", 13)
	for from := 0; from < count; from += 500 {
		must(tb, l.write("fill", func(ctx context.Context, tx *sql.Tx) error {
			for n := from; n < min(from+500, count); n++ {
				if err := fillDuel(ctx, tx, n, text); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	must(tb, l.Close())
	return path
}

func fillDuel(ctx context.Context, tx *sql.Tx, n int, text string) error {
	id := fmt.Sprintf("d%06d", n)
	d := aDuel(id)
	d.Started = noon.Add(time.Duration(n) * time.Minute)
	d.SceneTitle = fmt.Sprintf("Scene %d", n%17)
	d.Contestants[0].Name, d.Contestants[1].Name = fmt.Sprintf("c%d", n%20), fmt.Sprintf("c%d", (n+1)%20)
	row := newDuelRow(d)
	if err := put(ctx, tx, upsert("duels", duelColumns, ""), row.fields()); err != nil {
		return err
	}
	for i := range row.Contestants {
		if err := put(ctx, tx, upsert("contestants", contestantColumns, ""), row.Contestants[i].fields()); err != nil {
			return err
		}
	}
	for k := 1; k <= 3; k++ {
		t := aTurn(id, k)
		turn := newTurnRow(t)
		if err := put(ctx, tx, upsert("turns", turnColumns, ""), turn.fields()); err != nil {
			return err
		}
		for c := range 2 {
			r := aReply(t.ID, c, 0)
			r.Raw = text
			if n == 4321 && k == 2 && c == 1 {
				r.Raw += "The Übermut of the needle."
			}
			r.Segments = []layers.Segment{{Layer: layers.Speech, Text: text}}
			reply := newReplyRow(r)
			reply.State = string(Done)
			if err := put(ctx, tx, upsert("replies", replyColumns, ""), reply.fields()); err != nil {
				return err
			}
		}
		vote := newVoteRow(aVote(t.ID, t.ID+"-v", arena.ChoseA))
		if err := put(ctx, tx, upsert("votes", voteColumns, ""), vote.fields()); err != nil {
			return err
		}
		ruling := newRulingRow(aRuling(t.ID, t.ID+"-r"))
		if err := put(ctx, tx, upsert("rulings", rulingColumns, ""), ruling.fields()); err != nil {
			return err
		}
	}
	return nil
}

func BenchmarkDuelsOf10k(b *testing.B) {
	l := open(b, withDuels(b, 10_000))
	for _, limit := range []int{200, 0} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			for b.Loop() {
				duels, err := l.Duels(context.Background(), Filter{Limit: limit})
				must(b, err)
				if len(duels) != limit && len(duels) != 10_000 {
					b.Fatal(len(duels))
				}
			}
		})
	}
}

func BenchmarkSearchOf10k(b *testing.B) {
	l := open(b, withDuels(b, 10_000))
	for name, want := range map[string]int{"übermut of the needle": 1, "needle": 1, "ball": 10_000, "nowhere at all": 0} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				hits, err := l.Search(context.Background(), name)
				must(b, err)
				if len(hits) != want {
					b.Fatal(len(hits), want)
				}
			}
		})
	}
}
