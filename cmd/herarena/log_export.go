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

	"herarena/arena/ledger"
	"herarena/tui/page"
)

// exportFlags are the flags of herarena log export.
type exportFlags struct {
	format          string
	duels           []string
	out             string
	reveal, visible bool
}

func (a *app) exportCmd() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export [FILE]", Short: "Write duels as JSON Lines, Markdown or an HTML page",
		Long: "export writes the ledger, or the duels named with --duel, to a file or to standard\n" +
			"output: as JSON Lines, which herarena log import takes in again; as Markdown; or as\n" +
			"one HTML page that needs nothing from elsewhere. In Markdown and HTML a blind duel\n" +
			"stays blind unless --reveal is given, and --visible leaves out what the characters\n" +
			"do not perceive.",
		Example: "herarena log export ledger.jsonl\nherarena log export --format html --duel 01JQ --out duel.html",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.logExport(cmd.Context(), args, f) },
	}
	c.Flags().StringVar(&f.format, "format", "jsonl", "jsonl, md or html")
	c.Flags().StringArrayVar(&f.duels, "duel", nil, "write only this duel, by its `ID` or the beginning of it; may be repeated")
	c.Flags().StringVar(&f.out, "out", "", "write to this `FILE`, - for standard output")
	c.Flags().BoolVar(&f.reveal, "reveal", false, "name who stood where in blind duels that are finished")
	c.Flags().BoolVar(&f.visible, "visible", false, "leave out plans, reasoning, thoughts and a critic's prose")
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
	if f.format == "jsonl" {
		if f.reveal || f.visible {
			return nil, usagef("--reveal and --visible are for Markdown and HTML; JSON Lines hold everything")
		}
		return func(l *ledger.Ledger, w io.Writer) error {
			// No terminal takes its text for commands.
			if len(f.duels) > 0 {
				return l.ExportDuels(ctx, escaping{w}, f.duels...)
			}
			return l.Export(ctx, escaping{w})
		}, nil
	}
	format, err := page.ParseFormat(f.format)
	if err != nil {
		return nil, usagef("--format %q is unknown (want jsonl, md or html)", f.format)
	}
	return func(l *ledger.Ledger, w io.Writer) error { return writePages(ctx, l, w, format, f) }, nil
}

// writePages writes one duel after the other into one document, oldest first.
func writePages(ctx context.Context, l *ledger.Ledger, w io.Writer, format page.Format, f exportFlags) error {
	ids := f.duels
	if len(ids) == 0 {
		all, err := l.Duels(ctx, ledger.Filter{})
		if err != nil {
			return err
		}
		for i := len(all) - 1; i >= 0; i-- {
			ids = append(ids, all[i].ID)
		}
	}
	title := "HER Arena duels"
	o := page.Options{Reveal: f.reveal, Visible: f.visible, Zone: time.Local, CriticLabel: criticLabel}
	var out *page.Writer
	for _, id := range ids {
		d, err := l.Duel(ctx, id)
		if err != nil {
			return err
		}
		if len(ids) == 1 && d.SceneTitle != "" {
			title = d.SceneTitle
		}
		if out == nil {
			if out, err = page.New(w, format, title, o); err != nil {
				return err
			}
		}
		if err := out.Add(d); err != nil {
			return err
		}
	}
	if out == nil {
		var err error
		if out, err = page.New(w, format, title, o); err != nil {
			return err
		}
	}
	return out.Close()
}
