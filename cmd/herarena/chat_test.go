package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/cmd/herarena/internal/config"
)

const tavernChat = `{"user_name":"Wren","character_name":"Marrow Vane","create_date":"2026-1-2 @03h 04m 05s 006ms","chat_metadata":{"note_prompt":"[stay dry]","integrity":"0000"}}
{"name":"Marrow Vane","is_user":false,"send_date":"January 2, 2026 3:04am","mes":"You are late, Wren.","extra":{},"swipe_id":1,"swipes":["Mind the stair.","You are late, Wren.","Fog again."],"swipe_info":[{},{},{}]}
{"name":"Wren","is_user":true,"send_date":"2026-01-02T03:05:00.000Z","mes":"*sits* Sorry.","extra":{},"force_avatar":"User Avatars/x.png"}
{"name":"Marrow Vane","is_user":false,"send_date":1767323160000,"mes":"Tea is there.","extra":{"model":"m","reasoning":"CANARYREASON","token_count":4},"swipes":["Tea is there."],"swipe_id":0}
{"name":"Wren","is_user":tr`

func chatFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "evening.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAChatIsGoneOnWith plays on from a chat and gives all of it back.
func TestAChatIsGoneOnWith(t *testing.T) {
	home(t)
	path := chatFile(t, tavernChat)
	r := call(t, "Thank you.\n/a\n", "--plain", "--chat", path, "--pace", "-1")
	if r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{
		"goes on from evening.jsonl: 2 turns, a scene made of its names", "line 5 cannot be read and was left out",
		"You play Wren opposite Marrow Vane", "goes on from 2 turns of before", "Said: *sits* Sorry.", "Marrow Vane says: Tea is there.", "Turn 3. You say: Thank you.",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out, "CANARY") {
		t.Errorf("reasoning is read out:\n%s", r.out)
	}
	for _, c := range []struct {
		args []string
		gone bool
	}{{nil, true}, {[]string{"--layers", "all"}, false}, {[]string{"--branch", "b", "--layers", "all"}, false}} {
		out := call(t, "", append([]string{"log", "export", "--format", "sillytavern", "--rehearsal"}, c.args...)...)
		lines := strings.Split(strings.TrimSpace(out.out), "\n")
		if out.code != exitOK || len(lines) != 6 {
			t.Fatalf("%v: %+v", c.args, out)
		}
		if strings.Contains(out.out, "CANARYREASON") == c.gone {
			t.Errorf("%v: reasoning: %s", c.args, out.out)
		}
		for _, want := range []string{"Fog again.", "User Avatars/x.png", `"integrity":"0000"`, `"send_date":1767323160000`, "herarena_duel"} {
			if !strings.Contains(out.out, want) {
				t.Errorf("%v: %q is lost:\n%s", c.args, want, out.out)
			}
		}
		var last struct {
			Text   string   `json:"mes"`
			Swipes []string `json:"swipes"`
			Extra  struct {
				Model string `json:"model"`
			} `json:"extra"`
		}
		if err := json.Unmarshal([]byte(lines[5]), &last); err != nil || last.Text == "" {
			t.Fatal(err, lines[5])
		}
		if branch := len(c.args) > 2; branch == (len(last.Swipes) != 1) || branch && last.Extra.Model != "rehearsal/understudy" {
			t.Errorf("%v: %+v", c.args, last)
		}
	}
}

func TestAChatFindsItsCard(t *testing.T) {
	home(t)
	dir := config.CharactersDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const card = `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"marrow vane","description":"Keeps the light, and {{user}} in sight.","scenario":"A lighthouse.","first_mes":"CANARYGREETING"}}`
	if err := os.WriteFile(filepath.Join(dir, "keeper.json"), []byte(card), 0o600); err != nil {
		t.Fatal(err)
	}
	path := chatFile(t, tavernChat)
	for _, args := range [][]string{{"--chat", path}, {"--chat", path, "--scene", filepath.Join(dir, "keeper.json")}} {
		r := call(t, "/history\n", append(args, "--plain", "--pace", "-1")...)
		if r.code != exitOK || !strings.Contains(r.out, "A lighthouse.") || strings.Contains(r.out, "CANARYGREETING") || !strings.Contains(r.out, "You are late, Wren.") {
			t.Errorf("%v: %+v", args, r)
		}
		if len(args) == 2 && !strings.Contains(r.out, "with the card keeper.json") {
			t.Errorf("%s", r.out)
		}
	}
}

// TestAChatTellsOfOtherCards says which of the cards of a name was taken.
func TestAChatTellsOfOtherCards(t *testing.T) {
	home(t)
	path := chatFile(t, tavernChat)
	put(t, filepath.Join(config.CharactersDir(), "keeper.json"), simpleCard("Marrow Vane", "Keeps the light."))
	put(t, filepath.Join(config.CharactersDir(), "second.json"), simpleCard("Marrow Vane", "Mends nets."))
	r := call(t, "/quit\n", "--plain", "--chat", path, "--pace", "-1")
	if r.code != exitOK || !strings.Contains(r.out, "with the card ") || !strings.Contains(r.out, "(another has the name; --scene ") {
		t.Fatalf("%+v", r)
	}
	_, rest, _ := strings.Cut(r.out, "(another has the name; --scene ")
	id, _, _ := strings.Cut(rest, " takes it)")
	if r := call(t, "/quit\n", "--plain", "--chat", path, "--scene", id, "--pace", "-1"); r.code != exitOK || !strings.Contains(r.out, "the scene of --scene") {
		t.Errorf("--scene %s: %+v", id, r)
	}
	put(t, filepath.Join(config.CharactersDir(), "third.json"), simpleCard("Marrow Vane", "Rows."))
	if r := call(t, "/quit\n", "--plain", "--chat", path, "--pace", "-1"); r.code != exitOK || !strings.Contains(r.out, "(2 others have the name; --scene takes another: ") {
		t.Errorf("%+v", r)
	}
}

func TestChatsThatAreNone(t *testing.T) {
	home(t)
	for text, want := range map[string]string{
		`{"spec":"chara_card_v2","data":{"name":"x","first_mes":"hi"}}`:                   "holds a card and no chat; a card is named with --scene",
		`{"user_name":"a","character_name":"b","chat_metadata":{}}` + "\n" + `{"mes":""}`: "has no message",
		"": "is empty",
	} {
		path := chatFile(t, text)
		if strings.Contains(text, "spec") {
			path = strings.TrimSuffix(path, "l")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := call(t, "x\n", "--plain", "--chat", path)
		if r.code != exitFailure || !strings.Contains(r.err, want) || !strings.Contains(r.err, "--chat") {
			t.Errorf("%q: %+v, want %q", text, r, want)
		}
	}
	if r := call(t, "", "log", "export", "--format", "csv", "--branch", "a"); r.code != exitUsage || !strings.Contains(r.err, "--branch is for chats") {
		t.Errorf("%+v", r)
	}
	if r := call(t, "", "log", "export", "--format", "sillytavern", "--branch", "c"); r.code != exitUsage || !strings.Contains(r.err, "want a, b or canon") {
		t.Errorf("%+v", r)
	}
}

// TestAChatOfNobody is one whose program keeps no names.
func TestAChatOfNobody(t *testing.T) {
	home(t)
	path := filepath.Join(t.TempDir(), "chat.json")
	put(t, path, `{"internal":[["Hello.","Well?"]],"visible":[["Hello.","Well?"]]}`)
	r := call(t, "Thank you.\n", "--plain", "--chat", path, "--pace", "-1")
	if r.code != exitOK || !strings.Contains(r.out, "a scene made of its names, as it does not say whose chat it is (--scene CARD names one)") {
		t.Errorf("code %d, %s%s", r.code, r.out, r.err)
	}
}
