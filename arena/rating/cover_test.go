package rating

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"
)

// covered names, for every block of every file of expected values, the test that
// holds it.
var covered = map[string]map[string]string{
	"set": {
		"online_elo_k4": "TestOnlineEloIsFastChats", "online_elo_k32": "TestOnlineEloIsFastChats",
		"openwebui_elo": "TestOpenWebUIsElo",
		"bt":            "TestBradleyTerryIsTheMaximum", "bt_tight": "TestBradleyTerryIsTheMaximum",
		"bt_no_ties": "TestDecisiveBattlesAlone", "bt_sklearn_old": "TestTheOlderFitOfFastChatDropsPairs",
		"bootstrap_bt": "TestBootstrapOverGivenResamples", "bootstrap_bt_tight": "TestBootstrapOverGivenResamples",
		"arena_rank_bt_reweighted_false":       "TestIntervalsAreArenaRanks",
		"arena_rank_bt_reweighted_true":        "TestReweightedIntervalsAreArenaRanks",
		"arena_rank_composite_human1_judge0.5": "TestCompositeIsArenaRanks",
		"style_control_fastchat":               "TestStyleControlIsFastChats",
		"style_control_arena_rank":             "TestStyleControlIsArenaRanks",
		"ties_davidson":                        "TestTieModels", "ties_rk": "TestTieModels",
		"win_fraction":                                 "TestWinFractionIsFastChats",
		"limit_user_votes_3_per_day_utc":               "TestDailyCapIsFastChats",
		"outlier_detect":                               "../habit:TestFastChatsDetectorIsBeaten",
		"agreement_human_vs_judge_ab":                  "TestAgreementWithOneOrder",
		"agreement_human_vs_judge_consistent_else_tie": "TestAgreementWithOrdersThatAgree",
		"position_bias":                                "TestPositionOfACritic",
		"bt_judge_consistent_else_tie":                 "TestBradleyTerryOverCriticsThatAgree",
	},
	"extra": {
		"glicko2_paper": "TestGlicko2OfThePaper", "trueskill_1v1": "TestTrueSkillOfTwo",
		"elo_order_dependence_k4": "TestOrderDependenceIsMeasured", "elo_order_dependence_k32": "TestOrderDependenceIsMeasured",
		"fraud_own": "../habit:TestThePlantedVotersAreToldAsTheGoldenOnes", "am_elo_10k": "TestAmElo",
	},
	"real": {
		"bt_tight_mean1000": "TestRealVotes", "bt_fastchat_anchored": "TestRealVotes", "sandwich": "TestRealVotes",
		"own_davidson": "TestRealVotesWithTies", "own_rk": "TestRealVotesWithTies",
		"leaderbot_davidson": "TestRealVotesWithTies", "leaderbot_rk": "TestRealVotesWithTies",
	},
}

// Descriptions of a set, not values to meet; wall times of a peer are quoted in
// docs/performance.md.
var described = []string{"set", "n", "models", "versions", "timings_s", "columns", "totals", "n_models", "n_pairs", "n_votes", "tie_share"}

func TestEveryBlockHasATest(t *testing.T) {
	t.Parallel()
	shared := filepath.Join("..", "..", "..", "shared", "cases", "elo")
	files := map[string]string{
		filepath.Join("testdata", "expected_200.json"): "set", filepath.Join("testdata", "expected_10k.json"): "set",
		filepath.Join("testdata", "expected_extra.json"):                  "extra",
		filepath.Join(shared, "expected_real_chatbotarena_20240814.json"): "real",
	}
	// A file of expected values that came later would not be in the list.
	if later, _ := filepath.Glob(filepath.Join(shared, "expected_*.json")); len(later) > len(files) {
		t.Errorf("%d files of expected values, tests for %d", len(later), len(files))
	}
	known := make(map[string]map[string]bool)
	for file, kind := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) && kind == "real" {
			continue // third-party data that is not in the repository
		}
		if err != nil {
			t.Fatal(err)
		}
		for block := range into[map[string]json.RawMessage](t, text) {
			if slices.Contains(described, block) {
				continue
			}
			where := covered[kind][block]
			if where == "" {
				t.Errorf("%s: no test holds %s", filepath.Base(file), block)
				continue
			}
			folder, name := ".", where
			if m := regexp.MustCompile(`^(.*):(.*)$`).FindStringSubmatch(where); m != nil {
				folder, name = m[1], m[2]
			}
			if known[folder] == nil {
				known[folder] = testsIn(t, folder)
			}
			if !known[folder][name] {
				t.Errorf("%s: %s has no test %s in %s", filepath.Base(file), block, name, folder)
			}
		}
	}
}

func testsIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(folder, err)
	}
	found := make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			found[string(m[1])] = true
		}
	}
	return found
}

// told reads the battles of a set with all that is beside them.
func told(t *testing.T, set string, each func(Battle)) {
	t.Helper()
	if _, err := Each(filepath.Join("testdata", "battles_"+set+".csv"), ReadOptions{Who: true, Orders: true}, each); err != nil {
		t.Fatal(err)
	}
}

func besides(b Board) map[string]float64 {
	m := make(map[string]float64)
	for _, r := range b.Ratings {
		m[r.Contestant] = *r.Rating
	}
	return m
}

func TestOpenWebUIsElo(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		near(t, set, besides(NewBoard(battlesOf(t, set), Options{System: OpenWebUI, Brief: true})), expected(t, set, "openwebui_elo").Ratings, tight)
	}
}

func TestGlicko2OfThePaper(t *testing.T) {
	t.Parallel()
	want := expectedAs[struct{ Result [3]float64 }](t, "extra", "glicko2_paper").Result
	got := glicko{1500, 200, 0.06}.after([]game{
		{glicko{1400, 30, 0.06}, 1}, {glicko{1550, 100, 0.06}, 0}, {glicko{1700, 300, 0.06}, 0},
	})
	for i, v := range []float64{got.rating, got.deviation, got.volatility} {
		if math.Abs(v-want[i]) > tight {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if idle := got.after(nil); idle.rating != got.rating || idle.deviation <= got.deviation {
		t.Errorf("after a period without a game: %v", idle)
	}
}

func TestTrueSkillOfTwo(t *testing.T) {
	t.Parallel()
	want := expectedAs[struct{ Win, Draw [2][2]float64 }](t, "extra", "trueskill_1v1")
	start := skill{25, 25.0 / 3}
	for score, want := range map[float64][2][2]float64{1: want.Win, 0: {want.Win[1], want.Win[0]}, 0.5: want.Draw} {
		x, y := meet(start, start, score)
		for i, v := range [][2]float64{{x.mean, x.sd}, {y.mean, y.sd}} {
			if math.Abs(v[0]-want[i][0]) > tight || math.Abs(v[1]-want[i][1]) > tight {
				t.Errorf("%g: %v, want %v", score, v, want[i])
			}
		}
	}
}

func TestAmElo(t *testing.T) {
	t.Parallel()
	want := expectedAs[struct {
		Ratings map[string]float64
		Lowest  [][2]any `json:"lowest_theta"`
		Highest [][2]any `json:"highest_theta"`
		U7, U8  float64
	}](t, "extra", "am_elo_10k")
	tally := NewTally(Options{System: AmElo})
	told(t, "10k", tally.Add)
	b := tally.Board(Options{Brief: true})
	near(t, "ratings", besides(b), want.Ratings, amTolerance)
	am := tally.track.(*amElo)
	r, th := make([]float64, len(am.r)), make([]float64, len(am.theta))
	for i, x := range am.theta {
		th[i] = 1 - x
	}
	for _, c := range am.cells {
		d := am.r[c.a] - am.r[c.b]
		e := c.s - c.n*sigmoid(am.theta[c.voter]*d)
		r[c.a] += am.theta[c.voter] * e
		r[c.b] -= am.theta[c.voter] * e
		th[c.voter] += d * e
	}
	if worst := max(largest(r), largest(th)); worst > 1e-8 {
		t.Errorf("the gradient is %g at its largest", worst)
	}
	theta := make(map[string]float64)
	for i, name := range am.voters.names {
		theta[name] = am.theta[i]
	}
	wanted := map[string]float64{"u7": want.U7, "u8": want.U8}
	for _, list := range [][][2]any{want.Lowest, want.Highest} {
		for _, x := range list {
			wanted[x[0].(string)] = x[1].(float64)
		}
	}
	for name, w := range wanted {
		if math.Abs(theta[name]-w) > 1e-5 {
			t.Errorf("θ of %s is %.9f, want %.9f", name, theta[name], w)
		}
	}
	warned(t, b.Warnings, "hardly follow who is better (1 is usual, 0 not at all): u8 (-0.11)")
}

// The given fit of am-ELO stopped 1e-4 points short of the maximum; the test asks
// for the maximum itself (gradient below 1e-8) and for the given values within
// that.
const amTolerance = 2e-4

func TestDailyCapIsFastChats(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		want := expectedAs[struct {
			N       int
			Ratings map[string]float64
		}](t, set, "limit_user_votes_3_per_day_utc")
		tally := NewTally(Options{DailyCap: 3, Zone: time.UTC})
		told(t, set, tally.Add)
		b := tally.Board(Options{})
		if b.Battles != want.N {
			t.Errorf("%s: %d battles, want %d", set, b.Battles, want.N)
		}
		warned(t, b.Warnings, "beyond 3 of a voter on one day")
		if set == "200" {
			// Of 36 votes FastChat's fit runs off to thousands of points, until its
			// optimiser stops; no finite maximum is there to be met.
			warned(t, b.Warnings, "ever")
			continue
		}
		got := make(map[string]float64)
		for name, r := range byName(b) {
			got[name] = r.BT
		}
		near(t, set, anchored(got), want.Ratings, peer)
	}
}

// FastChat's older fit takes wins from two pivot tables and loses each pair that
// is missing from one of them; on what it keeps it is the same maximum.
func TestTheOlderFitOfFastChatDropsPairs(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		battles := battlesOf(t, set)
		kept := keptByPivots(battles)
		if dropped := len(battles) - len(kept); (set == "10k") != (dropped == 0) {
			t.Errorf("%s: %d battles dropped", set, dropped)
		}
		got := values(Fit(kept, Options{}), rated)
		want := expected(t, set, "bt_sklearn_old").Ratings
		for name := range want {
			if _, ok := got[name]; !ok {
				got[name] = 1000 // what that fit says of those it has lost
			}
		}
		near(t, set, anchored(got), want, sklearn)
	}
}

const sklearn = peer

// keptByPivots returns the battles of those pairs of which neither has a name
// missing from the rows or columns of a table: of A's wins, of B's, of ties.
func keptByPivots(battles []Battle) []Battle {
	var asA, asB [3]map[string]bool // by kind: A won, B won, tied
	for k := range asA {
		asA[k], asB[k] = make(map[string]bool), make(map[string]bool)
	}
	for _, b := range battles {
		k := min(int(b.Outcome-Win), 2)
		asA[k][b.A], asB[k][b.B] = true, true
	}
	has := func(x, y string) bool {
		return asA[0][x] && asB[0][y] && asB[1][x] && asA[1][y] && asA[2][x] && asB[2][y] && asA[2][y] && asB[2][x]
	}
	return slices.DeleteFunc(slices.Clone(battles), func(b Battle) bool { return !has(b.A, b.B) || !has(b.B, b.A) })
}

type goldenMeasure struct{ N, Raw, Kappa, AC1 float64 }

type goldenAgreement struct {
	Matrix   [3][3]float64
	ThreeWay goldenMeasure `json:"three_way"`
	Decisive goldenMeasure `json:"decisive_only"`
	Sklearn  float64       `json:"sklearn_kappa"`
}

func holds(t *testing.T, what string, got Agreement, want goldenAgreement) {
	t.Helper()
	if got.Matrix != want.Matrix {
		t.Errorf("%s: %v, want %v", what, got.Matrix, want.Matrix)
	}
	for _, m := range []struct {
		got  Measure
		want goldenMeasure
	}{{got.All, want.ThreeWay}, {got.Decisive, want.Decisive}} {
		g, w := m.got, m.want
		if g.N != w.N || math.Abs(g.Raw-w.Raw) > 1e-12 || math.Abs(*g.Kappa-w.Kappa) > 1e-12 || math.Abs(*g.AC1-w.AC1) > 1e-12 {
			t.Errorf("%s: n %g raw %.12f κ %.12f AC1 %.12f, want %+v", what, g.N, g.Raw, *g.Kappa, *g.AC1, w)
		}
		if !(g.Low < g.Raw && g.Raw < g.High && *g.KappaLow < *g.Kappa && *g.Kappa < *g.KappaHigh) {
			t.Errorf("%s: intervals of %+v", what, g)
		}
	}
	if want.Sklearn != 0 && math.Abs(*got.All.Kappa-want.Sklearn) > 1e-12 {
		t.Errorf("%s: κ %.12f, scikit-learn has %.12f", what, *got.All.Kappa, want.Sklearn)
	}
}

func TestAgreementWithOneOrder(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		c := NewAccord("")
		told(t, set, func(b Battle) {
			c.Add([]Answer{Sole("critic:c", b.About.Orders[0]), Sole("vote", b.Outcome)})
		})
		table, _ := c.Table(0)
		if len(table) != 1 || table[0].A != "vote" {
			t.Fatalf("%+v", table)
		}
		holds(t, set, table[0], expectedAs[goldenAgreement](t, set, "agreement_human_vs_judge_ab"))
	}
}

func TestAgreementWithOrdersThatAgree(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		c := NewAccord(FlipsTied)
		told(t, set, func(b Battle) {
			c.Add([]Answer{Sole("vote", b.Outcome), Halves("critic:c", b.About.Orders[0], b.About.Orders[1])})
		})
		table, _ := c.Table(0)
		holds(t, set, table[0], expectedAs[goldenAgreement](t, set, "agreement_human_vs_judge_consistent_else_tie"))
	}
}

func TestPositionOfACritic(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		want := expectedAs[struct {
			N           float64
			Consistency float64       `json:"position_consistency"`
			Flips       float64       `json:"flips"`
			Primacy     float64       `json:"primacy_flips"`
			Recency     float64       `json:"recency_flips"`
			PrimacyTie  float64       `json:"primacy_tie_flips"`
			RecencyTie  float64       `json:"recency_tie_flips"`
			First       float64       `json:"first_shown_win_rate_decisive"`
			Fairness    float64       `json:"preference_fairness"`
			Failed      int           `json:"extraction_failures"`
			Matrix      [3][3]float64 `json:"matrix_rows_ab_cols_ba"`
		}](t, set, "position_bias")
		p := NewPlaces()
		told(t, set, func(b Battle) {
			p.Add("vote", b.Outcome, 1)
			p.AddOrders("critic:c", b.About.Orders[0], b.About.Orders[1])
		})
		table := p.Table(0)
		if len(table) != 2 || table[0].Source != "vote" {
			t.Fatalf("%+v", table)
		}
		o := table[1].Orders
		got := fmt.Sprint(o.N, o.Flips, o.Primacy, o.Recency, o.PrimacyTie, o.RecencyTie, o.Failed, o.Matrix)
		if w := fmt.Sprint(want.N, want.Flips, want.Primacy, want.Recency, want.PrimacyTie, want.RecencyTie, want.Failed, want.Matrix); got != w {
			t.Errorf("%s: %s, want %s", set, got, w)
		}
		if math.Abs(o.Consistency.Rate-want.Consistency) > 1e-12 || math.Abs(o.Fairness-want.Fairness) > 1e-12 || math.Abs(table[1].First.Rate-want.First) > 1e-12 {
			t.Errorf("%s: %+v %+v, want %+v", set, o, table[1].First, want)
		}
		// The generator favours side A of votes a little, and the place shown first
		// a good deal.
		if set == "10k" && (table[0].Side.P > 1e-3 || table[1].First.P > 1e-20 || table[0].Side.Low < 0.5) {
			t.Errorf("%+v %+v", table[0].Side, table[1].First)
		}
	}
}
