package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"herarena/arena"
)

// loose is a word, a number or a truth value as a string, however a file has it.
type loose string

// UnmarshalJSON takes any scalar.
func (l *loose) UnmarshalJSON(raw []byte) error {
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		*l = ""
	case raw[0] == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*l = loose(s)
	case raw[0] == '{' || raw[0] == '[':
		return &json.UnmarshalTypeError{Value: "list or object", Type: reflect.TypeFor[string]()}
	default:
		*l = loose(raw)
	}
	return nil
}

func (l loose) number() float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(string(l)), 64)
	if err != nil {
		return 0
	}
	return f
}

func (l loose) yes() bool {
	switch strings.ToLower(strings.TrimSpace(string(l))) {
	case "1", "1.0", "true", "yes":
		return true
	}
	return false
}

// rest returns the fields of a row that are not among those taken.
func (r *row) rest(taken ...string) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(r.raw, &all) != nil {
		return nil
	}
	for _, name := range taken {
		delete(all, name)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// content is the text of a message: a string, or parts of which the text ones
// are taken.
type content string

// UnmarshalJSON joins the text parts.
func (c *content) UnmarshalJSON(raw []byte) error {
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(c))
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return &json.UnmarshalTypeError{Value: "value of another kind", Type: reflect.TypeFor[string](), Field: "content"}
	}
	var out []string
	for _, p := range parts {
		switch {
		case p.Text != nil && (p.Type == "text" || p.Type == ""):
			out = append(out, *p.Text)
		case p.Type != "text":
			out = append(out, "["+p.Type+"]")
		}
	}
	*c = content(strings.Join(out, "\n"))
	return nil
}

// chat is a message as most sets have it.
type chat struct {
	Role      string  `json:"role"`
	Content   content `json:"content"`
	NumTokens loose   `json:"num_tokens"`
}

func messages(list []chat) []message {
	out := make([]message, len(list))
	for i, m := range list {
		out[i] = message{m.Role, string(m.Content), int(max(0, min(m.NumTokens.number(), 1<<31-1)))}
	}
	return out
}

// conversation is a list of messages, or a string that holds one as JSON, or
// with Plain set one text alone.
type conversation struct {
	Messages []message
	Plain    bool
	Text     string
}

// UnmarshalJSON takes either.
func (c *conversation) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		if err := json.Unmarshal(raw, &c.Text); err != nil {
			return err
		}
		inner := []byte(strings.TrimSpace(c.Text))
		if len(inner) == 0 || inner[0] != '[' || json.Unmarshal(inner, new([]chat)) != nil {
			c.Plain = true
			return nil
		}
		raw = inner
	}
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if err := checkDepth(raw); err != nil {
		return err
	}
	var list []chat
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	c.Messages = messages(list)
	return nil
}

// as returns the messages, a plain text as one of the role.
func (c *conversation) as(role string) []message {
	if c.Plain {
		return []message{{Role: role, Content: c.Text}}
	}
	return c.Messages
}

// Winners as the sets of LMArena and FastChat write them.
const (
	winA       = "model_a"
	winB       = "model_b"
	winTie     = "tie"
	winBad     = "tie (bothbad)"
	winBothBad = "both_bad"
)

// choice reads a winner.
func (im *importer) choice(field, word string) (arena.Choice, error) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case winA, "a":
		return arena.ChoseA, nil
	case winB, "b":
		return arena.ChoseB, nil
	case winTie:
		return arena.Tie, nil
	case winBad, winBothBad, "bothbad", "both bad", "tie (both bad)":
		return arena.BothBad, nil
	}
	return "", im.row.fault(field, "the winner %q is not known (want model_a, model_b, tie or %s)", clip(word), winBad)
}

// winner writes an outcome; bad is the word for both bad.
func winner(c arena.Choice, bad string) string {
	switch c {
	case arena.ChoseA:
		return winA
	case arena.ChoseB:
		return winB
	case arena.Tie:
		return winTie
	}
	return bad
}

// spaced writes JSON as Python's json.dumps does, with a blank after each comma
// and colon, which the strings within HER's rows have.
func spaced(v any) (string, error) {
	raw, err := marshal(v)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	quoted, escaped := false, false
	for _, c := range raw {
		out.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == ',', c == ':':
			out.WriteByte(' ')
		}
	}
	return out.String(), nil
}

// oneReply takes the last message, which must be the assistant's, and returns
// what stands before it too.
func (im *importer) oneReply(field string, c *conversation) (before []message, reply message, err error) {
	list := c.as("assistant")
	if len(list) == 0 || !slices.Contains([]string{"assistant", "gpt", "ai", "model", "bot"}, list[len(list)-1].Role) {
		return nil, message{}, im.row.fault(field, "the last message should be the assistant's")
	}
	return list[:len(list)-1], list[len(list)-1], nil
}

// seconds is a time as public logs have it.
func seconds(ms int64) json.Number {
	if ms%1000 == 0 {
		return json.Number(fmt.Sprintf("%d.0", ms/1000))
	}
	return json.Number(strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64))
}
