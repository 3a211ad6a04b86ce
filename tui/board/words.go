package board

import (
	"fmt"
	"math"

	"herarena/arena/rating"
)

// PositionLines say in words what a source's answers owe to places.
func PositionLines(p rating.Position) []string {
	lines := []string{fmt.Sprintf("%s: side A won %s%s", p.Source, share(p.Side, "decided battle"), chance(p.Side))}
	if p.First != nil {
		lines = append(lines, fmt.Sprintf("  the reply shown first won %s%s", share(*p.First, "answer"), chance(*p.First)))
	}
	if o := p.Orders; o != nil && o.N > 0 {
		line := fmt.Sprintf("  asked in both orders %s: the same answer %.0f %% (%.0f to %.0f)",
			some(o.N, "time"), 100*o.Consistency.Rate, 100*o.Consistency.Low, 100*o.Consistency.High)
		if o.Flips > 0 {
			line += fmt.Sprintf("; flips to the reply shown first %s, to the one shown second %s", half(o.Primacy), half(o.Recency))
			if o.PrimacyTie+o.RecencyTie > 0 {
				line += fmt.Sprintf(", with no preference in one order %s and %s", half(o.PrimacyTie), half(o.RecencyTie))
			}
			line += fmt.Sprintf("; lean %+.2f (-1 always the first, 1 always the second)", o.Fairness)
		}
		lines = append(lines, line)
		if o.Failed > 0 {
			lines = append(lines, fmt.Sprintf("  %s could not be read in one order or both", some(float64(o.Failed), "verdict")))
		}
	}
	return lines
}

// some writes a number with its noun.
func some(n float64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return half(n) + " " + noun + "s"
}

func share(s rating.Share, noun string) string {
	if s.N == 0 {
		return "none: no battle was decided"
	}
	return fmt.Sprintf("%.0f %% (%.0f to %.0f) of %s", 100*s.Rate, 100*s.Low, 100*s.High, some(s.N, noun))
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

// SideLine says what standing on side A is worth with the contestants held equal,
// or why that cannot be told; "" where nothing is known.
func SideLine(b rating.Board) string {
	if b.Side == nil {
		return b.SideNote
	}
	return fmt.Sprintf("With the contestants held equal, standing on side A is worth %s.", Worth(*b.Side))
}

// Worth writes an effect in points with its interval.
func Worth(e rating.Effect) string {
	text := fmt.Sprintf("%s (%s to %s) points", signed(e.Points), signed(e.Low), signed(e.High))
	if e.Low <= 0 && e.High >= 0 {
		text += ", which may be nothing"
	}
	return text
}

// signed writes a number with its sign; nothing has none.
func signed(v float64) string {
	if math.Abs(v) < 0.05 {
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", v)
}

// AgreementLines say in words how far two sources agree.
func AgreementLines(a rating.Agreement) []string {
	lines := []string{
		fmt.Sprintf("%s and %s, %s", a.A, a.B, some(math.Round(a.All.N*10)/10, "turn")),
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
	} else {
		text += "; no kappa, as one of them said the same every time"
	}
	if m.AC1 != nil {
		text += fmt.Sprintf(", AC1 %.2f", *m.AC1)
	}
	return text
}
