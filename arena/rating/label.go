package rating

import (
	"fmt"
	"strings"
)

// intern keeps one copy of each contestant's name, so that a million battles
// do not hold a million copies.
type intern map[string]string

func (in intern) name(s string) string {
	if kept, ok := in[s]; ok {
		return kept
	}
	kept := strings.Clone(s)
	in[kept] = kept
	return kept
}

// parseOutcome reads a winner's label as FastChat, lmarena and this program
// write it.
func parseOutcome(label string) (Outcome, bool) {
	switch label {
	case "model_a":
		return Win, true
	case "model_b":
		return Loss, true
	case "tie":
		return Tie, true
	case "tie (bothbad)", "both_bad", "bothbad":
		return BothBad, true
	}
	folded := strings.ToLower(strings.TrimSpace(label))
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
