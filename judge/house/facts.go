package house

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// claim is a clause about oneself with its denial taken out.
type claim struct {
	denied bool
	text   string // as written
}

var (
	// The words with which a person takes back what was said before.
	takesBack = regexp.MustCompile(`(?i)\b(?:no longer|any ?more|lied|lie|changed my mind|was wrong|were wrong|mistaken|used to|once|now|until|before|then|today|tonight|again|not true|forget what I said|I said)\b|改主意|骗|说谎|撒谎|现在|如今|以前|从前|再也|刚才|错了`)
	clauseEnd = regexp.MustCompile(`[,;:—–]| - |\b(?:but|because|though|although|yet|while|when|if|unless)\b|[，；：]`)
	leading   = regexp.MustCompile(`(?i)^(?:and|so|then|well|oh|ah|yes|no|aye|now|for|or)\s+`)
	denials   = regexp.MustCompile(`(?i)\b(?:not|never)\b|n['’]t\b`)
)

// claimsIn reads the clauses of a speech in which the speaker says "I …", and
// sorts them by what they say when no denial counts.
func claimsIn(speech string) map[string]claim {
	out := map[string]claim{}
	for _, sentence := range sentencesOf(speech) {
		if !aboutMe(sentence) || strings.ContainsAny(sentence, "?？") {
			continue
		}
		for _, clause := range clauseEnd.Split(sentence, -1) {
			if !aboutMe(clause) {
				continue
			}
			if key, denied, ok := reduced(clause); ok && !takesBack.MatchString(sentence) {
				if _, twice := out[key]; !twice {
					out[key] = claim{denied: denied, text: strings.TrimSpace(sentence)}
				}
			}
		}
	}
	return out
}

// aboutMe is a cheap look ahead of dear ones.
func aboutMe(sentence string) bool {
	return strings.Contains(sentence, "I") || strings.Contains(sentence, "我")
}

func countsMine(sentence string) bool {
	for _, begin := range []string{"I have", "I've", "I’ve", "I am", "I'm", "I’m", "我"} {
		if strings.Contains(sentence, begin) {
			return true
		}
	}
	return false
}

// reduced is a clause about oneself without its denial. ok is false for a clause
// that is too short or has more than one denial.
func reduced(clause string) (key string, denied, ok bool) {
	clause = strings.Trim(clause, " \"“”'‘’.!…。！")
	if rest, found := strings.CutPrefix(clause, "我"); found {
		n := strings.Count(rest, "不") + strings.Count(rest, "没") + strings.Count(rest, "未")
		key := strings.NewReplacer("从来", "", "从", "", "没", "", "未", "", "有", "", "不", "", "了", "", "过", "", "曾", "").Replace(rest)
		return "我" + key, n == 1, n < 2 && len([]rune(key)) >= 2 && len([]rune(rest)) >= 3
	}
	clause = leading.ReplaceAllString(clause, "")
	clause = strings.ReplaceAll(clause, "cannot", "can not")
	clause = strings.ReplaceAll(strings.ReplaceAll(clause, "can't", "can not"), "can’t", "can not")
	clause = strings.ReplaceAll(strings.ReplaceAll(clause, "won't", "will not"), "won’t", "will not")
	n := len(denials.FindAllString(clause, 3))
	words := wordsOf(denials.ReplaceAllString(clause, " "))
	if len(words) < 3 || n > 1 {
		return "", false, false
	}
	switch words[0] {
	case "i", "i'm", "i’m", "i've", "i’ve", "i'll", "i’ll", "i'd", "i’d":
	default:
		return "", false, false
	}
	out := words[:1:1]
	for i, w := range words[1:] {
		if i == 0 && (w == "do" || w == "did") && len(words) > 3 {
			continue // "I do not dance" denies "I dance"
		}
		if w == "ever" || w == "really" || w == "at" && i == len(words)-3 {
			continue
		}
		out = append(out, stem(w))
	}
	return strings.NewReplacer("i'm ", "i am ", "i’m ", "i am ", "i've ", "i have ", "i’ve ", "i have ", "i'll ", "i will ", "i’ll ", "i will ").
		Replace(strings.Join(out, " ")), n == 1, len(out) >= 3
}

// gainsays finds the plain opposite of what the character has said before.
//
// Proves: a clause "I …" of the reply and one of the character's own earlier
// lines are the same words, one with a denial and one without.
// Evidence: both sentences. English and Chinese.
// Known false positives: a change of heart that the reply does not mark by a word
// such as "now", "no longer" or "I lied"; irony.
func gainsays(s *scene, k *candidate) finding {
	if len(s.claims) == 0 {
		return finding{}
	}
	mine := claimsIn(k.speech)
	var quotes []string
	for _, sentence := range k.sentences { // in the order written
		if len(mine) == 0 || !aboutMe(sentence) {
			continue
		}
		for _, clause := range clauseEnd.Split(sentence, -1) {
			key, denied, ok := reduced(clause)
			if !ok || mine[key].text != strings.TrimSpace(sentence) {
				continue
			}
			if before, said := s.claims[key]; said && before.denied != denied && len(quotes) < enough {
				quotes = append(quotes, before.text, sentence)
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.5, "says the opposite of an own earlier line", unique(quotes)...)
}

var countedAll = sync.OnceValue(func() []*regexp.Regexp {
	const number = `(no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?:one|two|three|four|five|six|seven|eight|nine)|\d{1,3})`
	const kin = `(brothers?|sisters?|sons?|daughters?|children|child|siblings?|wives|wife|husbands?|cousins?|aunts?|uncles?)`
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(?:I have|I've|I’ve|I have got|I've got|I’ve got) (?:only |but |just |exactly )?` + number + ` (?:older |younger |elder |living |little |grown )?` + kin + `\b`),
		regexp.MustCompile(`(?i)\b(?:I am|I'm|I’m) (?:only |just |but |already )?` + number + `[ -](years?[ -]old|years of age)\b`),
		regexp.MustCompile(`我(?:只)?有([零一二两三四五六七八九十\d]{1,3})个(哥哥|弟弟|姐姐|妹妹|儿子|女儿|孩子|兄弟|姐妹)`),
		regexp.MustCompile(`我(?:今年|才|已经)?([一二三四五六七八九十\d]{1,3})(岁)`),
	}
})

// counted are the patterns of one language.
func counted(han bool) []*regexp.Regexp {
	if han {
		return countedAll()[2:]
	}
	return countedAll()[:2]
}

type number struct{ count, text string }

// numbersIn reads how many kin the speaker has, and how old it is.
func numbersIn(speech string) map[string]number {
	out := map[string]number{}
	for _, sentence := range sentencesOf(speech) {
		if !countsMine(sentence) || strings.ContainsAny(sentence, "?？") || takesBack.MatchString(sentence) {
			continue
		}
		for _, re := range counted(hasHan(sentence)) {
			for _, m := range re.FindAllStringSubmatch(sentence, enough) {
				thing := stem(strings.ToLower(m[2]))
				if strings.HasPrefix(thing, "year") || thing == "岁" {
					thing = "age"
				}
				if _, twice := out[thing]; !twice {
					out[thing] = number{numeral(m[1]), sentence}
				}
			}
		}
	}
	return out
}

// numeral is a number in one spelling: "2", "two" and "两" are one.
func numeral(word string) string {
	word = strings.ToLower(word)
	small := strings.Fields("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	for i, w := range small {
		if word == w {
			return strconv.Itoa(i)
		}
	}
	tens, unit, _ := strings.Cut(word, "-")
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		if tens == w {
			n := (i + 2) * 10
			for k, u := range small[:10] {
				if u == unit {
					n += k
				}
			}
			return strconv.Itoa(n)
		}
	}
	if strings.ContainsAny(word, "零一二两三四五六七八九十") {
		return chineseNumeral(word)
	}
	return strings.TrimLeft(word, "0")
}

func chineseNumeral(word string) string {
	n, digit := 0, 0
	for _, r := range word {
		if r == '十' {
			n += max(1, digit) * 10
			digit = 0
			continue
		}
		for i, d := range []rune("零一二三四五六七八九") {
			if r == d || r == '两' && i == 2 {
				digit = i
			}
		}
	}
	return strconv.Itoa(n + digit)
}

// miscounts finds a number that does not fit one the character has given.
//
// Proves: the character says how many brothers, sisters, children, … it has, or
// how old it is, and an own earlier line or a "You have …", "You are …" of the
// settings gives another number.
// Evidence: both sentences. English and Chinese.
// Known false positives: years that pass in the scene, a death, a lie.
func miscounts(s *scene, k *candidate) finding {
	var quotes []string
	mine := numbersIn(k.speech)
	for _, sentence := range k.sentences {
		found := numbersIn(sentence)
		for _, thing := range slices.Sorted(maps.Keys(found)) {
			n := found[thing]
			if before, said := s.numbers[thing]; said && mine[thing].text == sentence && before.count != n.count {
				quotes = append(quotes, before.text, sentence)
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.7, "gives a number that an earlier line or the settings give otherwise", unique(quotes)...)
}

// toldAge is the age in a sentence of the settings that speaks to the character.
var toldAge = regexp.MustCompile(`^You(?: are|['’]re) [^.]*?\b(\d{1,3})[ -]years?[ -]old\b|^You(?: are|['’]re) [^.]*?\baged (\d{1,3})\b|^你[^。]{0,30}?([一二三四五六七八九十\d]{1,3})岁`)

var addressed = strings.NewReplacer("You have", "I have", "you have", "I have", "You are", "I am", "you are", "I am", "你有", "我有", "你今年", "我今年")

// keepFacts collects what the character has said of itself, and what the
// settings say to it.
func (s *scene) keepFacts() {
	s.claims, s.numbers = map[string]claim{}, map[string]number{}
	for _, sentence := range sentencesOf(s.system) {
		if !strings.Contains(sentence, "ou ") && !strings.Contains(sentence, "你") {
			continue
		}
		for thing, n := range numbersIn(addressed.Replace(sentence)) {
			s.numbers[thing] = number{n.count, sentence}
		}
		if m := toldAge.FindStringSubmatch(sentence); m != nil && s.numbers["age"].text == "" {
			s.numbers["age"] = number{numeral(m[1] + m[2] + m[3]), sentence}
		}
	}
	for _, t := range s.turns {
		if !t.own {
			continue
		}
		for key, c := range claimsIn(t.speech) {
			s.claims[key] = c // the latest holds
		}
		for thing, n := range numbersIn(t.speech) {
			s.numbers[thing] = n
		}
	}
}
