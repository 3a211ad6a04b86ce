package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// watching starts a Watch and returns what it tells.
func watching(t *testing.T, l *Library) <-chan Report {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	told := make(chan Report, 100)
	done := make(chan error, 1)
	go func() { done <- l.Watch(ctx, func(r Report) { told <- r }) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch gave %v", err)
		}
	})
	return told
}

// await waits until the library has so many entries that can be read.
func await(t *testing.T, l *Library, told <-chan Report, n int) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for len(l.Search("is:playable", ByName)) != n {
		select {
		case <-told:
		case <-limit:
			t.Fatalf("there are %d entries, want %d", len(l.Search("is:playable", ByName)), n)
		}
	}
}

func TestWatch(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	dir := filepath.Join(t.TempDir(), "cards")
	write(t, filepath.Join(dir, "a.json"), cardJSON(1))
	l := open(t, dir)
	told := watching(t, l)
	await(t, l, told, 1)
	write(t, filepath.Join(dir, "b.json"), cardJSON(2))
	await(t, l, told, 2)
	write(t, filepath.Join(dir, "sub", "deeper", "c.json"), cardJSON(3))
	await(t, l, told, 3)
	write(t, filepath.Join(dir, "sub", "deeper", "d.json"), cardJSON(4))
	await(t, l, told, 4)
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	await(t, l, told, 2)
	if err := os.Rename(filepath.Join(dir, "a.json"), filepath.Join(dir, ".away")); err != nil {
		t.Fatal(err)
	}
	await(t, l, told, 1)
}

// TestWatchWaitsForAFolder that is not there yet.
func TestWatchWaitsForAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later", "cards")
	l := open(t, dir)
	told := watching(t, l)
	time.Sleep(100 * time.Millisecond)
	write(t, filepath.Join(dir, "a.json"), cardJSON(1))
	await(t, l, told, 1)
}

// TestManyChangesAreOneRound: a hundred files that come at once do not make a
// hundred rounds.
func TestManyChangesAreOneRound(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "first.json"), cardJSON(0))
	l := open(t, dir)
	told := watching(t, l)
	await(t, l, told, 1)
	fillFolder(t, dir, 100)
	await(t, l, told, 101)
	if n := len(told); n > 8 {
		t.Errorf("%d rounds were told", n)
	}
}
