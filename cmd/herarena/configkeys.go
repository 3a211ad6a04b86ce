package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/state"
	"herarena/tui"
	keytable "herarena/tui/keys"
	"herarena/tui/stage"
)

// keymap returns the keys in force. Its error names the file, the line and the
// action.
func keymap(cfg config.Config) (*keytable.Map, error) {
	m, err := tui.Keymap(cfg.KeysPreset, cfg.OwnKeys())
	var fault *keytable.Fault
	if !errors.As(err, &fault) {
		return m, err
	}
	where := cfg.Path
	if line := cfg.KeyLine(fault.Action); line > 0 {
		where = fmt.Sprintf("%s: line %d", where, line)
	}
	return nil, fmt.Errorf("%s: keys.%w", where, fault)
}

// remembering lets the screen remember its theme, its hints and how replies are
// read in the state file.
func remembering(o *tui.Options) {
	path := state.Path()
	s := state.Load(path)
	o.Memory = tui.Memory{Theme: s.Theme, Hints: s.Hints, Reading: stage.Reading{Panels: s.Panels, CopySelected: s.CopySelected, Apart: s.ScrollApart}, Casts: s.Casts}
	o.Remember = func(m tui.Memory) error {
		return state.Save(path, state.State{Theme: m.Theme, Hints: m.Hints, Panels: m.Reading.Panels, CopySelected: m.Reading.CopySelected, ScrollApart: m.Reading.Apart, Casts: m.Casts})
	}
}

// keyLine is one action of the map as JSON shows it.
type keyLine struct {
	Action  string   `json:"action"`
	Keys    []string `json:"keys"`
	Default []string `json:"default"`
	Scope   string   `json:"scope"`
	Group   string   `json:"group"`
	Does    string   `json:"does"`
}

func (a *app) configKeysCmd() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "keys", Short: "Print the keys in force and the names of all actions", Args: cobra.NoArgs,
		Long: "Prints every action by its name with the keys in force: the defaults, under keys_preset\n" +
			"(default, vi, emacs), under [keys] of the configuration.",
		Example: "herarena config keys\nherarena config keys --json",
		RunE: func(*cobra.Command, []string) error {
			cfg, err := a.config()
			if err != nil {
				return err
			}
			m, fault := keymap(cfg)
			switch {
			case asJSON && fault != nil:
				return fault
			case asJSON:
				return a.printKeysJSON(m)
			}
			// Whoever mends a fault needs the names: without a map the defaults.
			return errors.Join(a.printKeys(m), fault)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func (a *app) printKeys(m *keytable.Map) error {
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for i, g := range m.In(tui.Groups()) {
		if i > 0 {
			_, _ = fmt.Fprintln(w)
		}
		_, _ = fmt.Fprintln(w, g.Title)
		for _, b := range g.Bindings {
			_, _ = fmt.Fprintf(w, "  %s\t%s\t%s\n", b.Name, strings.Join(b.Keys, " "), b.Does)
		}
	}
	return w.Flush()
}

func (a *app) printKeysJSON(m *keytable.Map) error {
	lines := []keyLine{}
	for _, g := range tui.Groups() {
		for _, b := range g.Bindings {
			lines = append(lines, keyLine{
				Action: b.Name, Keys: append([]string{}, m.Of(b).Keys...), Default: append([]string{}, b.Keys...),
				Scope: g.Scope, Group: g.Title, Does: b.Does,
			})
		}
	}
	return a.printJSON(map[string]any{"keys": lines})
}
