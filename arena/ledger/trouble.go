package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"modernc.org/sqlite"
)

// Kind says what is wrong with a ledger, for a program to switch on.
type Kind string

// The kinds of trouble.
const (
	Unreadable Kind = "unreadable" // the folder or file may not be read
	ReadOnly   Kind = "read_only"  // it may not be written
	NotAFile   Kind = "not_a_file" // a folder stands in its place, or a file in its folder's
	Foreign    Kind = "foreign"    // it is no ledger of this program
	Newer      Kind = "newer"      // a newer version of the program wrote it
	Locked     Kind = "locked"     // another program keeps it to itself
	Full       Kind = "full"       // the disk is full
	Damaged    Kind = "damaged"    // SQLite cannot make sense of it
	Gone       Kind = "gone"       // it was moved or deleted while open
	Closed     Kind = "closed"     // Close has been called
	NotFound   Kind = "not_found"  // no duel has that id
	Ambiguous  Kind = "ambiguous"  // several duels begin with that id
	BadRecord  Kind = "bad_record" // what was to be kept lacks its id
	Failed     Kind = "failed"     // anything else
)

// Error is trouble with a ledger: a sentence a person can act on, and what is
// behind it.
type Error struct {
	Kind Kind
	Path string
	Text string
	Err  error // the cause, nil where there is no more to say
}

// Error returns the sentence and the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Text
	}
	return e.Text + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func (l *Ledger) trouble(kind Kind, text string, args ...any) *Error {
	return &Error{Kind: kind, Path: l.path, Text: fmt.Sprintf(text, args...)}
}

// explain turns an error of the database into trouble; doing says what was
// being done, as in "keep a vote".
func (l *Ledger) explain(err error, doing string) error {
	if err == nil {
		return nil
	}
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	e := &Error{Kind: Failed, Path: l.path, Text: fmt.Sprintf("could not %s in the ledger %s", doing, l.path), Err: err}
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return e
	}
	const ( // primary result codes of SQLite
		busy, locked, readOnly, ioErr, corrupt, full, cantOpen, notDB = 5, 6, 8, 10, 11, 13, 14, 26
	)
	switch lite.Code() & 0xff {
	case busy, locked:
		e.Kind = Locked
		e.Text = fmt.Sprintf("another program keeps the ledger %s locked; close it or wait, then try again", l.path)
	case readOnly:
		e.Kind = ReadOnly
		e.Text = fmt.Sprintf("the ledger %s cannot be written; allow writing to the file and its folder", l.path)
	case full:
		e.Kind = Full
		e.Text = fmt.Sprintf("the disk of the ledger %s is full; free some space", l.path)
	case corrupt:
		e.Kind = Damaged
		e.Text = fmt.Sprintf("the ledger %s is damaged; move it away to start a new one, its copy may still be read with sqlite3 .recover", l.path)
	case notDB:
		e.Kind = Foreign
		e.Text = fmt.Sprintf("%s is not a ledger; nothing was changed, name another file", l.path)
	case cantOpen, ioErr:
		if cause := probe(filepath.Dir(l.path)); cause != nil {
			return l.explainFile(cause, filepath.Dir(l.path))
		}
	}
	return e
}

// probe tries whether a file can be made in the folder.
func probe(folder string) error {
	f, err := os.CreateTemp(folder, ".herarena-probe-*")
	if err != nil {
		return err
	}
	name := f.Name()
	return errors.Join(f.Close(), os.Remove(name))
}

// explainFile turns an error of the file system about place into trouble.
func (l *Ledger) explainFile(err error, place string) error {
	e := &Error{Kind: Failed, Path: l.path, Text: fmt.Sprintf("cannot open the ledger %s", l.path), Err: err}
	var path *fs.PathError
	if errors.As(err, &path) {
		e.Err = path.Err
	}
	switch {
	case errors.Is(err, syscall.EROFS):
		e.Kind = ReadOnly
		e.Text = fmt.Sprintf("the ledger %s lies on a disk that cannot be written; name another file", l.path)
	case errors.Is(err, fs.ErrPermission):
		place = existing(place)
		if canRead(place) {
			e.Kind = ReadOnly
			e.Text = fmt.Sprintf("%s cannot be written, which the ledger %s needs; change its permissions or name another file", place, l.path)
		} else {
			e.Kind = Unreadable
			e.Text = fmt.Sprintf("%s cannot be read, which the ledger %s needs; change its permissions or name another file", place, l.path)
		}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		e.Kind = NotAFile
		e.Text = fmt.Sprintf("the folder of the ledger %s cannot be made, a file stands in its place; move it or name another file", l.path)
	case errors.Is(err, syscall.ENOSPC):
		e.Kind = Full
		e.Text = fmt.Sprintf("the disk of the ledger %s is full; free some space", l.path)
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

// IsKind reports whether an error is trouble of the kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

func list(ids []string, most int) string {
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
