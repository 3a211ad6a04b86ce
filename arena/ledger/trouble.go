package ledger

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what is wrong with a ledger, for a program to switch on.
type Kind string

// The kinds of trouble.
const (
	Unreadable Kind = "unreadable" // the folder, file or database may not be read
	ReadOnly   Kind = "read_only"  // it may not be written
	Address    Kind = "address"    // its address cannot be read
	Silent     Kind = "silent"     // its server does not answer
	NotAFile   Kind = "not_a_file" // a folder stands in its place, or a file in its folder's
	Foreign    Kind = "foreign"    // it is no ledger of this program
	Newer      Kind = "newer"      // a newer version of the program wrote it
	Locked     Kind = "locked"     // another program keeps it to itself
	Full       Kind = "full"       // the disk is full
	Damaged    Kind = "damaged"    // the database cannot make sense of it
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
	Path string // of the file, or the address without user and password
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

func troubleAt(place string, kind Kind, text string, args ...any) *Error {
	return &Error{Kind: kind, Path: place, Text: fmt.Sprintf(text, args...)}
}

func (l *Ledger) trouble(kind Kind, text string, args ...any) *Error {
	return troubleAt(l.base.place(), kind, text, args...)
}

// explain turns an error of the database into trouble; doing says what was
// being done, as in "keep a vote".
func (l *Ledger) explain(err error, doing string) error {
	return explained(l.base, err, doing)
}

func explained(b base, err error, doing string) error {
	if err == nil {
		return nil
	}
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	e := &Error{Kind: Failed, Path: b.place(), Text: fmt.Sprintf("could not %s in the ledger %s", doing, b.place()), Err: err}
	b.explain(e)
	return e
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
