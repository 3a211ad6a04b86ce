package card

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of looking for quotes, so that no critic can stall the screen.
const (
	quoteLimit = 600      // bytes of one quote
	quotesMost = 64       // quotes of one field
	replyLimit = 64 << 10 // bytes of one reply
	searchMost = 32 << 20 // bytes searched for all quotes of a ruling
	wordsMost  = 60       // words of a quote that is looked for in pieces
)

// span is a run of bytes.
type span struct{ from, to int }

// closers are the marks that end a quote, by the mark that begins it.
var closers = map[rune]string{
	'"': `"”`, '“': `”"`, '„': `“”"`, '«': "»", '»': "«", '「': "」", '『': "』", '‘': "’'", '\'': "'’", '`': "`´'",
}

// quotes finds what stands between quotation marks in a text. An apostrophe
// within a word is none.
func quotes(text string) []span {
	var out []span
	last := ' '
	for i := 0; i < len(text) && len(out) < quotesMost; {
		r, n := utf8.DecodeRuneInString(text[i:])
		end, ok := closers[r]
		if ok && !(r == '\'' && wordy(last)) {
			if to := closing(text, i+n, end); to > 0 {
				out = append(out, span{i + n, to})
				_, m := utf8.DecodeRuneInString(text[to:])
				i, last = to+m, '"'
				continue
			}
		}
		i += n
		last = r
	}
	return out
}

// closing finds the mark that ends a quote, 0 if there is none near.
func closing(text string, from int, marks string) int {
	stop := min(from+quoteLimit, len(text))
	for i := from; i < stop; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' && i+n < stop && text[i+n] == '\n' {
			return 0 // quotes do not go on over paragraphs
		}
		if strings.ContainsRune(marks, r) && i > from {
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if apostrophe := r == '\'' || r == '’'; !apostrophe || !wordy(next) {
				return i
			}
		}
		i += n
	}
	return 0
}

func wordy(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// normal is a text made alike: lower case, one kind of apostrophe, no quotation
// or emphasis marks, single spaces. at[i] is the byte of the original that the
// i-th byte came from; one more stands for the end.
type normal struct {
	text string
	at   []int32
}

// normalise makes a text alike to its quotes.
func normalise(text string) normal {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int32, 0, len(text)+1)
	put := func(s string, i int) {
		b.WriteString(s)
		for range len(s) {
			at = append(at, int32(i))
		}
	}
	space := true // none at the beginning
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			if !space {
				put(" ", i)
			}
			space = true
			continue
		case strings.ContainsRune("\"“”„«»「」『』*_`", r):
			continue
		case r == '‘' || r == '’' || r == '´' || r == 'ʼ':
			r = '\''
		case r == '–' || r == '—' || r == '‑':
			r = '-'
		case r == '…':
			put("...", i)
			space = false
			continue
		}
		put(string(unicode.ToLower(r)), i)
		space = false
	}
	return normal{b.String(), append(at, int32(len(text)))}
}

// original is the run of the original that a run of the normal text came from.
func (n normal) original(s span) span {
	return span{int(n.at[s.from]), int(n.at[s.to])}
}

// trimmed cuts spaces and punctuation from the ends of a run.
func (n normal) trimmed(s span) span {
	in := n.text[s.from:s.to]
	cut := func(r rune) bool { return !wordy(r) && !unicode.Is(unicode.M, r) }
	left := len(in) - len(strings.TrimLeftFunc(in, cut))
	in = strings.TrimRightFunc(in, cut)
	return span{s.from + min(left, len(in)), s.from + len(in)}
}

// telling reports whether a run says enough to be looked for: three letters, or
// two characters of a script without spaces.
func telling(s string) bool {
	letters, wide := 0, 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			wide++
		case wordy(r):
			letters++
		}
	}
	return wide >= 2 || letters >= 3
}

// seeker looks for quotes within a budget.
type seeker struct{ left int }

// within finds a run of q in a reply, at the edges of words.
func (k *seeker) within(reply *normal, q string) (span, bool) {
	for from := 0; from < len(reply.text); {
		if k.left -= len(reply.text) - from; k.left < 0 {
			return span{}, false
		}
		i := strings.Index(reply.text[from:], q)
		if i < 0 {
			return span{}, false
		}
		at := span{from + i, from + i + len(q)}
		if edged(reply.text, at) {
			return at, true
		}
		_, n := utf8.DecodeRuneInString(reply.text[at.from:])
		from = at.from + n
	}
	return span{}, false
}

// edged reports whether a run neither begins nor ends within a word of a script
// with spaces.
func edged(text string, s span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:s.from])
	first, _ := utf8.DecodeRuneInString(text[s.from:])
	last, _ := utf8.DecodeLastRuneInString(text[:s.to])
	after, _ := utf8.DecodeRuneInString(text[s.to:])
	return !(joined(before) && joined(first)) && !(joined(last) && joined(after))
}

func joined(r rune) bool { return wordy(r) && r < 0x2e80 }

// longest finds the longest run of a quote that a reply holds: all of it, else
// the longest of the pieces between ellipses, else the longest run of words.
func (k *seeker) longest(q normal, reply *normal) (in, at span, ok bool) {
	whole := q.trimmed(span{0, len(q.text)})
	try := func(s span) bool {
		s = q.trimmed(s)
		text := q.text[s.from:s.to]
		if s.to-s.from <= in.to-in.from && ok || !telling(text) {
			return false
		}
		found, is := k.within(reply, text)
		if is {
			in, at, ok = s, found, true
		}
		return is
	}
	if try(whole) {
		return in, at, true
	}
	from := whole.from
	for _, piece := range strings.Split(q.text[whole.from:whole.to], "...") {
		try(span{from, from + len(piece)})
		from += len(piece) + 3
	}
	if ok {
		return in, at, true
	}
	words := wordsOf(q.text, whole)
	if len(words) > wordsMost {
		words = words[:wordsMost]
	}
	// A run of words is found if a longer one around it is, so that two ends
	// that only move forward see every longest run.
	for i, j := 0, 0; j < len(words); {
		if j-i >= 2 {
			try(span{words[i].from, words[j].to})
		}
		if i < j && !k.holds(reply, q.text[words[i].from:words[j].to]) {
			i++
			continue
		}
		j++
	}
	return in, at, ok
}

// holds reports whether a reply holds a text anywhere.
func (k *seeker) holds(reply *normal, text string) bool {
	k.left -= len(reply.text)
	return k.left >= 0 && strings.Contains(reply.text, text)
}

// wordsOf lists the words of a run; in scripts without spaces its characters.
func wordsOf(text string, s span) []span {
	var out []span
	from := -1
	for i, r := range text[s.from:s.to] {
		i += s.from
		wide := r >= 0x2e80 && wordy(r)
		if from >= 0 && (r == ' ' || wide) {
			out = append(out, span{from, i})
			from = -1
		}
		switch {
		case wide:
			out = append(out, span{i, i + utf8.RuneLen(r)})
		case from < 0 && r != ' ':
			from = i
		}
	}
	if from >= 0 {
		out = append(out, span{from, s.to})
	}
	return out
}
