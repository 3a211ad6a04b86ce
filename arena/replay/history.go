package replay

import (
	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
)

// History returns the turns of a recorded duel up to and including the turn of a
// number as the past of another duel; 0 is all of them. The past the duel itself
// began with comes first. A turn without canon counts with side A's reply, or
// with side B's where A has nothing that others perceive.
func History(d *ledger.DuelFull, turn int) []arena.PastTurn {
	var out []arena.PastTurn
	for i, p := range d.Past {
		if turn <= 0 || i < turn {
			out = append(out, p)
		}
	}
	for _, t := range Turns(d) {
		if turn > 0 && t.Number > turn {
			continue
		}
		p := arena.PastTurn{Line: t.Line, Note: t.Note, Speaker: t.Speaker, Scenery: t.Scenery}
		if r := canon(d.Canon, &t); r != nil {
			p.Reply = append([]layers.Segment(nil), r.Segments...)
			p.By, p.Dialect = d.Contestants[r.Contestant].Name, r.Dialect
		}
		if p.Line != "" || len(p.Reply) > 0 || p.Scenery != "" {
			out = append(out, p)
		}
	}
	return out
}

// canon is the reply of a turn that is history, nil where there is none.
func canon(policy arena.CanonPolicy, t *arena.Turn) *arena.Reply {
	if t.Canon >= 0 && policy != arena.CanonParallel {
		return t.Last(t.Canon)
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		r := t.Reply(side)
		if r != nil && r.Contestant >= 0 && r.Contestant < 2 && len(arena.Visible(r.Segments, arena.ViewOther, arena.Sight{})) > 0 {
			return r
		}
	}
	return nil
}
