package principles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/judge/principles"
)

func TestOurSetIsWhole(t *testing.T) {
	list := principles.Ours()
	if len(list) != 107 {
		t.Errorf("%d principles, want 107", len(list))
	}
	byDimension, definitions := map[string]int{}, map[string]bool{}
	for _, p := range list {
		byDimension[p.Dimension]++
		if definitions[p.Definition] {
			t.Errorf("the definition of %q stands there twice", p.Name)
		}
		definitions[p.Definition] = true
		if len(p.Definition) < 40 || !strings.HasSuffix(p.Definition, ".") {
			t.Errorf("%q is defined as %q", p.Name, p.Definition)
		}
	}
	for _, d := range principles.Dimensions() {
		if n := byDimension[d.Name]; n < 8 {
			t.Errorf("%s has %d principles, want at least 8", d.Name, n)
		}
		delete(byDimension, d.Name)
	}
	if len(byDimension) > 0 {
		t.Errorf("unknown dimensions %v", byDimension)
	}
	for _, p := range list {
		if want := principles.Polarity(p.Dimension, ""); p.Polarity != want {
			t.Errorf("%q is %s, its dimension %s", p.Name, p.Polarity, want)
		}
	}
	list[0].Name = "changed"
	if principles.Ours()[0].Name == "changed" {
		t.Error("the slice is shared")
	}
}

func TestAListOfOnesOwn(t *testing.T) {
	read := func(text string) ([]principles.Principle, error) {
		path := filepath.Join(t.TempDir(), "p.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return principles.LoadList(path)
	}
	const one = `principles = [ { name = "N", level = "session", definition = "D." } ]`
	got, err := read("\uFEFF[[dimension]]\nname = \"OOC\"\n" + one + "\n[[dimension]]\nname = \"Wit\"\npolarity = \"Positive\"\n" + strings.Replace(one, "N", "M", 1))
	if err != nil {
		t.Fatal(err)
	}
	want := []principles.Principle{
		{Name: "N", Dimension: "Out of character", Polarity: "negative", Level: "session", Definition: "D."},
		{Name: "M", Dimension: "Wit", Polarity: "positive", Level: "session", Definition: "D."},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
	}
	for text, say := range map[string]string{
		"":                                      "no principles",
		"[[dimension]]\nname = \"OOC\"\n":       "no principles",
		"[[dimension]]\n" + one:                 "dimension 1 has no name",
		"[[dimension]]\nname = \"Wit\"\n" + one: `"Wit" needs polarity`,
		"[[dimension]]\nname = \"OOC\"\nprinciples = [{ name = \"N\", level = \"x\", definition = \"D\" }]": `level "x"`,
		"[[dimension]]\nname = \"OOC\"\nprinciples = [{ name = \"N\", level = \"session\" }]":               "no definition",
		"[[dimension]]\nname = \"OOC\"\nprinciples = [{ level = \"session\", definition = \"D\" }]":         "principle 1",
		"[[dimension]]\nname = \"OOC\"\nweight = 3\n" + one:                                                 "unknown key",
		"[[dimension]]\nname = \"OOC\"\n" + one + "\n[[dimension]]\nname = \"Logic\"\n" + one:               "two principles",
		"[[dimension": "p.toml",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), say) || !strings.Contains(err.Error(), "p.toml") {
			t.Errorf("%q: error %v, want one with %q", text, err, say)
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		if _, err := principles.LoadList(path); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}
