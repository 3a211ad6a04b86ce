package formats

import (
	"encoding/json"
	"fmt"
	"slices"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
)

// veiled returns a copy of a blind duel without names: contestants are named for
// the side they stood on in each turn, so that not even who wrote two replies of
// different turns can be told.
func veiled(d *ledger.DuelFull) *ledger.DuelFull {
	out := copyDuel(d)
	out.SceneJSON = bareScene(&d.DuelRecord)
	var pairs [][2]string
	for i, c := range d.Contestants {
		pairs = append(pairs, [2]string{c.Name, "the model"}, [2]string{c.Model, "the model"}, [2]string{c.Endpoint, "the endpoint"}, [2]string{hostOf(c.Endpoint), "the endpoint"})
		out.Contestants[i] = arena.Contestant{Name: sideName(d.ID, arena.Side(i)), Dialect: layers.Auto, Rehearsal: c.Rehearsal}
	}
	veil := replacer(pairs)
	for i := range out.Past {
		out.Past[i].By, out.Past[i].Dialect, out.Past[i].Kept = "", "", nil
	}
	for i := range out.Turns {
		t := &out.Turns[i]
		if t.Auto != "" {
			t.Auto = "a contestant"
		}
		for _, swipes := range t.Swipes {
			for _, r := range swipes {
				r.Fault, r.Sampling = faultOf(r.Fault, veil.Replace), nil
				for n := range r.Notes {
					r.Notes[n] = veil.Replace(r.Notes[n])
				}
			}
		}
		for _, list := range [][]arena.Ruling{t.Rulings, t.Reruns} {
			for n := range list {
				for o := range list[n].Verdicts {
					list[n].Verdicts[o].Fault = faultOf(list[n].Verdicts[o].Fault, veil.Replace)
				}
			}
		}
		// Apart histories belong to the contestants, so their seats stay.
		if d.Canon != arena.CanonParallel {
			seated(t)
		}
		relink(t)
	}
	for i := range out.Battles {
		out.Battles[i].A, out.Battles[i].B = sideName(d.ID, arena.A), sideName(d.ID, arena.B)
	}
	out.Seed = 0
	return out
}

func sideName(duel string, s arena.Side) string {
	return fmt.Sprintf("blind-%s-%s", duel[max(len(duel)-8, 0):], s)
}

// seated makes side A contestant 0 in a turn.
func seated(t *ledger.FullTurn) {
	if t.Seats != [2]int{1, 0} {
		return
	}
	t.Seats = [2]int{0, 1}
	t.Swipes[0], t.Swipes[1] = t.Swipes[1], t.Swipes[0]
	for side, swipes := range t.Swipes {
		for _, r := range swipes {
			r.Contestant = side
		}
	}
	if t.Canon == 0 || t.Canon == 1 {
		t.Canon = 1 - t.Canon
	}
}

// bareScene is a duel's scene without what is kept of an origin's file.
func bareScene(d *arena.DuelRecord) string {
	if originOf(d) == nil {
		return d.SceneJSON
	}
	var m markedScene
	if json.Unmarshal([]byte(d.SceneJSON), &m) != nil {
		return d.SceneJSON
	}
	m.Imported.Rest, m.Imported.Labels, m.Imported.File = nil, nil, ""
	bare, err := json.Marshal(m)
	if err != nil {
		return "{}"
	}
	return string(bare)
}

// copyDuel copies all of a duel that redaction changes.
func copyDuel(d *ledger.DuelFull) *ledger.DuelFull {
	out := *d
	out.Past, out.Battles, out.Turns = slices.Clone(d.Past), slices.Clone(d.Battles), slices.Clone(d.Turns)
	for i := range out.Turns {
		t := &out.Turns[i]
		t.Votes, t.Rulings, t.Reruns = slices.Clone(t.Votes), slices.Clone(t.Rulings), slices.Clone(t.Reruns)
		for c, swipes := range t.Swipes {
			t.Swipes[c] = make([]*arena.Reply, len(swipes))
			for n, r := range swipes {
				reply := *r
				reply.Notes = slices.Clone(r.Notes)
				t.Swipes[c][n] = &reply
			}
		}
		relink(t)
	}
	return &out
}

// relink points the turn's ruling and vote into its own lists again.
func relink(t *ledger.FullTurn) {
	if t.Ruling != nil && len(t.Rulings) > 0 {
		t.Ruling = &t.Rulings[len(t.Rulings)-1]
	}
	if t.Vote != nil && len(t.Votes) > 0 {
		t.Vote = &t.Votes[len(t.Votes)-1]
	}
}
