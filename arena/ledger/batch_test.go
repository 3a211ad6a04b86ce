package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

// A program that died while the chain of an old ledger began leaves the rest to
// the next one, and a vote that comes in between waits for it.
func TestAChainBegunInPartsIsFinished(t *testing.T) {
	if testing.Short() {
		t.Skip("moves much data in one goroutine: left out of short runs")
	}
	t.Parallel()
	const battles = 2*adoptAtOnce + 17
	path := withBattles(t, battles)
	execute(t, path, "DELETE FROM links", "UPDATE chain SET seq = 0, hash = ''")
	l, err := open1(path)
	must(t, err)
	// One step alone, as of a program that was killed then.
	execute(t, path, "DELETE FROM links WHERE seq > 3000", "UPDATE chain SET seq = 3000, hash = (SELECT hash FROM links WHERE seq = 3000)")
	must(t, l.Close())
	l, err = open1(path)
	must(t, err)
	defer func() { _ = l.Close() }()
	must(t, l.RecordBattles([]arena.Battle{aBattle("d-new", "t-new", arena.SourceVote, arena.ChoseB)}))
	r, err := l.Verify(context.Background(), Head{})
	must(t, err)
	if r.Total != 0 || r.Adopted != battles || r.Links != battles+2 || r.Battles != battles+1 {
		t.Errorf("%+v", r)
	}
	// A chain whose beginning was taken away is not begun anew.
	must(t, l.Close())
	execute(t, path, "DELETE FROM links WHERE seq <= 10")
	l, err = open1(path)
	must(t, err)
	if r, err = l.Verify(context.Background(), Head{}); err != nil || r.Total == 0 {
		t.Errorf("%+v %v", r, err)
	}
}

func open1(path string) (*Ledger, error) { return Open(context.Background(), path) }

// While the chain of a large old ledger begins, others get their turn.
func TestOthersWriteWhileAChainBegins(t *testing.T) {
	t.Parallel()
	path := withBattles(t, 3*adoptAtOnce)
	other, err := open1(path)
	must(t, err)
	defer func() { _ = other.Close() }()
	execute(t, path, "DELETE FROM links", "UPDATE chain SET seq = 0, hash = ''")
	begun := make(chan error, 1)
	go func() {
		l, err := open1(path)
		if err == nil {
			err = l.Close()
		}
		begun <- err
	}()
	longest, n := time.Duration(0), 0
	for {
		start := time.Now()
		must(t, other.write("wait", func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE writers SET seen = seen")
			return err
		}))
		longest = max(longest, time.Since(start))
		n++
		select {
		case err := <-begun:
			must(t, err)
			t.Logf("%d writes meanwhile, the longest took %v", n, longest)
			if longest > patience {
				t.Error("the file was held too long")
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestManyBattlesAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("moves much data in one goroutine: left out of short runs")
	}
	t.Parallel()
	l := fresh(t)
	var battles []arena.Battle
	for i := range 3 * battlesAtOnce {
		b := aBattle(fmt.Sprintf("d%d-t%d", i/20, i/2%10), fmt.Sprintf("b%06d", i), arena.CriticSource("c"), arena.ChoseA)
		b.TurnID, b.DuelID = fmt.Sprintf("t%d", i/2), fmt.Sprintf("d%d", i/20)
		battles = append(battles, b)
	}
	must(t, l.RecordBattles(battles))
	must(t, l.RecordBattles(battles)) // in place of themselves
	got, err := l.Battles(context.Background(), BattleFilter{})
	must(t, err)
	if len(got) != len(battles) {
		t.Errorf("%d battles, want %d", len(got), len(battles))
	}
	if r, err := l.Verify(context.Background(), Head{}); err != nil || r.Total != 0 {
		t.Errorf("%d findings, the first %+v %v", r.Total, r.Findings[:min(len(r.Findings), 1)], err)
	}
}

func TestDuelsReadTogetherAreTheSame(t *testing.T) {
	t.Parallel()
	l := fresh(t)
	var ids []string
	for i := range duelsAtOnce + 3 {
		id := fmt.Sprintf("duel-%02d", i)
		must(t, l.RecordDuel(aDuel(id)))
		for n := 1; n <= 2; n++ {
			turn := aTurn(id, n)
			must(t, l.RecordTurn(turn), l.RecordReply(aReply(turn.ID, 0, 0), true), l.RecordReply(aReply(turn.ID, 1, 0), true),
				l.RecordReply(aReply(turn.ID, 1, 1), true), l.RecordRuling(aRuling(turn.ID, "g-"+turn.ID)), l.RecordVote(aVote(turn.ID, "v-"+turn.ID, arena.ChoseA)),
				l.RecordBattles([]arena.Battle{aBattle(turn.ID, "b-"+turn.ID, arena.SourceVote, arena.ChoseA)}))
		}
		ids = append([]string{id}, ids...) // not in the order of the ids
	}
	var got []string
	must(t, l.EachDuel(context.Background(), append(ids, "nowhere"), func(d *DuelFull) error {
		got = append(got, d.ID)
		alone, err := l.Duel(context.Background(), d.ID)
		must(t, err)
		if diff := cmp.Diff(alone, d); diff != "" {
			t.Error(diff)
		}
		return nil
	}))
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Error(diff)
	}
}
