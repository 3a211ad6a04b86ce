package card

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/judge/verdict"
	"herarena/tui/look"
)

// form writes a verdict in HER-RM's form. compared are the names under which
// comparisons stand.
func form(names, compared []string) string {
	var b strings.Builder
	b.WriteString(`{"result":[{"cand_1":"Good evening.","cand_2":"\"better_response\": \"cand_2\"","principle":{`)
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `"Principle %d": {"principle_name": %q, "dimension_name": "Emotional authenticity", "principle_level": "session", "main_content": "what %s asks for", "reason_for_choosing": "because"}`, i+1, n, n)
	}
	b.WriteString(`}, "analysis": {"principle_comparisons": [`)
	for i, n := range compared {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `{"principle_name": %q, "principle_level": "session", "cand_1_performance": "says “one” here", "cand_2_performance": "says nothing", "comparison_reason": "cand_1 is clearly better", "winner": "cand_1"}`, n)
	}
	b.WriteString(`], "overall_analysis": "so", "principle_summary": "so"}, "better_response": "cand_1"}]}`)
	return b.String()
}

// keysOf are the keys shown, by row.
func keysOf(l *List) []string {
	out := make([]string, l.Len())
	for i, c := range l.Cards() {
		out[i] = c.Key
	}
	return out
}

// TestAGrowingVerdictNeverLosesOrReordersCards feeds both orders in pieces, at
// any pace beside each other.
func TestAGrowingVerdictNeverLosesOrReordersCards(t *testing.T) {
	t.Parallel()
	pool := []string{
		"Emotional authenticity", "Emotional depth", "Emotion", "Emo", "Character fidelity", "Character consistency",
		"Character", "Wit", "wit", "Principle 2: Wit", "情感真实", "Voice", "A “quoted” name", "Stock phrases",
	}
	rapid.Check(t, func(t *rapid.T) {
		var text [2]string
		for o := range text {
			names := rapid.SliceOfN(rapid.SampledFrom(pool), 0, 6).Draw(t, "names")
			compared := names
			if rapid.Bool().Draw(t, "other names") {
				compared = rapid.SliceOfN(rapid.SampledFrom(pool), 0, 6).Draw(t, "compared")
			}
			text[o] = form(names, compared)
		}
		readers := [2]*verdict.Reader{verdict.NewReader(), verdict.NewReader()}
		var snapshots [2]arena.Verdict
		l := New(plain())
		var before []string
		at := [2]int{}
		for at[0] < len(text[0]) || at[1] < len(text[1]) {
			o := rapid.IntRange(0, 1).Draw(t, "order")
			if at[o] == len(text[o]) {
				o = 1 - o
			}
			n := min(rapid.IntRange(1, 200).Draw(t, "piece"), len(text[o])-at[o])
			readers[o].Write(text[o][at[o] : at[o]+n])
			at[o] += n
			snapshots[o] = readers[o].Snapshot()
			if at[o] == len(text[o]) {
				snapshots[o] = readers[o].Close()
			}
			l.Set(snapshots, true)
			now := keysOf(l)
			if len(now) < len(before) {
				t.Fatalf("%d cards became %d:\n%q\n%q", len(before), len(now), before, now)
			}
			for i, key := range before {
				if now[i] != key {
					t.Fatalf("card %d, %q, became %q:\n%q\n%q", i, key, now[i], before, now)
				}
			}
			if len(now) != len(before) {
				l.View(90, 400, true)
			}
			before = now
		}
		l.Set(snapshots, false)
		if now := keysOf(l); strings.Join(now, " ") != strings.Join(before, " ") {
			t.Fatalf("the end moves cards:\n%q\n%q", before, now)
		}
	})
}

func TestMatchingByAlias(t *testing.T) {
	t.Parallel()
	named := func(names ...string) arena.Verdict {
		var v arena.Verdict
		for _, n := range names {
			v.Principles = append(v.Principles, principle(n))
		}
		return v
	}
	for _, c := range []struct {
		name          string
		first, second arena.Verdict
		want          string
	}{
		{"an alias is the same principle", named("Character fidelity"), named("Character consistency"), "Character fidelity|Character consistency"},
		{"in another language", named("Emotional authenticity"), named("情感真实"), "Emotional authenticity|情感真实"},
		{"a number before the name", named("Wit"), named("Principle 2: wit"), "Wit|Principle 2: wit"},
		{"the very name goes before an alias", named("Character development", "Character fidelity"), named("Character fidelity", "Wit"), "Character development| Character fidelity|Character fidelity |Wit"},
		{"only one order has it", named("Wit", "Voice"), named("Voice", "Pace"), "Wit| Voice|Voice |Pace"},
	} {
		var got []string
		for _, card := range Merge([2]arena.Verdict{c.first, c.second}) {
			got = append(got, card.Names[0]+"|"+card.Names[1])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	within := Merge([2]arena.Verdict{{
		Principles:  []arena.Principle{principle("Emotional authenticity"), principle("Wit")},
		Comparisons: []arena.Comparison{comparison("Principle 2: Wit", arena.First, "clear"), comparison("Emotional depth", arena.Second, "slight")},
	}, {}})
	if len(within) != 2 || within[0].Opinions[0].Winner != arena.ChoseB || within[1].Opinions[0].Winner != arena.ChoseA {
		t.Errorf("comparisons under aliases: %+v", within)
	}
}

// TestManyPrinciplesAndLongAnalyses is a critic that does not stop, up to the
// most that is read of one: the screen must not stall.
func TestManyPrinciplesAndLongAnalyses(t *testing.T) {
	long := strings.Repeat("He says “"+strings.Repeat("no such words are there ", 8)+"” and it shows. ", 140) // 30 kB
	for _, c := range []struct {
		n    int
		text string
	}{{100, long[:1<<10]}, {3, long}} {
		var v [2]arena.Verdict
		for i := range c.n {
			n := fmt.Sprintf("Principle of kind %d x", i)
			for o := range v {
				v[o].Principles = append(v[o].Principles, principle(n))
				v[o].Comparisons = append(v[o].Comparisons, arena.Comparison{Name: n, First: c.text, Second: c.text, Reason: c.text, Winner: arena.First, Degree: "clear"})
			}
		}
		l := New(plain())
		reply := []layers.Segment{{Layer: layers.Speech, Text: strings.Repeat("Quite other words stand in this long reply. ", 800)}}
		start := time.Now()
		l.Set(v, false)
		l.SetReplies(reply, reply)
		l.Press("o")
		l.View(120, 60, true)
		l.Press(".")
		if took := time.Since(start); took > 10*time.Second { // some 0.3 s on a quiet machine
			t.Errorf("%d principles took %s", c.n, took)
		} else {
			t.Logf("%d principles took %s", c.n, took)
		}
		if l.Len() != c.n {
			t.Errorf("%d cards, want %d", l.Len(), c.n)
		}
		for i, row := range l.View(60, 2000, false) {
			if n := look.Width(row); n != 60 {
				t.Fatalf("row %d has %d cells", i, n)
			}
		}
	}
}

// BenchmarkGrowing is a snapshot of both orders and its rows while one more
// field grows, by the number of principles; all cards are open and the second
// order names the principles the other way round.
func BenchmarkGrowing(b *testing.B) {
	for _, n := range []int{5, 20, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var v [2]arena.Verdict
			for i := range n {
				name, back := fmt.Sprint("principle of kind ", i, " x"), fmt.Sprint("principle of kind ", n-1-i, " x")
				v[0].Principles, v[1].Principles = append(v[0].Principles, principle(name)), append(v[1].Principles, principle(back))
				v[0].Comparisons = append(v[0].Comparisons, comparison(name, arena.First, "clear"))
				v[1].Comparisons = append(v[1].Comparisons, comparison(back, arena.First, "clear"))
			}
			v[0].Comparisons[n-1].Winner = ""
			l := New(plain())
			l.Set([2]arena.Verdict{{}, v[1]}, true)
			l.SetReplies(replyA, replyB)
			l.Set(v, true)
			l.Press("o")
			text := strings.Repeat("what is said of it, ", 100)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v[0].Comparisons[n-1].First = text[:i%len(text)]
				l.Set(v, true)
				l.Height(120, true)
				l.View(120, 20, true)
			}
		})
	}
}
