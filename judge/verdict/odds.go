package verdict

import (
	"math"
	"strings"

	"herarena/arena"
)

// leastMass is the probability that must fall on the three labels for their odds
// to be worth anything: below it the tokens read were not those of a label.
const leastMass = 0.5

// Odds reads from the last tokens of a critic's output how likely it held each
// of the three labels to be: at each token of the last better_response the
// probabilities of its rivals go to the labels that they begin or go on with. It
// is nil where the label is not among the tokens or the probabilities do not
// tell.
func Odds(tail []arena.Token) *arena.LabelOdds {
	start, inside := labelStart(tail)
	if start < 0 {
		return nil
	}
	labels := [...]string{string(arena.First), string(arena.Second), string(arena.Tie)}
	var mass [len(labels)]float64
	path, typed := 1.0, ""
	for i := start; i < len(tail) && path > 0; i++ {
		t := tail[i]
		lead := ""
		if i == start {
			lead = t.Text[:inside]
		}
		chosen := fitting(labels[:], typed, strings.TrimPrefix(t.Text, lead))
		rivals := t.Top
		if len(rivals) == 0 {
			rivals = []arena.TokenOdds{{Text: t.Text, LogProb: t.LogProb}}
		}
		for _, r := range rivals {
			rest, ok := strings.CutPrefix(r.Text, lead)
			if !ok || r.Text == t.Text && len(chosen) > 1 {
				continue
			}
			p := path * probability(r.LogProb)
			fits := fitting(labels[:], typed, rest)
			for _, n := range fits {
				mass[n] += p / float64(len(fits))
			}
		}
		if len(chosen) < 2 {
			break
		}
		path *= probability(t.LogProb)
		typed += strings.TrimPrefix(t.Text, lead)
	}
	sum := mass[0] + mass[1] + mass[2]
	if sum < leastMass || math.IsNaN(sum) {
		return nil
	}
	return &arena.LabelOdds{First: mass[0] / sum, Second: mass[1] / sum, Tie: mass[2] / sum}
}

// labelStart finds the token in which the last label begins, and where in it.
func labelStart(tail []arena.Token) (token, inside int) {
	var text strings.Builder
	for _, t := range tail {
		text.WriteString(t.Text)
	}
	all := text.String()
	at := strings.LastIndex(all, `better_response`)
	if at < 0 {
		return -1, 0
	}
	at += len(`better_response`)
	rest := strings.TrimLeft(all[at:], "\"'` \t\r\n:*")
	at = len(all) - len(rest)
	for i, t := range tail {
		if at < len(t.Text) {
			return i, at
		}
		at -= len(t.Text)
	}
	return -1, 0
}

// fitting lists the labels that begin with typed and go on with text, as far as
// text goes; what follows a whole label does not matter. A token without a
// letter says nothing.
func fitting(labels []string, typed, text string) []int {
	text = strings.ToLower(text)
	if text == "" {
		return nil
	}
	var out []int
	for i, l := range labels {
		rest, ok := strings.CutPrefix(l, typed)
		if ok && rest != "" && (strings.HasPrefix(rest, text) || strings.HasPrefix(text, rest)) {
			out = append(out, i)
		}
	}
	return out
}

func probability(log float64) float64 {
	if math.IsNaN(log) || log > 0 {
		return 0
	}
	return math.Exp(log)
}
