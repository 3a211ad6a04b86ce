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
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	// The driver registers itself as "sqlite".
	_ "modernc.org/sqlite"
)

var _ base = (*file)(nil)

const (
	// patience is how long a call waits for another program's transaction.
	patience = 10 * time.Second
	// A write that takes longer than this is given up.
	writeLimit = 30 * time.Second
	readers    = 4
)

// applicationID marks the file as a ledger in SQLite's header: "HERA".
const applicationID = 0x48455241

// fileHead is how every SQLite file begins.
const fileHead = "SQLite format 3\x00"

// file is a ledger in an SQLite file.
type file struct {
	path string
	info os.FileInfo // once all is open
}

func (f *file) place() string          { return f.path }
func (f *file) dialect() goose.Dialect { return goose.DialectSQLite3 }
func (f *file) hasTable() string       { return "SELECT count(*) FROM sqlite_master WHERE name = $1" }
func (f *file) like() string           { return "LIKE" }

func (f *file) trouble(kind Kind, text string, args ...any) *Error {
	return troubleAt(f.path, kind, text, args...)
}

func (f *file) prepare(ctx context.Context) error {
	if err := f.prepareFile(); err != nil {
		return err
	}
	return f.identify(ctx)
}

// prepareFile makes the folder and an empty file that only its owner can read,
// and looks at what is there already without SQLite touching it.
func (f *file) prepareFile() error {
	folder := filepath.Dir(f.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return f.explainFile(err, folder)
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return f.explainFile(err, folder)
	case info.IsDir():
		return f.trouble(NotAFile, "%s is a folder; name a file for the ledger", f.path)
	case !info.Mode().IsRegular():
		return f.trouble(NotAFile, "%s is not a regular file; name another for the ledger", f.path)
	}
	open, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		if _, missing := os.Stat(f.path); missing == nil {
			return f.explainFile(err, f.path)
		}
		return f.explainFile(err, folder)
	}
	defer func() { _ = open.Close() }()
	head := make([]byte, len(fileHead))
	n, err := open.ReadAt(head, 0)
	if n > 0 && string(head[:n]) != fileHead {
		return f.trouble(Foreign, "%s is not a ledger; nothing was changed, name another file", f.path)
	}
	if n == 0 && err != nil && info != nil && info.Size() > 0 {
		return f.explainFile(err, f.path)
	}
	return nil
}

// identify refuses databases of other programs before anything is written, even
// the change to WAL mode.
func (f *file) identify(ctx context.Context) error {
	db, err := f.pool(1, "deferred")
	if err != nil {
		return explained(f, err, "open the file")
	}
	defer func() { _ = db.Close() }()
	// At one moment: a program that is just making the ledger marks it first and
	// makes its tables then.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return explained(f, err, "open the file")
	}
	defer func() { _ = tx.Rollback() }()
	var id, tables int64
	if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return explained(f, err, "open the file")
	}
	if id == applicationID {
		return nil
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return explained(f, err, "open the file")
	}
	if tables > 0 || id != 0 {
		return f.trouble(Foreign, "%s is a database of another program; nothing was changed, name another file", f.path)
	}
	return nil
}

func (f *file) mark(ctx context.Context, writer *sql.DB) error {
	_, err := writer.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID))
	return err
}

// SQLite has one writer at a time; a second connection would only wait.
func (f *file) writers() (*sql.DB, error) {
	return f.pool(1, "immediate", "journal_mode(WAL)", "synchronous(FULL)")
}

func (f *file) readers() (*sql.DB, error) {
	return f.pool(readers, "deferred", "journal_mode(WAL)", "synchronous(FULL)", "query_only(1)")
}

// pool opens a pool of connections to the file.
func (f *file) pool(size int, lock string, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_txlock": {lock}, "_busy_timeout": {fmt.Sprint(patience.Milliseconds())}}
	for _, p := range pragmas {
		query.Add("_pragma", p)
	}
	slashed := filepath.ToSlash(f.path)
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

func (f *file) remember() error {
	var err error
	if f.info, err = os.Stat(f.path); err != nil {
		return f.explainFile(err, f.path)
	}
	return nil
}

// there fails where the file was moved or deleted: SQLite would go on writing to
// a file that nobody can find any more.
func (f *file) there() error {
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.info) {
		return f.trouble(Gone, "the ledger %s was moved or deleted while open; put it back and start again", f.path)
	}
	return nil
}

// faultOf is the first fault that SQLite found, in one line.
func faultOf(found string) string {
	var text []string
	for line := range strings.Lines(found) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "***") {
			text = append(text, line)
		}
	}
	return fmt.Sprintf("%.200s", strings.Join(text, " "))
}

func (f *file) check(ctx context.Context, db *sql.DB) error {
	var first string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&first); err != nil {
		return explained(f, err, "look for damage")
	}
	if first != "ok" {
		return f.trouble(Damaged, "the file of the ledger %s is damaged; herarena log export saves what can still be read, and a backup can be put in its place: %s", f.path, faultOf(first))
	}
	return nil
}
