package rating

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
)

func TestStyleOfAReply(t *testing.T) {
	t.Parallel()
	got := StyleOf([]layers.Segment{
		{Layer: layers.System, Text: "plan plan"},
		{Layer: layers.Think, Text: "他 在 看"},
		{Layer: layers.Act, Text: "bows low"},
		{Layer: layers.Speech, Text: "**Good** evening, __Miss__ **Bennet**"},
	})
	want := Style{Length: 7 + 34, Action: 7.0 / 41, Thought: 3, Bold: 3}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	text := "# Title\n####### seven\n#none\n1. one\n 2. two\n- three\n-four\n* five\n+ six\n```\n# code\n- code **x**\n```\n**open\nclose**\n****\n2.5 points\n"
	got = StyleOf([]layers.Segment{{Layer: layers.Speech, Text: text}})
	if got.Headers != 1 || got.Lists != 5 || got.Bold != 0 {
		t.Errorf("%+v", got)
	}
	if z := StyleOf(nil); z != (Style{}) {
		t.Errorf("%+v", z)
	}
}

func TestStyleFromJSONOfLmarena(t *testing.T) {
	t.Parallel()
	line := `{"model_a":"x","model_b":"y","winner":"tie","language":"en","turn":2,"conv_metadata":{"sum_assistant_a_tokens":30,"sum_assistant_b_tokens":10,` +
		`"header_count_a":{"h1":1,"h2":2},"header_count_b":{},"bold_count_a":{"**":4,"__":1},"bold_count_b":{"**":0},"list_count_a":{"ordered":1},"list_count_b":{"ordered":2}}}`
	var about *About
	found, err := eachJSONL(strings.NewReader(line), ReadOptions{Style: true, By: ByLanguage}, func(b Battle) { about = b.About })
	if err != nil || !found.Styled {
		t.Fatal(found, err)
	}
	want := &About{Language: "en", Turn: 2, Styled: true, Style: [2]Style{{Length: 30, Headers: 3, Lists: 1, Bold: 5}, {Length: 10, Lists: 2}}}
	if d := cmp.Diff(want, about); d != "" {
		t.Error(d)
	}
	plain := `{"model_a":"x","model_b":"y","winner":"tie"}`
	if _, err := eachJSONL(strings.NewReader(plain), ReadOptions{Style: true}, func(Battle) {}); err == nil || !strings.Contains(err.Error(), "no object has the keys len_a") {
		t.Error(err)
	}
	if _, err := eachJSONL(strings.NewReader(plain), ReadOptions{By: ByScene}, func(Battle) {}); err == nil || !strings.Contains(err.Error(), "no object has the key scene") {
		t.Error(err)
	}
}

func TestDimensionsOfARuling(t *testing.T) {
	t.Parallel()
	principles := []arena.Principle{{Name: "p", Dimension: "voice"}, {Name: "q", Dimension: "voice"}, {Name: "r", Dimension: "plot"}, {Name: "s"}}
	verdict := func(winners ...arena.Choice) arena.Verdict {
		v := arena.Verdict{Status: arena.VerdictOK, Principles: principles}
		for i, w := range winners {
			v.Comparisons = append(v.Comparisons, arena.Comparison{Name: principles[i].Name, Winner: w})
		}
		return v
	}
	r := &arena.Ruling{Verdicts: [2]arena.Verdict{
		verdict(arena.First, arena.First, arena.Second, arena.First),
		verdict(arena.First, arena.Second, arena.First, arena.First), // B is first here
	}}
	got := Dimensions(r, "x", "y")
	want := []Battle{
		{A: "x", B: "y", Outcome: Loss, Weight: 0.5, About: &About{Dimension: "plot"}},
		{A: "x", B: "y", Outcome: Loss, Weight: 0.5, About: &About{Dimension: "plot"}},
		{A: "x", B: "y", Outcome: Win, Weight: 0.5, About: &About{Dimension: "voice"}},
		{A: "x", B: "y", Outcome: Tie, Weight: 0.5, About: &About{Dimension: "voice"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Dimensions(&arena.Ruling{Verdicts: [2]arena.Verdict{{Status: arena.VerdictFailed, Principles: principles, Comparisons: r.Verdicts[0].Comparisons}}}, "x", "y"); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestTieModelsSayHowOftenEqualsTie(t *testing.T) {
	t.Parallel()
	// Equal contestants with 30 % ties: both models must say 30 %.
	var battles []Battle
	battles = append(battles, times(350, "a", "b", Win)...)
	battles = append(battles, times(350, "a", "b", Loss)...)
	battles = append(battles, times(300, "a", "b", Tie)...)
	for _, m := range []Model{Davidson, RaoKupper} {
		b := NewBoard(battles, Options{Model: m})
		if b.Ties == nil || math.Abs(b.Ties.TieChance-0.3) > 1e-9 || b.Model != m {
			t.Errorf("%s: %+v", m, b.Ties)
		}
	}
	if b := NewBoard(battles, Options{}); b.Ties != nil || b.Model != BradleyTerry {
		t.Errorf("%+v", b)
	}
	for word, ok := range map[string]bool{"": true, "bt": true, "davidson": true, "rao-kupper": true, "rk": false} {
		if _, err := ParseModel(word); (err == nil) != ok {
			t.Error(word, err)
		}
	}
	for word, ok := range map[string]bool{"": true, "turn": true, "dimension": true, "month": false} {
		if _, err := ParseBy(word); (err == nil) != ok {
			t.Error(word, err)
		}
	}
}
