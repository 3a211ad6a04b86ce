package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const good = `
a = "her"
canon = "critic"
[endpoints.e]
url = "http://127.0.0.1:8000/v1"
key_env = "HERARENA_TEST_KEY"
[contestants.her]
endpoint = "e"
model = "m"
dialect = "her"
sampling = { temperature = 0.0, max_tokens = 64 }
[critics.rm]
endpoint = "e"
model = "rm"
context_form = "ids"
`

func TestParseReadsEveryTable(t *testing.T) {
	c, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	her := c.Contestants["her"]
	if her.Sampling.Temperature == nil || *her.Sampling.Temperature != 0 || her.Sampling.MaxTokens != 64 {
		t.Errorf("sampling = %+v, want a literal zero temperature and 64 tokens", her.Sampling)
	}
	if c.Critics["rm"].ContextForm != "ids" || c.Canon != "critic" || c.A != "her" {
		t.Errorf("config = %+v", c)
	}
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"unknown key":      {"a = \"x\"\nblnd = true\n", "line 2: unknown key \"blnd\""},
		"nested unknown":   {"[endpoints.e]\nurl = \"http://x\"\nkeyenv = \"K\"\n", "line 3: unknown key \"endpoints.e.keyenv\""},
		"syntax":           {"a = \n", "line 1"},
		"wrong type":       {"blind = \"yes\"\n", "line 1"},
		"canon":            {"canon = \"coin\"\n", "canon = \"coin\""},
		"url and urls":     {"[endpoints.e]\nurl = \"http://a\"\nurls = [\"http://b\"]\n", "endpoints.e has both url and urls"},
		"no url":           {"[endpoints.e]\nkind = \"vllm\"\n", "endpoints.e has no url"},
		"unknown endpoint": {"[contestants.c]\nendpoint = \"x\"\nmodel = \"m\"\n", "contestants.c.endpoint = \"x\""},
		"no model":         {"[contestants.c]\nendpoint = \"x\"\n", "contestants.c has no model"},
		"dialect":          {good + "[contestants.d]\nendpoint = \"e\"\nmodel = \"m\"\ndialect = \"latin\"\n", "contestants.d.dialect"},
		"context form":     {good + "[critics.s]\nendpoint = \"e\"\nmodel = \"m\"\ncontext_form = \"prose\"\n", "critics.s.context_form"},
		"house":            {good + "[critics.house]\nendpoint = \"e\"\nmodel = \"m\"\n", "critics.house"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error = %v, want one with %q", err, tc.want)
			}
		})
	}
}

func TestLoadMissingFile(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "none.toml")
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error = %v, want one that names %s", err, path)
	}
}

func TestSampleIsValidWithAndWithoutItsComments(t *testing.T) {
	if _, err := Parse([]byte(Sample)); err != nil {
		t.Fatalf("as written: %v", err)
	}
	// Each commented setting must be one that the program knows.
	open := regexp.MustCompile(`(?m)^# ([a-z_]+ = |\[)`).ReplaceAllString(Sample, "$1")
	// One of two ways to write the same thing.
	open = regexp.MustCompile(`(?m)^urls = .*\n`).ReplaceAllString(open, "")
	c, err := Parse([]byte(open))
	if err != nil {
		t.Fatalf("uncommented: %v", err)
	}
	if len(c.Contestants) != 2 || len(c.Endpoints) != 3 || len(c.Critics) != 2 {
		t.Errorf("uncommented sample has %d contestants, %d endpoints, %d critics", len(c.Contestants), len(c.Endpoints), len(c.Critics))
	}
}

func TestSampleHoldsEveryKey(t *testing.T) {
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Map || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			key := keyOf(f)
			if key == "" {
				continue
			}
			if !regexp.MustCompile(`(?m)(^# |[{,] ?|\[)` + key + `( = |\.|\])`).MatchString(Sample) {
				t.Errorf("the sample lacks %s of %s", key, typ.Name())
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[Config]())
}

func TestKeyComesFromEnvironmentOrFile(t *testing.T) {
	t.Setenv("HERARENA_TEST_KEY", " sk-1\n")
	if key, err := (Endpoint{KeyEnv: "HERARENA_TEST_KEY"}).Key(); err != nil || key != "sk-1" {
		t.Errorf("key = %q, %v", key, err)
	}
	if _, err := (Endpoint{KeyEnv: "HERARENA_TEST_UNSET"}).Key(); err == nil || !strings.Contains(err.Error(), "HERARENA_TEST_UNSET") {
		t.Errorf("error = %v, want one that names the variable", err)
	}
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk-2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := (Endpoint{KeyFile: file}).Key(); err != nil || key != "sk-2" {
		t.Errorf("key = %q, %v", key, err)
	}
	if _, err := (Endpoint{KeyFile: file + "x"}).Key(); err == nil {
		t.Error("a missing key file gave no error")
	}
}
