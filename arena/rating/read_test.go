package rating

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadCSV(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbfid, Winner ,model_b,model_a,note\r\n" +
		"1,model_a,y,x,\"a, \"\"quoted\"\"\nnote\"\r\n" +
		"2,model_b,y,x,\n3,tie,y,x,\n4,tie (bothbad),y,x,\n5,both_bad, y ,x,\n6,Tie (Both Bad),y,達西,\n7,bothbad,y,x,"
	got, err := ReadCSV(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Battle{
		{A: "x", B: "y", Outcome: Win, Weight: 1},
		{A: "x", B: "y", Outcome: Loss, Weight: 1},
		{A: "x", B: "y", Outcome: Tie, Weight: 1},
		{A: "x", B: "y", Outcome: BothBad, Weight: 1},
		{A: "x", B: "y", Outcome: BothBad, Weight: 1},
		{A: "達西", B: "y", Outcome: BothBad, Weight: 1},
		{A: "x", B: "y", Outcome: BothBad, Weight: 1},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	kaggle := "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n1,x,y,1,0,0\n2,x,y,0,1,0\n3,x,y,0,0,1\n"
	got, err = ReadCSV(strings.NewReader(kaggle))
	if d := cmp.Diff([]Battle{{A: "x", B: "y", Outcome: Win, Weight: 1}, {A: "x", B: "y", Outcome: Loss, Weight: 1}, {A: "x", B: "y", Outcome: Tie, Weight: 1}}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if got, err := ReadCSV(strings.NewReader("model_a,model_b,winner\n")); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
}

func TestBadCSVIsNamedByLineAndColumn(t *testing.T) {
	t.Parallel()
	const head = "model_a,model_b,winner\n"
	for name, c := range map[string]struct {
		text         string
		line, column int
		holds        string
	}{
		"empty":            {"", 1, 0, "empty"},
		"no header":        {"x,y,tie\n", 1, 0, "no column model_a, model_b, winner; its columns are x, y, tie"},
		"column missing":   {"model_a,winner,other\n", 1, 0, "no column model_b; its columns are model_a, winner, other"},
		"unknown winner":   {head + "x,y,tie\nx,y,modelx\n", 3, 5, `(winner): "modelx" is no winner`},
		"empty winner":     {head + "x,y,\n", 2, 5, `"" is no winner`},
		"no model":         {head + "x,y,tie\n ,y,tie\n", 3, 1, "(model_a): a model without a name"},
		"no second model":  {head + "x,,tie\n", 2, 3, "(model_b)"},
		"too few fields":   {head + "x,y\n", 2, 0, "more or fewer fields"},
		"too many fields":  {head + "x,y,tie,z\n", 2, 0, "more or fewer fields"},
		"open quote":       {head + "x,y,tie\n\"x,y,tie\nx,y,tie\n", 3, 0, "not closed"},
		"bare quote":       {head + "x,y\"z,tie\n", 2, 4, "quotation mark"},
		"line after lines": {"note," + head + "\"a\nb\nc\",x,y,no\n", 4, 8, "is no winner"},
		"two winners":      {"model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,1,0\n", 2, 5, "exactly one"},
	} {
		got, err := ReadCSV(strings.NewReader(c.text))
		var bad *InputError
		if !errors.As(err, &bad) || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
			continue
		}
		if bad.Line != c.line || c.column > 0 && bad.Column != c.column || !strings.Contains(err.Error(), c.holds) {
			t.Errorf("%s: %v (line %d, column %d), want line %d, column %d, %q", name, err, bad.Line, bad.Column, c.line, c.column, c.holds)
		}
	}
	long := head + "x,y," + strings.Repeat("model_a", 1000) + "\n"
	if _, err := ReadCSV(strings.NewReader(long)); err == nil || len(err.Error()) > 400 {
		t.Error(err)
	}
}

func TestReadJSONLines(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf" + `{"id":1,"model_a":"x","model_b":"y","winner":"model_a","conversation_a":[{"role":"user","content":[{"type":"text","text":"` +
		strings.Repeat("long ", 50_000) + `"}]}]}` + "\r\n\n  " +
		`{"winner":"both_bad","model_b":"x","model_a":"y"}`
	got, err := ReadJSONL(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Battle{{A: "x", B: "y", Outcome: Win, Weight: 1}, {A: "y", B: "x", Outcome: BothBad, Weight: 1}}, got); d != "" {
		t.Error(d)
	}
	good := `{"model_a":"x","model_b":"y","winner":"tie"}` + "\n"
	for name, c := range map[string]struct {
		line  string
		holds string
	}{
		"cut":           {`{"model_a":"x","model_b"`, "line 2, column 24: not JSON"},
		"bad syntax":    {`  {"model_a":x}`, "line 2, column 14: not JSON"},
		"list":          {`["model_a"]`, "line 2: a array where an object"},
		"null":          {`null`, "line 2 (model_a): the key is missing"},
		"no winner":     {`{"model_a":"x","model_b":"y"}`, "line 2 (winner): the key is missing"},
		"null winner":   {`{"model_a":"x","model_b":"y","winner":null}`, "line 2 (winner): the key is missing"},
		"number":        {`{"model_a":"x","model_b":7,"winner":"tie"}`, "(model_b): a number where a string"},
		"empty name":    {`{"model_a":" ","model_b":"y","winner":"tie"}`, "(model_a): the value is empty"},
		"other winner":  {`{"model_a":"x","model_b":"y","winner":"x"}`, `(winner): "x" is no winner`},
		"two on a line": {good[:len(good)-1] + good, "not JSON"},
	} {
		got, err := ReadJSONL(strings.NewReader(good + c.line + "\n" + good))
		if err == nil || got != nil || !strings.Contains(err.Error(), c.holds) {
			t.Errorf("%s: %v, want %q", name, err, c.holds)
		}
	}
}

func TestReadFileGoesByContent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := []Battle{{A: "x", B: "y", Outcome: Win, Weight: 1}, {A: "x", B: "y", Outcome: Tie, Weight: 1}}
	one, two := `{"model_a":"x","model_b":"y","winner":"model_a"}`, `{"model_a":"x","model_b":"y","winner":"tie"}`
	for name, text := range map[string]string{
		"lines.csv":   one + "\n" + two + "\n",
		"array.jsonl": "\n [\n " + one + ",\n" + two + "]\n",
		"table.json":  "model_a,model_b,winner\nx,y,model_a\nx,y,tie\n",
	} {
		got, err := ReadFile(file(name, text))
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(name, d, err)
		}
	}
	for name, c := range map[string]struct{ text, holds string }{
		"a.gz":       {"\x1f\x8b\x08\x00", "gzip"},
		"a.xlsx":     {"PK\x03\x04....", "spreadsheet"},
		"a.parquet":  {"PAR1\x15\x04", "Parquet"},
		"a.db":       {"SQLite format 3\x00", "SQLite"},
		"a.txt":      {"\xff\xfem\x00", "UTF-16"},
		"a.bin":      {"abc\x00def", "not text"},
		"open.json":  {"[" + one + ",\n" + two, "line 2: the array is not closed"},
		"bad.json":   {"[" + one + ",\n\n{\"model_a\":\"x\"}]", "line 3 (model_b): battle 2: the key is missing"},
		"worse.json": {"[" + one + ",\nhello]", "line 2: battle 2 is not JSON"},
		"empty":      {"", "the file is empty"},
	} {
		path := file(name, c.text)
		_, err := ReadFile(path)
		if err == nil || !strings.Contains(err.Error(), c.holds) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v, want %q", name, err, c.holds)
		}
	}
	if _, err := ReadFile(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Error(err)
	}
	if _, err := ReadFile(filepath.Join(dir, "nowhere")); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}

// rows gives a table of n rows without holding it.
type rows struct {
	n, next int
	rest    []byte
}

func (r *rows) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.next > r.n {
			return 0, io.EOF
		}
		if r.next == 0 {
			r.rest = []byte("text,model_a,model_b,winner\n")
		} else {
			r.rest = fmt.Appendf(r.rest[:0], "%s,m%d,m%d,model_a\n", bytes.Repeat([]byte("x"), 500), r.next%7, 7+r.next%5)
		}
		r.next++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func TestReadingHoldsOnlyTheBattles(t *testing.T) {
	const n = 200_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	battles, err := ReadCSV(&rows{n: n})
	if err != nil || len(battles) != n {
		t.Fatal(len(battles), err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	// A battle takes 48 bytes; the slice may have a quarter to spare.
	if held := float64(after.HeapAlloc) - float64(before.HeapAlloc); held > 80*n {
		t.Errorf("%.0f bytes a battle", held/n)
	}
	runtime.KeepAlive(battles)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("model_a,model_b,winner\nx,y,tie\n"))
	f.Add([]byte(`{"model_a":"x","model_b":"y","winner":"tie"}`))
	f.Add([]byte(`[{"model_a":"x","model_b":"y","winner":"tie"}]`))
	f.Add([]byte("model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		battles, err := read(bytes.NewReader(text))
		if err != nil {
			if battles != nil || len(err.Error()) > 2000+4*len(text) {
				t.Fatalf("%d battles, %v", len(battles), err)
			}
			return
		}
		if len(battles) < 500 {
			finite(t, NewBoard(battles, Options{}))
		}
		var lines bytes.Buffer
		for _, b := range battles {
			line, _ := json.Marshal(map[string]string{"model_a": b.A, "model_b": b.B, "winner": b.Outcome.String()})
			lines.Write(append(line, '\n'))
		}
		again, err := ReadJSONL(&lines)
		if err != nil || len(again) != len(battles) {
			t.Fatalf("%d battles became %d: %v", len(battles), len(again), err)
		}
	})
}
