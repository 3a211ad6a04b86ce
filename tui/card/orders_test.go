package card

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/look"
)

func TestTheProgressOfAnOrderIsHonest(t *testing.T) {
	t.Parallel()
	p := []arena.Principle{{Name: "Wit"}, {Name: "Voice"}, {Name: "Pa"}}
	c := []arena.Comparison{{Name: "Wit", Winner: arena.First}, {Name: "Voice"}}
	for _, k := range []struct {
		v       arena.Verdict
		writing bool
		want    string
	}{
		{arena.Verdict{}, true, "waiting 9 s"},
		{arena.Verdict{Phase: arena.PhaseWaiting}, true, "waiting 9 s"},
		{arena.Verdict{Phase: arena.PhaseThinking, Reasoning: "one two\nthree 晚上"}, true, "thinking, 5 words"},
		{arena.Verdict{Phase: arena.PhaseThinking, Reasoning: "one"}, true, "thinking, 1 word"},
		{arena.Verdict{Phase: arena.PhaseReading, Raw: `{"cand_1": "good`}, true, "repeating the candidates, 2 words"},
		{arena.Verdict{Phase: arena.PhasePrinciples}, true, "naming principle 1"},
		{arena.Verdict{Phase: arena.PhasePrinciples, Principles: p}, true, "naming principle 3  Pa"},
		{arena.Verdict{Phase: arena.PhaseComparing, Principles: p, Comparisons: c}, true, "██▋····· comparing 2 of 3  Voice"},
		{arena.Verdict{Phase: arena.PhaseComparing, Comparisons: c}, true, "comparing principle 2  Voice"},
		{arena.Verdict{Phase: arena.PhaseDeciding, Principles: p, Comparisons: c}, true, "deciding"},
		{arena.Verdict{Phase: arena.PhaseDone, Better: arena.First, Tally: arena.Tally{First: 2, Second: 1, Tie: 2}}, true, "A better  2 – 1, 2 ties"},
		{arena.Verdict{Better: arena.Second, TallyDisagrees: true, Tally: arena.Tally{First: 1}}, false, "B better  1 – 0  label and tally differ"},
		{arena.Verdict{Better: arena.Tie, Status: arena.VerdictOnly}, false, "tie  a label without principles"},
		{arena.Verdict{Better: arena.First, Status: arena.VerdictRepaired}, false, "A better  its form was mended"},
		{arena.Verdict{Status: arena.VerdictPartial}, false, "no verdict  cut off before its answer"},
		{arena.Verdict{Status: arena.VerdictFailed, Raw: "hm"}, false, "no verdict  its answer could not be read"},
		{arena.Verdict{Status: arena.VerdictFailed}, false, "no verdict  no answer"},
	} {
		rows := Orders(plain(), [2]arena.Verdict{k.v, {}}, k.writing, 9*time.Second, 90)
		if got := strings.TrimSpace(ansi.Strip(rows[0])); got != "A first  "+k.want {
			t.Errorf("%+v:\n%q, want\n%q", k.v, got, "A first  "+k.want)
		}
	}
}

func TestTheSecondOrderSpeaksOfSides(t *testing.T) {
	t.Parallel()
	v := arena.Verdict{Better: arena.First, Tally: arena.Tally{First: 3, Second: 1}}
	if got := ansi.Strip(Result(plain(), arena.BFirst, &v)); got != "B better  1 – 3" {
		t.Errorf("%q", got)
	}
}

func TestOrdersFitAndStayClean(t *testing.T) {
	t.Parallel()
	evil := "\x1b]52;c;aGk=\x07\x1b[2J\u202e漢字 and words without an end " + strings.Repeat("x", 300)
	for _, v := range []arena.Verdict{
		{Phase: arena.PhasePrinciples, Principles: []arena.Principle{{Name: evil}}},
		{Phase: arena.PhaseComparing, Principles: []arena.Principle{{Name: evil}}, Comparisons: []arena.Comparison{{Name: evil}}},
		{Phase: arena.PhaseDone, Status: arena.VerdictFailed, Fault: &arena.Fault{Kind: arena.ServerFault, Message: evil}},
	} {
		for w := 1; w < 200; w++ {
			rows := Orders(plain(), [2]arena.Verdict{v, v}, true, time.Hour, w)
			if want := map[bool]int{true: 1, false: 2}[w >= SideBySide]; len(rows) != want {
				t.Fatalf("width %d: %d rows", w, len(rows))
			}
			for _, row := range rows {
				if n := look.Width(row); n != w {
					t.Fatalf("width %d: %d cells: %q", w, n, row)
				}
				if strings.ContainsAny(ansi.Strip(row), "\x1b\a\u202e") || strings.Contains(row, "]52") {
					t.Fatalf("width %d: not clean: %q", w, row)
				}
			}
		}
	}
}
