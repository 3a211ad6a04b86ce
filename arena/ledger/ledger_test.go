package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/rating"
)

func open(t testing.TB, path string) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func fresh(t testing.TB) *Ledger {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "new folder", "ledger 100% #1?.db"))
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func pointer[T any](v T) *T { return &v }

// noon is a time without the parts of a millisecond that the ledger drops.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)

func aDuel(id string) arena.DuelRecord {
	return arena.DuelRecord{
		ID: id, SceneID: "meryton-ball", SceneTitle: "Meryton ball", SceneJSON: `{"id":"meryton-ball"}`,
		Character: "Elizabeth", User: "Mr Darcy", Language: "en", Critic: "house", Canon: arena.CanonVote,
		Blind: true, Seed: -7, Started: noon,
		Contestants: [2]arena.Contestant{
			{
				Name: "her-rl", Model: "her-rl-32b", Endpoint: "https://host.example:8080/v1", Dialect: layers.HER,
				Prefill: "<system_thinking>", KeepSystem: true,
				Sampling: arena.Sampling{Temperature: pointer(0.0), TopK: pointer(40), Stop: []string{"\n\n"}},
			},
			{Name: "base", Model: "base-32b", Endpoint: "http://127.0.0.1:1234/v1", Dialect: layers.Plain, Rehearsal: true},
		},
	}
}

func aTurn(duel string, number int) arena.Turn {
	return arena.Turn{
		ID: fmt.Sprintf("%s-t%d", duel, number), DuelID: duel, Number: number, Line: "Good evening.",
		Seats: [2]int{1, 0}, Canon: -1, Started: noon.Add(time.Duration(number) * time.Minute),
	}
}

func aReply(turn string, contestant, swipe int) arena.Reply {
	return arena.Reply{
		ID: fmt.Sprintf("%s-c%d-s%d", turn, contestant, swipe), TurnID: turn, Contestant: contestant, Swipe: swipe,
		Raw:       "<role_thinking>He stands \x00 there.</role_thinking> Mr Darcy! 達西先生 🎩",
		Reasoning: "be <cold> & brief",
		Segments:  []layers.Segment{{Layer: layers.Think, Text: "He stands there."}, {Layer: layers.Speech, Text: "Mr Darcy!"}},
		Dialect:   layers.HER, SpokeFor: []string{"Jane"}, Finish: "stop", Complete: true, Damaged: 2,
		Usage: &arena.Usage{PromptTokens: 10, CompletionTokens: 5, TotalTokens: 15}, Started: noon,
		FirstByte: 123456789 * time.Nanosecond, Total: 3 * time.Second,
	}
}

func aRuling(turn, id string) arena.Ruling {
	g := arena.Ruling{
		ID: id, TurnID: turn, Critic: "house", Agreement: arena.Flip, At: noon, Total: time.Second, Counted: true,
		ReplyA: turn + "-c1-s0", ReplyB: turn + "-c0-s0",
	}
	for o := range g.Verdicts {
		g.Verdicts[o] = arena.Verdict{
			Status: arena.VerdictRepaired, Better: arena.First, Overall: "both try", Summary: "first wins", Phase: arena.PhaseDone,
			Principles:  []arena.Principle{{Name: "Tone", Dimension: "voice", Polarity: "negative", Level: "session", Definition: "d", Reason: "r"}},
			Comparisons: []arena.Comparison{{Name: "Tone", First: "ok", Second: "dull", Reason: "x", Winner: arena.First, Degree: "clear"}},
			Tally:       arena.Tally{First: 1}, TallyDisagrees: true, Raw: fmt.Sprintf("raw %d", o), Reasoning: "thought",
			PromptHash: "abc", Model: "her-rm", Usage: &arena.Usage{TotalTokens: 3}, FirstByte: time.Millisecond, Total: time.Second,
		}
	}
	g.Verdicts[1].Fault = &arena.Fault{Kind: arena.CutOff, Message: "ended early", Hint: "try again", Status: 502}
	return g
}

func aVote(turn, id string, c arena.Choice) arena.Vote {
	return arena.Vote{ID: id, TurnID: turn, Choice: c, Voter: "me", At: noon, Dwell: 1500 * time.Millisecond, Counted: false, Why: "differing contexts"}
}

func aBattle(turn, id string, source arena.Source, c arena.Choice) arena.Battle {
	return arena.Battle{
		ID: id, DuelID: strings.Split(turn, "-t")[0], TurnID: turn, Turn: 1, SceneID: "meryton-ball", Source: source,
		A: "base", B: "her-rl", Outcome: c, Weight: 0.5, Flip: true, Counted: true, At: noon, Judge: "me", Language: "en",
	}
}

func inUTC(times ...*time.Time) {
	for _, t := range times {
		*t = t.UTC()
	}
}

func TestADuelComesBackAsItWasRecorded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		duel, turn := aDuel("d1"), aTurn("d1", 1)
		first, second, other := aReply(turn.ID, 0, 0), aReply(turn.ID, 0, 1), aReply(turn.ID, 1, 0)
		other.Fault = &arena.Fault{Kind: arena.Overloaded, Message: "busy", Hint: "wait", Status: 429}
		other.Usage, other.Segments, other.SpokeFor = nil, nil, nil
		ruling, vote := aRuling(turn.ID, "g1"), aVote(turn.ID, "v1", arena.ChoseA)
		battle := aBattle(turn.ID, "b1", arena.SourceVote, arena.ChoseA)
		must(t, l.RecordDuel(duel), l.RecordTurn(turn), l.RecordReply(first, true), l.RecordReply(second, true),
			l.RecordReply(other, true), l.RecordRuling(ruling), l.RecordVote(vote), l.RecordBattles([]arena.Battle{battle}))
		turn.Canon = 1
		must(t, l.RecordTurn(turn))

		got, err := l.Duel(context.Background(), "d1")
		must(t, err)
		turn.Swipes = [2][]*arena.Reply{{&first, &second}, {&other}}
		turn.Ruling, turn.Vote = &ruling, &vote
		want := &DuelFull{
			DuelRecord: duel,
			Turns: []FullTurn{{
				Turn: turn, Rulings: []arena.Ruling{ruling}, Votes: []arena.Vote{vote},
				States: map[string]State{first.ID: Done, second.ID: Done, other.ID: Done},
			}},
			Battles: []arena.Battle{battle},
		}
		utc := cmp.Transformer("UTC", func(t time.Time) time.Time { return t.UTC() })
		if d := cmp.Diff(want, got, utc); d != "" {
			t.Error(d)
		}
	})
}

func TestLatestRulingAndVoteHold(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		turn := aTurn("d1", 1)
		later := aVote(turn.ID, "a-later", arena.Tie)
		later.At = noon.Add(time.Second)
		laterRuling := aRuling(turn.ID, "a-later")
		laterRuling.At = noon.Add(time.Second)
		must(t, l.RecordDuel(aDuel("d1")), l.RecordTurn(turn), l.RecordVote(later), l.RecordVote(aVote(turn.ID, "z-earlier", arena.ChoseB)),
			l.RecordRuling(laterRuling), l.RecordRuling(aRuling(turn.ID, "z-earlier")))
		full, err := l.Duel(context.Background(), "d1")
		must(t, err)
		if v := full.Turns[0].Vote; v == nil || v.ID != "a-later" || len(full.Turns[0].Votes) != 2 {
			t.Errorf("vote %+v of %d", v, len(full.Turns[0].Votes))
		}
		if r := full.Turns[0].Ruling; r == nil || r.ID != "a-later" || len(full.Turns[0].Rulings) != 2 {
			t.Errorf("ruling %+v of %d", r, len(full.Turns[0].Rulings))
		}
	})
}

func TestListOfDuels(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		l := on.fresh(t)
		for i := range 5 {
			d := aDuel(fmt.Sprintf("duel-%d", i))
			d.Started = noon.Add(time.Duration(i) * time.Hour)
			d.Rehearsal = i == 4
			if i == 3 {
				d.Contestants[0].Name = "other"
			}
			must(t, l.RecordDuel(d))
		}
		for n := 1; n <= 3; n++ {
			must(t, l.RecordTurn(aTurn("duel-0", n)))
		}
		must(t, l.RecordVote(aVote("duel-0-t1", "v1", arena.Tie)), l.RecordVote(aVote("duel-0-t1", "v2", arena.ChoseA)),
			l.RecordRuling(aRuling("duel-0-t1", "g1")), l.RecordRuling(aRuling("duel-0-t2", "g2")))
		for _, c := range []struct {
			name string
			f    Filter
			want string
		}{
			{"all", Filter{}, "duel-4 duel-3 duel-2 duel-1 duel-0"},
			{"contestant", Filter{Contestant: "other"}, "duel-3"},
			{"no such contestant", Filter{Contestant: "nobody"}, ""},
			{"rehearsal", Filter{Rehearsal: pointer(true)}, "duel-4"},
			{"no rehearsal, part", Filter{Rehearsal: pointer(false), Limit: 2, Offset: 1}, "duel-2 duel-1"},
			{"offset alone", Filter{Offset: 3}, "duel-1 duel-0"},
			{"time", Filter{Since: noon.Add(time.Hour), Until: noon.Add(3 * time.Hour)}, "duel-2 duel-1"},
			{"scene and critic", Filter{SceneID: "meryton-ball", Critic: "none"}, ""},
		} {
			duels, err := l.Duels(ctx, c.f)
			must(t, err)
			var ids []string
			for _, d := range duels {
				ids = append(ids, d.ID)
			}
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
		duels, err := l.Duels(ctx, Filter{Limit: 1, Offset: 4})
		must(t, err)
		inUTC(&duels[0].Started)
		want := DuelSummary{
			ID: "duel-0", SceneID: "meryton-ball", SceneTitle: "Meryton ball", Character: "Elizabeth", User: "Mr Darcy",
			Contestants: [2]string{"her-rl", "base"}, Critic: "house", Blind: true, Started: noon, Turns: 3, Votes: 1, Rulings: 2,
		}
		if d := cmp.Diff(want, duels[0]); d != "" {
			t.Error(d)
		}
	})
}

func TestADuelByTheBeginningOfItsID(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		l := on.fresh(t)
		for _, id := range []string{"abc", "abcd", "abx", "ü-1"} {
			must(t, l.RecordDuel(aDuel(id)))
		}
		for prefix, want := range map[string]string{"abc": "abc", "abcd": "abcd", "abx": "abx", "abcde": "", "ab": "", "": "", "ü": "ü-1", "%": "", "_bc": ""} {
			full, err := l.Duel(ctx, prefix)
			switch {
			case want != "" && (err != nil || full.ID != want):
				t.Errorf("%q: %v", prefix, err)
			case want == "" && !IsKind(err, NotFound) && !IsKind(err, Ambiguous):
				t.Errorf("%q: %v", prefix, err)
			}
		}
		if _, err := l.Duel(ctx, "ab"); !IsKind(err, Ambiguous) || !strings.Contains(err.Error(), "abc, abcd, abx") {
			t.Error(err)
		}
	})
}

func TestBattlesReplaceThoseOfTheSameTurnAndSource(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		ctx := context.Background()
		l := on.fresh(t)
		critic := arena.CriticSource("house")
		flip := []arena.Battle{aBattle("d-t1", "f1", critic, arena.ChoseA), aBattle("d-t1", "f2", critic, arena.ChoseB)}
		whole := aBattle("d-t1", "w1", arena.SourceVote, arena.Tie)
		whole.TurnID = ""
		must(t, l.RecordBattles(flip), l.RecordBattles([]arena.Battle{aBattle("d-t1", "v1", arena.SourceVote, arena.ChoseA)}),
			l.RecordBattles([]arena.Battle{aBattle("d-t2", "v2", arena.SourceVote, arena.ChoseA), whole}), l.RecordBattles(nil))
		ids := func(f BattleFilter) string {
			battles, err := l.Battles(ctx, f)
			must(t, err)
			var all []string
			for _, b := range battles {
				all = append(all, b.ID)
			}
			return strings.Join(all, " ")
		}
		if got := ids(BattleFilter{}); got != "f1 f2 v1 v2 w1" {
			t.Error(got)
		}
		must(t, l.RecordBattles([]arena.Battle{aBattle("d-t1", "g1", critic, arena.ChoseA)}))
		changed := aBattle("d-t1", "v3", arena.SourceVote, arena.BothBad)
		changed.Counted, changed.Why, changed.At = false, "invalid reply", noon.Add(time.Second)
		must(t, l.RecordBattles([]arena.Battle{changed}))
		whole.ID = "w2"
		must(t, l.RecordBattles([]arena.Battle{whole}))
		for got, want := range map[string]string{
			ids(BattleFilter{}):                                        "g1 v2 w2 v3",
			ids(BattleFilter{Source: arena.SourceVote}):                "v2 w2 v3",
			ids(BattleFilter{Source: arena.SourceVote, Counted: true}): "v2 w2",
			ids(BattleFilter{TurnID: "d-t1"}):                          "g1 v3",
			ids(BattleFilter{Since: noon.Add(time.Millisecond)}):       "v3",
			ids(BattleFilter{Contestant: "her-rl", DuelID: "d"}):       "g1 v2 w2 v3",
			ids(BattleFilter{Contestant: "nobody"}):                    "",
			ids(BattleFilter{Language: "en", SceneID: "elsewhere"}):    "",
		} {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		rated, err := l.Rated(ctx, BattleFilter{Source: arena.SourceVote})
		must(t, err)
		for _, b := range rated {
			if b != (rating.Battle{A: "base", B: "her-rl", Outcome: rating.OutcomeOf(arena.ChoseA), Weight: 0.5}) && b.Outcome != rating.Tie {
				t.Errorf("%+v", b)
			}
		}
		if len(rated) != 2 {
			t.Errorf("%d rated", len(rated))
		}
		sources, err := l.Sources(ctx)
		must(t, err)
		want := []SourceCount{{critic, 1, 1}, {arena.SourceVote, 3, 2}}
		if d := cmp.Diff(want, sources); d != "" {
			t.Error(d)
		}
	})
}

func TestAFinishedReplyStaysFinished(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordDuel(aDuel("d1")), l.RecordTurn(aTurn("d1", 1)))
		final := aReply("d1-t1", 0, 0)
		late := final
		late.Raw = "half"
		must(t, l.RecordReply(late, false), l.RecordReply(final, true), l.RecordReply(late, false))
		full, err := l.Duel(context.Background(), "d1")
		must(t, err)
		got := full.Turns[0].Swipes[0][0]
		if got.Raw != final.Raw || full.Turns[0].States[final.ID] != Done {
			t.Errorf("%q, %s", got.Raw, full.Turns[0].States[final.ID])
		}
	})
}

func TestEndpointsAreKeptWithoutSecrets(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"https://host/v1":                          "https://host/v1",
		"https://me:sk-secret@host:8/v1?key=sk#sk": "https://host:8/v1",
		"http://sk-secret@host/v1/":                "http://host/v1/",
		"http://me:sk secret@host/v1?api_key=sk":   "http://host/v1",
		"me:sk-secret@host:8080/v1":                "host:8080/v1",
		"sk-secret@host/v1?x":                      "host/v1",
		"http://host/%zz?key=sk":                   "http://host/%zz",
		"http://[::1]:80/v1?":                      "http://[::1]:80/v1",
		"localhost:11434/v1?key=sk":                "localhost:11434/v1",
		"":                                         "",
	} {
		if got := withoutSecrets(from); got != want {
			t.Errorf("%q gives %q, want %q", from, got, want)
		}
	}
}

func TestRecordsWithoutIDAreRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		for _, err := range []error{
			l.RecordDuel(arena.DuelRecord{}), l.RecordTurn(arena.Turn{}), l.RecordReply(arena.Reply{}, true),
			l.RecordRuling(arena.Ruling{}), l.RecordVote(arena.Vote{}), l.RecordBattles(make([]arena.Battle, 1)),
		} {
			if !IsKind(err, BadRecord) {
				t.Error(err)
			}
		}
	})
}
