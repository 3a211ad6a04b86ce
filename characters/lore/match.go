package lore

import (
	"maps"
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
	expand  func(text string, recursion bool) string
	spent   time.Duration // that patterns took
	regexps map[string]*regexp2.Regexp
	slow    map[string]bool // the patterns that were given up
	always  map[string]bool // those that are from now on
	known   map[asked]bool
}

// asked is a pattern and the text it was looked for in.
type asked struct {
	re *regexp2.Regexp
	in *haystack
}

func (sc *Scanner) matcher(expand func(text string, recursion bool) string) *matcher {
	return &matcher{expand: expand, regexps: sc.regexps, slow: maps.Clone(sc.slow), always: sc.slow, known: map[asked]bool{}}
}

// count returns the first of the keys that is in one of the texts, and how many
// are; with one set it stops at the first.
func (m *matcher) count(keys []key, in []*haystack, e *Entry, one bool) (first string, n int) {
	for i := range keys {
		k := &keys[i]
		if k.macros && m.expand != nil {
			filled := e.key(m.expand(k.written, false))
			k = &filled
		}
		if k.text == "" || !m.has(k, in, e) {
			continue
		}
		if n++; n == 1 {
			if first = k.written; one {
				break
			}
		}
	}
	return first, n
}

// has reports whether a key is in one of the texts. A key written /…/flags is a
// pattern, and so is every key of an entry that says so.
func (m *matcher) has(k *key, in []*haystack, e *Entry) bool {
	for _, h := range in {
		if k.pattern {
			if m.pattern(k, h) {
				return true
			}
			continue
		}
		if !h.may(k.grams) {
			continue
		}
		text := h.text
		if !e.CaseSensitive {
			text = h.folded
		}
		if !e.WholeWords && strings.Contains(text, k.text) || e.WholeWords && wholeWord(text, k.text) {
			return true
		}
	}
	return false
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
func (m *matcher) pattern(k *key, in *haystack) bool {
	body, flags := k.body, k.flags
	if len(body) > maxPattern || m.spent > totalTime {
		m.slow[body] = true
		return false
	}
	re, known := m.regexps[k.id]
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
		m.regexps[k.id] = re
	}
	if re == nil || m.slow[body] {
		return false
	}
	found, ok := m.known[asked{re, in}]
	if ok {
		return found
	}
	began := time.Now()
	found, err := re.MatchRunes(in.letters())
	m.spent += time.Since(began)
	if err != nil {
		m.slow[body], m.always[body] = true, true
	}
	found = found && err == nil
	m.known[asked{re, in}] = found
	return found
}
