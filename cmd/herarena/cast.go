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
	c := &cobra.Command{Use: "cast", Short: "List, show or import scenes", RunE: group}
	list := &cobra.Command{
		Use: "list", Short: "List the scenes that can be played", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.castList(asJSON) },
	}
	show := &cobra.Command{
		Use: "show FILE|ID", Short: "Show a scene file, or a scene by its id", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.castShow(args[0], asJSON) },
	}
	for _, sub := range []*cobra.Command{list, show} {
		sub.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	}
	imp := &cobra.Command{
		Use: "import FILE", Short: "Copy a scene file into the library", Args: cobra.ExactArgs(1),
		Long: "Copies a scene file (TOML, or JSON with the same names) into the library. A whole one:\n\n" + sceneSample,
		RunE: func(_ *cobra.Command, args []string) error { return a.castImport(args[0]) },
	}
	c.AddCommand(list, show, imp)
	return c
}

// scenes returns the person's own scenes and the bundled ones; an own scene
// takes the place of a bundled one with the same id. Files that cannot be read
// are reported in the second value.
func scenes() ([]characters.Scene, []error) {
	own, faults := characters.LoadDir(config.CharactersDir())
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
	if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
		return characters.Scene{}, fmt.Errorf("%q is neither a file nor a scene (scenes: %s)", arg, strings.Join(ids, ", "))
	}
	return characters.Load(arg)
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

// castOutput is the command contract's form; data uses card V3's field names.
type castOutput struct {
	Kind     string         `json:"kind"`
	Spec     string         `json:"spec"`
	Warnings []castWarning  `json:"warnings"`
	Data     map[string]any `json:"data"`
	Counts   map[string]int `json:"counts"`
}

type castWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (a *app) castShow(arg string, asJSON bool) error {
	s, err := findScene(arg)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(castOutput{
			Kind: "scenario", Spec: "herarena", Warnings: []castWarning{},
			Data: map[string]any{
				"name": s.Character.Name, "description": s.Character.Profile, "personality": s.Character.Voice,
				"scenario": s.Scenario, "first_mes": s.Opening,
				"extensions": map[string]any{"herarena": s},
			},
			Counts: map[string]int{"greetings": count(s.Opening), "examples": 0, "book_entries": 0, "messages": 0},
		})
	}
	text := fmt.Sprintf("%s   (%s, %s)\n%s plays with you as %s\n\n%s\n\n%s\n%s\n", s.Title, s.ID, s.Language,
		s.Character.Name, s.User.Name, s.Scenario, s.Character.Name, s.Character.Profile)
	if s.Opening != "" {
		text += "\nopens with\n" + s.Opening + "\n"
	}
	_, err = fmt.Fprint(a.out, guard.Text(text))
	return err
}

func count(s string) int {
	if strings.TrimSpace(s) == "" {
		return 0
	}
	return 1
}

func (a *app) castImport(file string) error {
	s, err := characters.Load(file)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	dir := config.CharactersDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the library's folder cannot be made: %w", err)
	}
	to := filepath.Join(dir, s.ID+strings.ToLower(filepath.Ext(file)))
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
