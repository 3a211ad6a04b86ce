package main

import (
	"strings"
	"testing"
)

// TestDuelsLeftAtOnceAreListedWhenAskedFor leaves a duel before its first line:
// the list says that it is there, and shows it with --unplayed.
func TestDuelsLeftAtOnceAreListedWhenAskedFor(t *testing.T) {
	home(t)
	for _, lines := range []string{"Good evening.\n", "", ""} {
		if r := call(t, lines, "--plain", "--scene", "ball", "--pace", "-1"); r.code != exitOK {
			t.Fatalf("%+v", r)
		}
	}
	count := func(args ...string) int {
		r := call(t, "", append([]string{"log", "list", "--json"}, args...)...)
		if r.code != exitOK {
			t.Fatalf("%+v", r)
		}
		return strings.Count(r.out, "\n")
	}
	if n := count(); n != 1 {
		t.Errorf("%d duels are listed", n)
	}
	if n := count("--unplayed"); n != 3 {
		t.Errorf("%d duels are listed with --unplayed", n)
	}
	if n := count("--unplayed", "--limit", "2"); n != 2 {
		t.Errorf("%d duels of 2 are listed", n)
	}
	if r := call(t, "", "log", "list"); !strings.Contains(r.err, "2 duels left before the first line not listed; --unplayed lists all") {
		t.Errorf("it is not said: %q", r.err)
	}
}
