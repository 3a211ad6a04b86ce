package arena_test

import (
	"context"
	"math"
	"testing"

	"herarena/arena"
)

// opinion is a critic whose verdict is a function of what it sees.
type opinion func(arena.Case) arena.Verdict

func (opinion) Name() string { return "opinion" }

func (o opinion) Judge(_ context.Context, c arena.Case, _ func(arena.Verdict)) arena.Verdict {
	return o(c)
}

func won(first, second int, degree string) []arena.Comparison {
	var out []arena.Comparison
	for range first {
		out = append(out, arena.Comparison{Winner: arena.First, Degree: degree})
	}
	for range second {
		out = append(out, arena.Comparison{Winner: arena.Second, Degree: degree})
	}
	return out
}

func TestMargin(t *testing.T) {
	for _, tt := range []struct {
		in   []arena.Comparison
		want float64
		ok   bool
	}{
		{nil, 0, false},
		{[]arena.Comparison{{Winner: ""}}, 0, false},
		{won(3, 1, ""), 0.5, true},
		{append(won(1, 0, "significant"), won(0, 1, "slight")...), 0.5, true},
		{append(won(1, 0, "clear"), arena.Comparison{Winner: arena.Tie, Degree: "significant"}), 2.0 / 3, true},
		{won(0, 2, "clear"), -1, true},
	} {
		v := arena.Verdict{Comparisons: tt.in}
		if got, ok := v.Margin(); ok != tt.ok || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%+v: %v %v, want %v %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

// TestTheEstimateTakesOutThePreferenceForAPlace: a critic that shifts the log
// odds of whatever stands first by a constant gives the same estimate as one
// that does not.
func TestTheEstimateTakesOutThePreferenceForAPlace(t *testing.T) {
	truth := 0.7 // A's, as log odds
	for _, bias := range []float64{0, 0.5, -1.2, 2} {
		critic := opinion(func(c arena.Case) arena.Verdict {
			logit := truth
			if c.Cand1 != "a" {
				logit = -truth
			}
			p := 1 / (1 + math.Exp(-(logit + bias)))
			return arena.Verdict{Better: arena.First, Label: &arena.LabelOdds{First: p, Second: 1 - p}}
		})
		r := arena.Deliberate(context.Background(), critic, arena.Case{Cand1: "a", Cand2: "b"}, nil)
		p, debiased, ok := r.Estimate()
		if want := 1 / (1 + math.Exp(-truth)); !ok || !debiased || math.Abs(p-want) > 1e-9 {
			t.Errorf("bias %v: p(A) = %v, want %v", bias, p, want)
		}
	}
}

func TestEstimateWithoutProbabilities(t *testing.T) {
	verdict := func(better arena.Choice, c ...arena.Comparison) arena.Verdict {
		return arena.Verdict{Better: better, Comparisons: c}
	}
	for _, tt := range []struct {
		name     string
		ab, ba   arena.Verdict
		want     float64
		debiased bool
		ok       bool
	}{
		{"both say A", verdict(arena.First), verdict(arena.Second), 0.75, true, true},
		{"a flip", verdict(arena.First), verdict(arena.First), 0.5, true, true},
		{"both tie", verdict(arena.Tie), verdict(arena.Tie), 0.5, true, true},
		{"one order", verdict(arena.Second), arena.Verdict{}, 0.25, false, true},
		{"neither", arena.Verdict{}, arena.Verdict{}, 0, false, false},
		{"by degrees", verdict(arena.First, won(3, 1, "clear")...), verdict(arena.Second, won(1, 3, "clear")...), 0.75, true, true},
		{"never certain", verdict(arena.First, won(3, 0, "clear")...), verdict(arena.Second, won(0, 3, "clear")...), 0.98, true, true},
		{"half shares of a tie", arena.Verdict{Better: arena.Tie, Label: &arena.LabelOdds{First: 0.2, Second: 0.2, Tie: 0.6}}, arena.Verdict{}, 0.5, false, true},
	} {
		r := arena.Ruling{Verdicts: [2]arena.Verdict{tt.ab, tt.ba}}
		p, debiased, ok := r.Estimate()
		if ok != tt.ok || debiased != tt.debiased || math.Abs(p-tt.want) > 1e-9 {
			t.Errorf("%s: %v %v %v, want %v %v %v", tt.name, p, debiased, ok, tt.want, tt.debiased, tt.ok)
		}
	}
}

func TestOrderPolicies(t *testing.T) {
	pair := func(i int) arena.Case {
		return arena.Case{Cand1: "a", Cand2: "b", Context: []arena.ContextLine{{Content: string(rune('0' + i))}}}
	}
	ask := func(policy arena.OrderPolicy, v func(arena.Case) arena.Verdict, i int) (arena.Ruling, int) {
		n := 0
		r := arena.DeliberateBy(context.Background(), policy, opinion(func(c arena.Case) arena.Verdict { n++; return v(c) }), pair(i), nil)
		return r, n
	}
	clear := func(c arena.Case) arena.Verdict {
		if c.Cand1 == "a" {
			return arena.Verdict{Better: arena.First, Comparisons: won(3, 0, "clear")}
		}
		return arena.Verdict{Better: arena.Second, Comparisons: won(0, 3, "clear")}
	}
	narrow := func(c arena.Case) arena.Verdict {
		if c.Cand1 == "a" {
			return arena.Verdict{Better: arena.First, Comparisons: won(3, 2, "slight")}
		}
		return arena.Verdict{Better: arena.Second, Comparisons: won(2, 3, "slight")}
	}
	silent := func(arena.Case) arena.Verdict { return arena.Verdict{Status: arena.VerdictFailed} }
	first := [2]int{}
	for i := range 60 {
		r, n := ask(arena.OrdersNever, clear, i)
		if n != 1 || r.Agreement != arena.OneOrder || r.Winner != arena.ChoseA || r.Orders != arena.OrdersNever {
			t.Fatalf("never: %d asked, %s, winner %q", n, r.Agreement, r.Winner)
		}
		if out := r.Outcomes(); len(out) != 1 || out[0].Weight != 0.5 {
			t.Fatalf("never counts %v", out)
		}
		if r.Verdicts[arena.AFirst].Better == arena.NoChoice {
			first[1]++
		} else {
			first[0]++
		}
		if again, _ := ask(arena.OrdersNever, clear, i); again.Verdicts[0].Better != r.Verdicts[0].Better {
			t.Fatal("the same case is asked in another order the next time")
		}
	}
	if first[0] < 15 || first[1] < 15 {
		t.Errorf("the orders asked are %v", first)
	}
	for _, tt := range []struct {
		name   string
		policy arena.OrderPolicy
		v      func(arena.Case) arena.Verdict
		asked  int
		want   arena.Agreement
	}{
		{"close, and it is clear", arena.OrdersClose, clear, 1, arena.OneOrder},
		{"close, and it is", arena.OrdersClose, narrow, 2, arena.Agree},
		{"close, and unreadable", arena.OrdersClose, silent, 2, arena.NoVerdict},
		{"never, and unreadable", arena.OrdersNever, silent, 1, arena.NoVerdict},
		{"close, and a tie", arena.OrdersClose, func(arena.Case) arena.Verdict { return arena.Verdict{Better: arena.Tie} }, 2, arena.Agree},
		{"always", arena.OrdersAlways, clear, 2, arena.Agree},
		{"nothing said", "", clear, 2, arena.Agree},
	} {
		if tt.name == "always" || tt.policy == "" {
			continue // two goroutines: counted below without a race
		}
		r, n := ask(tt.policy, tt.v, 3)
		if n != tt.asked || r.Agreement != tt.want {
			t.Errorf("%s: %d asked, %s; want %d, %s", tt.name, n, r.Agreement, tt.asked, tt.want)
		}
	}
	if r := arena.DeliberateBy(context.Background(), "", opinion(clear), pair(1), nil); r.Agreement != arena.Agree || r.Orders != arena.OrdersAlways {
		t.Errorf("by default: %s by policy %q", r.Agreement, r.Orders)
	}
	for word, ok := range map[string]bool{"": true, "always": true, "never": true, "close": true, "sometimes": false} {
		if _, err := arena.ParseOrderPolicy(word); (err == nil) != ok {
			t.Errorf("%q: %v", word, err)
		}
	}
}
