package ledger

import (
	"context"

	"herarena/arena"
	"herarena/arena/rating"
)

// answerRow is what a source said of a turn, by the side that won.
type answerRow struct {
	turn, source, outcome string
	weight                float64
}

// Answers calls do with what the sources said of each turn, of the chosen battles
// that count: persons and critics about the same two replies.
func (l *Ledger) Answers(ctx context.Context, f BattleFilter, do func(answers []rating.Answer)) error {
	if err := l.usable(); err != nil {
		return err
	}
	f.Counted = true
	w := f.where()
	w.terms = append(w.terms, "turn_id <> ''")
	var turn string
	var answers []rating.Answer
	end := func() {
		if len(answers) > 1 {
			do(answers)
		}
		answers = answers[:0]
	}
	err := each(ctx, l.reader, "SELECT turn_id, source, outcome, sum(weight) FROM battles"+w.String()+" GROUP BY turn_id, source, outcome ORDER BY turn_id, source", w.values,
		func(r *answerRow) []any { return []any{&r.turn, &r.source, &r.outcome, &r.weight} },
		func(r *answerRow) error {
			if r.turn != turn {
				end()
				turn = r.turn
			}
			o := rating.OutcomeOf(arena.Choice(r.outcome))
			if o == 0 {
				return nil
			}
			if n := len(answers); n == 0 || answers[n-1].Source != r.source {
				answers = append(answers, rating.Answer{Source: r.source})
			}
			answers[len(answers)-1].Share[o-1] += r.weight
			return nil
		})
	end()
	return l.explain(err, "read what was said of turns")
}

// Ends calls do with how many of the chosen battles of each source that count
// ended how, by weight.
func (l *Ledger) Ends(ctx context.Context, f BattleFilter, do func(source string, o rating.Outcome, weight float64)) error {
	if err := l.usable(); err != nil {
		return err
	}
	f.Counted = true
	w := f.where()
	err := each(ctx, l.reader, "SELECT source, outcome, sum(weight) FROM battles"+w.String()+" GROUP BY source, outcome", w.values,
		func(r *answerRow) []any { return []any{&r.source, &r.outcome, &r.weight} },
		func(r *answerRow) error {
			do(r.source, rating.OutcomeOf(arena.Choice(r.outcome)), r.weight)
			return nil
		})
	return l.explain(err, "read how battles ended")
}

// shownRow is a verdict of one order.
type shownRow struct {
	ruling, critic, status, better string
	rehearsal                      bool
	order                          int
}

// Shown calls do with what each ruling of play said in its orders, in sides: with
// A shown first and with B. asked is false for an order that was not asked.
func (l *Ledger) Shown(ctx context.Context, f BattleFilter, do func(source string, said [2]rating.Outcome, asked [2]bool)) error {
	if err := l.usable(); err != nil {
		return err
	}
	w := new(where)
	w.terms = append(w.terms, "r.rerun = ''")
	w.equal("d.scene_id", f.SceneID)
	w.equal("d.language", f.Language)
	w.equal("d.played", f.Character)
	if f.Without != "" {
		w.and("d.id <> ?", f.Without)
	}
	if !f.Since.IsZero() {
		w.and("r.given >= ?", toMillis(f.Since))
	}
	var last shownRow
	var said [2]rating.Outcome
	var asked [2]bool
	end := func() {
		if asked[0] || asked[1] {
			source := arena.CriticSource(last.critic)
			if last.rehearsal {
				source = "rehearsal/" + source
			}
			do(string(source), said, asked)
		}
		said, asked = [2]rating.Outcome{}, [2]bool{}
	}
	err := each(ctx, l.reader, `SELECT r.id, r.critic, d.rehearsal, v.shown, v.status, v.better FROM rulings r
		JOIN verdicts v ON v.ruling_id = r.id JOIN turns t ON t.id = r.turn_id JOIN duels d ON d.id = t.duel_id`+w.String()+" ORDER BY r.id, v.shown", w.values,
		func(r *shownRow) []any {
			return []any{&r.ruling, &r.critic, &r.rehearsal, &r.order, &r.status, &r.better}
		},
		func(r *shownRow) error {
			if r.ruling != last.ruling {
				end()
				last = *r
			}
			status := arena.VerdictStatus(r.status)
			if r.order < 0 || r.order > 1 || status == arena.VerdictPending || status == "" {
				return nil
			}
			asked[r.order] = true
			if status != arena.VerdictFailed {
				said[r.order] = rating.OutcomeOf(arena.Order(r.order).Side(arena.Choice(r.better)))
			}
			return nil
		})
	end()
	return l.explain(err, "read in which order critics were asked")
}

// Facet is a value that battles have, with how many do.
type Facet struct {
	Value   string
	Title   string // as people read it
	Battles int
}

// Facets lists the scenes, characters and languages of a source's battles that
// count, the most frequent first.
func (l *Ledger) Facets(ctx context.Context, source arena.Source) (scenes, characters, languages []Facet, err error) {
	if err := l.usable(); err != nil {
		return nil, nil, nil, err
	}
	list := func(value, title, join string) []Facet {
		if err != nil {
			return nil
		}
		var all []Facet
		all, err = collect(ctx, l.reader, "SELECT "+value+", max("+title+"), count(*) FROM battles b"+join+
			" WHERE b.source = $1 AND b.counted AND "+value+" <> '' GROUP BY "+value+" ORDER BY count(*) DESC, "+value+" LIMIT 200", []any{string(source)},
			func(f *Facet) []any { return []any{&f.Value, &f.Title, &f.Battles} }, func(f *Facet) Facet { return *f })
		return all
	}
	const duels = " JOIN duels d ON d.id = b.duel_id"
	scenes = list("d.scene_id", "d.scene_title", duels)
	characters = list("d.played", "d.played", duels)
	languages = list("b.language", "b.language", "")
	return scenes, characters, languages, l.explain(err, "read what battles are about")
}
