package rating

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// intern keeps one copy of each contestant's name, so that a million battles
// do not hold a million copies.
type intern map[string]string

func (in intern) name(s []byte) string {
	if kept, ok := in[string(s)]; ok {
		return kept
	}
	kept := string(s)
	in[kept] = kept
	return kept
}

// parseOutcome reads a winner's label as FastChat, lmarena and this program
// write it.
func parseOutcome(label []byte) (Outcome, bool) {
	switch string(label) {
	case "model_a":
		return Win, true
	case "model_b":
		return Loss, true
	case "tie":
		return Tie, true
	case "tie (bothbad)", "both_bad", "bothbad":
		return BothBad, true
	}
	folded := strings.ToLower(strings.TrimSpace(string(label[:min(len(label), 64)])))
	switch strings.NewReplacer(" ", "", "_", "", "-", "", "(", "", ")", "").Replace(folded) {
	case "modela":
		return Win, true
	case "modelb":
		return Loss, true
	case "tie":
		return Tie, true
	case "tiebothbad", "bothbad":
		return BothBad, true
	}
	return 0, false
}

// parseNumber reads a finite number; integers without a detour.
func parseNumber(text []byte) (float64, bool) {
	if len(text) == 0 || len(text) > 64 {
		return 0, false
	}
	if len(text) <= 15 {
		n := 0
		for i, c := range text {
			if c < '0' || c > '9' {
				break
			}
			if n = 10*n + int(c-'0'); i == len(text)-1 {
				return float64(n), true
			}
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

func badWinner(label string) string {
	return fmt.Sprintf("%q is no winner; write model_a, model_b, tie or tie (bothbad)", clip(label))
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const most = 40
	if runes := []rune(s[:min(len(s), 4*most+4)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// InputError says where a file of battles could not be read.
type InputError struct {
	Line   int    // from 1
	Column int    // in bytes from 1, 0 where it is the whole line
	Field  string // name of the column or key, "" where none is meant
	Reason string
}

// Error returns the place and the reason as one sentence.
func (e *InputError) Error() string {
	place := fmt.Sprintf("line %d", e.Line)
	if e.Column > 0 {
		place += fmt.Sprintf(", column %d", e.Column)
	}
	if e.Field != "" {
		place += fmt.Sprintf(" (%s)", e.Field)
	}
	return place + ": " + e.Reason
}
