package board

import (
	"fmt"
	"math"

	"herarena/arena/rating"
)

// PositionLines say in words what a source's answers owe to places.
func PositionLines(p rating.Position) []string {
	lines := []string{fmt.Sprintf("%s: side A won %s of the decided battles%s", p.Source, share(p.Side), chance(p.Side))}
	if p.First != nil {
		lines = append(lines, fmt.Sprintf("  the reply shown first won %s%s", share(*p.First), chance(*p.First)))
	}
	if o := p.Orders; o != nil && o.N > 0 {
		lines = append(lines, fmt.Sprintf("  asked in both orders %.0f times: the same answer %.0f %% (%.0f to %.0f); flips to the first %.0f, to the second %.0f, with no preference in one order %.0f and %.0f; lean %+.2f (-1 always the first, 1 always the second)",
			o.N, 100*o.Consistency.Rate, 100*o.Consistency.Low, 100*o.Consistency.High, o.Primacy, o.Recency, o.PrimacyTie, o.RecencyTie, o.Fairness))
		if o.Failed > 0 {
			lines = append(lines, fmt.Sprintf("  %d answers could not be read", o.Failed))
		}
	}
	return lines
}

func share(s rating.Share) string {
	if s.N == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f %% (%.0f to %.0f) of %s", 100*s.Rate, 100*s.Low, 100*s.High, half(s.N))
}

func chance(s rating.Share) string {
	switch {
	case s.N == 0:
		return ""
	case s.P < 0.001:
		return fmt.Sprintf(": not by chance (p %.0e)", s.P)
	case s.P < 0.05:
		return fmt.Sprintf(": hardly by chance (p %.3f)", s.P)
	}
	return fmt.Sprintf(": may be chance (p %.2f)", s.P)
}

// AgreementLines say in words how far two sources agree.
func AgreementLines(a rating.Agreement) []string {
	lines := []string{
		fmt.Sprintf("%s and %s, %s turns", a.A, a.B, half(math.Round(a.All.N*10)/10)),
		"  with no preference as an answer: " + measure(a.All),
	}
	if a.Decisive.N > 0 {
		lines = append(lines, fmt.Sprintf("  where both preferred a side (%s): %s", half(math.Round(a.Decisive.N*10)/10), measure(a.Decisive)))
	}
	return lines
}

func measure(m rating.Measure) string {
	text := fmt.Sprintf("the same %.0f %% (%.0f to %.0f), by chance %.0f %%", 100*m.Raw, 100*m.Low, 100*m.High, 100*m.Chance)
	if m.Kappa != nil {
		text += fmt.Sprintf("; kappa %.2f (%.2f to %.2f)", *m.Kappa, *m.KappaLow, *m.KappaHigh)
	}
	if m.AC1 != nil {
		text += fmt.Sprintf(", AC1 %.2f", *m.AC1)
	}
	return text
}
