package cardtest

import (
	"bytes"
	"fmt"
	"strings"
)

// message is one of SillyTavern's.
func (m *maker) message() any {
	var swipes, info []any
	for range m.IntN(4) {
		swipes = append(swipes, m.value(m.text))
		info = append(info, m.wrong())
	}
	return m.keyed([]string{"mes", "send_date", "force_avatar", "original_avatar", "gen_started"},
		"name", m.value(m.name), "is_user", m.IntN(2) == 0, "is_system", m.IntN(6) == 0, "swipe_id", m.number(), "swipes", swipes, "swipe_info", info,
		"extra", m.keyed([]string{"reasoning", "model", "display_text", "type"}, "token_count", m.number(), "herarena", pairs{"segments", []any{pairs{"layer", "speech", "text", m.text()}}, "of", m.text()}))
}

// chatFile is a chat of some program.
func (m *maker) chatFile() (string, []byte) {
	n := m.IntN(one(m, 3, 3, 8, 20))
	if m.IntN(3) > 0 {
		var b bytes.Buffer
		if m.IntN(5) > 0 {
			b.Write(m.json(m.keyed([]string{"user_name", "character_name", "create_date"}, "chat_metadata", m.keyed([]string{"note_prompt", "scenario", "integrity"}, "variables", m.wrong()), "character_names", m.list())))
		}
		for range n {
			b.WriteString(one(m, "\n", "\n", "\r\n", "\n\n", "\r", ""))
			b.Write(m.json(m.message()))
		}
		return m.fileName(".jsonl"), m.encode(b.Bytes())
	}
	var list, rows []any
	for range n {
		list = append(list, m.keyed([]string{"msg", "handle", "userId", "characterId", "role", "data", "saying", "text"}, "src", m.keyed([]string{"name"}, "is_human", m.wrong())))
		rows = append(rows, []any{m.value(m.text), m.value(m.text)})
	}
	var v any
	switch m.IntN(6) {
	case 0:
		v = pairs{"type", "risuChat", "ver", 2, "data", m.keyed([]string{"note", "name"}, "message", list)}
	case 1:
		v = pairs{"type", "risuAllChats", "data", []any{pairs{"message", list}, m.wrong()}}
	case 2:
		v = pairs{"histories", pairs{"histories", []any{pairs{"msgs", list}, m.wrong()}}}
	case 3:
		v = pairs{"messages", list, "name", m.name()}
	case 4:
		v = pairs{"internal", rows, "visible", rows, "metadata", pairs{"assistant_0", pairs{"versions", list, "current_version_index", m.number()}}}
	default:
		var lines []any
		for range n {
			lines = append(lines, m.name()+": "+m.text()+"\n")
		}
		v = lines
	}
	return m.fileName(".json"), m.encode(m.json(v))
}

// sceneFile is one of the program's own, as TOML or JSON.
func (m *maker) sceneFile() (string, []byte) {
	if m.IntN(3) == 0 {
		who := func() any { return m.keyed([]string{"profile", "voice", "thoughts", "background"}, "name", m.name()) }
		return m.fileName(".json"), m.json(m.keyed([]string{"title", "scenario", "opening", "blurb", "language", "requirements"}, "id", m.name(), "character", who(), "user", who(), "others", []any{who(), m.wrong()}, "suggestions", m.list()))
	}
	// Some can be read, so that what is in them goes on to the screen.
	sane := m.IntN(2) == 0
	quote := func(s string) string {
		if !sane {
			switch m.IntN(4) {
			case 0:
				return "'''" + s + "'''"
			case 1:
				return fmt.Sprintf("%q", s)
			case 2:
				return `"` + s + `"`
			}
		}
		return string(m.json(s))
	}
	name := func(otherwise string) string {
		if sane && m.IntN(3) > 0 {
			return otherwise
		}
		return m.name()
	}
	var b strings.Builder
	for _, key := range []string{"title", "scenario", "opening"} {
		fmt.Fprintf(&b, "%s = %s\n", key, quote(m.text()+one(m, "", "x")))
	}
	for _, table := range []string{"character", "user"} {
		fmt.Fprintf(&b, "[%s]\nname = %s\nprofile = %s\n", table, quote(name(table)), quote(m.text()+"x"))
	}
	if !sane {
		for _, table := range []string{"[[others]]", "[[others]]", one(m, "[character.x]", "[[character]]", "["+strings.Repeat("a.", 500)+"a]", "[others]")} {
			fmt.Fprintf(&b, "%s\nname = %s\n", table, quote(m.name()))
		}
		b.WriteString(one(m, "", "x = "+strings.Repeat("[", 3000), "y = "+strings.Repeat("{a=", 500), "z = 1979-05-27T07:32:00Z", "w = 0x"+strings.Repeat("f", 400)))
	}
	return m.fileName(".toml"), []byte(b.String())
}

// yamlFile is a character of text-generation-webui.
func (m *maker) yamlFile() (string, []byte) {
	var b strings.Builder
	for _, key := range []string{"name", "context", "greeting", "your_name", "example_dialogue"} {
		fmt.Fprintf(&b, "%s: %s\n", key, one(m, string(m.json(m.text())), "|\n  "+strings.ReplaceAll(m.text(), "\n", "\n  "), m.text(), "*x", "&x [*x]", "!!binary aGk=", "!!python/object/apply:os.system ['id']"))
	}
	b.WriteString(one(m, "", "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c]\n", strings.Repeat("- ", 500), strings.Repeat("? ", 300), strings.Repeat("[", 900), "<<: *x\n", "name: again\n", "\tx: y\n", "? [a, b]\n: {c: d}\n"))
	return m.fileName(".yaml"), m.encode([]byte(b.String()))
}

// nesting is brackets within brackets.
func (m *maker) nesting() (string, []byte) {
	n := one(m, 60, 90, 300, 600, 2_000)
	if m.IntN(20) == 0 {
		n = one(m, 9_000, 200_000)
	}
	open, end := one(m, "[", `{"a":`, `{"data":`, `[{"entries":`, `{"extensions":{"x":`), ""
	for i := len(open) - 1; i >= 0; i-- {
		switch open[i] {
		case '[':
			end += "]"
		case '{':
			end += "}"
		}
	}
	body := strings.Repeat(open, n) + "1"
	if m.IntN(3) > 0 {
		body += strings.Repeat(end, n)
	}
	switch m.IntN(4) {
	case 0:
		return m.fileName(".json"), []byte(body)
	case 1:
		return m.fileName(".jsonl"), []byte(`{"user_name":"a","character_name":"b"}` + "\n" + `{"mes":"x","extra":` + body + "}\n" + `{"mes":"y"}`)
	case 2:
		return m.fileName(".json"), []byte(`{"spec":"chara_card_v3","data":{"name":"x","description":"d","extensions":` + body + "}}")
	}
	return m.fileName(".png"), m.png([]byte(`{"spec":"chara_card_v2","data":{"name":"x","description":"d","character_book":` + body + "}}"))
}
