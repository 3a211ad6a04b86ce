package card_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"herarena/characters"
	"herarena/characters/card"
)

// replaced returns JSON trees in which one value after the other is replaced.
func replaced(root any, with any, visit func(path string, tree any)) {
	var walk func(node any, path string)
	walk = func(node any, path string) {
		switch n := node.(type) {
		case map[string]any:
			for key, old := range n {
				n[key] = with
				visit(path+"."+key, root)
				n[key] = old
				walk(old, path+"."+key)
			}
		case []any:
			for i, old := range n {
				n[i] = with
				visit(fmt.Sprintf("%s[%d]", path, i), root)
				n[i] = old
				walk(old, fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
	walk(root, "")
}

// TestWrongTypesAnywhere puts a value of the wrong kind in every place of a
// whole card: it must be read, be playable, and survive an export.
func TestWrongTypesAnywhere(t *testing.T) {
	t.Parallel()
	base, err := os.ReadFile("testdata/cases/json_v3.json")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, wrong := range []string{`null`, `7`, `-1.5`, `"x"`, `""`, `true`, `[]`, `{}`, `[1,null,"a"]`, `{"a":[{}],"1":2}`} {
		var root, with any
		if err := json.Unmarshal(base, &root); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(wrong), &with); err != nil {
			t.Fatal(err)
		}
		replaced(root, with, func(path string, tree any) {
			tried++
			text, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			f, err := card.Read(text, "x.json")
			if err != nil {
				t.Errorf("%s = %s: %v", path, wrong, err)
				return
			}
			if _, _, err := f.Scene(card.PlayOptions{}); err != nil {
				t.Errorf("%s = %s: %v", path, wrong, err)
			}
			for _, w := range f.Warnings {
				if w.Code == "" || strings.Contains(w.Message, "%!") {
					t.Errorf("%s = %s warns %+v", path, wrong, w)
				}
			}
			if tried%7 == 0 && f.Kind == card.KindCard {
				lossless(t, f)
			}
		})
	}
	if tried < 1000 {
		t.Errorf("only %d places were tried", tried)
	}
}

// TestBoundsHold asks for much with little.
func TestBoundsHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, code string }{
		"deep.json":    {`{"name":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}", card.TooDeep},
		"deeper.json":  {`{"name":` + strings.Repeat("[", 1<<20), card.TooDeep},
		"many.json":    {`{"name":"x","extensions":[` + strings.Repeat("1,", 1_100_000) + "1]}", card.TooLarge},
		"deep.yaml":    {"name: " + strings.Repeat("[", 3000) + strings.Repeat("]", 3000), card.TooDeep},
		"loop.yaml":    {"name: &a [*a]\ncontext: x\n", card.TooDeep},
		"large.yaml":   {"name: x\ncontext: " + strings.Repeat("x", 5<<20), card.TooLarge},
		"chunks.png":   {"\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x00\x00\x00teSt\x00\x00\x00\x00", 110_000), card.TooLarge},
		"spaces.json":  {strings.Repeat(" ", 1<<20), card.Empty},
		"text.txt":     {"just some words", card.NotACard},
		"number.json":  {"7", card.NotACard},
		"cut.json":     {`{"name":"x","description":"`, card.BadJSON},
		"nothing.yaml": {"# only a comment\n", card.NotACard},
		"list.json":    {`[1,2]`, card.NotACard},
		"lines.jsonl":  {"x\ny\n", card.NotACard},
	} {
		began := time.Now()
		_, err := card.Read([]byte(c.text), name)
		var fault *card.Error
		if !errors.As(err, &fault) || fault.Code != c.code || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s gives %v, want %s", name, err, c.code)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestNamesAreSafe(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"CON":                     {"CON", "_CON"},
		"...":                     {"...", "character"},
		"Two\nLines\tTab":         {"Two Lines Tab", "Two Lines Tab"},
		"\x1b[31mRed\x1b[0m":      {"Red", "Red"},
		"\x1b]52;c;ZXZpbA==\aYes": {"Yes", "Yes"},
		"\x1b]8;;http://x\x1b\\l": {"l", "l"},
		"\u009b31mX\u0085":        {"X", "X"},
		"evil\u202egnp.exe":       {"evilgnp.exe", "evilgnp.exe"},
		"../../etc/passwd":        {"../../etc/passwd", "_.._etc_passwd"},
		"a\\b/c:d*e?":             {"a\\b/c:d*e?", "a_b_c_d_e_"},
		"👩\u200d🚀":                {"👩\u200d🚀", "👩\u200d🚀"},
		"  padded  ":              {"padded", "padded"},
		"":                        {"", "character"},
		"lpt1.txt":                {"lpt1.txt", "_lpt1.txt"},
	} {
		if got := card.CleanName(in); got != want[0] {
			t.Errorf("%q is shown as %q, want %q", in, got, want[0])
		}
		if got := card.FileName(in); got != want[1] {
			t.Errorf("%q is filed as %q, want %q", in, got, want[1])
		}
	}
	if got := card.FileName(strings.Repeat("长", 500)); len(got) > 120 || !strings.HasPrefix(got, "长") {
		t.Errorf("a long name is filed as %d bytes", len(got))
	}
}

// TestBackyardPNG reads the form that Backyard keeps in a PNG's EXIF.
func TestBackyardPNG(t *testing.T) {
	t.Parallel()
	f, err := card.Read([]byte(`{"character":{"aiName":"Tilde","aiDisplayName":"T","aiPersona":"{character} shelves rain for {user}.","basePrompt":"Stay.","scenario":"s","firstMessage":null,"customDialogue":"#{user}: hi\n#{character}: Shh.","loreItems":[{"key":"rain, flood","value":"{character} likes rain.","order":"a"}],"isNSFW":false},"version":2}`), "t.json")
	if err != nil {
		t.Fatal(err)
	}
	if f.Spec != "backyard" || f.DisplayName() != "Tilde" || f.Counts().BookEntries != 1 || f.Counts().Examples != 1 || f.Counts().Greetings != 0 {
		t.Errorf("got %s, %q, %+v", f.Spec, f.DisplayName(), f.Counts())
	}
	s, _, err := f.Scene(card.PlayOptions{})
	if err != nil || s.Character.Profile != "Tilde shelves rain for User." || !strings.Contains(characters.SystemPrompt(s, characters.PromptOptions{}), "User: hi\nTilde: Shh.") {
		t.Errorf("got %+v, %v", s, err)
	}
}
