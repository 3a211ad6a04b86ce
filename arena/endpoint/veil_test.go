package endpoint

import (
	"strings"
	"testing"
)

func TestVeilTakesKeysOutWhereverTheTextIsCut(t *testing.T) {
	const key = "sk-CANARY12345"
	text := "your key is Bearer " + key + " and sk-CAN is not; " + key[:6] + key + "."
	want := strings.ReplaceAll(text, key, "[key]")
	for cut := range len(text) + 1 {
		for next := cut; next <= len(text); next++ {
			v := newVeil([]string{key, "none"})
			got := v.pass(text[:cut]) + v.pass(text[cut:next]) + v.pass(text[next:]) + v.flush()
			if got != want {
				t.Fatalf("cut at %d and %d: %q, want %q", cut, next, got, want)
			}
		}
	}
}

func TestVeilLeavesWordsAlone(t *testing.T) {
	v := newVeil([]string{"none", "EMPTY"})
	if got := v.pass("none of it is EMPTY"); got != "none of it is EMPTY" {
		t.Errorf("got %q", got)
	}
}
