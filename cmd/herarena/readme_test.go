package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"herarena/tui"
	keytable "herarena/tui/keys"
)

var update = flag.Bool("update", false, "renew the parts of the README that are made from the program")

const (
	keysBegin = "<!-- keys:begin (made by go test ./cmd/herarena -run TestReadmeKeys -update) -->\n"
	keysEnd   = "<!-- keys:end -->"
)

func TestReadmeKeys(t *testing.T) {
	const path = "../../README.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	i, j := strings.Index(text, keysBegin), strings.Index(text, keysEnd)
	if i < 0 || j < i {
		t.Fatalf("README.md has no key table between %q and %q", keysBegin, keysEnd)
	}
	want := text[:i+len(keysBegin)] + strings.TrimRight(keytable.Markdown(tui.Groups()), "\n") + "\n" + text[j:]
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != want {
		t.Error("the key table in README.md is not the program's: run go test ./cmd/herarena -run TestReadmeKeys -update")
	}
}

func TestReadmeNamesEveryCommandAndTheTwoFirst(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	head := strings.Join(strings.SplitN(text, "\n", 20)[:19], "\n")
	for _, want := range []string{"go run ./cmd/herarena", "go test ./..."} {
		if !strings.Contains(head, want) {
			t.Errorf("the README's first screen lacks %q", want)
		}
	}
	for _, c := range (&app{}).root().Commands() {
		if !strings.Contains(text, "`herarena "+c.Name()) {
			t.Errorf("the README does not name herarena %s", c.Name())
		}
	}
}
