package library

import (
	"slices"
	"strings"
	"unicode"

	"herarena/characters/card"
)

// query is what a person asked for: every term must hold.
type query struct{ terms []term }

// term is a word to look for everywhere, or in one field.
type term struct {
	field string // "" for everywhere
	text  string // folded
	whole bool   // quoted: a run of words rather than the beginning of one
	not   bool
}

// parseQuery splits a query into terms. Words stand for the beginning of a
// word; "several words" in quotes for themselves; tag:, by:, lang:, name:,
// kind:, file:, spec:, is: and has: look at one thing; a dash before any of
// them excludes. A field that there is none of is a word.
func parseQuery(s string) query {
	var q query
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimLeft(s, " \t\n") {
		var t term
		if len(s) > 1 && s[0] == '-' && s[1] != ' ' {
			t.not, s = true, s[1:]
		}
		if at := strings.IndexByte(s, ':'); at > 0 && at < len(s)-1 && fieldOf(s[:at]) != "" && s[at+1] != ' ' {
			t.field, s = fieldOf(s[:at]), s[at+1:]
		}
		if s[0] == '"' {
			text, rest, _ := strings.Cut(s[1:], `"`)
			t.text, t.whole, s = text, true, rest
		} else {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			t.text, s = s[:end], s[end:]
		}
		if t.text = strings.TrimSpace(fold(t.text)); t.text != "" && len(q.terms) < 32 {
			q.terms = append(q.terms, t)
		}
	}
	return q
}

// fieldOf returns the field of a prefix, "" for none.
func fieldOf(prefix string) string {
	switch strings.ToLower(prefix) {
	case "tag", "tags":
		return "tag"
	case "by", "creator", "author", "book":
		return "by"
	case "lang", "language":
		return "lang"
	case "name", "title":
		return "name"
	case "kind", "type":
		return "kind"
	case "file", "path":
		return "file"
	case "spec", "version":
		return "spec"
	case "is":
		return "is"
	case "has":
		return "has"
	}
	return ""
}

// Unknown returns the terms of a query that nothing can ever answer, such as
// is:favorit.
func Unknown(q string) []string {
	var out []string
	for _, t := range parseQuery(q).terms {
		var known []string
		switch t.field {
		case "is":
			known = slices.Concat(strings.Fields(isWords), kindWords())
		case "has":
			known = strings.Fields(hasWords)
		case "kind":
			if !slices.ContainsFunc(kindWords(), func(k string) bool { return strings.HasPrefix(k, t.text) }) {
				out = append(out, "kind:"+t.text)
			}
			continue
		default:
			continue
		}
		if !slices.Contains(known, t.text) {
			out = append(out, t.field+":"+t.text)
		}
	}
	return out
}

// The words that is and has know; a test holds them against both.
const (
	isWords  = "fav favourite favorite starred dup duplicate double broken bad unreadable repaired mended played new unplayed playable"
	hasWords = "lore lorebook book greeting greetings alternates swipes example examples picture portrait image tag tags blurb notes creator"
)

func kindWords() []string {
	return []string{string(card.KindCard), string(card.KindScenario), string(card.KindLorebook), string(card.KindChat), string(KindScene)}
}

// document is what a search looks at of an entry, folded.
type document struct {
	name, title, tags, creator, blurb string
}

func newDocument(e *Entry) *document {
	d := &document{title: fold(e.Title), creator: fold(e.Creator), blurb: fold(e.Blurb)}
	if d.name = d.title; e.Name != e.Title {
		d.name = fold(e.Name)
	}
	if len(e.OwnTags)+len(e.Tags) > 0 {
		d.tags = fold(strings.Join(slices.Concat(e.OwnTags, e.Tags), "\n"))
	}
	return d
}

// The weights of where a word was found.
const (
	rankWhole  = 1000 // the whole title: what stands in the list
	rankFront  = 600  // the beginning of the title
	rankOther  = 400  // the whole name or its beginning, under another title
	rankName   = 200
	rankTitle  = 120
	rankTag    = 80
	rankBy     = 60
	rankBlurb  = 20
	rankInside = 5 // within a name's word
)

// rank returns how well an entry answers, 0 where it does not.
func (q query) rank(e *Entry, d *document) int {
	total := 1
	for _, t := range q.terms {
		n := t.rank(e, d)
		if (n > 0) == t.not {
			return 0
		}
		if !t.not {
			total += n
		}
	}
	return total
}

func (t term) rank(e *Entry, d *document) int {
	ok := false
	switch t.field {
	case "":
		return t.everywhere(d)
	case "tag":
		ok = t.among(d.tags)
	case "by":
		ok = t.in(d.creator)
	case "name":
		ok = t.in(d.name) || t.in(d.title)
	case "lang":
		ok = strings.HasPrefix(fold(e.Language), t.text)
	case "kind":
		ok = strings.HasPrefix(string(e.Kind), t.text)
	case "spec":
		ok = strings.EqualFold(e.Spec, strings.TrimPrefix(t.text, "v"))
	case "file":
		ok = strings.Contains(fold(e.Path), t.text)
	case "is":
		ok = is(e, t.text)
	case "has":
		ok = has(e, t.text)
	}
	if ok {
		return 1
	}
	return 0
}

func is(e *Entry, what string) bool {
	switch what {
	case "fav", "favourite", "favorite", "starred":
		return e.Favourite
	case "dup", "duplicate", "double":
		return len(e.Duplicates) > 0
	case "broken", "bad", "unreadable":
		return e.Err != ""
	case "repaired", "mended":
		return e.Repaired > 0
	case "played":
		return !e.Played.IsZero()
	case "new", "unplayed":
		return e.Played.IsZero() && e.Playable()
	case "playable":
		return e.Playable()
	}
	return string(e.Kind) == what
}

func has(e *Entry, what string) bool {
	switch what {
	case "lore", "lorebook", "book":
		return e.Lore > 0
	case "greeting", "greetings":
		return e.Greetings > 0
	case "alternates", "swipes":
		return e.Greetings > 1
	case "example", "examples":
		return e.Examples > 0
	case "picture", "portrait", "image":
		return e.HasPicture
	case "tag", "tags":
		return len(e.Tags)+len(e.OwnTags) > 0
	case "blurb", "notes":
		return e.Blurb != ""
	case "creator":
		return e.Creator != ""
	}
	return false
}

func (t term) everywhere(d *document) int {
	best := 0
	switch {
	case d.title == t.text:
		return rankWhole
	case strings.HasPrefix(d.title, t.text):
		return rankFront
	case strings.HasPrefix(d.name, t.text):
		return rankOther
	case t.in(d.name):
		best = rankName
	case t.in(d.title):
		best = rankTitle
	}
	if best < rankTag && t.among(d.tags) {
		best = rankTag
	}
	if best < rankBy && t.in(d.creator) {
		best = rankBy
	}
	if best < rankBlurb && t.in(d.blurb) {
		best = rankBlurb
	}
	if best == 0 && len(t.text) >= 3 && (strings.Contains(d.name, t.text) || strings.Contains(d.title, t.text)) {
		best = rankInside
	}
	return best
}

// among reports a tag that begins so, or has a word that does; a quoted one is
// the whole tag.
func (t term) among(tags string) bool {
	if !t.whole {
		return t.in(tags)
	}
	for rest := tags; rest != ""; {
		var tag string
		tag, rest, _ = strings.Cut(rest, "\n")
		if tag == t.text {
			return true
		}
	}
	return false
}

// in reports a word of the text that begins with the term's, or the quoted
// words as they are. In scripts without blanks between words any place is the
// beginning of one.
func (t term) in(text string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], t.text)
		if at < 0 {
			return false
		}
		at += from
		if wordStart(text, at) && (!t.whole || wordEnd(text, at+len(t.text))) {
			return true
		}
		from = at + 1
	}
}

func wordStart(text string, at int) bool {
	if at == 0 {
		return true
	}
	c := text[at-1]
	if c < 0x80 {
		return c < '0' || c > '9' && c < 'a' || c > 'z'
	}
	if text[at] >= 0xE3 {
		// Chinese, Japanese and Korean signs begin with these bytes.
		return true
	}
	before := lastRune(text[:at])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before) || before >= 0x2E80
}

func wordEnd(text string, at int) bool {
	if at >= len(text) || text[at] < 0x80 && wordStart(text[:at]+" "+text[at:], at+1) && !alnum(text[at]) {
		return true
	}
	if alnum(text[at]) {
		return false
	}
	for _, r := range text[at:] {
		return !unicode.IsLetter(r) || r >= 0x2E80
	}
	return true
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' }

func lastRune(s string) rune {
	r := []rune(s[max(0, len(s)-4):])
	return r[len(r)-1]
}
