package lore

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// Bounds on searching.
const (
	maxScanText = 64 << 10               // bytes of messages that are searched
	maxPattern  = 4 << 10                // bytes of one pattern
	patternTime = 50 * time.Millisecond  // for one search with a pattern
	totalTime   = 500 * time.Millisecond // for all patterns of one scan
)

// matcher searches texts for keys.
type matcher struct {
	expand  func(string) string
	spent   time.Duration // that patterns took
	compile map[string]*regexp2.Regexp
	slow    map[string]bool // the patterns that were given up
}

// any returns the first key that is in the text.
func (m *matcher) any(keys []string, text, folded string, e *Entry) (string, bool) {
	for _, key := range keys {
		if m.has(key, text, folded, e) {
			return key, true
		}
	}
	return "", false
}

// has reports whether a key is in the text. A key written /…/flags is a
// pattern, and so is every key of an entry that says so.
func (m *matcher) has(key, text, folded string, e *Entry) bool {
	if m.expand != nil {
		key = m.expand(key)
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return false
	}
	body, flags, slashed := cutPattern(key)
	if slashed || e.UseRegex {
		if !slashed {
			body = key
		}
		return m.pattern(body, flags, text)
	}
	if !e.CaseSensitive {
		key, text = strings.ToLower(key), folded
	}
	if !e.WholeWords {
		return strings.Contains(text, key)
	}
	return wholeWord(text, key)
}

// wholeWord looks for a key with no letter or digit on either side. Scripts
// without blanks between words have no whole words to ask for.
func wholeWord(text, key string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], key)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(key):])
		first, size := utf8.DecodeRuneInString(key)
		last, _ := utf8.DecodeLastRuneInString(key)
		if !joined(before, first) && !joined(last, after) {
			return true
		}
		from = at + size
	}
}

// joined reports two characters of one word.
func joined(a, b rune) bool {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return word(a) && word(b) && !unbroken(a) && !unbroken(b)
}

// unbroken reports scripts that are written without blanks.
func unbroken(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// cutPattern takes a /pattern/flags apart.
func cutPattern(key string) (body, flags string, ok bool) {
	if len(key) < 3 || key[0] != '/' {
		return "", "", false
	}
	end := strings.LastIndexByte(key, '/')
	if end < 2 || strings.Trim(key[end+1:], "gimsuyv") != "" {
		return "", "", false
	}
	return key[1:end], key[end+1:], true
}

// pattern searches with a pattern in JavaScript's syntax. One that is broken,
// or takes too long, does not match.
func (m *matcher) pattern(body, flags, text string) bool {
	if len(body) > maxPattern || m.spent > totalTime {
		m.slow[body] = true
		return false
	}
	id := flags + "/" + body
	re, known := m.compile[id]
	if !known {
		options := regexp2.RegexOptions(regexp2.ECMAScript)
		for flag, option := range map[string]regexp2.RegexOptions{"i": regexp2.IgnoreCase, "m": regexp2.Multiline} {
			if strings.Contains(flags, flag) {
				options |= option
			}
		}
		var err error
		if re, err = regexp2.Compile(body, options); err != nil {
			re = nil
		} else {
			re.MatchTimeout = patternTime
		}
		m.compile[id] = re
	}
	if re == nil || m.slow[body] {
		return false
	}
	began := time.Now()
	found, err := re.MatchString(text)
	m.spent += time.Since(began)
	if err != nil {
		m.slow[body] = true
	}
	return found && err == nil
}
