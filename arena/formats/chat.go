package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/macro"
)

// maxChat is how many messages of a chat are read.
const maxChat = 20_000

// Chat is a conversation of another program as what lies before a duel's first
// turn.
type Chat struct {
	Past []arena.PastTurn
	// Character is the one whose replies the past holds, User whom the person
	// plays; the lines of Others are lines of the past that begin with their name.
	Character, User string
	Others          []string
	// Note is the author's note, Scenario what stands in the place of a card's.
	Note, Scenario string
	// Model wrote the latest reply that says who did, "" where none does.
	Model string
	// Lost says what of the chat a duel does not hold, by the reason.
	Lost map[string]int
}

// ReadChat makes the past of a duel of a chat. Of several characters the named
// one is who replies; where character is empty, or speaks no line, it is the
// chat's own, else the one with the most lines. What the others said is theirs
// alone: of their messages only what can be seen and heard comes into the past.
// The error of a chat in which nobody says anything, or which is too long, is a
// sentence.
func ReadChat(c *card.Chat, character string) (*Chat, error) {
	if len(c.Messages) > maxChat {
		return nil, fmt.Errorf("the chat has more than %d messages", maxChat)
	}
	out := &Chat{Note: strings.TrimSpace(c.Note), Scenario: strings.TrimSpace(c.Scenario), Lost: map[string]int{}}
	out.cast(c, character)
	p := pastMaker{main: out.Character, user: out.User, lost: out.Lost}
	if c.Header != nil {
		p.keep(c.Header)
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Model != "" && m.Name == out.Character {
			out.Model = m.Model
		}
		p.add(m)
	}
	out.Past = p.done()
	if len(out.Past) == 0 {
		return nil, fmt.Errorf("the chat has no message")
	}
	return out, nil
}

// cast finds out who is who.
func (c *Chat) cast(chat *card.Chat, character string) {
	lines := map[string]int{}
	var order []string
	for i := range chat.Messages {
		m := &chat.Messages[i]
		if m.Hidden || m.Narrator || m.Name == "" {
			continue
		}
		if m.User {
			if c.User == "" {
				c.User = m.Name
			}
			continue
		}
		if lines[m.Name]++; lines[m.Name] == 1 {
			order = append(order, m.Name)
		}
	}
	if chat.UserName != "" {
		c.User = chat.UserName
	}
	for _, name := range []string{character, chat.CharName} {
		for _, spoke := range order {
			if c.Character == "" && name != "" && strings.EqualFold(spoke, name) {
				c.Character = spoke
			}
		}
	}
	if c.Character == "" {
		for _, name := range order {
			if lines[name] > lines[c.Character] {
				c.Character = name
			}
		}
	}
	if c.Character == "" {
		c.Character = chat.CharName
	}
	for _, name := range order {
		if name != c.Character && name != c.User {
			c.Others = append(c.Others, name)
		}
	}
}

// pastMaker makes turns of messages, one after the other.
type pastMaker struct {
	main, user string
	turns      []arena.PastTurn
	note       string
	wait       []json.RawMessage // kept for the turn to come
	lost       map[string]int
}

func (p *pastMaker) lose(why string) {
	if p.lost != nil {
		p.lost[why]++
	}
}

// maxKeptDepth bounds the nesting of a message that is kept, so that the lines
// of the ledger that hold it can be read again.
const maxKeptDepth = 48

func (p *pastMaker) keep(o *card.Object) {
	raw, err := o.MarshalJSON()
	if err == nil {
		err = checkDepthOf(raw, maxKeptDepth)
	}
	if err != nil {
		p.lose("fields of a message that cannot be kept")
		return
	}
	p.wait = append(p.wait, raw)
}

// settle gives what waits to the last turn.
func (p *pastMaker) settle() {
	if n := len(p.turns); n > 0 {
		p.turns[n-1].Kept = append(p.turns[n-1].Kept, p.wait...)
		p.wait = nil
	}
}

func (p *pastMaker) add(m *card.Message) {
	p.keep(messageObject(m))
	text := strings.TrimSpace(card.CleanText(m.Text))
	switch {
	case m.Hidden:
		// No model saw it, and none does here.
	case m.Narrator:
		if text != "" && p.note != "" {
			text = p.note + "\n\n" + text
		}
		if text != "" {
			p.note = text
		}
		return // it waits for the turn that it directs
	case m.User:
		p.line(text)
	case m.Name != "" && m.Name != p.main:
		p.line(othersLine(m.Name, text, messageSegments(m, text)))
	default:
		p.reply(messageSegments(m, text), m.Model)
	}
	if p.note == "" {
		p.settle() // a direction and what follows it belong to the turn to come
	}
}

// othersLine is what is seen and heard of another character's message.
func othersLine(name, text string, segments []layers.Segment) string {
	segments = slices.DeleteFunc(slices.Clone(segments), func(s layers.Segment) bool { return s.Text == "" })
	if seen := arena.Visible(segments, arena.ViewOther, arena.Sight{}); len(seen) != len(segments) {
		text = layers.Render(seen, layers.Asterisk, "")
	}
	name = sceneName(name, "Someone")
	if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, name+": ") {
		return text
	}
	return name + ": " + text
}

// line begins a turn with a line of the person or of another character.
func (p *pastMaker) line(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	p.turns = append(p.turns, arena.PastTurn{Line: text, Note: p.note})
	p.note = ""
}

// reply answers the last line, or stands for itself.
func (p *pastMaker) reply(segments []layers.Segment, by string) {
	if len(segments) == 0 {
		return
	}
	n := len(p.turns)
	if n == 0 || p.turns[n-1].Reply != nil || p.note != "" {
		p.turns = append(p.turns, arena.PastTurn{Note: p.note})
		p.note, n = "", n+1
	}
	p.turns[n-1].Reply, p.turns[n-1].By = segments, by
}

// done returns the turns.
func (p *pastMaker) done() []arena.PastTurn {
	if p.note != "" {
		p.lose("a direction at the end, with no message after it")
	}
	p.settle()
	return p.turns
}

// messageObject is a message in SillyTavern's form.
func messageObject(m *card.Message) *card.Object {
	if m.Raw != nil {
		return m.Raw
	}
	o := card.NewObject("name", m.Name, "is_user", m.User, "is_system", m.Hidden, "mes", m.Text, "extra", &card.Object{})
	if m.Date != "" {
		o.Set("send_date", m.Date)
	}
	if len(m.Swipes) > 0 {
		swipes := make([]any, len(m.Swipes))
		for i, s := range m.Swipes {
			swipes[i] = s
		}
		o.Set("swipes", swipes)
		o.Set("swipe_id", json.Number(fmt.Sprint(m.Swipe)))
	}
	return o
}

// aside is what an export of this program adds to a message: its segments,
// where text and reasoning alone would not give them again.
type aside struct {
	Side     string           `json:"side,omitempty"`
	Segments []layers.Segment `json:"segments,omitempty"`
	// Of tells which text the segments are of: one that has been changed since
	// is what counts.
	Of string `json:"of,omitempty"`
}

// ofText is the mark of a text and the reasoning before it.
func ofText(text, reasoning string) string {
	sum := sha256.Sum256([]byte(text + "\x00" + reasoning))
	return hex.EncodeToString(sum[:8])
}

// messageSegments are those of a character's message.
func messageSegments(m *card.Message, text string) []layers.Segment {
	if m.Raw != nil {
		if extra, ok := m.Raw.Get("extra").(*card.Object); ok {
			if o, ok := extra.Get("herarena").(*card.Object); ok {
				if segments := asideSegments(o, m); segments != nil {
					return segments
				}
			}
		}
	}
	return readSegments(m.Name, text, m.Reasoning)
}

// readSegments cuts a text and the reasoning that came before it.
func readSegments(name, text, reasoning string) []layers.Segment {
	return append(reasoningSegments(reasoning), layers.Parse(text, layers.Options{Name: name}).Segments...)
}

func asideSegments(o *card.Object, m *card.Message) []layers.Segment {
	raw, err := o.MarshalJSON()
	if err != nil {
		return nil
	}
	var a aside
	if json.Unmarshal(raw, &a) != nil || a.Of != ofText(m.Text, m.Reasoning) {
		return nil
	}
	for i := range a.Segments {
		a.Segments[i].Text = card.CleanText(a.Segments[i].Text)
	}
	return a.Segments
}

// reasoningSegments puts what a model thought into its layer: a plan where it is
// marked as one, else native reasoning, which nobody in the scene is shown.
func reasoningSegments(text string) []layers.Segment {
	text = strings.TrimSpace(card.CleanText(text))
	if text == "" {
		return nil
	}
	if !strings.Contains(text, "<system_thinking>") {
		return []layers.Segment{{Layer: layers.Native, Text: text}}
	}
	segments := layers.Parse(text, layers.Options{Dialect: layers.HER}).Segments
	for i := range segments {
		if segments[i].Layer != layers.System {
			segments[i].Layer = layers.Native
		}
	}
	return segments
}

// noProfile is what is known of a character of whom a chat is all there is.
const noProfile = "Known by this conversation alone: what has been said and done so far is who the character is."

// Scene makes a scene of the names in the chat, for one whose character has no
// card at hand. It is valid; title is a word for where the chat is from.
func (c *Chat) Scene(title string) (characters.Scene, error) {
	name := sceneName(c.Character, "Character")
	s := characters.Scene{Title: "A chat with " + name, Blurb: card.CleanName(title), Scenario: "The conversation goes on from where it stands."}
	s.Character = characters.Character{Name: name, Profile: noProfile}
	for _, user := range []string{"You", "User", sceneName(c.User, "User")} {
		if !strings.EqualFold(user, name) {
			s.User.Name = user
		}
	}
	s.ID = "chat-" + characters.DeriveID(name)
	if !characters.ValidID(s.ID) {
		s.ID = "chat-" + ofText(name, "")
	}
	c.Dress(&s)
	if err := s.Validate(); err != nil {
		return s, fmt.Errorf("no scene can be made of the chat's names: %w", err)
	}
	return s, nil
}

// Dress puts what the chat says of its scene into one: who the person plays, who
// else speaks, the scenario, the author's note. The opening goes, since the past
// begins with the chat's own.
func (c *Chat) Dress(s *characters.Scene) {
	s.Opening = ""
	if name := sceneName(c.User, ""); name != "" && !strings.EqualFold(name, s.Character.Name) {
		s.User.Name = name
	}
	// Both are written for the scene and not said in it, so that their marks count.
	marks := s.Marks()
	if marks == nil {
		marks = &macro.Env{Char: s.Character.Name, User: s.User.Name}
	}
	if text := strings.TrimSpace(clipBytes(marks.Expand(card.CleanText(c.Scenario)), maxSceneText)); text != "" {
		s.Scenario = text
	}
	if text := strings.TrimSpace(marks.Expand(card.CleanText(c.Note))); text != "" && len(s.Requirements)+len(text) < maxSceneText {
		s.Requirements = strings.TrimSpace(s.Requirements + "\n" + text)
	}
	taken := map[string]bool{strings.ToLower(s.Character.Name): true, strings.ToLower(s.User.Name): true}
	for _, o := range s.Others {
		taken[strings.ToLower(o.Name)] = true
	}
	for _, name := range c.Others {
		name = sceneName(name, "")
		if key := strings.ToLower(name); name != "" && !taken[key] && len(s.Others) < maxSceneOthers {
			taken[key] = true
			s.Others = append(s.Others, characters.Character{Name: name})
		}
	}
}

// What a scene may hold, as characters.Scene.Validate has it.
const (
	maxSceneText   = 60 << 10
	maxSceneName   = 100
	maxSceneOthers = 32
)

// sceneName makes a name of one that can stand before a colon.
func sceneName(name, otherwise string) string {
	name = strings.Map(func(r rune) rune {
		if r == ':' || r == '：' {
			return -1
		}
		return r
	}, card.CleanName(name))
	if name = strings.TrimSpace(clipBytes(name, maxSceneName)); name == "" {
		return otherwise
	}
	return name
}

// clipBytes cuts a text to at most n bytes between characters.
func clipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
