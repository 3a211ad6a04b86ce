package house

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// script is a writing system, as coarse as language mixing needs it.
type script uint8

const (
	noScript script = iota
	latin
	han
	kana
	hangul
	cyrillic
	greek
	arabic
	hebrew
	devanagari
	thai
)

var scriptNames = [...]string{"none", "Latin", "Chinese", "Japanese kana", "Korean", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Thai"}

func (s script) String() string { return scriptNames[s] }

func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return latin
		}
		return noScript
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return kana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Greek, r):
		return greek
	case unicode.Is(unicode.Arabic, r):
		return arabic
	case unicode.Is(unicode.Hebrew, r):
		return hebrew
	case unicode.Is(unicode.Devanagari, r):
		return devanagari
	case unicode.Is(unicode.Thai, r):
		return thai
	}
	return noScript
}

// wordless scripts write no space between words.
func wordless(s script) bool { return s == han || s == kana || s == thai }

// wordsOf cuts a text into lower-case words. Scripts without spaces give one
// "word" a character, which is what their n-grams are counted in.
func wordsOf(text string) []string {
	var out []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.Trim(strings.ToLower(text[start:end]), "'’-"))
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case r >= 0x80 && wordless(scriptOf(r)):
			flush(i)
			out = append(out, string(r))
		case wordy(r),
			start >= 0 && (r == '\'' || r == '’' || r == '-') && letterAfter(text, i+utf8.RuneLen(r)):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	return out
}

func letterAfter(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// stopWords are English words that carry no content of their own. The set is
// made once, on first use, and only read after that.
var stopWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a about after again all also am an and any are aren't as at be because been before being but by can
		can't cannot come could couldn't did didn't do does doesn't doing don't done down even ever every for from get go going got had
		hadn't has hasn't have haven't having he he'd he'll he's her here hers him his how i i'd i'll i'm i've if in into is isn't it it's
		its just know let let's like look made make many may me might mine more most much must my never no nor not nothing now of off oh
		on one only or other our out over own perhaps please quite rather really said say see shall she she'd she'll she's should
		shouldn't so some something still such tell than that that's the their them then there there's these they they're thing things
		think this those though through to too under until up upon us very want was wasn't way we we'll we're we've well were weren't
		what what's when where which while who why will with without won't would wouldn't yes yet you you'd you'll you're you've your
		yours user assistant system`) {
		m[w] = true
	}
	return m
})

// contentOf returns the content words of a text, each once, in order: no stop
// words, no short ones; for scripts without spaces pairs of characters.
func contentOf(text string) []string {
	words, stop := wordsOf(text), stopWords()
	seen := map[string]bool{}
	var out []string
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	beside := pairsOf(text)
	for i, w := range words {
		r, n := utf8.DecodeRuneInString(w)
		if n == len(w) && wordless(scriptOf(r)) {
			if i+1 < len(words) {
				if next, m := utf8.DecodeRuneInString(words[i+1]); m == len(words[i+1]) && wordless(scriptOf(next)) &&
					beside[w+words[i+1]] && !chineseFiller(r) && !chineseFiller(next) {
					add(w + words[i+1])
				}
			}
			continue
		}
		if utf8.RuneCountInString(w) >= 3 && !stop[strings.ReplaceAll(w, "’", "'")] {
			add(stem(w))
		}
	}
	return out
}

// pairsOf returns the pairs of letters of scripts without word spaces that stand
// side by side in the text: over a comma or a line there is no word.
func pairsOf(text string) map[string]bool {
	pairs := map[string]bool{}
	last := ""
	for _, r := range text {
		if !wordless(scriptOf(r)) {
			last = ""
			continue
		}
		if last != "" {
			pairs[last+string(r)] = true
		}
		last = string(r)
	}
	return pairs
}

// written returns words of contentOf as the text has them: evidence is quoted,
// never cut to a stem. What is not a stem of any word stays as it is.
func written(text string, content []string) []string {
	whole := map[string]string{}
	for _, w := range wordsOf(text) {
		if s := stem(w); whole[s] == "" {
			whole[s] = w
		}
	}
	out := make([]string, len(content))
	for i, w := range content {
		if out[i] = whole[w]; out[i] == "" {
			out[i] = w
		}
	}
	return out
}

func chineseFiller(r rune) bool {
	return strings.ContainsRune("的了是在我你他她它们这那有和就不也都要会说吗呢吧啊呀着过很还被把给没从对向与又再才只可能想来去个么什怎为之得地哦嗯", r)
}

func setOf(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// sentencesOf cuts a text at the ends of sentences and lines.
func sentencesOf(text string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" && strings.IndexFunc(s, wordy) >= 0 {
			out = append(out, s)
		}
	}
	for i, r := range text {
		if strings.ContainsRune(".!?…。！？\n", r) {
			end := i + utf8.RuneLen(r)
			if i < start || r == '.' && title(text[start:i]) {
				continue
			}
			for end < len(text) { // the quotation mark closes with its sentence
				q, n := utf8.DecodeRuneInString(text[end:])
				if !strings.ContainsRune("”’」』》）)\"", q) {
					break
				}
				end += n
			}
			flush(end)
			start = end
		}
	}
	flush(len(text))
	return out
}

// wordy is a letter, a mark or a digit, of which words are made.
func wordy(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || wordless(scriptOf(r))
}

// title tells whether a full stop belongs to a title: "Mr.", "Dr.".
func title(before string) bool {
	if i := strings.LastIndexAny(before, " \t\n\"“'‘("); i >= 0 {
		before = before[i+1:]
	}
	switch strings.ToLower(before) {
	case "mr", "mrs", "ms", "dr", "st", "prof", "capt", "sgt", "lt", "jr", "sr":
		return true
	}
	return false
}

// grams returns the runs of n words of a text.
func grams(words []string, n int) []string {
	var out []string
	for i := 0; i+n <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+n], " "))
	}
	return out
}

// plain is a sentence reduced to its words, for comparison.
func plain(sentence string) string { return strings.Join(wordsOf(sentence), " ") }

// clip shortens a quotation to a readable length, on one line.
func clip(s string) string {
	const most = 90
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	short := string([]rune(s)[:most-1])
	if at := strings.LastIndexByte(short, ' '); at > len(short)/2 {
		short = short[:at] // not within a word
	}
	return strings.TrimSpace(short) + "…"
}
