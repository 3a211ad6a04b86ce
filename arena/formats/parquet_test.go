package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/arena"
)

// TestParquetHoldsTheSameRows writes each data set as Parquet, reads that in a
// ledger of its own, and compares what both ledgers give as JSON Lines.
func TestParquetHoldsTheSameRows(t *testing.T) {
	for _, f := range All() {
		if !f.Parquet {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			first := open(t)
			take(t, first, f.Name, sampleOf(t, f.Name))
			prompt := func(arena.Case) string { return "" }
			want, _ := give(t, first, f.Name, ExportOptions{All: true, Prompt: prompt})
			packed, report := give(t, first, f.Name, ExportOptions{All: true, Parquet: true, Prompt: prompt})
			if report.Rows == 0 || !strings.HasPrefix(packed, parquetMagic) {
				t.Fatalf("%d rows: %.20q", report.Rows, packed)
			}
			path := filepath.Join(t.TempDir(), "set.parquet")
			if err := os.WriteFile(path, []byte(packed), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			var lines bytes.Buffer
			got, err := Import(t.Context(), "auto", file, &lines, ImportOptions{Now: noon})
			if err != nil || got.Format != f.Name || got.Rows != report.Rows {
				t.Fatalf("%+v %v", got, err)
			}
			second := open(t)
			if _, err := second.Import(t.Context(), &lines); err != nil {
				t.Fatal(err)
			}
			again, _ := give(t, second, f.Name, ExportOptions{All: true, Prompt: prompt})
			if f.Name == "lmarena-55k" {
				if want != again {
					t.Errorf("%s\n%s", want, again)
				}
				return
			}
			if f.Name == "lmarena-140k" {
				// Categories have no column.
				at, to := strings.Index(want, `"category_tag":`), strings.Index(want, `"language":`)
				want = want[:at] + `"category_tag":null,` + want[to:]
			}
			same(t, f.Name, []byte(want), []byte(again))
		})
	}
}

func TestDamagedParquetIsAnError(t *testing.T) {
	l := open(t)
	take(t, l, "trl-preference", sampleOf(t, "trl-preference"))
	packed, _ := give(t, l, "trl-preference", ExportOptions{Parquet: true})
	for at := 4; at < len(packed); at += 7 {
		broken := []byte(packed)
		broken[at] ^= 0xff
		var lines bytes.Buffer
		// Any outcome but a panic or a hang: a flipped letter is still a letter.
		_, _ = Import(t.Context(), "auto", bytes.NewReader(broken), &lines, ImportOptions{})
	}
	if _, err := Import(t.Context(), "auto", bytes.NewReader([]byte(packed[:40])), &bytes.Buffer{}, ImportOptions{}); err == nil || !strings.Contains(err.Error(), "Parquet") {
		t.Error(err)
	}
	if _, err := Import(t.Context(), "mtbench", bytes.NewReader([]byte(packed)), &bytes.Buffer{}, ImportOptions{}); err == nil || !strings.Contains(err.Error(), "does not stand in Parquet") {
		t.Error(err)
	}
}
