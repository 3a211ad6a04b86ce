package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
)

// explain makes a sentence of an error of SQLite.
func (f *file) explain(e *Error) {
	var lite *sqlite.Error
	if !errors.As(e.Err, &lite) {
		return
	}
	const ( // primary result codes of SQLite
		busy, locked, readOnly, ioErr, corrupt, full, cantOpen, notDB = 5, 6, 8, 10, 11, 13, 14, 26
	)
	switch lite.Code() & 0xff {
	case busy, locked:
		e.Kind = Locked
		e.Text = fmt.Sprintf("another program keeps the ledger %s locked; close it or wait, then try again", f.path)
	case readOnly:
		e.Kind = ReadOnly
		e.Text = fmt.Sprintf("the ledger %s cannot be written; allow writing to the file and its folder", f.path)
	case full:
		e.Kind = Full
		e.Text = fmt.Sprintf("the disk of the ledger %s is full; free some space", f.path)
	case corrupt:
		e.Kind = Damaged
		e.Text = fmt.Sprintf("the ledger %s is damaged; move it away to start a new one, its copy may still be read with sqlite3 .recover", f.path)
	case notDB:
		e.Kind = Foreign
		e.Text = fmt.Sprintf("%s is not a ledger; nothing was changed, name another file", f.path)
	case cantOpen, ioErr:
		if cause := probe(filepath.Dir(f.path)); cause != nil {
			*e = *f.explainFile(cause, filepath.Dir(f.path))
		}
	}
}

// probe tries whether a file can be made in the folder and take a page.
func probe(folder string) error {
	p, err := os.CreateTemp(folder, ".herarena-probe-*")
	if err != nil {
		return err
	}
	_, err = p.Write(make([]byte, 4096))
	return errors.Join(err, p.Close(), os.Remove(p.Name()))
}

// explainFile turns an error of the file system about place into trouble.
func (f *file) explainFile(err error, place string) *Error {
	e := &Error{Kind: Failed, Path: f.path, Text: fmt.Sprintf("cannot open the ledger %s", f.path), Err: err}
	var path *fs.PathError
	if errors.As(err, &path) {
		e.Err = path.Err
	}
	switch {
	case errors.Is(err, syscall.EROFS):
		e.Kind = ReadOnly
		e.Text = fmt.Sprintf("the ledger %s lies on a disk that cannot be written; name another file", f.path)
	case errors.Is(err, fs.ErrPermission):
		place = existing(place)
		if canRead(place) {
			e.Kind = ReadOnly
			e.Text = fmt.Sprintf("%s cannot be written, which the ledger %s needs; change its permissions or name another file", place, f.path)
		} else {
			e.Kind = Unreadable
			e.Text = fmt.Sprintf("%s cannot be read, which the ledger %s needs; change its permissions or name another file", place, f.path)
		}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		e.Kind = NotAFile
		e.Text = fmt.Sprintf("the folder of the ledger %s cannot be made, a file stands in its place; move it or name another file", f.path)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		e.Kind = Full
		e.Text = fmt.Sprintf("the disk of the ledger %s is full; free some space", f.path)
	}
	return e
}

// existing returns the path or the nearest folder above it that is there.
func existing(path string) string {
	for {
		above := filepath.Dir(path)
		if _, err := os.Lstat(path); err == nil || above == path {
			return path
		}
		path = above
	}
}

func canRead(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
