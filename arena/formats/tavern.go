package formats

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
)

// tavernMessage is a message as SillyTavern keeps it.
type tavernMessage struct {
	Name     string       `json:"name"`
	IsUser   bool         `json:"is_user"`
	Hidden   bool         `json:"is_system"`
	Date     string       `json:"send_date"`
	Text     string       `json:"mes"`
	Extra    tavernExtra  `json:"extra"`
	Avatar   any          `json:"force_avatar,omitempty"`
	Original any          `json:"original_avatar,omitempty"`
	Group    any          `json:"is_group,omitempty"`
	Begun    string       `json:"gen_started,omitempty"`
	Ended    string       `json:"gen_finished,omitempty"`
	SwipeID  *int         `json:"swipe_id,omitempty"`
	Swipes   []string     `json:"swipes,omitempty"`
	Info     []tavernInfo `json:"swipe_info,omitempty"`
}

type tavernExtra struct {
	Type      string `json:"type,omitempty"`
	Model     string `json:"model,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Kind      string `json:"reasoning_type,omitempty"`
	Tokens    int    `json:"token_count,omitempty"`
	Ours      *aside `json:"herarena,omitempty"`
}

type tavernInfo struct {
	Date  string      `json:"send_date"`
	Begun string      `json:"gen_started,omitempty"`
	Ended string      `json:"gen_finished,omitempty"`
	Extra tavernExtra `json:"extra"`
}

// tavern writes one duel as a chat.
type tavern struct {
	ex         *exporter
	e          *export
	user, char string
	lines      []any
	faces      map[string]*card.Object // the latest kept message by name
}

func writeTavern(ex *exporter, e *export) ([]any, string) {
	if ex.report.Rows > 0 {
		return nil, "a second chat: one file holds one; name the duel with --duel"
	}
	w := &tavern{ex: ex, e: e, user: e.scene.User.Name, char: e.scene.Character.Name, faces: map[string]*card.Object{}}
	kept := keptOf(e.d.Past)
	w.header(kept)
	if o := strings.TrimSpace(e.scene.Opening); o != "" {
		w.reply(layers.Parse(o, layers.Options{Name: w.char}).Segments, "", "")
	}
	for i := range e.d.Past {
		w.past(&e.d.Past[i], kept[i])
	}
	for i := range e.turns {
		t := &e.turns[i]
		w.surround(t.Scenery, t.Started)
		w.direct(t.Note, t.Started)
		w.say(t.Line, t.Started)
		if m, ok := w.turn(t); ok {
			w.lines = append(w.lines, m)
		}
	}
	return w.lines, ""
}

// keptOf reads the kept messages of each turn.
func keptOf(past []arena.PastTurn) [][]*card.Object {
	out := make([][]*card.Object, len(past))
	for i := range past {
		for _, raw := range past[i].Kept {
			if o, err := card.ParseObject(raw); err == nil {
				out[i] = append(out[i], o)
			}
		}
	}
	return out
}

// header is the first line: the imported chat's own, or a new one. What the
// program adds stands in chat_metadata.
func (w *tavern) header(kept [][]*card.Object) {
	var head *card.Object
	for _, list := range kept {
		for _, o := range list {
			if head == nil && !o.Has("mes") {
				head = o.Clone()
			}
		}
	}
	if head == nil {
		head = card.NewObject("user_name", w.user, "character_name", w.char, "create_date", w.date(w.e.d.Started))
	}
	if len(w.e.turns) > 0 || !head.Has("chat_metadata") {
		meta, ok := head.Get("chat_metadata").(*card.Object)
		if !ok {
			meta = &card.Object{}
			head.Set("chat_metadata", meta)
		}
		meta.Set("herarena_duel", w.e.d.ID)
	}
	w.lines = append(w.lines, head)
}

func (w *tavern) date(t time.Time) string {
	if t.IsZero() {
		t = w.e.d.Started
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// say writes a line of the person, or of another character in the scene.
func (w *tavern) say(text string, at time.Time) {
	if text == "" {
		return
	}
	m := tavernMessage{Name: w.user, IsUser: true, Date: w.date(at), Text: text}
	for _, c := range w.e.scene.Others {
		if rest, ok := strings.CutPrefix(text, c.Name+": "); ok && c.Name != "" {
			m.Name, m.IsUser, m.Text = c.Name, false, rest
			if othersLine(c.Name, rest, readSegments(c.Name, rest, "")) != text {
				m.Extra.Ours = &aside{Segments: []layers.Segment{{Layer: layers.Speech, Text: rest}}, Of: ofText(rest, "")}
			}
			break
		}
	}
	w.face(&m)
	w.lines = append(w.lines, m)
}

// direct writes a director's note as a narrator's message.
func (w *tavern) direct(note string, at time.Time) {
	if note != "" {
		w.lines = append(w.lines, tavernMessage{Name: "Director", Date: w.date(at), Text: note, Extra: tavernExtra{Type: "narrator"}})
	}
}

// surround writes what the surroundings did.
func (w *tavern) surround(text string, at time.Time) {
	if text != "" {
		w.lines = append(w.lines, tavernMessage{Name: characters.EnvironmentName, Date: w.date(at), Text: text, Extra: tavernExtra{Type: "narrator"}})
	}
}

// speaker is the name of who speaks, "" being the scene's Character.
func (w *tavern) speaker(name string) string {
	if name == "" {
		return w.char
	}
	return name
}

// reply writes a reply that is kept as segments alone.
func (w *tavern) reply(segments []layers.Segment, by, speaker string) {
	speaker = w.speaker(speaker)
	text, extra := w.ex.tavernText(segments, "", "", speaker)
	if text == "" && extra.Reasoning == "" {
		return
	}
	extra.Model = by
	m := tavernMessage{Name: speaker, Date: w.date(time.Time{}), Text: text, Extra: extra}
	w.face(&m)
	w.lines = append(w.lines, m)
}

// face gives a message the pictures that the imported chat has for its name.
func (w *tavern) face(m *tavernMessage) {
	if o := w.faces[m.Name]; o != nil {
		m.Avatar, m.Original, m.Group = o.Get("force_avatar"), o.Get("original_avatar"), o.Get("is_group")
	}
}

// past writes a turn before the first: the messages it was made of, where they
// say what it says, else what it says.
func (w *tavern) past(p *arena.PastTurn, kept []*card.Object) {
	messages := slices.DeleteFunc(slices.Clone(kept), func(o *card.Object) bool { return !o.Has("mes") })
	answer, same := -1, false
	if len(messages) > 0 {
		answer, same = restates(p, messages)
	}
	if !same {
		w.surround(p.Scenery, time.Time{})
		w.direct(p.Note, time.Time{})
		w.say(p.Line, time.Time{})
		w.reply(p.Reply, p.By, p.Speaker)
		return
	}
	for i, o := range messages {
		o = o.Clone()
		if name, ok := o.Get("name").(string); ok {
			w.faces[card.CleanName(name)] = o
		}
		if i == answer {
			w.retell(o, p)
		}
		if w.ex.o.Layers != LayersAll {
			w.ex.bareMessage(o)
		}
		w.lines = append(w.lines, o)
	}
}

// restates reports whether kept messages still say what the turn says. Where
// only the reply has been changed since, answer is the message that held it,
// else it is -1.
func restates(p *arena.PastTurn, objects []*card.Object) (answer int, same bool) {
	messages := make([]card.Message, len(objects))
	speakers := []string{"\x00"} // nobody replies in this turn
	for i, o := range objects {
		m := card.ReadMessage(o)
		messages[i] = m
		if len(p.Reply) > 0 && !m.User && !m.Hidden && !m.Narrator && !slices.Contains(speakers, m.Name) {
			speakers = append(speakers, m.Name)
		}
	}
	changed := ""
	for _, main := range speakers {
		maker := pastMaker{main: main}
		for i := range messages {
			maker.add(&messages[i])
		}
		turns := maker.done()
		switch {
		case len(turns) != 1 || turns[0].Line != p.Line || turns[0].Note != p.Note:
		case slices.Equal(turns[0].Reply, p.Reply):
			return -1, true
		case len(turns[0].Reply) > 0:
			changed = main
		}
	}
	for i := range messages {
		m := &messages[i]
		if changed != "" && m.Name == changed && !m.User && !m.Hidden && !m.Narrator && strings.TrimSpace(m.Text+m.Reasoning) != "" {
			return i, true
		}
	}
	return -1, false
}

// retell puts a changed reply into the message that held the old one, which
// stays as a swipe.
func (w *tavern) retell(o *card.Object, p *arena.PastTurn) {
	text, extra := w.ex.tavernText(p.Reply, "", "", w.char)
	old := o.Get("mes")
	swipes, _ := o.Get("swipes").([]any)
	if len(swipes) == 0 {
		swipes = []any{old}
	}
	swipes = append(slices.Clone(swipes), text)
	o.Set("mes", text)
	o.Set("swipes", swipes)
	o.Set("swipe_id", json.Number(itoa(len(swipes)-1)))
	at, ok := o.Get("extra").(*card.Object)
	if !ok {
		at = &card.Object{}
		o.Set("extra", at)
	}
	at.Delete("reasoning", "herarena")
	if extra.Reasoning != "" {
		at.Set("reasoning", extra.Reasoning)
	}
	if extra.Ours != nil {
		if raw, err := json.Marshal(extra.Ours); err == nil {
			if ours, err := card.ParseObject(raw); err == nil {
				at.Set("herarena", ours)
			}
		}
	}
}

// turn writes the replies of a turn as swipes of one message: all of them, with
// the canon shown, or those of one branch, with the latest.
func (w *tavern) turn(t *arena.Turn) (tavernMessage, bool) {
	m := tavernMessage{Name: w.speaker(t.Speaker)}
	w.face(&m)
	side, alone := w.ex.o.Branch.side()
	p := pair{export: w.e}
	shown := p.history(t, t.Seats[arena.A])
	if alone {
		// Whoever is cast on the side; turned seats of a blind duel are seats again
		// once it is veiled.
		shown = t.Last(int(side))
	}
	at := 0
	for seat, swipes := range t.Swipes {
		if alone && seat != int(side) {
			continue
		}
		for _, r := range swipes {
			text, extra := w.ex.tavernText(r.Segments, r.Dialect, w.asSent(r), m.Name)
			if text == "" {
				continue
			}
			if r == shown {
				at = len(m.Swipes)
			}
			extra.Model, extra.Tokens = w.e.d.Contestants[seat].Name, tokens(r)
			if extra.Ours == nil {
				extra.Ours = &aside{}
			}
			extra.Ours.Side = sideOf(t, seat)
			info := tavernInfo{Date: w.date(r.Started), Extra: extra}
			if !r.Started.IsZero() && r.Total > 0 {
				info.Begun, info.Ended = w.date(r.Started), w.date(r.Started.Add(r.Total))
			}
			m.Swipes, m.Info = append(m.Swipes, text), append(m.Info, info)
		}
	}
	if len(m.Swipes) == 0 {
		return m, false
	}
	i := m.Info[at]
	m.SwipeID, m.Text, m.Extra, m.Date, m.Begun, m.Ended = &at, m.Swipes[at], i.Extra, i.Date, i.Begun, i.Ended
	return m, true
}

func sideOf(t *arena.Turn, seat int) string {
	if t.Seats[arena.A] == seat {
		return arena.A.String()
	}
	return arena.B.String()
}

// asSent is a reply's text as it came, "" where something in it is not text.
func (w *tavern) asSent(r *arena.Reply) string {
	if r.Prefill != "" && !strings.HasPrefix(r.Raw, r.Prefill) {
		return ""
	}
	for _, s := range r.Segments {
		if !w.ex.shows(s.Layer) || s.Layer == layers.System || s.Layer == layers.Native {
			return ""
		}
	}
	if w.ex.o.Layers == LayersVisible && r.Dialect == layers.HER {
		return ""
	}
	return r.Raw
}

// tavernText writes segments as a message: what is said, done and thought as its
// text, plans and reasoning, where they are asked for, as its reasoning. raw is
// the text as it was sent, "" where it has to be written anew.
func (ex *exporter) tavernText(all []layers.Segment, d layers.Dialect, raw, name string) (string, tavernExtra) {
	var said, kept, hidden []layers.Segment
	for _, s := range all {
		if !ex.shows(s.Layer) {
			continue
		}
		kept = append(kept, s)
		if s.Layer == layers.System || s.Layer == layers.Native {
			hidden = append(hidden, s)
		} else {
			said = append(said, s)
		}
	}
	text := raw
	if text == "" {
		unknown := d == "" || d == layers.Auto
		if d = written(d, said); d == layers.HER && (ex.o.Layers == LayersVisible || unknown && !holds(said, layers.Think)) {
			d = layers.Asterisk // no tag that a reader would see
		}
		text = layers.Render(said, d, "")
	}
	extra := tavernExtra{Reasoning: reasoningText(hidden)}
	if extra.Reasoning != "" {
		extra.Kind = "model"
	}
	if !slices.Equal(readSegments(name, text, extra.Reasoning), kept) && len(kept) > 0 {
		extra.Ours = &aside{Segments: kept, Of: ofText(text, extra.Reasoning)}
	}
	return text, extra
}

func holds(segments []layers.Segment, l layers.Layer) bool {
	return slices.ContainsFunc(segments, func(s layers.Segment) bool { return s.Layer == l })
}

// reasoningText writes hidden layers; plans are marked where there are any.
func reasoningText(hidden []layers.Segment) string {
	plans := false
	for _, s := range hidden {
		plans = plans || s.Layer == layers.System
	}
	if plans {
		return layers.Render(hidden, layers.HER, "")
	}
	texts := make([]string, len(hidden))
	for i, s := range hidden {
		texts[i] = s.Text
	}
	return strings.Join(texts, "\n\n")
}
