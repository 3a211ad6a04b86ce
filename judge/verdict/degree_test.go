package verdict

import "testing"

func TestDegree(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"A slight difference.": "slight", "clear difference": "clear", "significant": "significant",
		"Cand_1 is slightly better here.":                                  "slight",
		"Both are strong, but cand_2 has a marginal edge.":                 "slight",
		"Cand_1 uses clear pronouns; the difference is slight.":            "slight",
		"A small gesture against a great speech.":                          "",
		"Cand_2 is far better.":                                            "significant",
		"There is no significant difference.":                              "",
		"not clearly better, only slightly":                                "slight",
		"The degree of difference is substantial.":                         "significant",
		"Candidate 2 clearly wins: the voice is period, the manner formal": "clear",
		"差异明显":           "clear",
		"候选1略好于候选2":      "slight",
		"两者差距显著":         "significant",
		"没有明显差异":         "",
		"cand_1 稍微更自然一些": "slight",
		"":               "",
		"A tie.":         "",
	} {
		if got := degree(reason); got != want {
			t.Errorf("degree(%q) = %q, want %q", reason, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"cand_1": "cand_1", " CAND_2 ": "cand_2", "Tie": "tie", "candidate 1": "cand_1", "Candidate_2": "cand_2", "cand1": "cand_1", "cand-2": "cand_2",
		"Response 1": "cand_1", "response candidate 2": "cand_2", "A": "cand_1", "b": "cand_2", "1": "cand_1", "the first candidate": "cand_1",
		"second": "cand_2", "equal": "tie", "draw": "tie", "平局": "tie", "候选2": "cand_2", "回复1": "cand_1", "cand_1 (slightly)": "cand_1",
		"cand_1 or cand_2 or tie": "", "neither": "", "both": "", "": "", "cand_3": "", "cand_1 is worse": "", "better than cand_2": "",
		"not cand_1": "", "cand_12": "", "because": "",
	} {
		if got, _ := label(text); string(got) != want {
			t.Errorf("label(%q) = %q, want %q", text, got, want)
		}
	}
}
