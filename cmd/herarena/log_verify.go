package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"herarena/arena/ledger"
	"herarena/tui/guard"
)

// verifyFlags are the flags of herarena log verify.
type verifyFlags struct {
	head           string
	habits, asJSON bool
}

func (a *app) verifyCmd() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use: "verify", Short: "Check that no battle and no vote was changed, removed or put in from outside",
		Long: "verify reads the chain of hashes over battles and votes and compares it with what\n" +
			"the ledger holds. It names each battle or vote that was changed, removed or written\n" +
			"around the program, and each link that was; then it ends with 1. The last line is\n" +
			"the head of the chain: kept elsewhere and given with --head another day, it also\n" +
			"finds a chain that was made anew as a whole. --habits looks for votes that follow a\n" +
			"side, a favourite or haste; that is advice, and nothing is deleted.",
		Example: "herarena log verify\nherarena log verify --habits --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.logVerify(cmd.Context(), f) },
	}
	c.Flags().StringVar(&f.head, "head", "", "a head of the chain that was kept elsewhere, as `N:HASH`")
	c.Flags().BoolVar(&f.habits, "habits", false, "also tell the habits of voters")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return c
}

type verifyOutput struct {
	OK       bool            `json:"ok"`
	Links    int             `json:"links"`
	Battles  int             `json:"battles"`
	Votes    int             `json:"votes"`
	Replaced int             `json:"replaced"`
	Began    *time.Time      `json:"began"`
	Adopted  int             `json:"adopted"`
	Head     verifyHead      `json:"head"`
	Found    int             `json:"found"`
	Findings []verifyFinding `json:"findings"`
	Habits   *habitsOutput   `json:"habits,omitempty"`
}

type verifyHead struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}

type verifyFinding struct {
	Kind    string `json:"kind"`
	What    string `json:"what"`
	ID      string `json:"id"`
	Seq     int64  `json:"seq"`
	Message string `json:"message"`
}

func (a *app) logVerify(ctx context.Context, f verifyFlags) error {
	var known ledger.Head
	if f.head != "" {
		var err error
		if known, err = ledger.ParseHead(f.head); err != nil {
			return usageError{fmt.Errorf("--head: %w", err)}
		}
	}
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		report, err := l.Verify(ctx, known)
		if err != nil {
			return err
		}
		out := verified(&report)
		if f.habits {
			if out.Habits, err = habitsOf(ctx, l); err != nil {
				return err
			}
		}
		if f.asJSON {
			err = a.printJSON(out)
		} else {
			err = out.tell(a.out)
		}
		if err == nil && !out.OK {
			err = errReported
		}
		return err
	})
}

func verified(r *ledger.Report) verifyOutput {
	out := verifyOutput{
		OK: r.Total == 0, Links: r.Links, Battles: r.Battles, Votes: r.Votes, Replaced: r.Replaced, Adopted: r.Adopted,
		Head: verifyHead{r.Head.Seq, r.Head.Hash}, Found: r.Total, Findings: []verifyFinding{},
	}
	if !r.Began.IsZero() {
		out.Began = &r.Began
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, verifyFinding{f.Kind, f.What, f.ID, f.Seq, f.Text})
	}
	return out
}

// tell writes what was found as a person reads it.
func (o *verifyOutput) tell(w io.Writer) error {
	var err error
	say := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintln(w, guard.Line(fmt.Sprintf(format, args...)))
		}
	}
	for _, f := range o.Findings {
		say("%-8s  %s", f.Kind, f.Message)
	}
	if more := o.Found - len(o.Findings); more > 0 {
		say("and %d more", more)
	}
	if o.OK {
		say("%s and %s are as they were kept.", plural(o.Battles, "battle"), plural(o.Votes, "vote"))
	} else {
		say("%s in %s and %s: the ledger was written by something else than herarena.", plural(o.Found, "finding"), plural(o.Battles, "battle"), plural(o.Votes, "vote"))
	}
	since := "The beginning of the chain is missing"
	if o.Began != nil {
		since = "The chain begins " + o.Began.Local().Format("2006-01-02 15:04")
		if o.Adopted > 0 {
			since += fmt.Sprintf(" with %d battles and votes that were there before it, of which it knows nothing earlier", o.Adopted)
		}
	}
	say("%s; %s, %d of them since replaced.", since, plural(o.Links, "link"), o.Replaced)
	if o.Habits != nil && err == nil {
		err = o.Habits.tell(w)
	}
	say("head %s", ledger.Head{Seq: o.Head.Seq, Hash: o.Head.Hash})
	return err
}
