package verdict

import (
	"regexp"
	"strings"
	"unicode"
)

// The degrees of a difference, as HER-RM's prompt asks for them in prose.
const (
	slight      = "slight"
	clear       = "clear"
	significant = "significant"
)

var englishDegrees = map[string]string{
	"slight": slight, "slightly": slight, "marginal": slight, "marginally": slight, "minor": slight, "small": slight,
	"subtle": slight, "subtly": slight, "little": slight, "narrow": slight, "narrowly": slight, "mild": slight, "mildly": slight,
	"clear": clear, "clearly": clear, "obvious": clear, "obviously": clear, "noticeable": clear, "noticeably": clear,
	"evident": clear, "evidently": clear, "distinct": clear, "distinctly": clear, "moderate": clear, "moderately": clear,
	"apparent": clear, "notable": clear, "notably": clear, "marked": clear, "markedly": clear,
	"significant": significant, "significantly": significant, "substantial": significant, "substantially": significant,
	"major": significant, "huge": significant, "large": significant, "considerable": significant,
	"considerably": significant, "vast": significant, "vastly": significant, "strong": significant,
	"strongly": significant, "decisive": significant, "decisively": significant, "overwhelming": significant,
	"overwhelmingly": significant, "dramatic": significant, "dramatically": significant, "far": significant,
	"much": significant, "great": significant, "greatly": significant, "severe": significant, "severely": significant,
}

// aboutDifference are the words a degree word must stand near to be about the
// difference and not about a performance ("clear pronouns", "a small gesture").
var aboutDifference = map[string]bool{
	"difference": true, "differences": true, "differ": true, "degree": true, "advantage": true, "edge": true,
	"margin": true, "gap": true, "better": true, "worse": true, "stronger": true, "weaker": true, "superior": true,
	"inferior": true, "win": true, "wins": true, "winner": true, "lead": true, "leads": true, "preferable": true,
	"outperforms": true, "outperform": true, "more": true, "less": true, "ahead": true, "surpasses": true, "preference": true,
}

var negations = map[string]bool{"no": true, "not": true, "without": true, "never": true, "hardly": true, "isn't": true, "neither": true}

var chineseDegree = regexp.MustCompile(`(不够?|没有?|无|并非|未见?|谈不上)?\s*(轻微|略微|稍微|些许|细微|微弱|略|稍|较为明显|明显|清晰|清楚|较大|显著|重大|巨大|极大|远远|大幅|悬殊|压倒性)`)

// degree reads how large a difference is from the words of a comparison, in
// English or Chinese. A degree word beside a word for difference counts before
// one that stands alone, a later one before an earlier. "" where none is found.
func degree(reason string) string {
	if d := englishDegree(reason); d != "" {
		return d
	}
	if strings.IndexFunc(reason, func(r rune) bool { return unicode.Is(unicode.Han, r) }) < 0 {
		return "" // the search below is dear on a long text
	}
	found := ""
	for _, m := range chineseDegree.FindAllStringSubmatch(reason, -1) {
		if m[1] != "" {
			continue
		}
		switch m[2] {
		case "轻微", "略微", "稍微", "些许", "细微", "微弱", "略", "稍":
			found = slight
		case "显著", "重大", "巨大", "极大", "远远", "大幅", "悬殊", "压倒性":
			found = significant
		default:
			found = clear
		}
	}
	return found
}

func englishDegree(reason string) string {
	words := strings.FieldsFunc(strings.ToLower(reason), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	})
	const near = 3
	alone, beside := "", ""
	for i, w := range words {
		d, ok := englishDegrees[w]
		if !ok || denied(words[:i]) {
			continue
		}
		if unambiguous(w) || len(words) <= near {
			alone = d
		}
		for j := max(0, i-near); j <= min(len(words)-1, i+near); j++ {
			if aboutDifference[words[j]] {
				beside = d
			}
		}
	}
	if beside != "" {
		return beside
	}
	return alone
}

// unambiguous words name a degree even where no word for difference is near.
func unambiguous(w string) bool {
	switch w {
	case "slight", "slightly", "marginal", "marginally", "clear", "clearly", "obvious", "obviously", "significant",
		"significantly", "substantial", "substantially", "noticeable", "noticeably", "overwhelming", "decisive":
		return true
	}
	return false
}

// denied tells whether one of the last two words denies what follows.
func denied(before []string) bool {
	for _, w := range before[max(0, len(before)-2):] {
		if negations[w] {
			return true
		}
	}
	return false
}
