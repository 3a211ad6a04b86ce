package library

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"time"
)

// Bounds and times of a Refresh.
const (
	maxWorkers = 8
	maxHung    = 4                      // reads that did not come back, after which a folder is given up
	settle     = 2 * time.Second        // a file changed less than this ago may still be written
	retryAfter = 150 * time.Millisecond // before a file that may still be written is read again
	retries    = 8
	showEvery  = 500 * time.Millisecond // how often what was read so far is shown
)

// job is a file to read, result what came of it.
type job struct {
	at     found
	before found    // as it was when it was read before
	known  []*Entry // of the file as it was indexed
}

type result struct {
	job
	entries []Entry
	hung    bool
}

// survey is what a walk over all folders came to.
type survey struct {
	files   map[string]found
	folders []string
	faults  []error
	deaf    []string // folders that are there but do not answer: what is known of them stays
}

// survey walks all folders. A folder that hangs ends with the context; the walk
// itself is then left to the system.
func (l *Library) survey(ctx context.Context) (survey, error) {
	done := make(chan survey, 1)
	go func() {
		s := survey{files: map[string]found{}}
		w := walker{ctx: ctx, o: l.o, seen: map[string]bool{}}
		for _, dir := range l.o.Dirs {
			if !w.walk(dir) {
				s.deaf = append(s.deaf, dir)
			}
		}
		for _, f := range w.files {
			s.files[f.path] = f
		}
		s.faults, s.folders = w.faults, w.folders
		done <- s
	}()
	select {
	case s := <-done:
		return s, ctx.Err()
	case <-ctx.Done():
		return survey{}, ctx.Err()
	}
}

func (l *Library) refresh(ctx context.Context, progress func(Progress)) (Report, error) {
	began := time.Now()
	s, err := l.survey(ctx)
	if err != nil {
		return Report{}, err
	}
	r := Report{Faults: s.faults}
	l.mu.Lock()
	l.folders = s.folders
	if l.marks.stale() {
		l.marks = readMarks(l.o.Marks)
	}
	l.mu.Unlock()
	kept, jobs, gone := l.plan(s, &r)
	after, err := l.readAll(ctx, kept, jobs, gone, progress, &r)
	if err != nil {
		return r, err
	}
	l.mu.Lock()
	dirty := l.fresh || r.Moved() || len(jobs) > 0
	l.publish(after)
	l.fresh, l.indexed = false, began
	for _, e := range l.entries {
		if e.Err != "" {
			r.Broken++
		}
	}
	entries := l.entries
	l.mu.Unlock()
	if dirty && l.o.Index != "" {
		if err := writeIndex(l.o.Index, entries, began); err != nil {
			r.Faults = append(r.Faults, fmt.Errorf("the index of the cards cannot be kept, so the folders are read anew next time: %w", err))
		}
	}
	return r, nil
}

// plan sorts what is known and what was found into entries to keep, files to
// read, and entries whose files are gone by the hash of their content.
func (l *Library) plan(s survey, r *Report) (kept []*Entry, jobs []job, gone map[string]*Entry) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	gone = map[string]*Entry{}
	known := make(map[string][]*Entry, len(l.entries))
	for _, e := range l.entries {
		known[e.Path] = append(known[e.Path], e)
	}
	for path, f := range s.files {
		old := known[path]
		if len(old) > 0 && old[0].Size == f.size && old[0].Modified.Equal(f.modified) && l.indexed.Sub(f.modified) > settle {
			kept = append(kept, old...)
			r.Kept++
			continue
		}
		jobs = append(jobs, job{at: f, known: old})
	}
	for path, old := range known {
		if _, ok := s.files[path]; ok {
			continue
		}
		if deaf(path, s.deaf) {
			kept = append(kept, old...)
			continue
		}
		r.Removed++
		for _, e := range old {
			if e.Hash != "" {
				gone[e.Hash] = e
			}
		}
	}
	sort.Slice(jobs, func(i, j int) bool { return jobs[i].at.path < jobs[j].at.path })
	return kept, jobs, gone
}

// walked returns the folders that the last Refresh went through.
func (l *Library) walked() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.folders
}

func deaf(path string, dirs []string) bool {
	for _, dir := range dirs {
		if strings.HasPrefix(path, dir+string(os.PathSeparator)) {
			return true
		}
	}
	return false
}

// readAll reads the files and returns all entries in order. Files that may
// still be written are read again after all others.
func (l *Library) readAll(ctx context.Context, kept []*Entry, jobs []job, gone map[string]*Entry, progress func(Progress), r *Report) ([]*Entry, error) {
	done, total, shown := 0, len(jobs), time.Now()
	for round := 0; len(jobs) > 0; round++ {
		var again []job
		err := l.readSome(ctx, jobs, func(res result) {
			if round < retries && !res.hung && res.unsettled(res.entries) && (round < 2 || res.at != res.before) {
				res.before = res.at
				again = append(again, res.job)
				return
			}
			kept = append(kept, l.take(res, gone, r)...)
			if done++; progress != nil {
				progress(Progress{done, total, res.at.path})
			}
			if time.Since(shown) > showEvery {
				l.mu.Lock()
				l.publish(ordered(append([]*Entry(nil), kept...)))
				l.mu.Unlock()
				shown = time.Now()
			}
		})
		if err != nil {
			return nil, err
		}
		if jobs = again; len(jobs) > 0 {
			select {
			case <-time.After(retryAfter):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	return ordered(kept), nil
}

// readSome reads files with a few workers and hands each result to take, one
// at a time.
func (l *Library) readSome(ctx context.Context, jobs []job, take func(result)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan job, len(jobs))
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	results := make(chan result)
	for range min(maxWorkers, runtime.GOMAXPROCS(0), len(jobs)) {
		go func() {
			for j := range queue {
				select {
				case results <- l.readOne(ctx, j):
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	hung := 0
	for range jobs {
		select {
		case res := <-results:
			if res.hung {
				if hung++; hung >= maxHung {
					return fmt.Errorf("%d files did not answer within %s, the last one %s; is the folder on a disk that is gone?", hung, l.o.FileTime, res.at.path)
				}
			}
			take(res)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func ordered(entries []*Entry) []*Entry {
	sort.SliceStable(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Item < b.Item
	})
	return entries
}

// take gives what was read the ID and the date of what stood in its place, or
// of what was moved there.
func (l *Library) take(res result, gone map[string]*Entry, r *Report) []*Entry {
	out := make([]*Entry, 0, len(res.entries))
	now := time.Now()
	same := len(res.known) == len(res.entries)
	for i := range res.entries {
		e := &res.entries[i]
		e.Added = now
		if l.fresh {
			// A first index knows no better than the file.
			e.Added = e.Modified
		}
		before := gone[e.Hash]
		if i < len(res.known) {
			before = res.known[i]
			same = same && before.Hash == e.Hash && before.Err == e.Err
		} else if e.Hash == "" {
			before = nil
		} else if before != nil {
			delete(gone, e.Hash)
		}
		if before != nil {
			e.Added = before.Added
			if e.Kind != KindScene && before.Kind != KindScene {
				e.ID = before.ID
			}
		}
		out = append(out, e)
	}
	switch {
	case len(res.known) == 0:
		r.Added++
	case same:
		r.Kept++
	default:
		r.Changed++
	}
	return out
}

// readOne reads a file within its time.
func (l *Library) readOne(ctx context.Context, j job) result {
	entries, ok := l.readWithin(ctx, j.at)
	if !ok {
		e := Entry{Path: j.at.path, Items: 1, Size: j.at.size, Modified: j.at.modified, Title: stem(j.at.path)}
		e.Err = fmt.Sprintf("did not answer within %s; it is tried again when the file changes", l.o.FileTime)
		return result{job: j, entries: []Entry{e}, hung: ctx.Err() == nil}
	}
	return result{job: j, entries: entries}
}

// unsettled reports whether a file that was just read may have been written
// meanwhile, and brings what is known of it up to date.
func (j *job) unsettled(entries []Entry) bool {
	info, err := os.Stat(j.at.path)
	if err != nil {
		return false
	}
	still := info.Size() == j.at.size && info.ModTime().Equal(j.at.modified)
	age := time.Since(info.ModTime())
	j.at.size, j.at.modified, j.at.regular = info.Size(), info.ModTime(), info.Mode().IsRegular()
	return !still || entries[0].Err != "" && j.at.regular && age < settle && age > -settle
}

// readWithin reads a file. A read that the system does not come back from
// stays behind in a goroutine of its own.
func (l *Library) readWithin(ctx context.Context, at found) ([]Entry, bool) {
	done := make(chan []Entry, 1)
	go func() { done <- l.read(at) }()
	limit := time.NewTimer(l.o.FileTime)
	defer limit.Stop()
	select {
	case entries := <-done:
		return entries, true
	case <-limit.C:
	case <-ctx.Done():
	}
	return nil, false
}
