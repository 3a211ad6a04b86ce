package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/card/cardtest"
)

// exactly reads JSON lines with numbers as they are written.
func exactly(t interface{ Fatalf(string, ...any) }, text []byte) []any {
	var out []any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		out = append(out, v)
	}
	return out
}

func readChat(t interface{ Fatalf(string, ...any) }, text []byte, character string) *Chat {
	f, err := card.Read(text, "chat.jsonl")
	if err != nil || len(f.Chats) == 0 {
		t.Fatalf("%v in %s", err, text)
	}
	c, err := ReadChat(&f.Chats[0], character)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return c
}

// inPast is a duel that has a chat before it and nothing else.
func inPast(c *Chat) *ledger.DuelFull {
	s, _ := c.Scene("")
	raw, _ := json.Marshal(s)
	d := &ledger.DuelFull{}
	d.ID, d.SceneID, d.SceneJSON, d.Past, d.Started = "01chat", s.ID, string(raw), c.Past, noon
	d.Contestants = [2]arena.Contestant{{Name: "a"}, {Name: "b"}}
	return d
}

func writeChat(t interface{ Fatalf(string, ...any) }, d *ledger.DuelFull, o ExportOptions) []byte {
	var out bytes.Buffer
	o.Now, o.Rehearsal = noon, true
	w, err := NewWriter(&out, sillyTavern(), o)
	if err == nil {
		err = w.Add(d)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return out.Bytes()
}

// TestAChatComesBackWhole takes a chat through a ledger and looks for every
// field of it, hidden messages and swipes that were not shown included.
func TestAChatComesBackWhole(t *testing.T) {
	l := open(t)
	want := sample(t, "chat_st.jsonl")
	if report, _ := take(t, l, "auto", want); len(report.Skipped) > 0 {
		t.Errorf("something was left out: %+v", report)
	}
	got, _ := give(t, l, "sillytavern", ExportOptions{Layers: LayersAll})
	if diff := cmp.Diff(exactly(t, want), exactly(t, []byte(got))); diff != "" {
		t.Errorf("the chat differs:\n%s", diff)
	}
	// Unless they are asked for, nobody is told what a model thought.
	shown, _ := give(t, l, "sillytavern", ExportOptions{})
	if strings.Contains(shown, "hidden plan") || strings.Contains(shown, "reasoning") || !strings.Contains(shown, "Fog again.") || !strings.Contains(shown, "token_count") {
		t.Errorf("%s", shown)
	}
	// Nor anything that nobody has looked through.
	clean, _ := give(t, l, "sillytavern", ExportOptions{Redact: Redaction{Keys: true}, Layers: LayersAll})
	if strings.Contains(clean, "force_avatar") || strings.Contains(clean, "Fog again.") || !strings.Contains(clean, "Tea is there.") {
		t.Errorf("%s", clean)
	}
}

var words = rapid.SampledFrom([]string{
	"Good evening.", "*bows*", "*sits* Sorry.", "你好。", "a\nb", "\"Yes\"", "(nods)", "[to think]", "Wren: me", "<role_thinking>t</role_thinking>", "<think>n</think>", "x < y", "**loud**", "🎭", "{{user}}", "tab\there", " ", "",
	"<system_thinking>p</system_thinking>Hm.", "*a* *b*", "Name: twice: over", "\u202eabc", "e\u0301",
})

func phrase(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(words, 0, 4).Draw(t, label), rapid.SampledFrom([]string{" ", "\n", ""}).Draw(t, label+" sep"))
}

func message1(t *rapid.T) map[string]any {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	m := map[string]any{"mes": phrase(t, "mes"), "send_date": rapid.SampledFrom([]any{"2026-1-2 @03h 04m 05s 006ms", "January 2, 2026 3:04am", json.Number("1767323160000"), ""}).Draw(t, "date")}
	m["name"] = "Marrow Vane"
	extra := map[string]any{"odd": []any{json.Number("1e400"), nil, map[string]any{"deep": "x"}}}
	switch {
	case kind < 4:
		m["name"], m["is_user"], m["force_avatar"] = "Wren", true, "x.png"
	case kind == 4:
		m["name"], m["original_avatar"], m["is_group"] = "Tilde", "tilde.png", true
	case kind == 5:
		m["is_system"] = true
	case kind == 6:
		m["name"], extra["type"] = "Director", "narrator"
	}
	if rapid.Bool().Draw(t, "reasons") {
		extra["reasoning"], extra["model"] = phrase(t, "reasoning"), "m"
	}
	if rapid.Bool().Draw(t, "extra") {
		m["extra"] = extra
	}
	if n := rapid.IntRange(0, 3).Draw(t, "swipes"); n > 0 {
		var swipes, info []any
		for range n {
			swipes, info = append(swipes, phrase(t, "swipe")), append(info, map[string]any{"extra": map[string]any{"reasoning": "r"}})
		}
		m["swipes"], m["swipe_info"], m["swipe_id"] = swipes, info, json.Number(fmt.Sprint(rapid.IntRange(-1, 4).Draw(t, "swipe_id")))
	}
	return m
}

// TestAnyChatComesBackWhole does so with chats of every kind of message.
func TestAnyChatComesBackWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in bytes.Buffer
		e := json.NewEncoder(&in)
		e.SetEscapeHTML(false)
		_ = e.Encode(map[string]any{"user_name": "Wren", "character_name": "Marrow Vane", "chat_metadata": map[string]any{"variables": map[string]any{"mood": "wary"}}})
		_ = e.Encode(map[string]any{"name": "Marrow Vane", "mes": "You are late."})
		for range rapid.IntRange(0, 8).Draw(t, "messages") {
			_ = e.Encode(message1(t))
		}
		c := readChat(t, in.Bytes(), "")
		d := inPast(c)
		out := writeChat(t, d, ExportOptions{Layers: LayersAll})
		if diff := cmp.Diff(exactly(t, in.Bytes()), exactly(t, out)); diff != "" {
			t.Fatalf("the chat differs:\n%s", diff)
		}
		// What is left once nothing was kept says the same to those who play.
		for i := range d.Past {
			d.Past[i].Kept = nil
		}
		again := readChat(t, writeChat(t, d, ExportOptions{Layers: LayersAll}), "Marrow Vane")
		if diff := cmp.Diff(said(c.Past), said(again.Past)); diff != "" {
			t.Fatalf("what was said differs:\n%s", diff)
		}
		for _, p := range c.Past {
			if len(p.Reply) == 0 && strings.TrimSpace(p.Line) == "" {
				t.Fatalf("a turn without a word: %+v", p)
			}
		}
	})
}

// said is what a past holds for those who play.
func said(past []arena.PastTurn) []arena.PastTurn {
	out := make([]arena.PastTurn, len(past))
	for i, p := range past {
		out[i] = arena.PastTurn{Line: p.Line, Note: p.Note, Reply: p.Reply}
	}
	return out
}

// TestAPlayedDuelComesBackAsAPast writes duels of any segments and reads them.
func TestAPlayedDuelComesBackAsAPast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &ledger.DuelFull{}
		scene := characters.Scene{ID: "s", Title: "S", Scenario: "x", Character: characters.Character{Name: "Marrow Vane", Profile: "p"}, User: characters.Character{Name: "Wren"}}
		raw, _ := json.Marshal(scene)
		d.ID, d.SceneJSON, d.Started, d.Canon = "01duel", string(raw), noon, arena.CanonVote
		d.Contestants = [2]arena.Contestant{{Name: "lead"}, {Name: "second"}}
		var want [2][][]layers.Segment
		for n := range rapid.IntRange(1, 4).Draw(t, "turns") {
			turn := ledger.FullTurn{}
			turn.ID, turn.Number, turn.Line, turn.Canon, turn.Seats, turn.Started = fmt.Sprint("t", n), n+1, "Line.", n%2, [2]int{0, 1}, noon
			for seat := range 2 {
				text := phrase(t, "reply") + "said"
				p := layers.Parse(text, layers.Options{Name: "Marrow Vane"})
				if rapid.Bool().Draw(t, "apart") {
					p.Segments = append([]layers.Segment{{Layer: layers.Native, Text: "reason"}}, p.Segments...)
				}
				r := &arena.Reply{ID: fmt.Sprint(n, seat), TurnID: turn.ID, Contestant: seat, Raw: text, Segments: p.Segments, Dialect: p.Dialect, Complete: true, Started: noon}
				turn.Swipes[seat] = []*arena.Reply{r}
				want[seat] = append(want[seat], p.Segments)
			}
			d.Turns = append(d.Turns, turn)
		}
		for _, branch := range []Branch{BranchCanon, BranchA, BranchB} {
			out := writeChat(t, d, ExportOptions{Layers: LayersAll, Branch: branch})
			past := readChat(t, out, "").Past
			if len(past) != len(d.Turns) {
				t.Fatalf("%d turns of %d in %s", len(past), len(d.Turns), out)
			}
			for n, p := range past {
				seat := n % 2
				if side, ok := branch.side(); ok {
					seat = int(side)
				}
				if diff := cmp.Diff(want[seat][n], p.Reply); diff != "" || p.By != d.Contestants[seat].Name {
					t.Fatalf("branch %q, turn %d by %s:\n%s\n%s", branch, n+1, p.By, diff, out)
				}
			}
			hidden := writeChat(t, d, ExportOptions{Branch: branch})
			if bytes.Contains(hidden, []byte("reason\"")) || bytes.Contains(hidden, []byte("system_thinking")) {
				t.Fatalf("branch %q tells what is hidden: %s", branch, hidden)
			}
		}
	})
}

func TestGroupsKeepWhoSpoke(t *testing.T) {
	const chat = `{"user_name":"unused","character_name":"unused","chat_metadata":{"scenario":"A lighthouse in fog."}}
{"name":"Marrow Vane","mes":"You are late, Wren."}
{"name":"Tilde","mes":"<role_thinking>CANARY</role_thinking>*pours* Tea is there.","extra":{"reasoning":"CANARY"}}
{"name":"Wren","is_user":true,"mes":"Sorry."}
{"name":"Marrow Vane","mes":"Sit.","extra":{"reasoning":"<system_thinking>the plan</system_thinking>"}}
{"name":"Director","mes":"The lamp goes out.","extra":{"type":"narrator"}}
{"name":"Tilde","mes":"Oh!"}
`
	c := readChat(t, []byte(chat), "")
	want := []arena.PastTurn{
		{Reply: []layers.Segment{{Layer: layers.Speech, Text: "You are late, Wren."}}},
		{Line: "Tilde: *pours* Tea is there."},
		{Line: "Sorry.", Reply: []layers.Segment{{Layer: layers.System, Text: "the plan"}, {Layer: layers.Speech, Text: "Sit."}}},
		{Line: "Tilde: Oh!", Note: "The lamp goes out."},
	}
	if diff := cmp.Diff(want, said(c.Past)); diff != "" || c.Character != "Marrow Vane" || c.User != "Wren" || len(c.Others) != 1 {
		t.Errorf("%+v\n%s", c, diff)
	}
	s, err := c.Scene("from a file")
	if err != nil || s.Scenario != "A lighthouse in fog." || len(s.Others) != 1 || s.Others[0].Name != "Tilde" {
		t.Errorf("%+v %v", s, err)
	}
	// Another of the group may be the one who is played.
	other := readChat(t, []byte(chat), "tilde")
	if other.Character != "Tilde" || other.Past[1].Line != "" && other.Past[0].Line == "" {
		t.Errorf("%+v", other)
	}
	for _, p := range other.Past {
		if strings.Contains(p.Line, "plan") {
			t.Errorf("another's plan is told: %+v", p)
		}
	}
	if got := writeChat(t, inPast(other), ExportOptions{Layers: LayersAll}); !cmp.Equal(exactly(t, []byte(chat)), exactly(t, got)) {
		t.Errorf("%s", got)
	}
}

// TestAChangedReplyKeepsTheOldOneAsASwipe edits a reply of an imported chat.
func TestAChangedReplyKeepsTheOldOneAsASwipe(t *testing.T) {
	c := readChat(t, sample(t, "chat_st.jsonl"), "")
	d := inPast(c)
	last := &d.Past[len(d.Past)-1]
	last.Reply, last.Edited = []layers.Segment{{Layer: layers.Speech, Text: "There is no tea."}}, true
	out := exactly(t, writeChat(t, d, ExportOptions{Layers: LayersAll}))
	m := out[len(out)-1].(map[string]any)
	if m["mes"] != "There is no tea." || !cmp.Equal(m["swipes"], []any{"Tea is there.", "There is no tea."}) || m["swipe_id"] != json.Number("1") || m["send_date"] != json.Number("1767323160000") {
		t.Errorf("%v", m)
	}
}

// TestChatsInOtherEncodings reads the same chat in each.
func TestChatsInOtherEncodings(t *testing.T) {
	const chat = `{"user_name":"Zoë","character_name":"Ünal","chat_metadata":{}}` + "\r\n" + `{"name":"Ünal","mes":"Voilà."}` + "\r\n" + `{"name":"Zoë","is_user":true,"mes":"Ça va?"}` + "\r\n" + `{"name":"Ün`
	wide := func(big bool) []byte {
		out := []byte{0xFF, 0xFE}
		if big {
			out = []byte{0xFE, 0xFF}
		}
		for _, u := range utf16.Encode([]rune(chat)) {
			if big {
				out = append(out, byte(u>>8), byte(u))
			} else {
				out = append(out, byte(u), byte(u>>8))
			}
		}
		return out
	}
	var latin []byte
	for _, r := range chat {
		latin = append(latin, byte(r))
	}
	for name, text := range map[string][]byte{"utf-8": []byte(chat), "bom": append([]byte("\xef\xbb\xbf"), chat...), "utf-16le": wide(false), "utf-16be": wide(true), "latin-1": latin} {
		c := readChat(t, text, "")
		if c.Character != "Ünal" || c.User != "Zoë" || len(c.Past) != 2 || c.Past[1].Line != "Ça va?" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// FuzzReadChat reads anything as a chat; what comes of it can be played, written
// and read again.
func FuzzReadChat(f *testing.F) {
	f.Add(sample(f, "chat_st.jsonl"))
	f.Add([]byte(`{"mes":{"message":"x"},"swipes":[1,null]}` + "\n{}\n[]\n"))
	f.Add([]byte(`[ "You: hi", "Anna: hello" ]`))
	for n := 4; n < 6000; n += 12 {
		if in := cardtest.Hostile(n); len(in.Data) < 10_000 {
			f.Add(in.Data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := card.Read(data, "x.jsonl")
		if err != nil || len(file.Chats) == 0 {
			return
		}
		c, err := ReadChat(&file.Chats[0], "")
		if err != nil {
			return
		}
		if _, err := c.Scene("x"); err != nil {
			t.Fatalf("no scene: %v", err)
		}
		for _, o := range []ExportOptions{{}, {Layers: LayersAll}} {
			out := writeChat(t, inPast(c), o)
			if again, err := card.Read(out, "x.jsonl"); err != nil || len(again.Chats) == 0 {
				t.Fatalf("what was written cannot be read: %v\n%s", err, out)
			}
		}
	})
}

// TestALineOfNoKnownDialectHasNoTags writes what is kept as layers alone, as a
// card's greeting and an edited reply are: readers of chats know asterisks.
func TestALineOfNoKnownDialectHasNoTags(t *testing.T) {
	for want, segments := range map[string][]layers.Segment{
		"*yawns* Late.": {{Layer: layers.Act, Text: "yawns"}, {Layer: layers.Speech, Text: "Late."}},
		"<role_thinking>Him.</role_thinking>Late.": {{Layer: layers.Think, Text: "Him."}, {Layer: layers.Speech, Text: "Late."}},
	} {
		ex := &exporter{}
		if text, _ := ex.tavernText(segments, "", "", "Orla"); text != want {
			t.Errorf("written %q, want %q", text, want)
		}
		if text, _ := ex.tavernText(segments, layers.HER, "", "Orla"); !strings.Contains(text, "<role_") {
			t.Errorf("a reply in HER's tags is written %q", text)
		}
	}
}

// TestMarksOfAChatsNoteCount dresses scenes in a chat whose author's note and
// scenario name the two by their marks; what was said keeps what it says.
func TestMarksOfAChatsNoteCount(t *testing.T) {
	c := readChat(t, []byte(`{"user_name":"Wren","character_name":"Orla","chat_metadata":{"note_prompt":"{{char}} is tired of {{user}}.","scenario":"An attic of {{char}}'s."}}`+"\n"+
		`{"name":"Orla","is_user":false,"mes":"Hello {{user}}."}`), "")
	plain, err := c.Scene("")
	if err != nil {
		t.Fatal(err)
	}
	carded := characters.Scene{Title: "x", Character: characters.Character{Name: "Orla"}, Play: &characters.Play{Scenario: "A hall."}}
	c.Dress(&carded)
	for name, s := range map[string]characters.Scene{"a scene of the names": plain, "a card": carded} {
		if s.Requirements != "Orla is tired of Wren." || s.Scenario != "An attic of Orla's." {
			t.Errorf("%s: %q, %q", name, s.Requirements, s.Scenario)
		}
	}
	if got := layers.Render(c.Past[0].Reply, layers.Plain, ""); got != "Hello {{user}}." {
		t.Errorf("said %q", got)
	}
}
