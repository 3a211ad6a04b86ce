package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"

	"github.com/spf13/cobra"

	"herarena/characters/card"
	"herarena/characters/library"
	"herarena/cmd/herarena/internal/config"
	"herarena/tui/guard"
)

// importOptions are the flags of cast import.
type importOptions struct {
	json, dry, watch bool
}

func (a *app) castImportCmd() *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use: "import FILE|DIR...", Short: "Copy cards and scene files into the library", Args: cobra.MinimumNArgs(1),
		Long: "Copies cards, lorebooks, scenarios and scene files (TOML, or JSON with the same names) into the library and prints where each is. Folders are read to the bottom; of a ZIP of cards, a JSON list or JSON Lines each card becomes a file of its own. " +
			"Nothing that is there is written over: the same content is left where it is, other content under the same name gets a number. What cannot be read is told and does not stop the rest; the exit status is then 1.\n\nA whole scene file:\n\n" + sceneSample,
		RunE: func(cmd *cobra.Command, args []string) error { return a.castImport(cmd.Context(), args, o) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON line for each card")
	c.Flags().BoolVar(&o.dry, "dry-run", false, "tell what would be done and do nothing")
	c.Flags().BoolVar(&o.watch, "watch", false, "go on and take in what comes into the folders, until interrupted")
	return c
}

// importRow is what cast import prints as a JSON line.
type importRow struct {
	Source   string         `json:"source"`
	Outcome  string         `json:"outcome"` // added, renamed, duplicate, failed
	Kind     string         `json:"kind,omitempty"`
	Title    string         `json:"title,omitempty"`
	To       string         `json:"to,omitempty"`
	Repaired []card.Warning `json:"repaired"`
	Error    string         `json:"error,omitempty"`
}

// tally is what an import came to.
type tally struct {
	app      *app
	o        importOptions
	counts   map[library.Outcome]int
	first    error                    // the first failure
	repaired map[string]*repairedKind // by code, since one fault is in a thousand files
	again    bool                     // in a watch: duplicates were told before
	printed  map[string]bool          // paths that are on standard output
	file     string                   // the one that notes are about
	notes    []*importNote
	broken   error // of writing
}

// importNote is what is told of a file, once for all that it is so of.
type importNote struct {
	like, text string
	more       int
}

type repairedKind struct {
	source, message string
	files           int
}

func (a *app) castImport(ctx context.Context, sources []string, o importOptions) error {
	if o.watch {
		for _, s := range sources {
			if info, err := os.Stat(s); err != nil || !info.IsDir() {
				return usagef("--watch wants folders; %s is none", s)
			}
		}
	}
	lib := openLibrary()
	t := &tally{app: a, o: o, counts: map[library.Outcome]int{}, repaired: map[string]*repairedKind{}, printed: map[string]bool{}}
	to := library.ImportOptions{To: config.CharactersDir(), DryRun: o.dry}
	err := lib.Import(ctx, sources, to, t.told)
	if err == nil {
		err = t.broken
	}
	if err != nil {
		return err
	}
	t.sum()
	if o.watch {
		return a.watchImports(ctx, lib, sources, to, t)
	}
	switch {
	case t.alone():
		return t.first
	case t.counts[library.Failed] > 0:
		return errReported
	}
	return nil
}

// alone reports whether all there was is one failure, which is told as the
// command's own.
func (t *tally) alone() bool { return t.counts[library.Failed] == 1 && len(t.counts) == 1 }

// told tells of one thing: where it is on standard output, all else on standard
// error.
func (t *tally) told(i library.Imported) {
	t.counts[i.Outcome]++
	for _, w := range i.Repaired {
		if r := t.repaired[w.Code]; r != nil {
			r.files++
			continue
		}
		t.repaired[w.Code] = &repairedKind{i.Source, w.Message, 1}
	}
	if i.Outcome == library.Failed && t.first == nil {
		t.first = i.Err
	}
	if t.again && i.Outcome == library.Duplicate {
		return
	}
	if t.o.json {
		t.row(i)
		return
	}
	file := i.File
	if file == "" {
		file = i.Source
	}
	if file != t.file {
		t.flush()
		t.file = file
	}
	switch i.Outcome {
	case library.Failed:
		t.add(faultKind(i.Err), "left out: "+i.Err.Error())
		return
	case library.Duplicate:
		t.add(string(i.Outcome), i.Source+": the same is there already")
	case library.Renamed:
		t.add(string(i.Outcome), i.Source+": another card has its name, so it got a number")
	}
	if t.o.dry && i.Outcome != library.Duplicate {
		t.add(i.To, i.Source+" would be copied to "+i.To)
		return
	}
	if !t.printed[i.To] {
		t.printed[i.To] = true
		t.print(guard.Line(i.To) + "\n")
	}
}

// faultKind is what failures of one file are alike in.
func faultKind(err error) string {
	var fault *card.Error
	if errors.As(err, &fault) {
		return fault.Code + " " + fault.Field
	}
	return err.Error()
}

// add keeps a note on the current file, or counts it where the like is kept.
func (t *tally) add(like, text string) {
	for _, n := range t.notes {
		if n.like == like {
			n.more++
			return
		}
	}
	t.notes = append(t.notes, &importNote{like: like, text: text})
}

// flush tells what was kept of the current file.
func (t *tally) flush() {
	for _, n := range t.notes {
		if n.more > 0 {
			n.text += fmt.Sprintf(" (and %d more like it)", n.more)
		}
		t.note(n.text)
	}
	t.notes = nil
}

func (t *tally) note(text string) { _, _ = fmt.Fprintln(t.app.errw, guard.Line(text)) }

func (t *tally) print(text string) {
	if _, err := fmt.Fprint(t.app.out, text); err != nil && t.broken == nil {
		t.broken = err
	}
}

func (t *tally) row(i library.Imported) {
	r := importRow{Source: i.Source, Outcome: string(i.Outcome), Kind: string(i.Kind), Title: i.Title, To: i.To, Repaired: i.Repaired}
	if r.Repaired == nil {
		r.Repaired = []card.Warning{}
	}
	if i.Err != nil {
		r.Error = i.Err.Error()
	}
	if err := t.app.printJSON(r); err != nil && t.broken == nil {
		t.broken = err
	}
}

// sum tells what was mended, each kind once, and how many of each there were.
func (t *tally) sum() {
	n := t.counts
	all := n[library.Added] + n[library.Renamed] + n[library.Duplicate] + n[library.Failed]
	if t.o.json {
		return
	}
	if t.o.watch || !t.alone() {
		t.flush()
	}
	codes := make([]string, 0, len(t.repaired))
	for code := range t.repaired {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	for _, code := range codes {
		r := t.repaired[code]
		text := fmt.Sprintf("note: %s: %s", r.source, r.message)
		if r.files > 1 {
			text += fmt.Sprintf("; the like in %d other files", r.files-1)
		}
		t.note(text)
	}
	if all > 1 {
		t.note(fmt.Sprintf("%d added, %d there already, %d left out", n[library.Added]+n[library.Renamed], n[library.Duplicate], n[library.Failed]))
	}
}

// watchImports takes in what comes into the folders until the context ends.
func (a *app) watchImports(ctx context.Context, lib *library.Library, sources []string, to library.ImportOptions, t *tally) error {
	seen := map[string]string{} // what was seen of a file: its content, or why it cannot be read
	key := func(e library.Entry) string { return fmt.Sprint(e.Path, "#", e.Item) }
	from := library.Open(library.Options{Dirs: sources})
	if _, err := from.Refresh(ctx, nil); err != nil {
		return err
	}
	for _, e := range from.Entries() {
		seen[key(e)] = e.Hash + e.Err
	}
	if !t.o.json {
		t.note("watching; Ctrl+C ends it")
	}
	t.again = true
	var failed error
	err := from.Watch(ctx, func(library.Report) {
		var fresh []string
		for _, e := range from.Entries() {
			if seen[key(e)] != e.Hash+e.Err {
				seen[key(e)] = e.Hash + e.Err
				if len(fresh) == 0 || fresh[len(fresh)-1] != e.Path {
					fresh = append(fresh, e.Path)
				}
			}
		}
		if len(fresh) > 0 && failed == nil {
			failed = lib.Import(ctx, fresh, to, t.told)
			t.flush()
		}
	})
	if failed != nil && ctx.Err() == nil {
		return failed
	}
	return err
}
