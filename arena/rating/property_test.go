package rating

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var models = []Model{BradleyTerry, Davidson, RaoKupper}

func TestRelabellingChangesNamesAlone(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "200")
	renamed := slices.Clone(battles)
	for i := range renamed {
		renamed[i].A, renamed[i].B = "z"+renamed[i].A, "z"+renamed[i].B
	}
	for _, m := range models {
		o := Options{Model: m, Bootstrap: 20, Seed: 3}
		x, y := Fit(battles, o), Fit(renamed, o)
		for i := range x.Estimates {
			want := x.Estimates[i]
			want.Contestant = "z" + want.Contestant
			if d := cmp.Diff(want, y.Estimates[i]); d != "" {
				t.Errorf("%s: %s", m, d)
			}
		}
	}
}

func TestFourTimesTheBattlesHalveTheIntervals(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	for _, m := range models {
		x, y := Fit(battles, Options{Model: m}), Fit(slices.Repeat(battles, 4), Options{Model: m})
		for i, e := range x.Estimates {
			f := y.Estimates[i]
			// The ridge in the sandwich is a constant share of the battles.
			if r := (e.High - e.Low) / (f.High - f.Low); math.Abs(e.Rating-f.Rating) > 1e-6 || math.Abs(r-2) > 1e-6 {
				t.Errorf("%s: %s moves by %g, its interval by a factor of %g", m, e.Contestant, f.Rating-e.Rating, r)
			}
		}
	}
}

// mirrored turns every win into a loss.
func mirrored(battles []Battle) []Battle {
	m := slices.Clone(battles)
	for i := range m {
		switch m[i].Outcome {
		case Win:
			m[i].Outcome = Loss
		case Loss:
			m[i].Outcome = Win
		}
	}
	return m
}

func TestMirroredOutcomesMirrorTheRatings(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	for _, m := range models {
		x, y := values(Fit(battles, Options{Model: m}), rated), values(Fit(mirrored(battles), Options{Model: m}), rated)
		for name := range x {
			if math.Abs(x[name]+y[name]-2000) > 1e-6 {
				t.Errorf("%s: %s is %f and %f", m, name, x[name], y[name])
			}
		}
	}
	one, two := NewBoard(battles, Options{}).Side, NewBoard(mirrored(battles), Options{}).Side
	if math.Abs(one.Points+two.Points) > 1e-6 {
		t.Errorf("the sides are worth %f and %f", one.Points, two.Points)
	}
	// Swapping the sides of every battle mirrors the side alone.
	swapped := mirrored(battles)
	for i := range swapped {
		swapped[i].A, swapped[i].B = swapped[i].B, swapped[i].A
	}
	x, y := NewBoard(battles, Options{}), NewBoard(swapped, Options{})
	for name, r := range byName(x) {
		if math.Abs(r.BT-byName(y)[name].BT) > 1e-6 {
			t.Errorf("%s moves with the sides", name)
		}
	}
	if math.Abs(x.Side.Points+y.Side.Points) > 1e-6 {
		t.Errorf("the sides are worth %f and %f", x.Side.Points, y.Side.Points)
	}
}

// The generator of the 10k set gives side A 0.08 in the logarithm of odds (13.9
// points without ties) and weighs length by 0.6 a unit.
func TestSideAndStyleArePlanted(t *testing.T) {
	t.Parallel()
	tally := styledTally(t, "10k")
	b := tally.Board(Options{Style: true})
	if b.Side == nil || b.Side.Low > 13.9 || b.Side.High < 13.9*0.7 || b.Side.Low <= 0 {
		t.Errorf("%+v", b.Side)
	}
	if len(b.Style) != 4 || b.Style[0].Name != "length" || b.Style[0].Low <= 0 || b.Intervals != "sandwich, style held equal" {
		t.Errorf("%+v", b.Style)
	}
	finite(t, b)
	// The plain ratings lean on length; with it held equal they must differ.
	plain := byName(tally.Board(Options{}))
	moved := 0.0
	for name, r := range byName(b) {
		moved = max(moved, math.Abs(r.BT-plain[name].BT))
	}
	if moved < 2 {
		t.Errorf("style moves nobody by more than %g", moved)
	}
}

func TestStyleWithoutAnythingToHoldEqual(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(30, "a", "b", Win), times(20, "b", "a", Win))
	warned(t, NewBoard(battles, Options{Style: true}).Warnings, "Style is not held equal", "no battle has")
	same := &About{Styled: true, Style: [2]Style{{Length: 5}, {Length: 5}}}
	for i := range battles {
		battles[i].About = same
	}
	warned(t, NewBoard(battles, Options{Style: true}).Warnings, "both replies were alike")
	for i := range battles {
		battles[i].About = &About{Styled: true, Style: [2]Style{{Length: math.NaN()}, {Length: math.Inf(1), Bold: -1}}}
	}
	b := NewBoard(battles, Options{Style: true})
	warned(t, b.Warnings, "no battle has")
	finite(t, b)
	// Length alone decides: the coefficient must stay finite.
	for i := range battles {
		s := [2]Style{{Length: 10}, {Length: 1}}
		if battles[i].Outcome == Loss {
			s[0], s[1] = s[1], s[0]
		}
		battles[i].About = &About{Styled: true, Style: s}
	}
	b = NewBoard(battles, Options{Style: true})
	finite(t, b)
	for _, e := range b.Style {
		if math.IsNaN(e.Points) || math.IsInf(e.High, 0) {
			t.Errorf("%+v", e)
		}
	}
}

func TestFragility(t *testing.T) {
	t.Parallel()
	battles := battlesOf(t, "10k")
	tally := tallied(battles, Options{})
	b := tally.agg.alone(len(tally.index.names), false)
	f := b.fragility(tally.index.names, b.solve(Options{}))
	// A published greedy search finds 6 on this set; a smaller proof is better.
	if f == nil || f.Battles < 1 || f.Battles > 6 {
		t.Fatalf("%+v", f)
	}
	t.Logf("%+v", *f)
	warned(t, NewBoard(battles, Options{}).Warnings, fmt.Sprintf("%d votes would change the first place", f.Battles))
	// Two contestants can be counted by hand: 60 to 55 needs 6 wins less.
	f = NewBoard(slices.Concat(times(60, "a", "b", Win), times(55, "b", "a", Win)), Options{}).Fragility
	if f == nil || f.Leader != "a" || f.Rival != "b" || f.Battles != 6 {
		t.Errorf("%+v, want 6", f)
	}
	// One who won everything cannot be thrown from the place by fewer votes than
	// the search may take, and groups that never met have no first place.
	for _, none := range [][]Battle{nil, times(5, "a", "b", Win), slices.Concat(times(3, "a", "b", Win), times(2, "b", "a", Win), times(3, "c", "d", Win), times(2, "d", "c", Win))} {
		if f := NewBoard(none, Options{}).Fragility; f != nil {
			t.Errorf("%+v", f)
		}
	}
}

func TestFragilityOfTheRealVotes(t *testing.T) {
	t.Parallel()
	index, agg, _ := realVotes(t)
	b := agg.alone(len(index.names), false)
	f := b.fragility(index.names, b.solve(Options{}))
	if f == nil || f.Battles < 1 || f.Share > 0.0005 {
		t.Fatalf("%+v", f)
	}
	t.Logf("%+v", *f)
	if f.Leader != "chatgpt-4o-latest" {
		t.Errorf("%s leads", f.Leader)
	}
}

// What is said of a first place must be so: without the rival's lost battles
// against the leader, as many as fragility names at most, the order turns.
func TestFragilityIsProved(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		var battles []Battle
		for range 300 {
			x, y := random.IntN(5), random.IntN(5)
			if x != y {
				battles = append(battles, Battle{A: string(rune('a' + x)), B: string(rune('a' + y)), Outcome: Win + Outcome(random.IntN(3))})
			}
		}
		board := NewBoard(battles, Options{})
		f := board.Fragility
		if f == nil {
			t.Fatal("no answer")
		}
		// Dropping the leader's wins over the rival one by one is a plain way to
		// turn the order; the search must not need more.
		plain, left := 0, slices.Clone(battles)
		for plain < len(battles) {
			at := slices.IndexFunc(left, func(b Battle) bool {
				return b.A == f.Leader && b.Outcome == Win && b.B == f.Rival || b.B == f.Leader && b.Outcome == Loss && b.A == f.Rival
			})
			if at < 0 {
				plain = len(battles)
				break
			}
			left = slices.Delete(left, at, at+1)
			plain++
			if r := byName(NewBoard(left, Options{Brief: true})); r[f.Rival].BT > r[f.Leader].BT {
				break
			}
		}
		if f.Battles > plain {
			t.Errorf("%+v, but %d of the leader's wins over the rival are enough", *f, plain)
		}
	}
}

func TestTieModelsOnHostileShapes(t *testing.T) {
	t.Parallel()
	for name, battles := range map[string][]Battle{
		"nothing":              nil,
		"one tie":              times(1, "a", "b", Tie),
		"only ties":            slices.Concat(times(9, "a", "b", Tie), times(9, "b", "c", BothBad)),
		"no ties":              slices.Concat(times(9, "a", "b", Win), times(5, "b", "a", Win)),
		"won or tied":          slices.Concat(times(5, "a", "b", Win), times(5, "a", "b", Tie)),
		"tied to a chain":      slices.Concat(times(5, "a", "b", Win), times(5, "b", "c", Win), times(5, "a", "c", Tie)),
		"one tie in a million": append(slices.Concat([]Battle{{A: "a", B: "b", Outcome: Win, Weight: 1e6}}, []Battle{{A: "b", B: "a", Outcome: Win, Weight: 1e6}}), times(1, "a", "b", Tie)...),
		"groups":               slices.Concat(times(3, "a", "b", Win), times(2, "a", "b", Tie), times(3, "c", "d", Tie), times(1, "e", "f", Win)),
	} {
		for _, m := range models {
			board := NewBoard(battles, Options{Model: m, Bootstrap: 5})
			finite(t, board)
			if board.Ties != nil && (math.IsNaN(board.Ties.Value+board.Ties.Low+board.Ties.High) || board.Ties.TieChance < 0 || board.Ties.TieChance > 1) {
				t.Errorf("%+v", board.Ties)
			}
			if t.Failed() {
				t.Fatal(name, m)
			}
		}
	}
}

func TestAnyBattlesGiveAFiniteBoardOfAnyKind(t *testing.T) {
	t.Parallel()
	battle := rapid.Custom(func(t *rapid.T) Battle {
		name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		style := func(label string) Style {
			return Style{Length: float64(rapid.IntRange(0, 3).Draw(t, label)), Bold: float64(rapid.IntRange(0, 1).Draw(t, label))}
		}
		return Battle{
			A: name.Draw(t, "A"), B: name.Draw(t, "B"), Outcome: Outcome(rapid.IntRange(1, 4).Draw(t, "outcome")),
			Weight: rapid.SampledFrom([]float64{0, 0.5, 1, 1e6, 1e-6}).Draw(t, "weight"),
			About:  &About{Language: rapid.SampledFrom([]string{"", "en", "zh"}).Draw(t, "language"), Styled: true, Style: [2]Style{style("x"), style("y")}},
		}
	})
	rapid.Check(t, func(r *rapid.T) {
		o := Options{
			Model: rapid.SampledFrom(models).Draw(r, "model"), Bootstrap: rapid.IntRange(0, 3).Draw(r, "bootstrap"),
			Reweighted: rapid.Bool().Draw(r, "reweighted"), Style: rapid.Bool().Draw(r, "style"), Matrix: true,
			Last: rapid.IntRange(0, 10).Draw(r, "last"),
		}
		s := NewSlicer(ByLanguage, o)
		other := NewTally(o)
		for i, b := range rapid.SliceOfN(battle, 0, 25).Draw(r, "battles") {
			s.Add(b)
			if i%2 == 0 {
				other.Add(b)
			}
		}
		board := s.Board(o)
		finite(r, board)
		for _, part := range board.Slices {
			finite(r, part.Board)
		}
		mixed := Composite([]Part{{"one", 1, s.Tally}, {"two", 0.5, other}}, o)
		finite(r, mixed)
		if o.Last == 0 && len(mixed.Ratings) != len(board.Ratings) {
			r.Fatalf("%d contestants became %d", len(board.Ratings), len(mixed.Ratings))
		}
	})
}

func TestCompositeWeighsItsParts(t *testing.T) {
	t.Parallel()
	votes := slices.Concat(times(60, "a", "b", Win), times(40, "b", "a", Win))
	critic := slices.Concat(times(300, "a", "b", Win), times(700, "b", "a", Win))
	rate := func(weight float64) float64 {
		b := Composite([]Part{{"vote", 1, tallied(votes, Options{})}, {"critic", weight, tallied(critic, Options{})}}, Options{})
		if b.Battles != 1100 || len(b.Parts) != 2 || b.Parts[1].Battles != 1000 {
			t.Errorf("%+v", b)
		}
		return byName(b)["a"].BT
	}
	// Each part is one voice, however many battles it holds: equal weights leave
	// a share of (0.6 + 0.3)/2.
	if got, want := rate(1), mean+points/2*math.Log(0.45/0.55); math.Abs(got-want) > 0.01 {
		t.Errorf("%f, want %f", got, want)
	}
	if x, y := rate(0.1), rate(10); x < 1000 || y > 1000 || x < y {
		t.Errorf("%f, %f", x, y)
	}
	b := Composite([]Part{{"vote", 1, tallied(votes, Options{})}, {"critic", 1, NewTally(Options{})}}, Options{Bootstrap: 50})
	warned(t, b.Warnings, "critic has no battles")
	if got, want := byName(b)["a"].BT, byName(NewBoard(votes, Options{}))["a"].BT; math.Abs(got-want) > 0.01 {
		t.Errorf("%f, want %f", got, want)
	}
	finite(t, Composite(nil, Options{}))
}

func TestLastBattlesAlone(t *testing.T) {
	t.Parallel()
	battles := slices.Concat(times(50, "a", "b", Loss), times(9, "a", "b", Win), times(1, "b", "a", Win))
	if d := cmp.Diff(NewBoard(battles[50:], Options{}), NewBoard(battles, Options{Last: 10})); d != "" {
		t.Error(d)
	}
	if b := NewBoard(battles, Options{Last: 1000}); b.Battles != 60 {
		t.Errorf("%d battles", b.Battles)
	}
}

func TestQualityHasWilsonsInterval(t *testing.T) {
	t.Parallel()
	// Wilson's interval of 8 of 10, from the published formula: 0.4902, 0.9433.
	b := NewBoard(slices.Concat(times(8, "a", "b", Win), times(2, "a", "b", BothBad)), Options{})
	r := byName(b)["a"]
	if math.Abs(r.Quality-0.8) > 1e-12 || math.Abs(r.QualityLow-0.4902) > 1e-4 || math.Abs(r.QualityHigh-0.9433) > 1e-4 {
		t.Errorf("%+v", r)
	}
}

func TestManyWeightsStayFewCells(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var battles []Battle
	for range 5000 {
		battles = append(battles, Battle{A: "a", B: "b", Outcome: Win + Outcome(random.IntN(2)), Weight: math.Exp(4 * random.NormFloat64())})
	}
	tally := tallied(battles, Options{})
	if n := len(tally.agg.cells); n > 2*45 {
		t.Errorf("%d cells", n)
	}
	plain, boot := tally.Fit(Options{}), tally.Fit(Options{Bootstrap: 300})
	if r := (boot.Estimates[0].High - boot.Estimates[0].Low) / (plain.Estimates[0].High - plain.Estimates[0].Low); r < 0.8 || r > 1.25 {
		t.Errorf("the bootstrap is %.2f as wide as the sandwich", r)
	}
}

func TestBinomialHasItsMoments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 2))
	for _, c := range []struct{ n, p float64 }{{1, 0.3}, {10, 0.5}, {30, 0.9}, {1000, 0.001}, {1000, 0.4}, {50, 0.21}, {1e6, 0.9999}, {1e6, 0.02}} {
		const rounds = 20_000
		sum, square := 0.0, 0.0
		for range rounds {
			k := binomial(c.n, c.p, random)
			if k < 0 || k > c.n || k != math.Trunc(k) {
				t.Fatalf("binomial(%g, %g) gave %g", c.n, c.p, k)
			}
			sum += k
			square += (k - c.n*c.p) * (k - c.n*c.p)
		}
		v := c.n * c.p * (1 - c.p)
		if d := sum/rounds - c.n*c.p; math.Abs(d) > 5*math.Sqrt(v/rounds) {
			t.Errorf("binomial(%g, %g): the mean is off by %g", c.n, c.p, d)
		}
		if r := square / rounds / v; math.Abs(r-1) > 0.06 {
			t.Errorf("binomial(%g, %g): %g of the variance", c.n, c.p, r)
		}
	}
	// The whole distribution at a mean that is drawn by rejection.
	const n, p, rounds = 40, 0.35, 200_000
	var seen [n + 1]float64
	for range rounds {
		seen[int(binomial(n, p, random))]++
	}
	chi, f := 0.0, math.Pow(1-p, n)
	for k := 0.0; k <= n; k++ {
		if e := f * rounds; e > 10 {
			chi += (seen[int(k)] - e) * (seen[int(k)] - e) / e
		}
		f *= p / (1 - p) * (n - k) / (k + 1)
	}
	if chi > 60 { // some 25 degrees of freedom
		t.Errorf("χ² = %g", chi)
	}
	if binomial(5, 0, random) != 0 || binomial(5, 1, random) != 5 || binomial(0, 0.5, random) != 0 {
		t.Error("the ends are wrong")
	}
}

func TestSlicesOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "battles_10k.csv")
	for by, want := range map[By]int{ByLanguage: 3, ByTurn: 6, ByDimension: 6} {
		s := NewSlicer(by, Options{Brief: true})
		if _, err := Each(path, ReadOptions{By: by}, s.Add); err != nil {
			t.Fatal(err)
		}
		b := s.Board(Options{Brief: true})
		total := 0
		for i, part := range b.Slices {
			total += part.Battles
			if part.By != string(by) || by != ByTurn && i > 0 && part.Battles > b.Slices[i-1].Battles {
				t.Errorf("%s %s at %d", part.By, part.Value, i)
			}
		}
		if len(b.Slices) != want || total != 10_000 || b.Battles != 10_000 {
			t.Errorf("%s: %d slices of %d battles", by, len(b.Slices), total)
		}
	}
	for by, holds := range map[By]string{ByCharacter: "no column character", ByScene: "no column scene"} {
		if _, err := Each(path, ReadOptions{By: by}, func(Battle) {}); err == nil || !strings.Contains(err.Error(), holds) {
			t.Errorf("%v, want %q", err, holds)
		}
	}
	s := NewSlicer(ByLanguage, Options{})
	for i := range 500 {
		s.Add(Battle{A: "a", B: "b", Outcome: Win, About: &About{Language: fmt.Sprint(i)}})
	}
	s.Add(Battle{A: "a", B: "b", Outcome: Win})
	b := s.Board(Options{})
	if len(b.Slices) != mostSlices || b.Battles != 501 {
		t.Errorf("%d slices of %d battles", len(b.Slices), b.Battles)
	}
	warned(t, b.Warnings, "More than 200 values of language: 300 battles")
	warned(t, b.Warnings, "1 battle without a language")
}

func TestTalliesDoNotGrowWithTheBattles(t *testing.T) {
	grown := func(n int) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		tally := NewTally(Options{})
		if _, err := eachCSV(&rows{n: n}, ReadOptions{}, tally.Add); err != nil || tally.agg.count != float64(n) {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(tally)
		return float64(after.HeapAlloc) - float64(before.HeapAlloc)
	}
	// The window of first battles is full in both.
	small, large := grown(100_000), grown(400_000)
	if large > small+200_000 {
		t.Errorf("100,000 battles hold %.0f bytes, 400,000 hold %.0f", small, large)
	}
	tally := NewTally(Options{})
	for name, c := range map[string]struct {
		text string
		each func(io.Reader, ReadOptions, func(Battle)) (Found, error)
	}{
		"csv":   {"model_a,model_b,winner,text\n" + strings.Repeat("x,y,tie,plain\ny,x,model_a,\"quoted, \"\"so\"\"\"\n", 10_000), eachCSV},
		"jsonl": {strings.Repeat(`{"model_a":"x","text":{"deep":["\"]}"]},"model_b":"y","winner":"tie"}`+"\n", 20_000), eachJSONL},
	} {
		n := testing.AllocsPerRun(1, func() {
			if _, err := c.each(strings.NewReader(c.text), ReadOptions{}, tally.Add); err != nil {
				t.Fatal(err)
			}
		})
		if n > 200 {
			t.Errorf("%s: %.0f allocations for 20,000 battles", name, n)
		}
	}
}

// table must cut what encoding/csv cuts, and refuse what it refuses.
func FuzzTable(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,b\r\n\"1\",2\r\n", "\"a\"\"b\",c\n", "a\n\n\nb", "\"x\ny\",z\n1,2", "a,\"b\"c\n", "a\"b,c\n", "\"a", "a,b,\n,,\n", "\"a\",\"\"", "\r\n\r", "\"a\"\r", "x,\"\r\n\"\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			t.Skip("a byte order mark is dropped")
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.FieldsPerRecord = -1
		table := newTable(bytes.NewReader(text))
		for {
			want, err := r.Read()
			if !table.next() {
				if (table.err == nil) != (err != nil && err.Error() == "EOF") {
					t.Fatalf("%q ends with %v, want %v", text, table.err, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%q: a record where encoding/csv gives %v", text, err)
			}
			var got []string
			for i := range table.fields {
				// encoding/csv drops the carriage returns of line ends in fields.
				got = append(got, strings.ReplaceAll(string(table.field(i)), "\r\n", "\n"))
			}
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], "\r\n", "\n")
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", text, got, want)
			}
			if line, column := r.FieldPos(0); true {
				if l, c := table.place(0); l != line || c != column {
					t.Fatalf("%q: a record at line %d column %d, want %d, %d", text, l, c, line, column)
				}
			}
		}
	})
}

func TestWeightsOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"a.csv":   "model_a,model_b,winner,weight\nx,y,model_a,0.5\nx,y,model_b,2\nx,y,tie,0\n",
		"b.jsonl": `{"model_a":"x","model_b":"y","winner":"model_a","weight":0.5}` + "\n" + `{"model_a":"x","model_b":"y","winner":"model_b","weight":2}` + "\n" + `{"model_a":"x","model_b":"y","winner":"tie","weight":0}`,
		"c.json":  `[{"Model_A":"x","model_b":"y","winner":"model_a","weight":0.5},{"model_a":"x","model_b":"y","winner":"model_b","weight":2},{"model_a":"x","model_b":"y","winner":"tie","weight":0.0}]`,
	} {
		tally := NewTally(Options{})
		found, err := Each(file(name, text), ReadOptions{}, tally.Add)
		if err != nil || !found.Weighted {
			t.Fatal(name, found, err)
		}
		b := tally.Board(Options{})
		if r := byName(b)["x"]; r.Wins != 0.5 || r.Losses != 2 || r.Battles != 2.5 {
			t.Errorf("%s: %+v", name, r)
		}
		warned(t, b.Warnings, "1 battle left out: a weight")
	}
	for name, c := range map[string]struct{ text, holds string }{
		"d.csv":   {"model_a,model_b,winner,weight\nx,y,tie,1\nx,y,tie,much\n", "line 3, column 9 (weight): \"much\" is no weight"},
		"e.csv":   {"model_a,model_b,winner,weight\nx,y,tie,-1\n", "is no weight"},
		"f.csv":   {"model_a,model_b,winner,weight\nx,y,tie,NaN\n", "is no weight"},
		"g.jsonl": {`{"model_a":"x","model_b":"y","winner":"tie","weight":"1"}`, "(weight): a string"},
		"h.jsonl": {`{"model_a":"x","model_b":"y","winner":"tie","weight":-1}`, "is no weight"},
	} {
		if _, err := ReadFile(file(name, c.text)); err == nil || !strings.Contains(err.Error(), c.holds) {
			t.Errorf("%s: %v, want %q", name, err, c.holds)
		}
	}
}
