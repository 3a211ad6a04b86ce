package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keysWith runs config keys on a configuration.
func keysWith(t *testing.T, toml string, args ...string) (out, errs string, code int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	r := call(t, "", append([]string{"--config", path, "config", "keys"}, args...)...)
	return r.out, r.err, r.code
}

func TestConfigKeysPrintsTheMapInForce(t *testing.T) {
	out, errs, code := keysWith(t, `keys_preset = "emacs"
[keys]
"stage.regenerate.both" = ["ctrl+r", "f10"]
stage.canon.next = ""
`, "--json")
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d, stderr %q", code, errs)
	}
	var doc struct {
		Keys []keyLine `json:"keys"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, k := range doc.Keys {
		if k.Action == "" || k.Does == "" || k.Keys == nil || k.Default == nil {
			t.Errorf("incomplete: %+v", k)
		}
		got[k.Action] = strings.Join(k.Keys, " ") + " | " + strings.Join(k.Default, " ")
	}
	for action, want := range map[string]string{
		"stage.regenerate.both": "ctrl+r f10 | ctrl+r", "stage.canon.next": " | ctrl+o", "app.palette": "alt+x | ctrl+p :", "stage.back": "esc ctrl+g | esc", "stage.send": "enter | enter",
	} {
		if got[action] != want {
			t.Errorf("%s is on %q, want %q", action, got[action], want)
		}
	}
}

func TestConfigKeysNamesTheLineOfAFault(t *testing.T) {
	for _, c := range []struct{ toml, line, say string }{
		{"theme = \"paper\"\n[keys]\n\"stage.sned\" = \"f5\"\n", "line 3", `did you mean "stage.send"?`},
		{"[keys.stage]\nsend = \"ctrl+c\"\n", "line 2", "always stops"},
		{"keys.stage.board = \"b\"\n", "line 1", "writes text"},
		{"[keys]\n# comment\n'stage.board' = 'ctrl+r'\n", "line 3", "also the key of stage.regenerate"},
		{"[keys]\n\"board.sort\" = \"hyper+s\"\n", "line 2", "not sent alike"},
		{"[keys]\n\"board.sort\" = 3\n", `keys."board.sort"`, "is no key"},
		{"keys_preset = \"ed\"\n", "keys_preset", "want default, vi, emacs"},
		{"theme = \"plaid\"\n", "theme", "want footlights, velvet"},
		{"background = \"beige\"\n", "background", "want auto, dark, light"},
		{"synchronized_output = \"maybe\"\n", "synchronized_output", "want auto, on, off"},
	} {
		_, errs, code := keysWith(t, c.toml)
		if code != exitFailure || !strings.Contains(errs, c.line) || !strings.Contains(errs, c.say) {
			t.Errorf("%q: exit %d, %q lacks %q or %q", c.toml, code, errs, c.line, c.say)
		}
	}
}
