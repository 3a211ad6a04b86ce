package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsSavedIsLoaded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "state.json")
	for _, s := range []State{{}, {Theme: "paper", Hints: map[string]int{"stage.vote": 2}}, {Theme: "velvet", Panels: map[string]string{"think": "dimmed"}, CopySelected: true, ScrollApart: true}} {
		if err := Save(path, s); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, Load(path)); diff != "" {
			t.Errorf("loaded is not what was saved:\n%s", diff)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v (%v), want the state alone", left, err)
	}
}

func TestABrokenFileIsAFirstRun(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "half": `{"theme": "pap`, "another's": `[1, 2]`, "wrong types": `{"hints": {"a": "b"}}`, "huge": `{"theme": "` + strings.Repeat("x", limit) + `"}`, "binary": "\x00\xff",
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(State{}, Load(path)); diff != "" {
			t.Errorf("%s gave something:\n%s", name, diff)
		}
		if err := Save(path, State{Theme: "paper"}); err != nil || Load(path).Theme != "paper" {
			t.Errorf("%s cannot be replaced: %v", name, err)
		}
	}
	if diff := cmp.Diff(State{}, Load(filepath.Join(t.TempDir(), "none"))); diff != "" {
		t.Errorf("no file gave something:\n%s", diff)
	}
}

func TestAPlaceThatCannotBeWrittenIsTold(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Save(filepath.Join(file, "state.json"), State{}); err == nil || !strings.Contains(err.Error(), "cannot be kept") {
		t.Errorf("error %v, want a sentence", err)
	}
}
