package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"herarena/arena"
)

// takenBack is why a vote that was withdrawn does not count.
const takenBack = "taken back"

// Filter chooses duels; empty fields choose all.
type Filter struct {
	Contestant string // name, in either seat
	SceneID    string
	Critic     string
	Rehearsal  *bool
	Since      time.Time
	Until      time.Time // exclusive
	Limit      int       // 0 is no limit
	Offset     int
}

// DuelSummary is a duel in a list.
type DuelSummary struct {
	ID          string
	SceneID     string
	SceneTitle  string
	Character   string
	User        string
	Contestants [2]string // names
	Critic      string
	Blind       bool
	Rehearsal   bool
	Started     time.Time
	Turns       int
	Votes       int // turns with a vote
	Rulings     int // turns with a ruling
}

func (s *DuelSummary) fields() []any {
	return []any{
		&s.ID, &s.SceneID, &s.SceneTitle, &s.Character, &s.User, &s.Contestants[0], &s.Contestants[1],
		&s.Critic, &s.Blind, &s.Rehearsal,
		millis{&s.Started},
		&s.Turns, &s.Votes, &s.Rulings,
	}
}

// millis reads a time.
type millis struct{ value *time.Time }

// Scan implements sql.Scanner.
func (m millis) Scan(from any) error {
	ms, ok := from.(int64)
	if !ok {
		return errors.New("a time that is not a number of milliseconds")
	}
	*m.value = fromMillis(ms)
	return nil
}

// Duels returns the chosen duels, newest first.
func (l *Ledger) Duels(ctx context.Context, f Filter) ([]DuelSummary, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	var w where
	w.equal("d.scene_id", f.SceneID)
	w.equal("d.critic", f.Critic)
	if f.Contestant != "" {
		w.and("d.id IN (SELECT duel_id FROM contestants WHERE name = ?)", f.Contestant)
	}
	if f.Rehearsal != nil {
		w.and("d.rehearsal = ?", *f.Rehearsal)
	}
	if !f.Since.IsZero() {
		w.and("d.started >= ?", toMillis(f.Since))
	}
	if !f.Until.IsZero() {
		w.and("d.started < ?", toMillis(f.Until))
	}
	query := `SELECT d.id, d.scene_id, d.scene_title, d.played, d.person,
		coalesce((SELECT name FROM contestants c WHERE c.duel_id = d.id AND c.seat = 0), ''),
		coalesce((SELECT name FROM contestants c WHERE c.duel_id = d.id AND c.seat = 1), ''),
		d.critic, d.blind, d.rehearsal, d.started,
		(SELECT count(*) FROM turns t WHERE t.duel_id = d.id),
		(SELECT count(*) FROM turns t WHERE t.duel_id = d.id AND EXISTS (SELECT 1 FROM votes v WHERE v.turn_id = t.id AND v.why <> '` + takenBack + `')),
		(SELECT count(*) FROM turns t WHERE t.duel_id = d.id AND EXISTS (SELECT 1 FROM rulings r WHERE r.turn_id = t.id))
		FROM duels d` + w.String() + " ORDER BY d.started DESC, d.id DESC" + w.page(f.Limit, f.Offset)
	duels, err := collect(ctx, l.reader, query, w.values, (*DuelSummary).fields, func(s *DuelSummary) DuelSummary { return *s })
	return duels, l.explain(err, "read the list of duels")
}

// FullTurn is a turn with all that was kept of it.
type FullTurn struct {
	// Turn holds the swipes in order, the latest ruling, and the latest vote
	// unless it was taken back.
	arena.Turn
	States  map[string]State // of each reply, by its id
	Rulings []arena.Ruling   // all, oldest first
	Reruns  []arena.Ruling   // those given again on purpose, oldest first
	Votes   []arena.Vote     // all, oldest first
}

// DuelFull is a duel with all that was kept of it.
type DuelFull struct {
	arena.DuelRecord
	Turns   []FullTurn
	Battles []arena.Battle
}

// Duel returns the duel with the id, or the only one whose id begins so.
func (l *Ledger) Duel(ctx context.Context, idOrPrefix string) (*DuelFull, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	id, err := l.resolve(ctx, idOrPrefix)
	if err != nil {
		return nil, l.explain(err, "look for a duel")
	}
	// One transaction, so that a duel in play is seen at one moment.
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, l.explain(err, "read a duel")
	}
	defer func() { _ = tx.Rollback() }()
	full, err := load(ctx, tx, id)
	if err == nil && len(full) == 0 {
		err = errors.New("the duel has just been removed")
	}
	if err != nil {
		return nil, l.explain(err, "read a duel")
	}
	return full[0], nil
}

// duelsAtOnce is how many duels are read together: each query costs more than the
// rows of most duels.
const duelsAtOnce = 16

// EachDuel calls do with the duels of the ids, in their order and as they were at
// one moment; an id that is not there is left out. It holds a few in memory at a
// time.
func (l *Ledger) EachDuel(ctx context.Context, ids []string, do func(*DuelFull) error) error {
	if err := l.usable(); err != nil {
		return err
	}
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return l.explain(err, "read duels")
	}
	defer func() { _ = tx.Rollback() }()
	for part := range slices.Chunk(ids, duelsAtOnce) {
		duels, err := load(ctx, tx, part...)
		if err != nil {
			return l.explain(err, "read duels")
		}
		for _, d := range duels {
			if err := do(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Ledger) resolve(ctx context.Context, prefix string) (string, error) {
	if prefix == "" {
		return "", l.trouble(NotFound, "name a duel by its id or the beginning of its id")
	}
	// The whole id is found without a look at the others.
	var id string
	err := l.reader.QueryRowContext(ctx, "SELECT id FROM duels WHERE id = $1", prefix).Scan(&id)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	// Not a range of ids: their order is the database's own affair.
	ids, err := collect(ctx, l.reader, `SELECT id FROM duels WHERE substr(id, 1, length($1)) = $1 ORDER BY id LIMIT 6`,
		[]any{prefix}, func(s *string) []any { return []any{s} }, func(s *string) string { return *s })
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", l.trouble(NotFound, "no duel in the ledger begins with %q; see the list of duels for their ids", prefix)
	case ids[0] == prefix, len(ids) == 1:
		return ids[0], nil
	}
	return "", l.trouble(Ambiguous, "several duels begin with %q: %s; give more of the id", prefix, list(ids, 5))
}

// load reads duels with all that hangs on them, in the order of the ids.
func load(ctx context.Context, db querier, ids ...string) ([]*DuelFull, error) {
	p, err := partOf(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	full := make([]*DuelFull, len(p.duels))
	for i := range p.duels {
		full[i] = p.full(&p.duels[i])
	}
	return full, nil
}

// full puts a duel together.
func (p *duelPart) full(d *duelRow) *DuelFull {
	full := &DuelFull{DuelRecord: d.record()}
	turns := p.turns[d.ID]
	slices.SortStableFunc(turns, func(x, y turnRow) int {
		return cmp.Or(cmp.Compare(x.Number, y.Number), cmp.Compare(x.Started, y.Started))
	})
	full.Turns = make([]FullTurn, len(turns))
	for i := range turns {
		full.Turns[i] = FullTurn{Turn: turns[i].turn(), States: make(map[string]State)}
		p.fill(&full.Turns[i])
	}
	for i := range p.battles[d.ID] {
		full.Battles = append(full.Battles, p.battles[d.ID][i].battle())
	}
	return full
}

// fill adds replies, rulings and votes to a turn.
func (p *duelPart) fill(t *FullTurn) {
	replies := p.replies[t.ID]
	slices.SortStableFunc(replies, func(x, y replyRow) int { return cmp.Compare(x.Swipe, y.Swipe) })
	for i := range replies {
		r := &replies[i]
		reply := r.reply()
		t.States[r.ID] = State(r.State)
		if r.Contestant == 0 || r.Contestant == 1 {
			t.Swipes[r.Contestant] = append(t.Swipes[r.Contestant], &reply)
		}
	}
	for i := range p.rulings[t.ID] {
		r := &p.rulings[t.ID][i]
		if r.Rerun != "" {
			t.Reruns = append(t.Reruns, r.ruling())
			continue
		}
		t.Rulings = append(t.Rulings, r.ruling())
	}
	for i := range p.votes[t.ID] {
		t.Votes = append(t.Votes, p.votes[t.ID][i].vote())
	}
	if n := len(t.Rulings); n > 0 {
		t.Ruling = &t.Rulings[n-1]
	}
	if n := len(t.Votes); n > 0 && t.Votes[n-1].Why != takenBack {
		t.Vote = &t.Votes[n-1]
	}
}
