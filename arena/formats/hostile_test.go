package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

func TestFormatsAreToldApart(t *testing.T) {
	for format := range samples {
		var lines bytes.Buffer
		r, err := Import(t.Context(), "auto", bytes.NewReader(sampleOf(t, format)), &lines, ImportOptions{Now: noon})
		if err != nil || r.Format != format {
			t.Errorf("%s is taken for %q: %v", format, r.Format, err)
		}
	}
	for _, f := range All() {
		if f.Title == "" || f.Holds == "" || len(f.Extensions) == 0 {
			t.Errorf("%s is not described", f.Name)
		}
		if f.Name != Own && (f.LostOut == "" || f.LostIn == "") {
			t.Errorf("%s does not say what is lost", f.Name)
		}
	}
}

// TestErrorsNameLineAndField gives each reader rows that are wrong.
func TestErrorsNameLineAndField(t *testing.T) {
	deep := `{"prompt":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"chosen":"a","rejected":"b"}`
	ok := `{"prompt":"p","chosen":"a","rejected":"b"}` + "\n"
	for _, c := range []struct {
		format, text, says string
		line               int
	}{
		{"trl-preference", ok + "\n" + `{"prompt":"p","chosen":5,"rejected":"b"}`, "line 3, field chosen", 3},
		{"trl-preference", ok + `{"prompt":[{"role":"wizard","content":"x"}],"chosen":"a","rejected":"b"}`, `line 2, field prompt[0].role: the role "wizard"`, 2},
		{"trl-preference", ok + `{"prompt":"p","chosen":[{"role":"user","content":"x"}],"rejected":"b"}`, "line 2, field chosen: the last message", 2},
		{"trl-preference", ok + deep, "line 2: more than 64 brackets", 2},
		{"trl-preference", ok + `{"prompt":`, "line 2: the row is no JSON object", 2},
		{"trl-preference", `{"chosen":"` + strings.Repeat("x", maxRow+10) + `","rejected":""}`, "line 1: the row is longer than 16 MiB", 1},
		{"trl-unpaired", `{"prompt":"p","completion":"x"}`, "field label", 1},
		{"fastchat-raw", `{"tstamp":1,"type":"leftvote","models":["",""],"states":[],"ip":""}`, "field states", 1},
		{"fastchat-raw", `{"tstamp":1,"type":"leftvote","models":["",""],"states":[{"model_name":"a","offset":9},{"model_name":"b"}],"ip":""}`, "states[0].offset", 1},
		{"fastchat", `[{"model_a":"a","model_b":"b","winner":"me"}]`, `the winner "me" is not known`, 1},
		{"fastchat", "[\n{\"model_a\":\"a\",\"model_b\":\"b\",\"winner\":\"tie\"},\n{\"model_a\":\"\",\"model_b\":\"b\",\"winner\":\"tie\"}]", "line 3, field model_a: a name is missing", 3},
		{"fastchat", `[{"model_a":"a","model_b":"b","winner":"tie"}`, "not closed", 1},
		{"fastchat", `[{"model_a":"` + strings.Repeat("x", 600) + `","model_b":"b","winner":"tie"}]`, "longer than 512 bytes", 1},
		{"lmarena-55k", "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\n1,a,b,p,x,y,1,1,0\n", "line 2, field winner_model_a: more than one", 2},
		{"lmarena-55k", "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\n1,a,b\n", "line 2: the row has 3 fields, the header 9", 2},
		{"csv", "model_a,model_b,winner\n\"a,b,tie\n", "line 2: the table cannot be read", 2},
		{"csv", "model_a,model_b,winner\n\"a" + strings.Repeat("x\n", maxRow/2+1<<20), "or a quotation mark is not closed", 2},
		{"csv", "model_a,model_b,winner,winner\na,b,tie,tie\n", "two columns have this name", 1},
		{"csv", "model_a,model_b,winner,weight\na,b,tie,NaN\n", `line 2, field weight: "NaN"`, 2},
		{"her-rl", `{"prompt":[],"reward_model":{},"extra_info":{"better_response":"cand_3","candidates":{"cand_1":"a","cand_2":"b"}}}`, `"cand_3" is not`, 1},
		{"her-rm-sft", `{"trace_id":"1","messages":[],"metadata":{}}`, "field messages", 1},
		{"arena-hard", `{"uid":"1","judge":"j","model":"a","baseline":"b","games":[{"score":"A>>>B"},{}]}`, "games[0].score", 1},
		{"mtbench", `{"model_1":"a","model_2":"b","g1_winner":"x","g2_winner":"tie","judge":"j"}`, "field g1_winner", 1},
		{"openwebui", `[{"user_id":"u","type":"rating","data":{"rating":1,"model_id":"a","sibling_model_ids":[""]},"meta":{}}]`, "data.sibling_model_ids[0]", 1},
	} {
		_, err := Import(t.Context(), c.format, strings.NewReader(c.text), io.Discard, ImportOptions{})
		var bad *RowError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) || bad.Line != c.line {
			t.Errorf("%s %.80q: %.300v, want %q", c.format, c.text, err, c.says)
		}
	}
	for text, says := range map[string]string{
		"": "empty", " \n": "white space", "\x1f\x8b..": "gzip", "SQLite format 3\x00": "SQLite", "\xff\xfeh": "UTF-16", "a\x00b": "not text",
		`{"colour":"red"}`: "whose fields are colour; name the format", "x,y\n1,2\n": "name the format", "[]": "no row", "[": "",
	} {
		if _, err := Import(t.Context(), "auto", strings.NewReader(text), io.Discard, ImportOptions{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	if _, err := Import(t.Context(), "word", strings.NewReader("{}"), io.Discard, ImportOptions{}); err == nil || !strings.Contains(err.Error(), "lmarena-140k") {
		t.Error(err)
	}
}

// endless gives the same row for ever, up to a number.
type endless struct {
	row  []byte
	left int
	rest []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		if e.left == 0 {
			return 0, io.EOF
		}
		e.left--
		e.rest = e.row
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestLongFilesNeedLittleMemory reads a file that would not fit.
func TestLongFilesNeedLittleMemory(t *testing.T) {
	row, err := json.Marshal(map[string]any{"prompt": "p", "chosen": strings.Repeat("a", 20_000), "rejected": "b"})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 10_000 // 200 MB
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	n := 0
	watch := writerFunc(func(p []byte) (int, error) {
		if n++; n%5000 == 0 {
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapInuse)
		}
		return len(p), nil
	})
	r, err := Import(t.Context(), "trl-preference", &endless{row: append(row, '\n'), left: rows}, watch, ImportOptions{})
	if err != nil || r.Rows != rows {
		t.Fatal(r, err)
	}
	if most := before.HeapInuse + 64<<20; peak > most {
		t.Errorf("the heap grew to %d MB", peak>>20)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestAFullDiskIsTold checks that no writer takes a failed write for done.
func TestAFullDiskIsTold(t *testing.T) {
	full := writerFunc(func([]byte) (int, error) { return 0, errors.New("no space left on device") })
	for _, f := range All() {
		w, err := NewWriter(full, f, ExportOptions{All: true, Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Add(ball(false))
		if err == nil && f.Name != "her-rm-sft" {
			t.Errorf("%s: a full disk is not told", f.Name)
		}
	}
	if _, err := Import(t.Context(), "csv", bytes.NewReader(sampleOf(t, "csv")), full, ImportOptions{}); err == nil {
		t.Error("a failed import is not told")
	}
}

// fuzz runs a reader on anything; what it gives must be lines the ledger takes.
func fuzz(f *testing.F, format string) {
	f.Add(sampleOf(f, format))
	f.Add([]byte("{}\n[]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var lines bytes.Buffer
		if _, err := Import(t.Context(), format, bytes.NewReader(data), &lines, ImportOptions{Now: noon}); err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		d := json.NewDecoder(&lines)
		for n := 0; d.More(); n++ {
			var l ownLine
			if err := d.Decode(&l); err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			if why := refused(&l); why != "" {
				t.Fatalf("line %d: %s", n, why)
			}
		}
	})
}

// refused says what the ledger would object to.
func refused(l *ownLine) string {
	switch {
	case l.Battle != nil && (l.Battle.A == "" || l.Battle.B == "" || l.Battle.TurnID == "" || l.Battle.DuelID == "" || l.Battle.Source == "" || !(l.Battle.Weight > 0 && l.Battle.Weight <= 1)):
		return fmt.Sprintf("the battle %+v", *l.Battle)
	case l.Vote != nil && l.Vote.Choice == "", l.Duel != nil && l.Duel.ID == "", l.Turn != nil && l.Turn.ID == "", l.Reply != nil && l.Reply.ID == "":
		return "a row without an id or a choice"
	}
	return ""
}

func FuzzFastChatRaw(f *testing.F)   { fuzz(f, "fastchat-raw") }
func FuzzFastChat(f *testing.F)      { fuzz(f, "fastchat") }
func FuzzLMArena55k(f *testing.F)    { fuzz(f, "lmarena-55k") }
func FuzzLMArena100k(f *testing.F)   { fuzz(f, "lmarena-100k") }
func FuzzLMArena140k(f *testing.F)   { fuzz(f, "lmarena-140k") }
func FuzzTRLPreference(f *testing.F) { fuzz(f, "trl-preference") }
func FuzzTRLUnpaired(f *testing.F)   { fuzz(f, "trl-unpaired") }
func FuzzHERRL(f *testing.F)         { fuzz(f, "her-rl") }
func FuzzHERSFT(f *testing.F)        { fuzz(f, "her-rm-sft") }
func FuzzArenaHard(f *testing.F)     { fuzz(f, "arena-hard") }
func FuzzMTBench(f *testing.F)       { fuzz(f, "mtbench") }
func FuzzOpenWebUI(f *testing.F)     { fuzz(f, "openwebui") }
func FuzzSillyTavern(f *testing.F)   { fuzz(f, "sillytavern") }
func FuzzCSV(f *testing.F)           { fuzz(f, "csv") }

// FuzzParquet reads anything that begins and ends like a Parquet file.
func FuzzParquet(f *testing.F) {
	l := open(f)
	take(f, l, "trl-preference", sampleOf(f, "trl-preference"))
	packed, _ := give(f, l, "trl-preference", ExportOptions{Parquet: true})
	f.Add([]byte(packed))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Import(t.Context(), "auto", bytes.NewReader(append([]byte(parquetMagic), data...)), io.Discard, ImportOptions{})
	})
}
