//go:build unix

package library

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestAHostileFolderIsReadToItsEnd: pipes, devices, sockets, loops of links,
// links to nowhere, folders within folders, names that are no UTF-8, files
// nobody may read.
func TestAHostileFolderIsReadToItsEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	good := cardJSON(1)
	write(t, at("good.json"), good)
	write(t, at("bad\xff\xfename.json"), cardJSON(2))
	write(t, at("\x1b[2Jname.json"), cardJSON(4))
	write(t, at(".hidden.json"), good)
	write(t, at(".git", "x.json"), good)
	write(t, at("~$lock.json"), good)
	write(t, at("notes.txt"), good)
	write(t, at("download.png.part"), good)
	write(t, at("locked.json"), good)
	deep := dir
	for i := range 20 {
		deep = filepath.Join(deep, fmt.Sprint("d", i))
		write(t, filepath.Join(deep, "card.json"), cardJSON(100+i))
	}
	for _, err := range []error{
		os.Chmod(at("locked.json"), 0),
		syscall.Mkfifo(at("pipe.png"), 0o644),
		syscall.Mkfifo(at("pipe.toml"), 0o644),
		os.Symlink("/dev/zero", at("zero.png")),
		os.Symlink(at("nowhere.json"), at("dangling.json")),
		os.Symlink(dir, at("loop")),
		os.Symlink(at("d0"), at("d0", "d1", "back")),
		os.Symlink(at("self.json"), at("self.json")),
		os.Mkdir(at("folder.png"), 0o755),
		os.Mkdir(at("closed"), 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(at("closed"), 0o755) })
	l := open(t, dir)
	began := time.Now()
	r := refresh(t, l)
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("it took %s", d)
	}
	listed := map[string]string{}
	for _, e := range l.Entries() {
		rel, err := filepath.Rel(dir, e.Path)
		if err != nil {
			t.Fatal(err)
		}
		listed[rel] = e.Err
	}
	for _, want := range []string{"good.json", "bad\xff\xfename.json", "\x1b[2Jname.json", "d0/card.json", "d0/d1/card.json"} {
		if err, ok := listed[want]; !ok || err != "" {
			t.Errorf("%q: listed %v, %s", want, ok, err)
		}
	}
	for _, want := range []string{"pipe.png", "pipe.toml", "zero.png"} {
		if !strings.Contains(listed[want], "not a regular file") {
			t.Errorf("%s: %q", want, listed[want])
		}
	}
	for name := range listed {
		if strings.Contains(name, "hidden") || strings.Contains(name, ".git") || strings.Contains(name, "loop") || strings.Contains(name, "back") || strings.Contains(name, "~") || strings.HasSuffix(name, ".part") {
			t.Errorf("%q is listed", name)
		}
	}
	if n := strings.Count(fmt.Sprint(r.Faults), "deep and was not read"); n != 1 {
		t.Errorf("the faults are %v", r.Faults)
	}
	if os.Getuid() != 0 {
		if !strings.Contains(listed["locked.json"], "permission") || !strings.Contains(fmt.Sprint(r.Faults), "closed cannot be read") {
			t.Errorf("locked: %q, faults %v", listed["locked.json"], r.Faults)
		}
	}
	// The index keeps names that are no UTF-8.
	if e, err := Open(l.o).Find(at("bad\xff\xfename.json")); err != nil || e.Err != "" {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestAFileThatHangsHoldsNobodyUp: a read that never comes back is told as
// such, the rest is read, and many of them end the round.
func TestAFileThatHangsHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	fillFolder(t, dir, 10)
	release := make(chan struct{})
	defer close(release)
	l := open(t, dir)
	l.o.FileTime = 100 * time.Millisecond
	hang := func(n int) func(found) []Entry {
		return func(at found) []Entry {
			if _, digit, ok := strings.Cut(at.path, "card000"); ok && digit[0] < byte('0'+n) {
				<-release
			}
			return read(at)
		}
	}
	l.read = hang(2)
	r := refresh(t, l)
	if r.Broken != 2 || r.Added != 10 {
		t.Errorf("%+v", r)
	}
	if e := l.Entries()[0]; !strings.Contains(e.Err, "did not answer within 100ms") {
		t.Errorf("%+v", e)
	}
	l = open(t, dir)
	l.o.FileTime = 100 * time.Millisecond
	l.read = hang(9)
	began := time.Now()
	if _, err := l.Refresh(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("got %v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it took %s", d)
	}
	// A context ends it at any time, and whoever lists meanwhile waits for nothing.
	l = open(t, dir)
	l.read = hang(9)
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	began = time.Now()
	if _, err := l.Refresh(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	l.Search("x", ByName)
	if d := time.Since(began); d > 3*time.Second {
		t.Errorf("it took %s", d)
	}
}

// TestAFileBeingWrittenIsReadWhenItIsWhole writes a card in pieces while the
// folder is read.
func TestAFileBeingWrittenIsReadWhenItIsWhole(t *testing.T) {
	dir := t.TempDir()
	text := cardJSON(1)
	path := filepath.Join(dir, "slow.json")
	write(t, path, text[:1000])
	done := make(chan error, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		for at := 1000; at < len(text) && err == nil; at += 2000 {
			time.Sleep(60 * time.Millisecond)
			_, err = f.Write(text[at:min(len(text), at+2000)])
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		done <- err
	}()
	l := open(t, dir)
	refresh(t, l)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if e := l.Entries()[0]; e.Err != "" || e.Size != int64(len(text)) {
		t.Errorf("%+v", e)
	}
}

// TestADamagedIndexIsMadeAnew cuts the index everywhere and turns bits over.
func TestADamagedIndexIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	fillFolder(t, dir, 5)
	settled(t, dir)
	l := open(t, dir)
	refresh(t, l)
	good, err := os.ReadFile(l.o.Index)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, []byte("herarena cards 2\n"), append(append([]byte{}, good...), 0), []byte(strings.Repeat("x", 4096))}
	for n := 0; n < len(good); n += 97 {
		damaged = append(damaged, good[:n])
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		turned := append([]byte{}, good...)
		turned[r.IntN(len(turned))] ^= 1 << r.IntN(8)
		damaged = append(damaged, turned)
	}
	for i, data := range damaged {
		write(t, l.o.Index, data)
		fresh := Open(l.o)
		if n := len(fresh.Entries()); n != 0 || fresh.Known() {
			t.Fatalf("damage %d gives %d entries", i, n)
		}
		if i%40 == 0 {
			if r := refresh(t, fresh); r.Added != 5 || len(r.Faults) > 0 {
				t.Errorf("damage %d: %+v", i, r)
			}
			if n := len(Open(l.o).Entries()); n != 5 {
				t.Errorf("after damage %d the index has %d entries", i, n)
			}
		}
	}
	// A folder in its place, and a place that cannot be written.
	for _, path := range []string{dir, filepath.Join(dir, "card0004.json", "index")} {
		o := l.o
		o.Index = path
		if r := refresh(t, Open(o)); r.Added != 5 || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Error(), "index") {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// FuzzIndex: no bytes behind a right checksum make the reader fall.
func FuzzIndex(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3})
	entry := Entry{ID: "a", Path: "/a/b", Tags: []string{"x"}, Items: 1}
	f.Add(encodeIndex([]*Entry{&entry, &entry}, time.Unix(5, 0))[len(indexHead)+4:])
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append([]byte(indexHead), 0, 0, 0, 0)
		data = append(data, body...)
		seal(data)
		entries, at, err := decodeIndex(data)
		if err != nil {
			return
		}
		list := make([]*Entry, len(entries))
		for i := range entries {
			list[i] = &entries[i]
		}
		again, _, err := decodeIndex(encodeIndex(list, at))
		if err != nil || len(again) != len(entries) {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}

// TestAFolderThatIsGoneTakesItsCards, and one that does not answer keeps them.
func TestAFolderThatIsGoneTakesItsCards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cards")
	fillFolder(t, dir, 5)
	l := open(t, dir)
	refresh(t, l)
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	write(t, dir, []byte("a file where the folder was"))
	if r := refresh(t, l); r.Removed != 0 || len(r.Faults) != 1 || len(l.Entries()) != 5 {
		t.Errorf("a folder that cannot be read: %+v, %d entries", r, len(l.Entries()))
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if r := refresh(t, l); r.Removed != 5 || len(r.Faults) != 0 || len(l.Entries()) != 0 {
		t.Errorf("a folder that is gone: %+v", r)
	}
}
