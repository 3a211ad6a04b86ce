package house

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// demand is something the settings ask of a reply and code can check.
type demand struct {
	asked string // the words that ask for it
	kept  func(*candidate) bool
}

var (
	atMost   = regexp.MustCompile(`(?i)\b(?:within|under|at most|no more than|less than|fewer than|up to|maximum of|limit(?:ed)? to|not exceed(?:ing)?|keep (?:it|replies|your reply) (?:under|below)|shorter than)\s+(\d{1,4})\s+(words|sentences|characters)\b|(?:不超过|最多|限制在|少于|不多于|控制在)\s*(\d{1,4})\s*个?(字|句)(?:以内)?|(\d{1,4})\s*(字|句)(?:以内|之内)`)
	atLeast  = regexp.MustCompile(`(?i)\b(?:at least|no fewer than|no less than|minimum of|more than)\s+(\d{1,4})\s+(words|sentences)\b|(?:至少|不少于|最少)\s*(\d{1,4})\s*个?(字|句)`)
	fromTo   = regexp.MustCompile(`(?i)\b(\d{1,4})\s*(?:-|–|to)\s*(\d{1,4})\s+(words|sentences)\b|(\d{1,4})\s*(?:-|–|到|至|~)\s*(\d{1,4})\s*(字|句)`)
	noEmoji  = regexp.MustCompile(`(?i)\b(?:no|without|avoid|do not use|don't use|never use) (?:any )?emojis?\b|(?:不要|禁止|不得|不)(?:使用|用)?表情符号`)
	noMarks  = regexp.MustCompile(`(?i)\b(?:no|without|avoid|do not use|don't use|never use) (?:any )?(?:markdown|bullet points|bulleted lists|lists|headings|formatting)\b|(?:不要|禁止|不得)(?:使用|用)?(?:列表|标题|Markdown|markdown)`)
	endsAsk  = regexp.MustCompile(`(?i)\b(?:end|finish|close) (?:every|each|your|the)? ?(?:reply|replies|response|turn|message)? ?with a question\b|以(?:问句|问题|提问)结尾|结尾要?提问`)
	noAsk    = regexp.MustCompile(`(?i)\b(?:do not|don't|never) (?:end|finish) (?:\w+ ){0,3}with a question\b|\b(?:do not|don't|never) ask (?:any )?questions\b|不要以?(?:问句|提问|问题)(?:结尾)?`)
	answerIn = regexp.MustCompile(`(?i)\b(?:write|reply|respond|answer|speak|replies|responses)(?: \w+){0,3} in (English|French|German|Spanish|Italian|Portuguese|Dutch|Chinese|Japanese|Korean|Russian)\b|(?:用|使用|以)(中文|汉语|英文|英语|日语|日文|韩语|俄语)(?:回复|回答|作答|说话|写)`)
	list     = regexp.MustCompile(`(?m)^\s{0,3}(?:[-*+] \S|\d{1,2}[.)] \S|#{1,6} \S|\|.*\|)|\*\*[^*\n]+\*\*|` + "```")
)

// demands reads from the settings what code can check. A line that speaks of
// something else under the same words is left out, not guessed at.
func demands(settings string) []demand {
	var out []demand
	add := func(asked string, kept func(*candidate) bool) {
		out = append(out, demand{strings.TrimSpace(asked), kept})
	}
	for _, m := range fromTo.FindAllStringSubmatch(settings, 4) {
		low, high, unit := number64(m[1]+m[4]), number64(m[2]+m[5]), m[3]+m[6]
		if low > 0 && high >= low {
			add(m[0], func(k *candidate) bool { n := measure(k, unit); return n*10 >= low*8 && n*10 <= high*12 })
		}
	}
	ranged := fromTo.ReplaceAllString(settings, " ")
	for _, m := range atMost.FindAllStringSubmatch(ranged, 4) {
		if n, unit := number64(m[1]+m[3]+m[5]), m[2]+m[4]+m[6]; n > 0 {
			add(m[0], func(k *candidate) bool { return measure(k, unit)*10 <= n*11 })
		}
	}
	for _, m := range atLeast.FindAllStringSubmatch(atMost.ReplaceAllString(ranged, " "), 4) {
		if n, unit := number64(m[1]+m[3]), m[2]+m[4]; n > 0 {
			add(m[0], func(k *candidate) bool { return measure(k, unit)*10 >= n*9 })
		}
	}
	if m := noEmoji.FindString(settings); m != "" {
		add(m, func(k *candidate) bool { return emoji(k.raw) == "" })
	}
	if m := noMarks.FindString(settings); m != "" {
		add(m, func(k *candidate) bool { return !list.MatchString(k.visible) })
	}
	if m := noAsk.FindString(settings); m != "" {
		add(m, func(k *candidate) bool { return !asksAtEnd(k) })
	} else if m := endsAsk.FindString(settings); m != "" {
		add(m, asksAtEnd)
	}
	if m := answerIn.FindStringSubmatch(settings); m != nil {
		language := m[1] + m[2]
		add(m[0], func(k *candidate) bool { return spokenIn(k.speech, language) })
	}
	return out
}

// demanding keeps the lines in which a demand could stand: the patterns are dear
// on a long profile.
func demanding(settings string) string {
	const words = "emoji|markdown|bullet|list|heading|format|question|表情|列表|标题|提问|问句|问题|中文|汉语|英文|英语|日语|日文|韩语|俄语"
	var out strings.Builder
	for line := range strings.Lines(settings) {
		for _, sentence := range sentencesOf(line) {
			lower := strings.ToLower(sentence)
			if strings.ContainsAny(sentence, "0123456789") || holdsAny(lower, words) ||
				strings.Contains(lower, " in ") && holdsAny(lower, "write|reply|respond|answer|speak|replies|responses") {
				out.WriteString(sentence + "\n")
			}
		}
	}
	return out.String()
}

func number64(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// measure is the length of the visible reply in the unit asked for.
func measure(k *candidate, unit string) int {
	switch strings.ToLower(unit) {
	case "sentences", "句":
		return len(sentencesOf(k.visible))
	case "characters":
		return len([]rune(k.visible))
	case "字":
		return max(letters(k.visible), length(k.visible))
	}
	return length(k.visible)
}

func emoji(text string) string {
	for _, r := range text {
		if r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF && unicode.Is(unicode.So, r) {
			return string(r)
		}
	}
	return ""
}

func asksAtEnd(k *candidate) bool {
	return len(k.sentences) > 0 && strings.ContainsAny(k.sentences[len(k.sentences)-1], "?？")
}

// spokenIn tells whether a speech may be in a language: by its script, and by
// function words among languages of Latin script.
func spokenIn(speech, language string) bool {
	count := map[script]int{}
	for _, r := range speech {
		count[scriptOf(r)]++
	}
	most := noScript
	for s := latin; s <= thai; s++ {
		if count[s] > count[most] || most == noScript && count[s] > 0 {
			most = s
		}
	}
	switch strings.ToLower(language) {
	case "chinese", "中文", "汉语":
		return most == han && count[kana] == 0
	case "japanese", "日语", "日文":
		return count[kana] > 0
	case "korean", "韩语":
		return most == hangul
	case "russian", "俄语":
		return most == cyrillic
	case "英文", "英语":
		language = "English"
	}
	if most != latin {
		return false
	}
	for _, sentence := range sentencesOf(speech) {
		if l := tongue(sentence); l != "" && !strings.EqualFold(l, language) {
			return false
		}
	}
	return true
}

// keepsRules measures whether the reply does what the settings ask for, as far
// as code can check it.
//
// Measures: of the demands it knows (lengths in words, sentences or 字; no emoji;
// no lists; a question at the end, or none; the language), the share kept.
// Lengths have a tenth of grace, ranges a fifth. Where the settings ask for
// nothing of the kind, both candidates measure the same.
// Evidence: the settings' words for what is not kept.
// Known mistakes: a demand about something else in the same words ("a letter of
// at most 50 words"); demands it does not know.
func keepsRules(s *scene, k *candidate) finding {
	if len(s.demands) == 0 {
		return merit(0.5, "was given no rule that code can check")
	}
	var broken []string
	for _, d := range s.demands {
		if !d.kept(k) {
			broken = append(broken, d.asked)
		}
	}
	kept := len(s.demands) - len(broken)
	if len(broken) == 0 {
		return merit(1, fmt.Sprintf("keeps %d of %s that code can check", kept, countOf(kept, "rule")), s.demands[0].asked)
	}
	return merit(float64(kept)/float64(len(s.demands)), fmt.Sprintf("keeps %d of %s that code can check and breaks these", kept, countOf(len(s.demands), "rule")), broken...)
}
