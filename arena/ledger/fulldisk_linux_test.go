package ledger

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A real disk of two megabytes, in a name space of its own that goes with the
// program that runs this test again.
func TestARealFullDisk(t *testing.T) {
	if folder := os.Getenv("HERARENA_TEST_FULL"); folder != "" {
		must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"))
		fullDisk(t, folder)
		return
	}
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, "-test.run=^TestARealFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), "HERARENA_TEST_FULL="+t.TempDir())
	id := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	group := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: id, GidMappings: group}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 || bytes.Contains(out, []byte("operation not permitted")) {
		t.Skip("this machine lets nobody mount a small disk")
	}
	if err != nil || !bytes.Contains(out, []byte("PASS: TestARealFullDisk")) {
		t.Errorf("%v\n%s", err, out)
	}
}

func fullDisk(t *testing.T, folder string) {
	ctx := context.Background()
	place, ballast := filepath.Join(folder, "ledger.db"), filepath.Join(folder, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 512<<10), 0o600))
	l, err := Open(ctx, place)
	must(t, err)
	kept, err := keepUntil(t, l, "filling", 2000)
	if !IsKind(err, Full) || !strings.Contains(err.Error(), "is full; free some space") {
		t.Fatalf("want %s after %d, got %v", Full, len(kept), err)
	}
	t.Logf("full after %d rows: %v", len(kept), err)
	holdsAll(t, l, kept)
	if _, err := l.Backup(ctx, filepath.Join(folder, "backup.db")); !IsKind(err, Full) {
		t.Errorf("a backup on the full disk: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "backup.db")); err == nil {
		t.Error("half a backup is left")
	}
	if other, err := Open(ctx, filepath.Join(folder, "new.db")); err == nil {
		_ = other.Close()
		t.Error("a new ledger was made on the full disk")
	} else if !IsKind(err, Full) {
		t.Errorf("a new ledger on the full disk: %v", err)
	}
	_ = l.Close() // may not have room to fold its log in
	must(t, os.Remove(ballast))
	l, err = Open(ctx, place)
	must(t, err)
	defer func() { must(t, l.Close()) }()
	more, err := keepUntil(t, l, "later", 3)
	must(t, err)
	holdsAll(t, l, append(kept, more...))
}
