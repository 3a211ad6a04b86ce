package rehearsal

import (
	"strings"
	"unicode"
)

// givenName returns the name that a person gives as their own ("my name is
// Tom", "I am Tom Reed", "我叫小方"), or "".
func (e *ear) givenName(s string) string {
	if name := givenHan(s); name != "" {
		return name
	}
	s = strings.ReplaceAll(s, "’", "'")
	low := strings.ToLower(s)
	for _, cue := range []struct {
		words string
		loose bool // "I am" introduces much besides names
	}{
		{"my name is ", false},
		{"my name's ", false},
		{"the name is ", false},
		{"the name's ", false},
		{"call me ", false},
		{"they call me ", false},
		{"i am called ", false},
		{"i'm called ", false},
		{"name is ", false},
		{"i am ", true},
		{"i'm ", true},
		{"this is ", true},
		{"it is i, ", true},
	} {
		i := wordIndex(low, cue.words)
		if i < 0 || len(low) != len(s) {
			continue
		}
		if name := e.nameAt(s[i+len(cue.words):], cue.loose); name != "" {
			return name
		}
	}
	return ""
}

// wordIndex finds words at a word's beginning.
func wordIndex(s, words string) int {
	from := 0
	for {
		i := strings.Index(s[from:], words)
		if i < 0 {
			return -1
		}
		i += from
		if i == 0 || !isWordByte(s[i-1]) {
			return i
		}
		from = i + len(words)
	}
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '\'' || b >= 0x80
}

// nameAt reads up to three capitalised words. After a sure cue one lower-case
// word will do ("my name is tom"), as people type that way.
func (e *ear) nameAt(s string, loose bool) string {
	var words []string
	for _, w := range strings.Fields(s) {
		bare := strings.TrimRight(w, ".,;:!?\"”)'")
		low := strings.ToLower(bare)
		if !isWordOnly(bare) || e.cues.own[low] || e.cues.notNames[low] || len(words) == 3 {
			break
		}
		if !startsUpper(bare) {
			if loose || len(words) > 0 {
				break
			}
			bare = upperFirst(bare)
			words = append(words, bare)
			break
		}
		title := low == "mr" || low == "mrs" || low == "dr" || low == "ms" || low == "st"
		if title {
			bare = w
		}
		words = append(words, bare)
		if bare != w {
			break
		}
	}
	name := strings.Join(words, " ")
	if strings.HasSuffix(name, "'s") { // "this is Anna's coat"
		return ""
	}
	// "I am SO TIRED" shouts; it does not introduce anybody.
	if loose && len(name) > 3 && strings.ToUpper(name) == name || len(name) < 2 || len(name) > 40 {
		return ""
	}
	return name
}

func isWordOnly(s string) bool {
	if s == "" {
		return false
	}
	for i, r := range s {
		if !unicode.IsLetter(r) && (i == 0 || r != '\'' && r != '-') || unicode.Is(unicode.Han, r) {
			return false
		}
	}
	return true
}

// givenHan reads Chinese introductions. After 我是 only two or three runes at
// the end of a clause count, and none that begin like a clause.
func givenHan(s string) string {
	for _, cue := range []struct {
		words string
		loose bool
	}{{"我的名字叫", false}, {"我的名字是", false}, {"我名叫", false}, {"我叫做", false}, {"我叫", false}, {"叫我", false}, {"我姓", false}, {"在下", true}, {"我是", true}} {
		_, rest, ok := strings.Cut(s, cue.words)
		if !ok {
			continue
		}
		name := clauseRunes(rest)
		name = strings.TrimRight(name, "吧啊呀呢的了就好")
		n := len([]rune(name))
		if n < 2 && !(cue.words == "我姓" && n == 1) || n > 4 || cue.loose && n > 3 {
			continue
		}
		if strings.ContainsAny(name, "不没来去谁什么哪怎说想要会能在这那个你我他她它们很真从为因人一做走坐等看找把被给") {
			continue
		}
		return name
	}
	return ""
}

// clauseRunes returns the Han runes up to the next mark.
func clauseRunes(s string) string {
	for i, r := range s {
		if !unicode.Is(unicode.Han, r) {
			return s[:i]
		}
	}
	return s
}
