//go:build unix

package ledger

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Permissions bind every user but root, who runs this test as nobody.
func TestReadOnlyPlaces(t *testing.T) {
	if folder := os.Getenv("HERARENA_TEST_READ_ONLY"); folder != "" {
		readOnlyPlaces(t, folder)
		return
	}
	folder, err := os.MkdirTemp("", "herarena-read-only-*")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program := prepareReadOnly(t, folder)
	cmd := exec.Command(program, "-test.run=^TestReadOnlyPlaces$", "-test.v")
	cmd.Env = append(os.Environ(), "HERARENA_TEST_READ_ONLY="+folder)
	cmd.Dir = folder
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("PASS: TestReadOnlyPlaces")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// prepareReadOnly fills the folder and returns this program where anyone may
// run it.
func prepareReadOnly(t *testing.T, folder string) string {
	t.Helper()
	must(t, os.Chmod(folder, 0o755))
	self, err := os.Executable()
	must(t, err)
	text, err := os.ReadFile(self)
	must(t, err)
	program := filepath.Join(folder, "program")
	must(t, os.WriteFile(program, text, 0o755))
	for _, name := range []string{"ledger.db", "hidden.db", "open/ledger.db"} {
		l, err := Open(context.Background(), filepath.Join(folder, name))
		must(t, err, l.RecordDuel(aDuel("kept")), l.Close())
	}
	must(t, os.Chmod(filepath.Join(folder, "ledger.db"), 0o444), os.Chmod(filepath.Join(folder, "hidden.db"), 0),
		os.Chmod(filepath.Join(folder, "open", "ledger.db"), 0o666), os.Chmod(filepath.Join(folder, "open"), 0o555),
		os.Mkdir(filepath.Join(folder, "closed"), 0), os.Chmod(folder, 0o555))
	t.Cleanup(func() {
		_ = os.Chmod(folder, 0o755)
		_ = os.Chmod(filepath.Join(folder, "open"), 0o755)
	})
	return program
}

func readOnlyPlaces(t *testing.T, folder string) {
	for place, kind := range map[string]Kind{
		"ledger.db":        ReadOnly,
		"hidden.db":        Unreadable,
		"new.db":           ReadOnly,
		"new/ledger.db":    ReadOnly,
		"closed/ledger.db": Unreadable,
		"open/ledger.db":   ReadOnly, // the file may be written, its folder not
	} {
		refused(t, filepath.Join(folder, place), kind, folder)
	}
}
