// Package ledger keeps duels on disk: scenes, contestants, turns, every swipe
// of every reply, the verdicts of both orders, votes and battles.
//
// It is one SQLite file in WAL mode, or a schema of a PostgreSQL database. Each
// call of the arena.Recorder is durable when it returns: killing the program
// loses nothing that was acknowledged, and a reply that was arriving keeps the
// text of its last call. Several programs may use one ledger at once.
//
// Migrations and queries are written once, in the SQL that both databases
// share; what differs stands behind the interface base.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"herarena/arena"
)

var _ arena.Recorder = (*Ledger)(nil)

// Ledger is an open ledger. All methods may be called from several goroutines.
// Open starts one goroutine that tells other programs that this one is alive;
// Close ends it.
type Ledger struct {
	base   base
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

// Open opens the ledger at a place: the path of a file, which is made with its
// folder where missing, or the address of a PostgreSQL database, as in
// postgres://user@host:5432/database?search_path=schema. Replies that a dead
// program left unfinished become cut off, with their text kept. Errors are of
// type *Error; none of them changes what is there, and none tells a password.
func Open(ctx context.Context, place string) (*Ledger, error) {
	at, err := baseOf(place)
	if err != nil {
		return nil, err
	}
	l := &Ledger{base: at, streaming: make(map[string]struct{}), stop: make(chan struct{})}
	if err := l.connect(ctx); err != nil {
		_ = l.closePools()
		return nil, err
	}
	l.beating.Go(l.beat)
	return l, nil
}

func (l *Ledger) connect(ctx context.Context) error {
	err := unlocked(ctx, func() error {
		_ = l.closePools()
		if err := l.base.prepare(ctx); err != nil {
			return err
		}
		var err error
		if l.writer, err = l.base.writers(); err != nil {
			return l.explain(err, "open it")
		}
		return l.migrate(ctx)
	})
	if err != nil {
		return err
	}
	if l.reader, err = l.base.readers(); err != nil {
		return l.explain(err, "open it")
	}
	if err := l.base.remember(); err != nil {
		return err
	}
	if err := l.startChain(ctx); err != nil {
		return err
	}
	l.self = newSelf()
	l.recovered, err = l.Recover(ctx)
	return err
}

// unlocked tries again what finds the ledger locked at once: where two programs
// make a file into a ledger at the same moment, SQLite does not wait.
func unlocked(ctx context.Context, try func() error) error {
	began := time.Now()
	for {
		attempt := time.Now()
		err := try()
		if !IsKind(err, Locked) || time.Since(attempt) > patience/2 || time.Since(began) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Path returns the absolute path of the file, or the address of the database
// without user and password.
func (l *Ledger) Path() string { return l.base.place() }

// Recovered returns how many replies Open found cut off by a program that died.
func (l *Ledger) Recovered() int { return l.recovered }

// Close marks replies that are still under way as cut off and closes it.
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
	return errors.Join(err, l.explain(l.closePools(), "close it"))
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

// usable fails on a closed ledger, and on one whose file is not there any more.
func (l *Ledger) usable() error {
	l.mu.Lock()
	closed := l.closed
	l.mu.Unlock()
	if closed {
		return l.trouble(Closed, "the ledger %s is closed", l.base.place())
	}
	return l.base.there()
}
