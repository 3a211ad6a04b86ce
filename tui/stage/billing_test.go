package stage

import (
	"strings"
	"testing"

	"herarena/arena"
)

func TestBlindMessagesTellNoHost(t *testing.T) {
	t.Parallel()
	b := billing{blind: true, contestants: [2]arena.Contestant{
		{Name: "her", Model: "Org/HER-32B", Endpoint: "http://gpu7.lab.example:8000/v1"},
		{Name: "base", Model: "qwen3", Endpoint: "http://127.0.0.1:9999/v1"},
	}}
	for message, want := range map[string]string{
		"connection to GPU7.lab.example:8000 refused":        "connection to the model refused",
		"dial tcp: lookup gpu7.lab.example: no such host":    "dial tcp: lookup the model: no such host",
		"dial tcp 127.0.0.1:9999: refused":                   "dial tcp the model: refused",
		"http://gpu7.lab.example:8000/v1/chat is not there":  "the model/chat is not there",
		"the model HER-32B has no such thing, and her is it": "the model the model has no such thing, and the model is it",
		"there and others gather here":                       "there and others gather here",
	} {
		if got := b.veil(&turn{}, message); got != want {
			t.Errorf("%q is told as %q, want %q", message, got, want)
		}
	}
	b.revealed = true
	if got := b.veil(&turn{}, "gpu7.lab.example"); !strings.Contains(got, "gpu7") {
		t.Errorf("with the names shown: %q", got)
	}
}
