package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/formats"
	"herarena/arena/ledger"
	"herarena/tui/guard"
)

// importFlags are the flags of herarena log import.
type importFlags struct {
	format, source string
}

func (a *app) importCmd() *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use: "import [FILE]", Short: "Take in an export, a backup, or another program's battles and judgments",
		Long: "import takes in what herarena log export wrote, a backup, and the formats that\n" +
			"herarena log formats lists; which of them it is is found out from the first row.\n" +
			"What is in the ledger already is left as it is, so that importing twice changes\n" +
			"nothing. A row that cannot be read is named, and then nothing of the file is taken in.",
		Example: "herarena log import ledger.jsonl\nherarena log import --format fastchat-raw 2026-03-01-conv.json\nherarena log import arena-human-preference.parquet --source imported/vote",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.logImportAs(cmd.Context(), args, f) },
	}
	c.Flags().StringVar(&f.format, "format", "auto", "the format of the file, or auto")
	c.Flags().StringVar(&f.source, "source", "", "put the battles under this `SOURCE`, to keep them apart from those played here")
	return c
}

func (a *app) logImportAs(ctx context.Context, args []string, f importFlags) error {
	in, name := a.in, "standard input"
	if len(args) == 1 && args[0] != "-" {
		if (f.format == "auto" || f.format == formats.Own) && ledger.IsFile(args[0]) {
			return a.logImport(ctx, args)
		}
		file, err := openWaiting(ctx, args[0])
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("the export cannot be read: %w", err)
		}
		defer func() { _ = file.Close() }()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder: name a file", args[0])
		}
		in, name = io.Reader(file), args[0]
	}
	if f.format != "auto" {
		if _, err := formats.Find(f.format); err != nil {
			return usagef("--format: %v", err)
		}
	}
	return a.withLedger(ctx, false, func(l *ledger.Ledger) error {
		read, report, err := take(ctx, l, in, name, f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := a.tellImport(report); err != nil {
			return err
		}
		return a.tellFormat("read", read)
	})
}

// take reads a file in a format and gives the ledger its lines while it does, so
// that nothing is held and either all of the file is taken in or nothing.
func take(ctx context.Context, l *ledger.Ledger, in io.Reader, name string, f importFlags) (formats.Report, ledger.ImportReport, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := formats.ImportOptions{Source: arena.Source(f.source)}
	if name != "standard input" {
		o.File = name
	}
	lines, to := io.Pipe()
	type result struct {
		report formats.Report
		err    error
	}
	done := make(chan result, 1)
	go func() {
		report, err := formats.Import(ctx, f.format, in, to, o)
		_ = to.CloseWithError(err) // nil is the end of the lines
		done <- result{report, err}
	}()
	// A file may be a pipe whose other end says nothing.
	release := context.AfterFunc(ctx, func() { _ = lines.CloseWithError(context.Canceled) })
	defer release()
	got, err := l.Import(ctx, lines)
	// Whoever still reads for a ledger that has refused stops here.
	_ = lines.CloseWithError(errRefused)
	var read result
	select {
	case read = <-done:
	case <-ctx.Done():
		return formats.Report{}, got, ctx.Err()
	}
	if read.err != nil && !errors.Is(read.err, errRefused) {
		err = read.err // what came first
	}
	return read.report, got, err
}

// openWaiting opens a file; a named pipe is waited for until somebody writes to
// it or the context ends.
func openWaiting(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var errRefused = errors.New("the ledger takes no more lines")

// tellFormat says on standard error how a file was read or written, and what of
// it did not go through.
func (a *app) tellFormat(verb string, r formats.Report) error {
	if r.Format == formats.Own && len(r.Skipped) == 0 && r.Blind == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(a.errw, "%s as %s, %s\n", verb, r.Format, plural(r.Rows, "row")); err != nil {
		return err
	}
	for _, why := range r.Reasons() {
		if _, err := fmt.Fprintf(a.errw, "left out %d: %s\n", r.Skipped[why], guard.Line(why)); err != nil {
			return err
		}
	}
	if r.Blind > 0 {
		_, err := fmt.Fprintf(a.errw, "without names: %s (--reveal names who played in those that are over)\n", plural(r.Blind, "blind duel"))
		return err
	}
	return nil
}
