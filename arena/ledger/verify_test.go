package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

// chained is a ledger with twelve battles, four of them replaced, and votes.
func chained(t testing.TB, place string) *Ledger {
	t.Helper()
	l := open(t, place)
	must(t, l.RecordDuel(aDuel("d")))
	critic := arena.CriticSource("house")
	for n := 1; n <= 4; n++ {
		turn := aTurn("d", n)
		must(t, l.RecordTurn(turn), l.RecordVote(aVote(turn.ID, turn.ID+"-v", arena.ChoseA)),
			l.RecordBattles([]arena.Battle{aBattle(turn.ID, turn.ID+"-b", arena.SourceVote, arena.ChoseA)}),
			l.RecordBattles([]arena.Battle{aBattle(turn.ID, turn.ID+"-f1", critic, arena.ChoseA), aBattle(turn.ID, turn.ID+"-f2", critic, arena.ChoseB)}))
	}
	// A changed vote, one taken back, a swipe judged anew.
	taken := aVote("d-t3", "d-t3-v", arena.ChoseA)
	taken.Counted, taken.Why = false, takenBack
	must(t, l.RecordVote(aVote("d-t2", "d-t2-w", arena.Tie)), l.RecordBattles([]arena.Battle{aBattle("d-t2", "d-t2-c", arena.SourceVote, arena.Tie)}),
		l.RecordVote(taken), l.RecordBattles([]arena.Battle{aBattle("d-t4", "d-t4-g", critic, arena.Tie)}))
	return l
}

func verified(t testing.TB, l *Ledger) Report {
	t.Helper()
	r, err := l.Verify(context.Background(), Head{})
	must(t, err)
	return r
}

func TestAnHonestChainHasNothingToFind(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l := chained(t, place)
		before := verified(t, l)
		if before.Total != 0 || before.Battles != 11 || before.Votes != 5 || before.Links != 1+4*4+4 || before.Replaced != 4 || before.Adopted != 0 {
			t.Fatalf("%+v", before)
		}
		if d := time.Since(before.Began); d < 0 || d > time.Minute {
			t.Errorf("began %v ago", d)
		}
		// The same again needs no link; opening anew neither.
		must(t, l.RecordVote(aVote("d-t1", "d-t1-v", arena.ChoseA)), l.RecordBattles([]arena.Battle{aBattle("d-t1", "d-t1-b", arena.SourceVote, arena.ChoseA)}))
		second := open(t, place)
		if after := verified(t, second); after.Head != before.Head || after.Total != 0 {
			t.Errorf("%+v", after)
		}
		// One of two that stays must still say that the other went.
		must(t, l.RecordBattles([]arena.Battle{aBattle("d-t1", "d-t1-f2", arena.CriticSource("house"), arena.ChoseB)}))
		// One that comes back, and one that moves to another turn.
		must(t, l.RecordBattles([]arena.Battle{aBattle("d-t4", "d-t4-f1", arena.CriticSource("house"), arena.ChoseA)}),
			l.RecordBattles([]arena.Battle{aBattle("d-t9", "d-t1-b", arena.SourceVote, arena.ChoseA)}))
		if after := verified(t, l); after.Total != 0 || after.Battles != 10 || after.Head.Seq != before.Head.Seq+3 {
			t.Errorf("%+v", after)
		}
		if r, err := second.Verify(context.Background(), before.Head); err != nil || r.Total != 0 {
			t.Errorf("%+v, %v", r, err)
		}
		_, err := second.Import(context.Background(), strings.NewReader(exported(t, filled(t, on))))
		must(t, err)
		if after := verified(t, l); after.Total != 0 || after.Battles != 19 {
			t.Errorf("%+v", after)
		}
	})
}

// forge gives link n, and with onwards all that follow, a hash that fits.
func forge(t *testing.T, place string, n int64, onwards bool) {
	t.Helper()
	db := other(t, place)
	links, err := collect(context.Background(), db, "SELECT "+linkColumns+" FROM links ORDER BY seq", nil, (*link).fields, func(k *link) link { return *k })
	must(t, err)
	last := ""
	for _, k := range links {
		if k.Seq == n || onwards && k.Seq > n {
			if k.Prev = last; k.Seq == n && !onwards {
				k.Prev = links[n-2].Hash
			}
			k.Hash = k.sum()
			_, err := db.Exec("UPDATE links SET prev = $1, hash = $2 WHERE seq = $3", k.Prev, k.Hash, k.Seq)
			must(t, err)
		}
		last = k.Hash
	}
	if onwards {
		_, err := db.Exec("UPDATE chain SET hash = $1", last)
		must(t, err)
	}
}

func TestWhatWasTamperedWithIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statements []string
		forge      int64
		want       []string // kind, what, id, number, and a part of the sentence
	}{
		"changed battle":     {[]string{"UPDATE battles SET outcome = 'b' WHERE id = 'd-t1-b'"}, 0, []string{`changed battle d-t1-b 3 outcome was "a" and is "b"`}},
		"changed weight":     {[]string{"UPDATE battles SET weight = 1 WHERE id = 'd-t3-f2'"}, 0, []string{`changed battle d-t3-f2 13 weight was "0.5" and is "1"`}},
		"changed judge":      {[]string{"UPDATE battles SET judge = 'you', counted = FALSE WHERE id = 'd-t2-c'"}, 0, []string{`changed battle d-t2-c 19 counted was "true" and is "false", judge was "me" and is "you"`}},
		"changed vote":       {[]string{"UPDATE votes SET why = '', counted = TRUE WHERE id = 'd-t3-v'"}, 0, []string{`changed vote d-t3-v 20 counted was "false" and is "true", why was "taken back" and is ""`}},
		"changed order":      {[]string{"UPDATE battles SET given = given - 1000 WHERE id = 'd-t3-b'"}, 0, []string{"changed battle d-t3-b 11 at was"}},
		"removed battle":     {[]string{"DELETE FROM battles WHERE id = 'd-t2-c'"}, 0, []string{"removed battle d-t2-c 19 of base against her-rl in turn 1 of duel d (vote, tie, "}},
		"removed vote":       {[]string{"DELETE FROM votes WHERE id = 'd-t1-v'"}, 0, []string{"removed vote d-t1-v 2 of me on turn d-t1 (a, "}},
		"inserted battle":    {[]string{"INSERT INTO battles SELECT 'new', duel_id, turn_id, turn, scene_id, source, a, b, outcome, weight, flip, counted, why, judge, language, given FROM battles WHERE id = 'd-t1-b'"}, 0, []string{"inserted battle new 0 the battle new of base against her-rl"}},
		"renamed battle":     {[]string{"UPDATE battles SET id = 'new' WHERE id = 'd-t1-b'"}, 0, []string{"inserted battle new 0 new", "removed battle d-t1-b 3 removed"}},
		"replaced come back": {[]string{"INSERT INTO battles SELECT 'd-t2-b', duel_id, turn_id, turn, scene_id, source, a, b, 'a', weight, flip, counted, why, judge, language, given FROM battles WHERE id = 'd-t2-c'"}, 0, []string{"inserted battle d-t2-b 0 written around"}},
		"changed link":       {[]string{"UPDATE links SET written = written + 1 WHERE seq = 7"}, 0, []string{"changed link d-t2-b 7 link 7 (battle d-t2-b) was changed"}},
		"changed both":       {[]string{"UPDATE battles SET outcome = 'b' WHERE id = 'd-t1-b'", "UPDATE links SET body = replace(body, '\"outcome\":\"a\"', '\"outcome\":\"b\"') WHERE seq = 3"}, 0, []string{"changed link d-t1-b 3 was changed"}},
		"forged both":        {[]string{"UPDATE battles SET outcome = 'b' WHERE id = 'd-t1-b'", "UPDATE links SET body = replace(body, '\"outcome\":\"a\"', '\"outcome\":\"b\"') WHERE seq = 3"}, 3, []string{"changed link d-t1-b 3 link 4 does not follow it"}},
		"removed link":       {[]string{"DELETE FROM links WHERE seq = 3"}, 0, []string{"removed link  3 link 3 was removed", "inserted battle d-t1-b 0 around the chain"}},
		"removed both":       {[]string{"DELETE FROM links WHERE seq IN (4, 5)", "DELETE FROM battles WHERE id IN ('d-t1-f1', 'd-t1-f2')"}, 0, []string{"removed link  4 links 4 to 5 were removed"}},
		"removed end":        {[]string{"DELETE FROM links WHERE seq > 19", "DELETE FROM votes WHERE id = 'd-t3-v'", "DELETE FROM battles WHERE id = 'd-t4-g'"}, 0, []string{"removed link  20 links 20 to 21 were at the end", "removed vote d-t3-v 10 (a", "removed battle d-t4-f1 16 removed", "removed battle d-t4-f2 17 removed"}},
		"removed beginning":  {[]string{"DELETE FROM links WHERE seq = 1"}, 0, []string{"removed link  1 link 1 was removed"}},
		"removed head":       {[]string{"DELETE FROM chain"}, 0, []string{"removed chain  0 last link was removed"}},
		"set back head":      {[]string{"UPDATE chain SET seq = 5"}, 0, []string{"changed chain  21 says 5, the last link is 21"}},
		"swapped links":      {[]string{"UPDATE links SET seq = -1 WHERE seq = 8", "UPDATE links SET seq = 8 WHERE seq = 9", "UPDATE links SET seq = 9 WHERE seq = -1"}, 0, []string{"moved link d-t2-f2 8 was link 9", "moved link d-t2-f1 9 was link 8", "changed link d-t2-f1 9 link 10 does not follow"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, on ground) {
				place := on.place(t)
				l := chained(t, place)
				execute(t, place, c.statements...)
				if c.forge > 0 {
					forge(t, place, c.forge, false)
				}
				var got []string
				report := verified(t, l)
				for _, f := range report.Findings {
					got = append(got, fmt.Sprintf("%s %s %s %d %s", f.Kind, f.What, f.ID, f.Seq, f.Text))
				}
				if len(got) != len(c.want) || report.Total != len(got) {
					t.Fatalf("found %q, want %q", got, c.want)
				}
				for i, want := range c.want {
					words := strings.SplitN(want, " ", 5)
					if !strings.HasPrefix(got[i], strings.Join(words[:4], " ")+" ") || !strings.Contains(got[i], words[4]) {
						t.Errorf("found %q, want %q", got[i], want)
					}
				}
				// A vote is taken whatever was done to the chain, and hides nothing.
				must(t, l.RecordVote(aVote("d-t1", "later", arena.ChoseB)))
				if after := verified(t, l); after.Total < 1 && name != "removed head" && name != "set back head" {
					t.Errorf("a later vote hides it: %+v", after)
				}
			})
		})
	}
}

func TestAChainMadeAnewIsFoundByAHeadKeptElsewhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l := chained(t, place)
		kept := verified(t, l).Head
		execute(t, place, "UPDATE battles SET outcome = 'b' WHERE id = 'd-t1-b'", `UPDATE links SET body = replace(body, '"outcome":"a"', '"outcome":"b"') WHERE seq = 3`)
		forge(t, place, 3, true)
		if r := verified(t, l); r.Total != 0 {
			t.Fatalf("the forgery of the test is not complete: %+v", r)
		}
		back, err := ParseHead(kept.String())
		must(t, err)
		r, err := l.Verify(context.Background(), back)
		must(t, err)
		if r.Total != 1 || r.Findings[0].Kind != OtherHead || r.Findings[0].Seq != kept.Seq {
			t.Errorf("%+v", r)
		}
		if r, err := l.Verify(context.Background(), Head{Seq: 900, Hash: kept.Hash}); err != nil || r.Total != 1 {
			t.Errorf("a head beyond the end: %+v, %v", r, err)
		}
	})
	for _, bad := range []string{"", "5", "5:", ":", "0:" + strings.Repeat("a", 64), "5:" + strings.Repeat("g", 64), "5:" + strings.Repeat("a", 63)} {
		if h, err := ParseHead(bad); err == nil {
			t.Errorf("%q is the head %v", bad, h)
		}
	}
}

func TestAnOldLedgerBeginsItsChain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l, err := Open(context.Background(), place)
		must(t, err)
		for n := 1; n <= 3; n++ {
			must(t, l.RecordVote(aVote("d", fmt.Sprint("v", n), arena.ChoseA)), l.RecordBattles([]arena.Battle{aBattle(fmt.Sprintf("d-t%d", n), fmt.Sprint("b", n), arena.SourceVote, arena.ChoseA)}))
		}
		must(t, l.Close())
		// As it was before there was a chain.
		execute(t, place, "DROP TABLE links", "DROP TABLE chain",
			"ALTER TABLE turns DROP COLUMN speaker", "ALTER TABLE turns DROP COLUMN scenery", "DELETE FROM "+versionTable+" WHERE version_id >= 7")
		done := make(chan error, 2)
		for range 2 { // two programs come at once
			go func() {
				l, err := Open(context.Background(), place)
				if err == nil {
					err = l.Close()
				}
				done <- err
			}()
		}
		must(t, <-done, <-done)
		l = open(t, place)
		r := verified(t, l)
		if r.Total != 0 || r.Links != 7 || r.Adopted != 6 || r.Battles != 3 || r.Votes != 3 || time.Since(r.Began) > time.Minute {
			t.Errorf("%+v", r)
		}
		execute(t, place, "UPDATE battles SET outcome = 'b' WHERE id = 'b2'")
		if r := verified(t, l); r.Total != 1 || r.Findings[0].ID != "b2" {
			t.Errorf("%+v", r)
		}
	})
}

// The form of a link must not change, or ledgers that are there fail to verify.
func TestTheFormOfLinksIsFixed(t *testing.T) {
	t.Parallel()
	battle, vote := newBattleRow(aBattle("d-t1", "b\x00<1>", arena.SourceVote, arena.ChoseA)), newVoteRow(aVote("d-t1", "v1", arena.Tie))
	body, err := canonical(&battle)
	must(t, err)
	const want = `{"id":"b\u0000\u003c1\u003e","duel_id":"d","turn_id":"d-t1","turn":1,"scene_id":"meryton-ball","source":"vote","a":"base","b":"her-rl","outcome":"a","weight":0.5,"flip":true,"counted":true,"why":"","judge":"me","language":"en","at":1772366400123}`
	if body != want {
		t.Errorf("a battle is %s", body)
	}
	voted, err := canonical(&vote)
	must(t, err)
	if voted != `{"id":"v1","turn_id":"d-t1","choice":"tie","voter":"me","dwell_ns":1500000000,"counted":false,"why":"differing contexts","at":1772366400123}` {
		t.Errorf("a vote is %s", voted)
	}
	k := link{Seq: 2, Prev: "ab", Kind: linkBattle, RowID: battle.ID, Replaces: "1", Body: body, Written: 5}
	if got := k.sum(); got != "ade8ddb5eee11a99662346d3ffce4fdb422998f94d57e7446ca7a6c252318e49" {
		t.Errorf("its hash is %s", got)
	}
}

func BenchmarkVerify100k(b *testing.B) {
	l := open(b, withBattles(b, 100_000))
	for b.Loop() {
		if r := verified(b, l); r.Total != 0 || r.Battles != 100_000 {
			b.Fatal(r)
		}
	}
}

func BenchmarkRecordBattles(b *testing.B) {
	for _, g := range grounds() {
		b.Run(g.name, func(b *testing.B) {
			l := g.fresh(b)
			n := 0
			for b.Loop() {
				n++
				must(b, l.RecordBattles([]arena.Battle{aBattle(fmt.Sprintf("d-t%d", n), fmt.Sprint(n), arena.SourceVote, arena.ChoseA)}))
			}
		})
	}
}
