package rating

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// realVotes are 1,670,250 votes on 129 models; third-party data that is not in
// the repository, so tests are skipped without it. Votes come as counts.
func realVotes(t testing.TB) (*numbering, *aggregate, map[string]json.RawMessage) {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "cases", "elo")
	text, err := os.ReadFile(filepath.Join(folder, "real_chatbotarena_20240814_pairs.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the real votes are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Models []string     `json:"models"`
		X      [][2]int32   `json:"X"`
		Y      [][4]float64 `json:"Y"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(filepath.Join(folder, "expected_real_chatbotarena_20240814.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	index, agg := newNumbering(), newAggregate()
	for _, m := range data.Models {
		index.number(m)
	}
	for i, x := range data.X {
		for o, n := range data.Y[i] {
			for range int(n) {
				agg.add(indexedBattle{a: x[0], b: x[1], outcome: Win + Outcome(o), weight: 1})
			}
		}
	}
	if agg.count != 1_670_250 || len(index.names) != 129 {
		t.Fatalf("%g votes, %d models", agg.count, len(index.names))
	}
	return index, agg, want
}

func named(index *numbering, theta []float64) map[string]float64 {
	m := make(map[string]float64)
	for i, name := range index.names {
		m[name] = mean + points*theta[i]
	}
	return m
}

func into[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRealVotes(t *testing.T) {
	t.Parallel()
	index, agg, want := realVotes(t)
	s := agg.alone(len(index.names), false).solve(Options{})
	if len(s.groups) != 1 || len(s.loose) > 0 {
		t.Fatalf("%d groups, loose %v", len(s.groups), s.loose)
	}
	ratings := named(index, s.theta)
	near(t, "ratings", ratings, into[map[string]float64](t, want["bt_tight_mean1000"]), tight)
	sandwich := into[block](t, want["sandwich"])
	near(t, "low", named(index, s.low), sandwich.Lower, tight)
	near(t, "high", named(index, s.high), sandwich.Upper, tight)
	variances := make(map[string]float64)
	for i, name := range index.names {
		sd := points * (s.high[i] - s.low[i]) / 2 / s.z
		variances[name] = sd * sd
	}
	near(t, "variances", variances, sandwich.Variances, 1e-5)
	// FastChat stops early on this set.
	near(t, "FastChat", anchored(ratings), into[map[string]float64](t, want["bt_fastchat_anchored"]), 1.3)

	g := s.groups[0]
	gradient := make([]float64, len(g.members))
	g.slope(s.theta, gradient, make([]float64, len(g.pairs)))
	if worst := largest(gradient); !(worst < 1e-6) {
		t.Errorf("the gradient is %g at its largest", worst)
	} else {
		t.Logf("gradient %.2g at its largest", worst)
	}
}

func TestRealVotesWithTies(t *testing.T) {
	t.Parallel()
	index, agg, want := realVotes(t)
	b := agg.alone(len(index.names), false)
	type fit struct {
		Ratings  map[string]float64 `json:"ratings"`
		Tie      float64            `json:"tie"`
		TieParam float64            `json:"tie_param"`
		MeanNLL  float64            `json:"mean_nll"`
		Loss     float64            `json:"loss"`
	}
	for model, key := range map[Model]string{Davidson: "davidson", RaoKupper: "rk"} {
		s := b.solve(Options{Model: model})
		if len(s.loose) > 0 {
			t.Fatalf("%s did not settle", model)
		}
		own, other := into[fit](t, want["own_"+key]), into[fit](t, want["leaderbot_"+key])
		near(t, key+" own", named(index, s.theta), own.Ratings, nearRealFits)
		if worst := steepest(model, s); !(worst < 1e-6) {
			t.Errorf("%s: the gradient is %g at its largest", key, worst)
		} else {
			t.Logf("%s: gradient %.2g at its largest", key, worst)
		}
		near(t, key+" leaderbot", named(index, s.theta), other.Ratings, leaderbot)
		p := s.model.parameter(s.ties[0], s.tieSD[0], s.z)
		if math.Abs(p.Value-own.Tie) > 1e-6 {
			t.Errorf("%s %.9f, want %.9f", p.Name, p.Value, own.Tie)
		}
		nll := tieLoss(model, s) / agg.total
		if nll > own.MeanNLL+1e-13 || nll > other.Loss+1e-13 || math.Abs(nll-own.MeanNLL) > 1e-9 || math.Abs(nll-other.Loss) > 1e-9 {
			t.Errorf("%s: −ln L of a vote is %.12f, want %.12f and %.12f", key, nll, own.MeanNLL, other.Loss)
		}
		t.Logf("%s: %s = %.9f [%.4f, %.4f], off by %.2g; −ln L off by %.2g", key, p.Name, p.Value, p.Low, p.High, math.Abs(p.Value-own.Tie), math.Abs(nll-own.MeanNLL))
	}
}

// tieLoss is −ln L of all battles.
func tieLoss(m Model, s *solution) (sum float64) {
	for n, g := range s.groups {
		for i := range g.pairs {
			p := &g.pairs[i]
			e := m.ends(s.ties[n])
			loss, _, _ := e.loss(s.theta[g.members[p.a]]-s.theta[g.members[p.b]], p.sum[wonByA], p.sum[wonByB], p.sum[shared])
			sum += loss
		}
	}
	return sum
}
