package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
)

// times repeats a battle.
func times(n int, a, b string, o Outcome) []Battle {
	return slices.Repeat([]Battle{{A: a, B: b, Outcome: o}}, n)
}

func warned(t *testing.T, warnings []string, parts ...string) {
	t.Helper()
	for _, w := range warnings {
		all := true
		for _, p := range parts {
			all = all && strings.Contains(w, p)
		}
		if all {
			return
		}
	}
	t.Errorf("no warning holds all of %q; there are:\n%s", parts, strings.Join(warnings, "\n"))
}

func TestBoardAsJSON(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(3, "x", "y", Win), times(1, "y", "x", Win), times(1, "x", "y", Tie), times(2, "y", "x", BothBad))
	text, err := json.Marshal(NewBoard(battles, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Battles  json.Number      `json:"battles"`
		Warnings []string         `json:"warnings"`
		Ratings  []map[string]any `json:"ratings"`
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	if board.Battles != "7" || len(board.Ratings) != 2 {
		t.Fatalf("%s", text)
	}
	row := board.Ratings[0]
	keys := []string{"battles", "both_bad", "bt", "contestant", "elo", "high", "losses", "low", "quality", "quality_high", "quality_low", "rank", "rank_to", "ties", "win_rate", "wins"}
	var got []string
	for k := range row {
		got = append(got, k)
	}
	slices.Sort(got)
	if d := cmp.Diff(keys, got); d != "" {
		t.Error(d)
	}
	if row["contestant"] != "x" || row["wins"] != 3.0 || row["losses"] != 1.0 || row["ties"] != 1.0 || row["both_bad"] != 2.0 || row["battles"] != 7.0 {
		t.Errorf("%v", row)
	}
	if text, _ := json.Marshal(NewBoard(nil, Options{})); string(text) != `{"battles":0,"warnings":["There are no battles to rate."],"ratings":[]}` {
		t.Errorf("%s", text)
	}
}

// Two contestants have a closed form: the odds of the points.
func TestTwoContestantsAreAWinRate(t *testing.T) {
	t.Parallel()
	board := NewBoard(slices.Concat(times(12, "x", "y", Win), times(4, "y", "x", Win), times(4, "x", "y", BothBad)), Options{})
	half := 200 * math.Log10(14.0/6)
	x, y := board.Ratings[0], board.Ratings[1]
	if math.Abs(x.BT-1000-half) > 1e-9 || math.Abs(y.BT-1000+half) > 1e-9 {
		t.Errorf("%f %f, want 1000 ± %f", x.BT, y.BT, half)
	}
	warned(t, board.Warnings, "Only two contestants", "x has 70.0 % of the points against y", "20 battles")
}

func TestWinlessAndUnbeaten(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(30, "mid1", "mid2", Win), times(20, "mid2", "mid1", Win),
		times(10, "mid1", "last", Win), times(10, "first", "mid2", Win), times(10, "mid1", "mid2", Tie))
	board := NewBoard(battles, Options{})
	warned(t, board.Warnings, "Lost every battle: last.")
	warned(t, board.Warnings, "Won every battle: first.")
	warned(t, board.Warnings, "Fewer than 20 battles: last (10), first (10)")
	finite(t, board)
	if got := order(board); got != "first mid1 mid2 last" {
		t.Error(got)
	}
	rows := byName(board)
	// 10–0 with half a win and half a loss is ln 21 in odds.
	if d := rows["mid1"].BT - rows["last"].BT; math.Abs(d-points*math.Log(21)) > 1e-6 {
		t.Errorf("last is %f below", d)
	}
	// The others stand to each other as if the two were not there.
	if d := rows["mid1"].BT - rows["mid2"].BT; math.Abs(d-points*math.Log(35.0/25)) > 1e-6 {
		t.Errorf("the middle has moved: %f", d)
	}
	if w := rows["last"].High - rows["last"].Low; w < 400 {
		t.Errorf("the interval of a winless contestant is only %f wide", w)
	}
}

func TestOneSidedCycleOfGroups(t *testing.T) {
	t.Parallel()
	// {a,b} took every point from {c,d}; within each, points went both ways.
	battles := slices.Concat(times(5, "a", "b", Win), times(5, "b", "a", Win), times(5, "c", "d", Win), times(5, "d", "c", Win), times(5, "a", "c", Win))
	board := NewBoard(battles, Options{})
	warned(t, board.Warnings, "All points went one way")
	finite(t, board)
	rows := byName(board)
	if math.Abs(rows["a"].BT-rows["b"].BT) > 1e-6 || rows["b"].BT <= rows["c"].BT {
		t.Errorf("%+v", board.Ratings)
	}
}

func TestGroupsThatNeverMet(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(30, "a", "b", Win), times(20, "b", "a", Win), times(40, "c", "d", Win), times(2, "d", "c", Win))
	board := NewBoard(battles, Options{Bootstrap: 20})
	warned(t, board.Warnings, "2 groups that never met: {a, b}, {c, d}")
	finite(t, board)
	rows := byName(board)
	if math.Abs(rows["a"].BT+rows["b"].BT-2000) > 1e-6 || math.Abs(rows["c"].BT+rows["d"].BT-2000) > 1e-6 {
		t.Errorf("%+v", board.Ratings)
	}
}

func TestNothingButTiesIsNotCertain(t *testing.T) {
	t.Parallel()
	board := NewBoard(slices.Concat(times(1, "a", "b", Tie), times(1, "b", "c", BothBad)), Options{})
	finite(t, board)
	for _, r := range board.Ratings {
		if math.Abs(r.BT-1000) > 1e-9 || r.High-r.Low < 400 || r.Rank != 1 {
			t.Errorf("%+v", r)
		}
	}
}

func TestHalfWeights(t *testing.T) {
	t.Parallel()
	base := slices.Concat(times(7, "a", "b", Win), times(3, "b", "a", Win))
	flips := []Battle{{A: "a", B: "b", Outcome: Win, Weight: 0.5}, {A: "a", B: "b", Outcome: Loss, Weight: 0.5}}
	board := NewBoard(append(slices.Clone(base), flips...), Options{})
	rows := byName(board)
	if board.Battles != 11 || rows["a"].Wins != 7.5 || rows["a"].Losses != 3.5 || rows["a"].Battles != 11 {
		t.Errorf("%+v", board)
	}
	// The same point as one tie more, whose halves it is.
	tied := byName(NewBoard(append(slices.Clone(base), Battle{A: "a", B: "b", Outcome: Tie}), Options{}))
	if math.Abs(rows["a"].BT-tied["a"].BT) > 1e-9 {
		t.Errorf("%f, %f", rows["a"].BT, tied["a"].BT)
	}
	// Weight 2 is the battle twice, for the fit and for a K of Elo alike.
	if x, y := Fit([]Battle{{A: "a", B: "b", Outcome: Win, Weight: 2}, {A: "b", B: "a", Outcome: Win, Weight: 1}}, Options{}), Fit(append(times(2, "a", "b", Win), times(1, "b", "a", Win)...), Options{}); x.Estimates[0].Rating != y.Estimates[0].Rating {
		t.Errorf("%v, %v", x.Estimates, y.Estimates)
	}
}

func TestWhatCannotBeRatedIsLeftOutAloud(t *testing.T) {
	t.Parallel()
	good := slices.Concat(times(30, "a", "b", Win), times(30, "b", "a", Win))
	bad := []Battle{
		{A: "a", B: "a", Outcome: Win, Weight: 1},
		{A: "", B: "b", Outcome: Win, Weight: 1},
		{A: "a", B: "b", Outcome: 0, Weight: 1},
		{A: "a", B: "b", Outcome: 9, Weight: 1},
		{A: "a", B: "b", Outcome: Win, Weight: -1},
		{A: "a", B: "b", Outcome: Win, Weight: math.NaN()},
		{A: "a", B: "b", Outcome: Win, Weight: math.Inf(1)},
		{A: "a", B: "b", Outcome: Win, Weight: 1e300},
		{A: "a", B: "b", Outcome: Win, Weight: 1e-300},
	}
	board := NewBoard(append(bad, good...), Options{})
	warned(t, board.Warnings, "1 battle left out: a contestant against itself")
	warned(t, board.Warnings, "1 battle left out: a contestant without a name")
	warned(t, board.Warnings, "2 battles left out: no outcome")
	warned(t, board.Warnings, "5 battles left out: a weight")
	if d := cmp.Diff(NewBoard(good, Options{}).Ratings, board.Ratings); d != "" {
		t.Error(d)
	}
}

func TestOrderWarning(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	warned(t, NewBoard(battles, Options{}).Warnings, "depends on the order", "moves by 77.8 points")
	reversed := slices.Clone(battles)
	slices.Reverse(reversed)
	x, y := byName(NewBoard(battles, Options{})), byName(NewBoard(reversed, Options{}))
	for name := range x {
		if math.Abs(x[name].BT-y[name].BT) > 1e-9 || math.Abs(x[name].High-y[name].High) > 1e-9 {
			t.Errorf("the fit of %s depends on the order", name)
		}
	}
}

func TestBootstrapIsRepeatableAndNearTheSandwich(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	one, two := Fit(battles, Options{Bootstrap: 200, Seed: 7}), Fit(battles, Options{Bootstrap: 200, Seed: 7})
	if d := cmp.Diff(one, two); d != "" {
		t.Error(d)
	}
	if other := Fit(battles, Options{Bootstrap: 200, Seed: 8}); other.Estimates[0].Low == one.Estimates[0].Low {
		t.Error("the seed makes no difference")
	}
	plain := Fit(battles, Options{})
	for i, e := range one.Estimates {
		p := plain.Estimates[i]
		if e.Rating != p.Rating || e.Contestant != p.Contestant {
			t.Fatalf("%v, %v", e, p)
		}
		// 200 resamples know a width to some 7 %; a factor of 1.35 is far out.
		if r := (e.High - e.Low) / (p.High - p.Low); r < 1/1.35 || r > 1.35 {
			t.Errorf("%s: bootstrap %.1f wide, sandwich %.1f", e.Contestant, e.High-e.Low, p.High-p.Low)
		}
	}
	if narrow := Fit(battles, Options{Level: 0.5}); narrow.Estimates[0].Low <= plain.Estimates[0].Low {
		t.Error("the level makes no difference")
	}
}

// A planted order must be covered by the intervals about as often as they say.
func TestIntervalsCoverTheTruth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	truth := []float64{0.9, 0.4, 0.1, -0.3, -1.1} // mean 0
	names := []string{"a", "b", "c", "d", "e"}
	covered, all := 0, 0
	for range 300 {
		var battles []Battle
		for range 400 {
			i, j := random.IntN(5), random.IntN(5)
			if i == j {
				continue
			}
			o := Loss
			if random.Float64() < sigmoid(truth[i]-truth[j]) {
				o = Win
			}
			battles = append(battles, Battle{A: names[i], B: names[j], Outcome: o})
		}
		for _, e := range Fit(battles, Options{}).Estimates {
			want := mean + points*truth[slices.Index(names, e.Contestant)]
			all++
			if e.Low <= want && want <= e.High {
				covered++
			}
		}
	}
	if share := float64(covered) / float64(all); share < 0.93 || share > 0.97 {
		t.Errorf("95 %% intervals cover %.1f %%", 100*share)
	}
}

func TestANewcomerOnALargeBoardIsUncertain(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(400_000, "a", "b", Win), times(400_000, "b", "a", Win), times(3, "new", "a", Win), times(2, "a", "new", Win))
	rows := byName(NewBoard(battles, Options{}))
	// Without a ridge: 2·1.96·√(5·0.24)/(5·0.24) in θ, of which two thirds lie
	// between a third contestant and the mean. The ridge may take a tenth.
	want := 2 * 1.96 / math.Sqrt(5*0.24) * points * 2 / 3
	if w := rows["new"].High - rows["new"].Low; w < 0.9*want || w > want {
		t.Errorf("five battles give an interval %.1f wide, want %.1f", w, want)
	}
}

func TestHostileShapes(t *testing.T) {
	t.Parallel()
	chain := func(n, wins int) (all []Battle) {
		for i := range n {
			a, b := fmt.Sprintf("m%d", i), fmt.Sprintf("m%d", i+1)
			all = append(all, Battle{A: a, B: b, Outcome: Win, Weight: float64(wins)}, Battle{A: b, B: a, Outcome: Win})
		}
		return all
	}
	star := func(n int) (all []Battle) {
		for i := range n {
			all = append(all, Battle{A: "centre", B: fmt.Sprintf("m%d", i), Outcome: Win + Outcome(i%4)})
		}
		return all
	}
	var loners []Battle
	for i := range 20_000 {
		loners = append(loners, Battle{A: fmt.Sprintf("a%d", i), B: fmt.Sprintf("b%d", i), Outcome: Win})
	}
	for name, battles := range map[string][]Battle{
		"a steep chain":            chain(60, 1e6),
		"a chain of 2,000":         chain(2000, 3),
		"a star of 3,000":          star(3000),
		"20,000 pairs":             loners,
		"extreme weights":          {{A: "a", B: "b", Outcome: Win, Weight: 1e6}, {A: "b", B: "a", Outcome: Win, Weight: 1e-6}, {A: "b", B: "c", Outcome: Win, Weight: 1e-6}, {A: "c", B: "b", Outcome: Win, Weight: 1e6}},
		"one battle":               {{A: "a", B: "b", Outcome: Loss}},
		"a cycle":                  {{A: "a", B: "b", Outcome: Win}, {A: "b", B: "c", Outcome: Win}, {A: "c", B: "a", Outcome: Win}},
		"names with control bytes": {{A: "\x1b[31m", B: "\x00", Outcome: Tie}},
	} {
		board := NewBoard(battles, Options{Bootstrap: 2})
		finite(t, board)
		if t.Failed() {
			t.Fatal(name)
		}
		for _, w := range board.Warnings {
			if len(w) > 2000 {
				t.Errorf("%s: a warning of %d bytes", name, len(w))
			}
		}
	}
}

func TestAnyBattlesGiveAFiniteBoard(t *testing.T) {
	t.Parallel()
	battle := rapid.Custom(func(t *rapid.T) Battle {
		name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
		return Battle{
			A: name.Draw(t, "A"), B: name.Draw(t, "B"), Outcome: Outcome(rapid.IntRange(0, 5).Draw(t, "outcome")),
			Weight: rapid.SampledFrom([]float64{0, 0.5, 1, 1e6, 1e-6}).Draw(t, "weight"),
		}
	})
	rapid.Check(t, func(r *rapid.T) {
		battles := rapid.SliceOfN(battle, 0, 30).Draw(r, "battles")
		board := NewBoard(battles, Options{Bootstrap: rapid.IntRange(0, 3).Draw(r, "bootstrap")})
		finite(r, board)
		for i, row := range board.Ratings {
			if row.Low > row.High {
				r.Fatalf("interval %v … %v", row.Low, row.High)
			}
			rank := 1
			for _, other := range board.Ratings {
				if other.Low > row.High {
					rank++
				}
			}
			if row.Rank != rank || i > 0 && row.BT > board.Ratings[i-1].BT {
				r.Fatalf("rank %d, want %d; order %+v", row.Rank, rank, board.Ratings)
			}
		}
	})
}

func TestCountingBattlesOfTheLedger(t *testing.T) {
	t.Parallel()
	got := Counting([]arena.Battle{
		{A: "x", B: "y", Outcome: arena.ChoseB, Weight: 0.5, Counted: true, SceneID: "ball", Language: "en", Turn: 3},
		{A: "x", B: "y", Outcome: arena.BothBad, Weight: 1},
		{A: "y", B: "x", Outcome: arena.BothBad, Weight: 1, Counted: true},
		{A: "y", B: "x", Outcome: arena.First, Weight: 1, Counted: true},
	})
	want := []Battle{
		{A: "x", B: "y", Outcome: Loss, Weight: 0.5, About: &About{Scene: "ball", Language: "en", Turn: 3}},
		{A: "y", B: "x", Outcome: BothBad, Weight: 1, About: &About{}},
		{A: "y", B: "x", Weight: 1, About: &About{}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func finite(t interface{ Fatalf(string, ...any) }, b Board) {
	for _, r := range b.Ratings {
		for _, v := range []float64{r.Elo, r.BT, r.Low, r.High, r.Battles} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("not finite: %+v", r)
			}
		}
	}
	if _, err := json.Marshal(b); err != nil {
		t.Fatalf("%v", err)
	}
}

func order(b Board) string {
	var names []string
	for _, r := range b.Ratings {
		names = append(names, r.Contestant)
	}
	return strings.Join(names, " ")
}

func byName(b Board) map[string]Row {
	m := make(map[string]Row)
	for _, r := range b.Ratings {
		m[r.Contestant] = r
	}
	return m
}
