package habit

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"testing"

	"herarena/arena"
)

// planted makes the votes of the golden sets (SplitMix64 by battle and draw):
// contestants differ in strength and length, sides and lengths bias everybody a
// little. With frauds, voter u7 always supports contestant 3 and u8 always votes
// for the left side.
func planted(n int, seed uint64, models, users int, frauds bool) []Vote {
	mix := func(z uint64) uint64 {
		z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
		z = (z ^ (z >> 27)) * 0x94D049BB133111EB
		return z ^ (z >> 31)
	}
	strength, weight, sum := make([]float64, models), make([]int, models), make([]float64, models)
	total := 0
	for k := range models {
		strength[k] = 1180 - 360*float64((k*7)%models)/float64(models-1)
		weight[k] = 1 + (k*5)%7
		total += weight[k]
		sum[k] = float64(total)
	}
	pick := func(x float64) int {
		for k := range sum {
			if x < sum[k] {
				return k
			}
		}
		return models - 1
	}
	votes := make([]Vote, n)
	for i := range votes {
		u := func(j int) float64 {
			return float64(mix((16*uint64(i)+uint64(j+1))*0x9E3779B97F4A7C15+seed)>>11) / (1 << 53)
		}
		a := pick(u(0) * float64(total))
		x := u(1) * float64(total-weight[a])
		if x >= sum[a]-float64(weight[a]) {
			x += float64(weight[a])
		}
		b := pick(x)
		la := 40 + 12*((a*11)%13) + int((u(2)+u(3))*200)
		lb := 40 + 12*((b*11)%13) + int((u(4)+u(5))*200)
		d := (strength[a]-strength[b])*math.Ln10/400 + 0.6*float64(la-lb)/float64(la+lb) + 0.08
		outcome := drawn(u(7), d)
		user := int(u(11) * float64(users))
		switch {
		case !frauds:
		case user == 8, user == 7 && a == 3:
			outcome = arena.ChoseA
		case user == 7 && b == 3:
			outcome = arena.ChoseB
		}
		votes[i] = Vote{Voter: fmt.Sprint("u", user), A: model(a), B: model(b), Outcome: outcome, Drawn: true}
	}
	return votes
}

func model(k int) string { return fmt.Sprintf("rp-model-%02d", k) }

// drawn turns a number from 0 to 1 into an outcome.
func drawn(u, d float64) arena.Choice {
	a, b := math.Exp(d/2), math.Exp(-d/2)
	z := a + b + 0.7
	a, b = a/z, b/z
	switch {
	case u < a:
		return arena.ChoseA
	case u < a+b:
		return arena.ChoseB
	case u < a+b+0.6*(1-a-b):
		return arena.Tie
	}
	return arena.BothBad
}

// The generator here makes the very votes of the golden files.
func TestTheGoldenSetsAreMadeAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file   string
		n      int
		seed   uint64
		models int
		users  int
	}{{"battles_200.csv", 200, 20260101, 8, 12}, {"battles_10k.csv", 10_000, 20260102, 20, 150}} {
		f, err := os.Open("../rating/testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]arena.Choice{"model_a": arena.ChoseA, "model_b": arena.ChoseB, "tie": arena.Tie, "tie (bothbad)": arena.BothBad}
		for i, v := range planted(c.n, c.seed, c.models, c.users, true) {
			row := rows[i+1]
			if row[1] == "mixtral-8x7b-instruct-v0.1" {
				row[1] = model(9)
			}
			if row[2] == "mixtral-8x7b-instruct-v0.1" {
				row[2] = model(9)
			}
			if v.A != row[1] || v.B != row[2] || v.Outcome != labels[row[3]] || v.Voter != row[6] {
				t.Fatalf("%s, row %d: %+v, want %q", c.file, i, v, row[:7])
			}
		}
	}
}
