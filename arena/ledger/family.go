package ledger

import (
	"context"
	"database/sql"
	"sort"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// maxFamily bounds how many duels of a family are read.
const maxFamily = 500

// Kin is one of the duels that hang together by branching and going on.
type Kin struct {
	ID          string
	Origin      arena.Origin
	Contestants [2]string // names
	Critic      string
	Started     time.Time
	Past        []arena.PastTurn
	Turns       []KinTurn
}

// KinTurn is a turn of a duel of the family, with what came of it.
type KinTurn struct {
	Number int
	Line   string
	Note   string       // the director's note that went with the line, "" for none
	Auto   string       // who wrote the line for the person, "" for the person
	Seats  [2]int       // contestant by side
	Canon  int          // contestant, -1 where there is none
	Vote   arena.Choice // by sides; NoChoice where there is none
	Ruling arena.Choice // the critic's winner by sides; NoChoice where there is none
}

// Family returns the duels that hang together with one: the first of them, and
// all that were branched from any of them, each after the one it came from and
// the older first. One that is not in the ledger is left out; what came of it
// stays together. At most 500 duels are read.
func (l *Ledger) Family(ctx context.Context, id string) ([]Kin, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, l.explain(err, "read the branches of a duel")
	}
	defer func() { _ = tx.Rollback() }()
	members, err := familyOf(ctx, tx, id)
	if err != nil {
		return nil, l.explain(err, "read the branches of a duel")
	}
	out := make([]Kin, 0, len(members))
	for _, m := range members {
		k, err := kin(ctx, tx, m)
		if err != nil {
			return nil, l.explain(err, "read the branches of a duel")
		}
		out = append(out, k...)
	}
	return out, nil
}

// parent is a duel and the one it came from.
type parent struct {
	id      string
	origin  *arena.Origin
	started int64
}

// familyOf lists the members of a family, parents first.
func familyOf(ctx context.Context, db querier, id string) ([]string, error) {
	all, err := collect(ctx, db, "SELECT id, origin, started FROM duels WHERE origin IS NOT NULL", nil,
		func(p *parent) []any { return []any{&p.id, asJSON(&p.origin), &p.started} }, func(p *parent) parent { return *p })
	if err != nil {
		return nil, err
	}
	up, down := map[string]string{}, map[string][]parent{}
	for _, p := range all {
		if p.origin != nil && p.origin.DuelID != "" && p.origin.DuelID != p.id {
			up[p.id] = p.origin.DuelID
			down[p.origin.DuelID] = append(down[p.origin.DuelID], p)
		}
	}
	root, seen := id, map[string]bool{}
	for up[root] != "" && !seen[root] { // imported ledgers may hold rings
		seen[root] = true
		root = up[root]
	}
	var out []string
	listed := map[string]bool{}
	var list func(id string)
	list = func(id string) {
		if listed[id] || len(out) >= maxFamily {
			return
		}
		listed[id] = true
		out = append(out, id)
		children := down[id]
		sort.Slice(children, func(i, j int) bool {
			if children[i].started != children[j].started {
				return children[i].started < children[j].started
			}
			return children[i].id < children[j].id
		})
		for _, c := range children {
			list(c.id)
		}
	}
	list(root)
	return out, nil
}

// kin reads one member; none where it is not in the ledger.
func kin(ctx context.Context, db querier, id string) ([]Kin, error) {
	duels, err := loadDuels(ctx, db, "id = $1", "", id)
	if err != nil || len(duels) == 0 {
		return nil, err
	}
	rec := duels[0].record()
	k := Kin{ID: rec.ID, Origin: rec.Origin, Critic: rec.Critic, Started: rec.Started, Past: rec.Past}
	for i, c := range rec.Contestants {
		k.Contestants[i] = c.Name
	}
	k.Turns, err = collect(ctx, db, `SELECT t.number, t.line, t.note, t.auto, t.seat_a, t.seat_b, t.canon,
		coalesce((SELECT choice FROM (SELECT v.choice, v.why FROM votes v WHERE v.turn_id = t.id ORDER BY v.given DESC, v.id DESC LIMIT 1) AS latest WHERE why <> '`+takenBack+`'), ''),
		coalesce((SELECT r.winner FROM rulings r WHERE r.turn_id = t.id ORDER BY r.given DESC, r.id DESC LIMIT 1), '')
		FROM turns t WHERE t.duel_id = $1 ORDER BY t.number, t.started, t.id`, []any{id},
		func(t *KinTurn) []any {
			return []any{&t.Number, &t.Line, &t.Note, &t.Auto, &t.Seats[0], &t.Seats[1], &t.Canon, &t.Vote, &t.Ruling}
		}, func(t *KinTurn) KinTurn { return *t })
	return []Kin{k}, err
}

// History returns the turns up to and including the given number as the past of
// another duel, as arena.Duel.History does. A number beyond the last means all.
func (d *DuelFull) History(turn int) []arena.PastTurn {
	out := append([]arena.PastTurn(nil), d.Past...)
	for i := range d.Turns {
		t := &d.Turns[i].Turn
		p := arena.PastTurn{Line: t.Line, Note: t.Note, Speaker: t.Speaker, Scenery: t.Scenery}
		seat := t.Canon
		if seat != 0 && seat != 1 || len(t.Swipes[seat]) == 0 {
			// A duel that was broken off, or in which each side had its own
			// history: side A's reply, else the other.
			seat = t.Seats[arena.A] & 1
			if len(t.Swipes[seat]) == 0 {
				seat = 1 - seat
			}
		}
		if r := t.Last(seat); r != nil {
			p.Reply, p.By, p.Dialect = append([]layers.Segment(nil), r.Segments...), d.Contestants[seat].Name, r.Dialect
		}
		if p.Line != "" || len(p.Reply) > 0 || p.Scenery != "" {
			out = append(out, p)
		}
	}
	return out[:max(0, min(turn, len(out)))]
}
