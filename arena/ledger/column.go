package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

// jsonColumn reads and writes a value as JSON text; null is NULL.
type jsonColumn[T any] struct{ value *T }

func asJSON[T any](value *T) jsonColumn[T] { return jsonColumn[T]{value} }

// Value implements driver.Valuer.
func (c jsonColumn[T]) Value() (driver.Value, error) {
	text, err := json.Marshal(c.value)
	if err != nil {
		return nil, err
	}
	if string(text) == "null" {
		return nil, nil
	}
	return string(text), nil
}

// Scan implements sql.Scanner.
func (c jsonColumn[T]) Scan(from any) error {
	switch text := from.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.value)
	case []byte:
		return json.Unmarshal(text, c.value)
	}
	return fmt.Errorf("JSON in a column of type %T", from)
}

// The ledger keeps times as unix milliseconds; the zero time is 0.
func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// insert returns the statement that adds a row, with what to do if its key is
// taken; "" fails.
func insert(table, columns, conflict string) string {
	marks := make([]string, strings.Count(columns, ",")+1)
	for i := range marks {
		marks[i] = fmt.Sprintf("$%d", i+1)
	}
	plain := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, columns, strings.Join(marks, ", "))
	if conflict == "" {
		return plain
	}
	return fmt.Sprintf("%s ON CONFLICT (%s) %s", plain, keyOf(table), conflict)
}

// upsert returns the statement that adds a row or renews the one with its key.
func upsert(table, columns, condition string) string {
	var set []string
	for c := range strings.SplitSeq(columns, ", ") {
		if !strings.Contains(keyOf(table), c) {
			set = append(set, c+" = excluded."+c)
		}
	}
	do := "DO UPDATE SET " + strings.Join(set, ", ")
	if condition != "" {
		do += " WHERE " + condition
	}
	return insert(table, columns, do)
}

func keyOf(table string) string {
	switch table {
	case "contestants":
		return "duel_id, seat"
	case "verdicts":
		return "ruling_id, shown"
	}
	return "id"
}

// where collects the conditions of a query and their values.
type where struct {
	terms  []string
	values []any
}

// and adds a condition; a ? in it stands for the value.
func (w *where) and(term string, value any) {
	w.values = append(w.values, value)
	w.terms = append(w.terms, strings.ReplaceAll(term, "?", fmt.Sprintf("$%d", len(w.values))))
}

func (w *where) String() string {
	if len(w.terms) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.terms, " AND ")
}

// equal adds a condition on a text column unless the value is empty.
func (w *where) equal(column, value string) {
	if value != "" {
		w.and(column+" = ?", value)
	}
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each runs a query and calls do for each row, scanned into the fields of an R.
func each[R any](ctx context.Context, db querier, query string, args []any, fields func(*R) []any, do func(*R) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r R
		if err := rows.Scan(fields(&r)...); err != nil {
			return err
		}
		if err := do(&r); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect is each for rows that are kept, turned into a T.
func collect[R, T any](ctx context.Context, db querier, query string, args []any, fields func(*R) []any, turn func(*R) T) ([]T, error) {
	var all []T
	err := each(ctx, db, query, args, fields, func(r *R) error {
		all = append(all, turn(r))
		return nil
	})
	return all, err
}

// page returns the clause for a part of the rows.
func (w *where) page(limit, offset int) string {
	if limit <= 0 && offset <= 0 {
		return ""
	}
	if limit <= 0 {
		limit = math.MaxInt32
	}
	w.values = append(w.values, limit, max(offset, 0))
	return fmt.Sprintf(" LIMIT $%d OFFSET $%d", len(w.values)-1, len(w.values))
}
