package verdict_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"herarena/arena"
	"herarena/judge/verdict"
)

type expectation struct {
	ID     string `json:"id"`
	Raw    string `json:"raw"`
	Expect struct {
		Better      *string `json:"better_response"`
		Principles  int     `json:"principles"`
		Comparisons int     `json:"comparisons"`
		Status      string  `json:"status"`
		Disagrees   *bool   `json:"tally_disagrees"`
	} `json:"expect"`
}

func readCases(t testing.TB) []expectation {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "verdicts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []expectation
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e expectation
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		t.Fatal("testdata/verdicts.jsonl holds no case")
	}
	return out
}

func TestCases(t *testing.T) {
	t.Parallel()
	for _, e := range readCases(t) {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			v := verdict.Parse(e.Raw)
			want := arena.NoChoice
			if e.Expect.Better != nil {
				want = arena.Choice(*e.Expect.Better)
			}
			if v.Better != want {
				t.Errorf("better %q, want %q", v.Better, want)
			}
			if len(v.Principles) != e.Expect.Principles || len(v.Comparisons) != e.Expect.Comparisons {
				t.Errorf("%d principles, %d comparisons; want %d, %d", len(v.Principles), len(v.Comparisons), e.Expect.Principles, e.Expect.Comparisons)
			}
			if string(v.Status) != e.Expect.Status {
				t.Errorf("status %q, want %q", v.Status, e.Expect.Status)
			}
			if d := e.Expect.Disagrees; d != nil && v.TallyDisagrees != *d {
				t.Errorf("tally disagrees %v, want %v", v.TallyDisagrees, *d)
			}
			if v.Raw != e.Raw || v.Phase != arena.PhaseDone {
				t.Errorf("raw kept: %v, phase %q", v.Raw == e.Raw, v.Phase)
			}
		})
	}
}

func TestThirdPartySample(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../shared/cases/verdicts/her_rm_repo_test_response.txt")
	if err != nil {
		t.Skip("the third-party sample is not here")
	}
	v := verdict.Parse(string(raw))
	if v.Better != arena.Second || v.Status != arena.VerdictOnly {
		t.Fatalf("better %q, status %q; want cand_2, verdict_only", v.Better, v.Status)
	}
}
