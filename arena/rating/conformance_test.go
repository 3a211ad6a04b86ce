package rating

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// The expected values come from FastChat 0e6d3e4 and arena-rank 3900eae, run
// unmodified, and from an independent Newton fit to 1e-14; each block names its
// source. FastChat's own optimiser stops early, hence its wide tolerance.
const (
	tight = 1e-6
	peer  = 0.1
	// leaderbot's optimiser stops 0.002 Elo from the maximum it shares with the
	// tight fit; its loss agrees to the last digit.
	leaderbot = 0.002
	anchor    = "mixtral-8x7b-instruct-v0.1" // FastChat holds it at 1114
)

type block struct {
	Ratings      map[string]float64 `json:"ratings"`
	Mean1000     map[string]float64 `json:"ratings_mean1000"`
	Lower        map[string]float64 `json:"lower"`
	Median       map[string]float64 `json:"median"`
	Upper        map[string]float64 `json:"upper"`
	Variances    map[string]float64 `json:"variances"`
	FinalRanking map[string]int     `json:"final_ranking"`
}

func expected(t *testing.T, set, key string) block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "expected_"+set+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var b block
	if err := json.Unmarshal(all[key], &b); err != nil {
		t.Fatal(key, err)
	}
	return b
}

func battlesOf(t testing.TB, set string) []Battle {
	t.Helper()
	battles, err := ReadFile(filepath.Join("testdata", "battles_"+set+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	return battles
}

func near(t *testing.T, what string, got, want map[string]float64, tolerance float64) {
	t.Helper()
	if len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	worst, at := 0.0, ""
	for name, w := range want {
		g, ok := got[name]
		if d := math.Abs(g - w); !ok || !(d <= tolerance) {
			t.Errorf("%s: %s is %.9f, want %.9f ± %g", what, name, g, w, tolerance)
		} else if d >= worst {
			worst, at = d, name
		}
	}
	t.Logf("%s: largest difference %.2g (%s)", what, worst, at)
}

func values(f Fitted, of func(Estimate) float64) map[string]float64 {
	m := make(map[string]float64)
	for _, e := range f.Estimates {
		m[e.Contestant] = of(e)
	}
	return m
}

// anchored shifts ratings as FastChat does where its anchor takes part.
func anchored(m map[string]float64) map[string]float64 {
	shift := 0.0
	if r, ok := m[anchor]; ok {
		shift = 1114 - r
	}
	for name := range m {
		m[name] += shift
	}
	return m
}

var sets = []string{"200", "10k"}

func TestOnlineEloIsFastChats(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		battles := battlesOf(t, set)
		near(t, set+" K=4", Online(battles, EloOptions{}), expected(t, set, "online_elo_k4").Ratings, tight)
		near(t, set+" K=32", Online(battles, EloOptions{K: 32}), expected(t, set, "online_elo_k32").Ratings, tight)
	}
}

func TestBradleyTerryIsTheMaximum(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		f := Fit(battlesOf(t, set), Options{})
		near(t, set+" tight", values(f, rated), expected(t, set, "bt_tight").Mean1000, tight)
		near(t, set+" FastChat", anchored(values(f, rated)), expected(t, set, "bt").Ratings, peer)
	}
}

func TestDecisiveBattlesAlone(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		battles := slices.DeleteFunc(battlesOf(t, set), func(b Battle) bool { return b.Outcome > Loss })
		f := Fit(battles, Options{})
		near(t, set, anchored(values(f, rated)), expected(t, set, "bt_no_ties").Ratings, peer)
	}
}

func TestIntervalsAreArenaRanks(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		f, want := Fit(battlesOf(t, set), Options{}), expected(t, set, "arena_rank_bt_reweighted_false")
		near(t, set+" ratings", values(f, rated), want.Ratings, tight)
		near(t, set+" low", values(f, func(e Estimate) float64 { return e.Low }), want.Lower, tight)
		near(t, set+" high", values(f, func(e Estimate) float64 { return e.High }), want.Upper, tight)
		z := 1.959963984540054
		near(t, set+" variances", values(f, func(e Estimate) float64 {
			sd := (e.High - e.Low) / 2 / z
			return sd * sd
		}), want.Variances, 1e-5)
	}
}

// The counts are the very resamples behind FastChat's seed 0, so that the
// quantiles can be compared without sharing a generator.
func TestBootstrapOverGivenResamples(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		index, agg, resamples := countsOf(t, set)
		b := agg.alone(len(index.names), false)
		whole := b.solve(Options{})
		clear(whole.theta)
		w := b.newResampler(whole, BradleyTerry)
		byName := make(map[string][]float64)
		for _, counts := range resamples {
			for i := range w.cells[0] {
				w.cells[0][i].count, w.cells[0][i].sum, w.cells[0][i].square = counts[i], counts[i], counts[i]
			}
			b.fold(w.cells, w.pairs)
			abilities := make(map[string]float64)
			for i, a := range w.refit() {
				if math.IsNaN(a) {
					t.Fatalf("%s: %s is in no battle of a resample", set, index.names[i])
				}
				abilities[index.names[i]] = mean + points*a
			}
			for name, a := range anchored(abilities) {
				byName[name] = append(byName[name], a)
			}
		}
		at := func(q float64) map[string]float64 {
			m := make(map[string]float64)
			for name, v := range byName {
				slices.Sort(v)
				m[name] = quantile(v, q)
			}
			return m
		}
		want := expected(t, set, "bootstrap_bt_tight")
		near(t, set+" lower", at(0.025), want.Lower, tight)
		near(t, set+" median", at(0.5), want.Median, tight)
		near(t, set+" upper", at(0.975), want.Upper, tight)
		fast := expected(t, set, "bootstrap_bt")
		near(t, set+" lower of FastChat", at(0.025), fast.Lower, peer)
		near(t, set+" median of FastChat", at(0.5), fast.Median, peer)
		near(t, set+" upper of FastChat", at(0.975), fast.Upper, peer)
		var e []Estimate
		for name := range byName {
			e = append(e, Estimate{Contestant: name, Rating: at(0.5)[name], Low: at(0.025)[name], High: at(0.975)[name]})
		}
		sortAndRank(e)
		for _, r := range e {
			if want.FinalRanking[r.Contestant] != r.Rank || fast.FinalRanking[r.Contestant] != r.Rank {
				t.Errorf("%s: rank of %s is %d, want %d", set, r.Contestant, r.Rank, want.FinalRanking[r.Contestant])
			}
		}
	}
}

func countsOf(t *testing.T, set string) (*numbering, *aggregate, [][]float64) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "bootstrap_counts_"+set+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	index, agg := newNumbering(), newAggregate()
	resamples := make([][]float64, len(records[0])-4)
	for _, r := range records[1:] {
		outcome, ok := parseOutcome([]byte(r[2]))
		if !ok {
			t.Fatal(r[2])
		}
		b := indexedBattle{a: index.number(r[0]), b: index.number(r[1]), outcome: outcome, weight: 1}
		n, err := strconv.Atoi(r[3])
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			agg.add(b)
		}
		for i := range resamples {
			n, err := strconv.ParseFloat(r[4+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			resamples[i] = append(resamples[i], n)
		}
	}
	if len(resamples) != 100 || len(agg.cells) != len(records)-1 {
		t.Fatalf("%d resamples of %d kinds", len(resamples), len(agg.cells))
	}
	return index, agg, resamples
}

func TestOrderDependenceIsMeasured(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "expected_extra.json"))
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for key, k := range map[string]float64{"elo_order_dependence_k4": 4, "elo_order_dependence_k32": 32} {
		var w struct {
			Diff float64 `json:"fwd_vs_reversed_max_abs"`
		}
		if err := json.Unmarshal(raw[key], &w); err != nil {
			t.Fatal(err)
		}
		tally := tallied(battlesOf(t, "10k"), Options{Elo: EloOptions{K: k}})
		forwards, backwards := tally.elo, tally.backwards()
		most := 0.0
		for i := range forwards {
			most = max(most, math.Abs(forwards[i]-backwards[i]))
		}
		if math.Abs(most-w.Diff) > tight {
			t.Errorf("%s: %.9f, want %.9f", key, most, w.Diff)
		}
	}
}
