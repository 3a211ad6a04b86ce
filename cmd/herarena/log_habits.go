package main

import (
	"context"
	"fmt"
	"io"

	"herarena/arena/habit"
	"herarena/arena/ledger"
	"herarena/tui/guard"
)

// habitsOutput is what --habits tells of the voters: advice, no verdict.
type habitsOutput struct {
	Alpha    float64        `json:"alpha"`
	Votes    int            `json:"votes"`
	Voters   int            `json:"voters"`
	Tests    int            `json:"tests"`
	Alone    bool           `json:"alone"`
	Findings []habitFinding `json:"findings"`
}

type habitFinding struct {
	Voter    string  `json:"voter"`
	Habit    string  `json:"habit"`
	Subject  string  `json:"subject"`
	Against  bool    `json:"against"`
	Votes    int     `json:"votes"`
	Hits     int     `json:"hits"`
	Expected float64 `json:"expected"`
	EValue   float64 `json:"e_value"`
	Firm     bool    `json:"firm"`
	Message  string  `json:"message"`
}

func habitsOf(ctx context.Context, l *ledger.Ledger) (*habitsOutput, error) {
	votes, err := l.Voted(ctx)
	if err != nil {
		return nil, err
	}
	r := habit.Look(votes, habit.Options{})
	out := &habitsOutput{Alpha: r.Alpha, Votes: r.Votes, Voters: r.Voters, Tests: len(r.Tests), Alone: r.Alone, Findings: []habitFinding{}}
	for _, t := range r.Alarms() {
		out.Findings = append(out.Findings, habitFinding{
			t.Voter, string(t.Kind), t.Subject, t.Against, t.Votes, t.Hits, t.Expected, t.E(), t.Firm, t.Sentence(),
		})
	}
	return out, nil
}

func (o *habitsOutput) tell(w io.Writer) error {
	for _, f := range o.Findings {
		if _, err := fmt.Fprintln(w, guard.Line("habit     "+f.Message)); err != nil {
			return err
		}
	}
	found := "none stands out"
	if n := len(o.Findings); n > 0 {
		found = plural(n, "habit") + " to look at; nothing was changed or left out"
	}
	_, err := fmt.Fprintf(w, "Habits in %s of %s that count: %s.\n", plural(o.Votes, "vote"), plural(o.Voters, "voter"), found)
	if err == nil && o.Alone {
		_, err = fmt.Fprintln(w, "With one voter alone nobody can say whether a favourite is one.")
	}
	return err
}
