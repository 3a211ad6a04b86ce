package ledger

import (
	"context"
	"database/sql"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

var _ base = (*server)(nil)

// serverWriters is how many transactions of one program a server takes at once.
const serverWriters = 4

// server is a ledger in a schema of a PostgreSQL database: the first of the
// search_path that is there.
type server struct {
	config *pgx.ConnConfig
	shown  string
}

// newServer reads an address. A part that cannot be read is not told, for it may
// be the password.
func newServer(place string) (*server, error) {
	config, err := pgx.ParseConfig(place)
	if err != nil {
		return nil, troubleAt("postgres://…", Address, "the address of the ledger cannot be read; it is postgres://USER@HOST:PORT/DATABASE, "+
			"with %%XX for special characters of a password, which may also stand in PGPASSWORD or in a password file (~/.pgpass)")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = patience
	}
	s := &server{config: config}
	host := config.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, strconv.Itoa(int(config.Port)))
	}
	s.shown = "postgres://" + host + "/" + config.Database
	if path := config.RuntimeParams["search_path"]; path != "" {
		s.shown += "?search_path=" + path
	}
	return s, nil
}

func (s *server) place() string          { return s.shown }
func (s *server) dialect() goose.Dialect { return goose.DialectPostgres }
func (s *server) like() string           { return "ILIKE" }

func (s *server) hasTable() string {
	return "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1"
}

// pool opens a pool of connections with settings of the server for each.
func (s *server) pool(size int, settings map[string]string) *sql.DB {
	config := s.config.Copy()
	for name, value := range settings {
		config.RuntimeParams[name] = value
	}
	// A connection that the server has ended meanwhile is not used again: asking
	// takes one way there and back.
	ask := stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool { return true })
	db := sql.OpenDB(connector{stdlib.GetConnector(*config, ask)})
	db.SetMaxOpenConns(size)
	// Fewer would be closed and opened again all the time: six times slower.
	db.SetMaxIdleConns(size)
	return db
}

func (s *server) writers() (*sql.DB, error) {
	return s.pool(serverWriters, map[string]string{
		"lock_timeout":       strconv.FormatInt(patience.Milliseconds(), 10),
		"synchronous_commit": "on",
	}), nil
}

func (s *server) readers() (*sql.DB, error) {
	return s.pool(readers, map[string]string{
		"lock_timeout":                  strconv.FormatInt(patience.Milliseconds(), 10),
		"default_transaction_isolation": "repeatable read",
		"default_transaction_read_only": "on",
	}), nil
}

// prepare refuses a schema that holds tables of another program.
func (s *server) prepare(ctx context.Context) error {
	db := s.pool(1, nil)
	defer func() { _ = db.Close() }()
	var readOnly string
	if err := db.QueryRowContext(ctx, "SHOW transaction_read_only").Scan(&readOnly); err != nil {
		return explained(s, err, "open it")
	}
	var schema sql.NullString
	if err := db.QueryRowContext(ctx, "SELECT current_schema()").Scan(&schema); err != nil {
		return explained(s, err, "open it")
	}
	if !schema.Valid {
		return troubleAt(s.shown, Address, "no schema of the search_path is in the database of the ledger %s; create one (CREATE SCHEMA …) or leave search_path out", s.shown)
	}
	var tables, versions, ours int
	err := db.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE table_name = '`+versionTable+`'),
		count(*) FILTER (WHERE table_name IN ('duels', 'battles', 'contestants'))
		FROM information_schema.tables WHERE table_schema = current_schema()`).Scan(&tables, &versions, &ours)
	var mayCreate bool
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT has_schema_privilege(current_schema(), 'CREATE')").Scan(&mayCreate)
	}
	begun := tables == 1 && versions == 1 // by a program that is just making the ledger
	switch {
	case err != nil:
		return explained(s, err, "open it")
	case tables > 0 && !begun && (versions == 0 || ours < 3):
		return troubleAt(s.shown, Foreign, "the schema %s of %s holds tables of another program; nothing was changed, name another database or schema (?search_path=…)", schema.String, s.shown)
	case ours == 0 && !mayCreate:
		return troubleAt(s.shown, ReadOnly, "the user may not write to the ledger %s; grant it rights on the schema %s (GRANT CREATE, USAGE ON SCHEMA …) to make its tables", s.shown, schema.String)
	case readOnly == "on":
		return troubleAt(s.shown, ReadOnly, "the ledger %s cannot be written: the server takes no writing transactions here; name the primary server, or a user who may write", s.shown)
	}
	return nil
}

func (s *server) mark(context.Context, *sql.DB) error { return nil }
func (s *server) remember() error                     { return nil }
func (s *server) there() error                        { return nil }

// The server looks after its own pages.
func (s *server) check(context.Context, *sql.DB) error { return nil }

func (s *server) copyTo(context.Context, *sql.DB, string) (bool, error) { return false, nil }
