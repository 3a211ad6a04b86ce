// Package library keeps thousands of cards at hand: it walks folders, reads of
// each file what a list shows, remembers that in an index, and searches it. A
// folder that is slow, broken or hostile costs those who open a library
// nothing, since opening reads no folder at all.
package library

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"herarena/characters/card"
)

// KindScene is the kind of this program's own scene files, beside the kinds
// of package card.
const KindScene card.Kind = "scene"

// Entry is one thing that a list shows: a card, a scenario of a file that may
// hold several, a scene file, a lorebook, a chat, or a file that cannot be
// read. Texts are one line each and fit for a screen. An entry and its slices
// are not to be changed.
type Entry struct {
	ID   string // by which a person names it, unique in the library
	Path string // absolute; may be no UTF-8
	Item int    // which of the things in the file, counted from 0
	// Items is how many the file holds, at least 1.
	Items int
	Kind  card.Kind // "" where the file cannot be read
	Spec  string    // as card.File has it; "herarena" for scene files

	Name     string // who is played
	Title    string // what it is called, most often the same
	User     string // whom the person plays, "" where it does not say
	Creator  string
	Tags     []string // the file's own
	Language string   // "en", "zh", …; "" where it cannot be told
	Blurb    string   // at most 160 characters

	Greetings int
	Examples  int
	Lore      int // entries of its lorebook
	Messages  int // of a chat, lines of a scenario
	Tokens    int // estimated, of everything that can reach a prompt

	Size       int64 // bytes of the file
	Modified   time.Time
	Added      time.Time // when the library first saw it
	Hash       string    // of what is played, the same in every container; "" for none
	HasPicture bool
	Repaired   int    // warnings of the reader
	Err        string // why the file cannot be read, "" where it can

	// What follows is the person's own and not in the file.
	Favourite bool
	OwnTags   []string
	Played    time.Time // zero: never

	Duplicates []string // IDs of others with the same content, at most 16
}

// Playable reports whether a scene can be made of the entry.
func (e Entry) Playable() bool {
	return e.Err == "" && (e.Kind == card.KindCard || e.Kind == card.KindScenario || e.Kind == KindScene)
}

// maxDuplicates bounds Duplicates: a folder may hold one card thousands of
// times.
const maxDuplicates = 16

// Options say where a library is.
type Options struct {
	Dirs  []string // the folders with cards; missing ones are empty
	Index string   // the index file, "" to keep none
	Marks string   // the file of favourites, own tags and times of play, "" to keep none
	// Reserved are IDs that belong to others, such as scenes of the program. A
	// scene file may take one to stand in for what has it; nothing else may.
	Reserved []string
	// FileTime is the longest that reading one file may take, 0 for 10 s.
	FileTime time.Duration
	// Depth is how many folders may lie inside each other, 0 for 12.
	Depth int
	// MaxFiles is the most files that are listed, 0 for 100,000.
	MaxFiles int
}

// Library is a set of folders with cards. It is safe for use by several
// goroutines, and its files by several processes at once. It starts no
// goroutine outlasting the call that started it, but for reads that the
// system does not return from.
type Library struct {
	o       Options
	loading sync.Once
	read    func(found) []Entry
	turn    chan struct{} // held by the one Refresh that runs

	mu      sync.RWMutex
	entries []*Entry // by path and item, never changed in place
	fresh   bool     // there was no index to begin with
	indexed time.Time
	marks   *marks
	docs    []*document // what a search looks at of each entry, nil until it does
	version int
	folders []string // that the last walk went through
}

// Open returns a library. It reads nothing: the index is read when it is first
// asked for, the folders only by Refresh and Watch.
func Open(o Options) *Library {
	if o.FileTime <= 0 {
		o.FileTime = 10 * time.Second
	}
	if o.Depth <= 0 {
		o.Depth = 12
	}
	if o.MaxFiles <= 0 {
		o.MaxFiles = 100_000
	}
	dirs := make([]string, 0, len(o.Dirs))
	for _, dir := range o.Dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		dirs = append(dirs, dir)
	}
	o.Dirs = dirs
	return &Library{o: o, read: read, turn: make(chan struct{}, 1)}
}

// load reads the index and the marks once.
func (l *Library) load() {
	l.loading.Do(func() {
		m := readMarks(l.o.Marks)
		entries, at, ok := readIndex(l.o.Index)
		kept := make([]*Entry, 0, len(entries))
		for i := range entries {
			if e := &entries[i]; l.rootOf(e.Path) >= 0 {
				kept = append(kept, e)
			}
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.marks, l.fresh, l.indexed = m, !ok, at
		l.publish(kept)
	})
}

// rootOf returns which of the folders a path lies in, -1 for none.
func (l *Library) rootOf(path string) int {
	for i, dir := range l.o.Dirs {
		if len(path) > len(dir) && path[:len(dir)] == dir && (os.IsPathSeparator(path[len(dir)]) || os.IsPathSeparator(dir[len(dir)-1])) {
			return i
		}
	}
	return -1
}

// publish takes a new set of entries, in order of path and item, and puts the
// person's marks and the duplicates on them. The caller holds the lock.
func (l *Library) publish(entries []*Entry) {
	l.name(entries)
	same := make(map[string][]*Entry, len(entries))
	for _, e := range entries {
		if e.Hash != "" {
			same[e.Hash] = append(same[e.Hash], e)
		}
	}
	for i, e := range entries {
		marked := *e
		l.marks.put(&marked)
		marked.Duplicates = nil
		if others := same[e.Hash]; len(others) > 1 {
			for _, o := range others {
				if o != e && len(marked.Duplicates) < maxDuplicates {
					marked.Duplicates = append(marked.Duplicates, o.ID)
				}
			}
		}
		if !slices.Equal(marked.Duplicates, e.Duplicates) || !slices.Equal(marked.OwnTags, e.OwnTags) || marked.Favourite != e.Favourite || !marked.Played.Equal(e.Played) {
			changed := marked
			entries[i] = &changed
		}
	}
	l.entries, l.docs = entries, nil
	l.version++
}

// Entries returns what the index knows, in order of path. The first call reads
// the index, never a folder.
func (l *Library) Entries() []Entry {
	l.load()
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := make([]Entry, len(l.entries))
	for i, e := range l.entries {
		out[i] = *e
	}
	return out
}

// Version changes whenever entries or marks do, so that a screen can tell
// whether to ask again.
func (l *Library) Version() int {
	l.load()
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.version
}

// Known reports whether the folders were ever indexed.
func (l *Library) Known() bool {
	l.load()
	l.mu.RLock()
	defer l.mu.RUnlock()
	return !l.fresh
}

// Progress is how far a Refresh has come.
type Progress struct {
	Done, Total int    // files read, files to read
	Path        string // the last one read
}

// Report is what a Refresh found.
type Report struct {
	Added, Changed, Removed, Kept int     // files
	Broken                        int     // entries that cannot be read
	Faults                        []error // folders that cannot be read, or bounds that were met; and an index that cannot be written
}

// Moved reports whether anything is different from before.
func (r Report) Moved() bool { return r.Added+r.Changed+r.Removed > 0 }

// Refresh walks the folders and reads what is new or changed since. progress,
// which may be nil, is called by one goroutine at a time. While it runs,
// Entries and Search already give what was read so far. Only one Refresh of a
// library runs at a time; others wait for their turn. The error is the
// context's.
func (l *Library) Refresh(ctx context.Context, progress func(Progress)) (Report, error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
	l.load()
	return l.refresh(ctx, progress)
}
