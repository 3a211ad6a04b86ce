package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/library"
	"herarena/cmd/herarena/internal/config"
)

// How long folders may keep somebody waiting who asked for something else.
const (
	firstLook  = 100 * time.Millisecond // before the very first frame, while there is no index yet
	sceneTime  = 300 * time.Millisecond // for reading one's own scene files at the start
	searchTime = 20 * time.Second       // for a name that the index does not know
)

// openLibrary opens the library of the given folders, of the person's own
// without any. It reads nothing yet.
func openLibrary(dirs ...string) *library.Library {
	if len(dirs) == 0 {
		dirs = []string{config.CharactersDir()}
	}
	o := library.Options{Dirs: dirs, Marks: filepath.Join(xdg.DataHome, "herarena", "marks.jsonl")}
	for i, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs[i] = abs
		}
	}
	// Each set of folders has an index of its own, or one would undo the other.
	sum := crc32.ChecksumIEEE([]byte(strings.Join(dirs, "\x00")))
	o.Index = filepath.Join(xdg.CacheHome, "herarena", fmt.Sprintf("cards-%08x.index", sum))
	for _, s := range characters.Bundled() {
		o.Reserved = append(o.Reserved, s.ID)
	}
	return library.Open(o)
}

// scenes returns the person's own scene files and the bundled scenes; an own
// one takes the place of a bundled one with the same id. It goes by the index
// and by no folder, so that a slow one delays nothing; what is new in the
// folder comes with the next look into it. Files that cannot be read are
// reported in the second value.
func scenes() ([]characters.Scene, []error) {
	lib := openLibrary()
	if !lib.Known() {
		ctx, stop := context.WithTimeout(context.Background(), firstLook)
		defer stop()
		_, _ = lib.Refresh(ctx, nil)
	}
	own, faults := ownScenes(lib)
	taken := map[string]bool{}
	for _, s := range own {
		taken[s.ID] = true
	}
	for _, s := range characters.Bundled() {
		if !taken[s.ID] {
			own = append(own, s)
		}
	}
	return own, faults
}

// ownScenes reads the scene files that the index knows, as many as can be read
// in a moment.
func ownScenes(lib *library.Library) ([]characters.Scene, []error) {
	type read struct {
		scene characters.Scene
		err   error
	}
	var out []characters.Scene
	var faults []error
	var wanted []library.Entry
	for _, e := range lib.Entries() {
		if e.Kind == library.KindScene {
			wanted = append(wanted, e)
		} else if e.Err != "" && strings.EqualFold(filepath.Ext(e.Path), ".toml") {
			faults = append(faults, fmt.Errorf("%s: %s", e.Path, e.Err))
		}
	}
	done := make(chan read, len(wanted))
	go func() {
		for _, e := range wanted {
			s, _, err := lib.Scene(e, card.PlayOptions{})
			done <- read{s, err}
		}
	}()
	limit := time.NewTimer(sceneTime)
	defer limit.Stop()
	for range wanted {
		select {
		case r := <-done:
			switch {
			case r.err == nil:
				out = append(out, r.scene)
			case !errors.Is(r.err, fs.ErrNotExist):
				faults = append(faults, r.err)
			}
		case <-limit.C:
			return out, append(faults, fmt.Errorf("the folder %s answers slowly; some scenes are left out", config.CharactersDir()))
		}
	}
	return out, faults
}

// findScene takes a scene's id, a file, a scene in a file (FILE#3), or the name
// of a card in the library.
func findScene(arg string) (characters.Scene, error) {
	lib := openLibrary()
	if s, ok := bundledScene(arg); ok {
		if own, err := playEntry(lib, arg, true); err == nil && own.ID == arg {
			return own, nil
		}
		return s, nil
	}
	if e, err := lib.Find(arg); err == nil && e.ID == arg {
		if s, _, err := lib.Scene(e, card.PlayOptions{}); err == nil {
			return s, nil
		}
	}
	if item, ok, err := findInSet(arg); ok {
		return item.Scene, err
	}
	if _, err := os.Stat(arg); err == nil {
		return card.Load(arg)
	}
	return playEntry(lib, arg, false)
}

func bundledScene(id string) (characters.Scene, bool) {
	for _, s := range characters.Bundled() {
		if s.ID == id {
			return s, true
		}
	}
	return characters.Scene{}, false
}

// playEntry makes a scene of what has the name in the library. Of scene files
// alone the index is asked, not the folder.
func playEntry(lib *library.Library, name string, scenesOnly bool) (characters.Scene, error) {
	var e library.Entry
	var err error
	if scenesOnly {
		e, err = lib.Find(name)
		if err == nil && e.Kind != library.KindScene {
			err = fs.ErrNotExist
		}
	} else {
		e, err = findEntry(context.Background(), lib, name)
	}
	if err != nil {
		return characters.Scene{}, err
	}
	if e.Err != "" {
		return characters.Scene{}, fmt.Errorf("%s: %s", e.Path, e.Err)
	}
	s, _, err := lib.Scene(e, card.PlayOptions{})
	return s, err
}

// findEntry finds what a person means in the library. Where the index does not
// know it, the folders are read first.
func findEntry(ctx context.Context, lib *library.Library, name string) (library.Entry, error) {
	e, err := lib.Find(name)
	if err == nil {
		if _, gone := os.Lstat(e.Path); gone == nil {
			return e, nil
		}
	}
	ctx, stop := context.WithTimeout(ctx, searchTime)
	defer stop()
	if _, err := lib.Refresh(ctx, nil); err != nil {
		return library.Entry{}, fmt.Errorf("the library's folder does not answer: %w", err)
	}
	e, err = lib.Find(name)
	var none *library.NotFound
	if errors.As(err, &none) && !none.Many {
		return e, noScene(name, none.Near)
	}
	return e, err
}

// noScene says what there is instead of a name.
func noScene(name string, near []string) error {
	ids := near
	for _, s := range characters.Bundled() {
		ids = append(ids, s.ID)
	}
	return fmt.Errorf("%q is neither a file nor a scene or a card of the library (there is %s; herarena cast list shows all)", name, strings.Join(ids, ", "))
}

// libraryFile returns the file of a library's card that is meant by a name, or
// what was given where it is a file, a scene's id or nothing that is known.
func libraryFile(ctx context.Context, arg string) string {
	if file, _ := splitScene(arg); file != arg {
		return arg
	}
	if _, err := os.Stat(arg); err == nil {
		return arg
	}
	if _, ok := bundledScene(arg); ok {
		return arg
	}
	e, err := findEntry(ctx, openLibrary(), arg)
	switch {
	case err != nil:
		return arg
	case e.Kind == library.KindScene:
		return e.ID
	case e.Kind == card.KindScenario && e.Items > 1:
		return fmt.Sprintf("%s#%d", e.Path, e.Item+1)
	}
	return e.Path
}
