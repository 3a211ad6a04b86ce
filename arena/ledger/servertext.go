package ledger

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/stdlib"
)

// PostgreSQL keeps neither NUL nor what is no UTF-8 in a text, SQLite both.
// Between the program and the server such bytes are written as the control
// character SUB and two hexadecimal digits, and so is SUB itself.
const escapeByte = 0x1a

// escape writes a text as PostgreSQL takes it.
func escape(text string) string {
	if !strings.ContainsAny(text, "\x00\x1a") && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == 0 || r == escapeByte || r == utf8.RuneError && size == 1 {
			b.WriteByte(escapeByte)
			b.WriteString(hex.EncodeToString([]byte{text[i]}))
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// unescape is the inverse of escape. A SUB that escape cannot have written stays.
func unescape(text string) string {
	at := strings.IndexByte(text, escapeByte)
	if at < 0 {
		return text
	}
	b := []byte(text[:at])
	for i := at; i < len(text); i++ {
		if text[i] == escapeByte && i+2 < len(text) {
			if raw, err := hex.DecodeString(text[i+1 : i+3]); err == nil {
				b = append(b, raw[0])
				i += 2
				continue
			}
		}
		b = append(b, text[i])
	}
	return string(b)
}

// connector makes connections that escape texts on their way in and out.
type connector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	plain, ok := inner.(*stdlib.Conn)
	if !ok {
		return nil, driver.ErrBadConn
	}
	return connection{plain}, nil
}

type connection struct{ *stdlib.Conn }

var (
	_ driver.NamedValueChecker  = connection{}
	_ driver.QueryerContext     = connection{}
	_ driver.ExecerContext      = connection{}
	_ driver.ConnBeginTx        = connection{}
	_ driver.ConnPrepareContext = connection{}
	_ driver.SessionResetter    = connection{}
)

// CheckNamedValue implements driver.NamedValueChecker.
func (connection) CheckNamedValue(v *driver.NamedValue) error {
	value, err := driver.DefaultParameterConverter.ConvertValue(v.Value)
	if err != nil {
		return err
	}
	if text, ok := value.(string); ok {
		value = escape(text)
	}
	v.Value = value
	return nil
}

// QueryContext implements driver.QueryerContext.
func (c connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return rows{r}, nil
}

type rows struct{ driver.Rows }

// Next implements driver.Rows.
func (r rows) Next(row []driver.Value) error {
	if err := r.Rows.Next(row); err != nil {
		return err
	}
	for i, v := range row {
		if text, ok := v.(string); ok {
			row[i] = unescape(text)
		}
	}
	return nil
}
