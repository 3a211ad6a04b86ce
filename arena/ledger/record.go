package ledger

import (
	"context"
	"database/sql"
	"slices"

	"herarena/arena"
)

// put runs a statement with the fields of a row as its values.
func put(ctx context.Context, tx *sql.Tx, statement string, fields []any) error {
	_, err := tx.ExecContext(ctx, statement, valuesOf(fields)...)
	return err
}

// valuesOf turns pointers to fields into their values.
func valuesOf(fields []any) []any {
	values := make([]any, len(fields))
	for i, f := range fields {
		switch p := f.(type) {
		case *string:
			values[i] = *p
		case *int:
			values[i] = *p
		case *int64:
			values[i] = *p
		case *float64:
			values[i] = *p
		case *bool:
			values[i] = *p
		default:
			values[i] = f
		}
	}
	return values
}

func (l *Ledger) needs(what, id string) error {
	if id == "" {
		return l.trouble(BadRecord, "a %s without an id cannot be kept", what)
	}
	return nil
}

// RecordDuel keeps a duel and its contestants; called again it renews them.
// User, password and query of an endpoint's URL are left out.
func (l *Ledger) RecordDuel(d arena.DuelRecord) error {
	if err := l.needs("duel", d.ID); err != nil {
		return err
	}
	row := newDuelRow(d)
	return l.write("keep a duel", func(ctx context.Context, tx *sql.Tx) error {
		if err := put(ctx, tx, upsert("duels", duelColumns, ""), row.fields()); err != nil {
			return err
		}
		for i := range row.Contestants {
			if err := put(ctx, tx, upsert("contestants", contestantColumns, ""), row.Contestants[i].fields()); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordTurn keeps a turn's line and seats; called again it renews them and the
// canon.
func (l *Ledger) RecordTurn(t arena.Turn) error {
	if err := l.needs("turn", t.ID); err != nil {
		return err
	}
	row := newTurnRow(t)
	return l.write("keep a turn", func(ctx context.Context, tx *sql.Tx) error {
		return put(ctx, tx, upsert("turns", turnColumns, ""), row.fields())
	})
}

// RecordReply keeps a reply as it is now. A reply that is done stays done: a
// late call with done false changes nothing.
func (l *Ledger) RecordReply(p arena.Reply, done bool) error {
	if err := l.needs("reply", p.ID); err != nil {
		return err
	}
	row := newReplyRow(p)
	row.Writer, row.State = l.self.id, string(Streaming)
	if done {
		row.State = string(Done)
	}
	if !done {
		l.mu.Lock()
		l.streaming[p.ID] = struct{}{}
		l.mu.Unlock()
	}
	err := l.write("keep a reply", func(ctx context.Context, tx *sql.Tx) error {
		if !done {
			// Each time, for another program may have struck this one off.
			if err := l.sign(ctx, tx); err != nil {
				return err
			}
		}
		return put(ctx, tx, upsert("replies", replyColumns, "replies.state <> 'done' OR excluded.state = 'done'"), row.fields())
	})
	if done && err == nil {
		l.mu.Lock()
		delete(l.streaming, p.ID)
		l.mu.Unlock()
	}
	return err
}

// RecordRuling keeps a ruling with the verdicts of both orders.
func (l *Ledger) RecordRuling(g arena.Ruling) error {
	if err := l.needs("ruling", g.ID); err != nil {
		return err
	}
	row := newRulingRow(g)
	return l.write("keep a ruling", func(ctx context.Context, tx *sql.Tx) error {
		if err := put(ctx, tx, upsert("rulings", rulingColumns, ""), row.fields()); err != nil {
			return err
		}
		for i := range row.Verdicts {
			if err := put(ctx, tx, upsert("verdicts", verdictColumns, ""), row.Verdicts[i].fields()); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordVote keeps a vote. Earlier votes on the turn under other ids stay; the
// latest holds.
func (l *Ledger) RecordVote(v arena.Vote) error {
	if err := l.needs("vote", v.ID); err != nil {
		return err
	}
	row := newVoteRow(v)
	return l.write("keep a vote", func(ctx context.Context, tx *sql.Tx) error {
		c, err := lockChain(ctx, tx)
		if err != nil {
			return err
		}
		if err := put(ctx, tx, upsert("votes", voteColumns, ""), row.fields()); err != nil {
			return err
		}
		body, err := canonical(&row)
		if err != nil {
			return err
		}
		seq, before, err := c.latest(ctx, linkVote, row.ID)
		switch {
		case err != nil:
			return err
		case before == body:
			return nil
		case seq > 0:
			err = c.append(ctx, linkVote, row.ID, body, seq)
		default:
			err = c.append(ctx, linkVote, row.ID, body)
		}
		if err != nil {
			return err
		}
		return c.close(ctx)
	})
}

// seat is what battles replace each other on: a turn of a duel, or the whole
// duel where the turn is empty, and a source.
type seat struct{ duel, turn, source string }

func (r *battleRow) seat() seat { return seat{r.DuelID, r.TurnID, r.Source} }

// battlesAtOnce is how many battles one transaction keeps, unless those of one
// seat alone are more.
const battlesAtOnce = 1000

// RecordBattles keeps battles in place of all earlier ones of the same turn and
// source, or of the same duel and source where they have no turn. Those of one
// turn and source are kept or not kept together; of many, some are kept at a time,
// and after an error those before it stay.
func (l *Ledger) RecordBattles(battles []arena.Battle) error {
	var order []seat
	of := make(map[seat][]battleRow)
	for _, b := range battles {
		if err := l.needs("battle", b.ID); err != nil {
			return err
		}
		row := newBattleRow(b)
		s := row.seat()
		if of[s] == nil {
			order = append(order, s)
		}
		of[s] = append(of[s], row)
	}
	var rows []battleRow
	for i, s := range order {
		rows = append(rows, of[s]...)
		if len(rows) < battlesAtOnce && i < len(order)-1 {
			continue
		}
		err := l.write("keep battles", func(ctx context.Context, tx *sql.Tx) error { return keepBattles(ctx, tx, rows) })
		if err != nil {
			return err
		}
		rows = rows[:0]
	}
	return nil
}

func keepBattles(ctx context.Context, tx *sql.Tx, rows []battleRow) error {
	c, err := lockChain(ctx, tx)
	if err != nil {
		return err
	}
	old, err := takeOut(ctx, tx, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		if err := put(ctx, tx, upsert("battles", battleColumns, ""), rows[i].fields()); err != nil {
			return err
		}
	}
	if err := chainBattles(ctx, c, rows, old); err != nil {
		return err
	}
	return c.close(ctx)
}

// takeOut removes the battles whose place others take, and returns their ids by
// seat.
func takeOut(ctx context.Context, tx *sql.Tx, rows []battleRow) (map[seat][]string, error) {
	old := make(map[seat][]string)
	for i := range rows {
		s := rows[i].seat()
		if _, cleared := old[s]; cleared {
			continue
		}
		const there = "duel_id = $1 AND turn_id = $2 AND source = $3"
		ids, err := collect(ctx, tx, "SELECT id FROM battles WHERE "+there+" ORDER BY id", []any{s.duel, s.turn, s.source},
			func(id *string) []any { return []any{id} }, func(id *string) string { return *id })
		if err != nil {
			return nil, err
		}
		if old[s] = ids; len(ids) == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM battles WHERE "+there, s.duel, s.turn, s.source); err != nil {
			return nil, err
		}
	}
	return old, nil
}

// chainBattles appends a link for each new battle. The first of a seat says
// which links lost their rows to it; a battle that stands in the chain as it is
// needs none, unless it has to say so.
func chainBattles(ctx context.Context, c *chainer, rows []battleRow, old map[seat][]string) error {
	taken := make(map[int64]bool) // links whose rows the links below took the place of
	for i := range rows {
		row := &rows[i]
		body, err := canonical(row)
		if err != nil {
			return err
		}
		gone := old[row.seat()]
		delete(old, row.seat())
		if !slices.Contains(gone, row.ID) {
			gone = append(gone, row.ID) // it may have stood elsewhere
		}
		var replaces []int64
		same := false
		for _, id := range gone {
			seq, before, err := c.latest(ctx, linkBattle, id)
			if err != nil {
				return err
			}
			if seq > 0 && !taken[seq] {
				replaces = append(replaces, seq)
				same = same || id == row.ID && before == body
			}
		}
		if same && len(replaces) == 1 {
			continue
		}
		if err := c.append(ctx, linkBattle, row.ID, body, replaces...); err != nil {
			return err
		}
		for _, n := range replaces {
			taken[n] = true
		}
	}
	return nil
}
