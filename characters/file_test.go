package characters_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"herarena/characters"
)

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const dock = `title = "The Dock"
scenario = """
Night.
unheard = "in a string"
"""
suggestions = ["Hello."]

[character]
name = "Mara"
profile = "A pilot."

[user]
name = "The Captain"

[[others]]
name = "Pell"

[[others]]
name = "Dace"
`

func TestBundledScenesSurviveBothFormats(t *testing.T) {
	t.Parallel()
	for _, want := range characters.Bundled() {
		want.Bundled = false
		var asTOML bytes.Buffer
		if err := toml.NewEncoder(&asTOML).Encode(want); err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"scene.toml": asTOML.String(), "scene.JSON": string(asJSON), "bom.json": "\ufeff" + string(asJSON)} {
			got, err := characters.Load(write(t, name, text))
			if err != nil {
				t.Fatalf("%s as %s: %v", want.ID, name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s (-want +got):\n%s", want.ID, name, diff)
			}
		}
	}
}

func TestLoadMakesAMissingID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, title, want string }{
		{"x.toml", "The Dock", "the-dock"},
		{"x.toml", "  It's -- 3 o'clock!  ", "its-3-oclock"},
		{"rain-house.toml", "雨夜茶馆", "rain-house"},
		{"x.toml", strings.Repeat("ab ", 60), strings.Repeat("ab-", 20) + "ab"},
	} {
		s, err := characters.Load(write(t, c.file, strings.Replace(dock, "The Dock", c.title, 1)))
		if err != nil || len(s.ID) > 64 || !strings.HasPrefix(s.ID, c.want) {
			t.Errorf("%s, %q: id %q, error %v; want %q", c.file, c.title, s.ID, err, c.want)
		}
	}
	_, err := characters.Load(write(t, "雨.toml", strings.Replace(dock, "The Dock", "雨", 1)))
	if err == nil || !strings.Contains(err.Error(), "id must be") {
		t.Errorf("a scene with nothing to make an id of gives %v", err)
	}
}

func TestLoadSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	asJSON := `{
 "title": "Dock",
 "scenario": "Night.",
 "character": {"name": "Mara",
  "profile": "A pilot."},
 "user": {"name": "The Captain"},
 "others": [
  {"name": "Pell"},
  {"name": "Dace"}
 ],
 "suggestions": ["Hello.",
  "Well?"]
}`
	swap := func(text, old, with string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the text", old)
		}
		return strings.Replace(text, old, with, 1)
	}
	for _, c := range []struct {
		name, file, text string
		line             int
		says             string
	}{
		{"unknown key", "a.toml", "colour = 1\n" + dock, 1, `unknown key "colour"`},
		{"unknown key in a table", "a.toml", swap(dock, "profile =", "age = 3\nprofile ="), 10, `unknown key "character.age"`},
		{"unknown key like a string", "a.toml", swap(dock, "[character]", "unheard = 1\n[character]"), 8, `unknown key "unheard"`},
		{"unknown table", "a.toml", dock + "[weather]\nrain = true\n", 20, `unknown key "weather`},
		{"syntax", "a.toml", swap(dock, `"A pilot."`, `"A pilot.`), 10, ""},
		{"a number for a text", "a.toml", swap(dock, `"The Dock"`, "3"), 1, "title"},
		{"missing field", "a.toml", swap(dock, `"A pilot."`, `""`), 10, "character.profile is missing"},
		{"two of a name", "a.toml", swap(dock, `"Dace"`, `"Pell"`), 19, "others[1].name"},
		{"empty", "a.toml", "", 0, "title is missing"},
		{"json unknown key", "a.json", swap(asJSON, `"profile"`, `"profil"`), 5, `unknown key "profil"`},
		{"json unknown key in a list", "a.json", swap(asJSON, `{"name": "Dace"}`, `{"name": "Dace", "x": 1}`), 9, `unknown key "x"`},
		{"json syntax", "a.json", swap(asJSON, `"Night.",`, `"Night."`), 4, "invalid character"},
		{"json wrong kind", "a.json", swap(asJSON, `"Night."`, `7`), 3, "scenario is a JSON number"},
		{"json cut off", "a.json", asJSON[:len(asJSON)-40], 10, "cut off"},
		{"json two of a name", "a.json", swap(asJSON, `"Dace"`, `"Pell"`), 9, "others[1].name"},
		{"json empty suggestion", "a.json", swap(asJSON, `"Well?"`, `""`), 12, "suggestions[1]"},
		{"json list", "a.json", "[]", 1, "a scene is an object"},
		{"json and more", "a.json", asJSON + "\n{}", 14, "after the end"},
		{"json empty", "a.json", "", 1, "ends too early"},
		{"not UTF-8", "a.toml", dock + "#\xff", 0, "UTF-8"},
		{"other ending", "a.yaml", "a: b", 0, ".toml nor .json"},
		{"too large", "a.toml", "#" + strings.Repeat("x", characters.MaxFile), 0, "4 MiB"},
		{"nested", "a.toml", "a = " + strings.Repeat("{a=", 1<<20), 1, "deep"},
		{"nested json", "a.json", strings.Repeat("[", 1<<20), 1, "max depth"},
		{"dotted", "a.toml", strings.Repeat("a.", 1<<20) + "a = 1", 1, "dots"},
		{"many tables", "a.toml", strings.Repeat("[[others]]\nname=\"a\"\n", 1<<17), 513, "256 tables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, c.file, c.text)
			began := time.Now()
			_, err := characters.Load(path)
			var f *characters.FileError
			if !errors.As(err, &f) {
				t.Fatalf("got %v, want a FileError", err)
			}
			if f.Path != path || c.line > 0 && f.Line != c.line || !strings.Contains(f.Err.Error(), c.says) {
				t.Errorf("got line %d, %q; want line %d, %q", f.Line, f.Err, c.line, c.says)
			}
			if c.line > 0 && !strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d: ", path, c.line)) {
				t.Errorf("error reads %q", err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a.toml")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none.toml"), "/dev/null"} {
		if _, err := characters.Load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s gives %v", path, err)
		}
	}
	_, err := characters.Load(filepath.Join(dir, "none.toml"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestLoadDirReadsWhatItCan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.toml":       strings.Replace(dock, "The Dock", "B", 1),
		"a.toml":       strings.Replace(dock, "The Dock", "A", 1),
		"again.toml":   strings.Replace(dock, "The Dock", "A", 1),
		"broken.json":  "{",
		"notes.md":     "not a scene",
		".hidden.toml": "broken",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	scenes, errs := characters.LoadDir(dir)
	var ids []string
	for _, s := range scenes {
		ids = append(ids, s.ID)
	}
	if diff := cmp.Diff([]string{"a", "b"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	if len(errs) != 2 || !strings.Contains(errs[0].Error(), "again.toml") || !strings.Contains(errs[1].Error(), "broken.json") {
		t.Errorf("errors are %v", errs)
	}
	if scenes, errs := characters.LoadDir(filepath.Join(dir, "none")); scenes != nil || errs != nil {
		t.Errorf("a missing directory gives %v, %v", scenes, errs)
	}
}
