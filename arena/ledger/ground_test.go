package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pgEnv names a PostgreSQL database whose user may create schemas. .ci/run
// starts one.
const pgEnv = "HERARENA_TEST_PG"

// ground is a database to test on.
type ground struct {
	name string
	// place returns the place of a ledger that is not there yet.
	place func(testing.TB) string
}

func (g ground) fresh(t testing.TB) *Ledger {
	t.Helper()
	return open(t, g.place(t))
}

// grounds are the databases that a ledger can lie on.
func grounds() []ground {
	return []ground{
		{"sqlite", func(t testing.TB) string {
			return filepath.Join(t.TempDir(), "new folder", "ledger 100% #1?.db")
		}},
		{"postgres", schema},
	}
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, on ground)) {
	t.Helper()
	for _, g := range grounds() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			test(t, g)
		})
	}
}

// schema returns the address of an empty schema, which goes with the test.
func schema(t testing.TB) string {
	t.Helper()
	place := os.Getenv(pgEnv)
	if place == "" {
		t.Skip(pgEnv + " is not set: name a PostgreSQL database (postgres://user@host/database) to run this test on it")
	}
	name := "test_" + strings.ToLower(rand.Text())
	execute(t, place, "CREATE SCHEMA "+name)
	t.Cleanup(func() {
		db := other(t, place)
		var err error
		for range 5 { // what vacuums the tables may be in the way
			if _, err = db.ExecContext(context.Background(), "DROP SCHEMA "+name+" CASCADE"); err == nil {
				return
			}
		}
		t.Error(err)
	})
	u, err := url.Parse(place)
	must(t, err)
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

// other opens the database of a ledger as another program would.
func other(t testing.TB, place string) *sql.DB {
	t.Helper()
	var db *sql.DB
	if IsServer(place) {
		s, err := newServer(place)
		must(t, err)
		db = s.pool(2, nil)
	} else {
		var err error
		db, err = (&file{path: place}).pool(2, "deferred")
		must(t, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// execute runs statements as another program would.
func execute(t testing.TB, place string, statements ...string) {
	t.Helper()
	db := other(t, place)
	for _, s := range statements {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	must(t, db.Close())
}
