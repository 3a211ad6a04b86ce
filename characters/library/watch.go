package library

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"herarena/characters/card"
)

// Times and bounds of Watch.
const (
	quiet      = 300 * time.Millisecond // without further events, before the folders are read
	impatience = 2 * time.Second        // after the first event, they are read however many follow
	pollFast   = 2 * time.Second        // between walks where the system tells of no events
	pollSlow   = 30 * time.Second       // where it does: network folders tell of none
	maxWatched = 2000                   // folders that are watched; each costs the system a handle
)

// Watch keeps the library as the folders are until the context ends: it reads
// them once and then whenever something in them changes. told is called with
// what each round found, where that is something, by one goroutine; it may be
// nil. The system is asked to tell of changes, and where it cannot, the folders
// are walked every few seconds. The error is the context's.
func (l *Library) Watch(ctx context.Context, told func(Report)) error {
	w := &watch{library: l, told: told, watched: map[string]bool{}}
	w.events, _ = fsnotify.NewWatcher()
	if w.events != nil {
		defer w.events.Close()
	}
	return w.run(ctx)
}

// watch is the state of one Watch.
type watch struct {
	library *Library
	told    func(Report)
	events  *fsnotify.Watcher // nil where the system has none
	watched map[string]bool
	blind   bool // there are folders that cannot be watched
	missing bool // one of the library's folders is not there (yet)
}

func (w *watch) run(ctx context.Context) error {
	var (
		wake    <-chan fsnotify.Event
		faults  <-chan error
		settled <-chan time.Time // when it has been quiet for long enough
		latest  time.Time        // by when the folders are read at any rate
	)
	if w.events != nil {
		wake, faults = w.events.Events, w.events.Errors
	}
	poll := time.NewTimer(w.round(ctx))
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-wake:
			if !ok {
				wake = nil
				continue
			}
			if !matters(e) {
				continue
			}
			now := time.Now()
			if settled == nil {
				latest = now.Add(impatience)
			}
			settled = time.After(max(0, min(quiet, latest.Sub(now))))
			continue
		case _, ok := <-faults:
			// Events were lost: the folders themselves tell.
			if !ok {
				faults = nil
				continue
			}
			settled = time.After(quiet)
			continue
		case <-settled:
		case <-poll.C:
		}
		settled = nil
		poll.Reset(w.round(ctx))
	}
}

// matters reports an event that can change what is listed.
func matters(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	if hidden(name) || e.Op == fsnotify.Chmod {
		return false
	}
	// What is made, renamed or removed may be a folder.
	return card.Readable(name) || e.Has(fsnotify.Create) || e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove)
}

// round reads the folders, tells what it found, and returns when to do so
// again. Folders that came up are watched before they are read once more, so
// that nothing falls between.
func (w *watch) round(ctx context.Context) time.Duration {
	began := time.Now()
	r, err := w.library.Refresh(ctx, nil)
	if w.follow(ctx) && err == nil {
		more, again := w.library.Refresh(ctx, nil)
		r.Added, r.Changed, r.Removed, r.Kept = r.Added+more.Added, r.Changed+more.Changed, r.Removed+more.Removed, more.Kept
		r.Broken, r.Faults, err = more.Broken, more.Faults, again
	}
	if err == nil && r.Moved() && w.told != nil {
		w.told(r)
	}
	next := pollFast
	if w.events != nil && !w.blind && !w.missing {
		next = pollSlow
	}
	// A slow folder is walked a twentieth of the time at most.
	return max(next, 20*time.Since(began))
}

// follow asks for events of folders that are not watched yet, and reports
// whether there were any. A folder that hangs is left to the system.
func (w *watch) follow(ctx context.Context) bool {
	if w.events == nil {
		return false
	}
	fresh := false
	now := w.library.walked()
	there := make(map[string]bool, len(now))
	for _, dir := range now {
		there[dir] = true
		if w.watched[dir] || w.blind && len(w.watched) >= maxWatched {
			continue
		}
		if len(w.watched) >= maxWatched {
			w.blind = true
			continue
		}
		done := make(chan error, 1)
		go func() { done <- w.events.Add(dir) }()
		select {
		case err := <-done:
			w.blind = w.blind || err != nil
			w.watched[dir], fresh = true, fresh || err == nil
		case <-ctx.Done():
			return false
		}
	}
	w.missing = slices.ContainsFunc(w.library.o.Dirs, func(dir string) bool { return !there[dir] })
	for dir := range w.watched {
		if !there[dir] {
			// The system forgets a folder that is gone by itself.
			delete(w.watched, dir)
		}
	}
	return fresh
}
