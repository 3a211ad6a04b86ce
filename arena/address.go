package arena

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mention is a name in a text.
type mention struct {
	name   string
	called bool // it stands as one calls somebody: "Ost, come here", "Well, Ost?"
}

// addressed returns which of those who may be next is spoken to in a text: the
// last who is called by name, else the last who is mentioned. Where one name is
// part of another, such as Ost and Old Ost, the longest that fits is meant. ""
// is nobody.
func addressed(text string, everyone, may []string) string {
	last := ""
	called := false
	for _, m := range mentions(text, everyone) {
		if slices.Contains(may, m.name) && (m.called || !called) {
			last, called = m.name, m.called || called
		}
	}
	return last
}

// mentions finds the names in a text, in order.
func mentions(text string, names []string) []mention {
	known := calls(names)
	var out []mention
	var before rune // the last rune that is not white space
	begin := true   // at the beginning of a word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if begin {
			if as, n := longest(text[i:], known); n > 0 {
				after := strings.TrimLeft(text[i+n:], "*_\"”’ ")
				if !possessive(text[i+n:]) {
					out = append(out, mention{as, vocative(before, after)})
				}
				i += n
				before = 'x'
				continue
			}
		}
		begin = !letter(r) || ideographic(r)
		if !unicode.IsSpace(r) {
			before = r
		}
		i += size
	}
	return out
}

// call is what somebody may be called.
type call struct{ text, name string }

// calls are the names, longest first, and after them the words of names that
// belong to one person alone, such as a first name.
func calls(names []string) []call {
	var out []call
	owner := map[string]string{}
	for _, n := range names {
		if n == "" {
			continue
		}
		out = append(out, call{n, n})
		words := strings.Fields(n)
		for _, w := range words {
			first, _ := utf8.DecodeRuneInString(w)
			switch was, ok := owner[w]; {
			case len(words) == 1 || utf8.RuneCountInString(w) < 3 || !unicode.IsUpper(first) || slices.Contains(titles(), strings.Trim(w, ".")):
			case ok && was != n:
				owner[w] = "" // of two: nobody is meant
			default:
				owner[w] = n
			}
		}
	}
	for w, n := range owner {
		if n != "" && !slices.Contains(names, w) {
			out = append(out, call{w, n})
		}
	}
	slices.SortFunc(out, func(a, b call) int {
		if d := len(b.text) - len(a.text); d != 0 {
			return d
		}
		return strings.Compare(a.text, b.text)
	})
	return out
}

// titles are words of names by which nobody is called alone.
func titles() []string {
	return []string{
		"The", "Old", "Young", "Miss", "Mrs", "Sir", "Lady", "Lord", "Madame", "Madam", "Monsieur", "Herr", "Frau", "Doctor", "Captain",
		"Sergeant", "Inspector", "Father", "Mother", "Brother", "Sister", "Uncle", "Aunt", "King", "Queen", "Prince", "Princess", "Night", "Van", "Von", "And",
	}
}

// longest returns whose name the text begins with, and its length.
func longest(text string, known []call) (name string, n int) {
	for _, c := range known {
		if strings.HasPrefix(text, c.text) && !joined(text[:len(c.text)], text[len(c.text):]) {
			return c.name, len(c.text)
		}
	}
	return "", 0
}

// joined reports whether a word goes on from one text into the next.
func joined(parts ...string) bool {
	if len(parts) < 2 || parts[1] == "" {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(parts[0])
	b, _ := utf8.DecodeRuneInString(parts[1])
	return letter(a) && letter(b) && !ideographic(a) && !ideographic(b)
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// ideographic reports scripts without spaces between words.
func ideographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

func possessive(after string) bool {
	return strings.HasPrefix(after, "'s") || strings.HasPrefix(after, "’s")
}

// vocative reports whether a name between two texts is called: at the beginning
// of a sentence and set off from what follows, or set off before the end of one.
func vocative(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	opens := before == 0 || strings.ContainsRune(".!?…。！？*\"“”)—–:", before)
	ends := after == "" || strings.ContainsRune(".!?…。！？—–,，、", next)
	switch {
	case opens && after != "" && strings.ContainsRune(",，、!！?？—–:：…", next):
		return true
	case opens && after == "":
		return true
	}
	return strings.ContainsRune(",，、", before) && before != 0 && ends
}
