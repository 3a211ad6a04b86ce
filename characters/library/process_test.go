package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestAsAnotherProcess is the body of the processes that the tests below start.
func TestAsAnotherProcess(t *testing.T) {
	what, dir := os.Getenv("LIBRARY_PROCESS"), os.Getenv("LIBRARY_DIR")
	o := Options{Dirs: []string{filepath.Join(dir, "cards")}, Index: filepath.Join(dir, "state", "index"), Marks: filepath.Join(dir, "state", "marks")}
	switch {
	case what == "":
		t.Skip("is started by other tests alone")
	case what == "write":
		l := Open(o)
		refresh(t, l)
		for {
			if err := writeIndex(o.Index, l.entries, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	n, err := strconv.Atoi(what)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 10 {
		l := Open(o)
		write(t, filepath.Join(dir, "cards", fmt.Sprintf("of%d-%d.json", n, round)), cardJSON(1000+100*n+round))
		refresh(t, l)
		e, err := l.Find("shared")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Tag(e, []string{fmt.Sprintf("of%d-%d", n, round)}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func process(t *testing.T, dir, what string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestAsAnotherProcess$", "-test.timeout=60s")
	c.Env = append(os.Environ(), "LIBRARY_PROCESS="+what, "LIBRARY_DIR="+dir)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(out.String())
		}
	})
	return c
}

// TestSeveralProcessesAtOnce: each indexes, adds cards and tags the same card;
// no tag is lost and the index is whole.
func TestSeveralProcessesAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cards", "shared.json"), []byte(`{"name":"Shared","description":"Everyone's."}`))
	fillFolder(t, filepath.Join(dir, "cards"), 30)
	var all []*exec.Cmd
	for n := range 4 {
		all = append(all, process(t, dir, strconv.Itoa(n)))
	}
	for _, c := range all {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	l := Open(Options{Dirs: []string{filepath.Join(dir, "cards")}, Index: filepath.Join(dir, "state", "index"), Marks: filepath.Join(dir, "state", "marks")})
	if !l.Known() {
		t.Error("the index is damaged")
	}
	refresh(t, l)
	if n := len(l.Entries()); n != 71 {
		t.Errorf("%d cards are listed", n)
	}
	if e := find(t, l, "shared"); len(e.OwnTags) != 40 {
		t.Errorf("%d tags are left of 40: %v", len(e.OwnTags), e.OwnTags)
	}
}

// TestKilledWhileWritingTheIndex kills a process that does nothing else, many
// times. The index is the old or the new one, and always whole.
func TestKilledWhileWritingTheIndex(t *testing.T) {
	dir := t.TempDir()
	fillFolder(t, filepath.Join(dir, "cards"), 200)
	settled(t, dir)
	o := Options{Dirs: []string{filepath.Join(dir, "cards")}, Index: filepath.Join(dir, "state", "index")}
	refresh(t, Open(o))
	for round := range 12 {
		c := process(t, dir, "write")
		time.Sleep(time.Duration(150+round*37) * time.Millisecond)
		_ = c.Process.Kill()
		_ = c.Wait()
		if n := len(Open(o).Entries()); n != 200 {
			t.Fatalf("after kill %d the index has %d entries", round, n)
		}
	}
	// What the killed left is cleared away once it is old.
	left, _ := filepath.Glob(o.Index + ".*")
	old := time.Now().Add(-2 * time.Hour)
	for _, path := range append(left, o.Index+".77"+partial) {
		if path == o.Index+".77"+partial {
			write(t, path, nil)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "cards", "new.json"), cardJSON(7))
	refresh(t, Open(o))
	if left, _ := filepath.Glob(o.Index + ".*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
