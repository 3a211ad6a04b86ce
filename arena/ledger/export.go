package ledger

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// The format of an export: JSON Lines, one object a line. The first is the
// header with the format's name and version; each other one carries its type
// and a row under that name. A reader refuses versions above its own.
const (
	exportFormat  = "herarena-ledger"
	exportVersion = 1
)

// line is one line of an export. Exactly one of the rows is set, as Type says.
type line struct {
	Type     string     `json:"type"`
	Format   string     `json:"format,omitempty"`
	Version  int        `json:"version,omitempty"`
	Exported int64      `json:"exported,omitempty"` // unix milliseconds
	Duel     *duelRow   `json:"duel,omitempty"`
	Turn     *turnRow   `json:"turn,omitempty"`
	Reply    *replyRow  `json:"reply,omitempty"`
	Ruling   *rulingRow `json:"ruling,omitempty"`
	Vote     *voteRow   `json:"vote,omitempty"`
	Battle   *battleRow `json:"battle,omitempty"`
}

// Export writes the whole ledger as JSON Lines that Import reads: a header,
// then each duel with its turns, replies, rulings, votes and battles, then what
// belongs to no duel. It sees the ledger at one moment, whatever others write
// meanwhile, and holds a few duels in memory at a time.
func (l *Ledger) Export(ctx context.Context, w io.Writer) error {
	return l.export(ctx, w, nil)
}

// ExportDuels is Export of the duels with the ids alone, or with the only ids
// that begin so.
func (l *Ledger) ExportDuels(ctx context.Context, w io.Writer, idsOrPrefixes ...string) error {
	if err := l.usable(); err != nil {
		return err
	}
	ids := make([]string, len(idsOrPrefixes))
	for i, prefix := range idsOrPrefixes {
		id, err := l.resolve(ctx, prefix)
		if err != nil {
			return l.explain(err, "look for a duel")
		}
		ids[i] = id
	}
	return l.export(ctx, w, ids)
}

// export writes the duels with the ids, or with nil all that there is.
func (l *Ledger) export(ctx context.Context, w io.Writer, only []string) error {
	if err := l.usable(); err != nil {
		return err
	}
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return l.explain(err, "export")
	}
	defer func() { _ = tx.Rollback() }()
	e := &exporter{db: tx, out: bufio.NewWriterSize(w, 64<<10)}
	e.json = json.NewEncoder(e.out)
	e.json.SetEscapeHTML(false)
	if err := e.run(ctx, only); err != nil {
		return l.explain(err, "export")
	}
	return nil
}

type exporter struct {
	db   querier
	out  *bufio.Writer
	json *json.Encoder
}

func (e *exporter) write(l line) error {
	if err := e.json.Encode(l); err != nil {
		return fmt.Errorf("cannot write the export: %w", err)
	}
	return nil
}

func (e *exporter) run(ctx context.Context, ids []string) error {
	if err := e.write(line{Type: "header", Format: exportFormat, Version: exportVersion, Exported: time.Now().UnixMilli()}); err != nil {
		return err
	}
	whole := ids == nil
	if whole {
		var err error
		ids, err = collect(ctx, e.db, "SELECT id FROM duels ORDER BY started, id", nil,
			func(s *string) []any { return []any{s} }, func(s *string) string { return *s })
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(ids, duelsAtOnce) {
		p, err := partOf(ctx, e.db, part)
		if err != nil {
			return err
		}
		for i := range p.duels {
			if err := e.duel(p, &p.duels[i]); err != nil {
				return err
			}
		}
	}
	if whole {
		err := e.rows(ctx, "NOT EXISTS (SELECT 1 FROM duels d WHERE d.id = duel_id)", "turn_id NOT IN (SELECT t.id FROM turns t JOIN duels d ON d.id = t.duel_id)")
		if err != nil {
			return err
		}
	}
	if err := e.out.Flush(); err != nil {
		return fmt.Errorf("cannot write the export: %w", err)
	}
	return nil
}

// duel writes one duel with all that hangs on it: turns, then each kind of what
// hangs on turns in the order of its time.
func (e *exporter) duel(p *duelPart, d *duelRow) error {
	if err := e.write(line{Type: "duel", Duel: d}); err != nil {
		return err
	}
	turns := p.turns[d.ID]
	for i := range turns {
		if err := e.write(line{Type: "turn", Turn: &turns[i]}); err != nil {
			return err
		}
	}
	err := writeOf(e, turns, p.replies, func(r *replyRow) int64 { return r.Started }, func(r *replyRow) line { return line{Type: "reply", Reply: r} })
	if err == nil {
		err = writeOf(e, turns, p.rulings, func(r *rulingRow) int64 { return r.Given }, func(r *rulingRow) line { return line{Type: "ruling", Ruling: r} })
	}
	if err == nil {
		err = writeOf(e, turns, p.votes, func(r *voteRow) int64 { return r.Given }, func(r *voteRow) line { return line{Type: "vote", Vote: r} })
	}
	for i := range p.battles[d.ID] {
		if err == nil {
			err = e.write(line{Type: "battle", Battle: &p.battles[d.ID][i]})
		}
	}
	return err
}

// writeOf writes what hangs on turns in the order of its time.
func writeOf[R any](e *exporter, turns []turnRow, of map[string][]R, at func(*R) int64, as func(*R) line) error {
	var all []*R
	for i := range turns {
		rows := of[turns[i].ID]
		for n := range rows {
			all = append(all, &rows[n])
		}
	}
	slices.SortStableFunc(all, func(x, y *R) int { return cmp.Compare(at(x), at(y)) })
	for _, r := range all {
		if err := e.write(as(r)); err != nil {
			return err
		}
	}
	return nil
}

// rows writes turns and battles under the first condition, and what hangs on
// turns under the second.
func (e *exporter) rows(ctx context.Context, ofDuel, ofTurn string, args ...any) error {
	err := each(ctx, e.db, "SELECT "+turnColumns+" FROM turns WHERE "+ofDuel+" ORDER BY number, id", args,
		(*turnRow).fields, func(r *turnRow) error { return e.write(line{Type: "turn", Turn: r}) })
	if err != nil {
		return err
	}
	err = each(ctx, e.db, "SELECT "+replyColumns+" FROM replies WHERE "+ofTurn+" ORDER BY started, id", args,
		(*replyRow).fields, func(r *replyRow) error { return e.write(line{Type: "reply", Reply: r}) })
	if err != nil {
		return err
	}
	rulings, err := loadRulings(ctx, e.db, ofTurn, args...)
	if err != nil {
		return err
	}
	for i := range rulings {
		if err := e.write(line{Type: "ruling", Ruling: &rulings[i]}); err != nil {
			return err
		}
	}
	err = each(ctx, e.db, "SELECT "+voteColumns+" FROM votes WHERE "+ofTurn+" ORDER BY given, id", args,
		(*voteRow).fields, func(r *voteRow) error { return e.write(line{Type: "vote", Vote: r}) })
	if err != nil {
		return err
	}
	return each(ctx, e.db, "SELECT "+battleColumns+" FROM battles WHERE "+ofDuel+" ORDER BY given, id", args,
		(*battleRow).fields, func(r *battleRow) error { return e.write(line{Type: "battle", Battle: r}) })
}
