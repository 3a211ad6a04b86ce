package rating

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The given fits of tie models stopped at a gradient of some 1e-9 a battle, up
// to 2e-5 Elo from the maximum on 10,000 battles and 0.004 on the real ones. The
// tests ask for the maximum itself (gradient below 1e-6, likelihood no worse)
// and for the given ratings within that.
const (
	nearFits     = 5e-5
	nearRealFits = 0.004
)

// steepest is the largest entry of the gradient of a fit with ties.
func steepest(m Model, s *solution) (worst float64) {
	for n, g := range s.groups {
		theta := make([]float64, len(g.members))
		for i, member := range g.members {
			theta[i] = s.theta[member]
		}
		x := newTieSlopes(len(theta))
		x.fill(m, g, theta, s.ties[n])
		worst = max(worst, largest(x.down))
	}
	return worst
}

// expectedAs decodes a block of the expected values.
func expectedAs[T any](t *testing.T, set, key string) (v T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "expected_"+set+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return into[T](t, all[key])
}

func rated(e Estimate) float64 { return e.Rating }
func low(e Estimate) float64   { return e.Low }
func high(e Estimate) float64  { return e.High }

// arena-rank inverts a matrix with 1e-5 in its constant direction, whose inverse
// is so large there that rounding reaches the sixth digit after the point; the
// variances in exact_reweighted.json are the same formula in 60 digits.
const (
	peersRounding         = 3e-6
	peersRoundingVariance = 3e-5
)

func TestReweightedIntervalsAreArenaRanks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "exact_reweighted.json"))
	if err != nil {
		t.Fatal(err)
	}
	exact := into[map[string]json.RawMessage](t, text)
	for _, set := range sets {
		f, want := Fit(battlesOf(t, set), Options{Reweighted: true}), expected(t, set, "arena_rank_bt_reweighted_true")
		near(t, set+" ratings", values(f, rated), want.Ratings, tight)
		near(t, set+" exact variances", values(f, variance), into[map[string]float64](t, exact[set]), 1e-7)
		near(t, set+" low", values(f, low), want.Lower, peersRounding)
		near(t, set+" high", values(f, high), want.Upper, peersRounding)
		near(t, set+" variances", values(f, variance), want.Variances, peersRoundingVariance)
	}
}

func variance(e Estimate) float64 {
	sd := (e.High - e.Low) / 2 / 1.959963984540054
	return sd * sd
}

func TestTieModels(t *testing.T) {
	t.Parallel()
	type fit struct {
		NLL     float64            `json:"nll"`
		Value   float64            `json:"value"`
		Ratings map[string]float64 `json:"ratings"`
	}
	for _, set := range sets {
		for model, key := range map[Model]string{Davidson: "ties_davidson", RaoKupper: "ties_rk"} {
			tally := tallied(battlesOf(t, set), Options{})
			want := expectedAs[fit](t, set, key)
			b := tally.agg.alone(len(tally.index.names), false)
			s := b.solve(Options{Model: model})
			near(t, set+" "+key, named(tally.index, s.theta), want.Ratings, nearFits)
			if worst := steepest(model, s); !(worst < 1e-6) {
				t.Errorf("%s %s: the gradient is %g at its largest", set, key, worst)
			}
			p := s.fitted(tally.index.names).Ties
			if math.Abs(p.Value-want.Value) > 1e-6 || !(p.Low < p.Value && p.Value < p.High) {
				t.Errorf("%s %s: %+v, want %.9f", set, key, p, want.Value)
			}
			if nll := tieLoss(model, s); math.Abs(nll-want.NLL) > 1e-6 {
				t.Errorf("%s %s: −ln L %.9f, want %.9f", set, key, nll, want.NLL)
			}
			t.Logf("%s %s: parameter off by %.2g, −ln L by %.2g", set, key, math.Abs(p.Value-want.Value), math.Abs(tieLoss(model, s)-want.NLL))
		}
	}
}

// judged returns the same battles with a critic's answers.
func judged(t *testing.T, set, column string) []Battle {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "battles_"+set+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var battles []Battle
	table := newTable(f)
	table.next()
	at := -1
	for i := range table.fields {
		if string(table.field(i)) == column {
			at = i
		}
	}
	for table.next() {
		o, ok := parseOutcome(table.field(at))
		if !ok {
			t.Fatal(string(table.field(at)))
		}
		battles = append(battles, Battle{A: string(table.field(1)), B: string(table.field(2)), Outcome: o})
	}
	return battles
}

func TestCompositeIsArenaRanks(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		want := expected(t, set, "arena_rank_composite_human1_judge0.5")
		parts := []Part{
			{Name: "vote", Weight: 1, Tally: tallied(battlesOf(t, set), Options{})},
			{Name: "critic", Weight: 0.5, Tally: tallied(judged(t, set, "judge_ab"), Options{})},
		}
		names, _, b := compose(parts)
		s := b.solve(Options{})
		f := s.fitted(names.names)
		near(t, set+" ratings", values(f, rated), want.Ratings, tight)
		near(t, set+" low", values(f, low), want.Lower, tight)
		near(t, set+" high", values(f, high), want.Upper, tight)
		near(t, set+" variances", values(f, variance), want.Variances, 1e-5)
	}
}

func styledTally(t *testing.T, set string, more float64) *Tally {
	t.Helper()
	tally := NewTally(Options{Style: true})
	tally.style = newStyleRows(more)
	if _, err := Each(filepath.Join("testdata", "battles_"+set+".csv"), ReadOptions{Style: true}, tally.Add); err != nil {
		t.Fatal(err)
	}
	return tally
}

var peersNames = map[string]string{"length": "len", "headers": "header", "lists": "list", "bold": "bold"}

func TestStyleControlIsArenaRanks(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		tally := styledTally(t, set, 0)
		want := expectedAs[struct {
			block
			Coefs map[string]float64 `json:"coefs"`
		}](t, set, "style_control_arena_rank")
		k := len(tally.index.names)
		groups := tally.agg.alone(k, false).split(tally.agg.pairs)
		c, names := tally.style.control(groups, k, tally.style.counts(), styleForm{reweighted: true, meanLoss: true, featuresRidge: 1})
		theta, beta, ok := c.fit()
		if !ok {
			t.Fatal("the fit did not settle")
		}
		near(t, set+" ratings", named(tally.index, theta), want.Ratings, tight)
		coefs := make(map[string]float64)
		for i, name := range names {
			coefs[peersNames[name]] = beta[i]
		}
		near(t, set+" coefficients", coefs, want.Coefs, 1e-8)
		// arena-rank's H has 1e-5 of the mean loss where the loss has a ridge of 1.
		n := float64(len(c.rows))
		sd := c.spread(theta, beta, 1e-5*n, 1e-5*n, 1/n/n)
		lows, highs := make([]float64, k), make([]float64, k)
		z := Options{}.quantile()
		for i := range theta {
			lows[i], highs[i] = theta[i]-z*sd[i], theta[i]+z*sd[i]
		}
		near(t, set+" low", named(tally.index, lows), want.Lower, tight)
		near(t, set+" high", named(tally.index, highs), want.Upper, tight)
	}
}

func TestStyleControlIsFastChats(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		tally := styledTally(t, set, 1)
		want := expectedAs[struct {
			block
			Coefs map[string]float64 `json:"coefs"`
		}](t, set, "style_control_fastchat")
		k := len(tally.index.names)
		groups := tally.agg.alone(k, false).split(tally.agg.pairs)
		const reg = 0.5
		c, names := tally.style.control(groups, k, nil, styleForm{abilitiesRidge: reg / math.Ln10 / math.Ln10, featuresRidge: reg})
		theta, beta, ok := c.fit()
		if !ok {
			t.Fatal("the fit did not settle")
		}
		near(t, set+" ratings", anchored(named(tally.index, theta)), want.Ratings, peer)
		coefs := make(map[string]float64)
		for i, name := range names {
			coefs[peersNames[name]] = beta[i]
		}
		// 0.1 Elo of a logarithm of odds.
		near(t, set+" coefficients", coefs, want.Coefs, 0.1/points)
	}
}

func TestWinFractionIsFastChats(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		want := expectedAs[struct {
			Order  []string     `json:"order"`
			Matrix [][]*float64 `json:"matrix"`
		}](t, set, "win_fraction")
		b := NewBoard(battlesOf(t, set), Options{Matrix: true})
		place := make(map[string]int)
		for i, name := range b.Matrix.Contestants {
			place[name] = i
		}
		worst, compared, whole := 0.0, 0, true
		for i, x := range want.Order {
			for j, y := range want.Order {
				if i == j {
					continue
				}
				got, exp := b.Matrix.Share[place[x]][place[y]], want.Matrix[i][j]
				if exp == nil {
					whole = false
					// pandas gives nothing either where a contestant never stood on
					// one of the sides; the other half of the pair tells then.
					if back := want.Matrix[j][i]; back != nil {
						complement := 1 - *back
						exp = &complement
					}
				}
				if exp != nil {
					compared++
					if got == nil || math.Abs(*got-*exp) > 1e-9 {
						t.Fatalf("%s: %s against %s: %v, want %v", set, x, y, got, *exp)
					}
					worst = max(worst, math.Abs(*got-*exp))
				}
			}
		}
		if compared < 2*len(want.Order) {
			t.Fatalf("%s: only %d shares to compare", set, compared)
		}
		t.Logf("%s: %d shares, largest difference %.2g", set, compared, worst)
		if whole {
			last := math.Inf(1)
			for _, x := range want.Order {
				// FastChat orders by the mean of each row.
				rate := byName(b)[x].WinRate
				if rate == nil || *rate > last+1e-12 {
					t.Errorf("%s: the win rate of %s is out of FastChat's order", set, x)
					break
				}
				last = *rate
			}
		}
	}
}

// The peer's other blocks that are made of Bradley–Terry over other battles.
func TestBradleyTerryOverCriticsThatAgree(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		first, second := judged(t, set, "judge_ab"), judged(t, set, "judge_ba")
		for i := range first {
			if first[i].Outcome != second[i].Outcome {
				first[i].Outcome = Tie
			}
		}
		near(t, set, anchored(values(Fit(first, Options{}), rated)), expected(t, set, "bt_judge_consistent_else_tie").Ratings, peer)
	}
}
