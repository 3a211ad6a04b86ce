package replay

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// anyTime draws moments near noon, wild ones and none.
func anyTime(t *rapid.T, label string) time.Time {
	switch rapid.IntRange(0, 9).Draw(t, label+" kind") {
	case 0:
		return time.Time{}
	case 1:
		return noon.AddDate(rapid.IntRange(-300, 300).Draw(t, label), 0, 0)
	}
	return noon.Add(time.Duration(rapid.IntRange(-1000, 600_000).Draw(t, label)) * time.Millisecond)
}

func anyDuration(t *rapid.T, label string) time.Duration {
	return rapid.SampledFrom([]time.Duration{0, time.Nanosecond, time.Second, 1234567890, -time.Second, 1 << 62, -1 << 62}).Draw(t, label)
}

func anyDuel(t *rapid.T) *ledger.DuelFull {
	d := &ledger.DuelFull{}
	d.Critic = rapid.SampledFrom([]string{"", "house"}).Draw(t, "critic")
	d.Canon = rapid.SampledFrom([]arena.CanonPolicy{"", "vote", "critic", "a", "b", "parallel", "?"}).Draw(t, "policy")
	choice := rapid.SampledFrom([]arena.Choice{"", "a", "b", "tie", "both_bad", "cand_1", "?"})
	for n := range rapid.IntRange(0, 4).Draw(t, "turns") {
		turn := ledger.FullTurn{}
		turn.ID, turn.Number, turn.Line = fmt.Sprint("t", n), n+1, "line"
		turn.Seats = [2]int{rapid.IntRange(-1, 2).Draw(t, "seat a"), rapid.IntRange(-1, 2).Draw(t, "seat b")}
		turn.Canon = rapid.IntRange(-2, 3).Draw(t, "canon")
		turn.Started = anyTime(t, "turn")
		for c := range 2 {
			for k := range rapid.IntRange(0, 3).Draw(t, "swipes") {
				r := &arena.Reply{
					ID: fmt.Sprintf("t%d-%d-%d", n, c, k), Contestant: c, Swipe: k, Started: anyTime(t, "reply"),
					FirstByte: anyDuration(t, "first"), Total: anyDuration(t, "total"), Complete: true, Finish: arena.FinishStop,
				}
				for range rapid.IntRange(0, 3).Draw(t, "segments") {
					r.Segments = append(r.Segments, layers.Segment{Layer: layers.Layer(rapid.IntRange(0, 4).Draw(t, "layer")), Text: rapid.String().Draw(t, "text")})
				}
				if rapid.Bool().Draw(t, "counted") {
					r.Usage = &arena.Usage{CompletionTokens: rapid.SampledFrom([]int{0, 1, 50, 1 << 50, -3}).Draw(t, "tokens")}
				}
				turn.Swipes[c] = append(turn.Swipes[c], r)
			}
		}
		for k := range rapid.IntRange(0, 2).Draw(t, "rulings") {
			g := arena.Ruling{ID: fmt.Sprint("g", k), Critic: "house", At: anyTime(t, "ruling"), Total: anyDuration(t, "judged"), Winner: choice.Draw(t, "winner"), Agreement: arena.Agree}
			for o := range g.Verdicts {
				g.Verdicts[o] = arena.Verdict{
					Total: anyDuration(t, "verdict"), FirstByte: anyDuration(t, "verdict first"),
					Principles: make([]arena.Principle, rapid.IntRange(0, 3).Draw(t, "principles")), Comparisons: make([]arena.Comparison, rapid.IntRange(0, 3).Draw(t, "comparisons")),
				}
			}
			if last := turn.Swipes[0]; len(last) > 0 {
				g.ReplyA = last[len(last)-1].ID
			}
			turn.Rulings = append(turn.Rulings, g)
			turn.Ruling = &turn.Rulings[k]
		}
		for range rapid.IntRange(0, 2).Draw(t, "votes") {
			v := arena.Vote{Choice: choice.Draw(t, "vote"), At: anyTime(t, "vote at"), Dwell: anyDuration(t, "dwell"), Counted: rapid.Bool().Draw(t, "vote counted")}
			if rapid.Bool().Draw(t, "withdrawn") {
				v.Why = "taken back"
			}
			turn.Votes = append(turn.Votes, v)
		}
		if n := len(turn.Votes); n > 0 {
			turn.Vote = &turn.Votes[n-1]
		}
		d.Turns = append(d.Turns, turn)
	}
	return d
}

// TestTimelinesKeepTheEnginesOrder checks any duel, whatever its clocks say,
// against the event map of the engine.
func TestTimelinesKeepTheEnginesOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDuel(t)
		pause := rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "pause")
		all := Timeline(d, Options{MaxPause: pause})
		if !reflect.DeepEqual(all, Timeline(d, Options{MaxPause: pause})) {
			t.Fatal("the timeline differs the second time")
		}
		turn := 0
		live := map[string]int{} // segments of replies being written
		text := map[string][]layers.Segment{}
		ended := map[string]bool{}
		judging := map[int]bool{}
		var at time.Duration
		for i, m := range all {
			if m.At < at {
				t.Fatalf("moment %d comes at %v, after one at %v", i, m.At, at)
			}
			at = m.At
			switch e := m.Event.(type) {
			case arena.TurnStarted:
				if e.Turn.Number != turn+1 || len(live) > 0 {
					t.Fatalf("turn %d begins after turn %d with %d replies being written", e.Turn.Number, turn, len(live))
				}
				turn = e.Turn.Number
			case arena.ReplyStarted:
				key := fmt.Sprint(e.Turn, e.Side, e.Reply.Swipe)
				if e.Turn != turn || ended[key] {
					t.Fatalf("a reply to turn %d begins in turn %d", e.Turn, turn)
				}
				live[key] = 0
			case arena.ReplyDelta:
				key := fmt.Sprint(e.Turn, e.Side, e.Swipe)
				if _, ok := live[key]; !ok {
					t.Fatalf("text for a reply that is not being written: %s", key)
				}
				for _, edit := range e.Edits {
					text[key] = layers.Apply(text[key], edit)
				}
			case arena.ReplyEnded:
				key := fmt.Sprint(e.Turn, e.Side, e.Reply.Swipe)
				if _, ok := live[key]; !ok {
					t.Fatalf("a reply ends that has not begun: %s", key)
				}
				delete(live, key)
				ended[key] = true
				if got, want := joinedText(text[key]), joinedText(e.Reply.Segments); got != want {
					t.Fatalf("the deltas of %s give %q, the reply is %q", key, got, want)
				}
			case arena.RulingStarted:
				judging[e.Turn] = true
			case arena.VerdictUpdated:
				if !judging[e.Turn] {
					t.Fatal("a verdict is written and nobody judges")
				}
			case arena.RulingEnded:
				judging[e.Turn] = false
			}
		}
		if len(live) > 0 {
			t.Fatalf("replies never end: %v", live)
		}
	})
}

// joinedText is the text of segments; empty ones are never told of.
func joinedText(segments []layers.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestWordsJoinedAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if got := strings.Join(words(text), ""); got != text {
			t.Fatalf("%q came as %q", text, got)
		}
	})
	for text, want := range map[string]int{
		"":                       0,
		"one":                    1,
		"one two  three\n\nfour": 4,
		"達西先生":                   4,
		"  lead":                 1,
		"\xff\xfe broken":        2,
	} {
		if got := words(text); len(got) != want {
			t.Errorf("%q is cut into %q, want %d pieces", text, got, want)
		}
	}
}

func TestALongReplyIsToldInBoundedPieces(t *testing.T) {
	text := strings.Repeat("word ", 100_000)
	edits := pieces([]layers.Segment{{Layer: layers.Think, Text: "a"}, {Layer: layers.Speech, Text: text}})
	if len(edits) > most+1 {
		t.Errorf("%d pieces", len(edits))
	}
	var out []layers.Segment
	for _, e := range edits {
		out = layers.Apply(out, e)
	}
	if len(out) != 2 || out[1].Text != text {
		t.Error("the pieces are not the text")
	}
}

// day is a duel of two turns with an hour between them.
func day() *ledger.DuelFull {
	d := &ledger.DuelFull{}
	d.Critic, d.Canon = "house", arena.CanonVote
	for n := range 2 {
		at := noon.Add(time.Duration(n) * time.Hour)
		t := ledger.FullTurn{}
		t.ID, t.Number, t.Line, t.Seats, t.Started, t.Canon = fmt.Sprint(n), n+1, "line", [2]int{1, 0}, at, 0
		for c := range 2 {
			t.Swipes[c] = []*arena.Reply{{
				ID: fmt.Sprint(n, c), Contestant: c, Started: at, FirstByte: 20 * time.Second, Total: 30 * time.Second, Complete: true,
				Segments: []layers.Segment{{Layer: layers.Speech, Text: "a b c d"}}, Usage: &arena.Usage{CompletionTokens: 8},
			}}
		}
		t.Rulings = []arena.Ruling{{Critic: "house", At: at.Add(30 * time.Second), Total: 4 * time.Second, Winner: arena.ChoseA, Agreement: arena.Agree, ReplyA: fmt.Sprint(n, 1)}}
		t.Ruling = &t.Rulings[0]
		t.Votes = []arena.Vote{{Choice: arena.ChoseB, At: at.Add(50 * time.Second), Counted: true}}
		t.Vote = &t.Votes[0]
		d.Turns = append(d.Turns, t)
	}
	return d
}

func TestOnlyPausesWithNothingUnderWayAreCut(t *testing.T) {
	for pause, want := range map[time.Duration]time.Duration{
		0:           time.Hour + 50*time.Second,
		time.Second: (30+4+1)*time.Second + time.Second + (30+4+1)*time.Second,
	} {
		if got := Length(Timeline(day(), Options{MaxPause: pause})); got != want {
			t.Errorf("with pauses of at most %v the duel takes %v, want %v", pause, got, want)
		}
	}
}

func TestTokensAreSpreadFromTheFirstToTheLast(t *testing.T) {
	var times []time.Duration
	var tokens []int
	for _, m := range Timeline(day(), Options{}) {
		if e, ok := m.Event.(arena.ReplyDelta); ok && e.Turn == 1 && e.Side == arena.A {
			times, tokens = append(times, m.At), append(tokens, e.Tokens)
		}
	}
	if diff := cmp.Diff([]time.Duration{20e9, 22.5e9, 25e9, 27.5e9}, times); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{2, 4, 6, 8}, tokens); diff != "" {
		t.Error(diff)
	}
}

func TestCanonIsToldWhenItWasChosen(t *testing.T) {
	type told struct {
		at   time.Duration
		side arena.Side
		by   arena.CanonPolicy
	}
	for _, c := range []struct {
		name   string
		change func(d *ledger.DuelFull)
		want   []told
	}{
		{"the critic's until the vote", func(*ledger.DuelFull) {}, []told{{34e9, arena.A, "critic"}, {50e9, arena.B, "vote"}}},
		{"no vote", func(d *ledger.DuelFull) { d.Turns[0].Votes, d.Turns[0].Vote, d.Turns[0].Canon = nil, nil, 1 }, []told{{34e9, arena.A, "critic"}}},
		{"the policy is the critic", func(d *ledger.DuelFull) { d.Canon, d.Turns[0].Canon = arena.CanonCritic, 1 }, []told{{34e9, arena.A, "critic"}}},
		{"the policy is a side", func(d *ledger.DuelFull) { d.Canon, d.Turns[0].Canon = arena.CanonB, 0 }, []told{{30e9, arena.B, "b"}}},
		{"nobody decided", func(d *ledger.DuelFull) {
			t := &d.Turns[0]
			t.Votes, t.Vote, t.Rulings, t.Ruling, t.Canon = nil, nil, nil, nil, 1
		}, []told{{30e9, arena.A, "a"}}},
		{"undecided", func(d *ledger.DuelFull) { d.Turns[0].Canon = -1 }, nil},
	} {
		d := day()
		c.change(d)
		var got []told
		for _, m := range Timeline(d, Options{}) {
			if e, ok := m.Event.(arena.CanonChosen); ok && e.Turn == 1 {
				got = append(got, told{m.At, e.Side, e.By})
			}
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(told{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestWhatIsNoLongerTrueIsLeftOut(t *testing.T) {
	d := day()
	again := *d.Turns[0].Swipes[1][0]
	again.ID, again.Swipe, again.Started = "again", 1, noon.Add(5*time.Minute)
	d.Turns[0].Swipes[1] = append(d.Turns[0].Swipes[1], &again)
	d.Turns[1].Votes[0].Counted, d.Turns[1].Votes[0].Why = false, "taken back"
	turns := Turns(d)
	if turns[0].Ruling != nil || turns[0].Vote != nil {
		t.Errorf("of a reply asked for again there are still ruling %v and vote %v", turns[0].Ruling, turns[0].Vote)
	}
	if turns[1].Ruling == nil || turns[1].Vote != nil {
		t.Errorf("ruling %v, vote %v", turns[1].Ruling, turns[1].Vote)
	}
}

func TestAnInvalidReplyIsSaidToBeWhyNothingWasJudged(t *testing.T) {
	d := day()
	d.Turns[0].Rulings, d.Turns[0].Ruling = nil, nil
	d.Turns[0].Swipes[0][0].Fault = &arena.Fault{Kind: arena.Stalled}
	for _, m := range Timeline(d, Options{}) {
		if e, ok := m.Event.(arena.RulingSkipped); ok {
			if e.Turn != 1 || e.Why != "reply B is invalid: stalled" || m.At != 30*time.Second {
				t.Errorf("at %v: %+v", m.At, e)
			}
			return
		}
	}
	t.Error("it is not said that nothing was judged")
}

func TestSceneComesFromTheRecord(t *testing.T) {
	rec := arena.DuelRecord{SceneID: "ball", SceneTitle: "Ball", Character: "Elizabeth", User: "Darcy", SceneJSON: "{broken"}
	if s := Scene(&rec); s.Title != "Ball" || s.Character.Name != "Elizabeth" || s.User.Name != "Darcy" {
		t.Errorf("of a broken scene: %+v", s)
	}
	whole, _ := json.Marshal(map[string]any{"title": "The ball", "scenario": "A room."})
	rec.SceneJSON = string(whole)
	if s := Scene(&rec); s.Title != "The ball" || s.Scenario != "A room." || s.Character.Name != "Elizabeth" {
		t.Errorf("of a whole one: %+v", s)
	}
}

func BenchmarkTimeline(b *testing.B) {
	d := day()
	d.Turns[0].Swipes[0][0].Segments[0].Text = strings.Repeat("word ", 1000)
	for b.Loop() {
		Timeline(d, Options{MaxPause: time.Second})
	}
}

func TestHistoryIsWhatBecameCanon(t *testing.T) {
	d := day()
	d.Contestants[0].Name, d.Contestants[1].Name = "zero", "one"
	d.Past = []arena.PastTurn{{Line: "before", By: "other"}}
	for i := range d.Turns {
		d.Turns[i].Number = i + 2
		for c, swipes := range d.Turns[i].Swipes {
			swipes[0].Segments = []layers.Segment{{Layer: layers.Speech, Text: fmt.Sprintf("reply %d%d", i, c)}}
		}
	}
	d.Turns[0].Note, d.Turns[1].Canon = "softly", -1
	d.Turns[1].Swipes[1][0].Segments = nil // side A says nothing
	said := func(text string) []layers.Segment { return []layers.Segment{{Layer: layers.Speech, Text: text}} }
	want := []arena.PastTurn{
		{Line: "before", By: "other"},
		{Line: "line", Note: "softly", Reply: said("reply 00"), By: "zero"},
		{Line: "line", Reply: said("reply 10"), By: "zero"},
	}
	for turn, n := range map[int]int{0: 3, 1: 1, 2: 2, 3: 3, 9: 3} {
		if diff := cmp.Diff(want[:n], History(d, turn)); diff != "" {
			t.Errorf("up to turn %d:\n%s", turn, diff)
		}
	}
	d.Canon = arena.CanonParallel
	if h := History(d, 2); h[1].By != "one" {
		t.Errorf("where each side has a history of its own, side A's is taken: %+v", h[1])
	}
}

func TestAnOrderThatWasNotAskedIsNotTold(t *testing.T) {
	for name, c := range map[string]struct {
		orders  arena.OrderPolicy
		second  arena.Verdict
		begin   [2]time.Duration // of each order's first snapshot; -1 for none
		endedAt time.Duration
	}{
		"never":  {arena.OrdersNever, arena.Verdict{}, [2]time.Duration{30e9, -1}, 36e9},
		"close":  {arena.OrdersClose, arena.Verdict{Status: arena.VerdictOK, Total: 2e9}, [2]time.Duration{30e9, 34e9}, 36e9},
		"always": {arena.OrdersAlways, arena.Verdict{Status: arena.VerdictOK, Total: 2e9}, [2]time.Duration{30e9, 30e9}, 36e9},
	} {
		d := day()
		g := &d.Turns[0].Rulings[0]
		g.Orders, g.Total = c.orders, 6*time.Second
		g.Verdicts = [2]arena.Verdict{{Status: arena.VerdictOK, Total: 4 * time.Second}, c.second}
		begin := [2]time.Duration{-1, -1}
		for _, m := range Timeline(d, Options{}) {
			switch e := m.Event.(type) {
			case arena.VerdictUpdated:
				if e.Turn == 1 && begin[e.Order] < 0 {
					begin[e.Order] = m.At
				}
			case arena.RulingEnded:
				if e.Turn == 1 && m.At != c.endedAt {
					t.Errorf("%s: ended at %v", name, m.At)
				}
			}
		}
		if begin != c.begin {
			t.Errorf("%s: the orders begin at %v, want %v", name, begin, c.begin)
		}
	}
}
