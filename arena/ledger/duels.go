package ledger

import (
	"context"
	"database/sql"
	"errors"
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
	return full, l.explain(err, "read a duel")
}

func (l *Ledger) resolve(ctx context.Context, prefix string) (string, error) {
	if prefix == "" {
		return "", l.trouble(NotFound, "name a duel by its id or the beginning of its id")
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

func load(ctx context.Context, db querier, id string) (*DuelFull, error) {
	duels, err := loadDuels(ctx, db, "WHERE id = $1", id)
	if err != nil {
		return nil, err
	}
	if len(duels) == 0 {
		return nil, errors.New("the duel has just been removed")
	}
	full := &DuelFull{DuelRecord: duels[0].record()}
	turns, err := collect(ctx, db, "SELECT "+turnColumns+" FROM turns WHERE duel_id = $1 ORDER BY number, started, id", []any{id},
		(*turnRow).fields, (*turnRow).turn)
	if err != nil {
		return nil, err
	}
	at := make(map[string]*FullTurn, len(turns))
	full.Turns = make([]FullTurn, len(turns))
	for i, t := range turns {
		full.Turns[i] = FullTurn{Turn: t, States: make(map[string]State)}
		at[t.ID] = &full.Turns[i]
	}
	if err := fillTurns(ctx, db, id, at); err != nil {
		return nil, err
	}
	full.Battles, err = collect(ctx, db, "SELECT "+battleColumns+" FROM battles WHERE duel_id = $1 ORDER BY given, id", []any{id},
		(*battleRow).fields, (*battleRow).battle)
	return full, err
}

// fillTurns adds replies, rulings and votes to the turns of a duel.
func fillTurns(ctx context.Context, db querier, duel string, at map[string]*FullTurn) error {
	const ofDuel = " WHERE turn_id IN (SELECT id FROM turns WHERE duel_id = $1) "
	replies, err := collect(ctx, db, "SELECT "+replyColumns+" FROM replies"+ofDuel+"ORDER BY swipe, started, id", []any{duel},
		(*replyRow).fields, func(r *replyRow) replyRow { return *r })
	if err != nil {
		return err
	}
	for _, r := range replies {
		t, reply := at[r.TurnID], r.reply()
		t.States[r.ID] = State(r.State)
		if r.Contestant == 0 || r.Contestant == 1 {
			t.Swipes[r.Contestant] = append(t.Swipes[r.Contestant], &reply)
		}
	}
	rulings, err := loadRulings(ctx, db, ofDuel+"ORDER BY given, id", duel)
	if err != nil {
		return err
	}
	for _, r := range rulings {
		t := at[r.TurnID]
		if r.Rerun != "" {
			t.Reruns = append(t.Reruns, r.ruling())
			continue
		}
		t.Rulings = append(t.Rulings, r.ruling())
	}
	votes, err := collect(ctx, db, "SELECT "+voteColumns+" FROM votes"+ofDuel+"ORDER BY given, id", []any{duel},
		(*voteRow).fields, (*voteRow).vote)
	if err != nil {
		return err
	}
	for _, v := range votes {
		t := at[v.TurnID]
		t.Votes = append(t.Votes, v)
	}
	for _, t := range at {
		if n := len(t.Rulings); n > 0 {
			t.Ruling = &t.Rulings[n-1]
		}
		if n := len(t.Votes); n > 0 && t.Votes[n-1].Why != takenBack {
			t.Vote = &t.Votes[n-1]
		}
	}
	return nil
}

func loadDuels(ctx context.Context, db querier, condition string, args ...any) ([]duelRow, error) {
	duels, err := collect(ctx, db, "SELECT "+duelColumns+" FROM duels "+condition, args,
		(*duelRow).fields, func(r *duelRow) duelRow { return *r })
	if err != nil {
		return nil, err
	}
	for i := range duels {
		duels[i].Contestants, err = collect(ctx, db, "SELECT "+contestantColumns+" FROM contestants WHERE duel_id = $1 ORDER BY seat",
			[]any{duels[i].ID}, (*contestantRow).fields, func(r *contestantRow) contestantRow { return *r })
		if err != nil {
			return nil, err
		}
	}
	return duels, nil
}

func loadRulings(ctx context.Context, db querier, condition string, args ...any) ([]rulingRow, error) {
	rulings, err := collect(ctx, db, "SELECT "+rulingColumns+" FROM rulings"+condition, args,
		(*rulingRow).fields, func(r *rulingRow) rulingRow { return *r })
	if err != nil {
		return nil, err
	}
	for i := range rulings {
		rulings[i].Verdicts, err = collect(ctx, db, "SELECT "+verdictColumns+" FROM verdicts WHERE ruling_id = $1 ORDER BY shown",
			[]any{rulings[i].ID}, (*verdictRow).fields, func(r *verdictRow) verdictRow { return *r })
		if err != nil {
			return nil, err
		}
	}
	return rulings, nil
}
