package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"time"

	"herarena/arena"
)

const (
	// A program says this often that it lives, while replies are under way.
	beatEvery = 3 * time.Second
	// One that has been silent for so long is taken for dead.
	deadAfter = 10 * time.Second
)

// self identifies this handle on the ledger among all that write to it.
type self struct {
	id   string
	host string
	pid  int
}

func newSelf() self {
	host, _ := os.Hostname()
	nonce := make([]byte, 6)
	_, _ = rand.Read(nonce) // never fails
	s := self{host: host, pid: os.Getpid()}
	s.id = fmt.Sprintf("%s/%d/%s", s.host, s.pid, hex.EncodeToString(nonce))
	return s
}

// beat keeps this program alive in the eyes of others until Close. It writes
// only while replies are under way.
func (l *Ledger) beat() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-tick.C:
			l.mu.Lock()
			busy := len(l.streaming) > 0
			l.mu.Unlock()
			if busy {
				// A missed beat is no fault: the next call on the reply
				// brings it back if another program took it for dead.
				_ = l.write("say that this program lives", l.sign)
			}
		}
	}
}

// sign enters this handle among the writers, or renews its time.
func (l *Ledger) sign(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO writers (id, host, pid, seen) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`,
		l.self.id, l.self.host, l.self.pid, time.Now().UnixMilli())
	return err
}

// leave marks the replies of this handle as cut off and signs out.
func (l *Ledger) leave(ctx context.Context) error {
	l.mu.Lock()
	ids := make([]string, 0, len(l.streaming))
	for id := range l.streaming {
		ids = append(ids, id)
	}
	clear(l.streaming)
	l.mu.Unlock()
	if len(ids) == 0 {
		return nil
	}
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := cutOff(ctx, tx, id, l.self.id); err != nil {
			_ = tx.Rollback()
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM writers WHERE id = $1", l.self.id); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// cutOff ends a reply of a writer that will not go on, and tells whether it was
// still open. Its text stays.
func cutOff(ctx context.Context, tx *sql.Tx, reply, writer string) (int64, error) {
	fault := &arena.Fault{
		Kind:    arena.CutOff,
		Message: "The program ended while this reply was arriving",
		Hint:    "the text so far is kept; ask for the reply again",
	}
	done, err := tx.ExecContext(ctx, `UPDATE replies SET state = 'cut_off', complete = FALSE, fault = $1
		WHERE id = $2 AND writer = $3 AND state = 'streaming'`, asJSON(&fault), reply, writer)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// Recover marks replies as cut off that were arriving in a program which is no
// more: gone from this machine, or silent for ten seconds. Replies that are
// arriving in a living program are left alone. It returns how many it marked;
// Open calls it.
func (l *Ledger) Recover(ctx context.Context) (int, error) {
	orphans, err := l.orphans(ctx)
	if err != nil || len(orphans) == 0 {
		return 0, l.explain(err, "look for replies that were cut off")
	}
	marked := 0
	err = l.writeContext(ctx, "mark replies that were cut off", func(ctx context.Context, tx *sql.Tx) error {
		marked = 0
		for reply, writer := range orphans {
			n, err := cutOff(ctx, tx, reply, writer)
			if err != nil {
				return err
			}
			marked += int(n)
			if _, err := tx.ExecContext(ctx, "DELETE FROM writers WHERE id = $1", writer); err != nil {
				return err
			}
		}
		return nil
	})
	return marked, err
}

// orphans returns the unfinished replies of dead writers, by id, with their
// writers.
func (l *Ledger) orphans(ctx context.Context) (map[string]string, error) {
	rows, err := l.reader.QueryContext(ctx, `SELECT r.id, r.writer, w.host, w.pid, w.seen
		FROM replies r LEFT JOIN writers w ON w.id = r.writer WHERE r.state = 'streaming'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[string]string)
	now := time.Now().UnixMilli()
	for rows.Next() {
		var reply, writer string
		var host sql.NullString
		var pid, seen sql.NullInt64
		if err := rows.Scan(&reply, &writer, &host, &pid, &seen); err != nil {
			return nil, err
		}
		silent := now-seen.Int64 > deadAfter.Milliseconds()
		gone := host.String == l.self.host && !alive(int(pid.Int64))
		if writer != l.self.id && (!host.Valid || silent || gone) {
			found[reply] = writer
		}
	}
	return found, rows.Err()
}
