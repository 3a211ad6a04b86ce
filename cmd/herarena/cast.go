package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/cmd/herarena/internal/config"
	"herarena/tui/guard"
)

// sceneSample is a small scene file with every key that matters.
const sceneSample = `  id = "quay"
  title = "The quay"
  language = "en"
  scenario = "Night. A customs officer walks up to the last boat."
  opening = "<role_action>coils a rope</role_action>You are late, officer."
  suggestions = ["Where is the cargo?"]
  [character]
  name = "Mara"
  profile = "A smuggler with debts."
  voice = "Short sentences, dry."
  thoughts = "He must not look below."
  [user]
  name = "Teller"
  profile = "A customs officer."`

func (a *app) castCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "cast", Short: "List, show, import or export characters and scenes", RunE: group}
	list := &cobra.Command{
		Use: "list [FILE]", Short: "List the scenes that can be played, or those of a file", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.listSet(args[0], asJSON)
			}
			return a.castList(asJSON)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	imp := &cobra.Command{
		Use: "import FILE", Short: "Copy a card or a scene file into the library", Args: cobra.ExactArgs(1),
		Long: "Copies a card, a scenario or a scene file (TOML, or JSON with the same names) into the library. A whole scene file:\n\n" + sceneSample,
		RunE: func(_ *cobra.Command, args []string) error { return a.castImport(args[0]) },
	}
	c.AddCommand(list, a.castShowCmd(), imp, a.castExportCmd())
	return c
}

// scenes returns the person's own scenes and the bundled ones; an own scene
// takes the place of a bundled one with the same id. Files that cannot be read
// are reported in the second value.
func scenes() ([]characters.Scene, []error) {
	own, faults := card.LoadDir(config.CharactersDir())
	taken := map[string]bool{}
	for _, s := range own {
		taken[s.ID] = true
	}
	out := own
	for _, s := range characters.Bundled() {
		if !taken[s.ID] {
			out = append(out, s)
		}
	}
	return out, faults
}

// findScene takes a scene's id, or a file.
func findScene(arg string) (characters.Scene, error) {
	all, _ := scenes()
	var ids []string
	for _, s := range all {
		if s.ID == arg {
			return s, nil
		}
		ids = append(ids, s.ID)
	}
	if item, ok, err := findInSet(arg); ok {
		return item.Scene, err
	}
	if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
		return characters.Scene{}, fmt.Errorf("%q is neither a file nor a scene (scenes: %s)", arg, strings.Join(ids, ", "))
	}
	return card.Load(arg)
}

type sceneRow struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Character string `json:"character"`
	User      string `json:"user"`
	Language  string `json:"language"`
	Bundled   bool   `json:"bundled"`
}

func (a *app) castList(asJSON bool) error {
	all, faults := scenes()
	for _, err := range faults {
		_, _ = fmt.Fprintln(a.errw, "left out: "+guard.Line(err.Error()))
	}
	rows := make([]sceneRow, 0, len(all))
	for _, s := range all {
		rows = append(rows, sceneRow{s.ID, s.Title, s.Character.Name, s.User.Name, s.Language, s.Bundled})
	}
	if asJSON {
		return a.printJSON(rows)
	}
	for _, r := range rows {
		_, err := fmt.Fprintf(a.out, "%-14s %s: %s, with you as %s\n", guard.Line(r.ID), guard.Line(r.Title), guard.Line(r.Character), guard.Line(r.User))
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) castImport(file string) error {
	s, err := card.Load(file)
	if err != nil {
		return err
	}
	ext := strings.ToLower(filepath.Ext(file))
	if !card.Readable(file) {
		return fmt.Errorf("%s has an ending that the library does not read: name it after what it is, such as .png or .json", file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	dir := config.CharactersDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the library's folder cannot be made: %w", err)
	}
	to := filepath.Join(dir, s.ID+ext)
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already and stays as it is: change the scene's id to keep both", to)
	}
	if err != nil {
		return fmt.Errorf("the scene cannot be kept: %w", err)
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	_, err = fmt.Fprintln(a.out, to)
	return err
}
