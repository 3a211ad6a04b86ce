package formats

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/formats.md")

// TestTheTableOfFormats keeps docs/formats.md the program's own.
func TestTheTableOfFormats(t *testing.T) {
	const path = "../../docs/formats.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, f := range All() {
		out, in := f.LostOut, f.LostIn
		if out == "" {
			out = "nothing"
		}
		if in == "" {
			in = "nothing"
		}
		name := "`" + f.Name + "`"
		if f.Parquet {
			name += " ᴾ"
		}
		fmt.Fprintf(&want, "| %s | %s | %s | %s | %s |\n", name, f.Title, f.Holds, out, in)
	}
	head, rest, ok := strings.Cut(string(raw), "|---|---|---|---|---|\n")
	if !ok {
		t.Fatal("the table is gone")
	}
	_, tail, _ := strings.Cut(rest, "\n\n")
	whole := head + "|---|---|---|---|---|\n" + want.String() + "\n" + tail
	if *update {
		if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if whole != string(raw) {
		t.Error("the table of docs/formats.md is not the program's: run go test ./arena/formats -run TestTheTableOfFormats -update")
	}
}
