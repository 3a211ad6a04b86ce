package endpoint

import (
	"strings"
	"testing"
)

func TestRepairs(t *testing.T) {
	for given, want := range map[string]string{
		"http://h:8000/v1":              "",
		"https://openrouter.ai/api/v1":  "",
		" http://h:8000/v1\n":           "",
		"h:8000/v1":                     "http://h:8000/v1: added http://",
		"api.together.xyz/v1":           "https://api.together.xyz/v1: added https://",
		"http://h:8000":                 "http://h:8000/v1: added /v1",
		"http://h:8000/":                "http://h:8000/v1: added /v1",
		"http://h:8000/v1//":            "http://h:8000/v1: took off slashes",
		"http://h:8000//v1":             "http://h:8000/v1: took off slashes",
		`"http://h/v1"`:                 "http://h/v1: took off the quotes",
		"<http://h/v1>":                 "http://h/v1: took off the quotes",
		"h":                             "http://h/v1: added http://, added /v1",
		"http://h/v1/chat/completions":  "http://h/v1: took off /chat/completions",
		"http://h/v1/chat/completions/": "http://h/v1: took off slashes, took off /chat/completions",
		"http://h/v1/completions":       "http://h/v1: took off /completions",
		"http://h/v1/models":            "http://h/v1: took off /models",
		"http://h/chat/completions":     "http://h/v1: took off /chat/completions, added /v1",
		"http://h/v1/chat/completions/chat/completions": "http://h/v1: took off /chat/completions, took off /chat/completions",
		"http://h/v1/v1": "http://h/v1: took off a second /v1",
		"http://h/v1/chat/completions/v1/chat/completions": "http://h/v1: took off /chat/completions, took off a second /v1, took off /chat/completions",
		"http://h/v1?api-version=1&key=secret":             "http://h/v1: left out what follows the path",
		"http://h/v1#model":                                "http://h/v1: left out what follows the path",
		"http://http://h/v1":                               "http://h/v1: took off a doubled http://",
		"http:/h:8000/v1":                                  "http://h:8000/v1: wrote :// behind the scheme",
		"HTTPS//h.example/v1":                              "https://h.example/v1: wrote :// behind the scheme",
		"http:h:8000/v1":                                   "http://h:8000/v1: wrote :// behind the scheme",
		"http:127.0.0.1:8000/v1":                           "http://127.0.0.1:8000/v1: wrote :// behind the scheme",
		"http:8000/v1":                                     "http://http:8000/v1: added http://",
		"//h:8000/v1":                                      "http://h:8000/v1: added http://",
		"://h:8000/v1":                                     "http://h:8000/v1: added http://",
		"htpp://h/v1":                                      "http://h/v1: took http:// for htpp://",
		"ttp://h/v1":                                       "http://h/v1: took http:// for ttp://",
		"hhttp://h/v1":                                     "http://h/v1: took http:// for hhttp://",
		"HTTSP://h/v1":                                     "https://h/v1: took https:// for httsp://",
		"ttps://h/v1":                                      "https://h/v1: took https:// for ttps://",
		"httpss://h/v1":                                    "https://h/v1: took https:// for httpss://",
		"sftp://h":                                         "",
		"ws://h":                                           "",
		"smtp://h":                                         "",
		"tcp://h":                                          "",
		"http://0.0.0.0:8000/v1":                           "http://127.0.0.1:8000/v1: took 127.0.0.1 for 0.0.0.0",
		"http://h:11434/api/chat":                          "http://h:11434/v1: took off /api/chat, added /v1",
		"http://user:hunter2hunter2@h:8000/v1/models":             "http://h:8000/v1: took off /models",
		"https://generativelanguage.googleapis.com/v1beta/openai": "",
		"ftp://h": "",
		"":        "",
	} {
		if want != "" {
			want = "the address was put right to " + want
		}
		got := repairs(given)
		if got != want {
			t.Errorf("repairs(%q)\n got %q\nwant %q", given, got, want)
		}
		if strings.Contains(got, "secret") || strings.Contains(got, "hunter2") {
			t.Errorf("repairs(%q) shows a secret: %s", given, got)
		}
	}
}

func TestClientSaysWhatItRepaired(t *testing.T) {
	c := newClient(t, Config{BaseURL: "127.0.0.1:8000/v1/chat/completions"})
	if got := c.Repaired(); !strings.Contains(got, "http://127.0.0.1:8000/v1") || !strings.Contains(got, "/chat/completions") {
		t.Errorf("repaired %q", got)
	}
	if got := newClient(t, Config{BaseURL: "http://127.0.0.1:8000/v1"}).Repaired(); got != "" {
		t.Errorf("a right address was repaired: %q", got)
	}
}

func TestAddressErrorsHoldNoSecret(t *testing.T) {
	for _, given := range []string{
		"http://user:hunter2@h:99999/v1", "http://h:99999/v1?api_key=hunter2", "ftp://user:hunter2@h", "http://?key=hunter2",
		"http://h h/?key=hunter2", "http://h h/#hunter2", "http://h h/?a@hunter2", "user:hunter2@ftp://h",
	} {
		if _, err := readAddress(given); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("readAddress(%q) gives %v", given, err)
		}
	}
}

func FuzzReadAddress(f *testing.F) {
	for _, seed := range []string{"http://h/v1", "h:1", "http://[::1]:8/v1/chat/completions?x#y", "http:/h", "'\"", "http://http://http://", "a@b@c/v1", "//", ":", "http://%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		a, err := readAddress(given)
		if err != nil {
			if a.url != "" {
				t.Fatalf("%q gave both %q and %v", given, a.url, err)
			}
			return
		}
		again, err := readAddress(a.url)
		if err != nil || again.url != a.url {
			t.Fatalf("%q gave %q, which gives %q, %v", given, a.url, again.url, err)
		}
		if len(again.put) > 0 {
			t.Fatalf("%q gave %q, of which this was put right: %q", given, a.url, again.put)
		}
	})
}
