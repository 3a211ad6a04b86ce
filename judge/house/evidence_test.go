package house_test

import (
	"regexp"
	"strings"
	"testing"

	"herarena/arena"
)

var quoted = regexp.MustCompile(`“([^”]*)”`)

func TestEvidenceIsQuotedInWholeWords(t *testing.T) {
	first := "<role_action>chose a bold line and civilly bowed</role_action>I was piqued, sir. The dances were counted by idle gossips, and the evening's graces were settled before supper."
	v := judge(t, ball(first, "Good evening, sir."))
	n := 0
	for _, c := range v.Comparisons {
		for _, m := range quoted.FindAllStringSubmatch(c.First, -1) {
			n++
			want := strings.TrimSuffix(m[1], "…")
			if !regexp.MustCompile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(want) + `($|[^\pL])`).MatchString(first) {
				t.Errorf("%s quotes “%s”, which is not in the reply as a whole word", c.Name, m[1])
			}
		}
	}
	if n < 2 {
		t.Errorf("only %d quotes in all: %+v", n, v.Comparisons)
	}
}

func TestChineseEvidenceStandsInTheReply(t *testing.T) {
	c := arena.Case{
		Context:   []arena.ContextLine{{Role: "system", Name: "system", Content: "沈砚秋，茶馆老板娘，没有忘记故人。"}, {Role: "user", Name: "客", Content: "今晚的雨很大。"}},
		Character: "沈砚秋", User: "客", Language: "zh",
		Cand1: "<role_action>手按在门闩上，没有拉</role_action>雨大，路也断了。", Cand2: "<role_action>点头</role_action>什么都没了。",
	}
	v := judge(t, c)
	for _, cmp := range v.Comparisons {
		for i, text := range []string{cmp.First, cmp.Second} {
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				if reply := []string{c.Cand1, c.Cand2}[i]; !strings.Contains(reply, strings.TrimSuffix(m[1], "…")) {
					t.Errorf("%s quotes “%s”, which is not in %q", cmp.Name, m[1], reply)
				}
			}
		}
	}
}
