package arena

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena/layers"
	"herarena/characters"
)

// PastTurn is a turn that lies before a duel's own first one: of the duel it
// was branched from or continues, or of an imported chat. It is history for
// contestants and critic, and nothing in it is voted on or judged.
type PastTurn struct {
	Line string `json:"line"`
	// Note is the director's note that was given before the line.
	Note string `json:"note,omitempty"`
	// Reply is the canon reply, nil where there was none.
	Reply []layers.Segment `json:"reply,omitempty"`
	// By names the contestant who wrote the reply, "" where it is not known.
	By string `json:"by,omitempty"`
	// Dialect is the one the reply was written in, "" where it is not known. A
	// contestant of that name whose dialect is to be found out goes on in it.
	Dialect layers.Dialect `json:"dialect,omitempty"`
	// Speaker is the character whose reply it is; "" is the scene's Character.
	Speaker string `json:"speaker,omitempty"`
	// Scenery is what the surroundings did before the line.
	Scenery string `json:"scenery,omitempty"`
	// Edited is set where a person has changed the reply.
	Edited bool `json:"edited,omitempty"`
	// Kept are the messages of an imported chat that the turn was made of, as
	// they stood in its file: swipes, times and all that a duel has no place for.
	// Neither contestants nor critics are shown any of it; an export in the
	// chat's own format gives it back.
	Kept []json.RawMessage `json:"kept,omitempty"`
}

// Origin says where a duel came from. The zero value is a duel of its own.
type Origin struct {
	// DuelID is the duel that this one was branched from or continues.
	DuelID string `json:"duel_id,omitempty"`
	// Turn is the last turn of that duel that is part of this one's past; 0 is
	// a branch from before its first.
	Turn int `json:"turn,omitempty"`
}

// validatePast checks a past as it comes from files and other duels.
func validatePast(turns []PastTurn) error {
	for i, t := range turns {
		if strings.TrimSpace(t.Line) == "" && len(t.Reply) == 0 && t.Scenery == "" {
			return fmt.Errorf("turn %d of the past has neither a line nor a reply", i+1)
		}
	}
	return nil
}

// recall takes the past of the options as settled history.
func (d *Duel) recall() {
	for _, t := range d.opts.Past {
		for i := range d.past {
			if t.By == d.opts.Contestants[i].Name && t.Dialect != "" && !t.Edited && d.dialect[i] == layers.Auto {
				d.dialect[i] = t.Dialect
			}
			sight := Sight{KeepSystem: d.opts.Contestants[i].KeepSystem && t.By == d.opts.Contestants[i].Name}
			d.past[i] = append(d.past[i], d.rendered(t.told(), i, sight))
		}
		d.shared = append(d.shared, t.told())
	}
}

// told is the turn as it enters a history.
func (t *PastTurn) told() past {
	return past{line: t.Line, note: t.Note, scenery: t.Scenery, speaker: t.Speaker, reply: t.Reply}
}

// PastOf makes a past of a dialogue, such as the first rounds of a book's own:
// whom the contestants play have replied, the person has spoken the lines, and
// what the surroundings did stands before the turn it led to.
func PastOf(scene characters.Scene, lines []characters.Line) []PastTurn {
	var out []PastTurn
	var t PastTurn
	end := func() {
		if t.Line != "" || t.Scenery != "" || len(t.Reply) > 0 {
			out = append(out, t)
		}
		t = PastTurn{}
	}
	for _, l := range lines {
		switch {
		case strings.TrimSpace(l.Text) == "":
		case scene.Plays(l.Name):
			seen := scene.Seen(l.Name)
			t.Reply = ParseLine(l.Text, l.Name, otherNames(seen))
			if l.Name != scene.Character.Name {
				t.Speaker = l.Name
			}
			end()
		case l.Name == characters.EnvironmentName:
			if t.Line != "" {
				end()
			}
			t.Scenery = strings.TrimSpace(t.Scenery + "\n\n" + l.Text)
		default:
			if t.Line != "" {
				end()
			}
			p := layers.Parse(l.Text, layers.Options{Name: l.Name})
			t.Line = hears("", p.Segments)
			if l.Name != scene.User.Name {
				t.Line = l.Name + ": " + t.Line
			}
		}
	}
	end()
	return out
}

// before is the number of turns that lie before the duel's first.
func (d *Duel) before() int { return len(d.opts.Past) }

// Past returns the turns before the duel's first.
func (d *Duel) Past() []PastTurn { return append([]PastTurn(nil), d.opts.Past...) }

// Origin says where the duel came from.
func (d *Duel) Origin() Origin { return d.opts.Origin }

// History returns the turns up to and including the given number as the past of
// another duel: a branch, a continuation, the same scene with other contestants.
// Turns without a canon reply yet take what would become canon now. A number
// beyond the last means all.
func (d *Duel) History(turn int) []PastTurn {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.Past()
	for _, t := range d.turns {
		d.chooseCanonFor(t)
		p := PastTurn{Line: t.Line, Note: t.Note, Speaker: t.Speaker, Scenery: t.Scenery}
		seat := t.Canon
		if d.opts.Canon == CanonParallel {
			seat = t.Seats[A]
		}
		if seat >= 0 && t.Last(seat) != nil {
			p.Reply = append([]layers.Segment(nil), t.Last(seat).Segments...)
			p.By, p.Dialect = d.opts.Contestants[seat].Name, t.Last(seat).Dialect
		}
		out = append(out, p)
	}
	return out[:max(0, min(turn, len(out)))]
}

// chooseCanonFor settles who is canon in a copy of the moment; a turn that is
// still being written keeps none.
func (d *Duel) chooseCanonFor(t *Turn) {
	if t == d.turns[len(d.turns)-1] && !d.busy() {
		d.chooseCanon(t)
	}
}
