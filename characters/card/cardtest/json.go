package cardtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// raw is JSON as it stands, valid or not.
type raw string

// pairs is an object in the order of its keys, of which one may stand twice.
type pairs []any

// value is what make makes, or something of another type.
func (m *maker) value(make func() string) any {
	if m.IntN(12) > 0 {
		return make()
	}
	return m.wrong()
}

// wrong is a value of a type that nobody expects.
func (m *maker) wrong() any {
	if m.depth++; m.depth > 4 {
		m.depth--
		return nil
	}
	defer func() { m.depth-- }()
	switch m.IntN(12) {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2:
		return raw(one(m, "1e400", "-1", "0", "99999999999999999999999", "1.5", "-0.0", "1e-400", "2147483648", "4294967296"))
	case 3:
		return []any{m.text(), m.wrong()}
	case 4:
		return pairs{m.text(), m.wrong(), "entries", m.wrong()}
	case 5:
		return raw(one(m, `"\ud800"`, `"\udc00\ud800"`, `"\u0000"`, `"\u001b[2J"`, `"\u202e"`))
	case 6:
		return []any{}
	case 7:
		return pairs{}
	case 8:
		return raw(strings.Repeat("[", 200) + strings.Repeat("]", 200))
	case 9:
		return []any{[]any{[]any{m.text()}}}
	}
	return m.text()
}

// write writes a value as JSON.
func (m *maker) write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case raw:
		b.WriteString(string(v))
	case pairs:
		b.WriteByte('{')
		for i := 0; i+1 < len(v); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			m.write(b, v[i])
			b.WriteByte(':')
			m.write(b, v[i+1])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			m.write(b, item)
		}
		b.WriteByte(']')
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("null")
		}
		b.Write(text)
	}
}

func (m *maker) json(v any) []byte {
	var b strings.Builder
	m.write(&b, v)
	return []byte(b.String())
}

// textFile is JSON in one of the encodings that files have.
func (m *maker) textFile(make func() any) func() (string, []byte) {
	return func() (string, []byte) { return m.fileName(".json"), m.encode(m.json(make())) }
}

func (m *maker) encode(text []byte) []byte {
	switch m.IntN(12) {
	case 0:
		return append([]byte("\xEF\xBB\xBF"), text...)
	case 1:
		out := []byte{0xFF, 0xFE}
		for _, u := range utf16.Encode([]rune(string(text))) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	case 2:
		return append(text, 0xE9, 0xFF, 0x80)
	case 3:
		return append(text, "\n\n trailing garbage }"...)
	case 4:
		return append([]byte("\r\n\t "), text...)
	}
	return text
}

// keyed draws fields: each key stands with a value, some are left out, one may
// stand twice.
func (m *maker) keyed(texts []string, more ...any) pairs {
	var out pairs
	for _, key := range texts {
		switch m.IntN(8) {
		case 0:
		case 1:
			out = append(out, key, m.value(m.text), key, m.value(m.text))
		default:
			out = append(out, key, m.value(m.text))
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		v := more[i+1]
		if m.IntN(15) == 0 {
			v = m.wrong()
		}
		out = append(out, more[i], v)
	}
	if m.IntN(4) == 0 {
		out = append(out, one(m, "NAME", "__proto__", "", "\x1b[31m", "data", "extensions", strings.Repeat("k", 700)), m.wrong())
	}
	return out
}

func (m *maker) number() raw {
	return raw(one(m, "0", "1", "4", "100", "-1", "99999999", "1e30", "0.5", `"4"`, `""`, "null", "true"))
}

func (m *maker) book() any {
	var entries []any
	object := pairs{}
	for i := range m.IntN(one(m, 3, 3, 3, 8)) {
		e := m.keyed([]string{"content", "comment", "name", "position"},
			"keys", m.list(), "secondary_keys", m.list(), "key", m.list(), "keysecondary", m.list(),
			"enabled", m.IntN(5) > 0, "insertion_order", m.number(), "priority", m.number(), "id", m.number(),
			"constant", m.IntN(3) == 0, "selective", m.IntN(2) == 0, "use_regex", m.IntN(2) == 0, "case_sensitive", m.wrong(),
			"extensions", m.keyed(nil, "position", m.number(), "depth", m.number(), "role", m.number(), "probability", m.number(), "useProbability", true,
				"selectiveLogic", m.number(), "group", m.text(), "sticky", m.number(), "cooldown", m.number(), "delay", m.number(), "delay_until_recursion", m.wrong(), "scan_depth", m.number()))
		entries = append(entries, e)
		object = append(object, fmt.Sprint(i), e)
	}
	b := m.keyed([]string{"name", "description"}, "scan_depth", m.number(), "token_budget", m.number(), "recursive_scanning", m.IntN(2) == 0, "extensions", m.wrong())
	switch m.IntN(6) {
	case 0:
		return pairs{"spec", "lorebook_v3", "data", append(b, "entries", entries)}
	case 1:
		return append(b, "entries", object)
	case 2:
		return pairs{"kind", "memory", "name", m.name(), "entries", []any{m.keyed([]string{"name", "entry"}, "keywords", m.list(), "priority", m.number(), "weight", m.number())}}
	case 3:
		return pairs{"type", "risu", "ver", 1, "data", []any{m.keyed([]string{"key", "secondkey", "content", "comment", "mode"}, "insertorder", m.number(), "alwaysActive", m.wrong(), "useRegex", true)}}
	case 4:
		return pairs{"lorebookVersion", m.number(), "entries", []any{m.keyed([]string{"text", "displayName"}, "keys", m.list(), "contextConfig", m.wrong(), "enabled", true)}}
	}
	return append(b, "entries", entries)
}

// card is a card in one of the versions.
func (m *maker) card() any {
	data := m.keyed([]string{
		"description", "personality", "scenario", "first_mes", "mes_example", "creator_notes", "system_prompt", "post_history_instructions",
		"creator", "character_version", "nickname",
	}, "alternate_greetings", m.list(), "group_only_greetings", m.list(), "tags", m.list(), "source", m.list(),
		"creation_date", m.number(), "creator_notes_multilingual", m.wrong(),
		"assets", []any{m.keyed([]string{"type", "name", "ext"}, "uri", m.uri())},
		"extensions", m.keyed(nil, "depth_prompt", m.keyed([]string{"prompt", "role"}, "depth", m.number()), "talkativeness", m.wrong(), "regex_scripts", m.wrong(), "herarena/v3", m.wrong(), "agnai", m.wrong(), "risuai", m.wrong()))
	data = append(data, "name", m.value(m.name))
	if m.IntN(2) == 0 {
		data = append(data, "character_book", m.book())
	}
	switch m.IntN(6) {
	case 0:
		return data
	case 1:
		return append(pairs{"spec", m.wrong(), "spec_version", m.wrong(), "data", data}, data...)
	case 2:
		return pairs{"data", data}
	case 3:
		return pairs{"spec", "chara_card_v3", "spec_version", one[any](m, "3.0", 3, "99", ""), "data", data}
	}
	return pairs{"spec", "chara_card_v2", "spec_version", "2.0", "data", data}
}

func (m *maker) uri() string {
	return one(m, "embeded://assets/icon/images/main.png", "embeded://../../evil.png", "ccdefault:", "data:image/png;base64,iVBORw0KGgo=", "data:;base64,////", "__asset:0", "http://127.0.0.1:1/x", "file:///etc/passwd", "embeded://"+strings.Repeat("a/", 2000), "")
}

// scenario is a scene of a book.
func (m *maker) scenario() any {
	var lines, profiles []any
	for range m.IntN(6) {
		lines = append(lines, m.keyed([]string{"message", "dialogue", "thought"}, "character", m.value(m.name), "name", m.value(m.name)))
		profiles = append(profiles, m.keyed([]string{"thought", "motivation", "description", "profile"}, "name", m.value(m.name)))
	}
	names := pairs{}
	for range m.IntN(4) {
		names = append(names, m.name(), m.value(m.text))
	}
	item := m.keyed([]string{"book", "plot", "scenario", "topic", "i_p", "i_c", "ai_name", "ai_setting", "user_name", "user_setting", "ai_prologue", "initial_user_input"},
		"dialogues", lines, "key_characters", profiles, "character_profiles", names, "major_characters", m.list(), "speaking_characters_w_env", m.list())
	if m.IntN(2) == 0 {
		return []any{item, m.wrong(), item}
	}
	return item
}

// foreign is a character of another program.
func (m *maker) foreign() any {
	switch m.IntN(8) {
	case 0:
		return m.keyed([]string{"char_name", "char_persona", "char_greeting", "world_scenario", "example_dialogue"})
	case 1:
		return m.keyed([]string{"name", "greeting", "scenario", "sampleChat", "appearance"}, "kind", "character", "persona", m.keyed([]string{"kind"}, "attributes", pairs{"species", m.list(), "text", m.list()}), "alternateGreetings", m.list())
	case 2:
		return m.keyed([]string{"name", "description", "personality", "scenario", "first_message", "example_dialogs"})
	case 3:
		return m.keyed([]string{"name", "context", "greeting", "bot", "<|bot|>", "your_name", "user", "turn_template"})
	case 4:
		return pairs{"version", m.number(), "character", m.keyed([]string{"aiName", "aiDisplayName", "aiPersona", "basePrompt", "scenario", "firstMessage", "customDialogue"}, "loreItems", []any{m.keyed([]string{"key", "value", "order"})}, "Chat", m.wrong())}
	case 5:
		return pairs{"type", "risuModule", "module", m.keyed([]string{"name", "description"}, "lorebook", []any{m.keyed([]string{"key", "content"})}, "regex", m.wrong())}
	case 6:
		return m.keyed([]string{"name", "description", "appearance", "personality", "profile", "firstMessage", "scenario"}, "\x24type", "Voxta", "id", "00000000-0000")
	}
	return pairs{m.text(), m.wrong(), "case", []any{pairs{"role", m.text(), "content", m.wrong()}}}
}
