package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSamplesOfKeysInTheDocsAreTaken: what the documents show can be written.
func TestSamplesOfKeysInTheDocsAreTaken(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```")
	found := 0
	for _, name := range []string{"README.md", "docs/keys.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(block[1], "[keys]") {
				continue
			}
			found++
			home(t)
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(block[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			if r := call(t, "", "--config", path, "config", "keys"); r.code != exitOK {
				t.Errorf("%s shows keys that are refused: %s", name, r.err)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d samples of keys were found", found)
	}
}
