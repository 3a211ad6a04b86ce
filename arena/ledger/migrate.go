package ledger

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks the file as a ledger in SQLite's header: "HERA".
const applicationID = 0x48455241

// newest returns the highest version among the embedded migrations.
func newest() int64 {
	var highest int64
	names, _ := fs.Glob(migrations, "migrations/*.sql")
	for _, name := range names {
		digits, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
			highest = max(highest, v)
		}
	}
	return highest
}

// identify refuses databases of other programs before anything is written, even
// the change to WAL mode.
func (l *Ledger) identify(ctx context.Context) error {
	db, err := l.pool(1, "deferred")
	if err != nil {
		return l.explain(err, "open the file")
	}
	defer db.Close()
	var id, tables int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return l.explain(err, "open the file")
	}
	if id == applicationID {
		return nil
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return l.explain(err, "open the file")
	}
	if tables > 0 || id != 0 {
		return l.trouble(Foreign, "%s is a database of another program; nothing was changed, name another file", l.path)
	}
	return nil
}

// migrate brings the tables up to date. Two programs may start at once: the
// loser's first statement then fails on what the winner has just made, so it
// looks again.
func (l *Ledger) migrate(ctx context.Context) error {
	var last error
	for range 20 {
		version, err := l.version(ctx)
		switch {
		case err != nil:
			return l.explain(err, "read the version of the tables")
		case version > newest():
			return l.trouble(Newer, "the ledger %s was written by a newer herarena (tables of version %d, this program knows %d); update the program", l.path, version, newest())
		case version == newest():
			return nil
		}
		if last = l.up(ctx); last == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return l.explain(ctx.Err(), "bring the tables up to date")
		case <-time.After(50 * time.Millisecond):
		}
	}
	return l.explain(last, "bring the tables up to date")
}

func (l *Ledger) up(ctx context.Context) error {
	if _, err := l.writer.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID)); err != nil {
		return err
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, l.writer, folder, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// version returns the version of the tables, 0 for a new file.
func (l *Ledger) version(ctx context.Context) (int64, error) {
	var known int64
	const find = "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'"
	if err := l.writer.QueryRowContext(ctx, find).Scan(&known); err != nil || known == 0 {
		return 0, err
	}
	var version sql.NullInt64
	err := l.writer.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&version)
	return version.Int64, err
}
