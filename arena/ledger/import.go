package ledger

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"herarena/arena"
)

// Counts says how many rows of a type an import found new, and how many were in
// the ledger already.
type Counts struct {
	Added, Known int
}

// ImportReport says what an import did.
type ImportReport struct {
	Lines                                          int
	Duels, Turns, Replies, Rulings, Votes, Battles Counts
}

// ImportError is a line that cannot be imported.
type ImportError struct {
	Line   int // from 1
	Reason string
}

// Error names the line and the reason.
func (e *ImportError) Error() string {
	return fmt.Sprintf("line %d: %s; nothing was imported", e.Line, e.Reason)
}

// The longest line an import takes: more than any duel's reply, little enough
// to be held in memory.
const longestLine = 64 << 20

// Import adds what an export holds to the ledger. Rows whose ids the ledger
// knows are left as they are, so that importing twice changes nothing; only a
// reply that was cut off here and is whole there is completed. Battles are kept
// out where the ledger has battles of the same turn and source, which may be
// newer. A bad line is an *ImportError, and then nothing is imported.
func (l *Ledger) Import(ctx context.Context, r io.Reader) (ImportReport, error) {
	var report ImportReport
	err := l.writeContext(ctx, "import", func(ctx context.Context, tx *sql.Tx) error {
		c, err := lockChain(ctx, tx)
		if err != nil {
			return err
		}
		i := &importer{tx: tx, chain: c, statements: make(map[string]*sql.Stmt), ours: make(map[seat]bool)}
		defer i.close()
		if err := i.run(ctx, r); err != nil {
			return err
		}
		report = i.report
		return c.close(ctx)
	})
	var bad *ImportError
	if errors.As(err, &bad) {
		return ImportReport{}, bad
	}
	if err != nil {
		return ImportReport{}, err
	}
	return report, nil
}

type importer struct {
	tx         *sql.Tx
	chain      *chainer
	statements map[string]*sql.Stmt
	ours       map[seat]bool // whether the ledger had battles there before
	report     ImportReport
}

func (i *importer) close() {
	for _, s := range i.statements {
		_ = s.Close()
	}
}

func (i *importer) run(ctx context.Context, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	n := 0
	header := false
	for lines.Scan() {
		n++
		text := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\xef\xbb\xbf")))
		if len(text) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return &ImportError{n, "not a line of an export: " + err.Error()}
		}
		if !header {
			if why := l.header(); why != "" {
				return &ImportError{n, why}
			}
			header = true
			continue
		}
		if why := l.fault(); why != "" {
			return &ImportError{n, why}
		}
		if err := i.take(ctx, &l); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		i.report.Lines++
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &ImportError{n + 1, fmt.Sprintf("the line is longer than %d MiB", longestLine>>20)}
	case err != nil:
		return fmt.Errorf("cannot read the export after line %d: %w", n, err)
	case !header:
		return &ImportError{1, "the file is empty; expected the header of an export"}
	}
	return nil
}

// header says what is wrong with the first line, "" if nothing.
func (l *line) header() string {
	switch {
	case l.Type != "header" || l.Format != exportFormat:
		return `the file is no export of a ledger: its first line should be {"type":"header","format":"` + exportFormat + `",…}`
	case l.Version > exportVersion:
		return fmt.Sprintf("the export has version %d, this program knows %d; update the program", l.Version, exportVersion)
	case l.Version < 1:
		return "the header has no version"
	}
	return ""
}

// fault says what is wrong with a line, "" if nothing.
func (l *line) fault() string {
	var id string
	switch {
	case l.Type == "header":
		return "a second header; import one export at a time"
	case l.Type == "duel" && l.Duel != nil:
		id = l.Duel.ID
	case l.Type == "turn" && l.Turn != nil:
		id = l.Turn.ID
	case l.Type == "reply" && l.Reply != nil:
		id = l.Reply.ID
	case l.Type == "ruling" && l.Ruling != nil:
		id = l.Ruling.ID
	case l.Type == "vote" && l.Vote != nil:
		id = l.Vote.ID
		if !isOutcome(l.Vote.Choice) {
			return fmt.Sprintf("vote.choice is %.40q; it must be a, b, tie or both_bad", l.Vote.Choice)
		}
	case l.Type == "battle" && l.Battle != nil:
		id = l.Battle.ID
		if why := l.Battle.fault(); why != "" {
			return why
		}
	}
	if id == "" {
		return fmt.Sprintf("expected a duel, turn, reply, ruling, vote or battle with an id, found the type %.40q", l.Type)
	}
	return ""
}

// isOutcome tells whether a word is an answer that can be rated.
func isOutcome[T ~string](word T) bool {
	switch arena.Choice(word) {
	case arena.ChoseA, arena.ChoseB, arena.Tie, arena.BothBad:
		return true
	}
	return false
}

// fault says what keeps a battle from being rated, "" if nothing does.
func (b *battleRow) fault() string {
	switch {
	case !isOutcome(b.Outcome):
		return fmt.Sprintf("battle.outcome is %.40q; it must be a, b, tie or both_bad", b.Outcome)
	case !(b.Weight > 0 && b.Weight <= 1):
		return fmt.Sprintf("battle.weight is %g; it must be more than 0 and at most 1", b.Weight)
	case b.A == "" || b.B == "" || b.Source == "" || b.TurnID == "" || b.DuelID == "":
		return "the battle lacks a contestant, its source, its turn or its duel"
	}
	return ""
}

func (i *importer) take(ctx context.Context, l *line) error {
	switch l.Type {
	case "duel":
		return i.duel(ctx, l.Duel)
	case "turn":
		return i.add(ctx, "turns", turnColumns, l.Turn.fields(), &i.report.Turns)
	case "reply":
		return i.reply(ctx, l.Reply)
	case "ruling":
		return i.ruling(ctx, l.Ruling)
	case "vote":
		return addLinked(ctx, i, "votes", voteColumns, linkVote, l.Vote.ID, l.Vote, l.Vote.fields(), &i.report.Votes)
	}
	return i.battle(ctx, l.Battle)
}

// exec runs a statement, prepared once for the whole import, and tells whether
// it changed a row.
func (i *importer) exec(ctx context.Context, statement string, fields []any) (bool, error) {
	s, ok := i.statements[statement]
	if !ok {
		var err error
		if s, err = i.tx.PrepareContext(ctx, statement); err != nil {
			return false, err
		}
		i.statements[statement] = s
	}
	done, err := s.ExecContext(ctx, valuesOf(fields)...)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// add inserts a row unless its key is taken.
func (i *importer) add(ctx context.Context, table, columns string, fields []any, c *Counts) error {
	added, err := i.exec(ctx, insert(table, columns, "DO NOTHING"), fields)
	c.count(added)
	return err
}

func (c *Counts) count(added bool) {
	if added {
		c.Added++
	} else {
		c.Known++
	}
}

func (i *importer) duel(ctx context.Context, d *duelRow) error {
	before := i.report.Duels.Added
	if err := i.add(ctx, "duels", duelColumns, d.fields(), &i.report.Duels); err != nil || i.report.Duels.Added == before {
		return err
	}
	for n := range d.Contestants {
		c := &d.Contestants[n]
		c.DuelID, c.Endpoint = d.ID, withoutSecrets(c.Endpoint)
		var ignored Counts
		if err := i.add(ctx, "contestants", contestantColumns, c.fields(), &ignored); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) reply(ctx context.Context, r *replyRow) error {
	if r.State != string(Done) {
		// Whoever was receiving it does not write here.
		r.State = string(CutOff)
	}
	added, err := i.exec(ctx, upsert("replies", replyColumns, "replies.state = 'cut_off' AND excluded.state = 'done'"), r.fields())
	i.report.Replies.count(added)
	return err
}

func (i *importer) ruling(ctx context.Context, r *rulingRow) error {
	before := i.report.Rulings.Added
	if err := i.add(ctx, "rulings", rulingColumns, r.fields(), &i.report.Rulings); err != nil || i.report.Rulings.Added == before {
		return err
	}
	for n := range r.Verdicts {
		v := &r.Verdicts[n]
		v.RulingID = r.ID
		var ignored Counts
		if err := i.add(ctx, "verdicts", verdictColumns, v.fields(), &ignored); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) battle(ctx context.Context, b *battleRow) error {
	ours, known := i.ours[b.seat()]
	if !known {
		var n int
		const count = "SELECT count(*) FROM battles WHERE duel_id = $1 AND turn_id = $2 AND source = $3"
		if err := i.tx.QueryRowContext(ctx, count, b.DuelID, b.TurnID, b.Source).Scan(&n); err != nil {
			return err
		}
		ours = n > 0
		i.ours[b.seat()] = ours
	}
	if ours {
		i.report.Battles.Known++
		return nil
	}
	return addLinked(ctx, i, "battles", battleColumns, linkBattle, b.ID, b, b.fields(), &i.report.Battles)
}

// addLinked is add for a row that gets a link of the chain where it is new.
func addLinked[R battleRow | voteRow](ctx context.Context, i *importer, table, columns, kind, id string, row *R, fields []any, c *Counts) error {
	before := c.Added
	if err := i.add(ctx, table, columns, fields, c); err != nil || c.Added == before {
		return err
	}
	body, err := canonical(row)
	if err != nil {
		return err
	}
	return i.chain.append(ctx, kind, id, body)
}
