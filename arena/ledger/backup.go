package ledger

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
)

// copyTo has SQLite write a tidy copy, which sees the ledger at one moment.
func (f *file) copyTo(ctx context.Context, db *sql.DB, path string) (bool, error) {
	_, err := db.ExecContext(ctx, "VACUUM INTO $1", path)
	return true, err
}

// Backup writes all that the ledger holds into a new file that only its owner
// can read: of a file a copy, which is a ledger itself; of a database an export,
// which Import takes in. whole tells which of the two. A file that is there is
// left as it is.
func (l *Ledger) Backup(ctx context.Context, path string) (whole bool, err error) {
	if err := l.usable(); err != nil {
		return false, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, troubleAt(path, NotAFile, "%s is there already and stays as it is; choose another name for the backup", path)
	}
	if err != nil {
		return false, backupTrouble(err, path)
	}
	// SQLite writes into an empty file as into a new one.
	if whole, err = l.base.copyTo(ctx, l.writer, path); err == nil && !whole {
		err = l.Export(ctx, out)
	}
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	if err != nil {
		// Half a backup is none, and its name would be taken.
		return whole, errors.Join(backupTrouble(err, path), os.Remove(path))
	}
	return whole, nil
}

func backupTrouble(err error, path string) error {
	at := &file{path: path}
	e := at.explainFile(err, path)
	if e.Kind == Failed {
		at.explain(e)
	}
	if e.Kind == Full {
		e.Text = "the disk of the backup " + path + " is full; free some space or name another place"
	} else {
		e.Text = "the backup " + path + " cannot be written"
	}
	return e
}
