package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// IsFile reports whether a file begins as the file of a ledger does, and not as
// an export.
func IsFile(path string) bool {
	// What is read of a pipe is gone for whoever reads it next.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(fileHead))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == fileHead
}

// ImportFile adds what the file of another ledger holds, as Import does. The
// file is left as it is, also where an older program wrote it: a copy is read.
// It must not be in use.
func (l *Ledger) ImportFile(ctx context.Context, path string) (ImportReport, error) {
	folder, err := os.MkdirTemp("", "herarena-import-*")
	if err != nil {
		return ImportReport{}, fmt.Errorf("cannot copy %s to read it: %w", path, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	copied := filepath.Join(folder, "ledger.db")
	if err := copyFile(copied, path); err != nil {
		return ImportReport{}, fmt.Errorf("cannot copy %s to read it: %w", path, err)
	}
	// What its last writer did not live to fold into it.
	if err := copyFile(copied+"-wal", path+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ImportReport{}, fmt.Errorf("cannot copy %s to read it: %w", path, err)
	}
	from, err := Open(ctx, copied)
	if err != nil {
		return ImportReport{}, renamed(err, copied, path)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, in := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = in.CloseWithError(from.Export(ctx, in))
	}()
	report, err := l.Import(ctx, out)
	_ = out.Close() // where the import failed, the export ends with it
	<-done
	return report, errors.Join(err, from.Close())
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// renamed tells trouble with a copy as trouble with the file it was made of.
func renamed(err error, copied, path string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	return &Error{Kind: e.Kind, Path: path, Text: strings.ReplaceAll(e.Text, copied, path), Err: e.Err}
}
