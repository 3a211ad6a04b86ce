package verdict_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"herarena/judge/verdict"
)

// hostile returns texts of about n bytes that try to make the reader slow, by
// what they are full of.
func hostile(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)+1) }
	half := func(s string) string { return strings.Repeat(s, n/2/len(s)+1) }
	long := strings.Repeat("a clear difference ", n/5/19)
	return map[string]string{
		"lists never closed":       `{"result":` + fill("["),
		"objects closed as lists":  half(`{"a":`) + half("]"),
		"lists closed as objects":  `{"result":` + half("[") + half("}"),
		"nested results":           fill(`{"result":`),
		"quotes":                   `{"cand_1":"` + fill(`"`),
		"quotes and commas":        `{"cand_1":"` + fill(`",`),
		"quotes, commas and keys":  `{"winner":"` + fill(`","aaaaaaaaaaaaaaaa`),
		"quotes and spaces":        `{"overall":"` + fill(`"`+strings.Repeat(" ", 200)),
		"quotes and near keys":     `{"overall":"` + fill(`" 'a`+strings.Repeat("b", 200)+`' `),
		"spaces in a text":         `{"overall":"` + fill(" "),
		"long texts":               `{"comparisons":[{"cand_1_performance":"` + fill("the candle gutters "),
		"long reasons":             `{"comparisons":[` + strings.Repeat(`{"comparison_reason":"`+long+`","winner":"tie"},`, 5),
		"a long reason, then more": `{"comparisons":[{"comparison_reason":"` + half("no clear difference ") + `","cand_1_performance":"` + half("bb "),
		"a long dimension":         `{"principle":[{"dimension_name":"` + half("plot ") + `","main_content":"` + half("cc "),
		"a long name":              `{"comparisons":[{"principle_name":"` + half("Principle 1") + `","cand_1_performance":"` + half("dd "),
		"Chinese":                  `{"overall_analysis":"` + fill("明显不够轻微的"),
		"invalid UTF-8":            `{"overall":"` + fill("\xff\xefa"),
		"labels":                   "{" + fill(`"better_response":"the first one",`),
		"labels in words":          `{"analysis":{` + fill(`"better_response":"better is candidate 1",`),
		"principles":               `{"principle":[` + fill(`{"principle_name":"p"},`),
		"empty comparisons":        `{"comparisons":[` + fill(`{},`),
		"results":                  `{"result":[` + fill(`{"overall":"x"},`),
		"documents":                fill(`{"better_response":"tie"}`),
		"documents of nothing":     fill(`{"result":1}`),
		"keys":                     "{" + fill(`"a":1,`),
		"a long key":               `{"principle":{"` + fill("a"),
		"a key full of quotes":     `{"result":{"` + fill(`a"b`),
		"lines of open quotes":     `{"overall":"` + fill("\n\"winner"),
		"thinking":                 "<think>" + fill("I weigh the two "),
		"closing thinks":           fill("x</think>"),
		"thinks":                   fill("<think>a</think>b</think>"),
		"thinking after thinking":  half("draft ") + "</think><think>" + half("again "),
		"prose":                    fill("Final answer: "),
		"backslashes":              `{"cand_1":"` + fill(`\`),
	}
}

func BenchmarkHostile(b *testing.B) {
	all := hostile(600_000)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		raw := all[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				verdict.Parse(raw)
			}
		})
	}
}

// BenchmarkHostileStream looks at the verdict every 60 bytes, some ten thousand
// times; what a screen asks for is paced to frames and far less.
func BenchmarkHostileStream(b *testing.B) {
	all := hostile(600_000)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		raw := all[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				r := verdict.NewReader()
				for i := 0; i < len(raw); i += 60 {
					r.Write(raw[i:min(len(raw), i+60)])
					r.Snapshot()
				}
				r.Close()
			}
		})
	}
}

// BenchmarkVerdictLength streams verdicts of growing size with a look every 4
// bytes: the cost a byte should not grow.
func BenchmarkVerdictLength(b *testing.B) {
	for _, kb := range []int{2, 20, 200} {
		raw := echoed(strings.Repeat("A long reply. ", kb*1000/28), strings.Repeat("Another one. ", kb*1000/28), true, "cand_1")
		b.Run(fmt.Sprintf("%dkB", kb), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				r := verdict.NewReader()
				for i := 0; i < len(raw); i += 4 {
					r.Write(raw[i:min(len(raw), i+4)])
					r.Snapshot()
				}
				r.Close()
			}
		})
	}
}
