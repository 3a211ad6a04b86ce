package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/formats"
	"herarena/arena/ledger"
	"herarena/cmd/herarena/internal/roster"
	"herarena/judge/prompt"
	"herarena/tui/guard"
	"herarena/tui/page"
)

func (a *app) formatsCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "formats", Short: "List the formats of export and import, and what is lost in each", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.logFormats(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	return c
}

type formatLine struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Holds      string   `json:"holds"`
	LostExport string   `json:"lost_in_export"`
	LostImport string   `json:"lost_in_import"`
	Extensions []string `json:"extensions"`
	Parquet    bool     `json:"parquet"`
}

func (a *app) logFormats(asJSON bool) error {
	for _, f := range formats.All() {
		if asJSON {
			if err := a.printJSON(formatLine{f.Name, f.Title, f.Holds, f.LostOut, f.LostIn, f.Extensions, f.Parquet}); err != nil {
				return err
			}
			continue
		}
		endings := strings.Join(f.Extensions, " ")
		if f.Parquet {
			endings += " .parquet"
		}
		if _, err := fmt.Fprintf(a.out, "%-15s %s (%s)\n    holds          %s\n    lost going out %s\n    lost coming in %s\n",
			f.Name, f.Title, endings, f.Holds, orNothing(f.LostOut), orNothing(f.LostIn)); err != nil {
			return err
		}
	}
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// dataOptions are the options of a data-set export as the flags have them.
func (f *exportFlags) dataOptions() (formats.ExportOptions, error) {
	redact, err := formats.ParseRedaction(f.redact)
	if err != nil {
		return formats.ExportOptions{}, usagef("--redact: %v", err)
	}
	layers, err := formats.ParseLayers(f.layers)
	if err != nil {
		return formats.ExportOptions{}, usagef("--layers: %v", err)
	}
	if f.visible {
		layers = formats.LayersVisible
	}
	branch, err := formats.ParseBranch(f.branch)
	if err != nil {
		return formats.ExportOptions{}, usagef("--branch: %v", err)
	}
	return formats.ExportOptions{
		Source: arena.Source(f.source), All: f.all, Rehearsal: f.rehearsal || len(f.duels) > 0, Reveal: f.reveal,
		Finished: page.Finished, Redact: redact, Layers: layers, Parquet: f.parquet, Branch: branch,
	}, nil
}

// dataExporter returns what writes a ledger in one of the formats of data sets.
func (a *app) dataExporter(ctx context.Context, f exportFlags) (func(*ledger.Ledger, io.Writer) error, error) {
	format, err := formats.Find(f.format)
	if err != nil {
		return nil, usagef("--format %q is unknown (want md, html, or one that herarena log formats lists)", f.format)
	}
	o, err := f.dataOptions()
	if err != nil {
		return nil, err
	}
	if o.Parquet && !format.Parquet {
		return nil, usagef("--parquet: %s does not stand in Parquet files", format.Name)
	}
	if o.Branch != formats.BranchCanon && format.Name != "sillytavern" {
		return nil, usagef("--branch is for chats (--format sillytavern); %s holds both sides", format.Name)
	}
	shown := (f.out == "" || f.out == "-") && isTerminal(a.out)
	if o.Parquet && shown {
		return nil, usagef("--parquet: a terminal cannot show it; name a file with --out")
	}
	t, err := roster.Template("", "")
	if err != nil {
		return nil, err
	}
	o.Prompt = func(c arena.Case) string { return t.Fill(c, prompt.FormRoles) }
	return func(l *ledger.Ledger, w io.Writer) error {
		to := w
		switch {
		case o.Parquet:
		case format.Extensions[0] != ".csv":
			to = escaping{w}
		case shown:
			to = cleaning{w}
		}
		return a.writeData(ctx, l, to, format, o, f.duels)
	}, nil
}

// cleaning writes a table to a terminal, which must take none of it for commands.
type cleaning struct{ to io.Writer }

func (c cleaning) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.to, guard.Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (a *app) writeData(ctx context.Context, l *ledger.Ledger, w io.Writer, format formats.Format, o formats.ExportOptions, ids []string) error {
	out, err := formats.NewWriter(w, format, o)
	if err != nil {
		return err
	}
	if err := eachChosen(ctx, l, ids, out.Add); err != nil {
		return err
	}
	report, err := out.Close()
	if err != nil {
		return err
	}
	return a.tellFormat("written", report)
}

// eachChosen calls do with the duels that were named, or with all, oldest first.
func eachChosen(ctx context.Context, l *ledger.Ledger, ids []string, do func(*ledger.DuelFull) error) error {
	for _, id := range ids {
		d, err := l.Duel(ctx, id)
		if err != nil {
			return err
		}
		if err := do(d); err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		return nil
	}
	all, err := l.Duels(ctx, ledger.Filter{})
	if err != nil {
		return err
	}
	for _, d := range slices.Backward(all) {
		ids = append(ids, d.ID)
	}
	return l.EachDuel(ctx, ids, do)
}

// errInPlay ends a search for a duel in play at the first.
var errInPlay = errors.New("a blind duel is in play")

// inPlay reports whether any of the duels is blind and not over, so that who
// stands where in it must not be told.
func inPlay(ctx context.Context, l *ledger.Ledger, ids []string) (bool, error) {
	all, err := l.Duels(ctx, ledger.Filter{})
	if err != nil {
		return false, err
	}
	var blind []string
	for _, s := range all {
		if s.Blind && (len(ids) == 0 || begins(s.ID, ids)) {
			blind = append(blind, s.ID)
		}
	}
	err = l.EachDuel(ctx, blind, func(d *ledger.DuelFull) error {
		if over, _ := page.Finished(d, time.Now()); !over {
			return errInPlay
		}
		return nil
	})
	if errors.Is(err, errInPlay) {
		return true, nil
	}
	return false, err
}

func begins(id string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}
