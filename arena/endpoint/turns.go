package endpoint

import (
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

const (
	roleSystem    = openai.ChatMessageRoleSystem
	roleUser      = openai.ChatMessageRoleUser
	roleAssistant = openai.ChatMessageRoleAssistant
)

// opener is what a user "says" where a template wants one to begin and nobody
// has: the opening line stays the character's.
const opener = "(The scene begins.)"

// turns puts messages into the form that the server's template takes. Messages
// without words are left out: servers refuse them or answer oddly. The form
// depends on the earlier messages alone, so that prompts are only appended to.
func (q quirks) turns(messages []arena.Message) []arena.Message {
	var out []arena.Message
	for _, m := range messages {
		if strings.TrimSpace(m.Content) == "" {
			continue
		}
		if m.Role == roleSystem && len(out) > 0 && (q.foldNotes || q.merged) || m.Role == roleSystem && q.noSystem {
			m.Role, m.Name = roleUser, ""
		}
		out = append(out, m)
	}
	if q.merged || q.noSystem || q.foldNotes {
		out = mergeTurns(out, q.merged || q.noSystem)
	}
	if q.wantsUser {
		out = withUser(out)
	}
	if q.noNames {
		for i := range out {
			out[i] = signed(out[i])
		}
	}
	return out
}

// mergeTurns joins messages of one role in a row to one: all of them, or only
// those of users, among them notes that were folded. Who spoke stays readable:
// where names differ each part begins with its own.
func mergeTurns(messages []arena.Message, all bool) []arena.Message {
	var out []arena.Message
	for _, m := range messages {
		n := len(out) - 1
		if n < 0 || out[n].Role != m.Role || !all && m.Role != roleUser {
			out = append(out, m)
			continue
		}
		if out[n].Name != m.Name {
			out[n], m = signed(out[n]), signed(m)
		}
		out[n].Content = strings.TrimSpace(out[n].Content + "\n\n" + m.Content)
	}
	if all {
		out = withUser(out)
	}
	return out
}

// withUser puts a user's turn before the first of the assistant, or at the end
// where there are no turns at all.
func withUser(messages []arena.Message) []arena.Message {
	for i, m := range messages {
		switch m.Role {
		case roleUser:
			return messages
		case roleAssistant:
			out := append([]arena.Message{}, messages[:i]...)
			return append(append(out, arena.Message{Role: roleUser, Content: opener}), messages[i:]...)
		}
	}
	return append(messages[:len(messages):len(messages)], arena.Message{Role: roleUser, Content: opener})
}

// signed moves a message's name into its text, unless it begins with it.
func signed(m arena.Message) arena.Message {
	name := strings.TrimSpace(m.Name)
	if name == "" {
		return m
	}
	m.Name = ""
	if strings.HasPrefix(m.Content, name+":") || strings.HasPrefix(m.Content, name+"：") {
		return m
	}
	m.Content = name + ": " + m.Content
	return m
}

// wireMessages writes messages with their content always present: servers refuse
// a message without the key, and go-openai drops an empty one.
func wireMessages(messages []arena.Message) []map[string]any {
	wire := make([]map[string]any, 0, len(messages)+1)
	for _, m := range messages {
		w := map[string]any{"role": m.Role, "content": m.Content}
		if name := wireName(m.Name); name != "" {
			w["name"] = name
		}
		wire = append(wire, w)
	}
	return wire
}

// wireName puts a name into the form OpenAI allows: no white space, none of
// <|\/>, at most 64 characters.
func wireName(name string) string {
	runes := []rune(strings.TrimSpace(name))
	for i, r := range runes {
		if r <= ' ' || strings.ContainsRune(`<|\/>`, r) {
			runes[i] = '_'
		}
	}
	return string(runes[:min(len(runes), 64)])
}

// chatEnd ends a message of ChatML.
const chatEnd = "<|im_end|>"

// chatML renders messages as the template of HER's models and of Qwen does,
// without a think block, and leaves the reply open behind prefill.
func chatML(messages []arena.Message, prefill string) string {
	// The marks of the form must not come from within a message.
	plain := strings.NewReplacer("<|im_start|>", "", chatEnd, "")
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("<|im_start|>" + m.Role + "\n" + plain.Replace(m.Content) + chatEnd + "\n")
	}
	b.WriteString("<|im_start|>assistant\n" + prefill)
	return b.String()
}
