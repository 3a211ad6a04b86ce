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

// versionTable is where goose keeps the version of the tables.
const versionTable = "goose_db_version"

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
			return l.trouble(Newer, "the ledger %s was written by a newer herarena (tables of version %d, this program knows %d); update the program", l.base.place(), version, newest())
		case version == newest():
			return nil
		}
		if last = l.up(ctx); last == nil {
			continue
		}
		if e := l.explain(last, "bring the tables up to date"); IsKind(e, ReadOnly) || IsKind(e, Full) {
			return e // waiting will not help
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
	if err := l.base.mark(ctx, l.writer); err != nil {
		return err
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(l.base.dialect(), l.writer, folder, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// version returns the version of the tables, 0 where there are none.
func (l *Ledger) version(ctx context.Context) (int64, error) {
	var known int64
	if err := l.writer.QueryRowContext(ctx, l.base.hasTable(), versionTable).Scan(&known); err != nil || known == 0 {
		return 0, err
	}
	var version sql.NullInt64
	err := l.writer.QueryRowContext(ctx, "SELECT max(version_id) FROM "+versionTable).Scan(&version)
	return version.Int64, err
}
