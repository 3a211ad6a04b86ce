package library

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxNames bounds the search for a name that is free.
const maxNames = 100_000

// cardPartial is the beginning of the names of cards that are not whole yet. A
// name with a dot is no card's.
const cardPartial = ".card."

// write puts data into a file of its own, under the first name that is free or
// has the same bytes, as where two imports run at once. The file appears whole
// or not at all, also where the program is killed.
func (in *importer) write(base, ext string, data []byte) (to string, outcome Outcome, err error) {
	fault := func(err error) (string, Outcome, error) {
		return "", Failed, fmt.Errorf("the card cannot be kept in %s: %w", in.o.To, err)
	}
	whole := ""
	if !in.o.DryRun {
		if err := os.MkdirAll(in.o.To, 0o755); err != nil {
			return fault(err)
		}
		if whole, err = partialFile(in.o.To, data); err != nil {
			return fault(err)
		}
		defer os.Remove(whole)
	}
	for n := 1; n < maxNames; n++ {
		to, outcome = filepath.Join(in.o.To, base+ext), Added
		if n > 1 {
			to, outcome = filepath.Join(in.o.To, fmt.Sprintf("%s %d%s", base, n, ext)), Renamed
		}
		if in.o.DryRun {
			if _, err := os.Lstat(to); err == nil || in.names[to] {
				continue
			}
			in.names[to] = true
			return to, outcome, nil
		}
		switch err := claim(whole, to); {
		case err == nil:
			in.written++
			return to, outcome, nil
		case !errors.Is(err, fs.ErrExist):
			return fault(err)
		case holds(to, data):
			return to, Duplicate, nil
		}
	}
	return fault(fmt.Errorf("there are too many files called %q", base))
}

// partialFile writes a file that nobody takes for a card.
func partialFile(dir string, data []byte) (path string, err error) {
	f, err := os.CreateTemp(dir, cardPartial+"*"+partial)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// claim gives a whole file another name, unless something has it. Where a file
// cannot have two names the new one is taken first and renamed over.
func claim(whole, to string) error {
	err := os.Link(whole, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_ = f.Close()
	if err := os.Rename(whole, to); err != nil {
		_ = os.Remove(to)
		return err
	}
	return nil
}

// holds reports whether a file is there with these bytes.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, data)
}

// sweepCards removes what imports left that were killed while writing.
func sweepCards(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), cardPartial) || !strings.HasSuffix(e.Name(), partial) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
