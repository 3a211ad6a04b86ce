package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"herarena/characters/card"
)

func (a *app) castExportCmd() *cobra.Command {
	var to, out string
	c := &cobra.Command{
		Use: "export FILE|NAME", Short: "Write a card or a lorebook for other programs", Args: cobra.ExactArgs(1),
		Long: "Writes a card of any kind as version 2 or 3 (JSON), or as a PNG with both inside. Nothing that was read is lost, fields this program does not know included. What was mended is told on standard error.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.castExport(libraryFile(cmd.Context(), args[0]), to, out)
		},
	}
	c.Flags().StringVar(&to, "to", "v3", "v2, v3 or png")
	c.Flags().StringVar(&out, "out", "", "the file to write, which must not be there yet; - for standard output; by default named after the character")
	return c
}

func (a *app) castExport(file, to, out string) error {
	if to != "v2" && to != "v3" && to != "png" {
		return usagef("cannot export to %q (want v2, v3 or png)", to)
	}
	f, err := card.Open(file)
	if err != nil {
		if _, none := os.Stat(file); errors.Is(none, fs.ErrNotExist) {
			err = onlyCards(file, "can be exported", err)
		}
		return missing(file, err)
	}
	data, err := f.Export(to)
	if err != nil {
		return err
	}
	for _, w := range f.Warnings {
		_, _ = fmt.Fprintf(a.errw, "note: %s\n", w.Message)
	}
	if out == "-" {
		_, err = a.out.Write(data)
		return err
	}
	if out == "" {
		out = card.FileName(f.DisplayName()) + map[string]string{"v2": ".json", "v3": ".json", "png": ".png"}[to]
	}
	w, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already and stays as it is: name another file with --out", out)
	}
	if err != nil {
		return fmt.Errorf("the card cannot be written, so name a file elsewhere with --out: %w", err)
	}
	_, err = w.Write(data)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(out)
		return fmt.Errorf("%s: %w", out, err)
	}
	_, err = fmt.Fprintln(a.out, out)
	return err
}
