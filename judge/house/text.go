package house

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"herarena/arena"
)

// Text is the house critic's verdict on a case as HER-RM would have written it:
// JSON in a fence, with both candidates repeated. Read by judge/verdict it gives
// what Judge gives.
func Text(c arena.Case) string {
	v, _ := judge(context.Background(), c)
	return text(c, v)
}

// The form of HER-RM's output, in the order in which its fields are written.
type (
	outForm struct {
		Result []outResult `json:"result"`
	}
	outResult struct {
		Cand1     string       `json:"cand_1"`
		Cand2     string       `json:"cand_2"`
		Principle orderedRules `json:"principle"`
		Analysis  outAnalysis  `json:"analysis"`
		Better    arena.Choice `json:"better_response"`
	}
	outRule struct {
		Name       string `json:"principle_name"`
		Dimension  string `json:"dimension_name"`
		Level      string `json:"principle_level"`
		Definition string `json:"main_content"`
		Reason     string `json:"reason_for_choosing"`
	}
	outAnalysis struct {
		Comparisons []outComparison `json:"principle_comparisons"`
		Overall     string          `json:"overall_analysis"`
		Summary     string          `json:"principle_summary"`
	}
	outComparison struct {
		Name   string       `json:"principle_name"`
		Level  string       `json:"principle_level"`
		First  string       `json:"cand_1_performance"`
		Second string       `json:"cand_2_performance"`
		Reason string       `json:"comparison_reason"`
		Winner arena.Choice `json:"winner"`
	}
)

// orderedRules is an object "Principle 1", "Principle 2", … in that order, which
// a map would lose after the ninth.
type orderedRules []outRule

// MarshalJSON writes the object.
func (o orderedRules) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, r := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		rule, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\"Principle %d\":%s", i+1, rule)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func text(c arena.Case, v arena.Verdict) string {
	r := outResult{
		Cand1: c.Cand1, Cand2: c.Cand2, Better: v.Better,
		Principle: orderedRules{}, Analysis: outAnalysis{Comparisons: []outComparison{}, Overall: v.Overall, Summary: v.Summary},
	}
	for i, p := range v.Principles {
		r.Principle = append(r.Principle, outRule{p.Name, p.Dimension, p.Level, p.Definition, p.Reason})
		k := v.Comparisons[i]
		r.Analysis.Comparisons = append(r.Analysis.Comparisons, outComparison{k.Name, p.Level, k.First, k.Second, k.Reason, k.Winner})
	}
	var b strings.Builder
	b.WriteString("```json\n")
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(outForm{Result: []outResult{r}}); err != nil {
		return "the house critic's verdict cannot be written: " + err.Error()
	}
	b.WriteString("```")
	return b.String()
}

// countOf is a number with its noun, which agrees with it.
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
