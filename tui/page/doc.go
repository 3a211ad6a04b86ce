package page

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/tui/guard"
)

// doc is a duel as a document shows it: cleaned, veiled, in the words of the
// reader. Both formats are written from it alone.
type doc struct {
	ID, Title, Language string
	Facts               []fact
	Scenario            string
	Character, User     string
	Cast                string // of a scene of several, else ""
	Parties             []party
	Hidden              bool // who stood where
	Opening             []segment
	Past                []pastTurn
	Turns               []turn
}

type fact struct{ Name, Value string }

type party struct {
	Name  string
	Facts []fact
}

type segment struct {
	Kind string // layer's word
	Name string // for people
	Text string
}

type pastTurn struct {
	Number           int
	Speaker, Scenery string
	Line, Note, By   string
	Segments         []segment
	Edited, HasReply bool
}

type turn struct {
	Number           int
	Speaker, Scenery string // "" where it is the scene's own, and nothing happened
	Line, Note, Auto string
	Sides            [2]side
	Rulings          []ruling
	Votes            []vote
}

type side struct {
	Letter, Name string
	Replies      []reply
}

type reply struct {
	Title    string // which reply it is, "" where there is only one
	Segments []segment
	Canon    bool
	Chosen   bool // by the vote that holds
	Invalid  string
	Remarks  []string // faults and notes
	Stats    string
	Latest   bool
}

type vote struct {
	Text, By, At, Why string
	Holds             bool
}

// clean takes one line of others' text.
func clean(s string) string { return guard.Line(s) }

// orUnknown stands in for a name that is empty.
func orUnknown(name string) string {
	if name == "" {
		return "unknown"
	}
	return name
}

// maker makes a doc of one duel.
type maker struct {
	d      *ledger.DuelFull
	o      Options
	hidden bool
	veil   *strings.Replacer
}

func newDoc(d *ledger.DuelFull, o Options) doc {
	m := &maker{d: d, o: o, hidden: d.Blind && !o.Reveal, veil: strings.NewReplacer()}
	if m.hidden {
		m.veil = veil(d.Contestants)
	}
	scene := replay.Scene(&d.DuelRecord)
	out := doc{
		ID: clean(d.ID), Title: clean(scene.Title), Language: clean(scene.Language), Scenario: guard.Text(scene.Scenario),
		Character: clean(scene.Character.Name), User: clean(scene.User.Name), Hidden: m.hidden,
		Parties: m.parties(), Facts: m.facts(),
	}
	if scene.Ensemble() {
		out.Cast = clean(strings.Join(scene.Speakers(), ", "))
	}
	if out.Title == "" {
		out.Title = "A duel"
	}
	if out.Character == "" {
		out.Character = "the character"
	}
	if out.User == "" {
		out.User = "the person"
	}
	if strings.TrimSpace(scene.Opening) != "" {
		out.Opening = m.segments(layers.Parse(scene.Opening, layers.Options{Name: scene.Character.Name}).Segments)
	}
	for i, p := range d.Past {
		out.Past = append(out.Past, m.past(i+1, p))
	}
	turns := replay.Turns(d)
	for i := range turns {
		out.Turns = append(out.Turns, m.turn(&turns[i], &d.Turns[i]))
	}
	return out
}

// veil takes names, models and addresses out of messages.
func veil(contestants [2]arena.Contestant) *strings.Replacer {
	var pairs []string
	var secrets []string
	for _, c := range contestants {
		secrets = append(secrets, c.Endpoint, c.Model, c.Name)
	}
	// The longest first: a name may be part of an address.
	sort.SliceStable(secrets, func(i, j int) bool { return len(secrets[i]) > len(secrets[j]) })
	for _, s := range secrets {
		if len(s) > 1 {
			pairs = append(pairs, s, "the model")
		}
	}
	return strings.NewReplacer(pairs...)
}

// message is a sentence of others as the reader may see it.
func (m *maker) message(s string) string { return clean(m.veil.Replace(s)) }

func (m *maker) when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(m.o.Zone).Format("2006-01-02 15:04:05 MST")
}

func (m *maker) critic(name string) string {
	if m.o.CriticLabel != nil {
		name = m.o.CriticLabel(name)
	}
	return orUnknown(clean(name))
}

// facts are the terms of the duel.
func (m *maker) facts() []fact {
	d := &m.d.DuelRecord
	var out []fact
	add := func(name, value string) {
		if value = clean(value); value != "" {
			out = append(out, fact{name, value})
		}
	}
	add("duel", d.ID)
	add("played", m.when(d.Started))
	add("scene", d.SceneID)
	add("language", d.Language)
	if d.Critic == "" {
		add("critic", "none")
	} else {
		add("critic", m.critic(d.Critic))
	}
	add("canon", string(d.Canon))
	switch {
	case m.hidden:
		add("blind", "yes; who stood where stays hidden")
	case d.Blind:
		add("blind", "yes; revealed here")
	}
	if d.Rehearsal {
		add("rehearsal", "yes: scripted players, kept out of the boards")
	}
	if d.Origin.DuelID != "" {
		add("goes on from", fmt.Sprintf("duel %s, turn %d", d.Origin.DuelID, d.Origin.Turn))
	}
	return out
}

// parties are the contestants with their settings; while it is hidden who is
// who, in the order of their names.
func (m *maker) parties() []party {
	out := make([]party, 0, 2)
	for _, c := range m.d.Contestants {
		p := party{Name: orUnknown(clean(c.Name))}
		add := func(name, value string) {
			if value = clean(value); value != "" {
				p.Facts = append(p.Facts, fact{name, value})
			}
		}
		add("model", c.Model)
		add("endpoint", c.Endpoint)
		add("dialect", string(c.Dialect))
		add("prefill", c.Prefill)
		if settings, err := json.Marshal(c.Sampling); err == nil && string(settings) != "{}" {
			add("sampling", strings.Trim(string(settings), "{}"))
		}
		if c.KeepSystem {
			add("keeps its plans in its history", "yes")
		}
		if c.Rehearsal {
			add("scripted", "yes")
		}
		out = append(out, p)
	}
	if m.hidden {
		sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	}
	return out
}

var layerNames = map[layers.Layer]string{
	layers.System: "plan", layers.Native: "reasoning", layers.Think: "thought", layers.Act: "action", layers.Speech: "speech",
}

func (m *maker) segments(all []layers.Segment) []segment {
	out := make([]segment, 0, len(all))
	for _, s := range all {
		text := strings.TrimSpace(guard.Text(s.Text))
		if text == "" || m.o.Visible && !s.Layer.Visible() {
			continue
		}
		name, ok := layerNames[s.Layer]
		if !ok {
			continue // no layer of ours: it may be anything, so it is not shown
		}
		out = append(out, segment{s.Layer.String(), name, text})
	}
	return out
}

func (m *maker) past(number int, p arena.PastTurn) pastTurn {
	out := pastTurn{Number: number, Line: guard.Text(p.Line), Segments: m.segments(p.Reply), Edited: p.Edited, HasReply: len(p.Reply) > 0}
	out.Speaker, out.Scenery = clean(p.Speaker), guard.Text(p.Scenery)
	if !m.o.Visible {
		out.Note = guard.Text(p.Note)
	}
	if !m.hidden {
		out.By = clean(p.By)
	}
	return out
}

func (m *maker) turn(t *arena.Turn, full *ledger.FullTurn) turn {
	out := turn{Number: t.Number, Line: guard.Text(t.Line), Auto: m.message(t.Auto)}
	out.Speaker, out.Scenery = clean(t.Speaker), guard.Text(t.Scenery)
	if !m.o.Visible {
		out.Note = guard.Text(t.Note)
	}
	for _, s := range []arena.Side{arena.A, arena.B} {
		out.Sides[s] = m.side(t, s, full)
	}
	for i := range full.Rulings {
		out.Rulings = append(out.Rulings, m.ruling(t, &full.Rulings[i]))
	}
	for i := range full.Votes {
		out.Votes = append(out.Votes, m.vote(t, &full.Votes[i]))
	}
	return out
}

func (m *maker) side(t *arena.Turn, s arena.Side, full *ledger.FullTurn) side {
	seat := t.Seats[s]
	out := side{Letter: s.String()}
	if !m.hidden {
		out.Name = orUnknown(clean(m.d.Contestants[seat].Name))
	}
	swipes := t.Swipes[seat]
	for i, r := range swipes {
		p := m.reply(r, full.States[r.ID])
		p.Latest = i == len(swipes)-1
		if len(swipes) > 1 {
			p.Title = fmt.Sprintf("reply %d of %d", i+1, len(swipes))
		}
		p.Canon = p.Latest && t.Canon == seat
		if v := t.Vote; v != nil && p.Latest {
			p.Chosen = v.Choice == arena.ChoseA && s == arena.A || v.Choice == arena.ChoseB && s == arena.B
		}
		out.Replies = append(out.Replies, p)
	}
	return out
}

func (m *maker) reply(r *arena.Reply, state ledger.State) reply {
	out := reply{Segments: m.segments(r.Segments)}
	if ok, why := r.Validity(); !ok {
		out.Invalid = clean(strings.ReplaceAll(why, "_", " "))
	}
	if state == ledger.Streaming {
		out.Remarks = append(out.Remarks, "still being written when this was made")
	}
	if r.Fault != nil {
		out.Remarks = append(out.Remarks, m.message(r.Fault.Error()))
	}
	for _, note := range r.Notes {
		out.Remarks = append(out.Remarks, m.message(note))
	}
	if len(r.SpokeFor) > 0 {
		out.Remarks = append(out.Remarks, "speaks for "+clean(strings.Join(r.SpokeFor, ", ")))
	}
	var stats []string
	if r.Usage != nil && r.Usage.CompletionTokens > 0 {
		stats = append(stats, fmt.Sprintf("%d tokens", r.Usage.CompletionTokens))
	}
	if r.FirstByte > 0 {
		stats = append(stats, fmt.Sprintf("first after %.1f s", r.FirstByte.Seconds()))
	}
	if r.Total > 0 {
		stats = append(stats, fmt.Sprintf("done after %.1f s", r.Total.Seconds()))
	}
	out.Stats = strings.Join(stats, ", ")
	return out
}

var choices = map[arena.Choice]string{
	arena.ChoseA: "A is better", arena.ChoseB: "B is better", arena.Tie: "a tie", arena.BothBad: "both are bad", arena.NoChoice: "no answer",
}

func said(c arena.Choice) string {
	if s, ok := choices[c]; ok {
		return s
	}
	return "an unknown answer"
}

func (m *maker) vote(t *arena.Turn, v *arena.Vote) vote {
	out := vote{Text: said(v.Choice), By: clean(v.Voter), At: m.when(v.At), Holds: t.Vote != nil && t.Vote.ID == v.ID}
	if !v.Counted {
		out.Why = m.message(v.Why)
		if out.Why == "" {
			out.Why = "not counted"
		}
	}
	return out
}
