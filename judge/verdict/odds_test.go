package verdict_test

import (
	"math"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/judge/verdict"
)

// tok writes a token with rivals: "text p", the first is the one written.
func tok(pairs ...any) arena.Token {
	var t arena.Token
	for i := 0; i < len(pairs); i += 2 {
		o := arena.TokenOdds{Text: pairs[i].(string), LogProb: math.Log(pairs[i+1].(float64))}
		if i == 0 {
			t.Text, t.LogProb = o.Text, o.LogProb
		}
		t.Top = append(t.Top, o)
	}
	return t
}

func TestOdds(t *testing.T) {
	key := []arena.Token{tok(" \"", 1.0), tok("better", 1.0), tok("_response", 1.0), tok("\":", 1.0)}
	for _, tt := range []struct {
		name   string
		tokens []arena.Token
		want   *arena.LabelOdds
	}{
		{"cand, _, digit", append(key[:4:4], tok(" \"", 1.0), tok("cand", 0.9, "tie", 0.1), tok("_", 1.0), tok("1", 0.8, "2", 0.2), tok("\"", 1.0)), &arena.LabelOdds{First: 0.72, Second: 0.18, Tie: 0.1}},
		{"the quotation mark within the token", append(key[:4:4], tok(" \"cand", 0.9, " \"tie", 0.1), tok("_1", 0.5, "_2", 0.5), tok("\"\n", 1.0)), &arena.LabelOdds{First: 0.45, Second: 0.45, Tie: 0.1}},
		{"a whole label in a token", append(key[:4:4], tok(" \"", 1.0), tok("cand_2\"", 0.6, "cand_1\"", 0.3, "tie", 0.1)), &arena.LabelOdds{First: 0.3, Second: 0.6, Tie: 0.1}},
		{"tie by pieces", append(key[:4:4], tok(" \"", 1.0), tok("t", 0.7, "c", 0.3), tok("ie", 1.0)), &arena.LabelOdds{First: 0.15, Second: 0.15, Tie: 0.7}},
		{"other words take part of it", append(key[:4:4], tok(" \"", 1.0), tok("cand", 0.6, "response", 0.4), tok("_1", 1.0)), &arena.LabelOdds{First: 1}},
		{"nothing but other words", append(key[:4:4], tok(" \"", 1.0), tok("A", 1.0)), nil},
		{"no label among them", key, nil},
		{"none", nil, nil},
		{"no rivals given", append(key[:4:4], tok(" \"", 1.0), arena.Token{Text: "cand", LogProb: -0.1}, arena.Token{Text: "_2", LogProb: -0.2}), &arena.LabelOdds{Second: 1}},
		{"broken numbers", append(key[:4:4], tok(" \"", 1.0), arena.Token{Text: "cand_1", LogProb: math.NaN(), Top: []arena.TokenOdds{{Text: "cand_1", LogProb: 7}}}), nil},
		{"a bare word", append(key[:4:4], tok(" cand", 0.9, " tie", 0.1), tok("_1", 1.0)), &arena.LabelOdds{First: 0.9, Tie: 0.1}},
		{"the last of two", append(append(append(key[:4:4], tok(" \"", 1.0), tok("tie", 1.0), tok("\"", 1.0)), key...), tok(" \"", 1.0), tok("cand_1", 1.0)), &arena.LabelOdds{First: 1}},
	} {
		got := verdict.Odds(tt.tokens)
		switch {
		case (got == nil) != (tt.want == nil):
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		case got != nil && (math.Abs(got.First-tt.want.First)+math.Abs(got.Second-tt.want.Second)+math.Abs(got.Tie-tt.want.Tie) > 1e-9):
			t.Errorf("%s: %+v, want %+v", tt.name, *got, *tt.want)
		}
	}
}

// FuzzOdds: whatever tokens a server sends, the odds are none or sum to 1.
func FuzzOdds(f *testing.F) {
	f.Add("better_response|\": \"|cand|_1", -0.3, -2.0)
	f.Add("better_response||cand_1|x", 5.0, math.Inf(-1))
	f.Fuzz(func(t *testing.T, text string, a, b float64) {
		var tail []arena.Token
		for i, s := range strings.Split(text, "|") {
			tail = append(tail, arena.Token{Text: s, LogProb: a, Top: []arena.TokenOdds{{Text: s, LogProb: a}, {Text: "tie"[min(i, 3):], LogProb: b}}})
		}
		if o := verdict.Odds(tail); o != nil {
			if sum := o.First + o.Second + o.Tie; math.Abs(sum-1) > 1e-6 || o.First < 0 || o.Second < 0 || o.Tie < 0 {
				t.Errorf("odds %+v", *o)
			}
		}
	})
}
