package verdict_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/judge/verdict"
)

// inPieces reads a text cut at the drawn places, with a look after each piece.
func inPieces(t *rapid.T, raw string, look func(arena.Verdict)) arena.Verdict {
	r := verdict.NewReader()
	for len(raw) > 0 {
		n := rapid.IntRange(1, max(1, min(len(raw), 40))).Draw(t, "n")
		n = min(n, len(raw))
		r.Write(raw[:n])
		raw = raw[n:]
		if look != nil {
			look(r.Snapshot())
		}
	}
	return r.Close()
}

// scraps are what outputs are made of, well formed or not.
var scraps = rapid.SampledFrom([]string{
	`{`, `}`, `[`, `]`, `"`, `'`, `,`, `:`, ` `, "\n", `\`, `\"`, `\u4f60`, `\ud83d\ude00`, `<think>`, `</think>`, "```json\n", "```",
	`"result"`, `"cand_1"`, `"cand_2"`, `"principle"`, `"Principle 1"`, `"principle_name"`, `"main_content"`, `"analysis"`,
	`"principle_comparisons"`, `"winner"`, `"better_response"`, `"comparison_reason"`, `"overall_analysis"`, `: "`, `", "`, `"}`, `"}, {"`, `"}]}`,
	"cand_1", "cand_2", "tie", "None", "Final answer: ", "clear difference", "你好", "：", "，", "é", "\xff", "word", "it's", `{"result": [{`,
	`"better_response": "cand_2"`, "// note\n", "12",
})

func TestPiecesEndAsTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(scraps, 0, 60).Draw(t, "scraps"), "")
		if rapid.Bool().Draw(t, "damaged") {
			at := rapid.IntRange(0, len(whole)).Draw(t, "at")
			raw = whole[:at] + raw + whole[min(len(whole), at+rapid.IntRange(0, 30).Draw(t, "gone")):]
		}
		if diff := cmp.Diff(verdict.Parse(raw), inPieces(t, raw, nil)); diff != "" {
			t.Fatalf("%q\nwhole against pieces: %s", raw, diff)
		}
	})
}

func TestCutsOfEveryCase(t *testing.T) {
	t.Parallel()
	for _, e := range readCases(t) {
		want := verdict.Parse(e.Raw)
		for cut := 0; cut < len(e.Raw); cut += 3 {
			r := verdict.NewReader()
			r.Write(e.Raw[:cut])
			r.Snapshot()
			r.Write(e.Raw[cut:])
			if diff := cmp.Diff(want, r.Close()); diff != "" {
				t.Fatalf("%s cut at %d: %s", e.ID, cut, diff)
			}
		}
	}
}

// drawVerdict is a well-formed output with text that wants escaping.
func drawVerdict(t *rapid.T) (string, int) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune(`ab "'{}[],:\`+"\n<>/你é😀")), 0, 30, -1)
	n := rapid.IntRange(0, 5).Draw(t, "principles")
	rules, comparisons := []string{}, []string{}
	quote := func(label string) string {
		b, _ := json.Marshal(text.Draw(t, label))
		return string(b)
	}
	for i := range n {
		rules = append(rules, fmt.Sprintf(`"Principle %d": {"principle_name": %s, "dimension_name": %s, "principle_level": "session", "main_content": %s, "reason_for_choosing": %s}`,
			i+1, fmt.Sprintf(`"rule %d"`, i), quote("dimension"), quote("content"), quote("reason")))
		comparisons = append(comparisons, fmt.Sprintf(`{"principle_name": "rule %d", "cand_1_performance": %s, "cand_2_performance": %s, "comparison_reason": %s, "winner": "tie"}`,
			i, quote("first"), quote("second"), quote("why")))
	}
	gap := rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "gap")
	return `{"result":` + gap + `[{"cand_1": ` + quote("c1") + `,` + gap + `"cand_2": ` + quote("c2") + `,"principle": {` + strings.Join(rules, ","+gap) +
		`}` + gap + `, "analysis": {"principle_comparisons": [` + strings.Join(comparisons, ",") + `], "overall_analysis": ` + quote("o") +
		`, "principle_summary": ` + quote("s") + `},` + gap + `"better_response": "cand_2"` + gap + `}]}`, n
}

// growsFrom reports what of an earlier snapshot a later one has taken back.
func growsFrom(before, after arena.Verdict) string {
	if len(after.Principles) < len(before.Principles) || len(after.Comparisons) < len(before.Comparisons) {
		return "fewer principles or comparisons"
	}
	grows := func(a, b string) bool { return strings.HasPrefix(b, strings.TrimSuffix(a, "\uFFFD")) }
	for i, p := range before.Principles {
		q := after.Principles[i]
		if !grows(p.Name, q.Name) || !grows(p.Dimension, q.Dimension) || !grows(p.Definition, q.Definition) ||
			!grows(p.Reason, q.Reason) || !grows(p.Polarity, q.Polarity) || !grows(p.Level, q.Level) {
			return fmt.Sprintf("principle %d: %+v, then %+v", i, p, q)
		}
	}
	for i, c := range before.Comparisons {
		d := after.Comparisons[i]
		if !grows(c.Name, d.Name) || !grows(c.First, d.First) || !grows(c.Second, d.Second) || !grows(c.Reason, d.Reason) ||
			c.Winner != "" && c.Winner != d.Winner {
			return fmt.Sprintf("comparison %d: %+v, then %+v", i, c, d)
		}
	}
	return ""
}

var order = map[arena.Phase]int{
	arena.PhaseWaiting: 0, arena.PhaseReading: 1, arena.PhasePrinciples: 2, arena.PhaseComparing: 3, arena.PhaseDeciding: 4, arena.PhaseDone: 5,
}

func TestNothingShownIsTakenBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw, n := drawVerdict(t)
		if !json.Valid([]byte(raw)) {
			t.Fatalf("the test's own JSON is wrong: %s", raw)
		}
		before := arena.Verdict{Phase: arena.PhaseWaiting}
		look := func(v arena.Verdict) {
			if v.Status != arena.VerdictPending {
				t.Fatalf("status %q while it streams", v.Status)
			}
			if took := growsFrom(before, v); took != "" {
				t.Fatalf("%s\n%s", took, raw)
			}
			if order[v.Phase] < order[before.Phase] {
				t.Fatalf("phase %q after %q", v.Phase, before.Phase)
			}
			before = v
		}
		v := inPieces(t, raw, look)
		if took := growsFrom(before, v); took != "" {
			t.Fatalf("at the end: %s", took)
		}
		if v.Status != arena.VerdictOK || v.Better != arena.Second || len(v.Principles) != n || len(v.Comparisons) != n {
			t.Fatalf("status %q, better %q, %d principles of %d\n%s", v.Status, v.Better, len(v.Principles), n, raw)
		}
	})
}

// Well-formed JSON is read as encoding/json reads it.
func TestValidJSONIsReadToTheLetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw, n := drawVerdict(t)
		var want struct {
			Result []struct {
				Principle map[string]map[string]string `json:"principle"`
				Analysis  struct {
					Comparisons []map[string]string `json:"principle_comparisons"`
					Overall     string              `json:"overall_analysis"`
				} `json:"analysis"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		v := verdict.Parse(raw)
		for i := range n {
			p, w := v.Principles[i], want.Result[0].Principle[fmt.Sprintf("Principle %d", i+1)]
			if p.Definition != w["main_content"] || p.Reason != w["reason_for_choosing"] || p.Dimension != w["dimension_name"] {
				t.Fatalf("principle %d: %+v, want %v", i, p, w)
			}
			c, x := v.Comparisons[i], want.Result[0].Analysis.Comparisons[i]
			if c.First != x["cand_1_performance"] || c.Second != x["cand_2_performance"] || c.Reason != x["comparison_reason"] {
				t.Fatalf("comparison %d: %+v, want %v", i, c, x)
			}
		}
		if v.Overall != want.Result[0].Analysis.Overall {
			t.Fatalf("overall %q, want %q", v.Overall, want.Result[0].Analysis.Overall)
		}
	})
}

// The label is shown before the output ends: a fence or a word after the JSON is
// enough to know that it is whole.
func TestTheLabelIsShownWhileItStreams(t *testing.T) {
	t.Parallel()
	r := verdict.NewReader()
	r.Write(whole + "\n`")
	if v := r.Snapshot(); v.Better != arena.First || v.Tally.First != 1 {
		t.Fatalf("better %q, tally %+v", v.Better, v.Tally)
	}
}

func TestPhasesAreHonest(t *testing.T) {
	t.Parallel()
	raw := "<think>hm</think>" + whole
	r := verdict.NewReader()
	var seen []arena.Phase
	note := func() {
		if p := r.Snapshot().Phase; len(seen) == 0 || seen[len(seen)-1] != p {
			seen = append(seen, p)
		}
	}
	note()
	for _, c := range raw {
		r.Write(string(c))
		note()
	}
	want := []arena.Phase{
		arena.PhaseWaiting, arena.PhaseReading, arena.PhaseThinking, arena.PhaseReading, arena.PhasePrinciples, arena.PhaseComparing, arena.PhaseDeciding,
	}
	if len(seen) > 1 && seen[1] == arena.PhaseThinking {
		want = append(want[:1:1], want[2:]...)
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Fatal(diff)
	}
	if v := r.Close(); v.Phase != arena.PhaseDone || v.Reasoning != "hm" {
		t.Fatalf("phase %q, reasoning %q", v.Phase, v.Reasoning)
	}
}

func TestAClosedReaderStaysClosed(t *testing.T) {
	t.Parallel()
	r := verdict.NewReader()
	r.Write(whole)
	want := r.Close()
	r.Write(`{"better_response": "cand_2"}`)
	if diff := cmp.Diff(want, r.Close()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, r.Snapshot()); diff != "" {
		t.Error(diff)
	}
}

func FuzzReader(f *testing.F) {
	for _, e := range readCases(f) {
		f.Add(e.Raw, 7)
	}
	for _, attack := range attacks {
		f.Add(echoed(attack, attack, false, "cand_1"), 3)
	}
	f.Add(python(whole), 11)
	f.Fuzz(func(t *testing.T, raw string, size int) {
		size = 1 + abs(size)%64
		r := verdict.NewReader()
		for i := 0; i < len(raw); i += size {
			r.Write(raw[i:min(len(raw), i+size)])
			r.Snapshot()
		}
		got, want := r.Close(), verdict.Parse(raw)
		if !reflect.DeepEqual(want, got) {
			t.Fatal(cmp.Diff(want, got))
		}
		if (got.Status == arena.VerdictPartial || got.Status == arena.VerdictFailed) != (got.Better == arena.NoChoice) {
			t.Fatalf("status %q with %q", got.Status, got.Better)
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

func BenchmarkStream(b *testing.B) {
	raw := echoed(strings.Repeat("A long reply. ", 100), strings.Repeat("Another one. ", 100), true, "cand_1")
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		r := verdict.NewReader()
		for i := 0; i < len(raw); i += 4 {
			r.Write(raw[i:min(len(raw), i+4)])
			r.Snapshot()
		}
		r.Close()
	}
}
