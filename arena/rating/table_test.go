package rating

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestSlicesOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "battles_10k.csv")
	for by, want := range map[By]int{ByLanguage: 3, ByTurn: 6, ByDimension: 6} {
		s := NewSlicer(by, Options{Brief: true})
		if _, err := Each(path, ReadOptions{By: by}, s.Add); err != nil {
			t.Fatal(err)
		}
		b := s.Board(Options{Brief: true})
		total := 0
		for i, part := range b.Slices {
			total += part.Battles
			if part.By != string(by) || by != ByTurn && i > 0 && part.Battles > b.Slices[i-1].Battles {
				t.Errorf("%s %s at %d", part.By, part.Value, i)
			}
		}
		if len(b.Slices) != want || total != 10_000 || b.Battles != 10_000 {
			t.Errorf("%s: %d slices of %d battles", by, len(b.Slices), total)
		}
	}
	for by, holds := range map[By]string{ByCharacter: "no column character", ByScene: "no column scene"} {
		if _, err := Each(path, ReadOptions{By: by}, func(Battle) {}); err == nil || !strings.Contains(err.Error(), holds) {
			t.Errorf("%v, want %q", err, holds)
		}
	}
	s := NewSlicer(ByLanguage, Options{})
	for i := range 500 {
		s.Add(Battle{A: "a", B: "b", Outcome: Win, About: &About{Language: fmt.Sprint(i)}})
	}
	s.Add(Battle{A: "a", B: "b", Outcome: Win})
	b := s.Board(Options{})
	if len(b.Slices) != mostSlices || b.Battles != 501 {
		t.Errorf("%d slices of %d battles", len(b.Slices), b.Battles)
	}
	warned(t, b.Warnings, "More than 200 values of language: 300 battles")
	warned(t, b.Warnings, "1 battle without a language")
}

func TestTalliesDoNotGrowWithTheBattles(t *testing.T) {
	grown := func(n int) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		tally := NewTally(Options{})
		if _, err := eachCSV(&rows{n: n}, ReadOptions{}, tally.Add); err != nil || tally.agg.count != float64(n) {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(tally)
		return float64(after.HeapAlloc) - float64(before.HeapAlloc)
	}
	// The window of first battles is full in both.
	small, large := grown(100_000), grown(400_000)
	if large > small+200_000 {
		t.Errorf("100,000 battles hold %.0f bytes, 400,000 hold %.0f", small, large)
	}
	tally := NewTally(Options{})
	for name, c := range map[string]struct {
		text string
		each func(io.Reader, ReadOptions, func(Battle)) (Found, error)
	}{
		"csv":   {"model_a,model_b,winner,text\n" + strings.Repeat("x,y,tie,plain\ny,x,model_a,\"quoted, \"\"so\"\"\"\n", 10_000), eachCSV},
		"jsonl": {strings.Repeat(`{"model_a":"x","text":{"deep":["\"]}"]},"model_b":"y","winner":"tie"}`+"\n", 20_000), eachJSONL},
	} {
		n := testing.AllocsPerRun(1, func() {
			if _, err := c.each(strings.NewReader(c.text), ReadOptions{}, tally.Add); err != nil {
				t.Fatal(err)
			}
		})
		if n > 200 {
			t.Errorf("%s: %.0f allocations for 20,000 battles", name, n)
		}
	}
}

// table must cut what encoding/csv cuts, and refuse what it refuses.
func FuzzTable(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,b\r\n\"1\",2\r\n", "\"a\"\"b\",c\n", "a\n\n\nb", "\"x\ny\",z\n1,2", "a,\"b\"c\n", "a\"b,c\n", "\"a", "a,b,\n,,\n", "\"a\",\"\"", "\r\n\r", "\"a\"\r", "x,\"\r\n\"\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			t.Skip("a byte order mark is dropped")
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.FieldsPerRecord = -1
		table := newTable(bytes.NewReader(text))
		for {
			want, err := r.Read()
			if !table.next() {
				if (table.err == nil) != (err != nil && err.Error() == "EOF") {
					t.Fatalf("%q ends with %v, want %v", text, table.err, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%q: a record where encoding/csv gives %v", text, err)
			}
			var got []string
			for i := range table.fields {
				// encoding/csv drops the carriage returns of line ends in fields.
				got = append(got, strings.ReplaceAll(string(table.field(i)), "\r\n", "\n"))
			}
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], "\r\n", "\n")
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", text, got, want)
			}
			if line, column := r.FieldPos(0); true {
				if l, c := table.place(0); l != line || c != column {
					t.Fatalf("%q: a record at line %d column %d, want %d, %d", text, l, c, line, column)
				}
			}
		}
	})
}

func TestWeightsOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"a.csv":   "model_a,model_b,winner,weight\nx,y,model_a,0.5\nx,y,model_b,2\nx,y,tie,0\n",
		"b.jsonl": `{"model_a":"x","model_b":"y","winner":"model_a","weight":0.5}` + "\n" + `{"model_a":"x","model_b":"y","winner":"model_b","weight":2}` + "\n" + `{"model_a":"x","model_b":"y","winner":"tie","weight":0}`,
		"c.json":  `[{"Model_A":"x","model_b":"y","winner":"model_a","weight":0.5},{"model_a":"x","model_b":"y","winner":"model_b","weight":2},{"model_a":"x","model_b":"y","winner":"tie","weight":0.0}]`,
	} {
		tally := NewTally(Options{})
		found, err := Each(file(name, text), ReadOptions{}, tally.Add)
		if err != nil || !found.Weighted {
			t.Fatal(name, found, err)
		}
		b := tally.Board(Options{})
		if r := byName(b)["x"]; r.Wins != 0.5 || r.Losses != 2 || r.Battles != 2.5 {
			t.Errorf("%s: %+v", name, r)
		}
		warned(t, b.Warnings, "1 battle left out: a weight")
	}
	for name, c := range map[string]struct{ text, holds string }{
		"d.csv":   {"model_a,model_b,winner,weight\nx,y,tie,1\nx,y,tie,much\n", "line 3, column 9 (weight): \"much\" is no weight"},
		"e.csv":   {"model_a,model_b,winner,weight\nx,y,tie,-1\n", "is no weight"},
		"f.csv":   {"model_a,model_b,winner,weight\nx,y,tie,NaN\n", "is no weight"},
		"g.jsonl": {`{"model_a":"x","model_b":"y","winner":"tie","weight":"1"}`, "(weight): a string"},
		"h.jsonl": {`{"model_a":"x","model_b":"y","winner":"tie","weight":-1}`, "is no weight"},
	} {
		if _, err := ReadFile(file(name, c.text)); err == nil || !strings.Contains(err.Error(), c.holds) {
			t.Errorf("%s: %v, want %q", name, err, c.holds)
		}
	}
}
