package formats

import (
	"errors"
	"io"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

func sillyTavern() Format {
	return Format{
		Name: "sillytavern", Title: "SillyTavern's chats", Holds: "one chat: a header, then a message a line; both replies of a turn are swipes",
		LostOut:    "votes and verdicts but for the swipe that is shown; settings, faults; one file holds one duel",
		LostIn:     "swipes that are not shown, hidden messages, extras; the chat becomes the past of a duel that can be gone on from",
		Extensions: []string{".jsonl"},
		codec: codec{
			layout: asDuels, marks: []string{"user_name", "character_name"}, open: readTavern, duel: writeTavern,
		},
	}
}

type tavernHeader struct {
	User      string         `json:"user_name"`
	Character string         `json:"character_name"`
	Created   string         `json:"create_date"`
	Metadata  map[string]any `json:"chat_metadata"`
}

type tavernMessage struct {
	Name    string         `json:"name"`
	IsUser  bool           `json:"is_user"`
	Hidden  bool           `json:"is_system"`
	Date    string         `json:"send_date"`
	Text    string         `json:"mes"`
	Extra   map[string]any `json:"extra"`
	SwipeID *int           `json:"swipe_id,omitempty"`
	Swipes  []string       `json:"swipes,omitempty"`
	Info    []tavernInfo   `json:"swipe_info,omitempty"`
}

type tavernInfo struct {
	Date  string         `json:"send_date"`
	Extra map[string]any `json:"extra"`
}

// maxChat is how many messages of a chat are read.
const maxChat = 20_000

func readTavern(im *importer, s *source) error {
	var past []arena.PastTurn
	var user, character, model string
	var all strings.Builder
	for n := 0; ; n++ {
		r, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		im.row = r
		if n > maxChat {
			return r.fault("", "the chat has more than %d messages", maxChat)
		}
		var m struct {
			User      *string        `json:"user_name"`
			Character string         `json:"character_name"`
			Name      string         `json:"name"`
			IsUser    bool           `json:"is_user"`
			Hidden    bool           `json:"is_system"`
			Text      *content       `json:"mes"`
			Extra     map[string]any `json:"extra"`
		}
		if err := r.into(&m); err != nil {
			// A chat is worth more than its broken line, and says what it lost.
			im.report.skip("a line that cannot be read")
			continue
		}
		if m.Text == nil {
			if m.User != nil {
				user, character = *m.User, m.Character
			}
			continue
		}
		im.report.Rows++
		all.WriteString(string(*m.Text))
		if m.Hidden {
			im.report.skip("a hidden message")
			continue
		}
		if name, ok := m.Extra["model"].(string); ok && !m.IsUser {
			model = name
		}
		past = tavernTurn(past, m.IsUser, m.Name, string(*m.Text), &user, &character)
	}
	if len(past) == 0 {
		return errors.New("the chat has no message")
	}
	return im.tavern(past, user, character, model, all.String())
}

func tavernTurn(past []arena.PastTurn, isUser bool, name, text string, user, character *string) []arena.PastTurn {
	if isUser {
		if *user == "" || *user == "unused" {
			*user = name
		}
		return append(past, arena.PastTurn{Line: text})
	}
	if *character == "" || *character == "unused" {
		*character = name
	}
	segments := layers.Parse(text, layers.Options{Name: *character}).Segments
	if n := len(past); n > 0 && past[n-1].Reply == nil {
		past[n-1].Reply = segments
		return past
	}
	if len(segments) == 0 {
		return past
	}
	return append(past, arena.PastTurn{Reply: segments})
}

func (im *importer) tavern(past []arena.PastTurn, user, character, model, all string) error {
	if model == "" {
		model = "unknown model"
	}
	d := im.newDraft(id(im.f.Name, user, character, all), [2]string{model, model}, im.o.Now)
	for i := range past {
		if len(past[i].Reply) > 0 {
			past[i].By = model
		}
		if strings.TrimSpace(past[i].Line) == "" && len(past[i].Reply) == 0 {
			past[i].Line = "…" // an empty line of the person, which no duel has
		}
	}
	if character != "" && character != "unused" {
		d.scene.Character.Name = clip(strings.TrimSpace(character))
	}
	if user != "" && user != "unused" {
		d.scene.User.Name = clip(strings.TrimSpace(user))
	}
	d.scene.Title = "A chat with " + d.scene.Character.Name
	d.full.Past, d.mark.Row = past, 0
	return im.add(d)
}

func writeTavern(ex *exporter, e *export) ([]any, string) {
	if ex.report.Rows > 0 {
		return nil, "a second chat: one file holds one; name the duel with --duel"
	}
	user, char := e.scene.User.Name, e.scene.Character.Name
	date := func(t time.Time) string {
		if t.IsZero() {
			t = e.d.Started
		}
		return t.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	out := []any{tavernHeader{user, char, date(e.d.Started), map[string]any{"herarena_duel": e.d.ID}}}
	say := func(isUser bool, name, text string, at time.Time) {
		if text != "" {
			out = append(out, tavernMessage{Name: name, IsUser: isUser, Date: date(at), Text: text, Extra: map[string]any{}})
		}
	}
	if o := strings.TrimSpace(e.scene.Opening); o != "" {
		say(false, char, ex.segments(layers.Parse(o, layers.Options{Name: char}).Segments), time.Time{})
	}
	for _, p := range e.d.Past {
		say(true, user, p.Line, time.Time{})
		say(false, char, ex.segments(p.Reply), time.Time{})
	}
	for i := range e.turns {
		t := &e.turns[i]
		say(true, user, t.Line, t.Started)
		if m, ok := ex.tavernReply(e, t, char, date); ok {
			out = append(out, m)
		}
	}
	return out, ""
}

// tavernReply writes the replies of a turn as swipes of one message, of which
// the canon is shown.
func (ex *exporter) tavernReply(e *export, t *arena.Turn, char string, date func(time.Time) string) (tavernMessage, bool) {
	m := tavernMessage{Name: char, Extra: map[string]any{}}
	p := pair{export: e}
	canon := p.history(t, t.Seats[arena.A])
	at := 0
	for seat, swipes := range t.Swipes {
		for _, r := range swipes {
			text := ex.text(r)
			if text == "" {
				continue
			}
			if r == canon {
				at = len(m.Swipes)
			}
			extra := map[string]any{"model": e.d.Contestants[seat].Name}
			m.Swipes = append(m.Swipes, text)
			m.Info = append(m.Info, tavernInfo{date(r.Started), extra})
		}
	}
	if len(m.Swipes) == 0 {
		return m, false
	}
	m.SwipeID, m.Text, m.Extra, m.Date = &at, m.Swipes[at], m.Info[at].Extra, m.Info[at].Date
	return m, true
}
