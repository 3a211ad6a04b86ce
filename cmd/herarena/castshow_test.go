package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/cmd/herarena/internal/config"
)

const cardCases = "../../characters/card/testdata/cases"

type cardCase struct {
	File, Kind string
	Expect     map[string]any
	Warnings   []string
	Error      *string
}

func cardManifest(t *testing.T) []cardCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(cardCases, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []cardCase
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestCastShowTakesEveryFile holds the command to its contract on every file
// of the collection, and to harmless output.
func TestCastShowTakesEveryFile(t *testing.T) {
	home(t)
	for _, c := range cardManifest(t) {
		path := filepath.Join(cardCases, c.File)
		r := call(t, "", "cast", "show", "--json", path)
		plain := call(t, "", "cast", "show", path)
		for _, out := range []string{r.out, r.err, strings.ReplaceAll(plain.out, "👩\u200d🚀 Oona 🏳\ufe0f\u200d🌈", ""), plain.err} {
			if at := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && r != '\t' && hostile(r) }); at >= 0 {
				t.Errorf("%s lets %+q reach the terminal", c.File, out[at:min(len(out), at+10)])
			}
		}
		if c.Error != nil {
			if r.code != exitFailure || r.out != "" || !strings.Contains(r.err, c.File) || !strings.Contains(r.err, "["+*c.Error+"]") || plain.code != exitFailure {
				t.Errorf("%s, which is %s, gave %+v", c.File, *c.Error, r)
			}
			continue
		}
		if r.code != 0 || plain.code != 0 || plain.out == "" {
			t.Errorf("%s gave %+v", c.File, r)
			continue
		}
		doc := document(t, r)
		keys(t, doc, "kind", "spec", "warnings", "data", "counts")
		data, counts := doc["data"].(map[string]any), doc["counts"].(map[string]any)
		keys(t, counts, "greetings", "examples", "book_entries", "messages")
		codes := map[string]bool{}
		for _, w := range doc["warnings"].([]any) {
			codes[w.(map[string]any)["code"].(string)] = true
		}
		for _, w := range c.Warnings {
			if code, _, _ := strings.Cut(w, ":"); !codes[code] {
				t.Errorf("%s: no warning %s", c.File, code)
			}
		}
		if doc["kind"] != c.Kind {
			t.Errorf("%s is a %v", c.File, doc["kind"])
		}
		for key, want := range c.Expect {
			var got any
			switch key {
			case "spec", "display_name", "user_name":
				got = doc[key]
			case "char_macro":
				got = doc["character"]
			case "name", "description":
				got = data[key]
			case "greetings", "examples", "book_entries", "messages":
				got = counts[key]
			default:
				continue
			}
			if got != want {
				t.Errorf("%s: %s is %v, want %v", c.File, key, got, want)
			}
		}
	}
}

func TestCastShowPrompt(t *testing.T) {
	home(t)
	file := filepath.Join(cardCases, "charx_v3.charx")
	doc := document(t, call(t, "", "cast", "show", "--prompt", "--json", "--dialect", "her", "--as", "Wren", "--line", "Is it safe?", file))
	messages := doc["messages"].([]any)
	var roles []string
	for _, m := range messages {
		roles = append(roles, m.(map[string]any)["role"].(string))
	}
	if got := strings.Join(roles, " "); got != "system system user assistant user system" {
		t.Fatalf("the roles are %s", got)
	}
	content := func(i int) string { return messages[i].(map[string]any)["content"].(string) }
	for i, want := range []string{
		"Keeper keeps the Saltmere lighthouse", "Keeper never leaves the lamp.", "===Conversation Start===",
		"You are late, Wren.", "Wren: Is it safe?", "Keep it under 80 words.",
	} {
		if !strings.Contains(content(i), want) {
			t.Errorf("message %d is %q, want %q in it", i, content(i), want)
		}
	}
	if doc["character"] != "Keeper" || doc["user"] != "Wren" || doc["tokens"].(float64) < 100 || len(doc["parts"].([]any)) < 6 {
		t.Errorf("got %v", doc)
	}
	if r := call(t, "", "cast", "show", "--prompt", "ball"); r.code != 0 || !strings.Contains(r.out, "Meryton") || !strings.Contains(r.out, "tokens") {
		t.Errorf("a scene's prompt gave %+v", r)
	}
	if r := call(t, "", "cast", "show", "--prompt", "--dialect", "latin", "ball"); r.code != exitUsage || !strings.Contains(r.err, "latin") {
		t.Errorf("an unknown dialect gave %+v", r)
	}
	if r := call(t, "", "cast", "show", "--prompt", filepath.Join(cardCases, "chat_st.jsonl")); r.code != exitFailure || !strings.Contains(r.err, "is a chat") {
		t.Errorf("a chat's prompt gave %+v", r)
	}
	if r := call(t, "", "cast", "show", "nobody.png"); r.code != exitFailure || !strings.Contains(r.err, "neither a file nor a scene") {
		t.Errorf("a missing file gave %+v", r)
	}
}

func TestCastExportAndImport(t *testing.T) {
	dir := home(t)
	out := filepath.Join(dir, "marrow.png")
	r := call(t, "", "cast", "export", filepath.Join(cardCases, "json_v3.json"), "--to", "png", "--out", out)
	if r.code != 0 || strings.TrimSpace(r.out) != out {
		t.Fatalf("export gave %+v", r)
	}
	if r := call(t, "", "cast", "export", out, "--to", "png", "--out", out); r.code != exitFailure || !strings.Contains(r.err, "there already") {
		t.Errorf("a second export gave %+v", r)
	}
	if r := call(t, "", "cast", "export", out, "--to", "docx"); r.code != exitUsage {
		t.Errorf("export to docx gave %+v", r)
	}
	if r := call(t, "", "cast", "export", out, "--to", "v2", "--out", "-"); r.code != 0 || !strings.Contains(r.out, `"spec": "chara_card_v2"`) {
		t.Errorf("export to standard output gave %.200q", r.out)
	}
	if r := call(t, "", "cast", "import", out); r.code != 0 || !strings.Contains(r.out, config.CharactersDir()) {
		t.Fatalf("import gave %+v", r)
	}
	if r := call(t, "", "cast", "list"); !strings.Contains(r.out, "Marrow Vane: Keeper, with you as User") {
		t.Errorf("the imported card is not listed: %s", r.out)
	}
	s, err := findScene("marrow-vane")
	if err != nil || s.Character.Name != "Keeper" {
		t.Errorf("the card plays as %q, %v", s.Character.Name, err)
	}
	if s, err := findScene(out); err != nil || s.ID != "marrow-vane" {
		t.Errorf("the file plays as %q, %v", s.ID, err)
	}
	if r := call(t, "", "cast", "import", filepath.Join(cardCases, "chat_st.jsonl")); r.code != exitFailure || !strings.Contains(r.err, "is a chat") {
		t.Errorf("importing a chat gave %+v", r)
	}
}
