package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"herarena/characters/card"
)

// maxFolders bounds a walk that meets nothing but folders.
const maxFolders = 20_000

// found is a file that a walk came upon.
type found struct {
	path     string
	size     int64
	modified time.Time
	regular  bool
}

// walker is the state of walking one folder.
type walker struct {
	ctx     context.Context
	o       Options
	seen    map[string]bool // real paths of folders, so that a loop of links ends
	folders []string        // that were read, for Watch
	files   []found
	faults  []error
	full    bool
}

// walk lists the files of a folder that may be cards. ok is false where the
// folder itself cannot be read, though it is there.
func (w *walker) walk(dir string) (ok bool) {
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		w.fault(dir, err)
		return false
	}
	if w.seen[real] {
		return true
	}
	w.seen[real] = true
	return w.folder(dir, 1)
}

func (w *walker) fault(path string, err error) {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	w.faults = append(w.faults, fmt.Errorf("the folder %s cannot be read: %w", path, err))
}

// folder reads one folder. What is in it is known even where only some of it
// can be read.
func (w *walker) folder(dir string, depth int) bool {
	if w.ctx.Err() != nil {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.fault(dir, err)
		if len(entries) == 0 {
			return false
		}
	}
	w.folders = append(w.folders, dir)
	for _, e := range entries {
		if w.ctx.Err() != nil || w.full {
			return err == nil
		}
		if name := e.Name(); !hidden(name) {
			w.entry(filepath.Join(dir, name), e, depth)
		}
	}
	return err == nil
}

// hidden reports names that people and programs do not want listed: those with
// a dot, and half-written files of browsers.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$")
}

func (w *walker) entry(path string, e fs.DirEntry, depth int) {
	kind := e.Type()
	if !kind.IsDir() && kind&fs.ModeSymlink == 0 && !card.Readable(path) {
		return
	}
	if !kind.IsDir() {
		info, err := os.Stat(path)
		if err != nil {
			// A link to nowhere, or gone meanwhile.
			return
		}
		if !info.IsDir() {
			if card.Readable(path) {
				w.file(path, info)
			}
			return
		}
	}
	if depth >= w.o.Depth {
		w.faults = append(w.faults, fmt.Errorf("the folder %s lies %d deep and was not read; move it up", path, depth))
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || w.seen[real] {
		return
	}
	if len(w.seen) >= maxFolders {
		if !w.full {
			w.faults = append(w.faults, fmt.Errorf("there are more than %d folders; the rest was not read", maxFolders))
		}
		w.full = true
		return
	}
	w.seen[real] = true
	w.folder(path, depth+1)
}

func (w *walker) file(path string, info fs.FileInfo) {
	if len(w.files) >= w.o.MaxFiles {
		if !w.full {
			w.faults = append(w.faults, fmt.Errorf("there are more than %d files; the rest was not read", w.o.MaxFiles))
		}
		w.full = true
		return
	}
	w.files = append(w.files, found{path, info.Size(), info.ModTime(), info.Mode().IsRegular()})
}
