package habit

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"herarena/arena"
)

// banned is FastChat's outlier detection, for comparison: a voter of five votes
// or more is banned once, within 100 votes, the product of 1/2p exceeds 20, p
// being the share of all decided votes on the pair that lie on the voter's side
// of the vote, upwards or downwards.
func banned(votes []Vote) []string {
	type pair struct{ a, b string }
	of := func(v Vote) (pair, float64) {
		score := 0.5
		switch v.Outcome {
		case arena.ChoseA:
			score = 1
		case arena.ChoseB:
			score = 0
		}
		if v.A > v.B {
			return pair{v.B, v.A}, 1 - score
		}
		return pair{v.A, v.B}, score
	}
	decided := make(map[pair][2]float64) // lost and won by the first
	cast := make(map[string][]Vote)
	var voters []string
	for _, v := range votes {
		if p, score := of(v); score != 0.5 {
			n := decided[p]
			n[int(score)]++
			decided[p] = n
		}
		if cast[v.Voter] == nil {
			voters = append(voters, v.Voter)
		}
		cast[v.Voter] = append(cast[v.Voter], v)
	}
	var bad []string
	for _, voter := range voters {
		if len(cast[voter]) < 5 {
			continue
		}
		up, down := 1.0, 1.0
		for _, v := range cast[voter][:min(len(cast[voter]), 100)] {
			p, score := of(v)
			n := decided[p]
			below, above := n[0], n[1] // votes not above and not below this one
			switch score {
			case 1:
				below += n[1]
			case 0:
				above += n[0]
			}
			all := n[0] + n[1]
			up, down = up/(2*below/all), down/(2*above/all)
			if up > 20 || down > 20 {
				bad = append(bad, voter)
				break
			}
		}
	}
	return bad
}

func TestFastChatsDetectorIsBeaten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file  string
		votes []Vote
	}{
		{"../rating/testdata/expected_200.json", planted(200, 20260101, 8, 12, true)},
		{"../rating/testdata/expected_10k.json", planted(10_000, 20260102, 20, 150, true)},
	} {
		var want struct {
			Outlier struct {
				Bad   []string `json:"bad_users"`
				Kept  int      `json:"n_kept"`
				Users int      `json:"n_users"`
			} `json:"outlier_detect"`
		}
		decode(t, c.file, &want)
		for i := range c.votes { // the golden files have a name of their own for one
			for _, name := range []*string{&c.votes[i].A, &c.votes[i].B} {
				if *name == model(9) {
					*name = "mixtral-8x7b-instruct-v0.1"
				}
			}
		}
		bad := banned(c.votes)
		kept, users := 0, make(map[string]bool)
		for _, v := range c.votes {
			users[v.Voter] = true
			if !slices.Contains(bad, v.Voter) {
				kept++
			}
		}
		slices.Sort(bad)
		slices.Sort(want.Outlier.Bad)
		if !slices.Equal(bad, want.Outlier.Bad) || kept != want.Outlier.Kept || len(users) != want.Outlier.Users {
			t.Errorf("%s: bans %q, keeps %d of %d users; want %+v", c.file, bad, kept, len(users), want.Outlier)
		}
		found := 0
		for _, a := range Look(c.votes, Options{Alpha: 0.05}).Alarms() {
			if a.Voter != "u7" && a.Voter != "u8" {
				t.Errorf("%s: %s is honest", c.file, a.Voter)
			}
			found++
		}
		if slices.Contains(bad, "u8") || slices.Contains(bad, "u7") || found == 0 {
			t.Errorf("%s: the other finds %q, this one %d", c.file, bad, found)
		}
	}
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// The golden block names the three voters who lean furthest to a side, with the
// two-sided binomial test, and the three furthest from chance on a contestant.
// The first is found as such; the others are honest and must stay unsuspected.
func TestThePlantedVotersAreToldAsTheGoldenOnes(t *testing.T) {
	t.Parallel()
	var want struct {
		Fraud struct {
			Side [][4]any `json:"side_binomial_top3"`
			Fav  [][5]any `json:"favourite_z_top3"`
		} `json:"fraud_own"`
	}
	decode(t, "../rating/testdata/expected_extra.json", &want)
	votes := planted(10_000, 20260102, 20, 150, true)
	type lean struct {
		voter string
		n, a  int
		p     float64
	}
	byVoter := make(map[string]*lean)
	for _, v := range votes {
		x := byVoter[v.Voter]
		if x == nil {
			x = &lean{voter: v.Voter}
			byVoter[v.Voter] = x
		}
		switch v.Outcome {
		case arena.ChoseA:
			x.a++
			x.n++
		case arena.ChoseB:
			x.n++
		}
	}
	var leans []lean
	// What the golden test takes for side A among all voters, of whom 0.5260 did.
	const usual = 0.5264
	for _, x := range byVoter {
		// The chance of all that is no likelier than what was seen.
		chances := distuv.Binomial{N: float64(x.n), P: usual}
		seen := chances.LogProb(float64(x.a))
		for k := range x.n + 1 {
			if p := chances.LogProb(float64(k)); p <= seen+1e-7 {
				x.p += math.Exp(p)
			}
		}
		leans = append(leans, *x)
	}
	slices.SortFunc(leans, func(x, y lean) int { return cmp.Compare(x.p, y.p) })
	for i, w := range want.Fraud.Side {
		x := leans[i]
		n, hits, p := int(w[1].(float64)), int(w[2].(float64)), w[3].(float64)
		if x.voter != w[0] || x.n != n || x.a != hits || math.Abs(x.p-p) > 1e-9*p {
			t.Errorf("%+v, want %v", x, w)
		}
	}
	r := Look(votes, Options{Alpha: 0.05})
	alarms := named(r.Alarms())
	if !slices.Equal(alarms, []string{"u8 side A"}) {
		t.Errorf("alarms %q", alarms)
	}
	// The honest voter with the largest favourite is listed with the same votes,
	// and with evidence that stays far from an alarm.
	for _, w := range want.Fraud.Fav {
		found := false
		for _, x := range r.Tests {
			if x.Voter == w[0] && x.Kind == Favourite {
				found = true
				if x.E() > 20 {
					t.Errorf("%+v", x)
				}
			}
		}
		if !found {
			t.Errorf("no favourite of %v was looked for", w[0])
		}
	}
}
