package card

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// maxMessages is the most messages that are read out of one file.
const maxMessages = 200_000

// Message is one message of a chat.
type Message struct {
	Name   string   `json:"name"`
	User   bool     `json:"user"`             // the person wrote it
	Hidden bool     `json:"hidden,omitempty"` // a note that no model saw
	Text   string   `json:"text"`             // what was shown
	Swipes []string `json:"swipes,omitempty"`
	Swipe  int      `json:"swipe,omitempty"` // which of the swipes was shown
	// Reasoning is what the model thought before, where the file has it.
	Reasoning string `json:"reasoning,omitempty"`
	Date      string `json:"date,omitempty"` // as written
	// Model wrote the message, "" where the file does not say.
	Model string `json:"model,omitempty"`
	// Narrator marks a direction that stands between what the characters say.
	Narrator bool `json:"narrator,omitempty"`
	// Raw is the message as it stood, with all that is not named above; nil
	// where the file does not hold one object for it.
	Raw *Object `json:"-"`
}

// Chat is a conversation that was had elsewhere.
type Chat struct {
	Format   string    `json:"format"`
	Title    string    `json:"title,omitempty"`
	UserName string    `json:"user_name"`
	CharName string    `json:"character_name"`
	Group    bool      `json:"group,omitempty"`    // more than one character speaks
	Note     string    `json:"note,omitempty"`     // the author's note
	Scenario string    `json:"scenario,omitempty"` // in the place of the card's
	Messages []Message `json:"messages"`
	// Header is the first line of a SillyTavern chat as it stood, nil without one.
	Header *Object `json:"-"`
}

// isJSONLines reports a text of several lines of which the first is an object
// that belongs to a chat.
func isJSONLines(text []byte) bool {
	line, rest, ok := bytes.Cut(text, []byte("\n"))
	if line = bytes.TrimSpace(line); !ok || len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' || len(bytes.TrimSpace(rest)) == 0 {
		return false
	}
	v, fault := parseJSON(line, nil)
	o, ok := v.(*Object)
	return fault == nil && ok && (isHeader(o) || o.Has("mes"))
}

func isHeader(o *Object) bool {
	return !o.Has("mes") && (o.Has("user_name") || o.Has("character_name") || o.Has("character_names") || o.Has("chat_metadata"))
}

// jsonLines reads a SillyTavern, TavernAI or Chub chat. A line that cannot be
// read is left out and named.
func (r *reader) jsonLines(data []byte) (*File, *Error) {
	c := Chat{Format: "st-jsonl"}
	header := false
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		v, fault := parseJSON(line, nil)
		o, ok := v.(*Object)
		switch {
		case fault != nil || !ok:
			r.lineOut(fmt.Sprintf("line %d cannot be read and was left out", n))
		case !header && len(c.Messages) == 0 && isHeader(o):
			header = true
			c.header(o)
		case !o.Has("mes"):
			r.lineOut(fmt.Sprintf("line %d is no message and was left out", n))
		case len(c.Messages) >= maxMessages:
			return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("has more than %d messages", maxMessages)}
		default:
			r.message(&c, o, fmt.Sprintf("line %d", n))
		}
	}
	if len(c.Messages) == 0 && !header {
		return nil, &Error{Code: NotACard, Message: "holds no message of a chat"}
	}
	if !header {
		r.warn("header_missing", "", "the chat has no first line that says who speaks; the names were taken from the messages")
	}
	return r.chatFile(c)
}

// lineOut notes a line that was left out. A file of nothing else must not make a
// list of as many warnings.
func (r *reader) lineOut(message string) {
	r.warnOnce("line_unreadable", "line_unreadable", "", message)
}

func (c *Chat) header(o *Object) {
	c.Header = o
	c.UserName, c.CharName = CleanName(o.text("user_name")), CleanName(o.text("character_name"))
	meta := o.object("chat_metadata")
	c.Note, c.Scenario = meta.text("note_prompt"), meta.text("scenario")
	if names := textList(o.list("character_names")); len(names) > 0 {
		c.Format, c.CharName, c.Group = "tavernai-room", CleanName(names[0]), len(names) > 1
	}
	// SillyTavern's groups say "unused" for both.
	if c.UserName == "unused" && c.CharName == "unused" {
		c.UserName, c.CharName, c.Group = "", "", true
	}
}

// message adds a message in SillyTavern's form.
func (r *reader) message(c *Chat, o *Object, where string) {
	m := Message{
		Name: CleanName(o.text("name")), User: o.Get("is_user") == true, Hidden: o.Get("is_system") == true,
		Text: r.asText(o.Get("mes"), where), Raw: o,
	}
	extra := o.object("extra")
	m.Reasoning, m.Narrator = extra.text("reasoning"), !m.User && extra.text("type") == "narrator"
	if !m.User {
		m.Model = CleanName(extra.text("model"))
	}
	if date := o.Get("send_date"); date != nil {
		m.Date = fmt.Sprint(date)
	}
	if _, chub := o.Get("mes").(*Object); chub {
		c.Format = "chub-jsonl"
	}
	for _, v := range o.list("swipes") {
		m.Swipes = append(m.Swipes, r.asText(v, where))
	}
	m.choose(r, o.Get("swipe_id"), where)
	c.Messages = append(c.Messages, m)
}

// ReadMessage reads one message in SillyTavern's form, as it stands in a chat.
func ReadMessage(o *Object) Message {
	r, c := &reader{}, Chat{}
	r.message(&c, o, "the message")
	return c.Messages[0]
}

// choose sets which swipe was shown. What was shown is the text itself: an
// edited text takes the place of its swipe.
func (m *Message) choose(r *reader, id any, where string) {
	if len(m.Swipes) == 0 {
		return
	}
	n, ok := wholeNumber(id)
	if ok && n >= 0 && n < len(m.Swipes) {
		m.Swipe = n
		m.Swipes[n] = m.Text
		return
	}
	if ok {
		r.warnOnce("swipe_id_range", "swipe_id_range", "", fmt.Sprintf("%s: swipe %d is chosen of %d; the text that was shown counts", where, n, len(m.Swipes)))
	}
	for i, text := range m.Swipes {
		if text == m.Text {
			m.Swipe = i
			return
		}
	}
	m.Swipe = len(m.Swipes)
	m.Swipes = append(m.Swipes, m.Text)
}

// chatFile makes a file of chats.
func (r *reader) chatFile(chats ...Chat) (*File, *Error) {
	f := &File{Kind: KindChat, Chats: chats}
	for i := range chats {
		c := &chats[i]
		for j, m := range c.Messages {
			switch {
			case m.User && c.UserName == "":
				c.UserName = m.Name
			case !m.User && !m.Hidden && c.CharName == "":
				c.CharName = m.Name
			case !m.User && !m.Hidden && m.Name != "" && m.Name != c.CharName:
				c.Group = true
			}
			if strings.ContainsFunc(m.Text, controlRune) {
				r.warnOnce("control_chars", "control_chars", fmt.Sprintf("message %d", j+1), "has control characters in it; they are not shown")
			}
		}
	}
	c := chats[0]
	f.Spec, f.Format, f.UserName = c.Format, c.Format, c.UserName
	list := []any{}
	for _, c := range chats {
		list = append(list, chatObject(c))
	}
	f.Data = NewObject("name", c.CharName, "extensions", NewObject("herarena", NewObject("user_name", c.UserName, "chats", list)))
	return f, nil
}

func chatObject(c Chat) *Object {
	messages := []any{}
	for _, m := range c.Messages {
		o := NewObject("name", m.Name, "user", m.User, "text", m.Text)
		if m.Hidden {
			o.Set("hidden", true)
		}
		if len(m.Swipes) > 0 {
			swipes := []any{}
			for _, s := range m.Swipes {
				swipes = append(swipes, s)
			}
			o.Set("swipes", swipes)
			o.Set("swipe", count(m.Swipe))
		}
		messages = append(messages, o)
	}
	return NewObject("title", c.Title, "user_name", c.UserName, "character_name", c.CharName, "group", c.Group, "messages", messages)
}

// chatObject reads a chat that is one JSON object.
func (r *reader) chatObject(o *Object) (*File, *Error) {
	switch {
	case o.text("type") == "risuChat":
		return r.chatFile(risuChat(o.object("data")))
	case o.text("type") == "risuAllChats":
		var chats []Chat
		for _, v := range o.list("data") {
			if c, ok := v.(*Object); ok {
				chats = append(chats, risuChat(c))
			}
		}
		if len(chats) > 0 {
			return r.chatFile(chats...)
		}
	case o.Has("histories"):
		return r.caiChats(o)
	case o.list("messages") != nil:
		return r.chatFile(agnaiChat(o))
	case o.list("internal") != nil || o.list("data") != nil:
		return r.chatFile(textgenChat(o))
	case o.Has("mes"):
		c := Chat{Format: "st-jsonl"}
		r.warn("header_missing", "", "the chat has no first line that says who speaks; the names were taken from the messages")
		r.message(&c, o, "line 1")
		return r.chatFile(c)
	case isHeader(o):
		c := Chat{Format: "st-jsonl"}
		c.header(o)
		return r.chatFile(c)
	}
	return nil, &Error{Code: NotACard, Message: "looks like a chat but holds no messages"}
}

func risuChat(o *Object) Chat {
	c := Chat{Format: "risuChat", Title: CleanName(o.text("name")), Note: o.text("note")}
	for _, v := range o.list("message") {
		if m, ok := v.(*Object); ok {
			c.Messages = append(c.Messages, Message{User: m.text("role") == "user", Text: m.text("data")})
		}
	}
	return c
}

func agnaiChat(o *Object) Chat {
	c := Chat{Format: "agnai", Title: CleanName(o.text("name"))}
	for _, v := range o.list("messages") {
		if m, ok := v.(*Object); ok {
			c.Messages = append(c.Messages, Message{Name: CleanName(m.text("handle")), User: m.text("userId") != "" && m.text("characterId") == "", Text: m.text("msg")})
		}
	}
	return c
}

// textgenChat reads text-generation-webui's pairs. The visible texts are
// escaped for HTML, the internal ones are what the model saw.
func textgenChat(o *Object) Chat {
	c := Chat{Format: "textgen-history"}
	pairs := o.list("internal")
	if pairs == nil {
		pairs = o.list("data")
	}
	for i, v := range pairs {
		pair, _ := v.([]any)
		texts := textList(pair)
		if len(texts) != 2 || len(pair) != 2 {
			continue
		}
		if texts[0] != "<|BEGIN-VISIBLE-CHAT|>" && texts[0] != "" {
			c.Messages = append(c.Messages, Message{User: true, Text: html.UnescapeString(texts[0])})
		}
		if texts[1] == "" {
			continue
		}
		m := Message{Text: html.UnescapeString(texts[1])}
		meta := o.object("metadata").object(fmt.Sprintf("assistant_%d", i))
		for _, v := range meta.list("versions") {
			version, _ := v.(*Object)
			m.Swipes = append(m.Swipes, html.UnescapeString(version.text("content")))
		}
		if len(m.Swipes) == 0 && o.Has("metadata") {
			m.Swipes = []string{m.Text}
		}
		if n, ok := wholeNumber(meta.Get("current_version_index")); ok && n >= 0 && n < len(m.Swipes) {
			m.Swipe = n
			m.Swipes[n] = m.Text
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

// caiChats reads what CAI Tools saves of Character.AI.
func (r *reader) caiChats(o *Object) (*File, *Error) {
	list := o.object("histories").list("histories")
	if list == nil {
		list = o.list("histories")
	}
	var chats []Chat
	for _, v := range list {
		h, _ := v.(*Object)
		c := Chat{Format: "cai"}
		for _, v := range h.list("msgs") {
			m, _ := v.(*Object)
			src := m.object("src")
			c.Messages = append(c.Messages, Message{Name: CleanName(src.text("name")), User: src.Get("is_human") == true, Text: m.text("text")})
		}
		chats = append(chats, c)
	}
	if len(chats) == 0 {
		return nil, &Error{Code: NotACard, Message: "looks like a chat but holds no messages"}
	}
	return r.chatFile(chats...)
}

// oldTavern reads TavernAI's chats of 2022: a list of "Name: text".
func (r *reader) oldTavern(list []any) (*File, *Error) {
	c := Chat{Format: "tavernai-2022"}
	for _, text := range textList(list) {
		name, rest, ok := strings.Cut(text, ":")
		if !ok {
			name, rest = "", text
		}
		c.Messages = append(c.Messages, Message{Name: CleanName(name), User: name == "You", Text: strings.TrimSpace(rest)})
	}
	return r.chatFile(c)
}
