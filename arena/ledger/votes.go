package ledger

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode"

	"herarena/arena"
	"herarena/arena/habit"
	"herarena/arena/layers"
)

// ofVotes are the battles that persons' votes made, those of rehearsals among
// them.
const ofVotes = "(b.source = 'vote' OR b.source = 'rehearsal/vote') AND b.counted"

// Voted returns the votes that count, in the order of their time, with what is
// known of how they came about.
func (l *Ledger) Voted(ctx context.Context) ([]habit.Vote, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, l.explain(err, "read the votes")
	}
	defer func() { _ = tx.Rollback() }()
	votes, err := voted(ctx, tx)
	return votes, l.explain(err, "read the votes")
}

// votedRow is a battle with its vote's time.
type votedRow struct {
	turn, voter, a, b, outcome string
	drawn                      bool
	dwell                      int64
}

// reading is what there was to read in a turn.
type reading struct {
	words        float64
	first, total time.Duration
	replies      int
	again        bool // a reply was asked for once more: how long it lay there is not known
}

func voted(ctx context.Context, db querier) ([]habit.Vote, error) {
	turns, err := readings(ctx, db)
	if err != nil {
		return nil, err
	}
	return collect(ctx, db, `SELECT b.turn_id, b.judge, b.a, b.b, b.outcome,
		coalesce((SELECT d.blind FROM duels d WHERE d.id = b.duel_id), FALSE),
		coalesce((SELECT v.dwell FROM votes v WHERE v.turn_id = b.turn_id AND v.voter = b.judge ORDER BY v.given DESC, v.id DESC LIMIT 1), 0)
		FROM battles b WHERE `+ofVotes+` ORDER BY b.given, b.id`, nil,
		func(r *votedRow) []any {
			return []any{&r.turn, &r.voter, &r.a, &r.b, &r.outcome, &r.drawn, &r.dwell}
		},
		func(r *votedRow) habit.Vote {
			v := habit.Vote{Voter: r.voter, A: r.a, B: r.b, Outcome: arena.Choice(r.outcome), Drawn: r.drawn}
			if t := turns[r.turn]; t != nil && t.replies == 2 && !t.again && r.dwell > 0 {
				// From the first text on the screen to the vote.
				v.Seen, v.Words = time.Duration(r.dwell)+t.total-t.first, t.words
			}
			return v
		})
}

func readings(ctx context.Context, db querier) (map[string]*reading, error) {
	turns := make(map[string]*reading)
	err := each(ctx, db, `SELECT turn_id, swipe, segments, first_byte, total FROM replies
		WHERE turn_id IN (SELECT b.turn_id FROM battles b WHERE `+ofVotes+`)`, nil,
		func(r *replyRow) []any {
			return []any{&r.TurnID, &r.Swipe, asJSON(&r.Segments), &r.FirstByte, &r.Total}
		},
		func(r *replyRow) error {
			t := turns[r.TurnID]
			if t == nil {
				t = &reading{first: time.Duration(r.FirstByte)}
				turns[r.TurnID] = t
			}
			t.replies++
			t.again = t.again || r.Swipe > 0
			t.first, t.total = min(t.first, time.Duration(r.FirstByte)), max(t.total, time.Duration(r.Total))
			for _, s := range r.Segments {
				if s.Layer != layers.System && s.Layer != layers.Native { // these are folded away
					t.words += words(s.Text)
				}
			}
			return nil
		})
	return turns, err
}

// words counts words, and for writing without spaces two thirds of the
// characters.
func words(text string) float64 {
	n := 0.0
	for word := range strings.FieldsSeq(text) {
		dense := 0
		for _, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				dense++
			}
		}
		n += max(1, float64(dense)*2/3)
	}
	return n
}
