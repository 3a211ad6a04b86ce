//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func namedPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// TestAPipeIsTakenInFromItsFirstByte imports what another program writes.
func TestAPipeIsTakenInFromItsFirstByte(t *testing.T) {
	home(t)
	path := namedPipe(t)
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(path, []byte(tavernChat), 0) }()
	r := call(t, "", "log", "import", "--format", "auto", path)
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
	if r.code != exitOK || !strings.Contains(r.err, "read as sillytavern") || !strings.Contains(r.out, "1 new") {
		t.Errorf("code %d\n%s%s", r.code, r.out, r.err)
	}
}

// TestAnImportThatWaitsCanBeInterrupted ends imports that are told nothing: of a
// pipe that nobody has opened, and of an input that stays silent.
func TestAnImportThatWaitsCanBeInterrupted(t *testing.T) {
	home(t)
	silent, silence := io.Pipe()
	defer silence.Close()
	path := namedPipe(t)
	for name, args := range map[string][]string{"a pipe": {"log", "import", path}, "standard input": {"log", "import", "-"}} {
		ctx, cancel := context.WithCancel(context.Background())
		var out, errw bytes.Buffer
		done := make(chan int, 1)
		go func() { done <- run(ctx, args, silent, &out, &errw) }()
		time.Sleep(50 * time.Millisecond)
		cancel()
		select {
		case code := <-done:
			if code != exitInterrupted {
				t.Errorf("%s: code %d, %s", name, code, errw.String())
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the import goes on", name)
		}
	}
	// Who waited for the pipe is let go.
	if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		_ = f.Close()
	}
}
