package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"herarena/arena/formats"
	"herarena/arena/ledger"
	"herarena/tui/page"
)

// exportFlags are the flags of herarena log export.
type exportFlags struct {
	format, out             string
	duels, redact           []string
	source, layers, branch  string
	reveal, visible         bool
	all, rehearsal, parquet bool
}

func (a *app) exportCmd() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export [FILE]", Short: "Write duels as JSON Lines, Markdown, an HTML page, or in a data set's format",
		Long: "export writes the ledger, or the duels named with --duel, to a file or to standard\n" +
			"output: as JSON Lines, which herarena log import takes in again; as Markdown; as\n" +
			"one HTML page that needs nothing from elsewhere; or as one of the data sets that\n" +
			"herarena log formats lists, comparison by comparison, of which --source chooses.\n" +
			"A blind duel stays blind unless --reveal is given and it is over; in JSON Lines, one\n" +
			"that is over is named. --redact takes identities and keys out.",
		Example: "herarena log export ledger.jsonl\nherarena log export --format html --duel 01JQ --out duel.html\n" +
			"herarena log export --format trl-preference --source vote --redact voters,keys --out pairs.jsonl\n" +
			"herarena log export --format sillytavern --duel 01JQ --branch a --out a.jsonl",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.logExport(cmd.Context(), args, f) },
	}
	c.Flags().StringVar(&f.format, "format", "jsonl", "jsonl, md, html, or one of herarena log formats")
	c.Flags().StringArrayVar(&f.duels, "duel", nil, "write only this duel, by its `ID` or the beginning of it; may be repeated")
	c.Flags().StringVar(&f.out, "out", "", "write to this `FILE`, - for standard output")
	c.Flags().BoolVar(&f.reveal, "reveal", false, "name who stood where in blind duels that are finished")
	c.Flags().BoolVar(&f.visible, "visible", false, "leave out plans, reasoning, thoughts and a critic's prose")
	c.Flags().StringVar(&f.source, "source", "", "only comparisons of this `SOURCE`: vote, critic:NAME")
	c.Flags().BoolVar(&f.all, "all", false, "comparisons that do not count for a board too")
	c.Flags().BoolVar(&f.rehearsal, "rehearsal", false, "what the rehearsal's scripted players said too")
	c.Flags().StringVar(&f.layers, "layers", "", "of replies: visible, thoughts (the default) or all, plans included")
	c.Flags().StringVar(&f.branch, "branch", "", "of a chat (sillytavern): one side's replies alone, a or b")
	c.Flags().StringSliceVar(&f.redact, "redact", nil, "take out names, voters, endpoints, keys or all")
	c.Flags().BoolVar(&f.parquet, "parquet", false, "write a data set as a Parquet file")
	return c
}

func (a *app) logExport(ctx context.Context, args []string, f exportFlags) error {
	path := f.out
	if len(args) == 1 {
		if path != "" && path != args[0] {
			return usagef("two files are named, %s and %s: name one", args[0], path)
		}
		path = args[0]
	}
	f.out = path
	write, err := a.exporter(ctx, f)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		if path == "" || path == "-" {
			return buffered(a.out, func(w io.Writer) error { return write(l, w) })
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already and stays as it is: choose another name", path)
		}
		if err != nil {
			return fmt.Errorf("the export cannot be written: %w", err)
		}
		err = buffered(file, func(w io.Writer) error { return write(l, w) })
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			_ = os.Remove(path) // half a document is none, and its name would be taken
			return err
		}
		_, err = fmt.Fprintln(a.out, path)
		return err
	})
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriter(w)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// exporter returns what writes a ledger in the format asked for.
func (a *app) exporter(ctx context.Context, f exportFlags) (func(*ledger.Ledger, io.Writer) error, error) {
	if f.format == formats.Own {
		return a.linesExporter(ctx, f)
	}
	format, err := page.ParseFormat(f.format)
	if err != nil {
		return a.dataExporter(ctx, f)
	}
	if f.source != "" || f.layers != "" || f.all || f.rehearsal || f.parquet || f.branch != "" || len(f.redact) > 0 {
		return nil, usagef("--source, --all, --rehearsal, --layers, --redact, --branch and --parquet are for data, not for Markdown and HTML")
	}
	return func(l *ledger.Ledger, w io.Writer) error { return writePages(ctx, l, w, format, f) }, nil
}

// linesExporter writes the ledger's own lines: as they are, unless something is
// to be taken out of them or a blind duel is still in play.
func (a *app) linesExporter(ctx context.Context, f exportFlags) (func(*ledger.Ledger, io.Writer) error, error) {
	if f.visible || f.layers != "" || f.source != "" || f.all || f.rehearsal || f.parquet || f.branch != "" {
		return nil, usagef("JSON Lines hold everything: --visible, --layers, --source, --all, --rehearsal, --branch and --parquet are for other formats")
	}
	veiled, err := a.dataExporter(ctx, f)
	if err != nil {
		return nil, err
	}
	return func(l *ledger.Ledger, w io.Writer) error {
		blind := false
		if !f.reveal {
			if blind, err = inPlay(ctx, l, f.duels); err != nil {
				return err
			}
		}
		if blind || len(f.redact) > 0 {
			return veiled(l, w)
		}
		// No terminal takes its text for commands.
		if len(f.duels) > 0 {
			return l.ExportDuels(ctx, escaping{w}, f.duels...)
		}
		return l.Export(ctx, escaping{w})
	}, nil
}

// writePages writes one duel after the other into one document, oldest first.
func writePages(ctx context.Context, l *ledger.Ledger, w io.Writer, format page.Format, f exportFlags) error {
	title := "HER Arena duels"
	o := page.Options{Reveal: f.reveal, Visible: f.visible, Zone: time.Local, CriticLabel: criticLabel}
	// One duel alone gives the document its title, so the first waits for a second.
	var out *page.Writer
	var first *ledger.DuelFull
	begin := func() (err error) {
		if out, err = page.New(w, format, title, o); err == nil && first != nil {
			err = out.Add(first)
		}
		return err
	}
	err := eachChosen(ctx, l, f.duels, func(d *ledger.DuelFull) error {
		if first == nil {
			first = d
			return nil
		}
		if out == nil {
			if err := begin(); err != nil {
				return err
			}
		}
		return out.Add(d)
	})
	if err != nil {
		return err
	}
	if out == nil {
		if first != nil && first.SceneTitle != "" {
			title = first.SceneTitle
		}
		if err := begin(); err != nil {
			return err
		}
	}
	return out.Close()
}
