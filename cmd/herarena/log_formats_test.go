package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/arena/formats"
)

const (
	formatSamples = "../../arena/formats/testdata/"
	rawLog        = formatSamples + "fastchat_raw.jsonl"
)

func TestLogFormatsAreListed(t *testing.T) {
	home(t)
	text, lines := call(t, "", "log", "formats"), call(t, "", "log", "formats", "--json")
	if text.code != exitOK || lines.code != exitOK || strings.Count(lines.out, "\n") != len(formats.All()) {
		t.Fatalf("%+v %+v", text, lines)
	}
	for _, f := range formats.All() {
		if !strings.Contains(text.out, f.Name) || !strings.Contains(text.out, f.Title) {
			t.Errorf("%s is not listed", f.Name)
		}
	}
	for line := range strings.Lines(lines.out) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q", line)
		}
	}
}

// TestLogTakesOthersData goes from a FastChat log over the ledger to the clean
// battles, a table, a Parquet file and a board.
func TestLogTakesOthersData(t *testing.T) {
	home(t)
	r := call(t, "", "log", "import", rawLog)
	if r.code != exitOK || !strings.Contains(r.out, "duels    10 new") || !strings.Contains(r.err, "read as fastchat-raw, 11 rows") {
		t.Fatalf("%+v", r)
	}
	if r = call(t, "", "log", "import", "--format", "fastchat-raw", rawLog); r.code != exitOK || !strings.Contains(r.out, "duels    0 new, 10 here already") {
		t.Errorf("the second time: %+v", r)
	}
	if r = call(t, "", "log", "export", "--format", "fastchat"); r.code != exitOK || strings.Count(r.out, `"question_id"`) != 5 || !strings.Contains(r.err, "left out 5: does not count") {
		t.Errorf("clean battles: %+v", r)
	}
	if strings.Contains(r.out, "10.0.0.1") {
		t.Error("an address stands in the clean battles")
	}
	dir := t.TempDir()
	table, packed := filepath.Join(dir, "battles.csv"), filepath.Join(dir, "battles.parquet")
	if r = call(t, "", "log", "export", "--format", "csv", "--out", table); r.code != exitOK || r.out != table+"\n" {
		t.Fatalf("%+v", r)
	}
	if r = call(t, "", "board", "--from", table, "--json"); r.code != exitOK || !strings.Contains(r.out, `"battles":5`) {
		t.Errorf("a board of the table: %.300s %s", r.out, r.err)
	}
	if r = call(t, "", "log", "export", "--format", "lmarena-140k", "--parquet", "--out", packed); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	home(t)
	if r = call(t, "", "log", "import", packed, "--source", "imported/vote"); r.code != exitOK || !strings.Contains(r.out, "battles  5 new") || !strings.Contains(r.err, "lmarena-140k") {
		t.Errorf("the Parquet file: %+v", r)
	}
	if r = call(t, "", "board", "--source", "imported/vote", "--json"); r.code != exitOK || !strings.Contains(r.out, `"battles":5`) {
		t.Errorf("a board of its own: %.300s %s", r.out, r.err)
	}
	// The other half of a file with a bad row is not taken in.
	bad := filepath.Join(dir, "bad.jsonl")
	good, err := os.ReadFile(rawLog)
	if err == nil {
		err = os.WriteFile(bad, append(good, []byte("{\"type\":\"leftvote\",\"tstamp\":1,\"ip\":\"\"}\n")...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	home(t)
	if r = call(t, "", "log", "import", bad); r.code != exitFailure || !strings.Contains(r.err, "line 12, field states") {
		t.Errorf("a bad row: %+v", r)
	}
	if r = call(t, "", "log", "list"); r.out != "" {
		t.Errorf("half a file was taken in: %s", r.out)
	}
	for _, args := range [][]string{
		{"import", "--format", "word", rawLog},
		{"export", "--format", "mtbench", "--parquet"},
		{"export", "--format", "csv", "--redact", "faces"},
		{"export", "--format", "csv", "--layers", "some"},
		{"export", "--format", "md", "--redact", "names"},
		{"export", "--source", "vote"},
	} {
		if r := call(t, "", append([]string{"log"}, args...)...); r.code != exitUsage {
			t.Errorf("log %q: %+v", args, r)
		}
	}
	for _, args := range [][]string{{"import", dir}, {"import", filepath.Join(dir, "none")}} {
		if r := call(t, "", append([]string{"log"}, args...)...); r.code != exitFailure {
			t.Errorf("log %q: %+v", args, r)
		}
	}
}

// TestLogExportKeepsBlindDuelsBlind plays one that waits for its vote.
func TestLogExportKeepsBlindDuelsBlind(t *testing.T) {
	id, blind := rehearse(t)
	names := func(text string) bool {
		return strings.Contains(text, "rehearsal/lead") || strings.Contains(text, "rehearsal/understudy")
	}
	lines := call(t, "", "log", "export", "--duel", blind)
	if lines.code != exitOK || names(lines.out) || !strings.Contains(lines.out, "blind-") || !strings.Contains(lines.err, "without names: 1 blind duel") {
		t.Errorf("%.600s\n%s", lines.out, lines.err)
	}
	if r := call(t, "", "log", "export", "--duel", blind, "--reveal"); r.code != exitOK || !strings.Contains(r.out, `"name":"rehearsal/lead"`) {
		t.Errorf("%.300s\n%s", r.out, r.err)
	}
	for _, f := range []string{"csv", "fastchat", "mtbench", "trl-preference", "sillytavern"} {
		if r := call(t, "", "log", "export", "--format", f, "--duel", blind, "--reveal"); r.code != exitOK || names(r.out) {
			t.Errorf("%s: %.600s %s", f, r.out, r.err)
		}
	}
	// HER-RM's rows are asked with the template in force.
	sft := call(t, "", "log", "export", "--format", "her-rm-sft", "--duel", id)
	if sft.code != exitOK || !strings.Contains(sft.out, "**Response Candidate 1**") || !strings.Contains(sft.out, `"num_principles"`) {
		t.Errorf("%.600s %s", sft.out, sft.err)
	}
	home(t)
	if r := call(t, sft.out, "log", "import"); r.code != exitOK || !strings.Contains(r.err, "read as her-rm-sft") {
		t.Errorf("taken in: %+v", r)
	}
}
