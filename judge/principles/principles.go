// Package principles knows the twelve dimensions of role-play quality that
// HER-RM's model card lists, the other names the same things go by, and which
// of them look for flaws and which for merits.
//
// Critics write dimensions in their own words. The original word is kept where
// it came from; this package only says where it belongs.
package principles

import (
	"strings"
	"sync"
	"unicode"
)

// The two polarities of a principle. A negative one looks for flaws, a positive
// one for merits.
const (
	Negative = "negative"
	Positive = "positive"
)

// The canonical dimensions, six negative and six positive.
const (
	LanguageMixing         = "Language mixing"
	PhysicalLogic          = "Physical logic violation"
	ReferenceConfusion     = "Reference confusion"
	Contradiction          = "Contradiction with context"
	PlotRepetition         = "Plot repetition"
	OutOfCharacter         = "Out of character"
	CharacterFidelity      = "Character fidelity"
	EmotionalAuthenticity  = "Emotional authenticity"
	NarrativeQuality       = "Narrative quality"
	InteractionNaturalness = "Interaction naturalness"
	StoryProgression       = "Story progression"
	UserPreference         = "User preference alignment"
)

// Kind is one canonical dimension.
type Kind struct {
	Name     string
	Polarity string
	// Aliases are other names for it, as critics and papers write them.
	Aliases []string
}

// Dimensions returns the twelve canonical dimensions, negative ones first, each
// with its aliases. The slice is the caller's own.
func Dimensions() []Kind {
	return []Kind{
		{LanguageMixing, Negative, []string{
			"language mixing / code-switching issues", "code-switching", "code switching", "mixed language",
			"mixed languages", "language consistency", "language mix", "语言混杂", "语言混用", "语种混杂", "中英混杂",
		}},
		{PhysicalLogic, Negative, []string{
			"physical logic violations", "physical-logic violation", "physical logic", "physical inconsistency",
			"logic", "logic violation", "logical consistency", "common sense", "物理逻辑", "物理逻辑错误", "物理逻辑违背", "逻辑错误",
		}},
		{ReferenceConfusion, Negative, []string{
			"reference error", "reference errors", "reference clarity", "pronoun confusion", "identity confusion",
			"speaker confusion", "role confusion", "speaking for the user", "speaking for others", "指代混乱", "指代错误", "人称混乱",
		}},
		{Contradiction, Negative, []string{
			"contradiction", "context contradiction", "contradictions with context", "contextual consistency",
			"context consistency", "consistency with context", "worldview consistency", "state consistency",
			"status consistency", "factual consistency", "setting contradiction", "knowledge violation",
			"上下文矛盾", "前后矛盾", "与上下文矛盾", "设定矛盾", "世界观一致性",
		}},
		{PlotRepetition, Negative, []string{
			"repetition", "repetitiveness", "repetition issues", "plot repetitiveness", "dialogue repetition",
			"content repetition", "剧情重复", "情节重复", "内容重复", "重复",
		}},
		{OutOfCharacter, Negative, []string{
			"character ooc", "ooc", "character ooc (out of character)", "out-of-character", "character break",
			"breaking character", "character collapse", "safety & boundaries", "safety and boundaries",
			"人设崩坏", "角色崩坏", "角色ooc", "人设偏离", "安全与边界",
		}},
		{CharacterFidelity, Positive, []string{
			"fidelity", "character consistency", "character development", "persona consistency", "character portrayal",
			"characterization", "characterisation", "角色一致性", "角色忠实度", "角色还原", "人设一致性", "角色塑造",
		}},
		{EmotionalAuthenticity, Positive, []string{
			"emotional expression", "emotional consistency", "emotional depth", "emotion", "emotional resonance",
			"情感真实", "情感真实性", "情感表达", "情绪表达",
		}},
		{NarrativeQuality, Positive, []string{
			"action description", "atmosphere & environment", "atmosphere and environment", "details & description",
			"details and description", "narrative", "narrative & plot", "narrative and plot", "writing quality",
			"descriptive quality", "叙事质量", "叙事", "动作描写", "环境氛围", "细节描写", "文笔",
		}},
		{InteractionNaturalness, Positive, []string{
			"dialogue & interaction", "dialogue and interaction", "interaction", "interaction quality",
			"relationship development", "dialogue quality", "dialogue naturalness", "互动自然", "互动自然度", "互动性", "对话互动", "关系发展",
		}},
		{StoryProgression, Positive, []string{
			"plot progression", "plot advancement", "plot development", "conflict & tension", "conflict and tension",
			"openness & diversity", "openness and diversity", "story development", "剧情推进", "情节推进", "故事推进", "冲突与张力",
		}},
		{UserPreference, Positive, []string{
			"user preference", "user preferences", "user experience", "reader experience", "overall quality",
			"preference alignment", "用户偏好", "用户偏好对齐", "用户体验", "整体质量",
		}},
	}
}

// Dimension finds the canonical dimension a critic's own word stands for. Case,
// spaces and punctuation do not matter. Where ok is false the word is new, and
// canonical is the word itself, trimmed: the vocabulary is open.
func Dimension(name string) (canonical string, ok bool) {
	if k, found := find(name); found {
		return k.Name, true
	}
	return strings.TrimSpace(name), false
}

// Polarity says whether a principle looks for flaws or merits, judged by its
// dimension first and by the words of both names where the dimension is not one
// of the known ones. It is Negative, Positive or "" where nothing tells.
func Polarity(dimension, principleName string) string {
	if k, ok := find(dimension); ok {
		return k.Polarity
	}
	if p := byWords(dimension); p != "" {
		return p
	}
	if k, ok := find(principleName); ok {
		return k.Polarity
	}
	return byWords(principleName)
}

// index maps every folded name and alias to its dimension. It is made once, on
// first use, and only read after that: a live verdict asks for it at each frame.
var index = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, k := range Dimensions() {
		m[fold(k.Name)] = k
		for _, a := range k.Aliases {
			m[fold(a)] = k
		}
	}
	return m
})

func find(name string) (Kind, bool) {
	k, ok := index()[fold(name)]
	return k, ok
}

// Key is the same for all ways to write one name: case, spaces, punctuation and
// a label in front do not matter. It is for comparing names, not for showing.
func Key(name string) string { return fold(name) }

// fold keeps letters and digits, in lower case, and drops a "negative:" or
// "positive -" label that some critics put before the name.
func fold(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	key := b.String()
	for _, label := range []string{"negative", "positive"} {
		if rest, cut := strings.CutPrefix(key, label); cut && rest != "" {
			key = rest
			break
		}
	}
	for _, label := range []string{"principles", "principle", "dimensions", "dimension"} {
		if rest, cut := strings.CutPrefix(key, label); cut && rest != "" {
			return rest
		}
	}
	return key
}

// byWords looks for words that betray a polarity in a name nobody listed.
// Whole words only: "no" must not be found in "tone".
func byWords(name string) string {
	lower := strings.ToLower(name)
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	for _, w := range words {
		switch w {
		case "negative", "violation", "violations", "confusion", "contradiction", "contradictions", "repetition",
			"repetitive", "mixing", "ooc", "error", "errors", "avoid", "avoids", "avoidance", "avoiding", "no", "not",
			"without", "inconsistency", "inconsistent", "hallucination", "flaw", "flaws", "break", "breaking", "misuse":
			return Negative
		}
	}
	for _, zh := range []string{"负向", "违背", "违反", "混乱", "矛盾", "重复", "混杂", "崩坏", "错误", "避免", "不得", "禁止"} {
		if strings.Contains(lower, zh) {
			return Negative
		}
	}
	for _, w := range words {
		switch w {
		case "positive", "fidelity", "authenticity", "authentic", "quality", "naturalness", "progression", "alignment",
			"depth", "richness", "engagement", "engaging", "immersion", "creativity", "vividness", "expression",
			"development", "diversity", "consistency", "coherence", "responsiveness", "initiative":
			return Positive
		}
	}
	for _, zh := range []string{"正向", "真实", "自然", "质量", "推进", "丰富", "生动", "一致", "忠实", "共鸣", "创意"} {
		if strings.Contains(lower, zh) {
			return Positive
		}
	}
	return ""
}
