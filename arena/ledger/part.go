package ledger

import (
	"context"
	"fmt"
	"strings"
)

// duelPart is some duels with all that hangs on them, read together.
type duelPart struct {
	duels   []duelRow              // in the order asked for
	turns   map[string][]turnRow   // by duel
	battles map[string][]battleRow // by duel
	replies map[string][]replyRow  // by turn
	rulings map[string][]rulingRow // by turn
	votes   map[string][]voteRow   // by turn
}

// partOf reads duels by their ids; one that is not there is left out.
func partOf(ctx context.Context, db querier, ids []string) (*duelPart, error) {
	in, args := among(ids)
	p := &duelPart{
		turns: make(map[string][]turnRow), battles: make(map[string][]battleRow), replies: make(map[string][]replyRow),
		rulings: make(map[string][]rulingRow), votes: make(map[string][]voteRow),
	}
	duels, err := loadDuels(ctx, db, "id IN "+in, "", args...)
	if err != nil {
		return nil, err
	}
	at := make(map[string]*duelRow, len(duels))
	for i := range duels {
		at[duels[i].ID] = &duels[i]
	}
	for _, id := range ids {
		if d := at[id]; d != nil {
			p.duels = append(p.duels, *d)
		}
	}
	ofTurn := "turn_id IN (SELECT id FROM turns WHERE duel_id IN " + in + ")"
	err = keep(ctx, db, p.turns, "SELECT "+turnColumns+" FROM turns WHERE duel_id IN "+in+" ORDER BY number, id", args,
		(*turnRow).fields, func(r *turnRow) string { return r.DuelID })
	if err == nil {
		err = keep(ctx, db, p.battles, "SELECT "+battleColumns+" FROM battles WHERE duel_id IN "+in+" ORDER BY given, id", args,
			(*battleRow).fields, func(r *battleRow) string { return r.DuelID })
	}
	if err == nil {
		err = keep(ctx, db, p.replies, "SELECT "+replyColumns+" FROM replies WHERE "+ofTurn+" ORDER BY started, id", args,
			(*replyRow).fields, func(r *replyRow) string { return r.TurnID })
	}
	if err == nil {
		err = keep(ctx, db, p.votes, "SELECT "+voteColumns+" FROM votes WHERE "+ofTurn+" ORDER BY given, id", args,
			(*voteRow).fields, func(r *voteRow) string { return r.TurnID })
	}
	if err != nil {
		return nil, err
	}
	rulings, err := loadRulings(ctx, db, ofTurn, args...)
	for _, r := range rulings {
		p.rulings[r.TurnID] = append(p.rulings[r.TurnID], r)
	}
	return p, err
}

// among returns the list of places for values in a statement, from $1.
func among(ids []string) (in string, args []any) {
	places := make([]string, len(ids))
	args = make([]any, len(ids))
	for i, id := range ids {
		places[i], args[i] = fmt.Sprintf("$%d", i+1), id
	}
	return "(" + strings.Join(places, ", ") + ")", args
}

// keep collects the rows of a query by a key.
func keep[R any](ctx context.Context, db querier, into map[string][]R, query string, args []any, fields func(*R) []any, key func(*R) string) error {
	return each(ctx, db, query, args, fields, func(r *R) error {
		into[key(r)] = append(into[key(r)], *r)
		return nil
	})
}

// loadDuels reads the rows of duels under a condition, with their contestants.
func loadDuels(ctx context.Context, db querier, condition, order string, args ...any) ([]duelRow, error) {
	duels, err := collect(ctx, db, "SELECT "+duelColumns+" FROM duels WHERE "+condition+order, args,
		(*duelRow).fields, func(r *duelRow) duelRow { return *r })
	if err != nil {
		return nil, err
	}
	contestants := make(map[string][]contestantRow)
	err = keep(ctx, db, contestants, "SELECT "+contestantColumns+" FROM contestants WHERE duel_id IN (SELECT id FROM duels WHERE "+condition+") ORDER BY duel_id, seat", args,
		(*contestantRow).fields, func(r *contestantRow) string { return r.DuelID })
	for i := range duels {
		duels[i].Contestants = contestants[duels[i].ID]
	}
	return duels, err
}

// loadRulings reads rulings under a condition, with their verdicts.
func loadRulings(ctx context.Context, db querier, condition string, args ...any) ([]rulingRow, error) {
	rulings, err := collect(ctx, db, "SELECT "+rulingColumns+" FROM rulings WHERE "+condition+" ORDER BY given, id", args,
		(*rulingRow).fields, func(r *rulingRow) rulingRow { return *r })
	if err != nil {
		return nil, err
	}
	verdicts := make(map[string][]verdictRow)
	err = keep(ctx, db, verdicts, "SELECT "+verdictColumns+" FROM verdicts WHERE ruling_id IN (SELECT id FROM rulings WHERE "+condition+") ORDER BY ruling_id, shown", args,
		(*verdictRow).fields, func(r *verdictRow) string { return r.RulingID })
	for i := range rulings {
		rulings[i].Verdicts = verdicts[rulings[i].ID]
	}
	return rulings, err
}
