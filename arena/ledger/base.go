package ledger

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"
)

// base is the database under a ledger, with all in which a file and a server
// differ.
type base interface {
	// place names it to people, without user and password.
	place() string
	// prepare looks at what is there, and refuses what is no ledger before
	// anything is written.
	prepare(ctx context.Context) error
	writers() (*sql.DB, error)
	// readers see one moment for as long as a transaction lasts.
	readers() (*sql.DB, error)
	// mark makes an empty database known as a ledger.
	mark(ctx context.Context, writer *sql.DB) error
	// remember is called once all is open; there tells from then on whether it
	// is still what was opened.
	remember() error
	there() error
	dialect() goose.Dialect
	// hasTable counts the tables of the name $1.
	hasTable() string
	// like is the operator of patterns that does not heed the case of ASCII.
	like() string
	// check looks for damage below the tables.
	check(ctx context.Context, db *sql.DB) error
	// copyTo writes a copy of the database into a new file; false where only an
	// export can be had.
	copyTo(ctx context.Context, db *sql.DB, path string) (bool, error)
	// explain makes a sentence of an error of the database.
	explain(e *Error)
}

// IsServer reports whether a place is the address of a database, and not the
// path of a file.
func IsServer(place string) bool {
	scheme, _, found := strings.Cut(place, "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// Shown is a place as it may be shown: an address without user, password and
// settings; a path as it is.
func Shown(place string) string {
	if !IsServer(place) {
		return place
	}
	s, err := newServer(place)
	if err != nil {
		return "postgres://…"
	}
	return s.place()
}

func baseOf(place string) (base, error) {
	if IsServer(place) {
		return newServer(place)
	}
	absolute, err := filepath.Abs(place)
	if err != nil {
		e := troubleAt(place, Failed, "cannot open the ledger %s", place)
		e.Err = err
		return nil, e
	}
	return &file{path: absolute}, nil
}
