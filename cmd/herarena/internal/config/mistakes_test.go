package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMistakesAreToldInTheWordsOfTheFile(t *testing.T) {
	const e = "[endpoints.e]\nurl = \"http://h\"\n"
	for name, tc := range map[string]struct{ text, want string }{
		"time as number":  {e + "idle_timeout = 30\n", `line 3, column 16: endpoints.e.idle_timeout wants text such as "30s", not a whole number`},
		"clock":           {e + "first_byte_timeout = 00:02:00\n", `endpoints.e.first_byte_timeout wants text such as "30s", not a local time`},
		"number as text":  {e + "retries = \"two\"\n", "endpoints.e.retries wants a whole number, not text"},
		"fraction":        {e + "retries = 2.5\n", "endpoints.e.retries wants a whole number, not a fraction"},
		"list for text":   {"[endpoints.e]\nurl = [\"a\"]\n", "endpoints.e.url wants text in quotes, not a list"},
		"text for list":   {"[endpoints.e]\nurls = \"a\"\n", "endpoints.e.urls wants a list of texts"},
		"number in list":  {"[endpoints.e]\nurls = [1]\n", "endpoints.e.urls wants a list of texts such as"},
		"header":          {e + "headers = { X = 5 }\n", "endpoints.e.headers wants a table of texts"},
		"extra_body":      {e + "extra_body = \"x\"\n", "endpoints.e.extra_body wants a table, not text"},
		"inline sampling": {"[contestants.c]\nsampling = { temperature = \"hot\" }\n", "contestants.c.sampling.temperature wants a number, not text"},
		"stop":            {"[contestants.c.sampling]\nstop = [1]\n", "contestants.c.sampling.stop wants a list of texts"},
		"thinking":        {"[contestants.c.sampling]\nthinking = \"no\"\n", "contestants.c.sampling.thinking wants true or false, not text"},
		"no table":        {"[endpoints]\ne = 3\n", "endpoints.e wants a table, not a whole number"},
		"two brackets":    {"[[endpoints]]\nurl = \"x\"\n", "write [endpoints.NAME] with single brackets"},
		"blind":           {"blind = \"yes\"\n", "blind wants true or false, not text"},

		"typo":             {e + "retrys = 2\n", `unknown key "endpoints.e.retrys": did you mean retries?`},
		"typo at the root": {"blnd = true\n", `unknown key "blnd": did you mean blind? (herarena config sample prints all that there are)`},
		"typo in sampling": {"[contestants.c.sampling]\ntemprature = 1\n", "did you mean temperature?"},
		"other program":    {"[endpoints.e]\nbase_url = \"http://h\"\n", "did you mean url?"},
		"like nothing":     {e + "zzzzzzzz = 2\n", `unknown key "endpoints.e.zzzzzzzz" (herarena config sample prints`},
		"key":              {e + "key = \"SECRET\"\n", "use key_env"},
		"api_key":          {e + "api_key = \"SECRET\"\n", "key_file"},
		"token":            {e + "Token = \"SECRET\"\n", "use key_env"},

		"negative retries": {e + "retries = -1\n", "endpoints.e.retries = -1 is below 0"},
		"negative timeout": {e + "idle_timeout = \"-5s\"\n", `endpoints.e.idle_timeout = "-5s" is not longer than 0`},
		"no unit":          {e + "first_byte_timeout = \"30\"\n", `endpoints.e.first_byte_timeout = "30" is not a time such as`},
		"negative words":   {"word_limit = -3\n", "word_limit = -3 is below 0"},
		"examples":         {"examples = \"turn\"\n", "examples = \"turn\" is unknown (want text, turns or off)"},
		"lore share":       {"lore_share = 0\n", "lore_share = 0 is no share of a context"},
		"negative context": {good + "[contestants.d]\nendpoint = \"e\"\nmodel = \"m\"\ncontext = -1\n", "contestants.d.context = -1 is below 0"},
		"negative tokens":  {good + "[contestants.d]\nendpoint = \"e\"\nmodel = \"m\"\nsampling = { max_tokens = -1 }\n", "contestants.d.sampling.max_tokens = -1 is below 0"},
		"key in key_env":   {e + "key_env = \"sk-live-SECRET\"\n", "endpoints.e.key_env takes the NAME of an environment variable"},
		"dollar":           {e + "key_env = \"${VLLM_KEY}\"\n", `write key_env = "VLLM_KEY"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error = %v\nwant one with %s", err, tc.want)
			}
			for _, bad := range []string{"SECRET", "struct", "config.", "float64", "[]string", "interface"} {
				if strings.Contains(err.Error(), bad) && !strings.Contains(tc.want, bad) {
					t.Errorf("error %q holds %q", err, bad)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{Sample, good, "[endpoints.e]\nkey = 1\n", "[keys]\n\"a\" = 1\n", "[[endpoints]]\n", "endpoints.e.headers.x = []\n", "a.b.c.d = 1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse([]byte(text))
		if err == nil {
			c.Shown()
		} else if err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

func TestAKeyInTheWrongPlaceIsNeverEchoed(t *testing.T) {
	for _, key := range []string{"sk-live-0123456789", "hf_AbCdEf0123456789AbCdEf", "gsk_0123456789abcdef", "AKIA0123456789ABCDEF", "eyJhbGciOi.J9.x-y", "abcdef0123456789abcdef"} {
		for field, e := range map[string]Endpoint{"key_env": {KeyEnv: key}, "key_file": {KeyFile: key}} {
			_, err := e.Key()
			if err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), field) {
				t.Errorf("%s = %q gives %v", field, key, err)
			}
			e.URL = "http://h"
			shown := Config{Endpoints: map[string]Endpoint{"e": e}}.Shown().Endpoints["e"]
			if shown.KeyEnv == key || shown.KeyFile == key {
				t.Errorf("%s = %q is shown", field, key)
			}
		}
	}
	t.Setenv("my_key", "x")
	for _, name := range []string{"VLLM_API_KEY", "KEY", "my_key"} {
		if !speakable(name) {
			t.Errorf("the name %s is hidden", name)
		}
	}
}

func TestKeyFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	for name, tc := range map[string]struct{ text, want string }{
		"empty": {" \n", "is empty"}, "lines": {"a\nb\n", "several lines"}, "named": {"KEY = sk-SECRET", "the key alone"},
		"binary": {"sk\x00SECRET", "the key alone"}, "large": {strings.Repeat("k", maxKey+1), "larger than 64 KiB"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Endpoint{KeyFile: path}.Key()
		if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (Endpoint{KeyFile: dir}).Key(); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := (Endpoint{KeyFile: filepath.Join(dir, "none")}).Key(); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("no file: %v", err)
	}
}

func TestShownHidesWhatMayBeSecret(t *testing.T) {
	secret := Endpoint{
		URLs:    []string{"http://me:SECRET@h/v1", "http://h/v1"},
		Headers: map[string]string{"X-Api-Key": "SECRET", "cookie": "SECRET", "X-Tenant": "SECRET", "user-agent": "mine"},
		ExtraBody: map[string]any{
			"api_key": "SECRET", "priority": 7, "max_tokens": 5, "nested": []any{map[string]any{"hf_token": "SECRET", "x": 1}},
		},
		KeyEnv: "VLLM_API_KEY",
	}
	c := Config{Endpoints: map[string]Endpoint{"e": secret}}
	want := Endpoint{
		URLs:      []string{"http://(hidden)@h/v1", "http://h/v1"},
		Headers:   map[string]string{"X-Api-Key": Hidden, "cookie": Hidden, "X-Tenant": Hidden, "user-agent": "mine"},
		ExtraBody: map[string]any{"api_key": Hidden, "priority": 7, "max_tokens": 5, "nested": []any{map[string]any{"hf_token": Hidden, "x": 1}}},
		KeyEnv:    "VLLM_API_KEY",
	}
	if d := cmp.Diff(want, c.Shown().Endpoints["e"]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if secret.Headers["cookie"] != "SECRET" || secret.URLs[0] != "http://me:SECRET@h/v1" {
		t.Error("the configuration itself was changed")
	}
}

func TestShownURL(t *testing.T) {
	for given, want := range map[string]string{
		"": "", "http://h:8000/v1": "http://h:8000/v1", "h:8000": "h:8000", "http://h/v1?key=SECRET": "http://h/v1?(hidden)",
		"http://h/v1#SECRET": "http://h/v1?(hidden)", "SECRET:SECRET@h/v1": "(hidden)@h/v1", "http://me:SE/CRET@h": Hidden,
		"http://me:12?SECRET@h": Hidden, "http://h/v1?mail=SECRET@x": Hidden, "https://SECRET@h/v1/?x=SECRET": "https://(hidden)@h/v1/?(hidden)",
		"http://%zz": Hidden,
	} {
		got := shownURL(given)
		if got != want || strings.Contains(got, "SECRET") {
			t.Errorf("shownURL(%q) = %q, want %q", given, got, want)
		}
	}
}
