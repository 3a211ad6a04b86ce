// Package ledger keeps duels on disk: scenes, contestants, turns, every swipe
// of every reply, the verdicts of both orders, votes and battles.
//
// It is one SQLite file in WAL mode. Each call of the arena.Recorder is durable
// when it returns: killing the program loses nothing that was acknowledged, and
// a reply that was arriving keeps the text of its last call. Several programs
// may use one ledger at once.
//
// The SQL is the part that SQLite and PostgreSQL share.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	// The driver registers itself as "sqlite".
	_ "modernc.org/sqlite"

	"herarena/arena"
)

var _ arena.Recorder = (*Ledger)(nil)

const (
	// patience is how long a call waits for another program's transaction.
	patience = 10 * time.Second
	// A write that takes longer than this is given up.
	writeLimit = 30 * time.Second
	readers    = 4
)

// Ledger is an open ledger. All methods may be called from several goroutines.
// Open starts one goroutine that tells other programs that this one is alive;
// Close ends it.
type Ledger struct {
	path string
	file os.FileInfo
	// SQLite has one writer at a time; a second connection would only wait.
	writer *sql.DB
	reader *sql.DB
	self   self

	recovered int
	mu        sync.Mutex
	closed    bool
	streaming map[string]struct{} // ids of replies under way here
	stop      chan struct{}
	beating   sync.WaitGroup
}

// Open opens the ledger at path, and makes it and its folder where missing.
// Replies that a dead program left unfinished become cut off, with their text
// kept. Errors are of type *Error; none of them changes the file.
func Open(ctx context.Context, path string) (*Ledger, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the ledger %s: %w", path, err)
	}
	l := &Ledger{path: absolute, streaming: make(map[string]struct{}), stop: make(chan struct{})}
	if err := l.prepareFile(); err != nil {
		return nil, err
	}
	if err := l.identify(ctx); err != nil {
		return nil, err
	}
	if err := l.connect(ctx); err != nil {
		l.closePools()
		return nil, err
	}
	l.beating.Go(l.beat)
	return l, nil
}

func (l *Ledger) connect(ctx context.Context) error {
	var err error
	pragmas := []string{"journal_mode(WAL)", "synchronous(FULL)"}
	if l.writer, err = l.pool(1, "immediate", pragmas...); err != nil {
		return l.explain(err, "open the file")
	}
	if err := l.migrate(ctx); err != nil {
		return err
	}
	if l.reader, err = l.pool(readers, "deferred", append(pragmas, "query_only(1)")...); err != nil {
		return l.explain(err, "open the file")
	}
	if l.file, err = os.Stat(l.path); err != nil {
		return l.explainFile(err, l.path)
	}
	l.self = newSelf()
	l.recovered, err = l.Recover(ctx)
	return err
}

// prepareFile makes the folder and an empty file that only its owner can read,
// and looks at what is there already without SQLite touching it.
func (l *Ledger) prepareFile() error {
	folder := filepath.Dir(l.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return l.explainFile(err, folder)
	}
	info, err := os.Stat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return l.explainFile(err, folder)
	case info.IsDir():
		return l.trouble(NotAFile, "%s is a folder; name a file for the ledger", l.path)
	case !info.Mode().IsRegular():
		return l.trouble(NotAFile, "%s is not a regular file; name another for the ledger", l.path)
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		if _, missing := os.Stat(l.path); missing == nil {
			return l.explainFile(err, l.path)
		}
		return l.explainFile(err, folder)
	}
	defer f.Close()
	head := make([]byte, 16)
	n, err := f.ReadAt(head, 0)
	if n > 0 && string(head[:n]) != "SQLite format 3\x00" {
		return l.trouble(Foreign, "%s is not a ledger; nothing was changed, name another file", l.path)
	}
	if n == 0 && err != nil && info != nil && info.Size() > 0 {
		return l.explainFile(err, l.path)
	}
	return nil
}

// pool opens a pool of connections to the file.
func (l *Ledger) pool(size int, lock string, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_txlock": {lock}, "_busy_timeout": {fmt.Sprint(patience.Milliseconds())}}
	for _, p := range pragmas {
		query.Add("_pragma", p)
	}
	slashed := filepath.ToSlash(l.path)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter
	}
	name := url.URL{Scheme: "file", OmitHost: false, Path: slashed, RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// Path returns the absolute path of the file.
func (l *Ledger) Path() string { return l.path }

// Recovered returns how many replies Open found cut off by a program that died.
func (l *Ledger) Recovered() int { return l.recovered }

// Close marks replies that are still under way as cut off and closes the file.
// Further calls of any method but Close fail with Closed.
func (l *Ledger) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	l.mu.Unlock()
	close(l.stop)
	l.beating.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	err := l.explain(l.leave(ctx), "finish the replies under way")
	return errors.Join(err, l.explain(l.closePools(), "close the file"))
}

func (l *Ledger) closePools() error {
	var errs []error
	// The writer goes last: the last connection folds the WAL into the file.
	for _, db := range []*sql.DB{l.reader, l.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// write runs f in a transaction; doing says what for.
func (l *Ledger) write(doing string, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	return l.writeContext(ctx, doing, f)
}

func (l *Ledger) writeContext(ctx context.Context, doing string, f func(context.Context, *sql.Tx) error) error {
	if err := l.usable(); err != nil {
		return err
	}
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return l.explain(err, doing)
	}
	if err := f(ctx, tx); err != nil {
		_ = tx.Rollback()
		return l.explain(err, doing)
	}
	return l.explain(tx.Commit(), doing)
}

// usable fails on a closed ledger, and on one whose file was moved or deleted:
// SQLite would go on writing to a file that nobody can find any more.
func (l *Ledger) usable() error {
	l.mu.Lock()
	closed := l.closed
	l.mu.Unlock()
	if closed {
		return l.trouble(Closed, "the ledger %s is closed", l.path)
	}
	if now, err := os.Stat(l.path); err != nil || !os.SameFile(now, l.file) {
		return l.trouble(Gone, "the ledger %s was moved or deleted while open; put it back and start again", l.path)
	}
	return nil
}
