// Package state keeps the few things the program remembers between runs that
// are no settings: the theme chosen on the screen, which hints have been seen,
// how replies are read, and what was played last. Nothing is lost when the file is: a file that cannot be read is as good
// as none.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"herarena/tui/casting"
)

// State is what is remembered. The zero value is a first run.
type State struct {
	// Theme is the name of the theme chosen on the screen, "" for none.
	Theme string `json:"theme,omitempty"`
	// Hints counts, by the name of a hint, in how many runs it was seen.
	Hints map[string]int `json:"hints,omitempty"`
	// Panels says, by layer, how its panels are shown.
	Panels map[string]string `json:"panels,omitempty"`
	// CopySelected copies at once what the mouse selects.
	CopySelected bool `json:"copy_selected,omitempty"`
	// ScrollApart scrolls each side of the stage alone.
	ScrollApart bool `json:"scroll_apart,omitempty"`
	// Casts are the casts played last, the newest first.
	Casts []casting.Pairing `json:"casts,omitempty"`
}

// limit is far more than a state takes; a larger file is not ours.
const limit = 1 << 16

// Path returns where the state is kept.
func Path() string { return filepath.Join(xdg.StateHome, "herarena", "state.json") }

// Load reads the state from a file. Whatever cannot be read is the zero State.
func Load(path string) State {
	f, err := os.Open(path)
	if err != nil {
		return State{}
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil || len(data) > limit {
		return State{}
	}
	var s State
	if json.Unmarshal(data, &s) != nil {
		return State{}
	}
	return s
}

// Save writes the state to a file at once or not at all: another run never
// reads half of it.
func Save(path string, s State) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("what is remembered between runs cannot be kept: %w", err)
		}
	}()
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "state-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
