package ledger

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// explain makes a sentence of an error of PostgreSQL or of the way to it.
func (s *server) explain(e *Error) {
	var told *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(e.Err, &told):
		s.explainCode(e, told)
	case errors.Is(e.Err, context.Canceled):
	case errors.As(e.Err, &connect), errors.As(e.Err, &network):
		e.Kind = Silent
		e.Text = fmt.Sprintf("the server of the ledger %s does not answer; start it, or correct the address", s.shown)
	}
	e.Err = s.withoutPassword(e.Err)
}

// explainCode goes by SQLSTATE, see the appendix "PostgreSQL Error Codes".
func (s *server) explainCode(e *Error, told *pgconn.PgError) {
	kinds := []struct {
		codes string // whole ones, or classes of two characters
		kind  Kind
		text  string
	}{
		{"28", Unreadable, "the server of the ledger %s refuses the user or the password; correct them, in the address, PGPASSWORD or the password file"},
		{"3D000", Address, "there is no such database for the ledger %s; create it (createdb) or correct the address"},
		{"3F000", Address, "there is no such schema for the ledger %s; create it (CREATE SCHEMA …) or correct search_path"},
		{"42501", ReadOnly, "the user may not write to the ledger %s; grant it rights on the schema and its tables"},
		{"25006", ReadOnly, "the ledger %s cannot be written: the server takes no writing transactions here; name the primary server, or a user who may write"},
		{"55P03 40P01", Locked, "another program keeps the ledger %s locked; close it or wait, then try again"},
		{"53100", Full, "the disk of the ledger %s is full; free some space on the server"},
		{"53300", Silent, "the server of the ledger %s has no connection free; close programs that use it, or raise its max_connections"},
		{"57P", Silent, "the server of the ledger %s is stopping or starting; try again when it is up"},
		{"XX001 XX002", Damaged, "the ledger %s is damaged; ask who looks after the server"},
	}
	for _, k := range kinds {
		for code := range strings.FieldsSeq(k.codes) {
			if strings.HasPrefix(told.Code, code) {
				e.Kind, e.Text = k.kind, fmt.Sprintf(k.text, s.shown)
				return
			}
		}
	}
}

// withoutPassword hides the password, should an error ever repeat it.
func (s *server) withoutPassword(err error) error {
	secret := s.config.Password
	if err == nil || secret == "" || !strings.Contains(err.Error(), secret) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), secret, "•••"))
}
