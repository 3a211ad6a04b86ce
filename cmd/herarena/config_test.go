package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"herarena/cmd/herarena/internal/config"
)

func TestConfigShowHidesSecrets(t *testing.T) {
	home(t)
	path := configured(t, `
[endpoints.e]
url = "http://me:SECRET1@h:8000/v1?api_key=SECRET2"
[endpoints.e.headers]
X-Api-Key = "SECRET3"
Cookie = "SECRET4"
Authorization = "Bearer SECRET5"
User-Agent = "mine"
[endpoints.f]
urls = ["http://SECRET6@h/v1", "http://h/v1"]
key_env = "hf_SECRET7aaaaaaaaaaaaaa0"
extra_body = { api_key = "SECRET8", priority = 3 }
`)
	r := call(t, "", "config", "show", "--config", path)
	if r.code != exitOK || strings.Contains(r.out+r.err, "SECRET") {
		t.Errorf("config show gave %+v", r)
	}
	for _, want := range []string{"h:8000/v1", "X-Api-Key", "mine", "priority = 3", config.Hidden} {
		if !strings.Contains(r.out, want) {
			t.Errorf("config show lacks %q:\n%s", want, r.out)
		}
	}
	var again config.Config
	if err := toml.Unmarshal([]byte(r.out), &again); err != nil || len(again.Endpoints) != 2 {
		t.Errorf("what is shown is no configuration: %v", err)
	}
	for _, args := range [][]string{{"doctor"}, {"doctor", "f"}} {
		if r := call(t, "", append(args, "--config", path)...); strings.Contains(r.out+r.err, "SECRET") {
			t.Errorf("%v shows a secret: %+v", args, r)
		}
	}
}

func TestConfigNeverEchoesAKey(t *testing.T) {
	home(t)
	path := configured(t, "[endpoints.e]\nurl = \"http://h\"\nkey_env = \"sk-live-0123456789\"\n")
	for _, args := range [][]string{{"config", "show"}, {"doctor"}, {"say", "--contestant", "x", "hello"}} {
		r := call(t, "", append(args, "--config", path)...)
		if r.code != exitFailure || strings.Contains(r.out+r.err, "sk-live") || !strings.Contains(r.out+r.err, "takes the NAME of an environment variable") {
			t.Errorf("%v gave %+v", args, r)
		}
	}
}

func TestConfigSamplePrintsWhereAFileIs(t *testing.T) {
	home(t)
	path := configured(t, "a = \"mine\"\nretrys = 2\n")
	r := call(t, "", "config", "sample", "--config", path)
	if r.code != exitOK || r.out != config.Sample {
		t.Errorf("config sample gave %+v", r)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "a = \"mine\"\nretrys = 2\n" {
		t.Errorf("the file is %q, %v", data, err)
	}
	// What messages offer is there.
	if r := call(t, "", "config", "show", "--config", path); !strings.Contains(r.err, "herarena config sample") {
		t.Errorf("config show gave %+v", r)
	}
	if r := call(t, "", "config", "--help"); !strings.Contains(r.out, "sample") || !strings.Contains(r.out, "keys") {
		t.Errorf("config --help gave %+v", r)
	}
}

func TestTheSamplesKeysAreFree(t *testing.T) {
	open := regexp.MustCompile(`(?m)^# (\[keys\]|")`).ReplaceAllString(config.Sample, "$1")
	cfg, err := config.Parse([]byte(open))
	if err != nil || len(cfg.OwnKeys()) < 2 {
		t.Fatalf("keys %v, %v", cfg.OwnKeys(), err)
	}
	if _, err := keymap(cfg); err != nil {
		t.Error(err)
	}
}

func TestDoctorOfAServerWithoutModels(t *testing.T) {
	home(t)
	bare := &clinic{models: `{"object":"list","data":[]}`}
	r := call(t, "", "doctor", bare.start(t))
	if out := strings.Join(strings.Fields(r.out), " "); r.code != exitFailure || !strings.Contains(out, "no models") || !strings.Contains(out, "load a model on the server") || r.err != "" {
		t.Errorf("doctor gave %+v", r)
	}
}

func TestDoctorOfAKindThatIsNot(t *testing.T) {
	home(t)
	vllm := &clinic{models: clinicModels, page: `{"version":"0.11.0"}`, say: "one two three four five six seven"}
	path := configured(t, "[endpoints.e]\nurl = \""+vllm.start(t)+"\"\nkind = \"ollama\"\n")
	r := call(t, "", "doctor", "e", "--config", path)
	if out := strings.Join(strings.Fields(r.out), " "); !strings.Contains(out, "vllm 0.11.0 (configured as ollama)") || !strings.Contains(out, `Write kind = "vllm"`) {
		t.Errorf("doctor gave %+v", r)
	}
	if doc := document(t, call(t, "", "doctor", "e", "--config", path, "--json")); doc["endpoints"].([]any)[0].(map[string]any)["configured_kind"] != "ollama" {
		t.Errorf("doctor --json gave %v", doc)
	}
}

func TestDoctorNamesASettingOnce(t *testing.T) {
	home(t)
	path := configured(t, "[endpoints.e]\nurl = \"http://127.0.0.1:1/v1\"\nprefill = \"sometimes\"\n")
	r := call(t, "", "doctor", "e", "--config", path)
	if out := strings.Join(strings.Fields(r.out), " "); r.code != exitFailure || !strings.Contains(out, `endpoints.e: prefill is "sometimes"; want auto, off`) {
		t.Errorf("doctor gave %+v", r)
	}
}

func TestDoctorOfANameThatIsNone(t *testing.T) {
	home(t)
	path := configured(t, "[endpoints.policy]\nurl = \"http://127.0.0.1:1/v1\"\n")
	r := call(t, "", "doctor", "polcy", "--config", path)
	if out := strings.Join(strings.Fields(r.out), " "); r.code != exitFailure || !strings.Contains(out, `no endpoint is called "polcy"`) || !strings.Contains(out, "policy") {
		t.Errorf("doctor gave %+v", r)
	}
}
