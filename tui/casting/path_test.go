package casting

import (
	"path/filepath"
	"testing"
)

func TestThePersonsFolderIsShort(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	for path, want := range map[string]string{
		filepath.Join(dir, "cards", "a.png"): filepath.Join("~", "cards", "a.png"),
		dir + "er":                           dir + "er",
		filepath.Join("elsewhere", "a.png"):  filepath.Join("elsewhere", "a.png"),
	} {
		if got := shortPath(path); got != want {
			t.Errorf("%s is shown as %s, want %s", path, got, want)
		}
	}
}
