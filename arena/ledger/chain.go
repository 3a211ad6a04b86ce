package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

// The kinds of links.
const (
	linkStart  = "start"
	linkBattle = "battle"
	linkVote   = "vote"
)

const linkColumns = "seq, prev, hash, kind, row_id, replaces, body, written"

// link is one link of the chain.
type link struct {
	Seq      int64
	Prev     string // hash of the link before, "" for the first
	Hash     string // hexadecimal
	Kind     string
	RowID    string
	Replaces string // numbers of links, with spaces between
	Body     string // the row as it is exported, or a beginning
	Written  int64
}

func (k *link) fields() []any {
	return []any{&k.Seq, &k.Prev, &k.Hash, &k.Kind, &k.RowID, &k.Replaces, &k.Body, &k.Written}
}

// sum is the hash that the link must have: SHA-256 over the JSON array of its
// other fields, as encoding/json writes it.
func (k *link) sum() string {
	// Strings and numbers alone cannot fail.
	text, _ := json.Marshal([]any{"herarena-link-1", k.Seq, k.Prev, k.Kind, k.RowID, k.Replaces, k.Body, k.Written})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (k *link) replaced() []int64 {
	var out []int64
	for word := range strings.FieldsSeq(k.Replaces) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// beginning is the body of the first link: how many rows were there before the
// chain was. Their links follow it at once.
type beginning struct {
	Battles int `json:"battles"`
	Votes   int `json:"votes"`
}

// canonical is a battle or vote as the chain knows it: its line of an export. A
// field that comes later must be left out where it is empty, so that older rows
// keep their form.
func canonical[R battleRow | voteRow](row *R) (string, error) {
	text, err := json.Marshal(row)
	return string(text), err
}

// chainer appends links in a transaction. It holds the chain's lock until the
// transaction ends; close writes the new head.
type chainer struct {
	tx       *sql.Tx
	insert   *sql.Stmt
	seq      int64
	hash     string
	appended int
	now      int64
}

// lockChain takes the chain for a transaction, before anything else in it: so
// two that write battles or votes come one after the other and never wait for
// each other in a ring.
func lockChain(ctx context.Context, tx *sql.Tx) (*chainer, error) {
	c := &chainer{tx: tx, now: time.Now().UnixMilli()}
	err := tx.QueryRowContext(ctx, `INSERT INTO chain (id, seq, hash) VALUES (1, 0, '')
		ON CONFLICT (id) DO UPDATE SET seq = chain.seq RETURNING seq, hash`).Scan(&c.seq, &c.hash)
	if err != nil {
		return nil, err
	}
	// A head that somebody set back must not keep votes from being taken.
	var last link
	err = tx.QueryRowContext(ctx, "SELECT seq, hash FROM links ORDER BY seq DESC LIMIT 1").Scan(&last.Seq, &last.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if last.Seq > c.seq {
		c.seq, c.hash = last.Seq, last.Hash
	}
	return c, nil
}

// append adds a link for a row that takes the place of what other links hold.
func (c *chainer) append(ctx context.Context, kind, rowID, body string, replaces ...int64) error {
	if c.insert == nil {
		var err error
		if c.insert, err = c.tx.PrepareContext(ctx, insert("links", linkColumns, "")); err != nil {
			return err
		}
	}
	k := link{Seq: c.seq + 1, Prev: c.hash, Kind: kind, RowID: rowID, Body: body, Written: c.now}
	for i, n := range replaces {
		if i > 0 {
			k.Replaces += " "
		}
		k.Replaces += strconv.FormatInt(n, 10)
	}
	k.Hash = k.sum()
	if _, err := c.insert.ExecContext(ctx, valuesOf(k.fields())...); err != nil {
		return err
	}
	c.seq, c.hash = k.Seq, k.Hash
	c.appended++
	return nil
}

// close writes the head.
func (c *chainer) close(ctx context.Context) error {
	if c.insert != nil {
		_ = c.insert.Close()
	}
	if c.appended == 0 {
		return nil
	}
	_, err := c.tx.ExecContext(ctx, "UPDATE chain SET seq = $1, hash = $2 WHERE id = 1", c.seq, c.hash)
	return err
}

// latest returns the number and body of the last link of a row, 0 for none.
func (c *chainer) latest(ctx context.Context, kind, rowID string) (seq int64, body string, err error) {
	err = c.tx.QueryRowContext(ctx, "SELECT seq, body FROM links WHERE row_id = $1 AND kind = $2 ORDER BY seq DESC LIMIT 1", rowID, kind).Scan(&seq, &body)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return seq, body, err
}

// adoptAtOnce is how many rows one transaction links while a chain begins: others
// that want to write wait no longer than it takes.
const adoptAtOnce = 2000

// startChain begins the chain of a ledger that has none, with all the battles
// and votes that are there, some at a time. Who opens a ledger whose chain is only
// begun goes on with it before anything else is written, so that the links of old
// rows come first.
func (l *Ledger) startChain(ctx context.Context) error {
	var first, last sql.NullInt64
	var body sql.NullString
	err := l.writer.QueryRowContext(ctx, "SELECT (SELECT body FROM links WHERE seq = 1), (SELECT max(seq) FROM links), (SELECT max(seq) FROM chain)").Scan(&body, &last, &first)
	if err != nil {
		return l.explain(err, "read the chain of battles")
	}
	switch {
	case body.String == "" && (first.Int64 > 0 || last.Int64 > 0):
		return nil // its beginning was taken away, which verify tells
	case first.Int64 > last.Int64 || last.Int64 > promised(body.String):
		return nil
	}
	a := &adoption{}
	for done := false; !done; {
		err := l.write("begin the chain of battles", func(ctx context.Context, tx *sql.Tx) error {
			var err error
			done, err = a.step(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return l.explain(err, "begin the chain of battles")
		}
	}
	return nil
}

// promised is how many rows a beginning says were there, a number beyond any link
// where there is no beginning yet.
func promised(body string) int64 {
	if body == "" {
		return 1 << 62
	}
	var b beginning
	if json.Unmarshal([]byte(body), &b) != nil {
		return 0
	}
	return int64(b.Battles) + int64(b.Votes)
}

// adoption is how far the old rows have been linked.
type adoption struct {
	votes bool   // battles are done
	after string // the last id
}

// step links some more rows; done tells that none are left.
func (a *adoption) step(ctx context.Context, tx *sql.Tx) (done bool, err error) {
	c, err := lockChain(ctx, tx)
	if err != nil {
		return false, err
	}
	if c.seq == 0 {
		if err := begin(ctx, c); err != nil {
			return false, err
		}
	}
	var body sql.NullString
	if err := tx.QueryRowContext(ctx, "SELECT (SELECT body FROM links WHERE seq = 1)").Scan(&body); err != nil {
		return false, err
	}
	if body.String == "" || c.seq > promised(body.String) {
		return true, c.close(ctx) // another program came first
	}
	n := 0
	if !a.votes {
		n, a.after, err = adopt(ctx, c, linkBattle, "battles", battleColumns, a.after, (*battleRow).fields, func(r *battleRow) string { return r.ID })
		if err == nil && n < adoptAtOnce {
			a.votes, a.after, n = true, "", adoptAtOnce
		}
	} else {
		n, a.after, err = adopt(ctx, c, linkVote, "votes", voteColumns, a.after, (*voteRow).fields, func(r *voteRow) string { return r.ID })
	}
	if err != nil {
		return false, err
	}
	return n < adoptAtOnce, c.close(ctx)
}

// begin writes the first link.
func begin(ctx context.Context, c *chainer) error {
	var b beginning
	if err := c.tx.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM battles), (SELECT count(*) FROM votes)").Scan(&b.Battles, &b.Votes); err != nil {
		return err
	}
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return c.append(ctx, linkStart, "", string(text))
}

// adopt appends links for rows of a table that have none, behind an id.
func adopt[R battleRow | voteRow](ctx context.Context, c *chainer, kind, table, columns, after string, fields func(*R) []any, id func(*R) string) (n int, last string, err error) {
	rows, err := collect(ctx, c.tx, "SELECT "+columns+" FROM "+table+" WHERE id > $1 AND NOT EXISTS (SELECT 1 FROM links k WHERE k.row_id = "+
		table+".id AND k.kind = $2) ORDER BY id LIMIT $3", []any{after, kind, adoptAtOnce}, fields, func(r *R) R { return *r })
	if err != nil {
		return 0, after, err
	}
	for i := range rows {
		after = id(&rows[i])
		body, err := canonical(&rows[i])
		if err != nil {
			return 0, after, err
		}
		if err := c.append(ctx, kind, after, body); err != nil {
			return 0, after, err
		}
	}
	return len(rows), after, nil
}
