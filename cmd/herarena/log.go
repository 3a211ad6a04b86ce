package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/tui/guard"
)

func (a *app) logCmd() *cobra.Command {
	c := &cobra.Command{Use: "log", Short: "List, show, export or import what the ledger keeps", RunE: group}
	var limit int
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List the duels, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.logList(cmd.Context(), limit, asJSON) },
	}
	list.Flags().IntVar(&limit, "limit", 50, "list at most so many; 0 lists all")
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	show := &cobra.Command{
		Use: "show DUEL", Short: "Show a duel by its id, or the beginning of it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.logShow(cmd.Context(), args[0], asJSON) },
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	export := &cobra.Command{
		Use: "export [FILE]", Short: "Write the whole ledger as JSON Lines", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.logExport(cmd.Context(), args) },
	}
	imp := &cobra.Command{
		Use: "import [FILE]", Short: "Take in an export; what is there already is left as it is", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.logImport(cmd.Context(), args) },
	}
	c.AddCommand(list, show, export, imp)
	return c
}

// withLedger opens the ledger for a command. With mustExist a ledger that is
// not there is an error that says how one comes to be.
func (a *app) withLedger(ctx context.Context, mustExist bool, f func(*ledger.Ledger) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	path := a.ledgerPath(cfg)
	if _, err := os.Stat(path); mustExist && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no ledger at %s yet: play a duel first (herarena)", path)
	}
	l, err := ledger.Open(ctx, path)
	if err != nil {
		return err
	}
	err = f(l)
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	return err
}

type duelLine struct {
	ID          string    `json:"id"`
	Started     time.Time `json:"started"`
	Scene       string    `json:"scene"`
	Contestants [2]string `json:"contestants"`
	Critic      string    `json:"critic"`
	Turns       int       `json:"turns"`
	Votes       int       `json:"votes"`
	Rulings     int       `json:"rulings"`
	Rehearsal   bool      `json:"rehearsal"`
}

func (a *app) logList(ctx context.Context, limit int, asJSON bool) error {
	if limit < 0 {
		return usagef("--limit %d: a number of duels cannot be negative", limit)
	}
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		duels, err := l.Duels(ctx, ledger.Filter{Limit: limit})
		if err != nil {
			return err
		}
		for _, d := range duels {
			if asJSON {
				err = a.printJSON(duelLine{d.ID, d.Started, d.SceneID, d.Contestants, d.Critic, d.Turns, d.Votes, d.Rulings, d.Rehearsal})
			} else {
				_, err = fmt.Fprintf(a.out, "%s  %s  %s: %s – %s, %s, %s\n", guard.Line(d.ID), d.Started.Local().Format("2006-01-02 15:04"),
					guard.Line(d.SceneTitle), guard.Line(d.Contestants[0]), guard.Line(d.Contestants[1]), plural(d.Turns, "turn"), plural(d.Votes, "vote"))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) logShow(ctx context.Context, id string, asJSON bool) error {
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		d, err := l.Duel(ctx, id)
		if err != nil {
			return err
		}
		if asJSON {
			doc, err := snakeCase(d)
			if err != nil {
				return err
			}
			return a.printJSON(doc)
		}
		_, err = fmt.Fprint(a.out, guard.Text(tell(d)))
		return err
	})
}

// tell writes a duel as a person reads it.
func tell(d *ledger.DuelFull) string {
	var b strings.Builder
	rec := d.DuelRecord
	fmt.Fprintf(&b, "%s   %s\n%s and %s play %s, with you as %s\n", rec.SceneTitle, rec.Started.Local().Format("2006-01-02 15:04"),
		rec.Contestants[0].Name, rec.Contestants[1].Name, rec.Character, rec.User)
	for i := range d.Turns {
		t := &d.Turns[i].Turn
		fmt.Fprintf(&b, "\n── turn %d\n%s: %s\n", t.Number, rec.User, t.Line)
		for _, side := range []arena.Side{arena.A, arena.B} {
			r := t.Reply(side)
			if r == nil {
				continue
			}
			mark := ""
			if t.Canon == r.Contestant {
				mark = "   canon"
			}
			if ok, why := r.Validity(); !ok {
				mark += "   (" + why + ")"
			}
			fmt.Fprintf(&b, "\n%s  %s%s\n", side, rec.Contestants[r.Contestant].Name, mark)
			for _, s := range r.Segments {
				if s.Layer == layers.Speech {
					fmt.Fprintf(&b, "   %s\n", s.Text)
				} else {
					fmt.Fprintf(&b, "   [%s] %s\n", s.Layer, s.Text)
				}
			}
		}
		if t.Ruling != nil {
			fmt.Fprintf(&b, "\n%s: %s %s\n", t.Ruling.Critic, t.Ruling.Agreement, t.Ruling.Winner)
		}
		if t.Vote != nil {
			fmt.Fprintf(&b, "vote: %s\n", t.Vote.Choice)
		}
	}
	return b.String()
}

func (a *app) logExport(ctx context.Context, args []string) error {
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		if len(args) == 0 || args[0] == "-" {
			return exportTo(ctx, l, a.out)
		}
		f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already and stays as it is: choose another name", args[0])
		}
		if err != nil {
			return fmt.Errorf("the export cannot be written: %w", err)
		}
		err = exportTo(ctx, l, f)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			_, err = fmt.Fprintln(a.out, args[0])
		}
		return err
	})
}

// exportTo writes an export whose text no terminal takes for commands.
func exportTo(ctx context.Context, l *ledger.Ledger, w io.Writer) error {
	buffered := bufio.NewWriter(w)
	if err := l.Export(ctx, escaping{buffered}); err != nil {
		return err
	}
	return buffered.Flush()
}

func (a *app) logImport(ctx context.Context, args []string) error {
	in := a.in
	name := "standard input"
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return fmt.Errorf("the export cannot be read: %w", err)
		}
		defer func() { _ = f.Close() }()
		in, name = io.Reader(f), args[0]
	}
	return a.withLedger(ctx, false, func(l *ledger.Ledger) error {
		report, err := l.Import(ctx, in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, part := range []struct {
			what string
			n    ledger.Counts
		}{
			{"duels", report.Duels},
			{"turns", report.Turns},
			{"replies", report.Replies},
			{"rulings", report.Rulings},
			{"votes", report.Votes},
			{"battles", report.Battles},
		} {
			if _, err := fmt.Fprintf(a.out, "%-8s %d new, %d here already\n", part.what, part.n.Added, part.n.Known); err != nil {
				return err
			}
		}
		return nil
	})
}
