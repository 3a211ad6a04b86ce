package habit

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/integrate/quad"

	"herarena/arena"
)

func named(tests []Test) []string {
	var out []string
	for _, t := range tests {
		out = append(out, fmt.Sprintf("%s %s %s", t.Voter, t.Kind, t.Subject))
	}
	return out
}

// The planted user who always votes left is found with nobody else; the other
// detector finds neither of the two and bans ten and five honest users.
func TestThePlantedFraudOfTheGoldenSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		votes  []Vote
		others string // what the other detector said
	}{
		{"200", planted(200, 20260101, 8, 12, true), "../rating/testdata/expected_200.json"},
		{"10k", planted(10_000, 20260102, 20, 150, true), "../rating/testdata/expected_10k.json"},
	} {
		r := Look(c.votes, Options{Alpha: 0.05})
		if got := named(r.Alarms()); !slices.Equal(got, []string{"u8 side A"}) || !r.Tests[0].Firm {
			t.Errorf("%s: alarms %q", c.name, got)
		}
		text, err := os.ReadFile(c.others)
		if err != nil {
			t.Fatal(err)
		}
		var peer struct {
			Outlier struct {
				Bad []string `json:"bad_users"`
			} `json:"outlier_detect"`
		}
		if err := json.Unmarshal(text, &peer); err != nil || len(peer.Outlier.Bad) < 5 || slices.Contains(peer.Outlier.Bad, "u8") || slices.Contains(peer.Outlier.Bad, "u7") {
			t.Errorf("%s: the other detector said %q (%v)", c.name, peer.Outlier.Bad, err)
		}
	}
}

// The other planted user supports one contestant, but met it only twice in
// 10,000 votes: even one who knew the contestant and the true chances could say
// no more than 5 to 1, and a third of the honest voters did as much for somebody.
func TestTwoVotesAreNoEvidence(t *testing.T) {
	t.Parallel()
	votes := planted(10_000, 20260102, 20, 150, true)
	index, c := make(map[string]int), make(counts)
	for k := range 20 {
		index[model(k)] = k
	}
	c.add(votes, index, 1)
	all := &taste{strength: make([]float64, 20), deviation: make([]float64, 20)}
	all.fit(c, 50)
	met, most := 0, 0.0
	for _, v := range votes {
		a, b, _ := all.chances(index[v.A], index[v.B])
		if v.Voter == "u7" && v.A == model(3) {
			met, most = met+1, most-math.Log(a)
		} else if v.Voter == "u7" && v.B == model(3) {
			met, most = met+1, most-math.Log(b)
		}
	}
	if met != 2 || math.Exp(most) > 5 {
		t.Errorf("%d meetings, evidence of %.1f at most", met, math.Exp(most))
	}
	streaks := make(map[string]map[string]int) // wins without another outcome, -1 for broken
	for _, v := range votes {
		for _, s := range []struct {
			name string
			won  bool
		}{{v.A, v.Outcome == arena.ChoseA}, {v.B, v.Outcome == arena.ChoseB}} {
			if streaks[v.Voter] == nil {
				streaks[v.Voter] = make(map[string]int)
			}
			if n := streaks[v.Voter][s.name]; !s.won {
				streaks[v.Voter][s.name] = -1
			} else if n >= 0 {
				streaks[v.Voter][s.name] = n + 1
			}
		}
	}
	alike := 0
	for voter, of := range streaks {
		if voter == "u7" || voter == "u8" {
			continue
		}
		for _, n := range of {
			if n >= 2 {
				alike++
				break
			}
		}
	}
	if alike < 50 {
		t.Errorf("only %d honest voters chose a contestant each of two times or more", alike)
	}
}

// With more votes the supporter is found.
func TestASupporterIsFoundOnceThereAreEnoughVotes(t *testing.T) {
	t.Parallel()
	found, meetings, honest := 0, 0, 0
	const sets = 10
	for s := range uint64(sets) {
		r := Look(planted(6_000, s+1, 20, 10, true), Options{})
		for _, x := range r.Alarms() {
			switch {
			case x.Voter == "u7" && x.Kind == Favourite && x.Subject == model(3) && !x.Against:
				found++
				meetings += x.Votes
				if x.Hits != x.Votes || x.Expected > float64(x.Votes) {
					t.Errorf("%+v", x)
				}
			case x.Voter != "u7" && x.Voter != "u8":
				honest++
			}
		}
	}
	t.Logf("%d of %d, %d meetings each; %d alarms on honest voters", found, sets, meetings/max(found, 1), honest)
	if found < sets*8/10 || honest > 0 {
		t.Errorf("found %d of %d, %d honest", found, sets, honest)
	}
}

// tasted are honest votes of people who each have their own opinion of each
// contestant, with a deviation of 0.3 in log-odds, and lean to the left.
func tasted(n int, seed uint64, models, users int) []Vote {
	r := rand.New(rand.NewPCG(seed, 1))
	own := make([][]float64, users)
	for u := range own {
		own[u] = make([]float64, models)
		for k := range own[u] {
			own[u][k] = float64(k)*2/float64(models) + 0.3*r.NormFloat64()
		}
	}
	votes := make([]Vote, n)
	for i := range votes {
		u, a, b := r.IntN(users), r.IntN(models), r.IntN(models-1)
		if b >= a {
			b++
		}
		votes[i] = Vote{Voter: fmt.Sprint("u", u), A: model(a), B: model(b), Drawn: true, Outcome: drawn(r.Float64(), own[u][a]-own[u][b]+0.08)}
	}
	return votes
}

func TestHonestVotersRaiseFewAlarms(t *testing.T) {
	t.Parallel()
	for name, sets := range map[string]func(seed uint64) []Vote{
		"large":            func(s uint64) []Vote { return planted(10_000, s, 20, 150, false) },
		"small":            func(s uint64) []Vote { return planted(200, s, 8, 12, false) },
		"with tastes":      func(s uint64) []Vote { return tasted(10_000, s, 20, 150) },
		"few, many votes":  func(s uint64) []Vote { return tasted(6_000, s, 20, 10) },
		"two contestants":  func(s uint64) []Vote { return tasted(2_000, s, 2, 10) },
		"two voters alone": func(s uint64) []Vote { return tasted(200, s, 6, 2) },
	} {
		tests, alarms, firm := 0, 0, 0
		for s := range uint64(10) {
			r := Look(sets(s+100), Options{Alpha: 0.05})
			tests += len(r.Tests)
			for _, x := range r.Alarms() {
				alarms++
				if x.Firm {
					firm++
				}
			}
		}
		t.Logf("%s: %d alarms, %d firm, in %d tests", name, alarms, firm, tests)
		if float64(alarms) > 0.05*float64(tests) || firm > 1 {
			t.Errorf("%s: %d alarms, %d firm, in %d tests of honest voters", name, alarms, firm, tests)
		}
	}
}

// However often one looks, an honest voter at the edge of what is honest reaches
// 1/α with a chance of at most α.
func TestLookingAfterEveryVoteIsAllowed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	const voters, votes, alpha = 1000, 300, 0.05
	for name, c := range map[string]struct {
		p        float64
		evidence func(hits, n int) float64
	}{"side": {0.5 + sideSlack, sideEvidence}, "haste": {hasteShare, hasteEvidence}} {
		ever := 0
		for range voters {
			hits := 0
			for n := 1; n <= votes; n++ {
				if r.Float64() < c.p {
					hits++
				}
				if c.evidence(hits, n) >= -math.Log(alpha) {
					ever++
					break
				}
			}
		}
		t.Logf("%s: %d of %d", name, ever, voters)
		// Four deviations of chance above α.
		if float64(ever) > voters*alpha+4*math.Sqrt(voters*alpha*(1-alpha)) {
			t.Errorf("%s: %d of %d honest voters were named at some time", name, ever, voters)
		}
	}
}

func TestEvidenceIsTheIntegralItStandsFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hits, n int }{{0, 1}, {1, 1}, {16, 16}, {5, 9}, {3, 40}, {30, 40}} {
		chance := func(p float64) float64 {
			return math.Pow(p, float64(c.hits)) * math.Pow(1-p, float64(c.n-c.hits))
		}
		share := float64(c.hits) / float64(c.n)
		side := quad.Fixed(chance, 0, 1, 64, nil, 0) / chance(min(max(share, 0.45), 0.55))
		haste := quad.Fixed(chance, 0.1, 1, 64, nil, 0) / 0.9 / chance(min(share, 0.1))
		if got := math.Exp(sideEvidence(c.hits, c.n)); math.Abs(got/side-1) > 1e-9 {
			t.Errorf("side %+v: %g, want %g", c, got, side)
		}
		if got := math.Exp(hasteEvidence(c.hits, c.n)); math.Abs(got/haste-1) > 1e-9 {
			t.Errorf("haste %+v: %g, want %g", c, got, haste)
		}
	}
}

func TestHasteIsFound(t *testing.T) {
	t.Parallel()
	var votes []Vote
	for n := range 40 {
		outcome := []arena.Choice{arena.ChoseA, arena.ChoseB, arena.Tie}[n%3]
		careful := Vote{Voter: "careful", A: "x", B: "y", Outcome: outcome, Seen: 40 * time.Second, Words: 240}
		hasty := Vote{Voter: "hasty", A: "x", B: "y", Outcome: outcome, Seen: 2 * time.Second, Words: 240}
		if n%12 == 0 {
			careful.Seen = time.Second // broken at first sight
		}
		if n%3 == 0 {
			hasty.Seen = time.Minute
		}
		votes = append(votes, careful, hasty, Vote{Voter: "unknown", A: "x", B: "y", Outcome: outcome, Seen: -1, Words: 500})
	}
	got := Look(votes, Options{}).Alarms()
	if len(got) != 1 || got[0].Voter != "hasty" || got[0].Kind != Haste || got[0].Hits != 26 || got[0].Votes != 40 || !got[0].Firm {
		t.Errorf("%+v", got)
	}
	if s := got[0].Sentence(); !strings.HasPrefix(s, "hasty gave 26 of 40 votes faster than the two replies can be read (15 words a second): evidence ") {
		t.Error(s)
	}
}

func TestWhatSaysNothingIsLeftOut(t *testing.T) {
	t.Parallel()
	if r := Look(nil, Options{}); len(r.Tests) != 0 || r.Alone {
		t.Errorf("%+v", r)
	}
	var votes []Vote
	for range 60 {
		votes = append(votes, Vote{Voter: "me", A: "x", B: "y", Outcome: arena.ChoseA}) // sides were not drawn
		votes = append(votes, Vote{Voter: "me", A: "x", B: "x", Outcome: arena.ChoseA, Drawn: true},
			Vote{A: "x", B: "y", Outcome: arena.ChoseA, Drawn: true}, Vote{Voter: "me", A: "x", B: "y", Outcome: "maybe", Drawn: true})
	}
	if r := Look(votes, Options{Alpha: math.NaN()}); len(r.Alarms()) != 0 || !r.Alone || r.Votes != 60 || r.Alpha != 0.05 {
		t.Errorf("%+v", r)
	}
	right := Vote{Voter: "right", A: "x", B: "y", Outcome: arena.ChoseB, Drawn: true}
	r := Look(slices.Repeat([]Vote{right}, 5000), Options{})
	if len(r.Alarms()) != 1 || r.Tests[0].Subject != "B" || r.Tests[0].Hits != 5000 || math.IsInf(r.Tests[0].E(), 0) {
		t.Errorf("%+v", r.Tests)
	}
	if s := r.Tests[0].Sentence(); !strings.Contains(s, "side B in 5000 of 5000") || !strings.Contains(s, "evidence 10^1294 to 1") {
		t.Error(s)
	}
}

func BenchmarkLookAt10k(b *testing.B) {
	votes := planted(10_000, 20260102, 20, 150, true)
	for b.Loop() {
		if r := Look(votes, Options{}); len(r.Alarms()) != 1 {
			b.Fatal(r.Alarms())
		}
	}
}
