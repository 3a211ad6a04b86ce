package clip

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestATextIsSavedBesideWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, want := range []string{"herarena-reply-a-of-turn-3.txt", "herarena-reply-a-of-turn-3-2.txt"} {
		path, err := Save([]string{dir}, "Reply A of turn 3", strings.Repeat("x", i+1))
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("saved to %q, %v", path, err)
		}
		if got, _ := os.ReadFile(path); string(got) != strings.Repeat("x", i+1)+"\n" {
			t.Errorf("the file holds %q", got)
		}
		if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the file may be read by others: %v", info.Mode())
		}
	}
}

func TestTheNextFolderIsTriedWhenOneCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	if path, err := Save([]string{"", missing, dir}, "turn", "text"); err != nil || filepath.Dir(path) != dir {
		t.Errorf("saved to %q, %v", path, err)
	}
	if _, err := Save([]string{missing}, "turn", "text"); err == nil || !strings.Contains(err.Error(), "could not be written to a file") {
		t.Errorf("the error is %v", err)
	}
	if _, err := Save(nil, "turn", "text"); err == nil {
		t.Error("no folder is no error")
	}
}

func TestFileNamesArePlain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"../../etc/passwd": "etc-passwd", "\x1b]52;": "52", "": "text", "…": "text", "雨 a": "雨-a", "CON": "con",
	} {
		if got := plainName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	if n := len(plainName(strings.Repeat("long name ", 50))); n > 64 {
		t.Errorf("a name of %d bytes", n)
	}
}
