package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestTheNextPairIsTheMostTelling(t *testing.T) {
	t.Parallel()
	// a and b have met often, c hardly at all: c must meet somebody.
	tally := tallied(slices.Concat(times(300, "a", "b", Win), times(280, "b", "a", Win), times(2, "a", "c", Win), times(1, "c", "a", Win)), Options{})
	n, err := tally.NextPairs(Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range n.Pairs {
		if !(p.Probability > 0) || !(p.Shrink > 0) {
			t.Errorf("%+v", p)
		}
		sum += p.Probability
	}
	if len(n.Pairs) != 3 || math.Abs(sum-1) > 1e-12 || n.Pairs[0].B != "c" || n.Pairs[2].A != "a" || n.Pairs[2].B != "b" || n.Settled {
		t.Errorf("%+v", n)
	}
	// A newcomer goes before all.
	n, err = tally.NextPairs(Options{}, "new", "a")
	if err != nil || len(n.Pairs) != 6 || n.Pairs[0].B != "new" || n.Pairs[0].Battles != 0 {
		t.Errorf("%+v %v", n, err)
	}
}

// What is expected of a battle must be what the formula of the variance gives
// when it is really added.
func TestTheExpectedShrinkIsWhatABattleBrings(t *testing.T) {
	t.Parallel()
	tally := tallied(battlesOf(t, "200"), Options{})
	_, s := tally.solve(Options{})
	before := tally.certainty(s.theta)
	k := len(s.theta)
	sd := make([]float64, k)
	for i := range sd {
		sd[i] = math.Sqrt(before.At(i, i))
	}
	a, b := 0, 3
	want := shrink(before, sd, s.theta, a, b)
	tally.Add(Battle{A: tally.index.names[a], B: tally.index.names[b], Outcome: Tie})
	after, got := tally.certainty(s.theta), 0.0
	for i := range sd {
		got += sd[i] - math.Sqrt(after.At(i, i))
	}
	if math.Abs(got-want) > 1e-12 || !(want > 0) {
		t.Errorf("expected %g, came to %g", want, got)
	}
}

func TestItIsSaidWhenMoreBattlesDoNotMatter(t *testing.T) {
	t.Parallel()
	clear := slices.Concat(times(400, "a", "b", Win), times(100, "b", "a", Win), times(400, "b", "c", Win), times(100, "c", "b", Win))
	n, err := tallied(clear, Options{}).NextPairs(Options{})
	if err != nil || !n.Settled || n.Open != 0 || n.More != 0 {
		t.Errorf("%+v %v", n, err)
	}
	open := slices.Concat(times(12, "a", "b", Win), times(8, "b", "a", Win))
	n, err = tallied(open, Options{}).NextPairs(Options{})
	if err != nil || n.Settled || n.Open != 1 || n.More < 50 || n.More > 150 {
		t.Errorf("%+v %v", n, err) // 60 % needs some 100 battles
	}
	even := slices.Concat(times(10, "a", "b", Win), times(10, "b", "a", Win))
	if n, err = tallied(even, Options{}).NextPairs(Options{}); err != nil || n.More != -1 {
		t.Errorf("%+v %v", n, err)
	}
	if _, err := tallied(times(3, "a", "b", 0), Options{}).NextPairs(Options{}); err == nil {
		t.Error("nobody can meet, and no error")
	}
}

func TestPairsAreDrawnAsTheyAreSaid(t *testing.T) {
	t.Parallel()
	n, err := tallied(battlesOf(t, "200"), Options{}).NextPairs(Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 3))
	const draws = 20_000
	seen := make(map[[2]string]float64)
	first := 0
	for range draws {
		m, _ := n.Draw(random)
		if m.A < m.B {
			first++
		}
		seen[[2]string{min(m.A, m.B), max(m.A, m.B)}]++
	}
	for _, p := range n.Pairs {
		got := seen[[2]string{min(p.A, p.B), max(p.A, p.B)}] / draws
		if sd := math.Sqrt(p.Probability * (1 - p.Probability) / draws); math.Abs(got-p.Probability) > 5*sd {
			t.Errorf("%s and %s: drawn %.4f, said %.4f", p.A, p.B, got, p.Probability)
		}
	}
	if math.Abs(float64(first)/draws-0.5) > 0.02 {
		t.Errorf("%d of %d the one way round", first, draws)
	}
}

func TestHistoryEndsAtTheBoard(t *testing.T) {
	t.Parallel()
	h := NewHistorian(10, Options{})
	battles := battlesOf(t, "200")
	start := time.Unix(1_700_000_000, 0)
	for i, b := range battles {
		b.About = &About{At: start.Add(time.Duration(i) * time.Minute)}
		h.Add(b)
	}
	got := h.History()
	if n := len(got.Moments); n < 4 || n > 11 {
		t.Fatalf("%d moments", n)
	}
	last := got.Moments[len(got.Moments)-1]
	if last.Battles != 200 || !last.At.Equal(start.Add(199*time.Minute)) {
		t.Errorf("%+v", last)
	}
	want := byName(NewBoard(battles, Options{}))
	for i, name := range got.Contestants {
		if r := last.Ratings[i]; math.Abs(r.BT-want[name].BT) > 1e-6 || math.Abs(r.Low-want[name].Low) > 1e-6 {
			t.Errorf("%s: %+v, want %+v", name, r, want[name])
		}
	}
	for i := range got.Moments[1:] {
		if got.Moments[i].Battles >= got.Moments[i+1].Battles {
			t.Error("moments are out of order")
		}
	}
}

// Style kept in few rows must give what style kept battle by battle gives.
func TestStyleInFewRows(t *testing.T) {
	t.Parallel()
	exact := styledTally(t, "10k", 0)
	few := NewTally(Options{Style: true})
	few.style = newStyleRows(0)
	few.style.most = 1500
	if _, err := Each("testdata/battles_10k.csv", ReadOptions{Style: true}, few.Add); err != nil {
		t.Fatal(err)
	}
	if n := len(few.style.rows); n > 2*few.style.most+1 || few.style.grid == 0 {
		t.Fatalf("%d rows", n)
	}
	a, b := exact.Board(Options{Style: true, Brief: true}), few.Board(Options{Style: true, Brief: true})
	want, got := byName(a), byName(b)
	worst := 0.0
	for name, w := range want {
		worst = max(worst, math.Abs(got[name].BT-w.BT), math.Abs(got[name].Low-w.Low))
	}
	for i, e := range a.Style {
		worst = max(worst, math.Abs(b.Style[i].Points-e.Points), math.Abs(b.Style[i].High-e.High))
	}
	t.Logf("%d rows of 10,000 battles: at most %.3g points off", len(few.style.rows), worst)
	if worst > 0.05 {
		t.Errorf("%.3g points off", worst)
	}
}

func TestStyleOfManyContestants(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 9))
	tally := NewTally(Options{Style: true})
	for range 6000 {
		x, y := random.IntN(450), random.IntN(450)
		if x == y {
			continue
		}
		la, lb := 50+random.Float64()*200, 50+random.Float64()*200
		o := Win
		if random.Float64() > sigmoid(float64(y-x)/300+(la-lb)/(la+lb)) {
			o = Loss
		}
		tally.Add(Battle{A: name3(x), B: name3(y), Outcome: o, About: &About{Styled: true, Style: [2]Style{{Length: la}, {Length: lb}}}})
	}
	b := tally.Board(Options{Style: true, Brief: true})
	if len(b.Style) != 1 || b.Style[0].Low <= 0 {
		t.Errorf("%+v %q", b.Style, b.Warnings)
	}
	finite(t, b)
}

func name3(i int) string {
	return string([]byte{'c', byte('0' + i/100), byte('0' + i/10%10), byte('0' + i%10)})
}

// A ridge is scikit-learn's: the gradient of the penalised likelihood is 0, and
// those who won everything stay finite without an added tie.
func TestARidgeHoldsAbilities(t *testing.T) {
	t.Parallel()
	for _, ridge := range []float64{0.01, 1, 50} {
		tally := tallied(slices.Concat(battlesOf(t, "200"), times(9, "unbeaten", "rp-model-00", Win)), Options{})
		b, s := tally.solve(Options{Ridge: ridge})
		gradient := make([]float64, len(s.theta))
		for _, p := range b.pairs {
			e := p.score() - p.total()*sigmoid(s.theta[p.a]-s.theta[p.b])
			gradient[p.a] += e
			gradient[p.b] -= e
		}
		for i := range gradient {
			gradient[i] -= ridge * s.theta[i]
		}
		if worst := largest(gradient); worst > 1e-7 {
			t.Errorf("ridge %g: the gradient is %g", ridge, worst)
		}
		board := tally.Board(Options{Ridge: ridge})
		finite(t, board)
		warned(t, board.Warnings, "the ridge decides")
	}
	wide, narrow := NewBoard(battlesOf(t, "200"), Options{}), NewBoard(battlesOf(t, "200"), Options{Ridge: 5})
	if reachOf(narrow) >= reachOf(wide) {
		t.Error("a ridge must draw ratings together")
	}
}

func reachOf(b Board) float64 { return b.Ratings[0].BT - b.Ratings[len(b.Ratings)-1].BT }

func TestACompositeTellsAsMuchAsABoard(t *testing.T) {
	t.Parallel()
	mixed := func(cutoff int) (Board, []Part) {
		parts := []Part{{Name: "vote", Weight: 1, Slicer: NewSlicer(ByLanguage, Options{})}, {Name: "critic", Weight: 0.5, Slicer: NewSlicer(ByLanguage, Options{})}}
		first, second := battlesOf(t, "10k"), judged(t, "10k", "judge_ab")
		for i := range first {
			about := &About{Language: []string{"en", "zh", ""}[i%3]}
			first[i].About, second[i].About = about, about
			parts[0].Slicer.Add(first[i])
			if i < cutoff {
				parts[1].Slicer.Add(second[i])
			}
		}
		return Composite(parts, Options{}), parts
	}
	b, parts := mixed(10_000)
	if b.Side == nil || b.Side.Low <= 0 || b.Side.Points > 40 || b.Fragility == nil || b.Fragility.Battles < 1 {
		t.Errorf("%+v %+v", b.Side, b.Fragility)
	}
	if len(b.Slices) != 2 || b.Slices[0].Parts[1].Name != "critic" || b.Slices[0].Side == nil {
		t.Fatalf("%+v", b.Slices)
	}
	warned(t, b.Warnings, "without a language")
	for _, s := range b.Slices {
		finite(t, s.Board)
	}
	// One part alone must say what the plain board says of it.
	alone, plain := Composite(parts[:1], Options{}), parts[0].Slicer.Tally.Board(Options{})
	if math.Abs(alone.Side.Points-plain.Side.Points) > 0.01 || alone.Fragility.Leader != plain.Fragility.Leader || alone.Fragility.Battles > plain.Fragility.Battles+2 {
		t.Errorf("%+v %+v, want %+v %+v", alone.Side, alone.Fragility, plain.Side, plain.Fragility)
	}
}
