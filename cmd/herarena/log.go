package main

import (
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
	"herarena/arena/replay"
	"herarena/characters"
	"herarena/tui/guard"
)

func (a *app) logCmd() *cobra.Command {
	c := &cobra.Command{Use: "log", Short: "List, show, replay, export, import, back up or verify what the ledger keeps", RunE: group}
	var filter listFlags
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List the duels, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.logList(cmd.Context(), filter, asJSON) },
	}
	list.Flags().IntVar(&filter.limit, "limit", 50, "list at most so many; 0 lists all")
	list.Flags().StringVar(&filter.contestant, "contestant", "", "only duels of this contestant")
	list.Flags().StringVar(&filter.scene, "scene", "", "only duels in the scene with this id")
	list.Flags().StringVar(&filter.critic, "critic", "", "only duels before this critic")
	list.Flags().StringVar(&filter.search, "search", "", "only duels in which this was said")
	list.Flags().BoolVar(&filter.unplayed, "unplayed", false, "list also duels in which nothing was said: left before their first line, or imported as battles alone")
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	show := &cobra.Command{
		Use: "show DUEL", Short: "Show a duel by its id, or the beginning of it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.logShow(cmd.Context(), args[0], asJSON) },
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(list, show, a.replayCmd(), a.exportCmd(), a.importCmd(), a.formatsCmd(), a.backupCmd(), a.verifyCmd())
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
	if _, err := os.Stat(path); mustExist && !ledger.IsServer(path) && errors.Is(err, fs.ErrNotExist) {
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

// listFlags choose the duels of a list.
type listFlags struct {
	limit                             int
	contestant, scene, critic, search string
	unplayed                          bool // list duels in which nothing was said too
}

// nothing says why a list is empty.
func (f *listFlags) nothing() string {
	if f.contestant+f.scene+f.critic+f.search == "" {
		return "the ledger holds no duel yet"
	}
	return "no duel matches all that was asked for"
}

func (a *app) logList(ctx context.Context, f listFlags, asJSON bool) error {
	if f.limit < 0 {
		return usagef("--limit %d: a number of duels cannot be negative", f.limit)
	}
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		duels, left, err := listed(ctx, l, f)
		if err != nil {
			return err
		}
		if left.unplayed > 0 {
			_, _ = fmt.Fprintf(a.errw, "herarena: %s left before the first line not listed; --unplayed lists all\n", plural(left.unplayed, "duel"))
		}
		if left.imported > 0 {
			_, _ = fmt.Fprintf(a.errw, "herarena: %s not listed, which came in as battles without what was said; --unplayed lists all\n", plural(left.imported, "duel"))
		}
		if len(duels) == 0 && left == (passedOver{}) {
			_, _ = fmt.Fprintln(a.errw, "herarena: "+f.nothing())
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

// passedOver counts duels that are not listed because they have no turn: those
// left before their first line, and those of battles imported without their text.
type passedOver struct{ unplayed, imported int }

func (p *passedOver) count(d *ledger.DuelSummary) {
	if strings.HasPrefix(d.SceneID, "imported-") {
		p.imported++
	} else {
		p.unplayed++
	}
}

// listed returns the chosen duels, newest first, and how many were passed over
// because nothing was said in them.
func listed(ctx context.Context, l *ledger.Ledger, f listFlags) (duels []ledger.DuelSummary, left passedOver, err error) {
	var found map[string]bool
	if f.search != "" {
		hits, err := l.Search(ctx, f.search)
		if err != nil {
			return nil, left, err
		}
		found = make(map[string]bool, len(hits))
		for _, h := range hits {
			found[h.DuelID] = true
		}
	}
	filter := ledger.Filter{Contestant: f.contestant, SceneID: f.scene, Critic: f.critic}
	if f.limit > 0 && f.search == "" {
		filter.Limit = max(f.limit, 100) // a page; more are read while some are passed over
	}
	for {
		page, err := l.Duels(ctx, filter)
		if err != nil {
			return nil, left, err
		}
		for _, d := range page {
			switch {
			case found != nil && !found[d.ID]:
			case d.Turns == 0 && !f.unplayed:
				left.count(&d)
			case f.limit == 0 || len(duels) < f.limit:
				duels = append(duels, d)
			}
			if f.limit > 0 && len(duels) == f.limit {
				return duels, left, nil
			}
		}
		if filter.Limit == 0 || len(page) < filter.Limit {
			return duels, left, nil
		}
		filter.Offset += len(page)
	}
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
		rec.Contestants[0].Name, rec.Contestants[1].Name, strings.Join(replay.Scene(&rec).Speakers(), ", "), rec.User)
	for i := range d.Turns {
		t := &d.Turns[i].Turn
		fmt.Fprintf(&b, "\n── turn %d\n", t.Number)
		if t.Scenery != "" {
			fmt.Fprintf(&b, "%s: %s\n", characters.EnvironmentName, t.Scenery)
		}
		if t.Line != "" || t.Speaker == "" && t.Scenery == "" {
			fmt.Fprintf(&b, "%s: %s\n", rec.User, t.Line)
		}
		if t.Speaker != "" {
			fmt.Fprintf(&b, "%s:\n", t.Speaker)
		}
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

func (a *app) logImport(ctx context.Context, args []string) error {
	in := a.in
	name := "standard input"
	whole := false
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return fmt.Errorf("the export cannot be read: %w", err)
		}
		defer func() { _ = f.Close() }()
		in, name, whole = io.Reader(f), args[0], ledger.IsFile(args[0])
	}
	return a.withLedger(ctx, false, func(l *ledger.Ledger) error {
		var report ledger.ImportReport
		var err error
		if whole {
			report, err = l.ImportFile(ctx, name)
		} else {
			report, err = l.Import(ctx, in)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return a.tellImport(report)
	})
}

func (a *app) tellImport(report ledger.ImportReport) error {
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
}
