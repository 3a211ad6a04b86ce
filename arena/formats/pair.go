package formats

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/characters"
)

// export is a duel on its way out.
type export struct {
	d      *ledger.DuelFull
	turns  []arena.Turn
	scene  characters.Scene
	origin *imported // nil for a duel that was played
}

// newExport readies a duel; closed leaves out what the origin knows beyond the
// ledger, which nothing has been taken out of.
func newExport(d *ledger.DuelFull, closed bool) *export {
	e := &export{d: d, turns: replay.Turns(d), scene: replay.Scene(&d.DuelRecord), origin: originOf(&d.DuelRecord)}
	if e.origin != nil && closed {
		e.origin.Rest, e.origin.Labels, e.origin.File = nil, nil, ""
	}
	return e
}

// rest are the fields kept of an origin in the same format.
func (e *export) rest(format string) map[string]json.RawMessage {
	if e.origin == nil || e.origin.Format != format {
		return nil
	}
	return e.origin.Rest
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// pair is one comparison: two sides, and what a source found.
type pair struct {
	*export
	index   int // of the turn, -1 where the battle has no text
	replies [2]*arena.Reply
	names   [2]string
	battles []arena.Battle
	outcome arena.Choice // NoChoice on a flip
	source  arena.Source
	judge   string
	when    time.Time
	number  int
	counted bool
	why     string
	ruling  *arena.Ruling
}

// pairs returns the comparisons of a duel in the order of its battles.
func (e *export) pairs() []*pair {
	type seat struct {
		turn   string
		source arena.Source
	}
	at := map[seat]*pair{}
	index := make(map[string]int, len(e.turns))
	for i := range e.turns {
		index[e.turns[i].ID] = i
	}
	var out []*pair
	for _, b := range e.d.Battles {
		s := seat{b.TurnID, b.Source}
		p := at[s]
		if p == nil {
			p = &pair{
				export: e, index: -1, names: [2]string{b.A, b.B}, outcome: b.Outcome, source: b.Source, judge: b.Judge,
				when: b.At, number: b.Turn, counted: b.Counted, why: b.Why,
			}
			if i, ok := index[b.TurnID]; ok {
				p.index = i
				p.find(&e.d.Turns[i], b)
			}
			at[s] = p
			out = append(out, p)
		}
		p.battles = append(p.battles, b)
		if b.Outcome != p.outcome {
			p.outcome = arena.NoChoice
		}
	}
	return out
}

// find looks up what was judged: the replies of that moment, which later swipes
// may have followed.
func (p *pair) find(full *ledger.FullTurn, b arena.Battle) {
	t := p.turn()
	if critic, ok := strings.CutPrefix(strings.TrimPrefix(string(b.Source), "rehearsal/"), "critic:"); ok {
		for i := range full.Rulings {
			if g := &full.Rulings[i]; g.Critic == critic || g.Critic == b.Judge {
				p.ruling = g
			}
		}
	}
	for side := range p.replies {
		swipes := t.Swipes[t.Seats[side]]
		for _, r := range swipes {
			switch {
			case p.ruling != nil && r.ID == [2]string{p.ruling.ReplyA, p.ruling.ReplyB}[side]:
				p.replies[side] = r
			case p.ruling == nil && (p.replies[side] == nil || !r.Started.After(b.At)):
				p.replies[side] = r
			}
		}
		if p.replies[side] == nil && len(swipes) > 0 {
			p.replies[side] = swipes[len(swipes)-1]
		}
	}
}

func (p *pair) turn() *arena.Turn { return &p.turns[p.index] }

// spoken reports whether both replies are there.
func (p *pair) spoken() bool { return p.replies[0] != nil && p.replies[1] != nil }

// Why a comparison makes no row.
const (
	whyNoText = "has no text"
	whyFlip   = "the critic's two orders disagree, which the format cannot say"
	whyNoWin  = "nobody is better"
	whyVote   = "is a person's vote, not a judgment"
)

// winner returns the sides of the better and the worse reply, or why there are
// none.
func (p *pair) winner() (better, worse arena.Side, why string) {
	switch {
	case !p.spoken():
		return 0, 0, whyNoText
	case p.outcome == arena.NoChoice:
		return 0, 0, whyFlip
	case p.outcome == arena.ChoseA:
		return arena.A, arena.B, ""
	case p.outcome == arena.ChoseB:
		return arena.B, arena.A, ""
	}
	return 0, 0, whyNoWin
}

// text is a reply as it is written: as it was sent where nothing in it is
// hidden, else what may be seen of it.
func (ex *exporter) text(r *arena.Reply) string {
	var shown []layers.Segment
	hides := r.Prefill != "" && !strings.HasPrefix(r.Raw, r.Prefill)
	for _, s := range r.Segments {
		if ex.shows(s.Layer) {
			shown = append(shown, s)
		} else {
			hides = true
		}
	}
	if ex.o.Layers == LayersAll && r.Reasoning != "" {
		hides = true // the reasoning came apart from the text
	}
	if !hides {
		return r.Raw
	}
	return layers.Render(shown, written(r.Dialect, shown), "")
}

func (ex *exporter) shows(l layers.Layer) bool {
	switch {
	case l.Visible():
		return true
	case l == layers.Think:
		return ex.o.Layers != LayersVisible
	}
	return ex.o.Layers == LayersAll
}

// written is the dialect that carries the segments.
func written(d layers.Dialect, segments []layers.Segment) layers.Dialect {
	for _, s := range segments {
		if s.Layer == layers.System || s.Layer == layers.Native || s.Layer == layers.Think && d != layers.CoSER {
			return layers.HER
		}
	}
	if d == "" || d == layers.Auto {
		return layers.HER
	}
	return d
}

// segments writes those of a past that is kept as segments alone.
func (ex *exporter) segments(all []layers.Segment) string {
	var shown []layers.Segment
	for _, s := range all {
		if ex.shows(s.Layer) {
			shown = append(shown, s)
		}
	}
	return layers.Render(shown, layers.HER, "")
}

// talk is what a side had before it when it replied, the person's line included.
func (ex *exporter) talk(p *pair, side arena.Side) []message {
	out := ex.opening(p, side)
	seat := p.turn().Seats[side]
	for i := range p.index {
		t := &p.turns[i]
		out = p.line(out, t, i)
		switch r := p.history(t, seat); {
		case r == nil:
		case p.speaks(t.Speaker):
			out = append(out, message{"assistant", ex.text(r), tokens(r)})
		default:
			out = p.hear(out, t.Speaker, r.Segments)
		}
	}
	return p.line(out, p.turn(), p.index)
}

// speaks reports whether a reply is of the character whose replies the pair is
// of; the others' are what that one hears.
func (p *pair) speaks(name string) bool {
	return p.voice(name) == p.voice(p.turn().Speaker)
}

// voice is the name of who speaks, "" being the scene's Character.
func (p *pair) voice(speaker string) string {
	if speaker == "" {
		return p.scene.Character.Name
	}
	return speaker
}

// hear adds what another character says, without thoughts, to what was heard.
func (p *pair) hear(out []message, speaker string, segments []layers.Segment) []message {
	text := layers.Render(arena.Visible(segments, arena.ViewOther, arena.Sight{}), layers.HER, p.voice(speaker))
	return heard(out, text)
}

// heard adds to the last user message, or begins one.
func heard(out []message, text string) []message {
	if n := len(out) - 1; n >= 0 && out[n].Role == "user" && text != "" {
		out[n].Content += "\n\n" + text
		return out
	}
	if text == "" {
		return out
	}
	return append(out, message{Role: "user", Content: text})
}

// history is the reply of a turn that came to stand in a contestant's history.
func (p *pair) history(t *arena.Turn, seat int) *arena.Reply {
	switch {
	case p.d.Canon == arena.CanonParallel:
		return t.Last(seat)
	case t.Canon >= 0:
		return t.Last(t.Canon)
	}
	for _, side := range []arena.Side{arena.A, arena.B} {
		if r := t.Reply(side); r != nil && len(arena.Visible(r.Segments, arena.ViewOther, arena.Sight{})) > 0 {
			return r
		}
	}
	return nil
}

// opening is what stands before the first turn: the system message, and for a
// scene the opening line and the turns it goes on from, as its players had them.
func (ex *exporter) opening(p *pair, side arena.Side) []message {
	var out []message
	if p.origin != nil {
		if p.origin.System != nil {
			out = append(out, message{Role: "system", Content: *p.origin.System})
		}
	} else {
		dialect := p.d.Contestants[p.turn().Seats[side]].Dialect
		out = append(out, message{Role: "system", Content: characters.SystemPrompt(p.scene.Seen(p.turn().Speaker), characters.PromptOptions{Dialect: string(dialect)})})
		if o := strings.TrimSpace(p.scene.Opening); o != "" {
			out = append(out, message{Role: "user", Content: characters.ConversationStart})
			segments := layers.Parse(o, layers.Options{Name: p.scene.Character.Name}).Segments
			if p.speaks("") {
				out = append(out, message{Role: "assistant", Content: ex.segments(segments)})
			} else {
				out = p.hear(out, "", segments)
			}
		}
	}
	for _, t := range p.d.Past {
		out = p.line(out, &arena.Turn{Line: t.Line, Note: t.Note, Scenery: t.Scenery}, -1)
		switch text := ex.segments(t.Reply); {
		case text == "":
		case p.speaks(t.Speaker):
			out = append(out, message{Role: "assistant", Content: text})
		default:
			out = p.hear(out, t.Speaker, t.Reply)
		}
	}
	return out
}

// line adds a turn's note and line.
func (p *pair) line(out []message, t *arena.Turn, index int) []message {
	if p.origin != nil {
		if t.Note != "" {
			out = append(out, message{Role: "system", Content: t.Note})
		}
		if t.Line != "" {
			n := 0
			if index >= 0 && index < len(p.origin.UserTokens) {
				n = p.origin.UserTokens[index]
			}
			out = append(out, message{"user", t.Line, n})
		}
		return out
	}
	if t.Scenery != "" {
		out = heard(out, characters.EnvironmentName+": "+t.Scenery)
	}
	if t.Note != "" {
		out = append(out, message{Role: "system", Content: "Director's note: " + t.Note})
	}
	if t.Line != "" {
		line := t.Line
		if name := p.scene.User.Name; name != "" && !strings.HasPrefix(line, name+":") && !strings.HasPrefix(line, name+"：") {
			line = name + ": " + line
		}
		if p.scene.Ensemble() {
			return heard(out, line)
		}
		out = append(out, message{Role: "user", Content: line})
	}
	return out
}

// whole is the conversation of a side with its reply.
func (ex *exporter) whole(p *pair, side arena.Side) []message {
	r := p.replies[side]
	return append(ex.talk(p, side), message{"assistant", ex.text(r), tokens(r)})
}

func tokens(r *arena.Reply) int {
	if r.Usage == nil {
		return 0
	}
	return max(r.Usage.CompletionTokens, 0)
}

// spokenOnly leaves system messages out, which public logs of chats do not hold.
func spokenOnly(all []message) []message {
	return slices.DeleteFunc(all, func(m message) bool { return m.Role == "system" })
}

// criticCase is the pair as a critic is asked about it.
func (ex *exporter) criticCase(p *pair) (arena.Case, error) {
	r := arena.Rejudgement{
		Scene: p.scene, Past: slices.Clone(p.d.Past), Turn: *p.turn(), A: p.replies[0], B: p.replies[1],
		HideThoughts: ex.o.Layers == LayersVisible, Session: p.d.ID,
	}
	for i := range p.index {
		t := &p.turns[i]
		past := arena.PastTurn{Line: t.Line, Note: t.Note, Speaker: t.Speaker, Scenery: t.Scenery}
		if h := p.history(t, p.turn().Seats[arena.A]); h != nil {
			past.Reply = h.Segments
		}
		r.Past = append(r.Past, past)
	}
	c, err := r.Case()
	if err != nil || p.origin == nil || len(c.Context) == 0 {
		return c, err
	}
	if p.origin.System != nil {
		c.Context[0].Content = *p.origin.System
	} else {
		c.Context = c.Context[1:]
	}
	return c, nil
}
