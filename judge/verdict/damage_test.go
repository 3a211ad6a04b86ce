package verdict_test

import (
	"strings"
	"testing"

	"herarena/arena"
	"herarena/judge/verdict"
)

// whole is a well-formed verdict for cand_1 with two principles, 1 to 1.
const whole = `{"result": [{"cand_1": "Good evening.", "cand_2": "Hi!",
 "principle": {
  "Principle 1": {"principle_name": "Period voice", "dimension_name": "Character fidelity", "principle_level": "sentence", "main_content": "Speech fits the age.", "reason_for_choosing": "A ball in 1811."},
  "Principle 2": {"principle_name": "No repeated beat", "dimension_name": "Plot repetition", "principle_level": "session", "main_content": "Nothing is said twice.", "reason_for_choosing": "Turn nine."}},
 "analysis": {"principle_comparisons": [
  {"principle_name": "Period voice", "principle_level": "sentence", "cand_1_performance": "formal", "cand_2_performance": "modern", "comparison_reason": "A clear difference.", "winner": "cand_1"},
  {"principle_name": "No repeated beat", "principle_level": "session", "cand_1_performance": "repeats", "cand_2_performance": "fresh", "comparison_reason": "A slight difference.", "winner": "cand_2"}],
  "overall_analysis": "The voice decides.", "principle_summary": "1 to 1, weighted."},
 "better_response": "cand_1"}]}`

func swap(old, with string) string {
	if !strings.Contains(whole, old) {
		panic("whole does not hold " + old)
	}
	return strings.Replace(whole, old, with, 1)
}

func python(json string) string {
	return strings.NewReplacer(`"`, `'`).Replace(json)
}

func TestDamage(t *testing.T) {
	t.Parallel()
	inner := whole[len(`{"result": [`) : len(whole)-2]
	for _, c := range []struct {
		name, raw  string
		better     arena.Choice
		status     arena.VerdictStatus
		principles int
		compared   int
	}{
		{"as it should be", whole, arena.First, arena.VerdictOK, 2, 2},
		{"result is an object", `{"result": ` + inner + `}`, arena.First, arena.VerdictOK, 2, 2},
		{"in a list", "[" + inner + "]", arena.First, arena.VerdictOK, 2, 2},
		{"prose around it", "Here is my analysis of {cand_1} and {cand_2}:\n" + whole + "\nI hope this helps.", arena.First, arena.VerdictOK, 2, 2},
		{"words right behind it", whole + "Hope this helps", arena.First, arena.VerdictOK, 2, 2},
		{"bare fence", "```\n" + whole + "\n```", arena.First, arena.VerdictOK, 2, 2},
		{"fence not closed", "```json\n" + whole, arena.First, arena.VerdictOK, 2, 2},
		{"lone closing think", "So {\"better_response\": \"cand_2\"} comes to mind.\n</think>\n\n" + whole, arena.First, arena.VerdictOK, 2, 2},
		{"draft object before closing think", swap(`"better_response": "cand_1"`, `"better_response": "cand_2"`) + "</think>" + whole, arena.First, arena.VerdictOK, 2, 2},
		{"think in capitals", "<THINK>{\"better_response\":\"tie\"}</THINK>" + whole, arena.First, arena.VerdictOK, 2, 2},
		{"trailing commas", strings.NewReplacer(`"cand_1"}`, `"cand_1",}`, `"cand_2"}]`, `"cand_2"},]`).Replace(whole), arena.First, arena.VerdictRepaired, 2, 2},
		{"single quotes", python(whole), arena.First, arena.VerdictRepaired, 2, 2},
		{"python literals", python(swap(`"cand_2": "Hi!"`, `"cand_2": None, "valid": True`)), arena.First, arena.VerdictRepaired, 2, 2},
		{"apostrophes in single quotes", python(swap("Speech fits the age.", "It's the age's voice, isn't it")), arena.First, arena.VerdictRepaired, 2, 2},
		{"raw newlines", swap("The voice decides.", "The voice\ndecides.\n\nIt does."), arena.First, arena.VerdictRepaired, 2, 2},
		{"unescaped quotes", swap("The voice decides.", `The "voice", as they say, "decides".`), arena.First, arena.VerdictRepaired, 2, 2},
		{"unescaped quotes at the end", swap("The voice decides.", `He only says "no"`), arena.First, arena.VerdictRepaired, 2, 2},
		{"unescaped quotes and braces", swap(`"formal"`, `"uses {"x"} oddly"`), arena.First, arena.VerdictRepaired, 2, 2},
		{"bad escape", swap("formal", `form\*al \d`), arena.First, arena.VerdictRepaired, 2, 2},
		{"missing comma", swap(`"winner": "cand_2"}]`, `"winner": "cand_2"}]`+"\n") + "", arena.First, arena.VerdictOK, 2, 2},
		{"missing comma between members", swap(`"The voice decides.", "principle`, `"The voice decides." "principle`), arena.First, arena.VerdictRepaired, 2, 2},
		{"missing brace between comparisons", swap(`"winner": "cand_1"},`, `"winner": "cand_1",`), arena.First, arena.VerdictRepaired, 2, 2},
		{"one brace too many", swap(`weighted."},`, `weighted."}},`), arena.First, arena.VerdictRepaired, 2, 2},
		{"list not closed", swap(`"cand_2"}],`, `"cand_2"},`), arena.First, arena.VerdictRepaired, 2, 2},
		{"string not closed", swap(`"cand_2_performance": "modern", "comparison_reason"`, "\"cand_2_performance\": \"modern,\n  \"comparison_reason\""), arena.First, arena.VerdictRepaired, 2, 2},
		{"unquoted keys and values", strings.NewReplacer(`"better_response": "cand_1"`, `better_response: cand_1`, `"winner":`, `winner:`).Replace(whole), arena.First, arena.VerdictRepaired, 2, 2},
		{"full-width colon", swap(`"better_response":`, `"better_response"：`), arena.First, arena.VerdictRepaired, 2, 2},
		{"comments", swap(` "better_response"`, " // in the end\n \"better_response\""), arena.First, arena.VerdictRepaired, 2, 2},
		{"closers missing", strings.TrimSuffix(whole, "}]}"), arena.First, arena.VerdictRepaired, 2, 2},
		{"last quote missing", strings.TrimSuffix(whole, `"}]}`), arena.First, arena.VerdictRepaired, 2, 2},
		{"label capitalised", swap(`"better_response": "cand_1"`, `"better_response": "Cand_1"`), arena.First, arena.VerdictOK, 2, 2},
		{"label spelt out", swap(`"better_response": "cand_1"`, `"better_response": "Candidate 1"`), arena.First, arena.VerdictRepaired, 2, 2},
		{"label as response", swap(`"better_response": "cand_1"`, `"better_response": "Response 2"`), arena.Second, arena.VerdictRepaired, 2, 2},
		{"label as letter", swap(`"better_response": "cand_1"`, `"better_response": "B"`), arena.Second, arena.VerdictRepaired, 2, 2},
		{"label as number", swap(`"better_response": "cand_1"`, `"better_response": 2`), arena.Second, arena.VerdictRepaired, 2, 2},
		{"label as sentence", swap(`"better_response": "cand_1"`, `"better_response": "cand_2 is better"`), arena.Second, arena.VerdictRepaired, 2, 2},
		{"label copied from the form", swap(`"better_response": "cand_1"`, `"better_response": "cand_1 or cand_2 or tie"`), arena.NoChoice, arena.VerdictPartial, 2, 2},
		{"label missing", strings.Replace(whole, ",\n \"better_response\": \"cand_1\"", "", 1), arena.NoChoice, arena.VerdictPartial, 2, 2},
		{"label on a line after", strings.Replace(whole, ",\n \"better_response\": \"cand_1\"", "", 1) + "\n\n**Final answer: cand_2**", arena.Second, arena.VerdictRepaired, 2, 2},
		{"cut in the second comparison", whole[:strings.Index(whole, `"fresh"`)], arena.NoChoice, arena.VerdictPartial, 2, 2},
		{"cut in the principles", whole[:strings.Index(whole, `Turn nine`)], arena.NoChoice, arena.VerdictPartial, 2, 0},
		{"cut in the echo", whole[:strings.Index(whole, `Hi!`)], arena.NoChoice, arena.VerdictPartial, 0, 0},
		{"cut in an escape", `{"result":[{"cand_1":"a","cand_2":"b","principle":{"P":{"principle_name":"Wit\u00`, arena.NoChoice, arena.VerdictPartial, 1, 0},
		{"two labels", swap(`"better_response": "cand_1"`, `"better_response": "cand_2", "better_response": "cand_1"`), arena.First, arena.VerdictOK, 2, 2},
		{"two objects", swap(`"better_response": "cand_1"`, `"better_response": "cand_2"`) + "\nOn second thought:\n" + whole, arena.First, arena.VerdictOK, 2, 2},
		{"label in an object of its own", swap(`"better_response": "cand_1"`, `"better_response": "tie"`) + "\n{\"better_response\": \"cand_2\"}", arena.Second, arena.VerdictOK, 2, 2},
		{"two results", `{"result":[` + inner + `,` + strings.Replace(inner, `"better_response": "cand_1"`, `"better_response": "tie"`, 1) + `]}`, arena.Tie, arena.VerdictOK, 2, 2},
		{"label beside the result", `{"result":[{"principle":{"P":{"principle_name":"Wit"}}}],"better_response":"cand_2"}`, arena.Second, arena.VerdictOK, 1, 0},
		{"label only in JSON", `{"better_response": "cand_2"}`, arena.Second, arena.VerdictOnly, 0, 0},
		{"label only without braces", `"better_response": "cand_2"`, arena.Second, arena.VerdictOnly, 0, 0},
		{"label alone", "tie", arena.Tie, arena.VerdictOnly, 0, 0},
		{"label in brackets", "Both are fine, but\n\n[[B]]", arena.Second, arena.VerdictOnly, 0, 0},
		{"line in bold", "Some thoughts.\n**Final Verdict:** Candidate 1", arena.First, arena.VerdictOnly, 0, 0},
		{"line in Chinese", "两者都不错。\n最终答案：cand_2", arena.Second, arena.VerdictOnly, 0, 0},
		{"a think that never ends", "<think>{\"better_response\": \"cand_2\"}", arena.NoChoice, arena.VerdictFailed, 0, 0},
		{"nothing", "", arena.NoChoice, arena.VerdictFailed, 0, 0},
		{"spaces", " \n\t ", arena.NoChoice, arena.VerdictFailed, 0, 0},
		{"an object about something else", `{"error": "overloaded", "code": 1}`, arena.NoChoice, arena.VerdictFailed, 0, 0},
		{"prose that names both", "Candidate 1 is warm, candidate 2 is cold.", arena.NoChoice, arena.VerdictFailed, 0, 0},
		{"continued without its prefix", whole[strings.Index(whole, `{
  "Principle 1"`):], arena.First, arena.VerdictRepaired, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := verdict.Parse(c.raw)
			if v.Better != c.better || v.Status != c.status {
				t.Errorf("better %q, status %q; want %q, %q", v.Better, v.Status, c.better, c.status)
			}
			if len(v.Principles) != c.principles || len(v.Comparisons) != c.compared {
				t.Errorf("%d principles, %d comparisons; want %d, %d: %+v", len(v.Principles), len(v.Comparisons), c.principles, c.compared, v)
			}
			if (verdict.Explain(v) == "") != (v.Better != arena.NoChoice) {
				t.Errorf("Explain says %q of a verdict for %q", verdict.Explain(v), v.Better)
			}
		})
	}
}

func TestFieldsKeepTheirWords(t *testing.T) {
	t.Parallel()
	v := verdict.Parse(whole)
	p, c := v.Principles[1], v.Comparisons[1]
	if p != (arena.Principle{
		Name: "No repeated beat", Dimension: "Plot repetition", Polarity: "negative", Level: "session",
		Definition: "Nothing is said twice.", Reason: "Turn nine.",
	}) {
		t.Errorf("principle %+v", p)
	}
	if c != (arena.Comparison{
		Name: "No repeated beat", First: "repeats", Second: "fresh", Reason: "A slight difference.", Winner: arena.Second, Degree: "slight",
	}) {
		t.Errorf("comparison %+v", c)
	}
	if v.Overall != "The voice decides." || v.Summary != "1 to 1, weighted." || v.Tally != (arena.Tally{First: 1, Second: 1}) || v.TallyDisagrees {
		t.Errorf("verdict %+v", v)
	}
	quoted := verdict.Parse(swap("The voice decides.", `The "voice", as they say, "decides".`))
	if quoted.Overall != `The "voice", as they say, "decides".` {
		t.Errorf("overall %q", quoted.Overall)
	}
	cut := verdict.Parse(swap(`"cand_2_performance": "modern", "comparison_reason"`, "\"cand_2_performance\": \"modern,\n  \"comparison_reason\""))
	if cut.Comparisons[0].Second != "modern" || cut.Comparisons[0].Winner != arena.First {
		t.Errorf("unclosed string: %+v", cut.Comparisons[0])
	}
	missing := verdict.Parse(swap(`"winner": "cand_1"},`, `"winner": "cand_1",`))
	if missing.Comparisons[0].Winner != arena.First || missing.Comparisons[1].Winner != arena.Second {
		t.Errorf("missing brace: %+v", missing.Comparisons)
	}
	escaped := verdict.Parse(swap("The voice decides.", `A \ud83d\ude00 \"grin\"\n\u4f60`))
	if escaped.Overall != "A 😀 \"grin\"\n你" {
		t.Errorf("escapes: %q", escaped.Overall)
	}
}

func TestNamesOfPrinciples(t *testing.T) {
	t.Parallel()
	v := verdict.Parse(`{"principle": {"Warmth": {"main_content": "Be warm."}, "Wit": "Be witty."},
		"analysis": {"principle_comparisons": [
			{"principle_name": "Warmth", "winner": "cand_1", "comparison_reason": "slight"},
			{"principle_name": "Something else", "winner": "Candidate 2"},
			{"winner": "tie", "comparison_reason": "no significant difference"}]},
		"better_response": "cand_1"}`)
	if v.Status != arena.VerdictOK || v.Principles[0].Name != "Warmth" || v.Principles[1].Definition != "Be witty." {
		t.Fatalf("%+v", v)
	}
	if len(v.Comparisons) != 3 || v.Comparisons[1].Name != "Something else" || v.Comparisons[1].Winner != arena.Second {
		t.Fatalf("%+v", v.Comparisons)
	}
	if v.Comparisons[2].Degree != "" {
		t.Errorf("a tie has degree %q", v.Comparisons[2].Degree)
	}
	linked := verdict.Parse(`{"principle": {"Principle 1": {"principle_name": "Warmth"}},
		"analysis": {"principle_comparisons": {"Principle 1": {"winner": "cand_1"}}}, "better_response": "cand_1"}`)
	if len(linked.Comparisons) != 1 || linked.Comparisons[0].Name != "Warmth" {
		t.Errorf("%+v", linked.Comparisons)
	}
}

// A byte that is no UTF-8 before a line break does not hide the key behind it.
func TestBadBytesBeforeAnUnclosedLine(t *testing.T) {
	t.Parallel()
	v := verdict.Parse(swap(`"comparison_reason": "A slight difference.", "winner"`, "\"comparison_reason\": \"A slight \xff difference.\n \"winner\""))
	if v.Comparisons[1].Winner != arena.Second || v.Comparisons[1].Reason != "A slight \uFFFD difference." {
		t.Errorf("%+v", v.Comparisons[1])
	}
	// Half a letter is text as well: what follows it is not at the line's beginning.
	half := verdict.Parse("{\"x\": \"note\n\xe4\xbd\"better_response\": \"cand_2\"")
	if half.Better != arena.NoChoice {
		t.Errorf("%+v", half)
	}
}

func TestTally(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		winners, label string
		disagrees      bool
	}{
		{"cand_1,cand_1,cand_2", "cand_2", true},
		{"cand_1,cand_1,cand_2", "cand_1", false},
		{"cand_1,cand_1,cand_2", "tie", true},
		{"cand_1,cand_2", "cand_2", false},
		{"tie,tie", "cand_1", true},
		{"tie,tie", "tie", false},
		{"", "cand_1", false},
		{"cand_2,tie,tie", "cand_2", false},
	} {
		raw := `{"analysis":{"principle_comparisons":[`
		for i, w := range strings.Split(c.winners, ",") {
			if i > 0 {
				raw += ","
			}
			raw += `{"principle_name":"p","winner":"` + w + `"}`
		}
		v := verdict.Parse(raw + `]},"better_response":"` + c.label + `"}`)
		if v.TallyDisagrees != c.disagrees || string(v.Better) != c.label {
			t.Errorf("winners %s, label %s: better %q, disagrees %v", c.winners, c.label, v.Better, v.TallyDisagrees)
		}
	}
}
