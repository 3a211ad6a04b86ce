package ledger

import (
	"context"
	"time"

	"herarena/arena"
	"herarena/arena/rating"
)

// BattleFilter chooses battles; empty fields choose all.
type BattleFilter struct {
	Source     arena.Source
	Counted    bool   // only those that count
	Contestant string // on either side
	SceneID    string
	Language   string
	DuelID     string
	TurnID     string
	Since      time.Time
	Character  string // who was played in the duel
	Without    string // id of a duel that is left out
}

func (f BattleFilter) where() *where {
	w := new(where)
	w.equal("source", string(f.Source))
	w.equal("scene_id", f.SceneID)
	w.equal("language", f.Language)
	w.equal("duel_id", f.DuelID)
	w.equal("turn_id", f.TurnID)
	if f.Counted {
		w.and("counted = ?", true)
	}
	if f.Contestant != "" {
		w.and("(a = ? OR b = ?)", f.Contestant)
	}
	if f.Character != "" {
		w.and("duel_id IN (SELECT id FROM duels WHERE played = ?)", f.Character)
	}
	if f.Without != "" {
		w.and("duel_id <> ?", f.Without)
	}
	if !f.Since.IsZero() {
		w.and("given >= ?", toMillis(f.Since))
	}
	return w
}

// Battles returns the chosen battles in the order of their time, oldest first.
func (l *Ledger) Battles(ctx context.Context, f BattleFilter) ([]arena.Battle, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	w := f.where()
	battles, err := collect(ctx, l.reader, "SELECT "+battleColumns+" FROM battles"+w.String()+" ORDER BY given, id", w.values,
		(*battleRow).fields, (*battleRow).battle)
	return battles, l.explain(err, "read battles")
}

// Rated returns those of the chosen battles that count, in the same order and
// with no more than a board needs, which is several times faster than Battles.
func (l *Ledger) Rated(ctx context.Context, f BattleFilter) ([]rating.Battle, error) {
	var battles []rating.Battle
	err := l.EachRated(ctx, f, func(b rating.Battle) { battles = append(battles, b) })
	return battles, err
}

// EachRated hands the battles of Rated out one by one, so that what is counted
// of them takes no memory for each.
func (l *Ledger) EachRated(ctx context.Context, f BattleFilter, to func(rating.Battle)) error {
	if err := l.usable(); err != nil {
		return err
	}
	f.Counted = true
	w := f.where()
	names := make(map[string]string)
	err := each(ctx, l.reader, "SELECT a, b, outcome, weight FROM battles"+w.String()+" ORDER BY given, id", w.values,
		func(r *battleRow) []any { return []any{&r.A, &r.B, &r.Outcome, &r.Weight} },
		func(r *battleRow) error {
			to(rating.Battle{A: one(names, r.A), B: one(names, r.B), Outcome: rating.OutcomeOf(arena.Choice(r.Outcome)), Weight: r.Weight})
			return nil
		})
	return l.explain(err, "read battles")
}

// one returns the first of all equal names, so that the rest can be freed.
func one(names map[string]string, name string) string {
	if first, ok := names[name]; ok {
		return first
	}
	names[name] = name
	return name
}

// SourceCount says how many battles came from a source.
type SourceCount struct {
	Source  arena.Source
	Battles int
	Counted int // of them, those that count
}

// Sources returns the sources that have battles, by name.
func (l *Ledger) Sources(ctx context.Context) ([]SourceCount, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	counts, err := collect(ctx, l.reader, `SELECT source, count(*), count(*) FILTER (WHERE counted)
		FROM battles GROUP BY source ORDER BY source`, nil,
		func(s *SourceCount) []any { return []any{(*string)(&s.Source), &s.Battles, &s.Counted} },
		func(s *SourceCount) SourceCount { return *s })
	return counts, l.explain(err, "read the sources of battles")
}
