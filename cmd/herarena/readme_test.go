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

// inReadme are the groups a person needs first; docs/keys.md has all.
var inReadme = map[string]bool{
	"Everywhere": true, "Composer": true, "Vote (empty composer, both replies done)": true, "Anywhere on stage": true,
	"In a side": true, "In the verdict": true, "Casting": true,
}

func TestReadmeKeys(t *testing.T) {
	var first []keytable.Group
	for _, g := range tui.Groups() {
		if inReadme[g.Title] {
			first = append(first, g)
		}
	}
	if len(first) != len(inReadme) {
		t.Errorf("%d of the README's %d groups of keys are left", len(first), len(inReadme))
	}
	for path, table := range map[string]string{
		"../../README.md": keytable.Markdown(first), "../../docs/keys.md": keytable.MarkdownNamed(tui.Groups()),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		i, j := strings.Index(text, keysBegin), strings.Index(text, keysEnd)
		if i < 0 || j < i {
			t.Fatalf("%s has no key table between %q and %q", path, keysBegin, keysEnd)
		}
		want := text[:i+len(keysBegin)] + strings.TrimRight(table, "\n") + "\n" + text[j:]
		switch {
		case *update:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		case text != want:
			t.Errorf("the key table in %s is not the program's: run go test ./cmd/herarena -run TestReadmeKeys -update", path)
		}
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
